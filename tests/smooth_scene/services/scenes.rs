//! `apply_scene` and `get_scene`.

use smooth_scene::interfaces::geometry_msgs::msg::{Point, Pose, Quaternion};
use smooth_scene::interfaces::msg::{SceneChange, SceneObject, Surface};
use smooth_scene::interfaces::srv::{
    ApplySceneRequest, ApplySceneResponse, GetSceneRequest, GetSceneResponse,
};
use smooth_scene::math::{Pose as CorePose, Vec3};
use smooth_scene::node::services::{ApplyScene, GetScene};
use smooth_scene::robot::forward_kinematics;

use super::bench::{Bench, arm};

fn surface(kind: u8, dimensions: &[f64]) -> Surface {
    Surface { kind, dimensions: dimensions.to_vec(), ..Surface::default() }
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose { position: Point { x, y, z }, ..Pose::default() }
}

fn object(id: &str, surfaces: Vec<Surface>) -> SceneObject {
    SceneObject { id: id.into(), pose: at(1.0, 2.0, 3.0), surfaces, ..SceneObject::default() }
}

fn change(operation: u8, object: SceneObject) -> SceneChange {
    SceneChange { operation, object, ..SceneChange::default() }
}

fn pair(operation: u8, a: &str, b: &str) -> SceneChange {
    SceneChange { operation, name_a: a.into(), name_b: b.into(), ..SceneChange::default() }
}

/// One surface of every kind.
fn every_kind() -> Vec<Surface> {
    let mut all = vec![
        surface(Surface::SPHERE, &[0.1]),
        surface(Surface::ELLIPSOID, &[0.1, 0.2, 0.3]),
        Surface {
            exponent_xy: 0.3,
            exponent_z: 1.7,
            ..surface(Surface::SUPERELLIPSOID, &[0.1, 0.2, 0.3])
        },
        Surface {
            exponent_xy: 0.7,
            exponent_z: 0.4,
            taper: [0.1, -0.2],
            ..surface(Surface::SUPEROVOID, &[0.1, 0.2, 0.3])
        },
        surface(Surface::POLY_ELLIPSOID, &[0.1, 0.2, 0.3, 0.4, 0.5, 0.6]),
        surface(Surface::BOX, &[0.1, 0.2, 0.3]),
        surface(Surface::CYLINDER, &[0.1, 0.3]),
        surface(Surface::CAPSULE, &[0.1, 0.3]),
        surface(Surface::CONE, &[0.1, 0.3]),
        surface(Surface::HALF_SPACE, &[0.6, 0.0, -0.8, -7.0]),
        Surface {
            vertices: [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.3, 0.3, 2.0]]
                .map(|[x, y, z]| Point { x, y, z })
                .to_vec(),
            ..surface(Surface::CONVEX_MESH, &[])
        },
    ];
    for (k, surface) in all.iter_mut().enumerate() {
        surface.pose = at(0.1 * k as f64, -0.3, 0.0);
        surface.pose.orientation = Quaternion { x: 0.6, y: 0.0, z: 0.0, w: 0.8 };
    }
    all[2].padding = 0.01;
    all[5].padding = 0.02;
    all
}

fn apply(bench: &mut Bench, changes: Vec<SceneChange>) -> ApplySceneResponse {
    bench.ask(&ApplyScene, ApplySceneRequest { changes })
}

fn all(bench: &mut Bench) -> GetSceneResponse {
    bench
        .ask(&GetScene, GetSceneRequest { matrix: true, sizes: true, ..GetSceneRequest::default() })
}

fn busy(bench: &mut Bench) {
    let mut carried = object("tool", vec![surface(Surface::SPHERE, &[0.02])]);
    (carried.link, carried.touch_links) = ("hand".into(), vec!["left".into(), "right".into()]);
    carried.header.frame_id = "hand".into();
    let mut framed = object("framed", vec![surface(Surface::BOX, &[0.1; 3])]);
    framed.subframe_names = vec!["top".into(), "edge".into()];
    framed.subframe_poses = vec![at(0.0, 0.0, 0.05), at(0.05, 0.0, 0.05)];
    let size = SceneChange {
        padding: 0.01,
        self_padding: 0.002,
        scale: 1.1,
        ..pair(SceneChange::SET_LINK_SIZE, "fore", "")
    };
    let answer = apply(
        bench,
        vec![
            change(SceneChange::ADD, object("zoo", every_kind())),
            change(SceneChange::ADD, framed),
            change(SceneChange::ATTACH, carried),
            pair(SceneChange::ALLOW, "zoo", "base"),
            pair(SceneChange::FORBID, "upper", "hand"),
            pair(SceneChange::ALLOW, "framed", ""),
            size,
            SceneChange { margin: 0.03, ..pair(SceneChange::SET_MARGIN, "zoo", "hand") },
        ],
    );
    assert_eq!((answer.status, answer.message.as_str()), (ApplySceneResponse::OK, ""));
    assert_eq!(answer.revision, 2);
}

