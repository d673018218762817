//! One service, answered for clients of every middleware at once.
//!
//! Requests of all of them come on one topic. Fast DDS names the reader that waits for the reply in the header of the
//! request and wants the identity of the request back; Cyclone puts sixteen bytes in front of the message and wants them
//! back. Who sent a request is seen from that header and from the vendor in the writer's identity.

use std::pin::pin;
use std::sync::{Arc, Mutex, OnceLock};
use std::task::{Context, Poll, Waker};
use std::time::Instant;

use futures_util::Stream;
use rustdds::bytes::{BufMut, Bytes, BytesMut};
use rustdds::no_key::{DeserializedCacheChange, SimpleDataReader};
use rustdds::{GUID, SampleIdentity};

use super::super::{OnRequest, Reply};
use super::graph::Graph;
use super::lock;
use super::replies::Replies;
use super::wire::{HEADER, Payload, Unchanged};
use super::writer::BoundedWriter;

/// Length of what Cyclone puts in front of a message.
pub(super) const CYCLONE_HEADER: usize = 16;
/// The vendor, the first two bytes of an identity, that is Cyclone.
const CYCLONE: [u8; 2] = [1, 0x10];
/// The vendor that is RustDDS. Its clients ask either way; when in Cyclone's, they number the request in its header too.
const RUST_DDS: [u8; 2] = [1, 0x12];

/// A service on its way to be answered.
pub(super) struct Server {
    /// None once the node is gone.
    replies: Mutex<Option<Replies>>,
    /// Wakes the thread that sends replies which had to wait.
    waker: OnceLock<Waker>,
}

/// Who asked, and how the answer says so.
#[derive(Debug, Clone)]
pub(super) struct Asker {
    pub(super) request: SampleIdentity,
    /// The reader that waits for the reply, where the request names it.
    pub(super) reply_reader: Option<GUID>,
    pub(super) cyclone_header: Option<[u8; CYCLONE_HEADER]>,
}

impl Server {
    pub(super) fn new(graph: Arc<Graph>, request_reader: GUID, writer: BoundedWriter) -> Arc<Self> {
        let replies = Mutex::new(Some(Replies::new(graph, request_reader, writer)));
        Arc::new(Self { replies, waker: OnceLock::new() })
    }

    /// Sets what is woken when a reply waits, or a client's reader was found.
    pub(super) fn set_waker(&self, waker: Waker) {
        if let Some(replies) = &*lock(&self.replies) {
            replies.wake(waker.clone());
        }
        // Set once, by whoever made the server; a reply may be waiting already.
        let _ = self.waker.set(waker.clone());
        waker.wake();
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
                let server = Arc::clone(self);
                on_request(message, Reply::new(move |reply| server.reply(asker, &reply)));
            }
            self.send_due();
        }
        self.send_due()
    }

    fn send_due(&self) -> Option<Instant> {
        lock(&self.replies).as_mut()?.send_due()
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
        if replies.keep_bounded()
            && let Some(waker) = self.waker.get()
        {
            replies.wake(waker.clone());
        }
        let is_kept = replies.hand_over(asker, body);
        drop(guard);
        if is_kept {
            self.waker.get().inspect(|waker| waker.wake_by_ref());
        }
    }

    /// Lets go of the middleware, after the last replies arrived or at this time.
    pub(super) fn close(&self, until: Instant) {
        if let Some(replies) = lock(&self.replies).take() {
            replies.deliver(until);
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
        let reply_reader = reply_reader_of(request.writer_guid, &header);
        let asker = Asker { request, reply_reader, cyclone_header: Some(header) };
        return Some((asker, payload.to_message(CYCLONE_HEADER)));
    }
    let reader = related.map(|identity| identity.writer_guid);
    let reply_reader = reader.filter(|reader| *reader != GUID::GUID_UNKNOWN);
    Some((Asker { request, reply_reader, cyclone_header: None }, payload.to_message(0)))
}

/// The reader that waits for the reply, if this header of a request is one of our own clients: it starts with the second
/// half of the reader's identity, and the first half is that of the writer. Cyclone itself has a random number there.
fn reply_reader_of(writer: GUID, header: &[u8; CYCLONE_HEADER]) -> Option<GUID> {
    let mut reader = writer.to_bytes();
    let is_rust_dds = reader[..2] == RUST_DDS;
    reader[8..].copy_from_slice(&header[..8]);
    let reader = GUID::from_bytes(reader);
    let is_reader = reader.prefix == writer.prefix && reader.entity_id.kind().is_reader();
    (is_rust_dds && is_reader).then_some(reader)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_clients_name_their_reader_in_the_header_of_cyclone() {
        let endpoint = |vendor: [u8; 2], kind: u8| {
            let mut bytes = [7; 16];
            bytes[..2].copy_from_slice(&vendor);
            bytes[15] = kind;
            GUID::from_bytes(bytes)
        };
        let header_of = |guid: GUID| {
            let mut header = [9; CYCLONE_HEADER];
            header[..8].copy_from_slice(&guid.to_bytes()[8..]);
            header
        };
        let (writer, reader) = (endpoint(RUST_DDS, 0x03), endpoint(RUST_DDS, 0x04));
        assert_eq!(reply_reader_of(writer, &header_of(reader)), Some(reader));
        // Others have their writer or a random number there.
        assert_eq!(reply_reader_of(writer, &header_of(writer)), None);
        assert_eq!(reply_reader_of(writer, &[4; CYCLONE_HEADER]), None);
        assert_eq!(reply_reader_of(endpoint(CYCLONE, 0x03), &header_of(reader)), None);
    }
}
