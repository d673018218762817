//! A client of one service: asks the way its middleware does, and hands each reply to whoever waits for it.

use std::collections::HashMap;
use std::pin::pin;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use futures_util::Stream;
use rustdds::bytes::{BufMut, Bytes, BytesMut};
use rustdds::no_key::{DeserializedCacheChange, SimpleDataReader};
use rustdds::{GUID, SampleIdentity, SequenceNumber, WriteOptionsBuilder};

use super::super::environment::ServiceMapping;
use super::super::{Client, TransportError};
use super::graph::{Graph, Matches};
use super::lock;
use super::server::CYCLONE_HEADER;
use super::wire::{Payload, Unchanged};
use super::writer::BoundedWriter;

/// What the thread that reads replies and those who ask share.
pub(super) struct Asking {
    service: String,
    mapping: ServiceMapping,
    graph: Arc<Graph>,
    reply_reader: GUID,
    /// Numbers of requests in Cyclone's header.
    next_number: AtomicI64,
    state: Mutex<State>,
}

struct State {
    /// None once the node is gone.
    writer: Option<BoundedWriter>,
    /// Who waits, by the number of the request.
    waiting: HashMap<i64, Sender<Vec<u8>>>,
}

impl Asking {
    pub(super) fn new(
        service: String,
        mapping: ServiceMapping,
        graph: Arc<Graph>,
        reply_reader: GUID,
        writer: BoundedWriter,
    ) -> Arc<Self> {
        let state = Mutex::new(State { writer: Some(writer), waiting: HashMap::new() });
        let next_number = AtomicI64::new(1);
        Arc::new(Self { service, mapping, graph, reply_reader, next_number, state })
    }

    /// Hands out the replies that have come.
    pub(super) fn step(&self, replies: &SimpleDataReader<Payload, Unchanged>, waker: &Waker) {
        let mut stream = pin!(replies.as_async_stream());
        let mut context = Context::from_waker(waker);
        while let Poll::Ready(Some(taken)) = stream.as_mut().poll_next(&mut context) {
            // What cannot be read was not meant for us.
            let Ok(sample) = taken else { continue };
            let mut state = lock(&self.state);
            let Some(writer) = state.writer.as_ref().map(BoundedWriter::guid) else { continue };
            if let Some((number, message)) = self.read_reply(&sample, writer)
                && let Some(waiting) = state.waiting.remove(&number)
            {
                // Whoever asked may have stopped waiting.
                let _ = waiting.send(message);
            }
        }
    }

    /// The number of the request and the message, if the reply is to us.
    fn read_reply(
        &self,
        sample: &DeserializedCacheChange<Payload>,
        writer: GUID,
    ) -> Option<(i64, Vec<u8>)> {
        let payload = &sample.sample;
        match self.mapping {
            ServiceMapping::SampleIdentity => {
                let related = sample.related_sample_identity()?;
                let to_us =
                    related.writer_guid == self.reply_reader || related.writer_guid == writer;
                to_us.then(|| (i64::from(related.sequence_number), payload.to_message(0)))
            }
            ServiceMapping::CycloneHeader => {
                let header = payload.body.first_chunk::<CYCLONE_HEADER>()?;
                let (client, number) = header.split_first_chunk::<8>()?;
                let number = i64::from_le_bytes(number.try_into().ok()?);
                let to_us = *client == self.cyclone_client();
                to_us.then(|| (number, payload.to_message(CYCLONE_HEADER)))
            }
        }
    }

    /// What names us in Cyclone's header: the second half of an identity that stays the same.
    fn cyclone_client(&self) -> [u8; 8] {
        let mut half = [0; 8];
        half.copy_from_slice(&self.reply_reader.to_bytes()[8..]);
        half
    }

    /// Sends a request, and has its reply sent to `waiting`. Returns its number.
    fn send(&self, request: &[u8], waiting: Sender<Vec<u8>>) -> Result<i64, TransportError> {
        let refuse = |reason: String| TransportError::Middleware {
            what: format!("call {}", self.service),
            reason,
        };
        let body = Payload::of_message(request).map_err(refuse)?.body;
        // In ROS a message without fields has one byte.
        let body = if body.is_empty() { Bytes::from_static(&[0]) } else { body };
        let mut state = lock(&self.state);
        let State { writer: Some(writer), waiting: all } = &mut *state else {
            return Err(refuse("the node was shut down".to_owned()));
        };
        writer.keep_bounded()?;
        match self.mapping {
            ServiceMapping::SampleIdentity => {
                // As Fast DDS does it: which reader waits for the reply.
                let reader = SampleIdentity {
                    writer_guid: self.reply_reader,
                    sequence_number: SequenceNumber::UNKNOWN,
                };
                let options = WriteOptionsBuilder::new().related_sample_identity(reader);
                let number = i64::from(writer.write(body, options)?.sequence_number);
                all.insert(number, waiting);
                Ok(number)
            }
            ServiceMapping::CycloneHeader => {
                let number = self.next_number.fetch_add(1, Ordering::Relaxed);
                let identity = SampleIdentity {
                    writer_guid: writer.guid(),
                    sequence_number: SequenceNumber::from(number),
                };
                let mut whole = BytesMut::with_capacity(CYCLONE_HEADER + body.len());
                whole.put_slice(&self.cyclone_client());
                whole.put_i64_le(number);
                whole.put_slice(&body);
                all.insert(number, waiting);
                let options = WriteOptionsBuilder::new().related_sample_identity(identity);
                writer.write(whole.freeze(), options)?;
                Ok(number)
            }
        }
    }

    /// Whether some process both reads our requests and writes replies that we read.
    fn has_server(&self, matches: &Matches, request_writer: GUID) -> bool {
        let mut readers = matches.of(request_writer);
        readers.any(|reader| {
            matches.of(self.reply_reader).any(|writer| writer.prefix == reader.prefix)
        })
    }

    /// Lets go of the middleware.
    pub(super) fn close(&self) {
        let mut state = lock(&self.state);
        state.writer = None;
        state.waiting.clear();
    }
}

/// Asks through DDS.
pub(super) struct EmbeddedClient(pub(super) Arc<Asking>);

impl Client for EmbeddedClient {
    fn wait_for_server(&self, at_most: Duration) -> bool {
        let writer = lock(&self.0.state).writer.as_ref().map(BoundedWriter::guid);
        let Some(writer) = writer else { return false };
        self.0.graph.wait(at_most, |matches| self.0.has_server(matches, writer))
    }

    fn call(&self, request: &[u8], at_most: Duration) -> Result<Vec<u8>, TransportError> {
        let until = Instant::now() + at_most;
        let no_answer = || TransportError::NoAnswer {
            service: self.0.service.clone(),
            seconds: at_most.as_secs_f64(),
        };
        if !self.wait_for_server(at_most) {
            return Err(no_answer());
        }
        let (sender, receiver) = channel();
        let number = self.0.send(request, sender)?;
        let answer = receiver.recv_timeout(until.saturating_duration_since(Instant::now()));
        answer.map_err(|_| {
            lock(&self.0.state).waiting.remove(&number);
            no_answer()
        })
    }
}
