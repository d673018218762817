//! The cloth of the view, and the thread that moves it over the scene.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::ws::Utf8Bytes;
use serde::Serialize;
use tokio::sync::watch;

use super::command::ClothCommand;
use super::error::ViewError;
use super::json::json;
use smooth_scene_dynamics::{
    Cloth, ClothBody, ClothOptions, ClothSheet, cloth_bodies, cloth_terrain,
};
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_geometry::{Aabb, Shape};
use smooth_scene_scene::{ObjectPlace, SceneObject, SceneStore, Snapshot, WorldFile, WorldObject};

/// Length of a step, s, and of the pauses between them.
const STEP: f64 = 1.0 / 60.0;
/// Vertices along a side that a viewer may ask for.
const SIDES: std::ops::RangeInclusive<usize> = 2..=100;
/// How much wider than the scene a cloth is, and how far above it begins, in shares of the scene's width.
const WIDER: f64 = 1.15;
const ABOVE: f64 = 0.04;
/// Thickness in shares of the cloth's side.
const THICKNESS: f64 = 0.003;
/// Units of the coordinates that are sent, m.
const UNIT: f64 = 1e-4;
/// Bodies along a side of the terrain, and its width in metres.
const TERRAIN: usize = 9;
const TERRAIN_SIZE: f64 = 1.0;

/// What the viewers are told.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename = "cloth")]
struct ClothMessage {
    state: ClothState,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    rows: usize,
    columns: usize,
    /// Size of `places`, m.
    unit: f64,
    /// x, y, z of every vertex, row after row.
    places: Vec<i32>,
    pins: Vec<[usize; 2]>,
    /// Time of the cloth, s, and what its last step cost, ms.
    time: f64,
    millis: f64,
    bodies: usize,
}

/// What the cloth does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum ClothState {
    None,
    Playing,
    Paused,
}

/// Where the robot is now, as the stage says it.
type Positions = Arc<Mutex<Vec<f64>>>;

/// The cloth, as the stage sees it.
pub(super) struct ClothStage {
    orders: Sender<ClothCommand>,
    positions: Positions,
}

impl ClothStage {
    /// Starts the thread. It ends with the stage.
    pub fn start(store: Arc<SceneStore>, out: watch::Sender<Utf8Bytes>) -> Result<Self, ViewError> {
        let (orders, received) = channel();
        let positions = Positions::default();
        let show = Show {
            store,
            out,
            positions: Arc::clone(&positions),
            current: None,
            state: ClothState::None,
        };
        let thread = std::thread::Builder::new().name("view cloth".into());
        thread.spawn(move || show.run(&received)).map_err(ViewError::Thread)?;
        Ok(Self { orders, positions })
    }

    /// Where the robot is now.
    pub fn follow(&self, positions: &[f64]) {
        let mut known = self.positions.lock().unwrap_or_else(PoisonError::into_inner);
        if *known != positions {
            *known = positions.to_vec();
        }
    }

    /// Hands a command to the thread.
    pub fn order(&self, command: &ClothCommand) -> Result<(), ViewError> {
        if let ClothCommand::Drop { vertices } = command
            && !SIDES.contains(vertices)
        {
            let (what, range) = ("vertices along a side".into(), "2 to 100".into());
            return Err(ViewError::BadValue { what, value: *vertices as f64, range });
        }
        self.orders.send(command.clone()).map_err(|_| ViewError::Panicked("cloth"))
    }
}

/// A floor and 81 superellipsoids as objects of a world.
pub(super) fn terrain() -> Result<WorldFile, ViewError> {
    let objects = cloth_terrain(TERRAIN, TERRAIN_SIZE)?.into_iter().map(|body| {
        let object = SceneObject::simple(&body.name, body.pose, body.shape)?;
        Ok(WorldObject { object, place: ObjectPlace::World { frame: String::new() } })
    });
    Ok(WorldFile::of_objects(objects.collect::<Result<_, ViewError>>()?))
}

/// A cloth and what it lies on.
struct Current {
    cloth: Cloth,
    bodies: Vec<ClothBody>,
    /// Robot and revision of the scene that the bodies are of.
    scene: (u64, u64),
    steps: u64,
    millis: f64,
}

/// The thread of the cloth.
struct Show {
    store: Arc<SceneStore>,
    out: watch::Sender<Utf8Bytes>,
    positions: Positions,
    current: Option<Current>,
    state: ClothState,
}

