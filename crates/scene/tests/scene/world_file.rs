//! World files: what is written reads back, both formats give the same scene, and every mistake is named.

use proptest::prelude::*;
use smooth_scene_geometry::math::{Mat3, Pose, Vec3, rotation_from_euler_angles};
use smooth_scene_geometry::{ConvexSurface, Shape};
use smooth_scene_scene::{
    ObjectPlace, PlanningScene, RobotChange, SceneChange, SceneObject, WorldChange, WorldFile,
};
use smooth_scene_test_support::hands;
use smooth_scene_test_support::random::properties;

fn pose() -> impl Strategy<Value = Pose> {
    let angle = || -3.0..3.0;
    let rotated = (prop::array::uniform3(-2.0..2.0), angle(), angle(), angle()).prop_map(
        |(xyz, roll, pitch, yaw)| {
            let rotation = rotation_from_euler_angles(roll, pitch, yaw);
            Pose::from_parts(Vec3::from(xyz).into(), rotation)
        },
    );
    prop_oneof![1 => Just(Pose::identity()), 4 => rotated]
}

fn bare_shape() -> impl Strategy<Value = Shape> {
    let length = || 0.01..2.0;
    let radii = || prop::array::uniform3(0.01..2.0);
    let exponent = || 0.1..1.9;
    prop_oneof![
        length().prop_map(Shape::sphere),
        radii().prop_map(Shape::ellipsoid),
        (radii(), exponent(), exponent()).prop_map(|(r, xy, z)| Shape::superellipsoid(r, xy, z)),
        (radii(), exponent(), exponent(), prop::array::uniform2(-0.3..0.3))
            .prop_map(|(r, xy, z, taper)| Shape::superovoid(r, xy, z, taper)),
        prop::array::uniform6(0.01..2.0).prop_map(Shape::poly_ellipsoid),
        radii().prop_map(Shape::cuboid),
        (length(), length()).prop_map(|(r, l)| Shape::cylinder(r, l)),
        (length(), length()).prop_map(|(r, l)| Shape::capsule(r, l)),
        (length(), length()).prop_map(|(r, l)| Shape::cone(r, l)),
    ]
    .prop_map(|made| made.unwrap())
}

/// Every kind of shape whose text is exact: all but meshes.
fn shape() -> impl Strategy<Value = Shape> {
    let shear = Mat3::new(1.0, 0.3, -0.2, 0.0, 0.8, 0.4, 0.1, 0.0, -1.5);
    let half_space = (prop::array::uniform3(0.1..1.0), -1.0..1.0)
        .prop_map(|(normal, offset)| Shape::half_space(normal, offset).unwrap());
    let compound = prop::collection::vec((pose(), bare_shape()), 1..4)
        .prop_map(|parts| Shape::compound(parts).unwrap());
    prop_oneof![
        4 => bare_shape(),
        1 => half_space,
        1 => (bare_shape(), 0.001..0.1).prop_map(|(shape, radius)| shape.padded(radius).unwrap()),
        1 => bare_shape().prop_map(move |shape| shape.mapped(&shear).unwrap()),
        1 => (bare_shape(), 0.001..0.1)
            .prop_map(move |(shape, radius)| shape.mapped(&shear).unwrap().padded(radius).unwrap()),
        1 => compound,
    ]
}

fn object(name: &'static str) -> impl Strategy<Value = SceneObject> {
    let shapes = prop::collection::vec((pose(), shape()), 1..4);
    let frames = prop::collection::vec(pose(), 0..3);
    (pose(), shapes, frames).prop_map(move |(pose, shapes, frames)| {
        let names = ["grip", "a \"quoted\"\nname", "yes"].map(String::from);
        SceneObject::new(name, pose, shapes)
            .unwrap()
            .with_subframes(names.into_iter().zip(frames).collect())
            .unwrap()
    })
}

