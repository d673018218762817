//! Many pairs over all cores.

use crate::ours;
use crate::sets::Set;
use smooth_scene_query::QueryOptions;
use std::hint::black_box;

/// Wall-clock ratio of one thread to all of them on the same pairs.
pub fn batch(set: &Set) {
    let options = QueryOptions::default();
    let both = || set.apart.iter().chain(&set.overlapping);
    let pairs: Vec<_> = both()
        .map(|p| smooth_scene_query::PosedPair {
            a: &p.a,
            pose_a: &p.pose_a,
            b: &p.b,
            pose_b: &p.pose_b,
        })
        .collect();
    let wall = |run: &mut dyn FnMut()| {
        let mut best = f64::INFINITY;
        for _ in 0..5 {
            let start = std::time::Instant::now();
            run();
            best = best.min(start.elapsed().as_secs_f64());
        }
        best
    };
    let one = wall(&mut || {
        for pair in both() {
            black_box(ours(pair, &options));
        }
    });
    let all = wall(&mut || drop(black_box(smooth_scene_query::distance_batch(&pairs, &options))));
    println!(
        "| {} | {} | {} | {:.0} | {:.2} |",
        set.kind.name(),
        pairs.len(),
        std::thread::available_parallelism().map_or(1, |n| n.get()),
        pairs.len() as f64 / all,
        one / all,
    );
}
