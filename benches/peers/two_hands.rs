//! Our side of the comparison with Coal and Pinocchio; `benches/peers/two_hands.sh` runs both sides.
//!
//! `export FILE` writes the surfaces as meshes, the pairs that are looked at and the states; `measure` answers the
//! questions on the same states and prints what they cost.

use cpu_time::ThreadTime;
use serde_json::{Map, Value, json};
use smooth_scene::geometry::tessellate_with_vertex_count;
use smooth_scene::query::QueryOptions;
use smooth_scene::robot::{RobotModel, StateSampler, srdf::Srdf};
use smooth_scene::scene::{CheckRequest, NearestRequest, PairLevel, PlanningScene, Workspace};
use smooth_scene_test_support::movement;

/// The bundled robot that is compared.
const ROBOT: &str = "icub_hands_mixed";
/// Vertices of a mesh.
const VERTICES: usize = 600;
/// Random states.
const RANDOM_STATES: usize = 2000;
/// "Near", m.
const NEAR: f64 = 0.05;

fn scene() -> PlanningScene {
    let model = movement::bundled(&format!("{ROBOT}.urdf"));
    let srdf = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("urdf/icub_hands.srdf");
    let text = std::fs::read_to_string(srdf).unwrap();
    let (semantics, _) = Srdf::parse(&text, ROBOT).unwrap().resolve(&model).unwrap();
    PlanningScene::new(model, Some(semantics)).unwrap()
}

fn movement_states(scene: &PlanningScene) -> Vec<Vec<f64>> {
    let states = movement::two_hand_grasp(scene.model());
    states.iter().map(|state| state.positions().to_vec()).collect()
}

fn random_states(scene: &PlanningScene) -> Vec<Vec<f64>> {
    let mut sampler = StateSampler::new(scene.model(), 1);
    (0..RANDOM_STATES).map(|_| sampler.draw()).collect()
}

/// A gap as wide as Coal's: at most 1e-6 m, since no two centres are 1 m apart.
const COALS_GAP: f64 = 1e-6;

/// Surfaces as meshes, each with its link.
fn surfaces(model: &RobotModel) -> Vec<Value> {
    let mut out = Vec::new();
    for link in model.links() {
        for collision in &link.collisions {
            let mesh = tessellate_with_vertex_count(&collision.shape, VERTICES);
            let turn = collision.pose_in_link.rotation.to_rotation_matrix().into_inner();
            out.push(json!({
                "link": link.name,
                "rotation_rows": turn.transpose().as_slice(),
                "translation": collision.pose_in_link.translation.vector.as_slice(),
                "vertices": mesh.vertices.iter().map(|v| v.as_slice().to_vec()).collect::<Vec<_>>(),
                "triangles": mesh.triangles,
            }));
        }
    }
    out
}

/// The pairs of surfaces that may not touch.
fn pairs(scene: &PlanningScene, surfaces: &[Value]) -> Vec<[usize; 2]> {
    let link = |k: usize| surfaces[k]["link"].as_str().unwrap();
    let all = (0..surfaces.len()).flat_map(|b| (0..b).map(move |a| [a, b]));
    let kept = |[a, b]: &[usize; 2]| {
        link(*a) != link(*b) && !scene.acm().decide(link(*a), link(*b)).allowed
    };
    all.filter(kept).collect()
}

fn export(path: &str) {
    let scene = scene();
    let surfaces = surfaces(scene.model());
    let pairs = pairs(&scene, &surfaces);
    assert_eq!(scene.robot_size(), (surfaces.len(), pairs.len()));
    let whole = json!({
        "urdf": format!("urdf/{ROBOT}.urdf"),
        "near": NEAR,
        "surfaces": surfaces,
        "pairs": pairs,
        "variables": scene.model().variable_names(),
        "states": {"movement": movement_states(&scene), "random": random_states(&scene)},
    });
    std::fs::write(path, whole.to_string()).unwrap();
}

/// Mean cost of a state in µs of this thread, and how many answers there were.
fn time(states: &[Vec<f64>], mut ask: impl FnMut(&[f64]) -> usize) -> Value {
    let start = ThreadTime::now();
    let found: usize = states.iter().map(|state| ask(state)).sum();
    let micros = start.elapsed().as_secs_f64() * 1e6 / states.len() as f64;
    json!({"micros": micros, "found": found})
}

fn measure_states(
    scene: &PlanningScene,
    states: &[Vec<f64>],
    fresh: fn() -> Workspace,
    query: QueryOptions,
) -> Value {
    let check = CheckRequest { query, ..CheckRequest::default() };
    let within = |limit| NearestRequest {
        check: check.clone(),
        max_distance: limit,
        ..NearestRequest::default()
    };
    let mut out = Vec::new();
    let mut answers = Map::new();
    let mut ws = fresh();
    let yes_no = time(states, |q| scene.in_collision(q, &check, &mut ws).unwrap().into());
    answers.insert("yes_no".into(), yes_no);
    let mut ws = fresh();
    let contacts = time(states, |q| {
        scene.contacts(q, &check, PairLevel::Bodies, &mut ws, &mut out).unwrap();
        out.len()
    });
    answers.insert("contacts".into(), contacts);
    for (name, limit) in [("near", NEAR), ("distances", f64::INFINITY)] {
        let (request, mut ws) = (within(limit), fresh());
        let found = time(states, |q| {
            scene.nearest(q, &request, &mut ws, &mut out).unwrap();
            out.len()
        });
        answers.insert(name.into(), found);
    }
    answers.into()
}

fn measure() {
    let scene = scene();
    let (path, random) = (movement_states(&scene), random_states(&scene));
    let tight = QueryOptions::default();
    let loose = QueryOptions { gap_tolerance: COALS_GAP, ..tight };
    let answers = json!({
        "movement": {
            "warm": measure_states(&scene, &path, Workspace::warm, tight),
            "cold": measure_states(&scene, &path, Workspace::cold, tight),
            "warm, Coal's gap": measure_states(&scene, &path, Workspace::warm, loose),
            "cold, Coal's gap": measure_states(&scene, &path, Workspace::cold, loose),
        },
        "random": {
            "cold": measure_states(&scene, &random, Workspace::cold, tight),
            "cold, Coal's gap": measure_states(&scene, &random, Workspace::cold, loose),
        },
    });
    println!("{answers}");
}

fn main() {
    // `cargo bench` adds an argument of its own.
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["export", path] => export(path),
        ["measure"] => measure(),
        _ => println!("run benches/peers/two_hands.sh, or: two_hands export FILE | measure"),
    }
}
