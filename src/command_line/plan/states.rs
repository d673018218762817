//! States on the command line of `plan`.

use super::super::check::joint_values::{StateFailure, apply_joints, apply_states};
use super::failure::PlanFailure;
use crate::math::{Pose, Vec3};
use crate::plan::JointSpace;
use crate::robot::RobotState;
use crate::scene::PlanningScene;
use nalgebra::{Quaternion, UnitQuaternion};
use std::path::Path;

/// Puts a state as it is given with `option` on top of another one.
pub(crate) fn apply(
    option: &'static str,
    text: &str,
    scene: &PlanningScene,
    group: Option<&str>,
    state: &mut RobotState,
) -> Result<(), PlanFailure> {
    let numbers = text.split(',').map(|part| part.trim().parse::<f64>());
    if numbers.clone().all(|number| number.is_ok()) {
        let space = JointSpace::new(scene, group, state.positions())?;
        let numbers: Vec<f64> = numbers.flatten().collect();
        if numbers.len() != space.dimension() {
            let names = space.names().collect::<Vec<_>>().join(", ");
            let (given, expected) = (numbers.len(), space.dimension());
            return Err(PlanFailure::NumberCount { option, given, expected, names });
        }
        let refused = |source| StateFailure::Refused { origin: option.to_owned(), source };
        return Ok(state.set_positions(&space.positions(&numbers)).map_err(refused)?);
    }
    let is_named = scene
        .semantics()
        .states
        .iter()
        .any(|named| named.name == text || format!("{}/{}", named.group, named.name) == text);
    // A name of the SRDF comes before a file of that name; what is neither is refused as the name of a state where
    // there are such names.
    let looks_like_a_name =
        !text.contains('=') && !Path::new(text).exists() && !scene.semantics().states.is_empty();
    if is_named || looks_like_a_name {
        return Ok(apply_states(option, state, scene.semantics(), &[text.to_owned()])?);
    }
    Ok(apply_joints(option, state, &[text.to_owned()])?)
}

/// A link and its pose, as `--to-pose` gives them.
pub(crate) fn link_pose(text: &str) -> Result<(String, Pose), PlanFailure> {
    let bad = |reason| PlanFailure::Pose { text: text.to_owned(), reason };
    // A name may hold a colon, numbers do not.
    let (link, numbers) =
        text.rsplit_once(':').ok_or_else(|| bad("with a colon after the link"))?;
    let numbers = numbers.split(',').map(|number| number.trim().parse::<f64>());
    let numbers: Vec<f64> = numbers.collect::<Result<_, _>>().map_err(|_| bad("with numbers"))?;
    let [x, y, z, qx, qy, qz, qw] = numbers[..] else {
        return Err(bad("with seven numbers"));
    };
    let rotation = Quaternion::new(qw, qx, qy, qz);
    let is_unit = (rotation.norm() - 1.0).abs() <= crate::robot::QUATERNION_TOLERANCE;
    if !is_unit || ![x, y, z].iter().all(|number| number.is_finite()) {
        return Err(bad("with finite numbers and a unit quaternion"));
    }
    let rotation = UnitQuaternion::from_quaternion(rotation);
    Ok((link.to_owned(), Pose::from_parts(Vec3::new(x, y, z).into(), rotation)))
}
