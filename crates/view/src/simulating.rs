//! The scene in motion: a simulation on a thread of its own, which viewers play, pause, step, reset and push. What it moves is taken over
//! between two frames.

use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::ws::Utf8Bytes;
use serde::Serialize;
use tokio::sync::watch;

use super::command::SimulateRequest;
use super::error::ViewError;
use super::host::Described;
use super::json::json;
use smooth_scene_dynamics::{
    Integrator, Material, PlayFrame, PlayOrder, PlayState, Push, SceneSimulation,
    SceneSimulationOptions, SimulationPlayer,
};
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_robot::{RobotState, physics};
use smooth_scene_scene::{NoRobot, SceneError, SceneStore, Snapshot, WorldChange};

/// Longest step or push, s.
const LONGEST: f64 = 60.0;
/// Slowest and fastest.
const RATES: [f64; 2] = [0.01, 10.0];

/// What the viewers are told.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "kind", rename = "simulation")]
struct Message {
    state: &'static str,
    reason: Option<String>,
    time: f64,
    steps: u64,
    speed: f64,
    /// Kinetic, potential, stored, J.
    energies: [f64; 3],
}

/// What the viewers are told when there is none.
const NONE: &str = r#"{"kind":"simulation","state":"none"}"#;

/// Where everything is.
#[derive(Debug)]
struct Moment {
    time: f64,
    positions: Vec<f64>,
    objects: Vec<(String, Pose)>,
}

struct Running {
    player: SimulationPlayer,
    /// For looking up bodies.
    simulation: SceneSimulation,
    exchange: Arc<Mutex<Exchange>>,
    robot: u64,
    /// When everything was where it was put last, s.
    placed: Option<f64>,
    told: Option<PlayFrame>,
}

/// What the thread of the simulation and that of the view tell each other.
#[derive(Debug, Default)]
struct Exchange {
    /// What has not been taken over yet.
    moment: Option<Moment>,
    /// Why the simulation has to end.
    refusal: Option<String>,
}

