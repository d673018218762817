//! `monitored_planning_scene`: the scene as MoveIt's tools show it. In full after a change or for a new subscriber;
//! otherwise, while the robot moves, the state alone, as a diff.

use std::sync::Arc;
use std::time::Duration;

use super::clock::to_message;
use super::core::Core;
use super::log::Throttle;
use super::threads::Turn;
use super::topics::TopicPublisher;
use super::topics::table::MONITORED_PLANNING_SCENE;
use crate::bell::Woken;
use crate::convert::moveit::scene::scene_message;
use crate::interfaces::moveit_msgs::msg::{PlanningScene as SceneMessage, PlanningSceneComponents};
use crate::interfaces::sensor_msgs::msg::JointState;
use crate::transport::{Transport, TransportError};

/// How often to check for new subscribers while nothing changes.
const IDLE: Duration = Duration::from_millis(200);

/// Publishes the scene on a thread of its own, however large it is.
pub(super) struct ScenePublisher {
    core: Arc<Core>,
    publisher: TopicPublisher<SceneMessage>,
    subscribers: usize,
    /// Rings of the bell that were handled.
    seen: u64,
    /// The revision and the state that were published last.
    published: Option<(u64, JointState)>,
    throttle: Throttle,
}

impl ScenePublisher {
    pub fn new(core: Arc<Core>, transport: &dyn Transport) -> Result<Self, TransportError> {
        let publisher = MONITORED_PLANNING_SCENE.advertise(transport)?;
        let throttle = Throttle::default();
        Ok(Self { core, publisher, subscribers: 0, seen: 0, published: None, throttle })
    }

    /// Waits for a change or a subscriber, publishes, and sleeps for the rest of the period.
    pub fn turn(&mut self) -> Turn {
        match self.core.changed.wait(self.seen, IDLE) {
            Woken::Rung(rings) => self.seen = rings,
            Woken::TimedOut => {}
            Woken::Closed => return Turn::Last,
        }
        let before = std::mem::replace(&mut self.subscribers, self.publisher.subscribers());
        if self.subscribers > before {
            self.published = None;
        }
        if self.subscribers > 0 && self.core.lifecycle.is_active() {
            self.publish();
        }
        let period = self.core.parameters.settings().scene_publish_period();
        if self.core.changed.sleep(period) { Turn::Again } else { Turn::Last }
    }

    fn publish(&mut self) {
        let Ok(snapshot) = self.core.store.snapshot() else { return };
        let settings = self.core.parameters.settings();
        let (scene, now) = (&snapshot.scene, self.core.clock.now());
        let state = self.core.joints.known(scene.model(), now, settings.max_state_age_ns());
        let moved_only = match &self.published {
            Some((revision, before)) if *revision == snapshot.revision => {
                if *before == state {
                    return;
                }
                true
            }
            Some(_) | None => false,
        };
        let wanted = if moved_only { PlanningSceneComponents::ROBOT_STATE } else { 0 };
        match scene_message(scene, &state, wanted, settings.limits.message_bytes) {
            Ok(message) => {
                self.send(message, moved_only, now);
                self.published = Some((snapshot.revision, state));
            }
            Err(refusal) => {
                if let Some(more) = self.throttle.admit() {
                    tracing::warn!("monitored_planning_scene not published: {refusal}{more}");
                }
            }
        }
    }

    fn send(&self, mut message: SceneMessage, is_difference: bool, now: i64) {
        message.is_diff = is_difference;
        message.robot_state.is_diff = is_difference;
        message.robot_state.joint_state.header.stamp = to_message(now);
        if let Err(error) = self.publisher.publish(&message) {
            tracing::debug!("monitored_planning_scene not published: {error}");
        }
    }
}
