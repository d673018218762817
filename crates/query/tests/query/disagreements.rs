//! Pairs of the grasp that Parry answers differently from our proof by more than a micrometre: who is right. `joint_sweep
//! disagreements` (feature `peers`) writes the file. And pairs whose depth is hard to follow.

use serde_json::Value;
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::Pose;
use smooth_scene_query::{PairQuery, QueryOptions, distance};
use smooth_scene_test_support::slow_search;

/// What the slow search may miss, in metres: bodies are of centimetres.
const MISSED: f64 = 1e-8;

fn numbers<const N: usize>(value: &Value) -> [f64; N] {
    std::array::from_fn(|k| value[k].as_f64().unwrap())
}

fn shape(value: &Value) -> Shape {
    let exponent = |name: &str| value[name].as_f64().unwrap();
    let radii = numbers(&value["radii"]);
    match value["type"].as_str().unwrap() {
        "superellipsoid" => {
            Shape::superellipsoid(radii, exponent("exponent_xy"), exponent("exponent_z")).unwrap()
        }
        "superovoid" => Shape::superovoid(
            radii,
            exponent("exponent_xy"),
            exponent("exponent_z"),
            numbers(&value["taper"]),
        )
        .unwrap(),
        other => panic!("{other}"),
    }
}

fn pose(value: &Value) -> Pose {
    let ([x, y, z], [i, j, k, w]) = (numbers(&value["xyz"]), numbers(&value["quat"]));
    let turned = nalgebra::UnitQuaternion::new_unchecked(nalgebra::Quaternion::new(w, i, j, k));
    Pose::from_parts(nalgebra::Translation3::new(x, y, z), turned)
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Parry's depths are all shallower than the proven ones, by 1 µm to 0.12 mm: its EPA ends on a face of the polytope, which
/// lies within the bodies. The slow search, which shares no code with the library, finds the depth that is proven.
#[test]
fn in_every_disagreement_with_parry_a_slow_search_finds_the_proven_depth() {
    let all = lines(include_str!("../data/grasp_disagreements.jsonl"));
    let parry: Vec<&Value> =
        all.iter().filter(|line| line["method"].as_str().unwrap().starts_with("Parry")).collect();
    assert!(parry.len() >= 10, "{}", parry.len());
    for line in parry {
        let (a, b) = (shape(&line["a"]["shape"]), shape(&line["b"]["shape"]));
        let (pose_a, pose_b) = (pose(&line["a"]["pose"]), pose(&line["b"]["pose"]));
        let (lower, upper) = (line["lower"].as_f64().unwrap(), line["upper"].as_f64().unwrap());
        let theirs = line["distance"].as_f64().unwrap();
        let ours = distance(&a, &pose_a, &b, &pose_b, &QueryOptions::default());
        assert!((lower - 1e-9..=upper + 1e-9).contains(&ours.distance), "{}", line["id"]);
        let slow = slow_search::slow_signed_distance(&a, &pose_a, &b, &pose_b).value;
        assert!((slow - ours.distance).abs() < MISSED, "{}: {slow} {ours:?}", line["id"]);
        assert!(theirs - slow > 1e-6 - MISSED, "{}: {theirs} {slow}", line["id"]);
    }
}

/// Pairs whose depth changes to another maximum within one step of the grasp, and which was no maximum yet one step before:
/// a climb from there led to the old one. A warm start finds it all the same.
#[test]
fn a_warm_start_finds_the_maximum_that_was_a_shoulder_before() {
    let options = QueryOptions::default();
    let all = lines(include_str!("../data/grasp_shoulders.jsonl"));
    assert_eq!(all.len(), 5);
    for line in all {
        let (a, b) = (shape(&line["a"]["shape"]), shape(&line["b"]["shape"]));
        let before = [pose(&line["before"]["a"]), pose(&line["before"]["b"])];
        let (pose_a, pose_b) = (pose(&line["a"]["pose"]), pose(&line["b"]["pose"]));
        let old = distance(&a, &before[0], &b, &before[1], &options);
        let found = PairQuery::new(&a, &pose_a, &b, &pose_b).warm_start(&old.warm).distance();
        let (lower, upper) = (line["lower"].as_f64().unwrap(), line["upper"].as_f64().unwrap());
        assert!(
            (lower - 1e-9..=upper + 1e-9).contains(&found.distance),
            "{}: {found:?}",
            line["id"]
        );
        assert!(old.normal_ab_w.dot(&found.normal_ab_w) < 0.9, "{}", line["id"]);
    }
}
