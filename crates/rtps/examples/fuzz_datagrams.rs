//! Fuzzes everything that is read from the network, with a stable toolchain.
//!
//! ```text
//! cargo run --release -p smooth_scene_rtps --example fuzz_datagrams -- [SECONDS] [SEED]
//! ```
//!
//! Cases are datagrams of a simulated domain and mutations of them. Each goes through every parser and into an engine that
//! has matched endpoints. A panic, a case that takes long, and memory beyond the limits end the run; the seed and the case
//! are printed.

use smooth_scene_rtps::discovery::{EndpointData, ParticipantData};
use smooth_scene_rtps::engine::{Engine, Identity, Outbox};
use smooth_scene_rtps::network::{Interface, Network};
use smooth_scene_rtps::wire::{ParameterList, SerializedPayload, Submessage, parse};
use smooth_scene_rtps::{
    Endpoint, Guid, GuidPrefix, Limits, Qos, Range, SampleIdentity, WriteOptions,
};
use std::collections::VecDeque;
use std::net::Ipv4Addr;
use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Longest datagram.
const LONGEST: usize = 65_507;
/// Cases kept as parents for mutation.
const POOL: usize = 512;
/// A case that takes longer is a failure.
const SLOW: Duration = Duration::from_millis(500);
/// After this many cases the engine starts anew.
const ROUND: u64 = 20_000;

/// The generator xorshift64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 8
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

fn limits() -> Limits {
    Limits { bytes_per_peer: 1 << 20, peers: 8, endpoints: 64, ..Limits::default() }
}

fn engine(number: u8, now: Instant) -> Engine {
    let identity = Identity {
        prefix: GuidPrefix([number; 12]),
        name: "fuzz".to_owned(),
        user_data: b"enclave=/;".to_vec(),
        metatraffic_port: 7410,
        user_port: 7411,
        group: "239.255.0.1:7400".parse().expect("an address"),
    };
    let interface = Interface {
        name: "eth0".to_owned(),
        address: address(number),
        netmask: Ipv4Addr::new(255, 255, 255, 0),
        mtu: 1500,
    };
    Engine::new(identity, Network::new(Range::Subnet, vec![interface]), limits(), now)
}

fn address(number: u8) -> Ipv4Addr {
    Ipv4Addr::new(10, 0, 0, number)
}

/// Two engines that know each other, and the datagrams they exchanged.
struct Domain {
    engines: [Engine; 2],
    now: Instant,
    seen: Vec<Vec<u8>>,
}

impl Domain {
    fn new() -> Self {
        let now = Instant::now();
        let mut domain = Self { engines: [engine(1, now), engine(2, now)], now, seen: Vec::new() };
        let mut writers: Vec<Guid> = Vec::new();
        for (index, qos) in
            [Qos::reliable(5), Qos::transient_local(5), Qos::best_effort(5)].into_iter().enumerate()
        {
            let (topic, type_name) = (format!("topic {index}"), "type".to_owned());
            let user_data = b"typehash=RIHS01_00;".to_vec();
            let endpoint = Endpoint { topic, type_name, qos, user_data };
            for participant in 0..2 {
                domain.with(participant, |engine, now, out| {
                    let writer = engine.create_writer(&endpoint, now, out);
                    engine.create_reader(&endpoint, now, out);
                    writers.push(writer);
                });
            }
        }
        domain.settle(60);
        for (index, writer) in writers.into_iter().enumerate() {
            for length in [0, 10, 5000] {
                let related = Some(SampleIdentity { writer, number: 3 });
                let options = WriteOptions { related, ..WriteOptions::default() };
                domain.with(index % 2, |engine, now, out| {
                    let payload = vec![7; length].into();
                    engine.write(writer, payload, options, now, out).expect("a small sample");
                });
            }
        }
        domain.settle(20);
        domain.seen.extend(not_sent_by_us());
        domain
    }

    fn with(&mut self, participant: usize, act: impl FnOnce(&mut Engine, Instant, &mut Outbox)) {
        let mut out = Outbox::default();
        act(&mut self.engines[participant], self.now, &mut out);
        let mut waiting = VecDeque::new();
        self.post(participant, out, &mut waiting);
        while let Some((from, datagram)) = waiting.pop_front() {
            for to in 0..2 {
                let mut out = Outbox::default();
                let source = address(from as u8 + 1);
                self.engines[to].receive(&datagram, source, self.now, &mut out);
                self.post(to, out, &mut waiting);
            }
        }
    }

