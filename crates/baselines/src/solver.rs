//! The list of solvers: names, sources, and how each is run.

use crate::answer::{Answer, Unsupported};
use crate::portal::{self, ConstraintSet};
use crate::previous::Previous;
use crate::relative_pair::RelativePair;
use crate::thesis::Method;
use crate::{
    cfc, common_normal_least_squares, ellipsoid_overlap, gjk_epa, gjk_overlap,
    normal_parameterization, polytope,
};
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Pose, Vec3};

/// A solver from the literature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Solver {
    /// Newton–Raphson on two points (six unknowns) of the implicit surfaces, octree first guess.
    ImplicitNewton,
    /// The same from the first guess of the parametric solver.
    ImplicitNewtonQuadtree,
    /// The same with the formulas of superovoids for superellipsoids too.
    ImplicitNewtonSuperovoid,
    /// Newton–Raphson on four surface angles, quadtree first guess, finite-difference Jacobian.
    ParametricNewton,
    /// The same with the analytic Jacobian.
    ParametricNewtonAnalytic,
    /// The same, by differences, from the first guess of the implicit solver.
    ParametricNewtonOctree,
    /// The same with the formulas of superovoids for superellipsoids too.
    ParametricNewtonSuperovoid,
    /// GJK for the distance, EPA for the depth.
    GjkEpa,
    /// GJK that only decides whether the bodies overlap.
    GjkOverlap,
    /// Nearest features of two boxes or convex meshes by Voronoi regions; decides only when they overlap.
    VClip,
    /// Overlap of ellipsoids by the number of positive roots of a quartic.
    EllipsoidQuartic,
    /// Overlap of ellipsoids by the sign of a convex function of one variable.
    EllipsoidConvex,
    /// Two points under equality constraints, interior point.
    PortalInteriorPoint,
    /// The same by sequential quadratic programming.
    PortalSqp,
    /// Bounding spheres, then oriented boxes on fifteen axes: decides that bodies are apart, or nothing.
    BoundingBoxes,
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

const THESIS: &str = "A. Gonçalves, MSc thesis, Instituto Superior Técnico, 2015, §3.4";
const CONTACT_SPACE: &str = "S. Ruan et al., closed-form contact space, 2022, §V-A";
const BERGEN: &str = "G. van den Bergen, Collision Detection in Interactive 3D Environments, 2003";
const MIRTICH: &str = "B. Mirtich, V-Clip: Fast and Robust Polyhedral Collision Detection, 1998";
const WANG: &str = "W. Wang, J. Wang, M.-S. Kim 2001, and X. Jia et al. 2011";
const GILITSCHENSKI: &str = "I. Gilitschenski, U. D. Hanebeck 2012";
const PORTAL: &str =
    "R. J. F. Portal, J. M. P. Dias, L. A. G. de Sousa, contact detection between superquadrics";
const ROEMER: &str = "U. J. Römer, normal parameterization";

