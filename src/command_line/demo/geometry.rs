//! The bodies of a robot's links, for the page: what they look like and what is fitted to, read when a viewer asks.

use std::sync::Arc;

use crate::robot::link_geometry;
use crate::view::Geometry;

use super::bundled::Described;

/// Reads the bodies of a robot's links; none for a robot whose description has neither meshes nor visual bodies.
pub(crate) fn geometry(described: &Described) -> Option<Geometry> {
    let (robot, options) = (Arc::clone(&described.robot), described.options.clone());
    let text = robot.document.text();
    if !text.contains("<visual") && !text.contains("<mesh") {
        return None;
    }
    Some(Arc::new(move |source, link| {
        let (text, folder) = (robot.document.text(), options.folder.as_deref());
        let is_wanted = |name: &str| link.is_none_or(|wanted| wanted == name);
        let found = link_geometry(text, "the robot", folder, source, &options, is_wanted);
        found.map_err(|error| error.to_string())
    }))
}
