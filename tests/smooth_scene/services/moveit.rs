//! A session as a stock `PlanningSceneInterface` of MoveIt has it: the messages are those it builds, field by field.

use smooth_scene::convert::{Refusal, Status};
use smooth_scene::interfaces::geometry_msgs::msg::{
    Point, Point32, Pose, Quaternion, Transform, TransformStamped, Vector3,
};
use smooth_scene::interfaces::moveit_msgs::msg::{
    AllowedCollisionEntry, AttachedCollisionObject, CollisionObject, Constraints,
    ContactInformation, JointConstraint, LinkPadding, LinkScale, OrientationConstraint,
    PlanningScene as SceneMessage, PlanningSceneComponents as Parts, PositionConstraint,
    RobotState, VisibilityConstraint,
};
use smooth_scene::interfaces::moveit_msgs::srv::{
    ApplyPlanningSceneRequest, GetMultiStateValidityRequest, GetPlanningSceneRequest,
    GetStateValidityRequest, GetStateValidityResponse,
};
use smooth_scene::interfaces::sensor_msgs::msg::JointState;
use smooth_scene::interfaces::shape_msgs::msg::{Mesh, Plane, SolidPrimitive};
use smooth_scene::math::Pose as CorePose;
use smooth_scene::node::services::{
    ApplyPlanningScene, CheckMultiStateValidity, CheckStateValidity, GetPlanningScene,
};
use smooth_scene::node::topics::{on_attached_collision_object, on_collision_object};

use super::bench::{Bench, arm, cart, joint_state, open_arm};

fn at(x: f64, y: f64, z: f64) -> Pose {
    let orientation = Quaternion { x: 0.0, y: 0.0, z: 0.0, w: 1.0 };
    Pose { position: Point { x, y, z }, orientation }
}

fn solid(type_: u8, dimensions: &[f64]) -> SolidPrimitive {
    SolidPrimitive { type_, dimensions: dimensions.to_vec(), ..SolidPrimitive::default() }
}

/// As the tutorials do it: the pose of the box is that of its primitive.
fn boxed(id: &str, frame: &str, size: f64, pose: Pose) -> CollisionObject {
    let mut object = CollisionObject::default();
    object.header.frame_id = frame.into();
    object.id = id.into();
    object.primitives.push(solid(SolidPrimitive::BOX, &[size; 3]));
    object.primitive_poses.push(pose);
    object.operation = CollisionObject::ADD;
    object
}

fn named(id: &str, operation: u8) -> CollisionObject {
    CollisionObject { id: id.into(), operation, ..CollisionObject::default() }
}

fn attached(link: &str, object: CollisionObject, touch: &[&str]) -> AttachedCollisionObject {
    AttachedCollisionObject {
        link_name: link.into(),
        object,
        touch_links: touch.iter().map(ToString::to_string).collect(),
        ..AttachedCollisionObject::default()
    }
}

/// `applyCollisionObjects`.
fn world_diff(objects: Vec<CollisionObject>) -> SceneMessage {
    let mut scene = SceneMessage { is_diff: true, ..SceneMessage::default() };
    scene.robot_state.is_diff = true;
    scene.world.collision_objects = objects;
    scene
}

/// `applyAttachedCollisionObjects`.
fn robot_diff(objects: Vec<AttachedCollisionObject>) -> SceneMessage {
    let mut scene = SceneMessage { is_diff: true, ..SceneMessage::default() };
    scene.robot_state.is_diff = true;
    scene.robot_state.attached_collision_objects = objects;
    scene
}

fn apply(bench: &mut Bench, scene: SceneMessage) -> bool {
    bench.ask(&ApplyPlanningScene, ApplyPlanningSceneRequest { scene }).success
}

fn reason(bench: &mut Bench, scene: SceneMessage) -> String {
    bench.refusal(&ApplyPlanningScene, ApplyPlanningSceneRequest { scene }).message
}

fn get(bench: &mut Bench, components: u32) -> SceneMessage {
    let components = Parts { components };
    bench.ask(&GetPlanningScene, GetPlanningSceneRequest { components }).scene
}

fn ask(state: &[(&str, f64)]) -> GetStateValidityRequest {
    let robot_state = RobotState { joint_state: joint_state(state), ..RobotState::default() };
    GetStateValidityRequest { robot_state, ..GetStateValidityRequest::default() }
}

fn is_valid(bench: &mut Bench, state: &[(&str, f64)]) -> GetStateValidityResponse {
    bench.ask(&CheckStateValidity, ask(state))
}

fn bad(reason: &str) -> Refusal {
    let missing = reason.contains("no transform");
    let status = if missing { Status::NoTransform } else { Status::Refused };
    Refusal { status, message: reason.into() }
}

