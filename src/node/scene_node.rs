//! The node: start, shutdown, and the services it offers.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::changes::Changes;
use super::clock::Clock;
use super::core::Core;
use super::descriptions::Descriptions;
use super::lifecycle::{LifecycleHooks, LifecycleServer, for_each_lifecycle_service};
use super::log::Rosout;
use super::parameters::{
    ParameterError, ParameterServer, Parameters, Settings, for_each_parameter_service,
};
use super::parked::Parked;
use super::pool::{Pool, PoolSize};
use super::service::{Endpoint, Service};
use super::services::{ServiceVisitor, for_each_service};
use super::serving::Serving;
use super::threads::Threads;
use super::topics::table::{PARAMETER_EVENTS, TRANSITION_EVENT};
use crate::convert::Refusal;
use crate::interfaces::rcl_interfaces::msg::Parameter;
use crate::interfaces::sensor_msgs::msg::JointState;
use crate::scene::{SceneStore, Snapshot};
use crate::transport::{Transport, TransportError};
use crate::view::{ViewError, ViewServer};

/// A node that could not be started.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// A parameter given at start.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// A robot description given as parameter.
    #[error("the robot description of the parameters is refused: {0}")]
    Description(String),
    /// The middleware.
    #[error(transparent)]
    Transport(#[from] TransportError),
    /// The browser view.
    #[error(transparent)]
    View(#[from] ViewError),
    /// The parameter `view.address`.
    #[error("parameter `view.address` is `{0}`, must be an address such as 127.0.0.1")]
    ViewAddress(String),
    /// The system has no more threads.
    #[error("no thread: {0}")]
    Thread(#[from] std::io::Error),
}

/// How long a shutdown waits for threads that are still busy.
const END: Duration = Duration::from_millis(500);

/// Why long work ends early then.
const SHUTTING_DOWN: &str = "the node is shutting down";

/// A running scene node. It ends with [`shutdown`](Self::shutdown) or when dropped.
pub struct SceneNode {
    pub(super) transport: Arc<dyn Transport>,
    pub(super) core: Arc<Core>,
    pub(super) descriptions: Arc<Descriptions>,
    pub(super) pool: Arc<Pool>,
    pub(super) parked: Arc<Parked>,
    pub(super) changes: Arc<Changes>,
    pub(super) parameters: Arc<ParameterServer>,
    pub(super) rosout: Option<Rosout>,
    pub(super) threads: Threads,
    ended: AtomicBool,
    view: Mutex<Option<ViewServer>>,
}

impl SceneNode {
    /// Starts the node: when this returns it answers requests. What `rosout` takes from `tracing` is published.
    pub fn start(
        transport: Arc<dyn Transport>,
        rosout: Option<Rosout>,
    ) -> Result<Self, StartError> {
        let parameters = Parameters::new(&transport.parameter_overrides())?;
        let settings = parameters.settings();
        let core = Arc::new(Core::new(parameters));
        let descriptions = Arc::new(Descriptions::new(&core, &settings));
        descriptions.accept(&settings).map_err(StartError::Description)?;
        let pool = Arc::new(Pool::start(PoolSize {
            threads: settings.worker_threads,
            queue_length: settings.queue_length,
            queue_bytes: settings.queue_bytes,
        })?);
        let parameters = Arc::new(parameter_server(&transport, &core, &descriptions)?);
        let (threads, ended) = (Threads::new(), AtomicBool::new(false));
        let (changes, parked) = (Arc::default(), Arc::default());
        let node = Self {
            transport,
            core,
            descriptions,
            pool,
            parked,
            changes,
            parameters,
            rosout,
            threads,
            ended,
            view: Mutex::new(None),
        };
        node.publish_log()?;
        node.subscribe_to_clock(&settings)?;
        node.subscribe_to_joint_states()?;
        node.subscribe_to_transforms()?;
        node.retry_parked()?;
        node.subscribe_to_descriptions()?;
        node.subscribe_to_changes()?;
        node.link_simulator()?;
        node.offer_services()?;
        node.offer_lifecycle(&settings)?;
        node.publish_surroundings()?;
        node.publish_diagnostics()?;
        *node.view() = node.open_view(&settings)?;
        Ok(node)
    }

    /// What to open in a browser to see the scene, if the view is on.
    pub fn view_url(&self) -> Option<String> {
        self.view().as_ref().map(ViewServer::url)
    }

    fn view(&self) -> MutexGuard<'_, Option<ViewServer>> {
        self.view.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The scene. Changes made here are seen by everybody.
    pub fn store(&self) -> &Arc<SceneStore> {
        &self.core.store
    }

    /// The current positions of all joints of the robot in a snapshot, or why they are not known.
    pub fn positions(&self, snapshot: &Snapshot) -> Result<Vec<f64>, Refusal> {
        let max_age = self.core.parameters.settings().max_state_age_ns();
        let (now, given) = (self.core.clock.now(), JointState::default());
        self.core.joints.positions(snapshot.scene.model(), &given, now, max_age)
    }

    /// The settings as they are now.
    pub fn settings(&self) -> Arc<Settings> {
        self.core.parameters.settings()
    }

    /// Sets all of these parameters or none, as the parameter services do.
    pub fn set_parameters(&self, changes: &[Parameter]) -> Result<(), ParameterError> {
        self.parameters.set(changes)
    }

    /// Why the last robot description was refused, unless it was followed by one that was not.
    pub fn refused_description(&self) -> Option<String> {
        self.descriptions.refused()
    }

    /// The clock of the node.
    pub fn clock(&self) -> &Clock {
        &self.core.clock
    }

    /// Ends the node: what waits is refused, what is being answered is waited for a little.
    pub fn shutdown(&self) {
        if self.ended.swap(true, Ordering::AcqRel) {
            return;
        }
        let view = self.view().take();
        drop(view);
        let deadline = Instant::now() + END;
        let left = || deadline.saturating_duration_since(Instant::now());
        self.descriptions.updated.close();
        self.core.changed.close();
        self.changes.close();
        self.core.transforms.updated.close();
        self.parked.close();
        self.pool.stop();
        self.core.planning.close(SHUTTING_DOWN);
        self.core.fitting.close(SHUTTING_DOWN);
        self.core.simulator.stop();
        if !self.pool.wait(left()) {
            tracing::warn!("requests that did not end in time are given up");
        }
        if let Some(rosout) = &self.rosout {
            rosout.close();
        }
        self.threads.wait(left());
        self.transport.shutdown();
    }

    /// Offers one more service, answered on the same threads as the others.
    pub fn offer<S: Service>(
        &self,
        endpoint: &'static Endpoint,
        service: S,
    ) -> Result<(), TransportError> {
        let serving = Serving {
            core: Arc::clone(&self.core),
            pool: Arc::clone(&self.pool),
            parked: Arc::clone(&self.parked),
            descriptions: Arc::clone(&self.descriptions),
        };
        serving.offer(&*self.transport, endpoint, service)
    }

    /// Tries requests that wait for transforms again.
    fn retry_parked(&self) -> Result<(), StartError> {
        let (parked, pool) = (Arc::clone(&self.parked), Arc::clone(&self.pool));
        let (core, mut seen) = (Arc::clone(&self.core), 0);
        let turn = move || parked.turn(&mut seen, &core.transforms, &pool);
        Ok(self.threads.start("parked", turn)?)
    }

    /// Offers the services of a managed node, if this is one.
    fn offer_lifecycle(&self, settings: &Settings) -> Result<(), TransportError> {
        if !settings.lifecycle {
            return Ok(());
        }
        let (lifecycle, clock) = (Arc::clone(&self.core.lifecycle), Arc::clone(&self.core.clock));
        let events = TRANSITION_EVENT.advertise(&*self.transport)?;
        let (descriptions, core) = (Arc::clone(&self.descriptions), Arc::clone(&self.core));
        let hooks = LifecycleHooks {
            refused_description: Box::new(move || descriptions.refused()),
            changed: Box::new(move || core.changed.ring()),
        };
        let server = Arc::new(LifecycleServer::new(lifecycle, clock, events, hooks));
        // All of them are needed: nobody could activate the node without.
        for_each_lifecycle_service(&server, &mut self.offering(WhenMissing::Fail))
    }

    fn offer_services(&self) -> Result<(), TransportError> {
        let mut offer = self.offering(WhenMissing::LeaveOut);
        for_each_service(&mut offer)?;
        for_each_parameter_service(&self.parameters, &mut offer)
    }

    fn offering(&self, when_missing: WhenMissing) -> Offer<'_> {
        Offer { node: self, when_missing }
    }
}

/// Offers what it visits.
struct Offer<'a> {
    node: &'a SceneNode,
    when_missing: WhenMissing,
}

