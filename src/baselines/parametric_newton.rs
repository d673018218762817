//! Parametric Newton.

use super::{Answer, Unsupported};
use crate::geometry::Shape;
use crate::math::Pose;

pub(super) fn solve(
    a: &Shape,
    _pose_a: &Pose,
    _b: &Shape,
    _pose_b: &Pose,
    _jacobian: Jacobian,
) -> Result<Answer, Unsupported> {
    Err(Unsupported { solver: "parametric_newton", shape: a.kind() })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Jacobian {
    FiniteDifference,
    Analytic,
}