impl Show {
    fn run(mut self, orders: &Receiver<ClothCommand>) {
        let mut next = Instant::now();
        loop {
            let is_playing = self.state == ClothState::Playing;
            let wait = if is_playing {
                next.saturating_duration_since(Instant::now())
            } else {
                Duration::from_secs(3600)
            };
            let reason = match orders.recv_timeout(wait) {
                Ok(command) => self.obey(&command).err(),
                Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) if is_playing => {
                    // Steps that were missed are not made up for: a slow machine shows a slow cloth.
                    next = (next + Duration::from_secs_f64(STEP)).max(Instant::now());
                    self.step().err()
                }
                Err(RecvTimeoutError::Timeout) => continue,
            };
            if reason.is_some() {
                self.state =
                    if self.current.is_some() { ClothState::Paused } else { ClothState::None };
            }
            self.tell(reason.map(|error| error.to_string()));
        }
    }

    fn obey(&mut self, command: &ClothCommand) -> Result<(), ViewError> {
        let none = ViewError::NothingTo("do with a cloth: there is none");
        match *command {
            ClothCommand::Drop { vertices } => {
                self.current = None;
                self.current = Some(self.dropped(vertices)?);
                self.state = ClothState::Playing;
            }
            ClothCommand::Play {} if self.current.is_none() => return Err(none),
            ClothCommand::Play {} => self.state = ClothState::Playing,
            ClothCommand::Pause {} if self.current.is_some() => self.state = ClothState::Paused,
            ClothCommand::Pause {} | ClothCommand::Terrain {} => {}
            ClothCommand::Remove {} => (self.current, self.state) = (None, ClothState::None),
            ClothCommand::Hold { row, column, at } => {
                let current = self.current.as_mut().ok_or(none)?;
                current.cloth.drag(row, column, &Vec3::from(at))?;
            }
            ClothCommand::Release { row, column } => {
                self.current.as_mut().ok_or(none)?.cloth.release(row, column)?;
            }
        }
        Ok(())
    }

    /// The bodies of the scene with the robot where it is now.
    fn bodies(&self, snapshot: &Snapshot) -> Result<Vec<ClothBody>, ViewError> {
        let positions = self.positions.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Ok(cloth_bodies(&snapshot.scene, &positions)?)
    }

    /// A new cloth, flat above everything.
    fn dropped(&self, vertices: usize) -> Result<Current, ViewError> {
        let snapshot = self.store.snapshot()?;
        let bodies = self.bodies(&snapshot)?;
        let bounds = bounds(&bodies);
        let [width, depth] = [bounds.max.x - bounds.min.x, bounds.max.y - bounds.min.y];
        let size = WIDER * width.max(depth).max(1e-3);
        let thickness = (THICKNESS * size).clamp(1e-5, 0.01);
        let mut middle = bounds.center();
        middle.z = bounds.max.z + thickness + ABOVE * size;
        let sheet = ClothSheet {
            rows: vertices,
            columns: vertices,
            size: [size; 2],
            pose: Pose::from(middle),
        };
        let options =
            ClothOptions { thickness, mass: 0.2 * size * size, ..ClothOptions::default() };
        let cloth = Cloth::new(sheet, options, &bodies)?;
        let scene = (snapshot.robot, snapshot.revision);
        Ok(Current { cloth, bodies, scene, steps: 0, millis: 0.0 })
    }

    /// One step, over the scene as it is now.
    fn step(&mut self) -> Result<(), ViewError> {
        let snapshot = self.store.snapshot()?;
        let bodies = self.bodies(&snapshot)?;
        let scene = (snapshot.robot, snapshot.revision);
        let Some(current) = &mut self.current else { return Ok(()) };
        if current.scene != scene || current.bodies.len() != bodies.len() {
            current.cloth.set_bodies(&bodies)?;
            current.scene = scene;
        } else {
            for (k, (body, known)) in bodies.iter().zip(&current.bodies).enumerate() {
                if body.pose != known.pose {
                    current.cloth.move_body(k, &body.pose)?;
                }
            }
        }
        current.bodies = bodies;
        let begin = Instant::now();
        current.cloth.step(STEP)?;
        current.millis = 1e3 * begin.elapsed().as_secs_f64();
        current.steps += 1;
        Ok(())
    }

    fn tell(&self, reason: Option<String>) {
        let mut message = ClothMessage {
            state: self.state,
            reason,
            rows: 0,
            columns: 0,
            unit: UNIT,
            places: Vec::new(),
            pins: Vec::new(),
            time: 0.0,
            millis: 0.0,
            bodies: 0,
        };
        if let Some(Current { cloth, steps, millis, bodies, .. }) = &self.current {
            (message.rows, message.columns) = (cloth.sheet().rows, cloth.sheet().columns);
            let rounded = |x: f64| (x / UNIT).round() as i32;
            message.places = cloth.positions().flat_map(|p| [p.x, p.y, p.z].map(rounded)).collect();
            message.pins = cloth.pins().collect();
            message.time = *steps as f64 * STEP;
            message.millis = *millis;
            message.bodies = bodies.len();
        }
        self.out.send_replace(json(&message).into());
    }
}

/// The box around all bodies that have one; a metre around the origin if none has.
fn bounds(bodies: &[ClothBody]) -> Aabb {
    let bounded = bodies.iter().filter(|body| !matches!(body.shape, Shape::HalfSpace(_)));
    let boxes = bounded.map(|body| body.shape.aabb(&body.pose));
    let around = Aabb { min: Vec3::new(-0.5, -0.5, 0.0), max: Vec3::new(0.5, 0.5, 0.5) };
    boxes.reduce(|a, b| a.merged(&b)).unwrap_or(around)
}
