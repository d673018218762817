//! Questions about one state, against a loop over all pairs that uses nothing of the scene but its names.

use std::sync::Arc;

use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_query::{QueryOptions, SignedDistance, distance};
use smooth_scene_robot::{JointKind, forward_kinematics};
use smooth_scene_scene::{
    Allowance, Between, BodyId, CheckRequest, LinkSize, MatrixChange, NearestRequest, PairDistance,
    PairLevel, PlanningScene, Reason, RobotChange, SceneChange, SceneObject, Workspace,
    WorldChange,
};

use smooth_scene_test_support::hands;
use smooth_scene_test_support::random::seed;

/// Hands among objects of all kinds, one carried, with paddings, margins and permitted contacts.
fn busy_scene() -> PlanningScene {
    let mut scene = hands::scene(0.16);
    let mut changes: Vec<SceneChange> = Vec::new();
    for k in 0..60 {
        let at = |a: f64| 0.25 * (a * (k as f64 + 1.0)).sin();
        let pose = Pose::new(
            Vec3::new(at(1.3), at(2.7) + 0.08, at(4.1)),
            Vec3::new(at(9.0), 1.0, at(5.0)),
        );
        let r = 0.006 + 0.0003 * k as f64;
        let shape = match k % 5 {
            0 => Shape::sphere(r),
            1 => Shape::cuboid([r, 0.5 * r, 0.8 * r]),
            2 => Shape::superellipsoid([r, 0.5 * r, 0.8 * r], 0.5, 0.7),
            3 => Shape::cylinder(r, 0.5 * r),
            _ => Shape::compound(vec![
                (Pose::identity(), Shape::capsule(0.3 * r, r).unwrap()),
                (Pose::translation(2.0 * r, 0.0, 0.0), Shape::sphere(r).unwrap()),
            ]),
        };
        let object = SceneObject::simple(&format!("o{k}"), pose, shape.unwrap()).unwrap();
        changes.push(WorldChange::Add(object).into());
    }
    let floor = Shape::half_space([0.0, 0.0, 1.0], -0.12).unwrap();
    let floor = SceneObject::simple("floor", Pose::identity(), floor).unwrap();
    changes.push(WorldChange::Add(floor).into());
    let tool = Shape::capsule(0.004, 0.03).unwrap();
    let object = SceneObject::simple("tool", Pose::translation(0.02, 0.0, 0.03), tool).unwrap();
    let (link, touch_links) = ("r_index_1".into(), vec!["r_palm".into()]);
    changes.push(RobotChange::Attach { object, link, touch_links }.into());
    let size = LinkSize { padding: 0.004, self_padding: 0.002, scale: 1.1 };
    changes.push(RobotChange::SetLinkSize { link: "r_index_1".into(), size }.into());
    changes.push(RobotChange::SetLinkSize { link: "l_palm".into(), size }.into());
    changes
        .push(RobotChange::SetMargin { a: "o3".into(), b: "l_palm".into(), margin: 0.01 }.into());
    changes.push(
        RobotChange::SetMargin { a: "r_palm".into(), b: "l_palm".into(), margin: 0.02 }.into(),
    );
    for (a, b) in [("floor", "r_palm"), ("o7", "l_ring_1"), ("r_thumb_3", "r_index_2")] {
        let entry = Some(Allowance::allow(Reason::User));
        changes.push(MatrixChange::SetEntry { a: a.into(), b: b.into(), entry }.into());
    }
    let entry = Some(Allowance::allow(Reason::User));
    changes.push(MatrixChange::SetDefault { name: "o9".into(), entry }.into());
    scene.apply(SceneChange::Several(changes)).unwrap();
    scene
}

struct Body {
    name: String,
    id: BodyId,
    shapes: Vec<(Pose, Shape)>,
    link: Option<String>,
    padding: [f64; 2],
    touch: Vec<String>,
}

