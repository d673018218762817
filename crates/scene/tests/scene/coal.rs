//! Which links touch agrees with Coal on convex hulls: 1 000 random states each of Panda, UR5, Talos and the Allegro hand
//! of PyPI `example-robot-data`, every two links, adjacent ones too. Poses are Pinocchio's there and ours here. Behind
//! the feature `external-tests`; needs what `tests/robots/install.sh` installs.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Write};
use std::sync::Arc;

use serde_json::{Map, Value, json};
use smooth_scene_query::QueryOptions;
use smooth_scene_robot::srdf::Semantics;
use smooth_scene_robot::{Coupling, LoadOptions, RobotModel, StateSampler, load_urdf};
use smooth_scene_scene::{
    Between, BodySet, CheckRequest, NearestRequest, PairLevel, PlanningScene, Workspace,
};

use smooth_scene_test_support::random::seed;
use smooth_scene_test_support::robots_venv::{share, start_script};

/// States per robot.
const STATES: usize = 1000;
/// Nearer to touching than this, m, the two may disagree: it is the tolerance of Coal's GJK.
const TOUCHING: f64 = 1e-6;

/// Two links by name, the smaller one first.
type LinkPair = (String, String);

/// The numbers of every independent joint by name, as the script wants them.
fn by_joint(model: &RobotModel, positions: &[f64]) -> Value {
    let (mut q, mut v) = (Map::new(), Map::new());
    for joint in model.joints() {
        let Coupling::Independent { position, .. } = joint.coupling else { continue };
        let end = position + joint.kind.position_count();
        q.insert(joint.name.clone(), json!(positions[position..end]));
        v.insert(joint.name.clone(), json!(vec![0.0; joint.kind.velocity_count()]));
    }
    json!({"q": q, "v": v})
}

fn ask_coal(request: &Value) -> Value {
    let mut child = start_script("coal_collisions.py", &[]);
    writeln!(child.stdin.take().unwrap(), "{request}").unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(child.wait().unwrap().success());
    serde_json::from_str(&line).unwrap()
}

fn sorted(a: &str, b: &str) -> LinkPair {
    if a <= b { (a.into(), b.into()) } else { (b.into(), a.into()) }
}

/// The links that touch in a state by our answer.
fn our_contacts(scene: &PlanningScene, q: &[f64], ws: &mut Workspace) -> BTreeSet<LinkPair> {
    let mut out = Vec::new();
    scene.contacts(q, &CheckRequest::default(), PairLevel::Bodies, ws, &mut out).unwrap();
    out.iter().map(|p| sorted(scene.body_name(p.body_a), scene.body_name(p.body_b))).collect()
}

/// Proven bounds on the signed distance of two links.
fn proven_bounds(scene: &PlanningScene, q: &[f64], pair: &LinkPair) -> [f64; 2] {
    let one = |name: &str| Some(BodySet::of([scene.body(name).unwrap()]));
    let between = Between { a: one(&pair.0), b: one(&pair.1) };
    let check = CheckRequest { between, query: QueryOptions::certified(), ..Default::default() };
    let request = NearestRequest { check, max_results: 1, ..NearestRequest::default() };
    let mut out = Vec::new();
    scene.nearest(q, &request, &mut Workspace::cold(), &mut out).unwrap();
    [out[0].distance.lower, out[0].distance.upper]
}

/// Compares one robot; `pairs` is how many pairs of shapes on different links it has.
fn compare(urdf: &str, pairs: usize) {
    let path = share().join("example-robot-data/robots").join(urdf);
    let options =
        LoadOptions { package_paths: vec![share()], use_environment: false, ..Default::default() };
    let model = Arc::new(load_urdf(&path, &options).unwrap().model);
    // An SRDF that allows nothing: every two links are looked at.
    let scene = PlanningScene::new(model.clone(), Some(Semantics::default())).unwrap();
    let mut sampler = StateSampler::new(&model, seed(5));
    let states: Vec<Vec<f64>> = (0..STATES).map(|_| sampler.draw()).collect();
    let requests: Vec<Value> = states.iter().map(|q| by_joint(&model, q)).collect();
    let coal = ask_coal(&json!({"urdf": path, "share": share(), "states": requests}));

    assert_eq!(scene.robot_size().1, pairs, "{urdf}");
    assert_eq!(coal["pairs"], pairs as u64, "{urdf}");
    assert_eq!(coal["states"].as_array().unwrap().len(), STATES);
    let mut ws = Workspace::cold();
    let (mut touching, mut near, mut wrong) = (0, BTreeMap::new(), Vec::new());
    for (index, (q, theirs)) in states.iter().zip(coal["states"].as_array().unwrap()).enumerate() {
        let theirs: BTreeSet<LinkPair> = serde_json::from_value(theirs.clone()).unwrap();
        let ours = our_contacts(&scene, q, &mut ws);
        touching += ours.len();
        for pair in ours.symmetric_difference(&theirs) {
            let [lower, upper] = proven_bounds(&scene, q, pair);
            let distance = lower.abs().max(upper.abs());
            if distance <= TOUCHING {
                let (count, largest) = near.entry(pair.clone()).or_insert((0, 0f64));
                (*count, *largest) = (*count + 1, largest.max(distance));
            } else {
                let who = if ours.contains(pair) { "only we" } else { "only Coal" };
                wrong.push(format!("state {index}: {who}: {pair:?}, [{lower:e}, {upper:e}] m"));
            }
        }
    }
    println!("{urdf}: {pairs} pairs in {STATES} states, {touching} contacts of links");
    for (pair, (count, largest)) in &near {
        println!("  {count} states differ on {pair:?}, at most {largest:.1e} m from touching");
    }
    assert!(wrong.is_empty(), "{urdf}:\n{}", wrong.join("\n"));
    // A comparison of nothing would pass too.
    assert!(touching > STATES && touching < STATES * pairs, "{touching}");
}

#[test]
fn panda_touches_itself_where_coal_says_so() {
    compare("panda_description/urdf/panda.urdf", 124);
}

#[test]
fn ur5_touches_itself_where_coal_says_so() {
    compare("ur_description/urdf/ur5_robot.urdf", 28);
}

#[test]
fn talos_touches_itself_where_coal_says_so() {
    compare("talos_data/robots/talos_full_v2.urdf", 1326);
}

#[test]
fn the_allegro_hand_touches_itself_where_coal_says_so() {
    compare("allegro_hand_description/urdf/allegro_right_hand.urdf", 210);
}
