//! The meshes of the robot's links as its description has them: what surfaces are fitted to and compared with.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::error::ViewError;
use super::host::Geometry;
use smooth_scene_fit::{LinkMeshes, Triangle};
use smooth_scene_geometry::math::Vec3;
use smooth_scene_robot::{GeometryBody, GeometrySource, LinkGeometry, LinkSurface};

/// What the description gives to one link.
#[derive(Debug)]
pub(super) struct LinkBodies {
    /// Its meshes, as one.
    pub meshes: LinkMeshes,
    /// Boxes, cylinders, spheres and surfaces beside them.
    pub shapes: Vec<LinkSurface>,
}

impl LinkBodies {
    /// The triangles in the frame of the link: the same bits as in a fit of these meshes.
    pub fn triangles_in_link(&self) -> Vec<Triangle> {
        let pose = self.meshes.pose_in_link;
        let in_link = |p: &Vec3| pose.rotation * p + pose.translation.vector;
        self.meshes.triangles.iter().map(|corners| corners.each_ref().map(in_link)).collect()
    }
}

/// Reads the meshes of links when they are asked for, and keeps those of the present robot.
pub(super) struct MeshReader {
    read: Geometry,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    /// Number of the robot.
    robot: u64,
    /// By element and link.
    links: HashMap<(&'static str, String), Arc<LinkBodies>>,
}

impl MeshReader {
    pub fn new(read: Geometry) -> Self {
        Self { read, kept: Mutex::default() }
    }

    /// The bodies of a link of the robot with this number. A link without a mesh is an error.
    pub fn bodies(
        &self,
        robot: u64,
        link: &str,
        source: GeometrySource,
    ) -> Result<Arc<LinkBodies>, ViewError> {
        let key = (source.element(), link.to_owned());
        {
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            if kept.robot != robot {
                *kept = Kept { robot, links: HashMap::new() };
            }
            if let Some(bodies) = kept.links.get(&key) {
                return Ok(Arc::clone(bodies));
            }
        }
        // Without the lock: files may be large, and others ask for other links.
        let unreadable = |reason| ViewError::Mesh { link: link.into(), reason };
        let read = (self.read)(source, Some(link)).map_err(unreadable)?;
        let bodies = Arc::new(sorted(link, source, read)?);
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.robot == robot {
            kept.links.insert(key, Arc::clone(&bodies));
        }
        Ok(bodies)
    }
}

fn sorted(
    link: &str,
    source: GeometrySource,
    read: Vec<LinkGeometry>,
) -> Result<LinkBodies, ViewError> {
    let (mut meshes, mut shapes) = (Vec::new(), Vec::new());
    for LinkGeometry { pose_in_link, body, .. } in read {
        match body {
            GeometryBody::Mesh { triangles, .. } => meshes.push((pose_in_link, triangles)),
            GeometryBody::Shape(shape) => {
                shapes.push(LinkSurface { name: None, pose_in_link, shape });
            }
        }
    }
    if meshes.is_empty() {
        return Err(ViewError::NoMesh { link: link.into(), element: source.element() });
    }
    Ok(LinkBodies { meshes: LinkMeshes::joined(link.into(), meshes), shapes })
}
