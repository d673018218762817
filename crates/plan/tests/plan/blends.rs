//! Trajectories that go around corners: fast, within the limits, and proven free on the way that is travelled.

use crate::scenes::{add_box, free_state, robot, seven_joints, shelf};
use nalgebra::Point3;
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_plan::{
    BlendedPath, CertificateError, EdgeProof, EdgeProver, JointSpace, MotionLimits,
    PathCertificate, PathConstraint, Plan, PlanError, PlanOptions, PlanStatistics, SceneChecker,
    TimedPath, blend_corners, plan, verify_blended,
};
use smooth_scene_robot::{StateSampler, forward_kinematics};
use smooth_scene_scene::{
    Between, BodySet, CheckRequest, NearestRequest, PlanningScene, Workspace,
};
use smooth_scene_test_support::random::seed;

/// A ball of 5 mm that two prismatic joints move in a plane.
fn gantry() -> PlanningScene {
    let joint = |name: &str, parent: &str, child: &str, axis: &str| {
        format!(
            r#"<joint name="{name}" type="prismatic"><parent link="{parent}"/><child link="{child}"/>
            <axis xyz="{axis}"/><limit lower="-5" upper="5" effort="1" velocity="2"/></joint>"#
        )
    };
    let urdf = format!(
        r#"<robot name="gantry"><link name="base"/><link name="rail"/>{}{}
        <link name="ball"><collision><geometry><sphere radius="0.005"/></geometry></collision></link></robot>"#,
        joint("x", "base", "rail", "1 0 0"),
        joint("y", "rail", "ball", "0 1 0")
    );
    robot(&urdf, None)
}

/// A path through these waypoints, which have to be free.
fn proven(scene: &PlanningScene, waypoints: &[Vec<f64>]) -> Plan {
    let prover = EdgeProver::new(scene).unwrap();
    let segment = |ends: &[Vec<f64>]| match prover.prove(&ends[0], &ends[1], &|| false).unwrap() {
        EdgeProof::Proven(segment) => segment,
        other => panic!("{other:?}"),
    };
    let segments = waypoints.windows(2).map(segment).collect();
    Plan {
        waypoints: waypoints.to_vec(),
        length: 0.0,
        certificate: PathCertificate { surfaces: prover.surface_names(), segments },
        near_ends: Vec::new(),
        statistics: PlanStatistics::default(),
    }
}

fn blended(
    scene: &PlanningScene,
    group: Option<&str>,
    plan: &Plan,
    constraints: &[PathConstraint],
    deviation: f64,
) -> (JointSpace, BlendedPath) {
    let space = JointSpace::new(scene, group, &plan.waypoints[0]).unwrap();
    let mut checker = SceneChecker::new(scene).unwrap();
    let path =
        blend_corners(&space, plan, constraints, deviation, &mut checker, &|| false).unwrap();
    (space, path)
}

/// The times of a path around a right angle with sides of one metre and these limits.
fn right_angle(deviation: f64, velocity: f64, acceleration: f64) -> f64 {
    let scene = gantry();
    let found = proven(&scene, &[vec![0.0, 0.0], vec![1.0, 0.0], vec![1.0, 1.0]]);
    let (space, path) = blended(&scene, None, &found, &[], deviation);
    let limits = MotionLimits::new(vec![velocity; 2], vec![acceleration; 2]).unwrap();
    let timed = TimedPath::blended(&space, &path, &limits).unwrap();
    let middle = timed.at(timed.passes()[1]).positions;
    let off = (middle[0] - 1.0).hypot(middle[1]);
    assert!(deviation == 0.0 || (off - deviation.min(0.5 * 0.5f64.sqrt() * 0.5)).abs() < 1e-12);
    timed.duration()
}

/// On the parabola q'' = (−1, 1) / 2d. At the constant speed √(2 d a) both joints accelerate by a, and no other speed is
/// faster anywhere: x / 2d may not exceed a where u = 0, and braking before only loses time.
#[test]
fn a_right_angle_takes_the_time_of_the_closed_form() {
    // Half of each side: √(1/a) to speed up, √(1/a) around the corner, √(1/a) to brake, with stops four times √(1/a).
    assert!((right_angle(1.0, f64::INFINITY, 4.0) - 1.5).abs() < 1e-9);
    assert!((right_angle(0.0, f64::INFINITY, 4.0) - 2.0).abs() < 1e-12);
    // A smaller curve and a limit on the velocity: a trapezoid from 0 to w = √(2 d a) on each side.
    let (v, a, d): (f64, f64, f64) = (0.8, 2.0, 0.1);
    let w = (2.0 * d * a).sqrt();
    assert!(w < v);
    let cruise = (1.0 - d) - (2.0 * v * v - w * w) / (2.0 * a);
    let side = v / a + (v - w) / a + cruise / v;
    let expected = 2.0 * side + 2.0 * d / w;
    let found = right_angle(d * 0.5f64.sqrt() * 0.5, v, a);
    assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    // With accelerations that hardly matter one joint moves at its largest velocity everywhere: ṡ = v / max(1 − σ, σ) on the
    // curve, σ = s / 2d, which takes ¾ · 2d / v.
    let (v, d) = (0.1, 0.1 * 8.0f64.sqrt());
    let expected = (2.0 * (1.0 - d) + 1.5 * d) / v + v / 1e3;
    let found = right_angle(0.1, v, 1e3);
    assert!((found - expected).abs() < 1e-3 * expected, "{found} {expected}");
}

