//! A middleware without some of the interfaces, as ROS 2 with an older moveit_msgs: the rest starts.

use smooth_scene::node::{SceneNode, StartError};
use smooth_scene::transport::memory::{MemoryBus, MemoryTransport};
use smooth_scene::transport::names::Address;
use smooth_scene::transport::ros_args::RosArgs;
use smooth_scene::transport::{
    Client, NodeIdentity, OnMessage, OnRequest, Publisher, Qos, Transport, TransportError,
};
use std::sync::Arc;
use std::time::Duration;

/// A transport that does not know a package or a type.
struct Without {
    missing: &'static str,
    transport: MemoryTransport,
}

impl Without {
    fn check(&self, address: &Address) -> Result<(), TransportError> {
        let type_name = address.interface.full_name();
        match type_name.starts_with(self.missing) {
            true => Err(TransportError::NotInstalled { type_name }),
            false => Ok(()),
        }
    }
}

impl Transport for Without {
    fn identity(&self) -> &NodeIdentity {
        self.transport.identity()
    }

    fn open_publisher(
        &self,
        address: Address,
        qos: Qos,
    ) -> Result<Box<dyn Publisher>, TransportError> {
        self.check(&address)?;
        self.transport.open_publisher(address, qos)
    }

    fn open_subscription(
        &self,
        address: Address,
        qos: Qos,
        on_message: OnMessage,
    ) -> Result<(), TransportError> {
        self.check(&address)?;
        self.transport.open_subscription(address, qos, on_message)
    }

    fn open_service(&self, address: Address, on_request: OnRequest) -> Result<(), TransportError> {
        self.check(&address)?;
        self.transport.open_service(address, on_request)
    }

    fn open_client(&self, address: Address) -> Result<Box<dyn Client>, TransportError> {
        self.check(&address)?;
        self.transport.open_client(address)
    }

    fn shutdown(&self) {
        self.transport.shutdown();
    }
}

fn start(missing: &'static str, parameters: &[&str]) -> (MemoryBus, Result<SceneNode, StartError>) {
    let bus = MemoryBus::new();
    let parameters = parameters.iter().flat_map(|p| ["-p".to_string(), p.to_string()]);
    let arguments = ["--ros-args".to_string()].into_iter().chain(parameters);
    let (arguments, _) = RosArgs::take_from(arguments).unwrap();
    let transport = bus.transport("scene_node", &arguments).unwrap();
    let node = SceneNode::start(Arc::new(Without { missing, transport }), None);
    (bus, node)
}

#[test]
fn a_service_that_is_not_installed_is_left_out_and_the_others_are_there() {
    let (bus, node) = start("moveit_msgs/srv/GetMultiStateValidity", &[]);
    let _node = node.unwrap();
    let peer = bus.transport("peer", &RosArgs::default()).unwrap();
    let has = |service: &str, type_name: &str| {
        let client = peer.client(service, type_name).unwrap();
        client.wait_for_server(Duration::from_millis(20))
    };
    assert!(!has("check_multi_state_validity", "moveit_msgs/srv/GetMultiStateValidity"));
    assert!(has("check_state_validity", "moveit_msgs/srv/GetStateValidity"));
    assert!(has("get_planning_scene", "moveit_msgs/srv/GetPlanningScene"), "also those after it");
    assert!(has("/scene_node/set_parameters", "rcl_interfaces/srv/SetParameters"));
}

#[test]
fn a_managed_node_needs_the_services_of_one() {
    let (_, node) = start("lifecycle_msgs/srv/ChangeState", &["lifecycle:=true"]);
    let Err(error) = node else { panic!("nobody could ever activate it") };
    assert!(error.to_string().contains("lifecycle_msgs/srv/ChangeState"), "{error}");
    let (_, node) = start("lifecycle_msgs", &[]);
    assert!(node.is_ok(), "a node that is not managed does not need them");
}

#[test]
fn a_service_without_events_is_offered_all_the_same() {
    let (bus, node) =
        start("smooth_scene/srv/GetDistance_Event", &["service_introspection:=contents"]);
    let _node = node.unwrap();
    let peer = bus.transport("peer", &RosArgs::default()).unwrap();
    let client = peer.client("/scene_node/get_distance", "smooth_scene/srv/GetDistance").unwrap();
    assert!(client.wait_for_server(Duration::from_millis(20)));
}
