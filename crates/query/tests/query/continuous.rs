//! Continuous queries against closed forms and against dense sampling of the distance.

use proptest::prelude::*;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_geometry::{ConvexSurface, Ellipsoid, Shape, Sphere, Superellipsoid};
use smooth_scene_query::{
    BoundedMotion, Fixed, Motion, MotionOptions, MotionStatus, QueryOptions, RigidMotion,
    ScrewMotion, distance, time_of_impact, time_of_impact_relative,
};
use smooth_scene_test_support::families::{Rng, family_pair};
use smooth_scene_test_support::random::{properties, seed};

fn sphere(radius: f64) -> Shape {
    Sphere::new(radius).unwrap().into()
}

fn options() -> MotionOptions {
    MotionOptions::default()
}

proptest! {
    #![proptest_config(properties(2000, 7))]

    /// |d + v t| = r: the smaller root of a quadratic, or the foot of the perpendicular.
    #[test]
    fn spheres_meet_at_the_root_of_the_quadratic(
        d in prop::array::uniform3(-4.0..4.0f64),
        v in prop::array::uniform3(-9.0..9.0f64),
        radii in prop::array::uniform2(0.1..1.0f64),
    ) {
        let (d, v, r) = (Vec3::from(d), Vec3::from(v), radii[0] + radii[1]);
        prop_assume!(d.norm() > r * 1.001);
        let motion = RigidMotion::translation(&Pose::from(d), v);
        let found = time_of_impact_relative(&sphere(radii[0]), &sphere(radii[1]), &motion, &options());
        let (a, b, c) = (v.norm_squared(), d.dot(&v), d.norm_squared() - r * r);
        let disc = b * b - a * c;
        let foot = (-b / a).clamp(0.0, 1.0);
        let nearest = (d + v * foot).norm() - r;
        prop_assume!(nearest.abs() > 1e-6);
        let root = if b < 0.0 && disc > 0.0 { c / (-b + disc.sqrt()) } else { 2.0 };
        if root <= 1.0 {
            // A grazing root moves by error/speed, and the closing speed there is √disc/r.
            let tolerance = 1e-11 * (1.0 + r * r / disc.sqrt());
            let time = found.time.unwrap();
            prop_assert!((time - root).abs() <= tolerance, "{time} {root} {tolerance}");
            prop_assert!(found.free_until <= root && root - found.free_until < 1e-6);
        } else {
            prop_assert_eq!(found.time, None);
            prop_assert_eq!(found.status, MotionStatus::Converged);
            prop_assert!(found.lower <= nearest && found.lower >= nearest - 2e-5);
            prop_assert!(found.distance.distance >= nearest - 1e-9);
        }
    }
}

#[test]
fn sphere_meets_ellipsoid_along_its_axis_exactly() {
    for (axis, radius) in [(0, 0.3), (1, 0.7), (2, 1.9)] {
        let ellipsoid = Ellipsoid::new([0.3, 0.7, 1.9]).unwrap().into();
        let mut direction = Vec3::zeros();
        direction[axis] = 1.0;
        let motion = RigidMotion::translation(&Pose::from(direction * 5.0), direction * -7.0);
        let found = time_of_impact_relative(&ellipsoid, &sphere(0.2), &motion, &options());
        let expected = (5.0 - radius - 0.2) / 7.0;
        assert!((found.time.unwrap() - expected).abs() < 1e-11);
        assert!(found.free_until < expected && expected - found.free_until < 1e-8);
        assert!((found.distance.normal_ab_w - direction).norm() < 1e-6);
    }
}

/// A needle turning about z in the plane of a small sphere: the sphere's centre, at distance s from the needle's, is
/// hit when the angle between them is the one at which the point (s cos φ, s sin φ) is at distance r of the ellipse.
#[test]
fn turning_needle_hits_a_sphere_when_the_static_distance_says_so() {
    let needle: Shape = Ellipsoid::new([1.0, 0.02, 0.02]).unwrap().into();
    let ball = sphere(0.05);
    let target = Fixed { pose: Pose::translation(0.0, 0.8, 0.0) };
    for turns in [0.6, 3.0, 11.0] {
        let angular = Vec3::new(0.0, 0.0, turns * std::f64::consts::TAU);
        let motion = ScrewMotion::new(&Pose::identity(), Vec3::zeros(), angular);
        let found = time_of_impact(&needle, &motion, &ball, &target, &options());
        let free_at = |angle: f64| {
            let pose = Pose::new(Vec3::zeros(), Vec3::new(0.0, 0.0, angle));
            distance(&needle, &pose, &ball, &target.pose, &QueryOptions::default()).distance
        };
        let (mut low, mut high) = (0.0, std::f64::consts::FRAC_PI_2);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if free_at(middle) > 0.0 { low = middle } else { high = middle }
        }
        let expected = low / angular.z;
        assert!((found.time.unwrap() - expected).abs() < 1e-10, "{turns}");
        assert!(expected - found.free_until < 1e-8 && found.free_until <= expected + 1e-15);
    }
}

