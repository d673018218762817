//! `smooth_scene cloth`: a cloth falls over the objects of a world, a robot or a terrain.

pub(crate) mod args;
mod failure;
mod frames;

use super::interrupt;
use super::load_robot::{Robot, load_with_srdf};
use super::print::print;
use super::program::{INTERRUPTED, Program, USAGE_OR_FILE_ERROR};
use super::progress::Progress;
use crate::command_line::robot_args::{Meshes, ReadingArguments};
use crate::dynamics::{Cloth, ClothBody, ClothOptions, ClothSheet, cloth_bodies, cloth_terrain};
use crate::geometry::Shape;
use crate::geometry::math::Pose;
use crate::query::{QueryOptions, point_distance};
use crate::robot::{LoadOptions, RobotState, parse_urdf};
use crate::scene::{PlanningScene, WorldFile};
use args::ClothArguments;
use failure::ClothFailure;
use frames::Frames;
use serde_json::{Value, json};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The robot of a world without one.
const NO_ROBOT: &str = r#"<robot name="none"><link name="world"/></robot>"#;
/// How far above the highest body a cloth begins, m.
const ABOVE: f64 = 0.01;

/// Simulates, prints, and says how it ended.
pub(crate) fn run(program: Program, arguments: &ClothArguments) -> ExitCode {
    match simulate(program, arguments) {
        Ok(code) => code,
        Err(failure) => program.failed(&failure, USAGE_OR_FILE_ERROR),
    }
}

fn bodies(program: Program, arguments: &ClothArguments) -> Result<Vec<ClothBody>, ClothFailure> {
    let model = match &arguments.urdf {
        Some(path) => {
            let reading = ReadingArguments {
                package_paths: Vec::new(),
                sidecar: None,
                strict: false,
                meshes: Meshes::Require,
            };
            let Robot { model, notes, .. } = load_with_srdf(path, &reading, None)?;
            notes.iter().for_each(|note| program.note(note));
            model
        }
        None => Arc::new(parse_urdf(NO_ROBOT, "no robot", &LoadOptions::default())?.model),
    };
    let mut scene = PlanningScene::new(model.clone(), None)?;
    if let Some(path) = &arguments.world {
        let world = WorldFile::load(path)?;
        world.notes().iter().for_each(|note| program.note(note));
        world.add_to(&mut scene)?;
    }
    let mut bodies = cloth_bodies(&scene, RobotState::new(model).positions())?;
    if let Some(side) = arguments.terrain {
        bodies.extend(cloth_terrain(side as usize, 0.9 * arguments.size)?);
    }
    Ok(bodies)
}

/// The highest point of all bodies that have one, and the ground if none has.
fn top(bodies: &[ClothBody]) -> f64 {
    let bounded = bodies.iter().filter(|body| !matches!(body.shape, Shape::HalfSpace(_)));
    let highest =
        bounded.map(|body| body.shape.aabb(&body.pose).max.z).fold(f64::NEG_INFINITY, f64::max);
    if highest.is_finite() { highest } else { 0.0 }
}

fn simulate(program: Program, arguments: &ClothArguments) -> Result<ExitCode, ClothFailure> {
    let bodies = bodies(program, arguments)?;
    let options = ClothOptions {
        mass: arguments.mass,
        friction: arguments.friction,
        thickness: arguments.thickness,
        substeps: arguments.substeps,
        ..ClothOptions::default()
    };
    let height = arguments.height.unwrap_or_else(|| top(&bodies) + options.thickness + ABOVE);
    let (rows, size) = (arguments.vertices, [arguments.size; 2]);
    let pose = Pose::translation(0.0, 0.0, height);
    let mut cloth = Cloth::new(ClothSheet { rows, columns: rows, size, pose }, options, &bodies)?;
    for &[row, column] in &arguments.pins {
        cloth.pin(row, column)?;
    }
    let mut recorded = match &arguments.record {
        Some(folder) => Some(Frames::create(folder, &bodies)?),
        None => None,
    };
    let interrupted = interrupt::watch().map_err(ClothFailure::Signals)?;
    let frames = (arguments.seconds * arguments.rate).ceil() as u64;
    let mut progress = Progress::new(Some(frames));
    let (mut done, mut held_back) = (0, 0);
    while done < frames && !interrupted.load(Ordering::Relaxed) {
        progress.update(done, format_args!("{:.2} s", done as f64 / arguments.rate));
        if let Some(recorded) = &mut recorded {
            recorded.add(&cloth)?;
        }
        cloth.step(1.0 / arguments.rate)?;
        held_back += cloth.held_back();
        done += 1;
    }
    if let Some(recorded) = &mut recorded {
        recorded.add(&cloth)?;
    }
    drop(progress);
    let seconds = done as f64 / arguments.rate;
    let report = report(&cloth, &bodies, seconds, held_back);
    let text = if arguments.json { format!("{report}\n") } else { words(&report) };
    print(&text).map_err(ClothFailure::Output)?;
    if done < frames {
        program.note(format_args!("interrupted at {seconds} s"));
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(ExitCode::SUCCESS)
}

/// The least distance of a vertex from a surface, by the distance query; none without bodies.
fn clearance(cloth: &Cloth, bodies: &[ClothBody]) -> Option<f64> {
    let options = QueryOptions::default();
    let of = |body: &ClothBody| {
        let distances = cloth
            .positions()
            .map(|point| point_distance(&body.shape, &body.pose, &point, &options).lower);
        distances.fold(f64::INFINITY, f64::min)
    };
    bodies.iter().map(of).reduce(f64::min)
}

fn report(cloth: &Cloth, bodies: &[ClothBody], seconds: f64, held_back: usize) -> Value {
    let energy = cloth.energy();
    let heights = || cloth.positions().map(|point| point.z);
    let positions: Vec<[f64; 3]> = cloth.positions().map(Into::into).collect();
    json!({
        "seconds": seconds,
        "vertices": positions.len(),
        "bodies": bodies.len(),
        "energy": {"kinetic": energy.kinetic, "potential": energy.potential},
        "strain": cloth.largest_strain(),
        "lowest": heights().fold(f64::INFINITY, f64::min),
        "highest": heights().fold(f64::NEG_INFINITY, f64::max),
        "clearance": clearance(cloth, bodies),
        "held_back": held_back,
        "positions": positions,
    })
}

/// The same for people.
fn words(report: &Value) -> String {
    let number = |name: &str| report[name].as_f64().map_or("-".to_owned(), |x| format!("{x:.6}"));
    format!(
        "{} vertices over {} surfaces, {} s\n\
         z from {} to {} m, least distance from a surface {} m\n\
         largest change of an edge {}, kinetic energy {:.3e} J\n",
        report["vertices"],
        report["bodies"],
        report["seconds"],
        number("lowest"),
        number("highest"),
        number("clearance"),
        number("strain"),
        report["energy"]["kinetic"].as_f64().unwrap_or(f64::NAN),
    )
}
