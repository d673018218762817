//! A link with its surfaces and their proof, or with its hull and the reason.

use std::sync::Arc;
use std::time::Instant;

use crate::certificate::{Certificate, check, prove};
use crate::clip::Triangle;
use crate::distance_tree::DistanceTree;
use crate::error::FitError;
use crate::levels::Level;
use crate::measure::{Outward, hull_volume, mesh_volume, outward, union_volume};
use crate::part_fit::hull_points;
use crate::surface::FittedSurface;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_geometry::{ConvexMesh, Shape};

/// Samples of every surface in the report.
const REPORT_SAMPLES: usize = 8000;
/// Points of the volumes in the report.
const VOLUME_SAMPLES: usize = 60_000;
/// Most corners of a hull that is as cheap to query as surfaces.
const CHEAP_CORNERS: usize = 32;

/// The mesh of a link.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkMeshes {
    /// Name of the link.
    pub name: String,
    /// Pose of the mesh in the link's frame.
    pub pose_in_link: Pose,
    /// The triangles, in the frame of the mesh.
    pub triangles: Vec<Triangle>,
}

impl LinkMeshes {
    /// One mesh stays in its own frame, so that equal meshes are seen to be equal; several are joined in the link's frame.
    pub fn joined(name: String, mut meshes: Vec<(Pose, Vec<Triangle>)>) -> Self {
        if meshes.len() == 1 {
            let (pose_in_link, triangles) = meshes.remove(0);
            return Self { name, pose_in_link, triangles };
        }
        let triangles = meshes.into_iter().flat_map(|(pose, triangles)| {
            let place = move |p: Vec3| pose.rotation * p + pose.translation.vector;
            triangles.into_iter().map(move |corners| corners.map(place))
        });
        Self { name, pose_in_link: Pose::identity(), triangles: triangles.collect() }
    }
}

/// Numbers of the report.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measures {
    /// The outer surface.
    pub outward: Outward,
    /// Volume of the union, m³.
    pub volume: f64,
    /// Volume of the mesh, m³; `None` when it is not closed.
    pub mesh_volume: Option<f64>,
    /// Volume of the convex hull of the mesh, m³.
    pub hull_volume: f64,
    /// Time, s. Links with the same mesh share it.
    pub seconds: f64,
}

/// The surfaces of one link.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkFit {
    /// Name of the link.
    pub name: String,
    /// The surfaces, in the link's frame; none when the link keeps the hull of its mesh.
    pub surfaces: Vec<FittedSurface>,
    /// Why the link keeps the convex hull of its mesh, which contains the mesh too; `None` when it has surfaces.
    pub hull: Option<String>,
    /// The triangles, in the link's frame.
    pub triangles: Vec<Triangle>,
    /// The proof that the surfaces contain the triangles.
    pub certificate: Certificate,
    /// How much larger they are.
    pub measures: Measures,
}

/// A link of a group.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Member {
    pub link: usize,
    /// The axis along which its mesh is the mirror image of that of the group.
    pub mirror: Option<usize>,
}

/// Links with the same triangles in the frames of their meshes, or with mirror images of them, and their models.
#[derive(Debug)]
pub(crate) struct Group {
    pub links: Vec<Member>,
    pub tree: DistanceTree,
    /// Models with one surface, two, and so on; none when the hull is kept.
    pub levels: Vec<Level>,
    /// Why the hull is kept.
    pub hull: Option<String>,
    pub seconds: f64,
}

/// Why the hull of a mesh is better than surfaces: it has few corners and is tighter than any model.
pub(crate) fn tighter_hull(
    triangles: &[Triangle],
    tree: &DistanceTree,
    levels: &[Level],
    seed: u64,
) -> Result<Option<String>, FitError> {
    let hull = hull_of(triangles)?;
    let corners = hull.vertices().len();
    if corners > CHEAP_CORNERS {
        return Ok(None);
    }
    let excess = |outward: &Outward| outward.area * outward.mean;
    let shape = Shape::ConvexMesh(Arc::new(hull));
    let of_hull = excess(&outward(&[(Pose::identity(), &shape)], tree, REPORT_SAMPLES, seed));
    let is_tighter = levels.iter().all(|level| of_hull < excess(&level.outward));
    Ok(is_tighter.then(|| format!("its hull has {corners} corners and is tighter")))
}

