//! Statistics over many answers.

use super::super::table::Table;
use super::json::micros;
use super::timed::Timed;
use serde_json::{Value, json};
use std::time::Duration;

/// Counts and times of answers.
#[derive(Default)]
pub(crate) struct Summary {
    pub asked: usize,
    pub solved: usize,
    search: Vec<Duration>,
    proofs: Vec<Duration>,
    whole: Vec<Duration>,
    lengths: Vec<f64>,
    clearances: Vec<f64>,
    states: u64,
    proof_count: u64,
    refuted: u64,
}

impl Summary {
    pub fn add(&mut self, timed: &Timed) {
        self.asked += 1;
        let Ok(plan) = &timed.answer else { return };
        self.solved += 1;
        self.search.push(timed.search);
        self.proofs.push(timed.proofs);
        self.whole.push(timed.search + timed.proofs);
        self.lengths.push(plan.length);
        self.clearances.push(plan.certificate.clearance());
        self.states += plan.statistics.states;
        self.proof_count += plan.statistics.proofs;
        self.refuted += plan.statistics.refuted;
    }

    pub fn json(&self) -> Value {
        let times = |times: &[Duration]| {
            let of = |share| percentile(times, share).map(micros);
            json!({"median": of(0.5), "p95": of(0.95), "mean": mean(times).map(micros)})
        };
        json!({
            "problems": self.asked,
            "solved": self.solved,
            "proven": self.solved,
            "plan_us": times(&self.search),
            "proof_us": times(&self.proofs),
            "total_us": times(&self.whole),
            "length_median": percentile(&self.lengths, 0.5),
            "clearance_least": percentile(&self.clearances, 0.0),
            "states": self.states,
            "proofs": self.proof_count,
            "refuted": self.refuted,
        })
    }

    /// Median and 95th percentile of search, proofs and both, ms, then the median length.
    pub fn cells(&self) -> Vec<String> {
        let number =
            |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |x| format!("{x:.2}"));
        let mut cells = Vec::new();
        for times in [&self.search, &self.proofs, &self.whole] {
            for share in [0.5, 0.95] {
                cells.push(number(percentile(times, share).map(|time| 1e3 * time.as_secs_f64())));
            }
        }
        cells.push(number(percentile(&self.lengths, 0.5)));
        cells
    }

    pub fn text(&self) -> String {
        let mut table = Table::new(&["time", "median/ms", "p95/ms", "mean/ms"], 1);
        let milliseconds = |time: Option<Duration>| match time {
            Some(time) => format!("{:.3}", 1e3 * time.as_secs_f64()),
            None => "–".to_owned(),
        };
        let rows = [("search", &self.search), ("proofs", &self.proofs), ("together", &self.whole)];
        for (name, times) in rows {
            let columns = [percentile(times, 0.5), percentile(times, 0.95), mean(times)];
            let cells = columns.map(milliseconds);
            table.row([vec![name.to_owned()], cells.to_vec()].concat());
        }
        let mut text = format!("solved and proven: {} of {}\n", self.solved, self.asked);
        if self.solved > 0 {
            text.push_str(&table.text());
            let (states, proofs, refuted) = (self.states, self.proof_count, self.refuted);
            text.push_str(&format!(
                "{states} states checked, {proofs} edges sent to be proven, {refuted} refuted\n"
            ));
        }
        if let (Some(length), Some(clearance)) =
            (percentile(&self.lengths, 0.5), percentile(&self.clearances, 0.0))
        {
            text.push_str(&format!(
                "median length {length:.3}, least proven clearance {:.4} mm\n",
                1e3 * clearance
            ));
        }
        text
    }
}

/// The value below which this share of the others lies.
fn percentile<T: PartialOrd + Copy>(values: &[T], share: f64) -> Option<T> {
    let mut sorted = values.to_vec();
    sorted.sort_by(|a, b| a.partial_cmp(b).expect("times and lengths are numbers"));
    let place = (share * (sorted.len().max(1) - 1) as f64).round() as usize;
    sorted.get(place).copied()
}

fn mean(times: &[Duration]) -> Option<Duration> {
    let count = u32::try_from(times.len()).expect("fewer runs than that");
    times.iter().sum::<Duration>().checked_div(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_that_occur() {
        let values = [5.0, 1.0, 4.0, 2.0, 3.0];
        assert_eq!(percentile(&values, 0.5), Some(3.0));
        assert_eq!(percentile(&values, 0.0), Some(1.0));
        assert_eq!(percentile(&values, 0.95), Some(5.0));
        assert_eq!(percentile::<f64>(&[], 0.5), None);
    }
}
