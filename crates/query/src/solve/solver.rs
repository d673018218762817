//! The solver behind the distance and collision queries, in the frame of A and without rounding.
//!
//! 1. Newton on the normal from a guess (`cold_start.rs`), or from where an earlier query ended.
//! 2. A point inside both bodies proves that they overlap; then several climbs search the depth.
//! 3. Anything else, flat, pinched or touching, goes to GJK with Newton steps, which decides and bounds it.

use crate::api::options::{DepthMode, QueryOptions};
use crate::api::result::{SolveStatus, WarmStart};
use crate::certify::branch_and_bound::{Proof, ProofLimits, prove_highest};
use crate::solve::bounds::Bounds;
use crate::solve::climb_ends::Ends;
use crate::solve::cold_start::{ColdStart, cold_start};
use crate::solve::common_normal::{Ascent, Goal, Outcome, ascend_from, ascend_two, duality_gap};
use crate::solve::core_shape::CoreShape;
use crate::solve::gjk::{Proximity, gjk};
use crate::solve::penetration::{Deepest, Depth, deepest, deepest_of};
use crate::solve::ridge::climb_ridge;
use crate::solve::separation::{Separation, SeparationFunction, SeparationJet};
use crate::solve::tuning::warm::SAME_MAXIMUM;
use smooth_scene_geometry::math::{Mat3, Vec3, tangent_basis};

/// What is asked about the cores.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Question {
    /// Bodies proven farther apart than this need no closer look.
    pub limit: f64,
    /// Bodies proven nearer than this need no closer look.
    pub near: f64,
    /// What to find out when they overlap.
    pub depth: Option<DepthMode>,
}

/// What the solver needs to know about the pair besides its separation function.
pub(crate) struct Problem<'a> {
    /// Length that tolerances are relative to.
    pub size: f64,
    /// Origin of B in the frame of A.
    pub offset: Vec3,
    pub rotation_ab: Mat3,
    pub cores: [CoreShape<'a>; 2],
}

impl Problem<'_> {
    /// Radius of a ball that rolls inside the Minkowski difference of the cores.
    fn rolling_radius(&self) -> f64 {
        self.cores.iter().map(CoreShape::min_radius_of_curvature).sum()
    }
}

/// What the two points of an answer are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Witnesses {
    /// Support points at the normal: the bodies are tangent to it there.
    Support,
    /// Combinations of support points at several directions: inside the bodies, but not where they are tangent.
    Combined,
}

/// The answer for the cores, in the frame of A.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CoreAnswer {
    pub value: f64,
    pub lower: f64,
    pub upper: f64,
    pub normal: Vec3,
    pub point_a: Vec3,
    pub point_b: Vec3,
    pub witnesses: Witnesses,
    pub status: SolveStatus,
    pub evaluations: u32,
    pub warm: WarmStart,
}

impl CoreAnswer {
    /// Whether the bounds are wider than asked for, and do not decide the question either.
    pub fn is_open(&self, question: &Question) -> bool {
        self.status == SolveStatus::BudgetExhausted
            && self.lower <= question.limit
            && self.upper >= question.near
    }

    /// How far from each other the points are but along the normal, of bodies that overlap; zero of others.
    pub fn mismatch(&self) -> f64 {
        let between = self.point_b - self.point_a;
        let aside = between - self.normal * between.dot(&self.normal);
        if self.status == SolveStatus::DepthUnproven { aside.norm() } else { 0.0 }
    }
}

/// The tolerances of the first climb.
pub(crate) fn first_goal(
    problem: &Problem,
    question: &Question,
    options: &QueryOptions,
) -> Goal<'static> {
    Goal {
        gap: options.gap_tolerance * problem.size,
        limit: question.limit,
        near: question.near,
        ..Goal::top(problem.size)
    }
}

/// Where the first climb starts.
pub(crate) fn first_start(problem: &Problem, warm: &WarmStart) -> ColdStart {
    match warm.count {
        0 => cold_start(&problem.cores, &problem.rotation_ab, &problem.offset),
        _ => ColdStart { normal: warm.normals_a[0], inside: None },
    }
}