pub(crate) fn hull_of(triangles: &[Triangle]) -> Result<ConvexMesh, FitError> {
    Ok(ConvexMesh::new(&hull_points(triangles.iter().flatten().copied().collect()))?)
}

/// The first of the models that is proven to contain the mesh, or the hull with the reason.
pub(crate) fn proven(
    link: &LinkMeshes,
    group: &Group,
    levels: &[Level],
    mirror: Option<usize>,
    seed: u64,
) -> Result<LinkFit, FitError> {
    let mut reason = group.hull.clone();
    for level in levels {
        match finish(link, group, level, mirror, seed) {
            Ok(fit) => return Ok(fit),
            Err(error) => reason = reason.or(Some(error.to_string())),
        }
    }
    let begin = Instant::now();
    let tree = DistanceTree::new(&link.triangles);
    let hull = hull_of(&link.triangles)?;
    let hull_volume = hull_volume(&hull);
    let shape = Shape::ConvexMesh(Arc::new(hull));
    let measures = Measures {
        outward: outward(&[(Pose::identity(), &shape)], &tree, REPORT_SAMPLES, seed),
        volume: hull_volume,
        mesh_volume: mesh_volume(&link.triangles),
        hull_volume,
        seconds: group.seconds / group.links.len() as f64 + begin.elapsed().as_secs_f64(),
    };
    Ok(LinkFit {
        name: link.name.clone(),
        surfaces: Vec::new(),
        hull: Some(reason.expect("without models there is a reason")),
        triangles: in_link(link),
        certificate: Certificate::default(),
        measures,
    })
}

/// The triangles in the frame of the link.
fn in_link(link: &LinkMeshes) -> Vec<Triangle> {
    let placed = link.pose_in_link;
    let moved = |p: &Vec3| placed.rotation * p + placed.translation.vector;
    link.triangles.iter().map(|corners| corners.each_ref().map(moved)).collect()
}

fn finish(
    link: &LinkMeshes,
    group: &Group,
    level: &Level,
    mirror: Option<usize>,
    seed: u64,
) -> Result<LinkFit, FitError> {
    let begin = Instant::now();
    let placed = link.pose_in_link;
    let image = mirror.map(|axis| level.mirrored(axis));
    let of_link = image.as_ref().unwrap_or(level);
    let surfaces = of_link.surfaces(&placed)?;
    let triangles = in_link(link);
    let planes: Vec<_> = of_link.planes.iter().map(|plane| plane.moved(&placed)).collect();
    let bodies: Vec<_> = surfaces.iter().map(|s| (s.pose(), &s.shape)).collect();
    let not_proven = |count: usize, at: Vec3| FitError::NotProven {
        name: link.name.clone(),
        count,
        triangles: triangles.len(),
        at: at.into(),
    };
    let certificate = prove(&triangles, &bodies, &planes)
        .map_err(|uncovered| not_proven(uncovered.len(), uncovered[0].point))?;
    check(&triangles, &bodies, &certificate).map_err(|_| not_proven(1, triangles[0][0]))?;
    // In the frame of the mesh of the group, where the tree is.
    let local = level.surfaces(&Pose::identity())?;
    let local: Vec<_> = local.iter().map(|s| (s.pose(), &s.shape)).collect();
    let measures = Measures {
        outward: outward(&local, &group.tree, REPORT_SAMPLES, seed),
        volume: union_volume(&local, VOLUME_SAMPLES),
        mesh_volume: mesh_volume(&link.triangles),
        hull_volume: hull_volume(&hull_of(&link.triangles)?),
        seconds: group.seconds / group.links.len() as f64 + begin.elapsed().as_secs_f64(),
    };
    Ok(LinkFit { name: link.name.clone(), surfaces, hull: None, triangles, certificate, measures })
}
