//! One service, answered for clients of every middleware at once.
//!
//! Requests of all of them come on one topic. Fast DDS names the reader that waits for the reply in the header of the
//! request and wants the identity of the request back; Cyclone puts sixteen bytes in front of the message and wants them
//! back. Who sent a request is seen from that header and from the vendor in the writer's identity.
//!
//! Two processes that get acquainted learn of each other at different times, and a reader drops what comes from a writer it
//! does not know yet, reliable or not. So the first reply to a client waits until its reader is known here, and is sent
//! again a little later unless the client has asked something else meanwhile; clients ignore an answer they have.

use std::collections::HashSet;
use std::pin::pin;
use std::sync::{Arc, Mutex, OnceLock};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use futures_util::Stream;
use rustdds::bytes::{BufMut, Bytes, BytesMut};
use rustdds::no_key::{DeserializedCacheChange, SimpleDataReader};
use rustdds::{GUID, SampleIdentity, WriteOptionsBuilder};

use super::super::{OnRequest, Reply};
use super::graph::Graph;
use super::lock;
use super::wire::{HEADER, Payload, Unchanged};
use super::writer::BoundedWriter;

/// How long the first reply to a client waits for the client's reader, when none of its process is known. Without it the
/// first reply may be lost: clients ask as soon as they know the service, which may be before the service knows them. On a
/// busy machine that takes seconds, and nobody else waits meanwhile.
const LONGEST_WAIT: Duration = Duration::from_secs(5);
/// The same when some readers of the process are known, and it is open whether the right one is among them.
const OPEN_WAIT: Duration = Duration::from_millis(300);
/// Most replies that wait; the oldest is sent to whoever is there.
const MOST_WAITING: usize = 1024;
/// When the first reply to a client is sent again, after it was sent.
const AGAIN: [Duration; 2] = [Duration::from_millis(500), Duration::from_secs(3)];
/// Most replies that are kept to be sent again, and the largest of them.
const MOST_AGAIN: usize = 256;
const LARGEST_AGAIN: usize = 1 << 20;
/// Most clients that are remembered as having been answered before.
const MOST_KNOWN: usize = 4096;
/// Length of what Cyclone puts in front of a message.
pub(super) const CYCLONE_HEADER: usize = 16;
/// The vendor, the first two bytes of an identity, that is Cyclone.
const CYCLONE: [u8; 2] = [1, 0x10];
/// The vendor that is RustDDS. Its clients ask either way; when in Cyclone's, they number the request in its header too.
const RUST_DDS: [u8; 2] = [1, 0x12];

/// A service on its way to be answered.
pub(super) struct Server {
    graph: Arc<Graph>,
    request_reader: GUID,
    /// None once the node is gone.
    replies: Mutex<Option<Replies>>,
    /// Wakes the thread that sends replies which had to wait.
    waker: OnceLock<Waker>,
}

struct Replies {
    writer: BoundedWriter,
    /// Request writers that were answered before.
    known: HashSet<GUID>,
    waiting: Vec<Waiting>,
    /// First replies that were sent, to be sent again.
    again: Vec<Again>,
}

/// A reply that was sent, since when, and how often again.
struct Again {
    asker: Asker,
    body: Bytes,
    since: Instant,
    times: usize,
}

struct Waiting {
    asker: Asker,
    body: Bytes,
    since: Instant,
}

/// Who asked, and how the answer says so.
#[derive(Debug, Clone)]
struct Asker {
    request: SampleIdentity,
    /// The reader that waits for the reply, where the request names it.
    reply_reader: Option<GUID>,
    cyclone_header: Option<[u8; CYCLONE_HEADER]>,
}

/// Where a reply goes.
enum Target {
    One(GUID),
    All,
    /// Nowhere yet: the reader that waits for it is not known. At most so long.
    Later(Duration),
}

impl Server {
    pub(super) fn new(graph: Arc<Graph>, request_reader: GUID, writer: BoundedWriter) -> Arc<Self> {
        let replies =
            Replies { writer, known: HashSet::new(), waiting: Vec::new(), again: Vec::new() };
        let replies = Mutex::new(Some(replies));
        Arc::new(Self { graph, request_reader, replies, waker: OnceLock::new() })
    }

    /// Sets what is woken when a reply waits, or a client's reader was found.
    pub(super) fn set_waker(&self, waker: Waker) {
        if let Some(replies) = &*lock(&self.replies) {
            self.graph.wake(replies.writer.guid(), waker.clone());
        }
        // Set once, by whoever made the server.
        let _ = self.waker.set(waker);
    }

