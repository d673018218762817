//! Constants that were tuned on the clouds of `examples/fit_clouds.rs` with the seeds 101 to 124, most of them for speed.

/// Noise at the start, as a share of the size.
pub(super) const START_NOISE: f64 = 0.2;
/// Share of outliers at the start.
pub(super) const START_OUTLIERS: f64 = 0.2;
/// Most that the noise shrinks in a round: slower than it could, so that points come back.
pub(super) const NOISE_DECAY: f64 = 0.6;
/// Least noise, as a share of the size: keeps the likelihood of perfect points finite.
pub(super) const LEAST_NOISE: f64 = 1e-4;
/// Least and largest share of outliers.
pub(super) const OUTLIER_RANGE: [f64; 2] = [0.01, 0.5];
/// Deviation of the prior on the logarithms of the ratios of the radii.
pub(super) const RATIO_DEVIATION: f64 = 0.5;
/// Dampings that are tried for a step.
pub(super) const LM_TRIES: usize = 6;
/// Points of the first search, and rounds there.
pub(super) const SEARCH_POINTS: usize = 250;
pub(super) const SEARCH_ROUNDS: usize = 14;
/// Most points of the final fit, and rounds there.
pub(super) const FINAL_POINTS: usize = 800;
pub(super) const FINAL_ROUNDS: usize = 40;
/// Most points for the last digits, and rounds there.
pub(super) const POLISH_POINTS: usize = 3000;
pub(super) const POLISH_ROUNDS: usize = 10;
/// Starts that are followed to the end.
pub(super) const FOLLOWED: usize = 3;
/// Movement, as a share of the noise, at which a fit has converged.
pub(super) const CONVERGED: f64 = 1e-2;
/// Exponents (xy, z) of the starts: ellipsoid, box, cylinder.
pub(super) const START_EXPONENTS: [[f64; 2]; 3] = [[1.0, 1.0], [0.3, 0.3], [1.0, 0.3]];
