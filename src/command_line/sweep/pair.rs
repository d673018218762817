//! Two surfaces at one moment, with the certified answer about them.

use crate::geometry::Shape;
use crate::math::Pose;
use crate::query::{QueryOptions, SignedDistance, SolveStatus, WarmStart, distance};

/// Relative width of the certified depth that answers are compared with: a hundredth of the default tolerance.
const TRUTH_TOLERANCE: f64 = 1e-8;
/// Limit of directions that the proof visits.
const TRUTH_BUDGET: u32 = 2_000_000;

/// The solvers of the thesis whose last answers a [`Pair`] keeps, in this order.
#[cfg(feature = "baselines")]
pub(crate) const WITH_PREVIOUS: [crate::baselines::Solver; 6] = [
    crate::baselines::Solver::ImplicitNewton,
    crate::baselines::Solver::ImplicitNewtonQuadtree,
    crate::baselines::Solver::ImplicitNewtonSuperovoid,
    crate::baselines::Solver::ParametricNewton,
    crate::baselines::Solver::ParametricNewtonAnalytic,
    crate::baselines::Solver::ParametricNewtonSuperovoid,
];

/// A pair to be measured.
#[derive(Debug, Clone)]
pub(crate) struct Pair {
    /// Which one: `step/link of A/link of B`, or its number.
    pub name: String,
    pub a: Shape,
    pub pose_a: Pose,
    pub b: Shape,
    pub pose_b: Pose,
    /// Warm start from a query one step earlier.
    pub warm: WarmStart,
    /// What the solvers of the thesis start from: the answers of each of [`WITH_PREVIOUS`] a step earlier.
    #[cfg(feature = "baselines")]
    pub previous: [crate::baselines::Previous; WITH_PREVIOUS.len()],
    /// Poses one step earlier.
    pub before: Option<[Pose; 2]>,
    /// The certified answer.
    pub truth: SignedDistance,
}

/// The options answers are certified with.
pub(crate) fn truth_options() -> QueryOptions {
    QueryOptions {
        depth_tolerance: TRUTH_TOLERANCE,
        depth_budget: TRUTH_BUDGET,
        ..QueryOptions::certified()
    }
}

impl Pair {
    /// The pair with its certified answer, without a warm start.
    pub fn new(name: String, (a, pose_a): (Shape, Pose), (b, pose_b): (Shape, Pose)) -> Self {
        Self::judged_by(name, (a, pose_a), (b, pose_b), &truth_options())
    }

    /// The pair with the answer that these options give.
    pub fn judged_by(
        name: String,
        (a, pose_a): (Shape, Pose),
        (b, pose_b): (Shape, Pose),
        options: &QueryOptions,
    ) -> Self {
        let truth = distance(&a, &pose_a, &b, &pose_b, options);
        Self {
            name,
            a,
            pose_a,
            b,
            pose_b,
            warm: WarmStart::default(),
            #[cfg(feature = "baselines")]
            previous: Default::default(),
            before: None,
            truth,
        }
    }

    /// Asks about the pair one step earlier, where it was then, for the methods that start from the last answer.
    pub fn ask_before(&mut self, before: [Pose; 2]) {
        let [pose_a, pose_b] = &before;
        let options = QueryOptions::default();
        self.warm = distance(&self.a, pose_a, &self.b, pose_b, &options).warm;
        #[cfg(feature = "baselines")]
        for (solver, previous) in WITH_PREVIOUS.iter().zip(&mut self.previous) {
            // A shape that the solver does not handle leaves nothing to start from; its row has no right answers.
            if solver.solve_next(&self.a, pose_a, &self.b, pose_b, previous).is_err() {
                *previous = Default::default();
            }
        }
        self.before = Some(before);
    }

    /// Whether the bodies overlap, if that is proven.
    pub fn overlaps(&self) -> Option<bool> {
        if self.truth.upper < 0.0 {
            Some(true)
        } else if self.truth.lower > 0.0 {
            Some(false)
        } else {
            None
        }
    }

    /// How far a distance lies outside the proven bounds, in metres.
    pub fn error(&self, distance: f64) -> f64 {
        let error = (self.truth.lower - distance).max(distance - self.truth.upper);
        if error.is_nan() { f64::INFINITY } else { error.max(0.0) }
    }

    /// Whether the proof of the answer was completed.
    pub fn is_certified(&self) -> bool {
        self.truth.status == SolveStatus::Certified
    }
}
