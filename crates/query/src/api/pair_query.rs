//! The entry point: two shapes, their world poses, and the questions that can be asked about them.

use crate::api::distance::{PosedPair, Wanted, answer, within};
use crate::api::options::QueryOptions;
use crate::api::result::{Collision, SignedDistance, SolveStatus, WarmStart, Within};
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::Pose;

/// A question about two shapes with world poses: how far apart, within a threshold, or in collision?
///
/// ```
/// use smooth_scene_geometry::{Shape, math::Pose};
/// use smooth_scene_query::PairQuery;
///
/// let ball = Shape::sphere(1.0)?;
/// let egg = Shape::superovoid([0.4, 0.4, 0.6], 1.0, 1.0, [0.2, 0.2])?;
/// let (here, there) = (Pose::identity(), Pose::translation(3.0, 0.0, 0.0));
/// let query = PairQuery::new(&ball, &here, &egg, &there);
/// let found = query.distance();
/// assert!(found.lower <= found.distance && found.distance <= found.upper);
/// assert!(!query.collides().is_contact());
/// # Ok::<(), smooth_scene_geometry::ShapeError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct PairQuery<'a> {
    pair: PosedPair<'a>,
    options: QueryOptions,
    warm: WarmStart,
}

impl<'a> PairQuery<'a> {
    /// A query with default options and no warm start. Poses are in the world frame.
    pub fn new(a: &'a Shape, pose_a: &'a Pose, b: &'a Shape, pose_b: &'a Pose) -> Self {
        let pair = PosedPair { a, pose_a, b, pose_b };
        Self { pair, options: QueryOptions::default(), warm: WarmStart::default() }
    }

    /// Sets tolerances, depth mode and budget.
    #[must_use]
    pub fn options(self, options: &QueryOptions) -> Self {
        Self { options: *options, ..self }
    }

    /// Starts from what an earlier query on the same shapes in nearby poses found.
    #[must_use]
    pub fn warm_start(self, warm: &WarmStart) -> Self {
        Self { warm: *warm, ..self }
    }

    /// The signed distance.
    pub fn distance(&self) -> SignedDistance {
        self.answer(f64::INFINITY)
    }

    /// The signed distance if it is at most `threshold`; otherwise the proof that it is larger, as soon as there is one.
    pub fn within(&self, threshold: f64) -> Within {
        within(self.answer(threshold), threshold)
    }

    /// Whether the bodies overlap. Ends as soon as either answer is proven.
    pub fn collides(&self) -> Collision {
        self.collides_within(0.0)
    }

    /// Whether the bodies are closer than `margin` ≥ 0: [`collides`](Self::collides) for bodies that are padded by `margin` together.
    /// The bounds in the answer are those of the bodies without the margin.
    pub fn collides_within(&self, margin: f64) -> Collision {
        let wanted = Wanted { limit: margin, depth: None };
        let found = answer(&self.pair, &wanted, &self.options, &self.warm);
        let SignedDistance { lower, upper, normal_ab_w, warm, .. } = found;
        if lower > margin {
            Collision::Apart { lower, normal_ab_w, warm }
        } else if upper < margin || found.status == SolveStatus::DepthUnproven {
            Collision::Overlapping { warm }
        } else {
            Collision::Touching { lower, upper, warm }
        }
    }

    fn answer(&self, limit: f64) -> SignedDistance {
        let wanted = Wanted { limit, depth: Some(self.options.depth_mode) };
        answer(&self.pair, &wanted, &self.options, &self.warm)
    }
}

/// Shorthand for [`PairQuery::distance`] with options and without a warm start. Poses are in the world frame.
pub fn distance(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    options: &QueryOptions,
) -> SignedDistance {
    PairQuery::new(a, pose_a, b, pose_b).options(options).distance()
}
