//! Tuned constants of the pair solver, by stage. Derived constants stay beside their derivation.
//!
//! All were tuned on the same two sets, and both are run again when one changes: the pair families of the accuracy table
//! (`cargo run --release -p smooth_scene_query --example accuracy`) for right answers, and the intersecting pairs of the two-hand
//! grasp (`joint_sweep fixed-set`, counted by `benches/instructions.sh`) for cost. "Size" is the length that the tolerances of a
//! query are relative to: the largest of the two bodies and their distance.

/// Newton on the normal.
pub(crate) mod newton {
    /// Longest step in the tangent plane, in radians. The quadratic model says nothing beyond it.
    pub const MAX_STEP: f64 = 0.8;
    /// Smallest eigenvalue of the modified matrix, relative to the size.
    pub const EIGENVALUE_FLOOR: f64 = 1e-7;
    /// Evaluations before a run gives up; typical runs take four to eight.
    pub const MAX_EVALUATIONS: u32 = 40;
    /// Factor by which a rejected step is shortened.
    pub const BACKTRACK: f64 = 0.25;
    /// Length of the second trial of a step on spare lanes, relative to the first.
    pub const ALTERNATIVE: f64 = 0.5;
    /// Cosine of the angle to a known maximum within which a run is taken to end there.
    pub const AT_KNOWN_MAXIMUM: f64 = 0.999;
    /// Largest gain, in multiples of the slope, expected of a run close to its maximum. A quadratic gains half the slope.
    pub const LARGEST_GAIN: f64 = 2.0;
    /// Step, in radians, below which that expectation is trusted.
    pub const CLOSE: f64 = 0.3;
    /// Step, in radians, that may be taken without an evaluation at its end: its third-order effect is rounding.
    pub const SHORT: f64 = 1e-5;
    /// The same in multiples of the clearance: W changes like a power of the distance to where it is infinite or zero.
    pub const SHORT_OF_CLEARANCE: f64 = 1e-3;
    /// Longest step, in radians, that counts as staying on a flat face.
    pub const ON_FACE: f64 = 1e-8;
    /// Largest predicted gain of such a step, relative to the size.
    pub const LAST_GAIN: f64 = 1e-13;
    /// Largest predicted gain, relative to the size, that is given up when neither trial of such a step leads up: the normal
    /// then has no digits left. Tuned on bodies with exponents from 0.02 to 0.3.
    pub const NO_GAIN: f64 = 1e-11;
    /// Longest distance of the two points on a face then, relative to the size. The points stay on nearly boxes to 1e-11 sizes.
    pub const WIDE_FACE: f64 = 0.3;
    /// Longest move of the contact point on a face, relative to the size.
    pub const FACE_WIDTH: f64 = 0.05;
    /// Error of f in an approximate jet, relative to the size.
    pub const APPROXIMATE_ERROR: f64 = 1e-6;
    /// Expected length, in radians, of the step after the first evaluation.
    pub const FIRST_STEP: f64 = 0.03;
    /// Negative eigenvalue, relative to the size, from which a stationary point counts as a saddle.
    pub const SADDLE: f64 = 1e-6;
    /// Step away from a saddle, in radians.
    pub const SADDLE_STEP: f64 = 0.2;
    /// Backtracking steps within one iteration before the run gives up.
    pub const MAX_BACKTRACKS: u32 = 4;
    /// Fraction of the predicted gain that a step has to bring (Armijo).
    pub const SUFFICIENT_GAIN: f64 = 1e-3;
    /// Tangential gradient, relative to the size, at which an overlapping pair counts as stationary.
    pub const STATIONARY: f64 = 1e-10;
}

/// The initial direction when there is no warm start.
pub(crate) mod cold_start {
    /// Rounding of the box, in multiples of the shortest radius, for a body with exponent 1.
    pub const ROUNDING: f64 = 1.1;
    /// Projections onto each box.
    pub const ROUNDS: u32 = 3;
    /// Weight of the centre line in the initial direction.
    pub const CENTRE_WEIGHT: f64 = 0.1;
    /// Bodies with a smaller exponent count as having flat faces.
    pub const FLAT: f64 = 0.3;
}

/// GJK with Newton steps.
pub(crate) mod gjk {
    /// Rounds before the bounds reached so far are returned. Flat and pinched bodies need 10 to 60.
    pub const MAX_ROUNDS: u32 = 200;
    /// Rounds without progress before the remaining gap is put down to rounding.
    pub const MAX_IDLE_ROUNDS: u32 = 8;
    /// Upper bound, relative to the size, below which bodies without a separating direction are searched for a depth.
    pub const NEARLY_TOUCHING: f64 = 1e-9;
}

/// The search for the depth.
pub(crate) mod depth {
    /// Cosine of the angle within which two maxima count as the same.
    pub const SAME: f64 = 0.9;
    /// Cosine of the angle to a known maximum within which a climb is taken to end there, between bodies whose maxima are sharp
    /// and close together.
    pub const AT_KNOWN_SHARP_MAXIMUM: f64 = 0.9998;
    /// Cosine of the angle within which two stalled runs are taken to be on the same ridge.
    pub const SAME_RIDGE: f64 = 0.98;
    /// A stalled run is followed up its ridge if it is this close to the best value, relative to the size.
    pub const WORTH_FOLLOWING: f64 = 0.02;
    /// Tangential gradient, relative to the size, at which runs are compared: their values are then exact to its square. Only
    /// the best run is carried on.
    pub const NEARLY_STATIONARY: f64 = 1e-5;
    /// Mismatch of the witnesses, relative to the size, at which a maximum on a ridge counts as found.
    pub const RIDGE_MISMATCH: f64 = 1e-9;
    /// Rounds of the proximal iteration for bodies with flat or sharp spots.
    pub const PROXIMAL_ROUNDS: u32 = 40;
}

/// Climbs along ridges.
pub(crate) mod ridge {
    /// Evaluations per run.
    pub const MAX_EVALUATIONS: u32 = 30;
    /// Longest step in the tangent plane, in radians.
    pub const MAX_STEP: f64 = 0.3;
    /// Exchanges of weight between two pieces per step.
    pub const MAX_MOVES: u32 = 24;
    /// Mismatch of the witnesses, relative to the size, at which a run may end.
    pub const MATCHED: f64 = 1e-11;
    /// Factor by which a stale piece is moved towards the base.
    pub const REFRESH: f64 = 1e-3;
}

/// Sampled seeds of the depth search.
pub(crate) mod seeds {
    /// Runs from sampled directions. Even, because they run in pairs.
    pub const MAX_RUNS: usize = 6;
    /// Cosine of the angle within which two seeds count as the same.
    pub const SAME: f64 = 0.9;
}

/// Warm starts.
pub(crate) mod warm {
    /// Cosine of the angle by which the normal of a depth may have turned since the last query. After a larger turn another
    /// maximum may be the highest, and all are searched again.
    pub const SAME_MAXIMUM: f64 = 0.985;
}
