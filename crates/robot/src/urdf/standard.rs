//! The numbers of the standard elements: shapes, origins, joints. Each is read once, with its place for messages, and
//! what a file leaves out gets the meaning that the format gives it.

use nalgebra::{Quaternion, UnitQuaternion};

use super::error::UrdfError;
use super::raw::{Notes, RawJoint};
use super::surface_tag::{check_full_length, made};
use super::xml::Element;
use crate::{JointKind, JointLimits, MimicSpec};
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Pose, Vec3, rotation_from_euler_angles};

/// Largest coordinate in metres and largest angle in radians; beyond it an angle has no digits after the point left.
const MAX_COORDINATE: f64 = 1e6;

/// Version of the format as (major, minor).
pub(super) type Version = (u32, u32);

/// A shape of the format.
pub(super) enum StandardShape<'a> {
    /// A box, cylinder, sphere or capsule.
    Primitive(Shape),
    /// A mesh by the name of its file, and its scale.
    Mesh(&'a str, [f64; 3]),
}

/// Reads one of the standard shapes.
pub(super) fn shape<'a>(element: &Element<'a>) -> Result<StandardShape<'a>, UrdfError> {
    let number = |name| element.required_numbers::<1>(name).map(|[number]| number);
    let half = |name, length: f64| check_full_length(element, name, length).map(|()| 0.5 * length);
    let shape = match element.name() {
        "box" => {
            let [x, y, z] = element.required_numbers::<3>("size")?;
            Shape::cuboid([half("size", x)?, half("size", y)?, half("size", z)?])
        }
        "sphere" => Shape::sphere(number("radius")?),
        "cylinder" => Shape::cylinder(number("radius")?, half("length", number("length")?)?),
        "capsule" => Shape::capsule(number("radius")?, half("length", number("length")?)?),
        "mesh" => {
            let file = element.required("filename")?;
            let scale = element.bounded_numbers::<3>("scale", MAX_COORDINATE)?;
            return Ok(StandardShape::Mesh(file, scale.unwrap_or([1.0; 3])));
        }
        other => unreachable!("<{other}> is not one of the standard shapes"),
    };
    made(element, shape).map(StandardShape::Primitive)
}

/// The pose of an origin: x y z, then rotations about the fixed x, y and z axes; each zero when left out. From URDF 1.1
/// on a quaternion may stand for the angles.
pub(super) fn pose(origin: &Option<Element<'_>>, version: Version) -> Result<Pose, UrdfError> {
    let Some(element) = origin else { return Ok(Pose::identity()) };
    let xyz = element.bounded_numbers::<3>("xyz", MAX_COORDINATE)?.unwrap_or([0.0; 3]);
    let rpy = element.bounded_numbers::<3>("rpy", MAX_COORDINATE)?;
    let quaternion = if version >= (1, 1) {
        element.bounded_numbers::<4>("quat_xyzw", MAX_COORDINATE)?
    } else {
        None
    };
    let rotation = match (rpy, quaternion) {
        (Some(_), Some(_)) => return Err(element.error("has both rpy and quat_xyzw, at most one")),
        (None, Some([x, y, z, w])) => UnitQuaternion::try_new(Quaternion::new(w, x, y, z), 1e-9)
            .ok_or_else(|| element.bad_attribute("quat_xyzw", "longer than 1e-9"))?,
        (Some([roll, pitch, yaw]), None) => rotation_from_euler_angles(roll, pitch, yaw),
        (None, None) => UnitQuaternion::identity(),
    };
    Ok(Pose::from_parts(Vec3::from(xyz).into(), rotation))
}

/// How a joint moves.
pub(super) fn kind(joint: &RawJoint<'_>) -> Result<JointKind, UrdfError> {
    const KINDS: [JointKind; 6] = [
        JointKind::Revolute,
        JointKind::Continuous,
        JointKind::Prismatic,
        JointKind::Fixed,
        JointKind::Floating,
        JointKind::Planar,
    ];
    let name = joint.element.required("type")?;
    KINDS.into_iter().find(|kind| kind.name() == name).ok_or_else(|| {
        let names = KINDS.map(JointKind::name).join(", ");
        joint.element.bad_attribute("type", format!("one of: {names}"))
    })
}

/// The axis of a joint; x when left out.
pub(super) fn axis(joint: &RawJoint<'_>) -> Result<Vec3, UrdfError> {
    match joint.axis {
        Some(axis) => axis.required_numbers::<3>("xyz").map(Vec3::from),
        None => Ok(Vec3::x()),
    }
}

/// Which joint a joint follows.
pub(super) fn mimic(
    joint: &RawJoint<'_>,
    kind: JointKind,
    notes: &mut Notes,
) -> Result<Option<MimicSpec>, UrdfError> {
    let Some(element) = &joint.mimic else { return Ok(None) };
    let number = |name, default| {
        let number = element.bounded_numbers::<1>(name, MAX_COORDINATE)?;
        Ok::<f64, UrdfError>(number.map_or(default, |[number]| number))
    };
    let mimic = MimicSpec {
        joint: element.required("joint")?.into(),
        multiplier: number("multiplier", 1.0)?,
        offset: number("offset", 0.0)?,
    };
    // What does not move follows nothing; files that fix joints of a larger robot leave such remains.
    if kind == JointKind::Fixed {
        notes.warn(element, || format!("{} is not used: the joint is fixed", element.label()));
        return Ok(None);
    }
    Ok(Some(mimic))
}

/// The limits of a joint. Positions are limited for revolute and prismatic joints only; a missing bound of theirs means
/// zero before URDF 1.2, and none from then on. A missing effort or velocity is not limited.
pub(super) fn limits(
    joint: &RawJoint<'_>,
    kind: JointKind,
    version: Version,
    notes: &mut Notes,
) -> Result<JointLimits, UrdfError> {
    let is_limited = matches!(kind, JointKind::Revolute | JointKind::Prismatic);
    let is_old = version < (1, 2);
    let Some(element) = &joint.limit else {
        if is_old && is_limited {
            let reason = format!("<limit> is missing, a {} joint needs it", kind.name());
            return Err(joint.element.error(reason));
        }
        return Ok(JointLimits::NONE);
    };
    let number = |name| Ok::<_, UrdfError>(element.numbers::<1>(name)?.map(|[number]| number));
    let (lower, upper) = (number("lower")?, number("upper")?);
    let speeds = JointLimits {
        effort: number("effort")?.unwrap_or(f64::INFINITY),
        velocity: number("velocity")?.unwrap_or(f64::INFINITY),
        ..JointLimits::NONE
    };
    if !is_limited {
        return Ok(speeds);
    }
    let mut bound = |name, given: Option<f64>, without: f64| match given {
        Some(number) => number,
        None if is_old => {
            notes.warn(element, || format!("{} has no {name}, which means 0", element.label()));
            0.0
        }
        None => without,
    };
    Ok(JointLimits {
        lower: bound("lower", lower, f64::NEG_INFINITY),
        upper: bound("upper", upper, f64::INFINITY),
        ..speeds
    })
}
