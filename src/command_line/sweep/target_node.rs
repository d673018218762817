//! The node under test: a running one that is reached over ROS 2, or one in this process.

use super::failure::Failure;
use super::robots::Robot;
use crate::command_line::reach::Reach;
use crate::node::SceneNode;
use crate::transport::ros_args::RosArgs;
use crate::transport::{Transport, connect};
use std::sync::Arc;

/// Name of the node in this process, in the namespace of this program.
pub(crate) const NODE: &str = "scene_node";

/// Our own transport, and the node if it is in this process: it ends when this is dropped.
pub(crate) struct TargetNode {
    pub transport: Arc<dyn Transport>,
    node: Option<SceneNode>,
}

impl Drop for TargetNode {
    fn drop(&mut self) {
        self.transport.shutdown();
        if let Some(node) = &self.node {
            node.shutdown();
        }
    }
}

/// Joins the ROS 2 domain of a running node.
pub(crate) fn join(own: &RosArgs) -> Result<TargetNode, Failure> {
    let transport = connect("joint_sweep", own).map_err(|e| Failure::Other(e.to_string()))?;
    Ok(TargetNode { transport, node: None })
}

/// Starts a node with this robot. `own` are the ROS arguments of this program.
pub(crate) fn start(
    robot: &Robot,
    own: &RosArgs,
    sim_time: bool,
    reach: &Reach,
) -> Result<TargetNode, Failure> {
    let other = |e: &dyn std::error::Error| Failure::Other(e.to_string());
    let transport = reach.transport("joint_sweep", own).map_err(|e| other(&e))?;
    let own_name = transport.node_name();
    let namespace = own_name.rsplit_once('/').map_or("", |(namespace, _)| namespace);
    let mut arguments = RosArgs::in_namespace(if namespace.is_empty() { "/" } else { namespace });
    arguments.default_switch("use_sim_time", sim_time);
    let texts = [
        ("robot_description", Some(&robot.urdf)),
        ("robot_description_semantic", robot.srdf.as_ref()),
        ("robot_description_scs", Some(&robot.surfaces).filter(|text| !text.is_empty())),
    ];
    for (name, text) in texts {
        if let Some(text) = text {
            arguments.default_text(name, text.clone());
        }
    }
    let node_transport = reach.transport(NODE, &arguments).map_err(|e| other(&e))?;
    let node = SceneNode::start(node_transport, None).map_err(|e| other(&e))?;
    Ok(TargetNode { transport, node: Some(node) })
}
