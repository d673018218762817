//! Surfaces for all links of a robot, under one budget.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

use rayon::prelude::*;

use crate::certificate::{Certificate, check, prove};
use crate::clip::Triangle;
use crate::distance_tree::DistanceTree;
use crate::error::FitError;
use crate::kind::SurfaceKind;
use crate::levels::{Level, Search};
use crate::measure::{Outward, hull_volume, mesh_volume, outward, union_volume};
use crate::part_fit::hull_points;
use crate::surface::FittedSurface;
use smooth_scene_geometry::ConvexMesh;
use smooth_scene_geometry::math::{Pose, Vec3};

/// Most surfaces on one link.
const MAX_SURFACES_PER_LINK: usize = 12;
/// Surfaces per link when neither a number nor a tolerance is asked for.
const DEFAULT_SURFACES_PER_LINK: usize = 3;
/// Samples of every surface in the report.
const REPORT_SAMPLES: usize = 8000;
/// Points of the volumes in the report.
const VOLUME_SAMPLES: usize = 60_000;
/// Largest coordinate, m.
const MAX_COORDINATE: f64 = 1e6;

/// What to fit.
#[derive(Debug, Clone, PartialEq)]
pub struct FitOptions {
    /// Most surfaces of all links together.
    pub surfaces: Option<usize>,
    /// Mean outward distance that is good enough for a link, m.
    pub tolerance: Option<f64>,
    /// Kinds that may be used.
    pub kinds: Vec<SurfaceKind>,
    /// Start of the random sequences.
    pub seed: u64,
}

impl Default for FitOptions {
    fn default() -> Self {
        let kinds = SurfaceKind::ALL.into_iter().filter(|kind| *kind != SurfaceKind::Hull);
        Self { surfaces: None, tolerance: None, kinds: kinds.collect(), seed: 1 }
    }
}

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
    /// The surfaces, in the link's frame.
    pub surfaces: Vec<FittedSurface>,
    /// The triangles, in the link's frame.
    pub triangles: Vec<Triangle>,
    /// The proof that the surfaces contain the triangles.
    pub certificate: Certificate,
    /// How much larger they are.
    pub measures: Measures,
}

/// Links with the same triangles in the frames of their meshes, and their models.
struct Group {
    links: Vec<usize>,
    tree: DistanceTree,
    levels: Vec<Level>,
    seconds: f64,
}

/// Fits surfaces to links and proves that they contain the meshes. Links with equal meshes get equal surfaces.
///
/// `progress` is told how many of how many steps are done, from any thread.
pub fn fit_links(
    links: &[LinkMeshes],
    options: &FitOptions,
    progress: &(dyn Fn(usize, usize) + Sync),
    cancel: &AtomicBool,
) -> Result<Vec<LinkFit>, FitError> {
    check_options(links, options)?;
    links.iter().try_for_each(check_mesh)?;
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut known: HashMap<Vec<u64>, usize> = HashMap::new();
    for (index, link) in links.iter().enumerate() {
        let bits = |corner: &Vec3| corner.iter().map(|x| (x + 0.0).to_bits()).collect::<Vec<_>>();
        let key: Vec<u64> = link.triangles.iter().flatten().flat_map(bits).collect();
        let group = *known.entry(key).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[group].push(index);
    }
    let budget = options
        .surfaces
        .or_else(|| options.tolerance.is_none().then_some(DEFAULT_SURFACES_PER_LINK * links.len()));
    // A link may get more than its share, the others less.
    let max_surfaces = budget.map_or(MAX_SURFACES_PER_LINK, |budget| {
        (2 * budget).div_ceil(links.len()).min(MAX_SURFACES_PER_LINK)
    });
    let search = Search {
        kinds: &options.kinds,
        max_surfaces,
        enough: options.tolerance.unwrap_or(0.0),
        seed: options.seed,
    };
    let done = AtomicUsize::new(0);
    let steps = groups.len() + links.len();
    let step = || progress(done.fetch_add(1, Ordering::Relaxed) + 1, steps);
    let is_cancelled = || cancel.load(Ordering::Relaxed);
    let groups: Vec<Group> = groups
        .into_par_iter()
        .map(|members| {
            let begin = Instant::now();
            let triangles = &links[members[0]].triangles;
            let tree = DistanceTree::new(triangles);
            let levels = search.levels(triangles, &tree, &is_cancelled)?;
            step();
            Ok(Group { links: members, tree, levels, seconds: begin.elapsed().as_secs_f64() })
        })
        .collect::<Result<_, FitError>>()?;
    let chosen = allocate(&groups, budget, options.tolerance);
    let refined: Vec<Level> = groups
        .par_iter()
        .zip(&chosen)
        .map(|(group, &level)| {
            if is_cancelled() {
                return Err(FitError::Cancelled);
            }
            search.refined(&group.levels[level], &group.tree)
        })
        .collect::<Result<_, FitError>>()?;
    let mut jobs: Vec<(usize, &Group, &Level)> = Vec::new();
    for (group, level) in groups.iter().zip(&refined) {
        jobs.extend(group.links.iter().map(|&link| (link, group, level)));
    }
    jobs.sort_by_key(|(link, ..)| *link);
    jobs.into_par_iter()
        .map(|(link, group, level)| {
            if is_cancelled() {
                return Err(FitError::Cancelled);
            }
            let fit = finish(&links[link], group, level, options.seed);
            step();
            fit
        })
        .collect()
}

