//! What a service is to the node.

use std::sync::Arc;

use super::joint_monitor::JointMonitor;
use super::limits::Limits;
use super::refusal::Refusal;
use crate::interfaces::Message;
use crate::interfaces::sensor_msgs::msg::JointState;
use crate::query::QueryOptions;
use crate::scene::{SceneStore, Snapshot, Workspace};

/// What a service may look at and change while it answers one request.
#[derive(Debug)]
pub struct Context<'a> {
    /// The scene.
    pub store: &'a SceneStore,
    /// The current state.
    pub joints: &'a JointMonitor,
    /// The time, in nanoseconds of the node's clock.
    pub now: i64,
    /// How old a joint position may be, in nanoseconds.
    pub max_state_age: i64,
    /// How much may be asked for.
    pub limits: &'a Limits,
    /// Tolerances of queries; its depth mode is for requests that do not choose one.
    pub query: &'a QueryOptions,
    /// Buffers and warm starts of the thread that answers.
    pub workspace: &'a mut Workspace,
}

impl Context<'_> {
    /// The scene as it is now.
    pub fn snapshot(&self) -> Result<Arc<Snapshot>, Refusal> {
        Ok(self.store.snapshot()?)
    }

    /// All positions of the robot: the given ones, and the current ones for joints that are not named.
    pub fn positions(&self, snapshot: &Snapshot, given: &JointState) -> Result<Vec<f64>, Refusal> {
        self.joints.positions(&snapshot.scene, given, self.now, self.max_state_age)
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

/// One kind of question. Implementations are pure but for the store they may change.
pub trait Service: Send + Sync + 'static {
    /// What is asked.
    type Request: Message;
    /// What is answered.
    type Response: Message;
    /// Relative or private ROS name, such as `~/get_distance`.
    const NAME: &'static str;
    /// Type, such as `smooth_scene/srv/GetDistance`.
    const TYPE: &'static str;
    /// How long an answer may take.
    const EFFORT: Effort = Effort::Short;

    /// Answers, or says why not.
    fn handle(
        &self,
        context: &mut Context<'_>,
        request: Self::Request,
    ) -> Result<Self::Response, Refusal>;

    /// The response that says why there is no answer; it never looks like "free".
    fn refuse(&self, refusal: Refusal) -> Self::Response;
}
