//! Contact as a constrained optimisation problem: R. J. F. Portal, J. M. P. Dias, L. A. G. de Sousa, "Contact Detection
//! Between Convex Superquadric Surfaces".
//!
//! The squared distance of a point of A and a point of B is minimised under equality constraints [eq. 31], from the points
//! where the line between the centres leaves the bodies [eq. 32–34], by an interior-point method and by sequential
//! quadratic programming; which constraints are imposed is a [`ConstraintSet`]. The bodies overlap when the normal of A
//! points against the way from A to B [eq. 20].
//!
//! The source runs MATLAB's `fmincon` and the Fortran libraries ADS and DOT, which are not ours to repeat: times and counts of
//! iterations differ, results should not.

mod boxes;
mod optimize;
mod problem;

use crate::answer::Unsupported;
use crate::relative_pair::{PointPair, RelativePair, Solution};
use crate::superquadric::{Form, Superquadric};
use optimize::Curvature;
use problem::Problem;
use smooth_scene_geometry::math::{Vec3, unit_or};

pub(crate) use boxes::solve as solve_boxes;
pub use problem::ConstraintSet;

/// The two methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    /// An interior-point method. With equalities alone there is no barrier: it is Newton's method on the conditions of
    /// Karush, Kuhn and Tucker, with the second derivatives of the Lagrangian.
    InteriorPoint,
    /// Sequential quadratic programming with the damped BFGS update for the second derivatives.
    Sqp,
}

/// Runs a method with a set of constraints. Superellipsoids only: the source has no tapers. Superhyperboloids and supertoroids,
/// which it shows too, are not convex, and no query of this project answers for them.
pub(crate) fn solve(
    pair: &RelativePair,
    method: Method,
    set: ConstraintSet,
) -> Result<Solution, Unsupported> {
    let (name, curvature) = match method {
        Method::InteriorPoint => ("portal-interior-point", Curvature::Exact),
        Method::Sqp => ("portal-sqp", Curvature::Bfgs),
    };
    let of = |shape| {
        let surface = Superquadric::of(shape, Form::Simplest, name)?;
        if surface.is_tapered() {
            return Err(Unsupported { solver: name, shape: "superovoid" });
        }
        Ok(surface)
    };
    let problem = Problem::new(of(pair.a)?, of(pair.b)?, &pair.pose_ab, set);
    let Some(start) = problem.start() else {
        // Concentric: no line leads from one centre to the other.
        return Ok(pair.unconverged(&pair.centre_line(), 0));
    };
    let found = optimize::minimize(&problem, start, curvature);
    let (a, b) = problem::points(&found.at);
    let gap = b - a;
    let normal = problem.normal_a(&a);
    let length = gap.norm();
    Ok(Solution {
        distance: if normal.dot(&gap) <= 0.0 { -length } else { length },
        points: PointPair { a, b },
        normal: unit_or(&normal, &unit_or(&gap, &Vec3::x())),
        converged: found.converged,
        iterations: found.iterations,
    })
}

#[cfg(test)]
mod tests;
