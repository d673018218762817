//! Table V of the closed-form contact space paper: superquadrics and poly-ellipsoids in motion.

use super::beside_ours;
use super::failure::Failure;
use super::grasp::Run;
use super::measure::{ACCEPTABLE_SKEW, mean};
use super::methods;
use super::random_pairs::{MovingPair, motions};
use super::results::{Published, Row};
use super::statistics::Summary;
use crate::command_line::table::{Table, short};
use crate::math::Vec3;
use crate::query::{
    Collision, Fixed, Motion, MotionOptions, MotionStatus, PairQuery, QueryOptions, RigidMotion,
    time_of_impact,
};
use std::hint::black_box;
use std::time::Instant;

/// Sampled times that check the answer of a motion.
const SAMPLES: usize = 400;
/// Largest distance at the time of contact, in metres.
const TOUCHING: f64 = 1e-6;

const OURS: &str = "ours: proven first contact";
const CONTACT_SPACE: &str = "CFC-Dist-LS";

/// Result of a method for a motion.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Said {
    /// When the bodies first touch, if they do.
    time: Option<f64>,
    finished: bool,
    /// Iterations, or distance queries of a method that consists of them.
    steps: u32,
    /// |n × (x₁ − x₂)| of the witnesses at the moment found, in metres.
    skew: Option<f64>,
}

