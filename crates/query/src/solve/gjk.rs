//! GJK with Newton steps: converges on every convex pair, quickly on smooth ones.
//!
//! GJK [Gilbert 1988] keeps a simplex of points of the Minkowski difference B − A; the length of its point nearest to
//! the origin is an upper bound on the distance, f at any direction a lower one. Here every round asks for two support
//! pairs: along the simplex's nearest point, as in GJK, and along the Newton step from the best direction so far. Both
//! kinds of points go into the same simplex, so the bounds are never worse than those of GJK alone, and where the
//! bodies are smooth they close quadratically. Between polyhedra there is no Newton step, and GJK alone ends at the nearest
//! features.

use crate::solve::common_normal::{Goal, step_from};
use crate::solve::separation::{Separation, SeparationFunction, SeparationJet};
use crate::solve::simplex::{Growth, Simplex};
use crate::solve::tuning::gjk::{MAX_IDLE_ROUNDS, MAX_ROUNDS, NEARLY_TOUCHING};
use smooth_scene_geometry::math::Vec3;
use smooth_scene_geometry::simd::Simd;

/// Approach of the nearest point in one round, in multiples of the size, that is progress too while it is not known
/// whether the bodies are apart. Near contact a direction separates them only once the nearest point is known to a small
/// part of its own length; the simplex gets there by halving its error, long before f shows it.
const APPROACH: f64 = 16.0 * f64::EPSILON;
/// Distance, in multiples of the size, below which the direction of the nearest point is noise.
const TOUCHING: f64 = 1e-15;

/// What GJK found.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Proximity {
    /// The origin is inside a tetrahedron of difference points (`upper` is zero), or within rounding of such a point
    /// (`upper` is its distance) while no direction is known that separates the bodies.
    /// The points are those whose distance is `upper`.
    Overlapping { best: SeparationJet, upper: f64, point_a: Vec3, point_b: Vec3 },
    /// Bounds on the distance; `lower` is f at `normal`, slightly negative when the bodies touch, and higher than
    /// `upper` by rounding when the distance is found to the last bit.
    Apart { lower: f64, upper: f64, normal: Vec3, point_a: Vec3, point_b: Vec3 },
}

/// Runs until `upper − lower` is within the gap, or the limits of the goal are decided. `best` is the best direction
/// known so far.
pub(crate) fn gjk<P: SeparationFunction>(
    pair: &P,
    best: SeparationJet,
    goal: &Goal,
) -> (Proximity, u32) {
    P::Set::call(
        #[inline(always)]
        || close_in(pair, best, goal),
    )
}

#[inline(always)]
fn close_in(pair: &impl SeparationFunction, best: SeparationJet, goal: &Goal) -> (Proximity, u32) {
    let Goal { gap, size, limit, near, .. } = *goal;
    let is_faceted = pair.is_faceted();
    // A round on polyhedra is one look, on other bodies two.
    let most_idle = if is_faceted { 2 * MAX_IDLE_ROUNDS } else { MAX_IDLE_ROUNDS };
    let mut best = best;
    let mut simplex = Simplex::new(&best.at);
    let mut evaluations = 0;
    let mut idle = 0;
    let mut tightest = f64::INFINITY;
    let mut nearest_yet = f64::INFINITY;
    for _ in 0..MAX_ROUNDS {
        let nearest = simplex.nearest();
        let upper = nearest.norm();
        let width = upper - best.at.value;
        if width <= gap || best.at.value > limit || upper < near {
            break;
        }
        if upper <= TOUCHING * size {
            break;
        }
        let undecided = best.at.value <= 0.0;
        let closer = undecided && upper < nearest_yet - APPROACH * size;
        idle = if width < 0.9 * tightest || closer { 0 } else { idle + 1 };
        tightest = tightest.min(width);
        nearest_yet = nearest_yet.min(upper);
        if idle > most_idle {
            break;
        }
        let dir = simplex.direction();
        let along = if is_faceted { pair.look(&dir) } else { pair.jet(&dir) };
        evaluations += 1;
        if simplex.add(&along.at) == Growth::EnclosesOrigin {
            return (overlapping_at(&simplex, best), evaluations);
        }
        let base = if along.at.value > best.at.value { along } else { best };
        best = base;
        if is_faceted {
            continue;
        }
        let step = step_from(&base, base.tangential(), size);
        let newton = pair.jet(&(base.normal + base.tangent(step)).normalize());
        evaluations += 1;
        if simplex.add(&newton.at) == Growth::EnclosesOrigin {
            return (overlapping_at(&simplex, best), evaluations);
        }
        if newton.at.value > best.at.value {
            best = newton;
        }
    }
    let (point_a, point_b) = simplex.witnesses();
    let Separation { value: lower, .. } = best.at;
    let upper = (point_b - point_a).norm();
    if lower < -gap && upper <= NEARLY_TOUCHING * size {
        return (Proximity::Overlapping { best, upper, point_a, point_b }, evaluations);
    }
    (Proximity::Apart { lower, upper, normal: best.normal, point_a, point_b }, evaluations)
}

/// Bodies with a common point.
fn overlapping_at(simplex: &Simplex, best: SeparationJet) -> Proximity {
    let (point_a, point_b) = simplex.witnesses();
    Proximity::Overlapping { best, upper: 0.0, point_a, point_b }
}