#[test]
fn what_get_scene_says_makes_the_same_scene_again() {
    let mut bench = Bench::arm();
    busy(&mut bench);
    let scene = all(&mut bench);
    assert_eq!(
        (scene.status, scene.revision, scene.frame.as_str(), scene.robot.as_str()),
        (1, 2, "base", "arm")
    );
    assert_eq!(scene.joint_state.name, ["shoulder", "elbow", "grip"]);
    let ids: Vec<_> = scene.objects.iter().map(|o| o.id.as_str()).collect();
    assert_eq!(ids, ["framed", "zoo", "tool"]);

    let mut changes = Vec::new();
    for object in scene.objects.clone() {
        let operation = if object.link.is_empty() { SceneChange::ADD } else { SceneChange::ATTACH };
        changes.push(change(operation, object));
    }
    for entry in &scene.allowed_pairs {
        let operation = if entry.allowed { SceneChange::ALLOW } else { SceneChange::FORBID };
        changes.push(pair(operation, &entry.name_a, &entry.name_b));
    }
    for size in &scene.link_sizes {
        let &smooth_scene::interfaces::msg::LinkSize { padding, self_padding, scale, .. } = size;
        changes.push(SceneChange {
            padding,
            self_padding,
            scale,
            ..pair(SceneChange::SET_LINK_SIZE, &size.link, "")
        });
    }
    for margin in &scene.margins {
        changes.push(SceneChange {
            margin: margin.margin,
            ..pair(SceneChange::SET_MARGIN, &margin.name_a, &margin.name_b)
        });
    }
    // Nobody knows where the joints of the other one are, and nobody needs to.
    let mut other = Bench::with(arm());
    assert_eq!(apply(&mut other, changes).message, "");
    for (_, object) in bench.scene().world().iter() {
        assert_eq!(other.scene().world().by_name(object.name()), Some(object));
    }
    assert!(other.scene() == bench.scene());
    let again = all(&mut other);
    assert_eq!(
        (again.objects, again.allowed_pairs, again.link_sizes, again.margins),
        (scene.objects, scene.allowed_pairs, scene.link_sizes, scene.margins)
    );
}

#[test]
fn objects_move_between_world_and_robot_where_they_are() {
    let mut bench = Bench::arm();
    let poses = forward_kinematics(bench.scene().model(), &[0.3, 0.7, 0.03]).unwrap();
    let hand = poses[bench.scene().model().link_id("hand").unwrap()];
    // Ahead of the hand, given in the frame of the hand.
    let mut ball = object("ball", vec![surface(Surface::SPHERE, &[0.02])]);
    (ball.header.frame_id, ball.pose) = ("/hand".into(), at(0.0, 0.0, 0.2));
    assert_eq!(apply(&mut bench, vec![change(SceneChange::ADD, ball)]).status, 1);
    let world = hand * CorePose::translation(0.0, 0.0, 0.2);
    let near = |found: &CorePose, expected: &CorePose| {
        (found.translation.vector - expected.translation.vector).norm() < 1e-12
            && found.rotation.angle_to(&expected.rotation) < 1e-9
    };
    assert!(near(bench.scene().world().by_name("ball").unwrap().pose(), &world));
    let mut carry =
        SceneObject { id: "ball".into(), link: "hand".into(), ..SceneObject::default() };
    carry.touch_links = vec!["left".into()];
    assert_eq!(apply(&mut bench, vec![change(SceneChange::ATTACH, carry)]).message, "");
    let scene = bench.scene();
    let attached = scene.attached_object("ball").unwrap();
    assert!(
        scene.world().is_empty()
            && near(attached.object.pose(), &CorePose::translation(0.0, 0.0, 0.2))
    );
    assert_eq!(attached.touch_links.len(), 2);
    // The arm moves, and the ball is left there.
    bench.joints.update(&super::bench::joint_state(&[("elbow", -0.2)]), bench.now).unwrap();
    assert_eq!(
        apply(&mut bench, vec![change(SceneChange::DETACH, object("ball", vec![]))]).message,
        ""
    );
    let poses = forward_kinematics(scene.model(), &[0.3, -0.2, 0.03]).unwrap();
    let world =
        poses[scene.model().link_id("hand").unwrap()] * CorePose::translation(0.0, 0.0, 0.2);
    assert!(near(bench.scene().world().by_name("ball").unwrap().pose(), &world));
    // Frames on objects.
    let mut table = object("table", vec![surface(Surface::BOX, &[1.0, 1.0, 0.1])]);
    (table.subframe_names, table.subframe_poses) = (vec!["top".into()], vec![at(0.0, 0.0, 0.05)]);
    let mut cup = object("cup", vec![surface(Surface::CYLINDER, &[0.03, 0.1])]);
    (cup.header.frame_id, cup.pose) = ("table/top".into(), at(0.1, 0.0, 0.05));
    assert_eq!(
        apply(&mut bench, vec![change(SceneChange::ADD, table), change(SceneChange::ADD, cup)])
            .message,
        ""
    );
    let found = bench.scene().world().by_name("cup").unwrap().pose().translation.vector;
    assert!((found - Vec3::new(1.1, 2.0, 3.1)).norm() < 1e-12);
}

