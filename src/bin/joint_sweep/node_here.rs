//! The node that is asked: one that runs somewhere and is reached over ROS 2, or one in this process. There requests and
//! answers are encoded, queued and answered by the node's own threads as for any client, without the network between.

use crate::failure::Failure;
use crate::robots::Robot;
use smooth_scene::ros::node::SceneNode;
use smooth_scene::ros::transport::Transport;
use smooth_scene::ros::transport::embedded::EmbeddedTransport;
use smooth_scene::ros::transport::environment::Environment;
use smooth_scene::ros::transport::memory::MemoryBus;
use smooth_scene::ros::transport::ros_args::RosArgs;
use std::sync::Arc;

/// Name of the node in this process.
pub(crate) const NODE: &str = "/scene_node";

/// Our own place beside the node. A node in this process ends when this is dropped.
pub(crate) struct NodeHere {
    pub transport: Arc<dyn Transport>,
    _node: Option<SceneNode>,
}

/// Joins ROS 2, where the node runs.
pub(crate) fn join(own: &RosArgs) -> Result<NodeHere, Failure> {
    let other = |e: &dyn std::error::Error| Failure::Other(e.to_string());
    let environment = Environment::of_process().map_err(|e| other(&e))?;
    let transport =
        EmbeddedTransport::new("joint_sweep", own, &environment).map_err(|e| other(&e))?;
    Ok(NodeHere { transport: Arc::new(transport), _node: None })
}

/// Starts a node with this robot. `own` are the ROS arguments of this program.
pub(crate) fn start(robot: &Robot, own: &RosArgs, sim_time: bool) -> Result<NodeHere, Failure> {
    let other = |e: &dyn std::error::Error| Failure::Other(e.to_string());
    let mut words = vec!["--ros-args".to_string()];
    let mut set =
        |name: &str, value: String| words.extend(["-p".into(), format!("{name}:={value}")]);
    set("use_sim_time", sim_time.to_string());
    let texts = [
        ("robot_description", Some(&robot.urdf)),
        ("robot_description_semantic", robot.srdf.as_ref()),
    ];
    for (name, text) in texts {
        let Some(text) = text else { continue };
        // A string of JSON is one of YAML, which is what the value of a parameter is.
        set(name, serde_json::to_string(text).map_err(|e| other(&e))?);
    }
    let (arguments, _) = RosArgs::take_from(words).map_err(|e| other(&e))?;
    let bus = MemoryBus::new();
    let place = bus.transport("scene_node", &arguments).map_err(|e| other(&e))?;
    let node = SceneNode::start(Arc::new(place), None).map_err(|e| other(&e))?;
    let transport = Arc::new(bus.transport("joint_sweep", own).map_err(|e| other(&e))?);
    Ok(NodeHere { transport, _node: Some(node) })
}
