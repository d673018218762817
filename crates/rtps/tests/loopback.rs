//! Participants with real sockets on the loopback interface.

use smooth_scene_rtps::{
    Config, DataReader, DataWriter, Endpoint, JoinError, Participant, Qos, Recipient,
    SampleIdentity, WriteError, WriteOptions,
};
use std::net::{Ipv4Addr, TcpListener};
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(20);

/// A domain that no other test is in meanwhile, of this process or another.
struct Domain {
    id: u16,
    /// Whoever listens here has the domain.
    _taken: TcpListener,
}

impl Domain {
    fn new() -> Self {
        static NEXT: AtomicU16 = AtomicU16::new(0);
        let process = (std::process::id() % 100) as u16;
        loop {
            let id = 1 + process.wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed)) % 100;
            // The last of the ports of a domain, which DDS does not use.
            if let Ok(taken) = TcpListener::bind((Ipv4Addr::LOCALHOST, 7649 + 250 * id)) {
                return Self { id, _taken: taken };
            }
        }
    }

    fn join(&self) -> Participant {
        Participant::join(Config { domain_id: self.id, ..Config::default() }).unwrap()
    }
}

fn topic(qos: Qos) -> Endpoint {
    let (topic, type_name) = ("topic".to_owned(), "type".to_owned());
    Endpoint { topic, type_name, qos, user_data: Vec::new() }
}

fn payload(number: u32, length: usize) -> Vec<u8> {
    let mut bytes = number.to_le_bytes().to_vec();
    bytes.extend((0..length).map(|i| (i as u32 ^ number) as u8));
    bytes
}

fn pair(domain: &Domain, qos: Qos) -> (Participant, DataWriter, Participant, DataReader) {
    let (a, b) = (domain.join(), domain.join());
    let (writer, reader) =
        (a.create_writer(&topic(qos)).unwrap(), b.create_reader(&topic(qos)).unwrap());
    assert!(writer.wait_for_readers(PATIENCE, |readers| readers.len() == 1));
    (a, writer, b, reader)
}

#[test]
fn nothing_is_missed_from_the_moment_the_reader_is_known() {
    for _ in 0..5 {
        let domain = Domain::new();
        let (_a, writer, _b, reader) = pair(&domain, Qos::reliable(10));
        for number in 0..100 {
            writer.write(payload(number, 100), WriteOptions::default()).unwrap();
        }
        for number in 0..100 {
            let sample = reader.take_timeout(PATIENCE).unwrap();
            assert_eq!(sample.payload, payload(number, 100));
        }
    }
}

#[test]
fn large_samples_arrive_quickly() {
    let domain = Domain::new();
    let (_a, writer, _b, reader) = pair(&domain, Qos::reliable(10));
    for length in [100_000, 1 << 20, 20 << 20] {
        let (sent, start) = (payload(7, length), Instant::now());
        writer.write(sent.clone(), WriteOptions::default()).unwrap();
        let sample = reader.take_timeout(PATIENCE).unwrap();
        println!("{length} bytes: {:?}", start.elapsed());
        assert!(sample.payload == sent, "{length}");
    }
}

#[test]
fn requests_are_answered() {
    let domain = Domain::new();
    let (server, client) = (domain.join(), domain.join());
    let named = |name: &str| Endpoint { topic: name.to_owned(), ..topic(Qos::reliable(10)) };
    let (requests, replies) = (
        server.create_reader(&named("request")).unwrap(),
        server.create_writer(&named("reply")).unwrap(),
    );
    let answered = client.create_reader(&named("reply")).unwrap();
    let asking = client.create_writer(&named("request")).unwrap();
    assert!(asking.wait_for_readers(PATIENCE, |readers| readers.len() == 1));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while let Some(request) = requests.take() {
                let related = SampleIdentity { writer: request.writer, number: request.number };
                let recipient = Recipient::Reader(answered.guid());
                let options = WriteOptions { related: Some(related), recipient };
                replies.write(request.payload, options).unwrap();
            }
        });
        let mut times = Vec::new();
        for n in 0..1000 {
            let start = Instant::now();
            let number = asking.write(payload(n, 10), WriteOptions::default()).unwrap();
            let reply = answered.take_timeout(PATIENCE).unwrap();
            times.push(start.elapsed());
            assert_eq!(reply.related, Some(SampleIdentity { writer: asking.guid(), number }));
        }
        times.sort();
        println!("round trip: median {:?}, 99 % {:?}", times[500], times[990]);
        requests.close();
    });
}

#[test]
fn leaving_is_quick_and_final() {
    let domain = Domain::new();
    let (a, writer, _b, reader) = pair(&domain, Qos::reliable(10));
    writer.write(payload(1, 4), WriteOptions::default()).unwrap();
    let start = Instant::now();
    a.leave();
    assert!(start.elapsed() < PATIENCE / 4, "{:?}", start.elapsed());
    assert_eq!(reader.take_timeout(PATIENCE).unwrap().payload, payload(1, 4));
    assert_eq!(writer.write(payload(2, 4), WriteOptions::default()), Err(WriteError::Closed));
    assert!(matches!(a.create_writer(&topic(Qos::reliable(1))), Err(JoinError::Left)));
    let start = Instant::now();
    while !reader.writers().is_empty() {
        assert!(start.elapsed() < PATIENCE, "the writer is still thought to be there");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn unknown_domains_are_refused() {
    let joined = Participant::join(Config { domain_id: 233, ..Config::default() });
    assert!(matches!(joined, Err(JoinError::Domain(233))));
}
