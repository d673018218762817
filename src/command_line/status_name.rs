//! What the outcome of a query is called in JSON.

use crate::query::SolveStatus;

/// The bounds are wider than asked for, or a motion is not proven to its end.
pub(crate) const BUDGET_EXHAUSTED: &str = "budget_exhausted";

/// The name of a status in JSON.
pub(crate) fn status_name(status: SolveStatus) -> &'static str {
    match status {
        SolveStatus::Certified => "certified",
        SolveStatus::DepthUnproven => "depth_unproven",
        SolveStatus::BudgetExhausted => BUDGET_EXHAUSTED,
    }
}