impl Solver {
    /// Every solver, in the order of the tables.
    pub const ALL: [Solver; 21] = [
        Solver::ImplicitNewton,
        Solver::ImplicitNewtonQuadtree,
        Solver::ImplicitNewtonSuperovoid,
        Solver::ParametricNewton,
        Solver::ParametricNewtonAnalytic,
        Solver::ParametricNewtonOctree,
        Solver::ParametricNewtonSuperovoid,
        Solver::GjkEpa,
        Solver::GjkOverlap,
        Solver::VClip,
        Solver::EllipsoidQuartic,
        Solver::EllipsoidConvex,
        Solver::PortalInteriorPoint,
        Solver::PortalSqp,
        Solver::BoundingBoxes,
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
            Solver::ImplicitNewtonQuadtree => "implicit-newton-quadtree",
            Solver::ImplicitNewtonSuperovoid => "implicit-newton-superovoid",
            Solver::ParametricNewton => "parametric-newton",
            Solver::ParametricNewtonAnalytic => "parametric-newton-analytic",
            Solver::ParametricNewtonOctree => "parametric-newton-octree",
            Solver::ParametricNewtonSuperovoid => "parametric-newton-superovoid",
            Solver::GjkEpa => "gjk-epa",
            Solver::GjkOverlap => "gjk-overlap",
            Solver::VClip => "v-clip",
            Solver::EllipsoidQuartic => "ellipsoid-quartic",
            Solver::EllipsoidConvex => "ellipsoid-convex",
            Solver::PortalInteriorPoint => "portal-interior-point",
            Solver::PortalSqp => "portal-sqp",
            Solver::BoundingBoxes => "bounding-boxes",
            Solver::CfcFixedPoint => "cfc-fixed-point",
            Solver::CfcLeastSquares => "cfc-least-squares",
            Solver::CfcDistance => "cfc-distance",
            Solver::CommonNormalLeastSquares => "common-normal-least-squares",
            Solver::NormalNewton => "normal-newton",
            Solver::NormalFixedPoint => "normal-fixed-point",
        }
    }

    /// Where the method is described.
    pub fn source(self) -> &'static str {
        match self {
            Solver::ImplicitNewton
            | Solver::ImplicitNewtonQuadtree
            | Solver::ImplicitNewtonSuperovoid
            | Solver::ParametricNewton
            | Solver::ParametricNewtonAnalytic
            | Solver::ParametricNewtonOctree
            | Solver::ParametricNewtonSuperovoid => THESIS,
            Solver::GjkEpa | Solver::GjkOverlap => BERGEN,
            Solver::VClip => MIRTICH,
            Solver::EllipsoidQuartic => WANG,
            Solver::EllipsoidConvex => GILITSCHENSKI,
            Solver::PortalInteriorPoint | Solver::PortalSqp | Solver::BoundingBoxes => PORTAL,
            Solver::CfcFixedPoint
            | Solver::CfcLeastSquares
            | Solver::CfcDistance
            | Solver::CommonNormalLeastSquares => CONTACT_SPACE,
            Solver::NormalNewton | Solver::NormalFixedPoint => ROEMER,
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
        self.solve_next(a, pose_a, b, pose_b, &mut Previous::default())
    }

    /// Whether the source describes how to start from the last answer, as [`solve_next`](Self::solve_next) then does.
    pub fn uses_previous(self) -> bool {
        match self {
            Solver::ImplicitNewton
            | Solver::ImplicitNewtonQuadtree
            | Solver::ImplicitNewtonSuperovoid
            | Solver::ParametricNewton
            | Solver::ParametricNewtonAnalytic
            | Solver::ParametricNewtonOctree
            | Solver::ParametricNewtonSuperovoid
            | Solver::GjkOverlap => true,
            Solver::GjkEpa
            | Solver::VClip
            | Solver::EllipsoidQuartic
            | Solver::EllipsoidConvex
            | Solver::PortalInteriorPoint
            | Solver::PortalSqp
            | Solver::BoundingBoxes
            | Solver::CfcFixedPoint
            | Solver::CfcLeastSquares
            | Solver::CfcDistance
            | Solver::CommonNormalLeastSquares
            | Solver::NormalNewton
            | Solver::NormalFixedPoint => false,
        }
    }

    /// Runs the solver on a pair it has answered for before, a moment ago and a little elsewhere, and keeps the answer
    /// for the next time. Of compounds, which are unions, the nearest or deepest pair of parts is the answer [Ruan 2022];
    /// which one it is may change, so nothing is kept of it.
    pub fn solve_next(
        self,
        a: &Shape,
        pose_a: &Pose,
        b: &Shape,
        pose_b: &Pose,
        previous: &mut Previous,
    ) -> Result<Answer, Unsupported> {
        if let (Shape::Compound(_), _) | (_, Shape::Compound(_)) = (a, b) {
            *previous = Previous::default();
            return self.solve_union(a, pose_a, b, pose_b);
        }
        let pair = RelativePair::new(a, pose_a, b, pose_b);
        if !pair.is_finite() {
            *previous = Previous::default();
            return Ok(pair.answer(pair.unconverged(&Vec3::x(), 0)));
        }
        let points = previous.found.map(|found| found.points);
        let thesis = |method: Method| method.solve(&pair, points);
        let solution = match self {
            Solver::ImplicitNewton => thesis(Method::IMPLICIT)?,
            Solver::ImplicitNewtonQuadtree => thesis(Method::IMPLICIT.with_other_guess())?,
            Solver::ImplicitNewtonSuperovoid => thesis(Method::IMPLICIT.as_superovoids())?,
            Solver::ParametricNewton => thesis(Method::PARAMETRIC)?,
            Solver::ParametricNewtonAnalytic => {
                thesis(Method::PARAMETRIC.with_analytic_jacobian())?
            }
            Solver::ParametricNewtonOctree => thesis(Method::PARAMETRIC.with_other_guess())?,
            Solver::ParametricNewtonSuperovoid => thesis(Method::PARAMETRIC.as_superovoids())?,
            Solver::GjkEpa => gjk_epa::solve(&pair),
            Solver::GjkOverlap => {
                gjk_overlap::solve(&pair, previous.found.map(|found| found.normal))
            }
            Solver::VClip => polytope::solve(&pair)?,
            Solver::EllipsoidQuartic => ellipsoid_overlap::solve_quartic(&pair)?,
            Solver::EllipsoidConvex => ellipsoid_overlap::solve_convex(&pair)?,
            Solver::PortalInteriorPoint => {
                portal::solve(&pair, portal::Method::InteriorPoint, ConstraintSet::E)?
            }
            Solver::PortalSqp => portal::solve(&pair, portal::Method::Sqp, ConstraintSet::E)?,
            Solver::BoundingBoxes => portal::solve_boxes(&pair)?,
            Solver::CfcFixedPoint => cfc::solve_fixed_point(&pair)?,
            Solver::CfcLeastSquares => cfc::solve_least_squares(&pair)?,
            Solver::CfcDistance => cfc::solve_distance(&pair)?,
            Solver::CommonNormalLeastSquares => common_normal_least_squares::solve(&pair)?,
            Solver::NormalNewton => normal_parameterization::solve_newton(&pair)?,
            Solver::NormalFixedPoint => normal_parameterization::solve_fixed_point(&pair)?,
        };
        previous.found = Some(pair.found(&solution));
        Ok(pair.answer(solution))
    }

    /// As [`solve_next`](Self::solve_next), after the pre-tests of Portal et al.: a pair whose bounding spheres or oriented
    /// boxes are apart has the distance +∞, which only says that, and the tests made as its iterations. What is kept of the
    /// last answer stays then.
    pub fn solve_after_boxes(
        self,
        a: &Shape,
        pose_a: &Pose,
        b: &Shape,
        pose_b: &Pose,
        previous: &mut Previous,
    ) -> Result<Answer, Unsupported> {
        let boxes = Solver::BoundingBoxes.solve(a, pose_a, b, pose_b)?;
        if boxes.converged {
            return Ok(boxes);
        }
        self.solve_next(a, pose_a, b, pose_b, previous)
    }

    /// The least distance of all pairs of parts. It counts as converged when all of them did, and all their iterations count.
    fn solve_union(
        self,
        a: &Shape,
        pose_a: &Pose,
        b: &Shape,
        pose_b: &Pose,
    ) -> Result<Answer, Unsupported> {
        let mut least: Option<Answer> = None;
        for (at_a, part_a) in parts(a) {
            for (at_b, part_b) in parts(b) {
                let found = self.solve(part_a, &(pose_a * at_a), part_b, &(pose_b * at_b))?;
                least = Some(match least {
                    None => found,
                    Some(before) => Answer {
                        converged: before.converged && found.converged,
                        iterations: before.iterations + found.iterations,
                        ..if found.distance < before.distance { found } else { before }
                    },
                });
            }
        }
        Ok(least.expect("a compound has at least one part"))
    }

    /// One of the two methods of Portal et al. with a set of constraints; `None` for other solvers.
    pub fn solve_constrained(
        self,
        a: &Shape,
        pose_a: &Pose,
        b: &Shape,
        pose_b: &Pose,
        set: ConstraintSet,
    ) -> Option<Result<Answer, Unsupported>> {
        let method = match self {
            Solver::PortalInteriorPoint => portal::Method::InteriorPoint,
            Solver::PortalSqp => portal::Method::Sqp,
            _ => return None,
        };
        let pair = RelativePair::new(a, pose_a, b, pose_b);
        Some(portal::solve(&pair, method, set).map(|solution| pair.answer(solution)))
    }
}