#[test]
fn a_planning_scene_interface_adds_attaches_checks_detaches_and_removes_a_box() {
    let mut bench = Bench::arm();
    let straight = [("shoulder", 0.0), ("elbow", 0.0)];
    assert!(is_valid(&mut bench, &straight).valid);
    // Above the gripper, when the arm is straight: the hand is at 0.81, the fingers end at 0.895.
    assert!(apply(&mut bench, world_diff(vec![boxed("box1", "base", 0.06, at(0.0, 0.0, 0.9))])));
    let hit = is_valid(&mut bench, &straight);
    assert!(!hit.valid);
    let bodies: Vec<_> = hit
        .contacts
        .iter()
        .map(|c| (c.contact_body_1.as_str(), c.contact_body_2.as_str()))
        .collect();
    assert_eq!(bodies, [("left", "box1"), ("right", "box1")]);
    let contact = &hit.contacts[0];
    assert_eq!(
        (contact.body_type_1, contact.body_type_2),
        (ContactInformation::ROBOT_LINK, ContactInformation::WORLD_OBJECT)
    );
    assert_eq!(contact.header.frame_id, "base");
    assert!(
        contact.depth > 0.0
            && (contact.normal.x.powi(2) + contact.normal.y.powi(2) + contact.normal.z.powi(2)
                - 1.0)
                .abs()
                < 1e-9
    );

    // Read back what was sent.
    let world = get(&mut bench, Parts::WORLD_OBJECT_GEOMETRY).world.collision_objects;
    let mut sent = boxed("box1", "base", 0.06, at(0.0, 0.0, 0.0));
    sent.pose = at(0.0, 0.0, 0.9);
    assert_eq!(world, [sent]);
    let names = get(&mut bench, Parts::WORLD_OBJECT_NAMES).world.collision_objects;
    assert_eq!((names[0].id.as_str(), names[0].primitives.len()), ("box1", 0));

    // Attach it by name, as `attachObject` does; the arm stands straight.
    bench.joints.update(&joint_state(&straight), bench.now).unwrap();
    assert!(apply(
        &mut bench,
        robot_diff(vec![attached("hand", named("box1", CollisionObject::ADD), &["left", "right"])])
    ));
    assert!(is_valid(&mut bench, &straight).valid);
    let read = get(&mut bench, Parts::ROBOT_STATE_ATTACHED_OBJECTS | Parts::WORLD_OBJECT_NAMES);
    assert!(read.world.collision_objects.is_empty());
    let carried = &read.robot_state.attached_collision_objects;
    assert_eq!(
        (carried.len(), carried[0].link_name.as_str(), carried[0].object.id.as_str()),
        (1, "hand", "box1")
    );
    assert_eq!(carried[0].touch_links, ["hand", "left", "right"]);
    assert_eq!(carried[0].object.header.frame_id, "hand");
    assert!((carried[0].object.pose.position.z - 0.09).abs() < 1e-12);
    assert_eq!(carried[0].object.primitives, [solid(SolidPrimitive::BOX, &[0.06; 3])]);
    // It hits the base when the arm folds, and is named as what it is.
    let folded = is_valid(&mut bench, &[("shoulder", 0.6), ("elbow", 2.79)]);
    let touching =
        folded.contacts.iter().find(|c| c.contact_body_2 == "box1").expect("the box touches");
    assert_eq!(
        (touching.contact_body_1.as_str(), touching.body_type_2),
        ("base", ContactInformation::ROBOT_ATTACHED)
    );

    // Detach: it stays where the hand left it.
    bench.joints.update(&open_arm(), bench.now).unwrap();
    assert!(apply(
        &mut bench,
        robot_diff(vec![attached("hand", named("box1", CollisionObject::REMOVE), &[])])
    ));
    let scene = bench.scene();
    assert_eq!((scene.attached().len(), scene.world().len()), (0, 1));
    assert!(!is_valid(&mut bench, &[]).valid);
    // Remove.
    assert!(apply(&mut bench, world_diff(vec![named("box1", CollisionObject::REMOVE)])));
    assert!(bench.scene().world().is_empty());
    assert!(is_valid(&mut bench, &[]).valid);
    assert_eq!(
        reason(&mut bench, world_diff(vec![named("box1", CollisionObject::REMOVE)])),
        "the world has no object `box1`"
    );
}

#[test]
fn the_tutorial_attaches_with_shapes_and_removes_from_the_world_in_one_diff() {
    let mut bench = Bench::arm();
    let object = boxed("box", "hand", 0.05, at(0.0, 0.0, 0.06));
    assert!(apply(&mut bench, world_diff(vec![object.clone()])));
    let mut diff = robot_diff(vec![attached("hand", object.clone(), &["hand", "left", "right"])]);
    diff.world.collision_objects = vec![named("box", CollisionObject::REMOVE)];
    assert!(apply(&mut bench, diff));
    assert_eq!((bench.scene().world().len(), bench.scene().attached().len()), (0, 1));
    // And back: taken off and added again in one diff.
    let mut back = robot_diff(vec![attached("hand", named("box", CollisionObject::REMOVE), &[])]);
    back.world.collision_objects = vec![object];
    assert!(apply(&mut bench, back));
    assert_eq!((bench.scene().world().len(), bench.scene().attached().len()), (1, 0));
}

