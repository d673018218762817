//! The solvers of the papers this crate builds on, written as their authors describe them, for comparison only.
//!
//! Nothing outside this module, the benchmarks and `query --solver` uses them.

mod cfc;
mod cfc_distance;
mod cfc_least_squares;
mod cfc_motion;
mod cfc_surface;
mod common_normal;
mod common_normal_least_squares;
#[cfg(test)]
mod dense_search;
mod dogleg;
mod epa;
mod gjk_epa;
mod gjk_overlap;
mod implicit_newton;
mod normal_parameterization;
mod parametric_newton;
mod relative_pair;
mod simplex;
mod superquadric;

pub use cfc_motion::first_contact;

use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Pose, Vec3};

/// A solver from the literature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Solver {
    /// Newton–Raphson on two points (six unknowns) of the implicit surfaces, octree first guess.
    ImplicitNewton,
    /// Newton–Raphson on four surface angles, quadtree first guess, finite-difference Jacobian.
    ParametricNewton,
    /// The same with the analytic Jacobian.
    ParametricNewtonAnalytic,
    /// GJK for the distance, EPA for the depth.
    GjkEpa,
    /// GJK that only decides whether the bodies overlap.
    GjkOverlap,
    /// Closed-form contact space, common normal by fixed-point iteration.
    CfcFixedPoint,
    /// Closed-form contact space, common normal by nonlinear least squares.
    CfcLeastSquares,
    /// Closed-form contact space, distance by nonlinear least squares.
    CfcDistance,
    /// Common normal of two surfaces by nonlinear least squares on four angles.
    CommonNormalLeastSquares,
    /// Normal parameterization I: Newton on two unknowns.
    NormalNewton,
    /// Normal parameterization II: fixed point without derivatives.
    NormalFixedPoint,
}

/// What a baseline answers. None of them proves anything, so there are no bounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Answer {
    /// Signed distance (negative when overlapping), or only its sign (±∞) for a solver that decides overlap alone.
    pub distance: f64,
    /// Point of A, world frame.
    pub point_a_w: Vec3,
    /// Point of B, world frame.
    pub point_b_w: Vec3,
    /// Unit normal from A to B, world frame.
    pub normal_ab_w: Vec3,
    /// Whether the solver's own stopping test was met.
    pub converged: bool,
    /// Iterations of its main loop.
    pub iterations: u32,
}

/// What a baseline answers about a motion over the times from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MotionAnswer {
    /// When the bodies first touch; `None` when they do not, as far as the solver can tell.
    pub contact: Option<f64>,
    /// The time the search ended at, which may lie outside the motion.
    pub closest_time: f64,
    /// The bodies at that time.
    pub closest: Answer,
}

/// The solver cannot handle this kind of shape.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("solver {solver} does not handle a {shape}")]
pub struct Unsupported {
    /// Name of the solver.
    pub solver: &'static str,
    /// Kind of the shape.
    pub shape: &'static str,
}

impl Solver {
    /// Every solver, in the order of the tables.
    pub const ALL: [Solver; 11] = [
        Solver::ImplicitNewton,
        Solver::ParametricNewton,
        Solver::ParametricNewtonAnalytic,
        Solver::GjkEpa,
        Solver::GjkOverlap,
        Solver::CfcFixedPoint,
        Solver::CfcLeastSquares,
        Solver::CfcDistance,
        Solver::CommonNormalLeastSquares,
        Solver::NormalNewton,
        Solver::NormalFixedPoint,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Solver::ImplicitNewton => "implicit-newton",
            Solver::ParametricNewton => "parametric-newton",
            Solver::ParametricNewtonAnalytic => "parametric-newton-analytic",
            Solver::GjkEpa => "gjk-epa",
            Solver::GjkOverlap => "gjk-overlap",
            Solver::CfcFixedPoint => "cfc-fixed-point",
            Solver::CfcLeastSquares => "cfc-least-squares",
            Solver::CfcDistance => "cfc-distance",
            Solver::CommonNormalLeastSquares => "common-normal-least-squares",
            Solver::NormalNewton => "normal-newton",
            Solver::NormalFixedPoint => "normal-fixed-point",
        }
    }

    /// The solver with this name.
    pub fn by_name(name: &str) -> Option<Solver> {
        Self::ALL.into_iter().find(|solver| solver.name() == name)
    }

    /// Runs the solver cold on one pair.
    pub fn solve(
        self,
        a: &Shape,
        pose_a: &Pose,
        b: &Shape,
        pose_b: &Pose,
    ) -> Result<Answer, Unsupported> {
        match self {
            Solver::ImplicitNewton => implicit_newton::solve(a, pose_a, b, pose_b),
            Solver::ParametricNewton => parametric_newton::solve(
                a,
                pose_a,
                b,
                pose_b,
                parametric_newton::Jacobian::FiniteDifference,
            ),
            Solver::ParametricNewtonAnalytic => parametric_newton::solve(
                a,
                pose_a,
                b,
                pose_b,
                parametric_newton::Jacobian::Analytic,
            ),
            Solver::GjkEpa => gjk_epa::solve(a, pose_a, b, pose_b),
            Solver::GjkOverlap => gjk_overlap::solve(a, pose_a, b, pose_b),
            Solver::CfcFixedPoint => cfc::solve_fixed_point(a, pose_a, b, pose_b),
            Solver::CfcLeastSquares => cfc::solve_least_squares(a, pose_a, b, pose_b),
            Solver::CfcDistance => cfc::solve_distance(a, pose_a, b, pose_b),
            Solver::CommonNormalLeastSquares => {
                common_normal_least_squares::solve(a, pose_a, b, pose_b)
            }
            Solver::NormalNewton => normal_parameterization::solve_newton(a, pose_a, b, pose_b),
            Solver::NormalFixedPoint => {
                normal_parameterization::solve_fixed_point(a, pose_a, b, pose_b)
            }
        }
    }
}