/// Why what has moved cannot be shown.
#[derive(Debug, thiserror::Error)]
enum NotMoved {
    #[error(transparent)]
    NoRobot(#[from] NoRobot),
    #[error(transparent)]
    Scene(#[from] SceneError),
}

/// The simulation there is, if any.
pub(super) struct Simulating {
    out: watch::Sender<Utf8Bytes>,
    described: Option<Described>,
    running: Option<Running>,
}

impl Simulating {
    pub fn new(out: watch::Sender<Utf8Bytes>, described: Option<Described>) -> Self {
        Self { out, described, running: None }
    }

    /// Whether time goes on.
    pub fn is_playing(&self) -> bool {
        self.running.as_ref().is_some_and(|r| r.player.frame().state == PlayState::Playing)
    }

    /// Does what a viewer wants.
    pub fn act(
        &mut self,
        snapshot: &Snapshot,
        state: Option<&RobotState>,
        request: &SimulateRequest,
    ) -> Result<(), ViewError> {
        match request {
            SimulateRequest::Start { .. } => {
                return self.start(snapshot, state.ok_or(NoRobot)?, request);
            }
            SimulateRequest::End {} => {
                self.running.take().ok_or(ViewError::NothingTo("end"))?;
                self.out.send_replace(NONE.into());
                return Ok(());
            }
            _ => {}
        }
        let running = self.running.as_ref().ok_or(ViewError::NothingTo("simulate"))?;
        let order = order(&running.simulation, request)?;
        if running.player.order(order) {
            return Ok(());
        }
        Err(ViewError::TooMany { what: "orders of the simulation", count: 256, max: 256 })
    }

    fn start(
        &mut self,
        snapshot: &Snapshot,
        state: &RobotState,
        request: &SimulateRequest,
    ) -> Result<(), ViewError> {
        let SimulateRequest::Start { hold, fixed, young, friction, restitution, step } = request
        else {
            unreachable!("only a start is passed on");
        };
        let described = self.described.as_ref().and_then(|described| described());
        let described = described.ok_or(ViewError::NoMasses)?;
        let masses = physics(&described.document).map_err(|e| ViewError::Masses(e.to_string()))?;
        let material = Material {
            young: *young,
            friction: *friction,
            restitution: *restitution,
            ..Material::default()
        };
        let (hold, fixed) = (*hold, fixed.clone());
        let mut options = SceneSimulationOptions { hold, fixed, material, ..Default::default() };
        if let Some(step) = step {
            options.integrator = Integrator::SemiImplicit(*step);
        }
        let simulation = SceneSimulation::new(&snapshot.scene, &masses, state, &options)?;
        let exchange = Arc::new(Mutex::new(Exchange::default()));
        let shared = Arc::clone(&exchange);
        let on_frame = move |simulation: &SceneSimulation, frame: &PlayFrame| {
            let positions = simulation.simulation().state().positions.clone();
            let objects = simulation.object_poses().map(|(name, pose)| (name.to_owned(), pose));
            let now = Moment { time: frame.time, positions, objects: objects.collect() };
            let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
            shared.moment = Some(now);
            shared.refusal.take().map_or(Ok(()), Err)
        };
        let player = SimulationPlayer::start(simulation.clone(), Box::new(on_frame));
        let player = player.map_err(ViewError::Thread)?;
        let robot = snapshot.robot;
        let (placed, told) = (None, None);
        self.running = Some(Running { player, simulation, exchange, robot, placed, told });
        Ok(())
    }

    /// Moves the objects of the scene to where the simulation has them and tells the viewers; the positions of the robot if they are new.
    pub fn take(&mut self, store: &SceneStore) -> Option<Vec<f64>> {
        let running = self.running.as_mut()?;
        // What has moved is at least as new as the frame, so that who is told of a frame finds everything in its place.
        let frame = running.player.frame();
        let positions = running.take(store);
        if running.told.as_ref() != Some(&frame) {
            self.out.send_replace(json(&Message::of(&frame)).into());
            running.told = Some(frame);
        }
        positions
    }
}

impl Running {
    /// Takes over what has moved, or says why the simulation has to end.
    fn take(&mut self, store: &SceneStore) -> Option<Vec<f64>> {
        let shared = || self.exchange.lock().unwrap_or_else(PoisonError::into_inner);
        let moment = shared().moment.take()?;
        if self.placed == Some(moment.time) {
            return None;
        }
        match place(store, self.robot, &moment.objects) {
            Ok(()) => {
                self.placed = Some(moment.time);
                Some(moment.positions)
            }
            Err(reason) => {
                shared().refusal = Some(reason);
                None
            }
        }
    }
}

/// Puts objects where they are now.
fn place(store: &SceneStore, robot: u64, objects: &[(String, Pose)]) -> Result<(), String> {
    let told = |error: NotMoved| error.to_string();
    let snapshot = store.snapshot().map_err(|error| told(error.into()))?;
    if snapshot.robot != robot {
        return Err("there is another robot".into());
    }
    if objects.is_empty() {
        return Ok(());
    }
    let moved = store.change(|scene| -> Result<(), NotMoved> {
        for (name, pose) in objects {
            scene.apply(WorldChange::Move { name: name.clone(), pose: *pose })?;
        }
        Ok(())
    });
    moved.map(|_| ()).map_err(told)
}

/// What the player is told for a request other than begin and end.
fn order(simulation: &SceneSimulation, request: &SimulateRequest) -> Result<PlayOrder, ViewError> {
    let checked = |what: &str, value: f64, [low, high]: [f64; 2]| {
        let range = format!("in [{low}, {high}]");
        let bad = ViewError::BadValue { what: what.into(), value, range };
        if (low..=high).contains(&value) { Ok(value) } else { Err(bad) }
    };
    let seconds = |value| checked("seconds", value, [1e-6, LONGEST]);
    Ok(match request {
        SimulateRequest::Play {} => PlayOrder::Play,
        SimulateRequest::Pause {} => PlayOrder::Pause,
        SimulateRequest::Reset {} => PlayOrder::Reset,
        SimulateRequest::Step { seconds: given } => PlayOrder::Step(seconds(*given)?),
        SimulateRequest::Rate { factor } => PlayOrder::Rate(checked("rate", *factor, RATES)?),
        SimulateRequest::Push { body, point, force, seconds: given } => {
            simulation.owner(body)?;
            for value in point.iter().chain(force) {
                checked("a number of the push", *value, [-1e6, 1e6])?;
            }
            let (point_b, force_w) = (Vec3::from(*point), Vec3::from(*force));
            PlayOrder::Push(Push {
                body: body.clone(),
                point_b,
                force_w,
                seconds: seconds(*given)?,
            })
        }
        SimulateRequest::Start { .. } | SimulateRequest::End {} => {
            unreachable!("begin and end are no orders of the player")
        }
    })
}

impl Message {
    fn of(frame: &PlayFrame) -> Self {
        let (state, reason) = match &frame.state {
            PlayState::Playing => ("playing", None),
            PlayState::Paused => ("paused", None),
            PlayState::Failed(reason) => ("failed", Some(reason.clone())),
        };
        let PlayFrame { time, steps, speed, energies, .. } = *frame;
        Self { state, reason, time, steps, speed, energies }
    }
}
