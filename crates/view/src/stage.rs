//! The thread of the view: handles commands, advances the time, queries the scene, and publishes the latest picture,
//! frame and curve to the viewers.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use super::channels::{Order, Outputs, Shared};
use super::cloth::{ClothStage, terrain};
use super::command::{ClothCommand, Command};
use super::curve::Job;
use super::error::ViewError;
use super::filters::{Filter, Filters};
use super::fitting::{Fitted, Fitter};
use super::frame::{Asker, Question};
use super::game::GameTable;
use super::history::History;
use super::host::{ViewHost, ViewOptions};
use super::json::json;
use super::picture::{Picture, StageData};
use super::planning::Planner;
use super::playback::{Playback, Source};
use super::simulating::Simulating;
use super::sketch::SketchDesk;
use smooth_scene_geometry::math::Pose;
use smooth_scene_plan::state_towards_pose;
use smooth_scene_robot::RobotState;
use smooth_scene_scene::{Between, NoRobot, SceneStore, Snapshot, WorldFile};

/// Limit of commands that are handled between two frames.
const MAX_ORDERS: usize = 256;

/// What was sent last; it is not sent again while it is unchanged.
#[derive(Debug, Clone, PartialEq)]
struct Shown {
    revision: u64,
    state: RobotState,
    playing: bool,
    source: &'static str,
    time: f64,
    notice: Option<String>,
    filters: Vec<Filter>,
    close_distance: f64,
}

pub(super) struct Stage {
    store: Arc<SceneStore>,
    on_positions: Option<super::host::OnPositions>,
    can_export: bool,
    has_geometry: bool,
    fitter: Fitter,
    planner: Planner,
    simulating: Simulating,
    cloth: ClothStage,
    desk: Arc<SketchDesk>,
    game: GameTable,
    options: ViewOptions,
    filters: Arc<Filters>,
    close_distance: f64,
    playback: Playback,
    /// The robot the playback is for.
    robot: Option<u64>,
    history: History,
    asker: Asker,
    curves: Sender<Job>,
    outputs: Arc<Outputs>,
    viewers: Arc<AtomicUsize>,
    /// The scene of the last picture, and what the picture said beside it.
    pictured: Option<(u64, u64, StageData)>,
    curved: Option<(u64, Vec<Filter>)>,
    shown: Option<Shown>,
}

impl Stage {
    pub fn new(
        host: ViewHost,
        shared: &Shared,
        curves: Sender<Job>,
        fitter: Fitter,
        cloth: ClothStage,
    ) -> Self {
        // What is shared without the sender of orders: the stage ends when the connections have dropped theirs.
        let (options, outputs) = (ViewOptions::clone(&shared.options), Arc::clone(&shared.outputs));
        Self {
            playback: Playback::new(host.movement, host.live, options.playing),
            robot: None,
            store: host.store,
            on_positions: host.on_positions,
            can_export: host.described.is_some(),
            has_geometry: host.geometry.is_some(),
            fitter,
            planner: Planner::new(outputs.plan.clone()),
            simulating: Simulating::new(outputs.simulation.clone(), host.described),
            cloth,
            desk: Arc::clone(&shared.desk),
            game: GameTable::default(),
            filters: Arc::clone(&shared.filters),
            close_distance: options.close_distance,
            history: History::default(),
            asker: Asker::new(),
            options,
            curves,
            outputs,
            viewers: Arc::clone(&shared.viewers),
            pictured: None,
            curved: None,
            shown: None,
        }
    }

    /// Works until the orders end.
    pub fn run(mut self, orders: &Receiver<Order>) {
        let period = Duration::from_secs_f64(1.0 / self.options.rate.clamp(1.0, 1000.0));
        let (mut last, mut next) = (Instant::now(), Instant::now());
        loop {
            let wait = next.saturating_duration_since(Instant::now());
            match orders.recv_timeout(wait) {
                Ok(first) => {
                    self.handle(first);
                    // Limited, so that many commands cannot stop the frames.
                    orders.try_iter().take(MAX_ORDERS).for_each(|order| self.handle(order));
                }
                Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => {}
            }
            let now = Instant::now();
            if now >= next {
                self.show((now - last).as_secs_f64());
                last = now;
                // Skip the frames that were missed during a long pause.
                next = (next + period).max(now);
            }
        }
    }

    fn handle(&mut self, order: Order) {
        let done = match self.store.snapshot() {
            Ok(snapshot) => self.execute(&snapshot, order.viewer, &order.command),
            Err(none) => Err(none.into()),
        };
        order.answer.give(done);
    }

