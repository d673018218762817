//! Times of single queries.

use smooth_scene_test_support::families::PosedPair;
use std::hint::black_box;
use std::time::Instant;

/// Sweeps over all pairs. The least time of a pair counts, since the machine is shared.
const SWEEPS: usize = 7;

/// Microseconds per query over a set.
pub struct Times {
    pub mean: f64,
    pub median: f64,
    pub p99: f64,
}

/// The least time of each pair in several sweeps, without that of reading the clock, and of these the mean and percentiles.
pub fn time<T>(pairs: &[PosedPair], mut query: impl FnMut(usize, &PosedPair) -> T) -> Times {
    let clock = (0..1000).map(|_| Instant::now().elapsed().as_secs_f64()).fold(1.0, f64::min);
    let mut least = vec![f64::INFINITY; pairs.len()];
    for _ in 0..SWEEPS {
        for (index, pair) in pairs.iter().enumerate() {
            let start = Instant::now();
            black_box(query(index, black_box(pair)));
            least[index] = least[index].min((start.elapsed().as_secs_f64() - clock) * 1e6);
        }
    }
    let mean = least.iter().sum::<f64>() / least.len() as f64;
    least.sort_unstable_by(f64::total_cmp);
    let at = |part: f64| least[((least.len() - 1) as f64 * part) as usize];
    Times { mean, median: at(0.5), p99: at(0.99) }
}