/// Signed distance of the cores, or as much of it as the question needs.
pub(crate) fn solve(
    pair: &impl SeparationFunction,
    problem: &Problem,
    question: &Question,
    options: &QueryOptions,
    warm: &WarmStart,
) -> CoreAnswer {
    let goal = first_goal(problem, question, options);
    let first = match warm.count {
        0 | 1 => {
            // Whether they overlap is often seen before the first step. It may be all that is asked; and where they overlap
            // deeply, the maximum that this climb leads to is one of many.
            let start = first_start(problem, warm);
            if start.inside.is_some_and(|point| pair.inside_both(&point) < 0.0) {
                return search_depth(
                    pair,
                    problem,
                    question,
                    options,
                    &Before::Nothing(start.normal),
                    0.0,
                );
            }
            let jet = pair.jet(&start.normal);
            let is_deep = || -jet.at.value > problem.rolling_radius();
            if jet.at.value < 0.0
                && (question.depth.is_none() || is_deep())
                && proves_overlap(pair, &jet)
            {
                return search_depth(pair, problem, question, options, &Before::Look(jet), 0.0);
            }
            ascend_from(pair, jet, &goal)
        }
        _ => {
            let [best, other] = ascend_two(pair, [&warm.normals_a[0], &warm.normals_a[1]], &goal);
            let apart = best.jet.at.value > 0.0 || other.jet.at.value > 0.0;
            let decided = best.jet.at.value.max(other.jet.at.value) > goal.limit;
            if !apart && !decided && question.depth.is_some() && proves_overlap(pair, &best.jet) {
                let depth = deepest_of(pair, &Ends::of([&best, &other]), problem.size)
                    .or_shoulder(&warm.normals_a);
                let turned = |start: &Vec3| depth.best.normal.dot(start);
                if warm.normals_a.iter().any(|start| turned(start) > SAME_MAXIMUM) {
                    return overlapping(pair, problem, question, options, &depth, 0.0);
                }
            }
            let spent = best.evaluations + other.evaluations;
            let higher = if other.jet.at.value > best.jet.at.value { other } else { best };
            Ascent { evaluations: spent, ..higher }
        }
    };
    solve_after(pair, problem, question, options, first)
}

/// The depth of bodies that overlap, whose maxima are close to those found for bodies that are a little smoother.
pub(crate) fn solve_on_ridge(
    pair: &impl SeparationFunction,
    problem: &Problem,
    question: &Question,
    options: &QueryOptions,
    smoother: &CoreAnswer,
) -> CoreAnswer {
    let starts = &smoother.warm.normals_a;
    let ends = pair.jets([&starts[0], &starts[1]]).map(|jet| Ascent {
        jet,
        outcome: Outcome::Stalled,
        evaluations: 1,
    });
    let depth = deepest_of(pair, &Ends::of([&ends[0], &ends[1]]), problem.size).or_shoulder(starts);
    overlapping(pair, problem, question, options, &depth, smoother.upper)
}

/// As [`solve`], after a first climb.
pub(crate) fn solve_after(
    pair: &impl SeparationFunction,
    problem: &Problem,
    question: &Question,
    options: &QueryOptions,
    first: Ascent,
) -> CoreAnswer {
    let goal = first_goal(problem, question, options);
    let decided = first.jet.at.value > goal.limit;
    if decided || matches!(first.outcome, Outcome::GapClosed | Outcome::Decided) {
        return apart_at(&first.jet.at, &first.jet.normal, first.evaluations, &goal);
    }
    if first.jet.at.value < 0.0 && proves_overlap(pair, &first.jet) {
        return search_depth(pair, problem, question, options, &Before::Climb(first), 0.0);
    }
    let (proximity, spent) = gjk(pair, first.jet, &goal);
    let evaluations = first.evaluations + spent;
    match proximity {
        Proximity::Overlapping { best, upper, .. } => {
            let unmoved = best.normal == first.jet.normal;
            let outcome = if unmoved { first.outcome } else { Outcome::Stalled };
            let ascent = Ascent { jet: best, outcome, evaluations };
            search_depth(pair, problem, question, options, &Before::Climb(ascent), upper)
        }
        Proximity::Apart { lower, upper, normal, point_a, point_b } => {
            let bounds = Bounds::ordered(pair, lower, upper, problem.size);
            tightened(pair, bounded(bounds, normal, [point_a, point_b], &goal, evaluations), &goal)
        }
    }
}

