//! Edits: applied or refused as a whole, undone exactly, and never seen by a snapshot.

use proptest::prelude::*;
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::Pose;
use smooth_scene_robot::{LinkSurface, forward_kinematics};
use smooth_scene_scene::{
    Allowance, AllowedCollisionMatrix, LinkSize, MatrixChange, PlanningScene, Reason, RobotChange,
    SceneChange, SceneError, SceneObject, Sizes, WorldChange,
};

use smooth_scene_test_support::hands;
use smooth_scene_test_support::random::{properties, seed};

fn ball(name: &str, x: f64, radius: f64) -> SceneObject {
    SceneObject::simple(name, Pose::translation(x, 0.0, 0.0), Shape::sphere(radius).unwrap())
        .unwrap()
}

fn name() -> impl Strategy<Value = String> {
    // Few names, so that changes meet; some that links have.
    prop_oneof![
        (0..6u8).prop_map(|k| format!("object_{k}")),
        Just("r_palm".to_string()),
        Just("l_index_2".to_string()),
    ]
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![8 => -0.5..0.5, 1 => Just(f64::NAN), 1 => Just(-1.0), 1 => Just(1e9)]
}

fn object() -> impl Strategy<Value = SceneObject> {
    (name(), -0.5..0.5, 0.001..0.1, any::<bool>()).prop_map(|(name, x, radius, several)| {
        let object = ball(&name, x, radius);
        if several {
            let more = Shape::cuboid([radius; 3]).unwrap();
            object.with_appended(vec![(Pose::translation(0.1, 0.0, 0.0), more)]).unwrap()
        } else {
            object
        }
    })
}

fn allowance() -> impl Strategy<Value = Option<Allowance>> {
    any::<Option<bool>>()
        .prop_map(|allowed| allowed.map(|allowed| Allowance { allowed, reason: Reason::User }))
}

fn world_change() -> impl Strategy<Value = WorldChange> {
    let pose = number().prop_map(|x| Pose::translation(x, 0.1, 0.2));
    prop_oneof![
        object().prop_map(WorldChange::Add),
        object().prop_map(WorldChange::Replace),
        name().prop_map(|name| WorldChange::Remove { name }),
        Just(WorldChange::RemoveAll),
        (name(), pose).prop_map(|(name, pose)| WorldChange::Move { name, pose }),
        (name(), 0.01..0.1).prop_map(|(name, r)| WorldChange::Append {
            name,
            shapes: vec![(Pose::identity(), Shape::sphere(r).unwrap())],
        }),
    ]
}

fn robot_change() -> impl Strategy<Value = RobotChange> {
    prop_oneof![
        (object(), name(), name()).prop_map(|(object, link, touch)| RobotChange::Attach {
            object,
            link,
            touch_links: vec![touch],
        }),
        name().prop_map(|name| RobotChange::Detach { name }),
        (name(), number(), number()).prop_map(|(link, padding, scale)| {
            let size = LinkSize { padding, scale: 1.0 + scale, ..LinkSize::default() };
            RobotChange::SetLinkSize { link, size }
        }),
        (name(), number(), 0..3usize).prop_map(|(link, radius, count)| {
            let size = if radius.is_finite() { radius.abs().clamp(0.001, 1.0) } else { 0.1 };
            let shape = Shape::sphere(size).unwrap();
            let pose_in_link = Pose::translation(radius, 0.0, 0.0);
            let collision = LinkSurface { name: None, pose_in_link, shape };
            RobotChange::SetCollisions { link, collisions: vec![collision; count] }
        }),
        (name(), name(), number()).prop_map(|(a, b, margin)| RobotChange::SetMargin {
            a,
            b,
            margin
        }),
        Just(RobotChange::SetSizes(Sizes::default())),
    ]
}

fn matrix_change() -> impl Strategy<Value = MatrixChange> {
    prop_oneof![
        (name(), name(), allowance()).prop_map(|(a, b, entry)| MatrixChange::SetEntry {
            a,
            b,
            entry
        }),
        (name(), allowance()).prop_map(|(name, entry)| MatrixChange::SetDefault { name, entry }),
        Just(MatrixChange::Replace(AllowedCollisionMatrix::new())),
    ]
}

fn simple_change() -> impl Strategy<Value = SceneChange> {
    prop_oneof![
        world_change().prop_map(SceneChange::from),
        robot_change().prop_map(SceneChange::from),
        matrix_change().prop_map(SceneChange::from),
    ]
}

fn change() -> impl Strategy<Value = SceneChange> {
    prop_oneof![
        3 => simple_change(),
        1 => prop::collection::vec(simple_change(), 0..4).prop_map(SceneChange::Several),
    ]
}