#[test]
fn the_scene_reads_back_as_it_was_sent_and_makes_the_same_scene_again() {
    let mut bench = Bench::arm();
    let mut many = CollisionObject::default();
    (many.id, many.pose) = ("many".into(), at(1.0, 2.0, 3.0));
    many.header.frame_id = "base".into();
    many.primitives = vec![
        solid(SolidPrimitive::BOX, &[0.1, 0.2, 0.3]),
        solid(SolidPrimitive::SPHERE, &[0.1]),
        solid(SolidPrimitive::CYLINDER, &[0.3, 0.1]),
        solid(SolidPrimitive::CONE, &[0.4, 0.2]),
    ];
    many.primitive_poses = (0..4).map(|k| at(0.25 * f64::from(k), 0.0, 0.5)).collect();
    many.planes = vec![Plane { coef: [0.0, 0.0, 1.0, 4.0] }];
    many.plane_poses = vec![at(0.0, 0.0, 0.25)];
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.25, 0.25, 2.0]];
    many.meshes = vec![Mesh {
        vertices: corners.map(|[x, y, z]| Point { x, y, z }).to_vec(),
        ..Mesh::default()
    }];
    many.mesh_poses = vec![at(0.5, 0.5, 0.5)];
    (many.subframe_names, many.subframe_poses) = (vec!["tip".into()], vec![at(0.0, 0.0, 1.0)]);
    let mut diff = world_diff(vec![many.clone()]);
    diff.robot_state.attached_collision_objects =
        vec![attached("hand", boxed("tool", "hand", 0.02, at(0.0, 0.0, 0.1)), &["left"])];
    diff.link_padding = vec![LinkPadding { link_name: "fore".into(), padding: 0.01 }];
    diff.link_scale = vec![LinkScale { link_name: "fore".into(), scale: 1.25 }];
    let acm = &mut diff.allowed_collision_matrix;
    acm.entry_names = vec!["many".into(), "base".into()];
    acm.entry_values = vec![
        AllowedCollisionEntry { enabled: vec![false, true] },
        AllowedCollisionEntry { enabled: vec![true, false] },
    ];
    assert!(apply(&mut bench, diff));

    let read = get(&mut bench, 0);
    assert_eq!(
        (read.robot_model_name.as_str(), read.is_diff, read.robot_state.is_diff),
        ("arm", false, false)
    );
    let found = &read.world.collision_objects[0];
    assert_eq!(
        (&found.primitives, &found.primitive_poses, &found.pose),
        (&many.primitives, &many.primitive_poses, &many.pose)
    );
    assert_eq!((&found.planes, &found.plane_poses), (&many.planes, &many.plane_poses));
    assert_eq!(
        (&found.subframe_names, &found.subframe_poses),
        (&many.subframe_names, &many.subframe_poses)
    );
    assert_eq!((found.meshes[0].vertices.len(), found.meshes[0].triangles.len()), (4, 4));
    // The state, with the finger that follows.
    let joints = &read.robot_state.joint_state;
    assert_eq!(joints.name, ["shoulder", "elbow", "grip", "grip_right"]);
    assert_eq!(joints.position, [0.3, 0.7, 0.03, 0.03]);
    // The matrix is a full table that says what decides.
    let acm = &read.allowed_collision_matrix;
    assert_eq!(acm.entry_names, ["base", "fore", "hand", "left", "many", "right", "upper"]);
    let scene = bench.scene();
    for (a, row) in acm.entry_names.iter().zip(&acm.entry_values) {
        for (b, &enabled) in acm.entry_names.iter().zip(&row.enabled) {
            assert_eq!(enabled, a != b && scene.acm().decide(a, b).allowed, "{a} {b}");
        }
    }
    let fore = read.link_padding.iter().position(|p| p.link_name == "fore").unwrap();
    assert_eq!((read.link_padding[fore].padding, read.link_scale[fore].scale), (0.01, 1.25));
    let frames = &read.fixed_frame_transforms;
    assert_eq!(
        (frames[0].header.frame_id.as_str(), frames[0].child_frame_id.as_str()),
        ("base", "base")
    );

    // The whole scene, sent to another robot of the same kind.
    let mut other = Bench::arm();
    assert!(apply(&mut other, read.clone()));
    let again = get(&mut other, 0);
    assert_eq!(again.world, read.world);
    assert_eq!(again.robot_state, read.robot_state);
    assert_eq!(again.allowed_collision_matrix, read.allowed_collision_matrix);
    assert_eq!(
        (again.link_padding, again.link_scale),
        (read.link_padding.clone(), read.link_scale.clone())
    );
    let same = other.scene();
    assert!(same.world() == scene.world() && same.sizes() == scene.sizes());
    assert!(same.attached().eq(scene.attached()));
    // A whole scene replaces what is there; an empty one leaves the robot alone, with the matrix of its SRDF.
    assert!(apply(&mut other, SceneMessage::default()));
    let empty = other.scene();
    assert!(empty == arm());
}

#[test]
fn a_matrix_is_merged_and_not_replaced() {
    let mut bench = Bench::arm();
    let two = |a: &str, b: &str, allowed| {
        let mut diff = SceneMessage { is_diff: true, ..SceneMessage::default() };
        diff.allowed_collision_matrix.entry_names = vec![a.into(), b.into()];
        diff.allowed_collision_matrix.entry_values = vec![
            AllowedCollisionEntry { enabled: vec![false, allowed] },
            AllowedCollisionEntry { enabled: vec![allowed, false] },
        ];
        diff
    };
    let before = bench.scene();
    assert!(apply(&mut bench, two("left", "right", true)));
    assert!(bench.scene().acm().decide("left", "right").allowed);
    assert!(bench.scene().acm().decide("base", "upper").allowed);
    // What is known already keeps its reason.
    assert!(apply(&mut bench, two("base", "upper", true)));
    assert_eq!(bench.scene().acm().entry("base", "upper"), before.acm().entry("base", "upper"));
    assert!(apply(&mut bench, two("left", "right", false)));
    assert!(!bench.scene().acm().decide("left", "right").allowed);
    // Objects that are gone take what was said about them along.
    assert!(apply(&mut bench, world_diff(vec![boxed("box", "base", 0.1, at(3.0, 0.0, 0.0))])));
    assert!(apply(&mut bench, two("box", "hand", true)));
    assert!(apply(&mut bench, world_diff(vec![named("box", CollisionObject::REMOVE)])));
    assert!(bench.scene().acm().entry("box", "hand").is_none());
    for (change, text) in [
        (0, "allowed_collision_matrix: 2 entry_names and 1 entry_values"),
        (1, "allowed_collision_matrix: the row of `a` has 1 values, must have 2"),
        (2, "allowed_collision_matrix: `b`, `a` and `a`, `b` differ"),
        (3, "allowed_collision_matrix: 1 default_entry_names and 0 default_entry_values"),
    ] {
        let mut diff = two("a", "b", true);
        let acm = &mut diff.allowed_collision_matrix;
        match change {
            0 => drop(acm.entry_values.pop()),
            1 => drop(acm.entry_values[0].enabled.pop()),
            2 => acm.entry_values[0].enabled[1] = false,
            _ => acm.default_entry_names.push("c".into()),
        }
        assert_eq!(reason(&mut bench, diff), text);
    }
}

