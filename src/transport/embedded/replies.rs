//! The replies of one service, each on its way to the client that asked.
//!
//! Two processes that get acquainted learn of each other at different times, and in no certain order: a client's writer of
//! requests may be known here before its reader of replies. So a reply waits until that reader is known. The reader for its
//! part drops what comes from a writer it does not know yet, reliable or not. So the first replies to a client are sent
//! again a little later; clients ignore an answer they have.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::task::Waker;
use std::time::{Duration, Instant};

use rustdds::bytes::Bytes;
use rustdds::{GUID, SampleIdentity, WriteOptionsBuilder};

use super::graph::Graph;
use super::server::Asker;
use super::writer::BoundedWriter;

/// How long a reply waits for the client's reader, when none is known that may be it. On a busy machine it takes seconds
/// until it is, and nobody else waits meanwhile.
const LONGEST_WAIT: Duration = Duration::from_secs(5);
/// The same when some readers of the process are known, and it is open whether the right one is among them.
const OPEN_WAIT: Duration = Duration::from_millis(300);
/// When one of the first replies to a client is sent again, after it was sent.
const AGAIN: [Duration; 2] = [Duration::from_millis(500), Duration::from_secs(3)];
/// How many replies to a client are its first ones. More than one: a client may ask several things at once.
const FIRST: usize = 4;
/// Most replies that are kept to be sent again, and the largest of them.
const MOST_AGAIN: usize = 256;
const LARGEST_AGAIN: usize = 1 << 20;
/// Most replies that are kept; the oldest is sent to whoever is there.
const MOST_KEPT: usize = 1024;
/// Most clients that are remembered as having been answered before.
const MOST_CLIENTS: usize = 4096;

/// Sends replies, and keeps those that are not done with.
pub(super) struct Replies {
    graph: Arc<Graph>,
    request_reader: GUID,
    writer: BoundedWriter,
    /// How many replies were sent to whom, by the writer of the requests.
    answered: HashMap<GUID, usize>,
    kept: Vec<Kept>,
}

/// A reply that waits for its reader, or to be sent again.
struct Kept {
    asker: Asker,
    body: Bytes,
    /// When it was handed over, or first sent.
    since: Instant,
    times_sent: usize,
}

/// Where a reply goes.
#[derive(Debug, PartialEq)]
struct Target {
    /// To everyone, when none is known.
    readers: Vec<GUID>,
    /// How long to wait for others to become known.
    wait: Duration,
}

impl Replies {
    pub(super) fn new(graph: Arc<Graph>, request_reader: GUID, writer: BoundedWriter) -> Self {
        Self { graph, request_reader, writer, answered: HashMap::new(), kept: Vec::new() }
    }

    /// Has `waker` woken when a client's reader was found.
    pub(super) fn wake(&self, waker: Waker) {
        self.graph.wake(self.writer.guid(), waker);
    }

    /// Replaces the writer if it holds too much; whether it just did.
    pub(super) fn keep_bounded(&mut self) -> bool {
        let replaced = self.writer.keep_bounded().unwrap_or_else(|error| {
            tracing::error!("{error}");
            false
        });
        if replaced {
            // The clients have to find the new writer.
            self.answered.clear();
        }
        replaced
    }

    /// Sends a reply now or later. Whether it is kept.
    pub(super) fn hand_over(&mut self, asker: Asker, body: Bytes) -> bool {
        let now = Instant::now();
        let reply = Kept { asker, body, since: now, times_sent: 0 };
        let Some((reply, _)) = self.send_if_due(reply, now) else { return false };
        if self.kept.len() >= MOST_KEPT {
            let oldest = self.kept.remove(0);
            if oldest.times_sent == 0 {
                self.send(&oldest, &[]);
            }
        }
        self.kept.push(reply);
        true
    }

    /// Sends what has waited for a reader that is known now or long enough, and again what it is time for. Returns when
    /// the next is due.
    pub(super) fn send_due(&mut self) -> Option<Instant> {
        let now = Instant::now();
        let mut next: Option<Instant> = None;
        for reply in std::mem::take(&mut self.kept) {
            if let Some((reply, due)) = self.send_if_due(reply, now) {
                next = Some(next.map_or(due, |next| next.min(due)));
                self.kept.push(reply);
            }
        }
        next
    }

    /// Lets go of the middleware, after the last replies arrived or at this time.
    pub(super) fn deliver(self, until: Instant) {
        self.writer.deliver(until);
    }

    /// Returns the reply and when it is due, unless it is done with.
    fn send_if_due(&mut self, mut reply: Kept, now: Instant) -> Option<(Kept, Instant)> {
        if reply.times_sent == 0 {
            let target = self.target(&reply.asker);
            let due = reply.since + target.wait;
            if now < due {
                return Some((reply, due));
            }
            self.send(&reply, &target.readers);
            let sent = self.count(reply.asker.request.writer_guid);
            if sent > FIRST || self.kept.len() >= MOST_AGAIN || reply.body.len() > LARGEST_AGAIN {
                return None;
            }
            reply.since = now;
            reply.times_sent = 1;
        }
        while let Some(wait) = AGAIN.get(reply.times_sent - 1) {
            let due = reply.since + *wait;
            if now < due {
                return Some((reply, due));
            }
            // To those that are still there.
            let readers = self.target(&reply.asker).readers;
            if !readers.is_empty() {
                self.send(&reply, &readers);
            }
            reply.times_sent += 1;
        }
        None
    }

