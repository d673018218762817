//! What the node subscribes to: joint states, robot descriptions, changes of the scene, the clock.

use std::sync::Arc;
use std::time::Duration;

use super::clock::Step;
use super::descriptions::Part;
use super::log::Throttle;
use super::parameters::Settings;
use super::scene_node::{SceneNode, StartError};
use super::threads::Turn;
use super::topics::table::{
    ATTACHED_COLLISION_OBJECT, CLOCK, COLLISION_OBJECT, JOINT_STATES, PLANNING_SCENE,
    PLANNING_SCENE_WORLD,
};
use super::topics::{
    on_attached_collision_object, on_collision_object, on_planning_scene, on_planning_scene_world,
};
use crate::bell::Woken;
use crate::convert::Refusal;
use crate::scene::Workspace;
use crate::transport::TransportError;

/// How long a thread waits at most before it checks again.
const LONG: Duration = Duration::from_secs(3600);
/// Nanoseconds. Messages of `/clock` that arrive out of order, or come from two publishers that differ a little, go back
/// by less; then ages are wrong by no more than that.
const JUMP: i64 = 100_000_000;

impl SceneNode {
    pub(super) fn subscribe_to_joint_states(&self) -> Result<(), TransportError> {
        let core = Arc::clone(&self.core);
        let count = core.counters.topic(JOINT_STATES.name);
        let throttle = Throttle::default();
        JOINT_STATES.subscribe(&*self.transport, move |decoded| {
            count.receive();
            // A simulation says where the joints are.
            if core.simulator.moves_joints() {
                return;
            }
            let now = core.clock.now();
            let decoded = decoded.map_err(Refusal::bad_request);
            match decoded.and_then(|message| core.joints.update(&message, now)) {
                Ok(()) => core.changed.ring(),
                Err(refusal) => {
                    count.refuse();
                    if let Some(more) = throttle.admit() {
                        tracing::warn!("joint_states: message refused: {refusal}{more}");
                    }
                }
            }
        })
    }

    pub(super) fn subscribe_to_descriptions(&self) -> Result<(), StartError> {
        for part in Part::ALL {
            let (core, descriptions) = (Arc::clone(&self.core), Arc::clone(&self.descriptions));
            let count = core.counters.topic(part.topic().name);
            part.topic().subscribe(&*self.transport, move |decoded| {
                count.receive();
                match decoded {
                    Ok(message) => descriptions.on_text(part, &message.data),
                    Err(error) => {
                        count.refuse();
                        tracing::warn!("{}: message refused: {error}", part.name());
                    }
                }
            })?;
        }
        let (core, descriptions) = (Arc::clone(&self.core), Arc::clone(&self.descriptions));
        let mut seen = 0;
        self.threads.start("descriptions", move || {
            match descriptions.updated.wait(seen, LONG) {
                Woken::Rung(rings) => seen = rings,
                Woken::TimedOut => return Turn::Again,
                Woken::Closed => return Turn::Last,
            }
            // A refusal is logged and kept where it is found.
            if let Ok(true) = descriptions.read_received() {
                core.changed.ring()
            }
            Turn::Again
        })?;
        Ok(())
    }

    pub(super) fn subscribe_to_changes(&self) -> Result<(), StartError> {
        let (changes, core, transport) = (&self.changes, &self.core, &*self.transport);
        changes.subscribe(core, transport, &PLANNING_SCENE, on_planning_scene)?;
        changes.subscribe(core, transport, &PLANNING_SCENE_WORLD, on_planning_scene_world)?;
        changes.subscribe(core, transport, &COLLISION_OBJECT, on_collision_object)?;
        let attached = &ATTACHED_COLLISION_OBJECT;
        changes.subscribe(core, transport, attached, on_attached_collision_object)?;
        let changes = Arc::clone(changes);
        let (mut seen, mut workspace) = (0, Workspace::cold());
        let turn = move || changes.turn(&mut seen, &mut workspace);
        Ok(self.threads.start("changes", turn)?)
    }

    /// Subscribes to `/clock` from the beginning, so that `use_sim_time` can be set at any time.
    pub(super) fn subscribe_to_clock(&self, settings: &Settings) -> Result<(), TransportError> {
        self.core.clock.set_simulated(settings.use_sim_time);
        let core = Arc::clone(&self.core);
        let count = core.counters.topic(CLOCK.name);
        let throttle = Throttle::default();
        CLOCK.subscribe(&*self.transport, move |decoded| {
            count.receive();
            let message = match decoded {
                Ok(message) => message,
                Err(error) => {
                    count.refuse();
                    if let Some(more) = throttle.admit() {
                        tracing::warn!("/clock: message refused: {error}{more}");
                    }
                    return;
                }
            };
            match core.clock.on_message(&message) {
                Step::Back { by } if core.clock.is_simulated() && by > JUMP => {
                    let seconds = by as f64 / 1e9;
                    tracing::warn!(
                        "the clock jumped back by {seconds} s: joint states and moving frames are forgotten"
                    );
                    core.joints.forget();
                    core.transforms.buffer().forget_moving();
                    core.changed.ring();
                }
                Step::Back { .. } | Step::Forward => {}
            }
        })
    }
}