#[test]
fn objects_are_added_moved_and_grown_where_the_message_says() {
    let mut bench = Bench::arm();
    let one = |bench: &mut Bench, object: CollisionObject| {
        on_collision_object(&bench.context(), &object).map(|_| ())
    };
    let pose_of = |bench: &Bench, id: &str| *bench.scene().world().by_name(id).unwrap().pose();
    // The pose of the object and that of its only primitive are composed.
    let mut both = boxed("a", "world", 0.1, at(0.0, 0.0, 1.0));
    both.pose = at(1.0, 0.0, 0.0);
    one(&mut bench, both.clone()).unwrap();
    assert_eq!(pose_of(&bench, "a"), CorePose::translation(1.0, 0.0, 0.0));
    assert_eq!(
        bench.scene().world().by_name("a").unwrap().shapes().next().unwrap().0,
        CorePose::translation(0.0, 0.0, 1.0)
    );
    // Append: where the message says, whatever the frame of the object.
    let mut more = boxed("a", "a", 0.1, at(0.0, 5.0, 0.0));
    more.operation = CollisionObject::APPEND;
    (more.subframe_names, more.subframe_poses) = (vec!["side".into()], vec![at(0.0, 0.0, 0.5)]);
    one(&mut bench, more).unwrap();
    let scene = bench.scene();
    let grown = scene.world().by_name("a").unwrap();
    assert_eq!(
        grown.shapes().map(|(at, _)| at).collect::<Vec<_>>()[1],
        CorePose::translation(0.0, 5.0, 0.0)
    );
    assert_eq!(
        grown.subframes().collect::<Vec<_>>(),
        [("side", &CorePose::translation(0.0, 5.0, 0.5))]
    );
    // Append to nothing adds.
    let mut first = boxed("b", "", 0.1, at(0.0, 0.0, 2.0));
    first.operation = CollisionObject::APPEND;
    one(&mut bench, first).unwrap();
    assert_eq!(pose_of(&bench, "b"), CorePose::translation(0.0, 0.0, 2.0));
    // Move, by a frame on an object; and the shapes within it.
    let mut moved = named("b", CollisionObject::MOVE);
    (moved.header.frame_id, moved.pose) = ("a/side".into(), at(0.0, 0.0, 0.5));
    one(&mut bench, moved).unwrap();
    assert_eq!(pose_of(&bench, "b"), CorePose::translation(1.0, 5.0, 1.0));
    let mut shapes = named("a", CollisionObject::MOVE);
    shapes.primitive_poses = vec![at(7.0, 0.0, 0.0), at(8.0, 0.0, 0.0)];
    one(&mut bench, shapes.clone()).unwrap();
    let scene = bench.scene();
    let poses: Vec<_> =
        scene.world().by_name("a").unwrap().shapes().map(|(at, _)| at.translation.x).collect();
    assert_eq!((poses, pose_of(&bench, "a")), (vec![7.0, 8.0], CorePose::identity()));
    // Add again replaces; removing nothing in particular removes all.
    one(&mut bench, boxed("a", "", 0.2, at(0.0, 0.0, 9.0))).unwrap();
    assert_eq!(bench.scene().world().by_name("a").unwrap().shapes().len(), 1);
    one(&mut bench, named("", CollisionObject::REMOVE)).unwrap();
    assert!(bench.scene().world().is_empty());
    // A prism is the hull of its faces, a plane the half-space below it.
    let mut prism = boxed("prism", "", 1.0, at(0.0, 0.0, 3.0));
    prism.primitives = vec![solid(SolidPrimitive::PRISM, &[0.2])];
    prism.primitives[0].polygon.points =
        [[0.0f32, 0.0], [1.0, 0.0], [0.0, 1.0]].map(|[x, y]| Point32 { x, y, z: 0.0 }).to_vec();
    one(&mut bench, prism).unwrap();
    let mut floor = named("floor", CollisionObject::ADD);
    floor.planes = vec![Plane { coef: [0.0, 0.0, 2.0, 1.0] }];
    one(&mut bench, floor).unwrap();
    let scene = bench.scene();
    let shape = |id| scene.world().by_name(id).unwrap().shapes().next().unwrap().1.clone();
    assert_eq!(shape("prism").kind(), "convex_mesh");
    assert_eq!(
        shape("floor"),
        smooth_scene::geometry::Shape::half_space([0.0, 0.0, 1.0], -0.5).unwrap()
    );

    let mut mesh = named("m", CollisionObject::ADD);
    mesh.meshes =
        vec![Mesh { vertices: vec![Point { x: 0.0, y: f64::NAN, z: 0.0 }], ..Mesh::default() }];
    let mut poses = boxed("p", "", 0.1, at(0.0, 0.0, 0.0));
    poses.primitive_poses.push(at(0.0, 0.0, 0.0));
    let mut kind = boxed("k", "", 0.1, at(0.0, 0.0, 0.0));
    kind.primitives[0].type_ = 9;
    let mut sizes = boxed("s", "", 0.1, at(0.0, 0.0, 0.0));
    sizes.primitives[0].dimensions.pop();
    let mut tilted = boxed("t", "", 0.1, at(0.0, 0.0, 0.0));
    tilted.primitive_poses[0].orientation.w = 2.0;
    shapes.id = "prism".into();
    for (object, text) in [
        (
            boxed("x", "nowhere", 0.1, at(0.0, 0.0, 0.0)),
            "object `x`: header.frame_id: no transform from `nowhere` to `base`: frame `nowhere` is unknown",
        ),
        (named("x", CollisionObject::ADD), "object `x` has 0 shapes, must have 1 to 100000"),
        (named("x", 7), "object `x`: operation is 7, must be 0 to 3"),
        (
            boxed("<octomap>", "", 0.1, at(0.0, 0.0, 0.0)),
            "`<octomap>` is reserved: what sensors see is not part of this scene",
        ),
        (
            boxed("hand", "", 0.1, at(0.0, 0.0, 0.0)),
            "the name `hand` is taken by a link of the robot",
        ),
        (named("gone", CollisionObject::MOVE), "the world has no object `gone`"),
        (shapes, "object `prism` has 1 shapes, 2 poses of shapes given"),
        (mesh, "object `m`: meshes[0].vertices[0] is [0, NaN, 0], must be finite"),
        (poses, "object `p` has 2 primitive_poses for 1 shapes"),
        (kind, "object `k`: primitives[0].type is 9, must be 1 to 5"),
        (sizes, "object `s`: primitives[0] has 2 dimensions, a BOX has 3"),
        (
            tilted,
            "orientation of object `t`: primitive_poses[0] is a quaternion of norm 2, must be 1 ± 0.001",
        ),
    ] {
        assert_eq!(one(&mut bench, object), Err(bad(text)));
    }
}

