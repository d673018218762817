//! A path, straight in joint space between its waypoints, checked continuously.

use super::question::check_request;
use crate::convert::joints::Columns;
use crate::convert::proximity::proximity_message;
use crate::interfaces::builtin_interfaces::msg::Duration;
use crate::interfaces::msg::Proximity;
use crate::interfaces::srv::{self, CheckMotionRequest, CheckMotionResponse};
use crate::interfaces::trajectory_msgs::msg::JointTrajectory;
use crate::convert::{Refusal, Status};
use crate::node::{Context, Service};
use crate::query::{MotionGoal, MotionOptions, MotionStatus};
use crate::scene::{MotionAnswer, MotionRequest, PlanningScene};

/// `~/check_motion`.
#[derive(Debug, Clone, Copy, Default)]
pub struct CheckMotion;

/// The time of a moment that does not exist, or of a trajectory without times.
const NO_TIME: Duration = Duration { sec: 0, nanosec: 0 };

/// Waypoints, and when they are reached in nanoseconds; no times if the trajectory has none.
struct Path {
    waypoints: Vec<Vec<f64>>,
    times: Vec<i128>,
}

impl Service for CheckMotion {
    type Type = srv::CheckMotion;

    fn handle(
        &self,
        context: &mut Context<'_>,
        request: CheckMotionRequest,
    ) -> Result<CheckMotionResponse, Refusal> {
        let snapshot = context.snapshot()?;
        let scene = &snapshot.scene;
        let path = Path::new(context, scene, &request)?;
        let check = check_request(context, scene, &request.bodies_a, &request.bodies_b)?;
        let goal = if request.closest_approach {
            MotionGoal::ClosestApproach
        } else {
            MotionGoal::FirstContact
        };
        let options = MotionOptions { query: check.query, goal, ..MotionOptions::default() };
        let answer = scene.check_motion(&path.waypoints, &MotionRequest { check, options })?;
        Ok(response(scene, snapshot.revision, &path, &answer))
    }

    fn refuse(&self, refusal: Refusal) -> CheckMotionResponse {
        CheckMotionResponse {
            status: refusal.status as u8,
            message: refusal.message,
            first_contact: -1.0,
            ..CheckMotionResponse::default()
        }
    }

    fn refusal(response: &CheckMotionResponse) -> Option<Refusal> {
        Refusal::of_response(response.status, &response.message)
    }
}

fn response(
    scene: &PlanningScene,
    revision: u64,
    path: &Path,
    answer: &MotionAnswer,
) -> CheckMotionResponse {
    let end = (path.waypoints.len() - 1) as f64;
    let proven = answer.status == MotionStatus::Converged;
    let result = match (proven, answer.first_contact) {
        (true, Some(_)) => CheckMotionResponse::COLLISION,
        (true, None) if answer.free_until >= end => CheckMotionResponse::FREE,
        (true, None) | (false, _) => CheckMotionResponse::UNDECIDED,
    };
    let first_contact = answer.first_contact.filter(|_| proven);
    let closest = match &answer.closest {
        Some(pair) => proximity_message(scene, pair),
        // Its status is NOT_COMPUTED: the numbers mean nothing.
        None => Proximity::default(),
    };
    CheckMotionResponse {
        message: String::new(),
        revision,
        result,
        first_contact: first_contact.unwrap_or(-1.0),
        free_until: answer.free_until,
        closest_time: answer.closest_time,
        lower: answer.lower,
        closest,
        first_contact_time: first_contact.map_or(NO_TIME, |moment| path.time(moment)),
        free_until_time: path.time(answer.free_until),
        closest_time_from_start: path.time(answer.closest_time),
        status: Status::Ok as u8,
    }
}

impl Path {
    fn new(
        context: &Context<'_>,
        scene: &PlanningScene,
        request: &CheckMotionRequest,
    ) -> Result<Self, Refusal> {
        let JointTrajectory { joint_names, points, .. } = &request.trajectory;
        let (count, limit) = (points.len(), context.limits.waypoints);
        if count > limit {
            let reason = format!("trajectory has {count} points, must have at most {limit}");
            return Err(Refusal::bad_request(reason));
        }
        let model = scene.model();
        let columns = Columns::new(model, joint_names)?;
        let mut waypoints = Vec::with_capacity(count + 1);
        let base = if request.start_at_current_state {
            let (now, max_age) = (context.now, context.max_state_age);
            let all = context.joints.current(model, &Columns::default(), now, max_age)?;
            waypoints.push(all.clone());
            all
        } else {
            context.joints.current(model, &columns, context.now, context.max_state_age)?
        };
        for (k, point) in points.iter().enumerate() {
            let place = format!("trajectory.points[{k}]");
            if point.positions.len() != columns.len() {
                let (given, expected) = (point.positions.len(), columns.len());
                let reason = format!("{place} has {given} positions, must have {expected}");
                return Err(Refusal::bad_request(reason));
            }
            let mut positions = base.clone();
            let put = columns.put(model, &point.positions, &mut positions);
            put.map_err(|why| why.within(place))?;
            waypoints.push(positions);
        }
        Ok(Self { times: times(request)?, waypoints })
    }

    /// The time of a moment that is given in waypoints; zero if the trajectory has no times.
    fn time(&self, moment: f64) -> Duration {
        let Some(last) = self.times.len().checked_sub(1) else { return NO_TIME };
        let before = (moment.max(0.0) as usize).min(last);
        let (from, to) = (self.times[before], self.times[(before + 1).min(last)]);
        let share = (moment - before as f64).clamp(0.0, 1.0);
        let nanoseconds = from + ((to - from) as f64 * share).round() as i128;
        let seconds = nanoseconds.div_euclid(1_000_000_000);
        Duration {
            // A nanosec field may hold more than a second: times may be a little beyond what a message can say.
            sec: seconds.clamp(i32::MIN.into(), i32::MAX.into()) as i32,
            nanosec: nanoseconds.rem_euclid(1_000_000_000) as u32,
        }
    }
}

/// When the waypoints are reached, in nanoseconds; nothing if no point has a time.
fn times(request: &CheckMotionRequest) -> Result<Vec<i128>, Refusal> {
    let mut times: Vec<i128> = Vec::with_capacity(request.trajectory.points.len() + 1);
    if request.start_at_current_state {
        times.push(0);
    }
    for (k, point) in request.trajectory.points.iter().enumerate() {
        let Duration { sec, nanosec } = point.time_from_start;
        let time = i128::from(sec) * 1_000_000_000 + i128::from(nanosec);
        if times.last().is_some_and(|&before| time < before) {
            let reason = format!("trajectory.points[{k}].time_from_start is before the one before");
            return Err(Refusal::bad_request(reason));
        }
        times.push(time);
    }
    if times.iter().all(|&time| time == 0) {
        times.clear();
    }
    Ok(times)
}
