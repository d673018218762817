//! Shorter and smoother paths: points left out, random shortcuts, corners cut.
//!
//! A replacement is kept when it is shorter and `accept` takes it: sampled states for a path that is proven afterwards,
//! or the proof itself.

use crate::error::PlanError;
use crate::options::PlanOptions;
use crate::space::JointSpace;
use smooth_scene_robot::StateSampler;

/// A replacement has to save this share of what it replaces.
const WORTHWHILE: f64 = 1e-3;

/// Decides about an edge between two points.
pub(crate) type Accept<'a> = &'a mut dyn FnMut(&[f64], &[f64]) -> Result<bool, PlanError>;

/// Length of a path.
pub(crate) fn length(space: &JointSpace, path: &[Vec<f64>]) -> f64 {
    path.windows(2).map(|ends| space.distance(&ends[0], &ends[1])).sum()
}

/// Shortens a path whose points do not wrap: angles change by less than half a turn from point to point.
pub(crate) fn simplify(
    space: &JointSpace,
    path: &mut Vec<Vec<f64>>,
    options: &PlanOptions,
    sampler: &mut StateSampler,
    accept: Accept,
) -> Result<(), PlanError> {
    leave_out(path, accept)?;
    for _ in 0..options.shortcuts {
        if path.len() < 3 {
            return Ok(());
        }
        random_shortcut(space, path, sampler, accept)?;
    }
    leave_out(path, accept)?;
    for _ in 0..options.corner_rounds {
        cut_corners(space, path, accept)?;
        leave_out(path, accept)?;
    }
    Ok(())
}

/// From each point straight to the last one that can be reached.
fn leave_out(path: &mut Vec<Vec<f64>>, accept: Accept) -> Result<(), PlanError> {
    let mut from = 0;
    while from + 2 < path.len() {
        for to in (from + 2..path.len()).rev() {
            if accept(&path[from], &path[to])? {
                path.drain(from + 1..to);
                break;
            }
        }
        from += 1;
    }
    Ok(())
}

/// Connects two random places of the path.
fn random_shortcut(
    space: &JointSpace,
    path: &mut Vec<Vec<f64>>,
    sampler: &mut StateSampler,
    accept: Accept,
) -> Result<(), PlanError> {
    let total = length(space, path);
    let mut places = [sampler.uniform() * total, sampler.uniform() * total];
    places.sort_by(f64::total_cmp);
    let (first, a) = point_at(space, path, places[0]);
    let (last, b) = point_at(space, path, places[1]);
    let saved = (places[1] - places[0]) - space.distance(&a, &b);
    if first == last || saved <= WORTHWHILE * total || !accept(&a, &b)? {
        return Ok(());
    }
    // The rests of the edges on both sides are parts of edges that were accepted; they are still accepted as a whole.
    path.splice(first + 1..=last, [a, b]);
    path.dedup();
    Ok(())
}

/// The point at this length of the path, and the edge it is on.
fn point_at(space: &JointSpace, path: &[Vec<f64>], place: f64) -> (usize, Vec<f64>) {
    let mut rest = place;
    for (edge, ends) in path.windows(2).enumerate() {
        let length = space.distance(&ends[0], &ends[1]);
        if rest < length || edge + 2 == path.len() {
            let share = (rest / length).clamp(0.0, 1.0);
            return (edge, space.between(&ends[0], &ends[1], share));
        }
        rest -= length;
    }
    (0, path[0].clone())
}

/// Replaces each corner by an edge between the middles of its edges, or nearer to it where that is not accepted.
fn cut_corners(
    space: &JointSpace,
    path: &mut Vec<Vec<f64>>,
    accept: Accept,
) -> Result<(), PlanError> {
    let mut corner = 1;
    while corner + 1 < path.len() {
        let mut replaced = false;
        for share in [0.5, 0.25] {
            let before = space.between(&path[corner], &path[corner - 1], share);
            let after = space.between(&path[corner], &path[corner + 1], share);
            let around =
                space.distance(&before, &path[corner]) + space.distance(&path[corner], &after);
            let saved = around - space.distance(&before, &after);
            if saved > WORTHWHILE * around && accept(&before, &after)? {
                path.splice(corner..=corner, [before, after]);
                replaced = true;
                break;
            }
        }
        corner += if replaced { 2 } else { 1 };
    }
    Ok(())
}