#[test]
fn attached_objects_are_replaced_grown_moved_and_taken_off() {
    let mut bench = Bench::arm();
    let one = |bench: &mut Bench, object: AttachedCollisionObject| {
        on_attached_collision_object(&bench.context(), &object).map(|_| ())
    };
    one(&mut bench, attached("hand", boxed("tool", "hand", 0.02, at(0.0, 0.0, 0.1)), &["left"]))
        .unwrap();
    // Again: replaced, other links.
    one(&mut bench, attached("hand", boxed("tool", "hand", 0.03, at(0.0, 0.0, 0.2)), &[])).unwrap();
    let scene = bench.scene();
    let tool = scene.attached_object("tool").unwrap();
    assert_eq!((tool.touch_links.len(), tool.object.pose().translation.z), (1, 0.2));
    let mut more = attached("hand", boxed("tool", "hand", 0.01, at(0.0, 0.0, 0.3)), &["right"]);
    more.object.operation = CollisionObject::APPEND;
    one(&mut bench, more.clone()).unwrap();
    let scene = bench.scene();
    let tool = scene.attached_object("tool").unwrap();
    assert_eq!((tool.touch_links.len(), tool.object.shapes().len()), (2, 2));
    let second = tool.object.shapes().nth(1).unwrap().0.translation.z;
    assert!((second - 0.1).abs() < 1e-12);
    // By name only to another link: it stays where it is.
    let before = scene
        .frame(
            "tool",
            &smooth_scene::robot::forward_kinematics(scene.model(), &[0.3, 0.7, 0.03]).unwrap(),
        )
        .unwrap();
    one(&mut bench, attached("fore", named("tool", CollisionObject::ADD), &["hand"])).unwrap();
    let scene = bench.scene();
    let after = scene
        .frame(
            "tool",
            &smooth_scene::robot::forward_kinematics(scene.model(), &[0.3, 0.7, 0.03]).unwrap(),
        )
        .unwrap();
    assert!((before.translation.vector - after.translation.vector).norm() < 1e-12);
    more.link_name = "left".into();
    for (object, text) in [
        (
            attached("nose", boxed("x", "hand", 0.1, at(0.0, 0.0, 0.0)), &[]),
            "the robot has no link `nose`",
        ),
        (
            attached("hand", boxed("x", "hand", 0.1, at(0.0, 0.0, 0.0)), &["nose"]),
            "the robot has no link `nose`",
        ),
        (attached("hand", named("x", CollisionObject::ADD), &[]), "the world has no object `x`"),
        (
            attached("hand", named("x", CollisionObject::REMOVE), &[]),
            "no object `x` is attached to the robot",
        ),
        (
            attached("hand", named("tool", CollisionObject::REMOVE), &[]),
            "object `tool` is attached to link `fore`, not to `hand`",
        ),
        (
            attached("hand", named("tool", CollisionObject::MOVE), &[]),
            "object `tool` is attached: it moves with its link only",
        ),
        (
            attached("hand", named("<octomap>", CollisionObject::ADD), &[]),
            "`<octomap>` is reserved: what sensors see is not part of this scene",
        ),
        (more, "object `tool` is attached to link `fore`, not to `left`"),
    ] {
        assert_eq!(one(&mut bench, object), Err(bad(text)));
    }
    one(&mut bench, attached("hand", boxed("other", "hand", 0.02, at(0.0, 0.0, 0.1)), &["left"]))
        .unwrap();
    // All on one link, then all.
    one(&mut bench, attached("fore", named("", CollisionObject::REMOVE), &[])).unwrap();
    assert_eq!((bench.scene().attached().len(), bench.scene().world().len()), (1, 1));
    one(&mut bench, attached("", named("", CollisionObject::REMOVE), &[])).unwrap();
    assert_eq!((bench.scene().attached().len(), bench.scene().world().len()), (0, 2));
}

