//! What the threads of the node share.

use std::sync::Arc;

use super::clock::Clock;
use super::counters::Counters;
use super::joint_monitor::JointMonitor;
use super::parameters::Parameters;
use super::service::Context;
use crate::bell::Bell;
use crate::scene::{SceneStore, Workspace};

/// The scene, the state, the time, the settings and the counts.
#[derive(Debug)]
pub(super) struct Core {
    pub store: Arc<SceneStore>,
    pub joints: JointMonitor,
    pub clock: Arc<Clock>,
    pub parameters: Arc<Parameters>,
    pub counters: Counters,
    /// Rings when the scene, the state or a setting has changed.
    pub changed: Bell,
}

impl Core {
    pub fn new(parameters: Parameters) -> Self {
        Self {
            store: Arc::default(),
            joints: JointMonitor::default(),
            clock: Arc::default(),
            parameters: Arc::new(parameters),
            counters: Counters::default(),
            changed: Bell::default(),
        }
    }

    /// Does something with the scene, the state and the settings of this moment.
    pub fn with_context<T>(
        &self,
        workspace: &mut Workspace,
        act: impl FnOnce(&mut Context<'_>) -> T,
    ) -> T {
        let settings = self.parameters.settings();
        let query = settings.query();
        act(&mut Context {
            store: &self.store,
            joints: &self.joints,
            now: self.clock.now(),
            max_state_age: settings.max_state_age_ns(),
            limits: &settings.limits,
            query: &query,
            workspace,
        })
    }
}
