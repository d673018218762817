//! One surface around a set of points.

use nalgebra::SymmetricEigen;

use crate::candidate::{Candidate, Frame, parameters, start};
use crate::descent::{Schedule, descended};
use crate::evolution::minimise;
use crate::kind::SurfaceKind;
use crate::random::even_directions;
use crate::search_points::SearchPoints;
use crate::shell::Shell;
use crate::tuning::OWN_VOLUME;
use smooth_scene_geometry::ConvexMesh;
use smooth_scene_geometry::math::{Mat3, Vec3};

/// Sharpness and rounds of the descents: to compare cuts, for a result, after points were added, beside other surfaces.
const QUICK: Schedule = &[(60.0, 25), (400.0, 15)];
const FULL: Schedule = &[(40.0, 25), (160.0, 20), (640.0, 20)];
const AGAIN: Schedule = &[(300.0, 15), (1000.0, 15)];
const POLISH: Schedule = &[(80.0, 20), (300.0, 20), (1000.0, 15)];

/// How long to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// To compare cuts.
    Quick,
    /// For the result.
    Full,
}

/// Exponents from which searches start: box, cylinder, between them, ellipsoid.
const START_EXPONENTS: [[f64; 2]; 4] = [[0.3, 0.3], [0.9, 0.3], [0.6, 0.6], [0.95, 0.95]];
/// Points from which a hull is computed first.
const FEW_POINTS: usize = 256;
/// How often points that stick out are added to those that the search looks at, how many at a time, and how far they have to
/// stick out, in the units of [`SearchPoints::depths`].
const MAX_WIDENINGS: usize = 4;
const WIDEN_BY: usize = 24;
const WIDEN_BELOW: f32 = 0.003;
/// Points of one hull computation.
const HULL_CHUNK: usize = 200_000;

/// The points that matter to a convex surface: the corners of their hull, or all where they are few or flat.
pub(crate) fn hull_points(points: Vec<Vec3>) -> Vec<Vec3> {
    if points.len() <= FEW_POINTS {
        return points;
    }
    let corners = |points: &[Vec3]| match ConvexMesh::new(points) {
        Ok(hull) => hull.vertices().to_vec(),
        // All points within a nanometre, or too far away: whoever uses them is told.
        Err(_) => points.to_vec(),
    };
    let parts: Vec<Vec3> = points.chunks(HULL_CHUNK).flat_map(corners).collect();
    if points.len() <= HULL_CHUNK { parts } else { corners(&parts) }
}

/// The farthest points along even directions, each once.
fn extreme_points(points: &[Vec3], directions: usize) -> Vec<Vec3> {
    if points.len() <= directions / 2 {
        return points.to_vec();
    }
    let mut chosen = vec![false; points.len()];
    for direction in even_directions(directions) {
        let mut best = (0, f64::NEG_INFINITY);
        for (index, point) in points.iter().enumerate() {
            let height = direction.dot(point);
            if height > best.1 {
                best = (index, height);
            }
        }
        chosen[best.0] = true;
    }
    points.iter().zip(chosen).filter(|(_, chosen)| *chosen).map(|(point, _)| *point).collect()
}

/// The axes of the second moments of the points.
fn principal_axes(points: &[Vec3]) -> Mat3 {
    let mean = points.iter().sum::<Vec3>() / points.len() as f64;
    let moments: Mat3 = points.iter().map(|p| (p - mean) * (p - mean).transpose()).sum();
    let axes = SymmetricEigen::new(moments).eigenvectors;
    // Right-handed.
    if axes.determinant() < 0.0 { -axes } else { axes }
}

/// The axes for candidate frames and cuts: those of the link, then the principal ones where they differ.
pub(crate) fn axes_of(points: &[Vec3]) -> Vec<Mat3> {
    let principal = principal_axes(points);
    // Columns that are coordinate axes but for their order have one large number each.
    let is_aligned = principal.column_iter().all(|column| column.amax() > 0.999);
    if is_aligned || !principal.iter().all(|x| x.is_finite()) {
        return vec![Mat3::identity()];
    }
    vec![Mat3::identity(), principal]
}

/// Searches for the smallest surface of a kind around at least one point. What it finds is a local minimum, the best of
/// several starts; the same for the same points and seed.
pub(crate) fn fit_points(
    points: &[Vec3],
    kind: SurfaceKind,
    effort: Effort,
    seed: u64,
) -> Candidate {
    let (directions, starts, schedule): (_, _, Schedule) = match effort {
        Effort::Quick => (100, 4, QUICK),
        Effort::Full => (240, 6, FULL),
    };
    let mut extremes = extreme_points(points, directions);
    let frame = Frame::around(&extremes, &Mat3::identity());
    let mut begun = begun(&extremes, points, kind);
    // Spheres and capsules have few minima.
    begun.truncate(if is_superquadric(kind) { starts } else { 2 });
    let mut best = (f64::INFINITY, begun[0].1);
    for (number, (_, start)) in begun.into_iter().enumerate() {
        let mut search = SearchPoints::new(&extremes, &frame);
        let seed = seed.wrapping_add(number as u64);
        let found = improved(&start, &mut search, &extremes, schedule, seed);
        if found.0 < best.0 {
            best = found;
        }
    }
    for _ in 0..MAX_WIDENINGS {
        if effort == Effort::Quick || !widen(&mut extremes, points, &best.1, &frame) {
            break;
        }
        let mut search = SearchPoints::new(&extremes, &frame);
        best = improved(&best.1, &mut search, &extremes, AGAIN, seed);
    }
    best.1
}

