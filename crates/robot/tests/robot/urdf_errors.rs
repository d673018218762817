//! Files that are no robots: the exact error of each, no panic, bounded time and memory.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use smooth_scene_geometry::Shape;
use smooth_scene_robot::{
    LoadOptions, LoadedRobot, MeshPolicy, Sidecar, UrdfError, load_urdf, parse_urdf,
};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/urdf_bad")
}

fn options() -> LoadOptions {
    LoadOptions { use_environment: false, ..Default::default() }
}

fn parse(text: &str) -> Result<LoadedRobot, UrdfError> {
    parse_urdf(text, "test.urdf", &options())
}

/// Every file of the corpus and its message, folder left out.
const EXPECTED: &[(&str, &str)] = &[
    (
        "bad_exponent.urdf",
        r#":5:7: <superovoid> in <link name="a">: superovoid: exponent_xy is 2.5, must be in [0.001, 1.999]"#,
    ),
    (
        "bad_index_dae.urdf",
        r#":4:17: <mesh> in <link name="a">: mesh `bad_index.dae`: <geometry id="g">: index `7` is not one of the 3 positions"#,
    ),
    (
        "bad_index_obj.urdf",
        r#":4:17: <mesh> in <link name="a">: mesh `bad_index.obj`: face index out of bounds (8) (6:1)"#,
    ),
    (
        "bad_taper.urdf",
        r#":5:7: <superovoid> in <link name="a">: superovoid: taper[0] is 1.5, must be in the open interval (-1, 1)"#,
    ),
    ("billion_laughs.urdf", ":2:1: not usable as XML: document type definitions are not accepted"),
    (
        "comma_origin.urdf",
        r#":7:13: <origin> in <joint name="j">: xyz is "1,2,3", must be three numbers"#,
    ),
    (
        "corrupt_mesh.urdf",
        r#":4:17: <mesh> in <link name="a">: mesh `corrupt.stl`: error while parsing a float (5:13)"#,
    ),
    (
        "crossed_limits.urdf",
        ":4:3: joint `j`: limit [lower, upper] is [1, -1], must be an interval with lower ≤ upper",
    ),
    ("cycle.urdf", ":3:3: the links `a`, `b` form a ring"),
    (
        "disconnected.urdf",
        ":3:3: the robot falls apart: links `a`, `b` have no parent, only one may",
    ),
    ("duplicate_joint.urdf", ":6:3: joint `j` is defined twice"),
    ("duplicate_link.urdf", ":3:3: link `a` is defined twice"),
    ("empty.urdf", ":1:1: not usable as XML: the document does not have a root node"),
    ("empty_axis.urdf", r#":7:5: <axis> in <joint name="j">: attribute `xyz` is missing"#),
    (
        "empty_origin.urdf",
        r#":7:13: <origin> in <joint name="j">: xyz is "", must be three numbers"#,
    ),
    ("external_entity.urdf", ":1:1: not usable as XML: document type definitions are not accepted"),
    (
        "flat_box.urdf",
        r#":4:22: <box> in <link name="a">: size is "1 0 1", must be in [2e-9, 2e6] m"#,
    ),
    (
        "huge_mimic.urdf",
        r#":7:74: <mimic> in <joint name="j">: multiplier is "1e300", must be a number within 1e6 of zero"#,
    ),
    (
        "huge_origin.urdf",
        r#":7:13: <origin> in <joint name="j">: xyz is "0 0 1e308", must be three numbers, each within 1e6 of zero"#,
    ),
    (
        "infinite_angle.urdf",
        r#":7:13: <origin> in <joint name="j">: rpy is "inf 0 0", must be three numbers, each within 1e6 of zero"#,
    ),
    (
        "long_cylinder.urdf",
        r#":4:38: <cylinder> in <link name="a">: length is "1e308", must be in [2e-9, 2e6] m"#,
    ),
    (
        "mimic_cycle.urdf",
        ":5:3: joint `ab`: its chain of mimics never ends at a joint that moves by itself",
    ),
    (
        "missing_limit.urdf",
        r#":4:3: <joint name="j">: <limit> is missing, a revolute joint needs it"#,
    ),
    (
        "missing_mesh.urdf",
        r#":4:17: <mesh> in <link name="a">: mesh `missing.stl` not found, looked at: missing.stl"#,
    ),
    (
        "missing_package.urdf",
        r#":4:17: <mesh> in <link name="a">: mesh `package://nowhere/a.stl` not found, looked at: the folders above DIR"#,
    ),
    ("missing_radius.urdf", r#":4:17: <sphere> in <link name="a">: attribute `radius` is missing"#),
    (
        "missing_taper.urdf",
        r#":5:7: <superovoid> in <link name="a">: attribute `taper` is missing"#,
    ),
    (
        "misspelt_taper.urdf",
        r#":5:7: <superovoid> in <link name="a">: unknown attribute `tapper`, must be one of: radii, exponent_xy, exponent_z, taper"#,
    ),
    ("nameless_link.urdf", r#":2:3: <link> in <robot name="r">: attribute `name` is missing"#),
    (
        "nan_mesh.urdf",
        r#":4:17: <mesh> in <link name="a">: mesh `nan.stl`: vertex 1 is [1, NaN, 0], must be finite"#,
    ),
    (
        "nan_origin.urdf",
        r#":7:13: <origin> in <joint name="j">: xyz is "0 nan 0", must be three numbers, each within 1e6 of zero"#,
    ),
    (
        "nan_radius.urdf",
        r#":4:17: <sphere> in <link name="a">: sphere: radius is NaN, must be in [1e-9, 1e6] m"#,
    ),
    (
        "negative_capsule.urdf",
        r#":5:31: <capsule> in <link name="a">: length is "-1", must be in [2e-9, 2e6] m"#,
    ),
    (
        "negative_radii.urdf",
        r#":5:7: <ellipsoid> in <link name="a">: ellipsoid: radii[1] is -2, must be in [1e-9, 1e6] m"#,
    ),
    (
        "negative_radius.urdf",
        r#":4:17: <sphere> in <link name="a">: sphere: radius is -1, must be in [1e-9, 1e6] m"#,
    ),
    ("negative_velocity.urdf", ":4:3: joint `j`: limit velocity is -2, must be zero or more"),
    ("no_links.urdf", ":1:1: the robot has no links"),
    ("no_parent.urdf", r#":3:3: <joint name="j">: <parent> is missing"#),
    ("no_shape.urdf", r#":4:7: <geometry> in <link name="a">: contains no shape"#),
    ("not_utf8.urdf", ": byte 31 in line 2 is not UTF-8"),
    ("nul_byte.urdf", ":2:16: not usable as XML: a non-XML character '\\0' found"),
    (
        "rbdyn_exponent.urdf",
        r#":4:17: <superellipsoid> in <link name="a">: superellipsoid: exponent_z is 0, must be in [0.001, 1.999]"#,
    ),
    (
        "second_parent_element.urdf",
        r#":7:57: <parent> in <joint name="j">: <joint name="j"> has more than one <parent>"#,
    ),
    (
        "self_mimic.urdf",
        ":4:3: joint `j`: its chain of mimics never ends at a joint that moves by itself",
    ),
    (
        "short_origin.urdf",
        r#":7:13: <origin> in <joint name="j">: xyz is "1 2", must be three numbers"#,
    ),
    (
        "tiny_mesh.urdf",
        r#":4:17: <mesh> in <link name="a">: mesh `tiny.obj`: convex_mesh: vertices are within 1.0e-10 m, must be one point or span 1e-9 m"#,
    ),
    ("truncated.urdf", ":4:17: not usable as XML: the root node was opened but never closed"),
    ("two_parents.urdf", ":6:3: link `c` is the child of both joint `ac` and joint `bc`"),
    (
        "two_radii.urdf",
        r#":5:22: <ellipsoid> in <link name="a">: radii is "1 2", must be three numbers"#,
    ),
    ("two_roots.urdf", ":4:1: not usable as XML: unknown token"),
    (
        "two_shapes.urdf",
        r#":4:37: <sphere> in <link name="a">: <geometry> contains more than one shape"#,
    ),
    (
        "two_surfaces.urdf",
        r#":5:37: <ellipsoid> in <link name="a">: a collision has at most one surface"#,
    ),
    ("unclosed.urdf", ":3:1: not usable as XML: expected 'link' tag, not 'robot'"),
    ("undeclared_prefix.urdf", ":5:8: not usable as XML: an unknown namespace prefix 'scs'"),
    ("unknown_child.urdf", ":3:3: joint `j`: child link `ghost` does not exist"),
    (
        "unknown_mesh_format.urdf",
        r#":4:17: <mesh> in <link name="a">: mesh `mesh.step`: ending `step` is not known, must be stl, obj, dae or ply"#,
    ),
    ("unknown_mimic.urdf", ":4:3: joint `j`: mimicked joint `ghost` does not exist"),
    ("unknown_parent.urdf", ":3:3: joint `j`: parent link `ghost` does not exist"),
    (
        "unknown_shape.urdf",
        r#":4:17: <teapot> in <link name="a">: unknown shape, must be box, cylinder, sphere, mesh, ellipsoid, superellipsoid, superovoid, poly_ellipsoid, capsule or cone"#,
    ),
    (
        "unknown_surface.urdf",
        r#":5:7: <torus> in <link name="a">: unknown surface, must be ellipsoid, superellipsoid, superovoid, poly_ellipsoid, capsule or cone"#,
    ),
    (
        "unknown_type.urdf",
        r#":4:19: <joint name="j">: type is "hinge", must be one of: revolute, continuous, prismatic, fixed, floating, planar"#,
    ),
    ("word_limit.urdf", r#":7:22: <limit> in <joint name="j">: upper is "one", must be a number"#),
    (
        "word_radii.urdf",
        r#":5:22: <ellipsoid> in <link name="a">: radii is "1 2 x", must be three numbers"#,
    ),
    ("wrong_root.urdf", ":1:1: <sdf>: the root element must be <robot>"),
    (
        "xacro.urdf",
        ": is a xacro file, not a URDF: expand it first, as in `xacro robot.urdf.xacro > robot.urdf`",
    ),
    (
        "xacro_without_namespace.urdf",
        ": is a xacro file, not a URDF: expand it first, as in `xacro robot.urdf.xacro > robot.urdf`",
    ),
    ("zero_axis.urdf", r#":4:3: joint `j`: axis is "0 0 0", must be finite and longer than 1e-9"#),
    (
        "zero_scale.urdf",
        r#":4:50: <mesh> in <link name="a">: scale is "1 0 1", must be three numbers other than zero"#,
    ),
];

#[test]
fn every_bad_file_has_its_error() {
    let prefix = format!("{}/", folder().display());
    for (file, expected) in EXPECTED {
        let error = load_urdf(folder().join(file), &options()).unwrap_err().to_string();
        let error = error.replace(&prefix, "").replace(&folder().display().to_string(), "DIR");
        assert_eq!(error, format!("{file}{expected}"));
    }
}

/// Walls and plates are often modelled as flat meshes.
#[test]
fn a_flat_mesh_is_its_polygon() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/urdf/flat_mesh.urdf");
    let robot = load_urdf(file, &options()).unwrap();
    let shape = &robot.model.links()[0].collisions[0].shape;
    let Shape::ConvexMesh(mesh) = shape else { panic!("{shape:?}") };
    assert!(mesh.is_flat());
    assert_eq!((mesh.vertices().len(), mesh.triangles().len()), (4, 4));
}

#[test]
fn every_file_of_the_corpus_is_in_the_table() {
    let mut files: Vec<String> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".urdf"))
        .collect();
    files.sort();
    let expected: Vec<&str> = EXPECTED.iter().map(|(file, _)| *file).collect();
    assert_eq!(files, expected);
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let error = load_urdf("no/such/file.urdf", &options()).unwrap_err().to_string();
    assert!(error.starts_with("no/such/file.urdf: No such file"), "{error}");
    let error = load_urdf(folder(), &options()).unwrap_err().to_string();
    assert!(error.contains("irectory"), "{error}");
}

/// Fails when the work took longer than any of these should; the slowest takes a tenth of it.
fn within_seconds<T>(work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    result
}

#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    for inside in ["<robot name=\"r\">", "<robot name=\"r\"><link name=\"a\"><collision>"] {
        let deep = format!("{inside}{}", "<g>".repeat(400_000));
        let error = within_seconds(|| parse(&deep)).unwrap_err().to_string();
        assert!(error.contains("not usable as XML"), "{error}");
    }
    let closed = format!(
        "<robot name=\"r\"><link name=\"a\"/>{}{}</robot>",
        "<g>".repeat(100_000),
        "</g>".repeat(100_000)
    );
    let robot = within_seconds(|| parse(&closed)).unwrap();
    assert_eq!(robot.warnings.len(), 1);
}

#[test]
fn huge_files_are_refused_by_size_and_by_count() {
    let small = LoadOptions { max_file_bytes: 1000, ..options() };
    let text = format!("<robot name=\"r\"><link name=\"a\"/>{}</robot>", " ".repeat(1000));
    let error = parse_urdf(&text, "big.urdf", &small).unwrap_err().to_string();
    assert_eq!(error, "big.urdf: larger than 1000 bytes");

    let path = std::env::temp_dir().join(format!("smooth_scene_huge_{}.urdf", std::process::id()));
    // A sparse file: 40 MB that occupy nothing.
    fs::File::create(&path).unwrap().set_len(40 << 20).unwrap();
    let error = load_urdf(&path, &options()).unwrap_err().to_string();
    fs::remove_file(&path).unwrap();
    assert!(error.ends_with("larger than 33554432 bytes"), "{error}");

    let many = format!("<robot name=\"r\">{}</robot>", "<x/>".repeat(1_100_000));
    let error = within_seconds(|| parse(&many)).unwrap_err().to_string();
    assert!(error.ends_with("not usable as XML: more than 1000000 nodes"), "{error}");

    let links: String = (0..10_001).map(|k| format!("<link name=\"l{k}\"/>")).collect();
    let error = within_seconds(|| parse(&format!("<robot name=\"r\">{links}</robot>")));
    assert!(error.unwrap_err().to_string().ends_with("more than 10000 links or joints"));
}

#[test]
fn the_largest_robot_that_is_accepted_loads() {
    let count = 10_000;
    let mut text = "<robot name=\"r\"><link name=\"l0\"/>".to_owned();
    for k in 1..count {
        text += &format!(
            "<link name=\"l{k}\"><collision><geometry><sphere radius=\"1\"/></geometry></collision></link>\
             <joint name=\"j{k}\" type=\"continuous\"><parent link=\"l{}\"/><child link=\"l{k}\"/></joint>",
            k - 1
        );
    }
    text += "</robot>";
    let robot = within_seconds(|| parse(&text)).unwrap();
    assert_eq!(robot.model.position_count(), count - 1);
}

#[test]
fn a_surface_in_geometry_and_one_beside_it_are_two() {
    let with = |shape: &str| {
        parse(&format!(
            "<robot name=\"r\" xmlns:scs=\"urn:smooth-scene:scs:1\"><link name=\"a\"><collision>\n\
             <geometry>{shape}</geometry>\n<scs:capsule radius=\"1\" length=\"1\"/></collision></link></robot>"
        ))
    };
    for shape in ["<scs:ellipsoid radii=\"1 1 1\"/>", "<ellipsoid radii=\"1 1 1\"/>"] {
        let error = with(shape).unwrap_err().to_string();
        let expected = "a collision has at most one surface, and one is in <geometry>";
        let begins = "test.urdf:3:1: <capsule>";
        assert!(error.starts_with(begins) && error.ends_with(expected), "{error}");
    }
    for shape in ["<box size=\"1 1 1\"/>", "<capsule radius=\"1\" length=\"1\"/>"] {
        let robot = with(shape).unwrap();
        assert_eq!(robot.model.links()[0].collisions.len(), 1);
    }
}

#[test]
fn a_flood_of_unknown_elements_is_cut_short() {
    let text = format!(
        "<robot name=\"r\"><link name=\"a\"/>\n{}</robot>",
        "<x y=\"1\"/>\n".repeat(300_000)
    );
    let robot = within_seconds(|| parse(&text)).unwrap();
    assert_eq!(robot.warnings.len(), 101);
    assert_eq!(robot.warnings[100].to_string(), "299900 more warnings are not shown");
}

#[test]
fn a_byte_order_mark_is_no_error_and_stays() {
    let text = "\u{feff}<robot name=\"r\">\n<link name=\"a\"/></robot>";
    let robot = parse(text).unwrap();
    assert_eq!(robot.document.write(&[]).unwrap(), text);
    assert_eq!(&text[robot.document.links()[0].range.clone()], "<link name=\"a\"/>");
}

#[test]
fn meshes_can_be_left_out() {
    let file = folder().join("missing_mesh.urdf");
    for meshes in [MeshPolicy::LeaveOutUnusable, MeshPolicy::Skip] {
        let robot = load_urdf(&file, &LoadOptions { meshes, ..options() }).unwrap();
        assert!(robot.model.links()[0].collisions.is_empty());
        assert_eq!(robot.warnings.len(), 1);
        assert!(robot.warnings[0].to_string().contains("<link name=\"a\"> is left out"));
    }
}

fn with_sidecar(text: &str) -> Result<LoadedRobot, UrdfError> {
    let sidecar = Sidecar::Text { label: "side.yaml".into(), text: text.into() };
    let options = LoadOptions { sidecar: Some(sidecar), ..options() };
    parse_urdf("<robot name=\"r\"><link name=\"a\"/></robot>", "test.urdf", &options)
}

#[test]
fn bad_sidecars_have_their_error() {
    let cases = [
        ("a: 3", "a: is a number, must be a list"),
        ("[1, 2]", "whole file: is a list, must be a map of links"),
        ("ghost: []", "ghost: the robot has no such link"),
        ("a: [{radius: 1}]", "a[0]: field `type` is missing"),
        (
            "a: [{radus: 1}]",
            "a[0]: unknown field `radus`, must be one of: name, origin, type, radius, radii, exponent_xy, exponent_z, taper, size, length",
        ),
        (
            "a: [{type: sphere, radus: 1}]",
            "a[0]: unknown field `radus`, must be one of: name, origin, type, radius",
        ),
        (
            "a: [{type: sphere, radius: 1, padding: 1}]",
            "a[0]: unknown field `padding`, must be one of: name, origin, type, radius",
        ),
        (
            "a: [{type: torus}]",
            "a[0].type: is `torus`, must be one of: sphere, ellipsoid, superellipsoid, superovoid, poly_ellipsoid, box, cylinder, capsule, cone",
        ),
        ("a: [{type: sphere, radius: x}]", "a[0].radius: is a string, must be a number"),
        ("a: [{type: sphere, radius: -1}]", "a[0]: sphere: radius is -1, must be in [1e-9, 1e6] m"),
        (
            "a: [{type: sphere, radius: .nan}]",
            "a[0]: sphere: radius is NaN, must be in [1e-9, 1e6] m",
        ),
        (
            "a: [{type: sphere, radius: 1, colour: red}]",
            "a[0]: unknown field `colour`, must be one of: name, origin, type, radius",
        ),
        ("a: [{type: ellipsoid, radii: [1, 2]}]", "a[0].radii: has 2 entries, must have 3"),
        ("a: [{type: box, size: [1, 2, 0]}]", "a[0].size[2]: is 0, must be in [2e-9, 2e6] m"),
        (
            "a: [{type: sphere, radius: 1, origin: {xyz: [0, 0, 1e7]}}]",
            "a[0].origin.xyz[2]: is 10000000, must be in [-1e6, 1e6] m",
        ),
        ("a: [{type: sphere, radius: 1, origin: 3}]", "a[0].origin: is a number, must be a map"),
        ("a: []\na: []", "whole file: `a` appears twice"),
    ];
    for (text, expected) in cases {
        let error = with_sidecar(text).unwrap_err().to_string();
        assert_eq!(error, format!("side.yaml: {expected}"), "{text}");
    }
    let syntax = with_sidecar("a: [").unwrap_err().to_string();
    assert!(syntax.contains("line"), "{syntax}");
}

#[test]
fn aliases_of_aliases_in_a_sidecar_are_bounded() {
    let mut text = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n".to_owned();
    for k in 1..12 {
        let uses = vec![format!("*a{}", k - 1); 10].join(", ");
        text += &format!("a{k}: &a{k} [{uses}]\n");
    }
    let error = within_seconds(|| with_sidecar(&text)).unwrap_err().to_string();
    assert!(error.contains("repetition limit exceeded"), "{error}");

    // Many cheap repetitions, each below the limit of the YAML reader, are counted here.
    let list = format!("x: &x [{}]\n", vec!["1"; 60_000].join(","));
    let uses: String = (0..60).map(|k| format!("y{k}: *x\n")).collect();
    let error = within_seconds(|| with_sidecar(&(list + &uses))).unwrap_err().to_string();
    assert!(error.contains("more than 1000000 values"), "{error}");

    let deep = within_seconds(|| with_sidecar(&"[".repeat(200_000))).unwrap_err().to_string();
    assert!(deep.contains("recursion limit exceeded"), "{deep}");
}
