//! Minimisation without derivatives: the CMA evolution strategy.

use nalgebra::{DMatrix, DVector, SymmetricEigen};

use crate::random::Random;

/// Generations between two decompositions of the covariance.
const DECOMPOSE_EVERY: usize = 3;

/// A point and its cost.
#[derive(Debug, Clone)]
pub(crate) struct Minimum {
    pub at: Vec<f64>,
    pub cost: f64,
}

/// Minimises `cost` from `start` with initial steps of the size `steps`, at most `generations` of 4 + 3 ln n points.
///
/// The (µ/µ_w, λ)-CMA-ES [Hansen, "The CMA evolution strategy: a tutorial", arXiv:1604.00772, figure 6] with its default
/// parameters, over the variables divided by `steps`. It converges to a local minimum; the stopping test is a step size σ
/// below 1e-4 of the initial one, or the last generation. The best point that was ever evaluated is returned.
pub(crate) fn minimise(
    start: &[f64],
    steps: &[f64],
    generations: usize,
    seed: u64,
    mut cost: impl FnMut(&[f64]) -> f64,
) -> Minimum {
    let n = start.len();
    let dimension = n as f64;
    let mut random = Random::new(seed);
    let lambda = 4 + (3.0 * libm::log(dimension)) as usize;
    let mu = lambda / 2;
    let weights: Vec<f64> = (0..mu)
        .map(|k| libm::log((lambda as f64 + 1.0) / 2.0) - libm::log(k as f64 + 1.0))
        .collect();
    let sum: f64 = weights.iter().sum();
    let weights: Vec<f64> = weights.iter().map(|w| w / sum).collect();
    let mu_eff = 1.0 / weights.iter().map(|w| w * w).sum::<f64>();
    let c_sigma = (mu_eff + 2.0) / (dimension + mu_eff + 5.0);
    let d_sigma =
        1.0 + c_sigma + 2.0 * (libm::sqrt((mu_eff - 1.0) / (dimension + 1.0)) - 1.0).max(0.0);
    let c_c = (4.0 + mu_eff / dimension) / (dimension + 4.0 + 2.0 * mu_eff / dimension);
    let c_1 = 2.0 / ((dimension + 1.3) * (dimension + 1.3) + mu_eff);
    let c_mu = (1.0 - c_1).min(
        2.0 * (mu_eff - 2.0 + 1.0 / mu_eff) / ((dimension + 2.0) * (dimension + 2.0) + mu_eff),
    );
    let chi = libm::sqrt(dimension)
        * (1.0 - 1.0 / (4.0 * dimension) + 1.0 / (21.0 * dimension * dimension));

    let mut mean = DVector::<f64>::zeros(n);
    let mut sigma = 1.0;
    let (mut path_c, mut path_sigma) = (DVector::<f64>::zeros(n), DVector::<f64>::zeros(n));
    let mut covariance = DMatrix::<f64>::identity(n, n);
    let mut axes = DMatrix::<f64>::identity(n, n);
    let mut lengths = DVector::<f64>::repeat(n, 1.0);
    let point =
        |y: &DVector<f64>| -> Vec<f64> { (0..n).map(|k| start[k] + steps[k] * y[k]).collect() };
    let first = point(&mean);
    let mut best = Minimum { cost: cost(&first), at: first };
    let mut normals = Vec::with_capacity(n + 1);
    for generation in 0..generations {
        // 1. Sample: y = B D z, x = mean + σ y.
        let mut sampled: Vec<(f64, DVector<f64>)> = (0..lambda)
            .map(|_| {
                normals.clear();
                while normals.len() < n {
                    normals.extend(random.normal_pair());
                }
                let z = DVector::from_iterator(n, (0..n).map(|k| normals[k] * lengths[k]));
                let y = &axes * z;
                let at = point(&(&mean + &y * sigma));
                let value = cost(&at);
                // Not a number never wins.
                let value = if value.is_nan() { f64::INFINITY } else { value };
                if value < best.cost {
                    best = Minimum { at, cost: value };
                }
                (value, y)
            })
            .collect();
        sampled.sort_by(|a, b| a.0.total_cmp(&b.0));
        // 2. Recombine.
        let mut step = DVector::<f64>::zeros(n);
        for (weight, (_, y)) in weights.iter().zip(&sampled) {
            step += y * *weight;
        }
        mean += &step * sigma;
        // 3. Evolution paths.
        let inverse = |v: &DVector<f64>| {
            let mut turned = axes.transpose() * v;
            turned.component_div_assign(&lengths);
            &axes * turned
        };
        path_sigma = &path_sigma * (1.0 - c_sigma)
            + inverse(&step) * libm::sqrt(c_sigma * (2.0 - c_sigma) * mu_eff);
        let expected =
            libm::sqrt(1.0 - libm::pow(1.0 - c_sigma, 2.0 * (generation as f64 + 1.0))) * chi;
        let is_steady = path_sigma.norm() < (1.4 + 2.0 / (dimension + 1.0)) * expected;
        let h = if is_steady { 1.0 } else { 0.0 };
        path_c = &path_c * (1.0 - c_c) + &step * (h * libm::sqrt(c_c * (2.0 - c_c) * mu_eff));
        // 4. Covariance.
        covariance *= 1.0 - c_1 - c_mu + (1.0 - h) * c_1 * c_c * (2.0 - c_c);
        covariance.ger(c_1, &path_c, &path_c, 1.0);
        for (weight, (_, y)) in weights.iter().zip(&sampled) {
            covariance.ger(c_mu * weight, y, y, 1.0);
        }
        // 5. Step size.
        sigma *= libm::exp(c_sigma / d_sigma * (path_sigma.norm() / chi - 1.0));
        if sigma < 1e-4 {
            break;
        }
        if generation % DECOMPOSE_EVERY == DECOMPOSE_EVERY - 1 {
            let eigen = SymmetricEigen::new(covariance.clone());
            lengths = eigen.eigenvalues.map(|value| libm::sqrt(value.max(1e-20)));
            axes = eigen.eigenvectors;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turned_and_stretched_valley_is_followed_to_its_end() {
        // Rosenbrock's function: the minimum 0 is at (1, 1, 1, 1).
        let rosenbrock = |x: &[f64]| -> f64 {
            x.windows(2)
                .map(|p| {
                    let (a, b) = (1.0 - p[0], p[1] - p[0] * p[0]);
                    a * a + 100.0 * b * b
                })
                .sum()
        };
        let found = minimise(&[-1.0, 0.5, 0.3, -0.2], &[0.5; 4], 1500, 3, rosenbrock);
        assert!(found.cost < 1e-6, "{found:?}");
        assert!(found.at.iter().all(|x| (x - 1.0).abs() < 1e-3), "{found:?}");
        let again = minimise(&[-1.0, 0.5, 0.3, -0.2], &[0.5; 4], 1500, 3, rosenbrock);
        assert_eq!(found.at, again.at);
    }
}