/// The parts of a compound with their poses in it; any other shape is its own part.
pub(super) fn parts(shape: &Shape) -> Vec<(Pose, &Shape)> {
    match shape {
        Shape::Compound(compound) => {
            compound.parts().iter().map(|(pose, part)| (*pose, part)).collect()
        }
        other => vec![(Pose::identity(), other)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dense_search::{Random, Tally};
    use smooth_scene_query::{QueryOptions, distance};

    #[test]
    fn every_name_is_different_and_found() {
        for solver in Solver::ALL {
            assert_eq!(Solver::by_name(solver.name()), Some(solver));
            assert!(!solver.source().is_empty());
        }
    }

    /// Far apart the boxes decide; near, the answer is the solver's own.
    #[test]
    fn boxes_answer_for_pairs_that_they_separate_and_leave_the_others_to_the_solver() {
        let mut random = Random(78);
        let (mut decided, mut left) = (0, 0);
        for k in 0..60 {
            let (a, b) = (random.mild_superellipsoid(), random.mild_superellipsoid());
            let (pose_a, pose_b) = (random.pose(0.5), random.pose(1.5 + 0.05 * f64::from(k)));
            let own = Solver::GjkEpa.solve(&a, &pose_a, &b, &pose_b).unwrap();
            let mut previous = Previous::default();
            let found =
                Solver::GjkEpa.solve_after_boxes(&a, &pose_a, &b, &pose_b, &mut previous).unwrap();
            if found.distance == f64::INFINITY {
                decided += 1;
                assert!(own.distance > 0.0, "{own:?}");
            } else {
                left += 1;
                assert_eq!(found, own);
            }
        }
        assert!(decided >= 10 && left >= 10, "{decided} {left}");
    }

    /// Unions apart, against our own answer, which takes compounds apart by itself.
    #[test]
    fn the_nearest_parts_of_unions_are_found() {
        let mut random = Random(77);
        for _ in 0..5 {
            let mut union = || {
                let parts = (0..3).map(|_| (random.pose(1.0), random.mild_superellipsoid()));
                Shape::compound(parts.collect()).unwrap()
            };
            let (a, b) = (union(), union());
            let (pose_a, pose_b) = (random.pose(0.2), random.pose(7.0));
            let truth = distance(&a, &pose_a, &b, &pose_b, &QueryOptions::default());
            assert!(truth.lower > 0.0, "{truth:?}");
            let methods = [
                Solver::CfcFixedPoint,
                Solver::CfcLeastSquares,
                Solver::CfcDistance,
                Solver::CommonNormalLeastSquares,
                Solver::NormalFixedPoint,
                Solver::GjkEpa,
            ];
            for solver in methods {
                let found = solver.solve(&a, &pose_a, &b, &pose_b).unwrap();
                assert!(found.converged, "{solver:?}");
                let error = (found.distance - truth.distance).abs();
                assert!(error < Tally::TOLERANCE, "{solver:?} {error:e}");
            }
            let decided = Solver::GjkOverlap.solve(&a, &pose_a, &b, &pose_b).unwrap();
            assert_eq!(decided.distance, f64::INFINITY);
        }
    }
}
