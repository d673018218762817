//! A client of one service: asks the way its middleware does, and hands each reply to whoever waits for it.

use std::collections::HashMap;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use smooth_scene_rtps::{
    DataReader, DataWriter, Participant, Sample, SampleIdentity, WriteError, WriteOptions,
};

use super::super::endpoints::Client;
use super::super::environment::ServiceMapping;
use super::super::error::TransportError;
use super::super::locking::lock;
use super::server::CYCLONE_HEADER;
use super::wire::{self, Received};

/// What the thread that reads replies and those who ask share.
pub(super) struct Asking {
    pub(super) service: String,
    pub(super) mapping: ServiceMapping,
    pub(super) participant: Arc<Participant>,
    pub(super) requests: DataWriter,
    pub(super) replies: Arc<DataReader>,
    pub(super) state: Mutex<State>,
}

#[derive(Default)]
pub(super) struct State {
    /// Number of the last request in Cyclone's header.
    last_number: i64,
    /// Who waits, by the number of the request.
    waiting: HashMap<i64, Sender<Vec<u8>>>,
    is_closed: bool,
}

impl Asking {
    /// Hands a reply to whoever waits for it.
    pub(super) fn take(&self, sample: Sample) {
        let Some((number, message)) = self.read_reply(sample) else { return };
        if let Some(waiting) = lock(&self.state).waiting.remove(&number) {
            // Whoever asked may have stopped waiting.
            let _ = waiting.send(message);
        }
    }

    /// The number of the request and the message, if the reply is to us.
    fn read_reply(&self, sample: Sample) -> Option<(i64, Vec<u8>)> {
        let related = sample.related;
        let received = Received::new(sample.payload)?;
        match self.mapping {
            ServiceMapping::SampleIdentity => {
                let related = related?;
                let is_ours =
                    related.writer == self.replies.guid() || related.writer == self.requests.guid();
                is_ours.then(|| (related.number, received.into_message()))
            }
            ServiceMapping::CycloneHeader => {
                let header = received.body().first_chunk::<CYCLONE_HEADER>()?;
                let (client, number) = header.split_first_chunk::<8>()?;
                let number = i64::from_le_bytes(number.try_into().ok()?);
                let is_ours = *client == self.cyclone_client();
                is_ours.then(|| (number, received.into_message_without(CYCLONE_HEADER)))
            }
        }
    }

    /// What names us in Cyclone's header: the second half of an identity that stays the same.
    fn cyclone_client(&self) -> [u8; 8] {
        let mut half = [0; 8];
        half.copy_from_slice(&self.replies.guid().to_bytes()[8..]);
        half
    }

    /// Sends a request, and has its reply sent to `waiting`. Returns its number.
    fn send(&self, request: &[u8], waiting: Sender<Vec<u8>>) -> Result<i64, TransportError> {
        let what = || format!("call {}", self.service);
        let refuse = |reason| TransportError::Middleware { what: what(), reason };
        let body = wire::body(request).map_err(refuse)?;
        // In ROS a message without fields has one byte.
        let body = if body.is_empty() { &[0][..] } else { body };
        // Locked until the number is known: the reply may be quicker.
        let mut state = lock(&self.state);
        if state.is_closed {
            return Err(TransportError::shut_down(&what()));
        }
        let write = |message: Vec<u8>, related: SampleIdentity| {
            let options = WriteOptions { related: Some(related), ..WriteOptions::default() };
            self.requests.write(message, options).map_err(|error| match error {
                WriteError::Closed => TransportError::shut_down(&what()),
                error => refuse(error.to_string()),
            })
        };
        let number = match self.mapping {
            ServiceMapping::SampleIdentity => {
                // As Fast DDS does it: which reader waits for the reply.
                let reader = SampleIdentity {
                    writer: self.replies.guid(),
                    number: SampleIdentity::UNKNOWN_NUMBER,
                };
                write(wire::message(&[body]), reader)?
            }
            ServiceMapping::CycloneHeader => {
                state.last_number += 1;
                let number = state.last_number;
                let identity = SampleIdentity { writer: self.requests.guid(), number };
                let header = [self.cyclone_client(), number.to_le_bytes()].concat();
                write(wire::message(&[&header, body]), identity)?;
                number
            }
        };
        state.waiting.insert(number, waiting);
        Ok(number)
    }

    /// Whether some participant both reads our requests and writes replies that we read.
    fn has_server(&self) -> bool {
        let writers = self.replies.writers();
        let readers = self.requests.readers();
        readers.iter().any(|reader| writers.iter().any(|writer| writer.prefix == reader.prefix))
    }

    /// Lets nobody wait any longer.
    pub(super) fn close(&self) {
        let mut state = lock(&self.state);
        state.is_closed = true;
        state.waiting.clear();
    }
}

/// Asks through DDS.
pub(super) struct EmbeddedClient(pub(super) Arc<Asking>);

impl Client for EmbeddedClient {
    fn wait_for_server(&self, at_most: Duration) -> bool {
        self.0.participant.wait_until(at_most, || self.0.has_server())
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
