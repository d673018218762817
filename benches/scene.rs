//! What a question about two hands costs, on one core and on all: `cargo bench --bench scene`.

use std::hint::black_box;
use std::time::Instant;

use cpu_time::ThreadTime;

use smooth_scene::geometry::Shape;
use smooth_scene::math::{Pose, Vec3};
use smooth_scene::robot::StateSampler;
use smooth_scene::robot::srdf::Srdf;
use smooth_scene::scene::{
    CheckRequest, NearestRequest, PairLevel, PlanningScene, SceneChange, SceneObject, Workspace,
};

#[path = "../tests/support/hands.rs"]
mod hands;
#[path = "../tests/support/movement.rs"]
mod movement;

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

/// The bundled hands with their SRDF.
fn icub(name: &str) -> PlanningScene {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("urdf");
    let model = movement::bundled(&format!("{name}.urdf"));
    let text = std::fs::read_to_string(folder.join("icub_hands.srdf")).unwrap();
    let (semantics, _) = Srdf::parse(&text, name).unwrap().resolve(&model).unwrap();
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

/// Boxes and smooth bodies around the hands: building, moving, asking.
fn worlds(empty: &PlanningScene) {
    let path = grasp(empty);
    for count in [10, 100, 1000, 10_000, 100_000usize] {
        let mut numbers = StateSampler::new(empty.model(), 7);
        let side = 0.05 * (count as f64).cbrt();
        let objects: Vec<SceneObject> = (0..count)
            .map(|k| {
                let q = numbers.draw();
                // Three numbers of a random state, spread over a cube that grows with the count.
                let at = |i: usize| side * (q[i % q.len()] * 1e4).fract() * 2.0;
                let shape = match k % 2 {
                    0 => Shape::cuboid([0.008, 0.012, 0.01]),
                    _ => Shape::superellipsoid([0.01, 0.012, 0.008], 0.7, 0.8),
                };
                let pose =
                    Pose::new(Vec3::new(at(0), at(1), at(2)), Vec3::new(at(3), at(4), at(5)));
                SceneObject::simple(&format!("object_{k}"), pose, shape.unwrap()).unwrap()
            })
            .collect();
        let mut scene = empty.clone();
        let start = Instant::now();
        for object in &objects {
            scene.apply(SceneChange::Add(object.clone())).unwrap();
        }
        let build = start.elapsed().as_secs_f64() * 1e6 / count as f64;
        let start = Instant::now();
        for object in &objects {
            let pose = Pose::translation(0.01, 0.0, 0.0) * object.pose();
            scene.apply(SceneChange::Move { name: object.name().into(), pose }).unwrap();
        }
        let moved = start.elapsed().as_secs_f64() * 1e6 / count as f64;
        println!("{count} objects: added in {build:.2} µs each, moved in {moved:.2} µs each");
        let request = CheckRequest { robot: false, ..CheckRequest::default() };
        let mut ws = Workspace::cold();
        time("  world, yes or no", &path, 3, |q| {
            scene.in_collision(q, &request, &mut ws).unwrap() as usize
        });
        let nearest =
            NearestRequest { check: request, max_results: 1, ..NearestRequest::default() };
        let mut out = Vec::new();
        time("  world, the nearest pair", &path, 1, |q| {
            scene.nearest(q, &nearest, &mut ws, &mut out).unwrap();
            out.len()
        });
    }
}

fn main() {
    let scene = icub("icub_hands_mixed");
    two_hands(&scene);
    worlds(&scene);
}