/// All bodies where they are, sizes applied by the shapes' own padding and scaling.
fn bodies(scene: &PlanningScene, positions: &[f64]) -> Vec<Body> {
    let model = scene.model();
    let poses = forward_kinematics(model, positions).unwrap();
    let mut bodies = Vec::new();
    for id in model.link_ids() {
        let link = model.link(id);
        let size = scene.sizes().link(&link.name);
        let shapes = link.collisions.iter().map(|c| {
            let shape = c
                .shape
                .mapped(&(smooth_scene_geometry::math::Mat3::identity() * size.scale))
                .unwrap();
            (poses[id] * c.pose_in_link, shape)
        });
        bodies.push(Body {
            name: link.name.clone(),
            id: BodyId::Link(id),
            shapes: shapes.collect(),
            link: None,
            padding: [size.self_padding, size.padding],
            touch: vec![],
        });
    }
    for attached in scene.attached() {
        let link = model.link(attached.link);
        let size = scene.sizes().link(&link.name);
        let at = poses[attached.link] * attached.object.pose();
        bodies.push(Body {
            name: attached.object.name().into(),
            id: scene.body(attached.object.name()).unwrap(),
            shapes: attached.object.shapes().map(|(p, s)| (at * p, s.clone())).collect(),
            link: Some(link.name.clone()),
            padding: [size.self_padding, size.padding],
            touch: attached.touch_links.iter().map(|&l| model.link(l).name.clone()).collect(),
        });
    }
    for (id, object) in scene.world().iter() {
        bodies.push(Body {
            name: object.name().into(),
            id: BodyId::Object(id),
            shapes: object.shapes().map(|(p, s)| (object.pose() * p, s.clone())).collect(),
            link: None,
            padding: [0.0; 2],
            touch: vec![],
        });
    }
    bodies
}

/// Two bodies and the least distance of their surfaces.
type Pair = (BodyId, BodyId, SignedDistance);

/// Every pair that may not touch, with its distance.
fn brute_force(scene: &PlanningScene, positions: &[f64]) -> Vec<Pair> {
    let all = bodies(scene, positions);
    let mut found = Vec::new();
    for (i, a) in all.iter().enumerate() {
        for b in &all[i + 1..] {
            let is_object = |body: &Body| matches!(body.id, BodyId::Object(_));
            if is_object(a) || a.shapes.is_empty() || b.shapes.is_empty() {
                continue;
            }
            let touches = a.touch.contains(&b.name) || b.touch.contains(&a.name);
            if touches
                || (a.link.is_some() && a.link == b.link)
                || scene.acm().decide(&a.name, &b.name).allowed
            {
                continue;
            }
            let kind = is_object(b) as usize;
            let growth = a.padding[kind] + b.padding[kind] + scene.sizes().margin(&a.name, &b.name);
            let mut least: Option<SignedDistance> = None;
            for (pose_a, shape_a) in &a.shapes {
                for (pose_b, shape_b) in &b.shapes {
                    // The growth as a padding of the shape itself: the scene subtracts it instead.
                    let padded = shape_a.padded(growth).unwrap();
                    let d = distance(&padded, pose_a, shape_b, pose_b, &QueryOptions::default());
                    if least.is_none_or(|least| d.distance < least.distance) {
                        least = Some(d);
                    }
                }
            }
            found.push((a.id, b.id, least.expect("both bodies have shapes")));
        }
    }
    found.sort_by(|x, y| x.2.distance.total_cmp(&y.2.distance).then((x.0, x.1).cmp(&(y.0, y.1))));
    found
}

/// Two answers about the same pair do not contradict each other: what each proves includes something the other does.
/// Growing a shape and subtracting the growth afterwards round differently, by a few units in the last place of
/// coordinates below a metre.
fn assert_agree(one: &SignedDistance, other: &SignedDistance) {
    const ROUNDING: f64 = 16.0 * f64::EPSILON;
    let contradiction = (one.lower - other.upper).max(other.lower - one.upper);
    assert!(contradiction <= ROUNDING, "{contradiction:e} {one:?} {other:?}");
}

fn nearest(
    scene: &PlanningScene,
    q: &[f64],
    request: &NearestRequest,
    ws: &mut Workspace,
) -> Vec<PairDistance> {
    let mut out = Vec::new();
    scene.nearest(q, request, ws, &mut out).unwrap();
    out
}

