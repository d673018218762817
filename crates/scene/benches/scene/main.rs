//! What a question about two hands costs, on one core and on all, with few and with many surfaces and objects:
//! `cargo bench -p smooth_scene_scene --bench scene`. Draws docs/hands_cost.svg and docs/scene_scaling.svg.

use smooth_scene_test_support::hands;
use smooth_scene_test_support::movement;
use smooth_scene_test_support::repository_file;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use cpu_time::ThreadTime;

use smooth_scene_robot::LinkId;
use smooth_scene_robot::srdf::Srdf;
use smooth_scene_scene::{CheckRequest, NearestRequest, PairLevel, PlanningScene, Workspace};

use growing_world::micros;
use smooth_scene_test_support::log_log_plot::{Plot, Series};

mod counting_allocator;
mod growing_world;

fn time(label: &str, states: &[Vec<f64>], repeat: usize, mut ask: impl FnMut(&[f64]) -> usize) {
    let mut found = 0;
    // The time of this thread: what else the machine does does not count.
    let start = ThreadTime::now();
    for _ in 0..repeat {
        found = states.iter().map(|state| ask(state)).sum();
    }
    let micros = start.elapsed().as_secs_f64() * 1e6 / (repeat * states.len()) as f64;
    println!("{label:<46} {micros:9.2} µs per state, {found} found in {} states", states.len());
}

fn one_core(scene: &PlanningScene, label: &str, states: &[Vec<f64>], fresh: fn() -> Workspace) {
    let request = CheckRequest::default();
    let mut out = Vec::new();
    let mut ws = fresh();
    time(&format!("{label}: yes or no"), states, 5, |q| {
        black_box(scene.in_collision(q, &request, &mut ws).unwrap()) as usize
    });
    let mut ws = fresh();
    time(&format!("{label}: every contact"), states, 5, |q| {
        scene.contacts(q, &request, PairLevel::Bodies, &mut ws, &mut out).unwrap();
        out.len()
    });
    let request = NearestRequest { max_distance: 0.05, ..NearestRequest::default() };
    let mut ws = fresh();
    time(&format!("{label}: nearer than 0.05 m"), states, 3, |q| {
        scene.nearest(q, &request, &mut ws, &mut out).unwrap();
        out.len()
    });
    let request = NearestRequest { max_results: 1, ..NearestRequest::default() };
    let mut ws = fresh();
    time(&format!("{label}: the nearest pair"), states, 3, |q| {
        scene.nearest(q, &request, &mut ws, &mut out).unwrap();
        out.len()
    });
}

/// The bundled hands with their SRDF, and the first so many surfaces of each hand; the others may touch anything.
fn icub(name: &str, surfaces: usize) -> PlanningScene {
    let folder = repository_file("urdf");
    let model = movement::bundled(&format!("{name}.urdf"));
    let text = std::fs::read_to_string(folder.join("icub_hands.srdf")).unwrap();
    let (mut semantics, _) = Srdf::parse(&text, name).unwrap().resolve(&model).unwrap();
    for side in ["r_", "l_"] {
        let on_side = |id: &LinkId| {
            let link = model.link(*id);
            link.name.starts_with(side) && !link.collisions.is_empty()
        };
        semantics.allowed_by_default.extend(model.link_ids().filter(on_side).skip(surfaces));
    }
    PlanningScene::new(model, Some(semantics)).unwrap()
}

/// The two-hand movement.
fn grasp(scene: &PlanningScene) -> Vec<Vec<f64>> {
    let states = movement::two_hand_grasp(scene.model());
    states.iter().map(|state| state.positions().to_vec()).collect()
}

fn two_hands(scene: &PlanningScene) {
    let (surfaces, pairs) = scene.robot_size();
    println!("{surfaces} surfaces, {pairs} pairs");
    let path = grasp(scene);
    let random = hands::random_states(scene.model(), 2000, 1);
    one_core(scene, "path, warm", &path, Workspace::warm);
    one_core(scene, "path, cold", &path, Workspace::cold);
    one_core(scene, "random, cold", &random, Workspace::cold);
    let many = hands::random_states(scene.model(), 20_000, 2);
    let start = Instant::now();
    let hits = scene.states_in_collision(&many, &CheckRequest::default()).unwrap();
    let rate = many.len() as f64 / start.elapsed().as_secs_f64();
    let count = hits.iter().filter(|hit| **hit).count();
    println!("all cores: {rate:.0} states per second, {count} of {} in collision", many.len());
}

/// The questions on hands of fewer surfaces: cost against size.
fn fewer_surfaces(plot: &Path) {
    let names = ["yes or no", "every contact", "all within 5 cm", "nearest pair"];
    let mut series: Vec<Series> =
        names.map(|name| Series { name: name.into(), points: Vec::new() }).into();
    println!("\n| surfaces | pairs | {} |\n|---:|---:|---:|---:|---:|---:|", names.join(" | "));
    for each in [2, 4, 7, 11, 16, 22] {
        let scene = icub("icub_hands_mixed", each);
        let costs = costs(&scene, &grasp(&scene));
        let (surfaces, pairs) = (2 * each, scene.robot_size().1);
        let [a, b, c, d] = costs;
        println!("| {surfaces} | {pairs} | {a:.2} | {b:.2} | {c:.2} | {d:.2} |");
        for (series, cost) in series.iter_mut().zip(costs) {
            series.points.push([surfaces as f64, cost]);
        }
    }
    let title = "Two hands among themselves: cost of a question";
    let (x_label, y_label) = ("surfaces of both hands", "µs per state, one core, warm");
    Plot { title, x_label, y_label, series: &series }.write(plot);
}

/// µs per state of the movement, warm, of the four questions.
fn costs(scene: &PlanningScene, states: &[Vec<f64>]) -> [f64; 4] {
    let check = CheckRequest::default();
    let within = NearestRequest { max_distance: 0.05, ..NearestRequest::default() };
    let nearest = NearestRequest { max_results: 1, ..NearestRequest::default() };
    let (level, mut out) = (PairLevel::Bodies, Vec::new());
    let mut ws = [(); 4].map(|()| Workspace::warm());
    [
        micros(states, |q| _ = black_box(scene.in_collision(q, &check, &mut ws[0]).unwrap())),
        micros(states, |q| scene.contacts(q, &check, level, &mut ws[1], &mut out).unwrap()),
        micros(states, |q| scene.nearest(q, &within, &mut ws[2], &mut out).unwrap()),
        micros(states, |q| scene.nearest(q, &nearest, &mut ws[3], &mut out).unwrap()),
    ]
}

fn main() {
    let docs = repository_file("docs");
    let scene = icub("icub_hands_mixed", usize::MAX);
    two_hands(&scene);
    fewer_surfaces(&docs.join("hands_cost.svg"));
    growing_world::measure(&scene, &grasp(&scene), &docs.join("scene_scaling.svg"));
}
