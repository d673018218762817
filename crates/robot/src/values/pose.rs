//! Poses: `xyz` in metres, and `quat` (x y z w) or `rpy` in radians.

use super::fields::Fields;
use super::refusal::Refusal;
use super::value::Value;
use nalgebra::{Quaternion, UnitQuaternion};
use smooth_scene_geometry::LENGTH_RANGE;
use smooth_scene_geometry::math::{Pose, Vec3, rotation_from_euler_angles};

/// Largest angle: beyond it most of its digits are turns.
const MAX_ANGLE: f64 = 1e6;

/// Quaternions whose squared length differs from 1 by no more are kept as they are, so that a rotation that was written
/// reads back as the same bits. Four roundings of a unit quaternion, and four of its square.
const UNIT_TOLERANCE: f64 = 8.0 * f64::EPSILON;

/// The pose at `path`. As in a URDF `<origin>`, position and rotation may each be left out. A rotation is `quat`, x y z w
/// of any length but zero, or `rpy`, roll, pitch and yaw about the fixed axes.
pub fn read_pose(path: &str, value: &Value) -> Result<Pose, Refusal> {
    let fields = Fields::of(path, value, &["xyz", "quat", "rpy"])?;
    let xyz = match fields.optional("xyz") {
        Some(xyz) => read_position(&fields.path("xyz"), xyz.numbers(&fields.path("xyz"))?)?,
        None => Vec3::zeros(),
    };
    let rotation = match (fields.optional("quat"), fields.optional("rpy")) {
        (Some(_), Some(_)) => {
            return Err(Refusal::new(path, "has both quat and rpy, must have at most one"));
        }
        (Some(quat), None) => {
            read_rotation(&fields.path("quat"), quat.numbers(&fields.path("quat"))?)?
        }
        (None, Some(rpy)) => {
            let range = format!("[-{MAX_ANGLE:e}, {MAX_ANGLE:e}] rad");
            let rpy = within(MAX_ANGLE, &range, &fields.path("rpy"), rpy)?;
            rotation_from_euler_angles(rpy[0], rpy[1], rpy[2])
        }
        (None, None) => UnitQuaternion::identity(),
    };
    Ok(Pose::from_parts(xyz.into(), rotation))
}

fn within(limit: f64, range: &str, path: &str, value: &Value) -> Result<[f64; 3], Refusal> {
    let numbers = value.numbers(path)?;
    check_range(limit, range, path, numbers)?;
    Ok(numbers)
}

fn check_range(limit: f64, range: &str, path: &str, numbers: [f64; 3]) -> Result<(), Refusal> {
    match numbers.iter().position(|number| !(-limit..=limit).contains(number)) {
        None => Ok(()),
        Some(index) => {
            let reason = format!("is {}, must be in {range}", numbers[index]);
            Err(Refusal::new(&format!("{path}[{index}]"), reason))
        }
    }
}

/// A position no farther from the origin than the largest shape is large: beyond it, distances of everyday bodies drown
/// in rounding.
pub fn read_position(path: &str, xyz: [f64; 3]) -> Result<Vec3, Refusal> {
    let limit = *LENGTH_RANGE.end();
    check_range(limit, &format!("[-{limit:e}, {limit:e}] m"), path, xyz)?;
    Ok(xyz.into())
}

/// The rotation of a quaternion x y z w of any length but zero.
pub fn read_rotation(path: &str, xyzw: [f64; 4]) -> Result<UnitQuaternion<f64>, Refusal> {
    let largest = xyzw.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
    if !(largest > 0.0 && xyzw.iter().all(|value| value.is_finite())) {
        let [x, y, z, w] = xyzw;
        let reason = format!("is [{x}, {y}, {z}, {w}], must be finite and not zero");
        return Err(Refusal::new(path, reason));
    }
    let quaternion = Quaternion::new(xyzw[3], xyzw[0], xyzw[1], xyzw[2]);
    if (quaternion.norm_squared() - 1.0).abs() <= UNIT_TOLERANCE {
        return Ok(UnitQuaternion::new_unchecked(quaternion));
    }
    // Dividing by the largest component first keeps the squares away from under- and overflow.
    let [x, y, z, w] = xyzw.map(|value| value / largest);
    Ok(UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z)))
}
