//! Tuned constants of the superquadric evaluator and its depth search, by stage. Derived constants stay beside their
//! derivation.
//!
//! They were tuned for right answers on the families `boxy`, `deep`, `concentric`, `tapered` and `mixed-kinds` of the accuracy
//! table (`cargo run --release -p smooth_scene_query --example accuracy`) and for cost on the intersecting pairs of the two-hand
//! grasp (`joint_sweep fixed-set`, counted by `benches/instructions.sh`) and the sets of `cargo bench -p smooth_scene_query
//! --bench pairs`; each stage names the set that limits it. Both are run again when one changes. "Size" is the length that
//! the tolerances of a query are relative to.

/// How exact the jets of a climb are. Tuned on the grasp.
pub(crate) mod jets {
    /// How coarse a jet may be, as `ProfileStart::last_step`: a multiple of the step in radians that led to its direction, and
    /// at most this.
    pub const COARSENESS: f64 = 0.1;
    pub const COARSEST: f64 = 1e-2;
}

/// Dented superovoids. Tuned on the family `tapered` and the superovoids of the benchmark.
pub(crate) mod dents {
    /// Height of a dent, in semi-axes, up to which it is shallow.
    pub const SHALLOW: f64 = 0.2;
    /// Heights sampled on a flank without dent.
    pub const PLAIN_FLANK_HEIGHT: f64 = 0.5;
    /// (p − 1)/(2r) up to which a flank that shrinks at the rate r is taken as dented. 2|w|(1 − |w|^p) is at most one half for
    /// p = 1 and less than one for every other p.
    pub const DEEPEST_LEAN: f64 = 0.7;
    /// The extra heights of a body whose axes do not cross.
    pub const PLAIN_END_HEIGHT: f64 = 0.99;
}

/// The search for the height of a tapered body. Tuned on the superovoids of the grasp.
pub(crate) mod profile {
    /// Newton steps before the lanes count as failed; three or four are typical.
    pub const MAX_PROFILE_STEPS: u32 = 24;
    /// Step of σ, in multiples of 1 + |σ|, that is too long to be trusted.
    pub const FAR: f64 = 0.3;
    /// Brackets of σ wider than this are open at one end: their middle means nothing.
    pub const WIDE: f64 = 1e6;
    /// |dσ/dn| beyond which nothing is predicted: a flank so flat that the height jumps.
    pub const STEEPEST: f64 = 1e3;
    /// Distance of two directions up to which one predicts the slope along the other.
    pub const PREDICTABLE: f64 = 0.3;
}

/// Newton's method in single precision. Tuned on the grasp, and on `mild` and `deep` for the maxima it may not miss.
pub(crate) mod single {
    /// Evaluations of a climb at most; two or three are typical.
    pub const MOST_ROUNDS: u32 = 6;
    /// Step, in radians, after which another gains nothing in single precision.
    pub const CONVERGED: f32 = 3e-3;
    /// Largest further rise of a climb, in multiples of what its step promises.
    pub const HOPE: f32 = 4.0;
    /// Step, in radians, whose promise is trusted without an evaluation.
    pub const SHORT: f32 = 0.05;
    /// Longest step, in radians.
    pub const LONGEST: f32 = 0.25;
    /// Cosine of the longest bent step: a longer one may lead past one maximum to a lower one.
    pub const FARTHEST_BENT: f32 = 0.9;
    /// What is left of a step that leads down.
    pub const SHORTER: f32 = 0.3;
    /// Component of a direction, in the frame of a body, below which it lies on one of its planes of symmetry, and how starts
    /// are moved off it: across all planes.
    pub const ON_A_PLANE: f32 = 0.01;
    pub const ASIDE: [f32; 3] = [0.012, -0.019, 0.015];
    /// Most that a slope may change with a step, in multiples of 1 + |σ|.
    pub const MOST_CHANGE: f64 = 0.3;
    /// Smallest eigenvalue of the modified Hessian, in units of the size.
    pub const FLOOR: f32 = 1e-6;
    /// Values beyond this come from numbers that single precision does not hold.
    pub const ABSURD: f32 = 1e20;
}

