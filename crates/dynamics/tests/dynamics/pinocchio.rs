//! Forward and inverse dynamics agree with Pinocchio on robots nobody here wrote, and on one with every kind of joint.
//! Behind the feature `external-tests`; needs what `tests/robots/install.sh` installs.

use std::io::{BufRead, BufReader, Lines, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, ChildStdout};
use std::sync::Arc;

use serde_json::{Map, Value, json};
use smooth_scene_dynamics::{
    DynamicModel, Force, MissingMass, NO_FORCES, forward_dynamics, inverse_dynamics,
};
use smooth_scene_robot::{
    Coupling, LoadOptions, MeshPolicy, RobotModel, StateSampler, load_urdf, physics,
};
use smooth_scene_test_support::families::Rng;
use smooth_scene_test_support::random::seed;
use smooth_scene_test_support::repository_file;
use smooth_scene_test_support::robots_venv::{share, start_script};

/// States per robot.
const STATES: usize = 20;
/// Largest difference, relative to the largest number of the answer.
const TOLERANCE: f64 = 1e-10;

/// Arms, hands with and without followers, quadrupeds, humanoids.
const ROBOTS: [&str; 12] = [
    "ur_description/urdf/ur5_robot.urdf",
    "panda_description/urdf/panda.urdf",
    "xarm_description/urdf/xarm7.urdf",
    "kinova_description/robots/kinova.urdf",
    "baxter_description/urdf/baxter.urdf",
    "tiago_description/robots/tiago_dual.urdf",
    "talos_data/robots/talos_full_v2.urdf",
    "anymal_b_simple_description/robots/anymal-kinova.urdf",
    "solo_description/robots/solo12.urdf",
    "icub_description/robots/icub.urdf",
    "allegro_hand_description/urdf/allegro_left_hand.urdf",
    "g1_description/urdf/g1_29dof_with_hand_rev_1_0.urdf",
];

struct Case {
    numbers: [Vec<f64>; 4],
    external: Vec<Force>,
    request: Value,
}

fn by_joint(model: &RobotModel, numbers: &[f64], of_positions: bool) -> Value {
    let mut found = Map::new();
    for joint in model.joints() {
        let Coupling::Independent { position, velocity } = joint.coupling else { continue };
        let (start, count) = match of_positions {
            true => (position, joint.kind.position_count()),
            false => (velocity, joint.kind.velocity_count()),
        };
        found.insert(joint.name.clone(), json!(numbers[start..start + count]));
    }
    found.into()
}

fn cases(model: &RobotModel) -> Vec<Case> {
    let mut positions = StateSampler::new(model, seed(5));
    let mut rng = Rng::new(seed(6));
    let case = |_| {
        let q = positions.draw();
        let mut random = |scale: f64| -> Vec<f64> {
            (0..model.velocity_count()).map(|_| rng.uniform(-scale, scale)).collect()
        };
        let (v, a, tau) = (random(1.0), random(5.0), random(20.0));
        let link = model.links().len() - 1 - rng.next_u64() as usize % model.links().len().min(3);
        let (moment, force) = (rng.direction() * 3.0, rng.direction() * 10.0);
        let mut external = vec![Force::ZERO; model.links().len()];
        external[link] = Force { moment, force };
        let wrench: Vec<f64> = moment.iter().chain(force.iter()).copied().collect();
        let request = json!({
            "q": by_joint(model, &q, true), "v": by_joint(model, &v, false),
            "a": by_joint(model, &a, false), "tau": by_joint(model, &tau, false),
            "link": model.links()[link].name, "wrench": wrench,
        });
        Case { numbers: [q, v, a, tau], external, request }
    };
    (0..STATES).map(case).collect()
}

/// Largest difference between our numbers and Pinocchio's, relative to the largest of the latter.
fn difference(model: &RobotModel, ours: &[f64], theirs: &Value) -> f64 {
    let (mut worst, mut largest) = (0f64, 0f64);
    for joint in model.joints() {
        let Coupling::Independent { velocity, .. } = joint.coupling else { continue };
        for k in 0..joint.kind.velocity_count() {
            let expected = theirs[&joint.name][k]
                .as_f64()
                .unwrap_or_else(|| panic!("joint `{}` is not in Pinocchio's answer", joint.name));
            worst = worst.max((ours[velocity + k] - expected).abs());
            largest = largest.max(expected.abs());
        }
    }
    worst / largest
}

fn compare(
    path: &Path,
    requests: &mut ChildStdin,
    answers: &mut Lines<BufReader<ChildStdout>>,
) -> (f64, f64) {
    let options =
        LoadOptions { meshes: MeshPolicy::Skip, use_environment: false, ..Default::default() };
    let robot = load_urdf(path, &options).unwrap();
    let physics = physics(&robot.document).unwrap();
    let dynamic =
        DynamicModel::new(Arc::new(robot.model), &physics, MissingMass::Massless).unwrap();
    let model = dynamic.robot();
    let cases = cases(model);
    let states: Vec<&Value> = cases.iter().map(|case| &case.request).collect();
    writeln!(requests, "{}", json!({"urdf": path, "states": states})).unwrap();
    let line = answers.next().unwrap_or_else(|| panic!("{path:?}: Pinocchio gave up")).unwrap();
    let line: Vec<Value> = serde_json::from_str(&line).unwrap();
    let (mut worst_forward, mut worst_inverse) = (0f64, 0f64);
    for (case, theirs) in cases.iter().zip(&line) {
        let [q, v, a, tau] = &case.numbers;
        let ours = forward_dynamics(&dynamic, q, v, tau, &case.external).unwrap();
        worst_forward = worst_forward.max(difference(model, &ours, &theirs["accelerations"]));
        let ours = inverse_dynamics(&dynamic, q, v, a, NO_FORCES).unwrap();
        worst_inverse = worst_inverse.max(difference(model, &ours, &theirs["forces"]));
    }
    let name = path.file_stem().unwrap().to_str().unwrap();
    println!(
        "{name}: {} velocities, {:.1} kg, forward {worst_forward:.1e}, inverse {worst_inverse:.1e}",
        model.velocity_count(),
        dynamic.mass()
    );
    (worst_forward, worst_inverse)
}

#[test]
fn twelve_robots_and_every_kind_of_joint_move_as_in_pinocchio() {
    let mut child = start_script("pinocchio_dynamics.py", &[]);
    let mut requests = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    let robots = share().join("example-robot-data/robots");
    let mut paths: Vec<PathBuf> = ROBOTS.iter().map(|name| robots.join(name)).collect();
    paths.push(repository_file("crates/dynamics/tests/dynamics/every_joint.urdf"));
    for path in &paths {
        let (forward, inverse) = compare(path, &mut requests, &mut answers);
        assert!(forward < TOLERANCE && inverse < TOLERANCE, "{path:?}: {forward:e} {inverse:e}");
    }
    drop(requests);
    assert!(child.wait().unwrap().success());
}