#[test]
fn thin_plates_are_never_tunnelled_through() {
    let plate: Shape = Superellipsoid::new([1.0, 1.0, 1e-6], 0.2, 0.2).unwrap().into();
    let ball = sphere(1e-3);
    let still = Fixed { pose: Pose::new(Vec3::zeros(), Vec3::new(0.3, 0.2, 0.0)) };
    let mut rng = Rng::new(seed(5));
    for speed in [1e1, 1e4, 1e8] {
        for _ in 0..20 {
            let direction =
                still.pose * Vec3::new(rng.uniform(-0.4, 0.4), rng.uniform(-0.4, 0.4), 1.0);
            let target =
                still.pose * Vec3::new(rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5), 0.0);
            let motion = RigidMotion::translation(
                &Pose::from(target - direction * (speed * 0.4)),
                direction * speed,
            );
            let found = time_of_impact(&plate, &still, &ball, &motion, &options());
            let time = found.time.expect("the ball goes through the plate");
            assert!(time < 0.4 && time > 0.4 - 3e-3 / speed, "{speed} {time}");
        }
    }
}

#[test]
fn closure_motion_with_a_speed_bound_agrees_with_the_exact_motion() {
    let needle: Shape = Ellipsoid::new([1.0, 0.1, 0.2]).unwrap().into();
    let ball = sphere(0.1);
    let target = Fixed { pose: Pose::translation(0.1, 0.8, 0.1) };
    let angular = Vec3::new(0.3, 0.1, 2.5);
    let exact = ScrewMotion::new(&Pose::identity(), Vec3::new(0.1, 0.0, 0.0), angular);
    let pose = |t: f64| exact.pose_at(t);
    let first_order = BoundedMotion::new(pose, 0.1, angular.norm());
    let second_order = first_order.with_accelerations(0.1 * angular.norm(), 0.0);
    let expected = time_of_impact(&needle, &exact, &ball, &target, &options());
    let slow = time_of_impact(&needle, &first_order, &ball, &target, &options());
    let quick = time_of_impact(&needle, &second_order, &ball, &target, &options());
    assert!((slow.time.unwrap() - expected.time.unwrap()).abs() < 1e-10);
    assert!((quick.time.unwrap() - expected.time.unwrap()).abs() < 1e-10);
    assert!(quick.iterations < slow.iterations);
}

/// A random motion of a pair: both bodies move, or one does, by slerp or by a screw of up to two turns.
enum Moving {
    Slerp(RigidMotion),
    Screw(ScrewMotion),
}

impl Motion for Moving {
    fn pose_at(&self, time: f64) -> Pose {
        match self {
            Moving::Slerp(motion) => motion.pose_at(time),
            Moving::Screw(motion) => motion.pose_at(time),
        }
    }
    fn rates(&self, dir: &Vec3, start: f64, end: f64) -> smooth_scene_query::MotionRates {
        match self {
            Moving::Slerp(motion) => motion.rates(dir, start, end),
            Moving::Screw(motion) => motion.rates(dir, start, end),
        }
    }
}

fn random_motion(rng: &mut Rng, start: &Pose, reach: f64) -> Moving {
    if rng.one_in(2) {
        let step = rng.direction() * (reach * rng.uniform(0.0, 2.0));
        let end = Pose::from_parts((start.translation.vector + step).into(), rng.rotation());
        Moving::Slerp(RigidMotion::between(start, &end))
    } else {
        let velocity = rng.direction() * (reach * rng.uniform(0.0, 2.0));
        Moving::Screw(ScrewMotion::new(start, velocity, rng.direction() * rng.uniform(0.0, 12.0)))
    }
}

const SAMPLES: usize = 200;

