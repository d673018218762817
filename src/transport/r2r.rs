//! ROS 2 through rcl, with whatever middleware the installation has.
//!
//! Topics go through as bytes. r2r has no services in bytes, so those are typed: a request is turned into bytes and the
//! answer back, by one function for all types and a table of their names ([`with_installed_service`]). One thread owns the node and
//! waits for rcl; every endpoint has a thread of its own that empties its stream, which holds ten items, at once.

use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{JoinHandle, Thread};
use std::time::{Duration, Instant};

use futures_util::{Stream, StreamExt};
use r2r::{QosProfile, ServiceRequest, WrappedServiceTypeSupport, WrappedTypesupport};

use super::endpoints::{Client, NodeIdentity, OnMessage, OnRequest, Publisher, Reply, Transport};
use super::error::TransportError;
use super::locking::lock;
use super::names::Address;
use super::qos::{Durability, Qos, Reliability};
use super::ros_args::RosArgs;
use super::worker::Workers;

/// How long the node waits for rcl at a time while something was asked of it a moment ago: new endpoints and clients that
/// look for their server come in between. Messages and requests end the wait at once.
const BUSY_SPIN: Duration = Duration::from_millis(1);
/// How long it waits otherwise.
const IDLE_SPIN: Duration = Duration::from_millis(50);
/// How long that moment is.
const BUSY: Duration = Duration::from_secs(1);
/// Requests that rcl keeps until they are taken; the default of ten is too few for a burst.
const QUEUE: usize = 1000;

/// Done with the node on its thread.
type Task = Box<dyn FnOnce(&mut r2r::Node) + Send>;

/// A node of rcl.
pub struct R2rTransport {
    identity: NodeIdentity,
    workers: Arc<Workers>,
    spinner: Mutex<Option<Spinner>>,
}

/// The thread that owns the node.
struct Spinner {
    tasks: Sender<Task>,
    stopping: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl R2rTransport {
    /// A node called `node` unless the arguments say otherwise. They have to be those of the process: rcl reads them too.
    pub fn new(node: &str, arguments: &RosArgs) -> Result<Self, TransportError> {
        let identity = NodeIdentity::new(node, arguments)?;
        let (tasks, received) = channel();
        let (started, start) = channel();
        let stopping = Arc::new(AtomicBool::new(false));
        let (stop, name) = (Arc::clone(&stopping), node.to_owned());
        let spin =
            move || match r2r::Context::create().and_then(|c| r2r::Node::create(c, &name, "")) {
                Err(error) => drop(started.send(Err(error))),
                Ok(node) => {
                    started.send(Ok(())).expect("`new` waits for it");
                    spin(node, &received, &stop);
                }
            };
        let thread = std::thread::Builder::new()
            .name("rcl".to_owned())
            .spawn(spin)
            .map_err(|error| TransportError::middleware("start a thread", error))?;
        match start.recv() {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return Err(TransportError::middleware("create the node", error)),
            Err(error) => return Err(TransportError::middleware("create the node", error)),
        }
        let spinner = Mutex::new(Some(Spinner { tasks, stopping, thread }));
        Ok(Self { identity, workers: Arc::default(), spinner })
    }

    /// Does something with the node on its thread, and waits for the result.
    fn with_node<T: Send + 'static>(
        &self,
        what: &str,
        act: impl FnOnce(&mut r2r::Node) -> r2r::Result<T> + Send + 'static,
    ) -> Result<T, TransportError> {
        let (sender, receiver) = channel();
        let gone = || TransportError::shut_down(what);
        let task: Task = Box::new(move |node| {
            sender.send(act(node)).expect("`with_node` waits for it");
        });
        match &*lock(&self.spinner) {
            Some(spinner) => spinner.tasks.send(task).map_err(|_| gone())?,
            None => return Err(gone()),
        }
        // If the thread ends first, the sender is dropped with the task.
        let done = receiver.recv().map_err(|_| gone())?;
        done.map_err(|error| match error {
            r2r::Error::InvalidMessageType { msgtype } => not_installed(&msgtype),
            error => TransportError::middleware(what, error),
        })
    }

