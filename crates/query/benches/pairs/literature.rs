//! The solvers of the source papers, each beside ours to the same question.

use crate::ours;
use crate::sets::Set;
use crate::timing::time;
use smooth_scene_query::{PairQuery, QueryOptions};
use smooth_scene_test_support::families::PosedPair;

/// Pairs of a set that the baselines are run on; the slow ones take a tenth of a millisecond each.
const BASELINE_PAIRS: usize = 400;

/// One row per solver of the literature: mean time, that of ours to the same question, how many answers are off by more than
/// 1e-6 of the size or on the wrong side of contact, and how many pairs an overlap test leaves undecided.
pub fn baselines(set: &Set, certified: &QueryOptions) {
    use smooth_scene_baselines::Solver;
    for (case, pairs) in [("apart", &set.apart), ("overlapping", &set.overlapping)] {
        let pairs = &pairs[..pairs.len().min(BASELINE_PAIRS)];
        let distance_time = time(pairs, |_, p| ours(p, &QueryOptions::default())).mean;
        let overlap_time =
            time(pairs, |_, p| PairQuery::new(&p.a, &p.pose_a, &p.b, &p.pose_b).collides()).mean;
        for solver in Solver::ALL {
            let solve = |p: &PosedPair| solver.solve(&p.a, &p.pose_a, &p.b, &p.pose_b);
            let Ok(found) = pairs.iter().map(solve).collect::<Result<Vec<_>, _>>() else {
                continue;
            };
            let gives_sign_only = found.iter().all(|answer| answer.distance.is_infinite());
            let (mut wrong, mut undecided) = (0, 0);
            for (pair, found) in pairs.iter().zip(&found) {
                let truth = ours(pair, certified);
                if gives_sign_only && !found.converged {
                    undecided += 1;
                } else if gives_sign_only {
                    wrong += usize::from((found.distance > 0.0) != (truth.distance > 0.0));
                } else {
                    let off = (truth.lower - found.distance).max(found.distance - truth.upper);
                    wrong += usize::from(off.is_nan() || off > 1e-6 * pair.size());
                }
            }
            let (question, our_time) = if gives_sign_only {
                ("overlap", overlap_time)
            } else {
                ("distance", distance_time)
            };
            let micros = time(pairs, |_, p| solve(p)).mean;
            println!(
                "| {} | {case} | {} | {question} | {micros:.2} | {our_time:.2} | {:.1} | {wrong} | {undecided} | {} |",
                set.kind.name(),
                solver.name(),
                micros / our_time,
                pairs.len(),
            );
        }
    }
}
