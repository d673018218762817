//! How every line of a run is answered.

use super::clock::Clock;
use crate::query::QueryOptions;

/// How every line of a run is answered.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Settings {
    pub solver: SolverChoice,
    pub options: QueryOptions,
    pub clock: Clock,
    pub start: Start,
    /// What is asked before a solver from the literature.
    #[cfg(feature = "baselines")]
    pub pre_test: PreTest,
    /// Whether the derivative by the poses was asked for.
    pub gradient: bool,
    /// Whether the curvatures at the points were asked for.
    pub curvature: bool,
}

/// What a timed run starts from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Start {
    /// Nothing.
    Cold,
    /// The answer of a run before the clock started.
    Warm,
}

/// A cheap test before the solver.
#[cfg(feature = "baselines")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PreTest {
    /// None.
    None,
    /// Bounding spheres, then boxes on fifteen axes.
    Boxes,
}

/// The solver to use.
#[derive(Debug, Clone, Copy)]
pub(crate) enum SolverChoice {
    /// This crate's own solver.
    Smooth,
    /// A solver from the literature.
    #[cfg(feature = "baselines")]
    Baseline(crate::baselines::Solver),
}
