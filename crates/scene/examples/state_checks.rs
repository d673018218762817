//! How fast are states checked, one at a time and in blocks, and do both give the same answers?
//!
//! `cargo run --release -p smooth_scene_scene --example state_checks -- [COUNT [URDF SRDF [WORLD]]]`
//!
//! COUNT random states (100 000) of the robot, or without one of two hands of 44 smooth surfaces.

use std::error::Error;
use std::time::Instant;

use smooth_scene_robot::StateSampler;
use smooth_scene_scene::{BatchChecker, CheckRequest, Workspace};
use smooth_scene_test_support::hands;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let count: usize = arguments.first().map_or(Ok(100_000), |count| count.parse())?;
    let scene = hands::or_scene_of(arguments.get(1..).unwrap_or_default())?;
    let mut sampler = StateSampler::new(scene.model(), 1);
    let states: Vec<f64> = (0..count).flat_map(|_| sampler.draw()).collect();
    let width = scene.model().position_count();

    let begin = Instant::now();
    let mut batch = BatchChecker::new(&scene);
    let prepared = begin.elapsed();
    let begin = Instant::now();
    let blocks = batch.in_collision(&states)?;
    let in_blocks = begin.elapsed();
    let statistics = batch.statistics();

    let begin = Instant::now();
    let mut alone = Vec::new();
    for state in states.chunks_exact(width) {
        alone.push(batch.any_in_collision(state)?);
    }
    let one_by_one = begin.elapsed();

    let (request, mut workspace) = (CheckRequest::default(), Workspace::cold());
    let begin = Instant::now();
    let mut exact = Vec::new();
    for state in states.chunks_exact(width) {
        exact.push(scene.in_collision(state, &request, &mut workspace)?);
    }
    let exactly = begin.elapsed();

    let micros = |time: std::time::Duration| 1e6 * time.as_secs_f64() / count as f64;
    let different = exact.iter().zip(&blocks).zip(&alone).filter(|((e, b), a)| e != b || e != a);
    let colliding = exact.iter().filter(|&&colliding| colliding).count();
    println!("{count} states, {colliding} in collision; prepared in {prepared:.1?}");
    println!("exact question         {:8.3} µs a state", micros(exactly));
    println!("balls, one at a time   {:8.3} µs a state", micros(one_by_one));
    println!("balls, in blocks of 8  {:8.3} µs a state", micros(in_blocks));
    println!("states with an exact query {} of {}", statistics.exact, statistics.states);
    println!("different answers      {}", different.count());
    Ok(())
}
