//! What the services of the scene node answer: against the library itself, and every refusal in its exact words.

mod bench;
mod distances;
mod joints;

#[path = "../support/hands.rs"]
mod hands;