/// A method: its name, and `None` when this build does not contain it.
type Method = (&'static str, Option<fn(&MovingPair, &RigidMotion) -> Said>);

fn ours(pair: &MovingPair, motion: &RigidMotion) -> Said {
    let fixed = Fixed { pose: pair.pose_a };
    let answer = time_of_impact(&pair.a, &fixed, &pair.b, motion, &MotionOptions::default());
    let gap = answer.distance.witness_a_w - answer.distance.witness_b_w;
    Said {
        time: answer.time,
        finished: answer.status == MotionStatus::Converged,
        steps: answer.iterations,
        skew: Some(skew(&answer.distance.normal_ab_w, &gap)),
    }
}

/// |n × (x₁ − x₂)|, in metres.
fn skew(normal: &Vec3, gap: &Vec3) -> f64 {
    normal.cross(gap).norm()
}

#[cfg(feature = "baselines")]
fn contact_space(pair: &MovingPair, motion: &RigidMotion) -> Said {
    let there = |time: f64| motion.pose_at(time);
    match crate::baselines::first_contact(&pair.a, &pair.pose_a, &pair.b, &there) {
        Ok(answer) => {
            let closest = answer.closest;
            let gap = closest.point_a_w - closest.point_b_w;
            Said {
                time: answer.contact,
                finished: closest.converged,
                steps: closest.iterations,
                skew: Some(skew(&closest.normal_ab_w, &gap)),
            }
        }
        Err(_) => Said { time: None, finished: false, steps: 0, skew: None },
    }
}

#[cfg(feature = "baselines")]
const METHODS: [Method; 2] = [(CONTACT_SPACE, Some(contact_space)), (OURS, Some(ours))];
#[cfg(not(feature = "baselines"))]
const METHODS: [Method; 2] = [(CONTACT_SPACE, None), (OURS, Some(ours))];

/// Whether sampled times contradict the answer: overlap before the contact, or separation at it.
fn contradicted(pair: &MovingPair, time: Option<f64>) -> bool {
    let motion = RigidMotion::between(&pair.start, &pair.end);
    let options = QueryOptions::default();
    let overlaps = |t: f64| {
        let there = motion.pose_at(t);
        let query = PairQuery::new(&pair.a, &pair.pose_a, &pair.b, &there);
        matches!(query.collides(), Collision::Overlapping { .. })
    };
    let until = time.unwrap_or(1.0);
    let before = (0..SAMPLES).map(|k| k as f64 / SAMPLES as f64).filter(|t| *t < until - 1e-9);
    if before.into_iter().any(overlaps) {
        return true;
    }
    time.is_some_and(|t| {
        let there = motion.pose_at(t);
        let found = crate::query::distance(&pair.a, &pair.pose_a, &pair.b, &there, &options);
        found.distance.abs() > TOUCHING
    })
}

/// Times every motion by itself, the least of several sweeps, and checks every answer; `None` when stopped before the
/// first sweep was over.
fn measure(
    all: &[MovingPair],
    run: &Run,
    ask: fn(&MovingPair, &RigidMotion) -> Said,
) -> Option<(Row, usize)> {
    let mut nanos = vec![u64::MAX; all.len()];
    let mut sweep_means = Vec::new();
    let mut answers = Vec::new();
    for _ in 0..run.sweeps.max(1) {
        if (run.stopped)() {
            break;
        }
        answers.clear();
        for (pair, least) in all.iter().zip(&mut nanos) {
            let motion = RigidMotion::between(&pair.start, &pair.end);
            let start = Instant::now();
            let answer = black_box(ask(pair, &motion));
            *least = (start.elapsed().as_nanos() as u64).min(*least);
            answers.push(answer);
        }
        sweep_means.push(nanos.iter().sum::<u64>() as f64 / 1000.0 / all.len().max(1) as f64);
    }
    if sweep_means.is_empty() {
        return None;
    }
    let steps: Vec<f64> = answers.iter().map(|a| f64::from(a.steps)).collect();
    let skews: Vec<f64> = answers.iter().filter_map(|a| a.skew).collect();
    let acceptable = skews.iter().filter(|s| **s < ACCEPTABLE_SKEW).count();
    let wrong = all.iter().zip(&answers).filter(|(p, a)| contradicted(p, a.time)).count();
    let mut row = Row::missing("", "", "", None);
    (row.micros, row.missing, row.sweep_means) = (Summary::of_nanos(&nanos), None, sweep_means);
    (row.wrong_decisions, row.bad, row.iterations) = (wrong, wrong, mean(&steps));
    row.unconverged = answers.iter().filter(|a| !a.finished).count();
    row.acceptable = (!skews.is_empty()).then(|| acceptable as f64 / skews.len() as f64);
    Some((row, answers.iter().filter(|a| a.time.is_some()).count()))
}

/// Table V. Every answer is checked at sampled times.
pub(crate) fn table_5(count: usize, run: &Run) -> Result<(Table, Vec<Row>), Failure> {
    let columns = [
        "motion",
        "method",
        "motions",
        "with contact",
        "mean µs",
        "published (table V)",
        "median",
        "p99",
        "iterations or distance queries",
        "published (table V)",
        "right",
        "meets eq. 22",
        "published (table V)",
        "unfinished",
        beside_ours::HEADING,
    ];
    let mut table = Table::new(&columns, 2);
    let mut rows = Vec::new();
    let cases = [
        ("translation", false, 232.6, 30.0, 0.9080),
        ("rotation and translation", true, 297.9, 33.0, 0.8490),
    ];
    for (name, turning, mean, iterations, right) in cases {
        let all = motions(count, turning).map_err(|e| Failure::Other(e.to_string()))?;
        let mut measured = Vec::new();
        for (method, ask) in METHODS {
            let published = (method == CONTACT_SPACE).then_some(Published {
                mean: Some(mean),
                sigma: None,
                iterations: Some(iterations),
                right: Some(right),
            });
            let (mut row, hits) = match ask {
                Some(ask) => match measure(&all, run, ask) {
                    Some(found) => found,
                    None => return Ok((table, rows)),
                },
                None => (Row::missing(name, method, methods::NOT_BUILT, None), 0),
            };
            (row.representation, row.method) = (name.into(), method.into());
            row.published = published;
            measured.push((row, hits));
        }
        let ours = measured.iter().find(|(row, _)| row.method == OURS);
        let ours = ours.and_then(|(row, _)| row.mean());
        for (row, hits) in measured {
            let beside = match row.method.as_str() {
                OURS => String::new(),
                _ => beside_ours::ratio(row.mean(), ours),
            };
            table.row([line(&row, hits), vec![beside]].concat());
            rows.push(row);
        }
    }
    Ok((table, rows))
}

/// The cells of a row. A method that was not run has its published value and the reason.
fn line(row: &Row, hits: usize) -> Vec<String> {
    let percent = |x: f64| format!("{:.2} %", 100.0 * x);
    let time = |get: fn(&Summary) -> f64| row.micros.as_ref().map_or("".into(), |t| short(get(t)));
    let counted = |n: usize| row.micros.map_or("".into(), |_| n.to_string());
    let count = row.micros.map_or(0, |t| t.count);
    let printed = |get: fn(Published) -> Option<f64>| row.published.and_then(get);
    vec![
        row.representation.clone(),
        row.method.clone(),
        counted(count),
        counted(hits),
        row.missing.clone().unwrap_or_else(|| time(|t| t.mean)),
        printed(|p| p.mean).map_or("".into(), |x| format!("{x}")),
        time(|t| t.median),
        time(|t| t.p99),
        row.iterations.map_or("".into(), |n| format!("{n:.1}")),
        printed(|p| p.iterations).map_or("".into(), |x| format!("{x}")),
        row.micros.map_or("".into(), |_| percent(1.0 - row.bad as f64 / count.max(1) as f64)),
        row.acceptable.map_or("".into(), percent),
        printed(|p| p.right).map_or("".into(), percent),
        counted(row.unconverged),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_is_never_contradicted_and_a_contact_missed_early_or_late_always_is() {
        for turning in [false, true] {
            let all = motions(20, turning).unwrap();
            let mut hits = 0;
            for pair in &all {
                let motion = RigidMotion::between(&pair.start, &pair.end);
                let said = ours(pair, &motion);
                assert!(said.finished && !contradicted(pair, said.time));
                if let Some(time) = said.time {
                    hits += 1;
                    assert!(contradicted(pair, None) && contradicted(pair, Some(time - 0.01)));
                    assert!(contradicted(pair, Some(time + 0.01)));
                }
            }
            assert!((5..20).contains(&hits), "{hits}");
        }
    }
}