proptest! {
    #![proptest_config(properties(200, 16))]

    /// To the last bit: `PartialEq` of shapes and poses compares numbers.
    #[test]
    fn a_written_scene_reads_back(
        first in object("table"),
        second in object("#1: [odd], {name}"),
        carried in object("~"),
    ) {
        let mut scene = hands::scene(0.3);
        let attach = RobotChange::Attach {
            object: carried,
            link: "r_palm".into(),
            touch_links: vec!["r_thumb_2".into(), "l_palm".into()],
        };
        let add = [first, second].map(WorldChange::Add);
        scene.apply(attach).unwrap();
        scene.apply(SceneChange::several(add)).unwrap();
        let text = WorldFile::of_scene(&scene).to_yaml().unwrap();
        let read = WorldFile::parse(&text, "text").unwrap();
        let mut again = hands::scene(0.3);
        let undo = read.add_to(&mut again).unwrap();
        prop_assert_eq!(&again, &scene, "{}", text);
        prop_assert_eq!(WorldFile::of_scene(&again).to_yaml().unwrap(), text);
        // In a scene that is full already, the file takes the place of what is there.
        read.replace_in(&mut again).unwrap();
        prop_assert_eq!(&again, &scene);
        let taken = again.apply(SceneChange::Several(vec![
            WorldChange::RemoveAll.into(),
            RobotChange::Detach { name: "~".into() }.into(),
        ]));
        prop_assert!(taken.is_ok());
        read.add_to(&mut again).unwrap();
        again.apply(undo).unwrap();
        prop_assert_eq!(again, hands::scene(0.3));
    }
}

/// The vertices of a mesh may change their order; the body does not change.
#[test]
fn a_written_mesh_is_the_same_body() {
    let corners: Vec<Vec3> = (0..40)
        .map(|k| {
            let angle = f64::from(k) * 2.4;
            Vec3::new(angle.cos(), angle.sin(), f64::from(k) / 20.0 - 1.0)
        })
        .collect();
    let mesh = Shape::convex_mesh(&corners).unwrap();
    let mut scene = hands::scene(0.3);
    let object = SceneObject::simple("mesh", Pose::identity(), mesh.clone()).unwrap();
    scene.apply(WorldChange::Add(object)).unwrap();
    let text = WorldFile::of_scene(&scene).to_yaml().unwrap();
    let read = WorldFile::parse(&text, "text").unwrap();
    let (_, again) = read.objects()[0].object.shapes().next().unwrap();
    for corner in &corners {
        let dir = corner.normalize();
        assert_eq!(again.support(&dir).value, mesh.support(&dir).value, "{dir}");
    }
}

fn example(name: &str) -> WorldFile {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/files/");
    WorldFile::load(format!("{folder}{name}")).unwrap()
}

fn names(file: &WorldFile) -> Vec<&str> {
    file.objects().iter().map(|object| object.object.name()).collect()
}

#[test]
fn the_example_world_is_what_its_comments_say() {
    let world = example("world.yaml");
    assert_eq!(names(&world), ["table", "floor", "mug", "egg"]);
    assert!(world.notes().is_empty());
    let egg = &world.objects()[3];
    let touch_links = vec!["r_thumb_4".to_string(), "r_index_3".to_string()];
    assert_eq!(egg.place, ObjectPlace::Link { link: "r_palm".into(), touch_links });
    let mug = Shape::superellipsoid([0.04, 0.04, 0.05], 1.0, 0.2).unwrap().padded(0.002).unwrap();
    assert_eq!(world.objects()[2].object.shapes().next().unwrap(), (Pose::identity(), &mug));
}