/// A last attempt at bounds that GJK could not close: nearly flat bodies that nearly touch have their best direction on
/// a ridge of f, which the steps along ridges resolve further than a simplex can.
fn tightened(pair: &impl SeparationFunction, found: CoreAnswer, goal: &Goal) -> CoreAnswer {
    let is_decided = found.lower > goal.limit || found.upper < goal.near;
    if is_decided || found.upper - found.lower <= goal.gap {
        return found;
    }
    let top = climb_ridge(pair, &pair.jet(&found.normal), goal);
    let evaluations = found.evaluations + top.evaluations + 1;
    let (lower, normal) =
        if top.value > found.lower { (top.value, top.normal) } else { (found.lower, found.normal) };
    let between = (top.point_b - top.point_a).norm();
    let (upper, points) = if between < found.upper {
        (between, [top.point_a, top.point_b])
    } else {
        (found.upper, [found.point_a, found.point_b])
    };
    let bounds = Bounds::ordered(pair, lower, upper, goal.size);
    bounded(bounds, normal, points, goal, evaluations)
}

/// The answer when a climb alone found the distance, or as much of it as was asked for.
pub(crate) fn apart_at(
    at: &Separation,
    normal: &Vec3,
    evaluations: u32,
    goal: &Goal,
) -> CoreAnswer {
    let gradient = at.gradient();
    let upper = if at.value > 0.0 {
        let (u, v) = tangent_basis(normal);
        at.value + duality_gap(at.value, [gradient.dot(&u), gradient.dot(&v)])
    } else {
        gradient.norm()
    };
    let bounds = Bounds { lower: at.value, upper };
    let found = bounded(bounds, *normal, [at.point_a, at.point_b], goal, evaluations);
    CoreAnswer { witnesses: Witnesses::Support, ..found }
}

/// The answer with bounds from a direction and from two points that need not be its support points.
fn bounded(
    bounds: Bounds,
    normal: Vec3,
    [point_a, point_b]: [Vec3; 2],
    goal: &Goal,
    evaluations: u32,
) -> CoreAnswer {
    let Bounds { lower, upper } = bounds;
    let status = if bounds.width() <= 10.0 * goal.gap {
        SolveStatus::Certified
    } else {
        SolveStatus::BudgetExhausted
    };
    let warm = WarmStart { normals_a: [normal; 2], count: 1 };
    let witnesses = Witnesses::Combined;
    CoreAnswer {
        value: lower,
        lower,
        upper,
        normal,
        point_a,
        point_b,
        witnesses,
        status,
        evaluations,
        warm,
    }
}

/// Whether the point half way between the two support points is inside both bodies.
fn proves_overlap(pair: &impl SeparationFunction, jet: &SeparationJet) -> bool {
    let middle = 0.5 * (jet.at.point_a + jet.at.point_b);
    pair.inside_both(&middle) < 0.0
}

/// What was done before bodies were found to overlap.
enum Before {
    /// Nothing, and the first climb would start here.
    Nothing(Vec3),
    /// One look.
    Look(SeparationJet),
    Climb(Ascent),
}

