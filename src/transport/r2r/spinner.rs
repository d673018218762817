//! The thread that owns the node of rcl, and the threads of its endpoints.
//!
//! r2r takes at most one item per endpoint from rcl in a turn, and puts it into a stream that holds ten; what does not fit is
//! lost. So the thread that owns the node empties every stream after every turn, into a queue of the endpoint, from which a
//! thread of the endpoint takes it: a slow callback delays no other endpoint.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, TrySendError, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use futures_util::{Stream, StreamExt};

use crate::transport::error::TransportError;
use crate::transport::locking::lock;

/// How long the node waits for rcl at a time while something was asked of it a moment ago: new endpoints and clients that
/// look for their server come in between. Messages and requests end the wait at once.
const BUSY_SPIN: Duration = Duration::from_millis(1);
/// How long it waits otherwise.
const IDLE_SPIN: Duration = Duration::from_millis(50);
/// How long that moment is.
const BUSY: Duration = Duration::from_secs(1);
/// How long to wait before trying again to put an item into a full queue.
const FULL: Duration = Duration::from_millis(1);

/// Items of an endpoint that may wait for its callback before rcl has to keep them.
pub const QUEUE: usize = 1000;

/// What is done with an item that does not fit into the queue of its endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WhenFull {
    /// Wait for room. rcl keeps what comes meanwhile.
    Wait,
    /// Drop it.
    Drop,
}

/// Done with the node on its thread.
type Task = Box<dyn FnOnce(&mut r2r::Node, &mut Vec<Pump>) + Send>;
/// Empties the stream of an endpoint.
type Pump = Box<dyn FnMut() + Send>;

/// A node and its threads.
pub(super) struct Spinner {
    tasks: Sender<Task>,
    stopping: Arc<AtomicBool>,
    /// That of the node first, then those of the endpoints.
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl Spinner {
    /// Creates a node of this name on a thread of its own.
    pub fn start(name: &str) -> Result<Self, TransportError> {
        let (tasks, received) = channel();
        let (started, start) = channel();
        let stopping = Arc::new(AtomicBool::new(false));
        let (stop, name) = (Arc::clone(&stopping), name.to_owned());
        let run = move || match r2r::Context::create().and_then(|c| r2r::Node::create(c, &name, ""))
        {
            Err(error) => drop(started.send(Err(error))),
            Ok(node) => {
                started.send(Ok(())).expect("`start` waits for it");
                spin(node, &received, &stop);
            }
        };
        let thread = spawn("rcl", run)?;
        match start.recv() {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return Err(TransportError::middleware("create the node", error)),
            Err(error) => return Err(TransportError::middleware("create the node", error)),
        }
        Ok(Self { tasks, stopping, threads: Mutex::new(vec![thread]) })
    }

    /// Does something with the node on its thread, and waits for the result.
    pub fn with_node<T: Send + 'static>(
        &self,
        what: &str,
        act: impl FnOnce(&mut r2r::Node) -> r2r::Result<T> + Send + 'static,
    ) -> Result<T, TransportError> {
        self.run(what, |node, _| act(node))
    }

    /// Opens an endpoint, and calls `take` with everything that arrives there, on a thread of its own. At most `most` items
    /// wait for it.
    pub fn receive<S: Stream + Unpin + Send + 'static>(
        &self,
        name: &str,
        (most, when_full): (usize, WhenFull),
        open: impl FnOnce(&mut r2r::Node) -> r2r::Result<S> + Send + 'static,
        mut take: impl FnMut(S::Item) + Send + 'static,
    ) -> Result<(), TransportError>
    where
        S::Item: Send,
    {
        let (sender, receiver) = sync_channel(most);
        let stopping = Arc::clone(&self.stopping);
        self.run(&format!("open {name}"), move |node, pumps| {
            let mut stream = open(node)?;
            pumps.push(Box::new(move || {
                // The next turn looks again in any case: nobody has to be woken.
                let mut context = Context::from_waker(Waker::noop());
                while let Poll::Ready(Some(item)) = stream.poll_next_unpin(&mut context) {
                    put(&sender, item, when_full, &stopping);
                }
            }));
            Ok(())
        })?;
        // Thread names are short on Linux; the end of a topic's name is the most useful part.
        let tail = name.char_indices().rev().nth(14).map_or(name, |(start, _)| &name[start..]);
        let thread = spawn(tail, move || receiver.into_iter().for_each(&mut take))?;
        lock(&self.threads).push(thread);
        Ok(())
    }

    fn run<T: Send + 'static>(
        &self,
        what: &str,
        act: impl FnOnce(&mut r2r::Node, &mut Vec<Pump>) -> r2r::Result<T> + Send + 'static,
    ) -> Result<T, TransportError> {
        let (sender, receiver) = channel();
        let gone = || TransportError::shut_down(what);
        let task: Task = Box::new(move |node, pumps| {
            sender.send(act(node, pumps)).expect("`run` waits for it");
        });
        self.tasks.send(task).map_err(|_| gone())?;
        // If the thread ends first, the sender is dropped with the task.
        let done = receiver.recv().map_err(|_| gone())?;
        done.map_err(|error| match error {
            r2r::Error::InvalidMessageType { msgtype } => {
                TransportError::NotInstalled { type_name: msgtype }
            }
            error => TransportError::middleware(what, error),
        })
    }

    /// Ends all threads and waits until they have ended.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::Release);
        // The queues end with the thread of the node, and the other threads with their queues.
        let threads = std::mem::take(&mut *lock(&self.threads));
        for thread in threads {
            // A callback may be the one that stops the threads: it cannot wait for itself.
            if thread.thread().id() != std::thread::current().id() && thread.join().is_err() {
                tracing::error!("a callback panicked, and its endpoint was dead since");
            }
        }
    }
}

fn spin(mut node: r2r::Node, tasks: &Receiver<Task>, stopping: &AtomicBool) {
    let mut pumps = Vec::new();
    let mut busy_until = Instant::now() + BUSY;
    while !stopping.load(Ordering::Acquire) {
        for task in tasks.try_iter() {
            task(&mut node, &mut pumps);
            busy_until = Instant::now() + BUSY;
        }
        node.spin_once(if Instant::now() < busy_until { BUSY_SPIN } else { IDLE_SPIN });
        for pump in &mut pumps {
            pump();
        }
    }
}

/// Puts an item into a queue. An endpoint that has ended takes nothing more.
fn put<T>(queue: &SyncSender<T>, item: T, when_full: WhenFull, stopping: &AtomicBool) {
    let mut tried = queue.try_send(item);
    while let Err(TrySendError::Full(item)) = tried {
        if when_full == WhenFull::Drop || stopping.load(Ordering::Acquire) {
            return;
        }
        std::thread::sleep(FULL);
        tried = queue.try_send(item);
    }
}

fn spawn(
    name: &str,
    run: impl FnOnce() + Send + 'static,
) -> Result<JoinHandle<()>, TransportError> {
    let thread = std::thread::Builder::new().name(name.to_owned()).spawn(run);
    thread.map_err(|error| TransportError::middleware("start a thread", error))
}