    /// Takes the requests that have come, and sends replies that have waited long enough. Returns when to come back.
    pub(super) fn step(
        self: &Arc<Self>,
        requests: &SimpleDataReader<Payload, Unchanged>,
        on_request: &mut OnRequest,
        waker: &Waker,
    ) -> Option<Instant> {
        let mut stream = pin!(requests.as_async_stream());
        let mut context = Context::from_waker(waker);
        while let Poll::Ready(Some(taken)) = stream.as_mut().poll_next(&mut context) {
            // What cannot be read was not meant for us.
            let Ok(sample) = taken else { continue };
            if let Some((asker, message)) = read_request(&sample) {
                self.heard_again_of(&asker);
                let server = Arc::clone(self);
                on_request(message, Reply::new(move |reply| server.reply(asker, &reply)));
            }
            self.send_waiting();
        }
        self.send_waiting().into_iter().chain(self.send_again()).min()
    }

    /// A client that asks again has its first answer, or does not wait for it any more.
    fn heard_again_of(&self, asker: &Asker) {
        if let Some(replies) = lock(&self.replies).as_mut() {
            replies.again.retain(|of| of.asker.request.writer_guid != asker.request.writer_guid);
        }
    }

    /// Sends first replies again whose time has come, to readers that are still there. Returns when the next comes.
    fn send_again(&self) -> Option<Instant> {
        let mut guard = lock(&self.replies);
        let replies = guard.as_mut()?;
        let (now, mut next) = (Instant::now(), None);
        for mut again in std::mem::take(&mut replies.again) {
            while let Some(wait) = AGAIN.get(again.times) {
                let until = again.since + *wait;
                if now < until {
                    next = Some(next.map_or(until, |next: Instant| next.min(until)));
                    break;
                }
                again.times += 1;
                if let Target::One(reader) = self.target(replies, &again.asker) {
                    replies.send(&again.asker, again.body.clone(), Target::One(reader));
                }
            }
            if again.times < AGAIN.len() {
                replies.again.push(again);
            }
        }
        next
    }

    fn reply(&self, asker: Asker, message: &[u8]) {
        let body = match reply_body(&asker, message) {
            Ok(body) => body,
            Err(reason) => {
                tracing::error!("a reply was not sent: {reason}");
                return;
            }
        };
        let mut guard = lock(&self.replies);
        let Some(replies) = guard.as_mut() else { return };
        self.keep_bounded(replies);
        match self.target(replies, &asker) {
            Target::Later(_) => {
                if replies.waiting.len() >= MOST_WAITING {
                    let oldest = replies.waiting.remove(0);
                    replies.send(&oldest.asker, oldest.body, Target::All);
                }
                replies.waiting.push(Waiting { asker, body, since: Instant::now() });
                drop(guard);
                self.waker.get().inspect(|waker| waker.wake_by_ref());
            }
            target => {
                if replies.send_first(&asker, body, target) {
                    drop(guard);
                    self.waker.get().inspect(|waker| waker.wake_by_ref());
                }
            }
        }
    }

    fn keep_bounded(&self, replies: &mut Replies) {
        match replies.writer.keep_bounded() {
            Ok(false) => {}
            Ok(true) => {
                // The new writer has to find the clients' readers anew.
                replies.known.clear();
                if let Some(waker) = self.waker.get() {
                    self.graph.wake(replies.writer.guid(), waker.clone());
                }
            }
            Err(error) => tracing::error!("{error}"),
        }
    }

    /// Sends what has waited for a reader that is there now, or long enough. Returns when the next has.
    fn send_waiting(&self) -> Option<Instant> {
        let mut guard = lock(&self.replies);
        let replies = guard.as_mut()?;
        let now = Instant::now();
        let mut next: Option<Instant> = None;
        for waiting in std::mem::take(&mut replies.waiting) {
            match self.target(replies, &waiting.asker) {
                Target::Later(patience) if now < waiting.since + patience => {
                    let until = waiting.since + patience;
                    next = Some(next.map_or(until, |next| next.min(until)));
                    replies.waiting.push(waiting);
                }
                Target::Later(_) => {
                    replies.send_first(&waiting.asker, waiting.body, Target::All);
                }
                target => {
                    replies.send_first(&waiting.asker, waiting.body, target);
                }
            }
        }
        next
    }

