//! What every transport promises, checked on each that can run here: the bus in memory, and DDS with two participants.

use smooth_scene::transport::embedded::EmbeddedTransport;
use smooth_scene::transport::environment::{DiscoveryRange, Environment, ServiceMapping};
use smooth_scene::transport::memory::MemoryBus;
use smooth_scene::transport::ros_args::RosArgs;
use smooth_scene::transport::{Publisher, Qos, Transport, TransportError};
use smooth_scene_test_support::dds_domain::ReservedDomain;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Long enough for whatever has to happen.
const PATIENCE: Duration = Duration::from_secs(60);
/// Long enough to see that nothing happens.
const A_WHILE: Duration = Duration::from_millis(400);
const STRING: &str = "std_msgs/msg/String";
const SERVICE: &str = "rcl_interfaces/srv/GetParameters";

/// A place where nodes meet.
trait World {
    fn node(&self, name: &str, arguments: &str) -> Arc<dyn Transport>;
}

impl World for MemoryBus {
    fn node(&self, name: &str, arguments: &str) -> Arc<dyn Transport> {
        Arc::new(self.transport(name, &ros_args(arguments)).unwrap())
    }
}

/// A domain of DDS for one test.
struct Dds {
    environment: Environment,
    _reserved: ReservedDomain,
}

impl Dds {
    fn new(mapping: ServiceMapping) -> Self {
        let reserved = ReservedDomain::new();
        let range = DiscoveryRange::Localhost;
        let environment =
            Environment { domain_id: reserved.id(), mapping, range, ..Environment::default() };
        Self { environment, _reserved: reserved }
    }
}

impl World for Dds {
    fn node(&self, name: &str, arguments: &str) -> Arc<dyn Transport> {
        Arc::new(EmbeddedTransport::new(name, &ros_args(arguments), &self.environment).unwrap())
    }
}

fn ros_args(line: &str) -> RosArgs {
    let words = line.split_whitespace().map(str::to_owned);
    RosArgs::take_from(["--ros-args".to_owned()].into_iter().chain(words)).unwrap().0
}

/// Runs every case on every transport, each as a test of its own.
macro_rules! conformance {
    ($($case:ident),* $(,)?) => {
        mod memory { $(#[test] fn $case() { super::$case(&super::MemoryBus::new()); })* }
        mod embedded { $(#[test] fn $case() {
            super::$case(&super::Dds::new(super::ServiceMapping::SampleIdentity));
        })* }
        mod embedded_cyclone_clients { $(#[test] fn $case() {
            super::$case(&super::Dds::new(super::ServiceMapping::CycloneHeader));
        })* }
    };
}

conformance![
    messages_arrive_as_they_were_sent,
    reliable_messages_arrive_in_order,
    latched_messages_reach_late_subscribers,
    best_effort_writers_do_not_match_reliable_readers,
    volatile_writers_do_not_match_latched_readers,
    other_types_do_not_meet,
    large_messages_arrive,
    later_subscriptions_of_a_node_miss_the_past,
    what_has_arrived_stays_when_its_sender_leaves,
    subscribers_are_counted,
    services_answer,
    several_clients_get_their_own_answers,
    threads_share_a_client,
    answers_may_come_later_and_out_of_order,
    calls_wait_for_a_server,
    calls_without_a_server_time_out,
    unanswered_calls_time_out,
    large_requests_and_answers_arrive,
    empty_requests_arrive,
    malformed_bytes_are_handed_over,
    names_are_expanded_and_remapped,
    parameters_are_handed_over,
    bad_names_and_types_are_refused,
    a_slow_callback_holds_up_nobody,
    shutdown_is_quick_and_final,
    a_restarted_server_is_found,
];

fn message(body: &[u8]) -> Vec<u8> {
    [&[0, 1, 0, 0], body].concat()
}

/// Little-endian CDR of a number.
fn numbered(number: u32) -> Vec<u8> {
    message(&number.to_le_bytes())
}

fn number_of(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(bytes[4..8].try_into().unwrap())
}

/// Whether these are the bytes that were sent, but for the padding DDS may add.
#[track_caller]
fn assert_same(got: &[u8], sent: &[u8]) {
    assert!(got.starts_with(sent), "{} bytes are not the {} sent", got.len(), sent.len());
    let padding = &got[sent.len()..];
    assert!(padding.len() < 4 && padding.iter().all(|byte| *byte == 0), "padding {padding:?}");
}

