//! `query`: closed forms, derivatives, and the bundled example.

use super::{
    BALLS, BOX, FLOOR, SPHERE, answer, assert_all_close, assert_close, body, command, lines,
    of_shape, pair, query,
};
use serde_json::Value;

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

const CUBE_MESH: &str = r#"{"type":"convex_mesh","vertices":[[-1,-1,-1],[1,-1,-1],[-1,1,-1],[1,1,-1],[-1,-1,1],[1,-1,1],[-1,1,1],[1,1,1],[0,0,0]]}"#;

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
        assert_eq!(answers.len(), include_str!("../../../examples/pairs.jsonl").lines().count());
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
