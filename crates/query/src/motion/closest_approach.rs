//! How close do two bodies pass that never touch? The global minimum of the distance over time, with its proof.
//!
//! The distance over time has several local minima in general. Two steps alternate:
//!
//! 1. *Descend*: from a moment nearer than the best so far, follow the rate of the distance to the bottom.
//! 2. *Sweep*: prove, with the steps of the conservative advancement, that the distance stays above
//!    `best − tolerance`, from t = 0 on. A moment below the best found on the way leads back to 1.
//!
//! The level only sinks, so what was proven for a higher level stays proven. Branch and bound with the intervals in
//! order of time: nothing has to be stored. At each moment the distance is at least `tolerance` above the level, so the
//! sweep ends after at most 1/√(tolerance/K) steps, K the bound on the acceleration along the normal.

use crate::motion::moving_pair::{Moment, MovingPair};
use crate::motion::question::{MotionOptions, MotionStatus, TimeOfImpact};
use crate::motion::rigid_motion::Motion;
use crate::motion::tuning::descent::{
    DESCENT_SHARE, FIRST_STRIDE, MAX_BRACKET_STEPS, STRIDE_GROWTH,
};

/// Completes the answer for a motion that is proven free.
pub(crate) fn closest_approach<M: Motion, N: Motion>(
    pair: &mut MovingPair<'_, M, N>,
    free: &TimeOfImpact,
    options: &MotionOptions,
) -> TimeOfImpact {
    let tolerance = options.closest_tolerance * pair.size().max(free.distance.distance);
    let nearest = Moment { time: free.closest_time, found: free.distance };
    let mut best = descend(pair, nearest, tolerance, options.max_queries);
    let mut now = Moment { time: 0.0, found: pair.distance_at(0.0) };
    // The motion is known to be free: a level below that proof would be a waste.
    let level = |best: &Moment| free.lower.max(best.found.lower - tolerance);
    while now.time < 1.0 && pair.queries < options.max_queries {
        let next = pair.step(&now, level(&best));
        if next.time <= now.time {
            break;
        }
        now = next;
        if now.found.distance < best.found.distance {
            let bottom = descend(pair, now, tolerance, options.max_queries);
            best = nearer(bottom, nearer(now, best));
        }
    }
    let proven = now.time >= 1.0;
    TimeOfImpact {
        closest_time: best.time,
        distance: best.found,
        lower: if proven { level(&best) } else { free.lower },
        status: if proven { MotionStatus::Converged } else { MotionStatus::BudgetExhausted },
        iterations: pair.queries,
        ..*free
    }
}

fn nearer(a: Moment, b: Moment) -> Moment {
    if a.found.distance <= b.found.distance { a } else { b }
}

/// A moment with the rate of the distance there.
#[derive(Clone, Copy)]
struct Slope {
    moment: Moment,
    rate: f64,
}

fn slope_at<M: Motion, N: Motion>(pair: &MovingPair<'_, M, N>, moment: Moment) -> Slope {
    Slope { moment, rate: pair.rate(&moment) }
}

fn visit<M: Motion, N: Motion>(pair: &mut MovingPair<'_, M, N>, time: f64) -> Slope {
    let found = pair.distance_at(time);
    slope_at(pair, Moment { time, found })
}

/// The local minimum downhill from `start`: strides until the rate changes sign, then the zero of the rate by secants
/// kept inside the bracket. Stops when the bracket cannot hide more than a share of the tolerance.
fn descend<M: Motion, N: Motion>(
    pair: &mut MovingPair<'_, M, N>,
    start: Moment,
    tolerance: f64,
    max_queries: u32,
) -> Moment {
    let mut behind = slope_at(pair, start);
    let direction = if behind.rate < 0.0 { 1.0 } else { -1.0 };
    let mut stride = FIRST_STRIDE;
    let mut best = start;
    let mut ahead = loop {
        let time = (behind.moment.time + direction * stride).clamp(0.0, 1.0);
        if time == behind.moment.time || pair.queries >= max_queries {
            return best;
        }
        let next = visit(pair, time);
        best = nearer(next.moment, best);
        if next.rate * direction >= 0.0 || next.moment.found.distance > behind.moment.found.distance
        {
            break next;
        }
        behind = next;
        stride *= STRIDE_GROWTH;
    };
    for step in 0..MAX_BRACKET_STEPS {
        let width = (ahead.moment.time - behind.moment.time).abs();
        let hidden = width * behind.rate.abs().min(ahead.rate.abs());
        if hidden <= DESCENT_SHARE * tolerance || pair.queries >= max_queries {
            break;
        }
        // Secant on the rate; every third step halves, so that a kink cannot hold the bracket open.
        let secant = behind.rate / (behind.rate - ahead.rate);
        let usable = step % 3 < 2 && secant > 0.02 && secant < 0.98;
        let fraction = if usable { secant } else { 0.5 };
        let time = behind.moment.time + fraction * (ahead.moment.time - behind.moment.time);
        let next = visit(pair, time);
        best = nearer(next.moment, best);
        if next.rate * direction >= 0.0 {
            ahead = next;
        } else {
            behind = next;
        }
    }
    best
}
