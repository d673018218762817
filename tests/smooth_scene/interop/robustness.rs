//! What happens to machines: a process is stopped and goes on, strangers send anything, the disk is full.

use std::fs::File;
use std::net::{Ipv4Addr, SocketAddrV4, UdpSocket};
use std::process::Stdio;
use std::time::{Duration, Instant, SystemTime};

use smooth_scene::cdr;
use smooth_scene::interfaces::diagnostic_msgs::msg::DiagnosticArray;
use smooth_scene::interfaces::geometry_msgs::msg::{Pose, Quaternion};
use smooth_scene::interfaces::moveit_msgs::msg::CollisionObject;
use smooth_scene::interfaces::shape_msgs::msg::SolidPrimitive;
use smooth_scene::interfaces::srv::{
    GetDistanceRequest, GetDistanceResponse, GetSceneRequest, GetSceneResponse,
};
use smooth_scene_rtps::discovery::{EndpointData, ParticipantData};
use smooth_scene_rtps::wire::{DatagramBuilder, SerializedPayload};
use smooth_scene_rtps::{EntityId, Guid, GuidPrefix, Qos};

use super::grasp::Grasp;
use super::load_files::scratch;
use super::node::Node;
use super::peer::{Handle, PATIENCE, Peer, VENDORS, Vendor, wall_clock_library};
use smooth_scene_test_support::dds_domain::own_domain;

fn get_distance(peer: &mut Peer) -> Handle {
    peer.client("/scene_node/get_distance", "smooth_scene/srv/GetDistance")
}

/// Longer than anybody's lease: everybody has forgotten the node, as after the sleep of a laptop.
#[test]
fn a_node_that_was_stopped_for_a_while_goes_on() {
    let (node, grasp) = (Node::hands(), Grasp::load());
    let mut peers = VENDORS.map(|vendor| Peer::start(vendor, node.domain));
    let clients = peers.each_mut().map(get_distance);
    let ask = |peers: &mut [Peer; 3], when: &str| {
        for (peer, client) in peers.iter_mut().zip(clients) {
            let request = cdr::encode(&grasp.question(5));
            // A request sent while it is not known is lost, as with any ROS service: ask again.
            let mut answers = (0..20).filter_map(|_| peer.call_bytes(client, &request, 1000));
            let answer = answers.next().unwrap_or_else(|| panic!("no answer {when}"));
            let answer: GetDistanceResponse = cdr::decode(&answer).unwrap();
            assert_eq!(grasp.fault(5, &answer), None, "{when}");
        }
    };
    ask(&mut peers, "at first");
    for seconds in [3, 25] {
        node.signal("STOP");
        std::thread::sleep(Duration::from_secs(seconds));
        node.signal("CONT");
        ask(&mut peers, &format!("after {seconds} s"));
    }
}