#[test]
fn a_scene_of_moveit_is_read() {
    let scene = example("moveit_scene.yaml");
    assert_eq!(names(&scene), ["table", "can"]);
    let table = &scene.objects()[0].object;
    let (pose, shape) = table.shapes().next().unwrap();
    assert_eq!(*shape, Shape::cuboid([0.4, 0.3, 0.015]).unwrap());
    assert_eq!(pose, Pose::translation(0.1, 0.0, -0.3));
    assert_eq!(*table.pose(), Pose::identity());
    let can = &scene.objects()[1].object;
    assert_eq!(*can.shapes().next().unwrap().1, Shape::cylinder(0.033, 0.05).unwrap());
    assert_eq!(*can.pose(), Pose::translation(0.3, 0.1, -0.235));

    let text = "
        world:
          collision_objects:
            - id: wall
              planes: [{coef: [0, 0, 2, -1]}]
              meshes:
                - vertices: [{x: 0, y: 0, z: 0}, {x: 1, y: 0, z: 0}, {x: 0, y: 1, z: 0}, {x: 0, y: 0, z: 1}]
                  triangles: []
              mesh_poses: [{position: [0, 0, 3]}]
              subframe_names: [top]
              subframe_poses: [{position: [0, 0, 1]}]
          octomap: {octomap: {data: []}}
        link_padding: [{link_name: a, padding: 0}]
        link_scale: [{link_name: a, scale: 1}]
        allowed_collision_matrix: {entry_names: []}
        robot_state:
          joint_state: {name: [], position: []}
          attached_collision_objects:
            - link_name: r_palm
              touch_links: [r_index_1]
              object: {id: pen, header: {frame_id: r_palm}, primitives: [{type: sphere, dimensions: [0.01]}]}
    ";
    let read = WorldFile::parse(text, "text").unwrap();
    assert_eq!(names(&read), ["wall", "pen"]);
    let shapes: Vec<_> = read.objects()[0].object.shapes().collect();
    assert_eq!(shapes[0].1.kind(), "convex_mesh");
    assert_eq!(shapes[0].0, Pose::translation(0.0, 0.0, 3.0));
    assert_eq!(*shapes[1].1, Shape::half_space([0.0, 0.0, 1.0], 0.5).unwrap());
    assert_eq!(read.objects()[0].object.subframes().next().unwrap().0, "top");
    assert_eq!(read.notes().len(), 2);
}

/// A text and the message that refuses it.
const BAD: &[(&str, &str)] = &[
    ("", "whole file: is empty, must be a list of objects or a scene of MoveIt"),
    ("3", "whole file: is a number, must be a list of objects or a scene of MoveIt"),
    ("objects: []", "unknown field `objects`, must be one of: world, robot_state, "),
    ("- 3", "object 1: is a number, must be a map"),
    ("- {id: a}", "object 1 (`a`): field `shapes` is missing"),
    (
        "- {id: a, shpe: {}}",
        "object 1 (`a`): unknown field `shpe`, must be one of: id, pose, shape",
    ),
    ("- {shape: {type: sphere, radius: 1}}", "object 1: field `id` is missing"),
    ("- {id: 7, shape: {type: sphere, radius: 1}}", "object 1.id: is a number, must be a string"),
    (
        "- {id: a, shape: {type: sphere, radius: -1}}",
        "object 1 (`a`).shape: sphere: radius is -1, must be in [1e-9, 1e6] m",
    ),
    (
        "- {id: a, shapes: [{type: box, size: [1, 1, 0]}]}",
        "object 1 (`a`).shapes[0].size[2]: is 0, must be in [2e-9, 2e6] m",
    ),
    (
        "- {id: a, shapes: [{type: box, sise: [1, 1, 0]}]}",
        "object 1 (`a`).shapes[0]: unknown field `sise`, must be one of: pose, type, size, strict",
    ),
    ("- {id: a, shapes: []}", "object 1 (`a`): object `a` has 0 shapes"),
    (
        "- {id: a, pose: {xyz: [0, 0, 2e6]}, shape: {type: sphere, radius: 1}}",
        "object 1 (`a`).pose.xyz[2]: is 2000000, must be in [-1e6, 1e6] m",
    ),
    (
        "- {id: a, pose: {quat: [0, 0, 0, 0]}, shape: {type: sphere, radius: 1}}",
        "object 1 (`a`).pose.quat: is [0, 0, 0, 0], must be finite and not zero",
    ),
    (
        "- {id: a, pose: {quat: [0, 0, 0, 1], rpy: [0, 0, 0]}, shape: {type: sphere, radius: 1}}",
        "object 1 (`a`).pose: has both quat and rpy, must have at most one",
    ),
    (
        "- {id: a, touch_links: [b], shape: {type: sphere, radius: 1}}",
        "object 1 (`a`).touch_links: is given without `link`",
    ),
    (
        "- &a {id: a, shape: {type: sphere, radius: 1}}\n- *a",
        "whole file: object `a` appears twice",
    ),
    ("- {id: a, id: b}", "object 1 (`a`): `id` appears twice"),
    ("- {id: [", "whole file: "),
    ("world: {octomap: {octomap: {data: [1]}}}", "world.octomap: is not empty; octrees"),
    ("link_padding: [{link_name: a, padding: 0.1}]", "link_padding[0].padding: is 0.1, must be 0"),
    ("link_scale: [{link_name: a, scale: 2}]", "link_scale[0].scale: is 2, must be 1"),
    (
        "fixed_frame_transforms: [{child_frame_id: w, transform: {translation: [0, 0, 1]}}]",
        "fixed_frame_transforms[0].transform: is not the identity",
    ),
    (
        "world: {collision_objects: [{id: a, primitives: [{type: torus, dimensions: [1]}]}]}",
        "world.collision_objects[0].primitives[0].type: is `torus`, must be one of: box, sphere, cylinder, cone",
    ),
    (
        "world: {collision_objects: [{id: a, primitives: [{type: 9, dimensions: [1]}]}]}",
        "world.collision_objects[0].primitives[0].type: is 9, must be 1 to 4",
    ),
    (
        "world: {collision_objects: [{id: a, primitives: [{type: cylinder, dimensions: [1]}]}]}",
        "world.collision_objects[0].primitives[0].dimensions: has 1 entries, must have 2",
    ),
    (
        "world: {collision_objects: [{id: a, primitive_poses: [{}]}]}",
        "world.collision_objects[0].primitive_poses: has 1 entries for 0 primitives",
    ),
    (
        "world: {collision_objects: [{id: a, meshes: [{resource: 'package://a.stl'}]}]}",
        "world.collision_objects[0].meshes[0].resource: names a mesh file",
    ),
    (
        "world: {collision_objects: [{id: a, operation: 1}]}",
        "world.collision_objects[0].operation: must be 0 or `add`",
    ),
    (
        "robot_state: {attached_collision_objects: [{link_name: l, object: {id: a, header: {frame_id: m}, \
         primitives: [{type: sphere, dimensions: [1]}]}}]}",
        "robot_state.attached_collision_objects[0].object.header.frame_id: is `m`, must be `l`",
    ),
];

