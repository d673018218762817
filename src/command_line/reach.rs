//! Where a node that a command starts can be reached.

use crate::transport::memory::MemoryBus;
use crate::transport::ros_args::RosArgs;
use crate::transport::{ConnectError, Transport, connect};
use std::sync::Arc;

/// Where a node in this process can be reached.
#[derive(Clone)]
pub(crate) enum Reach {
    /// By every ROS 2 program of the domain.
    Ros,
    /// In this process only: messages are encoded, queued and answered as for any client, without a network.
    Process(MemoryBus),
}

impl Reach {
    /// A transport for a node of this name.
    pub fn transport(
        &self,
        name: &str,
        arguments: &RosArgs,
    ) -> Result<Arc<dyn Transport>, ConnectError> {
        match self {
            Reach::Ros => connect(name, arguments),
            Reach::Process(bus) => Ok(Arc::new(bus.transport(name, arguments)?)),
        }
    }
}