proptest! {
    #![proptest_config(properties(96, 1))]

    #[test]
    fn undoing_every_change_gives_back_the_scene(changes in prop::collection::vec(change(), 1..25)) {
        let mut scene = hands::scene(0.16);
        let mut history: Vec<(PlanningScene, SceneChange)> = Vec::new();
        for change in changes {
            let before = scene.clone();
            match scene.apply(change) {
                Ok(inverse) => history.push((before, inverse)),
                // A refused change leaves everything as it was.
                Err(_) => prop_assert!(scene == before),
            }
        }
        // Snapshots were not touched by what came later, and undoing leads back through each of them.
        while let Some((before, inverse)) = history.pop() {
            let redo = scene.apply(inverse).unwrap();
            prop_assert!(scene == before);
            let mut again = scene.clone();
            again.apply(redo).unwrap();
        }
        prop_assert!(scene == hands::scene(0.16));
    }
}

#[test]
fn snapshots_do_not_change() {
    let mut scene = hands::scene(0.16);
    for k in 0..100 {
        scene.apply(WorldChange::Add(ball(&format!("o{k}"), k as f64, 0.1))).unwrap();
    }
    let snapshot = scene.snapshot();
    scene.apply(WorldChange::Remove { name: "o3".into() }).unwrap();
    scene.apply(WorldChange::Move { name: "o70".into(), pose: Pose::identity() }).unwrap();
    scene.apply(WorldChange::Add(ball("new", 0.0, 0.1))).unwrap();
    assert_eq!(snapshot.world().len(), 100);
    assert!(snapshot.world().by_name("o3").is_some() && snapshot.world().by_name("new").is_none());
    let at = |s: &PlanningScene| s.world().by_name("o70").unwrap().pose().translation.x;
    assert_eq!((at(&snapshot), at(&scene)), (70.0, 0.0));
}

#[test]
fn refusals_say_why() {
    let mut scene = hands::scene(0.16);
    scene.apply(WorldChange::Add(ball("cup", 0.0, 0.1))).unwrap();
    fn refused(scene: &mut PlanningScene, change: impl Into<SceneChange>) -> String {
        scene.apply(change).unwrap_err().to_string()
    }
    assert_eq!(
        refused(&mut scene, WorldChange::Add(ball("cup", 0.0, 0.1))),
        "the name `cup` is taken by an object of the world"
    );
    assert_eq!(
        refused(&mut scene, WorldChange::Add(ball("r_palm", 0.0, 0.1))),
        "the name `r_palm` is taken by a link of the robot"
    );
    let several = SceneChange::Several(vec![
        WorldChange::Remove { name: "cup".into() }.into(),
        RobotChange::Detach { name: "cup".into() }.into(),
    ]);
    assert_eq!(
        refused(&mut scene, several),
        "change 2 of 2: no object `cup` is attached to the robot"
    );
    assert!(scene.world().by_name("cup").is_some());
    let size = LinkSize { padding: -0.1, ..LinkSize::default() };
    assert_eq!(
        refused(&mut scene, RobotChange::SetLinkSize { link: "r_palm".into(), size }),
        "padding of `r_palm` is -0.1, must be in [0, 1000] m"
    );
    assert!(matches!(
        SceneObject::simple(
            "x",
            Pose::translation(f64::NAN, 0.0, 0.0),
            Shape::sphere(1.0).unwrap()
        ),
        Err(SceneError::BadPose { .. })
    ));
}

#[test]
fn frames_and_attached_objects_move_with_their_links() {
    let mut scene = hands::scene(0.16);
    let frames = vec![("tip".to_string(), Pose::translation(0.0, 0.0, 0.1))];
    let cup = ball("cup", 0.3, 0.02).with_subframes(frames).unwrap();
    scene.apply(WorldChange::Add(cup)).unwrap();
    let states = hands::random_states(scene.model(), 2, seed(5));
    let poses: Vec<_> =
        states.iter().map(|q| forward_kinematics(scene.model(), q).unwrap()).collect();
    let attach = scene.attach_from_world("cup", "r_palm", &[], &states[0]).unwrap();
    let before = scene.frame("cup/tip", &poses[0]).unwrap();
    scene.apply(attach).unwrap();
    let after = scene.frame("cup/tip", &poses[0]).unwrap();
    assert!((before.translation.vector - after.translation.vector).norm() < 1e-12);
    // In another state the frame went along with the palm.
    let palm = scene.model().link_id("r_palm").unwrap();
    let carried = poses[1][palm] * poses[0][palm].inverse() * after;
    let moved = scene.frame("cup/tip", &poses[1]).unwrap();
    assert!((carried.translation.vector - moved.translation.vector).norm() < 1e-12);
    let detach = scene.detach_to_world("cup", &states[1]).unwrap();
    scene.apply(detach).unwrap();
    let left = scene.frame("cup/tip", &poses[0]).unwrap();
    assert!((left.translation.vector - moved.translation.vector).norm() < 1e-12);
    assert!(scene.frame("cup/nowhere", &poses[0]).is_err());
}
