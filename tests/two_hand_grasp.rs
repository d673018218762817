//! The two-hand movement, replayed: which finger surfaces of the right hand intersect which of the left, compared pair by
//! pair with a count by an independent program, `tests/data/two_hand_pairs_per_step.csv`.

#[path = "support/movement.rs"]
mod movement;

use std::collections::BTreeSet;
use std::path::Path;

use movement::{bundled, two_hand_grasp};
use nalgebra::{Point3, UnitQuaternion};
use smooth_scene::geometry::ConvexSurface;
use smooth_scene::math::{Pose, Vec3};
use smooth_scene::query::{
    Collision, PosedPair, QueryOptions, SignedDistance, WarmStart, collide, distance,
};
use smooth_scene::robot::{LinkId, LinkPoses, RobotModel};

type Pair = (String, String);

fn data_lines(name: &str) -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines.map(|line| line.split(',').map(str::to_string).collect()).collect()
}

/// The pairs of each step that the independent program found.
fn counted_pairs() -> Vec<BTreeSet<Pair>> {
    let pair = |text: &str| {
        let (right, left) = text.split_once('-').unwrap();
        (right.to_string(), left.to_string())
    };
    data_lines("two_hand_pairs_per_step.csv")
        .iter()
        .map(|line| line[2].split_whitespace().map(pair).collect())
        .collect()
}

/// Links of one hand with a surface, without the palm.
fn finger_links(model: &RobotModel, side: &str) -> Vec<LinkId> {
    let is_finger = |id: &LinkId| {
        let link = model.link(*id);
        link.name.starts_with(side) && !link.collisions.is_empty() && !link.name.ends_with("_palm")
    };
    model.link_ids().filter(is_finger).collect()
}

fn posed<T>(
    model: &RobotModel,
    poses: &LinkPoses,
    (a, b): (LinkId, LinkId),
    ask: impl Fn(&PosedPair) -> T,
) -> T {
    let [a, b] = [a, b].map(|id| {
        let surface = &model.link(id).collisions[0];
        (&surface.shape, poses[id] * surface.pose_in_link)
    });
    ask(&PosedPair { a: a.0, pose_a: &a.1, b: b.0, pose_b: &b.1 })
}

fn overlaps(pair: &PosedPair) -> bool {
    let center = |shape: &smooth_scene::geometry::Shape, pose: &Pose| {
        (pose * Point3::from(shape.bounding_sphere().center)).coords
    };
    let reach = pair.a.bounding_sphere().radius + pair.b.bounding_sphere().radius;
    if (center(pair.a, pair.pose_a) - center(pair.b, pair.pose_b)).norm() > reach {
        return false;
    }
    let (options, warm) = (QueryOptions::default(), WarmStart::default());
    let found = collide(pair.a, pair.pose_a, pair.b, pair.pose_b, &options, &warm);
    assert!(!matches!(found, Collision::Touching { .. }), "undecided: {pair:?}");
    matches!(found, Collision::Overlapping { .. })
}

fn certified(pair: &PosedPair) -> SignedDistance {
    distance(pair.a, pair.pose_a, pair.b, pair.pose_b, &QueryOptions::certified())
}

struct Replay {
    /// Pairs that intersect, per step.
    pairs: Vec<BTreeSet<Pair>>,
    /// Pairs of one count and not of the other: step, pair, whether ours has it, the signed distance.
    differences: Vec<(usize, Pair, bool, SignedDistance)>,
}

/// Replays the movement and compares every step with the independent count.
fn replay(file: &str) -> Replay {
    let model = bundled(file);
    let (right, left) = (finger_links(&model, "r_"), finger_links(&model, "l_"));
    assert_eq!((right.len(), left.len()), (21, 21));
    let counted = counted_pairs();
    let states = two_hand_grasp(&model);
    assert_eq!((states.len(), counted.len()), (401, 401));
    let mut result = Replay { pairs: Vec::new(), differences: Vec::new() };
    for (step, (state, counted)) in states.iter().zip(&counted).enumerate() {
        assert!(state.limit_breaches().is_empty(), "{step}: {:?}", state.limit_breaches());
        let poses = state.link_poses().unwrap();
        let mut pairs = BTreeSet::new();
        for &a in &right {
            for &b in &left {
                let names = (model.link(a).name.clone(), model.link(b).name.clone());
                let found = posed(&model, &poses, (a, b), overlaps);
                if found != counted.contains(&names) {
                    let proof = posed(&model, &poses, (a, b), certified);
                    result.differences.push((step, names.clone(), found, proof));
                }
                if found {
                    pairs.insert(names);
                }
            }
        }
        result.pairs.push(pairs);
    }
    result
}

