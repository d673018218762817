//! From the bytes of a request to the bytes of its answer.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use super::core::Core;
use super::counters::{Outcome, ServiceCount};
use super::descriptions::Descriptions;
use super::pool::{Job, Pool};
use super::service::{Effort, Endpoint, Request, Response, Service};
use super::threads::panic_text;
use crate::cdr;
use crate::convert::{Refusal, Status};
use crate::interfaces::ServiceType;
use crate::scene::Workspace;
use crate::transport::{Reply, Transport, TransportError};

/// What all services have in common.
#[derive(Clone)]
pub(super) struct Serving {
    pub core: Arc<Core>,
    pub pool: Arc<Pool>,
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
        let (serving, service) = (self.clone(), Arc::new(service));
        let count = self.core.counters.service(endpoint.name);
        transport.serve(
            endpoint.name,
            S::Type::TYPE_NAME,
            Box::new(move |bytes, reply| {
                let most = serving.core.parameters.settings().limits.message_bytes;
                let size = bytes.len();
                let (service, count) = (Arc::clone(&service), Arc::clone(&count));
                let serving = serving.clone();
                let request = Pending { serving, endpoint, service, count, bytes, reply };
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

/// One request of one service.
struct Pending<S> {
    serving: Serving,
    endpoint: &'static Endpoint,
    service: Arc<S>,
    count: Arc<ServiceCount>,
    bytes: Vec<u8>,
    reply: Reply,
}

impl<S: Service> Pending<S> {
    fn send_refusal(self, refusal: Refusal, outcome: Outcome) {
        let response = self.service.refuse(refusal);
        self.count.count(outcome, std::time::Duration::ZERO);
        self.reply.send(cdr::encode(&response));
    }

    fn handle(&self, workspace: &mut Workspace) -> (Result<Response<S>, Refusal>, Outcome) {
        let request = match cdr::decode::<Request<S>>(&self.bytes) {
            Ok(request) => request,
            Err(error) => return (Err(Refusal::bad_request(error)), Outcome::Malformed),
        };
        let core = &self.serving.core;
        let handled = catch_unwind(AssertUnwindSafe(|| {
            core.with_context(workspace, |context| self.service.handle(context, request))
        }));
        let handled = handled.unwrap_or_else(|panic| {
            // The buffers may be half written.
            *workspace = Workspace::cold();
            let reason = format!("the node failed on this request: {}", panic_text(&*panic));
            tracing::error!("{}: {reason}", self.endpoint.name);
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
    fn answer(self: Box<Self>, workspace: &mut Workspace) {
        let start = Instant::now();
        let before = self.serving.core.store.snapshot().map(|snapshot| snapshot.revision).ok();
        let (handled, outcome) = self.handle(workspace);
        let response = handled.unwrap_or_else(|refusal| {
            if refusal.status != Status::NoState {
                tracing::debug!("{} refused: {}", self.endpoint.name, refusal.message);
            }
            self.service.refuse(refusal)
        });
        let bytes = cdr::encode(&response);
        self.count.count(outcome, start.elapsed());
        self.reply.send(bytes);
        let core = &self.serving.core;
        if core.store.snapshot().map(|snapshot| snapshot.revision).ok() != before {
            core.changed.ring();
        }
    }

    fn refuse(self: Box<Self>, refusal: Refusal) {
        let outcome = Outcome::Refused(refusal.status);
        self.send_refusal(refusal, outcome);
    }

    fn effort(&self) -> Effort {
        self.endpoint.effort
    }

    fn bytes(&self) -> usize {
        self.bytes.len()
    }
}
