//! Which state of the robot is shown: a time of the movement, the live robot, or what a viewer has set.

use std::sync::Arc;

use super::error::ViewError;
use super::host::LivePositions;
use super::picture::slider_range;
use smooth_scene_robot::{RobotModel, RobotState, Trajectory};
use smooth_scene_scene::{NoRobot, PlanningScene};

/// How long the end of the movement is shown before it starts again, s.
const HOLD: f64 = 1.0;
/// Slowest and fastest playing.
const SPEEDS: [f64; 2] = [0.01, 10.0];

/// What the positions follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// The movement, at the time of the playback.
    Movement,
    /// The robot, as it moves by itself.
    Live,
    /// What a viewer set.
    Manual,
}

impl Source {
    pub fn name(self) -> &'static str {
        match self {
            Source::Movement => "movement",
            Source::Live => "live",
            Source::Manual => "manual",
        }
    }
}

/// The state that is shown, and how it advances.
pub(super) struct Playback {
    /// The movement that was given.
    given: Option<Arc<Trajectory>>,
    /// The movement that is played: the given one, or a plan.
    movement: Option<Arc<Trajectory>>,
    live: Option<LivePositions>,
    pub source: Source,
    pub playing: bool,
    speed: f64,
    /// Seconds since the first moment of the movement; beyond its end while the end is held.
    clock: f64,
    /// None until there is a robot.
    state: Option<RobotState>,
    /// Why the live state is not available.
    pub notice: Option<String>,
}

impl Playback {
    pub fn new(movement: Option<Trajectory>, live: Option<LivePositions>, playing: bool) -> Self {
        let source = first_source(movement.is_some(), live.is_some());
        let (speed, clock, state, notice) = (1.0, 0.0, None, None);
        let movement = movement.map(Arc::new);
        let given = movement.clone();
        Self { given, movement, live, source, playing, speed, clock, state, notice }
    }

    /// Restarts with another robot.
    pub fn begin(&mut self, model: &Arc<RobotModel>) {
        self.movement = self.given.clone();
        self.source = first_source(self.movement.is_some(), self.live.is_some());
        self.clock = 0.0;
        self.state = Some(RobotState::new(Arc::clone(model)));
    }

    /// The state that is shown; none before there is a robot.
    pub fn state(&self) -> Option<&RobotState> {
        self.state.as_ref()
    }

    /// First and last moment of the movement.
    pub fn range(&self) -> Option<[f64; 2]> {
        self.movement.as_ref().map(|movement| movement.time_range())
    }

    pub fn movement(&self) -> Option<&Arc<Trajectory>> {
        self.movement.as_ref()
    }

    pub fn can_follow(&self) -> bool {
        self.live.is_some()
    }

    /// The moment of the movement that is shown, s.
    pub fn time(&self) -> f64 {
        self.range().map_or(0.0, |[start, end]| (start + self.clock).min(end))
    }

    /// Advances by so many seconds and updates the state.
    pub fn advance(&mut self, scene: &PlanningScene, seconds: f64) {
        if self.source == Source::Movement
            && self.playing
            && let Some([start, end]) = self.range()
        {
            self.clock += seconds * self.speed;
            if self.clock > end - start + HOLD {
                self.clock = 0.0;
            }
        }
        match self.positions_now(scene) {
            Ok(None) => self.notice = None,
            Ok(Some(state)) => {
                self.state = Some(state);
                self.notice = None;
            }
            Err(reason) => self.notice = Some(reason),
        }
    }

    fn positions_now(&self, scene: &PlanningScene) -> Result<Option<RobotState>, String> {
        let model = scene.model();
        match (self.source, &self.movement, &self.live) {
            (Source::Movement, Some(movement), _) => {
                let state = movement.state_at(model, self.time());
                state.map(Some).map_err(|error| error.to_string())
            }
            (Source::Live, _, Some(live)) => {
                let positions = live(scene)?;
                let state = RobotState::at(Arc::clone(model), positions);
                state.map(Some).map_err(|error| error.to_string())
            }
            _ => Ok(None),
        }
    }

