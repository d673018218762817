//! The questions of benches/speed.py, asked from Rust: the same robot, table and states.
//!
//! `throughput URDF PACKAGES STATES X Y Z AT_X AT_Y AT_Z` reads states as raw doubles, answers `ready N`, and then every line
//! `QUESTION one|all` with the seconds that the question took for all states, on one thread or all cores, and the sum of the answers.

use std::error::Error;
use std::io::BufRead;
use std::sync::Arc;
use std::time::Instant;

use rayon::prelude::*;
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::Pose;
use smooth_scene_robot::{LoadOptions, load_urdf};
use smooth_scene_scene::{
    Allowance, BatchChecker, MatrixChange, NearestRequest, PlanningScene, Reason, SceneError,
    SceneObject, Workspace, WorldChange,
};

fn main() -> Result<(), Box<dyn Error>> {
    // Cargo adds `--bench`.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let [urdf, packages, file, table @ ..] = arguments.as_slice() else {
        return Err("see the first lines of benches/throughput.rs".into());
    };
    let table: Vec<f64> = table.iter().map(|number| number.parse()).collect::<Result<_, _>>()?;
    let [x, y, z, at_x, at_y, at_z] = table[..] else { return Err("six numbers".into()) };
    let options = LoadOptions { package_paths: vec![packages.into()], ..LoadOptions::default() };
    let model = Arc::new(load_urdf(urdf, &options)?.model);
    let mut scene = PlanningScene::new(model.clone(), None)?;
    let shape = Shape::cuboid([0.5 * x, 0.5 * y, 0.5 * z])?;
    let parts = vec![(Pose::identity(), shape)];
    let at = Pose::translation(at_x, at_y, at_z);
    scene.apply(WorldChange::Add(SceneObject::new("table", at, parts)?))?;
    let root = model.link(model.root()).name.clone();
    let entry = Some(Allowance { allowed: true, reason: Reason::User });
    scene.apply(MatrixChange::SetEntry { a: "table".into(), b: root, entry })?;
    let bytes = std::fs::read(file)?;
    let numbers = bytes.chunks_exact(8).map(|b| f64::from_le_bytes(b.try_into().expect("eight")));
    let numbers: Vec<f64> = numbers.collect();
    let states: Vec<&[f64]> = numbers.chunks_exact(model.position_count()).collect();
    let checker = BatchChecker::new(&scene);
    println!("ready {}", states.len());
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let begin = Instant::now();
        let total = ask(&scene, &checker, &states, &line)?;
        println!("{} {total}", begin.elapsed().as_secs_f64());
    }
    Ok(())
}

fn ask(
    scene: &PlanningScene,
    checker: &BatchChecker,
    states: &[&[f64]],
    question: &str,
) -> Result<f64, Box<dyn Error>> {
    let mut total = 0.0;
    let nearest = NearestRequest { max_results: 1, ..NearestRequest::default() };
    let mut ws = Workspace::cold();
    match question {
        "is_free one" => {
            let hits = checker.another().in_collision(&states.concat())?;
            total = hits.iter().filter(|hit| !**hit).count() as f64;
        }
        "is_free all" => {
            let hits: Result<Vec<Vec<bool>>, SceneError> = states
                .par_chunks(64)
                .map_init(|| checker.another(), |own, piece| own.in_collision(&piece.concat()))
                .collect();
            total = hits?.iter().flatten().filter(|hit| !**hit).count() as f64;
        }
        "clearance one" => {
            let mut found = Vec::new();
            for state in states {
                scene.nearest(state, &nearest, &mut ws, &mut found)?;
                total += found[0].distance.lower;
            }
        }
        "clearance all" => {
            let all = scene.states_nearest(states, &nearest)?;
            total = all.iter().map(|found| found[0].distance.lower).sum();
        }
        "gradient one" => {
            let (mut found, mut gradient) = (Vec::new(), Vec::new());
            for state in states {
                scene.nearest(state, &nearest, &mut ws, &mut found)?;
                scene.gradient(&ws, &found[0], &mut gradient);
                total += gradient.iter().sum::<f64>();
            }
        }
        "gradient all" => {
            use rayon::prelude::*;
            let each = states.par_iter().with_min_len(16).map_init(Workspace::cold, |ws, state| {
                let (mut found, mut gradient) = (Vec::new(), Vec::new());
                scene.nearest(state, &nearest, ws, &mut found)?;
                scene.gradient(ws, &found[0], &mut gradient);
                Ok(gradient.iter().sum::<f64>())
            });
            total = each.collect::<Result<Vec<f64>, SceneError>>()?.iter().sum();
        }
        other => return Err(format!("`{other}` is no question").into()),
    }
    Ok(total)
}
