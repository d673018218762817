//! What a baseline answers.

use smooth_scene_geometry::math::Vec3;

/// What a baseline answers. None of them proves anything, so there are no bounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Answer {
    /// Signed distance (negative when overlapping), or only its sign (±∞) for a solver that decides overlap alone.
    pub distance: f64,
    /// Point of A, world frame.
    pub point_a_w: Vec3,
    /// Point of B, world frame.
    pub point_b_w: Vec3,
    /// Unit normal from A to B, world frame.
    pub normal_ab_w: Vec3,
    /// Whether the solver's own stopping test was met.
    pub converged: bool,
    /// Iterations of its main loop.
    pub iterations: u32,
}

/// What a baseline answers about a motion over the times from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MotionAnswer {
    /// When the bodies first touch; `None` when they do not, as far as the solver can tell.
    pub contact: Option<f64>,
    /// The time the search ended at, which may lie outside the motion.
    pub closest_time: f64,
    /// The bodies at that time.
    pub closest: Answer,
}

/// The solver cannot handle this kind of shape.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("solver {solver} does not handle a {shape}")]
pub struct Unsupported {
    /// Name of the solver.
    pub solver: &'static str,
    /// Kind of the shape.
    pub shape: &'static str,
}
