//! The largest shapes and shapes without bounds: refused or answered, never left out.

use std::sync::Arc;

use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_query::{MotionGoal, MotionOptions, MotionStatus};
use smooth_scene_robot::{JointKind, JointLimits, JointSpec, LinkSpec, LinkSurface, RobotModel};
use smooth_scene_scene::{
    CheckRequest, LinkSize, MatrixChange, MotionRequest, NearestRequest, PlanningScene,
    RobotChange, SceneError, SceneObject, Workspace, WorldChange,
};

fn link(name: &str, shape: Shape) -> LinkSpec {
    let collision = LinkSurface { name: None, pose_in_link: Pose::identity(), shape };
    LinkSpec { name: name.into(), collisions: vec![collision] }
}

/// A link that a joint of this kind moves, on a base without shapes.
fn moving(kind: JointKind, axis: Vec3, shape: Shape) -> PlanningScene {
    let base = LinkSpec { name: "base".into(), collisions: Vec::new() };
    let joint = JointSpec {
        name: "joint".into(),
        kind,
        parent: "base".into(),
        child: "body".into(),
        origin: Pose::identity(),
        axis,
        limits: JointLimits { lower: -1e6, upper: 1e6, ..JointLimits::NONE },
        mimic: None,
    };
    let model = RobotModel::new("one".into(), vec![base, link("body", shape)], vec![joint]);
    PlanningScene::new(Arc::new(model.unwrap()), None).unwrap()
}

fn add(scene: &mut PlanningScene, name: &str, at: [f64; 3], shape: Shape) {
    let pose = Pose::translation(at[0], at[1], at[2]);
    scene.apply(WorldChange::Add(SceneObject::simple(name, pose, shape).unwrap())).unwrap();
}

fn padding(padding: f64) -> RobotChange {
    let size = LinkSize { padding, ..LinkSize::default() };
    RobotChange::SetLinkSize { link: "body".into(), size }
}

#[test]
fn a_padding_that_a_shape_cannot_be_grown_by_is_refused() {
    let mut scene = moving(JointKind::Prismatic, Vec3::x(), Shape::sphere(999_999.0).unwrap());
    let before = scene.clone();
    let error = scene.apply(padding(100.0)).unwrap_err();
    assert!(matches!(error, SceneError::BadPadding { .. }));
    assert_eq!(
        error.to_string(),
        "`body` cannot be padded by 100 m: sphere: radius is 1000099, must be in [1e-9, 1e6] m"
    );
    assert!(scene == before);
    let margin = RobotChange::SetMargin { a: "later".into(), b: "body".into(), margin: 2.0 };
    assert!(matches!(scene.apply(margin), Err(SceneError::BadPadding { .. })));
    // As much as there is room for is taken, and both kinds of check know it.
    scene.apply(padding(1.0)).unwrap();
    let at = 577_351.0;
    add(&mut scene, "ball", [at, at, at], Shape::sphere(1.0).unwrap());
    let way = [[0.0], [2.0]];
    let hit = |q: &[f64]| {
        scene.in_collision(q, &CheckRequest::default(), &mut Workspace::cold()).unwrap()
    };
    let answer = scene.check_motion(&way, &MotionRequest::default()).unwrap();
    assert_eq!(hit(&way[0]), answer.first_contact == Some(0.0));
    assert_eq!(hit(&way[1]), answer.first_contact.is_some(), "{answer:?}");
}