fn search_depth(
    pair: &impl SeparationFunction,
    problem: &Problem,
    question: &Question,
    options: &QueryOptions,
    before: &Before,
    upper: f64,
) -> CoreAnswer {
    let depth = match (question.depth, before) {
        // That they overlap is the answer.
        (None, Before::Nothing(normal)) => Deepest::unknown(normal),
        (None, Before::Look(jet)) => Deepest::at(jet, 1),
        (None, Before::Climb(first)) => Deepest::at(&first.jet, first.evaluations),
        // A maximum no deeper than the ball that rolls inside both bodies is the only one.
        (_, Before::Climb(first))
            if first.outcome == Outcome::Stationary
                && -first.jet.at.value <= problem.rolling_radius() =>
        {
            deepest_of(pair, &Ends::of([first]), problem.size)
        }
        _ => {
            let mut ends = match before {
                Before::Nothing(_) => Ends::none(0),
                Before::Look(_) => Ends::none(1),
                Before::Climb(first) => Ends::of([first]),
            };
            deepest(pair, &mut ends, &problem.rotation_ab, problem.size)
        }
    };
    overlapping(pair, problem, question, options, &depth, upper)
}

/// The answer for bodies that overlap, proven from both sides if asked for. `upper` is what is proven already: zero, or
/// a little more for bodies that touch within rounding.
fn overlapping(
    pair: &impl SeparationFunction,
    problem: &Problem,
    question: &Question,
    options: &QueryOptions,
    depth: &Deepest,
    upper: f64,
) -> CoreAnswer {
    let Depth { value, normal, point_a, point_b } = depth.best;
    if value > 0.0 {
        let goal = first_goal(problem, question, options);
        return touching(pair, &pair.jet(&normal), &goal, depth.evaluations + 1);
    }
    let mut answer = CoreAnswer {
        value,
        lower: value,
        upper,
        normal,
        point_a,
        point_b,
        witnesses: Witnesses::Support,
        status: SolveStatus::DepthUnproven,
        evaluations: depth.evaluations,
        warm: WarmStart { normals_a: [normal, depth.runner_up], count: 2 },
    };
    if question.depth == Some(DepthMode::Certified) {
        certify(pair, problem, options, &mut answer);
    }
    answer
}

/// The answer for bodies with a common point, up to rounding, that a direction separates, up to rounding too: they touch.
/// The support points at that direction may be far apart, as those of a segment at right angles to it; GJK finds the
/// points that are not.
fn touching(
    pair: &impl SeparationFunction,
    best: &SeparationJet,
    goal: &Goal,
    evaluations: u32,
) -> CoreAnswer {
    let (proximity, spent) = gjk(pair, *best, goal);
    let (lower, upper, normal, points) = match proximity {
        Proximity::Overlapping { best, upper, point_a, point_b } => {
            (best.at.value, upper, best.normal, [point_a, point_b])
        }
        Proximity::Apart { lower, upper, normal, point_a, point_b } => {
            (lower, upper, normal, [point_a, point_b])
        }
    };
    let bounds = Bounds::ordered(pair, lower, upper, goal.size);
    tightened(pair, bounded(bounds, normal, points, goal, evaluations + spent), goal)
}

fn certify(
    pair: &impl SeparationFunction,
    problem: &Problem,
    options: &QueryOptions,
    answer: &mut CoreAnswer,
) {
    let tolerance = options.depth_tolerance * problem.size;
    let known =
        Proof { value: answer.value, normal: answer.normal, upper: answer.upper, evaluations: 0 };
    let limits = ProofLimits { tolerance, budget: options.depth_budget };
    let proof = prove_highest(pair, known, problem.rolling_radius(), &limits, problem.size);
    answer.evaluations += proof.evaluations;
    if proof.value > answer.value {
        let jet = pair.jet(&proof.normal);
        let ascent = Ascent { jet, outcome: Outcome::Stalled, evaluations: 1 };
        let Deepest { best, evaluations, .. } =
            deepest_of(pair, &Ends::of([&ascent]), problem.size);
        answer.evaluations += evaluations;
        (answer.value, answer.lower, answer.normal) = (best.value, best.value, best.normal);
        (answer.point_a, answer.point_b) = (best.point_a, best.point_b);
        answer.warm.normals_a[0] = best.normal;
    }
    let bounds = Bounds::ordered(pair, answer.lower, proof.upper, problem.size);
    (answer.lower, answer.upper) = (bounds.lower, bounds.upper);
    answer.status = if bounds.width() <= 1.01 * tolerance {
        SolveStatus::Certified
    } else {
        SolveStatus::BudgetExhausted
    };
}
