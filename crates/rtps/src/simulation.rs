//! Domains of engines on a simulated network that loses, repeats, delays and reorders datagrams.
//!
//! What is promised: reliable samples arrive, in order, once, whatever the network does.

use crate::discovery::{EndpointData, ParticipantData};
use crate::engine::{Endpoint, Engine, Event, Identity, Outbox, SampleQueue, WriteOptions};
use crate::guid::{EntityId, Guid, GuidPrefix};
use crate::history::Recipient;
use crate::limits::Limits;
use crate::network::{Interface, Network, Range};
use crate::qos::{History, Qos};
use crate::sample::SampleIdentity;
use crate::wire::{DatagramBuilder, SerializedPayload};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddrV4};
use std::sync::Arc;
use std::time::{Duration, Instant};

const TICK: Duration = Duration::from_millis(20);

/// The generator xorshift64.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }
}

/// What a network does to datagrams.
#[derive(Debug, Clone, Copy)]
struct Faults {
    loss_percent: u64,
    repeat_percent: u64,
    /// Delays are random up to this, so that datagrams overtake each other.
    delay_us: u64,
}

const PERFECT: Faults = Faults { loss_percent: 0, repeat_percent: 0, delay_us: 1 };

/// Participants on machines of their own.
struct Domain {
    engines: Vec<Engine>,
    events: Vec<Vec<Event>>,
    now: Instant,
    random: Random,
    faults: Faults,
    /// Datagrams on their way: arrival, order, receiver, sender, bytes.
    flying: BTreeMap<(Instant, u64), (usize, usize, Vec<u8>)>,
    sent: u64,
    /// Participants whose datagrams all get lost.
    unplugged: Vec<usize>,
}

fn address(machine: usize) -> Ipv4Addr {
    Ipv4Addr::new(10, 0, 0, machine as u8 + 1)
}

fn network(address: Ipv4Addr, mtu: usize) -> Network {
    let netmask = Ipv4Addr::new(255, 255, 255, 0);
    let interface = Interface { name: "eth0".to_owned(), address, netmask, mtu };
    Network::new(Range::Subnet, vec![interface])
}

impl Domain {
    fn new(participants: usize, faults: Faults, seed: u64) -> Self {
        Self::with_limits(participants, faults, seed, &Limits::default())
    }

    fn with_limits(participants: usize, faults: Faults, seed: u64, limits: &Limits) -> Self {
        let now = Instant::now();
        let engine = |machine: usize| {
            let identity = Identity {
                prefix: GuidPrefix([machine as u8 + 1; 12]),
                name: format!("participant {machine}"),
                user_data: Vec::new(),
                metatraffic_port: 7410,
                user_port: 7411,
                group: "239.255.0.1:7400".parse().unwrap(),
            };
            Engine::new(identity, network(address(machine), 1500), limits.clone(), now)
        };
        Self {
            engines: (0..participants).map(engine).collect(),
            events: vec![Vec::new(); participants],
            now,
            random: Random(seed | 1),
            faults,
            flying: BTreeMap::new(),
            sent: 0,
            unplugged: Vec::new(),
        }
    }

    fn post(&mut self, from: usize, to: usize, datagram: Vec<u8>) {
        if to >= self.engines.len() {
            // Nobody is there.
            return;
        }
        let is_unplugged = self.unplugged.contains(&from) || self.unplugged.contains(&to);
        if from != to && (is_unplugged || self.random.below(100) < self.faults.loss_percent) {
            return;
        }
        let copies = 1 + u64::from(self.random.below(100) < self.faults.repeat_percent);
        for _ in 0..copies {
            let delay = 50 + self.random.below(self.faults.delay_us);
            self.sent += 1;
            let arrival = self.now + Duration::from_micros(delay);
            self.flying.insert((arrival, self.sent), (to, from, datagram.clone()));
        }
    }

    fn with<T>(
        &mut self,
        participant: usize,
        act: impl FnOnce(&mut Engine, Instant, &mut Outbox) -> T,
    ) -> T {
        let mut out = Outbox::default();
        let result = act(&mut self.engines[participant], self.now, &mut out);
        for (to, datagram) in out.datagrams {
            let to = usize::from(to.ip().octets()[3]) - 1;
            self.post(participant, to, datagram);
        }
        for datagram in out.announcements {
            for to in 0..self.engines.len() {
                self.post(participant, to, datagram.clone());
            }
        }
        self.events[participant].extend(out.events);
        result
    }

