//! The tree of boxes from ten to a hundred thousand objects, with Parry's on the same boxes, and the robot's pair filter.
//!
//! The objects have a few centimetres to decimetres and stand at the same density in a cube that grows with their
//! number; the queries are the boxes of two hands at fifty places. Times are those of the thread, the best of several runs.

use cpu_time::ThreadTime;
use parry3d_f64::bounding_volume::Aabb as ParryAabb;
use parry3d_f64::math::Vector as ParryVector;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy};
use smooth_scene_geometry::Aabb;
use smooth_scene_geometry::broad_phase::{AabbTree, BoxLanes, BroadPhase, PairFilter, STOP};
use smooth_scene_geometry::math::Vec3;
use smooth_scene_test_support::families::Rng;
use std::hint::black_box;

/// Two hands have this many surfaces.
const HAND_BOXES: usize = 44;
/// Metres around the boxes of the hands that are searched.
const MARGIN: f64 = 0.05;
/// Metres of side for every object: one object in eight litres.
const SPACING: f64 = 0.2;

/// Moves of a centimetre, in random directions, that every object makes before the search "crept".
const CREEPS: usize = 20;

fn random_box(rng: &mut Rng, side: f64, half: [f64; 2]) -> Aabb {
    let center = Vec3::from_fn(|_, _| rng.uniform(-0.5, 0.5) * side);
    let half = Vec3::from_fn(|_, _| rng.log_uniform(half[0], half[1]));
    Aabb { min: center - half, max: center + half }
}

fn world(rng: &mut Rng, count: u32, side: f64) -> Vec<(u32, Aabb)> {
    (0..count).map(|id| (id, random_box(rng, side, [0.02, 0.15]))).collect()
}

/// Two hands somewhere in the world.
fn hands(rng: &mut Rng, side: f64) -> Vec<Aabb> {
    let place = Vec3::from_fn(|_, _| rng.uniform(-0.4, 0.4) * side);
    (0..HAND_BOXES).map(|_| moved(&random_box(rng, 0.4, [0.01, 0.03]), &place)).collect()
}

fn moved(aabb: &Aabb, step: &Vec3) -> Aabb {
    Aabb { min: aabb.min + step, max: aabb.max + step }
}

/// Seconds of the fastest run; the state is prepared anew for each.
fn time<S, T>(
    runs: usize,
    mut prepare: impl FnMut() -> S,
    mut run: impl FnMut(&mut S) -> T,
) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..runs {
        let mut state = prepare();
        let start = ThreadTime::now();
        black_box(run(&mut state));
        best = best.min(start.elapsed().as_secs_f64());
    }
    best
}

