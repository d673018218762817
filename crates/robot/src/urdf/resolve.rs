//! Parts with numbers → a checked robot.

use nalgebra::{Quaternion, UnitQuaternion};

use super::error::UrdfError;
use super::raw::{Notes, RawCollision, RawJoint, RawRobot, RawShape};
use super::surface_tag::{check_full_length, made, surface};
use super::xml::Element;
use super::{LoadOptions, MeshPolicy};
use crate::mesh::MeshLoader;
use crate::{
    JointKind, JointLimits, JointSpec, LinkSpec, LinkSurface, MimicSpec, ModelError, RobotModel,
};
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Pose, Vec3, rotation_from_euler_angles};

/// Everything the steps below share.
pub(super) struct Resolver<'o, 'n> {
    pub(super) options: &'o LoadOptions,
    pub(super) meshes: MeshLoader,
    pub(super) notes: &'n mut Notes,
}

impl Resolver<'_, '_> {
    /// The links with their shapes.
    pub(super) fn links(
        &mut self,
        raw: &RawRobot<'_>,
        standard: &urdf_rs::Robot,
    ) -> Result<Vec<LinkSpec>, UrdfError> {
        let mut links = Vec::with_capacity(raw.links.len());
        for (raw_link, link) in raw.links.iter().zip(&standard.links) {
            let mut collisions = Vec::with_capacity(link.collision.len());
            for (raw_collision, collision) in raw_link.collisions.iter().zip(&link.collision) {
                let pose_in_link = pose(&raw_collision.origin, &collision.origin, raw.version)?;
                let Some(shape) = self.shape(raw_collision, &collision.geometry)? else { continue };
                let name = raw_collision.element.attribute("name").map(Into::into);
                collisions.push(LinkSurface { name, pose_in_link, shape });
            }
            links.push(LinkSpec { name: raw_link.name.into(), collisions });
        }
        Ok(links)
    }

    /// The shape of a collision, or `None` when it is a mesh that the caller can do without.
    fn shape(
        &mut self,
        raw: &RawCollision<'_>,
        geometry: &urdf_rs::Geometry,
    ) -> Result<Option<Shape>, UrdfError> {
        let element = match raw.shape {
            RawShape::Standard(element) => element,
            RawShape::Surface(element) => {
                let shape = surface(&element)?;
                return if self.options.strict_convexity {
                    made(&element, shape.strict()).map(Some)
                } else {
                    Ok(Some(shape))
                };
            }
        };
        let half = |attribute, length: f64| {
            check_full_length(&element, attribute, length).map(|()| 0.5 * length)
        };
        let shape = match geometry {
            urdf_rs::Geometry::Box { size } => {
                let [x, y, z] = size.0;
                Shape::cuboid([half("size", x)?, half("size", y)?, half("size", z)?])
            }
            urdf_rs::Geometry::Sphere { radius } => Shape::sphere(*radius),
            urdf_rs::Geometry::Cylinder { radius, length } => {
                Shape::cylinder(*radius, half("length", *length)?)
            }
            urdf_rs::Geometry::Capsule { radius, length } => {
                Shape::capsule(*radius, half("length", *length)?)
            }
            urdf_rs::Geometry::Mesh { scale, .. } => {
                return self.mesh(&element, scale.map_or([1.0; 3], |scale| scale.0));
            }
        };
        made(&element, shape).map(Some)
    }

    fn mesh(&mut self, element: &Element<'_>, scale: [f64; 3]) -> Result<Option<Shape>, UrdfError> {
        if self.options.meshes == MeshPolicy::Skip {
            self.notes.warn(element, || format!("{} is left out as asked", element.label()));
            return Ok(None);
        }
        if scale.contains(&0.0) {
            return Err(element.bad_attribute("scale", "three numbers other than zero"));
        }
        match self.meshes.hull(element.required("filename")?, scale) {
            Ok(shape) => Ok(Some(shape)),
            Err(error) if self.options.meshes == MeshPolicy::LeaveOutUnusable => {
                self.notes
                    .warn(element, || format!("{} is left out: mesh {error}", element.label()));
                Ok(None)
            }
            Err(source) => {
                let (place, element) = (element.place().into(), element.label());
                Err(UrdfError::Mesh { place, element, source: source.into() })
            }
        }
    }

    /// The joints.
    pub(super) fn joints(
        &mut self,
        raw: &RawRobot<'_>,
        standard: &urdf_rs::Robot,
    ) -> Result<Vec<JointSpec>, UrdfError> {
        let joints = raw.joints.iter().zip(&standard.joints);
        joints.map(|(raw_joint, joint)| self.joint(raw_joint, joint, raw.version)).collect()
    }

