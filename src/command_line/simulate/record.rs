//! A simulation as a recording: joint states, transforms of links and objects, the description and the markers.

use super::failure::SimulateFailure;
use crate::bag::{BagWriter, RecordedTopic};
use crate::cdr;
use crate::command_line::joint_state::{joint_state, stamp};
use crate::convert::pose::transform_message;
use crate::dynamics::Simulation;
use crate::interfaces::std_msgs::msg::String as Text;
use crate::interfaces::tf2_msgs::msg::TFMessage;
use crate::markers::{MarkerBuilder, View};
use crate::node::parameters::Settings;
use crate::robot::{RobotModel, RobotState};
use crate::scene::{PlanningScene, Snapshot, WorldChange};
use std::path::Path;
use std::sync::Arc;

/// Time of the first message, ns since the epoch: the start of 2026, so that the same run gives the same recording.
const START: i64 = 1_767_225_600_000_000_000;

const JOINT_STATES: usize = 0;
const TRANSFORMS: usize = 1;
const DESCRIPTION: usize = 2;
const MARKERS: usize = 3;
const TOPICS: [(&str, &str, bool); 4] = [
    ("/joint_states", "sensor_msgs/msg/JointState", false),
    ("/tf", "tf2_msgs/msg/TFMessage", false),
    ("/robot_description", "std_msgs/msg/String", true),
    ("/scene_node/markers", "visualization_msgs/msg/MarkerArray", true),
];

/// A recording that grows with the simulation.
pub(crate) struct Recorder {
    bag: BagWriter,
    snapshot: Snapshot,
    markers: MarkerBuilder,
    settings: Settings,
}

impl Recorder {
    pub fn new(folder: &Path, urdf: &str, scene: &PlanningScene) -> Result<Self, SimulateFailure> {
        let topics = TOPICS.map(|(name, kind, latched)| RecordedTopic::new(name, kind, latched));
        let topics = topics.into_iter().collect::<Result<_, _>>()?;
        let mut bag = BagWriter::create(folder, topics)?;
        let text = cdr::encode(&Text { data: urdf.to_owned() });
        bag.write(DESCRIPTION, START, &text)?;
        let snapshot = Snapshot { scene: scene.clone(), revision: 0, robot: 0 };
        let (markers, settings) = (MarkerBuilder::default(), Settings::default());
        Ok(Self { bag, snapshot, markers, settings })
    }

    /// Adds the state that the simulation is in.
    pub fn add(
        &mut self,
        simulation: &Simulation,
        model: &Arc<RobotModel>,
    ) -> Result<(), SimulateFailure> {
        let time = START + (simulation.time() * 1e9).round() as i64;
        let now = simulation.state();
        let state = RobotState::at(model.clone(), now.positions.clone())?;
        let mut message = joint_state(&state, stamp(time));
        // A floating joint has one velocity less than positions; then there is none to name.
        if now.velocities.len() == now.positions.len() {
            message.velocity = now.velocities.clone();
        }
        self.bag.write(JOINT_STATES, time, &cdr::encode(&message))?;

        let root = &model.link(model.root()).name;
        let poses = state.link_poses()?;
        let mut transforms = Vec::new();
        for id in model.link_ids() {
            let Some(parent) = model.parent_link(id) else { continue };
            let pose = poses[parent].inv_mul(&poses[id]);
            transforms.push(transform_message(
                &model.link(parent).name,
                &model.link(id).name,
                &pose,
            ));
        }
        for (body, at) in simulation.system().bodies().iter().zip(&now.bodies) {
            let pose = body.pose(at);
            transforms.push(transform_message(root, &body.name, &pose));
            let name = body.name.clone();
            self.snapshot.scene.apply(WorldChange::Move { name, pose })?;
        }
        transforms.iter_mut().for_each(|transform| transform.header.stamp = stamp(time));
        self.bag.write(TRANSFORMS, time, &cdr::encode(&TFMessage { transforms }))?;

        self.snapshot.revision += 1;
        let view = View {
            snapshot: &self.snapshot,
            proximities: &[],
            close_distance: self.settings.close_distance,
            switches: self.settings.markers,
            stamp: &stamp(time),
        };
        for piece in self.markers.build(&view) {
            self.bag.write(MARKERS, time, &cdr::encode(&piece))?;
        }
        Ok(())
    }

    /// Completes the recording.
    pub fn finish(self) -> Result<(), SimulateFailure> {
        Ok(self.bag.finish()?)
    }
}
