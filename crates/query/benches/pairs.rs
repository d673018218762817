//! Our query against Parry's GJK/EPA on the same pairs with the same support functions, in one process.

use cpu_time::ThreadTime;
use parry3d_f64::math::{Pose as ParryPose, Vector as ParryVector};
use parry3d_f64::query::details::contact_support_map_support_map_with_params;
use parry3d_f64::query::gjk::{GJKResult, VoronoiSimplex};
use parry3d_f64::shape::SupportMap;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_geometry::{ConvexSurface, Ellipsoid, Shape};
use smooth_scene_query::{self, PairQuery, QueryOptions, SignedDistance, SolveStatus, distance};
use smooth_scene_test_support::families::{PosedPair, Rng, pose, superquadric};
use std::hint::black_box;

/// Parry works with absolute tolerances made for sizes around one: it gets the pairs in millimetres.
const MILLIMETRES: f64 = 1000.0;

struct InMillimetres<'a>(&'a Shape);

impl SupportMap for InMillimetres<'_> {
    fn local_support_point(&self, dir: ParryVector) -> ParryVector {
        let p = self.0.support(&Vec3::new(dir.x, dir.y, dir.z)).point * MILLIMETRES;
        ParryVector::new(p.x, p.y, p.z)
    }
}

fn parry_pose(pose_ab: &Pose) -> ParryPose {
    let (t, q) = (pose_ab.translation.vector * MILLIMETRES, pose_ab.rotation.coords);
    ParryPose::from_parts(
        ParryVector::new(t.x, t.y, t.z),
        parry3d_f64::math::Rotation::from_xyzw(q.x, q.y, q.z, q.w),
    )
}

/// Parry's signed distance in metres and its normal, or nothing when it gives up.
fn parry(pair: &PosedPair, start: Option<ParryVector>) -> Option<(f64, ParryVector)> {
    let pose_ab = parry_pose(&pair.pose_a.inv_mul(&pair.pose_b));
    let simplex = &mut VoronoiSimplex::new();
    let (a, b) = (InMillimetres(&pair.a), InMillimetres(&pair.b));
    match contact_support_map_support_map_with_params(&pose_ab, &a, &b, f64::MAX, simplex, start) {
        GJKResult::ClosestPoints(p, q, n) => Some(((q - p).dot(n) / MILLIMETRES, n)),
        _ => None,
    }
}

fn ours(pair: &PosedPair, options: &QueryOptions) -> SignedDistance {
    distance(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b, options)
}

/// A set of the benchmark: pairs apart and pairs overlapping, equally many.
struct Set {
    name: &'static str,
    apart: Vec<PosedPair>,
    overlapping: Vec<PosedPair>,
}

fn set(name: &'static str, seed: u64, count: usize) -> Set {
    let hand = [0.005, 0.03];
    let mut rng = Rng::new(seed);
    let mut set = Set { name, apart: Vec::new(), overlapping: Vec::new() };
    while set.apart.len() < count || set.overlapping.len() < count {
        let mut shape = || -> Shape {
            match name {
                "superellipsoids" => superquadric(&mut rng, hand, [0.3, 1.7], 0.0),
                "superovoids" => superquadric(&mut rng, hand, [0.3, 1.7], 0.4),
                _ => Ellipsoid::new(rng.radii(hand[0], hand[1])).unwrap().into(),
            }
        };
        let (a, b) = (shape(), shape());
        let pair = pose(&mut rng, a, b, [0.1, 1.3]);
        let side = if ours(&pair, &QueryOptions::default()).distance > 0.0 {
            &mut set.apart
        } else {
            &mut set.overlapping
        };
        if side.len() < count {
            side.push(pair);
        }
    }
    set
}

/// The pair one control step later: about a millimetre and a degree.
fn moved(pair: &PosedPair, rng: &mut Rng) -> PosedPair {
    let mut next = pair.clone();
    next.pose_b.translation.vector += rng.direction() * 5e-4;
    let turn = nalgebra::UnitQuaternion::from_scaled_axis(rng.direction() * 0.01);
    next.pose_b.rotation = turn * next.pose_b.rotation;
    next
}

/// Mean microseconds per pair: the fastest of several sweeps, since the machine is shared.
fn time<T>(pairs: &[PosedPair], mut query: impl FnMut(usize, &PosedPair) -> T) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let start = ThreadTime::now();
        for (index, pair) in pairs.iter().enumerate() {
            black_box(query(index, black_box(pair)));
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    best * 1e6 / pairs.len() as f64
}

/// Pairs of a set that the baselines are run on; the slow ones take a tenth of a millisecond each.
const BASELINE_PAIRS: usize = 400;

