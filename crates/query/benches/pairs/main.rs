//! Our query against Parry's GJK/EPA on the same pairs with the same support functions, in one process.
//!
//! Every answer that is timed is compared with the certified one. Settings are variables of the environment: `PAIRS` of each
//! set and side, `SEED` of the sets, and `ONLY` one set; `QUICK=1` leaves out the solvers of the papers and the batches.

mod batch;
mod literature;
mod parry;
mod sets;
mod timing;

use parry::parry;
use sets::{Kind, Set, moved};
use smooth_scene_query::{PairQuery, QueryOptions, SignedDistance, SolveStatus, distance};
use smooth_scene_test_support::families::{PosedPair, Rng};
use timing::{Times, time};

/// Pairs of a set that are certified; each takes a tenth of a millisecond.
const CERTIFIED_PAIRS: usize = 300;

fn ours(pair: &PosedPair, options: &QueryOptions) -> SignedDistance {
    distance(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b, options)
}

/// How far answers are from certified ones.
#[derive(Default)]
struct Errors {
    /// The largest distance from the certified bounds, in multiples of the size.
    worst: f64,
    /// Answers farther off than some tolerance.
    wrong: usize,
    /// Answers on the other side of contact by more than that.
    wrong_side: usize,
}

impl Errors {
    fn of(
        pairs: &[PosedPair],
        truth: &[SignedDistance],
        tolerance: f64,
        answer: impl Fn(usize, &PosedPair) -> f64,
    ) -> Self {
        let mut errors = Self::default();
        for (index, (pair, truth)) in pairs.iter().zip(truth).enumerate() {
            let (found, size) = (answer(index, pair), pair.size());
            let error = (truth.lower - found).max(found - truth.upper).max(0.0) / size;
            errors.worst = errors.worst.max(error);
            let is_wrong = error > tolerance || found.is_nan();
            errors.wrong += usize::from(is_wrong);
            let is_other_side = (found > 0.0) != (truth.distance > 0.0);
            errors.wrong_side += usize::from(is_wrong && is_other_side);
        }
        errors
    }
}

/// One row of the table.
fn row(set: &Set, case: &str, ours: &Times, parry: &Times, errors: &Errors, parry_wrong: &str) {
    println!(
        "| {} | {case} | {:.2} | {:.2} | {:.2} | {:.2} | {:.1} | {:.1e} | {} | {} | {parry_wrong} |",
        set.kind.name(),
        ours.mean,
        ours.median,
        ours.p99,
        parry.mean,
        parry.mean / ours.mean,
        errors.worst,
        errors.wrong,
        errors.wrong_side,
    );
}

fn cold(set: &Set, case: &str, pairs: &[PosedPair], truth: &[SignedDistance]) {
    let fast = QueryOptions::default();
    let errors = Errors::of(pairs, truth, 1e-9, |_, p| ours(p, &fast).distance);
    let of_parry = Errors::of(pairs, truth, 1e-6, |_, p| parry(p, None).map_or(0.0, |r| r.0));
    let our_times = time(pairs, |_, p| ours(p, &fast));
    let parry_times = time(pairs, |_, p| parry(p, None));
    let parry_wrong = of_parry.wrong.to_string();
    row(set, &format!("{case}, cold"), &our_times, &parry_times, &errors, &parry_wrong);
}

/// The same pairs one control step later, from the answers to the first.
fn warm(set: &Set, case: &str, pairs: &[PosedPair]) {
    let (fast, certified) = (QueryOptions::default(), QueryOptions::certified());
    let mut rng = Rng::new(5);
    let next: Vec<PosedPair> = pairs.iter().map(|p| moved(p, &mut rng)).collect();
    let warm: Vec<_> = pairs.iter().map(|p| ours(p, &fast).warm).collect();
    let parry_warm: Vec<_> = pairs.iter().map(|p| parry(p, None).map(|r| r.1)).collect();
    let truth: Vec<SignedDistance> = next.iter().map(|p| ours(p, &certified)).collect();
    let from = |i: usize, p: &PosedPair| {
        PairQuery::new(&p.a, &p.pose_a, &p.b, &p.pose_b).warm_start(&warm[i]).distance()
    };
    let errors = Errors::of(&next, &truth, 1e-9, |i, p| from(i, p).distance);
    let our_times = time(&next, from);
    let parry_times = time(&next, |i, p| parry(p, parry_warm[i]));
    row(set, &format!("{case}, warm"), &our_times, &parry_times, &errors, "");
}

fn certified(set: &Set, truth: &[SignedDistance]) {
    let options = QueryOptions::certified();
    let pairs = &set.overlapping[..set.overlapping.len().min(CERTIFIED_PAIRS)];
    let Times { mean, median, p99 } = time(pairs, |_, p| ours(p, &options));
    let gap = truth.iter().zip(&set.overlapping).map(|(t, p)| (t.upper - t.lower) / p.size());
    let open = truth.iter().filter(|t| t.status != SolveStatus::Certified).count();
    println!(
        "| {} | certified | {mean:.1} | {median:.1} | {p99:.1} | | | worst gap {:.1e} | open {open} | | |",
        set.kind.name(),
        gap.fold(0.0, f64::max),
    );
}

/// A number from the environment.
fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| {
        text.parse().unwrap_or_else(|_| panic!("{name}={text}: not a whole number"))
    })
}

fn main() {
    let (count, seed) = (setting("PAIRS", 2000) as usize, setting("SEED", 11));
    let options = QueryOptions::certified();
    println!("Least of several sweeps over {count} pairs per row, one thread, in µs; seed {seed}.");
    println!(
        "Wrong: off by more than 1e-9 of the size (ours) or 1e-6 (Parry) from certified bounds; of these on the other side\n\
         of contact.\n"
    );
    println!(
        "| set | case | ours | median | p99 | Parry | ratio | our worst error | our wrong | other side | Parry wrong |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    let only = std::env::var("ONLY").ok();
    let mut sets = Vec::new();
    for kind in Kind::ALL {
        if only.as_ref().is_some_and(|only| only != kind.name()) {
            continue;
        }
        let set = Set::new(kind, seed, count);
        for (case, pairs) in [("apart", &set.apart), ("overlapping", &set.overlapping)] {
            let truth: Vec<SignedDistance> = pairs.iter().map(|p| ours(p, &options)).collect();
            cold(&set, case, pairs, &truth);
            warm(&set, case, pairs);
            if case == "overlapping" {
                certified(&set, &truth);
            }
        }
        sets.push(set);
    }
    if setting("QUICK", 0) == 1 {
        return;
    }
    println!("\n| set | pairs | cores | pairs per second | batch over one core |");
    println!("|---|---|---|---|---|");
    sets.iter().for_each(batch::batch);
    println!(
        "\n| set | case | solver | question | µs | ours µs | times ours | wrong | undecided | pairs |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    sets.iter().for_each(|set| literature::baselines(set, &options));
}