    /// Lets time pass.
    fn run(&mut self, duration: Duration) {
        let end = self.now + duration;
        let mut next_tick = self.now + TICK;
        while self.now < end {
            let arrival = self.flying.first_key_value().map(|((arrival, _), _)| *arrival);
            if arrival.is_some_and(|arrival| arrival < next_tick) {
                let ((arrival, _), (to, from, datagram)) = self.flying.pop_first().unwrap();
                self.now = self.now.max(arrival);
                let source = address(from);
                self.with(to, |engine, now, out| engine.receive(&datagram, source, now, out));
                self.pump();
            } else {
                self.now = next_tick;
                next_tick += TICK;
                for participant in 0..self.engines.len() {
                    self.with(participant, |engine, now, out| engine.tick(now, out));
                }
                self.pump();
            }
        }
    }

    fn pump(&mut self) {
        for participant in 0..self.engines.len() {
            if self.engines[participant].has_jobs() {
                self.with(participant, |engine, now, out| engine.pump(1 << 20, now, out));
            }
        }
    }

    fn run_until(
        &mut self,
        at_most: Duration,
        mut condition: impl FnMut(&mut Self) -> bool,
    ) -> bool {
        let end = self.now + at_most;
        while !condition(self) {
            if self.now >= end {
                return false;
            }
            self.run(TICK);
        }
        true
    }

    fn writer(&mut self, participant: usize, qos: Qos) -> Guid {
        self.with(participant, |engine, now, out| engine.create_writer(&topic(qos), now, out))
    }

    fn reader(&mut self, participant: usize, qos: Qos) -> (Guid, Arc<SampleQueue>) {
        self.with(participant, |engine, now, out| engine.create_reader(&topic(qos), now, out))
    }

    fn write(&mut self, participant: usize, writer: Guid, payload: &[u8]) {
        let options = WriteOptions::default();
        let payload = payload.into();
        self.with(participant, |engine, now, out| engine.write(writer, payload, options, now, out))
            .unwrap();
    }

    fn is_matched(&self, participant: usize, writer: Guid, readers: usize) -> bool {
        self.engines[participant].matched_readers(writer).len() == readers
    }
}

fn topic(qos: Qos) -> Endpoint {
    let (topic, type_name) = ("topic".to_owned(), "type".to_owned());
    Endpoint { topic, type_name, qos, user_data: b"data".to_vec() }
}

/// A payload that says which it is, of a length that is a multiple of four.
fn payload(number: u32, length: usize) -> Vec<u8> {
    let mut bytes = number.to_le_bytes().to_vec();
    bytes.extend((0..length.next_multiple_of(4)).map(|i| (i as u32 ^ number) as u8));
    bytes
}

fn drain(queue: &SampleQueue) -> Vec<Vec<u8>> {
    std::iter::from_fn(|| queue.try_pop()).map(|sample| sample.payload).collect()
}

