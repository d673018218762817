//! Worlds of 10 to 100 000 objects around the hands: what building, moving and asking costs.
//!
//! The hands stay in the middle and the density is the same everywhere: a larger world is the smaller one and more
//! around it. What is near the hands is the same from about 100 objects on, so that what grows is due to the number.

use std::collections::BTreeSet;
use std::hint::black_box;
use std::path::Path;

use cpu_time::ThreadTime;
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_scene::{
    BodyId, CheckRequest, NearestRequest, PairLevel, PlanningScene, SceneObject, Workspace,
    WorldChange,
};

use crate::counting_allocator::live_bytes;
use smooth_scene_test_support::families::Rng;
use smooth_scene_test_support::log_log_plot::{Plot, Series};

const COUNTS: [usize; 5] = [10, 100, 1000, 10_000, 100_000];
/// Room for one object: a cube of this edge, m.
const SPACING: f64 = 0.06;
/// Objects that may be near the hands: all within half a metre and more.
const NEAR_HANDS: usize = 4000;
/// Every so manyeth state of the movement.
const STEP: usize = 4;

/// The row of what an object takes.
const HEAP: &str = "heap, bytes per object";

/// What was measured in worlds of all sizes; one name, then one number for each size.
type Table = Vec<(&'static str, Vec<f64>)>;

pub fn measure(empty: &PlanningScene, movement: &[Vec<f64>], plot: &Path) {
    let path: Vec<Vec<f64>> = movement.iter().step_by(STEP).cloned().collect();
    let crowded = objects_around(middle(empty, &path));
    let free = without_touched(empty, &path, &crowded);
    let mut costs: Table = Vec::new();
    let mut upkeep: Table = Vec::new();
    for count in COUNTS {
        let world = build(empty, &free[..count], &mut upkeep);
        ask_free(&world, &path, &mut costs);
        let world = build(empty, &crowded[..count], &mut Vec::new());
        ask_crowded(&world, &path, &mut costs);
    }
    print_table("µs of one core per state of the movement, hands against the world", &costs);
    print_table("building, moving and keeping", &upkeep);
    print_marginal_bytes(&upkeep);
    let curve = |(name, values): &(&str, Vec<f64>)| {
        let points = COUNTS.iter().zip(values).map(|(&n, &v)| [n as f64, v]).collect();
        Series { name: (*name).into(), points }
    };
    let series: Vec<Series> = costs.iter().map(curve).collect();
    let title = "Two hands against a world: cost of a question";
    let (x_label, y_label) = ("objects in the world", "µs per state, one core");
    Plot { title, x_label, y_label, series: &series }.write(plot);
}

/// The middle of the links over the movement.
fn middle(scene: &PlanningScene, path: &[Vec<f64>]) -> Vec3 {
    let (mut sum, mut count) = (Vec3::zeros(), 0.0);
    for q in path {
        let poses = smooth_scene_robot::forward_kinematics(scene.model(), q).unwrap();
        let shaped =
            scene.model().link_ids().filter(|id| !scene.model().link(*id).collisions.is_empty());
        for id in shaped {
            sum += poses[id].translation.vector;
            count += 1.0;
        }
    }
    sum / count
}

/// Boxes and smooth bodies, the innermost first; more than are needed.
fn objects_around(middle: Vec3) -> Vec<SceneObject> {
    let mut rng = Rng::new(7);
    let count = COUNTS[COUNTS.len() - 1] + NEAR_HANDS;
    let object = |k: usize| {
        // The ball of k rooms: 4/3 π r³ = k · SPACING³.
        let rooms = (k as f64 + rng.unit()) * 0.75 / std::f64::consts::PI;
        let at = middle + rng.direction() * (SPACING * rooms.cbrt());
        let pose = Pose::from_parts(at.into(), rng.rotation());
        let shape = match k % 2 {
            0 => Shape::cuboid([0.008, 0.012, 0.01]),
            _ => Shape::superellipsoid([0.01, 0.012, 0.008], 0.7, 0.8),
        };
        SceneObject::simple(&format!("object_{k}"), pose, shape.unwrap()).unwrap()
    };
    (0..count).map(object).collect()
}

/// The objects that the hands touch nowhere on the way.
fn without_touched(
    empty: &PlanningScene,
    path: &[Vec<f64>],
    objects: &[SceneObject],
) -> Vec<SceneObject> {
    let near = build(empty, &objects[..NEAR_HANDS], &mut Vec::new());
    let (check, mut ws, mut out) = (world_only(), Workspace::cold(), Vec::new());
    let mut touched = BTreeSet::new();
    for q in path {
        near.contacts(q, &check, PairLevel::Bodies, &mut ws, &mut out).unwrap();
        for found in &out {
            if let BodyId::Object(id) = found.body_b {
                touched.insert(near.world().get(id).unwrap().name().to_string());
            }
        }
    }
    println!("{} of the inner {NEAR_HANDS} objects are touched on the way", touched.len());
    objects.iter().filter(|object| !touched.contains(object.name())).cloned().collect()
}

fn world_only() -> CheckRequest {
    CheckRequest { robot: false, ..CheckRequest::default() }
}

/// Notes a number in the row of this name.
fn note(table: &mut Table, name: &'static str, value: f64) {
    match table.iter_mut().find(|row| row.0 == name) {
        Some(row) => row.1.push(value),
        None => table.push((name, vec![value])),
    }
}

/// Adds the objects one by one, moves each a little and back, and measures.
fn build(empty: &PlanningScene, objects: &[SceneObject], upkeep: &mut Table) -> PlanningScene {
    let count = objects.len() as f64;
    let mut scene = empty.clone();
    let copies = objects.to_vec();
    let names: usize = objects.iter().map(|object| object.name().len()).sum();
    let before = live_bytes();
    let start = ThreadTime::now();
    for object in copies {
        scene.apply(WorldChange::Add(object)).unwrap();
    }
    note(upkeep, "add, µs per object", start.elapsed().as_secs_f64() * 1e6 / count);
    // The copies are gone but for their names, which the world took over.
    let freed = size_of_val(objects);
    let bytes = (live_bytes() + freed - before + names) as f64;
    let moves: Vec<[WorldChange; 2]> = objects.iter().map(moves_of).collect();
    let start = ThreadTime::now();
    for change in moves.into_iter().flatten() {
        scene.apply(change).unwrap();
    }
    note(upkeep, "move by 1 cm, µs", start.elapsed().as_secs_f64() * 1e6 / (2.0 * count));
    note(upkeep, HEAP, bytes / count);
    note(upkeep, "World::memory_bytes per object", scene.world().memory_bytes() as f64 / count);
    scene
}

fn moves_of(object: &SceneObject) -> [WorldChange; 2] {
    let there = Pose::translation(0.01, 0.0, 0.0) * object.pose();
    [there, *object.pose()].map(|pose| WorldChange::Move { name: object.name().into(), pose })
}

/// Mean cost of a state in µs of this thread: the least of three rounds.
pub fn micros(path: &[Vec<f64>], mut ask: impl FnMut(&[f64])) -> f64 {
    let round = |_| {
        let start = ThreadTime::now();
        path.iter().for_each(|q| ask(q));
        start.elapsed().as_secs_f64() * 1e6 / path.len() as f64
    };
    (0..3).map(round).fold(f64::INFINITY, f64::min)
}

/// A world that is touched nowhere: every question has to look at all that is near.
fn ask_free(scene: &PlanningScene, path: &[Vec<f64>], costs: &mut Table) {
    let (check, mut ws, mut out) = (world_only(), Workspace::cold(), Vec::new());
    let yes_no =
        micros(path, |q| assert!(!black_box(scene.in_collision(q, &check, &mut ws).unwrap())));
    note(costs, "free: yes or no", yes_no);
    let within = NearestRequest { check, max_distance: 0.05, ..NearestRequest::default() };
    let near = micros(path, |q| scene.nearest(q, &within, &mut ws, &mut out).unwrap());
    note(costs, "free: all within 5 cm", near);
    let nearest = NearestRequest { max_results: 1, max_distance: f64::INFINITY, ..within };
    let one = micros(path, |q| scene.nearest(q, &nearest, &mut ws, &mut out).unwrap());
    note(costs, "free: nearest pair", one);
}

/// A world that the hands pass through.
fn ask_crowded(scene: &PlanningScene, path: &[Vec<f64>], costs: &mut Table) {
    let (check, mut ws, mut out) = (world_only(), Workspace::cold(), Vec::new());
    let level = PairLevel::Bodies;
    let contacts = micros(path, |q| scene.contacts(q, &check, level, &mut ws, &mut out).unwrap());
    note(costs, "touching: every contact", contacts);
    let mut count = 0;
    for q in path {
        scene.contacts(q, &check, level, &mut ws, &mut out).unwrap();
        count += out.len();
    }
    println!("{} objects: {} contacts in {} states", scene.world().len(), count, path.len());
    let nearest = NearestRequest { check, max_results: 1, ..NearestRequest::default() };
    let one = micros(path, |q| scene.nearest(q, &nearest, &mut ws, &mut out).unwrap());
    note(costs, "touching: deepest pair", one);
}

/// Rows as Markdown, with the exponent of every decade and those fitted to all sizes and to 100 and more.
fn print_table(title: &str, table: &Table) {
    let sizes: Vec<String> = COUNTS.iter().map(usize::to_string).collect();
    println!("\n{title}\n\n| | {} | exponents | all sizes | 100 up |", sizes.join(" | "));
    println!("|---{}|---|---:|---:|", "|---:".repeat(COUNTS.len()));
    for (name, values) in table {
        let numbers: Vec<String> = values.iter().map(|v| format!("{v:.2}")).collect();
        let steps: Vec<String> =
            values.windows(2).map(|v| format!("{:.2}", (v[1] / v[0]).log10())).collect();
        let (all, from_100) = (exponent(&COUNTS, values), exponent(&COUNTS[1..], &values[1..]));
        let (numbers, steps) = (numbers.join(" | "), steps.join(", "));
        println!("| {name} | {numbers} | {steps} | {all:.2} | {from_100:.2} |");
    }
}

/// The slope of the straight line through log cost against log size, by least squares.
fn exponent(counts: &[usize], values: &[f64]) -> f64 {
    let points: Vec<[f64; 2]> =
        counts.iter().zip(values).map(|(&n, v)| [(n as f64).ln(), v.ln()]).collect();
    let mean = |i: usize| points.iter().map(|p| p[i]).sum::<f64>() / points.len() as f64;
    let (x, y) = (mean(0), mean(1));
    let both: f64 = points.iter().map(|p| (p[0] - x) * (p[1] - y)).sum();
    let square: f64 = points.iter().map(|p| (p[0] - x).powi(2)).sum();
    both / square
}

/// Heap bytes of each object beyond the world of the size before.
fn print_marginal_bytes(upkeep: &Table) {
    let Some((_, each)) = upkeep.iter().find(|row| row.0 == HEAP) else { return };
    let whole: Vec<f64> = COUNTS.iter().zip(each).map(|(&n, bytes)| n as f64 * bytes).collect();
    let steps: Vec<String> = (1..COUNTS.len())
        .map(|k| {
            let more = (COUNTS[k] - COUNTS[k - 1]) as f64;
            let bytes = (whole[k] - whole[k - 1]) / more;
            format!("{} to {}: {bytes:.0}", COUNTS[k - 1], COUNTS[k])
        })
        .collect();
    println!("\nheap bytes of each further object: {}", steps.join(", "));
}
