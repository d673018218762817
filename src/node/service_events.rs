//! Service introspection: what is published about every request and response on `SERVICE/_service_event`, for
//! `ros2 service echo`.

use super::clock::{Clock, to_message};
use super::log::Throttle;
use super::parameters::Settings;
use super::topics::{Topic, TopicPublisher};
use crate::interfaces::ServiceType;
use crate::interfaces::service_msgs::msg::ServiceEventInfo;
use crate::transport::{Qos, RequestId, Transport, TransportError};

/// What an event says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Detail {
    /// That there was a request or a response.
    Metadata,
    /// What was asked and answered, too.
    Contents,
}

/// Publishes the events of one service.
pub(super) struct ServiceEvents<T: ServiceType> {
    detail: Detail,
    publisher: TopicPublisher<T::Event>,
    failures: Throttle,
}

impl<T: ServiceType> ServiceEvents<T> {
    /// Publishes events of this service, if the settings say so.
    pub fn new(
        transport: &dyn Transport,
        service: &str,
        settings: &Settings,
    ) -> Result<Option<Self>, TransportError> {
        let detail = match settings.service_introspection.as_str() {
            "disabled" => return Ok(None),
            "metadata" => Detail::Metadata,
            "contents" => Detail::Contents,
            other => unreachable!("the range of service_introspection has no {other}"),
        };
        let name = format!("{service}/_service_event");
        let publisher = Topic::advertise_as(transport, &name, Qos::reliable(10))?;
        Ok(Some(Self { detail, publisher, failures: Throttle::default() }))
    }

    /// Publishes that a request was received.
    pub fn on_request(&self, clock: &Clock, id: Option<RequestId>, request: &T::Request) {
        let event = ServiceEventInfo::REQUEST_RECEIVED;
        self.publish(info(event, clock, id), Some(request), None);
    }

    /// Publishes that a response was sent.
    pub fn on_response(&self, clock: &Clock, id: Option<RequestId>, response: &T::Response) {
        let event = ServiceEventInfo::RESPONSE_SENT;
        self.publish(info(event, clock, id), None, Some(response));
    }

    fn publish(
        &self,
        info: ServiceEventInfo,
        request: Option<&T::Request>,
        response: Option<&T::Response>,
    ) {
        let event = match self.detail {
            Detail::Metadata => T::event(info, None, None),
            Detail::Contents => T::event(info, request.cloned(), response.cloned()),
        };
        if let Err(error) = self.publisher.publish(&event)
            && let Some(more) = self.failures.admit()
        {
            tracing::warn!("service event not published: {error}{more}");
        }
    }
}

/// A request that the middleware does not identify has number 0 of a client of zeros.
fn info(event_type: u8, clock: &Clock, id: Option<RequestId>) -> ServiceEventInfo {
    let (client_gid, sequence_number) = id.map_or(([0; 16], 0), |id| (id.client, id.sequence));
    ServiceEventInfo { event_type, stamp: to_message(clock.now()), client_gid, sequence_number }
}
