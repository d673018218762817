//! Runs a method on every pair, times each query separately, and checks every answer.

use super::pair::Pair;
use super::results::{Published, Row};
use super::statistics::{Summary, median};
use std::hint::black_box;
use std::time::Instant;

/// An answer is off when it is farther than this from the proven bounds: 1 µm, the accuracy stated by the thesis.
pub(crate) const OFF: f64 = 1e-6;

/// Whether the run was interrupted. Called from all threads.
pub(crate) type Stopped<'a> = &'a (dyn Fn() -> bool + Sync);

/// Result of a method for a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Found {
    pub contact: bool,
    /// Signed distance in metres, of methods that compute it.
    pub distance: Option<f64>,
    pub converged: bool,
    pub iterations: Option<u32>,
    /// |n × (x₁ − x₂)| of the witnesses, in metres, of methods that have them.
    pub skew: Option<f64>,
}

impl Found {
    /// A decision alone.
    pub fn decision(contact: bool) -> Self {
        Self { contact, distance: None, converged: true, iterations: None, skew: None }
    }
}

/// The times and answers of one method over a set of pairs.
#[derive(Debug, Clone)]
pub(crate) struct Measured {
    /// Least time of each pair over the sweeps, in nanoseconds.
    pub nanos: Vec<u64>,
    /// Two independent measurements, to estimate the noise: mean of the least times over the even and over the odd sweeps,
    /// in microseconds. One number if there is only one sweep.
    pub halves: Vec<f64>,
    pub found: Vec<Found>,
}

/// Times every pair in several sweeps and keeps the least time of each. That excludes interference by other programs, and
/// keeps the caches realistic: all other pairs run between two repetitions of a pair. The answers are those of the last
/// complete sweep. An interrupt ends it before the next pair: an incomplete first sweep keeps its pairs, a later one only
/// its times.
pub(crate) fn measure(
    pairs: &[Pair],
    sweeps: usize,
    stopped: Stopped,
    ask: &dyn Fn(&Pair) -> Found,
) -> Measured {
    measure_numbered(pairs, sweeps, stopped, &|_, pair| ask(pair))
}

/// As [`measure`]; the method is told which of the pairs it is asked about.
pub(crate) fn measure_numbered(
    pairs: &[Pair],
    sweeps: usize,
    stopped: Stopped,
    ask: &dyn Fn(usize, &Pair) -> Found,
) -> Measured {
    let mut halves = [vec![u64::MAX; pairs.len()], vec![u64::MAX; pairs.len()]];
    let mut complete_sweeps = 0;
    let mut found = Vec::new();
    for sweep in 0..sweeps.max(1) {
        let mut answers = Vec::with_capacity(pairs.len());
        for (k, (pair, least)) in pairs.iter().zip(&mut halves[sweep % 2]).enumerate() {
            if stopped() {
                break;
            }
            let start = Instant::now();
            let answer = black_box(ask(k, black_box(pair)));
            let time = start.elapsed().as_nanos() as u64;
            answers.push(answer);
            *least = time.min(*least);
        }
        let complete = answers.len() == pairs.len();
        complete_sweeps += usize::from(complete);
        if complete || sweep == 0 {
            found = answers;
        }
        if !complete {
            break;
        }
    }
    let whole = halves.iter().take(complete_sweeps);
    let mean =
        |half: &Vec<u64>| half.iter().sum::<u64>() as f64 / 1000.0 / half.len().max(1) as f64;
    let means = whole.map(mean).collect();
    let [one, other] = &halves;
    let nanos = one.iter().zip(other).map(|(one, other)| *one.min(other)).take(found.len());
    Measured { nanos: nanos.collect(), halves: means, found }
}