#[test]
fn a_scene_that_cannot_be_read_as_a_whole_changes_nothing() {
    let mut bench = Bench::arm();
    let good = || world_diff(vec![boxed("box", "base", 0.1, at(3.0, 0.0, 0.0))]);
    let mut other_robot = good();
    other_robot.robot_model_name = "leg".into();
    let mut octomap = good();
    octomap.world.octomap.octomap.id = "OcTree".into();
    octomap.world.octomap.octomap.data = vec![1, 2];
    let mut padding = good();
    padding.link_padding = vec![LinkPadding { link_name: "nose".into(), padding: 0.1 }];
    let mut scale = good();
    scale.link_scale = vec![LinkScale { link_name: "fore".into(), scale: f64::NAN }];
    let mut joints = good();
    joints.robot_state.joint_state = joint_state(&[("knee", 1.0)]);
    let mut removal = good();
    removal.robot_state.is_diff = false;
    removal.robot_state.attached_collision_objects =
        vec![attached("hand", named("x", CollisionObject::REMOVE), &[])];
    let mut frame = good();
    frame.fixed_frame_transforms = vec![TransformStamped::default(); 2];
    frame.fixed_frame_transforms[1].header.frame_id = "moon".into();
    let second = world_diff(vec![boxed("box", "base", 0.1, at(3.0, 0.0, 0.0)), named("x", 9)]);
    let before = bench.scene();
    for (scene, text) in [
        (other_robot, "robot_model_name is `leg`, the robot is `arm`"),
        (
            octomap,
            "world.octomap: octomaps are not part of this scene; send the obstacles as collision objects",
        ),
        (padding, "the robot has no link `nose`"),
        (scale, "scale of `fore` is NaN, must be in [0.001, 1000]"),
        (joints, "`knee`: no such joint or variable"),
        (removal, "robot_state is not a diff: attached object `x` can only be added"),
        (
            frame,
            "fixed_frame_transforms[1]: no transform from `moon` to `base`: frame `moon` is unknown",
        ),
        (second, "object `x`: operation is 9, must be 0 to 3"),
    ] {
        assert_eq!(reason(&mut bench, scene.clone()), text);
        assert!(!apply(&mut bench, scene));
        assert!(bench.scene() == before);
    }
    assert_eq!(
        Bench::empty().refusal(&ApplyPlanningScene, ApplyPlanningSceneRequest::default()).status,
        Status::NoRobot
    );
    assert_eq!(
        Bench::empty().ask(&GetPlanningScene, GetPlanningSceneRequest::default()).scene,
        SceneMessage::default()
    );
}

#[test]
fn states_and_frames_in_a_scene_count() {
    let mut bench = Bench::with(cart());
    let mut scene = SceneMessage { is_diff: true, ..SceneMessage::default() };
    scene.robot_state.is_diff = true;
    let several = &mut scene.robot_state.multi_dof_joint_state;
    several.joint_names = vec!["drive".into(), "flight".into()];
    let half = std::f64::consts::FRAC_PI_4;
    let turned = Quaternion { x: 0.0, y: 0.0, z: half.sin(), w: half.cos() };
    let drive = Transform { translation: Vector3 { x: 1.0, y: 2.0, z: 0.0 }, rotation: turned };
    several.transforms = vec![
        drive.clone(),
        Transform { translation: Vector3 { x: 0.0, y: 0.0, z: 0.5 }, ..Transform::default() },
    ];
    // A camera on the chassis that nobody but this message knows, and a box it sees.
    let mut camera =
        TransformStamped { child_frame_id: "camera".into(), ..TransformStamped::default() };
    camera.header.frame_id = "chassis".into();
    camera.transform.translation.x = 0.5;
    scene.fixed_frame_transforms = vec![camera];
    scene.world.collision_objects = vec![boxed("box", "camera", 0.1, at(1.0, 0.0, 0.0))];
    assert!(apply(&mut bench, scene));
    // The chassis looks along y from (1, 2): the box is 1.5 m ahead.
    let at_box = bench.scene().world().by_name("box").unwrap().pose().translation.vector;
    assert!((at_box - smooth_scene::math::Vec3::new(1.0, 3.5, 0.0)).norm() < 1e-12, "{at_box}");
    let state = get(&mut bench, Parts::ROBOT_STATE).robot_state;
    assert_eq!(state.multi_dof_joint_state.joint_names, ["drive", "flight"]);
    let read = &state.multi_dof_joint_state.transforms[0];
    assert!(
        (read.rotation.z - drive.rotation.z).abs() < 1e-12 && read.translation == drive.translation
    );
    // In requests, too.
    let mut asked = GetStateValidityRequest::default();
    asked.robot_state.multi_dof_joint_state.joint_names = vec!["drive".into()];
    asked.robot_state.multi_dof_joint_state.transforms =
        vec![Transform { translation: Vector3 { x: 1.0, y: 3.5, z: 0.0 }, ..Transform::default() }];
    let hit = bench.ask(&CheckStateValidity, asked.clone());
    assert_eq!((hit.valid, hit.contacts[0].contact_body_1.as_str()), (false, "chassis"));
    asked.robot_state.multi_dof_joint_state.transforms[0].translation.y = 0.0;
    assert!(bench.ask(&CheckStateValidity, asked.clone()).valid);
    asked.robot_state.multi_dof_joint_state.joint_names.push("flight".into());
    assert_eq!(
        bench.refusal(&CheckStateValidity, asked),
        bad("multi_dof_joint_state has 2 names and 1 transforms")
    );
}

