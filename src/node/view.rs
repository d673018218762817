//! The browser view of the node, off unless a parameter switches it on.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use super::parameters::Settings;
use super::scene_node::{SceneNode, StartError};
use crate::interfaces::rcl_interfaces::msg::{Parameter, ParameterType, ParameterValue};
use crate::interfaces::sensor_msgs::msg::JointState;
use crate::view::{Describe, Described, ViewHost, ViewOptions, ViewServer};

impl SceneNode {
    /// Serves the view if the settings say so.
    pub(super) fn open_view(&self, settings: &Settings) -> Result<Option<ViewServer>, StartError> {
        if !settings.view.enabled {
            return Ok(None);
        }
        let bad_address = |_| StartError::ViewAddress(settings.view.address.clone());
        let address: IpAddr = settings.view.address.parse().map_err(bad_address)?;
        let core = Arc::clone(&self.core);
        let meshes = Arc::clone(&self.descriptions);
        let host = ViewHost {
            live: Some(Arc::new(move |scene| {
                let max_age = core.parameters.settings().max_state_age_ns();
                let (now, given) = (core.clock.now(), JointState::default());
                let positions = core.joints.positions(scene.model(), &given, now, max_age);
                positions.map_err(|refusal| refusal.to_string())
            })),
            described: Some(self.described()),
            describe: Some(self.describe()),
            geometry: Some(Arc::new(move |source, link| meshes.geometry(source, link))),
            ..ViewHost::new(Arc::clone(self.store()))
        };
        let options = ViewOptions {
            address: SocketAddr::new(address, settings.view.port as u16),
            editing: settings.view.editing,
            close_distance: settings.close_distance.min(1.0),
            ..ViewOptions::default()
        };
        let view = ViewServer::start(host, options)?;
        tracing::info!("the scene in the browser: {}", view.url());
        Ok(Some(view))
    }

    /// For a view: the present robot as it was described.
    pub(crate) fn described(&self) -> Described {
        let descriptions = Arc::clone(&self.descriptions);
        Arc::new(move || descriptions.described())
    }

    /// For a view: makes the robot of a URDF and an SRDF the node's, by setting its parameters.
    pub(crate) fn describe(&self) -> Describe {
        let parameters = Arc::clone(&self.parameters);
        Box::new(move |urdf, srdf| {
            let texts = [
                ("robot_description", urdf),
                ("robot_description_semantic", srdf),
                ("robot_description_scs", ""),
            ];
            let changes = texts.map(|(name, text)| {
                let value = ParameterValue {
                    type_: ParameterType::PARAMETER_STRING,
                    string_value: text.into(),
                    ..ParameterValue::default()
                };
                Parameter { name: name.into(), value }
            });
            parameters.set(&changes).map_err(|error| error.to_string())
        })
    }
}
