//! What a writer has written and may have to send again.

use crate::guid::{Guid, GuidPrefix};
use crate::sequence_set::SequenceNumber;
use crate::wire::SerializedPayload;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Instant, SystemTime};

/// For whom a sample is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Recipient {
    /// Every matched reader.
    #[default]
    All,
    /// One reader, which may be matched later.
    Reader(Guid),
    /// The readers of one participant. Until it has at least this many, more of them are waited for.
    Participant {
        /// The participant.
        prefix: GuidPrefix,
        /// How many readers it is known to have or to get.
        readers: usize,
    },
}

impl Recipient {
    /// Whether a reader is among them.
    pub(crate) fn includes(&self, reader: Guid) -> bool {
        match self {
            Self::All => true,
            Self::Reader(one) => *one == reader,
            Self::Participant { prefix, .. } => *prefix == reader.prefix,
        }
    }
}

/// What a change says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChangeKind {
    /// A sample.
    Sample,
    /// The key of something that is gone. Readers that match later do not need it.
    Goodbye,
}

/// A sample that was written.
#[derive(Debug, Clone)]
pub(crate) struct Change {
    pub(crate) kind: ChangeKind,
    pub(crate) payload: Arc<[u8]>,
    /// Empty, or a whole parameter list.
    pub(crate) inline_qos: Arc<[u8]>,
    pub(crate) recipient: Recipient,
    /// When it was written, by the clock of this process and by that of the world.
    pub(crate) written: Instant,
    pub(crate) timestamp: SystemTime,
}

impl Change {
    pub(crate) fn serialized(&self) -> SerializedPayload<'_> {
        match self.kind {
            ChangeKind::Sample => SerializedPayload::Data(&self.payload),
            ChangeKind::Goodbye => SerializedPayload::Key(&self.payload),
        }
    }
}

/// Changes by number.
#[derive(Debug, Default)]
pub(crate) struct WriterHistory {
    changes: BTreeMap<SequenceNumber, Change>,
    bytes: usize,
}

impl WriterHistory {
    pub(crate) fn insert(&mut self, number: SequenceNumber, change: Change) {
        self.bytes += change.payload.len();
        let before = self.changes.insert(number, change);
        debug_assert!(before.is_none(), "numbers are used once");
    }

    pub(crate) fn remove(&mut self, number: SequenceNumber) {
        if let Some(change) = self.changes.remove(&number) {
            self.bytes -= change.payload.len();
        }
    }

    pub(crate) fn get(&self, number: SequenceNumber) -> Option<&Change> {
        self.changes.get(&number)
    }

    pub(crate) fn first(&self) -> Option<(SequenceNumber, &Change)> {
        self.changes.first_key_value().map(|(number, change)| (*number, change))
    }

    pub(crate) fn from(
        &self,
        number: SequenceNumber,
    ) -> impl DoubleEndedIterator<Item = (SequenceNumber, &Change)> {
        self.changes.range(number..).map(|(number, change)| (*number, change))
    }

    pub(crate) fn len(&self) -> usize {
        self.changes.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }
}
