//! A writer whose memory is bounded even when a reader vanishes without a word.
//!
//! A reliable DDS writer keeps what a reader has not confirmed until the reader's lease ends, which takes from ten
//! seconds to a minute, and then stops taking new samples when it has kept too many. So after a certain amount this
//! writer asks whether everything was confirmed. If not, some reader is gone: the DDS writer is replaced by a fresh one,
//! and what was kept is forgotten.
//!
//! Nobody else may lose anything by that. The fresh writer is announced and used only after the others have had time to
//! find it, for what comes from a writer they do not know they drop; and the old one stays for a while, to send again what
//! did not arrive. Latched samples are written again.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustdds::bytes::Bytes;
use rustdds::{
    GUID, Publisher, QosPolicies, RTPSEntity, SampleIdentity, Timestamp, Topic, TopicDescription,
    WriteOptionsBuilder, no_key,
};

use super::super::{Durability, Qos, Reliability, TransportError};
use super::discovery_info::DiscoveryInfo;
use super::graph::Graph;
use super::middleware;
use super::wire::{self, Payload, Unchanged};

/// After so many bytes it is asked whether they were confirmed.
const MOST_BYTES: usize = 16 << 20;
/// After so many samples it is asked whether they were confirmed.
const MOST_SAMPLES: usize = 20_000;
/// How long readers that are alive may take to confirm.
const TIME_TO_CONFIRM: Duration = Duration::from_millis(100);
/// How long readers may take to find a fresh writer.
const TIME_TO_BE_FOUND: Duration = Duration::from_secs(1);
/// How long an old writer stays for what did not arrive.
const TIME_TO_LINGER: Duration = Duration::from_secs(1);
/// After so many samples the DDS writer is replaced anyway: what it does for a new reader grows with their number.
const LONGEST_LIFE: usize = 500_000;

type DdsWriter = no_key::DataWriter<Payload, Unchanged>;

/// Writes one DDS topic.
pub(super) struct BoundedWriter {
    publisher: Publisher,
    topic: Topic,
    policies: QosPolicies,
    qos: Qos,
    graph: Arc<Graph>,
    info: Arc<DiscoveryInfo>,
    writer: DdsWriter,
    /// The next writer, since it was announced.
    next: Option<(DdsWriter, Instant)>,
    /// The last writer, since it was replaced.
    old: Option<(DdsWriter, Instant)>,
    /// The last samples of a latched topic.
    latched: VecDeque<Bytes>,
    unconfirmed_bytes: usize,
    unconfirmed_samples: usize,
    samples: usize,
}

impl BoundedWriter {
    pub(super) fn new(
        publisher: Publisher,
        topic: Topic,
        qos: Qos,
        graph: Arc<Graph>,
        info: Arc<DiscoveryInfo>,
    ) -> Result<Self, TransportError> {
        let policies = wire::writer_qos(qos);
        let writer = create(&publisher, &topic, &policies)?;
        graph.declare(writer.guid(), topic.get_type().name().to_owned());
        info.add_writer(writer.guid());
        Ok(Self {
            publisher,
            topic,
            policies,
            qos,
            graph,
            info,
            writer,
            next: None,
            old: None,
            latched: VecDeque::new(),
            unconfirmed_bytes: 0,
            unconfirmed_samples: 0,
            samples: 0,
        })
    }

    /// The identity of the present DDS writer.
    pub(super) fn guid(&self) -> GUID {
        self.writer.guid()
    }

    /// Replaces the DDS writer if it holds too much; whether it just did.
    pub(super) fn keep_bounded(&mut self) -> Result<bool, TransportError> {
        let now = Instant::now();
        let is_over = |since: Instant, time| now.duration_since(since) >= time;
        if self.old.as_ref().is_some_and(|(_, since)| is_over(*since, TIME_TO_LINGER)) {
            self.old = None;
        }
        if let Some((next, since)) = self.next.take() {
            if is_over(since, TIME_TO_BE_FOUND) {
                self.change_to(next, now)?;
                return Ok(true);
            }
            self.next = Some((next, since));
            return Ok(false);
        }
        let much = self.unconfirmed_bytes > MOST_BYTES || self.unconfirmed_samples > MOST_SAMPLES;
        if self.qos.reliability == Reliability::BestEffort || !much {
            return Ok(false);
        }
        let confirmed = self.writer.wait_for_acknowledgments(TIME_TO_CONFIRM).unwrap_or(false);
        self.unconfirmed_bytes = 0;
        self.unconfirmed_samples = 0;
        if !confirmed || self.samples >= LONGEST_LIFE {
            let next = create(&self.publisher, &self.topic, &self.policies)?;
            self.graph.declare(next.guid(), self.topic.get_type().name().to_owned());
            self.next = Some((next, now));
        }
        Ok(false)
    }

    /// Hands a sample to DDS. Call [`keep_bounded`](Self::keep_bounded) before.
    pub(super) fn write(
        &mut self,
        body: Bytes,
        options: WriteOptionsBuilder,
    ) -> Result<SampleIdentity, TransportError> {
        if self.qos.durability == Durability::TransientLocal {
            self.latched.push_back(body.clone());
            while self.latched.len() > self.qos.depth.max(1) {
                self.latched.pop_front();
            }
        }
        self.hand_over(body, options)
    }

    fn hand_over(
        &mut self,
        body: Bytes,
        options: WriteOptionsBuilder,
    ) -> Result<SampleIdentity, TransportError> {
        self.unconfirmed_bytes += body.len();
        self.unconfirmed_samples += 1;
        self.samples += 1;
        let options = options.source_timestamp(Timestamp::now()).build();
        let written = self.writer.write_with_options(Payload::little_endian(body), options);
        // The error holds the sample; its name is enough.
        written.map_err(|error| TransportError::Middleware {
            what: format!("write to {}", self.topic.name()),
            reason: match error {
                rustdds::dds::WriteError::WouldBlock { .. } => "too much is unconfirmed".to_owned(),
                _ => "DDS refused".to_owned(),
            },
        })
    }

    /// Lets go of the DDS writer, after the last samples arrived or at this time.
    pub(super) fn deliver(self, until: Instant) {
        // Whether they did is all the same: the node goes away.
        let _ =
            self.writer.wait_for_acknowledgments(until.saturating_duration_since(Instant::now()));
    }

    fn change_to(&mut self, fresh: DdsWriter, now: Instant) -> Result<(), TransportError> {
        let old = std::mem::replace(&mut self.writer, fresh);
        self.info.replace_writer(old.guid(), self.writer.guid());
        self.graph.forget(old.guid());
        self.samples = 0;
        self.unconfirmed_bytes = 0;
        self.unconfirmed_samples = 0;
        if self.qos.durability == Durability::Volatile {
            self.old = Some((old, now));
        }
        for body in self.latched.clone() {
            self.hand_over(body, WriteOptionsBuilder::new())?;
        }
        Ok(())
    }
}

impl Drop for BoundedWriter {
    fn drop(&mut self) {
        self.graph.forget(self.writer.guid());
        if let Some((next, _)) = &self.next {
            self.graph.forget(next.guid());
        }
    }
}

fn create(
    publisher: &Publisher,
    topic: &Topic,
    policies: &QosPolicies,
) -> Result<DdsWriter, TransportError> {
    publisher
        .create_datawriter_no_key(topic, Some(policies.clone()))
        .map_err(middleware("create a writer"))
}