    fn execute(
        &mut self,
        snapshot: &Snapshot,
        viewer: u64,
        command: &Command,
    ) -> Result<(), ViewError> {
        self.update_robot(snapshot);
        match command {
            Command::Play {} => self.playback.play(),
            Command::Pause {} => {
                self.playback.playing = false;
                Ok(())
            }
            Command::Seek { time } => self.playback.seek(*time),
            Command::Speed { factor } => self.playback.set_speed(*factor),
            Command::Follow {} => self.playback.follow(),
            Command::SetJoint { name, value } => self.playback.set_joint(name, *value),
            Command::SetState { positions } => self.playback.set_positions(positions),
            Command::Reach { link, pose, group } => {
                let base = self.playback.state().ok_or(NoRobot)?.positions();
                let (group, pose) = (group.as_deref(), Pose::try_from(pose)?);
                let found = state_towards_pose(&snapshot.scene, group, base, link, &pose)?;
                self.playback.set_positions(&found)
            }
            Command::Plan(request) => self.planner.start(snapshot, request),
            Command::CancelPlan {} => self.planner.cancel(),
            Command::RemovePlan {} => {
                self.playback.remove_plan()?;
                self.planner.forget();
                self.curved = None;
                Ok(())
            }
            Command::Between { a, b } => {
                snapshot.scene.body_set(a)?;
                snapshot.scene.body_set(b)?;
                self.filters.set(viewer, [a.clone(), b.clone()]);
                Ok(())
            }
            Command::CloseDistance { distance } => {
                if !(0.0..=1.0).contains(distance) {
                    let (what, range) = ("close distance".into(), "in [0, 1] m".into());
                    return Err(ViewError::BadValue { what, value: *distance, range });
                }
                self.close_distance = *distance;
                Ok(())
            }
            Command::Edit { .. }
            | Command::LoadWorld { .. }
            | Command::Cloth { act: ClothCommand::Terrain {} }
            | Command::Fit(_)
            | Command::Simulate(_)
            | Command::CancelFit {}
            | Command::Sketch(_)
            | Command::Undo {}
            | Command::Redo {}
                if !self.options.editing =>
            {
                Err(ViewError::ReadOnly)
            }
            Command::Edit { gesture, edit } => {
                let gesture = gesture.map(|number| (viewer, number));
                let positions = self.playback.state().map_or(&[][..], RobotState::positions);
                self.history.edit(&self.store, edit, gesture, positions)
            }
            Command::LoadWorld { text } => {
                let file = WorldFile::parse(text, "the world file")?;
                self.history.load(&self.store, &file)
            }
            Command::Cloth { act: ClothCommand::Terrain {} } => {
                self.history.load(&self.store, &terrain()?)
            }
            Command::Cloth { act } => self.cloth.order(act),
            Command::Fit(request) => self.fitter.start(snapshot, request),
            Command::CancelFit {} => self.fitter.cancel(),
            Command::Simulate(request) => {
                self.simulating.act(snapshot, self.playback.state(), request)
            }
            Command::Sketch(command) => {
                self.desk.handle(viewer, command, &self.store)?;
                self.outputs.sketch.send_replace(self.desk.message().into());
                Ok(())
            }
            Command::Game(command) => {
                let positions = self.playback.state().ok_or(NoRobot)?.positions();
                self.game.handle(command, snapshot, positions)
            }
            Command::Undo {} => self.history.undo(&self.store),
            Command::Redo {} => self.history.redo(&self.store),
        }
    }

    /// Resets the playback for a new robot. Editing surfaces keeps the joints and the state.
    fn update_robot(&mut self, snapshot: &Snapshot) {
        let model = snapshot.scene.model();
        let known = self.playback.state();
        let same_robot = self.robot == Some(snapshot.robot)
            && known.is_some_and(|state| state.model().joints() == model.joints());
        if !same_robot {
            self.robot = Some(snapshot.robot);
            self.playback.begin(model);
            self.history.forget();
        }
    }

    /// Puts the surfaces of a fit that has ended into the scene.
    fn finish_fit(&mut self) {
        let (store, history) = (&self.store, &mut self.history);
        self.fitter.take(|fitted: &Fitted| {
            if store.snapshot()?.robot != fitted.robot {
                return Err(ViewError::AnotherRobot("fit"));
            }
            let links = fitted.links.iter();
            history.set_surfaces(store, links.map(|(link, proof)| (link, &proof.surfaces)))
        });
    }

    /// Plays the motion of a plan that has ended.
    fn finish_plan(&mut self) {
        let (store, playback, curved) = (&self.store, &mut self.playback, &mut self.curved);
        self.planner.take(|planned| {
            if store.snapshot()?.robot != planned.robot {
                return Err(ViewError::AnotherRobot("plan"));
            }
            playback.play_plan(planned.movement.clone());
            *curved = None;
            Ok(())
        });
    }

    /// Shows what a simulation has moved.
    fn follow_simulation(&mut self) {
        let Some(positions) = self.simulating.take(&self.store) else { return };
        if let Err(error) = self.playback.set_positions(&positions) {
            tracing::warn!("the state of the simulation is not shown: {error}");
        }
    }

