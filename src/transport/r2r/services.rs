//! Services of types that are known when this is built: turned into bytes and back.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;
use std::time::{Duration, Instant};

use r2r::{QosProfile, ServiceRequest, WrappedServiceTypeSupport, WrappedTypesupport};

use super::spinner::{QUEUE, Spinner, WhenFull};
use crate::transport::endpoints::{Client, OnRequest, Reply};
use crate::transport::error::TransportError;

/// Requests and replies that rcl keeps: r2r takes one request in a turn, and a burst comes faster than that. The default of ROS 2
/// is ten.
const DEPTH: usize = 10_000;

/// Something to be done with the type of a service.
pub(super) trait ForService {
    type Made;

    fn with<T: WrappedServiceTypeSupport + 'static>(self) -> Result<Self::Made, TransportError>;
}

// r2r makes types at build time, of what is installed then: so the list of them is made at build time, too.
include!(concat!(env!("OUT_DIR"), "/r2r_services.rs"));

fn not_installed(type_name: &str) -> TransportError {
    TransportError::NotInstalled { type_name: type_name.to_owned() }
}

/// Offers a service.
pub(super) struct Serve<'a> {
    pub spinner: &'a Spinner,
    pub service: String,
    pub on_request: OnRequest,
}

impl ForService for Serve<'_> {
    type Made = ();

    fn with<T: WrappedServiceTypeSupport + 'static>(mut self) -> Result<(), TransportError> {
        let name = self.service.clone();
        let open = move |node: &mut r2r::Node| {
            node.create_service::<T>(&name, QosProfile::services_default().keep_last(DEPTH))
        };
        let take = move |request: ServiceRequest<T>| match request.message.to_serialized_bytes() {
            Ok(bytes) => (self.on_request)(bytes, reply_to(request)),
            Err(error) => tracing::error!("a request could not be read: {error}"),
        };
        self.spinner.receive(&self.service, (QUEUE, WhenFull::Wait), open, take)
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

/// Makes a client of a service.
pub(super) struct MakeClient<'a> {
    pub spinner: &'a Spinner,
    pub service: String,
}

impl ForService for MakeClient<'_> {
    type Made = Box<dyn Client>;

    fn with<T: WrappedServiceTypeSupport + 'static>(
        self,
    ) -> Result<Box<dyn Client>, TransportError> {
        let name = self.service.clone();
        let client = self.spinner.with_node("make a client", move |node| {
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