#[test]
fn validity_is_asked_for_groups_and_carried_objects() {
    let mut bench = Bench::arm();
    let closed = [("grip", 0.004)];
    let mut asked = ask(&closed);
    assert!(!bench.ask(&CheckStateValidity, asked.clone()).valid);
    // The arm moves its gripper, too, so its fingers count.
    asked.group_name = "arm".into();
    assert!(!bench.ask(&CheckStateValidity, asked.clone()).valid);
    asked.group_name = "gripper".into();
    assert!(!bench.ask(&CheckStateValidity, asked).valid);
    // The upper arm in a wall is no matter of the gripper.
    assert!(apply(&mut bench, world_diff(vec![boxed("wall", "upper", 0.05, at(0.1, 0.0, 0.1))])));
    assert!(apply(&mut bench, world_diff(vec![boxed("wall", "upper", 0.1, at(0.05, 0.0, 0.1))])));
    let mut asked = ask(&[]);
    assert!(!bench.ask(&CheckStateValidity, asked.clone()).valid);
    asked.group_name = "gripper".into();
    assert!(bench.ask(&CheckStateValidity, asked.clone()).valid);
    asked.group_name = "leg".into();
    assert_eq!(
        bench.refusal(&CheckStateValidity, asked),
        bad("group_name: there is no group `leg`")
    );
    assert!(apply(&mut bench, world_diff(vec![named("", CollisionObject::REMOVE)])));

    // What the state carries, for this question only.
    let mut asked = ask(&[("shoulder", 0.6), ("elbow", 2.79)]);
    let long = boxed("long", "hand", 0.06, at(0.0, 0.0, 0.09));
    asked.robot_state.is_diff = true;
    assert!(bench.ask(&CheckStateValidity, asked.clone()).valid);
    asked.robot_state.attached_collision_objects = vec![attached("hand", long, &["left", "right"])];
    assert!(!bench.ask(&CheckStateValidity, asked.clone()).valid);
    assert_eq!(bench.scene().attached().len(), 0);
    // A state that is no difference and lists nothing keeps what is attached: nobody's hands are empty by accident.
    let carried = asked.robot_state.attached_collision_objects.remove(0);
    assert!(apply(&mut bench, robot_diff(vec![carried.clone()])));
    asked.robot_state.is_diff = false;
    assert!(!bench.ask(&CheckStateValidity, asked.clone()).valid);
    // One that lists something else says all that is attached.
    let mut small = carried;
    (small.object.id, small.object.primitives[0].dimensions) = ("small".into(), vec![0.001; 3]);
    asked.robot_state.attached_collision_objects = vec![small];
    assert!(bench.ask(&CheckStateValidity, asked).valid);
}

#[test]
fn a_question_that_cannot_be_answered_is_never_valid() {
    let mut bench = Bench::arm();
    let mut constraint = ask(&[]);
    let cone = VisibilityConstraint { target_radius: 0.1, ..VisibilityConstraint::default() };
    constraint.constraints.visibility_constraints.push(cone);
    let mut attach = ask(&[]);
    attach.robot_state.attached_collision_objects =
        vec![attached("nose", boxed("x", "", 0.1, at(0.0, 0.0, 0.0)), &[])];
    for (asked, text) in [
        (ask(&[("knee", 0.0)]), "`knee`: no such joint or variable"),
        (ask(&[("elbow", f64::NAN)]), "position of joint `elbow` is NaN, must be finite"),
        (
            constraint,
            "constraints: visibility_constraints[0]: target_radius is 0.1, must be 0: that nothing is between sensor and target is not decided",
        ),
        (attach, "the robot has no link `nose`"),
    ] {
        assert_eq!(bench.refusal(&CheckStateValidity, asked.clone()), bad(text));
        assert_eq!(bench.ask(&CheckStateValidity, asked), GetStateValidityResponse::default());
    }
    assert!(!Bench::empty().ask(&CheckStateValidity, ask(&[])).valid);
    assert!(!Bench::with(arm()).ask(&CheckStateValidity, ask(&[])).valid);
    assert_eq!(Bench::with(arm()).refusal(&CheckStateValidity, ask(&[])).status, Status::NoState);
}

#[test]
fn several_states_are_valid_when_all_are() {
    let mut bench = Bench::arm();
    let many = |states: &[&[(&str, f64)]]| GetMultiStateValidityRequest {
        joint_states: states.iter().map(|state| joint_state(state)).collect(),
        ..GetMultiStateValidityRequest::default()
    };
    assert!(
        bench.ask(&CheckMultiStateValidity, many(&[&[("grip", 0.03)], &[("elbow", 0.5)]])).valid
    );
    let bad_one = bench.ask(
        &CheckMultiStateValidity,
        many(&[&[("grip", 0.03)], &[("grip", 0.004)], &[("grip", 0.02)]]),
    );
    assert_eq!((bad_one.valid, bad_one.contacts.len()), (false, 1));
    // A state begins where the one before it ended, so this one still has its fingers closed.
    assert!(
        !bench.ask(&CheckMultiStateValidity, many(&[&[("grip", 0.004)], &[("elbow", 0.5)]])).valid
    );
    for (asked, text) in [
        (many(&[]), "joint_states has 0 states, must have 1 to 100000"),
        (
            many(&[&[("grip", 0.004)], &[("knee", 0.0)]]),
            "joint_states[1]: `knee`: no such joint or variable",
        ),
        (
            many(&[&[("grip", f64::INFINITY)]]),
            "joint_states[0]: position of joint `grip` is inf, must be finite",
        ),
    ] {
        assert_eq!(bench.refusal(&CheckMultiStateValidity, asked.clone()), bad(text));
        assert!(!bench.ask(&CheckMultiStateValidity, asked).valid);
    }
    // The joints of the first state need not be known.
    let blind = Bench::with(arm()).ask(
        &CheckMultiStateValidity,
        many(&[&[("grip", 0.03), ("elbow", 0.7), ("shoulder", 0.3)]]),
    );
    assert!(blind.valid);
}

fn constrained(
    bench: &mut Bench,
    state: &[(&str, f64)],
    constraints: Constraints,
) -> Vec<(bool, f64)> {
    let asked = GetStateValidityRequest { constraints, ..ask(state) };
    let answer = bench.ask(&CheckStateValidity, asked);
    assert!(answer.contacts.is_empty());
    assert_eq!(answer.valid, answer.constraint_result.iter().all(|each| each.result));
    answer.constraint_result.iter().map(|each| (each.result, each.distance)).collect()
}

