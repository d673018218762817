//! Continuous checks of every kind of joint, with what makes bodies larger or more, against dense sampling.

use std::sync::Arc;

use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_query::{MotionGoal, MotionOptions, MotionStatus};
use smooth_scene_robot::{
    JointKind, JointLimits, JointSpec, LinkSpec, LinkSurface, MimicSpec, RobotModel, StateSampler,
    interpolate,
};
use smooth_scene_scene::{
    LinkSize, MotionAnswer, MotionRequest, NearestRequest, PlanningScene, RobotChange, SceneObject,
    Workspace, WorldChange,
};
use smooth_scene_test_support::random::seed;

/// Samples of one motion.
const SAMPLES: usize = 800;

fn link(name: &str, shape: Shape) -> LinkSpec {
    let pose_in_link = Pose::new(Vec3::new(0.05, 0.02, -0.01), Vec3::new(0.3, 0.2, 0.1));
    let collision = LinkSurface { name: None, pose_in_link, shape };
    LinkSpec { name: name.into(), collisions: vec![collision] }
}

fn joint(name: &str, kind: JointKind, parent: &str, child: &str, at: [f64; 3]) -> JointSpec {
    JointSpec {
        name: name.into(),
        kind,
        parent: parent.into(),
        child: child.into(),
        origin: Pose::new(Vec3::from(at), Vec3::new(0.2, -0.3, 0.4)),
        axis: Vec3::new(0.3, -0.2, 0.9),
        limits: JointLimits { lower: -0.3, upper: 0.3, ..JointLimits::NONE },
        mimic: None,
    }
}

fn follows(leader: &str, multiplier: f64, offset: f64) -> Option<MimicSpec> {
    Some(MimicSpec { joint: leader.into(), multiplier, offset })
}

/// A flyer, and a cart with a mast, an arm and a gripper: every kind of joint, and followers of two kinds.
fn model() -> Arc<RobotModel> {
    use JointKind::*;
    let links = vec![
        link("base", Shape::cuboid([0.05, 0.05, 0.05]).unwrap()),
        link("flyer", Shape::superellipsoid([0.12, 0.05, 0.03], 0.6, 0.8).unwrap()),
        link("cart", Shape::cylinder(0.08, 0.04).unwrap()),
        link("mast", Shape::cuboid([0.03, 0.03, 0.15]).unwrap()),
        link("arm", Shape::capsule(0.03, 0.1).unwrap()),
        link("hand", Shape::superovoid([0.04, 0.04, 0.1], 1.0, 0.9, [-0.1, -0.1]).unwrap()),
        link("finger", Shape::ellipsoid([0.08, 0.02, 0.02]).unwrap()),
    ];
    let joints = vec![
        joint("fly", Floating, "base", "flyer", [0.0, 0.0, 0.3]),
        joint("drive", Planar, "base", "cart", [0.1, 0.0, 0.0]),
        joint("lift", Prismatic, "cart", "mast", [0.0, 0.0, 0.2]),
        joint("turn", Continuous, "mast", "arm", [0.15, 0.0, 0.1]),
        JointSpec {
            mimic: follows("turn", -0.7, 0.2),
            ..joint("bend", Revolute, "arm", "hand", [0.1, 0.15, 0.1])
        },
        JointSpec {
            mimic: follows("lift", 0.5, 0.05),
            ..joint("grip", Prismatic, "hand", "finger", [0.0, 0.12, 0.05])
        },
    ];
    Arc::new(RobotModel::new("every".into(), links, joints).unwrap())
}

/// Random waypoints about the base.
fn waypoints(model: &RobotModel, count: usize, sampler: &mut StateSampler) -> Vec<Vec<f64>> {
    let mut draw = || {
        let state = sampler.draw();
        let names = model.variable_names().iter();
        let scaled = names.zip(state).map(|(name, x)| match name.as_str() {
            // What has no limits comes from wherever the sampler draws it.
            "fly/trans_x" | "fly/trans_y" | "drive/x" | "drive/y" => 0.7 * x.sin(),
            "fly/trans_z" => 0.4 * x.sin(),
            _ => x,
        });
        scaled.collect()
    };
    (0..count).map(|_| draw()).collect()
}

