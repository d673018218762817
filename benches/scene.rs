//! What a question about two hands costs, on one core and on all: `cargo bench --bench scene`.

use std::hint::black_box;
use std::time::Instant;

use smooth_scene::scene::{CheckRequest, NearestRequest, PairLevel, PlanningScene, Workspace};

#[path = "../tests/support/hands.rs"]
mod hands;

fn time(label: &str, states: &[Vec<f64>], repeat: usize, mut ask: impl FnMut(&[f64]) -> usize) {
    let mut found = 0;
    let start = Instant::now();
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
    for limit in [0.05] {
        let request = NearestRequest { max_distance: limit, ..NearestRequest::default() };
        let mut ws = fresh();
        time(&format!("{label}: nearer than {limit} m"), states, 3, |q| {
            scene.nearest(q, &request, &mut ws, &mut out).unwrap();
            out.len()
        });
    }
    let request = NearestRequest { max_results: 1, ..NearestRequest::default() };
    let mut ws = fresh();
    time(&format!("{label}: the nearest pair"), states, 3, |q| {
        scene.nearest(q, &request, &mut ws, &mut out).unwrap();
        out.len()
    });
}

fn main() {
    let scene = hands::scene(0.16);
    let (surfaces, pairs) = scene.robot_size();
    println!("{surfaces} surfaces, {pairs} pairs");
    let path = hands::path(scene.model(), 400);
    let random = hands::random_states(scene.model(), 2000, 1);
    one_core(&scene, "path, warm", &path, Workspace::warm);
    one_core(&scene, "path, cold", &path, Workspace::cold);
    one_core(&scene, "random, cold", &random, Workspace::cold);
    let start = Instant::now();
    let many = hands::random_states(scene.model(), 20_000, 2);
    let drawn = start.elapsed();
    let start = Instant::now();
    let hits = scene.states_in_collision(&many, &CheckRequest::default()).unwrap();
    let seconds = start.elapsed().as_secs_f64();
    let count = hits.iter().filter(|hit| **hit).count();
    println!(
        "all cores: {:.0} states per second, {count} of {} in collision (drawn in {drawn:?})",
        many.len() as f64 / seconds,
        many.len()
    );
}
