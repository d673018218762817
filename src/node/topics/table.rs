//! The table of topics. What is subscribed and published, and the table in `docs/node.md`, follow from it.

use std::marker::PhantomData;

use crate::cdr::{self, DecodeError};
use crate::interfaces::diagnostic_msgs::msg::DiagnosticArray;
use crate::interfaces::lifecycle_msgs::msg::TransitionEvent;
use crate::interfaces::moveit_msgs::msg::{
    AttachedCollisionObject, CollisionObject, PlanningScene, PlanningSceneWorld,
};
use crate::interfaces::msg::ProximityArray;
use crate::interfaces::rcl_interfaces::msg::{Log, ParameterEvent};
use crate::interfaces::rosgraph_msgs::msg::Clock;
use crate::interfaces::sensor_msgs::msg::JointState;
use crate::interfaces::std_msgs::msg::String as Text;
use crate::interfaces::tf2_msgs::msg::TFMessage;
use crate::interfaces::visualization_msgs::msg::MarkerArray;
use crate::interfaces::{Definition, Message};
use crate::transport::{Publisher, Qos, Transport, TransportError};

/// A topic of the node, with messages of one type.
#[derive(Debug)]
pub struct Topic<M> {
    /// ROS name: private (`~/markers`), relative or absolute.
    pub name: &'static str,
    /// Quality of service.
    pub qos: Qos,
    message: PhantomData<fn() -> M>,
}

/// One row of the table.
#[derive(Debug, Clone, Copy)]
pub struct TopicRow {
    /// Whether the node subscribes or publishes.
    pub direction: Direction,
    /// ROS name.
    pub name: &'static str,
    /// Message type.
    pub definition: Definition,
    /// Quality of service.
    pub qos: Qos,
    /// What it is for, in a few words.
    pub help: &'static str,
}

/// Whether the node subscribes or publishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// The node subscribes.
    Subscribed,
    /// The node publishes.
    Published,
}

macro_rules! topics {
    ($($direction:ident $constant:ident: $message:ty = $name:literal, $qos:expr, $help:literal;)*) => {
        $(#[doc = concat!("`", $name, "`: ", $help, ".")]
        pub(in crate::node) const $constant: Topic<$message> =
            Topic { name: $name, qos: $qos, message: PhantomData };)*

        /// Every topic of the node.
        pub const TOPICS: &[TopicRow] = &[$(TopicRow {
            direction: Direction::$direction,
            name: $name,
            definition: <$message as Message>::DEFINITION,
            qos: $qos,
            help: $help,
        }),*];
    };
}

topics! {
    Subscribed JOINT_STATES: JointState = "joint_states", Qos::best_effort(10),
        "positions of joints; partial messages are merged";
    Subscribed ROBOT_DESCRIPTION: Text = "robot_description", Qos::latched(1),
        "URDF; the parameter of the same name comes first";
    Subscribed ROBOT_DESCRIPTION_SEMANTIC: Text = "robot_description_semantic", Qos::latched(1),
        "SRDF; the parameter of the same name comes first";
    Subscribed ROBOT_DESCRIPTION_SCS: Text = "robot_description_scs", Qos::latched(1),
        "surfaces of links; the parameter of the same name comes first";
    Subscribed PLANNING_SCENE: PlanningScene = "planning_scene", Qos::reliable(10),
        "a full scene or a diff";
    Subscribed PLANNING_SCENE_WORLD: PlanningSceneWorld = "planning_scene_world", Qos::reliable(10),
        "all objects of the world, in the place of those that are there";
    Subscribed COLLISION_OBJECT: CollisionObject = "collision_object", Qos::reliable(10),
        "an object of the world is added, moved or removed";
    Subscribed ATTACHED_COLLISION_OBJECT: AttachedCollisionObject = "attached_collision_object", Qos::reliable(10),
        "an object is attached to a link or detached";
    Subscribed TF: TFMessage = "/tf", Qos::reliable(100),
        "frames that move, for frames of requests that the scene does not know";
    Subscribed TF_STATIC: TFMessage = "/tf_static", Qos::latched(100),
        "frames that do not move";
    // Best effort meets publishers of either kind.
    Subscribed CLOCK: Clock = "/clock", Qos::best_effort(1),
        "the time, when `use_sim_time` is set";
    Published MONITORED_PLANNING_SCENE: PlanningScene = "monitored_planning_scene", Qos::latched(1),
        "the scene whenever it changes";
    // Deeper than one: a picture takes several messages, and a slow reader needs them all.
    Published MARKERS: MarkerArray = "~/markers", Qos::latched(64),
        "surfaces, contacts and distances for RViz and Foxglove";
    Published PROXIMITIES: ProximityArray = "~/proximities", Qos::reliable(1),
        "nearest pairs of the current state";
    Published SIMULATED_JOINT_STATES: JointState = "~/simulated_joint_states", Qos::reliable(10),
        "joints of the simulation, while there is one";
    Published DIAGNOSTICS: DiagnosticArray = "/diagnostics", Qos::reliable(10),
        "robot, state, scene, requests and messages, once a second";
    Published ROSOUT: Log = "/rosout", Qos::latched(1000),
        "the log";
    Published PARAMETER_EVENTS: ParameterEvent = "/parameter_events", Qos::reliable(1000),
        "parameters that were declared or changed";
    Published TRANSITION_EVENT: TransitionEvent = "~/transition_event", Qos::reliable(10),
        "transitions of a managed node, when `lifecycle` is set";
}

impl<M: Message> Topic<M> {
    /// Advertises the topic.
    pub fn advertise(
        &self,
        transport: &dyn Transport,
    ) -> Result<TopicPublisher<M>, TransportError> {
        Self::advertise_as(transport, self.name, self.qos)
    }

    /// Advertises a topic that is not in the table.
    pub(in crate::node) fn advertise_as(
        transport: &dyn Transport,
        name: &str,
        qos: Qos,
    ) -> Result<TopicPublisher<M>, TransportError> {
        let publisher = transport.advertise(name, M::TYPE_NAME, qos)?;
        Ok(TopicPublisher { publisher, message: PhantomData })
    }

    /// Subscribes to the topic.
    pub fn subscribe(
        &self,
        transport: &dyn Transport,
        mut on_message: impl FnMut(Result<M, DecodeError>) + Send + 'static,
    ) -> Result<(), TransportError> {
        let on_bytes = move |bytes: &[u8]| on_message(cdr::decode(bytes));
        transport.subscribe(self.name, M::TYPE_NAME, self.qos, Box::new(on_bytes))
    }
}

/// Sends messages of one type.
pub struct TopicPublisher<M> {
    publisher: Box<dyn Publisher>,
    message: PhantomData<fn(M)>,
}

impl<M: Message> TopicPublisher<M> {
    /// Hands a message to the middleware.
    pub fn publish(&self, message: &M) -> Result<(), TransportError> {
        self.publisher.publish(&cdr::encode(message))
    }

    /// How many subscribers are known.
    pub fn subscribers(&self) -> usize {
        self.publisher.subscribers()
    }
}