#[test]
fn every_operation_does_what_it_says() {
    let mut bench = Bench::arm();
    let boxed = |id: &str| object(id, vec![surface(Surface::BOX, &[0.1; 3])]);
    let one =
        |bench: &mut Bench, change: SceneChange| assert_eq!(apply(bench, vec![change]).message, "");
    let names = |bench: &Bench| {
        bench.scene().world().iter().map(|(_, o)| o.name().to_string()).collect::<Vec<_>>()
    };
    one(&mut bench, change(SceneChange::ADD, boxed("a")));
    one(&mut bench, change(SceneChange::ADD, boxed("b")));
    one(
        &mut bench,
        change(SceneChange::REPLACE, object("a", vec![surface(Surface::SPHERE, &[0.2])])),
    );
    one(&mut bench, change(SceneChange::APPEND, boxed("a")));
    assert_eq!(bench.scene().world().by_name("a").unwrap().shapes().len(), 2);
    one(
        &mut bench,
        change(
            SceneChange::MOVE,
            SceneObject { id: "a".into(), pose: at(9.0, 0.0, 0.0), ..SceneObject::default() },
        ),
    );
    assert_eq!(bench.scene().world().by_name("a").unwrap().pose().translation.x, 9.0);
    one(&mut bench, change(SceneChange::REMOVE, boxed("a")));
    assert_eq!(names(&bench), ["b"]);
    one(&mut bench, change(SceneChange::REMOVE_ALL, SceneObject::default()));
    assert!(names(&bench).is_empty());
    let mut tool = boxed("tool");
    tool.link = "hand".into();
    one(&mut bench, change(SceneChange::ATTACH, tool));
    one(&mut bench, change(SceneChange::DISCARD, boxed("tool")));
    assert!(bench.scene().attached().len() == 0 && names(&bench).is_empty());
    let allowed = |bench: &Bench| bench.scene().acm().decide("left", "right").allowed;
    one(&mut bench, pair(SceneChange::ALLOW, "left", "right"));
    assert!(allowed(&bench));
    one(&mut bench, pair(SceneChange::FORGET, "left", "right"));
    assert!(!allowed(&bench));
    one(&mut bench, pair(SceneChange::ALLOW, "left", ""));
    assert!(allowed(&bench));
    one(&mut bench, pair(SceneChange::FORBID, "left", "right"));
    assert!(!allowed(&bench));
    let revision = bench.store.snapshot().unwrap().revision;
    assert_eq!(apply(&mut bench, vec![]).revision, revision);
}

