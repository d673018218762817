//! The buffer against motions that are known in closed form, and its refusals.

use nalgebra::{Translation3, UnitQuaternion, Vector3};

use super::*;
use crate::math::Pose;

const SECOND: i64 = 1_000_000_000;
const KEEP: i64 = 10 * SECOND;

/// Pseudo-random numbers in [0, 1) [Steele 2014, splitmix64].
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn vector(&mut self) -> Vector3<f64> {
        Vector3::from_fn(|_, _| 2.0 * self.next() - 1.0)
    }
}

/// A screw-like motion in closed form: constant velocity, constant rate about an axis of the frame itself. That is what
/// interpolation between any two of its samples gives, if the turn between them is less than half a turn.
struct Motion {
    start: Vector3<f64>,
    velocity: Vector3<f64>,
    turned: UnitQuaternion<f64>,
    rate: Vector3<f64>,
}

impl Motion {
    fn random(random: &mut Random, moves: f64) -> Self {
        Self {
            start: random.vector(),
            velocity: moves * random.vector(),
            turned: UnitQuaternion::from_scaled_axis(3.0 * random.vector()),
            rate: moves * random.vector(),
        }
    }

    fn at(&self, time: i64) -> Pose {
        let t = time as f64 * 1e-9;
        let turned = self.turned * UnitQuaternion::from_scaled_axis(self.rate * t);
        Pose::from_parts(Translation3::from(self.start + self.velocity * t), turned)
    }
}

fn error(a: &Pose, b: &Pose) -> f64 {
    let turn = a.rotation.angle_to(&b.rotation);
    (a.translation.vector - b.translation.vector).norm().max(turn)
}

#[test]
fn transforms_of_random_trees_are_those_of_the_closed_form() {
    let seed = std::env::var("SEED").map_or(7, |text| text.parse().expect("a number"));
    println!("SEED={seed}");
    let random = &mut Random(seed);
    for _ in 0..20 {
        // Frame k hangs below a random earlier one; every third never moves.
        let count = 2 + (random.next() * 12.0) as usize;
        let parents: Vec<usize> = (1..count).map(|k| (random.next() * k as f64) as usize).collect();
        let motions: Vec<Motion> =
            (1..count).map(|k| Motion::random(random, f64::from(u8::from(k % 3 != 0)))).collect();
        let mut buffer = TransformBuffer::default();
        let name = |k: usize| format!("frame_{k}");
        for (k, motion) in (1..).zip(&motions) {
            let (parent, child) = (name(parents[k - 1]), name(k));
            if k % 3 == 0 {
                let (pose, always) = (motion.at(0), Validity::Static);
                buffer.insert(&parent, &child, pose, always, KEEP).unwrap();
                continue;
            }
            // From 0 s to 8 s at irregular times, at most half a second apart, out of order.
            let mut times: Vec<i64> =
                (0..=16).map(|n| n * SECOND / 2 - (random.next() * 2e8) as i64).collect();
            (times[0], times[16]) = (0, 8 * SECOND);
            times.swap(3, 11);
            for time in times {
                let (pose, at) = (motion.at(time), Validity::At(time));
                buffer.insert(&parent, &child, pose, at, KEEP).unwrap();
            }
        }
        let in_root = |mut k: usize, time: i64| {
            let mut pose = Pose::identity();
            while k > 0 {
                let at = if k.is_multiple_of(3) { 0 } else { time };
                pose = motions[k - 1].at(at) * pose;
                k = parents[k - 1];
            }
            pose
        };
        for _ in 0..50 {
            let pick = |random: &mut Random| (random.next() * count as f64) as usize;
            let (a, b) = (pick(random), pick(random));
            let time = (random.next() * 8e9) as i64;
            let expected = in_root(a, time).inv_mul(&in_root(b, time));
            let found = buffer.lookup(&name(a), &name(b), When::At(time)).unwrap();
            // A few dozen products of poses that are at most some metres apart.
            assert!(error(&found, &expected) < 1e-12, "{a} {b} {time}: {found} {expected}");
            let back = buffer.lookup(&name(b), &name(a), When::At(time)).unwrap();
            assert!(error(&(found * back), &Pose::identity()) < 1e-12);
            let latest = buffer.lookup(&name(a), &name(b), When::Latest).unwrap();
            let end = 8 * SECOND;
            let expected = in_root(a, end).inv_mul(&in_root(b, end));
            assert!(error(&latest, &expected) < 1e-12, "{a} {b}: {latest} {expected}");
        }
    }
}

fn at_x(x: f64) -> Pose {
    Pose::translation(x, 0.0, 0.0)
}

/// `map` → `base` moves from 1 s to 3 s, `base` → `camera` is fixed, `lamp` is below `room`, and `hand` was seen once.
fn example() -> TransformBuffer {
    let mut buffer = TransformBuffer::default();
    let mut insert = |parent: &str, child: &str, x: f64, validity: Validity| {
        buffer.insert(parent, child, at_x(x), validity, KEEP).unwrap();
    };
    insert("map", "base", 1.0, Validity::At(SECOND));
    insert("map", "base", 3.0, Validity::At(3 * SECOND));
    insert("base", "camera", 0.5, Validity::Static);
    insert("room", "lamp", 2.0, Validity::Static);
    insert("base", "hand", 0.1, Validity::At(2 * SECOND));
    buffer
}