    fn joint(
        &mut self,
        raw: &RawJoint<'_>,
        joint: &urdf_rs::Joint,
        version: (u32, u32),
    ) -> Result<JointSpec, UrdfError> {
        let kind = match joint.joint_type {
            urdf_rs::JointType::Revolute => JointKind::Revolute,
            urdf_rs::JointType::Continuous => JointKind::Continuous,
            urdf_rs::JointType::Prismatic => JointKind::Prismatic,
            urdf_rs::JointType::Fixed => JointKind::Fixed,
            urdf_rs::JointType::Floating => JointKind::Floating,
            urdf_rs::JointType::Planar => JointKind::Planar,
            urdf_rs::JointType::Spherical => {
                return Err(raw.element.bad_attribute("type", "a supported type"));
            }
        };
        let mimic = match (&raw.mimic, &joint.mimic) {
            // What does not move follows nothing; files that fix joints of a larger robot leave such remains.
            (Some(element), Some(_)) if kind == JointKind::Fixed => {
                self.notes.warn(element, || {
                    format!("{} is not used: the joint is fixed", element.label())
                });
                None
            }
            (Some(element), Some(mimic)) => Some(MimicSpec {
                joint: element.required("joint")?.into(),
                multiplier: mimic.multiplier.unwrap_or(1.0),
                offset: mimic.offset.unwrap_or(0.0),
            }),
            (None, None) => None,
            (Some(_), None) | (None, Some(_)) => {
                unreachable!("both readers see the same elements")
            }
        };
        Ok(JointSpec {
            name: raw.name.into(),
            kind,
            parent: raw.parent.required("link")?.into(),
            child: raw.child.required("link")?.into(),
            origin: pose(&raw.origin, &joint.origin, version)?,
            axis: Vec3::from(joint.axis.xyz.0),
            limits: self.limits(raw, kind, &joint.limit, version),
            mimic,
        })
    }

    /// Positions are limited for revolute and prismatic joints only; a missing bound is zero before URDF 1.2.
    fn limits(
        &mut self,
        raw: &RawJoint<'_>,
        kind: JointKind,
        limit: &urdf_rs::JointLimit,
        version: (u32, u32),
    ) -> JointLimits {
        let Some(element) = &raw.limit else { return JointLimits::NONE };
        let speeds =
            JointLimits { velocity: limit.velocity, effort: limit.effort, ..JointLimits::NONE };
        if !matches!(kind, JointKind::Revolute | JointKind::Prismatic) {
            return speeds;
        }
        for name in ["lower", "upper"] {
            if version < (1, 2) && element.attribute(name).is_none() {
                self.notes
                    .warn(element, || format!("{} has no {name}, which means 0", element.label()));
            }
        }
        JointLimits { lower: limit.lower, upper: limit.upper, ..speeds }
    }
}

/// The pose of an origin: x y z, then rotations about the fixed x, y and z axes. From URDF 1.1 on a quaternion may stand
/// for the angles; it is taken from the file, because `urdf-rs` turns it into angles that are coarse near a pitch of 90°.
fn pose(
    element: &Option<Element<'_>>,
    origin: &urdf_rs::Pose,
    version: (u32, u32),
) -> Result<Pose, UrdfError> {
    let [roll, pitch, yaw] = origin.rpy.0;
    let mut rotation = rotation_from_euler_angles(roll, pitch, yaw);
    if let Some(element) = element
        && version >= (1, 1)
        && let Some([x, y, z, w]) = element.bounded_numbers::<4>("quat_xyzw", 1e6)?
    {
        if element.attribute("rpy").is_some() {
            return Err(element.error("has both rpy and quat_xyzw, at most one"));
        }
        rotation = UnitQuaternion::try_new(Quaternion::new(w, x, y, z), 1e-9)
            .ok_or_else(|| element.bad_attribute("quat_xyzw", "longer than 1e-9"))?;
    }
    Ok(Pose::from_parts(Vec3::from(origin.xyz.0).into(), rotation))
}

/// Makes the model; what it complains about is looked up in the file.
pub(super) fn model(
    raw: &RawRobot<'_>,
    links: Vec<LinkSpec>,
    joints: Vec<JointSpec>,
) -> Result<RobotModel, UrdfError> {
    RobotModel::new(raw.name.into(), links, joints).map_err(|source| {
        let element = culprit(raw, &source).unwrap_or(raw.root);
        UrdfError::Model { place: element.place().into(), source }
    })
}

/// The element that an error of the model speaks of.
fn culprit<'a>(raw: &RawRobot<'a>, error: &ModelError) -> Option<Element<'a>> {
    let joint = |wanted: &str| {
        raw.joints.iter().rfind(|joint| joint.name == wanted).map(|joint| joint.element)
    };
    // The last one, so that of two with the same name the second is shown.
    let link =
        |wanted: &str| raw.links.iter().rfind(|link| link.name == wanted).map(|link| link.element);
    match error {
        ModelError::DuplicateName { kind: "link", name } => link(name),
        ModelError::DuplicateName { name, .. } => joint(name),
        ModelError::UnknownName { joint: name, .. }
        | ModelError::BadValue { joint: name, .. }
        | ModelError::BadMimic { joint: name, .. }
        | ModelError::TwoParents { second: name, .. } => joint(name),
        ModelError::Cycle { links } => links.first().and_then(|name| link(name)),
        ModelError::Disconnected { roots } => roots.get(1).and_then(|name| link(name)),
        ModelError::NoLinks => None,
    }
}
