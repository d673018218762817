//! Normal parameterization.

use super::{Answer, Unsupported};
use crate::geometry::Shape;
use crate::math::Pose;

pub(super) fn solve_newton(
    a: &Shape,
    _pose_a: &Pose,
    _b: &Shape,
    _pose_b: &Pose,
) -> Result<Answer, Unsupported> {
    Err(Unsupported { solver: "normal_parameterization", shape: a.kind() })
}

pub(super) fn solve_fixed_point(
    a: &Shape,
    _pose_a: &Pose,
    _b: &Shape,
    _pose_b: &Pose,
) -> Result<Answer, Unsupported> {
    Err(Unsupported { solver: "normal_parameterization", shape: a.kind() })
}
