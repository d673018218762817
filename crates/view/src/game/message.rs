//! What the page is told about a game.

use serde::Serialize;

use super::play::{ABOVE, Game};
use crate::wire::{PoseData, ShapeData, TriangleData, drawn_instead};

/// The game, as it is sent.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename = "game")]
pub(crate) struct GameMessage<'a> {
    hand: &'a str,
    score: u32,
    lives: u32,
    level: u32,
    caught: u32,
    steps: u64,
    over: bool,
    paused: bool,
    /// Where the hand shall be.
    goal: [f64; 3],
    /// The least and the greatest y and z of what is played in.
    room: [[f64; 2]; 2],
    bodies: Vec<BodyData<'a>>,
}

#[derive(Debug, Serialize)]
struct BodyData<'a> {
    name: &'a str,
    wanted: bool,
    pose: PoseData,
    shape: ShapeData,
    #[serde(skip_serializing_if = "Option::is_none")]
    hull: Option<TriangleData>,
}

impl<'a> GameMessage<'a> {
    pub fn new(game: &'a Game, paused: bool) -> Self {
        let margin = ABOVE * game.hand.reach;
        let [sides, [low, high]] = game.hand.room;
        let bodies = game.bodies.iter().map(|body| BodyData {
            name: &body.name,
            wanted: body.wanted,
            pose: (&body.pose).into(),
            shape: (&*body.shape).into(),
            hull: drawn_instead(&body.shape),
        });
        Self {
            hand: &game.hand.link,
            score: game.score,
            lives: game.lives,
            level: game.level(),
            caught: game.caught,
            steps: game.steps,
            over: game.is_over(),
            paused,
            goal: game.hand.goal.translation.vector.into(),
            room: [sides, [low - margin, high + margin]],
            bodies: bodies.collect(),
        }
    }
}
