//! The results as a file: `results.json`.

use super::statistics::Summary;
use serde::{Deserialize, Serialize};

/// Published values of a method; times in microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Published {
    /// If published.
    pub mean: Option<f64>,
    pub sigma: Option<f64>,
    pub iterations: Option<f64>,
    /// Share of answers the paper counts as right.
    pub right: Option<f64>,
}

/// One method on one set of pairs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    pub representation: String,
    pub method: String,
    /// `None` when it was not run; `missing` says why.
    pub micros: Option<Summary>,
    /// Mean times of repetitions, in microseconds: the noise of the machine.
    pub sweep_means: Vec<f64>,
    /// The mean.
    pub iterations: Option<f64>,
    #[serde(default)]
    pub median_iterations: Option<f64>,
    pub unconverged: usize,
    /// Answers on the wrong side of contact.
    pub wrong_decisions: usize,
    /// Distances more than a micrometre off, of methods that compute one.
    pub off: Option<usize>,
    /// Answers on the wrong side or off.
    #[serde(default)]
    pub bad: usize,
    /// In metres.
    pub median_error: Option<f64>,
    /// In metres.
    pub worst_error: Option<f64>,
    /// Share of answers the closed-form contact space paper would accept.
    pub acceptable: Option<f64>,
    pub published: Option<Published>,
    pub missing: Option<String>,
}

impl Row {
    /// A method that was not run.
    pub fn missing(
        representation: &str,
        method: &str,
        why: &str,
        published: Option<Published>,
    ) -> Self {
        Self {
            representation: representation.into(),
            method: method.into(),
            micros: None,
            sweep_means: Vec::new(),
            iterations: None,
            median_iterations: None,
            unconverged: 0,
            wrong_decisions: 0,
            off: None,
            bad: 0,
            median_error: None,
            worst_error: None,
            acceptable: None,
            published,
            missing: Some(why.into()),
        }
    }

    /// Mean time in microseconds, of methods that were run.
    pub fn mean(&self) -> Option<f64> {
        self.micros.map(|micros| micros.mean)
    }

    /// Relative difference of the two fastest repetitions; `None` without two.
    pub fn noise(&self) -> Option<f64> {
        let mut means = self.sweep_means.clone();
        means.sort_by(f64::total_cmp);
        match means[..] {
            [least, second, ..] if least > 0.0 => Some(second / least - 1.0),
            _ => None,
        }
    }
}

/// One table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Section {
    pub name: String,
    pub rows: Vec<Row>,
}

/// A whole run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Results {
    /// Machine, versions, commit, options and seeds, each with its name.
    pub circumstances: Vec<(String, String)>,
    pub sections: Vec<Section>,
}