/// The survey of directions of bodies without taper that are not smooth. Tuned on sets with exponents 0.1–1.9, all 1/8,
/// 0.02–0.3 and 1.7–1.98 for the maxima it may not miss, and on the set `wide` of the benchmark for cost.
pub(crate) mod angular {
    /// Exponents of bodies whose support values without powers rank the directions of the grid well enough.
    pub const BLENDED_EXPONENTS: [f64; 2] = [0.0, 1.5];
    /// Skip grid points, and then candidates, more than this far below the best, in multiples of the size.
    pub const GRID_MARGIN: f32 = 0.1;
    pub const MARGIN: f32 = 0.1;
    /// Candidates closer than this (cosine) to a higher one are left out.
    pub const SAME: f32 = 0.995;
    /// Candidates that are climbed from at most.
    pub const MOST_CLIMBED: usize = 12;
    /// Evaluations of a climb at most: what is promising then is climbed on in double precision.
    pub const MOST_ROUNDS: u32 = 4;
    /// Candidates that are moved up on rings, and the radii of these in radians.
    pub const RINGED: usize = 4;
    pub const RADII: [f32; 2] = [0.12, 0.05];
    /// Tops of climbs closer than this (cosine) are one.
    pub const SAME_TOP: f32 = 0.996;
    /// Skip tops of climbs more than this far below the best.
    pub const TOP_MARGIN: f32 = 0.03;
    /// Bodies with a larger exponent are pinched; between two of them the margins of the search are this much wider.
    pub const PINCHED: f64 = 1.6;
    pub const WIDER: f32 = 2.0;
    /// Error of f in single precision, in multiples of the size.
    pub const ROUNDING: f64 = 3e-5;
    /// Sine of the angle below which two edges count as parallel.
    pub const PARALLEL: f64 = 0.1;
}

/// The survey of directions. Tuned on `boxy`, `concentric` and `mixed-kinds` for the maxima it may not miss, and on the grasp.
pub(crate) mod survey {
    use smooth_scene_geometry::math::Vec3;

    /// Exponents of bodies that are smooth: their maxima are farther apart than the directions of the grid.
    pub const SMOOTH_EXPONENTS: [f64; 2] = [0.15, 1.3];
    /// Taper from which the support values are only guesses.
    pub const STRONG_TAPER: f64 = 0.5;
    /// Peaks that are kept.
    pub const MOST_PEAKS: usize = 7;
    /// Skip grid points more than this far below the best, in multiples of the size: between smooth bodies and along the axes
    /// of B, and between others. Where the taper makes values guesses, none is skipped.
    pub const MARGIN: f32 = 0.1;
    pub const WIDE_MARGIN: f32 = 0.2;
    /// Skip tops of climbs more than this far below the best: between round bodies and between others that are smooth.
    pub const ROUND_TOP_MARGIN: f32 = 0.001;
    pub const TOP_MARGIN: f32 = 0.003;
    /// Exponents of bodies whose support values without powers, right to one percent, rank the directions of the grid.
    pub const QUICK_EXPONENTS: [f64; 2] = [0.15, 1.2];
    /// Exponents of bodies that are round enough for Newton's method from a grid point.
    pub const ROUND_EXPONENTS: [f64; 2] = [0.4, 1.0];
    /// Grid points that are refined at most.
    pub const MOST_PLACES: usize = 24;
    /// Largest further rise of a refined peak, in multiples of its last gain.
    pub const DOUBT: f32 = 4.0;
    /// Directions of the grid that are closer than this (cosine) are not both taken between bodies that are not smooth.
    pub const APART: f32 = 0.95;
    /// Places farther than this (cosine) from the highest peak are apart from it, as in `penetration.rs`.
    pub const SHOULDER: f32 = 0.9;
    /// Refined peaks closer than this (cosine) are one.
    pub const SAME: f32 = 0.99;
    /// |n·d|/|d| below which both senses of an axis are evaluated although bodies without taper are nearer along one.
    pub const NEAR_EQUATOR: f64 = 0.35;
    /// Radii, in radians, of the rings by which a peak is refined, and the longest step in radii.
    pub const RADII: [f32; 2] = [0.12, 0.04];
    pub const LONGEST_STEP: f32 = 1.5;
    /// Component of a direction, in the frame of a body, below which it lies on one of its planes of symmetry, and how starts
    /// are moved off it: across all planes.
    pub const ON_A_PLANE: f64 = 2e-3;
    pub const ASIDE: Vec3 = Vec3::new(0.007, -0.011, 0.009);
}

/// Starting directions of eight pairs in single precision. Tuned on the pairs of the two-hand grasp that are within 5 cm.
pub(crate) mod starts {
    /// Evaluations of a pair at most.
    pub const MOST_ROUNDS: u32 = 8;
    /// Exponents below this make faces so flat that steps move the points of the bodies and not the normal.
    pub const FLAT: f64 = 0.45;
    /// Step, in radians, after which what is left is the rounding of single precision.
    pub const CONVERGED: f64 = 3e-3;
    /// Longest step, in radians.
    pub const LONGEST: f64 = 0.8;
    /// What is left of a step that leads down.
    pub const BACKTRACK: f64 = 0.25;
    /// Fraction of the predicted gain that a step has to bring.
    pub const SUFFICIENT_GAIN: f64 = 1e-3;
    /// Rounding of a value, in units of the distance of the bodies.
    pub const NOISE: f64 = 1e-5;
    /// Smallest eigenvalue of the modified Hessian, in the same units.
    pub const FLOOR: f64 = 1e-6;
    /// Most that a slope may change with a step, in multiples of 1 + |σ|.
    pub const MOST_CHANGE: f64 = 0.3;
}
