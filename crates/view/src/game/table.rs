//! The game beside the clock of a view: one at a time, and who plays it.

use serde::{Deserialize, Serialize};

use super::message::GameMessage;
use super::play::{Game, STEP, Steering};
use crate::error::ViewError;
use crate::json::json;
use smooth_scene_scene::Snapshot;

/// Time that is made up for at most, s: after a pause of the machine the game does not leap.
const MAX_LAG: f64 = 0.1;

/// What a player asks.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum GameCommand {
    /// A new game. The same seed makes the same bodies fall.
    Start {
        seed: u64,
        #[serde(default)]
        hand: Option<String>,
    },
    /// Which way the hand goes: −1 to 1 along y and z.
    Steer { way: [f64; 2] },
    /// The game stands still, or goes on.
    Pause { paused: bool },
    /// Ends it.
    Stop {},
}

/// No game, as it is sent.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename = "game")]
struct NoGame {
    bodies: [(); 0],
    stopped: bool,
}

/// Runs a game.
#[derive(Debug, Default)]
pub(crate) struct GameTable {
    /// The robot it is played with, and the game.
    game: Option<(u64, Game)>,
    way: Steering,
    paused: bool,
    lag: f64,
    changed: bool,
}

impl GameTable {
    /// Does what a player asks.
    pub fn handle(
        &mut self,
        command: &GameCommand,
        snapshot: &Snapshot,
        positions: &[f64],
    ) -> Result<(), ViewError> {
        match command {
            GameCommand::Start { seed, hand } => {
                let game = Game::new(&snapshot.scene, positions, hand.as_deref(), *seed)?;
                *self = Self { game: Some((snapshot.robot, game)), ..Self::default() };
            }
            GameCommand::Steer { way } => self.way = *way,
            GameCommand::Pause { paused } => self.paused = *paused,
            GameCommand::Stop {} => *self = Self::default(),
        }
        self.changed = true;
        Ok(())
    }

    /// Time passes. The positions of the robot, if the game may have moved it; an error ends the game.
    pub fn advance(
        &mut self,
        snapshot: &Snapshot,
        seconds: f64,
    ) -> Result<Option<Vec<f64>>, ViewError> {
        if self.game.as_ref().is_some_and(|(robot, _)| *robot != snapshot.robot) {
            *self = Self { changed: true, ..Self::default() };
        }
        let Some((_, game)) = &mut self.game else { return Ok(None) };
        if self.paused || game.is_over() {
            return Ok(None);
        }
        self.lag = (self.lag + seconds).min(MAX_LAG);
        while self.lag >= STEP {
            self.lag -= STEP;
            if let Err(error) = game.step(self.way) {
                *self = Self { changed: true, ..Self::default() };
                return Err(error);
            }
            self.changed = true;
        }
        Ok(self.changed.then(|| game.positions.clone()))
    }

    /// What the page is told, if it has changed.
    pub fn message(&mut self) -> Option<String> {
        if !std::mem::take(&mut self.changed) {
            return None;
        }
        Some(match &self.game {
            Some((_, game)) => json(&GameMessage::new(game, self.paused)),
            None => json(&NoGame { bodies: [], stopped: true }),
        })
    }
}
