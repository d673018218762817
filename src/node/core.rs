//! What the threads of the node share.

use std::sync::Arc;

use super::cancellation::Cancellation;
use super::clock::Clock;
use super::counters::Counters;
use super::joint_monitor::JointMonitor;
use super::lifecycle::Lifecycle;
use super::parameters::Parameters;
use super::second_model::SecondModel;
use super::service::Context;
use super::simulator::Simulator;
use crate::bell::Bell;
use crate::scene::{SceneStore, Workspace};
use crate::transforms::Transforms;

/// The scene, the state, the time, the settings and the counts.
#[derive(Debug)]
pub(super) struct Core {
    pub store: Arc<SceneStore>,
    /// Another model of the robot, for planning.
    pub second_model: Arc<SecondModel>,
    pub joints: JointMonitor,
    pub transforms: Transforms,
    pub clock: Arc<Clock>,
    pub parameters: Arc<Parameters>,
    pub lifecycle: Arc<Lifecycle>,
    pub counters: Counters,
    /// Planning that is under way.
    pub planning: Cancellation,
    /// Other long work that is under way and ends with the node: fits to point clouds, grasps.
    pub fitting: Cancellation,
    /// What moves the scene.
    pub simulator: Simulator,
    /// Rings when the scene, the state or a setting has changed.
    pub changed: Bell,
}

impl Core {
    pub fn new(parameters: Parameters) -> Self {
        let managed = parameters.settings().lifecycle;
        let lifecycle = if managed { Lifecycle::managed() } else { Lifecycle::unmanaged() };
        Self {
            store: Arc::default(),
            second_model: Arc::default(),
            joints: JointMonitor::default(),
            transforms: Transforms::default(),
            clock: Arc::default(),
            parameters: Arc::new(parameters),
            lifecycle: Arc::new(lifecycle),
            counters: Counters::default(),
            planning: Cancellation::default(),
            fitting: Cancellation::default(),
            simulator: Simulator::default(),
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
            second_model: &self.second_model,
            joints: &self.joints,
            transforms: &self.transforms,
            now: self.clock.now(),
            max_state_age: settings.max_state_age_ns(),
            limits: &settings.limits,
            query: &query,
            planning: &self.planning,
            fitting: &self.fitting,
            simulator: &self.simulator,
            workspace,
        })
    }
}
