//! Statistics over many answers.

use super::super::table::Table;
use super::statistics::{ROWS, Sample};
use super::timed::Timed;
use serde_json::{Value, json};
use std::time::Duration;

/// Counts and times of answers.
#[derive(Default)]
pub(crate) struct Summary {
    pub asked: usize,
    pub solved: usize,
    /// Times in microseconds.
    searching: Sample,
    shortening: Sample,
    search: Sample,
    proofs: Sample,
    whole: Sample,
    iterations: Sample,
    first_lengths: Sample,
    lengths: Sample,
    clearances: Sample,
    states: u64,
    proof_count: u64,
    refuted: u64,
}

impl Summary {
    pub fn add(&mut self, timed: &Timed) {
        self.asked += 1;
        let Ok(plan) = &timed.answer else { return };
        let times = timed.times.expect("a path was found by one thread, which has times");
        let micros = |time: Duration| 1e6 * time.as_secs_f64();
        self.solved += 1;
        self.searching.add(micros(times.searching));
        self.shortening.add(micros(times.shortening));
        self.search.add(micros(times.search()));
        self.proofs.add(micros(times.proofs));
        self.whole.add(micros(times.search() + times.proofs));
        self.iterations.add(plan.statistics.iterations as f64);
        self.first_lengths.add(timed.first_length.unwrap_or(plan.length));
        self.lengths.add(plan.length);
        self.clearances.add(plan.certificate.clearance());
        self.states += plan.statistics.states;
        self.proof_count += plan.statistics.proofs;
        self.refuted += plan.statistics.refuted;
    }

    pub fn json(&self) -> Value {
        json!({
            "problems": self.asked,
            "solved": self.solved,
            "proven": self.solved,
            "search_us": self.searching.json(),
            "shorten_us": self.shortening.json(),
            "plan_us": self.search.json(),
            "proof_us": self.proofs.json(),
            "total_us": self.whole.json(),
            "iterations": self.iterations.json(),
            "first_length": self.first_lengths.json(),
            "length": self.lengths.json(),
            "length_median": self.lengths.percentile(0.5),
            "clearance_least": self.clearances.percentile(0.0),
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
                cells.push(number(times.percentile(share).map(|time| 1e-3 * time)));
            }
        }
        cells.push(number(self.lengths.percentile(0.5)));
        cells
    }

    pub fn text(&self) -> String {
        let mut text = format!("solved and proven: {} of {}\n", self.solved, self.asked);
        if self.solved == 0 {
            return text;
        }
        let columns = [
            ("search/µs", &self.searching, 1),
            ("shortening/µs", &self.shortening, 1),
            ("both/µs", &self.search, 1),
            ("proofs/µs", &self.proofs, 1),
            ("all/µs", &self.whole, 1),
            ("iterations", &self.iterations, 0),
            ("first length", &self.first_lengths, 3),
            ("length", &self.lengths, 3),
        ];
        let headings: Vec<&str> =
            std::iter::once("").chain(columns.iter().map(|column| column.0)).collect();
        let mut table = Table::new(&headings, 1);
        for (row, name) in ROWS.iter().enumerate() {
            let cell = |&(_, sample, digits): &(&str, &Sample, usize)| match sample.rows()[row] {
                Some(value) => format!("{value:.digits$}"),
                None => "–".to_owned(),
            };
            table
                .row(std::iter::once((*name).to_owned()).chain(columns.iter().map(cell)).collect());
        }
        text.push_str(&table.text());
        let (states, proofs, refuted) = (self.states, self.proof_count, self.refuted);
        text.push_str(&format!(
            "{states} states checked, {proofs} edges sent to be proven, {refuted} refuted\n"
        ));
        if let Some(clearance) = self.clearances.percentile(0.0) {
            text.push_str(&format!("least proven clearance {:.4} mm\n", 1e3 * clearance));
        }
        text
    }
}
