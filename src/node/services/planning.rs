//! Shared by the services that plan: a question, its answer, and the trajectory along a proven path.

use std::time::{Duration, Instant};

use crate::convert::Refusal;
use crate::interfaces::builtin_interfaces::msg::Duration as DurationMessage;
use crate::interfaces::trajectory_msgs::msg::{JointTrajectory, JointTrajectoryPoint};
use crate::math::Pose;
use crate::node::Context;
use crate::plan::{
    BlendedPath, JointSpace, LevelsChecker, MotionLimits, Plan, PlanError, PlanOptions, PoseGoal,
    SceneChecker, TimedPath, blend_corners, plan_with, state_for_pose, verify_blended,
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
/// Largest distance of a curve from the corner that it replaces, rad or m, where none is given.
pub(super) const USUAL_BLEND: f64 = 0.1;

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
    /// The same with another model of the robot, which may prove free what the first does not.
    pub finer: Option<PlanningScene>,
    /// All joints if it is empty.
    pub group: String,
    pub start: Vec<f64>,
    pub goal: Goal,
    pub options: PlanOptions,
    /// Largest distance of a curve from the corner that it replaces; zero stops at every waypoint.
    pub blend: f64,
    /// How long it may take.
    pub allowed: Duration,
}

/// A path, and the same around its corners.
pub(super) struct Found {
    pub plan: Plan,
    pub path: BlendedPath,
}

/// How the search ended.
pub(super) enum Ended {
    Proven(Box<Found>),
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

    /// Plans, and checks the certificates of what was found. What the request got wrong is an error.
    pub fn answer(&self, context: &Context<'_>) -> Result<Ended, PlanError> {
        let work = context.planning.begin();
        let end = Instant::now() + self.allowed;
        let stop = || Instant::now() >= end || work.cancelled().is_some();
        match self.search(&stop) {
            Ok(found) => {
                let checked = verify_blended(&self.scenes(), &found.path, &found.plan.certificate);
                checked.expect("a path is returned with certificates that prove it");
                Ok(Ended::Proven(Box::new(found)))
            }
            Err(PlanError::Cancelled) => Ok(match work.cancelled() {
                Some(reason) => Ended::Cancelled { reason },
                None => Ended::TimedOut,
            }),
            Err(error) if error.is_bad_input() => Err(error),
            Err(error) => Ok(Ended::NoPath(error)),
        }
    }

    fn search(&self, stop: &dyn Fn() -> bool) -> Result<Found, PlanError> {
        let (scene, group, start) = (&self.scene, self.group(), &self.start);
        let found;
        let goal = match &self.goal {
            Goal::State(goal) => goal,
            Goal::Pose { link, pose } => {
                let (link, seed) = (link.clone(), self.options.seed);
                let goal = PoseGoal { link, pose: *pose, starts: POSE_STARTS, seed };
                let mut checker = SceneChecker::new(self.finer.as_ref().unwrap_or(scene))?;
                found = state_for_pose(scene, group, start, &goal, &mut checker, stop)?;
                &found
            }
        };
        let options = &self.options;
        let clearance = options.clearance;
        let mut checker = LevelsChecker::keeping(&self.scenes(), clearance, start, goal)?;
        let plan = plan_with(scene, group, start, goal, options, &mut checker, stop)?;
        let (space, constraints) = (self.space()?, &options.constraints);
        let path = blend_corners(&space, &plan, constraints, self.blend, &mut checker, stop)?;
        Ok(Found { plan, path })
    }

    /// The scenes any of which may prove a motion free.
    fn scenes(&self) -> Vec<&PlanningScene> {
        std::iter::once(&self.scene).chain(&self.finer).collect()
    }

    /// The joints that move.
    pub fn space(&self) -> Result<JointSpace, PlanError> {
        JointSpace::new(&self.scene, self.group(), &self.start)
    }
}

/// A trajectory along a path, and which of its points are its waypoints, or the nearest to one that it goes around.
///
/// Points with positions and velocities stand where the acceleration along the path changes: whoever interpolates them by cubic
/// polynomials stays on the path, on its curves to within a millionth of a radian or metre.
pub(super) fn trajectory(
    space: &JointSpace,
    found: &Found,
    velocity_share: f64,
    acceleration: f64,
) -> Result<(JointTrajectory, Vec<u32>), PlanError> {
    let limits =
        MotionLimits::of_space(space, acceleration)?.with_velocity_share(velocity_share)?;
    let timed = TimedPath::blended(space, &found.path, &limits)?;
    let stops = stops(space, &found.path, &timed);
    let mut trajectory = JointTrajectory {
        joint_names: space.names().map(str::to_owned).collect(),
        ..JointTrajectory::default()
    };
    let (mut times, mut last) = (Vec::new(), None);
    for time in timed.switches() {
        let nanoseconds = (time * 1e9).round() as u64;
        // Times of a trajectory have to increase.
        if last == Some(nanoseconds) {
            continue;
        }
        last = Some(nanoseconds);
        let state = timed.at(time);
        // At rest the waypoint itself, to the last bit.
        let stop = stops.iter().find(|(at, _)| *at == time).map(|(_, waypoint)| waypoint);
        let (rest, rates) =
            (vec![0.0; space.dimension()], space.number_rates(&state.positions, &state.velocities));
        trajectory.points.push(JointTrajectoryPoint {
            positions: stop.map_or(state.positions, Vec::clone),
            velocities: if stop.is_some() { rest } else { rates },
            time_from_start: duration_message(time, nanoseconds)?,
            ..JointTrajectoryPoint::default()
        });
        times.push(time);
    }
    // Of waypoints at the same time there is one point.
    let place = |time: &f64| times.partition_point(|other| other <= time).max(1) as u32 - 1;
    Ok((trajectory, timed.passes().iter().map(place).collect()))
}

/// The waypoints at which the robot stops, and when.
fn stops(space: &JointSpace, path: &BlendedPath, timed: &TimedPath) -> Vec<(f64, Vec<f64>)> {
    let is_curve = |place: usize| path.blends.iter().any(|blend| blend.waypoint == place);
    let all = timed.passes().iter().zip(&path.waypoints).enumerate();
    let stops = all.filter(|(place, _)| !is_curve(*place));
    stops.map(|(_, (time, state))| (*time, space.point(state))).collect()
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
