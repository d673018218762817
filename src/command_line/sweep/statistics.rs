//! Statistics of times.

use serde::{Deserialize, Serialize};

/// Statistics of a set of times, in microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Summary {
    pub count: usize,
    pub mean: f64,
    /// Standard deviation of the set, not of its mean.
    pub sigma: f64,
    pub median: f64,
    /// The 99th percentile.
    pub p99: f64,
    pub most: f64,
}

impl Summary {
    /// Of times in nanoseconds; `None` if there are none.
    pub fn of_nanos(nanos: &[u64]) -> Option<Self> {
        let mut micros: Vec<f64> = nanos.iter().map(|&n| n as f64 / 1000.0).collect();
        micros.sort_by(f64::total_cmp);
        let count = micros.len();
        let most = *micros.last()?;
        let mean = micros.iter().sum::<f64>() / count as f64;
        let variance = micros.iter().map(|t| (t - mean).powi(2)).sum::<f64>() / count as f64;
        let rank =
            |share: f64| micros[((share * count as f64).ceil() as usize).clamp(1, count) - 1];
        let (median, p99) = (rank(0.5), rank(0.99));
        Some(Self { count, mean, sigma: variance.sqrt(), median, p99, most })
    }
}

/// The median, the lower one of two; `None` if there are no numbers.
pub(crate) fn median(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let mut all: Vec<f64> = numbers.collect();
    all.sort_by(f64::total_cmp);
    all.get(all.len().saturating_sub(1) / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_one_to_a_hundred_microseconds_are_known() {
        let nanos: Vec<u64> = (1..=100).rev().map(|k| k * 1000).collect();
        let summary = Summary::of_nanos(&nanos).unwrap();
        assert_eq!((summary.count, summary.mean, summary.median), (100, 50.5, 50.0));
        assert_eq!((summary.p99, summary.most), (99.0, 100.0));
        // The variance of 1 to n is (n² − 1) / 12.
        assert!((summary.sigma.powi(2) - 9999.0 / 12.0).abs() < 1e-9);
    }

    #[test]
    fn nothing_has_no_summary_and_no_median() {
        assert_eq!(Summary::of_nanos(&[]), None);
        assert_eq!(median([].into_iter()), None);
    }
}