/// Frames along the axes with the exponents that suit each best, and their logarithms of the volume, smallest first.
fn begun(extremes: &[Vec3], points: &[Vec3], kind: SurfaceKind) -> Vec<(f64, Candidate)> {
    let has_exponents = matches!(kind, SurfaceKind::Superellipsoid | SurfaceKind::Superovoid);
    let mut begun: Vec<(f64, Candidate)> = Vec::new();
    for axes in axes_of(points) {
        for order in [[0, 1, 2], [1, 2, 0], [2, 0, 1]] {
            let axes = Mat3::from_columns(&order.map(|k| axes.column(k).into_owned()));
            let frame = Frame::around(extremes, &axes);
            let mut search = SearchPoints::new(extremes, &frame);
            let mut of_frame = START_EXPONENTS.map(|exponents| {
                let (values, _) = start(kind, &frame, exponents);
                let candidate = Candidate::of(kind, &frame, &values);
                (search.log_volume(&candidate), candidate)
            });
            of_frame.sort_by(|a, b| a.0.total_cmp(&b.0));
            // Other kinds have no exponents.
            begun.extend(&of_frame[..if has_exponents { 2 } else { 1 }]);
        }
    }
    begun.sort_by(|a, b| a.0.total_cmp(&b.0));
    begun
}

/// Whether a kind is a superquadric.
fn is_superquadric(kind: SurfaceKind) -> bool {
    !matches!(kind, SurfaceKind::Sphere | SurfaceKind::Capsule)
}

/// A smaller surface from a start: by descent, or for spheres and capsules by evolution.
fn improved(
    start: &Candidate,
    search: &mut SearchPoints,
    extremes: &[Vec3],
    schedule: Schedule,
    seed: u64,
) -> (f64, Candidate) {
    if !is_superquadric(start.kind) {
        let (frame, values, steps) = parameters(start, extremes);
        let cost = |x: &[f64]| search.log_volume(&Candidate::of(start.kind, &frame, x));
        let generations = schedule.iter().map(|(_, rounds)| rounds).sum();
        let found = minimise(&values, &steps, generations, seed, cost);
        return (found.cost, Candidate::of(start.kind, &frame, &found.at));
    }
    descended(start, search, None, schedule, |search, candidate| search.log_volume(candidate))
}

/// Adds the points that stick out farthest of the surface around the others; `false` when none does by much.
fn widen(extremes: &mut Vec<Vec3>, points: &[Vec3], candidate: &Candidate, frame: &Frame) -> bool {
    let extent = SearchPoints::new(extremes, frame).extent(candidate);
    let mut depths = Vec::new();
    SearchPoints::new(points, frame).depths(candidate, &extent, &mut depths);
    let mut outside: Vec<(usize, f32)> = depths[..points.len()]
        .iter()
        .copied()
        .enumerate()
        .filter(|(_, d)| *d < -WIDEN_BELOW)
        .collect();
    outside.sort_by(|a, b| a.1.total_cmp(&b.1));
    outside.truncate(WIDEN_BY);
    extremes.extend(outside.iter().map(|(index, _)| points[*index]));
    !outside.is_empty()
}

/// Searches from each of the candidates for one that takes less of the samples of `free`; its own volume counts a little too, so that
/// it does not grow where nothing counts.
pub(crate) fn polish(
    starts: &[Candidate],
    points: &[Vec3],
    free: &Shell,
    generations: usize,
    seed: u64,
) -> Candidate {
    let mut counter = free.counter();
    let extremes = extreme_points(points, 240);
    let mut search = SearchPoints::in_units(&extremes, free.center, free.size);
    let mut cost = |search: &mut SearchPoints, candidate: &Candidate| {
        let extent = search.extent(candidate);
        let own = libm::exp(search.log_volume_of(candidate, &extent));
        let taken = counter.as_mut().map_or(0.0, |c| c.soft_volume(candidate, &extent));
        taken + OWN_VOLUME * own
    };
    let polished = starts.iter().map(|start| match start.kind {
        SurfaceKind::Sphere | SurfaceKind::Capsule => {
            let (frame, values, steps) = parameters(start, &extremes);
            let of = |x: &[f64]| Candidate::of(start.kind, &frame, x);
            let found = minimise(&values, &steps, generations, seed, |x| cost(&mut search, &of(x)));
            (found.cost, of(&found.at))
        }
        _ => descended(start, &mut search, Some(free), POLISH, &mut cost),
    });
    let best = polished.min_by(|a, b| a.0.total_cmp(&b.0));
    best.expect("there is at least one start").1
}
