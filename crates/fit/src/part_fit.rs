//! One surface around a set of points.

use nalgebra::SymmetricEigen;

use crate::candidate::{Candidate, Frame, SearchPoints, parameters, start};
use crate::evolution::{Minimum, minimise};
use crate::kind::SurfaceKind;
use crate::random::even_directions;
use crate::shell::Shell;
use crate::tuning::OWN_VOLUME;
use smooth_scene_geometry::ConvexMesh;
use smooth_scene_geometry::math::{Mat3, Vec3};

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
    let (directions, starts, first, second) = match effort {
        Effort::Quick => (64, 2, 16, 24),
        Effort::Full => (240, 6, 50, 160),
    };
    let extremes = extreme_points(points, directions);
    let mut begun: Vec<(f64, Frame, Vec<f64>, Vec<f64>)> = Vec::new();
    for axes in axes_of(points) {
        for order in [[0, 1, 2], [1, 2, 0], [2, 0, 1]] {
            let axes = Mat3::from_columns(&order.map(|k| axes.column(k).into_owned()));
            let frame = Frame::around(&extremes, &axes);
            let mut search = SearchPoints::new(&extremes, &frame);
            let best = START_EXPONENTS
                .iter()
                .map(|&exponents| {
                    let (values, steps) = start(kind, &frame, exponents);
                    let cost = search.log_volume(&Candidate::of(kind, &frame, &values));
                    (cost, frame, values, steps)
                })
                .min_by(|a, b| a.0.total_cmp(&b.0));
            begun.extend(best);
        }
    }
    begun.sort_by(|a, b| a.0.total_cmp(&b.0));
    begun.truncate(starts);
    let mut best: Option<(Minimum, Frame, Vec<f64>)> = None;
    for (number, (_, frame, values, steps)) in begun.into_iter().enumerate() {
        let mut search = SearchPoints::new(&extremes, &frame);
        let cost = |x: &[f64]| search.log_volume(&Candidate::of(kind, &frame, x));
        let found = minimise(&values, &steps, first, seed.wrapping_add(number as u64), cost);
        if best.as_ref().is_none_or(|(best, ..)| found.cost < best.cost) {
            best = Some((found, frame, steps));
        }
    }
    let (found, frame, steps) = best.expect("there is at least one frame");
    let mut extremes = extremes;
    let mut steps: Vec<f64> = steps.iter().map(|step| 0.5 * step).collect();
    let mut found = found;
    for round in 0..=MAX_WIDENINGS {
        let mut search = SearchPoints::new(&extremes, &frame);
        let cost = |x: &[f64]| search.log_volume(&Candidate::of(kind, &frame, x));
        let generations = if round == 0 { second } else { second / 2 };
        found = minimise(&found.at, &steps, generations, seed ^ 0x5EED, cost);
        let candidate = Candidate::of(kind, &frame, &found.at);
        let is_last = effort == Effort::Quick || round == MAX_WIDENINGS;
        if is_last || !widen(&mut extremes, points, &candidate, &frame) {
            break;
        }
        steps.iter_mut().for_each(|step| *step *= 0.6);
    }
    Candidate::of(kind, &frame, &found.at)
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
    let polished = starts.iter().map(|start| {
        let (frame, values, steps) = parameters(start, &extremes);
        let cost = |x: &[f64]| {
            let candidate = Candidate::of(start.kind, &frame, x);
            let extent = search.extent(&candidate);
            let own = libm::exp(search.log_volume_of(&candidate, &extent));
            let taken = counter.as_mut().map_or(0.0, |c| c.soft_volume(&candidate, &extent));
            taken + OWN_VOLUME * own
        };
        let found = minimise(&values, &steps, generations, seed, cost);
        (found.cost, Candidate::of(start.kind, &frame, &found.at))
    });
    let best = polished.min_by(|a, b| a.0.total_cmp(&b.0));
    best.expect("there is at least one start").1
}