    fn target(&self, asker: &Asker) -> Target {
        let writer = self.writer.guid();
        self.graph.look(|matches| match asker.reply_reader {
            Some(reader) if reader.entity_id.kind().is_reader() => {
                named_target(reader, matches.has(writer, reader))
            }
            _ => target_in_process(
                asker.request.writer_guid,
                matches.of(writer),
                matches.of(self.request_reader),
            ),
        })
    }

    /// Counts a reply to a client. Returns how many there were.
    fn count(&mut self, client: GUID) -> usize {
        if self.answered.len() >= MOST_CLIENTS {
            self.answered.clear();
        }
        let count = self.answered.entry(client).or_default();
        *count += 1;
        *count
    }

    /// To these readers, or to everyone if there are none.
    fn send(&mut self, reply: &Kept, readers: &[GUID]) {
        let asker = &reply.asker;
        let mut write = |reader: Option<GUID>| {
            let mut options = WriteOptionsBuilder::new();
            if asker.cyclone_header.is_none() {
                options = options.related_sample_identity(SampleIdentity {
                    writer_guid: asker.reply_reader.unwrap_or(asker.request.writer_guid),
                    sequence_number: asker.request.sequence_number,
                });
            }
            if let Some(reader) = reader {
                options = options.to_single_reader(reader);
            }
            if let Err(error) = self.writer.write(reply.body.clone(), options) {
                tracing::error!("a reply was lost: {error}");
            }
        };
        match readers {
            [] => write(None),
            readers => readers.iter().for_each(|reader| write(Some(*reader))),
        }
    }
}

/// Where the reply to a request goes that names the reader which waits for it.
fn named_target(reader: GUID, is_known: bool) -> Target {
    match is_known {
        true => Target { readers: vec![reader], wait: Duration::ZERO },
        false => Target { readers: vec![], wait: LONGEST_WAIT },
    }
}

/// Where the reply goes to a request of this writer that names no reader, of all readers and writers that are known: to
/// every reader in the same process. Which of them it is cannot be told.
fn target_in_process(
    request_writer: GUID,
    readers: impl Iterator<Item = GUID>,
    writers: impl Iterator<Item = GUID>,
) -> Target {
    // All identities of a process start alike.
    let of_process = |guid: &GUID| guid.to_bytes()[..8] == request_writer.to_bytes()[..8];
    let readers: Vec<_> = readers.filter(of_process).collect();
    // A client has one of each. So while there are fewer readers than writers, the right one may be missing. The request
    // may have come before it was told that its writer is known.
    let writers: HashSet<_> = writers.filter(of_process).chain([request_writer]).collect();
    let wait = match readers.len() {
        0 => LONGEST_WAIT,
        known if known < writers.len() => OPEN_WAIT,
        _ => Duration::ZERO,
    };
    Target { readers, wait }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An endpoint of a process.
    fn endpoint(process: u8, number: u8) -> GUID {
        let mut bytes = [process; 16];
        bytes[15] = number;
        GUID::from_bytes(bytes)
    }

    #[test]
    fn a_named_reader_is_waited_for() {
        let reader = endpoint(1, 4);
        assert_eq!(named_target(reader, false), Target { readers: vec![], wait: LONGEST_WAIT });
        let known = Target { readers: vec![reader], wait: Duration::ZERO };
        assert_eq!(named_target(reader, true), known);
    }

    #[test]
    fn replies_go_to_all_readers_of_a_process_once_there_are_as_many_as_writers() {
        let [writer, other_writer] = [endpoint(1, 3), endpoint(1, 13)];
        let [reader, other_reader] = [endpoint(1, 4), endpoint(1, 14)];
        let elsewhere = endpoint(2, 4);
        let check = |readers: &[GUID], writers: &[GUID], to: &[GUID], wait: Duration| {
            let (readers, writers) = (readers.iter().copied(), writers.iter().copied());
            let expected = Target { readers: to.to_vec(), wait };
            assert_eq!(target_in_process(writer, readers, writers), expected);
        };
        check(&[], &[writer], &[], LONGEST_WAIT);
        check(&[elsewhere], &[writer], &[], LONGEST_WAIT);
        check(&[elsewhere, reader], &[writer], &[reader], Duration::ZERO);
        // The other client's reader alone is not enough, whether or not the writer has been told of.
        check(&[other_reader], &[other_writer, writer], &[other_reader], OPEN_WAIT);
        check(&[other_reader], &[other_writer], &[other_reader], OPEN_WAIT);
        let both = [other_reader, reader];
        check(&[other_reader, elsewhere, reader], &[writer, other_writer], &both, Duration::ZERO);
        check(&both, &[], &both, Duration::ZERO);
    }
}
