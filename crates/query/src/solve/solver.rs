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
use crate::solve::separation::{Separation, SeparationFunction, SeparationJet, TwoDirections};
use crate::solve::tuning::warm::SAME_MAXIMUM;
use smooth_scene_geometry::math::{Mat3, Vec3, tangent_basis};
use smooth_scene_geometry::simd::Simd;

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

    /// Distance of the two points across the normal, for bodies that overlap; zero otherwise.
    pub fn mismatch(&self) -> f64 {
        let between = self.point_b - self.point_a;
        let aside = between - self.normal * between.dot(&self.normal);
        if self.status == SolveStatus::DepthUnproven { aside.norm() } else { 0.0 }
    }
}

/// The tolerances of the first climb.
#[inline(always)]
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
#[inline(always)]
pub(crate) fn first_start(problem: &Problem, warm: &WarmStart) -> ColdStart {
    match warm.count {
        0 => cold_start(&problem.cores, &problem.rotation_ab, &problem.offset),
        _ => ColdStart { normal: warm.normals_a[0], inside: None },
    }
}

/// A question about a pair, with what it takes to answer it.
pub(crate) struct Solver<'a, P> {
    pub pair: &'a P,
    pub problem: &'a Problem<'a>,
    pub question: &'a Question,
    pub options: &'a QueryOptions,
}