/// Central differences of positions, which know nothing of velocities and accelerations of the trajectory. Over an interval 2h
/// in which the true ones are within the limits, they are too.
fn assert_within_limits(timed: &TimedPath, velocities: &[f64], accelerations: &[f64]) -> f64 {
    let count = 4000;
    let h = timed.duration() / f64::from(count);
    let at = |k: i32| timed.at(h * f64::from(k)).positions;
    let mut busiest = 0.0f64;
    for k in 0..=count {
        let [before, now, after] = [at(k - 1), at(k), at(k + 1)];
        for j in 0..now.len() {
            let speed = (after[j] - before[j]) / (2.0 * h);
            let push = (after[j] - 2.0 * now[j] + before[j]) / (h * h);
            // Rounding of positions of a few radians.
            let rounding = 1e-14 / (h * h) / accelerations[j];
            let speed = speed.abs() / velocities[j];
            let push = push.abs() / accelerations[j];
            assert!(
                speed <= 1.0 + 1e-9 && push <= 1.0 + 1e-9 + rounding,
                "{k} {j}: {speed} {push}"
            );
            busiest = busiest.max(push);
        }
    }
    busiest
}

/// How far cubic polynomials through positions and velocities of the switches are from the trajectory.
fn cubic_error(timed: &TimedPath) -> f64 {
    let mut worst = 0.0f64;
    for ends in timed.switches().windows(2) {
        let [a, b] = [0, 1].map(|k| timed.at(ends[k]));
        let h = ends[1] - ends[0];
        for share in [0.2, 0.4, 0.6, 0.8f64] {
            let between = timed.at(ends[0] + share * h).positions;
            let left = 1.0 - share;
            for (j, position) in between.iter().enumerate() {
                let cubic = left
                    * left
                    * ((1.0 + 2.0 * share) * a.positions[j] + share * h * a.velocities[j])
                    + share
                        * share
                        * ((1.0 + 2.0 * left) * b.positions[j] - left * h * b.velocities[j]);
                worst = worst.max((cubic - position).abs());
            }
        }
    }
    worst
}

#[test]
fn planned_paths_are_faster_with_curves_and_stay_free_and_within_limits() {
    let scene = shelf();
    let mut sampler = StateSampler::new(scene.model(), seed(41));
    let (mut with_corners, mut curves, mut ws) = (0, 0, Workspace::cold());
    while with_corners < 6 {
        let ends = [0, 1].map(|_| free_state(&scene, &mut sampler));
        let options = PlanOptions::default();
        let found = plan(&scene, Some("arm"), &ends[0], &ends[1], &options, &|| false).unwrap();
        if found.waypoints.len() < 3 {
            continue;
        }
        with_corners += 1;
        let (space, path) = blended(&scene, Some("arm"), &found, &[], 0.1);
        verify_blended(&[&scene], &path, &found.certificate).unwrap();
        curves += path.blends.len();
        let accelerations: Vec<f64> = (0..7).map(|_| 0.5 + 10.0 * sampler.uniform()).collect();
        let velocities: Vec<f64> = (0..7).map(|_| 0.1 + 3.0 * sampler.uniform()).collect();
        let limits = MotionLimits::new(velocities.clone(), accelerations.clone()).unwrap();
        let timed = TimedPath::blended(&space, &path, &limits).unwrap();
        let stops = BlendedPath::with_stops(found.waypoints.clone());
        let stopping = TimedPath::blended(&space, &stops, &limits).unwrap();
        if path.blends.is_empty() {
            assert_eq!(timed, stopping);
        } else {
            assert!(timed.duration() < stopping.duration());
        }
        assert!(assert_within_limits(&timed, &velocities, &accelerations) > 0.99);
        for (state, end) in [(timed.at(0.0), 0), (timed.at(timed.duration()), 1)] {
            let apart = space.distance(&state.positions, &space.point(&ends[end]));
            assert!(apart < 1e-12 && state.velocities.iter().all(|v| v.abs() < 1e-12));
        }
        assert!(cubic_error(&timed) < 1e-6);
        let count = 1000;
        for k in 0..=count {
            let time = timed.duration() * f64::from(k) / f64::from(count);
            let state = space.positions(&timed.at(time).positions);
            assert!(!scene.in_collision(&state, &CheckRequest::default(), &mut ws).unwrap());
        }
    }
    assert!(curves > 6, "{curves} curves");
}

