//! Who is matched with whom: which readers elsewhere get what a writer of ours writes, and the other way round.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use futures_util::StreamExt;
use rustdds::{DomainParticipant, DomainParticipantStatusEvent, GUID, StatusEvented};

use super::super::worker::Workers;
use super::lock;

/// The matches of all endpoints of one participant.
#[derive(Default)]
pub(super) struct Graph {
    matches: Mutex<Matches>,
    changed: Condvar,
}

#[derive(Default)]
pub(super) struct Matches {
    remotes: HashMap<GUID, BTreeSet<GUID>>,
    wakers: HashMap<GUID, Waker>,
    /// The types of all endpoints that were discovered. The middleware matches topics by name alone.
    types: HashMap<GUID, String>,
}

impl Matches {
    /// The endpoints elsewhere that are matched with one of ours.
    pub(super) fn of(&self, local: GUID) -> impl Iterator<Item = GUID> + '_ {
        let remotes = self.remotes.get(&local).into_iter().flatten().copied();
        let type_name = self.types.get(&local);
        remotes.filter(move |remote| !type_name.is_some_and(|of| self.is_other_type(*remote, of)))
    }

    /// Whether an endpoint elsewhere is known to be of another type.
    pub(super) fn is_other_type(&self, remote: GUID, type_name: &str) -> bool {
        self.types.get(&remote).is_some_and(|of_remote| of_remote != type_name)
    }

    /// Whether these two are matched.
    pub(super) fn has(&self, local: GUID, remote: GUID) -> bool {
        self.remotes.get(&local).is_some_and(|remotes| remotes.contains(&remote))
    }
}

impl Graph {
    /// Follows what the participant discovers.
    pub(super) fn follow(
        participant: &DomainParticipant,
        workers: &Workers,
    ) -> Result<Arc<Self>, std::io::Error> {
        let graph = Arc::new(Self::default());
        let listener = participant.status_listener();
        let follower = Arc::clone(&graph);
        workers.spawn("matches", move |waker| {
            let mut events = listener.as_async_status_stream();
            let mut context = Context::from_waker(waker);
            while let Poll::Ready(Some(event)) = events.poll_next_unpin(&mut context) {
                follower.take(event);
            }
            None
        })?;
        Ok(graph)
    }

    /// Has `waker` woken whenever an endpoint gets a match.
    pub(super) fn wake(&self, local: GUID, waker: Waker) {
        lock(&self.matches).wakers.insert(local, waker);
    }

    /// Says of which type an endpoint of ours is.
    pub(super) fn declare(&self, local: GUID, type_name: String) {
        lock(&self.matches).types.insert(local, type_name);
    }

    /// Forgets an endpoint that is no more.
    pub(super) fn forget(&self, local: GUID) {
        let mut matches = lock(&self.matches);
        matches.types.remove(&local);
        matches.remotes.remove(&local);
        matches.wakers.remove(&local);
    }

    /// Looks at the matches.
    pub(super) fn look<T>(&self, look: impl FnOnce(&Matches) -> T) -> T {
        look(&lock(&self.matches))
    }

    /// Waits until the matches are such, at most so long; whether they are.
    pub(super) fn wait(&self, at_most: Duration, mut such: impl FnMut(&Matches) -> bool) -> bool {
        let matches = lock(&self.matches);
        let waited = self.changed.wait_timeout_while(matches, at_most, |matches| !such(matches));
        !waited.unwrap_or_else(PoisonError::into_inner).1.timed_out()
    }

    fn take(&self, event: DomainParticipantStatusEvent) {
        use DomainParticipantStatusEvent as Event;
        let mut matches = lock(&self.matches);
        match event {
            Event::RemoteReaderMatched { local_writer: local, remote_reader: remote }
            | Event::RemoteWriterMatched { local_reader: local, remote_writer: remote } => {
                matches.remotes.entry(local).or_default().insert(remote);
                if let Some(waker) = matches.wakers.get(&local) {
                    waker.wake_by_ref();
                }
                self.changed.notify_all();
            }
            Event::ReaderDetected { reader: endpoint }
            | Event::WriterDetected { writer: endpoint } => {
                matches.types.insert(endpoint.guid, endpoint.type_name);
            }
            Event::ReaderLost { guid, .. } | Event::WriterLost { guid, .. } => {
                matches.types.remove(&guid);
                matches.remotes.values_mut().for_each(|remotes| {
                    remotes.remove(&guid);
                });
            }
            Event::ParticipantLost { id, .. } => {
                matches.types.retain(|guid, _| guid.prefix != id);
                for remotes in matches.remotes.values_mut() {
                    remotes.retain(|remote| remote.prefix != id);
                }
            }
            Event::RemoteReaderQosIncompatible { remote_reader: remote, .. }
            | Event::RemoteWriterQosIncompatible { remote_writer: remote, .. } => {
                tracing::warn!(
                    "incompatible quality of service asked for by the endpoint {remote:?}"
                );
            }
            _ => {}
        }
    }
}