impl<P: SeparationFunction> Solver<'_, P> {
    /// The tolerances of the first climb.
    #[inline(always)]
    fn goal(&self) -> Goal<'static> {
        first_goal(self.problem, self.question, self.options)
    }

    /// Signed distance of the cores, or as much of it as the question needs.
    pub fn solve(&self, warm: &WarmStart) -> CoreAnswer {
        P::Set::call(
            #[inline(always)]
            || match warm.count {
                0 | 1 => self.solve_from_one(&first_start(self.problem, warm)),
                _ => self.solve_from_two(&warm.normals_a),
            },
        )
    }

    /// From one direction. Whether the bodies overlap is often seen before the first step. It may be all that is asked; and
    /// where they overlap deeply, the maximum that this climb leads to is one of many.
    #[inline(always)]
    fn solve_from_one(&self, start: &ColdStart) -> CoreAnswer {
        let Self { pair, problem, question, .. } = *self;
        if start.inside.is_some_and(|point| pair.inside_both(&point) < 0.0) {
            return self.search_depth(&Before::Nothing(start.normal), 0.0);
        }
        if pair.is_faceted() {
            return self.solve_faceted(&start.normal);
        }
        let jet = pair.jet(&start.normal);
        let is_deep = || -jet.at.value > problem.rolling_radius();
        if jet.at.value < 0.0
            && (question.depth.is_none() || is_deep())
            && self.proves_overlap(&jet)
        {
            return self.search_depth(&Before::Look(jet), 0.0);
        }
        self.solve_after(&ascend_from(pair, &jet, &self.goal()))
    }

    /// Polyhedra: GJK ends at their nearest features after a few looks, without any climb before.
    #[inline(never)]
    fn solve_faceted(&self, normal: &Vec3) -> CoreAnswer {
        let jet = self.pair.look(normal);
        self.close_in(&Ascent { jet, outcome: Outcome::Stalled, evaluations: 1 })
    }

    /// From the two best normals of an earlier answer.
    #[inline(always)]
    fn solve_from_two(&self, normals: &[Vec3; 2]) -> CoreAnswer {
        let Self { pair, question, .. } = *self;
        let goal = self.goal();
        let [best, other] = ascend_two(pair, [&normals[0], &normals[1]], &goal);
        let apart = best.jet.at.value > 0.0 || other.jet.at.value > 0.0;
        let decided = best.jet.at.value.max(other.jet.at.value) > goal.limit;
        if !apart && !decided && question.depth.is_some() {
            let mut ends = Ends::of([&best, &other]);
            let is_shallow = self.proves_overlap(&best.jet);
            if is_shallow && let Some(depth) = self.same_maximum(normals, &ends) {
                return self.overlapping(&depth, 0.0);
            }
            if is_shallow || self.rounded_boxes_overlap() {
                return self.overlapping(&self.search_all(&mut ends), 0.0);
            }
        }
        let evaluations = best.evaluations + other.evaluations;
        let higher = if other.jet.at.value > best.jet.at.value { other } else { best };
        self.solve_after(&Ascent { evaluations, ..higher })
    }

    /// The depth at the higher of the ends of two climbs, if the normal has hardly turned and nothing higher is seen at a glance.
    #[inline(always)]
    fn same_maximum(&self, normals: &[Vec3; 2], ends: &Ends) -> Option<Deepest> {
        let Self { pair, problem, .. } = *self;
        let depth = deepest_of(pair, ends, problem.size).or_shoulder(normals);
        let is_same = |start: &Vec3| depth.best.normal.dot(start) > SAME_MAXIMUM;
        let is_beaten = || {
            let Problem { rotation_ab, size, .. } = problem;
            let lanes = pair.lanes();
            lanes.is_some_and(|lanes| lanes.is_beaten(depth.best.value, rotation_ab, *size))
        };
        (normals.iter().any(is_same) && !is_beaten()).then_some(depth)
    }

    /// The depth of bodies that overlap, from all starts; what is known in `ends` stops climbs early.
    #[inline(never)]
    fn search_all(&self, ends: &mut Ends) -> Deepest {
        let Problem { rotation_ab, size, .. } = self.problem;
        P::Set::call(
            #[inline(always)]
            || deepest(self.pair, ends, rotation_ab, *size),
        )
    }

    /// The depth of bodies that overlap, whose maxima are close to those found for bodies that are a little smoother.
    pub fn solve_on_ridge(&self, smoother: &CoreAnswer) -> CoreAnswer {
        let Self { pair, problem, .. } = *self;
        let starts = &smoother.warm.normals_a;
        let ends = pair.jets([&starts[0], &starts[1]]).map(|jet| Ascent {
            jet,
            outcome: Outcome::Stalled,
            evaluations: 1,
        });
        let depth =
            deepest_of(pair, &Ends::of([&ends[0], &ends[1]]), problem.size).or_shoulder(starts);
        self.overlapping(&depth, smoother.upper)
    }

    /// As [`solve`](Self::solve), after a first climb.
    #[inline(always)]
    pub fn solve_after(&self, first: &Ascent) -> CoreAnswer {
        let goal = self.goal();
        let decided = first.jet.at.value > goal.limit;
        if decided || matches!(first.outcome, Outcome::GapClosed | Outcome::Decided) {
            return apart_at(&first.jet.at, &first.jet.normal, first.evaluations, &goal);
        }
        if first.jet.at.value < 0.0 && self.proves_overlap(&first.jet) {
            return self.search_depth(&Before::Climb(*first), 0.0);
        }
        self.close_in(first)
    }

    /// What Newton's method leaves open goes to GJK.
    #[inline(never)]
    fn close_in(&self, first: &Ascent) -> CoreAnswer {
        let Self { pair, problem, .. } = *self;
        let goal = self.goal();
        let (proximity, spent) = gjk(pair, first.jet, &goal);
        let evaluations = first.evaluations + spent;
        match proximity {
            Proximity::Overlapping { best, upper, .. } => {
                let unmoved = best.normal == first.jet.normal;
                let outcome = if unmoved { first.outcome } else { Outcome::Stalled };
                // The search for the depth needs the curvature that GJK of polyhedra has not asked for.
                let jet = if pair.is_faceted() { pair.jet(&best.normal) } else { best };
                let ascent = Ascent { jet, outcome, evaluations };
                self.search_depth(&Before::Climb(ascent), upper)
            }
            Proximity::Apart { lower, upper, normal, point_a, point_b } => {
                let bounds = Bounds::ordered(pair, lower, upper, problem.size);
                self.tightened(bounded(bounds, normal, [point_a, point_b], &goal, evaluations))
            }
        }
    }

    /// A last attempt at bounds that GJK could not close: nearly flat bodies that nearly touch have their best direction on
    /// a ridge of f, which the steps along ridges resolve further than a simplex can.
    fn tightened(&self, found: CoreAnswer) -> CoreAnswer {
        let (pair, goal) = (self.pair, self.goal());
        let is_decided = found.lower > goal.limit || found.upper < goal.near;
        if is_decided || found.upper - found.lower <= goal.gap {
            return found;
        }
        let top = climb_ridge(pair, &pair.jet(&found.normal), &goal);
        let evaluations = found.evaluations + top.evaluations + 1;
        let (lower, normal) = if top.value > found.lower {
            (top.value, top.normal)
        } else {
            (found.lower, found.normal)
        };
        let between = (top.point_b - top.point_a).norm();
        let (upper, points) = if between < found.upper {
            (between, [top.point_a, top.point_b])
        } else {
            (found.upper, [found.point_a, found.point_b])
        };
        let bounds = Bounds::ordered(pair, lower, upper, goal.size);
        bounded(bounds, normal, points, &goal, evaluations)
    }

    /// Whether the point half way between the two support points is inside both bodies.
    #[inline(always)]
    fn proves_overlap(&self, jet: &SeparationJet) -> bool {
        let middle = 0.5 * (jet.at.point_a + jet.at.point_b);
        self.pair.inside_both(&middle) < 0.0
    }

    /// Whether the point between the rounded boxes of the first direction is inside both bodies. Where the depth is larger than
    /// a body is thick, that half way between the support points is not.
    #[inline(never)]
    fn rounded_boxes_overlap(&self) -> bool {
        let Problem { cores, rotation_ab, offset, .. } = self.problem;
        let start = cold_start(cores, rotation_ab, offset);
        start.inside.is_some_and(|point| self.pair.inside_both(&point) < 0.0)
    }

    /// The depth of bodies that overlap, as far as it is asked for. `upper` is what is proven already: zero, or a little
    /// more for bodies that touch within rounding.
    #[inline(always)]
    fn search_depth(&self, before: &Before, upper: f64) -> CoreAnswer {
        let depth = match (self.question.depth, before) {
            // That they overlap is the answer.
            (None, Before::Nothing(normal)) => Deepest::unknown(normal),
            (None, Before::Look(jet)) => Deepest::at(jet, 1),
            (None, Before::Climb(first)) => Deepest::at(&first.jet, first.evaluations),
            (Some(_), before) => self.deepest(before),
        };
        self.overlapping(&depth, upper)
    }

    fn deepest(&self, before: &Before) -> Deepest {
        let Self { pair, problem, .. } = *self;
        P::Set::call(
            #[inline(always)]
            || match before {
                // A maximum no deeper than the ball that rolls inside both bodies is the only one.
                Before::Climb(first)
                    if first.outcome == Outcome::Stationary
                        && -first.jet.at.value <= problem.rolling_radius() =>
                {
                    deepest_of(pair, &Ends::of([first]), problem.size)
                }
                before => {
                    let mut ends = match before {
                        Before::Nothing(_) => Ends::none(0),
                        Before::Look(_) => Ends::none(1),
                        Before::Climb(first) => Ends::of([first]),
                    };
                    self.search_all(&mut ends)
                }
            },
        )
    }

    /// The answer for bodies that overlap, proven from both sides if asked for.
    #[inline(always)]
    fn overlapping(&self, depth: &Deepest, upper: f64) -> CoreAnswer {
        let Depth { value, normal, point_a, point_b } = depth.best;
        if value > 0.0 {
            return self.touching(&self.pair.jet(&normal), depth.evaluations + 1);
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
        if self.question.depth == Some(DepthMode::Certified) {
            self.certify(&mut answer);
        }
        answer
    }

    /// The answer for bodies with a common point, up to rounding, that a direction separates, up to rounding too: they
    /// touch. The support points at that direction may be far apart, as those of a segment at right angles to it; GJK finds
    /// the points that are not.
    #[cold]
    fn touching(&self, best: &SeparationJet, evaluations: u32) -> CoreAnswer {
        let goal = self.goal();
        let (proximity, spent) = gjk(self.pair, *best, &goal);
        let (lower, upper, normal, points) = match proximity {
            Proximity::Overlapping { best, upper, point_a, point_b } => {
                (best.at.value, upper, best.normal, [point_a, point_b])
            }
            Proximity::Apart { lower, upper, normal, point_a, point_b } => {
                (lower, upper, normal, [point_a, point_b])
            }
        };
        let bounds = Bounds::ordered(self.pair, lower, upper, goal.size);
        self.tightened(bounded(bounds, normal, points, &goal, evaluations + spent))
    }

    #[inline(never)]
    fn certify(&self, answer: &mut CoreAnswer) {
        let Self { pair, problem, options, .. } = *self;
        let tolerance = options.depth_tolerance * problem.size;
        let (value, normal, upper) = (answer.value, answer.normal, answer.upper);
        let known = Proof { value, normal, upper, evaluations: 0 };
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
}

/// What was done before bodies were found to overlap.
enum Before {
    /// Nothing, and the first climb would start here.
    Nothing(Vec3),
    /// One look.
    Look(SeparationJet),
    Climb(Ascent),
}

/// Distance of two support points from their support planes, in multiples of the size, that is left as it is: a tenth of
/// the rounding that `SignedDistance` states.
pub(crate) const OFF_THE_PLANE: f64 = 1e-14;

/// The answer when a climb alone found the distance, or as much of it as was asked for.
#[inline(always)]
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
    // Near the tip of a pinched body the support value is known better than the point, whose radius loses digits. The
    // point then moves onto its support plane, so that the points are as far apart as `upper` says.
    let missing = at.value - normal.dot(&gradient);
    let mut points = [at.point_a, at.point_b];
    if missing.abs() > OFF_THE_PLANE * goal.size {
        points[1] += normal * missing;
    }
    let found = bounded(bounds, *normal, points, goal, evaluations);
    CoreAnswer { witnesses: Witnesses::Support, ..found }
}

/// The answer with bounds from a direction and from two points that need not be its support points.
#[inline(always)]
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
