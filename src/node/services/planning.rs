//! Shared by the services that plan: a question, its answer, and the trajectory along a proven path.

use std::time::{Duration, Instant};

use crate::convert::Refusal;
use crate::interfaces::builtin_interfaces::msg::Duration as DurationMessage;
use crate::interfaces::trajectory_msgs::msg::{JointTrajectory, JointTrajectoryPoint};
use crate::math::Pose;
use crate::node::Context;
use crate::plan::{
    JointSpace, MotionLimits, Plan, PlanError, PlanOptions, PoseGoal, SceneChecker, TimedPath,
    plan, state_for_pose, verify,
};
use crate::scene::PlanningScene;

/// Random starts of the search for a state with a given pose.
const POSE_STARTS: u32 = 100;
/// Time for a request that does not say how much, s.
const USUAL_TIME: f64 = 10.0;
/// The longest time a request may take, s.
const MOST_TIME: f64 = 3600.0;
/// Acceleration of joints for which none is given, rad/s² or m/s²: that of MoveIt's time parameterisation.
pub(super) const USUAL_ACCELERATION: f64 = 1.0;

/// Where to go.
pub(super) enum Goal {
    /// Positions of the whole robot.
    State(Vec<f64>),
    /// A link at a pose in the frame of the root.
    Pose { link: String, pose: Pose },
}

/// A question for the planner.
pub(super) struct PlanQuestion {
    pub scene: PlanningScene,
    /// All joints if it is empty.
    pub group: String,
    pub start: Vec<f64>,
    pub goal: Goal,
    pub options: PlanOptions,
    /// How long it may take.
    pub allowed: Duration,
}

/// How the search ended.
pub(super) enum Ended {
    Proven(Box<Plan>),
    /// Understood, and there is no path.
    NoPath(PlanError),
    TimedOut,
    Cancelled {
        reason: String,
    },
}

/// The time of a request in seconds; zero means the usual one.
pub(super) fn allowed_time(field: &str, seconds: f64) -> Result<Duration, Refusal> {
    if seconds == 0.0 {
        return Ok(Duration::from_secs_f64(USUAL_TIME));
    }
    if seconds > 0.0 && seconds <= MOST_TIME {
        return Ok(Duration::from_secs_f64(seconds));
    }
    let reason = format!("{field} is {seconds}, must be 0 to {MOST_TIME} s");
    Err(Refusal::bad_request(reason))
}

/// A share of a limit; zero means all of it.
pub(super) fn share(field: &str, value: f64) -> Result<f64, Refusal> {
    if value == 0.0 {
        return Ok(1.0);
    }
    if value > 0.0 && value <= 1.0 {
        return Ok(value);
    }
    Err(Refusal::bad_request(format!("{field} is {value}, must be 0 to 1")))
}

impl PlanQuestion {
    fn group(&self) -> Option<&str> {
        (!self.group.is_empty()).then_some(self.group.as_str())
    }

    /// Plans, and checks the certificate of what was found. What the request got wrong is an error.
    pub fn answer(&self, context: &Context<'_>) -> Result<Ended, PlanError> {
        let work = context.planning.begin();
        let end = Instant::now() + self.allowed;
        let stop = || Instant::now() >= end || work.cancelled().is_some();
        match self.search(&stop) {
            Ok(plan) => {
                let checked = verify(&self.scene, &plan.waypoints, &plan.certificate);
                checked.expect("a path is returned with a certificate that proves it");
                Ok(Ended::Proven(Box::new(plan)))
            }
            Err(PlanError::Cancelled) => Ok(match work.cancelled() {
                Some(reason) => Ended::Cancelled { reason },
                None => Ended::TimedOut,
            }),
            Err(error) if error.is_bad_input() => Err(error),
            Err(error) => Ok(Ended::NoPath(error)),
        }
    }

    fn search(&self, stop: &dyn Fn() -> bool) -> Result<Plan, PlanError> {
        let (scene, group, start) = (&self.scene, self.group(), &self.start);
        let found;
        let goal = match &self.goal {
            Goal::State(goal) => goal,
            Goal::Pose { link, pose } => {
                let (link, seed) = (link.clone(), self.options.seed);
                let goal = PoseGoal { link, pose: *pose, starts: POSE_STARTS, seed };
                let mut checker = SceneChecker::new(scene)?;
                found = state_for_pose(scene, group, start, &goal, &mut checker, stop)?;
                &found
            }
        };
        plan(scene, group, start, goal, &self.options, stop)
    }

    /// The joints that move.
    pub fn space(&self) -> Result<JointSpace, PlanError> {
        JointSpace::new(&self.scene, self.group(), &self.start)
    }
}

/// A trajectory along a path, and which of its points are the waypoints.
///
/// Between two waypoints the robot accelerates, goes on at its largest speed, and brakes. Points with positions and velocities
/// stand where one of these ends: whoever interpolates them by lines or by cubic polynomials stays on the path.
pub(super) fn trajectory(
    space: &JointSpace,
    plan: &Plan,
    velocity_share: f64,
    acceleration: f64,
) -> Result<(JointTrajectory, Vec<u32>), PlanError> {
    let path: Vec<Vec<f64>> = plan.waypoints.iter().map(|state| space.point(state)).collect();
    let limits =
        MotionLimits::of_space(space, acceleration)?.with_velocity_share(velocity_share)?;
    let timed = TimedPath::new(space, &path, &limits)?;
    let mut trajectory = JointTrajectory {
        joint_names: space.names().map(str::to_owned).collect(),
        ..JointTrajectory::default()
    };
    let mut waypoints = Vec::new();
    let mut last = None;
    for (place, time) in timed.switches().into_iter().enumerate() {
        // The first of each three moments is a stop.
        let waypoint = (place % 3 == 0).then(|| &path[place / 3]);
        let nanoseconds = (time * 1e9).round() as u64;
        // Times of a trajectory have to increase.
        if last != Some(nanoseconds) {
            let state = timed.at(time);
            let at_rest = || vec![0.0; state.velocities.len()];
            trajectory.points.push(JointTrajectoryPoint {
                // The waypoint itself, to the last bit.
                positions: waypoint.map_or(state.positions, Vec::clone),
                velocities: if waypoint.is_some() { at_rest() } else { state.velocities },
                time_from_start: duration_message(time, nanoseconds)?,
                ..JointTrajectoryPoint::default()
            });
            last = Some(nanoseconds);
        }
        if waypoint.is_some() {
            waypoints.push(trajectory.points.len() as u32 - 1);
        }
    }
    Ok((trajectory, waypoints))
}

fn duration_message(seconds: f64, nanoseconds: u64) -> Result<DurationMessage, PlanError> {
    let (field, range) = ("duration of the trajectory, s,", "at most 2147483647");
    let sec = i32::try_from(nanoseconds / 1_000_000_000).map_err(|_| PlanError::BadOption {
        field,
        value: seconds,
        range,
    })?;
    Ok(DurationMessage { sec, nanosec: (nanoseconds % 1_000_000_000) as u32 })
}
