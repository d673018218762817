//! Types as discovery announces them and as the node describes them.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use smooth_scene::interfaces::type_description_interfaces::srv::{
    GetTypeDescriptionRequest, GetTypeDescriptionResponse,
};
use smooth_scene::interfaces::{definition, definitions};
use smooth_scene::node::topics::TOPICS;
use smooth_scene_test_support::robots_venv;

use super::faults::services;
use super::node::Node;
use super::peer::{Peer, Vendor};

/// The ROS name of a DDS type: `pkg/srv/Name_Request` of `pkg::srv::dds_::Name_Request_`.
fn ros_type(dds: &str) -> String {
    dds.replace("::dds_::", "/").replace("::", "/").trim_end_matches('_').to_owned()
}

/// Every endpoint of the node, and its user data.
#[test]
fn every_endpoint_announces_the_hash_of_its_type() {
    let node = Node::hands();
    // A request and a reply topic for each service, among them those of parameters and of type descriptions.
    let wanted = 2 * (services().len() + 6 + 1) + TOPICS.len();
    for vendor in [Vendor::Cyclone, Vendor::FastDds] {
        let mut peer = Peer::start(vendor, node.domain);
        let mut found = BTreeMap::new();
        let begin = Instant::now();
        while found.len() < wanted && begin.elapsed() < Duration::from_secs(20) {
            found.extend(peer.endpoints().into_iter().map(|one| (one.topic.clone(), one)));
            std::thread::sleep(Duration::from_millis(20));
        }
        assert!(found.len() >= wanted, "{vendor:?}: {} of {wanted}: {found:#?}", found.len());
        for endpoint in found.values() {
            let name = ros_type(&endpoint.type_name);
            let known = definition(&name).unwrap_or_else(|| panic!("{name} has no definition"));
            assert_eq!(endpoint.user_data, format!("typehash={};", known.hash), "{endpoint:?}");
        }
    }
}

/// The hashes are those that PyPI `rosbags` computes, from the definitions and from what the node describes.
#[test]
fn every_type_is_described() {
    let node = Node::hands();
    let mut peer = Peer::start(Vendor::Cyclone, node.domain);
    let client = peer.client(
        "/scene_node/get_type_description",
        "type_description_interfaces/srv/GetTypeDescription",
    );
    let mut rosbags = robots_venv::start_python("tests/smooth_scene/wire/describe.py", &[]);
    let mut input = rosbags.stdin.take().unwrap();
    let mut output = BufReader::new(rosbags.stdout.take().unwrap()).lines();
    for definition in definitions() {
        let request = GetTypeDescriptionRequest {
            type_name: definition.type_name.into(),
            type_hash: definition.hash.into(),
            include_type_sources: true,
        };
        let answer: GetTypeDescriptionResponse = peer.call(client, &request);
        assert!(answer.successful, "{}: {}", definition.type_name, answer.failure_reason);
        assert_eq!(answer.type_sources.len(), definition.referenced.len() + 1);
        let question = json!({"hash": definition.hash, "description": answer.type_description});
        writeln!(input, "{question}").unwrap();
        let verdict: Value = serde_json::from_str(&output.next().unwrap().unwrap()).unwrap();
        assert_eq!(verdict, json!({}), "{}", definition.type_name);
    }
    drop(input);
    assert!(rosbags.wait().unwrap().success());
}
