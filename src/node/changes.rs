//! Changes of the scene that arrive on topics: applied one after the other, in the order of arrival. Nobody waits for an
//! answer, so refusals are logged and counted.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::core::Core;
use super::counters::TopicCount;
use super::log::Throttle;
use super::service::Context;
use super::threads::{Turn, panic_text};
use super::topics::Topic;
use crate::bell::{Bell, Woken};
use crate::cdr;
use crate::convert::{Refusal, Status};
use crate::interfaces::Message;
use crate::scene::{Snapshot, Workspace};
use crate::transport::{Transport, TransportError};

/// How long a thread waits at most before it checks again.
const LONG: Duration = Duration::from_secs(3600);

/// Changes a scene as a message says, or refuses it.
pub(super) type Handler<M> = fn(&Context<'_>, &M) -> Result<Arc<Snapshot>, Refusal>;

type Change = Box<dyn FnOnce(&mut Workspace) + Send>;

/// Messages that wait to be applied.
#[derive(Default)]
pub(super) struct Changes {
    waiting: Mutex<Waiting>,
    added: Bell,
}

#[derive(Default)]
struct Waiting {
    changes: VecDeque<(usize, Change)>,
    bytes: usize,
}

impl Changes {
    /// Subscribes to a topic.
    pub fn subscribe<M: Message>(
        self: &Arc<Self>,
        core: &Arc<Core>,
        transport: &dyn Transport,
        topic: &Topic<M>,
        handler: Handler<M>,
    ) -> Result<(), TransportError> {
        let (changes, core) = (Arc::clone(self), Arc::clone(core));
        let count = core.counters.topic(topic.name);
        let origin = Origin { topic: topic.name, count, throttle: Throttle::default() };
        let origin = Arc::new(origin);
        let on_message = move |bytes: &[u8]| {
            origin.count.receive();
            let (core, origin, bytes) = (Arc::clone(&core), Arc::clone(&origin), bytes.to_vec());
            let size = bytes.len();
            let settings = core.parameters.settings();
            if size > settings.limits.message_bytes {
                let most = settings.limits.message_bytes;
                let reason = format!("the message has {size} bytes, must have at most {most}");
                return origin.refuse(&core, &Refusal::bad_request(reason));
            }
            let mut waiting = lock(&changes.waiting);
            let full = waiting.changes.len() >= settings.queue_length
                || (waiting.bytes + size > settings.queue_bytes && !waiting.changes.is_empty());
            if full {
                let count = waiting.changes.len();
                drop(waiting);
                return origin.refuse(&core, &Refusal::overloaded(count));
            }
            waiting.bytes += size;
            let deadline = Instant::now() + settings.tf.timeout();
            let apply = move |workspace: &mut Workspace| {
                let applied = core.lifecycle.check_configured();
                let applied =
                    applied.and_then(|()| cdr::decode::<M>(&bytes).map_err(Refusal::bad_request));
                let applied = applied.and_then(|message| {
                    let handled = catch_unwind(AssertUnwindSafe(|| {
                        apply_in_time(&core, deadline, || {
                            core.with_context(workspace, |context| handler(context, &message))
                        })
                    }));
                    let failed = |panic: Box<dyn std::any::Any + Send>| {
                        let reason = panic_text(&*panic);
                        Err(Refusal::failed(format!("the node failed on this message: {reason}")))
                    };
                    handled.unwrap_or_else(failed)
                });
                match applied {
                    Ok(_) => core.changed.ring(),
                    Err(refusal) => origin.refuse(&core, &refusal),
                }
            };
            waiting.changes.push_back((size, Box::new(apply)));
            drop(waiting);
            changes.added.ring();
        };
        transport.subscribe(topic.name, M::TYPE_NAME, topic.qos, Box::new(on_message))
    }

    /// One turn of the thread that applies them.
    pub fn turn(&self, seen: &mut u64, workspace: &mut Workspace) -> Turn {
        match self.added.wait(*seen, LONG) {
            Woken::Rung(rings) => *seen = rings,
            Woken::TimedOut => return Turn::Again,
            Woken::Closed => return Turn::Last,
        }
        while let Some(change) = self.next() {
            change(workspace);
        }
        Turn::Again
    }

    /// Ends the thread that applies them.
    pub fn close(&self) {
        self.added.close();
    }

    fn next(&self) -> Option<Change> {
        let mut waiting = lock(&self.waiting);
        let (size, change) = waiting.changes.pop_front()?;
        waiting.bytes -= size;
        Some(change)
    }
}

/// Applies a message, again whenever transforms arrive while one that it needs is missing. Messages behind it wait, because
/// the order counts, but for no longer than it may be late itself.
fn apply_in_time(
    core: &Core,
    deadline: Instant,
    mut apply: impl FnMut() -> Result<Arc<Snapshot>, Refusal>,
) -> Result<Arc<Snapshot>, Refusal> {
    let mut seen = 0;
    loop {
        let applied = apply();
        let left = deadline.saturating_duration_since(Instant::now());
        match applied {
            Err(refusal) if refusal.status == Status::NoTransform && !left.is_zero() => {
                match core.transforms.updated.wait(seen, left) {
                    Woken::Rung(rings) => seen = rings,
                    Woken::TimedOut => {}
                    Woken::Closed => return Err(refusal),
                }
            }
            applied => return applied,
        }
    }
}

/// The topic of a message.
struct Origin {
    topic: &'static str,
    count: Arc<TopicCount>,
    throttle: Throttle,
}

impl Origin {
    fn refuse(&self, core: &Core, refusal: &Refusal) {
        self.count.refuse();
        core.counters.keep_refused_change(self.topic, refusal);
        if let Some(more) = self.throttle.admit() {
            tracing::warn!("{}: message refused: {refusal}{more}", self.topic);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