#[test]
fn agrees_with_dense_sampling_on_random_pairs() {
    let (mut hits, mut free, mut queries, mut most) = (0, 0, 0u64, 0);
    for family in ["mild", "wide", "boxy", "pinched", "needle-plate", "tapered", "ellipsoids"] {
        let seed = seed(11);
        let mut rng = Rng::new(seed);
        for k in 0..50 {
            let mut pair = family_pair(family, &mut rng);
            let apart = pair.pose_b.translation.vector - pair.pose_a.translation.vector;
            pair.pose_b.translation.vector += apart.normalize() * pair.size();
            let reach = pair.a.bounding_radius() + pair.b.bounding_radius();
            let motion_a = random_motion(&mut rng, &pair.pose_a, reach);
            let motion_b = if rng.one_in(2) {
                random_motion(&mut rng, &pair.pose_b, reach)
            } else {
                let through = apart * -1.2 + rng.direction() * (0.5 * reach);
                let end = Pose::from_parts(
                    (pair.pose_a.translation.vector + through).into(),
                    rng.rotation(),
                );
                Moving::Slerp(RigidMotion::between(&pair.pose_b, &end))
            };
            let found = time_of_impact(&pair.a, &motion_a, &pair.b, &motion_b, &options());
            let label = format!("{family} seed {seed} pair {k}: {found:?}");
            assert_eq!(found.status, MotionStatus::Converged, "{label}");
            queries += u64::from(found.iterations);
            most = most.max(found.iterations);
            let at = |t: f64| {
                let (pose_a, pose_b) = (motion_a.pose_at(t), motion_b.pose_at(t));
                distance(&pair.a, &pose_a, &pair.b, &pose_b, &QueryOptions::default())
            };
            let tolerance = 1e-9 * reach;
            match found.time {
                Some(0.0) => assert!(at(0.0).lower <= tolerance, "{label}"),
                Some(time) => {
                    hits += 1;
                    assert!(found.free_until <= time && time - found.free_until < 1e-6, "{label}");
                    assert!(found.distance.distance.abs() <= 2.0 * tolerance, "{label}");
                    for i in 0..SAMPLES {
                        let t = time * i as f64 / SAMPLES as f64;
                        assert!(at(t).upper >= -tolerance, "overlap at {t} before {label}");
                    }
                }
                None => {
                    free += 1;
                    let mut sampled = f64::INFINITY;
                    for i in 0..=SAMPLES {
                        sampled = sampled.min(at(i as f64 / SAMPLES as f64).upper);
                    }
                    assert!(found.lower > 0.0 && found.lower <= sampled, "{sampled} {label}");
                    assert!(found.distance.distance <= sampled + 1e-6 * reach, "{sampled} {label}");
                    assert!(
                        found.distance.upper - found.lower <= 3e-6 * reach.max(found.lower),
                        "{label}"
                    );
                }
            }
        }
    }
    println!(
        "{hits} contacts, {free} free, {:.1} queries each, at most {most}",
        queries as f64 / 350.0
    );
    assert!(hits > 60 && free > 60);
}

#[test]
fn a_motion_and_its_reverse_touch_or_not_together() {
    let seed = seed(21);
    let mut rng = Rng::new(seed);
    for k in 0..100 {
        let pair = family_pair("mild", &mut rng);
        let apart = pair.pose_b.translation.vector - pair.pose_a.translation.vector;
        let reach = pair.a.bounding_radius() + pair.b.bounding_radius();
        let side = rng.direction().cross(&apart.normalize()) * (reach * 1.5);
        let place = |offset: Vec3, rng: &mut Rng| {
            Pose::from_parts((pair.pose_a.translation.vector + offset).into(), rng.rotation())
        };
        let (start, end) =
            (place(apart * 0.7 + side, &mut rng), place(apart * 0.7 - side, &mut rng));
        let still = Fixed { pose: pair.pose_a };
        let forth = RigidMotion::between(&start, &end);
        let back = BoundedMotion::new(
            |t: f64| forth.pose_at(1.0 - t),
            forth.velocity_w().norm(),
            forth.angular_velocity_w().norm(),
        )
        .with_accelerations(0.0, 0.0);
        let first = time_of_impact(&pair.a, &still, &pair.b, &forth, &options());
        let second = time_of_impact(&pair.a, &still, &pair.b, &back, &options());
        assert_eq!(first.time.is_some(), second.time.is_some(), "seed {seed} pair {k}");
        if first.time.is_none() {
            let difference = first.distance.distance - second.distance.distance;
            assert!(difference.abs() <= 1e-6 * reach, "seed {seed} pair {k}: {difference}");
        }
    }
}

