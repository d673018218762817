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

use crate::solve::starts::{Start, Starts};
use smooth_scene_geometry::math::{Mat3, Vec3, tangent_basis};
use smooth_scene_geometry::simd::Simd;

/// f and the two support points at one direction, in the frame of A.
#[derive(Debug, Clone, Copy, Default)]
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
    #[inline(always)]
    pub fn gradient(&self) -> Vec3 {
        self.point_b - self.point_a
    }
}

/// f with its first two derivatives on the unit sphere at one direction.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SeparationJet {
    /// The direction, unit.
    pub normal: Vec3,
    /// Value and points.
    pub at: Separation,
    /// Two unit vectors that span the tangent plane.
    pub basis: (Vec3, Vec3),
    /// W_A + W_B in that basis: [xx, xy, yy].
    pub radii: [f64; 3],
    /// W_A alone.
    pub radii_a: [f64; 3],
    /// Whether all this is good enough to take a step from, and no more.
    pub is_approximate: bool,
    /// How far it is, in radians, to the nearest direction at which W may be infinite or zero.
    pub clearance: f64,
}

impl SeparationJet {
    /// The tangential gradient in the basis.
    #[inline(always)]
    pub fn tangential(&self) -> [f64; 2] {
        let gradient = self.at.gradient();
        [gradient.dot(&self.basis.0), gradient.dot(&self.basis.1)]
    }

    /// What is known at the end of a Newton step δ that is so short that nothing but rounding is left: f to the second order,
    /// and the points where their surfaces bend to,
    ///
    /// ```text
    /// f + ½ g·δ,    p + W_A δ − ½(δᵀW_A δ)n,    q − W_B δ + ½(δᵀW_B δ)n
    /// ```
    #[inline(always)]
    pub fn after_short_step(&self, delta: [f64; 2]) -> Self {
        let [gx, gy] = self.tangential();
        let normal = (self.normal + self.tangent(delta)).normalize();
        let [point_a, point_b] = self.points_after(delta);
        let value = self.at.value + 0.5 * (gx * delta[0] + gy * delta[1]);
        let at = Separation { value, point_a, point_b };
        Self { normal, at, basis: tangent_basis(&normal), ..*self }
    }

    /// The same direction with the points moved along their surfaces until they match, as far as a Newton step δ would move
    /// them. Next to a flat face no other direction can be told from this one, but the points can. What is left, f·δ, is
    /// shorter than any that can be told on the surface.
    #[inline(always)]
    pub fn with_matched_points(&self, delta: [f64; 2]) -> Self {
        let [point_a, point_b] = self.points_after(delta);
        let between = point_b - point_a;
        let left = between - self.normal * between.dot(&self.normal);
        Self { at: Separation { point_a, point_b: point_b - left, ..self.at }, ..*self }
    }

    /// Where the points are after a short turn of the normal, to the second order.
    #[inline(always)]
    fn points_after(&self, turn: [f64; 2]) -> [Vec3; 2] {
        let (a, b) = (self.moved(self.radii_a, turn), self.moved(self.radii_b(), turn));
        [self.at.point_a + a, self.at.point_b - b]
    }

    /// How far the point of a surface with these radii of curvature moves.
    #[inline(always)]
    fn moved(&self, radii: [f64; 3], turn: [f64; 2]) -> Vec3 {
        let along = times(radii, turn);
        let sag = 0.5 * (along[0] * turn[0] + along[1] * turn[1]);
        self.tangent(along) - self.normal * sag
    }

    /// W_B alone.
    #[inline(always)]
    pub fn radii_b(&self) -> [f64; 3] {
        let ([xx, xy, yy], [a_xx, a_xy, a_yy]) = (self.radii, self.radii_a);
        [xx - a_xx, xy - a_xy, yy - a_yy]
    }

    /// The tangent vector with these coordinates.
    #[inline(always)]
    pub fn tangent(&self, coordinates: [f64; 2]) -> Vec3 {
        self.basis.0 * coordinates[0] + self.basis.1 * coordinates[1]
    }
}

/// A symmetric matrix [xx, xy, yy] times a vector of the tangent plane.
#[inline(always)]
pub(crate) fn times([xx, xy, yy]: [f64; 3], x: [f64; 2]) -> [f64; 2] {
    [xx * x[0] + xy * x[1], xy * x[0] + yy * x[1]]
}

/// Whose surface points move evenly in a bent step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bend {
    OfTheFlatter,
    OfBoth,
}

