//! What do proofs that a motion is free cost, that of a scene and that of the planners, beside dense sampling, which proves nothing?
//!
//! `cargo run --release -p smooth_scene_plan --example motion_checks -- [COUNT [URDF SRDF [WORLD]]]`
//!
//! COUNT random motions (1000) of 0.3 rad or m at most in any joint that start free, of the robot, or without one of two hands of
//! 44 smooth surfaces. They are sampled at 0.02 rad with the exact question, warm, and in blocks of eight states. Times are those of
//! the thread.

use std::error::Error;
use std::time::Duration;

use cpu_time::ThreadTime;
use smooth_scene_plan::{EdgeProof, EdgeProver};
use smooth_scene_query::MotionStatus;
use smooth_scene_robot::StateSampler;
use smooth_scene_scene::{BatchChecker, CheckRequest, MotionRequest, PlanningScene, Workspace};
use smooth_scene_test_support::hands;

/// Largest way of a joint in a motion, and in one step of the sampling, rad or m.
const WAY: f64 = 0.3;
const STEP: f64 = 0.02;

/// Motions from free states towards random ones.
fn motions(scene: &PlanningScene, count: usize) -> Result<Vec<[Vec<f64>; 2]>, Box<dyn Error>> {
    let mut sampler = StateSampler::new(scene.model(), 1);
    let (request, mut workspace) = (CheckRequest::default(), Workspace::cold());
    let mut motions = Vec::new();
    while motions.len() < count {
        let (from, towards) = (sampler.draw(), sampler.draw());
        if scene.in_collision(&from, &request, &mut workspace)? {
            continue;
        }
        let ways = from.iter().zip(&towards).map(|(a, b)| (b - a).abs());
        let share = (WAY / ways.fold(f64::MIN_POSITIVE, f64::max)).min(1.0);
        let to = from.iter().zip(&towards).map(|(a, b)| a + share * (b - a)).collect();
        motions.push([from, to]);
    }
    Ok(motions)
}

/// The states of a motion, one after the other.
fn samples([from, to]: &[Vec<f64>; 2]) -> Vec<f64> {
    let longest = from.iter().zip(to).map(|(a, b)| (b - a).abs()).fold(0.0, f64::max);
    let count = (longest / STEP).ceil().max(1.0) as usize;
    let state = |k: usize| {
        let share = k as f64 / count as f64;
        from.iter().zip(to).map(move |(a, b)| a + share * (b - a))
    };
    (0..=count).flat_map(state).collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let count: usize = arguments.first().map_or(Ok(1000), |count| count.parse())?;
    let scene = hands::or_scene_of(arguments.get(1..).unwrap_or_default())?;
    let motions = motions(&scene, count)?;
    let width = scene.model().position_count();
    let (check, motion) = (CheckRequest::default(), MotionRequest::default());
    let (mut batch, prover) = (BatchChecker::new(&scene), EdgeProver::new(&scene)?);
    // Of motions that are proven free by the scene and of the others: how many, how many are proven free by the planners' proof, and the
    // times.
    let mut rows = [(0u32, 0u32, [Duration::ZERO; 4]); 2];
    let mut between = 0;
    for ends in &motions {
        let begin = ThreadTime::now();
        let answer = scene.check_motion(ends, &motion)?;
        let proof = begin.elapsed();
        let begin = ThreadTime::now();
        let edge = prover.prove(&ends[0], &ends[1], &|| false)?;
        let edge_proof = begin.elapsed();
        let begin = ThreadTime::now();
        let mut workspace = Workspace::warm();
        let mut touches = false;
        for state in samples(ends).chunks_exact(width) {
            touches |= !touches && scene.in_collision(state, &check, &mut workspace)?;
        }
        let sampled = begin.elapsed();
        let begin = ThreadTime::now();
        let in_blocks = batch.any_in_collision(&samples(ends))?;
        let blocks = begin.elapsed();
        assert_eq!(touches, in_blocks);
        let is_free = answer.first_contact.is_none() && answer.status == MotionStatus::Converged;
        let is_edge_free = matches!(edge, EdgeProof::Proven(_));
        assert!(!((is_free || is_edge_free) && touches), "proven free, and a state in collision");
        between += usize::from(!is_free && !touches);
        let (number, proven, times) = &mut rows[usize::from(!is_free)];
        *number += 1;
        *proven += u32::from(is_edge_free);
        for (sum, time) in times.iter_mut().zip([proof, edge_proof, sampled, blocks]) {
            *sum += time;
        }
    }
    println!(
        "| motions | number | of these proven by EdgeProver | check_motion, µs | EdgeProver, µs | sampled, µs | in blocks, µs |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|");
    for (name, (number, proven, times)) in ["free", "not proven free"].into_iter().zip(rows) {
        let [proof, edge, sampled, blocks] =
            times.map(|time| 1e6 * time.as_secs_f64() / f64::from(number.max(1)));
        println!(
            "| {name} | {number} | {proven} | {proof:.1} | {edge:.1} | {sampled:.1} | {blocks:.1} |"
        );
    }
    println!("not proven free by the scene, though no sample is in contact: {between}");
    Ok(())
}
