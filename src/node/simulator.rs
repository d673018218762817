//! The simulation of the node: one at a time, on a thread of its own, which moves the node's joints and the objects of its scene.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use crate::convert::Refusal;
use crate::dynamics::{
    OnFrame, PlayFrame, PlayOrder, PlayState, Push, SceneSimulation, SceneSimulationOptions,
    SimulationPlayer,
};
use crate::math::Vec3;
use crate::robot::{RobotState, UrdfPhysics};
use crate::scene::Snapshot;

/// Longest wait for orders to be carried out, and for a step.
const PATIENCE: Duration = Duration::from_secs(600);
/// How long an end is waited for: the step it is at.
const END: Duration = Duration::from_millis(300);

/// Reads the masses in the robot's description.
type ReadPhysics = Box<dyn Fn() -> Result<UrdfPhysics, Refusal> + Send + Sync>;
/// Makes what takes over every frame of a simulation of a snapshot.
type TakeFrames = Box<dyn Fn(&Arc<Snapshot>) -> OnFrame + Send + Sync>;

/// What a simulation needs of a running node.
pub(super) struct SimulatorLinks {
    pub physics: ReadPhysics,
    pub on_frame: TakeFrames,
}

/// The simulation there is, if any.
#[derive(Default)]
pub struct Simulator {
    links: OnceLock<SimulatorLinks>,
    running: Mutex<Option<Running>>,
}

struct Running {
    player: Arc<SimulationPlayer>,
    /// For looking up bodies.
    simulation: SceneSimulation,
}

impl std::fmt::Debug for Simulator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Simulator").field("is_running", &self.lock().is_some()).finish()
    }
}

impl Simulator {
    fn lock(&self) -> MutexGuard<'_, Option<Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Connects it with the node.
    pub(super) fn link(&self, links: SimulatorLinks) {
        assert!(self.links.set(links).is_ok(), "a simulator is linked once");
    }

    /// Begins a simulation, paused, in place of the one there may be.
    pub fn start(
        &self,
        snapshot: &Arc<Snapshot>,
        positions: Vec<f64>,
        options: &SceneSimulationOptions,
    ) -> Result<(), Refusal> {
        let none = || Refusal::failed("there is no node that a simulation could move");
        let links = self.links.get().ok_or_else(none)?;
        let physics = (links.physics)()?;
        let state = RobotState::at(Arc::clone(snapshot.scene.model()), positions);
        let state = state.map_err(Refusal::bad_request)?;
        let simulation = SceneSimulation::new(&snapshot.scene, &physics, &state, options);
        let simulation = simulation.map_err(Refusal::bad_request)?;
        let mut running = self.lock();
        if let Some(before) = running.take() {
            before.player.quit(END);
        }
        let on_frame = (links.on_frame)(snapshot);
        let player = SimulationPlayer::start(simulation.clone(), on_frame);
        let player = player.map_err(|error| Refusal::failed(format!("no thread: {error}")))?;
        *running = Some(Running { player: Arc::new(player), simulation });
        Ok(())
    }

    /// Ends the simulation, if there is one.
    pub fn stop(&self) {
        if let Some(running) = self.lock().take() {
            running.player.quit(END);
        }
    }

    /// Whether a simulation that has not failed moves the node's joints.
    pub fn moves_joints(&self) -> bool {
        let failed = |state: &PlayState| matches!(state, PlayState::Failed(_));
        self.frame().is_some_and(|frame| !failed(&frame.state))
    }

    /// How the simulation is.
    pub fn frame(&self) -> Option<PlayFrame> {
        self.lock().as_ref().map(|running| running.player.frame())
    }

    /// Gives an order and waits until it is carried out; for a step until time stands still again.
    pub fn order(&self, order: PlayOrder) -> Result<PlayFrame, Refusal> {
        let player = self.player()?;
        let is_step = matches!(order, PlayOrder::Step(_));
        if !player.order(order) {
            return Err(Refusal::overloaded(256));
        }
        // Not with the lock held: somebody may want to end it.
        let is_done = |frame: &PlayFrame| !is_step || frame.state != PlayState::Playing;
        let settled = player.settled(PATIENCE, is_done);
        settled
            .ok_or_else(|| Refusal::failed("the simulation was ended, or takes longer than 600 s"))
    }

    /// Pushes a body: a force that lasts, an impulse, or both.
    pub fn push(
        &self,
        body: &str,
        point_b: Vec3,
        force: Option<(Vec3, f64)>,
        impulse_w: Vec3,
    ) -> Result<PlayFrame, Refusal> {
        let player = self.player()?;
        if let Some(running) = self.lock().as_ref() {
            let named = |error| Refusal::bad_request(format!("body: {error}"));
            running.simulation.owner(body).map_err(named)?;
        }
        let body = body.to_owned();
        if let Some((force_w, seconds)) = force {
            let push = Push { body: body.clone(), point_b, force_w, seconds };
            self.order(PlayOrder::Push(push))?;
        }
        if impulse_w != Vec3::zeros() {
            self.order(PlayOrder::Kick { body, point_b, impulse_w })?;
        }
        Ok(player.frame())
    }

    fn player(&self) -> Result<Arc<SimulationPlayer>, Refusal> {
        let none = || Refusal::bad_request("there is no simulation: START one");
        self.lock().as_ref().map(|running| Arc::clone(&running.player)).ok_or_else(none)
    }
}
