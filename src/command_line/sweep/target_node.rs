//! The node that is asked: one that runs somewhere and is reached over ROS 2, or one in this process.

use super::failure::Failure;
use super::robots::Robot;
use crate::node::SceneNode;
use crate::transport::memory::MemoryBus;
use crate::transport::ros_args::RosArgs;
use crate::transport::{Transport, connect};
use std::sync::Arc;

/// Name of the node in this process, in the namespace of this program.
pub(crate) const NODE: &str = "scene_node";

/// Where the node in this process is heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// By every ROS 2 program of the domain.
    Ros,
    /// In this process only: requests and answers are encoded, queued and answered by the node's own threads as for any
    /// client, without the network between.
    Process,
}

/// Our own place beside the node. A node in this process ends when this is dropped.
pub(crate) struct NodeHere {
    pub transport: Arc<dyn Transport>,
    node: Option<SceneNode>,
}

impl Drop for NodeHere {
    fn drop(&mut self) {
        self.transport.shutdown();
        if let Some(node) = &self.node {
            node.shutdown();
        }
    }
}

/// Joins ROS 2, where the node runs.
pub(crate) fn join(own: &RosArgs) -> Result<NodeHere, Failure> {
    let transport = connect("joint_sweep", own).map_err(|e| Failure::Other(e.to_string()))?;
    Ok(NodeHere { transport, node: None })
}

/// Starts a node with this robot. `own` are the ROS arguments of this program.
pub(crate) fn start(
    robot: &Robot,
    own: &RosArgs,
    sim_time: bool,
    reach: Reach,
) -> Result<NodeHere, Failure> {
    let other = |e: &dyn std::error::Error| Failure::Other(e.to_string());
    let bus = MemoryBus::new();
    let place = |name: &str, arguments: &RosArgs| -> Result<Arc<dyn Transport>, Failure> {
        Ok(match reach {
            Reach::Ros => connect(name, arguments).map_err(|e| other(&e))?,
            Reach::Process => Arc::new(bus.transport(name, arguments).map_err(|e| other(&e))?),
        })
    };
    let transport = place("joint_sweep", own)?;
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
    let node = SceneNode::start(place(NODE, &arguments)?, None).map_err(|e| other(&e))?;
    Ok(NodeHere { transport, node: Some(node) })
}
