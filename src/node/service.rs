//! What a service is, and what it may use.

use std::sync::Arc;

use super::cancellation::Cancellation;
use super::joint_monitor::JointMonitor;
use super::second_model::SecondModel;
use super::simulator::Simulator;
use crate::convert::frames::{Frames, LazyPoses};
use crate::convert::{Limits, Refusal};
use crate::interfaces::ServiceType;
use crate::interfaces::sensor_msgs::msg::JointState;
use crate::query::QueryOptions;
use crate::robot::forward_kinematics;
use crate::scene::{PlanningScene, SceneStore, Snapshot, Workspace};
use crate::transforms::Transforms;

/// What a service may read and change while it answers one request.
#[derive(Debug)]
pub struct Context<'a> {
    /// The scene.
    pub store: &'a SceneStore,
    /// Another model of the robot, for planning.
    pub second_model: &'a SecondModel,
    /// The current state.
    pub joints: &'a JointMonitor,
    /// Frames of others.
    pub transforms: &'a Transforms,
    /// The time, in nanoseconds of the node's clock.
    pub now: i64,
    /// How old a joint position may be, in nanoseconds.
    pub max_state_age: i64,
    /// How much may be asked for.
    pub limits: &'a Limits,
    /// Tolerances of queries; its depth mode is for requests that do not choose one.
    pub query: &'a QueryOptions,
    /// Planning that is under way.
    pub planning: &'a Cancellation,
    /// Other long work that is under way and ends with the node: fits to point clouds, grasps.
    pub fitting: &'a Cancellation,
    /// What moves the scene.
    pub simulator: &'a Simulator,
    /// Buffers and warm starts of the thread that answers.
    pub workspace: &'a mut Workspace,
}

impl Context<'_> {
    /// The scene as it is now.
    pub fn snapshot(&self) -> Result<Arc<Snapshot>, Refusal> {
        Ok(self.store.snapshot()?)
    }

    /// Where the links are with these joints where they are said to be and all others where they are now; or why that
    /// is not known.
    pub fn link_poses<'b>(&'b self, scene: &PlanningScene, given: &'b JointState) -> LazyPoses<'b> {
        let model = Arc::clone(scene.model());
        LazyPoses::new(move || {
            let positions = self.joints.positions(&model, given, self.now, self.max_state_age)?;
            forward_kinematics(&model, &positions).map_err(Refusal::bad_request)
        })
    }

    /// Where frames are when the links are there.
    pub fn frames<'b>(&'b self, poses: &'b LazyPoses<'b>) -> Frames<'b> {
        Frames { poses, transforms: self.transforms }
    }

    /// All positions of the robot: the given ones, and the current ones for joints that are not named.
    pub fn positions(&self, snapshot: &Snapshot, given: &JointState) -> Result<Vec<f64>, Refusal> {
        self.joints.positions(snapshot.scene.model(), given, self.now, self.max_state_age)
    }
}

/// How long an answer may take: long ones never occupy all threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// One state, or a change of the scene.
    Short,
    /// Many states, or a motion.
    Long,
}

/// When a managed node answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Availability {
    /// While it is active.
    Active,
    /// In every state.
    Always,
}

/// How a service is offered: a row of the table in [`services`](super::services).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Endpoint {
    /// ROS name: private, such as `~/get_distance`, or relative.
    pub name: &'static str,
    /// How long an answer may take.
    pub effort: Effort,
    /// What it does, in a few words.
    pub help: &'static str,
}

/// Answers the requests of one service type. Implementations are pure but for the store they may change.
pub trait Service: Send + Sync + 'static {
    /// The service type.
    type Type: ServiceType;
    /// When a managed node answers.
    const AVAILABILITY: Availability = Availability::Active;

    /// Answers, or says why not.
    fn handle(
        &self,
        context: &mut Context<'_>,
        request: Request<Self>,
    ) -> Result<Response<Self>, Refusal>;

    /// The response that says why there is no answer; it never looks like "free".
    fn refuse(&self, refusal: Refusal) -> Response<Self>;

    /// Why a response says that the request was not carried out; none if it was, or if the type cannot say so.
    fn refusal(response: &Response<Self>) -> Option<Refusal>;
}

/// What a service is asked.
pub type Request<S> = <<S as Service>::Type as ServiceType>::Request;
/// What a service answers.
pub type Response<S> = <<S as Service>::Type as ServiceType>::Response;
