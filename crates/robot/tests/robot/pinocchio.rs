//! Forward kinematics, velocities and Jacobians agree with Pinocchio, on the bundled robots and on those of PyPI
//! `example-robot-data`; urdfdom reads the bundled robots. Behind the feature `external-tests`; needs what
//! `tests/robots/install.sh` installs, and `check_urdf` (Debian package `liburdfdom-tools`).

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Map, Value, json};
use smooth_scene_geometry::math::Vec3;
use smooth_scene_robot::{
    Coupling, LoadOptions, MeshPolicy, RobotModel, StateSampler, forward_kinematics, jacobian,
    link_velocities, load_urdf,
};

use smooth_scene_test_support::random::seed;
use smooth_scene_test_support::repository_file;
use smooth_scene_test_support::robots_venv::{share, start_script};

/// States per robot.
const STATES: usize = 20;
/// Largest difference, relative to the size of the robot or its speed, at least 1.
const TOLERANCE: f64 = 1e-12;

fn urdfs_under(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder:?}: {error}")) {
        let path = entry.unwrap().path();
        if path.is_dir() {
            urdfs_under(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "urdf") {
            found.push(path);
        }
    }
    found.sort();
}

fn bundled() -> Vec<PathBuf> {
    let mut found = Vec::new();
    urdfs_under(&repository_file("urdf"), &mut found);
    assert_eq!(found.len(), 9);
    found
}

fn example_robots() -> Vec<PathBuf> {
    let mut found = Vec::new();
    urdfs_under(&share().join("example-robot-data"), &mut found);
    assert_eq!(found.len(), 69);
    found
}

/// A state by joint: positions and velocities in the order of the model, and as Pinocchio's script wants them.
struct Case {
    q: Vec<f64>,
    v: Vec<f64>,
    request: Value,
}

fn cases(model: &RobotModel) -> Vec<Case> {
    let mut positions = StateSampler::new(model, seed(11));
    let mut noise = 1u64;
    let mut velocity = || {
        noise = noise.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (noise >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    let case = |_| {
        let q = positions.draw();
        let v: Vec<f64> = (0..model.velocity_count()).map(|_| velocity()).collect();
        let (mut by_q, mut by_v) = (Map::new(), Map::new());
        for joint in model.joints() {
            let Coupling::Independent { position, velocity } = joint.coupling else { continue };
            let (q_end, v_end) =
                (position + joint.kind.position_count(), velocity + joint.kind.velocity_count());
            by_q.insert(joint.name.clone(), json!(q[position..q_end]));
            by_v.insert(joint.name.clone(), json!(v[velocity..v_end]));
        }
        Case { q, v, request: json!({"q": by_q, "v": by_v}) }
    };
    (0..STATES).map(case).collect()
}

/// The largest differences of poses and velocities on one robot.
fn worst_difference(model: &RobotModel, cases: &[Case], answer: &Value) -> (f64, f64) {
    let (mut worst_pose, mut worst_velocity) = (0f64, 0f64);
    for (case, links) in cases.iter().zip(answer.as_array().unwrap()) {
        let links: BTreeMap<String, Vec<f64>> = serde_json::from_value(links.clone()).unwrap();
        let poses = forward_kinematics(model, &case.q).unwrap();
        let twists = link_velocities(model, &poses, &case.v).unwrap();
        let size = links.values().flat_map(|n| &n[9..12]).fold(1f64, |a, b| a.max(b.abs()));
        let speed = links.values().flat_map(|n| &n[12..18]).fold(1f64, |a, b| a.max(b.abs()));
        for id in model.link_ids() {
            let numbers = &links[&model.link(id).name];
            let rotation = poses[id].rotation.to_rotation_matrix().into_inner().transpose();
            let mut ours: Vec<f64> = rotation.iter().copied().collect();
            ours.extend(poses[id].translation.vector.iter());
            for (a, b) in ours.iter().zip(numbers) {
                worst_pose = worst_pose.max((a - b).abs() / size);
            }
            let twist = &twists[id.index()];
            let product = jacobian(model, &poses, id, &poses[id].translation.vector).unwrap()
                * nalgebra::DVector::from_column_slice(&case.v);
            let expected = [12, 15].map(|k| Vec3::from_column_slice(&numbers[k..k + 3]));
            for (ours, expected) in [
                (twist.linear_w, expected[0]),
                (twist.angular_w, expected[1]),
                (product.fixed_rows::<3>(0).into_owned(), expected[0]),
                (product.fixed_rows::<3>(3).into_owned(), expected[1]),
            ] {
                worst_velocity = worst_velocity.max((ours - expected).amax() / speed);
            }
        }
    }
    (worst_pose, worst_velocity)
}

/// Compares every robot of the list; returns how many there were and the worst differences.
fn compare(paths: &[PathBuf]) -> (usize, f64, f64) {
    let mut child = start_script("pinocchio_fk.py", &[]);
    let mut requests = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    let options =
        LoadOptions { meshes: MeshPolicy::Skip, use_environment: false, ..Default::default() };
    let (mut count, mut worst_pose, mut worst_velocity) = (0, 0f64, 0f64);
    for path in paths {
        // Which files do not load, and that they should not, is tested in real_robots.rs.
        let Ok(robot) = load_urdf(path, &options) else { continue };
        let cases = cases(&robot.model);
        let states: Vec<&Value> = cases.iter().map(|case| &case.request).collect();
        writeln!(requests, "{}", json!({"urdf": path, "states": states})).unwrap();
        let line = answers.next().unwrap_or_else(|| panic!("{path:?}: Pinocchio gave up"));
        let answer: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let (pose, velocity) = worst_difference(&robot.model, &cases, &answer);
        assert!(pose < TOLERANCE && velocity < TOLERANCE, "{path:?}: {pose:e} {velocity:e}");
        (worst_pose, worst_velocity) = (worst_pose.max(pose), worst_velocity.max(velocity));
        count += 1;
    }
    drop(requests);
    assert!(child.wait().unwrap().success());
    (count, worst_pose, worst_velocity)
}

#[test]
fn the_bundled_robots_move_as_in_pinocchio() {
    let (count, pose, velocity) = compare(&bundled());
    println!("{count} robots, worst pose {pose:e}, velocity {velocity:e}");
    assert_eq!(count, 9);
}

#[test]
fn robots_nobody_here_wrote_move_as_in_pinocchio() {
    let (count, pose, velocity) = compare(&example_robots());
    println!("{count} robots, worst pose {pose:e}, velocity {velocity:e}");
    assert_eq!(count, 67);
}

#[test]
fn the_bundled_robots_load_in_urdfdom() {
    for path in bundled() {
        let output = Command::new("check_urdf").arg(&path).output();
        let output = output.expect("check_urdf is missing: install liburdfdom-tools");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{path:?}: {text}");
        assert!(text.contains("Successfully Parsed XML"), "{path:?}: {text}");
        assert!(output.stderr.is_empty(), "{path:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
}