#[test]
fn bad_files_are_refused_with_the_field_and_the_range() {
    for (text, expected) in BAD {
        let error = WorldFile::parse(text, "w.yaml").unwrap_err().to_string();
        assert!(error.starts_with(&format!("w.yaml: {expected}")), "{text}\n{error}\n{expected}");
    }
    let missing = WorldFile::load("/nowhere/w.yaml").unwrap_err().to_string();
    assert!(missing.starts_with("/nowhere/w.yaml: No such file"), "{missing}");
}

fn refused_by(scene: &mut PlanningScene, text: &str) -> String {
    let before = scene.clone();
    let error = WorldFile::parse(text, "w.yaml").unwrap().add_to(scene).unwrap_err().to_string();
    assert_eq!(*scene, before);
    error
}

#[test]
fn objects_that_do_not_fit_the_robot_are_refused_and_leave_the_scene_alone() {
    let mut scene = hands::scene(0.3);
    let ball = "shape: {type: sphere, radius: 0.1}";
    let text = format!("- {{id: a, {ball}}}\n- {{id: b, link: tail, {ball}}}");
    let no_link = "w.yaml: object `b`: the robot has no link `tail`";
    assert_eq!(refused_by(&mut scene, &text), no_link);
    let text = format!("- {{id: r_palm, {ball}}}");
    let taken = refused_by(&mut scene, &text);
    assert!(taken.starts_with("w.yaml: object `r_palm`: "), "{taken}");
    let text = "world: {collision_objects: [{id: a, header: {frame_id: camera}, primitives: [{type: sphere, dimensions: [1]}]}]}";
    let frame = refused_by(&mut scene, text);
    assert!(
        frame.starts_with("w.yaml: object `a`: is in the frame `camera`, must be in `"),
        "{frame}"
    );
}