/// What is measured for one number of objects: name, seconds for everything, and by how many to divide.
type Row = Vec<(&'static str, f64, usize)>;

fn near_count(tree: &AabbTree, queries: &[Aabb]) -> usize {
    let mut found = 0;
    for aabb in queries {
        tree.for_each_near(aabb, MARGIN, |_, _| {
            found += 1;
            MARGIN
        });
    }
    found
}

fn nearest_sum(tree: &AabbTree, queries: &[Aabb]) -> f64 {
    let mut sum = 0.0;
    for aabb in queries {
        tree.for_each_nearest(aabb, f64::INFINITY, |_, distance| {
            sum += distance;
            STOP
        });
    }
    sum
}

fn ours(
    boxes: &[(u32, Aabb)],
    queries: &[Aabb],
    steps: &[Vec3],
    runs: usize,
) -> (Row, usize, usize) {
    let count = boxes.len();
    let tree = AabbTree::from_boxes(boxes.iter().copied()).unwrap();
    let small: Vec<_> = boxes.iter().zip(steps).map(|((id, b), s)| (*id, moved(b, s))).collect();
    let insert_all = || {
        let mut tree = AabbTree::new();
        boxes.iter().for_each(|(id, aabb)| tree.insert(*id, aabb).unwrap());
        tree
    };
    let update_all = |tree: &mut AabbTree, to: &[(u32, Aabb)]| {
        to.iter().for_each(|(id, aabb)| tree.update(*id, aabb).unwrap());
    };
    // Everyone to the place of someone else.
    let far: Vec<_> =
        (0..count).map(|i| (i as u32, boxes[(i * 7 + count / 2) % count].1)).collect();
    let (grown, mut shuffled) = (insert_all(), tree.clone());
    update_all(&mut shuffled, &far);
    let mut crept = tree.clone();
    let mut rng = Rng::new(7);
    for _ in 0..CREEPS {
        for id in 0..count as u32 {
            let step = rng.direction() * 0.01;
            crept.update(id, &moved(crept.get(id).unwrap(), &step)).unwrap();
        }
    }
    let pairs = |tree: &mut &AabbTree| {
        let mut found = 0;
        tree.for_each_pair(0.0, |_, _, _| {
            found += 1;
            0.0
        });
        found
    };
    let per_query = queries.len();
    let row = vec![
        ("build", time(runs, || (), |_| AabbTree::from_boxes(boxes.iter().copied())), count),
        ("insert each", time(runs, || (), |_| insert_all()), count),
        ("move all", time(runs, || tree.clone(), |t| t.update_many(&small)), count),
        ("move each 1 cm", time(runs, || tree.clone(), |t| update_all(t, &small)), count),
        ("move each far", time(runs, || tree.clone(), |t| update_all(t, &far)), count),
        ("clone", time(runs, || (), |_| tree.clone()), count),
        ("near", time(20, || (), |_| near_count(&tree, queries)), per_query),
        ("near, inserted", time(20, || (), |_| near_count(&grown, queries)), per_query),
        ("near, shuffled", time(20, || (), |_| near_count(&shuffled, queries)), per_query),
        ("near, crept", time(20, || (), |_| near_count(&crept, queries)), per_query),
        ("nearest", time(20, || (), |_| nearest_sum(&tree, queries)), per_query),
        ("pairs", time(runs, || &tree, pairs), count),
    ];
    (row, near_count(&tree, queries), tree.memory_bytes())
}

fn parry_box(aabb: &Aabb) -> ParryAabb {
    let vector = |v: &Vec3| ParryVector::new(v.x, v.y, v.z);
    ParryAabb::new(vector(&aabb.min), vector(&aabb.max))
}

fn parry_near_count(tree: &Bvh, queries: &[Aabb]) -> usize {
    let mut found = 0;
    for aabb in queries {
        let query = parry_box(aabb);
        found += tree
            .leaves(|node| {
                let gap = (node.mins() - query.maxs).max(query.mins - node.maxs());
                gap.max(ParryVector::ZERO).length_squared() <= MARGIN * MARGIN
            })
            .count();
    }
    found
}

fn parry(
    boxes: &[(u32, Aabb)],
    queries: &[Aabb],
    steps: &[Vec3],
    runs: usize,
) -> (Row, usize, usize) {
    let count = boxes.len();
    let leaves: Vec<ParryAabb> = boxes.iter().map(|(_, aabb)| parry_box(aabb)).collect();
    let small: Vec<_> =
        boxes.iter().zip(steps).map(|((_, b), s)| parry_box(&moved(b, s))).collect();
    let build = || Bvh::from_leaves(BvhBuildStrategy::Binned, &leaves);
    let tree = build();
    let update_all = |tree: &mut Bvh| {
        for (id, aabb) in small.iter().enumerate() {
            tree.reinsert_or_update_with_change_detection(*aabb, id as u32, 0.0);
        }
    };
    let row = vec![
        ("build", time(runs, || (), |_| build()), count),
        ("move each 1 cm", time(runs, || tree.clone(), update_all), count),
        ("near", time(20, || (), |_| parry_near_count(&tree, queries)), queries.len()),
    ];
    (row, parry_near_count(&tree, queries), tree.heap_memory_size())
}

/// Times for one element, and the exponent of the whole work against the number of objects, from the row before.
fn print_row(who: &str, count: usize, row: &Row, before: Option<&(usize, Row)>, bytes: usize) {
    println!("\n{who}, {count} objects, {:.0} bytes each", bytes as f64 / count as f64);
    for (index, (name, seconds, divisor)) in row.iter().enumerate() {
        let exponent = before.map_or(String::new(), |(fewer, old)| {
            let growth = (seconds / old[index].1).ln() / (count as f64 / *fewer as f64).ln();
            format!("n^{growth:.2}")
        });
        println!("  {name:<16}{:>10.1} ns each   {exponent}", seconds * 1e9 / *divisor as f64);
    }
}

fn pair_filter(rng: &mut Rng) {
    for count in [HAND_BOXES, 100] {
        let boxes: Vec<Aabb> = (0..count).map(|_| random_box(rng, 0.4, [0.01, 0.03])).collect();
        let pairs: Vec<(usize, usize)> =
            (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b))).collect();
        let filter = PairFilter::new(count, pairs.iter().copied()).unwrap();
        let mut lanes = BoxLanes::new(count);
        let repeat = 1000;
        let mut found = Vec::with_capacity(pairs.len());
        println!("\npair filter, {count} boxes, {} pairs", pairs.len());
        for margin in [0.0, 0.005, MARGIN] {
            let lanes_time = time(
                20,
                || (),
                |_| {
                    for _ in 0..repeat {
                        found.clear();
                        black_box(&boxes)
                            .iter()
                            .enumerate()
                            .for_each(|(i, aabb)| lanes.set(i, aabb));
                        filter.for_each_within(&lanes, black_box(margin), |a, b, _| {
                            found.push((a, b))
                        });
                        black_box(&found);
                    }
                },
            );
            let lanes_found = found.len();
            let loop_time = time(
                20,
                || (),
                |_| {
                    for _ in 0..repeat {
                        found.clear();
                        let near = |&&(a, b): &&(usize, usize)| {
                            boxes[a].distance(&boxes[b]) <= black_box(margin)
                        };
                        found.extend(black_box(&pairs).iter().filter(near));
                        black_box(&found);
                    }
                },
            );
            assert_eq!(lanes_found, found.len());
            let micros = |seconds: f64| seconds * 1e6 / f64::from(repeat);
            println!(
                "  margin {margin:<6} {lanes_found:>4} found: {:.2} µs with setting the boxes; plain loop over the pairs {:.2} µs",
                micros(lanes_time),
                micros(loop_time)
            );
        }
    }
}

fn main() {
    let mut rng = Rng::new(3);
    pair_filter(&mut rng);
    let (mut before, mut parry_before) = (None, None);
    for count in [10, 100, 1000, 10_000, 100_000u32] {
        let side = SPACING * f64::from(count).cbrt();
        let boxes = world(&mut rng, count, side);
        let queries: Vec<Aabb> = (0..50).flat_map(|_| hands(&mut rng, side)).collect();
        let steps: Vec<Vec3> = boxes.iter().map(|_| rng.direction() * 0.01).collect();
        let runs = if count >= 100_000 { 3 } else { 10 };
        let (row, found, bytes) = ours(&boxes, &queries, &steps, runs);
        print_row("ours", count as usize, &row, before.as_ref(), bytes);
        println!("  found a query   {:>10.2}", found as f64 / queries.len() as f64);
        let (parry_row, parry_found, parry_bytes) = parry(&boxes, &queries, &steps, runs);
        print_row("Parry", count as usize, &parry_row, parry_before.as_ref(), parry_bytes);
        assert_eq!(found, parry_found);
        before = Some((count as usize, row));
        parry_before = Some((count as usize, parry_row));
    }
}
