//! Local maxima of f that lie on a ridge.
//!
//! Where a body is nearly flat, has an edge, or is the hull of a dented surface, its support point jumps as the normal
//! turns, and f is the lower envelope of smooth pieces: f(n) = min φᵢ(n). A maximum on such a ridge stops Newton's
//! method. Here a few recent evaluations are kept as pieces, each with its quadratic model around its own direction nᵢ
//! with support difference xᵢ and radii Wᵢ (δ in the tangent plane of the best direction b),
//!
//! ```text
//! φᵢ(δ) = b·xᵢ − ½ δᵢᵀWᵢδᵢ + (xᵢ + Wᵢδᵢ)·δ − ½ δᵀ(Wᵢ + (b·xᵢ)I)δ
//! ```
//!
//! and the next direction maximises min φᵢ, found through its dual: weights λ on the pieces, λ ≥ 0, Σλ = 1. With one
//! piece this is the Newton step; on a ridge it is Newton's method along the ridge. At the maximum Σλᵢxᵢ has no
//! tangential part, so the weighted support points are the witnesses: they lie in the bodies because these are convex.

use crate::solve::common_normal::{EIGENVALUE_FLOOR, Goal};
use crate::solve::newton_step;
use crate::solve::separation::{SeparationFunction, SeparationJet};
use crate::solve::tuning::ridge::{MATCHED, MAX_EVALUATIONS, MAX_MOVES, MAX_STEP, REFRESH};
use smooth_scene_geometry::math::Vec3;
use smooth_scene_geometry::simd::{F64x1, Simd};

/// Pieces kept: a ridge of both bodies at once has three, one more lets a new one in before an old one goes.
const PIECES: usize = 4;
/// Promised gain, in multiples of the size, at which the run ends.
const SMALLEST_GAIN: f64 = 2e-15;

/// The end of a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RidgeTop {
    pub value: f64,
    pub normal: Vec3,
    /// Weighted support points; their difference is `value × normal` up to `mismatch`.
    pub point_a: Vec3,
    pub point_b: Vec3,
    /// Length of the tangential part of the difference of the witnesses.
    pub mismatch: f64,
    pub evaluations: u32,
}

/// The model of one piece in the tangent plane of the base direction.
#[derive(Debug, Clone, Copy, Default)]
struct Model {
    constant: f64,
    slope: [f64; 2],
    /// [xx, xy, yy] of W + (b·x)I.
    matrix: [f64; 3],
}

impl Model {
    /// Expands `piece` around the best direction `base`.
    #[inline(always)]
    fn new(piece: &SeparationJet, base: &SeparationJet) -> Self {
        let (e1, e2) = base.basis;
        let (u, v) = piece.basis;
        let n = piece.normal / piece.normal.dot(&base.normal);
        let d = [n.dot(&e1), n.dot(&e2)];
        // W turned from the basis of the piece into that of the base.
        let (a, b) = ([e1.dot(&u), e1.dot(&v)], [e2.dot(&u), e2.dot(&v)]);
        let [ruu, ruv, rvv] = piece.radii;
        let form = |p: [f64; 2], q: [f64; 2]| {
            p[0] * (ruu * q[0] + ruv * q[1]) + p[1] * (ruv * q[0] + rvv * q[1])
        };
        let w = [form(a, a), form(a, b), form(b, b)];
        let wd = [w[0] * d[0] + w[1] * d[1], w[1] * d[0] + w[2] * d[1]];
        let x = piece.at.gradient();
        let along = x.dot(&base.normal);
        Self {
            // f is the least of all pieces: a model that falls below it at the base has left its range.
            constant: (along - 0.5 * (d[0] * wd[0] + d[1] * wd[1])).max(base.at.value),
            slope: [x.dot(&e1) + wd[0], x.dot(&e2) + wd[1]],
            matrix: [w[0] + along, w[1], w[2] + along],
        }
    }

    #[inline(always)]
    fn at(&self, d: [f64; 2]) -> f64 {
        let [a, b, c] = self.matrix;
        self.constant + self.slope[0] * d[0] + self.slope[1] * d[1]
            - 0.5 * (a * d[0] * d[0] + 2.0 * b * d[0] * d[1] + c * d[1] * d[1])
    }

    /// Gradient of the model at d.
    #[inline(always)]
    fn gradient(&self, d: [f64; 2]) -> [f64; 2] {
        let [a, b, c] = self.matrix;
        [self.slope[0] - a * d[0] - b * d[1], self.slope[1] - b * d[0] - c * d[1]]
    }

    #[inline(always)]
    fn weighted(models: &[Model], weights: &[f64]) -> Model {
        let mut sum = Model::default();
        for (model, weight) in models.iter().zip(weights) {
            sum.constant += weight * model.constant;
            for k in 0..2 {
                sum.slope[k] += weight * model.slope[k];
            }
            for k in 0..3 {
                sum.matrix[k] += weight * model.matrix[k];
            }
        }
        sum
    }
}

/// Climbs from `start` to a local maximum of f ≤ 0, across ridges.
///
/// 1. The step that maximises the lowest model is tried; its evaluation becomes a piece, and the base if it is higher.
///    A step that is not higher shortens the next one.
/// 2. Once no gain is promised, the pieces that carry weight are evaluated again closer to the base, on their own side
///    of the ridge, until their weighted support points match.
pub(crate) fn climb_ridge<P: SeparationFunction>(
    pair: &P,
    start: &SeparationJet,
    goal: &Goal,
) -> RidgeTop {
    P::Set::call(
        #[inline(always)]
        || climb_across(pair, start, goal),
    )
}

