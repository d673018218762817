//! What a robot looks like, for the page: the `<visual>` elements of its description, read when a viewer asks for them.

use std::sync::Arc;

use crate::geometry::{Shape, tessellate_with_vertex_count};
use crate::math::Vec3;
use crate::robot::{GeometryBody, GeometrySource, LinkGeometry, LoadOptions, link_geometry};
use crate::view::{VisualMesh, Visuals};

use super::bundled::Described;

/// Vertices of a box, cylinder, sphere or surface.
const VERTICES: usize = 400;

/// Reads the visual meshes of a robot; none for one whose description has none.
pub(crate) fn visuals(described: &Described) -> Option<Visuals> {
    let (robot, folder) = (Arc::clone(&described.robot), described.folder.clone());
    robot.document.text().contains("<visual").then_some(())?;
    let read = move || {
        let (text, options) = (robot.document.text(), LoadOptions::default());
        let source = GeometrySource::Visual;
        let found = link_geometry(text, "the robot", folder.as_deref(), source, &options, |_| true);
        Ok(found.map_err(|error| error.to_string())?.into_iter().map(mesh).collect())
    };
    Some(Arc::new(read))
}

fn mesh(geometry: LinkGeometry) -> VisualMesh {
    let LinkGeometry { link, pose_in_link, body } = geometry;
    let triangles = match body {
        GeometryBody::Mesh { triangles, .. } => triangles,
        GeometryBody::Shape(shape) => triangles_of(&shape),
    };
    VisualMesh { link, pose_in_link, triangles }
}

fn triangles_of(shape: &Shape) -> Vec<[Vec3; 3]> {
    let mesh = tessellate_with_vertex_count(shape, VERTICES);
    let corner = |k: u32| mesh.vertices[k as usize];
    mesh.triangles.iter().map(|triangle| triangle.map(corner)).collect()
}