/// A pair of convex bodies, seen through f. Directions are unit vectors in the frame of A.
pub(crate) trait SeparationFunction {
    /// The instruction set that searches on this pair are compiled for.
    type Set: Simd;
    /// What it is if it evaluates two directions at once; [`NoLanes`] if it cannot.
    type Lanes: TwoDirections;

    /// This evaluator for two directions at once.
    fn lanes(&self) -> Option<&Self::Lanes>;

    /// Value and support points.
    fn at(&self, normal: &Vec3) -> Separation;

    /// Value, points and curvature.
    fn jet(&self, normal: &Vec3) -> SeparationJet;

    /// Negative when `point` (frame of A) is inside both bodies: a proof that they overlap.
    fn inside_both(&self, point: &Vec3) -> f64;

    /// Whether every value of f is proven, so that bounds never contradict each other by more than rounding. An
    /// evaluator that samples a body may miss a support point and has its answers confirmed afterwards.
    fn proves_its_values(&self) -> bool;

    /// Value and points alone, in the place of a jet: of polyhedra, for GJK.
    #[inline(always)]
    fn look(&self, normal: &Vec3) -> SeparationJet {
        SeparationJet { normal: *normal, at: self.at(normal), ..SeparationJet::default() }
    }

    /// Whether both bodies are polyhedra. Then f has no curvature between its kinks, and nothing for Newton's method to follow.
    fn is_faceted(&self) -> bool {
        false
    }

    /// Two exact jets.
    #[inline(always)]
    fn jets(&self, normals: [&Vec3; 2]) -> [SeparationJet; 2] {
        match self.lanes() {
            // A zero step requires exact jets.
            Some(lanes) => lanes.jets_after(0.0, normals),
            None => [self.jet(normals[0]), self.jet(normals[1])],
        }
    }
}

/// An evaluator on lanes that looks at two directions in one go, and what only such a one knows.
pub(crate) trait TwoDirections {
    /// Whether two directions cost little more than one.
    fn has_spare_lanes(&self) -> bool;

    /// Two jets at the end of steps of this length, as exact as it takes to make the next step, which will be about the
    /// square of this.
    fn jets_after(&self, step: f64, normals: [&Vec3; 2]) -> [SeparationJet; 2];

    /// Where a step δ leads if surface points move evenly, instead of the normal: next to a flat face the normal hardly turns
    /// while the point crosses it. `None` where that is not known.
    fn bent_step(&self, jet: &SeparationJet, delta: [f64; 2], bend: Bend) -> Option<Vec3>;

    /// Uses what is known about two starts in the next evaluation.
    fn prepare(&self, starts: [&Start; 2]);

    /// Directions from which the highest maximum can be climbed; none where single precision does not hold the bodies.
    fn peaks(&self, rotation_ab: &Mat3, size: f64) -> Starts;

    /// Whether a quick look along a few directions, in single precision, finds one along which f is higher than this. Then it
    /// is not the highest maximum.
    fn is_beaten(&self, value: f64, rotation_ab: &Mat3, size: f64) -> bool;

    /// Whether this is a smoother surrogate of the pair that is asked about: what is found is checked on that pair, and
    /// ridges need not be followed.
    fn is_surrogate(&self) -> bool;
}

/// The lanes of an evaluator that has none.
pub(crate) enum NoLanes {}

impl TwoDirections for NoLanes {
    fn has_spare_lanes(&self) -> bool {
        match *self {}
    }

    fn jets_after(&self, _step: f64, _normals: [&Vec3; 2]) -> [SeparationJet; 2] {
        match *self {}
    }

    fn bent_step(&self, _jet: &SeparationJet, _delta: [f64; 2], _bend: Bend) -> Option<Vec3> {
        match *self {}
    }

    fn prepare(&self, _starts: [&Start; 2]) {
        match *self {}
    }

    fn peaks(&self, _rotation_ab: &Mat3, _size: f64) -> Starts {
        match *self {}
    }

    fn is_beaten(&self, _value: f64, _rotation_ab: &Mat3, _size: f64) -> bool {
        match *self {}
    }

    fn is_surrogate(&self) -> bool {
        match *self {}
    }
}

/// A Hessian in a basis of the tangent plane: [xx, xy, yy].
#[inline(always)]
pub(crate) fn project_radii((u, v): &(Vec3, Vec3), hessian: &Mat3) -> [f64; 3] {
    let (hu, hv) = (hessian * u, hessian * v);
    [u.dot(&hu), u.dot(&hv), v.dot(&hv)]
}
