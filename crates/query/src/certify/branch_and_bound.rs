//! Proof of the penetration depth: branch and bound over directions.
//!
//! f(n) = min over x in M of n·x, where M = B − A is the Minkowski difference. Any x in M, such as the one that
//! attains f at n₀, therefore bounds f everywhere: f(n) ≤ n·x. If a ball of radius r rolls inside M (the sum of the
//! least radii of curvature of both bodies), the same holds for the body M shrunk by r, which is tighter:
//!
//! ```text
//! f(n) ≤ n·(x + r·n₀) − r        equality on the whole sphere when M is a ball of radius r
//! ```
//!
//! Over a spherical triangle whose three corners give a negative right-hand side, its largest value is at a corner.
//! Triangles whose bound exceeds the best f found by more than the tolerance are split in four. The error of a bound
//! falls with the square of the triangle's size, so an isolated maximum takes a few hundred evaluations; a flat
//! landscape takes as many as the budget allows, and the bound reached by then is returned.

use crate::solve::common_normal::{Goal, ascend};
use crate::solve::separation::SeparationFunction;
use smooth_scene_geometry::math::Vec3;

/// Deepest subdivision: triangles of 1e-8 rad.
const MAX_LEVEL: u32 = 26;
/// Triangles waiting: three siblings per level, and the eight of the octahedron.
const MAX_WAITING: usize = 3 * MAX_LEVEL as usize + 9;
/// Tolerance of the first pass and factor between passes: an unfinished proof falls back to the last pass that ended.
const FIRST_TOLERANCE: f64 = 3e-2;
const PASS_FACTOR: f64 = 1.0 / 32.0;

/// A proven bound on the highest value of f.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Proof {
    /// The highest value found and its direction; at least what was passed in.
    pub value: f64,
    pub normal: Vec3,
    /// No direction has a higher value than this.
    pub upper: f64,
    pub evaluations: u32,
}

#[derive(Debug, Clone, Copy)]
struct Cell {
    corners: [Vec3; 3],
    level: u32,
}

/// Proves that no direction has f above the best value plus `tolerance`, or finds out how much can be proven within `budget`
/// evaluations. `known` is the best direction and the bound so far, `radius` the radius of a ball that rolls inside M.
pub(crate) fn prove_highest(
    pair: &impl SeparationFunction,
    known: Proof,
    radius: f64,
    tolerance: f64,
    budget: u32,
    size: f64,
) -> Proof {
    let mut proof = Proof { evaluations: 0, ..known };
    let mut pass = (FIRST_TOLERANCE * size).max(tolerance);
    while proof.evaluations < budget && run_pass(pair, &mut proof, radius, pass, budget, size) {
        proof.upper = (proof.value + pass).min(known.upper);
        if pass <= tolerance {
            break;
        }
        pass = (pass * PASS_FACTOR).max(tolerance);
    }
    proof.upper = proof.upper.max(proof.value);
    proof
}

/// One depth-first sweep over the sphere; `false` when the budget ran out first.
fn run_pass(
    pair: &impl SeparationFunction,
    proof: &mut Proof,
    radius: f64,
    tolerance: f64,
    budget: u32,
    size: f64,
) -> bool {
    let mut waiting = [Cell { corners: [Vec3::zeros(); 3], level: 0 }; MAX_WAITING];
    let mut count = 0;
    for octant in 0..8 {
        let axis = |bit: usize, v: Vec3| if octant & (1 << bit) == 0 { v } else { -v };
        let corners = [axis(0, Vec3::x()), axis(1, Vec3::y()), axis(2, Vec3::z())];
        waiting[count] = Cell { corners, level: 0 };
        count += 1;
    }
    let mut proven = true;
    while count > 0 {
        count -= 1;
        let Cell { corners: [a, b, c], level } = waiting[count];
        if proof.evaluations >= budget {
            return false;
        }
        let center = (a + b + c).normalize();
        let at = pair.at(&center);
        proof.evaluations += 1;
        if at.value > proof.value + 1e-3 * tolerance {
            let ascent = ascend(pair, &center, &Goal::top(size));
            proof.evaluations += ascent.evaluations;
            proof.value = at.value.max(ascent.jet.at.value);
            proof.normal = if ascent.jet.at.value >= at.value { ascent.jet.normal } else { center };
        }
        let inner = at.gradient() + center * radius;
        let highest = inner.dot(&a).max(inner.dot(&b)).max(inner.dot(&c));
        // A positive corner value may be exceeded between the corners, by at most 1/cos of the angle to the centre.
        let bound = if highest <= 0.0 {
            highest
        } else {
            highest / center.dot(&a).min(center.dot(&b)).min(center.dot(&c))
        };
        if bound - radius <= proof.value + tolerance {
            continue;
        }
        if level == MAX_LEVEL {
            proven = false;
            continue;
        }
        let (ab, bc, ca) = ((a + b).normalize(), (b + c).normalize(), (c + a).normalize());
        for corners in [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]] {
            waiting[count] = Cell { corners, level: level + 1 };
            count += 1;
        }
    }
    proven
}
