//! A scene node on a bus of its own, and a peer that talks to it.

use smooth_scene::cdr;
use smooth_scene::interfaces::Message;
use smooth_scene::interfaces::sensor_msgs::msg::JointState;
use smooth_scene::interfaces::srv::{GetDistanceRequest, GetDistanceResponse};
use smooth_scene::interfaces::std_msgs;
use smooth_scene::node::{Rosout, SceneNode, StartError};
use smooth_scene::transport::memory::{MemoryBus, MemoryTransport};
use smooth_scene::transport::ros_args::RosArgs;
use smooth_scene::transport::{Publisher, Qos, Transport};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// Long enough for a machine that is busy with other things.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Two balls of radius 0.1 m on rails along x, 1 m apart.
pub const TWO_BALLS: &str = r#"<robot name="two_balls">
  <link name="base"/>
  <link name="left"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <link name="right"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <joint name="left_x" type="prismatic">
    <parent link="base"/><child link="left"/><axis xyz="1 0 0"/>
    <limit lower="-10" upper="10" effort="1" velocity="1"/>
  </joint>
  <joint name="right_x" type="prismatic">
    <parent link="base"/><child link="right"/><origin xyz="1 0 0"/><axis xyz="1 0 0"/>
    <limit lower="-10" upper="10" effort="1" velocity="1"/>
  </joint>
</robot>"#;

/// The same robot with balls of another radius.
pub fn balls_of(radius: f64) -> String {
    TWO_BALLS.replace("radius=\"0.1\"", &format!("radius=\"{radius}\""))
}

/// A node and a peer on one bus.
pub struct Rig {
    pub bus: MemoryBus,
    pub node: SceneNode,
    pub peer: MemoryTransport,
    joint_states: Box<dyn Publisher>,
}

impl Rig {
    /// A node without a robot.
    pub fn bare(parameters: &[&str]) -> Self {
        Self::start(parameters).expect("the node starts")
    }

    /// A node with two balls, which knows their state.
    pub fn with_balls(parameters: &[&str]) -> Self {
        let description = format!("robot_description:={}", quoted(TWO_BALLS));
        let mut all = vec![description.as_str()];
        all.extend(parameters);
        let rig = Self::bare(&all);
        rig.publish_joints(&["left_x", "right_x"], &[0.0, 0.0]);
        rig.until("the state is known", || rig.distance().status == GetDistanceResponse::OK);
        rig
    }

    /// A node with these parameters, as on a command line.
    pub fn start(parameters: &[&str]) -> Result<Self, StartError> {
        Self::start_with(parameters, None)
    }

    /// The same, and a log.
    pub fn start_with(parameters: &[&str], rosout: Option<Rosout>) -> Result<Self, StartError> {
        let bus = MemoryBus::new();
        let arguments = ["--ros-args".to_string()].into_iter();
        let arguments =
            arguments.chain(parameters.iter().flat_map(|p| ["-p".into(), p.to_string()]));
        let (arguments, _) = RosArgs::take_from(arguments).expect("arguments");
        let transport = bus.transport("scene_node", &arguments).expect("transport");
        let node = SceneNode::start(Arc::new(transport), rosout)?;
        let peer = bus.transport("peer", &RosArgs::default()).expect("peer");
        let joint_states = peer
            .advertise("joint_states", "sensor_msgs/msg/JointState", Qos::reliable(10))
            .expect("joint states");
        Ok(Self { bus, node, peer, joint_states })
    }

    /// Asks a service, in bytes.
    pub fn call_bytes(&self, service: &str, type_name: &str, request: &[u8]) -> Vec<u8> {
        let client = self.peer.client(service, type_name).expect("client");
        assert!(client.wait_for_server(PATIENCE), "no server of {service}");
        client.call(request, PATIENCE).expect("an answer")
    }

    /// Asks a service of ours.
    pub fn call<Q: Message, A: Message>(&self, service: &str, type_name: &str, request: &Q) -> A {
        let answer = self.call_bytes(service, type_name, &cdr::encode(request));
        cdr::decode(&answer).expect("a response")
    }

    /// Asks for the nearest pair in the current state.
    pub fn distance(&self) -> GetDistanceResponse {
        self.distance_at(&[], &[])
    }

    /// Asks for the nearest pair with these joints.
    pub fn distance_at(&self, names: &[&str], positions: &[f64]) -> GetDistanceResponse {
        let request = GetDistanceRequest {
            joint_state: joint_state(names, positions),
            max_distance: f64::INFINITY,
            ..GetDistanceRequest::default()
        };
        self.call("/scene_node/get_distance", "smooth_scene/srv/GetDistance", &request)
    }

    pub fn publish_joints(&self, names: &[&str], positions: &[f64]) {
        let message = cdr::encode(&joint_state(names, positions));
        self.joint_states.publish(&message).expect("published");
    }

    pub fn publisher(&self, topic: &str, type_name: &str, qos: Qos) -> Box<dyn Publisher> {
        self.peer.advertise(topic, type_name, qos).expect("publisher")
    }

    /// Publishes a latched text.
    pub fn publish_text(&self, topic: &str, text: &str) -> Box<dyn Publisher> {
        let publisher = self.publisher(topic, "std_msgs/msg/String", Qos::latched(1));
        let message = std_msgs::msg::String { data: text.into() };
        publisher.publish(&cdr::encode(&message)).expect("published");
        publisher
    }

    /// The messages of a topic, decoded.
    pub fn listen<T: Message>(&self, topic: &str, type_name: &str, qos: Qos) -> Receiver<T> {
        let (sender, receiver) = channel();
        let take = move |bytes: &[u8]| {
            let _ = sender.send(cdr::decode(bytes).expect("a message"));
        };
        self.peer.subscribe(topic, type_name, qos, Box::new(take)).expect("subscribed");
        receiver
    }

    /// Waits until something is true.
    pub fn until(&self, what: &str, is_true: impl FnMut() -> bool) {
        until(what, is_true);
    }
}

pub fn until(what: &str, mut is_true: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_true() {
        assert!(start.elapsed() < PATIENCE, "waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Waits for a message that fits.
pub fn receive<T>(receiver: &Receiver<T>, what: &str, mut fits: impl FnMut(&T) -> bool) -> T {
    let start = Instant::now();
    loop {
        let left = PATIENCE.saturating_sub(start.elapsed());
        let message = receiver.recv_timeout(left);
        let message = message.unwrap_or_else(|_| panic!("no message: {what}"));
        if fits(&message) {
            return message;
        }
    }
}

pub fn joint_state(names: &[&str], positions: &[f64]) -> JointState {
    JointState {
        name: names.iter().map(|name| name.to_string()).collect(),
        position: positions.to_vec(),
        ..JointState::default()
    }
}

/// A text as a YAML string.
pub fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''").replace('\n', " "))
}