/// A ball passes another at a given clearance: contact exactly when it is negative, however small.
#[test]
fn grazing_passes_are_told_from_grazing_contacts() {
    let ball = sphere(0.5);
    for (clearance, touches) in
        [(1e-3, false), (1e-6, false), (1e-8, false), (-1e-8, true), (-1e-6, true)]
    {
        let start = Pose::translation(-2.0, 1.0 + clearance, 0.0);
        let passing = RigidMotion::translation(&start, Vec3::new(4.0, 0.0, 0.0));
        let found = time_of_impact_relative(&ball, &ball, &passing, &options());
        assert_eq!(found.time.is_some(), touches, "{clearance} {found:?}");
        assert_eq!(found.status, MotionStatus::Converged);
        if !touches {
            assert!((found.closest_time - 0.5).abs() < 1e-3);
            assert!((found.distance.distance - clearance).abs() < 1e-6);
            assert!(found.lower <= clearance && found.lower > 0.0);
        }
    }
}

/// A long edge sweeps past a long edge: both normals turn, and the clearance is known.
#[test]
fn crossing_rods_pass_at_their_clearance() {
    let rod: Shape = Superellipsoid::new([1.0, 0.05, 0.05], 0.05, 0.05).unwrap().into();
    let still = Fixed { pose: Pose::identity() };
    for (clearance, touches) in [(1e-2, false), (1e-5, false), (-1e-4, true)] {
        let start = Pose::new(Vec3::new(0.1, 0.0, 0.1 + clearance), Vec3::new(0.0, 0.0, 0.5));
        let turning = ScrewMotion::new(&start, Vec3::zeros(), Vec3::new(0.0, 0.0, 2.0));
        let found = time_of_impact(&rod, &still, &rod, &turning, &options());
        assert_eq!(found.time.is_some(), touches, "{clearance} {found:?}");
        if !touches {
            assert!((found.distance.distance - clearance).abs() < 1e-6, "{clearance} {found:?}");
            assert!(found.lower <= clearance && found.lower > clearance - 2e-6, "{found:?}");
        }
    }
}

#[test]
fn fast_turning_and_far_away_bodies_keep_their_contact_time() {
    let shape: Shape = Superellipsoid::new([0.1, 0.2, 0.3], 0.6, 1.2).unwrap().into();
    let spin = Vec3::new(30.0, -50.0, 80.0);
    let far = Vec3::new(1e4, -3e3, 2e3);
    let near = |origin: Vec3| {
        let still = Fixed { pose: Pose::from(origin) };
        let start = Pose::from(origin + Vec3::new(2.0, 0.1, 0.0));
        let moving = ScrewMotion::new(&start, Vec3::new(-500.0, 0.0, 0.0), spin);
        time_of_impact(&shape, &still, &shape, &moving, &options())
    };
    let (here, there) = (near(Vec3::zeros()), near(far));
    assert!(here.time.is_some() && here.time.unwrap() > 0.0);
    assert!((here.time.unwrap() - there.time.unwrap()).abs() < 1e-9);
}

/// Nothing is ever NaN, and an exhausted budget still proves what it says.
#[test]
fn small_budgets_are_honest() {
    let seed = seed(31);
    let mut rng = Rng::new(seed);
    for k in 0..60 {
        let pair = family_pair("mild", &mut rng);
        let reach = pair.a.bounding_radius() + pair.b.bounding_radius();
        let motion_a = random_motion(&mut rng, &pair.pose_a, reach);
        let motion_b = random_motion(&mut rng, &pair.pose_b, reach);
        let small = MotionOptions { max_queries: 1 + k % 6, ..options() };
        let cut = time_of_impact(&pair.a, &motion_a, &pair.b, &motion_b, &small);
        let full = time_of_impact(&pair.a, &motion_a, &pair.b, &motion_b, &options());
        let label = format!("seed {seed} pair {k}: {cut:?} {full:?}");
        assert!(!cut.lower.is_nan() && !cut.distance.distance.is_nan(), "{label}");
        if let Some(time) = full.time {
            assert!(cut.free_until <= time, "{label}");
        } else {
            assert!(cut.time.is_none() && cut.lower <= full.distance.upper, "{label}");
        }
    }
}
