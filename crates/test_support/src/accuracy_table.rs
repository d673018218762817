//! Measures a family of pairs for the accuracy table and for the test that keeps its promises.

use crate::families::{PosedPair, Rng, family_pair};
use crate::slow_search::{separation_along, slow_signed_distance};
use smooth_scene_query::{QueryOptions, SignedDistance, SolveStatus, distance};
use std::ops::RangeInclusive;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The seeds of the published table.
pub const SEEDS: RangeInclusive<u64> = 1..=5;
/// Pairs of each family and seed in the published table.
pub const PAIRS: usize = 1000;

/// One in so many pairs is compared with the slow search, which takes most of a second for a pair of tapered bodies.
pub fn check_every(family: &str) -> usize {
    if family == "tapered" { 50 } else { 10 }
}

/// What is promised about bodies apart, in multiples of the size of the pair; also what counts as another depth.
pub const PROMISED_GAP: f64 = 1e-9;
/// Rounding of the two evaluations that are compared, some thousand operations of the last bit.
pub const ROUNDING: f64 = 1e-12;

/// One row of the table. Lengths are in multiples of the size of the pair: the largest of both bounding radii and the
/// distance of the centres.
#[derive(Debug, Clone, Default)]
pub struct FamilyRow {
    pub family: String,
    pub pairs: usize,
    /// Pairs whose answer does not say that they overlap.
    pub apart: usize,
    /// Widest proven bound on a distance.
    pub worst_gap: f64,
    /// Bounds on a distance wider than promised.
    pub wide: usize,
    /// Bounds on both sides of zero that are wider than promised: the answer says neither apart nor overlapping.
    pub undecided: usize,
    pub overlapping: usize,
    /// Depths of the fast mode that are not the least one.
    pub fast_wrong: usize,
    pub worst_fast_error: f64,
    /// Widest proven bound on a depth, and how many are wider than the tolerance asked for.
    pub certified_gap: f64,
    pub certified_open: usize,
    /// Pairs compared with the slow search, and how many answers hold it between their bounds.
    pub checked: usize,
    pub inside: usize,
    /// Answers, compared or not, whose lower bound is above the separation along their own normal.
    pub unreal: usize,
    pub panics: usize,
    /// The pairs that broke a promise, for reproduction.
    pub broken: Vec<String>,
}

/// Measures the first `pairs` pairs of a family for each seed.
pub fn measure(family: &str, pairs: usize, seeds: RangeInclusive<u64>) -> FamilyRow {
    let mut row = FamilyRow { family: family.into(), ..FamilyRow::default() };
    for seed in seeds {
        row.pairs += pairs;
        row.add_seed(family, pairs, seed);
    }
    row
}

impl FamilyRow {
    fn add_seed(&mut self, family: &str, pairs: usize, seed: u64) {
        let mut rng = Rng::new(seed);
        for index in 0..pairs {
            let Ok(pair) = catch_unwind(AssertUnwindSafe(|| family_pair(family, &mut rng))) else {
                self.panics += 1;
                continue;
            };
            let label = format!("{family} seed {seed} index {index}");
            let checked = index % check_every(family) == 0;
            let mut counted = self.clone();
            match catch_unwind(AssertUnwindSafe(|| counted.count(&pair, checked, &label))) {
                Ok(()) => *self = counted,
                Err(_) => {
                    self.panics += 1;
                    self.broken.push(format!("{label}: panic {pair:?}"));
                }
            }
        }
    }

    fn count(&mut self, pair: &PosedPair, checked: bool, label: &str) {
        let size = pair.size();
        let query = |options: QueryOptions| {
            distance(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b, &options)
        };
        let fast = query(QueryOptions::default());
        let mut broken = Vec::new();
        let mut truth = f64::NEG_INFINITY;
        if checked {
            truth = slow_signed_distance(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b).value;
            self.checked += 1;
        }
        let mut answers = vec![fast];
        if fast.status == SolveStatus::DepthUnproven {
            let proven = query(QueryOptions::certified());
            answers.push(proven);
            self.overlapping += 1;
            let error = (proven.distance.max(truth) - fast.distance) / size;
            self.worst_fast_error = self.worst_fast_error.max(error);
            self.fast_wrong += usize::from(error > PROMISED_GAP);
            self.certified_gap = self.certified_gap.max((proven.upper - proven.lower) / size);
            self.certified_open += usize::from(proven.status != SolveStatus::Certified);
        } else {
            let gap = (fast.upper - fast.lower) / size;
            self.apart += 1;
            self.worst_gap = self.worst_gap.max(gap);
            if gap > PROMISED_GAP {
                self.wide += 1;
                self.undecided += usize::from(fast.lower <= 0.0 && fast.upper > 0.0);
                broken.push(format!("gap {gap:.1e}"));
            }
        }
        let rounding = ROUNDING * size;
        let is_real = answers.iter().all(|found| found.lower <= real_lower(pair, found) + rounding);
        let is_below = answers.iter().all(|found| truth <= found.upper + rounding);
        self.inside += usize::from(checked && is_real && is_below);
        if !is_real {
            self.unreal += 1;
            let real = real_lower(pair, &fast);
            broken.push(format!("the separation along the normal is {real}"));
        }
        if !is_below {
            broken.push(format!("the slow search found {truth}"));
        }
        if !broken.is_empty() {
            self.broken.push(format!("{label}: {}\n  {fast:?}\n  {pair:?}", broken.join(", ")));
        }
    }

    /// The share of compared answers that hold the slow search between their bounds.
    pub fn inside_percent(&self) -> f64 {
        100.0 * self.inside as f64 / self.checked.max(1) as f64
    }

    pub fn markdown(&self) -> String {
        let wrong_percent = 100.0 * self.fast_wrong as f64 / self.overlapping.max(1) as f64;
        format!(
            "| {} | {} | {} | {:.1e} | {} | {} | {} ({:.2} %) | {:.1e} | {:.1e} | {} | {} | {:.1} % of {} | {} |",
            self.family,
            self.pairs,
            self.apart,
            self.worst_gap,
            self.undecided,
            self.overlapping,
            self.fast_wrong,
            wrong_percent,
            self.worst_fast_error,
            self.certified_gap,
            self.certified_open,
            self.unreal,
            self.inside_percent(),
            self.checked,
            self.panics,
        )
    }
}

/// The separation along the normal of an answer, which its lower bound must not exceed. With an upper bound that is not
/// below the slow search, whose value may be too low but never too high, that is all the bounds claim.
fn real_lower(pair: &PosedPair, found: &SignedDistance) -> f64 {
    separation_along(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b, &found.normal_ab_w)
}

/// The head of the table.
pub fn header() -> String {
    let columns = [
        "family",
        "pairs",
        "apart",
        "worst gap / size",
        "undecided",
        "overlapping",
        "fast depth wrong",
        "worst fast error / size",
        "worst certified gap / size",
        "certified above tolerance",
        "lower bound above the separation along the normal",
        "slow search inside the bounds",
        "panics",
    ];
    let line = "|---".repeat(columns.len());
    format!("| {} |\n{line}|", columns.join(" | "))
}
