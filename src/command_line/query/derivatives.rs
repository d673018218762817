//! What `--gradient` and `--curvature` add to an answer.

use super::input_error::InputError;
use super::numbers::finite;
use crate::geometry::Shape;
use crate::math::{Pose, Vec3};
use crate::query::{
    PrincipalCurvatures, QueryOptions, SignedDistance, distance_gradient, point_distance,
    second_order,
};
use serde::Serialize;

/// The derivative of the distance by the pose of each body: translation, then rotation vector about the body's
/// origin, world frame.
#[derive(Debug, Serialize)]
pub(crate) struct Gradients {
    gradient_a: [f64; 6],
    gradient_b: [f64; 6],
}

/// The principal curvatures of each body at its point, in 1/m, the smaller first. `None` is infinite: JSON has no word
/// for it.
#[derive(Debug, Serialize)]
pub(crate) struct Curvatures {
    curvatures_a: [Option<f64>; 2],
    curvatures_b: [Option<f64>; 2],
}

/// A shape in a pose.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Posed<'a> {
    pub shape: &'a Shape,
    pub pose: Pose,
}

/// The gradients of the answer `found`.
pub(crate) fn gradients(
    a: Posed<'_>,
    b: Posed<'_>,
    found: &SignedDistance,
) -> Result<Gradients, InputError> {
    let [gradient_a, gradient_b] = distance_gradient(&a.pose, &b.pose, found);
    finite(gradient_a.iter().chain(&gradient_b))?;
    Ok(Gradients { gradient_a, gradient_b })
}

/// The curvatures at the points of the answer `found`.
pub(crate) fn curvatures(
    a: Posed<'_>,
    b: Posed<'_>,
    found: &SignedDistance,
) -> Result<Curvatures, InputError> {
    let (a, b) = (part_at(a, &found.witness_a_w), part_at(b, &found.witness_b_w));
    let both = second_order(a.shape, &a.pose, b.shape, &b.pose, found);
    Ok(Curvatures {
        curvatures_a: finite_or_none(&both.curvatures_a)?,
        curvatures_b: finite_or_none(&both.curvatures_b)?,
    })
}

fn finite_or_none(curvatures: &PrincipalCurvatures) -> Result<[Option<f64>; 2], InputError> {
    if curvatures.values.iter().any(|value| value.is_nan()) {
        return Err(InputError("the solver found no curvature".to_owned()));
    }
    Ok(curvatures.values.map(|value| value.is_finite().then_some(value)))
}

/// The shape that the witness of a body lies on: the body itself, or one part of a compound, whose curvature is not that
/// of the compound's hull.
fn part_at<'a>(body: Posed<'a>, witness_w: &Vec3) -> Posed<'a> {
    let Shape::Compound(compound) = body.shape else { return body };
    let options = QueryOptions::default();
    let mut nearest = (f64::INFINITY, body);
    for (local, part) in compound.parts() {
        let posed = Posed { shape: part, pose: body.pose * local };
        let off = point_distance(part, &posed.pose, witness_w, &options).distance.abs();
        if off < nearest.0 {
            nearest = (off, posed);
        }
    }
    nearest.1
}
