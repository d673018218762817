//! What the node publishes on its own: proximities, markers, the scene, diagnostics and its log.

use std::sync::Arc;
use std::time::Duration;

use super::diagnostics::{Reported, report};
use super::log::logger_name;
use super::monitor::Monitor;
use super::scene_node::{SceneNode, StartError};
use super::scene_publisher::ScenePublisher;
use super::threads::Turn;
use super::topics::table::{DIAGNOSTICS, ROSOUT};

impl SceneNode {
    pub(super) fn publish_surroundings(&self) -> Result<(), StartError> {
        let mut monitor = Monitor::new(Arc::clone(&self.core), &*self.transport)?;
        self.threads.start("monitor", move || monitor.turn())?;
        let mut scene = ScenePublisher::new(Arc::clone(&self.core), &*self.transport)?;
        Ok(self.threads.start("scene", move || scene.turn())?)
    }

    pub(super) fn publish_log(&self) -> Result<(), StartError> {
        let Some(rosout) = self.rosout.clone() else { return Ok(()) };
        let publisher = ROSOUT.advertise(&*self.transport)?;
        let clock = Arc::clone(&self.core.clock);
        let node_name = logger_name(&self.transport.node_name());
        let mut seen = 0;
        let turn = move || rosout.turn(&mut seen, &node_name, &clock, &publisher);
        Ok(self.threads.start("rosout", turn)?)
    }

    pub(super) fn publish_diagnostics(&self) -> Result<(), StartError> {
        let publisher = DIAGNOSTICS.advertise(&*self.transport)?;
        let (core, pool) = (Arc::clone(&self.core), Arc::clone(&self.pool));
        let descriptions = Arc::clone(&self.descriptions);
        let (node_name, mut reported) = (self.transport.node_name(), Reported::default());
        Ok(self.threads.start("diagnostics", move || {
            let report = report(&node_name, &core, &descriptions, pool.waiting(), &mut reported);
            if let Err(error) = publisher.publish(&report) {
                tracing::debug!("diagnostics not published: {error}");
            }
            if core.changed.sleep(Duration::from_secs(1)) { Turn::Again } else { Turn::Last }
        })?)
    }
}