    /// One tick: time passes, and what has changed is sent.
    fn show(&mut self, seconds: f64) {
        self.finish_fit();
        self.finish_plan();
        self.follow_simulation();
        let Ok(snapshot) = self.store.snapshot() else { return };
        self.update_robot(&snapshot);
        self.playback.advance(&snapshot.scene, seconds);
        if let Some(state) = self.playback.state() {
            self.cloth.follow(state.positions());
        }
        if let Err(error) = self.play(&snapshot, seconds) {
            tracing::warn!("the game has ended: {error}");
        }
        if let (Some(tell), Some(state)) = (&mut self.on_positions, self.playback.state())
            && self.playback.source != Source::Live
        {
            tell(state);
        }
        if self.viewers.load(Ordering::Relaxed) == 0 {
            return;
        }
        let tables = self.tables(&snapshot);
        self.send_picture(&snapshot);
        self.send_curve(&snapshot, &tables);
        self.send_frame(&snapshot, tables);
    }

    /// Time passes in the game, which moves the robot.
    fn play(&mut self, snapshot: &Snapshot, seconds: f64) -> Result<(), ViewError> {
        if let Some(positions) = self.game.advance(snapshot, seconds)? {
            self.playback.set_positions(&positions)?;
        }
        if let Some(text) = self.game.message() {
            self.outputs.game.send_replace(text.into());
        }
        Ok(())
    }

    /// The different filters of the viewers, and the bodies they name.
    fn tables(&self, snapshot: &Snapshot) -> Vec<(Filter, Between)> {
        let scene = &snapshot.scene;
        let exist = |names: &Vec<String>| scene.body_set(names).is_ok();
        let filters = self.filters.valid(|filter| filter.iter().all(exist));
        let set = |names: &Vec<String>| {
            scene.body_set(names).expect("filters of missing bodies were dropped")
        };
        let bodies = |filter: &Filter| Between { a: set(&filter[0]), b: set(&filter[1]) };
        filters.into_iter().map(|filter| (filter.clone(), bodies(&filter))).collect()
    }

    fn send_picture(&mut self, snapshot: &Snapshot) {
        let [undo, redo] = self.history.depth();
        let stage = StageData {
            editing: self.options.editing,
            can_export: self.can_export || self.desk.used(snapshot.robot).is_some(),
            can_follow: self.playback.can_follow(),
            movement: self.playback.range(),
            has_plan: self.playback.has_plan(),
            undo,
            redo,
            has_geometry: self.has_geometry,
            close_distance: self.close_distance,
        };
        let now = (snapshot.robot, snapshot.revision, stage);
        if self.pictured.as_ref() == Some(&now) {
            return;
        }
        let text = json(&Picture::new(snapshot, now.2.clone()));
        self.outputs.picture.send_replace(text.into());
        self.pictured = Some(now);
        self.shown = None;
    }

    fn send_curve(&mut self, snapshot: &Arc<Snapshot>, tables: &[(Filter, Between)]) {
        let filters = tables.iter().map(|(filter, _)| filter.clone()).collect();
        let now = (snapshot.revision, filters);
        let Some(movement) = self.playback.movement() else { return };
        // Objects that move in every frame would have it computed anew all the time.
        if self.simulating.is_playing() {
            return;
        }
        if self.curved.as_ref() == Some(&now) {
            return;
        }
        let (snapshot, movement) = (Arc::clone(snapshot), Arc::clone(movement));
        if self.curves.send(Job { snapshot, movement, tables: tables.to_vec() }).is_err() {
            tracing::error!("the thread of the distance curve has ended");
        }
        self.curved = Some(now);
    }

    fn send_frame(&mut self, snapshot: &Snapshot, tables: Vec<(Filter, Between)>) {
        let playback = &self.playback;
        let Some(state) = playback.state() else { return };
        let now = Shown {
            revision: snapshot.revision,
            state: state.clone(),
            playing: playback.playing,
            source: playback.source.name(),
            time: playback.time(),
            notice: playback.notice.clone(),
            filters: tables.iter().map(|(filter, _)| filter.clone()).collect(),
            close_distance: self.close_distance,
        };
        if self.shown.as_ref() == Some(&now) {
            return;
        }
        let question = Question {
            tables,
            close_distance: self.close_distance,
            listed_pairs: self.options.listed_pairs,
        };
        match self.asker.frame(snapshot, playback, &question) {
            Ok((frame, tables)) => {
                let filters = question.tables.iter().map(|(filter, _)| filter.clone());
                let texts = filters.zip(tables.iter().map(|table| frame.text(table).into()));
                self.outputs.frame.send_replace(Arc::new(texts.collect()));
            }
            Err(error) => tracing::debug!("no frame: {error}"),
        }
        self.shown = Some(now);
    }
}
