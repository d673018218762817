//! Numbers of many answers, as VAMP's benchmark lists them: mean, standard deviation, and the values below which shares of them lie.

use serde_json::{Value, json};

/// What is listed of each quantity, in this order.
pub(crate) const ROWS: [&str; 8] = ["mean", "std", "min", "25%", "50%", "75%", "95%", "max"];

/// Numbers of one quantity.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sample {
    values: Vec<f64>,
}

impl Sample {
    pub fn add(&mut self, value: f64) {
        self.values.push(value);
    }

    /// The value below which this share of the others lies.
    pub fn percentile(&self, share: f64) -> Option<f64> {
        let mut sorted = self.values.clone();
        sorted.sort_by(f64::total_cmp);
        let place = (share * (sorted.len().max(1) - 1) as f64).round() as usize;
        sorted.get(place).copied()
    }

    pub fn mean(&self) -> Option<f64> {
        let sum: f64 = self.values.iter().sum();
        (!self.values.is_empty()).then(|| sum / self.values.len() as f64)
    }

    /// The standard deviation of a sample, with n − 1; none for fewer than two values.
    pub fn deviation(&self) -> Option<f64> {
        let mean = self.mean()?;
        let squares: f64 = self.values.iter().map(|value| (value - mean) * (value - mean)).sum();
        let others = self.values.len() - 1;
        (others > 0).then(|| (squares / others as f64).sqrt())
    }

    /// What [`ROWS`] names.
    pub fn rows(&self) -> [Option<f64>; 8] {
        let [min, p25, median, p75, p95, max] =
            [0.0, 0.25, 0.5, 0.75, 0.95, 1.0].map(|share| self.percentile(share));
        [self.mean(), self.deviation(), min, p25, median, p75, p95, max]
    }

    pub fn json(&self) -> Value {
        let [mean, std, min, p25, median, p75, p95, max] = self.rows();
        json!({
            "mean": mean, "std": std, "min": min, "p25": p25, "median": median, "p75": p75, "p95": p95,
            "max": max,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_that_occur() {
        let mut sample = Sample::default();
        assert_eq!(sample.rows(), [None; 8]);
        [5.0, 1.0, 4.0, 2.0, 3.0].into_iter().for_each(|value| sample.add(value));
        assert_eq!(sample.percentile(0.5), Some(3.0));
        assert_eq!(sample.percentile(0.0), Some(1.0));
        assert_eq!(sample.percentile(0.95), Some(5.0));
        assert_eq!((sample.mean(), sample.deviation()), (Some(3.0), Some(2.5f64.sqrt())));
    }
}