fn check_options(links: &[LinkMeshes], options: &FitOptions) -> Result<(), FitError> {
    if options.kinds.iter().all(|kind| *kind == SurfaceKind::Hull) {
        return Err(FitError::NoKinds);
    }
    if let Some(value) = options.tolerance
        && !(value > 0.0 && value.is_finite())
    {
        return Err(FitError::BadOption { field: "tolerance", value, range: "above 0 m" });
    }
    match options.surfaces {
        Some(surfaces) if surfaces < links.len() => {
            Err(FitError::TooFewSurfaces { surfaces, links: links.len() })
        }
        _ => Ok(()),
    }
}

fn check_mesh(link: &LinkMeshes) -> Result<(), FitError> {
    let name = || link.name.clone();
    if link.triangles.is_empty() {
        return Err(FitError::NoTriangles { name: name() });
    }
    // Written so that NaN is refused too.
    let is_bad = |corner: &Vec3| !corner.iter().all(|x| x.abs() <= MAX_COORDINATE);
    for (triangle, corners) in link.triangles.iter().enumerate() {
        if let Some(corner) = corners.iter().find(|corner| is_bad(corner)) {
            return Err(FitError::BadCorner { name: name(), triangle, corner: (*corner).into() });
        }
    }
    Ok(())
}

/// Which model every group gets: the least sum of outward distance times area within the budget, by dynamic programming over
/// the groups. Below the tolerance nothing is gained; of equal sums the one with fewer surfaces wins.
fn allocate(groups: &[Group], budget: Option<usize>, tolerance: Option<f64>) -> Vec<usize> {
    let least = tolerance.unwrap_or(0.0);
    let cost = |group: &Group, level: &Level| {
        let Outward { area, mean, .. } = level.outward;
        group.links.len() as f64 * area * mean.max(least)
    };
    let most: usize =
        groups.iter().map(|group| group.links.len() * group.levels.len()).sum::<usize>();
    let budget = budget.unwrap_or(most).min(most);
    // best[n]: the least cost of the groups so far with at most n surfaces, and their levels.
    let mut best: Vec<Option<(f64, Vec<usize>)>> = vec![Some((0.0, Vec::new())); budget + 1];
    for group in groups {
        let mut next: Vec<Option<(f64, Vec<usize>)>> = vec![None; budget + 1];
        for (n, slot) in next.iter_mut().enumerate() {
            for (index, level) in group.levels.iter().enumerate() {
                let used = level.len() * group.links.len();
                let Some(Some((before, levels))) = n.checked_sub(used).map(|rest| &best[rest])
                else {
                    continue;
                };
                let total = before + cost(group, level);
                if slot.as_ref().is_none_or(|(least, _)| total < *least) {
                    let mut levels = levels.clone();
                    levels.push(index);
                    *slot = Some((total, levels));
                }
            }
        }
        best = next;
    }
    let (_, levels) = best[budget].take().expect("one surface for each link is within the budget");
    levels
}

fn finish(link: &LinkMeshes, group: &Group, level: &Level, seed: u64) -> Result<LinkFit, FitError> {
    let begin = Instant::now();
    let placed = link.pose_in_link;
    let surfaces = level.surfaces(&placed)?;
    let in_link = |p: &Vec3| placed.rotation * p + placed.translation.vector;
    let triangles: Vec<Triangle> =
        link.triangles.iter().map(|corners| corners.each_ref().map(in_link)).collect();
    let planes: Vec<_> = level.planes.iter().map(|plane| plane.moved(&placed)).collect();
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
    // In the frame of the mesh, where the tree is.
    let local = level.surfaces(&Pose::identity())?;
    let local: Vec<_> = local.iter().map(|s| (s.pose(), &s.shape)).collect();
    let points = hull_points(link.triangles.iter().flatten().copied().collect());
    let measures = Measures {
        outward: outward(&local, &group.tree, REPORT_SAMPLES, seed),
        volume: union_volume(&local, VOLUME_SAMPLES),
        mesh_volume: mesh_volume(&link.triangles),
        hull_volume: hull_volume(&ConvexMesh::new(&points)?),
        seconds: group.seconds / group.links.len() as f64 + begin.elapsed().as_secs_f64(),
    };
    Ok(LinkFit { name: link.name.clone(), surfaces, triangles, certificate, measures })
}
