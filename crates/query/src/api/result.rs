//! What a query answers. The sign conventions of the whole crate are stated here, once.

use smooth_scene_geometry::math::Vec3;

/// How far an answer is proven.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SolveStatus {
    /// `upper − lower` is within the tolerance that was asked for.
    Certified,
    /// The bodies overlap, which is proven, and can be separated by moving `−distance`, which is proven too; whether a
    /// shorter move would do was searched (several starts) but not proven. The answer of the fast depth mode.
    DepthUnproven,
    /// The work budget ran out first. The bounds hold; they are wider than the tolerance.
    BudgetExhausted,
}

/// What a query leaves behind to speed up the next one on the same pair of shapes, in nearby poses.
///
/// The separating directions are kept in the frame of body A.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct WarmStart {
    pub(crate) normals_a: [Vec3; 2],
    pub(crate) count: u8,
}

/// The signed distance between two bodies A and B, with its proof.
///
/// - `distance > 0`: apart by that much. `distance < 0`: overlapping, and −distance is the penetration depth, the
///   length of the shortest translation that separates them.
/// - `normal_ab_w` is a unit vector and points from A to B: moving B by `−distance × normal` brings them to touch.
/// - `witness_b_w = witness_a_w + distance × normal_ab_w`, up to the gap between the bounds.
/// - `lower ≤ true signed distance ≤ upper`, always.
///
/// # Checking an answer
///
/// An answer can be checked without this crate, with the support functions h of the two bodies (of their convex hulls,
/// if `of_hull`) alone. With n = `normal_ab_w`, c the origins of the bodies and s the size of the pair, which is the largest
/// of both bounding radii and |c_b − c_a|,
///
/// ```text
/// lower = n·(c_b − c_a) − h_A(n) − h_B(−n)      up to 1e-13·s
/// ```
///
/// and every n gives a lower bound. The other side depends on the answer:
///
/// - Apart, `distance > 0`: `upper = |witness_b_w − witness_a_w|` up to 1e-13·s, and the points belong to the bodies. Their
///   coordinates are rounded to those of the world, which adds ε times the distance of the bodies from its origin.
/// - Overlapping with status [`DepthUnproven`](SolveStatus::DepthUnproven): `upper` is zero, or the rounding of bodies that
///   touch. What is proven is that the bodies have a common point: one that is strictly inside both, or one inside a
///   tetrahedron of differences of their points. That point is not reported.
/// - Overlapping with bounds of a depth: spheres, capsules and padded bodies are solved without their rounding r. Up to a
///   depth of r the proof is the one of bodies apart, of the cores: `upper = |q − p| − r` for points p and q of the cores,
///   and the witnesses are these points moved by the rounding along n. Deeper, and in the certified depth mode, `upper` is
///   the highest bound of a branch and bound over all directions, which has no short certificate.
///
/// Of a union of bodies the normal and the points are those of the nearest parts, and `lower` is the least of all pairs of
/// parts, so that it may be below what the normal of the nearest gives. Two half-spaces that do not face each other overlap
/// without end: all three numbers are −∞.
///
/// A pose that is not finite leaves the body anywhere: `lower` is −∞, `upper` +∞ and the status
/// [`BudgetExhausted`](SolveStatus::BudgetExhausted), so that the pair never looks free.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SignedDistance {
    /// The best value found; between `lower` and `upper`.
    pub distance: f64,
    /// Proven lower bound on the signed distance.
    pub lower: f64,
    /// Proven upper bound on the signed distance.
    pub upper: f64,
    /// Nearest (or deepest) point of A, world frame.
    pub witness_a_w: Vec3,
    /// Nearest (or deepest) point of B, world frame.
    pub witness_b_w: Vec3,
    /// Unit normal from A to B, world frame.
    pub normal_ab_w: Vec3,
    /// How far the answer is proven.
    pub status: SolveStatus,
    /// Directions at which both support functions were evaluated.
    pub iterations: u32,
    /// Whether one of the bodies is not convex, so that the answer is for its convex hull: never farther than the truth.
    pub of_hull: bool,
    /// Start for the next query on this pair.
    pub warm: WarmStart,
}

impl SignedDistance {
    /// The answer about bodies that may be anywhere: nothing is proven. `at_w` stands for both witnesses, world frame.
    pub(crate) fn unknown(at_w: Vec3, of_hull: bool) -> Self {
        Self {
            distance: f64::NEG_INFINITY,
            lower: f64::NEG_INFINITY,
            upper: f64::INFINITY,
            witness_a_w: at_w,
            witness_b_w: at_w,
            normal_ab_w: Vec3::z(),
            status: SolveStatus::BudgetExhausted,
            iterations: 0,
            of_hull,
            warm: WarmStart::default(),
        }
    }

    /// The same answer with the bodies exchanged. The warm start is dropped: it belongs to the frame of A.
    pub fn swapped(&self) -> Self {
        Self {
            witness_a_w: self.witness_b_w,
            witness_b_w: self.witness_a_w,
            normal_ab_w: -self.normal_ab_w,
            warm: WarmStart::default(),
            ..*self
        }
    }
}

/// Answer of a query that only cares about bodies nearer than a threshold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Within {
    /// Proven farther than the threshold; the exact distance was not computed.
    Farther {
        /// Proven lower bound on the distance, above the threshold.
        lower: f64,
        /// Unit direction that proves it, world frame.
        normal_ab_w: Vec3,
        /// Start for the next query on this pair.
        warm: WarmStart,
    },
    /// The signed distance; its upper bound may still exceed the threshold by the gap.
    Near(SignedDistance),
}

/// Answer of a yes-or-no collision query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Collision {
    /// Proven apart.
    Apart {
        /// Proven lower bound on the distance.
        lower: f64,
        /// Unit direction that separates the bodies, world frame.
        normal_ab_w: Vec3,
        /// Start for the next query on this pair.
        warm: WarmStart,
    },
    /// Proven to overlap.
    Overlapping {
        /// Start for the next query on this pair.
        warm: WarmStart,
    },
    /// Touching within rounding: the signed distance lies between these bounds, zero among them.
    Touching {
        /// Proven lower bound, not positive.
        lower: f64,
        /// Proven upper bound, not negative.
        upper: f64,
        /// Start for the next query on this pair.
        warm: WarmStart,
    },
}

impl Collision {
    /// Whether the bodies may not be treated as free: everything but proven apart.
    pub fn is_contact(&self) -> bool {
        !matches!(self, Collision::Apart { .. })
    }

    /// Start for the next query on this pair.
    pub fn warm(&self) -> WarmStart {
        match self {
            Collision::Apart { warm, .. }
            | Collision::Overlapping { warm }
            | Collision::Touching { warm, .. } => *warm,
        }
    }
}
