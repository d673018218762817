//! Implicit Newton.

use super::{Answer, Unsupported};
use crate::geometry::Shape;
use crate::math::Pose;

pub(super) fn solve(
    a: &Shape,
    _pose_a: &Pose,
    _b: &Shape,
    _pose_b: &Pose,
) -> Result<Answer, Unsupported> {
    Err(Unsupported { solver: "implicit_newton", shape: a.kind() })
}