#[test]
fn answers_are_those_of_a_loop_over_all_pairs() {
    let scene = busy_scene();
    // Not warm: random states do not follow each other, and a depth started from a far one may be a local one.
    let mut ws = Workspace::cold();
    let mut contacts = Vec::new();
    let mut seen = [0; 2];
    for q in hands::random_states(scene.model(), 25, seed(3)) {
        let expected = brute_force(&scene, &q);
        let all = nearest(&scene, &q, &NearestRequest::default(), &mut Workspace::cold());
        assert_eq!(all.len(), expected.len());
        let sorted = |mut list: Vec<Pair>| {
            list.sort_by_key(|x| (x.0, x.1));
            list
        };
        let ours = sorted(all.iter().map(|p| (p.body_a, p.body_b, p.distance)).collect());
        for (ours, theirs) in ours.iter().zip(sorted(expected.clone())) {
            assert_eq!((ours.0, ours.1), (theirs.0, theirs.1));
            assert_agree(&ours.2, &theirs.2);
        }
        let touching: Vec<_> =
            sorted(expected.iter().copied().filter(|x| x.2.distance <= 0.0).collect());
        scene
            .contacts(&q, &CheckRequest::default(), PairLevel::Bodies, &mut ws, &mut contacts)
            .unwrap();
        let ours: Vec<_> = contacts.iter().map(|p| (p.body_a, p.body_b)).collect();
        assert_eq!(ours, touching.iter().map(|x| (x.0, x.1)).collect::<Vec<_>>());
        let hit = scene.in_collision(&q, &CheckRequest::default(), &mut Workspace::cold()).unwrap();
        assert_eq!(hit, !touching.is_empty());
        seen[hit as usize] += 1;
        for (k, limit) in
            [(1, f64::INFINITY), (7, f64::INFINITY), (usize::MAX, 0.03), (5, 0.01), (0, 1.0)]
        {
            let request =
                NearestRequest { max_results: k, max_distance: limit, ..NearestRequest::default() };
            let ours = nearest(&scene, &q, &request, &mut ws);
            // The nearest of all of them, which were compared above.
            let theirs = all.iter().filter(|x| x.distance.distance <= limit).take(k);
            let who = |p: &PairDistance| (p.body_a, p.body_b);
            assert!(ours.iter().map(who).eq(theirs.clone().map(who)), "k {k}, limit {limit}");
            ours.iter().zip(theirs).for_each(|(a, b)| assert_agree(&a.distance, &b.distance));
        }
    }
    assert!(seen[1] > 0, "{seen:?}");
}

#[test]
fn warm_questions_along_a_path_agree_with_cold_ones() {
    let scene = busy_scene();
    let mut warm = Workspace::warm();
    let (mut cold_out, mut warm_out) = (Vec::new(), Vec::new());
    let request = NearestRequest { max_distance: 0.02, ..NearestRequest::default() };
    let (mut depths, mut local) = (0, 0);
    for q in hands::path(scene.model(), 200) {
        scene.nearest(&q, &request, &mut Workspace::cold(), &mut cold_out).unwrap();
        scene.nearest(&q, &request, &mut warm, &mut warm_out).unwrap();
        assert_eq!(cold_out.len(), warm_out.len());
        cold_out.sort_by_key(|p| (p.body_a, p.body_b));
        warm_out.sort_by_key(|p| (p.body_a, p.body_b));
        for (a, b) in cold_out.iter().zip(&warm_out) {
            assert_eq!((a.body_a, a.body_b, a.is_contact()), (b.body_a, b.body_b, b.is_contact()));
            let apart = (a.distance.distance - b.distance.distance).abs();
            // Whichever way out of a contact was found, what is proven about it does not contradict the other.
            assert_agree(&a.distance, &b.distance);
            if a.distance.distance <= 0.0 {
                depths += 1;
                local += (apart > 1e-6) as usize;
            }
        }
    }
    // The fast depth mode searches, and a warm start may stay at a way out that is no longer the shortest. Among these
    // boxes and cylinders 3 % of the depths differ, as `Workspace` says; more would be news.
    assert!(depths > 1000 && local * 20 <= depths, "{local} of {depths}");
}

