//! The whole node: what it offers, what it listens to, and its beginning and end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::bell::Woken;
use super::clock::{Clock, Step};
use super::core::Core;
use super::descriptions::{Descriptions, Part};
use super::diagnostics::{Reported, report};
use super::log::{Rosout, Throttle};
use super::parameters::{
    DescribeParameters, GetParameterTypes, GetParameters, ListParameters, ParameterError,
    ParameterServer, Parameters, SetParameters, SetParametersAtomically, Settings,
};
use super::pool::{Pool, PoolSize};
use super::refusal::Refusal;
use super::services::GetDistance;
use super::serving::Serving;
use super::threads::{Threads, Turn};
use crate::ros::cdr;
use crate::ros::interfaces::rcl_interfaces::msg::Parameter;
use crate::ros::interfaces::sensor_msgs::msg::JointState;
use crate::ros::interfaces::{rosgraph_msgs, std_msgs};
use crate::ros::transport::{Qos, Transport, TransportError};
use crate::scene::{SceneStore, Snapshot};

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
    /// The system has no more threads.
    #[error("no thread: {0}")]
    Thread(#[from] std::io::Error),
}

/// How long the end of a node may take before threads that are still at work are left to themselves.
const END: Duration = Duration::from_millis(500);
/// How long a thread waits at most before it looks round.
const LONG: Duration = Duration::from_secs(3600);