fn faults() -> impl Strategy<Value = Faults> {
    (0..30_u64, 0..30_u64, 1..50_000_u64).prop_map(|(loss_percent, repeat_percent, delay_us)| {
        Faults { loss_percent, repeat_percent, delay_us }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn reliable_samples_arrive_in_order_and_once(
        faults in faults(),
        seed in any::<u64>(),
        lengths in prop::collection::vec(
            prop_oneof![4 => 0..200_usize, 2 => 1000..3000_usize, 1 => 10_000..60_000_usize],
            1..60,
        ),
        keeps_all in any::<bool>(),
    ) {
        let mut domain = Domain::new(3, faults, seed);
        let history = if keeps_all { History::KeepAll } else { History::KeepLast(1000) };
        let qos = Qos { history, ..Qos::reliable(1000) };
        let writer = domain.writer(0, qos);
        let queues = [domain.reader(1, qos).1, domain.reader(2, qos).1];
        prop_assert!(domain.run_until(Duration::from_secs(60), |d| d.is_matched(0, writer, 2)));
        // From the moment the writer knows its readers, nothing may be missed.
        let sent: Vec<_> =
            lengths.iter().enumerate().map(|(i, length)| payload(i as u32, *length)).collect();
        let mut received = [Vec::new(), Vec::new()];
        for bytes in &sent {
            domain.write(0, writer, bytes);
            domain.run(Duration::from_micros(500));
        }
        let done = domain.run_until(Duration::from_secs(120), |_| {
            for (queue, received) in queues.iter().zip(&mut received) {
                received.extend(drain(queue));
            }
            received.iter().all(|r| r.len() >= sent.len())
        });
        prop_assert!(done, "{} and {} of {}", received[0].len(), received[1].len(), sent.len());
        domain.run(Duration::from_secs(2));
        for (queue, received) in queues.iter().zip(&mut received) {
            received.extend(drain(queue));
            prop_assert!(*received == sent, "another order, or repeated");
        }
        // Nothing is kept that everybody has, and nothing is sent when there is nothing to say.
        prop_assert!(domain.run_until(Duration::from_secs(60), |d| d.engines[0].is_acknowledged()));
        prop_assert_eq!(domain.engines[1].held_bytes(), 0);
    }

    #[test]
    fn late_readers_get_the_last_samples(faults in faults(), seed in any::<u64>(), depth in 1..6_usize) {
        let mut domain = Domain::new(2, faults, seed);
        let writer = domain.writer(0, Qos::transient_local(depth));
        for number in 0..8 {
            domain.write(0, writer, &payload(number, 5000));
        }
        domain.run(Duration::from_secs(1));
        let (_, queue) = domain.reader(1, Qos::transient_local(depth));
        let mut received = Vec::new();
        let done = domain.run_until(Duration::from_secs(60), |_| {
            received.extend(drain(&queue));
            received.len() >= depth
        });
        prop_assert!(done);
        let expected: Vec<_> = (8 - depth as u32..8).map(|number| payload(number, 5000)).collect();
        prop_assert_eq!(received, expected);
    }

    #[test]
    fn replies_reach_the_one_who_asked_even_before_it_is_known(faults in faults(), seed in any::<u64>()) {
        let mut domain = Domain::new(3, faults, seed);
        let writer = domain.writer(0, Qos::reliable(10));
        domain.run(Duration::from_secs(1));
        let reader = Guid::new(GuidPrefix([2; 12]), crate::guid::EntityId::user_reader(1));
        let related = SampleIdentity { writer: reader, number: 7 };
        let options = WriteOptions { related: Some(related), recipient: Recipient::Reader(reader) };
        for number in 0..3 {
            let bytes: Arc<[u8]> = payload(number, 3000).into();
            domain.with(0, |engine, now, out| engine.write(writer, bytes, options, now, out)).unwrap();
        }
        let (guid, queue) = domain.reader(1, Qos::reliable(10));
        let (_, other) = domain.reader(2, Qos::reliable(10));
        prop_assert_eq!(guid, reader);
        let mut received = Vec::new();
        domain.run_until(Duration::from_secs(4), |_| {
            received.extend(std::iter::from_fn(|| queue.try_pop()));
            received.len() == 3
        });
        // A reader that becomes known too late finds nothing: whoever waits that long has given up.
        let in_time = received.len() == 3;
        prop_assert!(in_time || faults.loss_percent > 10, "{} of 3", received.len());
        prop_assert!(received.iter().all(|sample| sample.related == Some(related)));
        domain.run(Duration::from_secs(1));
        prop_assert_eq!(other.try_pop(), None);
    }
}

#[test]
fn best_effort_samples_arrive_in_order_on_a_perfect_network() {
    let mut domain = Domain::new(2, PERFECT, 1);
    let writer = domain.writer(0, Qos::best_effort(1));
    let (_, queue) = domain.reader(1, Qos::best_effort(100));
    assert!(domain.run_until(Duration::from_secs(5), |d| d.is_matched(0, writer, 1)));
    domain.run(Duration::from_secs(1));
    let sent: Vec<_> = (0..20).map(|number| payload(number, 400 * number as usize)).collect();
    for bytes in &sent {
        domain.write(0, writer, bytes);
        domain.run(TICK);
    }
    assert_eq!(drain(&queue), sent);
}

#[test]
fn own_readers_get_what_own_writers_write() {
    let mut domain = Domain::new(1, PERFECT, 1);
    let writer = domain.writer(0, Qos::reliable(1));
    let (_, queue) = domain.reader(0, Qos::reliable(1));
    assert!(domain.run_until(Duration::from_secs(5), |d| d.is_matched(0, writer, 1)));
    domain.write(0, writer, &payload(1, 8));
    domain.run(Duration::from_secs(1));
    assert_eq!(drain(&queue), [payload(1, 8)]);
}

#[test]
fn volatile_readers_miss_the_past() {
    let mut domain = Domain::new(2, PERFECT, 1);
    let writer = domain.writer(0, Qos::transient_local(10));
    domain.write(0, writer, &payload(1, 8));
    let (_, queue) = domain.reader(1, Qos::reliable(10));
    assert!(domain.run_until(Duration::from_secs(5), |d| d.is_matched(0, writer, 1)));
    domain.write(0, writer, &payload(2, 8));
    domain.run(Duration::from_secs(1));
    assert_eq!(drain(&queue), [payload(2, 8)]);
}

#[test]
fn a_pulled_cable_loses_nothing_within_the_lease() {
    let mut domain = Domain::new(2, PERFECT, 1);
    let writer = domain.writer(0, Qos::reliable(1000));
    let (_, queue) = domain.reader(1, Qos::reliable(1000));
    assert!(domain.run_until(Duration::from_secs(5), |d| d.is_matched(0, writer, 1)));
    domain.write(0, writer, &payload(0, 8));
    domain.unplugged = vec![1];
    for number in 1..100 {
        domain.write(0, writer, &payload(number, 3000));
        domain.run(Duration::from_millis(100));
    }
    domain.unplugged.clear();
    domain.run(Duration::from_secs(3));
    let received = drain(&queue);
    assert_eq!(received.len(), 100);
    assert_eq!(received[99], payload(99, 3000));
}

#[test]
fn a_lease_that_expires_ends_the_match_and_it_comes_back() {
    let mut domain = Domain::new(2, PERFECT, 1);
    let writer = domain.writer(0, Qos::reliable(1));
    let (_, queue) = domain.reader(1, Qos::reliable(1));
    assert!(domain.run_until(Duration::from_secs(5), |d| d.is_matched(0, writer, 1)));
    domain.unplugged = vec![1];
    assert!(domain.run_until(Duration::from_secs(30), |d| d.is_matched(0, writer, 0)));
    let is_lost = |event: &Event| matches!(event, Event::ParticipantLost { .. });
    assert!(domain.events[0].iter().any(is_lost));
    domain.unplugged.clear();
    assert!(domain.run_until(Duration::from_secs(30), |d| d.is_matched(0, writer, 1)));
    domain.write(0, writer, &payload(5, 8));
    domain.run(Duration::from_secs(2));
    assert_eq!(drain(&queue).last(), Some(&payload(5, 8)));
}

#[test]
fn a_process_that_was_stopped_does_not_take_the_others_for_dead() {
    let mut domain = Domain::new(2, PERFECT, 1);
    let writer = domain.writer(0, Qos::reliable(1));
    domain.reader(1, Qos::reliable(1));
    assert!(domain.run_until(Duration::from_secs(5), |d| d.is_matched(0, writer, 1)));
    domain.flying.clear();
    domain.now += Duration::from_secs(3600);
    domain.with(0, |engine, now, out| engine.tick(now, out));
    assert!(domain.is_matched(0, writer, 1));
}

#[test]
fn goodbye_ends_the_match_at_once() {
    let mut domain = Domain::new(2, PERFECT, 1);
    let writer = domain.writer(0, Qos::reliable(1));
    let (reader, _) = domain.reader(1, Qos::reliable(1));
    assert!(domain.run_until(Duration::from_secs(5), |d| d.is_matched(0, writer, 1)));
    domain.with(1, |engine, now, out| engine.remove(reader, now, out));
    domain.run(Duration::from_millis(100));
    assert!(domain.is_matched(0, writer, 0));
    domain.reader(1, Qos::reliable(1));
    domain.run(Duration::from_millis(500));
    assert!(domain.is_matched(0, writer, 1));
    domain.with(1, |engine, _, out| engine.leave(out));
    domain.unplugged = vec![1];
    domain.run(Duration::from_millis(100));
    assert!(domain.is_matched(0, writer, 0));
}

#[test]
fn incompatible_endpoints_are_reported_by_name() {
    let mut domain = Domain::new(2, PERFECT, 1);
    let writer = domain.writer(0, Qos::best_effort(1));
    let (reader, _) = domain.reader(1, Qos::reliable(1));
    let other = Endpoint { type_name: "other".to_owned(), ..topic(Qos::reliable(1)) };
    domain.with(1, |engine, now, out| engine.create_reader(&other, now, out));
    domain.run(Duration::from_secs(1));
    let reported = |events: &[Event], local, remote, policy: &str| {
        events.iter().any(|event| match event {
            Event::IncompatibleQos { local: l, remote: r, policy: p, .. } => {
                (*l, *r, p.to_string().as_str()) == (local, remote, policy)
            }
            _ => false,
        })
    };
    assert!(reported(&domain.events[0], writer, reader, "RELIABILITY"));
    assert!(reported(&domain.events[1], reader, writer, "RELIABILITY"));
    let is_type = |event: &Event| matches!(event, Event::IncompatibleType { type_name, .. } if type_name == "other");
    assert!(domain.events[0].iter().any(is_type));
    assert!(domain.is_matched(0, writer, 0));
}

#[test]
fn an_address_that_changes_is_followed() {
    let mut domain = Domain::new(2, PERFECT, 1);
    let writer = domain.writer(0, Qos::reliable(10));
    let (_, queue) = domain.reader(1, Qos::reliable(10));
    assert!(domain.run_until(Duration::from_secs(5), |d| d.is_matched(0, writer, 1)));
    // The second machine gets another address; the simulation finds it by the last octet.
    let moved = Ipv4Addr::new(10, 0, 0, 2);
    let route: Vec<SocketAddrV4> = vec![SocketAddrV4::new(moved, 7411)];
    assert!(network(address(0), 1500).choose(&route, None).is_some());
    let elsewhere = network(Ipv4Addr::new(10, 0, 7, 2), 9000);
    domain.with(1, |engine, _, out| engine.set_network(elsewhere, out));
    domain.run(Duration::from_millis(500));
    domain.write(0, writer, &payload(1, 8));
    domain.run(Duration::from_millis(500));
    assert_eq!(drain(&queue), [payload(1, 8)]);
    let chosen = domain.engines[0].endpoints().count();
    assert_eq!(chosen, 2, "the writer and the reader are still known");
}

/// As Cyclone DDS and Fast DDS do it: they keep the address at which they found somebody.
#[test]
fn participants_that_do_not_follow_are_told_to_find_us_anew() {
    let mut domain = Domain::new(1, PERFECT, 1);
    let stranger = GuidPrefix([9; 12]);
    let at = |port| vec![SocketAddrV4::new(address(7), port)];
    let participant = ParticipantData {
        prefix: stranger,
        vendor: [1, 0x10],
        metatraffic: at(7410),
        metatraffic_multicast: Vec::new(),
        user_traffic: at(7411),
        lease: Duration::MAX,
        name: String::new(),
        user_data: Vec::new(),
    };
    let payload = participant.to_payload();
    let ids = (EntityId::SPDP_READER, EntityId::SPDP_WRITER);
    let announcement = DatagramBuilder::new(stranger)
        .data(ids, 1, &[], SerializedPayload::Data(&payload))
        .finish();
    let (now, source) = (Instant::now(), address(7));
    let mut out = Outbox::default();
    let engine = &mut domain.engines[0];
    engine.receive(&announcement, source, now, &mut out);
    assert_eq!(engine.peers(), 2, "itself and the stranger");
    // A cable is pulled and put back: nobody is told anything. Then the address is gone, and later there is another.
    let (pulled, home) = (Network::new(Range::Subnet, Vec::new()), engine.network().clone());
    for network in [&pulled, &home, &pulled] {
        let mut out = Outbox::default();
        engine.set_network(network.clone(), &mut out);
        assert_eq!((engine.peers(), out.events.len()), (2, 0));
    }
    let mut out = Outbox::default();
    engine.set_network(network(Ipv4Addr::new(10, 0, 0, 99), 1500), &mut out);
    assert_eq!(engine.peers(), 1, "only itself");
    let lost = Event::ParticipantLost { prefix: stranger, departure: crate::Departure::Moved };
    assert!(out.events.contains(&lost), "{:?}", out.events);
    let told = out.datagrams.iter().filter(|(to, _)| to.ip() == &address(7)).count();
    assert!(told >= 2, "one goodbye may get lost: {told}");
    // An announcement might overtake the goodbye, and one of theirs may be on its way.
    assert_eq!(out.announcements.len(), 0);
    engine.receive(&announcement, source, now, &mut Outbox::default());
    assert_eq!(engine.peers(), 1);
    // A moment later it is found again, and stays when an address is added.
    let later = now + Duration::from_secs(1);
    let mut out = Outbox::default();
    engine.tick(later, &mut out);
    assert_eq!(out.announcements.len(), 1);
    engine.receive(&announcement, source, later, &mut Outbox::default());
    assert_eq!(engine.peers(), 2);
    let mut both = network(Ipv4Addr::new(10, 0, 0, 99), 1500).interfaces().to_vec();
    both.extend(network(Ipv4Addr::new(10, 9, 0, 1), 1500).interfaces().to_vec());
    engine.set_network(Network::new(Range::Subnet, both), &mut Outbox::default());
    assert_eq!(engine.peers(), 2);
}

#[test]
fn a_reader_that_takes_nothing_is_waited_for() {
    let limits = Limits { queued_samples: 4, ..Limits::default() };
    let mut domain = Domain::with_limits(2, PERFECT, 1, &limits);
    let writer = domain.writer(0, Qos::reliable(1000));
    let (_, queue) = domain.reader(1, Qos::reliable(1000));
    assert!(domain.run_until(Duration::from_secs(5), |d| d.is_matched(0, writer, 1)));
    domain.run(Duration::from_secs(1));
    for number in 0..50 {
        domain.write(0, writer, &payload(number, 8));
    }
    let before = domain.sent;
    domain.run(Duration::from_secs(2));
    assert!(
        domain.sent - before < 500,
        "{} datagrams to a reader that is full",
        domain.sent - before
    );
    let mut received = Vec::new();
    domain.run_until(Duration::from_secs(60), |_| {
        received.extend(drain(&queue));
        received.len() == 50
    });
    assert_eq!(received, (0..50).map(|number| payload(number, 8)).collect::<Vec<_>>());
}

#[test]
fn memory_for_a_reader_that_vanished_is_bounded() {
    let mut domain = Domain::new(2, PERFECT, 1);
    let writer = domain.writer(0, Qos::reliable(10));
    domain.reader(1, Qos::reliable(10));
    assert!(domain.run_until(Duration::from_secs(5), |d| d.is_matched(0, writer, 1)));
    domain.run(Duration::from_secs(1));
    domain.unplugged = vec![1];
    for number in 0..1000 {
        domain.write(0, writer, &payload(number, 1000));
        domain.run(Duration::from_millis(5));
    }
    // Two seconds' worth at first, then the depth.
    assert!(domain.engines[0].written_samples(writer) <= 10 + 1);
}

#[test]
fn idle_domains_are_quiet() {
    let mut domain = Domain::new(3, PERFECT, 1);
    let writer = domain.writer(0, Qos::reliable(10));
    domain.reader(1, Qos::reliable(10));
    domain.run(Duration::from_secs(5));
    domain.write(0, writer, &payload(1, 8));
    domain.run(Duration::from_secs(5));
    let before = domain.sent;
    domain.run(Duration::from_secs(30));
    // Each of the three announces itself to three every three seconds.
    assert!(domain.sent - before <= 3 * 3 * 11, "{} datagrams", domain.sent - before);
}

#[test]
fn a_flood_of_participants_and_endpoints_is_bounded() {
    let limits = Limits { peers: 20, endpoints: 50, ..Limits::default() };
    let mut domain = Domain::with_limits(2, PERFECT, 1, &limits);
    let writer = domain.writer(0, Qos::reliable(10));
    domain.reader(1, Qos::reliable(10));
    assert!(domain.run_until(Duration::from_secs(5), |d| d.is_matched(0, writer, 1)));
    for number in 0..2000_u32 {
        let mut prefix = [9; 12];
        prefix[..4].copy_from_slice(&number.to_be_bytes());
        let identity = Identity {
            prefix: GuidPrefix(prefix),
            name: String::new(),
            user_data: Vec::new(),
            metatraffic_port: 7410,
            user_port: 7411,
            group: "239.255.0.1:7400".parse().unwrap(),
        };
        let now = domain.now;
        let mut hostile = Engine::new(identity, network(address(1), 1500), Limits::default(), now);
        let mut out = Outbox::default();
        hostile.tick(now, &mut out);
        for datagram in out.announcements {
            domain.engines[0].receive(&datagram, address(1), now, &mut Outbox::default());
        }
        assert!(domain.engines[0].peers() <= 20);
    }
    for number in 0..200 {
        let name = Endpoint { topic: format!("topic {number}"), ..topic(Qos::reliable(1)) };
        domain.with(1, |engine, now, out| engine.create_reader(&name, now, out));
    }
    domain.run(Duration::from_secs(2));
    assert!(domain.engines[0].endpoints().count() <= 50);
    // The peer with endpoints was not pushed out.
    assert!(domain.is_matched(0, writer, 1));
}

/// Forged announcements of a participant that is not there, and of a writer it has.
fn forged(number: u32) -> [Vec<u8>; 2] {
    let mut prefix = [9; 12];
    prefix[..4].copy_from_slice(&number.to_be_bytes());
    let prefix = GuidPrefix(prefix);
    let at = |port| vec![SocketAddrV4::new(address(7), port)];
    let participant = ParticipantData {
        prefix,
        vendor: [0; 2],
        metatraffic: at(7410),
        metatraffic_multicast: Vec::new(),
        user_traffic: at(7411),
        lease: Duration::MAX,
        name: String::new(),
        user_data: Vec::new(),
    };
    let writer = EndpointData {
        guid: Guid::new(prefix, EntityId::user_writer(1)),
        topic: "topic".to_owned(),
        type_name: "type".to_owned(),
        qos: Qos::reliable(1).into(),
        addresses: Vec::new(),
        user_data: Vec::new(),
    };
    let datagram = |reader, writer, payload: Vec<u8>| {
        DatagramBuilder::new(prefix)
            .data((reader, writer), 1, &[], SerializedPayload::Data(&payload))
            .finish()
    };
    [
        datagram(EntityId::SPDP_READER, EntityId::SPDP_WRITER, participant.to_payload()),
        datagram(EntityId::PUBLICATIONS_READER, EntityId::PUBLICATIONS_WRITER, writer.to_payload()),
    ]
}

#[test]
fn forged_participants_do_not_keep_others_out() {
    let limits = Limits { peers: 20, ..Limits::default() };
    let mut domain = Domain::with_limits(3, PERFECT, 1, &limits);
    let writer = domain.writer(0, Qos::reliable(10));
    domain.reader(1, Qos::reliable(10));
    domain.unplugged = vec![2];
    assert!(domain.run_until(Duration::from_secs(5), |d| d.is_matched(0, writer, 1)));
    for number in 0..1000 {
        for datagram in forged(number) {
            let now = domain.now;
            domain.engines[0].receive(&datagram, address(7), now, &mut Outbox::default());
        }
    }
    let strangers = domain.engines[0].endpoints().filter(|e| e.topic == "topic").count();
    assert!(strangers > 10, "{strangers} forged writers are known");
    assert_eq!(domain.engines[0].peers(), 20);
    // Whoever was there stays, and who comes now finds a place.
    assert!(domain.is_matched(0, writer, 1));
    domain.unplugged.clear();
    domain.reader(2, Qos::reliable(10));
    assert!(domain.run_until(Duration::from_secs(10), |d| d.is_matched(0, writer, 2)));
}
