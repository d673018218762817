//! Maximum likelihood of one surface among outliers.
//!
//! Points come from the surface with normal noise of deviation σ, evenly over its area A, or with probability ω from anywhere
//! in the box of volume V around the cloud:
//!
//! ```text
//! p(x) = (1 − ω)/A · N(r(x); σ²) + ω/V
//! ```
//!
//! with A + 4π·σ² in the place of A, see [`Mixture::noisy_area`]. The Gaussian-uniform mixture is that of [Liu 2022]. Departures:
//! the noise is integrated along the surface, so that it has one dimension and the density 1/A appears; r is the distance of
//! [`Model::residual`], not the radial one; ω and σ are estimated too; and a prior on the ratios of the radii decides what neither
//! distances nor area do.
//!
//! The density is what makes partial views work. The points that are seen leave open how far the surface goes on behind them; a
//! surface that goes on has a larger area, over which the points would be spread more thinly. Half of a superellipsoid is seen from
//! any direction, so the area of the seen part is A/2 for every pose, a factor that does not matter.

use super::area::{area, log_area};
use super::model::{EXPONENT_XY, EXPONENT_Z, Model, RADII, Step, TAPER};
use super::tuning::{
    LEAST_NOISE, LM_TRIES, NOISE_DECAY, OUTLIER_RANGE, RATIO_DEVIATION, START_NOISE, START_OUTLIERS,
};
use crate::kind::SurfaceKind;
use nalgebra::{DMatrix, DVector};
use smooth_scene_geometry::math::Vec3;

/// A surface with its noise.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mixture {
    pub model: Model,
    /// Deviation of the noise.
    pub sigma: f64,
    /// Share of the outliers.
    pub outliers: f64,
    /// Negative logarithm of likelihood and prior.
    pub score: f64,
}

/// The points of a fit, and what is known of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Data<'a> {
    pub points: &'a [Vec3],
    /// Half the extent of the points without the outermost.
    pub size: f64,
    /// Volume of the box around them.
    pub volume: f64,
}

/// The numbers that a kind leaves free: each entry is a group that changes together.
pub(super) fn free_numbers(kind: SurfaceKind) -> Vec<Vec<usize>> {
    let shift = (3..6).map(|k| vec![k]);
    let rigid_and_radii = (0..RADII + 3).map(|k| vec![k]);
    match kind {
        SurfaceKind::Sphere => shift.chain([vec![RADII, RADII + 1, RADII + 2]]).collect(),
        SurfaceKind::Ellipsoid => rigid_and_radii.collect(),
        SurfaceKind::Superellipsoid => {
            rigid_and_radii.chain([vec![EXPONENT_XY], vec![EXPONENT_Z]]).collect()
        }
        SurfaceKind::Superovoid => {
            let shape = [vec![EXPONENT_XY], vec![EXPONENT_Z], vec![TAPER]];
            rigid_and_radii.chain(shape).collect()
        }
        SurfaceKind::Capsule | SurfaceKind::Hull => {
            unreachable!("the caller fits no {}", kind.name())
        }
    }
}

impl Mixture {
    /// A start: much noise, so that far points count.
    pub fn start(model: Model, data: &Data<'_>) -> Self {
        let sigma = START_NOISE * data.size;
        Self { model, sigma, outliers: START_OUTLIERS, score: f64::INFINITY }
    }

    /// Densities of a point at distance r as a point of the surface, and as an outlier.
    fn densities(&self, r: f64, area: f64, data: &Data<'_>) -> (f64, f64) {
        let z = r / self.sigma;
        let normal = libm::exp(-0.5 * z * z) / (self.sigma * libm::sqrt(std::f64::consts::TAU));
        ((1.0 - self.outliers) / area * normal, self.outliers / data.volume)
    }

    /// Over which area noise spreads the points of a surface: by Steiner's formula a surface at distance r from a convex one
    /// has the area A + M·r + 4π·r², whose mean over the noise is A + 4π·σ².
    fn noisy_area(&self, area: f64) -> f64 {
        area + 4.0 * std::f64::consts::PI * self.sigma * self.sigma
    }

    /// Distances of all points.
    fn distances(&self, data: &Data<'_>) -> Vec<f64> {
        data.points.iter().map(|point| self.model.residual(point).0).collect()
    }

    /// Probability of being a point of the surface, for every distance.
    fn memberships_at(&self, distances: &[f64], data: &Data<'_>) -> Vec<f64> {
        let area = self.noisy_area(area(&self.model));
        let of = |r: &f64| {
            let (inner, outer) = self.densities(*r, area, data);
            inner / (inner + outer)
        };
        distances.iter().map(of).collect()
    }

    /// Probability of being a point of the surface, for every point.
    pub fn memberships(&self, data: &Data<'_>) -> Vec<f64> {
        self.memberships_at(&self.distances(data), data)
    }

    /// Sets the score: negative logarithm of likelihood and prior.
    fn rated(self, distances: &[f64], data: &Data<'_>) -> Self {
        let area = self.noisy_area(area(&self.model));
        let of = |r: &f64| {
            let (inner, outer) = self.densities(*r, area, data);
            libm::log(inner + outer)
        };
        // A tiny surface through a few points can have any likelihood; one that leaves out half of the points does not count.
        if self.outliers >= OUTLIER_RANGE[1] {
            return Self { score: f64::INFINITY, ..self };
        }
        let likelihood: f64 = distances.iter().map(of).sum();
        Self { score: prior(&self.model) - likelihood, ..self }
    }