#[test]
fn constraints_are_decided_as_moveit_decides_them() {
    let mut bench = Bench::arm();
    let joint = |name: &str, position, above, below| JointConstraint {
        joint_name: name.into(),
        position,
        tolerance_above: above,
        tolerance_below: below,
        weight: 2.0,
    };
    let joints = |list: Vec<JointConstraint>| Constraints {
        joint_constraints: list,
        ..Constraints::default()
    };
    let close = |found: &[(bool, f64)], expected: &[(bool, f64)]| {
        assert_eq!(found.len(), expected.len());
        for (f, e) in found.iter().zip(expected) {
            assert!(f.0 == e.0 && (f.1 - e.1).abs() < 1e-9, "{found:?} {expected:?}");
        }
    };
    let found = constrained(
        &mut bench,
        &[("shoulder", 0.3), ("elbow", 0.7)],
        joints(vec![
            joint("shoulder", 0.2, 0.1, 0.0),
            joint("shoulder", 0.35, 0.1, 0.04),
            // A continuous joint: full turns do not count.
            joint("elbow", 0.7 + 4.0 * std::f64::consts::PI, 0.01, 0.01),
            joint("grip_right", 0.03, 0.0, 0.0),
        ]),
    );
    close(&found, &[(true, 0.2), (false, 0.1), (true, 0.0), (true, 0.0)]);

    // The hand is at z = 0.81 when the arm is straight.
    let straight = [("shoulder", 0.0), ("elbow", 0.0)];
    let mut position = PositionConstraint {
        link_name: "hand".into(),
        weight: 1.0,
        ..PositionConstraint::default()
    };
    position.header.frame_id = "base".into();
    position.target_point_offset.z = 0.1;
    position.constraint_region.primitives = vec![solid(SolidPrimitive::SPHERE, &[0.05])];
    position.constraint_region.primitive_poses = vec![at(0.0, 0.0, 0.87)];
    let mut far = position.clone();
    far.constraint_region.primitive_poses[0].position.z = 0.7;
    let positions = |list: Vec<PositionConstraint>| Constraints {
        position_constraints: list,
        ..Constraints::default()
    };
    let found = constrained(&mut bench, &straight, positions(vec![position.clone(), far]));
    close(&found, &[(true, 0.04), (false, 0.21)]);

    // The hand turned by 0.3 + 0.7 about y.
    let mut orientation = OrientationConstraint {
        link_name: "hand".into(),
        weight: 1.0,
        ..OrientationConstraint::default()
    };
    orientation.orientation = Quaternion { x: 0.0, y: 0.4f64.sin(), z: 0.0, w: 0.4f64.cos() };
    (
        orientation.absolute_x_axis_tolerance,
        orientation.absolute_y_axis_tolerance,
        orientation.absolute_z_axis_tolerance,
    ) = (0.1, 0.25, 0.1);
    let mut tight = orientation.clone();
    tight.absolute_y_axis_tolerance = 0.15;
    let mut vector = tight.clone();
    vector.parameterization = OrientationConstraint::ROTATION_VECTOR;
    let orientations = |list: Vec<OrientationConstraint>| Constraints {
        orientation_constraints: list,
        ..Constraints::default()
    };
    let found =
        constrained(&mut bench, &[], orientations(vec![orientation.clone(), tight, vector]));
    close(&found, &[(true, 0.2), (false, 0.2), (false, 0.2)]);

    let mut nowhere = position.clone();
    nowhere.header.frame_id = "moon".into();
    let mut nothing = position.clone();
    nothing.constraint_region.primitives.clear();
    nothing.constraint_region.primitive_poses.clear();
    let mut nobody = position;
    nobody.link_name = "nose".into();
    let mut wide = orientation.clone();
    wide.absolute_z_axis_tolerance = f64::NAN;
    let mut strange = orientation.clone();
    strange.parameterization = 2;
    orientation.orientation.w = 7.0;
    for (constraints, text) in [
        (
            joints(vec![joint("knee", 0.0, 0.0, 0.0)]),
            "constraints: joint_constraints[0]: `knee`: no such joint or variable",
        ),
        (
            joints(vec![joint("grip", f64::NAN, 0.0, 0.0)]),
            "constraints: joint_constraints[0]: position is NaN, must be finite",
        ),
        (
            joints(vec![joint("grip", 0.0, -0.1, 0.0)]),
            "constraints: joint_constraints[0]: tolerance_above is -0.1, must be 0 or more",
        ),
        (
            positions(vec![nowhere]),
            "constraints: position_constraints[0]: header.frame_id: no transform from `moon` to `base`: frame `moon` is unknown",
        ),
        (
            positions(vec![nothing]),
            "constraints: position_constraints[0]: constraint_region has no shapes",
        ),
        (
            positions(vec![nobody]),
            "constraints: position_constraints[0]: the robot has no link `nose`",
        ),
        (
            orientations(vec![wide]),
            "constraints: orientation_constraints[0]: absolute_z_axis_tolerance is NaN, must be 0 or more",
        ),
        (
            orientations(vec![strange]),
            "constraints: orientation_constraints[0]: parameterization is 2, must be 0 or 1",
        ),
    ] {
        let asked = GetStateValidityRequest { constraints, ..ask(&[]) };
        assert_eq!(bench.refusal(&CheckStateValidity, asked), bad(text));
    }
}

#[test]
fn an_empty_state_is_the_current_one() {
    let mut bench = Bench::arm();
    assert!(bench.ask(&CheckStateValidity, GetStateValidityRequest::default()).valid);
    bench.joints.update(&joint_state(&[("grip", 0.004)]), bench.now).unwrap();
    assert!(!bench.ask(&CheckStateValidity, GetStateValidityRequest::default()).valid);
    let velocities =
        JointState { name: vec!["grip".into()], velocity: vec![0.0], ..JointState::default() };
    let mut asked = GetStateValidityRequest::default();
    asked.robot_state.joint_state = velocities;
    assert_eq!(
        bench.refusal(&CheckStateValidity, asked),
        bad("joint_state has 1 names and 0 positions")
    );
}
