//! What certificates claim is true, and what is not true is not certified.

use crate::scenes::{add_box, for_each_state, plane_arm, seven_joints, shelf};
use smooth_scene_geometry::Shape;
use smooth_scene_plan::{
    CertificateError, EdgeProof, EdgeProver, PathCertificate, PlanOptions, plan, verify,
};
use smooth_scene_robot::StateSampler;
use smooth_scene_scene::{
    Between, BodySet, CheckRequest, MotionRequest, NearestRequest, PlanningScene, SceneChange,
    Workspace, WorldChange,
};
use smooth_scene_test_support::random::seed;

/// Random motions of different lengths: what is proven, and how many.
#[test]
fn proofs_agree_with_the_motion_check_and_with_sampled_distances() {
    let mut scene = shelf();
    crate::scenes::add(
        &mut scene,
        "ground",
        [0.0, 0.0, -0.4],
        Shape::half_space([0.0, 0.0, 1.0], 0.0).unwrap(),
    );
    let prover = EdgeProver::new(&scene).unwrap();
    let mut sampler = StateSampler::new(scene.model(), seed(5));
    let mut ws = Workspace::cold();
    let (mut proven, mut refuted) = (0, 0);
    while proven < 12 || refuted < 12 {
        let from = sampler.draw();
        let length = 0.05 + sampler.uniform();
        let other = sampler.draw();
        let to: Vec<f64> =
            from.iter().zip(&other).map(|(a, b)| a + 0.3 * length * (b - a)).collect();
        if scene.in_collision(&from, &CheckRequest::default(), &mut ws).unwrap() {
            continue;
        }
        let answer = scene.check_motion(&[&from, &to], &MotionRequest::default()).unwrap();
        let found = prover.prove(&from, &to, &|| false).unwrap();
        let EdgeProof::Proven(segment) = found else {
            assert!(
                answer.first_contact.is_some(),
                "refuted, but the motion check finds no contact"
            );
            refuted += 1;
            continue;
        };
        assert_eq!(answer.first_contact, None, "proven, but the motion check finds a contact");
        proven += 1;
        // No sampled distance of any pair is below what is proven for it.
        let names = prover.surface_names();
        let waypoints = [from, to];
        let step = 0.05;
        for pair in &segment.pairs {
            let [a, b] = pair.surfaces.map(|k| &names[k as usize]);
            let set = |name: &str| Some(BodySet::of([scene.body(name).unwrap()]));
            let between = Between { a: set(&a.body), b: set(&b.body) };
            let check = CheckRequest { between, ..CheckRequest::default() };
            let request = NearestRequest { check, ..NearestRequest::default() };
            let mut out = Vec::new();
            for_each_state(&scene, &waypoints, step, |state| {
                scene.nearest(state, &request, &mut ws, &mut out).unwrap();
                assert!(out[0].distance.upper >= pair.clearance, "{} {}", a.body, b.body);
            });
        }
    }
}

fn planned() -> (PlanningScene, Vec<Vec<f64>>, PathCertificate) {
    let mut scene = plane_arm(3, "revolute");
    add_box(&mut scene, "post", [0.6, 0.3, 0.0], [0.05, 0.05, 0.3]);
    let options = PlanOptions::default();
    let found = plan(&scene, None, &[0.0; 3], &[1.2, 0.0, 0.0], &options, &|| false).unwrap();
    assert!(found.waypoints.len() > 2);
    (scene, found.waypoints, found.certificate)
}