    fn post(&mut self, from: usize, out: Outbox, waiting: &mut VecDeque<(usize, Vec<u8>)>) {
        let datagrams = out.datagrams.into_iter().map(|(_, datagram)| datagram);
        for datagram in datagrams.chain(out.announcements) {
            if self.seen.len() < POOL {
                self.seen.push(datagram.clone());
            }
            waiting.push_back((from, datagram));
        }
    }

    fn settle(&mut self, ticks: u32) {
        for _ in 0..ticks {
            self.now += Duration::from_millis(20);
            for participant in 0..2 {
                self.with(participant, |engine, now, out| engine.tick(now, out));
                self.with(participant, |engine, now, out| {
                    engine.pump(1 << 16, now, out);
                });
            }
        }
    }
}

/// Datagrams with submessages that others send and we do not, in both byte orders: fragments in sequence, another source, a gap.
fn not_sent_by_us() -> Vec<Vec<u8>> {
    let number = |value: u32, flags: u8| match flags & 1 {
        1 => value.to_le_bytes(),
        _ => value.to_be_bytes(),
    };
    let mut datagrams = Vec::new();
    for flags in [0, 1] {
        let ids = [0, 0, 0, 0, 0, 0, 2, 0x03];
        let sequence = [number(0, flags), number(7, flags)].concat();
        let heartbeat_frag = [&ids[..], &sequence, &number(3, flags), &number(1, flags)].concat();
        let gap = [&ids[..], &sequence, &sequence, &number(1, flags), &number(0x8000_0000, flags)]
            .concat();
        let info_source = [&[0, 0, 0, 0, 2, 3, 1, 0x10][..], &[2; 12]].concat();
        let info_destination = vec![1; 12];
        for (kind, body) in
            [(0x13, heartbeat_frag), (0x08, gap), (0x0c, info_source), (0x0e, info_destination)]
        {
            let mut datagram = b"RTPS\x02\x03\x01\x10".to_vec();
            datagram.extend([2; 12]);
            let length = u16::try_from(body.len()).expect("it is short");
            let length = if flags == 1 { length.to_le_bytes() } else { length.to_be_bytes() };
            datagram.extend([kind, flags]);
            datagram.extend(length);
            datagram.extend(body);
            datagrams.push(datagram);
        }
    }
    datagrams
}

/// The kinds of submessages, as [`kind`] numbers them.
const KINDS: [&str; 10] = [
    "DATA",
    "DATA_FRAG",
    "GAP",
    "HEARTBEAT",
    "HEARTBEAT_FRAG",
    "ACKNACK",
    "NACK_FRAG",
    "INFO_DST",
    "INFO_SRC",
    "others",
];

fn kind(submessage: &Submessage<'_>) -> usize {
    match submessage {
        Submessage::Data(_) => 0,
        Submessage::DataFrag(_) => 1,
        Submessage::Gap(_) => 2,
        Submessage::Heartbeat(_) => 3,
        Submessage::HeartbeatFrag(_) => 4,
        Submessage::AckNack(_) => 5,
        Submessage::NackFrag(_) => 6,
        Submessage::InfoDestination(_) => 7,
        Submessage::InfoSource(_) => 8,
        Submessage::Other(_) => 9,
    }
}

fn mutate(random: &mut Random, pool: &[Vec<u8>]) -> Vec<u8> {
    let mut case = pool[random.below(pool.len())].clone();
    for _ in 0..random.below(6) {
        let (length, at) = (case.len(), random.below(case.len()));
        match random.below(8) {
            0 => case.truncate(at),
            1 if length > 0 => case[at] = random.next() as u8,
            2 if length > 0 => case[at] ^= 1 << random.below(8),
            // Numbers at the edges.
            3 if length >= at + 4 => {
                let edges = [0, 1, 255, 256, 257, 0x7fff_ffff, 0x8000_0000, u32::MAX];
                let edge = edges[random.below(edges.len())];
                case[at..at + 4].copy_from_slice(&edge.to_le_bytes());
            }
            4 => {
                let other = &pool[random.below(pool.len())];
                case.extend_from_slice(other.get(20..).unwrap_or_default());
            }
            5 => case.extend((0..random.below(64)).map(|_| random.next() as u8)),
            6 if length > 0 => {
                let end = (at + random.below(64)).min(length);
                case.drain(at..end);
            }
            _ => {
                let other = &pool[random.below(pool.len())];
                let from = random.below(other.len());
                let part = &other[from..(from + random.below(64)).min(other.len())];
                case.splice(at..at, part.iter().copied());
            }
        }
    }
    case.truncate(LONGEST);
    case
}

