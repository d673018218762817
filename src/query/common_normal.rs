//! Newton's method on the normal: the common normal of two smooth bodies in two unknowns.
//!
//! At the maximum of f the tangential part g of q − p vanishes: both bodies share the normal [Römer 2016]. One step is
//!
//! ```text
//! (W_A + W_B + f·I) δ = g,    n ← normalize(n + δ)
//! ```
//!
//! Where the matrix is not positive definite (overlap, far from a maximum) its eigenvalues are replaced by their
//! absolute values, so that δ is always an ascent direction, and a line search makes every step go up. When f > 0 the
//! maximum is unique and the method converges to it; when f < 0 it converges to a local maximum.

use super::separation::{SeparationFunction, SeparationJet};
use crate::math::Vec3;

/// Largest step in the tangent plane, in radians: beyond it the quadratic model means nothing.
const MAX_STEP: f64 = 0.8;
/// Smallest eigenvalue of the modified matrix, in multiples of the size.
const EIGENVALUE_FLOOR: f64 = 1e-7;
/// Evaluations before a run gives up; typical runs take four to eight.
const MAX_EVALUATIONS: u32 = 40;
/// Backtracking steps within one iteration before the run gives up.
const MAX_BACKTRACKS: u32 = 4;
/// Fraction of the promised gain a step has to bring (Armijo).
const SUFFICIENT_GAIN: f64 = 1e-3;
/// Tangential gradient, in multiples of the size, below which an overlapping pair counts as stationary.
pub(crate) const STATIONARY: f64 = 1e-10;
/// Rounding error of f in multiples of the size: differences below it carry no information.
const NOISE: f64 = 4e-16;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Apart, and the duality gap is within the tolerance.
    GapClosed,
    /// f ≤ 0 at a stationary point.
    Stationary,
    /// No further progress: the surface is flat or pinched here.
    Stalled,
}

/// The end of a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ascent {
    pub jet: SeparationJet,
    pub outcome: Outcome,
    pub evaluations: u32,
}

/// |q − p| − f for the support points at one direction: the proven error of f as a distance when f > 0.
#[inline]
pub(crate) fn duality_gap(value: f64, tangential: [f64; 2]) -> f64 {
    let square = tangential[0] * tangential[0] + tangential[1] * tangential[1];
    // |q − p| − f = g²/(|q − p| + f), free of cancellation.
    square / ((value * value + square).sqrt() + value)
}

/// Climbs f from `start`. `gap` and `size` are in metres.
pub(crate) fn ascend(pair: &impl SeparationFunction, start: &Vec3, gap: f64, size: f64) -> Ascent {
    let mut jet = pair.jet(start);
    let mut evaluations = 1;
    loop {
        let tangential = jet.tangential();
        let square = tangential[0] * tangential[0] + tangential[1] * tangential[1];
        let value = jet.at.value;
        if value > 0.0 && duality_gap(value, tangential) <= gap {
            return Ascent { jet, outcome: Outcome::GapClosed, evaluations };
        }
        if value <= 0.0 && square <= (STATIONARY * size).powi(2) {
            return Ascent { jet, outcome: Outcome::Stationary, evaluations };
        }
        let mut delta = newton_step(&jet, tangential, size);
        let slope = delta[0] * tangential[0] + delta[1] * tangential[1];
        let mut backtracks = 0;
        let next = loop {
            if evaluations >= MAX_EVALUATIONS || backtracks > MAX_BACKTRACKS {
                return Ascent { jet, outcome: Outcome::Stalled, evaluations };
            }
            let trial = pair.jet(&(jet.normal + jet.tangent(delta)).normalize());
            evaluations += 1;
            let fraction = 0.25f64.powi(backtracks as i32);
            let gain = trial.at.value - value;
            if gain >= SUFFICIENT_GAIN * fraction * slope {
                break trial;
            }
            // Within rounding of the top f says nothing any more; the gradient still does.
            let [tx, ty] = trial.tangential();
            if gain.abs() <= NOISE * size && tx * tx + ty * ty < 0.25 * square {
                break trial;
            }
            delta = [0.25 * delta[0], 0.25 * delta[1]];
            backtracks += 1;
        };
        jet = next;
    }
}

/// The modified Newton step in the basis of the jet.
#[inline]
pub(crate) fn newton_step(jet: &SeparationJet, g: [f64; 2], size: f64) -> [f64; 2] {
    let f = jet.at.value;
    let [a, b, c] = [jet.radii[0] + f, jet.radii[1], jet.radii[2] + f];
    let (mean, half) = (0.5 * (a + c), 0.5 * (a - c));
    let spread = (half * half + b * b).sqrt();
    let floor = EIGENVALUE_FLOOR * size;
    let delta = if mean - spread > floor {
        let inverse = 1.0 / (a * c - b * b);
        [(c * g[0] - b * g[1]) * inverse, (a * g[1] - b * g[0]) * inverse]
    } else {
        let (small, large) = ((mean - spread).abs().max(floor), (mean + spread).abs().max(floor));
        if spread <= 0.0 {
            [g[0] / large, g[1] / large]
        } else {
            // Spectral projector of the larger eigenvalue: (M − λ_small I)/(λ_large − λ_small).
            let k = 0.5 / spread;
            let along =
                [k * ((half + spread) * g[0] + b * g[1]), k * (b * g[0] + (spread - half) * g[1])];
            [
                along[0] / large + (g[0] - along[0]) / small,
                along[1] / large + (g[1] - along[1]) / small,
            ]
        }
    };
    let length = (delta[0] * delta[0] + delta[1] * delta[1]).sqrt();
    if length > MAX_STEP {
        return [delta[0] * (MAX_STEP / length), delta[1] * (MAX_STEP / length)];
    }
    delta
}