#[test]
fn a_changed_certificate_is_refused() {
    let (scene, path, good) = planned();
    verify(&scene, &path, &good).unwrap();
    let changed = |change: &dyn Fn(&mut PathCertificate)| {
        let mut certificate = good.clone();
        change(&mut certificate);
        verify(&scene, &path, &certificate).unwrap_err()
    };
    // The pair with the most parts, and its segment.
    let all = (0..good.segments.len())
        .flat_map(|k| (0..good.segments[k].pairs.len()).map(move |pair| (k, pair)));
    let parts_of = |(k, pair): (usize, usize)| good.segments[k].pairs[pair].parts.len();
    let (segment, place) = all.max_by_key(|&at| parts_of(at)).unwrap();
    assert!(parts_of((segment, place)) > 2);
    type E = CertificateError;
    assert!(matches!(changed(&|c| drop(c.segments.pop())), E::SegmentCount { .. }));
    assert!(matches!(changed(&|c| c.segments[0].to[1] += 1e-9), E::OtherPath { segment: 0 }));
    assert!(matches!(changed(&|c| drop(c.segments[0].pairs.pop())), E::OtherPairs));
    assert!(matches!(changed(&|c| c.segments[0].pairs.swap(0, 1)), E::OtherPairs));
    assert!(matches!(changed(&|c| c.surfaces[1].body = "ghost".into()), E::OtherPairs));
    let parts =
        |c: &mut PathCertificate| std::mem::take(&mut c.segments[segment].pairs[place].parts);
    let without_part = changed(&|c| {
        let mut all = parts(c);
        all.remove(1);
        c.segments[segment].pairs[place].parts = all;
    });
    assert!(matches!(without_part, E::Hole { .. }), "{without_part}");
    assert!(matches!(changed(&|c| drop(parts(c))), E::Hole { time: 0.0, .. }));
    let short = changed(&|c| {
        let parts = &mut c.segments[segment].pairs[place].parts;
        parts.truncate(parts.len() - 1);
    });
    assert!(matches!(short, E::Hole { .. }), "{short}");
    // One part for the whole segment: the direction does not hold that long.
    let long = changed(&|c| {
        let mut all = parts(c);
        all.truncate(1);
        all[0].end = 1.0;
        c.segments[segment].pairs[place].parts = all;
    });
    assert!(matches!(long, E::Gap { .. }), "{long}");
    let turned = changed(&|c| c.segments[segment].pairs[place].parts[0].normal_w *= -1.0);
    assert!(matches!(turned, E::Gap { .. }), "{turned}");
    let none = changed(&|c| c.segments[segment].pairs[place].parts[0].normal_w *= 0.0);
    assert!(matches!(none, E::Gap { .. }), "{none}");
    let wishful = changed(&|c| c.segments[segment].pairs[place].clearance *= 1.5);
    assert!(matches!(wishful, E::Gap { .. }), "{wishful}");
    let negative = changed(&|c| c.segments[segment].pairs[place].clearance = -1.0);
    assert!(matches!(negative, E::Gap { .. }), "{negative}");
}

#[test]
fn a_certificate_does_not_hold_in_another_scene() {
    let (mut scene, path, certificate) = planned();
    let pose = smooth_scene_geometry::math::Pose::translation(0.45, 0.25, 0.0);
    let undo =
        scene.apply(SceneChange::World(WorldChange::Move { name: "post".into(), pose })).unwrap();
    let error = verify(&scene, &path, &certificate).unwrap_err();
    assert!(matches!(error, CertificateError::Gap { .. }), "{error}");
    scene.apply(undo).unwrap();
    verify(&scene, &path, &certificate).unwrap();
    add_box(&mut scene, "new", [5.0, 0.0, 0.0], [0.1; 3]);
    assert_eq!(verify(&scene, &path, &certificate), Err(CertificateError::OtherPairs));
}

#[test]
fn a_motion_that_ends_in_contact_is_refuted() {
    let mut scene = seven_joints();
    let from = vec![0.0, 0.4, 0.0, 0.4, 0.0, 0.4, 0.0, 0.0];
    add_box(&mut scene, "wall", [0.9, 0.0, 0.6], [0.02, 1.0, 2.0]);
    let prover = EdgeProver::new(&scene).unwrap();
    let mut to = from.clone();
    to[1] = 1.2;
    assert_eq!(prover.prove(&from, &to, &|| false).unwrap(), EdgeProof::Refuted);
    assert_eq!(prover.prove(&from, &to, &|| true).unwrap(), EdgeProof::Cancelled);
}