/// The wall clock is set to another time, forward and back, as after the sleep of a laptop or by NTP: nobody's lease ends, and
/// joint states of another time do not count as new.
#[test]
fn a_wall_clock_that_jumps_ends_nothing() {
    const HOUR: i64 = 3600;
    let grasp = Grasp::load();
    let offset = scratch("offset");
    let domain = own_domain();
    let mut command = Node::hands_command(domain);
    command
        .env("ROS_LOCALHOST_ONLY", "1")
        .env("LD_PRELOAD", wall_clock_library())
        .env("WALL_CLOCK", &offset);
    let mut node = Node::run(domain, command);
    let mut peers = VENDORS.map(|vendor| Peer::start(vendor, node.domain));
    let clients = peers.each_mut().map(get_distance);
    let mut robot = Peer::start(Vendor::Cyclone, node.domain);
    let joints = robot.advertise("/joint_states", "sensor_msgs/msg/JointState", "best_effort");
    let status = robot.subscribe("/diagnostics", "diagnostic_msgs/msg/DiagnosticArray", "reliable");
    let current = robot.client("/scene_node/get_distance", "smooth_scene/srv/GetDistance");
    for hours in [0, 1, -2, 0] {
        std::fs::write(&offset, (hours * HOUR).to_string()).unwrap();
        // The node lives in another hour.
        let begin = Instant::now();
        loop {
            let here = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
            let said: Vec<DiagnosticArray> = robot.take(status, 1, PATIENCE);
            let ahead = i64::from(said[0].header.stamp.sec) - here as i64;
            if (ahead - hours * HOUR).abs() < 60 {
                break;
            }
            assert!(begin.elapsed() < Duration::from_secs(20), "{ahead} s ahead, not {hours} h");
        }
        for (peer, client) in peers.iter_mut().zip(clients) {
            let answer = peer.call(client, &grasp.question(5));
            assert_eq!(grasp.fault(5, &answer), None, "{hours} h");
        }
        let now = GetDistanceRequest { max_distance: 1.0, ..GetDistanceRequest::default() };
        let stale: GetDistanceResponse = robot.call(current, &now);
        assert_eq!(stale.status, GetDistanceResponse::NO_STATE, "{hours} h: {}", stale.message);
        let is_known = (0..200).any(|_| {
            robot.publish(joints, &grasp.states[0]);
            let known: GetDistanceResponse = robot.call(current, &now);
            known.status == GetDistanceResponse::OK
        });
        assert!(is_known, "a new joint state counts: {hours} h");
    }
    // Longer than any lease: a clock that jumped has ended none.
    std::thread::sleep(Duration::from_secs(27));
    for (peer, client) in peers.iter_mut().zip(clients) {
        let answer = peer.call(client, &grasp.question(6));
        assert_eq!(grasp.fault(6, &answer), None, "at last");
    }
    assert!(!node.has_logged("ERROR") && node.is_alive());
    std::fs::remove_file(offset).unwrap();
}

/// Announcements of a participant that is not there, and of endpoints it has.
fn forged(number: u32) -> Vec<Vec<u8>> {
    let mut prefix = [0x5a; 12];
    prefix[8..].copy_from_slice(&number.to_be_bytes());
    let prefix = GuidPrefix(prefix);
    // Nobody listens there.
    let at = |port| vec![SocketAddrV4::new(Ipv4Addr::LOCALHOST, port)];
    let participant = ParticipantData {
        prefix,
        vendor: [0; 2],
        metatraffic: at(9),
        metatraffic_multicast: Vec::new(),
        user_traffic: at(9),
        lease: Duration::from_secs(1_000_000),
        name: "stranger".to_owned(),
        user_data: vec![b'x'; 200],
    };
    let datagram = |reader, writer, count, payload: &[u8]| {
        DatagramBuilder::new(prefix)
            .data((reader, writer), count, &[], SerializedPayload::Data(payload))
            .finish()
    };
    let spdp = (EntityId::SPDP_READER, EntityId::SPDP_WRITER);
    let mut datagrams = vec![datagram(spdp.0, spdp.1, 1, &participant.to_payload())];
    for count in 1..=10_u8 {
        let mut endpoint = EndpointData {
            guid: Guid::new(prefix, EntityId([0, 0, count, 0x03])),
            topic: "rt/joint_states".to_owned(),
            type_name: "sensor_msgs::msg::dds_::JointState_".to_owned(),
            qos: Qos::reliable(1000).into(),
            addresses: at(9),
            user_data: vec![b'y'; 1000],
        };
        let writer = endpoint.to_payload();
        endpoint.guid.entity = EntityId([0, 0, count, 0x04]);
        endpoint.topic = "rt/scene_node/markers".to_owned();
        endpoint.type_name = "visualization_msgs::msg::dds_::MarkerArray_".to_owned();
        let (sedp, number) = (EntityId::PUBLICATIONS_READER, i64::from(count));
        datagrams.push(datagram(sedp, EntityId::PUBLICATIONS_WRITER, number, &writer));
        let (sedp, reader) = (EntityId::SUBSCRIPTIONS_READER, endpoint.to_payload());
        datagrams.push(datagram(sedp, EntityId::SUBSCRIPTIONS_WRITER, number, &reader));
    }
    datagrams
}