#[test]
fn a_free_state_is_told_from_one_in_contact() {
    let scene = hands::scene(0.3);
    let zero = vec![0.0; scene.model().position_count()];
    let request = CheckRequest::default();
    assert!(!scene.in_collision(&zero, &request, &mut Workspace::cold()).unwrap());
    let mut closed = zero.clone();
    for (k, name) in scene.model().variable_names().iter().enumerate() {
        closed[k] = if name.contains("r_index") || name.contains("r_thumb") { 1.4 } else { 0.0 };
    }
    closed[1] = 0.1;
    let near = brute_force(&scene, &closed)[0].2.distance;
    assert_eq!(scene.in_collision(&closed, &request, &mut Workspace::cold()).unwrap(), near <= 0.0);
}

#[test]
fn questions_can_be_asked_between_some_bodies() {
    let scene = busy_scene();
    let q = hands::random_states(scene.model(), 1, seed(8)).remove(0);
    let between = Between {
        a: scene.body_set(&["r_index_3", "tool"]).unwrap(),
        b: scene.body_set(&["o1", "floor", "l_palm"]).unwrap(),
    };
    let check = CheckRequest { between, ..CheckRequest::default() };
    let request = NearestRequest { check, ..NearestRequest::default() };
    let found = nearest(&scene, &q, &request, &mut Workspace::cold());
    let names: Vec<_> =
        found.iter().map(|p| (scene.body_name(p.body_a), scene.body_name(p.body_b))).collect();
    assert_eq!(names.len(), 6, "{names:?}");
    assert!(scene.body_set(&["nobody"]).is_err());
    let robot_only = CheckRequest { world: false, ..CheckRequest::default() };
    let request = NearestRequest { check: robot_only, ..NearestRequest::default() };
    let found = nearest(&scene, &q, &request, &mut Workspace::cold());
    assert!(found.iter().all(|p| !matches!(p.body_b, BodyId::Object(_))));
}

/// How far a distance can rise when one joint moves by `step`, by the gradient and by what the gradient leaves out.
///
/// Fix the two witnesses to their bodies: their distance |w| bounds the distance of the bodies from above wherever the
/// joint goes, and is `upper` at the start. With v the largest speed and a the largest acceleration of w by the joint,
///
/// ```text
/// |w|(q + s) ≤ upper + (w/|w|)·w'·s + s²/2·(a + v²/(|w| − v·|s|))
/// ```
///
/// The gradient has the normal n in the place of w/|w|. Since n·w ≥ lower, they differ by at most √(2(1 − lower/upper)).
fn highest_after(p: &PairDistance, slope: f64, step: f64, v: f64, a: f64) -> f64 {
    let d = &p.distance;
    let turn = (2.0 * (1.0 - d.lower / d.upper)).sqrt();
    let bend = a + v * v / (d.upper - v * step.abs());
    // Coordinates below a metre go through a chain of a dozen poses.
    const ROUNDING: f64 = 64.0 * f64::EPSILON;
    d.upper + slope * step + turn * v * step.abs() + 0.5 * step * step * bend + ROUNDING
}

