//! The problems that the authors of the paper published with their program: robots, scenes, starts and goals, read from a clone of
//! their repository `ChirikjianLab/cfc_collision_ros`.
//!
//! A line of a scene or a robot is a superquadric: three radii, the exponents of z and of xy, a position, and an axis with an
//! angle. The lines of a robot belong to its links in the order of their names.

use super::{Ends, Experiment};
use crate::command_line::plan::failure::PlanFailure;
use crate::geometry::Shape;
use crate::math::{Pose, Vec3, rotation_from_vector};
use crate::plan::PlanError;
use crate::robot::srdf::Srdf;
use crate::robot::{LoadOptions, MeshPolicy, Sidecar, parse_urdf};
use crate::scene::{PlanningScene, ProposalOptions, Reason, SceneError, propose};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Robots with the files of their starts and goals.
const ROBOTS: [(&str, &str); 4] = [
    ("snake", "snake"),
    ("panda_arm", "panda_arm"),
    ("panda_arm", "panda_arm_real"),
    ("panda_dual_arm", "panda_dual_arm"),
];
const SCENES: [&str; 4] = ["sparse", "cluttered", "narrow", "dense"];
/// The box of the base has no thickness, which no box may have. It is of no use: the base is a link without a surface.
const FLAT_BASE: &str = "0.001 0.00 0.001";
/// Links without a surface have one of a millimetre.
const NO_SURFACE: f64 = 0.0011;

/// A surface and where it is.
struct Placed {
    radii: [f64; 3],
    exponent_z: f64,
    exponent_xy: f64,
    pose: Pose,
}

/// All problems of a clone.
pub(super) fn experiments(
    clone: &Path,
    cancel: &AtomicBool,
) -> Result<Vec<Experiment>, PlanFailure> {
    let mut all = Vec::new();
    for (robot, ends) in ROBOTS {
        let alone = load_robot(clone, robot, cancel)?;
        let file = clone.join(format!("resources/problems/end_points_{ends}.csv"));
        let states = numbers(&file)?;
        let count = alone.model().position_count();
        let [start, goal] = &states[..] else {
            return Err(refused(&file, format!("has {} lines, must have 2", states.len())));
        };
        if let Some(state) = [start, goal].into_iter().find(|state| state.len() != count) {
            let reason = format!("a line has {} numbers, the robot {count}", state.len());
            return Err(refused(&file, reason));
        }
        let [(start, a), (goal, b)] = [start, goal].map(|state| within_limits(&alone, state));
        let moved = if a || b { ", moved into the joint limits" } else { "" };
        for name in SCENES {
            let mut scene = alone.clone();
            let file = clone.join(format!("resources/problems/obstacle_{name}.csv"));
            for (k, placed) in surfaces(&file)?.into_iter().enumerate() {
                let Placed { radii, exponent_xy, exponent_z, pose } = placed;
                let shape = Shape::superellipsoid(radii, exponent_xy, exponent_z);
                let shape = shape.map_err(|error| refused(&file, error.to_string()))?;
                let added = super::worlds::try_add(&mut scene, &format!("object{k}"), pose, shape);
                added.map_err(|error| refused(&file, error.to_string()))?;
            }
            all.push(Experiment {
                name: format!("{ends}, {name}{moved}"),
                scene,
                truth: None,
                ends: Ends::Given([start.clone(), goal.clone()]),
            });
        }
    }
    Ok(all)
}

/// A state moved into the limits of the joints, and whether it was outside.
fn within_limits(scene: &PlanningScene, state: &[f64]) -> (Vec<f64>, bool) {
    let model = scene.model();
    let mut moved = state.to_vec();
    for id in model.joint_ids().filter(|id| model.joint(*id).kind.is_single()) {
        let limits = &model.joint(id).limits;
        let value = &mut moved[model.first_position(id)];
        *value = value.clamp(limits.lower, limits.upper);
    }
    let is_moved = moved != state;
    (moved, is_moved)
}

