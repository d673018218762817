//! Settings of a planner.

use crate::clearance::check_metres;
use crate::error::PlanError;
use crate::path_constraint::PathConstraint;

/// Distance that paths keep unless told otherwise, m. Far above the rounding of programs that compute in double or
/// single precision at a metre, far below the accuracy of robots.
const DEFAULT_CLEARANCE: f64 = 1e-4;

/// Settings of a planner.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanOptions {
    /// Start of the random sequence. The same seed gives the same path.
    pub seed: u64,
    /// States to check before giving up. Proofs count as states too: 200 for each edge.
    pub max_states: u64,
    /// Longest edge of a tree, in the distance of [`JointSpace`](crate::JointSpace).
    pub range: f64,
    /// Distance of the states at which an edge is looked at before it is proven.
    pub step: f64,
    /// Tries to replace a random part of a path by a straight edge.
    pub shortcuts: u32,
    /// Rounds of cutting corners after that. Each makes the path some per cent shorter, and its edges twice as many to be
    /// proven.
    pub corner_rounds: u32,
    /// Distance that a path keeps between bodies that may not touch, m, beyond paddings and margins. Bodies that are
    /// closer at the start or the goal keep less, see [`NearAtEnd`](crate::NearAtEnd).
    pub clearance: f64,
    /// Where planar and floating joints are sampled: the range of their lengths along x, y and z, m. Start and goal may be
    /// outside.
    pub workspace: [[f64; 2]; 3],
    /// What else has to hold on the whole path, start and goal included.
    pub constraints: Vec<PathConstraint>,
}

impl Default for PlanOptions {
    fn default() -> Self {
        Self {
            seed: 1,
            max_states: 2_000_000,
            range: 1.0,
            step: 0.05,
            shortcuts: 16,
            corner_rounds: 0,
            clearance: DEFAULT_CLEARANCE,
            workspace: [[-1.0, 1.0]; 3],
            constraints: Vec::new(),
        }
    }
}

impl PlanOptions {
    pub(crate) fn check(&self) -> Result<(), PlanError> {
        let positive = |field, value: f64| {
            if value > 0.0 && value.is_finite() {
                return Ok(());
            }
            Err(PlanError::BadOption { field, value, range: "above 0 and finite" })
        };
        positive("range", self.range)?;
        positive("step", self.step)?;
        check_metres("clearance", self.clearance)?;
        if self.range > crate::space::MAX_TURN {
            let (field, value) = ("range", self.range);
            return Err(PlanError::BadOption { field, value, range: "at most 3" });
        }
        for [lower, upper] in self.workspace {
            let (field, range) = ("workspace", "finite, the lower end not above the upper one");
            let is_range = lower.is_finite() && upper.is_finite() && lower <= upper;
            if !is_range {
                let value = if lower.is_finite() { upper } else { lower };
                return Err(PlanError::BadOption { field, value, range });
            }
        }
        if self.max_states == 0 {
            let (field, value) = ("budget of states", 0.0);
            return Err(PlanError::BadOption { field, value, range: "at least 1" });
        }
        Ok(())
    }
}
