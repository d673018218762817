//! The scene node of the demo: the robot on ROS 2, and the joint states of its movement.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::cdr;
use crate::interfaces::builtin_interfaces::msg::Time;
use crate::interfaces::rcl_interfaces::msg::{Parameter, ParameterValue};
use crate::interfaces::sensor_msgs::msg::JointState;
use crate::node::SceneNode;
use crate::robot::RobotState;
use crate::transport::embedded::EmbeddedTransport;
use crate::transport::environment::Environment;
use crate::transport::memory::MemoryBus;
use crate::transport::ros_args::RosArgs;
use crate::transport::{Publisher, Qos, Transport};

use super::DemoFailure;
use super::bundled::Described;

/// Type number of texts in rcl_interfaces/msg/ParameterType.
const STRING: u8 = 4;

/// Where the demo is heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// By every ROS 2 program of the domain.
    Ros,
    /// In this process only.
    Process,
}

/// A running node with the robot in it.
pub(crate) struct DemoNode {
    pub node: SceneNode,
    /// The robot is a participant of its own: what a participant says does not reach its own readers (seen with RustDDS).
    robot: Arc<dyn Transport>,
}

impl DemoNode {
    pub fn start(
        reach: Reach,
        robot: &Described,
        arguments: &RosArgs,
    ) -> Result<Self, DemoFailure> {
        let bus = MemoryBus::new();
        let environment = Environment::of_process()?;
        let transport = |name: &str| -> Result<Arc<dyn Transport>, DemoFailure> {
            Ok(match reach {
                Reach::Process => Arc::new(bus.transport(name, arguments)?),
                Reach::Ros => Arc::new(EmbeddedTransport::new(name, arguments, &environment)?),
            })
        };
        let node = SceneNode::start(transport("scene_node")?, None)?;
        let text = |name: &str, text: &str| Parameter {
            name: name.into(),
            value: ParameterValue {
                type_: STRING,
                string_value: text.into(),
                ..Default::default()
            },
        };
        let mut parameters = vec![text("robot_description", &robot.urdf)];
        let semantic = robot.srdf.as_deref();
        parameters.extend(semantic.map(|srdf| text("robot_description_semantic", srdf)));
        node.set_parameters(&parameters)?;
        Ok(Self { node, robot: transport("two_hand_grasp")? })
    }

    /// What publishes the joint states.
    pub fn announcer(&self) -> Result<Announcer, DemoFailure> {
        let type_name = "sensor_msgs/msg/JointState";
        let publisher = self.robot.advertise("joint_states", type_name, Qos::reliable(10))?;
        Ok(Announcer { publisher })
    }
}

impl Drop for DemoNode {
    fn drop(&mut self) {
        self.node.shutdown();
        self.robot.shutdown();
    }
}

/// Publishes joint states.
pub(crate) struct Announcer {
    publisher: Box<dyn Publisher>,
}

impl Announcer {
    /// Says where the joints are now. A message that is lost is followed by the next.
    pub fn announce(&self, state: &RobotState) {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let stamp = Time { sec: since.as_secs() as i32, nanosec: since.subsec_nanos() };
        let mut message = JointState {
            name: state.model().variable_names().to_vec(),
            position: state.positions().to_vec(),
            ..JointState::default()
        };
        message.header.stamp = stamp;
        let _ = self.publisher.publish(&cdr::encode(&message));
    }
}