#[inline(always)]
fn climb_across(pair: &impl SeparationFunction, start: &SeparationJet, goal: &Goal) -> RidgeTop {
    let mut pieces = [*start; PIECES];
    let mut count = 1;
    let mut base = *start;
    let mut weights = [1.0, 0.0, 0.0, 0.0];
    let mut evaluations = 0;
    let mut reach = MAX_STEP;
    loop {
        let mut models = [Model::default(); PIECES];
        for (model, piece) in models.iter_mut().zip(&pieces).take(count) {
            *model = Model::new(piece, &base);
        }
        let (step, promised) =
            highest_of_lowest(&models[..count], &mut weights[..count], reach, goal.size);
        let top = top_of(&pieces[..count], &weights, &base, evaluations);
        let promising = promised - base.at.value > SMALLEST_GAIN * goal.size;
        if evaluations >= MAX_EVALUATIONS || (!promising && top.mismatch <= MATCHED * goal.size) {
            return top;
        }
        let (direction, slot) = if promising {
            (base.normal + base.tangent(step), free_slot(&weights[..count]))
        } else {
            let Some(stale) = stalest(&pieces[..count], &weights, &base) else { return top };
            (base.normal + (pieces[stale].normal - base.normal) * REFRESH, stale)
        };
        let jet = pair.jet(&direction.normalize());
        evaluations += 1;
        if slot == count {
            weights[slot] = 0.0;
            count += 1;
        }
        pieces[slot] = jet;
        if jet.at.value > base.at.value {
            base = jet;
            reach = (2.0 * reach).min(MAX_STEP);
        } else if promising {
            reach = 0.4 * (step[0] * step[0] + step[1] * step[1]).sqrt();
        }
    }
}

/// Where the next piece goes: a new slot, or that of the piece with the least weight.
#[inline(always)]
fn free_slot(weights: &[f64]) -> usize {
    let count = weights.len();
    if count < PIECES {
        return count;
    }
    (1..count).fold(0, |idle, k| if weights[k] < weights[idle] { k } else { idle })
}

/// The piece that contributes most to the mismatch by lying away from the base.
#[inline(always)]
fn stalest(pieces: &[SeparationJet], weights: &[f64], base: &SeparationJet) -> Option<usize> {
    let staleness = |k: usize| weights[k] * (pieces[k].normal - base.normal).norm();
    let stale =
        (1..pieces.len()).fold(0, |old, k| if staleness(k) > staleness(old) { k } else { old });
    (staleness(stale) > 1e-14).then_some(stale)
}

/// The weighted witnesses at the best direction.
#[inline(always)]
fn top_of(
    pieces: &[SeparationJet],
    weights: &[f64],
    base: &SeparationJet,
    evaluations: u32,
) -> RidgeTop {
    let (mut point_a, mut point_b) = (Vec3::zeros(), Vec3::zeros());
    for (piece, weight) in pieces.iter().zip(weights) {
        point_a += piece.at.point_a * *weight;
        point_b += piece.at.point_b * *weight;
    }
    let difference = point_b - point_a;
    let mismatch = (difference - base.normal * difference.dot(&base.normal)).norm();
    RidgeTop { value: base.at.value, normal: base.normal, point_a, point_b, mismatch, evaluations }
}

/// The step that maximises the lowest model, and that lowest value. `weights` is the start and the result of the dual.
///
/// Weight moves from the piece that is highest at the current step to the one that is lowest, by a Newton step on the
/// dual along that exchange, until the pieces that carry weight are level.
#[inline(always)]
fn highest_of_lowest(
    models: &[Model],
    weights: &mut [f64],
    reach: f64,
    size: f64,
) -> ([f64; 2], f64) {
    let mut moves = 0;
    loop {
        let sum = Model::weighted(models, weights);
        let step = limited(modified_solve(sum.matrix, sum.slope, size), reach);
        let heights = |k: usize| models[k].at(step);
        let lowest =
            (0..models.len()).fold(0, |low, k| if heights(k) < heights(low) { k } else { low });
        let highest = (0..models.len())
            .filter(|&k| weights[k] > 0.0)
            .fold(lowest, |high, k| if heights(k) > heights(high) { k } else { high });
        let imbalance = heights(highest) - heights(lowest);
        moves += 1;
        if highest == lowest || imbalance <= 1e-16 * size || moves > MAX_MOVES {
            return (step, heights(lowest));
        }
        let (low, high) = (models[lowest].gradient(step), models[highest].gradient(step));
        let change = [low[0] - high[0], low[1] - high[1]];
        let response = modified_solve(sum.matrix, change, size);
        let curvature = change[0] * response[0] + change[1] * response[1];
        let amount = if curvature > 0.0 { imbalance / curvature } else { 1.0 };
        let amount = amount.min(weights[highest]);
        weights[highest] -= amount;
        weights[lowest] += amount;
    }
}

/// See [`newton_step::modified_solve`].
#[inline(always)]
fn modified_solve([xx, xy, yy]: [f64; 3], [x, y]: [f64; 2], size: f64) -> [f64; 2] {
    let matrix = [F64x1(xx), F64x1(xy), F64x1(yy)];
    let floor = F64x1(EIGENVALUE_FLOOR * size);
    let [x, y] = newton_step::modified_solve(matrix, [F64x1(x), F64x1(y)], floor);
    [x.0, y.0]
}

#[inline(always)]
fn limited(step: [f64; 2], reach: f64) -> [f64; 2] {
    let length = (step[0] * step[0] + step[1] * step[1]).sqrt();
    let factor = if length > reach { reach / length } else { 1.0 };
    [step[0] * factor, step[1] * factor]
}
