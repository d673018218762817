//! Tuned constants of the motion queries, by stage. Derived constants stay beside their derivation.
//!
//! All were tuned on the motions of the pair families (`crates/query/tests`) and on the segments of the two-hand grasp
//! (`joint_sweep`): fewest distance queries with every contact found.

/// Conservative advancement.
pub(crate) mod advancement {
    /// Trials of the acceleration bound per step; each costs two support evaluations.
    pub const MAX_TRIALS: u32 = 6;
    /// Trial interval in multiples of √(margin/K). At √8 a constant f is just proven; less leaves room for a falling one.
    pub const TRIAL_LENGTH: f64 = 2.4;
    /// Growth of a trial interval that was proven as a whole.
    pub const TRIAL_GROWTH: f64 = 2.0;
    /// Trials with a second query per step, each shorter than the one before.
    pub const MAX_FOLLOWED: u32 = 3;
    /// How much longer such a step has to be than the one along a fixed normal.
    pub const FOLLOWED_GAIN: f64 = 2.0;
    /// Largest part of the way to the expected contact that it may cover: beyond the contact there is no normal to follow.
    pub const FOLLOWED_SHARE: f64 = 0.7;
}

/// Descent to the closest approach.
pub(crate) mod descent {
    /// First step of a descent, in time.
    pub const FIRST_STRIDE: f64 = 1.0 / 64.0;
    /// Factor by which the step grows until the minimum is bracketed.
    pub const STRIDE_GROWTH: f64 = 2.0;
    /// Bisections or secants of the bracket. It converges superlinearly, or by 2⁻²⁰ at worst.
    pub const MAX_BRACKET_STEPS: u32 = 40;
    /// Part of the tolerance that a descent may leave to be gained.
    pub const DESCENT_SHARE: f64 = 0.1;
}

/// The last steps to a contact.
pub(crate) mod contact {
    /// Newton steps from the first moment within the contact tolerance towards the contact.
    pub const MAX_REFINEMENTS: u32 = 4;
    /// Distance aimed at by the refinement, in multiples of the contact tolerance. The contact is approached from the free side,
    /// where the distance is a certified maximum and its normal well defined.
    pub const AIM: f64 = 1e-3;
    /// Upper bound, in multiples of the contact tolerance, above which a distance whose lower bound is within the tolerance does
    /// not show a contact.
    pub const UNRESOLVED: f64 = 10.0;
}
