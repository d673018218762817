//! The scene node of the demo: the robot on ROS 2, and the joint states of its movement.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::cdr;
use crate::command_line::joint_state::{joint_state, system_stamp};
use crate::command_line::reach::Reach;
use crate::node::SceneNode;
use crate::robot::RobotState;
use crate::scene::WorldFile;
use crate::transport::ros_args::RosArgs;
use crate::transport::{Publisher, Qos, Transport};

use super::bundled::Described;
use super::failure::DemoFailure;

/// How long the node may take to read the robot.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running node with the robot in it.
pub(crate) struct DemoNode {
    pub node: SceneNode,
    /// A participant of its own, like a robot driver in another process.
    robot: Arc<dyn Transport>,
}

impl DemoNode {
    pub fn start(
        reach: &Reach,
        robot: &Described,
        arguments: &RosArgs,
    ) -> Result<Self, DemoFailure> {
        let mut node_arguments = arguments.clone();
        node_arguments.default_text("robot_description", robot.urdf.clone());
        if let Some(srdf) = &robot.srdf {
            node_arguments.default_text("robot_description_semantic", srdf.clone());
        }
        if let Some(surfaces) = &robot.surfaces {
            node_arguments.default_text("robot_description_scs", surfaces.clone());
        }
        if let Some(folder) = &robot.options.folder {
            node_arguments.default_text("description_folder", folder.display().to_string());
        }
        let folders = robot.options.package_paths.iter().map(|path| path.display().to_string());
        node_arguments.default_texts("package_path", folders.collect());
        let node = SceneNode::start(reach.transport("scene_node", &node_arguments)?, None)?;
        Ok(Self { node, robot: reach.transport("two_hand_grasp", arguments)? })
    }

    /// Adds the objects of a world file to the scene.
    pub fn add_world(&self, world: &WorldFile) -> Result<(), DemoFailure> {
        let start = Instant::now();
        // The node reads the description on a thread of its own. It was read before, so that it is only a matter of time.
        while self.node.store().snapshot().is_err() {
            if start.elapsed() > PATIENCE {
                return Err(DemoFailure::NoRobot);
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        self.node.store().change(|scene| world.add_to(scene).map_err(DemoFailure::from))?;
        Ok(())
    }

    /// The publisher of the joint states.
    pub fn joint_states(&self) -> Result<JointStatePublisher, DemoFailure> {
        let type_name = "sensor_msgs/msg/JointState";
        let publisher = self.robot.advertise("joint_states", type_name, Qos::reliable(10))?;
        Ok(JointStatePublisher { publisher })
    }
}

impl Drop for DemoNode {
    fn drop(&mut self) {
        self.node.shutdown();
        self.robot.shutdown();
    }
}

/// Publishes the joint states of the movement.
pub(crate) struct JointStatePublisher {
    publisher: Box<dyn Publisher>,
}

impl JointStatePublisher {
    /// Publishes the positions of the joints. A message that is lost is followed by the next.
    pub fn publish(&self, state: &RobotState) {
        let message = joint_state(state, system_stamp());
        if let Err(error) = self.publisher.publish(&cdr::encode(&message)) {
            tracing::warn!("a joint state was not published: {error}");
        }
    }
}
