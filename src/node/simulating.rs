//! What a simulation moves: the joints of the node, which are published, and the objects of its scene.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use super::clock::to_message;
use super::core::Core;
use super::scene_node::{SceneNode, StartError};
use super::simulator::SimulatorLinks;
use super::topics::TopicPublisher;
use super::topics::table::SIMULATED_JOINT_STATES;
use crate::convert::Refusal;
use crate::dynamics::{OnFrame, PlayFrame, SceneSimulation};
use crate::interfaces::sensor_msgs::msg::JointState;
use crate::math::Pose;
use crate::scene::{NoRobot, SceneError, Snapshot, WorldChange};

impl SceneNode {
    /// Lets a simulation move this node.
    pub(super) fn link_simulator(&self) -> Result<(), StartError> {
        let publisher = Arc::new(SIMULATED_JOINT_STATES.advertise(&*self.transport)?);
        let descriptions = Arc::clone(&self.descriptions);
        // Weak: the node owns the simulation, not the other way round.
        let core = Arc::downgrade(&self.core);
        let on_frame = move |snapshot: &Arc<Snapshot>| -> OnFrame {
            let mut moved = Moved {
                core: Weak::clone(&core),
                publisher: Arc::clone(&publisher),
                robot: snapshot.robot,
                names: snapshot.scene.model().variable_names().to_vec(),
                objects: HashMap::new(),
            };
            Box::new(move |simulation: &SceneSimulation, _: &PlayFrame| moved.take(simulation))
        };
        self.core.simulator.link(SimulatorLinks {
            physics: Box::new(move || descriptions.physics().map_err(Refusal::failed)),
            on_frame: Box::new(on_frame),
        });
        Ok(())
    }
}

/// What a simulation has moved so far.
struct Moved {
    core: Weak<Core>,
    publisher: Arc<TopicPublisher<JointState>>,
    robot: u64,
    names: Vec<String>,
    /// Where the objects were put last.
    objects: HashMap<String, Pose>,
}

/// Why objects were not moved.
#[derive(Debug, thiserror::Error)]
enum NotMoved {
    #[error(transparent)]
    NoRobot(#[from] NoRobot),
    #[error(transparent)]
    Scene(#[from] SceneError),
    #[error("there is another robot")]
    AnotherRobot,
}

impl Moved {
    /// Takes over a frame, or says why the simulation has to end.
    fn take(&mut self, simulation: &SceneSimulation) -> Result<(), String> {
        let core = self.core.upgrade().ok_or("the node is gone")?;
        core.lifecycle.check_active().map_err(|refusal| refusal.message)?;
        self.move_objects(&core, simulation).map_err(|error| error.to_string())?;
        let now = core.clock.now();
        let state = simulation.simulation().state();
        let mut message = JointState {
            name: self.names.clone(),
            position: state.positions.clone(),
            ..JointState::default()
        };
        // Velocities of floating joints have other names than their positions.
        if state.velocities.len() == state.positions.len() {
            message.velocity.clone_from(&state.velocities);
        }
        message.header.stamp = to_message(now);
        core.joints.update(&message, now).map_err(|refusal| refusal.message)?;
        core.changed.ring();
        if let Err(error) = self.publisher.publish(&message) {
            tracing::debug!("simulated_joint_states not published: {error}");
        }
        Ok(())
    }

    fn move_objects(&mut self, core: &Core, simulation: &SceneSimulation) -> Result<(), NotMoved> {
        let moved: Vec<(String, Pose)> = simulation
            .object_poses()
            .filter(|(name, pose)| self.objects.get(*name) != Some(pose))
            .map(|(name, pose)| (name.to_owned(), pose))
            .collect();
        if core.store.snapshot()?.robot != self.robot {
            return Err(NotMoved::AnotherRobot);
        }
        if moved.is_empty() {
            return Ok(());
        }
        core.store.change(|scene| -> Result<(), NotMoved> {
            for (name, pose) in &moved {
                scene.apply(WorldChange::Move { name: name.clone(), pose: *pose })?;
            }
            Ok(())
        })?;
        self.objects.extend(moved);
        Ok(())
    }
}
