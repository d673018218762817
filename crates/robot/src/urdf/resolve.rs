//! Parts → a checked robot: shapes, meshes and joints, and the tree they make.

use super::error::UrdfError;
use super::raw::{Notes, RawCollision, RawJoint, RawRobot, RawShape};
use super::standard::{self, StandardShape};
use super::surface_tag::{made, surface};
use super::xml::Element;
use super::{LoadOptions, MeshPolicy};
use crate::mesh::MeshLoader;
use crate::{JointSpec, LinkSpec, LinkSurface, ModelError, RobotModel};
use smooth_scene_geometry::Shape;

/// What reading shapes needs.
pub(super) struct Resolver<'o, 'n> {
    pub(super) options: &'o LoadOptions,
    pub(super) meshes: MeshLoader,
    pub(super) notes: &'n mut Notes,
}

impl Resolver<'_, '_> {
    /// The links with their shapes.
    pub(super) fn links(&mut self, raw: &RawRobot<'_>) -> Result<Vec<LinkSpec>, UrdfError> {
        let mut links = Vec::with_capacity(raw.links.len());
        for link in &raw.links {
            let mut collisions = Vec::with_capacity(link.collisions.len());
            for collision in &link.collisions {
                let pose_in_link = standard::pose(&collision.origin, raw.version)?;
                let Some(shape) = self.shape(collision)? else { continue };
                let name = collision.element.attribute("name").map(Into::into);
                collisions.push(LinkSurface { name, pose_in_link, shape });
            }
            links.push(LinkSpec { name: link.name.into(), collisions });
        }
        Ok(links)
    }

    /// The shape of a collision, or `None` when it is a mesh that the caller can do without.
    fn shape(&mut self, raw: &RawCollision<'_>) -> Result<Option<Shape>, UrdfError> {
        match raw.shape {
            RawShape::Surface(element) => {
                let shape = surface(&element)?;
                if self.options.strict_convexity {
                    made(&element, shape.strict()).map(Some)
                } else {
                    Ok(Some(shape))
                }
            }
            RawShape::Standard(element) => match standard::shape(&element)? {
                StandardShape::Primitive(shape) => Ok(Some(shape)),
                StandardShape::Mesh(file, scale) => self.mesh(&element, file, scale),
            },
        }
    }

    fn mesh(
        &mut self,
        element: &Element<'_>,
        file: &str,
        scale: [f64; 3],
    ) -> Result<Option<Shape>, UrdfError> {
        if self.options.meshes == MeshPolicy::Skip {
            self.notes.warn(element, || format!("{} is left out as asked", element.label()));
            return Ok(None);
        }
        if scale.contains(&0.0) {
            return Err(element.bad_attribute("scale", "three numbers other than zero"));
        }
        match self.meshes.hull(file, scale) {
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
}

/// The joints.
pub(super) fn joints(raw: &RawRobot<'_>, notes: &mut Notes) -> Result<Vec<JointSpec>, UrdfError> {
    let joint = |joint: &RawJoint<'_>| {
        let kind = standard::kind(joint)?;
        Ok(JointSpec {
            name: joint.name.into(),
            kind,
            parent: joint.parent.required("link")?.into(),
            child: joint.child.required("link")?.into(),
            origin: standard::pose(&joint.origin, raw.version)?,
            axis: standard::axis(joint)?,
            limits: standard::limits(joint, kind, raw.version, notes)?,
            mimic: standard::mimic(joint, kind, notes)?,
        })
    };
    raw.joints.iter().map(joint).collect()
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