    pub fn play(&mut self) -> Result<(), ViewError> {
        let [start, end] = self.range().ok_or(ViewError::NothingTo("play"))?;
        if self.clock >= end - start {
            self.clock = 0.0;
        }
        (self.source, self.playing) = (Source::Movement, true);
        Ok(())
    }

    /// Plays a plan in place of the movement.
    pub fn play_plan(&mut self, plan: Trajectory) {
        self.movement = Some(Arc::new(plan));
        (self.source, self.playing, self.clock) = (Source::Movement, true, 0.0);
    }

    /// Forgets a plan; the robot stays where it is.
    pub fn remove_plan(&mut self) -> Result<(), ViewError> {
        if !self.has_plan() {
            return Err(ViewError::NothingTo("remove"));
        }
        self.movement = self.given.clone();
        if self.source == Source::Movement {
            (self.source, self.playing) = (Source::Manual, false);
        }
        self.clock = 0.0;
        Ok(())
    }

    /// Whether a plan is there to be played.
    pub fn has_plan(&self) -> bool {
        match (&self.movement, &self.given) {
            (Some(movement), Some(given)) => !Arc::ptr_eq(movement, given),
            (movement, _) => movement.is_some(),
        }
    }

    pub fn seek(&mut self, time: f64) -> Result<(), ViewError> {
        let [start, end] = self.range().ok_or(ViewError::NothingTo("play"))?;
        if !(start..=end).contains(&time) {
            let range = format!("in [{start}, {end}] s");
            return Err(ViewError::BadValue { what: "time".into(), value: time, range });
        }
        (self.source, self.playing, self.clock) = (Source::Movement, false, time - start);
        Ok(())
    }

    pub fn set_speed(&mut self, factor: f64) -> Result<(), ViewError> {
        let [slowest, fastest] = SPEEDS;
        if !(slowest..=fastest).contains(&factor) {
            let range = format!("in [{slowest}, {fastest}]");
            return Err(ViewError::BadValue { what: "speed".into(), value: factor, range });
        }
        self.speed = factor;
        Ok(())
    }

    pub fn follow(&mut self) -> Result<(), ViewError> {
        if self.live.is_none() {
            return Err(ViewError::NothingTo("follow"));
        }
        self.source = Source::Live;
        Ok(())
    }

    /// Sets all joints.
    pub fn set_positions(&mut self, positions: &[f64]) -> Result<(), ViewError> {
        self.state.as_mut().ok_or(NoRobot)?.set_positions(positions)?;
        (self.source, self.playing) = (Source::Manual, false);
        Ok(())
    }

    /// Sets one joint within its limits; the others stay.
    pub fn set_joint(&mut self, name: &str, value: f64) -> Result<(), ViewError> {
        let state = self.state.as_mut().ok_or(NoRobot)?;
        let model = Arc::clone(state.model());
        let own = |id: &_| {
            let first = model.first_position(*id);
            let count = model.joint(*id).kind.position_count();
            let names = &model.variable_names()[first..first + count];
            names.iter().position(|variable| variable == name)
        };
        let found = model.joint_ids().find_map(|id| own(&id).map(|variable| (id, variable)));
        if let Some((id, variable)) = found {
            let [lower, upper] = slider_range(&model, id, variable);
            if !(lower..=upper).contains(&value) {
                let range = format!("in [{lower}, {upper}]");
                return Err(ViewError::BadValue { what: format!("joint `{name}`"), value, range });
            }
        }
        state.merge(&[name], &[value])?;
        (self.source, self.playing) = (Source::Manual, false);
        Ok(())
    }
}

/// Follows the live robot if there is one, else the movement if there is one.
fn first_source(has_movement: bool, is_live: bool) -> Source {
    match (is_live, has_movement) {
        (true, _) => Source::Live,
        (false, true) => Source::Movement,
        (false, false) => Source::Manual,
    }
}
