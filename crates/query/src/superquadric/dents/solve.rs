//! Answers for bodies of which one may be dented: a smoother surrogate first, then the hulls, then the proof.

use crate::api::options::{DepthMode, QueryOptions};
use crate::api::result::{SolveStatus, WarmStart};
use crate::solve::separation::SeparationFunction;
use crate::solve::solver::{CoreAnswer, Problem, Question, Solver, Witnesses};
use crate::solve::surface_pair::SurfacePair;
use crate::solve::tuning::depth::RIDGE_MISMATCH;
use crate::superquadric::pair::SuperquadricPair;
use smooth_scene_geometry::simd::Simd;

/// Difference, in multiples of the size, that rounding makes between two ways to compute the same separation.
const CONFIRMED: f64 = 1e-13;

/// Signed distance of two superquadrics. Dents that are shallow are ignored at first: they hardly ever matter at the normal
/// that is found.
#[inline(always)]
pub(crate) fn solve_superquadrics<S: Simd>(
    pair: &SuperquadricPair<S>,
    problem: &Problem,
    question: &Question,
    options: &QueryOptions,
    warm: &WarmStart,
) -> CoreAnswer {
    if pair.is_proven() {
        return Solver { pair, problem, question, options }.solve(warm);
    }
    solve_dented(&Solver { pair, problem, question, options }, warm)
}

#[inline(never)]
fn solve_dented<S: Simd>(solver: &Solver<SuperquadricPair<S>>, warm: &WarmStart) -> CoreAnswer {
    let Solver { pair, problem, question, options } = *solver;
    let proves_depth = question.depth == Some(DepthMode::Certified);
    let surrogate = if proves_depth { None } else { pair.surrogate() };
    let Some(surrogate) = surrogate else { return confirmed(solver.solve(warm), solver) };
    let core = Solver { pair: &surrogate, problem, question, options }.solve(warm);
    let is_decided = question.depth.is_none() && core.status == SolveStatus::DepthUnproven;
    let points = [&core.point_a, &core.point_b];
    let is_found = || {
        core.witnesses == Witnesses::Support
            && core.mismatch() <= RIDGE_MISMATCH * problem.size
            && pair.proves_points(&core.normal, points)
    };
    if is_decided || is_found() {
        return core;
    }
    // A dent matters, or a flat face: where the bodies overlap, the maximum is on the ridge that it makes.
    let core = if core.status == SolveStatus::DepthUnproven {
        solver.solve_on_ridge(&core)
    } else {
        solver.solve(&core.warm)
    };
    confirmed(core, solver)
}

/// The answer, once it is proven that the samples of a dented body missed nothing at the normal that bounds it. In the
/// rare case that they did, or that they left the bounds open, everything is done again with the slower support functions,
/// which prove every value.
pub(crate) fn confirmed<S: Simd>(
    core: CoreAnswer,
    solver: &Solver<SuperquadricPair<S>>,
) -> CoreAnswer {
    let Solver { pair, problem, question, options } = *solver;
    if pair.is_proven() {
        return core;
    }
    let holds = |proven: f64| core.lower <= proven + CONFIRMED * problem.size;
    let slow = SurfacePair::<S>::new(problem.cores, &problem.rotation_ab, &problem.offset);
    let proven = match pair.proven_value(&core.normal) {
        Some(proven) if holds(proven) => proven,
        _ => slow.at(&core.normal).value,
    };
    if holds(proven) && !core.is_open(question) {
        return CoreAnswer { lower: core.lower.min(proven), ..core };
    }
    Solver { pair: &slow, problem, question, options }.solve(&core.warm)
}