/// Reads a case with every parser, and counts the submessages; whether it is a datagram at all.
fn read(case: &[u8], counts: &mut [u64; KINDS.len()]) -> bool {
    let read_payload = |payload: &[u8]| {
        let list = ParameterList::of_payload(payload).map(|list| list.iter().count());
        let (participant, endpoint) =
            (ParticipantData::parse(payload), EndpointData::parse(payload));
        // A participant or endpoint that was read is a whole list.
        assert!(list.is_ok() || (participant.is_err() && endpoint.is_err()));
    };
    read_payload(case);
    let Ok((_, submessages)) = parse(case) else { return false };
    for submessage in submessages.map_while(Result::ok) {
        counts[kind(&submessage)] += 1;
        if let Submessage::Data(data) = submessage
            && let SerializedPayload::Data(payload) | SerializedPayload::Key(payload) = data.payload
        {
            read_payload(payload);
        }
    }
    true
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<u64>());
    let (seconds, seed) = (arguments.next().transpose(), arguments.next().transpose());
    let (Ok(seconds), Ok(seed)) = (seconds, seed) else {
        eprintln!("usage: fuzz [SECONDS] [SEED]");
        return ExitCode::from(2);
    };
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |d| d.as_nanos() as u64);
    let (seconds, seed) = (seconds.unwrap_or(10), seed.unwrap_or(clock) | 1);
    println!("seed {seed}");
    let (mut random, start) = (Random(seed), Instant::now());
    let (mut cases, mut datagrams, mut most_held) = (0_u64, 0_u64, 0);
    let (mut slowest, mut counts) = (Duration::ZERO, [0; KINDS.len()]);
    while start.elapsed() < Duration::from_secs(seconds) {
        let mut domain = Domain::new();
        let mut pool = domain.seen.clone();
        for _ in 0..ROUND {
            let case = mutate(&mut random, &pool);
            let begin = Instant::now();
            let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                let is_datagram = read(&case, &mut counts);
                domain.now += Duration::from_micros(500);
                let (mut out, now) = (Outbox::default(), domain.now);
                let source = address(1 + (cases % 3) as u8);
                let engine = &mut domain.engines[0];
                engine.receive(&case, source, now, &mut out);
                if cases % 40 == 0 {
                    engine.tick(now, &mut out);
                    engine.pump(1 << 16, now, &mut out);
                }
                (is_datagram, engine.held_bytes(), engine.peers(), engine.endpoints().count())
            }));
            let took = begin.elapsed();
            slowest = slowest.max(took);
            cases += 1;
            let limits = limits();
            let fault = match outcome {
                Err(_) => Some("panicked".to_owned()),
                Ok(_) if took > SLOW => Some(format!("took {took:?}")),
                Ok((_, held, ..)) if held > limits.peers * limits.bytes_per_peer => {
                    Some(format!("{held} bytes are held"))
                }
                Ok((_, _, peers, endpoints))
                    if peers > limits.peers || endpoints > limits.endpoints =>
                {
                    Some(format!("{peers} peers, {endpoints} endpoints"))
                }
                Ok((is_datagram, held, ..)) => {
                    datagrams += u64::from(is_datagram);
                    most_held = most_held.max(held);
                    if is_datagram && random.below(50) == 0 {
                        let at = random.below(pool.len());
                        pool[at] = case.clone();
                    }
                    None
                }
            };
            if let Some(fault) = fault {
                println!("case {cases} of seed {seed}: {fault}\n{case:02x?}");
                return ExitCode::FAILURE;
            }
        }
    }
    println!(
        "{cases} cases, {datagrams} of them datagrams, slowest {slowest:?}, most held {most_held} bytes"
    );
    for (kind, count) in KINDS.iter().zip(counts) {
        println!("{kind}: {count} read");
        if count == 0 {
            println!("{kind} was never read: the run covers too little");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