/// Moving a joint either way raises no distance above what the gradient says. Both together pin the derivative, and
/// hold on flat faces too, where witnesses jump.
#[test]
fn gradients_bound_the_distance_on_both_sides() {
    const STEP: f64 = 1e-6;
    let scene = busy_scene();
    let model = scene.model();
    let mut ws = Workspace::cold();
    let mut gradient = Vec::new();
    let (mut compared, mut widest) = (0, 0.0f64);
    for q in hands::random_states(model, 4, seed(21)) {
        let request = NearestRequest { max_distance: 0.02, ..NearestRequest::default() };
        let found = nearest(&scene, &q, &request, &mut ws);
        let poses = forward_kinematics(model, &q).unwrap();
        for p in found.iter().filter(|p| p.distance.lower > 1e-4).take(12) {
            scene.gradient(&ws, p, &mut gradient);
            let between = Between {
                a: scene.body_set(&[scene.body_name(p.body_a)]).unwrap(),
                b: scene.body_set(&[scene.body_name(p.body_b)]).unwrap(),
            };
            let check = CheckRequest { between, ..CheckRequest::default() };
            let request = NearestRequest { check, ..NearestRequest::default() };
            for (k, name) in model.variable_names().iter().enumerate() {
                // One number for each joint of these hands. A turn moves a point by its distance from the joint.
                let joint = model.joint(model.joint_id(name).unwrap());
                let at = poses[joint.child].translation.vector;
                let reach = |point: Vec3| (point - at).norm();
                let radius = reach(p.distance.witness_a_w).max(reach(p.distance.witness_b_w));
                let (v, a) = match joint.kind {
                    JointKind::Prismatic => (1.0, 0.0),
                    JointKind::Revolute => (radius, radius),
                    other => panic!("no joint of the hands is {}", other.name()),
                };
                for step in [STEP, -STEP] {
                    let mut moved = q.clone();
                    moved[k] += step;
                    let there = &nearest(&scene, &moved, &request, &mut Workspace::cold())[0];
                    let highest = highest_after(p, gradient[k], step, v, a);
                    assert!(there.distance.lower <= highest, "{name}: {there:?} {p:?} {highest}");
                    let rise = highest - p.distance.upper - gradient[k] * step;
                    widest = widest.max(rise / STEP);
                    compared += 1;
                }
            }
        }
    }
    // A derivative that is off by more than this would have been seen.
    assert!(compared > 1000 && widest < 1e-2, "{compared} {widest}");
}

#[test]
fn a_box_on_the_floor_has_four_corners_in_contact() {
    let mut scene = hands::scene(0.3);
    let floor = Shape::cuboid([1.0, 1.0, 0.1]).unwrap();
    let foot = Shape::cuboid([0.03, 0.02, 0.01]).unwrap();
    scene
        .apply(WorldChange::Add(
            SceneObject::simple("floor", Pose::translation(0.0, 0.0, -1.1), floor).unwrap(),
        ))
        .unwrap();
    let object = SceneObject::simple("foot", Pose::translation(0.0, 0.0, -0.991), foot).unwrap();
    scene
        .apply(RobotChange::Attach { object, link: "r_palm".into(), touch_links: vec![] })
        .unwrap();
    let zero = vec![0.0; scene.model().position_count()];
    let mut ws = Workspace::cold();
    let mut contacts = Vec::new();
    scene
        .contacts(&zero, &CheckRequest::default(), PairLevel::Surfaces, &mut ws, &mut contacts)
        .unwrap();
    assert_eq!(contacts.len(), 1);
    assert!((contacts[0].distance.distance + 0.001).abs() < 1e-9);
    let mut points = Vec::new();
    scene.contact_points(&ws, &contacts[0], 16, &mut points);
    assert!(points.len() >= 5, "{points:?}");
    assert!(points.iter().all(|p| (p.depth - 0.001).abs() < 1e-9));
    for (x, y) in [(0.03, 0.02), (0.03, -0.02), (-0.03, 0.02), (-0.03, -0.02)] {
        let corner = Vec3::new(x, y, -1.001);
        assert!(points.iter().any(|p| (p.point_w - corner).norm() < 1e-9), "{corner:?} {points:?}");
    }
    scene.contact_points(&ws, &contacts[0], 2, &mut points);
    assert_eq!(points.len(), 2);
}

#[test]
fn answers_are_the_same_bits_for_any_number_of_threads() {
    let scene = Arc::new(busy_scene());
    let states = hands::random_states(scene.model(), 60, seed(17));
    let request = NearestRequest { max_distance: 0.02, ..NearestRequest::default() };
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            (
                scene.states_in_collision(&states, &CheckRequest::default()).unwrap(),
                scene.states_nearest(&states, &request).unwrap(),
                scene
                    .states_contacts(&states, &CheckRequest::default(), PairLevel::Surfaces)
                    .unwrap(),
            )
        })
    };
    let one = run(1);
    assert!(one == run(2) && one == run(5));
    // A workspace that has seen other states gives the same.
    let mut ws = Workspace::cold();
    for (q, expected) in states.iter().zip(&one.1).rev() {
        assert_eq!(nearest(&scene, q, &request, &mut ws), *expected);
    }
    let mut bad = states.clone();
    bad[7][3] = f64::NAN;
    assert!(scene.states_in_collision(&bad, &CheckRequest::default()).is_err());
}
