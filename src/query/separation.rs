//! The one function behind every query: how far apart two bodies are along a direction.
//!
//! In the frame of A, with d the origin of B and h the support functions,
//!
//! ```text
//! f(n) = n·d − h_A(n) − h_B(−n),    signed distance = max over unit n of f(n)
//! ```
//!
//! With p the support point of A along n and q that of B along −n, f(n) = n·(q − p) and ∇f = q − p. On the unit sphere
//! the gradient is the tangential part g of q − p and the Hessian is −(W_A + W_B + f·I), W the radii of curvature.

use super::climb_ends::Ends;
use super::common_normal::{Goal, ascend, ascend_two};
use super::starts::Starts;
use crate::math::{Mat3, Vec3, tangent_basis};

/// f and the two support points at one direction, in the frame of A.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Separation {
    /// f(n): a proven lower bound on the signed distance.
    pub value: f64,
    /// Support point of A along n.
    pub point_a: Vec3,
    /// Support point of B along −n.
    pub point_b: Vec3,
}

impl Separation {
    /// ∇f = q − p, the point of the Minkowski difference B − A that is extreme along −n.
    #[inline]
    pub fn gradient(&self) -> Vec3 {
        self.point_b - self.point_a
    }
}

/// f with its first two derivatives on the unit sphere at one direction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SeparationJet {
    /// The direction, unit.
    pub normal: Vec3,
    /// Value and points.
    pub at: Separation,
    /// Two unit vectors that span the tangent plane.
    pub basis: (Vec3, Vec3),
    /// W_A + W_B in that basis: [xx, xy, yy].
    pub radii: [f64; 3],
}

impl SeparationJet {
    /// The tangential gradient in the basis.
    #[inline]
    pub fn tangential(&self) -> [f64; 2] {
        let gradient = self.at.gradient();
        [gradient.dot(&self.basis.0), gradient.dot(&self.basis.1)]
    }

    /// The tangent vector with these coordinates.
    #[inline]
    pub fn tangent(&self, coordinates: [f64; 2]) -> Vec3 {
        self.basis.0 * coordinates[0] + self.basis.1 * coordinates[1]
    }
}

/// A pair of convex bodies, seen through f. Directions are unit vectors in the frame of A.
pub(crate) trait SeparationFunction {
    /// Value and support points.
    fn at(&self, normal: &Vec3) -> Separation;

    /// Value, points and curvature.
    fn jet(&self, normal: &Vec3) -> SeparationJet;

    /// Whether [`jets`](Self::jets) costs little more than [`jet`](Self::jet).
    fn has_spare_lanes(&self) -> bool {
        false
    }

    /// Two jets at once; an evaluator that works on several lanes does both in one go.
    #[inline]
    fn jets(&self, normals: [&Vec3; 2]) -> [SeparationJet; 2] {
        normals.map(|normal| self.jet(normal))
    }

    /// Directions from which the highest maximum can be climbed, where they are found at little cost.
    fn peaks(&self, _rotation_ab: &Mat3, _size: f64) -> Option<Starts> {
        None
    }

    /// Climbs from every start, to compare the maxima they lead to: each end goes to `ends`, and maxima there stop the
    /// climbs that are about to end at one of them, or lower.
    fn climb_all(&self, starts: &[Vec3], goal: &Goal, ends: &mut Ends)
    where
        Self: Sized,
    {
        climb_in_twos(self, starts, goal, ends);
    }

    /// Whether every value of f is proven, so that bounds never contradict each other by more than rounding. An
    /// evaluator that samples a body may miss a support point and has its answers confirmed afterwards.
    fn proves_its_values(&self) -> bool {
        false
    }

    /// Negative when `point` (frame of A) is inside both bodies: a proof that they overlap.
    fn inside_both(&self, point: &Vec3) -> f64;
}

/// Projects the sum of two Hessians onto the tangent plane of `normal`.
#[inline]
pub(crate) fn project_radii(normal: &Vec3, hessian: &Mat3) -> ((Vec3, Vec3), [f64; 3]) {
    let basis = tangent_basis(normal);
    let (hu, hv) = (hessian * basis.0, hessian * basis.1);
    (basis, [basis.0.dot(&hu), basis.0.dot(&hv), basis.1.dot(&hv)])
}

/// Climbs from every start, two at a time.
pub(crate) fn climb_in_twos(
    pair: &impl SeparationFunction,
    starts: &[Vec3],
    goal: &Goal,
    ends: &mut Ends,
) {
    for starts in starts.chunks(2) {
        let known = ends.maxima();
        let goal = Goal { known: known.as_slice(), ..*goal };
        match starts {
            [one, other] => {
                let climbs = ascend_two(pair, [one, other], &goal);
                climbs.iter().for_each(|ascent| ends.add_ascent(ascent));
            }
            rest => rest.iter().for_each(|s| ends.add_ascent(&ascend(pair, s, &goal))),
        }
    }
}
