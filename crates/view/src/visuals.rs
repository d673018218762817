//! The robot's visual meshes, which are drawn behind its surfaces: read when somebody asks for them, then kept.

use std::sync::{Arc, Mutex};

use axum::body::Bytes;
use serde::Serialize;
use smooth_scene_geometry::math::Vec3;
use smooth_scene_geometry::{Shape, tessellate_with_vertex_count};
use smooth_scene_robot::{GeometryBody, GeometrySource, LinkGeometry};
use smooth_scene_scene::Snapshot;

use super::error::ViewError;
use super::host::Geometry;
use super::json::json;
use super::wire::PoseData;

/// Most triangles of all meshes: 36 bytes each, and what a laptop draws.
const MAX_TRIANGLES: usize = 2_000_000;
/// Vertices of a box, cylinder, sphere or surface.
const VERTICES: usize = 400;

/// The meshes of one robot, as they are sent.
#[derive(Debug)]
pub(super) struct VisualFiles {
    /// Number of the robot.
    robot: u64,
    /// Where each mesh is, as JSON.
    pub list: String,
    /// The corners of the triangles of each mesh: three 32-bit floats each, little-endian.
    pub meshes: Vec<Bytes>,
}

/// One mesh in the list.
#[derive(Debug, Serialize)]
struct VisualData {
    /// Index of the link that carries it.
    link: usize,
    pose: PoseData,
    /// Index of the mesh.
    mesh: usize,
}

/// Reads the meshes, and keeps those of the present robot.
pub(super) struct VisualReader {
    read: Geometry,
    kept: Mutex<Option<Arc<VisualFiles>>>,
}

impl VisualReader {
    pub fn new(read: Geometry) -> Self {
        Self { read, kept: Mutex::default() }
    }

    /// The meshes of the present robot. Reading them takes a while: others that ask wait for the same.
    pub fn files(&self, snapshot: &Snapshot) -> Result<Arc<VisualFiles>, ViewError> {
        let mut kept =
            self.kept.lock().map_err(|_| ViewError::Visuals("reading them failed".into()))?;
        if let Some(files) = kept.as_ref().filter(|files| files.robot == snapshot.robot) {
            return Ok(Arc::clone(files));
        }
        let files = Arc::new(self.read(snapshot)?);
        *kept = Some(Arc::clone(&files));
        Ok(files)
    }

    fn read(&self, snapshot: &Snapshot) -> Result<VisualFiles, ViewError> {
        let bodies = (self.read)(GeometrySource::Visual, None).map_err(ViewError::Visuals)?;
        if bodies.is_empty() {
            return Err(ViewError::Visuals("no link has a <visual>".into()));
        }
        let bodies: Vec<(LinkGeometry, Vec<[Vec3; 3]>)> = bodies.into_iter().map(drawn).collect();
        let count = bodies.iter().map(|(_, triangles)| triangles.len()).sum();
        if count > MAX_TRIANGLES {
            return Err(ViewError::TooMany { what: "visual triangles", count, max: MAX_TRIANGLES });
        }
        let (mut list, mut meshes) = (Vec::new(), Vec::new());
        for (body, triangles) in &bodies {
            // The description may be of a robot that has been replaced since.
            let unknown = || ViewError::Unknown { kind: "link", name: body.link.clone() };
            let link = snapshot.scene.model().link_id(&body.link).ok_or_else(unknown)?.index();
            list.push(VisualData { link, pose: (&body.pose_in_link).into(), mesh: meshes.len() });
            let numbers = triangles.iter().flatten().flat_map(|v| [v.x, v.y, v.z]);
            meshes.push(numbers.flat_map(|x| (x as f32).to_le_bytes()).collect());
        }
        Ok(VisualFiles { robot: snapshot.robot, list: json(&list), meshes })
    }
}

/// A body with the triangles that are drawn for it.
fn drawn(mut geometry: LinkGeometry) -> (LinkGeometry, Vec<[Vec3; 3]>) {
    let triangles = match &mut geometry.body {
        GeometryBody::Mesh { triangles, .. } => std::mem::take(triangles),
        GeometryBody::Shape(shape) => triangles_of(shape),
    };
    (geometry, triangles)
}

fn triangles_of(shape: &Shape) -> Vec<[Vec3; 3]> {
    let mesh = tessellate_with_vertex_count(shape, VERTICES);
    let corner = |k: u32| mesh.vertices[k as usize];
    mesh.triangles.iter().map(|triangle| triangle.map(corner)).collect()
}