/// What is done about a service whose interface is not installed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WhenMissing {
    /// It is left out with a warning: an older installation need not keep the rest from starting.
    LeaveOut,
    /// The node does not start.
    Fail,
}

impl ServiceVisitor for Offer<'_> {
    type Error = TransportError;

    fn visit<S: Service>(
        &mut self,
        endpoint: &'static Endpoint,
        service: S,
    ) -> Result<(), TransportError> {
        match self.node.offer(endpoint, service) {
            Err(TransportError::NotInstalled { type_name })
                if self.when_missing == WhenMissing::LeaveOut =>
            {
                let name = endpoint.name;
                tracing::warn!(
                    "{name} is left out: {type_name} was not installed when this was built"
                );
                Ok(())
            }
            offered => offered,
        }
    }
}

impl Drop for SceneNode {
    fn drop(&mut self) {
        self.shutdown();
    }
}

fn parameter_server(
    transport: &Arc<dyn Transport>,
    core: &Arc<Core>,
    descriptions: &Arc<Descriptions>,
) -> Result<ParameterServer, TransportError> {
    let events = PARAMETER_EVENTS.advertise(&**transport)?;
    let (shared, robot) = (Arc::clone(core), Arc::clone(descriptions));
    let accept = move |_: &Settings, next: &Settings| {
        robot.accept(next)?;
        if shared.clock.set_simulated(next.use_sim_time) {
            // Ages of one clock mean nothing to the other.
            shared.joints.forget();
            shared.transforms.buffer().forget_moving();
        }
        shared.changed.ring();
        Ok(())
    };
    let (parameters, clock) = (Arc::clone(&core.parameters), Arc::clone(&core.clock));
    let node_name = transport.node_name();
    Ok(ParameterServer::new(parameters, Box::new(accept), clock, node_name, events))
}