#[test]
fn one_refused_change_refuses_all_and_says_which() {
    let mut bench = Bench::arm();
    bench.limits.objects = 4;
    bench.limits.surfaces_per_object = 11;
    bench.limits.mesh_vertices = 5;
    busy(&mut bench);
    let before = bench.scene();
    let sphere = || surface(Surface::SPHERE, &[0.1]);
    let add = |surface: Surface| change(SceneChange::ADD, object("new", vec![surface]));
    let turned = |w: f64| {
        let mut o = object("new", vec![sphere()]);
        o.pose.orientation.w = w;
        change(SceneChange::ADD, o)
    };
    let placed = |x: f64| {
        let mut o = object("new", vec![sphere()]);
        o.pose.position.x = x;
        change(SceneChange::ADD, o)
    };
    let framed = |frame: &str| {
        let mut o = object("new", vec![sphere()]);
        o.header.frame_id = frame.into();
        change(SceneChange::ADD, o)
    };
    let on = |link: &str, surfaces: Vec<Surface>| {
        let mut o = object("new", surfaces);
        o.link = link.into();
        change(SceneChange::ATTACH, o)
    };
    let mut lost = object("new", vec![sphere()]);
    lost.subframe_names = vec!["top".into()];
    let mesh = |count: usize| Surface {
        vertices: vec![Point::default(); count],
        ..surface(Surface::CONVEX_MESH, &[])
    };
    let mut bad_vertex = mesh(4);
    bad_vertex.vertices[2].y = f64::NAN;
    let size = |padding, scale| SceneChange {
        padding,
        scale,
        ..pair(SceneChange::SET_LINK_SIZE, "fore", "")
    };
    let margin =
        |margin, a: &str, b: &str| SceneChange { margin, ..pair(SceneChange::SET_MARGIN, a, b) };
    let cases: Vec<(SceneChange, &str)> = vec![
        (SceneChange::default(), "operation is 0, must be 1 to 14"),
        (pair(15, "a", "b"), "operation is 15, must be 1 to 14"),
        (add(surface(0, &[])), "object `new`: surfaces[0].kind is 0, must be 1 to 11"),
        (add(surface(12, &[])), "object `new`: surfaces[0].kind is 12, must be 1 to 11"),
        (
            add(surface(Surface::SPHERE, &[])),
            "object `new`: surfaces[0] has 0 dimensions, a SPHERE has 1",
        ),
        (
            add(surface(Surface::BOX, &[1.0; 4])),
            "object `new`: surfaces[0] has 4 dimensions, a BOX has 3",
        ),
        (
            add(surface(Surface::SPHERE, &[-1.0])),
            "object `new`: surfaces[0]: sphere: radius is -1, must be in [1e-9, 1e6] m",
        ),
        (
            add(surface(Surface::SPHERE, &[f64::NAN])),
            "object `new`: surfaces[0]: sphere: radius is NaN, must be in [1e-9, 1e6] m",
        ),
        (
            add(surface(Surface::SUPERELLIPSOID, &[0.1; 3])),
            "object `new`: surfaces[0]: superellipsoid: exponent_xy is 0, must be in [0.001, 1.999]",
        ),
        (
            add(Surface { padding: -0.1, ..sphere() }),
            "object `new`: surfaces[0]: padded: radius is -0.1, must be in [0, 1e6] m",
        ),
        (add(mesh(6)), "object `new`: surfaces[0] has 6 vertices, must have at most 5"),
        (add(bad_vertex), "object `new`: surfaces[0].vertices[2] is [0, NaN, 0], must be finite"),
        (turned(0.5), "orientation of object `new` is a quaternion of norm 0.5, must be 1 ± 0.001"),
        (
            turned(f64::NAN),
            "orientation of object `new` is a quaternion of norm NaN, must be 1 ± 0.001",
        ),
        (placed(f64::INFINITY), "position of object `new` is [inf, 2, 3], must be finite"),
        (placed(1e7), "pose of `new` is at [10000000, 2, 3], must be within 1e6 m of the origin"),
        (
            framed("nowhere"),
            "object `new`: header.frame_id: no transform from `nowhere` to `base`: frame `nowhere` is unknown",
        ),
        (
            change(SceneChange::ADD, object("", vec![sphere()])),
            "an object may not be named \"\": it is empty",
        ),
        (
            change(SceneChange::ADD, object("<octomap>", vec![sphere()])),
            "an object may not be named \"<octomap>\": the name is reserved",
        ),
        (
            change(SceneChange::ADD, object("hand", vec![sphere()])),
            "the name `hand` is taken by a link of the robot",
        ),
        (
            change(SceneChange::ADD, object("tool", vec![sphere()])),
            "the name `tool` is taken by an attached object",
        ),
        (
            change(SceneChange::ADD, object("zoo", vec![sphere()])),
            "the name `zoo` is taken by an object of the world",
        ),
        (
            change(SceneChange::ADD, object("new", vec![])),
            "object `new` has 0 shapes, must have 1 to 100000",
        ),
        (
            change(SceneChange::ADD, object("new", vec![sphere(); 12])),
            "object `new` has 12 surfaces, must have at most 11",
        ),
        (change(SceneChange::ADD, lost), "object `new` has 1 subframe_names and 0 subframe_poses"),
        (
            change(SceneChange::APPEND, object("zoo", vec![sphere()])),
            "object `zoo` has 12 surfaces, must have at most 11",
        ),
        (
            change(SceneChange::APPEND, object("new", vec![sphere()])),
            "the world has no object `new`",
        ),
        (
            change(SceneChange::REPLACE, object("new", vec![sphere()])),
            "the world has no object `new`",
        ),
        (change(SceneChange::MOVE, object("new", vec![])), "the world has no object `new`"),
        (change(SceneChange::REMOVE, object("tool", vec![])), "the world has no object `tool`"),
        (
            change(SceneChange::DETACH, object("zoo", vec![])),
            "no object `zoo` is attached to the robot",
        ),
        (
            change(SceneChange::DISCARD, object("zoo", vec![])),
            "no object `zoo` is attached to the robot",
        ),
        (on("hand", vec![]), "the world has no object `new`"),
        (on("nose", vec![sphere()]), "the robot has no link `nose`"),
        (pair(SceneChange::ALLOW, "", "hand"), "name_a is empty"),
        (pair(SceneChange::FORGET, "", ""), "name_a is empty"),
        (pair(SceneChange::SET_LINK_SIZE, "nose", ""), "the robot has no link `nose`"),
        (size(-0.1, 1.0), "padding of `fore` is -0.1, must be in [0, 1000] m"),
        (size(0.1, 0.0), "scale of `fore` is 0, must be in [0.001, 1000]"),
        (margin(f64::NAN, "zoo", "hand"), "margin of `zoo, hand` is NaN, must be in [0, 1000] m"),
        (margin(0.1, "zoo", ""), "name_b is empty"),
    ];
    let good = || change(SceneChange::REMOVE, object("framed", vec![]));
    for (bad, reason) in cases {
        let answer = apply(&mut bench, vec![good(), bad, good()]);
        let refused = ApplySceneResponse {
            status: match reason.contains("no transform") {
                true => ApplySceneResponse::NO_TRANSFORM,
                false => ApplySceneResponse::REFUSED,
            },
            message: format!("changes[1]: {reason}"),
            refused_change: 1,
            revision: 2,
        };
        assert_eq!(answer, refused);
        assert!(bench.scene() == before, "{reason}");
    }
    // Full.
    let answer = apply(
        &mut bench,
        vec![
            change(SceneChange::ADD, object("x", vec![sphere()])),
            change(SceneChange::ADD, object("y", vec![sphere()])),
        ],
    );
    assert_eq!(answer.message, "changes[1]: the scene has 4 objects, as many as it may have");
    // The state is needed only by what moves.
    let mut blind = Bench::with(arm());
    assert_eq!(
        apply(&mut blind, vec![change(SceneChange::ADD, object("x", vec![sphere()]))]).status,
        1
    );
    let why = "changes[0]: no joint state has been received for `shoulder`, `elbow`, `grip`";
    for needs in [
        framed("hand"),
        change(SceneChange::ATTACH, {
            let mut o = object("x", vec![]);
            o.link = "hand".into();
            o
        }),
    ] {
        let answer = apply(&mut blind, vec![needs]);
        assert_eq!((answer.status, answer.message.as_str()), (ApplySceneResponse::NO_STATE, why));
    }
    let none = apply(&mut Bench::empty(), vec![good()]);
    assert_eq!((none.status, none.revision), (ApplySceneResponse::NO_ROBOT, 0));
}

#[test]
fn objects_can_be_asked_for_by_id() {
    let mut bench = Bench::arm();
    busy(&mut bench);
    let ids = |ids: &[&str]| GetSceneRequest {
        ids: ids.iter().map(ToString::to_string).collect(),
        ..GetSceneRequest::default()
    };
    let found = bench.ask(&GetScene, ids(&["tool", "zoo"]));
    assert_eq!(found.objects.iter().map(|o| o.id.as_str()).collect::<Vec<_>>(), ["zoo", "tool"]);
    assert!(
        found.allowed_pairs.is_empty() && found.link_sizes.is_empty() && found.margins.is_empty()
    );
    let unknown = bench.ask(&GetScene, ids(&["zoo", "gnu"]));
    assert_eq!(
        (unknown.status, unknown.message.as_str()),
        (GetSceneResponse::REFUSED, "there is no object `gnu`")
    );
    assert!(unknown.objects.is_empty());
    assert_eq!(Bench::empty().ask(&GetScene, ids(&[])).status, GetSceneResponse::NO_ROBOT);
}