/// A running scene node. It ends when told to, or when dropped.
pub struct SceneNode {
    transport: Arc<dyn Transport>,
    core: Arc<Core>,
    descriptions: Arc<Descriptions>,
    pool: Arc<Pool>,
    parameters: Arc<ParameterServer>,
    rosout: Option<Rosout>,
    threads: Threads,
    ended: AtomicBool,
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
        let descriptions = Arc::new(Descriptions::new(Arc::clone(&core.store), &settings));
        descriptions.accept(&settings).map_err(StartError::Description)?;
        let pool = Arc::new(Pool::start(PoolSize {
            threads: settings.worker_threads,
            queue_length: settings.queue_length,
            queue_bytes: settings.queue_bytes,
        })?);
        let parameters = Arc::new(parameter_server(&transport, &core, &descriptions)?);
        let (threads, ended) = (Threads::new(), AtomicBool::new(false));
        let node = Self { transport, core, descriptions, pool, parameters, rosout, threads, ended };
        node.publish_log()?;
        node.listen_to_clock(&settings)?;
        node.listen_to_joint_states()?;
        node.listen_to_descriptions()?;
        node.offer_services()?;
        node.publish_diagnostics()?;
        Ok(node)
    }

    /// The scene. Changes made here are seen by everybody.
    pub fn store(&self) -> &Arc<SceneStore> {
        &self.core.store
    }

    /// The current positions of all joints of the robot in a snapshot, or why they are not known.
    pub fn positions(&self, snapshot: &Snapshot) -> Result<Vec<f64>, Refusal> {
        let max_age = self.core.parameters.settings().max_state_age_ns();
        let (now, given) = (self.core.clock.now(), JointState::default());
        self.core.joints.positions(&snapshot.scene, &given, now, max_age)
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
        let deadline = Instant::now() + END;
        let left = || deadline.saturating_duration_since(Instant::now());
        self.descriptions.came.close();
        self.core.changed.close();
        self.pool.stop();
        if !self.pool.wait(left()) {
            tracing::warn!("requests that did not end in time are given up");
        }
        if let Some(rosout) = &self.rosout {
            rosout.close();
        }
        self.threads.wait(left());
        self.transport.shutdown();
    }

    fn offer_services(&self) -> Result<(), TransportError> {
        let serving = Serving {
            core: Arc::clone(&self.core),
            pool: Arc::clone(&self.pool),
            descriptions: Arc::clone(&self.descriptions),
        };
        let transport = &*self.transport;
        serving.offer(transport, GetDistance)?;
        serving.offer(transport, DescribeParameters)?;
        serving.offer(transport, GetParameters(Arc::clone(&self.parameters)))?;
        serving.offer(transport, GetParameterTypes)?;
        serving.offer(transport, ListParameters)?;
        serving.offer(transport, SetParameters(Arc::clone(&self.parameters)))?;
        serving.offer(transport, SetParametersAtomically(Arc::clone(&self.parameters)))
    }

    fn publish_log(&self) -> Result<(), StartError> {
        let Some(rosout) = self.rosout.clone() else { return Ok(()) };
        let publisher =
            self.transport.advertise("/rosout", "rcl_interfaces/msg/Log", Qos::latched(1000))?;
        let clock = Arc::clone(&self.core.clock);
        let node_name = self.transport.node_name().trim_start_matches('/').replace('/', ".");
        let mut seen = 0;
        let turn = move || rosout.turn(&mut seen, &node_name, &clock, &*publisher);
        Ok(self.threads.start("rosout", turn)?)
    }

    fn publish_diagnostics(&self) -> Result<(), StartError> {
        let type_name = "diagnostic_msgs/msg/DiagnosticArray";
        let publisher = self.transport.advertise("/diagnostics", type_name, Qos::reliable(10))?;
        let (core, pool) = (Arc::clone(&self.core), Arc::clone(&self.pool));
        let descriptions = Arc::clone(&self.descriptions);
        let (node_name, mut reported) = (self.transport.node_name(), Reported::default());
        Ok(self.threads.start("diagnostics", move || {
            let report = report(&node_name, &core, &descriptions, pool.waiting(), &mut reported);
            if let Err(error) = publisher.publish(&cdr::encode(&report)) {
                tracing::debug!("diagnostics not published: {error}");
            }
            if core.changed.sleep(Duration::from_secs(1)) { Turn::Again } else { Turn::Last }
        })?)
    }

    fn listen_to_joint_states(&self) -> Result<(), TransportError> {
        let core = Arc::clone(&self.core);
        let count = core.counters.topic("joint_states");
        let throttle = Throttle::default();
        self.transport.subscribe(
            "joint_states",
            "sensor_msgs/msg/JointState",
            Qos::best_effort(10),
            Box::new(move |bytes| {
                count.receive();
                let decoded = cdr::decode::<JointState>(bytes).map_err(Refusal::bad_request);
                let now = core.clock.now();
                match decoded.and_then(|message| core.joints.update(&message, now)) {
                    Ok(()) => core.changed.ring(),
                    Err(refusal) => {
                        count.refuse();
                        if let Some(more) = throttle.admit() {
                            tracing::warn!("joint_states: message refused: {refusal}{more}");
                        }
                    }
                }
            }),
        )
    }

    fn listen_to_descriptions(&self) -> Result<(), StartError> {
        for part in Part::ALL {
            let (core, descriptions) = (Arc::clone(&self.core), Arc::clone(&self.descriptions));
            let count = core.counters.topic(part.name());
            self.transport.subscribe(
                part.name(),
                "std_msgs/msg/String",
                Qos::latched(1),
                Box::new(move |bytes| {
                    count.receive();
                    match cdr::decode::<std_msgs::msg::String>(bytes) {
                        Ok(message) => descriptions.hear(part, &message.data),
                        Err(error) => {
                            count.refuse();
                            tracing::warn!("{}: message refused: {error}", part.name());
                        }
                    }
                }),
            )?;
        }
        let (core, descriptions) = (Arc::clone(&self.core), Arc::clone(&self.descriptions));
        let mut seen = 0;
        self.threads.start("descriptions", move || {
            match descriptions.came.wait(seen, LONG) {
                Woken::Rung(rings) => seen = rings,
                Woken::TimedOut => return Turn::Again,
                Woken::Closed => return Turn::Last,
            }
            // A refusal is logged and kept where it is found.
            if let Ok(true) = descriptions.read_heard() {
                core.changed.ring();
            }
            Turn::Again
        })?;
        Ok(())
    }

    /// `/clock` is listened to from the beginning, so that `use_sim_time` can be set at any time. Best effort meets
    /// publishers of either kind.
    fn listen_to_clock(&self, settings: &Settings) -> Result<(), TransportError> {
        self.core.clock.set_simulated(settings.use_sim_time);
        let core = Arc::clone(&self.core);
        self.transport.subscribe(
            "/clock",
            "rosgraph_msgs/msg/Clock",
            Qos::best_effort(1),
            Box::new(move |bytes| {
                let Ok(message) = cdr::decode::<rosgraph_msgs::msg::Clock>(bytes) else { return };
                let step = core.clock.hear(&message);
                if let (Step::Back { by }, true) = (step, core.clock.is_simulated()) {
                    tracing::warn!(
                        "the clock jumped back by {} s: joint states are forgotten",
                        by as f64 / 1e9
                    );
                    core.joints.forget();
                }
                if core.clock.is_simulated() {
                    core.changed.ring();
                }
            }),
        )
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
    let events = transport.advertise(
        "/parameter_events",
        "rcl_interfaces/msg/ParameterEvent",
        Qos::reliable(1000),
    )?;
    let (shared, robot) = (Arc::clone(core), Arc::clone(descriptions));
    let accept = move |_: &Settings, next: &Settings| {
        robot.accept(next)?;
        if shared.clock.set_simulated(next.use_sim_time) {
            // Ages of one clock mean nothing to the other.
            shared.joints.forget();
        }
        shared.changed.ring();
        Ok(())
    };
    let (parameters, clock) = (Arc::clone(&core.parameters), Arc::clone(&core.clock));
    let node_name = transport.node_name();
    Ok(ParameterServer::new(parameters, Box::new(accept), clock, node_name, events))
}
