//! Makes a node on the transport of this build.

use std::sync::Arc;

use super::endpoints::Transport;
use super::environment::EnvironmentError;
use super::error::TransportError;
use super::ros_args::RosArgs;
use super::type_descriptions;

/// Why a node did not come to ROS 2.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectError {
    /// An environment variable was refused.
    #[error(transparent)]
    Environment(#[from] EnvironmentError),
    /// The transport could not be made.
    #[error(transparent)]
    Transport(#[from] TransportError),
}

/// Makes a node called `node`, unless the arguments say otherwise, on the transport of this build: through rcl with the
/// feature `r2r`, on DDS without. It describes its types to whoever asks.
pub fn connect(node: &str, arguments: &RosArgs) -> Result<Arc<dyn Transport>, ConnectError> {
    let transport = make(node, arguments)?;
    match type_descriptions::serve(&*transport) {
        // Older installations of ROS 2 do not have the service.
        Err(TransportError::NotInstalled { type_name }) => {
            tracing::debug!("types are not described to others: no `{type_name}`");
        }
        served => served?,
    }
    Ok(transport)
}

#[cfg(not(feature = "r2r"))]
fn make(node: &str, arguments: &RosArgs) -> Result<Arc<dyn Transport>, ConnectError> {
    let environment = super::environment::Environment::of_process()?;
    Ok(Arc::new(super::embedded::EmbeddedTransport::new(node, arguments, &environment)?))
}

#[cfg(feature = "r2r")]
fn make(node: &str, arguments: &RosArgs) -> Result<Arc<dyn Transport>, ConnectError> {
    Ok(Arc::new(super::r2r::R2rTransport::new(node, arguments)?))
}