const POST: [f64; 3] = [0.01, 0.02, 0.3];

fn posts(scene: &mut PlanningScene) {
    for k in 0..5 {
        let turn = Vec3::new(0.0, 0.1 * k as f64, 0.3);
        let at = Vec3::new(0.25 * k as f64 - 0.5, 0.6 - 0.3 * k as f64, 0.3);
        let shape = Shape::cuboid(POST).unwrap();
        let object = SceneObject::simple(&format!("post_{k}"), Pose::new(at, turn), shape).unwrap();
        scene.apply(WorldChange::Add(object)).unwrap();
    }
}

fn carried(scene: &mut PlanningScene) {
    let bar = vec![
        (Pose::translation(0.0, 0.1, 0.0), Shape::cuboid([0.01, 0.1, 0.01]).unwrap()),
        (Pose::translation(0.0, 0.22, 0.0), Shape::sphere(0.03).unwrap()),
    ];
    let object = SceneObject::new("bar", Pose::translation(0.05, 0.0, 0.1), bar).unwrap();
    let touch_links = vec!["finger".to_string()];
    scene.apply(RobotChange::Attach { object, link: "hand".into(), touch_links }).unwrap();
}

fn grown(scene: &mut PlanningScene) {
    for (k, link) in ["flyer", "mast", "hand"].into_iter().enumerate() {
        let size =
            LinkSize { padding: 0.01 * k as f64, self_padding: 0.015, scale: 1.0 + 0.1 * k as f64 };
        scene.apply(RobotChange::SetLinkSize { link: link.into(), size }).unwrap();
    }
    for (a, b, margin) in [("flyer", "arm", 0.04), ("hand", "post_2", 0.03)] {
        scene.apply(RobotChange::SetMargin { a: a.into(), b: b.into(), margin }).unwrap();
    }
}

/// The nearest signed distance at a time that counts waypoints.
fn distance_at(scene: &PlanningScene, way: &[Vec<f64>], time: f64, ws: &mut Workspace) -> f64 {
    let index = (time.floor() as usize).min(way.len() - 2);
    let q = interpolate(scene.model(), &way[index], &way[index + 1], time - index as f64).unwrap();
    let request = NearestRequest { max_results: 1, ..NearestRequest::default() };
    let mut out = Vec::new();
    scene.nearest(&q, &request, ws, &mut out).unwrap();
    out[0].distance.distance
}

/// Compares one answer with dense sampling; returns whether there was a contact after the start.
fn check(scene: &PlanningScene, way: &[Vec<f64>], answer: &MotionAnswer, goal: MotionGoal) -> bool {
    let end = (way.len() - 1) as f64;
    let mut ws = Workspace::cold();
    let mut at = |time: f64| distance_at(scene, way, time, &mut ws);
    let times = (0..=SAMPLES).map(|k| end * k as f64 / SAMPLES as f64);
    let sampled: Vec<(f64, f64)> = times.map(|time| (time, at(time))).collect();
    let free = sampled.iter().filter(|(time, _)| *time < answer.free_until);
    let least = free.clone().map(|(_, d)| *d).fold(f64::INFINITY, f64::min);
    // Tolerances are multiples of the largest bounding radius: that of a post.
    let (options, radius) = (MotionOptions::default(), Vec3::from(POST).norm());
    let gap = options.query.gap_tolerance * radius;
    let touching = options.contact_tolerance * radius + gap;
    let is_converged = answer.status == MotionStatus::Converged;
    assert!(least > -gap, "{least} before {answer:?}");
    assert!(answer.lower <= least + gap, "{least} below the bound of {answer:?}");
    let first = sampled.iter().find(|(_, d)| *d <= 0.0).map(|(time, _)| *time);
    match (answer.first_contact, first) {
        (Some(time), first) => {
            // Not later than the first sample in contact, and in contact indeed.
            assert!(first.is_none_or(|first| time <= first), "{first:?} {answer:?}");
            assert!(answer.free_until <= time, "{answer:?}");
            // What is not proven free is so near that it counts as touching.
            let (there, before) = (at(time), at(answer.free_until));
            if time > 0.0 && is_converged {
                assert!(
                    there.abs() <= touching && before <= touching,
                    "{there} {before} {answer:?}"
                );
            }
            time > 0.0
        }
        (None, Some(first)) => panic!("contact at {first} was passed: {answer:?}"),
        (None, None) => {
            assert_eq!(answer.free_until, end);
            if goal == MotionGoal::ClosestApproach {
                let closest = answer.closest.as_ref().unwrap().distance.distance;
                let size = radius.max(closest);
                let gap = options.query.gap_tolerance * size;
                let proven = options.closest_tolerance * size + gap;
                assert!(!is_converged || closest <= least + proven, "{closest} {least}");
                assert!(!is_converged || closest - answer.lower <= proven, "{answer:?}");
                let again = at(answer.closest_time);
                assert!((again - closest).abs() <= 2.0 * gap, "{again} {answer:?}");
            }
            false
        }
    }
}

