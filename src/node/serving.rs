//! From the bytes of a request to the bytes of its answer.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use super::core::Core;
use super::counters::{Outcome, ServiceCount};
use super::descriptions::Descriptions;
use super::log::Throttle;
use super::parked::Parked;
use super::pool::{Job, Pool};
use super::service::{Availability, Effort, Endpoint, Request, Response, Service};
use super::service_events::ServiceEvents;
use super::threads::panic_text;
use crate::cdr;
use crate::convert::{Refusal, Status};
use crate::interfaces::ServiceType;
use crate::scene::Workspace;
use crate::transport::{Reply, RequestId, Transport, TransportError};

/// What all services have in common.
#[derive(Clone)]
pub(super) struct Serving {
    pub core: Arc<Core>,
    pub pool: Arc<Pool>,
    pub parked: Arc<Parked>,
    pub descriptions: Arc<Descriptions>,
}

impl Serving {
    /// Offers a service.
    pub fn offer<S: Service>(
        &self,
        transport: &dyn Transport,
        endpoint: &'static Endpoint,
        service: S,
    ) -> Result<(), TransportError> {
        let serving = self.clone();
        let count = self.core.counters.service(endpoint.name);
        let settings = self.core.parameters.settings();
        let events = match ServiceEvents::new(transport, endpoint.name, &settings) {
            Err(TransportError::NotInstalled { .. }) => {
                tracing::warn!("{}: its events cannot be published by this build", endpoint.name);
                None
            }
            events => events?,
        };
        let refusals = Throttle::default();
        let offered = Arc::new(Offered { endpoint, service, count, refusals, events });
        transport.serve(
            endpoint.name,
            S::Type::TYPE_NAME,
            Box::new(move |bytes, reply| {
                let most = serving.core.parameters.settings().limits.message_bytes;
                let size = bytes.len();
                let (serving, offered) = (serving.clone(), Arc::clone(&offered));
                let arrived = Instant::now();
                let request =
                    Pending { serving, offered, bytes, reply, arrived, was_parked: false };
                if size <= most {
                    request.serving.pool.clone().submit(Box::new(request));
                } else {
                    let reason = format!("the request has {size} bytes, must have at most {most}");
                    request.send_refusal(Refusal::bad_request(reason), Outcome::Malformed);
                }
            }),
        )
    }
}

/// A service, and what is counted and logged about it.
struct Offered<S: Service> {
    endpoint: &'static Endpoint,
    service: S,
    count: Arc<ServiceCount>,
    /// Clients that repeat a request that is refused must not flood the log.
    refusals: Throttle,
    events: Option<ServiceEvents<S::Type>>,
}

impl<S: Service> Offered<S> {
    /// Logs a refusal with the service, the client and the reason: responses of MoveIt have no room for it.
    fn log_refusal(&self, request: Option<RequestId>, refusal: &Refusal) {
        let Some(more) = self.refusals.admit() else { return };
        let name = self.endpoint.name;
        let request = request.map_or_else(|| "a request".to_owned(), |id| id.to_string());
        match refusal.status {
            Status::NotComputed => tracing::error!("{name}: {request} failed: {refusal}{more}"),
            _ => tracing::warn!("{name}: {request} is refused: {refusal}{more}"),
        }
    }
}

/// One request of one service.
struct Pending<S: Service> {
    serving: Serving,
    offered: Arc<Offered<S>>,
    bytes: Vec<u8>,
    reply: Reply,
    arrived: Instant,
    /// Whether it waited for a transform already.
    was_parked: bool,
}

impl<S: Service> Pending<S> {
    fn send_refusal(self, refusal: Refusal, outcome: Outcome) {
        self.offered.log_refusal(self.reply.request(), &refusal);
        let response = self.offered.service.refuse(refusal);
        self.offered.count.count(outcome, std::time::Duration::ZERO);
        self.send(&response);
    }

    fn send(self, response: &Response<S>) {
        let (request, clock) = (self.reply.request(), &self.serving.core.clock);
        self.reply.send(cdr::encode(response));
        if let Some(events) = &self.offered.events {
            events.on_response(clock, request, response);
        }
    }

    /// Keeps the request until transforms arrive, if it is not too late for that.
    fn park(self: Box<Self>, generation: u64, refusal: Refusal) {
        let (core, parked) = (Arc::clone(&self.serving.core), Arc::clone(&self.serving.parked));
        let settings = core.parameters.settings();
        let deadline = self.arrived + settings.tf.timeout();
        let most = settings.queue_length;
        if let Err(job) = parked.park(&core.transforms, generation, deadline, most, self) {
            job.refuse(refusal);
        }
    }

    fn handle(&self, workspace: &mut Workspace) -> (Result<Response<S>, Refusal>, Outcome) {
        let request = match cdr::decode::<Request<S>>(&self.bytes) {
            Ok(request) => request,
            Err(error) => return (Err(Refusal::bad_request(error)), Outcome::Malformed),
        };
        let core = &self.serving.core;
        if let Some(events) = self.offered.events.as_ref().filter(|_| !self.was_parked) {
            events.on_request(&core.clock, self.reply.request(), &request);
        }
        if S::AVAILABILITY == Availability::Active
            && let Err(refusal) = core.lifecycle.check_active()
        {
            let outcome = Outcome::Refused(refusal.status);
            return (Err(refusal), outcome);
        }
        let handled = catch_unwind(AssertUnwindSafe(|| {
            core.with_context(workspace, |context| self.offered.service.handle(context, request))
        }));
        let handled = handled.unwrap_or_else(|panic| {
            // The buffers may be half written.
            *workspace = Workspace::cold();
            let reason = format!("the node failed on this request: {}", panic_text(&*panic));
            Err(Refusal::failed(reason))
        });
        match handled {
            Ok(response) => (Ok(response), Outcome::Answered),
            Err(refusal) => {
                let refusal = self.serving.descriptions.explain(refusal);
                let outcome = Outcome::Refused(refusal.status);
                (Err(refusal), outcome)
            }
        }
    }
}

impl<S: Service> Job for Pending<S> {
    fn answer(mut self: Box<Self>, workspace: &mut Workspace) {
        let start = Instant::now();
        let core = Arc::clone(&self.serving.core);
        let generation = core.transforms.generation();
        let before = core.store.snapshot().map(|snapshot| snapshot.revision).ok();
        let (handled, outcome) = self.handle(workspace);
        let refusal = match &handled {
            Ok(response) => S::refusal(response),
            Err(refusal) => Some(refusal.clone()),
        };
        if let Some(refusal) = refusal {
            let in_time = start < self.arrived + core.parameters.settings().tf.timeout();
            if refusal.status == Status::NoTransform && in_time {
                self.was_parked = true;
                return self.park(generation, refusal);
            }
            self.offered.log_refusal(self.reply.request(), &refusal);
        }
        let response = handled.unwrap_or_else(|refusal| self.offered.service.refuse(refusal));
        self.offered.count.count(outcome, start.elapsed());
        self.send(&response);
        if core.store.snapshot().map(|snapshot| snapshot.revision).ok() != before {
            core.changed.ring();
        }
    }

    fn refuse(self: Box<Self>, refusal: Refusal) {
        let outcome = Outcome::Refused(refusal.status);
        self.send_refusal(refusal, outcome);
    }

    fn effort(&self) -> Effort {
        self.offered.endpoint.effort
    }

    fn bytes(&self) -> usize {
        self.bytes.len()
    }
}
