//! Poses, points and directions.

use nalgebra::{Quaternion as CoreQuaternion, UnitQuaternion};

use crate::convert::Refusal;
use crate::interfaces::geometry_msgs::msg::{
    Point, Pose, Quaternion, Transform, TransformStamped, Vector3,
};
use crate::math::{Pose as CorePose, Vec3};
use crate::robot::QUATERNION_TOLERANCE;

/// A rotation. Zeros, what a message holds when nobody set it, stand for none; anything else must be a unit quaternion
/// but for rounding. `what` names it in the refusal.
pub fn rotation(
    message: &Quaternion,
    what: &dyn Fn() -> String,
) -> Result<UnitQuaternion<f64>, Refusal> {
    let quaternion = CoreQuaternion::new(message.w, message.x, message.y, message.z);
    if quaternion.coords.iter().all(|&number| number == 0.0) {
        return Ok(UnitQuaternion::identity());
    }
    let norm = quaternion.norm();
    // False for NaN, too.
    let unit = (norm - 1.0).abs() <= QUATERNION_TOLERANCE;
    if !unit {
        let reason = format!("{} is a quaternion of norm {norm}, must be 1 ± 0.001", what());
        return Err(Refusal::bad_request(reason));
    }
    // What is unit to the last bit stays as it is.
    Ok(if (norm - 1.0).abs() <= 2.0 * f64::EPSILON {
        UnitQuaternion::new_unchecked(quaternion)
    } else {
        UnitQuaternion::from_quaternion(quaternion)
    })
}

/// A pose; `what` names it in the refusal.
pub fn pose(message: &Pose, what: &dyn Fn() -> String) -> Result<CorePose, Refusal> {
    let at = point(&message.position, &|| format!("position of {}", what()))?;
    let turn = rotation(&message.orientation, &|| format!("orientation of {}", what()))?;
    Ok(CorePose::from_parts(at.into(), turn))
}

/// A point; `what` names it in the refusal.
pub fn point(message: &Point, what: &dyn Fn() -> String) -> Result<Vec3, Refusal> {
    let point = Vec3::new(message.x, message.y, message.z);
    if point.iter().all(|number| number.is_finite()) {
        return Ok(point);
    }
    let reason = format!("{} is [{}, {}, {}], must be finite", what(), point.x, point.y, point.z);
    Err(Refusal::bad_request(reason))
}

/// The pose a transform stands for; `what` names it in the refusal.
pub fn transform(message: &Transform, what: &dyn Fn() -> String) -> Result<CorePose, Refusal> {
    let Vector3 { x, y, z } = message.translation;
    let position = Point { x, y, z };
    pose(&Pose { position, orientation: message.rotation.clone() }, what)
}

/// A pose as a message.
pub fn pose_message(pose: &CorePose) -> Pose {
    let turn = &pose.rotation;
    Pose {
        position: point_message(&pose.translation.vector),
        orientation: Quaternion { x: turn.i, y: turn.j, z: turn.k, w: turn.w },
    }
}

/// A pose as a stamped transform, without time.
pub fn transform_message(frame: &str, child: &str, pose: &CorePose) -> TransformStamped {
    let Pose { orientation, .. } = pose_message(pose);
    let translation = vector_message(&pose.translation.vector);
    TransformStamped {
        header: super::header(frame),
        child_frame_id: child.to_string(),
        transform: Transform { translation, rotation: orientation },
    }
}

/// A point as a message.
pub fn point_message(point: &Vec3) -> Point {
    Point { x: point.x, y: point.y, z: point.z }
}

/// A direction as a message.
pub fn vector_message(vector: &Vec3) -> Vector3 {
    Vector3 { x: vector.x, y: vector.y, z: vector.z }
}