/// Many motions in one scene, with both goals; returns how many met something on the way and how many stayed free.
fn try_motions(scene: &PlanningScene, seed: u64, count: usize, share: f64) -> (usize, usize) {
    let mut sampler = StateSampler::new(scene.model(), seed);
    let (mut contacts, mut free, mut unfinished) = (0, 0, 0);
    for _ in 0..count {
        let ends = waypoints(scene.model(), 3, &mut sampler);
        // A shorter way from the first waypoint, so that some motions stay free.
        let toward = |end: &Vec<f64>| interpolate(scene.model(), &ends[0], end, share).unwrap();
        let way = vec![ends[0].clone(), toward(&ends[1]), toward(&ends[2])];
        for goal in [MotionGoal::FirstContact, MotionGoal::ClosestApproach] {
            let options = MotionOptions { goal, ..MotionOptions::default() };
            let request = MotionRequest { options, ..MotionRequest::default() };
            let answer = scene.check_motion(&way, &request).unwrap();
            contacts += usize::from(check(scene, &way, &answer, goal));
            free += usize::from(answer.first_contact.is_none());
            unfinished += usize::from(answer.status == MotionStatus::BudgetExhausted);
        }
    }
    // What is said holds then, too, but it should be rare: a distance query a hair from a contact that gives up.
    assert!(20 * unfinished <= 2 * count, "{unfinished} of {}", 2 * count);
    (contacts, free)
}

fn robot_alone() -> PlanningScene {
    PlanningScene::new(model(), None).unwrap()
}

#[test]
fn every_kind_of_joint_agrees_with_sampling() {
    let (contacts, free) = try_motions(&robot_alone(), seed(1), 20, 0.5);
    assert!(contacts > 3 && free > 3, "{contacts} {free}");
}

#[test]
fn the_world_and_what_is_carried_agree_with_sampling() {
    let mut scene = robot_alone();
    posts(&mut scene);
    carried(&mut scene);
    let (contacts, free) = try_motions(&scene, seed(2), 20, 0.3);
    assert!(contacts > 3 && free > 3, "{contacts} {free}");
}

#[test]
fn paddings_scales_and_margins_agree_with_sampling() {
    let mut scene = robot_alone();
    posts(&mut scene);
    carried(&mut scene);
    grown(&mut scene);
    let (contacts, free) = try_motions(&scene, seed(3), 20, 0.25);
    assert!(contacts > 3 && free > 3, "{contacts} {free}");
}

/// A joint without limits goes the shorter way round, unless another follows it by a fraction: the follower would
/// arrive elsewhere than at the waypoint, and jump.
#[test]
fn followers_of_joints_without_limits_do_not_jump_at_waypoints() {
    let model = model();
    let mut from = vec![0.0; model.position_count()];
    from[model.variable_names().iter().position(|name| name == "fly/rot_w").unwrap()] = 1.0;
    let mut to = from.clone();
    let place = model.variable_names().iter().position(|name| name == "turn").unwrap();
    (from[place], to[place]) = (3.0, -3.0);
    let arrived = interpolate(&model, &from, &to, 1.0).unwrap();
    let poses = |q: &[f64]| smooth_scene_robot::forward_kinematics(&model, q).unwrap();
    for (a, b) in poses(&arrived).as_slice().iter().zip(poses(&to).as_slice()) {
        assert!((a.to_homogeneous() - b.to_homogeneous()).amax() < 1e-12);
    }
}
