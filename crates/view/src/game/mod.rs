//! A game to play with shapes: reach for the marked falling bodies with a hand of the robot, and touch no other.
//!
//! It is played in a plane across the robot's forward axis. Whether something is touched is asked of a scene like any other
//! question: bodies are objects in a copy of it, which nobody else sees. Time passes in steps of one length, so that the same
//! seed and the same input at the same steps give the same game.
//!
//! - `hand` finds the link that is moved and how far it reaches, `bodies` makes and moves what falls.
//! - `play` is the game with its rules, `table` runs it beside the clock, `message` is what the page is told.

mod bodies;
mod hand;
mod message;
mod play;
mod table;

pub(super) use table::{GameCommand, GameTable};
