//! One service, answered for clients of every middleware at once.
//!
//! Requests of all of them come on one topic. Fast DDS names the reader that waits for the reply in the header of the
//! request and wants the identity of the request back; Cyclone puts sixteen bytes in front of the message and wants them
//! back. Who sent a request is seen from that header and from the vendor in the writer's identity.
//!
//! A reply is for the client's reader alone. If that is not matched yet, the writer keeps the reply until it is.

use std::sync::{Arc, Weak};

use smooth_scene_rtps::{
    DataReader, DataWriter, Guid, Recipient, Sample, SampleIdentity, VENDOR, VENDOR_CYCLONE,
    WriteOptions,
};

use super::super::endpoints::{OnRequest, Reply, RequestId};
use super::wire::{self, Received};

/// Length of what Cyclone puts in front of a message.
pub(super) const CYCLONE_HEADER: usize = 16;
/// The vendor of RustDDS, which other people's Rust clients use (`ros2-client`). They and ours ask either way; when in
/// Cyclone's, they number the request in its inline QoS, too.
const VENDOR_RUST_DDS: [u8; 2] = [1, 0x12];

/// Takes the requests of a service.
pub(super) struct Server {
    pub(super) requests: Weak<DataReader>,
    pub(super) replies: Arc<DataWriter>,
}

/// Who asked, and how the answer says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Asker {
    request: SampleIdentity,
    /// The reader that waits for the reply, where the request names it.
    reply_reader: Option<Guid>,
    /// The identity that the reply is related to, where no header is in front of the message.
    related: Option<SampleIdentity>,
    cyclone_header: Option<[u8; CYCLONE_HEADER]>,
}

impl Server {
    /// Takes a request.
    pub(super) fn take(&self, sample: Sample, on_request: &mut OnRequest) {
        let Some((asker, message)) = read_request(sample) else { return };
        let options = WriteOptions { related: asker.related, recipient: self.recipient(&asker) };
        let replies = Arc::clone(&self.replies);
        let SampleIdentity { writer, number } = asker.request;
        let request = RequestId { client: writer.to_bytes(), sequence: number };
        on_request(
            message,
            Reply::new(Some(request), move |reply| {
                let header = asker.cyclone_header.as_ref().map_or(&[][..], |header| &header[..]);
                let sent = wire::body(&reply).and_then(|body| {
                    let message = wire::message(&[header, body]);
                    replies.write(message, options).map_err(|error| error.to_string())
                });
                if let Err(reason) = sent {
                    tracing::error!("a reply was not sent: {reason}");
                }
            }),
        );
    }

    /// The reader that waits. If the request does not name it, all readers of its participant, of which there are as
    /// many as there are writers of requests: each client has one of both.
    fn recipient(&self, asker: &Asker) -> Recipient {
        match asker.reply_reader {
            Some(reader) => Recipient::Reader(reader),
            None => {
                let prefix = asker.request.writer.prefix;
                // A reader that is gone has no clients, and the reply no taker.
                let writers = self.requests.upgrade().map_or_else(Vec::new, |r| r.writers());
                let clients = writers.iter().filter(|writer| writer.prefix == prefix).count();
                Recipient::Participant { prefix, readers: clients.max(1) }
            }
        }
    }
}

/// Who asked, and the message with its encapsulation header.
fn read_request(sample: Sample) -> Option<(Asker, Vec<u8>)> {
    let request = SampleIdentity { writer: sample.writer, number: sample.number };
    let vendor = sample.writer.prefix.vendor();
    let is_numbered = sample.related.is_some_and(|related| related.number > 0);
    let is_rust = (vendor == VENDOR || vendor == VENDOR_RUST_DDS) && is_numbered;
    let received = Received::new(sample.payload)?;
    if vendor == VENDOR_CYCLONE || is_rust {
        let Some(header) = received.body().first_chunk::<CYCLONE_HEADER>() else {
            tracing::warn!(
                "a request of {} bytes is too short for its header",
                received.body().len()
            );
            return None;
        };
        let mut header = *header;
        if !received.is_little_endian() {
            // The reply is little endian: the two numbers in the header have to be turned.
            header[..8].reverse();
            header[8..].reverse();
        }
        // Cyclone itself has a random number there.
        let reply_reader = if is_rust { reply_reader_of(sample.writer, &header) } else { None };
        let asker = Asker { request, reply_reader, related: None, cyclone_header: Some(header) };
        return Some((asker, received.into_message_without(CYCLONE_HEADER)));
    }
    let named = sample.related.map(|related| related.writer);
    let named = named.filter(|guid| *guid != Guid::default());
    let related = SampleIdentity { writer: named.unwrap_or(sample.writer), number: sample.number };
    let reply_reader = named.filter(|guid| guid.entity.is_reader());
    let asker = Asker { request, reply_reader, related: Some(related), cyclone_header: None };
    Some((asker, received.into_message()))
}

/// The reader that waits for the reply to a client in Rust: the header starts with the second half of the reader's
/// identity, and the first half is that of the writer.
fn reply_reader_of(writer: Guid, header: &[u8; CYCLONE_HEADER]) -> Option<Guid> {
    let mut reader = writer.to_bytes();
    reader[8..].copy_from_slice(&header[..8]);
    let reader = Guid::from_bytes(reader);
    let is_reader = reader.prefix == writer.prefix && reader.entity.is_reader();
    is_reader.then_some(reader)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoint(vendor: [u8; 2], kind: u8) -> Guid {
        let mut bytes = [7; 16];
        bytes[..2].copy_from_slice(&vendor);
        bytes[15] = kind;
        Guid::from_bytes(bytes)
    }

    /// A request in Cyclone's way whose header starts with the second half of this identity.
    fn request(writer: Guid, named: Guid) -> Sample {
        let mut payload = vec![0, 1, 0, 0];
        payload.extend_from_slice(&named.to_bytes()[8..]);
        payload.extend_from_slice(&[9; 8]);
        let related = Some(SampleIdentity { writer, number: 5 });
        Sample::received(writer, 5, payload, related)
    }

    #[test]
    fn clients_in_rust_name_their_reader_in_the_header_of_cyclone() {
        let reply_reader =
            |writer, named| read_request(request(writer, named)).unwrap().0.reply_reader;
        for vendor in [VENDOR, VENDOR_RUST_DDS] {
            let (writer, reader) = (endpoint(vendor, 0x03), endpoint(vendor, 0x04));
            assert_eq!(reply_reader(writer, reader), Some(reader));
            // Others have their writer there.
            assert_eq!(reply_reader(writer, writer), None);
            // Cyclone has a random number there, which may look like a reader.
            let cyclone = endpoint(VENDOR_CYCLONE, 0x03);
            assert_eq!(reply_reader(cyclone, endpoint(VENDOR_CYCLONE, 0x04)), None);
        }
    }
}