/// No sampled distance on a curve is below what is proven for the pair.
#[test]
fn curves_keep_what_is_proven_for_them() {
    let scene = shelf();
    let prover = EdgeProver::new(&scene).unwrap();
    let names = prover.surface_names();
    let mut sampler = StateSampler::new(scene.model(), seed(43));
    let (mut ws, mut proven) = (Workspace::cold(), 0);
    while proven < 6 {
        let corner = free_state(&scene, &mut sampler);
        let near = |sampler: &mut StateSampler| -> Vec<f64> {
            let other = sampler.draw();
            corner.iter().zip(&other).map(|(c, o)| c + 0.1 * (o - c)).collect()
        };
        let (from, to) = (near(&mut sampler), near(&mut sampler));
        let found = prover.prove_blend([&from, &corner, &to], &|| false).unwrap();
        let EdgeProof::Proven(curve) = found else { continue };
        proven += 1;
        for pair in &curve.pairs {
            let [a, b] = pair.surfaces.map(|k| &names[k as usize]);
            let set = |name: &str| Some(BodySet::of([scene.body(name).unwrap()]));
            let between = Between { a: set(&a.body), b: set(&b.body) };
            let check = CheckRequest { between, ..CheckRequest::default() };
            let request = NearestRequest { check, ..NearestRequest::default() };
            let mut out = Vec::new();
            for k in 0..=20 {
                let u = f64::from(k) / 20.0;
                let [p, q, r] = [(1.0 - u).powi(2), 2.0 * u * (1.0 - u), u * u];
                let state: Vec<f64> =
                    (0..from.len()).map(|j| p * from[j] + q * corner[j] + r * to[j]).collect();
                scene.nearest(&state, &request, &mut ws, &mut out).unwrap();
                assert!(out[0].distance.upper >= pair.clearance, "{} {}", a.body, b.body);
            }
        }
    }
}

/// A box in the inner side of the corner: the nearer it is, the smaller is the curve.
#[test]
fn a_curve_that_would_touch_is_made_smaller_or_is_a_stop() {
    let waypoints = [vec![0.0, 0.0], vec![1.0, 0.0], vec![1.0, 1.0]];
    let share = |gap: f64| {
        let mut scene = gantry();
        let edge = 1.0 - 0.005 - gap;
        add_box(&mut scene, "block", [edge - 0.3, 1.0 - edge + 0.3, 0.0], [0.6; 3]);
        let found = proven(&scene, &waypoints);
        let (space, path) = blended(&scene, None, &found, &[], 1.0);
        verify_blended(&[&scene], &path, &found.certificate).unwrap();
        let limits = MotionLimits::of_space(&space, 1.0).unwrap();
        let duration = TimedPath::blended(&space, &path, &limits).unwrap().duration();
        (path.blends.first().map_or(0.0, |blend| blend.before), duration)
    };
    let found: Vec<(f64, f64)> = [0.5, 0.1, 0.02, 1e-4].into_iter().map(share).collect();
    assert_eq!(found[0].0, 0.5);
    assert!(found[0].0 > found[1].0 && found[1].0 > found[2].0 && found[2].0 > 0.0, "{found:?}");
    assert_eq!(found[3].0, 0.0, "a curve of any size would touch");
    assert!(found.windows(2).all(|two| two[0].1 < two[1].1), "{found:?}");
}

#[test]
fn constraints_hold_on_curves() {
    let scene = gantry();
    let waypoints = [vec![0.0, 0.0], vec![1.0, 0.0], vec![1.0, 1.0]];
    let found = proven(&scene, &waypoints);
    let side = |x: f64, y: f64, half: [f64; 3]| {
        (Pose::translation(x, y, 0.0), Shape::cuboid(half).unwrap())
    };
    let width = 0.02;
    let regions = vec![side(0.5, 0.0, [0.6, width, 0.1]), side(1.0, 0.5, [width, 0.6, 0.1])];
    let corridor = PathConstraint::Position { link: "ball".into(), offset: Vec3::zeros(), regions };
    let (space, path) = blended(&scene, None, &found, &[corridor], 1.0);
    assert_eq!(path.blends.len(), 1);
    assert!(path.blends[0].before < 0.25, "{}", path.blends[0].before);
    let link = scene.model().link_id("ball").unwrap();
    let limits = MotionLimits::of_space(&space, 1.0).unwrap();
    let timed = TimedPath::blended(&space, &path, &limits).unwrap();
    for k in 0..=2000 {
        let state = timed.at(timed.duration() * f64::from(k) / 2000.0).positions;
        let at = forward_kinematics(scene.model(), &space.positions(&state)).unwrap()[link]
            * Point3::origin();
        assert!(at.y.abs() <= width + 1e-9 || (at.x - 1.0).abs() <= width + 1e-9, "{at}");
    }
    // The range of a joint: the curve stays in the triangle of its corner.
    let range = PathConstraint::Joint { name: "x".into(), position: 0.5, above: 0.5, below: 0.5 };
    let (_, path) = blended(&scene, None, &found, &[range], 1.0);
    assert_eq!(path.blends[0].before, 0.5);
}