/// One row per solver of the literature: mean time, that of ours to the same question, how many answers are off by more than
/// 1e-6 of the size or on the wrong side of contact, and how many pairs an overlap test leaves undecided.
fn baselines(set: &Set, certified: &QueryOptions) {
    use smooth_scene_baselines::Solver;
    for (case, pairs) in [("apart", &set.apart), ("overlapping", &set.overlapping)] {
        let pairs = &pairs[..pairs.len().min(BASELINE_PAIRS)];
        let distance_time = time(pairs, |_, p| ours(p, &QueryOptions::default()));
        let overlap_time =
            time(pairs, |_, p| PairQuery::new(&p.a, &p.pose_a, &p.b, &p.pose_b).collides());
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
            let micros = time(pairs, |_, p| solve(p));
            println!(
                "| {} | {case} | {} | {question} | {micros:.2} | {our_time:.2} | {:.1} | {wrong} | {undecided} | {} |",
                set.name,
                solver.name(),
                micros / our_time,
                pairs.len(),
            );
        }
    }
}

/// Wall-clock ratio of one thread to all of them on the same pairs.
fn batch(set: &Set) {
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
        set.name,
        pairs.len(),
        std::thread::available_parallelism().map_or(1, |n| n.get()),
        pairs.len() as f64 / all,
        one / all,
    );
}

fn main() {
    let count = std::env::var("PAIRS").ok().and_then(|s| s.parse().ok()).unwrap_or(2000);
    let fast = QueryOptions::default();
    let certified = QueryOptions::certified();
    println!("CPU time of one thread, best of five sweeps over {count} pairs per row; seed 11.");
    println!(
        "Wrong: off by more than 1e-9 of the size (ours) or 1e-6 (Parry) from certified bounds.\n"
    );
    println!(
        "| set | case | ours µs | Parry µs | ratio | our worst error | our wrong | Parry wrong |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let mut sets = Vec::new();
    for name in ["superellipsoids", "superovoids", "ellipsoids"] {
        if std::env::var("ONLY").is_ok_and(|only| only != name) {
            continue;
        }
        let set = set(name, 11, count);
        for (case, pairs) in [("apart", &set.apart), ("overlapping", &set.overlapping)] {
            let truth: Vec<SignedDistance> = pairs.iter().map(|p| ours(p, &certified)).collect();
            let wrong = |found: &dyn Fn(usize) -> f64, tolerance: f64| {
                let (mut worst, mut count) = (0f64, 0);
                for (i, pair) in pairs.iter().enumerate() {
                    let (d, size) = (found(i), pair.size());
                    let error = (truth[i].lower - d).max(d - truth[i].upper).max(0.0) / size;
                    worst = worst.max(error);
                    count += usize::from(error > tolerance);
                }
                (worst, count)
            };
            let (worst, our_wrong) = wrong(&|i| ours(&pairs[i], &fast).distance, 1e-9);
            let (_, parry_wrong) = wrong(&|i| parry(&pairs[i], None).map_or(0.0, |r| r.0), 1e-6);
            let our_time = time(pairs, |_, p| ours(p, &fast));
            let parry_time = time(pairs, |_, p| parry(p, None));
            println!(
                "| {} | {case}, cold | {our_time:.2} | {parry_time:.2} | {:.1} | {worst:.1e} | {our_wrong} | {parry_wrong} |",
                set.name,
                parry_time / our_time,
            );
            let mut rng = Rng::new(5);
            let next: Vec<PosedPair> = pairs.iter().map(|p| moved(p, &mut rng)).collect();
            let warm: Vec<_> = pairs.iter().map(|p| ours(p, &fast).warm).collect();
            let parry_warm: Vec<_> = pairs.iter().map(|p| parry(p, None).map(|r| r.1)).collect();
            let from = |i: usize, p: &PosedPair| {
                PairQuery::new(&p.a, &p.pose_a, &p.b, &p.pose_b).warm_start(&warm[i]).distance()
            };
            let mut disagree = 0;
            let mut worst = 0f64;
            for (i, p) in next.iter().enumerate() {
                let t = ours(p, &certified);
                let d = from(i, p).distance;
                let e = (t.lower - d).max(d - t.upper).max(0.0) / p.size();
                worst = worst.max(e);
                disagree += usize::from(e > 1e-9);
            }
            let our_time = time(&next, from);
            let parry_time = time(&next, |i, p| parry(p, parry_warm[i]));
            println!(
                "| {} | {case}, warm | {our_time:.2} | {parry_time:.2} | {:.1} | {worst:.1e} | {disagree} | |",
                set.name,
                parry_time / our_time,
            );
            if case == "overlapping" {
                let certified_time =
                    time(&pairs[..pairs.len().min(300)], |_, p| ours(p, &certified));
                let gap = truth.iter().zip(pairs).map(|(t, p)| (t.upper - t.lower) / p.size());
                let open = truth.iter().filter(|t| t.status != SolveStatus::Certified).count();
                println!(
                    "| {} | certified | {certified_time:.1} | | | worst gap {:.1e} | open {open} | |",
                    set.name,
                    gap.fold(0.0, f64::max),
                );
            }
        }
        sets.push(set);
    }
    println!("\n| set | pairs | cores | pairs per second | batch over one core |");
    println!("|---|---|---|---|---|");
    sets.iter().for_each(batch);
    println!(
        "\n| set | case | solver | question | µs | ours µs | times ours | wrong | undecided | pairs |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    sets.iter().for_each(|set| baselines(set, &certified));
}
