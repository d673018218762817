//! A robot in its scene as a recording: joint states, transforms of links and objects, the description and the markers.

use super::joint_state::{joint_state, stamp};
use super::recording::{START, link_transforms, time_after, transforms_at};
use crate::bag::{BagError, BagWriter, RecordedTopic};
use crate::cdr;
use crate::convert::pose::transform_message;
use crate::interfaces::std_msgs::msg::String as Text;
use crate::markers::{MarkerBuilder, View};
use crate::math::Pose;
use crate::node::parameters::Settings;
use crate::robot::{RobotState, StateError};
use crate::scene::{PlanningScene, SceneError, Snapshot, WorldChange};
use std::path::Path;

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

/// Why something was not recorded.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RecordingFailure {
    #[error("--record: {0}")]
    Bag(#[from] BagError),
    #[error(transparent)]
    State(#[from] StateError),
    #[error(transparent)]
    Scene(#[from] SceneError),
}

/// A recording that grows with a motion.
pub(crate) struct SceneRecorder {
    bag: BagWriter,
    snapshot: Snapshot,
    markers: MarkerBuilder,
    settings: Settings,
}

/// The state of a robot and of what is around it.
pub(crate) struct Moment<'a> {
    /// Since the beginning, s.
    pub time: f64,
    pub state: &'a RobotState,
    /// As many as positions, or none at all.
    pub velocities: &'a [f64],
    /// Objects of the world that have moved.
    pub objects: &'a [(String, Pose)],
}

impl SceneRecorder {
    pub fn new(folder: &Path, urdf: &str, scene: &PlanningScene) -> Result<Self, RecordingFailure> {
        let topics = TOPICS.map(|(name, kind, latched)| RecordedTopic::new(name, kind, latched));
        let topics = topics.into_iter().collect::<Result<_, _>>()?;
        let mut bag = BagWriter::create(folder, topics)?;
        let text = cdr::encode(&Text { data: urdf.to_owned() });
        bag.write(DESCRIPTION, START, &text)?;
        let snapshot = Snapshot { scene: scene.clone(), revision: 0, robot: 0 };
        let (markers, settings) = (MarkerBuilder::default(), Settings::default());
        Ok(Self { bag, snapshot, markers, settings })
    }

    /// Adds a moment.
    pub fn add(&mut self, moment: &Moment) -> Result<(), RecordingFailure> {
        let Moment { state, velocities, objects, .. } = moment;
        let time = time_after(moment.time);
        let mut message = joint_state(state, stamp(time));
        message.velocity = velocities.to_vec();
        self.bag.write(JOINT_STATES, time, &cdr::encode(&message))?;

        let model = state.model();
        let root = &model.link(model.root()).name;
        let mut transforms = link_transforms(state)?;
        for (name, pose) in *objects {
            transforms.push(transform_message(root, name, pose));
            let (name, pose) = (name.clone(), *pose);
            self.snapshot.scene.apply(WorldChange::Move { name, pose })?;
        }
        self.bag.write(TRANSFORMS, time, &cdr::encode(&transforms_at(transforms, time)))?;

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
    pub fn finish(self) -> Result<(), RecordingFailure> {
        Ok(self.bag.finish()?)
    }
}