    /// Calls `take` with everything the stream has.
    fn drain<S: Stream + Unpin + Send + 'static>(
        &self,
        name: &str,
        mut stream: S,
        mut take: impl FnMut(S::Item) + Send + 'static,
    ) -> Result<(), TransportError> {
        let step = move |waker: &Waker| {
            let mut context = Context::from_waker(waker);
            while let Poll::Ready(Some(item)) = stream.poll_next_unpin(&mut context) {
                take(item);
            }
            None
        };
        self.workers
            .spawn(name, step)
            .map(drop)
            .map_err(|error| TransportError::middleware("start a thread", error))
    }
}

fn spin(mut node: r2r::Node, tasks: &Receiver<Task>, stopping: &AtomicBool) {
    let mut busy_until = Instant::now() + BUSY;
    while !stopping.load(Ordering::Acquire) {
        for task in tasks.try_iter() {
            task(&mut node);
            busy_until = Instant::now() + BUSY;
        }
        node.spin_once(if Instant::now() < busy_until { BUSY_SPIN } else { IDLE_SPIN });
    }
}

impl Transport for R2rTransport {
    fn identity(&self) -> &NodeIdentity {
        &self.identity
    }

    // rcl expands and remaps by itself: it is given names as the program writes them.

    fn open_publisher(
        &self,
        address: Address,
        qos: Qos,
    ) -> Result<Box<dyn Publisher>, TransportError> {
        let Address { given, name, interface } = address;
        let created = self.with_node("advertise", move |node| {
            node.create_publisher_untyped(&given, &interface.full_name(), profile(qos))
        });
        Ok(Box::new(R2rPublisher { name, publisher: Mutex::new(created?) }))
    }

    fn open_subscription(
        &self,
        address: Address,
        qos: Qos,
        mut on_message: OnMessage,
    ) -> Result<(), TransportError> {
        let Address { given, name, interface } = address;
        let stream = self.with_node("subscribe", move |node| {
            node.subscribe_raw(&given, &interface.full_name(), profile(qos))
        })?;
        self.drain(&name, stream, move |bytes| on_message(&bytes))
    }

    fn open_service(&self, address: Address, on_request: OnRequest) -> Result<(), TransportError> {
        let service = address.given;
        with_installed_service(
            &address.interface.full_name(),
            Serve { transport: self, service, on_request },
        )
    }

    fn open_client(&self, address: Address) -> Result<Box<dyn Client>, TransportError> {
        let service = address.given;
        with_installed_service(
            &address.interface.full_name(),
            MakeClient { transport: self, service },
        )
    }

    fn shutdown(&self) {
        self.workers.stop();
        let Some(spinner) = lock(&self.spinner).take() else { return };
        spinner.stopping.store(true, Ordering::Release);
        if spinner.thread.thread().id() != std::thread::current().id() {
            if spinner.thread.join().is_err() {
                tracing::error!("the thread of rcl panicked");
            }
        }
    }
}

impl Drop for R2rTransport {
    fn drop(&mut self) {
        self.shutdown();
    }
}

struct R2rPublisher {
    name: String,
    /// r2r lets a publisher move between threads, but not be used by two at once.
    publisher: Mutex<r2r::PublisherUntyped>,
}

impl Publisher for R2rPublisher {
    fn publish(&self, bytes: &[u8]) -> Result<(), TransportError> {
        let published = lock(&self.publisher).publish_raw(bytes);
        published.map_err(|error| {
            TransportError::middleware(&format!("publish on {}", self.name), error)
        })
    }

    fn subscribers(&self) -> usize {
        let count = lock(&self.publisher).get_inter_process_subscription_count();
        count.unwrap_or_else(|error| {
            tracing::debug!("subscribers of {} are not known: {error}", self.name);
            // Better to publish to nobody than to be silent to somebody.
            1
        })
    }
}

/// Something to be done with the type of a service.
trait ForService {
    type Made;

    fn with<T: WrappedServiceTypeSupport + 'static>(self) -> Result<Self::Made, TransportError>;
}

// r2r makes types at build time, of what is installed then: so the list of them is made at build time, too.
include!(concat!(env!("OUT_DIR"), "/r2r_services.rs"));

fn not_installed(type_name: &str) -> TransportError {
    TransportError::NotInstalled { type_name: type_name.to_owned() }
}

struct Serve<'a> {
    transport: &'a R2rTransport,
    service: String,
    on_request: OnRequest,
}

