//! Balls in single precision.

use crate::balls::Ball;

/// A ball in single precision.
#[derive(Debug, Clone, Copy)]
pub(super) struct LaneBall {
    pub center: [f32; 3],
    pub radius: f32,
}

impl LaneBall {
    pub fn new(ball: &Ball) -> Self {
        let center = std::array::from_fn(|k| ball.center[k] as f32);
        Self { center, radius: ball.radius as f32 }
    }
}