    /// Where the reply goes, if the reader that waits for it is known or need not be waited for.
    fn target(&self, replies: &Replies, asker: &Asker) -> Target {
        let writer = replies.writer.guid();
        let known = replies.known.contains(&asker.request.writer_guid);
        self.graph.look(|matches| {
            if let Some(reader) = asker.reply_reader {
                return match (matches.has(writer, reader), known) {
                    (true, _) => Target::One(reader),
                    (false, true) => Target::All,
                    (false, false) => Target::Later(LONGEST_WAIT),
                };
            }
            // A client has one writer and one reader in one process, and all identities of a process start alike. So
            // when there are as many readers as writers, the one that is needed is among them.
            let of_process =
                |guid: &GUID| guid.to_bytes()[..8] == asker.request.writer_guid.to_bytes()[..8];
            let readers: Vec<_> = matches.of(writer).filter(of_process).collect();
            let writers = matches.of(self.request_reader).filter(of_process).count();
            match readers[..] {
                [only] if known || writers <= 1 => Target::One(only),
                _ if known => Target::All,
                [] => Target::Later(LONGEST_WAIT),
                _ if writers <= readers.len() => Target::All,
                _ => Target::Later(OPEN_WAIT),
            }
        })
    }

    /// Lets go of the middleware, after the last replies arrived or at this time.
    pub(super) fn close(&self, until: Instant) {
        if let Some(replies) = lock(&self.replies).take() {
            replies.writer.deliver(until);
        }
    }
}

impl Replies {
    /// As [`send`](Self::send); a first reply is kept to be sent again. Whether it was.
    fn send_first(&mut self, asker: &Asker, body: Bytes, target: Target) -> bool {
        let is_first = !self.known.contains(&asker.request.writer_guid)
            && self.again.len() < MOST_AGAIN
            && body.len() <= LARGEST_AGAIN;
        if is_first {
            let (asker, body, since) = (asker.clone(), body.clone(), Instant::now());
            self.again.push(Again { asker, body, since, times: 0 });
        }
        self.send(asker, body, target);
        is_first
    }

    fn send(&mut self, asker: &Asker, body: Bytes, target: Target) {
        if self.known.len() >= MOST_KNOWN {
            self.known.clear();
        }
        self.known.insert(asker.request.writer_guid);
        let identity = SampleIdentity {
            writer_guid: asker.reply_reader.unwrap_or(asker.request.writer_guid),
            sequence_number: asker.request.sequence_number,
        };
        let mut options = WriteOptionsBuilder::new();
        if asker.cyclone_header.is_none() {
            options = options.related_sample_identity(identity);
        }
        if let Target::One(reader) = target {
            options = options.to_single_reader(reader);
        }
        if let Err(error) = self.writer.write(body, options) {
            tracing::error!("a reply was lost: {error}");
        }
    }
}

/// Who asked, and the message with its encapsulation header.
fn read_request(sample: &DeserializedCacheChange<Payload>) -> Option<(Asker, Vec<u8>)> {
    let payload = &sample.sample;
    let request =
        SampleIdentity { writer_guid: sample.writer_guid, sequence_number: sample.sequence_number };
    let related = sample.related_sample_identity();
    let numbered = related.is_some_and(|identity| i64::from(identity.sequence_number) > 0);
    let vendor = &sample.writer_guid.to_bytes()[..2];
    if *vendor == CYCLONE || (*vendor == RUST_DDS && numbered) {
        let Some(header) = payload.body.first_chunk::<CYCLONE_HEADER>() else {
            tracing::debug!(
                "a request of {} bytes is too short for its header",
                payload.body.len()
            );
            return None;
        };
        let mut header = *header;
        if !payload.is_little_endian() {
            // The reply is little endian: the two numbers in the header have to be turned.
            header[..8].reverse();
            header[8..].reverse();
        }
        let asker = Asker { request, reply_reader: None, cyclone_header: Some(header) };
        return Some((asker, payload.to_message(CYCLONE_HEADER)));
    }
    let reader = related.map(|identity| identity.writer_guid);
    let reply_reader = reader.filter(|reader| *reader != GUID::GUID_UNKNOWN);
    Some((Asker { request, reply_reader, cyclone_header: None }, payload.to_message(0)))
}

/// What follows the encapsulation header of the reply.
fn reply_body(asker: &Asker, message: &[u8]) -> Result<Bytes, String> {
    let payload = Payload::of_message(message)?;
    let Some(header) = asker.cyclone_header else { return Ok(payload.body) };
    let mut body = BytesMut::with_capacity(CYCLONE_HEADER + message.len() - HEADER);
    body.put_slice(&header);
    body.put_slice(&payload.body);
    Ok(body.freeze())
}
