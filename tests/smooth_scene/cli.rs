//! The command line, end to end: the binary is run and its output read.

use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Output, Stdio};

const SPHERE: &str = r#"{"shape":{"type":"sphere","radius":1}}"#;

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_smooth_scene"));
    command.arg("query").args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs `query -` on `input`.
fn query(input: impl Into<Vec<u8>>, arguments: &[&str]) -> Output {
    let mut child = command(&[&["-"], arguments].concat()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.into();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    // The binary may refuse its arguments before it has read anything.
    let _ = writer.join().unwrap();
    output
}

fn lines(output: &Output) -> Vec<Value> {
    let text = std::str::from_utf8(&output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn pair(a: &str, b: &str) -> String {
    format!(r#"{{"id":"x","a":{a},"b":{b}}}"#)
}

fn of_shape(shape: &str) -> String {
    pair(&format!(r#"{{"shape":{shape}}}"#), SPHERE)
}

fn of_pose(pose: &str) -> String {
    pair(SPHERE, &format!(r#"{{"shape":{{"type":"sphere","radius":1}},"pose":{pose}}}"#))
}

#[test]
fn two_spheres_have_the_closed_form_answer() {
    let line = r#"{"id":7,"a":{"shape":{"type":"sphere","radius":1}},"b":{"shape":{"type":"sphere","radius":2},"pose":{"xyz":[3,4,0],"quat":[0,0,0,2]}}}"#;
    let output = query(line, &[]);
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let golden = r#"{"id":7,"distance":2.0,"lower":2.0,"upper":2.0,"point_a":[0.6,0.8,0.0],"point_b":[1.8,2.4,0.0],"normal":[0.6,0.8,0.0],"status":"certified","iterations":1,"micros":"#;
    assert!(text.starts_with(golden) && text.ends_with("}\n"), "{text}");
    assert!(lines(&output)[0]["micros"].as_f64().unwrap() > 0.0);
    assert_eq!(output.status.code(), Some(0));
}

/// A body of this shape at these coordinates.
fn body(shape: &str, xyz: [f64; 3]) -> String {
    format!(r#"{{"shape":{shape},"pose":{{"xyz":{xyz:?}}}}}"#)
}

/// The only answer to `line`.
fn answer(line: String, arguments: &[&str]) -> Value {
    let mut answers = lines(&query(line, arguments));
    assert_eq!(answers.len(), 1);
    answers.remove(0)
}

#[track_caller]
fn assert_close(found: &Value, expected: f64, tolerance: f64) {
    let number = found.as_f64().unwrap_or(f64::NAN);
    assert!((number - expected).abs() <= tolerance, "{found}, expected {expected}");
}

#[track_caller]
fn assert_all_close(found: &Value, expected: &[f64], tolerance: f64) {
    let numbers = found.as_array().unwrap();
    assert_eq!(numbers.len(), expected.len(), "{found}");
    for (number, &expected) in numbers.iter().zip(expected) {
        assert_close(number, expected, tolerance);
    }
}

const BOX: &str = r#"{"type":"box","size":[2,2,2]}"#;
const CUBE_MESH: &str = r#"{"type":"convex_mesh","vertices":[[-1,-1,-1],[1,-1,-1],[-1,1,-1],[1,1,-1],[-1,-1,1],[1,-1,1],[-1,1,1],[1,1,1],[0,0,0]]}"#;
const FLOOR: &str = r#"{"type":"half_space","normal":[0,0,2],"offset":0.5}"#;
const BALLS: &str = r#"{"type":"compound","parts":[{"shape":{"type":"sphere","radius":0.5},"pose":{"xyz":[0,3,0]}},{"shape":{"type":"box","size":[1,1,1]},"pose":{"xyz":[0,-3,0]}}]}"#;
const BALLS_PADDED: &str = r#"{"type":"compound","padding":0.5,"parts":[{"shape":{"type":"sphere","radius":0.5},"pose":{"xyz":[0,3,0]}},{"shape":{"type":"box","size":[1,1,1]},"pose":{"xyz":[0,-3,0]}}]}"#;

/// Every kind of shape against the unit sphere at the origin.
#[test]
fn each_shape_has_its_closed_form_distance_to_a_sphere() {
    let cases: Vec<(&str, [f64; 3], f64)> = vec![
        // A face, and a corner: the corner is at distance 3.
        (BOX, [5.0, 0.5, 0.0], 3.0),
        (BOX, [3.0, 3.0, 2.0], 2.0),
        (CUBE_MESH, [3.0, 3.0, 2.0], 2.0),
        (CUBE_MESH, [0.0, 1.5, 0.0], -0.5),
        // The rim of a cylinder at distance 5, and its side.
        (r#"{"type":"cylinder","radius":1,"length":2}"#, [4.0, 0.0, 5.0], 4.0),
        (r#"{"type":"cylinder","radius":1,"length":2}"#, [4.0, 0.0, 0.5], 2.0),
        // The slope of a cone runs from (3, -2) to (0, 2): the origin is 24/5 - 2 away from its line.
        (r#"{"type":"cone","radius":3,"length":4}"#, [-5.0, 0.0, 0.0], 1.8),
        (r#"{"type":"cone","radius":3,"length":4}"#, [0.0, 0.0, -5.0], 2.0),
        (r#"{"type":"capsule","radius":0.5,"length":2}"#, [0.0, 3.0, 0.7], 1.5),
        (r#"{"type":"capsule","radius":0.5,"length":2}"#, [3.0, 0.0, 5.0], 3.5),
        (r#"{"type":"poly_ellipsoid","radii":[1,2,3,4,5,6]}"#, [0.0, 0.0, 9.0], 2.0),
        (r#"{"type":"poly_ellipsoid","radii":[1,2,3,4,5,6]}"#, [0.0, 9.0, 0.0], 4.0),
        (FLOOR, [7.0, 8.0, -3.5], 2.0),
        (FLOOR, [7.0, 8.0, 1.0], -2.5),
        (BALLS, [4.0, 3.0, 0.0], 2.5),
        (BALLS, [4.0, -3.0, 0.0], 2.5),
        (BALLS, [0.0, 0.0, 0.0], 1.5),
        (r#"{"type":"box","size":[2,2,2],"padding":0.25}"#, [3.0, 3.0, 2.0], 1.75),
        (r#"{"type":"box","size":[2,2,2],"padding":0.25,"scale":[2,1,1]}"#, [5.0, 0.0, 0.0], 1.75),
        (r#"{"type":"sphere","radius":1,"scale":[1,2,3],"padding":0.5}"#, [0.0, 0.0, 9.0], 4.5),
        (r#"{"type":"sphere","radius":0.5,"scale":[-2,2,2]}"#, [0.0, 0.0, 9.0], 7.0),
        (r#"{"type":"half_space","normal":[0,0,1],"offset":0,"padding":1}"#, [0.0, 0.0, -4.0], 2.0),
        // A quarter turn: what was along x is along y.
        (r#"{"type":"box","size":[4,2,2],"map":[[0,-1,0],[1,0,0],[0,0,1]]}"#, [0.0, 5.0, 0.0], 2.0),
        // The corner (1, 1, 1) goes to (1.5, 1, 2).
        (
            r#"{"type":"box","size":[2,2,2],"map":[[1,0.5,0],[0,1,0],[0,0,2]]}"#,
            [-3.5, -3.0, -3.0],
            2.0,
        ),
        (BALLS_PADDED, [4.0, 3.0, 0.0], 2.0),
    ];
    for (shape, xyz, expected) in cases {
        let found = answer(pair(SPHERE, &body(shape, xyz)), &[]);
        assert_close(&found["distance"], expected, 1e-9);
        let swapped = answer(pair(&body(shape, xyz), SPHERE), &[]);
        assert_close(&swapped["distance"], expected, 1e-9);
        assert!(swapped["lower"].as_f64().unwrap() <= expected + 1e-12, "{shape}");
        assert!(swapped["upper"].as_f64().unwrap() >= expected - 1e-12, "{shape}");
    }
}

#[test]
fn crossed_capsules_and_facing_half_spaces_have_closed_forms() {
    let capsule = r#"{"type":"capsule","radius":0.5,"length":2}"#;
    let other = r#"{"shape":{"type":"capsule","radius":0.25,"length":4},"pose":{"xyz":[3,0,0],"quat":[1,0,0,1]}}"#;
    let found = answer(pair(&body(capsule, [0.0; 3]), other), &[]);
    assert_close(&found["distance"], 2.25, 1e-12);
    assert_all_close(&found["normal"], &[1.0, 0.0, 0.0], 1e-12);
    let ceiling = r#"{"type":"half_space","normal":[0,0,-1],"offset":-2}"#;
    let found = answer(pair(&body(FLOOR, [0.0; 3]), &body(ceiling, [1.0, 2.0, 3.0])), &[]);
    assert_close(&found["distance"], 4.5, 1e-12);
}

#[test]
fn strict_is_asked_of_every_part() {
    let part = r#"{"type":"superovoid","radii":[1,1,1],"exponent_xy":0.5,"exponent_z":0.5,"taper":[0.5,-0.5]}"#;
    let compound = |strict: bool| {
        format!(r#"{{"type":"compound","strict":{strict},"parts":[{{"shape":{part}}}]}}"#)
    };
    assert_eq!(answer(of_shape(&compound(false)), &[])["of_hull"], true);
    let refused = answer(of_shape(&compound(true)), &[]);
    assert!(refused["error"].as_str().unwrap().ends_with("is not convex"), "{refused}");
}

#[test]
fn moving_spheres_meet_at_the_root_of_a_quadratic() {
    // Centres at (-4 + 8t, 1): |c|² = 4 where (8t - 4)² = 3.
    let moving =
        r#"{"shape":{"type":"sphere","radius":1},"pose":{"xyz":[-4,1,0]},"to":{"xyz":[4,1,0]}}"#;
    let expected = 0.5 - 3f64.sqrt() / 8.0;
    for arguments in [&[][..], &["--repeat", "3"], &["--certify"]] {
        let found = answer(pair(SPHERE, moving), arguments);
        assert_close(&found["time"], expected, 1e-9);
        assert_close(&found["closest_time"], expected, 1e-9);
        assert_close(&found["free_until"], expected, 1e-8);
        assert!(found["free_until"].as_f64().unwrap() <= expected);
        assert_close(&found["distance"], 0.0, 1e-9);
        assert_all_close(&found["point_a"], &[-(0.75f64.sqrt()), 0.5, 0.0], 1e-7);
        assert_eq!(found["status"], "certified");
    }
    let passing =
        r#"{"shape":{"type":"sphere","radius":1},"pose":{"xyz":[-4,3,0]},"to":{"xyz":[4,3,0]}}"#;
    let found = answer(pair(SPHERE, passing), &["--gradient"]);
    assert_eq!((&found["time"], &found["free_until"]), (&Value::Null, &Value::from(1.0)));
    assert_close(&found["closest_time"], 0.5, 1e-3);
    assert_close(&found["distance"], 1.0, 1e-6);
    assert!(found["motion_lower"].as_f64().unwrap() <= 1.0);
    assert_close(&found["motion_lower"], 1.0, 1e-5);
    // At the closest moment the gradient is that of two spheres side by side.
    assert_all_close(&found["gradient_b"], &[0.0, 1.0, 0.0, 0.0, 0.0, 0.0], 1e-3);
    // Overlap at the start is contact at time zero.
    let inside =
        r#"{"shape":{"type":"sphere","radius":1},"pose":{"xyz":[1,0,0]},"to":{"xyz":[9,0,0]}}"#;
    let found = answer(pair(SPHERE, inside), &[]);
    assert_eq!((&found["time"], &found["free_until"]), (&Value::from(0.0), &Value::from(0.0)));
    assert_close(&found["distance"], -1.0, 1e-12);
}

#[test]
fn half_spaces_and_compounds_may_take_part_in_a_motion() {
    let falling = r#"{"shape":{"type":"sphere","radius":1},"pose":{"xyz":[0,0,9]},"to":{"xyz":[0,0,-7],"quat":[1,0,0,1]}}"#;
    // From height 9 by 16 downwards, first contact at height 1.5.
    let found = answer(pair(&body(FLOOR, [3.0, 0.0, 0.0]), falling), &[]);
    assert_close(&found["time"], 7.5 / 16.0, 1e-9);
    let rising =
        r#"{"shape":{"type":"half_space","normal":[0,0,1],"offset":0},"to":{"xyz":[1,0,4]}}"#;
    let found =
        answer(pair(rising, &body(r#"{"type":"sphere","radius":1}"#, [0.0, 0.0, 3.0])), &[]);
    assert_close(&found["time"], 0.5, 1e-9);
    // Between the parts, which the convex hull of the compound would not let pass.
    let found = answer(pair(&body(BALLS, [0.0; 3]), falling), &[]);
    assert_eq!((&found["time"], &found["free_until"]), (&Value::Null, &Value::from(1.0)));
    assert_close(&found["distance"], 1.5, 1e-5);
    // Onto the ball: contact of 1 + 0.5 at height 1.5.
    let found = answer(pair(&body(BALLS, [0.0, -3.0, 0.0]), falling), &[]);
    assert_close(&found["time"], 7.5 / 16.0, 1e-8);
}

#[test]
fn gradients_and_curvatures_are_added_on_request() {
    let beside = body(r#"{"type":"sphere","radius":0.25}"#, [3.0, 4.0, 0.0]);
    let found = answer(pair(SPHERE, &beside), &["--gradient"]);
    assert_all_close(&found["gradient_a"], &[-0.6, -0.8, 0.0, 0.0, 0.0, 0.0], 1e-12);
    assert_all_close(&found["gradient_b"], &[0.6, 0.8, 0.0, 0.0, 0.0, 0.0], 1e-12);
    assert_eq!(found["curvatures_a"], Value::Null);
    // Turning a box about y moves the face that looks at the sphere by its lever arm.
    let shifted = body(BOX, [5.0, 0.0, 0.5]);
    let found = answer(pair(SPHERE, &shifted), &["--gradient"]);
    assert_all_close(&found["gradient_b"], &[1.0, 0.0, 0.0, 0.0, -0.5, 0.0], 1e-9);

    let ellipsoid = body(r#"{"type":"ellipsoid","radii":[1,2,3]}"#, [-5.0, 4.0, 0.0]);
    let sphere = body(r#"{"type":"sphere","radius":0.25}"#, [0.0, 4.0, 0.0]);
    let found = answer(pair(&ellipsoid, &sphere), &["--curvature"]);
    // At the end of the x axis: a/c² and a/b².
    assert_all_close(&found["curvatures_a"], &[1.0 / 9.0, 0.25], 1e-9);
    assert_all_close(&found["curvatures_b"], &[4.0, 4.0], 1e-9);
    assert_eq!(found["gradient_a"], Value::Null);
    // Flat faces have curvature 0, edges and vertices an infinite one, written as null.
    let curvatures = |shape: &str, xyz| {
        answer(pair(SPHERE, &body(shape, xyz)), &["--curvature"])["curvatures_b"].to_string()
    };
    assert_eq!(curvatures(BOX, [5.0, 0.0, 0.0]), "[0.0,0.0]");
    assert_eq!(curvatures(BOX, [5.0, 5.0, 5.0]), "[null,null]");
    assert_eq!(curvatures(BOX, [5.0, 5.0, 0.0]), "[0.0,null]");
    assert_eq!(curvatures(FLOOR, [0.0, 0.0, -5.0]), "[0.0,0.0]");
    // Of the part, not of the hull of the compound.
    let found = answer(pair(SPHERE, &body(BALLS, [0.0, -6.0, 0.0])), &["--curvature"]);
    assert_all_close(&found["curvatures_b"], &[2.0, 2.0], 1e-9);
}

#[test]
fn malformed_lines_are_answered_with_their_mistake() {
    let nested = format!(r#"{{"id":{}1{}}}"#, "[".repeat(200), "]".repeat(200));
    let many =
        format!("{{{}}}", (0..65).map(|k| format!("\"k{k}\":0")).collect::<Vec<_>>().join(","));
    let pose = |text: &str| of_pose(text);
    let cases: Vec<(String, &str)> = vec![
        (r#"{"a":"#.into(), "not valid JSON: EOF while parsing a value at column 5"),
        ("hello".into(), "not valid JSON: expected value at column 1"),
        (r#"{"a":1}}"#.into(), "not valid JSON: trailing characters at column 8"),
        (pose(r#"{"xyz":[NaN,0,0]}"#), "not valid JSON: expected value at column 111"),
        (pose(r#"{"xyz":[1e999,0,0]}"#), "not valid JSON: number out of range at column 115"),
        (nested, "not valid JSON: recursion limit exceeded at column 133"),
        ("[1,2]".into(), "the line is a list, must be an object"),
        ("null".into(), "the line is null, must be an object"),
        (many, "the line has 65 fields, at most 64"),
        (format!(r#"{{"b":{SPHERE}}}"#), "a is missing"),
        (format!(r#"{{"a":{SPHERE}}}"#), "b is missing"),
        (format!(r#"{{"a":{SPHERE},"b":3}}"#), "b is a number, must be an object"),
        (format!(r#"{{"a":{SPHERE},"a":{SPHERE},"b":{SPHERE}}}"#), "a is given twice"),
        (
            format!(r#"{{"a":{SPHERE},"b":{SPHERE},"c":{SPHERE}}}"#),
            "c is not a known field, known are: id, a, b",
        ),
        (format!(r#"{{"id":[1],"a":{SPHERE},"b":{SPHERE}}}"#), "id must be a string or a number"),
        (pair(r#"{"pose":{}}"#, SPHERE), "a.shape is missing"),
        (pair(r#"{"shape":"sphere"}"#, SPHERE), "a.shape is a string, must be an object"),
        (of_shape(r#"{"radius":1}"#), "a.shape.type is missing"),
        (of_shape(r#"{"type":7}"#), "a.shape.type is a number, must be a string"),
        (
            of_shape(r#"{"type":"torus"}"#),
            "a.shape.type is `torus`, must be one of: sphere, ellipsoid, superellipsoid, superovoid, poly_ellipsoid, \
             box, cylinder, capsule, cone, half_space, convex_mesh, compound",
        ),
        (of_shape(r#"{"type":"sphere"}"#), "a.shape.radius is missing"),
        (
            of_shape(r#"{"type":"sphere","radius":"1"}"#),
            "a.shape.radius is a string, must be a number",
        ),
        (
            of_shape(r#"{"type":"sphere","radius":-1}"#),
            "a.shape: sphere: radius is -1, must be in [1e-9, 1e6] m",
        ),
        (
            of_shape(r#"{"type":"sphere","radius":2e9}"#),
            "a.shape: sphere: radius is 2e9, must be in [1e-9, 1e6] m",
        ),
        (
            of_shape(r#"{"type":"sphere","radius":1,"raduis":2}"#),
            "a.shape.raduis is not a known field, known are: type, strict, padding, scale, map, radius",
        ),
        (
            of_shape(r#"{"type":"ellipsoid","radii":[1,2]}"#),
            "a.shape.radii has 2 numbers, must have 3",
        ),
        (
            of_shape(r#"{"type":"ellipsoid","radii":[1,null,3]}"#),
            "a.shape.radii[1] is null, must be a number",
        ),
        (
            of_shape(r#"{"type":"superellipsoid","radii":[1,1,1],"exponent_xy":2,"exponent_z":1}"#),
            "a.shape: superellipsoid: exponent_xy is 2, must be in [0.001, 1.999]",
        ),
        (
            of_shape(r#"{"type":"superellipsoid","radii":[1,1,1],"exponent_xy":1}"#),
            "a.shape.exponent_z is missing",
        ),
        (
            of_shape(
                r#"{"type":"superovoid","radii":[1,1,1],"exponent_xy":1,"exponent_z":1,"taper":[0,-1]}"#,
            ),
            "a.shape: superovoid: taper[1] is -1, must be in the open interval (-1, 1)",
        ),
        (
            of_shape(
                r#"{"type":"superovoid","radii":[1,1,1],"exponent_xy":0.5,"exponent_z":0.5,"taper":[0.5,-0.5],"strict":true}"#,
            ),
            "a.shape: superovoid with exponent_xy 0.5, exponent_z 0.5, taper [0.5, -0.5] is not convex",
        ),
        (
            of_shape(r#"{"type":"sphere","radius":1,"strict":1}"#),
            "a.shape.strict is a number, must be true or false",
        ),
        (
            of_shape(r#"{"type":"sphere","radius":1,"padding":-0.1}"#),
            "a.shape.padding is -0.1, must be in [0, 1e6] m",
        ),
        (
            of_shape(r#"{"type":"convex_mesh","vertices":[[0,0,0],[1,0]]}"#),
            "a.shape.vertices[1] has 2 numbers, must have 3",
        ),
        (
            of_shape(r#"{"type":"compound","parts":[{"pose":{}}]}"#),
            "a.shape.parts[0].shape is missing",
        ),
        (
            of_shape(r#"{"type":"compound","parts":[]}"#),
            "a.shape: compound: 0 parts, must be 1 to 100000",
        ),
        (
            of_shape(
                r#"{"type":"compound","parts":[{"shape":{"type":"half_space","normal":[0,0,1],"offset":0}}]}"#,
            ),
            "a.shape: compound: part 0 is a half_space, must be bounded and simple",
        ),
        (
            of_shape(
                r#"{"type":"compound","parts":[{"shape":{"type":"cone","radius":0,"length":1}}]}"#,
            ),
            "a.shape.parts[0].shape: cone: radius is 0, must be in [1e-9, 1e6] m",
        ),
        (
            of_shape(r#"{"type":"convex_mesh","vertices":[]}"#),
            "a.shape: convex_mesh: 0 vertices, must be 1 to 1000000",
        ),
        (
            of_shape(r#"{"type":"convex_mesh","vertices":[[0,0,0],[1e-10,0,0],[0,0,0],[0,0,0]]}"#),
            "a.shape: convex_mesh: vertices are within 1.0e-10 m, must be one point or span 1e-9 m",
        ),
        (
            of_shape(r#"{"type":"poly_ellipsoid","radii":[1,2,3]}"#),
            "a.shape.radii has 3 numbers, must have 6",
        ),
        (
            of_shape(r#"{"type":"box","size":[1,-1,1]}"#),
            "a.shape.size[1] is -1, must be in [2e-9, 2e6] m",
        ),
        (of_shape(r#"{"type":"box","half_extents":[1,1,1]}"#), "a.shape.size is missing"),
        (
            of_shape(r#"{"type":"cylinder","radius":1,"length":0}"#),
            "a.shape.length is 0, must be in [2e-9, 2e6] m",
        ),
        (
            of_shape(r#"{"type":"capsule","radius":-1,"length":1}"#),
            "a.shape: capsule: radius is -1, must be in [1e-9, 1e6] m",
        ),
        (
            of_shape(r#"{"type":"half_space","normal":[0,0,0],"offset":1}"#),
            "a.shape: half_space: normal [0.0, 0.0, 0.0] has no direction",
        ),
        (
            of_shape(r#"{"type":"sphere","radius":1,"scale":[1,0,1]}"#),
            "a.shape.scale: mapped: condition number of the matrix is inf, must be at most 1e6",
        ),
        (
            of_shape(r#"{"type":"sphere","radius":1,"map":[[1,0,0],[0,1,0]]}"#),
            "a.shape.map has 2 rows, must have 3",
        ),
        (
            of_shape(r#"{"type":"sphere","radius":1,"map":[[1,0,0],[0,1],[0,0,1]]}"#),
            "a.shape.map[1] has 2 numbers, must have 3",
        ),
        (
            of_shape(r#"{"type":"sphere","radius":1,"scale":[1,1,1],"map":[]}"#),
            "a.shape has both scale and map, at most one",
        ),
        (
            pair(
                r#"{"shape":{"type":"half_space","normal":[0,0,1],"offset":0}}"#,
                r#"{"shape":{"type":"half_space","normal":[0,1,0],"offset":0}}"#,
            ),
            "two half_spaces that do not face each other exactly overlap without end, their distance is minus infinity",
        ),
        (
            pair(
                r#"{"shape":{"type":"half_space","normal":[0,0,1],"offset":0},"to":{"quat":[1,0,0,1]}}"#,
                SPHERE,
            ),
            "a.to turns a half_space, which continuous queries cannot answer; it may only be shifted",
        ),
        (
            pair(
                r#"{"shape":{"type":"half_space","normal":[0,0,1],"offset":0},"to":{"xyz":[0,0,1]}}"#,
                r#"{"shape":{"type":"half_space","normal":[0,0,-1],"offset":-2}}"#,
            ),
            "continuous queries (`to`) need at least one body that is not a half_space",
        ),
        (
            pair(SPHERE, r#"{"shape":{"type":"sphere","radius":1},"to":{"quat":[0,0,0,0]}}"#),
            "b.to.quat is [0, 0, 0, 0], must not be zero",
        ),
        (pose(r#"[0,0,0]"#), "b.pose is a list, must be an object"),
        (pose(r#"{"xyz":[0,0]}"#), "b.pose.xyz has 2 numbers, must have 3"),
        (pose(r#"{"xyz":[0,0,2e9]}"#), "b.pose.xyz[2] is 2000000000, must be in [-1e6, 1e6] m"),
        (pose(r#"{"quat":[0,0,0,0]}"#), "b.pose.quat is [0, 0, 0, 0], must not be zero"),
        (pose(r#"{"quat":[1,0,0]}"#), "b.pose.quat has 3 numbers, must have 4"),
        (
            pose(r#"{"position":[0,0,0]}"#),
            "b.pose.position is not a known field, known are: xyz, quat",
        ),
    ];
    // Good lines around every bad one: each must be answered.
    let good = pair(SPHERE, SPHERE);
    let input: String = cases.iter().map(|(line, _)| format!("{line}\n{good}\n")).collect();
    let output = query(input, &[]);
    assert_eq!(output.status.code(), Some(1));
    let answers = lines(&output);
    assert_eq!(answers.len(), 2 * cases.len());
    for (index, (line, expected)) in cases.iter().enumerate() {
        let number = 2 * index + 1;
        let error = answers[2 * index]["error"].as_str().unwrap();
        assert_eq!(error, format!("line {number}: {expected}"), "{line}");
        assert_eq!(answers[2 * index + 1]["distance"], -2.0, "after {line}");
    }
}

#[test]
fn text_that_is_not_utf_8_is_an_error_line() {
    let output = query(b"{\"id\":\"\xff\xfe\"}\n".to_vec(), &[]);
    let answers = lines(&output);
    assert!(answers[0]["error"].as_str().unwrap().starts_with("line 1: not valid JSON: "));
}

#[test]
fn ids_are_echoed_and_blank_lines_skipped() {
    let body = format!(r#""a":{SPHERE},"b":{SPHERE}"#);
    let input = format!(
        "\u{feff}{{\"id\":\"\\u00e9\\n\",{body}}}\r\n\n  \t\n{{\"id\":-2.5,{body}}}\n{{{body}}}\n{{\"id\":18446744073709551615,{body}}}"
    );
    let output = query(input, &[]);
    assert_eq!(output.status.code(), Some(0));
    let ids: Vec<_> = lines(&output).iter().map(|line| line["id"].to_string()).collect();
    assert_eq!(ids, ["\"é\\n\"", "-2.5", "5", "18446744073709551615"]);
}

#[test]
fn an_error_line_keeps_the_id() {
    let output = query(r#"{"id":"left","a":{}}"#, &[]);
    assert_eq!(lines(&output)[0]["id"], "left");
}

#[test]
fn a_line_over_the_limit_is_an_error_line_and_the_next_is_answered() {
    let mut input = vec![b' '; (16 << 20) + 1];
    input.extend_from_slice(format!("\n{}\n", pair(SPHERE, SPHERE)).as_bytes());
    let output = query(input, &[]);
    let answers = lines(&output);
    assert_eq!(answers[0]["error"], "line 1: longer than 16 MiB");
    assert_eq!(answers[1]["distance"], -2.0);
}

#[test]
fn an_answer_comes_before_the_next_question_is_asked() {
    for threads in ["1", "2"] {
        let mut child = command(&["-", "--threads", threads]).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        for _ in 0..3 {
            writeln!(stdin, "{}", pair(SPHERE, SPHERE)).unwrap();
            let mut answer = String::new();
            stdout.read_line(&mut answer).unwrap();
            assert!(answer.contains("\"distance\":-2.0"), "{answer}");
        }
        drop(stdin);
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
}

#[test]
fn several_threads_keep_the_order() {
    let body = format!(r#""a":{SPHERE},"b":{SPHERE}"#);
    let input: String = (0..5000).map(|id| format!("{{\"id\":{id},{body}}}\n")).collect();
    let output = query(input, &["--threads", "2"]);
    let ids: Vec<_> = lines(&output).iter().map(|line| line["id"].as_u64().unwrap()).collect();
    assert_eq!(ids, (0..5000).collect::<Vec<_>>());
}

/// A long stream must not need more memory than a short one.
#[cfg(target_os = "linux")]
#[test]
fn memory_stays_flat_over_two_hundred_thousand_lines() {
    for threads in ["1", "2"] {
        let mut child = command(&["-", "--threads", threads]).spawn().unwrap();
        let (pid, mut stdin) = (child.id(), child.stdin.take().unwrap());
        let stdout = child.stdout.take().unwrap();
        let reader = std::thread::spawn(move || BufReader::new(stdout).split(b'\n').count());
        let line = pair(SPHERE, SPHERE) + "\n";
        let resident = || {
            let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
            let text = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
            text.trim().trim_end_matches(" kB").parse::<u64>().unwrap()
        };
        let block = line.repeat(1000);
        let mut after_warm_up = 0;
        for block_number in 0..200 {
            stdin.write_all(block.as_bytes()).unwrap();
            if block_number == 20 {
                after_warm_up = resident();
            }
        }
        let at_the_end = resident();
        drop(stdin);
        assert_eq!(child.wait().unwrap().code(), Some(0));
        assert_eq!(reader.join().unwrap(), 200_000);
        // In kB. Without streaming the answers alone are 40 MB.
        assert!(at_the_end < after_warm_up + 8192, "{after_warm_up} kB, then {at_the_end} kB");
    }
}

#[test]
fn a_reader_that_leaves_ends_the_run_quietly() {
    let mut child = command(&["-"]).spawn().unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    let block = (pair(SPHERE, SPHERE) + "\n").repeat(1000);
    while stdin.write_all(block.as_bytes()).is_ok() {}
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn mutated_lines_get_exactly_one_answer_each() {
    let originals: Vec<&str> = include_str!("../../examples/pairs.jsonl").lines().collect();
    let alphabet = b"{}[]\",:0123456789.-+eEabxyz\\ \xc3\x00";
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut next = move |count: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 16) as usize % count
    };
    let count = 5000;
    let mut input = Vec::new();
    for _ in 0..count {
        let mut line = originals[next(originals.len())].as_bytes().to_vec();
        for _ in 0..1 + next(3) {
            let at = next(line.len());
            match next(3) {
                0 => line[at] = alphabet[next(alphabet.len())],
                1 => line.insert(at, alphabet[next(alphabet.len())]),
                _ => {
                    line.remove(at);
                }
            }
        }
        input.extend_from_slice(&line);
        input.push(b'\n');
    }
    let output = query(input, &["--threads", "2"]);
    let answers = lines(&output);
    assert_eq!(answers.len(), count);
    for answer in answers {
        let answered = answer["distance"].is_f64() && answer["lower"].is_f64();
        assert!(answered != answer["error"].is_string(), "{answer}");
    }
}

#[test]
fn the_bundled_example_is_answered_without_errors() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/pairs.jsonl");
    for arguments in [
        &[path][..],
        &[path, "--certify"],
        &[path, "--repeat", "3"],
        &[path, "--gradient", "--curvature", "--threads", "2"],
    ] {
        let output = command(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        let answers = lines(&output);
        assert_eq!(answers.len(), include_str!("../../examples/pairs.jsonl").lines().count());
        for answer in &answers {
            let number = |field: &str| answer[field].as_f64().unwrap();
            assert!(number("lower") <= number("distance") && number("distance") <= number("upper"));
            let certified = answer["status"] == "certified";
            assert!(!answer["free_until"].is_number() || answer["closest_time"].is_f64());
            assert!(certified || !arguments.contains(&"--certify"), "{answer}");
        }
        assert!(answers.iter().any(|answer| answer["of_hull"] == true));
        assert_eq!(answers.iter().filter(|answer| answer["free_until"].is_f64()).count(), 2);
    }
}

#[test]
fn bad_command_lines_and_files_exit_with_2_and_say_why() {
    let cases: [(&[&str], &str); 9] = [
        (&["no/such/file.jsonl"], "smooth_scene: cannot read no/such/file.jsonl: "),
        (&["."], "smooth_scene: cannot read .: "),
        (&[], "required arguments were not provided"),
        (&["-", "--colour"], "unexpected argument '--colour'"),
        (&["-", "--repeat", "0"], "0 is not in 1.."),
        (&["-", "--threads", "0"], "0 is not in 1..=1024"),
        (&["-", "--gap-tolerance", "NaN"], "must be a number above 0 and at most 1"),
        (&["-", "--depth-budget", "5"], "--certify"),
        (&["-", "--solver", "magic"], "unknown solver `magic`, this build has: smooth"),
    ];
    for (arguments, expected) in cases {
        let output = command(arguments).output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains(expected), "{arguments:?}: {message}");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn help_describes_every_shape_and_output_field() {
    let output = command(&["--help"]).output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    for word in ["poly_ellipsoid", "half_space", "compound", "padding", "strict", "scale", "map"] {
        assert!(help.contains(word), "{word}");
    }
    for word in [
        "distance, lower, upper, point_a, point_b, normal",
        "depth_unproven",
        "free_until",
        "gradient_a",
        "curvatures_a",
        "Exit code",
    ] {
        assert!(help.contains(word), "{word}");
    }
}

#[test]
fn the_smooth_solver_has_a_name() {
    let output = query(pair(SPHERE, SPHERE), &["--solver", "smooth"]);
    assert_eq!(lines(&output)[0]["distance"], -2.0);
}

#[cfg(not(feature = "baselines"))]
#[test]
fn a_build_without_the_baselines_says_how_to_get_them() {
    let output = query("", &["--solver", "gjk-epa"]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("cargo build --release --features baselines"), "{message}");
}

/// Whatever a solver can or cannot do, each line gets one answer: with a distance, a decision or a reason.
#[cfg(feature = "baselines")]
#[test]
fn every_baseline_answers_every_line() {
    use smooth_scene::baselines::Solver;
    for solver in Solver::ALL {
        let output =
            query(include_str!("../../examples/pairs.jsonl"), &["--solver", solver.name()]);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{}", solver.name());
        let answers = lines(&output);
        assert_eq!(answers.len(), include_str!("../../examples/pairs.jsonl").lines().count());
        for answer in answers {
            let decided = answer["distance"].is_f64() || answer["overlapping"].is_boolean();
            assert!(decided != answer["error"].is_string(), "{}: {answer}", solver.name());
        }
    }
    let moving = r#"{"shape":{"type":"sphere","radius":1},"to":{"xyz":[1,0,0]}}"#;
    let cases = [
        (
            pair(SPHERE, &body(FLOOR, [0.0; 3])),
            "gjk-epa",
            "solver gjk-epa does not handle a half_space",
        ),
        (of_shape(BOX), "implicit-newton", "solver implicit-newton does not handle a box"),
        (
            pair(SPHERE, moving),
            "gjk-epa",
            "solver gjk-epa does not answer continuous queries (`to`)",
        ),
    ];
    for (line, solver, expected) in cases {
        let found = answer(line, &["--solver", solver]);
        assert_eq!(found["error"], format!("line 1: {expected}"));
    }
    let output = query("", &["--solver", "gjk-epa", "--certify"]);
    assert_eq!(output.status.code(), Some(2));
    // Compounds are unions: the nearest parts are the answer, as in our own.
    let union = pair(SPHERE, &body(BALLS, [9.0, 0.0, 0.0]));
    let distance = |solver: &str| answer(union.clone(), &["--solver", solver])["distance"].as_f64();
    let apart = distance("smooth").unwrap() - distance("gjk-epa").unwrap();
    assert!(apart.abs() < 1e-9, "{apart}");
}
