//! What the node listens to: joint states, robot descriptions, changes of the scene, the clock.

use std::sync::Arc;
use std::time::Duration;

use super::clock::Step;
use super::descriptions::Part;
use super::log::Throttle;
use super::parameters::Settings;
use super::refusal::Refusal;
use super::scene_node::{SceneNode, StartError};
use super::threads::Turn;
use super::topics::{on_attached_collision_object, on_collision_object, on_planning_scene};
use crate::bell::Woken;
use crate::cdr;
use crate::interfaces::sensor_msgs::msg::JointState;
use crate::interfaces::{rosgraph_msgs, std_msgs};
use crate::scene::Workspace;
use crate::transport::{Qos, TransportError};

/// How long a thread waits at most before it looks round.
const LONG: Duration = Duration::from_secs(3600);
/// Nanoseconds. Messages of `/clock` that overtake each other on the way, or come from two who are not quite agreed, go
/// back by less; then ages are wrong by no more than that.
const JUMP: i64 = 100_000_000;

impl SceneNode {
    pub(super) fn listen_to_joint_states(&self) -> Result<(), TransportError> {
        let core = Arc::clone(&self.core);
        let count = core.counters.topic("joint_states");
        let throttle = Throttle::default();
        self.transport.subscribe(
            "joint_states",
            "sensor_msgs/msg/JointState",
            Qos::best_effort(10),
            Box::new(move |bytes| {
                count.receive();
                let decoded = cdr::decode::<JointState>(bytes).map_err(Refusal::bad_request);
                let now = core.clock.now();
                match decoded.and_then(|message| core.joints.update(&message, now)) {
                    Ok(()) => core.changed.ring(),
                    Err(refusal) => {
                        count.refuse();
                        if let Some(more) = throttle.admit() {
                            tracing::warn!("joint_states: message refused: {refusal}{more}");
                        }
                    }
                }
            }),
        )
    }

    pub(super) fn listen_to_descriptions(&self) -> Result<(), StartError> {
        for part in Part::ALL {
            let (core, descriptions) = (Arc::clone(&self.core), Arc::clone(&self.descriptions));
            let count = core.counters.topic(part.name());
            self.transport.subscribe(
                part.name(),
                "std_msgs/msg/String",
                Qos::latched(1),
                Box::new(move |bytes| {
                    count.receive();
                    match cdr::decode::<std_msgs::msg::String>(bytes) {
                        Ok(message) => descriptions.hear(part, &message.data),
                        Err(error) => {
                            count.refuse();
                            tracing::warn!("{}: message refused: {error}", part.name());
                        }
                    }
                }),
            )?;
        }
        let (core, descriptions) = (Arc::clone(&self.core), Arc::clone(&self.descriptions));
        let mut seen = 0;
        self.threads.start("descriptions", move || {
            match descriptions.came.wait(seen, LONG) {
                Woken::Rung(rings) => seen = rings,
                Woken::TimedOut => return Turn::Again,
                Woken::Closed => return Turn::Last,
            }
            // A refusal is logged and kept where it is found.
            if let Ok(true) = descriptions.read_heard() {
                core.changed.ring();
            }
            Turn::Again
        })?;
        Ok(())
    }

    pub(super) fn listen_to_changes(&self) -> Result<(), StartError> {
        let (changes, core, transport) = (&self.changes, &self.core, &*self.transport);
        let type_name = "moveit_msgs/msg/PlanningScene";
        changes.listen(core, transport, "planning_scene", type_name, on_planning_scene)?;
        let type_name = "moveit_msgs/msg/CollisionObject";
        changes.listen(core, transport, "collision_object", type_name, on_collision_object)?;
        let (topic, type_name) =
            ("attached_collision_object", "moveit_msgs/msg/AttachedCollisionObject");
        changes.listen(core, transport, topic, type_name, on_attached_collision_object)?;
        let changes = Arc::clone(changes);
        let (mut seen, mut workspace) = (0, Workspace::cold());
        let turn = move || changes.turn(&mut seen, &mut workspace);
        Ok(self.threads.start("changes", turn)?)
    }

    /// `/clock` is listened to from the beginning, so that `use_sim_time` can be set at any time. Best effort meets
    /// publishers of either kind.
    pub(super) fn listen_to_clock(&self, settings: &Settings) -> Result<(), TransportError> {
        self.core.clock.set_simulated(settings.use_sim_time);
        let core = Arc::clone(&self.core);
        self.transport.subscribe(
            "/clock",
            "rosgraph_msgs/msg/Clock",
            Qos::best_effort(1),
            Box::new(move |bytes| {
                let Ok(message) = cdr::decode::<rosgraph_msgs::msg::Clock>(bytes) else { return };
                let step = core.clock.hear(&message);
                let Step::Back { by } = step else { return };
                if core.clock.is_simulated() && by > JUMP {
                    let seconds = by as f64 / 1e9;
                    tracing::warn!(
                        "the clock jumped back by {seconds} s: joint states are forgotten"
                    );
                    core.joints.forget();
                    core.changed.ring();
                }
            }),
        )
    }
}