#[test]
fn changed_curves_are_refused() {
    let mut scene = gantry();
    add_box(&mut scene, "block", [0.3, 0.7, 0.0], [0.6; 3]);
    let waypoints = [vec![0.0, 0.0], vec![1.0, 0.0], vec![1.0, 1.0], vec![0.0, 1.2]];
    let found = proven(&scene, &waypoints);
    let (space, good) = blended(&scene, None, &found, &[], 0.3);
    assert_eq!(good.blends.len(), 2);
    verify_blended(&[&scene], &good, &found.certificate).unwrap();
    let limits = MotionLimits::of_space(&space, 1.0).unwrap();
    let changed = |change: &dyn Fn(&mut BlendedPath)| {
        let mut path = good.clone();
        change(&mut path);
        let timed = TimedPath::blended(&space, &path, &limits);
        (verify_blended(&[&scene], &path, &found.certificate).unwrap_err(), timed)
    };
    type E = CertificateError;
    let other_shares: [&dyn Fn(&mut BlendedPath); 6] = [
        &|path| path.blends[0].before += 0.1,
        &|path| path.blends[1].after = -0.1,
        &|path| path.blends[0].waypoint = 2,
        &|path| path.blends[1].waypoint = 9,
        &|path| path.blends.swap(0, 1),
        &|path| path.blends[0].certificate.corner = None,
    ];
    for change in other_shares {
        let (error, timed) = changed(change);
        assert!(matches!(error, E::OtherCorner { .. }), "{error}");
        assert!(matches!(timed, Err(PlanError::BadOption { .. })));
    }
    let (error, _) = changed(&|path| {
        path.blends[0].certificate.pairs[0].parts[0].normal_w *= -1.0;
    });
    assert!(matches!(error, E::Gap { segment: 0, .. }), "{error}");
    let (error, _) = changed(&|path| path.blends[1].certificate.pairs.clear());
    assert_eq!(error, E::OtherPairs);
    // The straight parts are checked as well.
    let mut certificate = found.certificate.clone();
    certificate.segments.pop();
    let error = verify_blended(&[&scene], &good, &certificate).unwrap_err();
    assert!(matches!(error, E::SegmentCount { .. }), "{error}");
    for deviation in [-0.1, f64::NAN, f64::INFINITY] {
        let mut checker = SceneChecker::new(&scene).unwrap();
        let refused = blend_corners(&space, &found, &[], deviation, &mut checker, &|| false);
        assert!(matches!(refused, Err(PlanError::BadOption { field: "blend", .. })));
    }
    let mut checker = SceneChecker::new(&scene).unwrap();
    let cancelled = blend_corners(&space, &found, &[], 0.3, &mut checker, &|| true);
    assert_eq!(cancelled, Err(PlanError::Cancelled));
}

/// Back on the same line, straight on, and a waypoint twice: corners that are none.
#[test]
fn degenerate_corners_do_no_harm() {
    let scene = seven_joints();
    let at = |x: f64| vec![x, 0.2, 0.0, 0.3, 0.0, 0.2, 0.0, 0.0];
    for (waypoints, faster) in [
        (vec![at(0.0), at(0.4), at(0.1)], true),
        (vec![at(0.0), at(0.2), at(0.5)], true),
        (vec![at(0.0), at(0.2), at(0.2), at(0.5)], false),
        (vec![at(0.0), at(0.0)], false),
    ] {
        let found = proven(&scene, &waypoints);
        let (space, path) = blended(&scene, Some("arm"), &found, &[], 0.1);
        verify_blended(&[&scene], &path, &found.certificate).unwrap();
        let limits = MotionLimits::of_space(&space, 1.0).unwrap();
        let timed = TimedPath::blended(&space, &path, &limits).unwrap();
        let stops =
            TimedPath::blended(&space, &BlendedPath::with_stops(waypoints.clone()), &limits);
        let stops = stops.unwrap().duration();
        assert!(timed.duration() <= stops + 1e-9, "{} {stops}", timed.duration());
        assert_eq!(timed.duration() < stops - 0.01, faster);
        assert_eq!(timed.passes().len(), waypoints.len());
        if timed.duration() > 0.0 {
            assert_within_limits(&timed, &[2.0; 7], &[1.0; 7]);
        }
    }
}