#[test]
fn a_thousand_strangers_disturb_nobody() {
    let (mut node, grasp) = (Node::hands(), Grasp::load());
    let mut witness = Peer::start(Vendor::Cyclone, node.domain);
    let client = get_distance(&mut witness);
    let _: GetDistanceResponse = witness.call(client, &grasp.question(0));
    let before = node.memory();
    let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let mut seed = 0x5eed_u64;
    for number in 0..1000 {
        for mut datagram in forged(number) {
            // To the ports of discovery and samples of the first participants, whole and with a byte changed.
            for port in [7410, 7411, 7412, 7413].map(|port| port + 250 * node.domain) {
                socket.send_to(&datagram, (Ipv4Addr::LOCALHOST, port)).unwrap();
            }
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let place = (seed >> 33) as usize % datagram.len();
            datagram[place] ^= (seed >> 20) as u8;
            socket.send_to(&datagram, (Ipv4Addr::LOCALHOST, 7410 + 250 * node.domain)).unwrap();
        }
        if number % 100 == 0 {
            let answer = witness.call(client, &grasp.question(1));
            assert_eq!(grasp.fault(1, &answer), None, "after {number} strangers");
        }
    }
    // Newcomers find a place, and the memory is bounded: 512 peers with 20 endpoints of 1 KiB, and what is kept for them.
    for vendor in VENDORS {
        let mut peer = Peer::start(vendor, node.domain);
        let client = get_distance(&mut peer);
        let answer = peer.call(client, &grasp.question(2));
        assert_eq!(grasp.fault(2, &answer), None, "{vendor:?}");
    }
    let growth = node.memory() - before;
    println!("{growth:.1} MiB for a thousand strangers");
    assert!(growth < 150.0, "{growth} MiB for a thousand strangers");
    assert!(node.is_alive());
}

#[test]
fn a_full_disk_for_the_log_stops_nothing() {
    let grasp = Grasp::load();
    let domain = own_domain();
    let full = || Stdio::from(File::options().write(true).open("/dev/full").unwrap());
    let mut command = Node::hands_command(domain);
    command.env("ROS_LOCALHOST_ONLY", "1").stdout(full()).stderr(full());
    let mut process = command.spawn().unwrap();
    let mut peer = Peer::start(Vendor::FastDds, domain);
    let client = get_distance(&mut peer);
    for state in 0..20 {
        // Refusals are logged, too.
        let mut refused = grasp.question(state);
        refused.bodies_a = vec!["nobody".into()];
        let refused: GetDistanceResponse = peer.call(client, &refused);
        assert_eq!(refused.status, GetDistanceResponse::REFUSED);
        let answer = peer.call(client, &grasp.question(state));
        assert_eq!(grasp.fault(state, &answer), None);
    }
    assert!(process.try_wait().unwrap().is_none(), "the node ended");
    process.kill().unwrap();
    process.wait().unwrap();
}

/// Fifty fresh publishers, each of which publishes one object as soon as somebody listens.
#[test]
fn what_is_published_right_after_matching_arrives() {
    const OBJECTS: usize = 50;
    let node = Node::hands();
    let mut publishers = Vec::new();
    for number in 0..OBJECTS {
        let mut peer = Peer::start([Vendor::Cyclone, Vendor::FastDds][number % 2], node.domain);
        let topic =
            peer.advertise("/collision_object", "moveit_msgs/msg/CollisionObject", "reliable");
        let pose =
            Pose { orientation: Quaternion { w: 1.0, ..Quaternion::default() }, ..Pose::default() };
        let solid = SolidPrimitive {
            type_: SolidPrimitive::SPHERE,
            dimensions: vec![0.01],
            ..SolidPrimitive::default()
        };
        let mut object = CollisionObject {
            id: format!("object {number}"),
            pose: pose.clone(),
            primitives: vec![solid],
            primitive_poses: vec![pose],
            ..CollisionObject::default()
        };
        object.pose.position.x = 5.0 + number as f64;
        peer.publish(topic, &object);
        publishers.push(peer);
        if publishers.len() > 4 {
            // Long enough for a writer that has to repeat itself.
            publishers.remove(0).leave();
        }
    }
    let asker = &mut publishers[0];
    let client = asker.client("/scene_node/get_scene", "smooth_scene/srv/GetScene");
    let mut missing = OBJECTS;
    for _ in 0..PATIENCE / 100 {
        let scene: GetSceneResponse = asker.call(client, &GetSceneRequest::default());
        missing = OBJECTS - scene.objects.len();
        if missing == 0 {
            return;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("{missing} of {OBJECTS} objects are missing");
}