impl Measured {
    /// The row of a table: times, and every answer checked against the certified one.
    pub fn row(
        &self,
        pairs: &[Pair],
        representation: &str,
        method: &str,
        published: Option<Published>,
    ) -> Row {
        let both = || pairs.iter().zip(&self.found);
        // Pairs whose overlap is not proven either way are not counted.
        let is_wrong = |(p, f): &(&Pair, &Found)| p.overlaps().is_some_and(|yes| yes != f.contact);
        let is_off = |(p, f): &(&Pair, &Found)| f.distance.is_some_and(|d| p.error(d) > OFF);
        let errors: Vec<f64> = both().filter_map(|(p, f)| f.distance.map(|d| p.error(d))).collect();
        let iterations: Vec<f64> =
            self.found.iter().filter_map(|f| f.iterations.map(f64::from)).collect();
        let skews: Vec<f64> = self.found.iter().filter_map(|f| f.skew).collect();
        let has_errors = !errors.is_empty();
        let acceptable = skews.iter().filter(|s| **s < ACCEPTABLE_SKEW).count();
        Row {
            representation: representation.into(),
            method: method.into(),
            micros: Summary::of_nanos(&self.nanos),
            sweep_means: self.halves.clone(),
            iterations: mean(&iterations),
            median_iterations: median(iterations.iter().copied()),
            unconverged: self.found.iter().filter(|f| !f.converged).count(),
            wrong_decisions: both().filter(is_wrong).count(),
            off: has_errors.then(|| both().filter(is_off).count()),
            bad: both().filter(|pair| is_wrong(pair) || is_off(pair)).count(),
            median_error: median(errors.iter().copied()),
            worst_error: errors.iter().copied().reduce(f64::max),
            acceptable: (!skews.is_empty()).then(|| acceptable as f64 / skews.len() as f64),
            published,
            missing: None,
        }
    }
}

/// What the closed-form contact space paper accepts (eq. 22), in metres.
pub(crate) const ACCEPTABLE_SKEW: f64 = 1e-5;

/// The mean; `None` if there are no numbers.
pub(crate) fn mean(numbers: &[f64]) -> Option<f64> {
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Shape;
    use crate::math::{Pose, Vec3};
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Unit balls with their centres this far apart.
    fn balls(apart: f64) -> Pair {
        let ball = Shape::sphere(1.0).unwrap();
        let there = Pose::new(Vec3::x() * apart, Vec3::zeros());
        Pair::new("balls".into(), (ball.clone(), Pose::identity()), (ball, there))
    }

    #[test]
    fn wrong_decisions_distances_that_are_off_and_answers_without_convergence_are_counted() {
        let pairs = [balls(1.5), balls(1.0), balls(3.0)];
        // Right; off by a millimetre; the wrong side.
        let lies = |pair: &Pair| {
            let apart = (pair.pose_b.translation.vector - pair.pose_a.translation.vector).norm();
            let distance = match apart {
                1.0 => -1.001,
                3.0 => -1.0,
                _ => apart - 2.0,
            };
            Found {
                contact: distance < 0.0,
                distance: Some(distance),
                converged: apart != 1.0,
                iterations: Some(2),
                skew: None,
            }
        };
        let measured = measure(&pairs, 3, &|| false, &lies);
        let row = measured.row(&pairs, "balls", "liar", None);
        assert_eq!((row.wrong_decisions, row.off, row.unconverged), (1, Some(2), 1));
        assert_eq!(row.bad, 2, "the wrong side and a distance that is off of one pair count once");
        assert!((row.worst_error.unwrap() - 2.0).abs() < 1e-6, "{row:?}");
        assert_eq!((row.iterations, measured.halves.len()), (Some(2.0), 2));
        assert_eq!(row.median_iterations, Some(2.0));
    }

    #[test]
    fn being_stopped_keeps_what_was_measured() {
        let pairs = [balls(1.5), balls(1.0), balls(3.0)];
        // Asked before every pair: stopped in the first sweep after two pairs, or in the second after one.
        for (allowed, sweeps, count) in [(2, 0, 2), (4, 1, 3)] {
            let asked = AtomicUsize::new(0);
            let stopped = || asked.fetch_add(1, Ordering::Relaxed) >= allowed;
            let measured = measure(&pairs, 1000, &stopped, &|_| Found::decision(true));
            assert_eq!((measured.halves.len(), measured.found.len()), (sweeps, count));
            assert_eq!(measured.nanos.len(), count);
            assert!(measured.nanos.iter().all(|n| *n < u64::MAX));
            assert_eq!(measured.row(&pairs, "balls", "yes", None).micros.unwrap().count, count);
        }
    }
}
