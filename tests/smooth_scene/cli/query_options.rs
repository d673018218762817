//! `query`: help and solvers.

use super::{BALLS, BOX, FLOOR, SPHERE, answer, body, command, lines, of_shape, pair, query};

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
            query(include_str!("../../../examples/pairs.jsonl"), &["--solver", solver.name()]);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{}", solver.name());
        let answers = lines(&output);
        assert_eq!(answers.len(), include_str!("../../../examples/pairs.jsonl").lines().count());
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
            "solver gjk-epa does not answer continuous queries (`to`); of those of the literature cfc-distance does",
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

/// The continuous CFC-Dist-LS, on bodies that move and on bodies that are deformed, beside our own answer.
#[cfg(feature = "baselines")]
#[test]
fn the_contact_space_answers_for_motions_and_deformations() {
    let ball = r#"{"type":"sphere","radius":1}"#;
    let coming = format!(r#"{{"shape":{ball},"pose":{{"xyz":[5,0,0]}},"to":{{"xyz":[1,0,0]}}}}"#);
    let swelling = format!(r#"{{"shape":{ball},"map_to":[[2,0,0],[0,2,0],[0,0,2]]}}"#);
    // 5 − 4t = 2; with a ball that grows to two metres, 5 − 4t = 2 + t.
    for (a, expected) in [(SPHERE.to_string(), 0.75), (swelling, 0.6)] {
        for solver in ["smooth", "cfc-distance"] {
            let found = answer(pair(&a, &coming), &["--solver", solver]);
            let time = found["time"].as_f64().unwrap_or(f64::NAN);
            assert!((time - expected).abs() < 1e-6, "{solver}: {found}");
            assert_eq!(found["free_until"].is_f64(), solver == "smooth", "{found}");
        }
    }
    let flat = format!(r#"{{"shape":{ball},"map_to":[[1,0,0],[0,1,0],[0,0,0]]}}"#);
    let far = format!(r#"{{"shape":{ball},"pose":{{"xyz":[9,0,0]}}}}"#);
    let error = answer(pair(&flat, &far), &[])["error"].to_string();
    assert!(error.contains("map_to"), "{error}");
    let error = answer(pair(&flat, &far), &["--gradient"])["error"].to_string();
    assert!(error.contains("have no derivatives"), "{error}");
}

#[cfg(feature = "baselines")]
#[test]
fn a_solver_may_start_warm_or_after_boxes_if_its_source_says_so() {
    let apart = pair(SPHERE, &body(r#"{"type":"sphere","radius":1}"#, [9.0, 0.0, 0.0]));
    let boxes = answer(apart, &["--solver", "gjk-epa", "--pre-test"]);
    assert_eq!((boxes["overlapping"].as_bool(), boxes["distance"].is_null()), (Some(false), true));
    let near = pair(SPHERE, &body(r#"{"type":"sphere","radius":1}"#, [1.5, 0.0, 0.0]));
    let found = answer(near, &["--solver", "gjk-epa", "--pre-test"]);
    assert!((found["distance"].as_f64().unwrap() + 0.5).abs() < 1e-6, "{found}");
    let long = body(r#"{"type":"ellipsoid","radii":[1,2,3]}"#, [5.0, 3.0, 2.0]);
    let cold = answer(pair(SPHERE, &long), &["--solver", "parametric-newton"]);
    let warm = answer(pair(SPHERE, &long), &["--solver", "parametric-newton", "--warm"]);
    assert!(warm["iterations"].as_u64() < cold["iterations"].as_u64(), "{warm} {cold}");
    for (options, reason) in [
        (["--solver", "gjk-epa", "--warm"].as_slice(), "does not start from the last answer"),
        (["--pre-test"].as_slice(), "--pre-test is for the solvers of the literature"),
    ] {
        let output = query("", options);
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains(reason), "{options:?}");
    }
}
