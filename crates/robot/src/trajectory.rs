//! Movements: key frames of joint positions, straight lines between them.

use std::sync::Arc;

use super::{RobotModel, RobotState, StateError};

/// Most moments a movement is sampled at, less one.
pub(super) const MAX_STEPS: usize = 1_000_000;
/// Most numbers of all sampled states together: 800 MB.
const MAX_SAMPLED_NUMBERS: usize = 100_000_000;

/// Positions at one moment.
#[derive(Debug, Clone, PartialEq)]
pub struct TrajectoryPoint {
    /// The moment, s.
    pub time_from_start: f64,
    /// Positions of the joints that move, in the order of their names.
    pub positions: Vec<f64>,
}

/// A movement of one robot: finite numbers, times that increase, as many positions as joints.
#[derive(Debug, Clone, PartialEq)]
pub struct Trajectory {
    /// Name of the robot.
    pub model: String,
    /// The joints that move.
    pub joint_names: Vec<String>,
    /// Joints that do not move, and where they are.
    pub constant: Vec<(String, f64)>,
    /// Key frames, at least one.
    pub points: Vec<TrajectoryPoint>,
    /// The movement is meant to be sampled at `steps` + 1 moments.
    pub steps: usize,
}

/// A movement that cannot be used: file, field, and what is wrong.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TrajectoryError {
    /// The file cannot be read at all: it is not there, too large, or not text.
    #[error("{file}: {reason}")]
    Unreadable {
        /// The file.
        file: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A part of the file that makes no sense.
    #[error("{file}: {path}: {reason}")]
    Field {
        /// The file.
        file: String,
        /// Document and field.
        path: String,
        /// What is wrong.
        reason: String,
    },
    /// No document of the file is for this robot.
    #[error("{file}: no movement for robot `{robot}`, the file has: {}", known.join(", "))]
    OtherRobots {
        /// The file.
        file: String,
        /// The robot.
        robot: String,
        /// The robots there are movements for.
        known: Vec<String>,
    },
    /// More or fewer moments than can be sampled.
    #[error(
        "{steps} steps of {positions} positions, must be 1 to {MAX_STEPS} steps and at most {MAX_SAMPLED_NUMBERS} numbers"
    )]
    Steps {
        /// The steps asked for.
        steps: usize,
        /// Positions of the robot.
        positions: usize,
    },
    /// The movement is for another robot: an unknown joint, a follower that does not follow.
    #[error("movement of `{model}`: {field}: {source}")]
    State {
        /// The robot the movement is for.
        model: String,
        /// `constant` or the point at fault.
        field: String,
        /// What is wrong.
        source: StateError,
    },
}

impl Trajectory {
    /// When the first and the last point are, s.
    pub fn time_range(&self) -> [f64; 2] {
        [self.points.first(), self.points.last()].map(|p| p.map_or(0.0, |p| p.time_from_start))
    }

    /// The state at a moment; before the first point and after the last the robot stands still. Joints that are not
    /// named are where [`RobotState::new`] has them.
    pub fn state_at(
        &self,
        model: &Arc<RobotModel>,
        time: f64,
    ) -> Result<RobotState, TrajectoryError> {
        let mut state = self.rest(model)?;
        let refused = |source| self.refused(format!("at {time} s"), source);
        state.merge(&self.joint_names, &self.positions_at(time)).map_err(refused)?;
        Ok(state)
    }

    /// The states at `steps` + 1 moments, evenly from the first point to the last.
    pub fn sampled(
        &self,
        model: &Arc<RobotModel>,
        steps: usize,
    ) -> Result<Vec<RobotState>, TrajectoryError> {
        let positions = model.position_count();
        let numbers = steps.saturating_add(1).saturating_mul(positions);
        if steps == 0 || steps > MAX_STEPS || numbers > MAX_SAMPLED_NUMBERS {
            return Err(TrajectoryError::Steps { steps, positions });
        }
        let [start, end] = self.time_range();
        let time = |step: usize| start + (end - start) * step as f64 / steps as f64;
        (0..=steps).map(|step| self.state_at(model, time(step))).collect()
    }

    /// Checks that every joint is one of the robot's, at every point.
    pub(super) fn check(&self, model: &Arc<RobotModel>) -> Result<(), TrajectoryError> {
        let rest = self.rest(model)?;
        for (index, point) in self.points.iter().enumerate() {
            let refused = |source| self.refused(format!("points[{index}]"), source);
            rest.clone().merge(&self.joint_names, &point.positions).map_err(refused)?;
        }
        let moves = |name: &String| self.joint_names.contains(name);
        match self.constant.iter().find(|(name, _)| moves(name)) {
            None => Ok(()),
            Some((name, _)) => {
                let reason = "is constant and moves";
                let source = StateError::BadName { name: name.clone(), reason };
                Err(self.refused("constant".into(), source))
            }
        }
    }

    /// The state of the joints that do not move.
    fn rest(&self, model: &Arc<RobotModel>) -> Result<RobotState, TrajectoryError> {
        let (names, values): (Vec<&str>, Vec<f64>) =
            self.constant.iter().map(|(name, value)| (name.as_str(), *value)).unzip();
        let mut state = RobotState::new(model.clone());
        let refused = |source| self.refused("constant".into(), source);
        state.merge(&names, &values).map_err(refused)?;
        Ok(state)
    }

    fn refused(&self, field: String, source: StateError) -> TrajectoryError {
        TrajectoryError::State { model: self.model.clone(), field, source }
    }

    /// Between points every joint moves on a straight line.
    fn positions_at(&self, time: f64) -> Vec<f64> {
        let next = self.points.partition_point(|point| point.time_from_start <= time);
        let before = next.checked_sub(1).and_then(|index| self.points.get(index));
        match (before, self.points.get(next)) {
            (Some(a), Some(b)) => {
                let t = (time - a.time_from_start) / (b.time_from_start - a.time_from_start);
                a.positions.iter().zip(&b.positions).map(|(x, y)| x + t * (y - x)).collect()
            }
            (Some(end), None) | (None, Some(end)) => end.positions.clone(),
            (None, None) => Vec::new(),
        }
    }
}
