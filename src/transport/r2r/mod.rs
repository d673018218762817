//! ROS 2 through rcl, with whatever middleware the installation has.
//!
//! Topics go through as bytes. r2r has no services in bytes, so those are typed: a request is turned into bytes and the
//! answer back, by one function for all types and a table of their names (`services`). One thread owns the node and
//! waits for rcl; every endpoint has a thread of its own (`spinner`).

mod services;
mod spinner;

use std::sync::Mutex;

use r2r::QosProfile;

use self::services::{MakeClient, Serve, with_installed_service};
use self::spinner::{QUEUE, Spinner, WhenFull};
use super::endpoints::{Client, NodeIdentity, OnMessage, OnRequest, Publisher, Transport};
use super::error::TransportError;
use super::locking::lock;
use super::names::Address;
use super::qos::{Durability, Qos, Reliability};
use super::ros_args::RosArgs;

/// A node of rcl.
pub struct R2rTransport {
    identity: NodeIdentity,
    spinner: Spinner,
}

impl R2rTransport {
    /// A node called `node` unless the arguments say otherwise. They have to be those of the process: rcl reads them too.
    pub fn new(node: &str, arguments: &RosArgs) -> Result<Self, TransportError> {
        let identity = NodeIdentity::new(node, arguments)?;
        Ok(Self { identity, spinner: Spinner::start(node)? })
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
        let created = self.spinner.with_node("advertise", move |node| {
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
        let room = match qos.reliability {
            Reliability::Reliable => (QUEUE, WhenFull::Wait),
            Reliability::BestEffort => (qos.depth.max(1), WhenFull::Drop),
        };
        let open = move |node: &mut r2r::Node| {
            node.subscribe_raw(&given, &interface.full_name(), profile(qos))
        };
        let take = move |bytes: Vec<u8>| on_message(&bytes);
        self.spinner.receive(&name, room, open, take)
    }

    fn open_service(&self, address: Address, on_request: OnRequest) -> Result<(), TransportError> {
        let (spinner, service) = (&self.spinner, address.given);
        let serve = Serve { spinner, service, on_request };
        with_installed_service(&address.interface.full_name(), serve)
    }

    fn open_client(&self, address: Address) -> Result<Box<dyn Client>, TransportError> {
        let (spinner, service) = (&self.spinner, address.given);
        with_installed_service(&address.interface.full_name(), MakeClient { spinner, service })
    }

    fn shutdown(&self) {
        self.spinner.stop();
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
