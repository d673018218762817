//! A scene node inside a program of your own, and a client that calls one of its services.
//!
//! `cargo run --release --example node` from the top folder. The node runs on an in-process bus here;
//! `transport::connect` gives one on ROS 2 instead.

use smooth_scene::cdr;
use smooth_scene::interfaces::srv::{GetDistanceRequest, GetDistanceResponse};
use smooth_scene::node::SceneNode;
use smooth_scene::robot::{LoadOptions, RobotState, parse_urdf};
use smooth_scene::transport::Transport;
use smooth_scene::transport::memory::MemoryBus;
use smooth_scene::transport::ros_args::RosArgs;
use std::sync::Arc;
use std::time::Duration;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Parameters as on the command line of `scene_node`.
    let urdf = std::fs::read_to_string("urdf/icub_hands_mixed.urdf")?;
    let mut arguments = RosArgs::default();
    arguments.default_text("robot_description", urdf.clone());
    let srdf = std::fs::read_to_string("urdf/icub_hands.srdf")?;
    arguments.default_text("robot_description_semantic", srdf);

    let bus = MemoryBus::new();
    let node = SceneNode::start(Arc::new(bus.transport("scene_node", &arguments)?), None)?;

    // A state may come with the request; joints that it leaves out would have to come from `joint_states`.
    let model = parse_urdf(&urdf, "icub_hands", &LoadOptions::default())?.model;
    let state = RobotState::new(Arc::new(model));
    let mut request =
        GetDistanceRequest { max_distance: 0.05, max_results: 5, ..Default::default() };
    request.joint_state.name = state.model().variable_names().to_vec();
    request.joint_state.position = state.positions().to_vec();

    let planner = bus.transport("planner", &RosArgs::default())?;
    let client = planner.client("/scene_node/get_distance", "smooth_scene/srv/GetDistance")?;
    let bytes = client.call(&cdr::encode(&request), Duration::from_secs(10))?;
    let response: GetDistanceResponse = cdr::decode(&bytes)?;
    if response.status != GetDistanceResponse::OK {
        return Err(response.message.into());
    }
    for pair in &response.proximities {
        println!("{} – {}: {:.6} m", pair.body_a, pair.body_b, pair.distance);
    }
    node.shutdown();
    Ok(())
}