/// A half-space on a link that slides towards an object: it has no bounding ball, and moves all the same.
#[test]
fn a_half_space_that_slides_into_an_object_is_seen() {
    let wall = Shape::half_space([1.0, 0.0, 0.0], 0.0).unwrap();
    let mut scene = moving(JointKind::Prismatic, Vec3::x(), wall);
    add(&mut scene, "near", [2.0, 5.0, 0.0], Shape::sphere(0.5).unwrap());
    add(&mut scene, "far", [9.0, 0.0, 0.0], Shape::sphere(0.5).unwrap());
    for goal in [MotionGoal::FirstContact, MotionGoal::ClosestApproach] {
        let options = MotionOptions { goal, ..MotionOptions::default() };
        let request = MotionRequest { options, ..MotionRequest::default() };
        let answer = scene.check_motion(&[[0.0], [2.0]], &request).unwrap();
        let time = answer.first_contact.expect("the wall meets the nearer ball");
        assert!((time - 0.75).abs() < 1e-8, "{answer:?}");
        let answer = scene.check_motion(&[[0.0], [1.0]], &request).unwrap();
        assert_eq!((answer.first_contact, answer.free_until), (None, 1.0));
        assert!(answer.lower <= 0.5 && answer.status == MotionStatus::Converged);
    }
    let request = NearestRequest { max_results: 1, ..NearestRequest::default() };
    let mut out = Vec::new();
    scene.nearest(&[0.25], &request, &mut Workspace::cold(), &mut out).unwrap();
    assert_eq!(scene.body_name(out[0].body_b), "near");
    assert!((out[0].distance.distance - 1.25).abs() < 1e-12);
}

/// A half-space that turns has no largest speed: nothing is proven beyond the start, and nothing is called free.
#[test]
fn a_half_space_that_turns_is_not_called_free() {
    let floor = Shape::half_space([0.0, 0.0, 1.0], 0.0).unwrap();
    let mut scene = moving(JointKind::Revolute, Vec3::x(), floor);
    add(&mut scene, "ball", [0.0, 5.0, 1.0], Shape::sphere(0.5).unwrap());
    let way = [[0.0], [1.0]];
    assert!(scene.in_collision(&way[1], &CheckRequest::default(), &mut Workspace::cold()).unwrap());
    let answer = scene.check_motion(&way, &MotionRequest::default()).unwrap();
    assert!(answer.free_until < 0.2, "{answer:?}");
    assert!(answer.first_contact.is_some() || answer.status == MotionStatus::BudgetExhausted);
}

#[test]
fn two_half_spaces_overlap_without_end() {
    let wall = Shape::half_space([1.0, 0.0, 0.0], 0.0).unwrap();
    let mut scene = moving(JointKind::Prismatic, Vec3::x(), wall);
    add(&mut scene, "floor", [0.0, 0.0, -1.0], Shape::half_space([0.0, 0.0, 1.0], 0.0).unwrap());
    let answer = scene.check_motion(&[[0.0], [1.0]], &MotionRequest::default()).unwrap();
    assert_eq!(answer.first_contact, Some(0.0));
    assert_eq!(answer.lower, f64::NEG_INFINITY);
    assert_eq!(answer.closest.unwrap().distance.distance, f64::NEG_INFINITY);
}

/// Two links that touch within rounding and do not move relative to each other are in contact from the start on,
/// however rounding falls in the states between.
#[test]
fn a_pair_that_touches_within_rounding_is_in_contact_at_the_start() {
    let ball = || Shape::sphere(0.5).unwrap();
    let joint = |name: &str, kind, parent: &str, child: &str, x: f64| JointSpec {
        name: name.into(),
        kind,
        parent: parent.into(),
        child: child.into(),
        origin: Pose::translation(x, 0.0, 0.0),
        axis: Vec3::new(0.3, -0.7, 0.6),
        limits: JointLimits { lower: -9.0, upper: 9.0, ..JointLimits::NONE },
        mimic: None,
    };
    let links = vec![
        LinkSpec { name: "base".into(), collisions: Vec::new() },
        link("a", ball()),
        LinkSpec { name: "between".into(), collisions: vec![] },
        link("b", ball()),
    ];
    let joints = vec![
        joint("move", JointKind::Revolute, "base", "a", 3.0),
        joint("fixed", JointKind::Fixed, "a", "between", 0.5),
        joint("also_fixed", JointKind::Fixed, "between", "b", 0.5 + 1e-15),
    ];
    let model = Arc::new(RobotModel::new("pair".into(), links, joints).unwrap());
    let mut scene = PlanningScene::new(model, None).unwrap();
    scene.apply(MatrixChange::Replace(Default::default())).unwrap();
    let answer = scene.check_motion(&[[0.0], [1.0]], &MotionRequest::default()).unwrap();
    assert_eq!((answer.first_contact, answer.free_until), (Some(0.0), 0.0));
}