impl ForService for Serve<'_> {
    type Made = ();

    fn with<T: WrappedServiceTypeSupport + 'static>(mut self) -> Result<(), TransportError> {
        let name = self.service.clone();
        let stream = self.transport.with_node("serve", move |node| {
            node.create_service::<T>(&name, QosProfile::services_default().keep_last(QUEUE))
        })?;
        self.transport.drain(&self.service, stream, move |request: ServiceRequest<T>| match request
            .message
            .to_serialized_bytes()
        {
            Ok(bytes) => (self.on_request)(bytes, reply_to(request)),
            Err(error) => tracing::error!("a request could not be read: {error}"),
        })
    }
}

fn reply_to<T: WrappedServiceTypeSupport + 'static>(request: ServiceRequest<T>) -> Reply {
    // r2r keeps the identity of the request to itself.
    Reply::new(None, move |bytes| {
        let answer = T::Response::from_serialized_bytes(&bytes);
        if let Err(error) = answer.and_then(|answer| request.respond(answer)) {
            tracing::error!("a reply was not sent: {error}");
        }
    })
}

struct MakeClient<'a> {
    transport: &'a R2rTransport,
    service: String,
}

impl ForService for MakeClient<'_> {
    type Made = Box<dyn Client>;

    fn with<T: WrappedServiceTypeSupport + 'static>(
        self,
    ) -> Result<Box<dyn Client>, TransportError> {
        let name = self.service.clone();
        let client = self.transport.with_node("make a client", move |node| {
            node.create_client::<T>(&name, QosProfile::services_default())
        })?;
        let found = AtomicBool::new(false);
        Ok(Box::new(R2rClient { service: self.service, client, found }))
    }
}

struct R2rClient<T: WrappedServiceTypeSupport> {
    service: String,
    client: r2r::Client<T>,
    /// Whether a server was found and has answered ever since.
    found: AtomicBool,
}

impl<T: WrappedServiceTypeSupport + 'static> Client for R2rClient<T>
where
    r2r::Client<T>: Send + Sync,
{
    fn wait_for_server(&self, at_most: Duration) -> bool {
        let found = match r2r::Node::is_available(&self.client) {
            Ok(available) => matches!(wait(available, at_most), Some(Ok(()))),
            Err(error) => {
                tracing::warn!("{}: not known whether there is a server: {error}", self.service);
                false
            }
        };
        self.found.store(found, Ordering::Release);
        found
    }

    fn call(&self, request: &[u8], at_most: Duration) -> Result<Vec<u8>, TransportError> {
        let until = Instant::now() + at_most;
        let what = format!("call {}", self.service);
        let failed = |error: r2r::Error| TransportError::middleware(&what, error);
        let no_answer = || TransportError::NoAnswer {
            service: self.service.clone(),
            seconds: at_most.as_secs_f64(),
        };
        // Looking for the server takes a turn of the thread that owns the node, so it is done only before the first call and
        // after one that was not answered.
        if !self.found.load(Ordering::Acquire) && !self.wait_for_server(at_most) {
            return Err(no_answer());
        }
        let request = T::Request::from_serialized_bytes(request).map_err(failed)?;
        let answer = self.client.request(&request).map_err(failed)?;
        match wait(answer, until.saturating_duration_since(Instant::now())) {
            Some(Ok(answer)) => answer.to_serialized_bytes().map_err(failed),
            Some(Err(error)) => Err(failed(error)),
            None => {
                self.found.store(false, Ordering::Release);
                Err(no_answer())
            }
        }
    }
}

/// What the future gives within this time.
fn wait<F: Future>(future: F, at_most: Duration) -> Option<F::Output> {
    struct Unpark(Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let until = Instant::now() + at_most;
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return Some(output);
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return None;
        }
        std::thread::park_timeout(left);
    }
}

fn profile(qos: Qos) -> QosProfile {
    let profile = QosProfile::default().keep_last(qos.depth.max(1));
    let profile = match qos.reliability {
        Reliability::Reliable => profile.reliable(),
        Reliability::BestEffort => profile.best_effort(),
    };
    match qos.durability {
        Durability::Volatile => profile.volatile(),
        Durability::TransientLocal => profile.transient_local(),
    }
}
