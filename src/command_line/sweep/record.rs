//! A movement as a recording: joint states, the descriptions, transforms, the nearest pairs and the markers.

use super::failure::Failure;
use super::measure::Stopped;
use super::movement::Movement;
use super::robots::Robot;
use crate::bag::{BagWriter, RecordedTopic};
use crate::cdr;
use crate::command_line::joint_state::{joint_state, stamp};
use crate::command_line::progress::Progress;
use crate::command_line::recording::{START, link_transforms, time_after, transforms_at};
use crate::convert::proximity::proximity_message;
use crate::interfaces::msg::ProximityArray;
use crate::interfaces::std_msgs::msg::{Header, String as Text};
use crate::markers::{MarkerBuilder, View};
use crate::node::parameters::Settings;
use crate::scene::{NearestRequest, PlanningScene, Snapshot, Workspace};
use std::path::Path;

/// Pairs farther apart are left out, in metres.
const NEAR: f64 = 0.02;
/// Pairs of a state, at most.
const MOST_PAIRS: usize = 20;

const JOINT_STATES: usize = 0;
const DESCRIPTION: usize = 1;
const TRANSFORMS: usize = 2;
const PROXIMITIES: usize = 3;
const MARKERS: usize = 4;
const OTHERS: usize = 5;

/// Writes the recording to a new folder; how many states are in it. When interrupted it ends after the
/// current state and is a valid recording up to there.
pub(crate) fn write(
    folder: &Path,
    robot: &Robot,
    movement: &Movement,
    stopped: Stopped,
) -> Result<usize, Failure> {
    let refused = |e: crate::bag::BagError| Failure::Other(e.to_string());
    // Without them the pairs that may touch would be lost.
    let others = [
        ("/robot_description_semantic", robot.srdf.as_deref().unwrap_or_default()),
        ("/robot_description_scs", &robot.surfaces),
    ];
    let others: Vec<_> = others.into_iter().filter(|(_, text)| !text.is_empty()).collect();
    let topics = [
        ("/joint_states", "sensor_msgs/msg/JointState", false),
        ("/robot_description", "std_msgs/msg/String", true),
        ("/tf", "tf2_msgs/msg/TFMessage", false),
        ("/scene_node/proximities", "smooth_scene/msg/ProximityArray", false),
        ("/scene_node/markers", "visualization_msgs/msg/MarkerArray", true),
    ];
    let topics = topics
        .into_iter()
        .chain(others.iter().map(|(name, _)| (*name, "std_msgs/msg/String", true)))
        .map(|(name, kind, latched)| RecordedTopic::new(name, kind, latched));
    let mut bag = BagWriter::create(folder, topics.collect::<Result<_, _>>().map_err(refused)?)
        .map_err(refused)?;
    let text = cdr::encode(&Text { data: robot.urdf.clone() });
    bag.write(DESCRIPTION, START, &text).map_err(refused)?;
    for (k, (_, text)) in others.into_iter().enumerate() {
        let text = cdr::encode(&Text { data: text.into() });
        bag.write(OTHERS + k, START, &text).map_err(refused)?;
    }
    let model = robot.model();
    let root = &model.link(model.root()).name;
    let request =
        NearestRequest { max_distance: NEAR, max_results: MOST_PAIRS, ..NearestRequest::default() };
    let (mut ws, mut near) = (Workspace::cold(), Vec::new());
    let scene = PlanningScene::clone(&robot.scene);
    let snapshot = Snapshot { scene, revision: 0, robot: 0 };
    let (settings, mut markers) = (Settings::default(), MarkerBuilder::default());
    let mut progress = Progress::new(Some(movement.states.len() as u64));
    let mut written = 0;
    for (state, seconds) in movement.states.iter().zip(&movement.times) {
        if stopped() {
            break;
        }
        progress.update(written as u64, "states");
        written += 1;
        let time = time_after(*seconds);
        let message = joint_state(state, stamp(time));
        bag.write(JOINT_STATES, time, &cdr::encode(&message)).map_err(refused)?;

        let transforms = link_transforms(state).map_err(|e| Failure::State(e.to_string()))?;
        let message = cdr::encode(&transforms_at(transforms, time));
        bag.write(TRANSFORMS, time, &message).map_err(refused)?;

        let scene = &robot.scene;
        scene
            .nearest(state.positions(), &request, &mut ws, &mut near)
            .map_err(|e| Failure::State(e.to_string()))?;
        let contact = near.iter().any(|pair| pair.is_contact());
        let array = ProximityArray {
            header: Header { stamp: stamp(time), frame_id: root.clone() },
            status: if contact { ProximityArray::COLLISION } else { ProximityArray::FREE },
            message: String::new(),
            revision: 0,
            proximities: near.iter().map(|pair| proximity_message(scene, pair)).collect(),
        };
        bag.write(PROXIMITIES, time, &cdr::encode(&array)).map_err(refused)?;

        let view = View {
            snapshot: &snapshot,
            proximities: &near,
            close_distance: settings.close_distance,
            switches: settings.markers,
            stamp: &stamp(time),
        };
        for piece in markers.build(&view) {
            bag.write(MARKERS, time, &cdr::encode(&piece)).map_err(refused)?;
        }
    }
    bag.finish().map_err(refused)?;
    Ok(written)
}