/// A robot with the authors' superquadrics. Links that touch in nearly all states, or are neighbours, may touch. That others have not
/// touched in any sampled state is no reason not to look at them.
fn load_robot(clone: &Path, name: &str, cancel: &AtomicBool) -> Result<PlanningScene, PlanFailure> {
    let file = clone.join(format!("resources/robots/urdf/{name}.urdf"));
    let failed = |error: &dyn std::error::Error| refused(&file, error.to_string());
    let meshes = MeshPolicy::Skip;
    let options = LoadOptions { meshes, ..LoadOptions::default() };
    let text = std::fs::read_to_string(&file).map_err(|error| failed(&error))?;
    let text = text.replace(FLAT_BASE, "0.001 0.001 0.001");
    let label = file.display().to_string();
    let bare = parse_urdf(&text, &label, &options).map_err(|error| failed(&error))?.model;
    let mut links: Vec<&str> = bare.links().iter().map(|link| link.name.as_str()).collect();
    links.sort_unstable();
    let parts = clone.join(format!("resources/robots/superquadrics/robot_{name}.csv"));
    let placed = surfaces(&parts)?;
    if placed.len() != links.len() {
        let reason = format!("has {} lines, the robot {} links", placed.len(), links.len());
        return Err(refused(&parts, reason));
    }
    let sidecar = links.iter().zip(&placed).map(|(link, placed)| entry(link, placed)).collect();
    let sidecar = Some(Sidecar::Text { label: parts.display().to_string(), text: sidecar });
    let options = LoadOptions { meshes, sidecar, ..LoadOptions::default() };
    let model =
        Arc::new(parse_urdf(&text, &label, &options).map_err(|error| failed(&error))?.model);
    let options = ProposalOptions::default();
    let mut proposal = match propose(&model, &options, |_| {}, cancel) {
        Err(SceneError::Cancelled) => return Err(PlanError::Cancelled.into()),
        proposal => proposal?,
    };
    proposal.pairs.retain(|pair| matches!(pair.reason, Reason::Adjacent | Reason::Always));
    let text = format!(r#"<robot name="{}"/>"#, model.name());
    let mut srdf = Srdf::parse(&text, "experiment").map_err(|error| failed(&error))?;
    proposal.write_into(&model, &mut srdf);
    let (semantics, _) = srdf.resolve(&model).map_err(|error| failed(&error))?;
    Ok(PlanningScene::new(model, Some(semantics))?)
}

/// The entry of a link in a sidecar.
fn entry(link: &str, placed: &Placed) -> String {
    let Placed { radii, exponent_xy, exponent_z, pose } = placed;
    if radii.iter().all(|radius| *radius < NO_SURFACE) {
        return format!("\"{link}\": []\n");
    }
    let (roll, pitch, yaw) = pose.rotation.euler_angles();
    let (at, mut text) = (pose.translation.vector, format!("\"{link}\":\n"));
    writeln!(
        text,
        "  - {{type: superellipsoid, radii: {radii:?}, exponent_xy: {exponent_xy}, exponent_z: {exponent_z}, \
         origin: {{xyz: [{}, {}, {}], rpy: [{roll}, {pitch}, {yaw}]}}}}",
        at.x, at.y, at.z
    )
    .expect("a string takes any text");
    text
}

/// The superquadrics of a file.
fn surfaces(file: &Path) -> Result<Vec<Placed>, PlanFailure> {
    let place = |line: Vec<f64>| {
        let [a, b, c, exponent_z, exponent_xy, x, y, z, axis_x, axis_y, axis_z, angle] = line[..]
        else {
            return Err(refused(file, format!("a line has {} numbers, must have 12", line.len())));
        };
        let axis = Vec3::new(axis_x, axis_y, axis_z);
        // An axis of zero is that of no rotation.
        let axis = axis.try_normalize(0.0).unwrap_or_else(Vec3::zeros);
        let rotation = rotation_from_vector(&(axis * angle));
        let pose = Pose::from_parts(Vec3::new(x, y, z).into(), rotation);
        Ok(Placed { radii: [a, b, c], exponent_z, exponent_xy, pose })
    };
    numbers(file)?.into_iter().map(place).collect()
}

/// The numbers of each line of a file.
fn numbers(file: &Path) -> Result<Vec<Vec<f64>>, PlanFailure> {
    let text = std::fs::read_to_string(file).map_err(|error| refused(file, error.to_string()))?;
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let read = |line: &str| {
        let numbers = line.split(',').map(|number| number.trim().parse::<f64>());
        let numbers = numbers.collect::<Result<Vec<_>, _>>();
        let numbers = numbers.map_err(|error| refused(file, format!("{error} in `{line}`")))?;
        match numbers.iter().all(|number| number.is_finite()) {
            true => Ok(numbers),
            false => Err(refused(file, format!("numbers must be finite: `{line}`"))),
        }
    };
    lines.map(read).collect()
}

fn refused(file: &Path, reason: String) -> PlanFailure {
    PlanFailure::File { path: PathBuf::from(file), reason }
}