/// What the independent count may miss, in metres; an estimate, which the deepest pair it missed, 0.127 mm, nearly uses up.
/// It looks for one of 500 points of a surface inside the other body. On a finger link (about 1300 mm²) these are 1.6 mm
/// apart, so a contact patch of radius 1 mm may lie between them; with a combined radius of 3.5 mm, two fingers of 7 mm
/// crossing, that is 1² / (2 · 3.5) ≈ 0.14 mm of depth.
const MISSED_DEPTH: f64 = 1.5e-4;

/// The independent count is 2296. Ours has the same pairs and 18 more (17 with the hands on six joints, whose path between
/// key frames is slightly different): each is proven to overlap, by 0.13 mm at most, so the other program missed it.
#[test]
fn intersecting_pairs_agree_with_an_independent_count() {
    let counted: usize = counted_pairs().iter().map(BTreeSet::len).sum();
    assert_eq!(counted, 2296);
    for (file, missed) in [("icub_arms_hands_mixed.urdf", 18), ("icub_hands_mixed.urdf", 17)] {
        let result = replay(file);
        let total: usize = result.pairs.iter().map(BTreeSet::len).sum();
        assert_eq!((total, result.differences.len()), (counted + missed, missed), "{file}");
        for (step, (a, b), ours, proof) in &result.differences {
            assert!(*ours, "{file} {step} {a} {b} {proof:?}");
            assert!(proof.upper < 0.0, "{file} {step} {a} {b} {proof:?}");
            assert!(proof.lower > -MISSED_DEPTH, "{file} {step} {a} {b} {proof:?}");
        }
        let first = result.pairs.iter().position(|pairs| !pairs.is_empty()).unwrap();
        let thumbs = ("r_thumb_4".to_string(), "l_thumb_4".to_string());
        assert_eq!((first, &result.pairs[first]), (100, &BTreeSet::from([thumbs])));
    }
}

/// The arms and the six joints carry the palms alike, and both as an independent program has it.
#[test]
fn palms_are_where_an_independent_program_has_them() {
    let arms = bundled("icub_arms_hands_mixed.urdf");
    let hands = bundled("icub_hands_mixed.urdf");
    let (by_arms, by_hands) = (two_hand_grasp(&arms), two_hand_grasp(&hands));
    let palm_of =
        |model: &RobotModel, poses: &LinkPoses, name: &str| poses[model.link_id(name).unwrap()];
    let (mut worst_arms, mut worst_hands) = ((0f64, 0f64), (0f64, 0f64));
    for line in data_lines("two_hand_palm_poses.csv") {
        let numbers: Vec<f64> = line.iter().map(|text| text.parse().unwrap()).collect();
        let step = numbers[0] as usize;
        let turn = UnitQuaternion::from_euler_angles(numbers[6], numbers[5], numbers[4])
            * UnitQuaternion::from_axis_angle(&Vec3::x_axis(), std::f64::consts::FRAC_PI_2);
        let expected = Pose::from_parts(Vec3::new(numbers[1], numbers[2], numbers[3]).into(), turn);
        let found = palm_of(&arms, &by_arms[step].link_poses().unwrap(), "r_palm");
        let reduced = palm_of(&hands, &by_hands[step].link_poses().unwrap(), "r_palm");
        for (worst, found) in [(&mut worst_arms, found), (&mut worst_hands, reduced)] {
            let shift = (found.translation.vector - expected.translation.vector).norm();
            worst.0 = worst.0.max(shift);
            worst.1 = worst.1.max(found.rotation.angle_to(&expected.rotation));
        }
    }
    // The file has six digits. The six joints go straight between key frames where the arm's path is curved.
    assert!(worst_arms.0 < 1e-6 && worst_arms.1 < 1e-6, "{worst_arms:?}");
    assert!(worst_hands.0 < 1e-3 && worst_hands.1 < 1e-2, "{worst_hands:?}");
}