    /// Rounds of expectation and maximisation, at most `rounds`. It ends early when neither the noise nor the model moves
    /// by more than `tolerance` times the noise. The result has its score; it is a local maximum or on the way there.
    pub fn improved(
        mut self,
        data: &Data<'_>,
        free: &[Vec<usize>],
        rounds: usize,
        tolerance: f64,
    ) -> Self {
        let mut damping = 1e-3;
        let mut distances = self.distances(data);
        for _ in 0..rounds {
            // 1. Expectation.
            let weights = self.memberships_at(&distances, data);
            // 2. Maximisation over the model: one step of Levenberg and Marquardt.
            let moved = match self.step(data, &weights, free, &mut damping) {
                Some((model, found, moved)) => {
                    self.model = model;
                    distances = found;
                    moved
                }
                None => 0.0,
            };
            // 3. Noise and share of outliers.
            let total: f64 = weights.iter().sum();
            let squares = weighted_squares(&distances, &weights);
            let sigma = libm::sqrt(squares / total.max(1e-9));
            let sigma = sigma.max(NOISE_DECAY * self.sigma).max(LEAST_NOISE * data.size);
            let change = (sigma / self.sigma - 1.0).abs();
            self.sigma = sigma;
            let [low, high] = OUTLIER_RANGE;
            self.outliers = (1.0 - total / data.points.len() as f64).clamp(low, high);
            // 4. Enough?
            if change <= tolerance && moved <= tolerance * sigma {
                break;
            }
        }
        self.rated(&distances, data)
    }

    /// A step that lowers Σ wᵢ·(rᵢ²/2σ² + log(A + 4π·σ²)) and the prior, for these memberships w: the model, the distances there,
    /// and how far it moves the surface at most. None when no step helps.
    fn step(
        &self,
        data: &Data<'_>,
        weights: &[f64],
        free: &[Vec<usize>],
        damping: &mut f64,
    ) -> Option<(Model, Vec<f64>, f64)> {
        let count = free.len();
        let inverse = 1.0 / (self.sigma * self.sigma);
        let mut normal = DMatrix::<f64>::zeros(count, count);
        let mut right = DVector::<f64>::zeros(count);
        let mut cost = 0.0;
        let mut row = DVector::<f64>::zeros(count);
        for (point, weight) in data.points.iter().zip(weights) {
            let (r, by) = self.model.residual(point);
            for (k, group) in free.iter().enumerate() {
                row[k] = group.iter().map(|place| by[*place]).sum();
            }
            let scaled = weight * inverse;
            cost += 0.5 * scaled * r * r;
            right.axpy(-scaled * r, &row, 1.0);
            normal.syger(scaled, &row, &row, 1.0);
        }
        normal.fill_upper_triangle_with_lower_triangle();
        add_prior(&self.model, free, &mut normal, &mut right);
        cost += prior(&self.model);
        let total: f64 = weights.iter().sum();
        let (log, by) = log_area(&self.model);
        let area_here = libm::exp(log);
        let noisy = self.noisy_area(area_here);
        cost += total * libm::log(noisy);
        let share = total * area_here / noisy;
        for (k, group) in free.iter().enumerate() {
            right[k] -= share * group.iter().map(|place| by[*place]).sum::<f64>();
        }
        for _ in 0..LM_TRIES {
            let mut damped = normal.clone();
            for k in 0..count {
                damped[(k, k)] += *damping * (normal[(k, k)] + 1e-9);
            }
            let Some(factors) = damped.cholesky() else {
                *damping *= 10.0;
                continue;
            };
            let solution = factors.solve(&right);
            let mut step = Step::zeros();
            for (k, group) in free.iter().enumerate() {
                group.iter().for_each(|place| step[*place] = solution[k]);
            }
            let model = self.model.moved(&step, data.size);
            let distances = Mixture { model, ..*self }.distances(data);
            let squares = weighted_squares(&distances, weights);
            let of_area = total * libm::log(self.noisy_area(area(&model)));
            if 0.5 * inverse * squares + of_area + prior(&model) < cost {
                *damping = (*damping * 0.2).max(1e-9);
                let turn = step.fixed_rows::<3>(0).norm();
                let rest = step.fixed_rows::<9>(3).norm();
                return Some((model, distances, (turn + rest) * data.size));
            }
            *damping = (*damping * 6.0).min(1e9);
        }
        None
    }
}

fn weighted_squares(distances: &[f64], weights: &[f64]) -> f64 {
    distances.iter().zip(weights).map(|(r, weight)| weight * r * r).sum()
}

/// Logarithms of the radii less their mean, over the deviation of the prior.
fn ratios(model: &Model) -> Vec3 {
    let logs = model.radii.map(libm::log);
    logs.map(|log| (log - logs.mean()) / RATIO_DEVIATION)
}

/// Negative logarithm of the prior: radii of about the same size, whatever that is.
fn prior(model: &Model) -> f64 {
    0.5 * ratios(model).norm_squared()
}

/// Adds the second and first derivative of the prior.
fn add_prior(
    model: &Model,
    free: &[Vec<usize>],
    normal: &mut DMatrix<f64>,
    right: &mut DVector<f64>,
) {
    let place_of = |axis: usize| free.iter().position(|group| *group == [RADII + axis]);
    let ratios = ratios(model);
    for a in 0..3 {
        // A sphere has one radius and no ratios.
        let Some(row) = place_of(a) else { return };
        right[row] -= ratios[a] / RATIO_DEVIATION;
        for b in 0..3 {
            let Some(column) = place_of(b) else { return };
            let share = if a == b { 2.0 / 3.0 } else { -1.0 / 3.0 };
            normal[(row, column)] += share / (RATIO_DEVIATION * RATIO_DEVIATION);
        }
    }
}