fn refusal(target: &str, source: &str, when: When) -> String {
    example().lookup(target, source, when).unwrap_err().to_string()
}

#[test]
fn the_latest_time_is_that_of_the_oldest_frame_on_the_way() {
    let buffer = example();
    let x = |target: &str, source: &str, when| {
        buffer.lookup(target, source, when).unwrap().translation.x
    };
    assert_eq!(x("map", "camera", When::Latest), 3.5);
    assert_eq!(x("camera", "map", When::Latest), -3.5);
    assert_eq!(x("map", "hand", When::Latest), 2.1);
    assert_eq!(x("camera", "hand", When::Latest), -0.4);
    assert_eq!(x("map", "camera", When::At(3 * SECOND / 2)), 2.0);
    assert_eq!(x("base", "camera", When::At(77 * SECOND)), 0.5, "what is fixed is so at any time");
    assert_eq!(x("nowhere", "nowhere", When::Latest), 0.0);
}

#[test]
fn a_refusal_names_both_frames_and_the_reason() {
    assert_eq!(
        refusal("map", "cup", When::Latest),
        "no transform from `cup` to `map`: frame `cup` is unknown"
    );
    assert_eq!(
        refusal("camera", "lamp", When::Latest),
        "no transform from `lamp` to `camera`: they are not connected: one is below `map`, the other below `room`"
    );
    assert_eq!(
        refusal("map", "camera", When::At(SECOND / 4)),
        "no transform from `camera` to `map`: time 0.250000000 is too old: the transform from `base` to `map` is kept \
         from time 1.000000000 on, 0.750 s later"
    );
    assert_eq!(
        refusal("map", "camera", When::At(4 * SECOND + 5)),
        "no transform from `camera` to `map`: time 4.000000005 is too far in the future: the last transform from `base` \
         to `map` is of time 3.000000000, 1.000 s earlier"
    );
    let one = example().lookup("map", "hand", When::At(2 * SECOND - 1)).unwrap_err();
    let problem =
        |problem| matches!(problem, TransformProblem::TooOld { ref child, .. } if child == "hand");
    assert!(problem(one.problem), "a single sample holds at its time only");
}

#[test]
fn old_samples_are_dropped_and_a_new_parent_starts_anew() {
    let mut buffer = example();
    buffer.insert("map", "base", at_x(9.0), Validity::At(12 * SECOND), KEEP).unwrap();
    assert!(buffer.lookup("map", "base", When::At(SECOND)).is_err());
    let middle = buffer.lookup("map", "base", When::At(15 * SECOND / 2)).unwrap();
    assert!((middle.translation.x - 6.0).abs() < 1e-12);
    // The first of two transforms for one time stays.
    buffer.insert("map", "base", at_x(-5.0), Validity::At(12 * SECOND), KEEP).unwrap();
    assert_eq!(buffer.lookup("map", "base", When::Latest).unwrap().translation.x, 9.0);
    buffer.insert("odom", "base", at_x(4.0), Validity::At(5 * SECOND), KEEP).unwrap();
    assert_eq!(buffer.lookup("odom", "camera", When::Latest).unwrap().translation.x, 4.5);
    assert!(buffer.lookup("map", "base", When::Latest).is_err());
    buffer.forget_moving();
    assert!(!buffer.has("odom") && buffer.has("camera"));
}

#[test]
fn frames_that_make_no_tree_are_refused() {
    let mut buffer = example();
    let insert = |buffer: &mut TransformBuffer, parent: &str, child: &str| {
        buffer.insert(parent, child, Pose::identity(), Validity::Static, KEEP)
    };
    assert!(insert(&mut buffer, "cup", "cup").unwrap_err().contains("its own parent"));
    assert!(insert(&mut buffer, "", "cup").unwrap_err().contains("without a name"));
    // Each of these is fine by itself.
    insert(&mut buffer, "camera", "map").unwrap();
    let error = buffer.lookup("map", "camera", When::Latest).unwrap_err();
    assert!(matches!(error.problem, TransformProblem::Loop { .. }), "{error}");
    assert_eq!(buffer.ancestor("camera", |name| name == "room"), None);
}

#[test]
fn memory_is_bounded_whatever_is_published() {
    let mut buffer = TransformBuffer::default();
    for time in 0..40_000 {
        buffer.insert("a", "b", at_x(0.0), Validity::At(time), KEEP).unwrap();
    }
    assert!(buffer.lookup("a", "b", When::At(20_000)).is_err());
    assert!(buffer.lookup("a", "b", When::At(39_000)).is_ok());
    let mut refused = 0;
    for k in 0..20_000 {
        let added = buffer.insert("a", &format!("c{k}"), at_x(0.0), Validity::Static, KEEP);
        refused += usize::from(added.is_err());
    }
    assert!(refused > 3_000 && buffer.len() < 17_000, "{refused} {}", buffer.len());
}
