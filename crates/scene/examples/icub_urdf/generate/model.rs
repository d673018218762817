//! The robot straight from the tables, without the way through a URDF: to sample it, and to check the reader of URDFs.

use std::error::Error;

use nalgebra::UnitQuaternion;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_robot::{
    JointKind, JointLimits, JointSpec, LinkSpec, LinkSurface, MimicSpec, RobotModel,
};

use super::source::{JointRow, Source};
use super::{Fingers, Variant, fallback};

pub fn robot_model(source: &Source, variant: Variant) -> Result<RobotModel, Box<dyn Error>> {
    let (root, rows) = source.robot(variant.carrier);
    let mut links = vec![LinkSpec { name: root.into(), collisions: Vec::new() }];
    for row in &rows {
        let mut collisions = Vec::new();
        if let Some(surface) = source.surface(&row.child, variant.representation) {
            collisions.push(LinkSurface {
                name: Some(format!("{}_surface", row.child)),
                pose_in_link: pose(&surface.xyz, &surface.rpy),
                shape: fallback::shape(surface)?,
            });
        }
        links.push(LinkSpec { name: row.child.clone(), collisions });
    }
    let joints = rows.iter().map(|row| joint(source, row, variant.fingers)).collect();
    Ok(RobotModel::new(variant.carrier.stem().into(), links, joints)?)
}

fn joint(source: &Source, row: &JointRow, fingers: Fingers) -> JointSpec {
    let mimic = source.leader(row, fingers);
    let limits = match (row.lower, row.upper) {
        (Some(lower), Some(upper)) => JointLimits {
            lower,
            upper,
            velocity: source.joints.velocity,
            effort: source.joints.effort,
        },
        _ => JointLimits::NONE,
    };
    JointSpec {
        name: row.joint.clone(),
        kind: match row.kind.as_str() {
            "revolute" => JointKind::Revolute,
            "prismatic" => JointKind::Prismatic,
            _ => JointKind::Fixed,
        },
        parent: row.parent.clone(),
        child: row.child.clone(),
        origin: pose(&row.xyz, &row.rpy),
        axis: row.axis.map_or(Vec3::x(), Vec3::from),
        limits,
        mimic: mimic.map(|joint| MimicSpec { joint, multiplier: 1.0, offset: 0.0 }),
    }
}

/// URDF's convention: Rz(yaw) · Ry(pitch) · Rx(roll).
fn pose(xyz: &[f64; 3], rpy: &[f64; 3]) -> Pose {
    let rotation = UnitQuaternion::from_euler_angles(rpy[0], rpy[1], rpy[2]);
    Pose::from_parts(Vec3::from(*xyz).into(), rotation)
}