fn listen(node: &dyn Transport, topic: &str, type_name: &str, qos: Qos) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    let sender = Mutex::new(sender);
    let take = move |bytes: &[u8]| drop(sender.lock().unwrap().send(bytes.to_vec()));
    node.subscribe(topic, type_name, qos, Box::new(take)).unwrap();
    receiver
}

fn wait_for(publisher: &dyn Publisher, subscribers: usize) {
    let start = Instant::now();
    while publisher.subscribers() != subscribers {
        assert!(start.elapsed() < PATIENCE, "{} subscribers", publisher.subscribers());
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Waits until a publisher's messages get to a reader that has just been made, which the publisher alone cannot know.
/// Afterwards none is on its way.
fn connect(publisher: &dyn Publisher, receiver: &Receiver<Vec<u8>>) {
    let start = Instant::now();
    for attempt in 1.. {
        assert!(start.elapsed() < PATIENCE, "nothing arrives");
        let probe = u32::MAX - attempt;
        publisher.publish(&numbered(probe)).unwrap();
        let until = Instant::now() + attempt * Duration::from_millis(50);
        let left = || until.saturating_duration_since(Instant::now());
        while let Ok(bytes) = receiver.recv_timeout(left()) {
            if number_of(&bytes) == probe {
                return;
            }
        }
    }
}

fn serve(
    node: &dyn Transport,
    name: &str,
    mut answer: impl FnMut(&[u8]) -> Vec<u8> + Send + 'static,
) {
    node.serve(name, SERVICE, Box::new(move |bytes, reply| reply.send(answer(&bytes)))).unwrap();
}

/// Echoes what it gets, with every byte of the body one higher.
fn incremented(bytes: &[u8]) -> Vec<u8> {
    let body: Vec<_> = bytes[4..].iter().map(|byte| byte.wrapping_add(1)).collect();
    message(&body)
}

fn messages_arrive_as_they_were_sent(world: &dyn World) {
    let (a, b) = (world.node("a", ""), world.node("b", ""));
    let publisher = a.advertise("topic", STRING, Qos::reliable(10)).unwrap();
    let received = listen(&*b, "topic", STRING, Qos::reliable(10));
    connect(&*publisher, &received);
    for length in [0, 1, 2, 3, 4, 5, 100, 1400, 1500, 9000] {
        let body: Vec<u8> = (0..length).map(|i| (i * 7) as u8).collect();
        publisher.publish(&message(&body)).unwrap();
        assert_same(&received.recv_timeout(PATIENCE).unwrap(), &message(&body));
    }
    assert_eq!(received.recv_timeout(A_WHILE), Err(RecvTimeoutError::Timeout));
}

fn reliable_messages_arrive_in_order(world: &dyn World) {
    let (a, b) = (world.node("a", ""), world.node("b", ""));
    let publisher = a.advertise("topic", STRING, Qos::reliable(1000)).unwrap();
    let received = listen(&*b, "topic", STRING, Qos::reliable(1000));
    connect(&*publisher, &received);
    for burst in 0..20 {
        for i in 0..50 {
            publisher.publish(&numbered(burst * 50 + i)).unwrap();
        }
        for i in 0..50 {
            let got = number_of(&received.recv_timeout(PATIENCE).unwrap());
            assert_eq!(got, burst * 50 + i);
        }
    }
}

fn latched_messages_reach_late_subscribers(world: &dyn World) {
    let a = world.node("a", "");
    let publisher = a.advertise("topic", STRING, Qos::latched(2)).unwrap();
    for i in 0..5 {
        publisher.publish(&numbered(i)).unwrap();
    }
    let b = world.node("b", "");
    let received = listen(&*b, "topic", STRING, Qos::latched(2));
    let mut got = vec![];
    while got.last() != Some(&4) {
        got.push(number_of(&received.recv_timeout(PATIENCE).unwrap()));
    }
    // DDS may still hold older ones; the last two are what was promised, in order and at the end.
    assert!(got.ends_with(&[3, 4]) && got.is_sorted(), "{got:?}");
    publisher.publish(&numbered(5)).unwrap();
    assert_eq!(number_of(&received.recv_timeout(PATIENCE).unwrap()), 5);
    // Someone who does not ask for the past.
    let c = world.node("c", "");
    let later = listen(&*c, "topic", STRING, Qos::reliable(2));
    wait_for(&*publisher, 2);
    publisher.publish(&numbered(6)).unwrap();
    let mut got = vec![];
    while got.last() != Some(&6) {
        got.push(number_of(&later.recv_timeout(PATIENCE).unwrap()));
    }
}

fn best_effort_writers_do_not_match_reliable_readers(world: &dyn World) {
    let (a, b) = (world.node("a", ""), world.node("b", ""));
    let publisher = a.advertise("topic", STRING, Qos::best_effort(10)).unwrap();
    let reliable = listen(&*b, "topic", STRING, Qos::reliable(10));
    let c = world.node("c", "");
    let best_effort = listen(&*c, "topic", STRING, Qos::best_effort(10));
    connect(&*publisher, &best_effort);
    wait_for(&*publisher, 1);
    assert!(reliable.recv_timeout(A_WHILE).is_err());
}

fn volatile_writers_do_not_match_latched_readers(world: &dyn World) {
    let (a, b) = (world.node("a", ""), world.node("b", ""));
    let publisher = a.advertise("topic", STRING, Qos::reliable(10)).unwrap();
    let latched = listen(&*b, "topic", STRING, Qos::latched(10));
    let c = world.node("c", "");
    let volatile = listen(&*c, "topic", STRING, Qos::reliable(10));
    connect(&*publisher, &volatile);
    wait_for(&*publisher, 1);
    assert!(latched.recv_timeout(A_WHILE).is_err());
}

fn other_types_do_not_meet(world: &dyn World) {
    let (a, b) = (world.node("a", ""), world.node("b", ""));
    let publisher = a.advertise("topic", STRING, Qos::reliable(10)).unwrap();
    let other = listen(&*b, "topic", "std_msgs/msg/Header", Qos::reliable(10));
    let c = world.node("c", "");
    let same = listen(&*c, "topic", STRING, Qos::reliable(10));
    connect(&*publisher, &same);
    assert!(other.recv_timeout(A_WHILE).is_err());
}

fn large_messages_arrive(world: &dyn World) {
    let (a, b) = (world.node("a", ""), world.node("b", ""));
    let publisher = a.advertise("topic", STRING, Qos::reliable(10)).unwrap();
    let received = listen(&*b, "topic", STRING, Qos::reliable(10));
    connect(&*publisher, &received);
    for length in [60_000_usize, 100_000, 1 << 20, 4 << 20] {
        let body: Vec<u8> = (0..length).map(|i| (i / 3) as u8).collect();
        publisher.publish(&message(&body)).unwrap();
        assert_same(&received.recv_timeout(PATIENCE).unwrap(), &message(&body));
    }
}

fn later_subscriptions_of_a_node_miss_the_past(world: &dyn World) {
    let (a, b) = (world.node("a", ""), world.node("b", ""));
    let publisher = a.advertise("topic", STRING, Qos::reliable(10)).unwrap();
    let early = listen(&*b, "topic", STRING, Qos::reliable(10));
    connect(&*publisher, &early);
    publisher.publish(&numbered(1)).unwrap();
    assert_eq!(number_of(&early.recv_timeout(PATIENCE).unwrap()), 1);
    let late = listen(&*b, "topic", STRING, Qos::reliable(10));
    let start = Instant::now();
    let first = loop {
        assert!(start.elapsed() < PATIENCE, "nothing arrives");
        publisher.publish(&numbered(2)).unwrap();
        if let Ok(bytes) = late.recv_timeout(Duration::from_millis(50)) {
            break number_of(&bytes);
        }
    };
    assert_eq!(first, 2);
}

fn what_has_arrived_stays_when_its_sender_leaves(world: &dyn World) {
    let (a, b) = (world.node("a", ""), world.node("b", ""));
    let publisher = a.advertise("topic", STRING, Qos::reliable(10)).unwrap();
    let back = b.advertise("back", STRING, Qos::reliable(1)).unwrap();
    let _heard = listen(&*a, "back", STRING, Qos::reliable(1));
    let quick = listen(&*b, "topic", STRING, Qos::reliable(10));
    let (sender, slow) = channel();
    let (release, held) = channel::<()>();
    let hold = move |bytes: &[u8]| {
        sender.send(bytes.to_vec()).unwrap();
        if number_of(bytes) == 0 {
            let _ = held.recv_timeout(PATIENCE);
        }
    };
    b.subscribe("topic", STRING, Qos::reliable(10), Box::new(hold)).unwrap();
    wait_for(&*back, 1);
    connect(&*publisher, &quick);
    connect(&*publisher, &slow);
    for i in 0..4 {
        publisher.publish(&numbered(i)).unwrap();
    }
    while number_of(&quick.recv_timeout(PATIENCE).unwrap()) != 3 {}
    while number_of(&slow.recv_timeout(PATIENCE).unwrap()) != 0 {}
    a.shutdown();
    wait_for(&*back, 0);
    std::thread::sleep(A_WHILE);
    release.send(()).unwrap();
    for i in 1..4 {
        assert_eq!(number_of(&slow.recv_timeout(PATIENCE).unwrap()), i);
    }
}

fn subscribers_are_counted(world: &dyn World) {
    let (a, b, c) = (world.node("a", ""), world.node("b", ""), world.node("c", ""));
    let publisher = a.advertise("topic", STRING, Qos::reliable(1)).unwrap();
    let _first = listen(&*b, "topic", STRING, Qos::reliable(1));
    let _second = listen(&*c, "topic", STRING, Qos::reliable(1));
    wait_for(&*publisher, 2);
    b.shutdown();
    wait_for(&*publisher, 1);
}

fn services_answer(world: &dyn World) {
    let (a, b) = (world.node("a", ""), world.node("b", ""));
    serve(&*a, "increment", incremented);
    let client = b.client("increment", SERVICE).unwrap();
    assert!(client.wait_for_server(PATIENCE));
    for i in 0..200 {
        let request = numbered(i);
        assert_eq!(client.call(&request, PATIENCE).unwrap(), incremented(&request));
    }
}

fn several_clients_get_their_own_answers(world: &dyn World) {
    let a = world.node("a", "");
    serve(&*a, "increment", incremented);
    let nodes: Vec<_> = (0..4).map(|i| world.node(&format!("b{i}"), "")).collect();
    std::thread::scope(|scope| {
        // Two clients of one node, and one of each other.
        for (k, node) in nodes.iter().chain([&nodes[0]]).enumerate() {
            scope.spawn(move || {
                let client = node.client("increment", SERVICE).unwrap();
                for i in 0..100 {
                    let request = numbered(k as u32 * 1000 + i);
                    assert_eq!(client.call(&request, PATIENCE).unwrap(), incremented(&request));
                }
            });
        }
    });
}

fn threads_share_a_client(world: &dyn World) {
    let (a, b) = (world.node("a", ""), world.node("b", ""));
    serve(&*a, "increment", incremented);
    let client = b.client("increment", SERVICE).unwrap();
    std::thread::scope(|scope| {
        for k in 0..8 {
            let client = &client;
            scope.spawn(move || {
                for i in 0..100 {
                    let request = numbered(k * 1000 + i);
                    assert_eq!(client.call(&request, PATIENCE).unwrap(), incremented(&request));
                }
            });
        }
    });
}

fn answers_may_come_later_and_out_of_order(world: &dyn World) {
    let (a, b) = (world.node("a", ""), world.node("b", ""));
    let mut held = None;
    let hold_every_other =
        move |bytes: Vec<u8>, reply: smooth_scene::transport::Reply| match held.take() {
            None => held = Some((bytes, reply)),
            Some((first, first_reply)) => drop(std::thread::spawn(move || {
                reply.send(incremented(&bytes));
                std::thread::sleep(Duration::from_millis(20));
                first_reply.send(incremented(&first));
            })),
        };
    a.serve("increment", SERVICE, Box::new(hold_every_other)).unwrap();
    let client = b.client("increment", SERVICE).unwrap();
    std::thread::scope(|scope| {
        for k in 0..2 {
            let client = &client;
            scope.spawn(move || {
                let request = numbered(k);
                assert_eq!(client.call(&request, PATIENCE).unwrap(), incremented(&request));
            });
        }
    });
}

fn calls_wait_for_a_server(world: &dyn World) {
    let (a, b) = (world.node("a", ""), world.node("b", ""));
    let client = b.client("increment", SERVICE).unwrap();
    std::thread::scope(|scope| {
        let called = scope.spawn(|| client.call(&numbered(7), PATIENCE));
        std::thread::sleep(A_WHILE);
        serve(&*a, "increment", incremented);
        assert_eq!(called.join().unwrap().unwrap(), incremented(&numbered(7)));
    });
}

fn calls_without_a_server_time_out(world: &dyn World) {
    let b = world.node("b", "-r __ns:=/left");
    let client = b.client("nobody", SERVICE).unwrap();
    let start = Instant::now();
    assert!(!client.wait_for_server(A_WHILE));
    let error = client.call(&numbered(0), A_WHILE).unwrap_err();
    assert_eq!(
        error,
        TransportError::NoAnswer { service: "/left/nobody".to_owned(), seconds: 0.4 }
    );
    assert!(start.elapsed() >= 2 * A_WHILE && start.elapsed() < PATIENCE);
}

fn unanswered_calls_time_out(world: &dyn World) {
    let (a, b) = (world.node("a", ""), world.node("b", ""));
    let keep = Mutex::new(Vec::new());
    a.serve("silent", SERVICE, Box::new(move |_, reply| keep.lock().unwrap().push(reply))).unwrap();
    let client = b.client("silent", SERVICE).unwrap();
    assert!(client.wait_for_server(PATIENCE));
    let error = client.call(&numbered(0), A_WHILE).unwrap_err();
    assert!(matches!(error, TransportError::NoAnswer { .. }), "{error}");
}

fn large_requests_and_answers_arrive(world: &dyn World) {
    let (a, b) = (world.node("a", ""), world.node("b", ""));
    serve(&*a, "increment", incremented);
    let client = b.client("increment", SERVICE).unwrap();
    for length in [1000, 70_000, 1 << 20] {
        let request = message(&(0..length).map(|i| (i / 5) as u8).collect::<Vec<_>>());
        for _ in 0..3 {
            let answer = client.call(&request, PATIENCE).unwrap();
            assert_same(&answer, &incremented(&request));
        }
    }
}

fn empty_requests_arrive(world: &dyn World) {
    let (a, b) = (world.node("a", ""), world.node("b", ""));
    serve(&*a, "ask", |bytes| {
        // ROS has one byte in a message without fields, DDS pads it.
        assert!(bytes.len() <= 8 && bytes[4..].iter().all(|byte| *byte == 0), "{bytes:?}");
        message(&[])
    });
    let client = b.client("ask", SERVICE).unwrap();
    assert_eq!(client.call(&message(&[]), PATIENCE).unwrap()[..4], [0, 1, 0, 0]);
}

fn malformed_bytes_are_handed_over(world: &dyn World) {
    let (a, b) = (world.node("a", ""), world.node("b", ""));
    serve(&*a, "increment", incremented);
    let client = b.client("increment", SERVICE).unwrap();
    let publisher = b.advertise("topic", STRING, Qos::reliable(10)).unwrap();
    let received = listen(&*a, "topic", STRING, Qos::reliable(10));
    connect(&*publisher, &received);
    // A string that claims four billion characters, and noise.
    let mut noise = 1_u32;
    for length in 1..40 {
        let mut body = vec![0xff; 4];
        for _ in 0..4 * length {
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            body.push((noise >> 24) as u8);
        }
        let bad = message(&body);
        publisher.publish(&bad).unwrap();
        assert_eq!(received.recv_timeout(PATIENCE).unwrap(), bad);
        assert_eq!(client.call(&bad, PATIENCE).unwrap(), incremented(&bad));
    }
}

fn names_are_expanded_and_remapped(world: &dyn World) {
    let a =
        world.node("a", "-r __node:=scene -r __ns:=/left -r topic:=/elsewhere -r ~/ask:=answer");
    assert_eq!(a.node_name(), "/left/scene");
    assert_eq!(a.resolve("x").unwrap(), "/left/x");
    assert_eq!(a.resolve("~/x").unwrap(), "/left/scene/x");
    assert_eq!(a.resolve("topic").unwrap(), "/elsewhere");
    let b = world.node("b", "");
    let publisher = a.advertise("topic", STRING, Qos::latched(1)).unwrap();
    publisher.publish(&numbered(3)).unwrap();
    let received = listen(&*b, "/elsewhere", STRING, Qos::latched(1));
    assert_eq!(number_of(&received.recv_timeout(PATIENCE).unwrap()), 3);
    serve(&*a, "~/ask", incremented);
    let client = b.client("/left/answer", SERVICE).unwrap();
    assert_eq!(client.call(&numbered(1), PATIENCE).unwrap(), incremented(&numbered(1)));
}

fn parameters_are_handed_over(world: &dyn World) {
    let a = world.node("a", "-p rate:=2.5 -p a:name:=x -p b:name:=y");
    let parameters = a.parameter_overrides();
    assert_eq!(parameters.len(), 2);
    assert_eq!(parameters["rate"].double_value, 2.5);
    assert_eq!(parameters["name"].string_value, "x");
}

fn bad_names_and_types_are_refused(world: &dyn World) {
    let a = world.node("a", "");
    let bad =
        |error: TransportError| assert!(matches!(error, TransportError::BadName { .. }), "{error}");
    for name in ["", "a b", "1x", "x/", "~x", "{nothing}", "a//b", "\u{0}"] {
        bad(a.resolve(name).unwrap_err());
        bad(a.advertise(name, STRING, Qos::reliable(1)).err().unwrap());
        bad(a.subscribe(name, STRING, Qos::reliable(1), Box::new(|_| ())).unwrap_err());
        bad(a.serve(name, SERVICE, Box::new(|_, _| ())).unwrap_err());
        bad(a.client(name, SERVICE).err().unwrap());
    }
    for type_name in ["", "String", "std_msgs/String", "a/b/c/d"] {
        bad(a.advertise("x", type_name, Qos::reliable(1)).err().unwrap());
        bad(a.subscribe("x", type_name, Qos::reliable(1), Box::new(|_| ())).unwrap_err());
        bad(a.serve("x", type_name, Box::new(|_, _| ())).unwrap_err());
        bad(a.client("x", type_name).err().unwrap());
    }
}

fn a_slow_callback_holds_up_nobody(world: &dyn World) {
    let (a, b) = (world.node("a", ""), world.node("b", ""));
    let (entered, inside) = channel();
    let (release, held) = channel::<()>();
    let hold = move |_: &[u8]| {
        entered.send(()).unwrap();
        let _ = held.recv_timeout(PATIENCE);
    };
    a.subscribe("slow", STRING, Qos::latched(1), Box::new(hold)).unwrap();
    serve(&*a, "increment", incremented);
    let slow = b.advertise("slow", STRING, Qos::latched(1)).unwrap();
    slow.publish(&numbered(0)).unwrap();
    inside.recv_timeout(PATIENCE).unwrap();
    let client = b.client("increment", SERVICE).unwrap();
    assert_eq!(client.call(&numbered(1), PATIENCE).unwrap(), incremented(&numbered(1)));
    assert!(inside.try_recv().is_err());
    release.send(()).unwrap();
}

fn shutdown_is_quick_and_final(world: &dyn World) {
    let (a, b) = (world.node("a", ""), world.node("b", ""));
    let publisher = a.advertise("topic", STRING, Qos::reliable(10)).unwrap();
    let received = listen(&*b, "topic", STRING, Qos::reliable(10));
    connect(&*publisher, &received);
    serve(&*a, "increment", incremented);
    let client = b.client("increment", SERVICE).unwrap();
    client.call(&numbered(1), PATIENCE).unwrap();
    let own_client = a.client("other", SERVICE).unwrap();
    publisher.publish(&numbered(9)).unwrap();
    let start = Instant::now();
    a.shutdown();
    assert!(start.elapsed() < PATIENCE / 4, "{:?}", start.elapsed());
    // What was published before still arrives.
    assert_eq!(number_of(&received.recv_timeout(PATIENCE).unwrap()), 9);
    a.shutdown();
    assert!(publisher.publish(&numbered(2)).is_err());
    assert_eq!(publisher.subscribers(), 0);
    assert!(own_client.call(&numbered(2), A_WHILE).is_err());
    assert!(client.call(&numbered(2), A_WHILE).is_err());
}

fn a_restarted_server_is_found(world: &dyn World) {
    let b = world.node("b", "");
    let client = b.client("increment", SERVICE).unwrap();
    for round in 0..3 {
        let a = world.node("a", "");
        serve(&*a, "increment", incremented);
        let request = numbered(round);
        assert_eq!(client.call(&request, PATIENCE).unwrap(), incremented(&request));
        drop(a);
        // Until the client has heard that the server is gone.
        let start = Instant::now();
        while client.wait_for_server(Duration::ZERO) {
            assert!(start.elapsed() < PATIENCE, "the server is still thought to be there");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}
