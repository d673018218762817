//! `query`: what the clock measures, warm starts, and shapes that are read once.

use super::{SPHERE, answer, assert_close, body, lines, pair, query};

const EGG: &str = r#"{"type":"superovoid","radii":[1,0.8,1.4],"exponent_xy":0.7,"exponent_z":1.2,"taper":[0.1,-0.2]}"#;

fn tapered() -> String {
    pair(&body(EGG, [0.0; 3]), &body(EGG, [2.5, 0.4, 0.3]))
}

/// A warm start changes the work, not the answer.
#[test]
fn a_warm_run_finds_the_same_distance_with_fewer_evaluations() {
    let cold = answer(tapered(), &[]);
    let warm = answer(tapered(), &["--warm", "--repeat", "5"]);
    assert_close(&warm["distance"], cold["distance"].as_f64().unwrap(), 1e-9);
    assert_eq!(warm["status"], "certified");
    let evaluations = |answer: &serde_json::Value| answer["iterations"].as_u64().unwrap();
    assert!(evaluations(&warm) < evaluations(&cold), "{warm} {cold}");
}

#[test]
fn a_motion_has_no_warm_start() {
    let moving = r#"{"shape":{"type":"sphere","radius":1},"to":{"xyz":[1,0,0]}}"#;
    let found = answer(pair(SPHERE, moving), &["--warm"]);
    assert_eq!(found["error"], "line 1: continuous queries (`to`) have no warm start (--warm)");
}

/// The least of several runs is not above their mean; both are of the same run of the program only by chance, so a wide
/// margin is left.
#[test]
fn the_least_time_can_be_reported() {
    for time in ["least", "mean"] {
        let found = answer(tapered(), &["--time", time, "--repeat", "50"]);
        assert!(found["micros"].as_f64().unwrap() > 0.0, "{found}");
    }
}

/// A mesh of many vertices costs far more to check than to query. Nine in ten of its lines would take the time of the first
/// if it were checked again; the lines are answered all the same.
#[test]
fn a_shape_that_comes_again_is_the_same_shape() {
    let vertices: Vec<String> = (0..2000)
        .map(|k| {
            let (angle, height) = (f64::from(k) * 2.399_963, f64::from(k) / 1000.0 - 1.0);
            let radius = (1.0 - height * height).max(0.0).sqrt();
            format!("[{},{},{height}]", radius * angle.cos(), radius * angle.sin())
        })
        .collect();
    let mesh = format!(r#"{{"type":"convex_mesh","vertices":[{}]}}"#, vertices.join(","));
    let line = |x: f64| {
        pair(&body(&mesh, [0.0; 3]), &body(r#"{"type":"sphere","radius":1}"#, [x, 0.0, 0.0]))
    };
    let input: String = (0..20).map(|k| line(3.0 + f64::from(k)) + "\n").collect();
    for threads in ["1", "2"] {
        let together = lines(&query(input.clone(), &["--threads", threads]));
        assert_eq!(together.len(), 20);
        for (k, found) in together.iter().enumerate() {
            let alone = answer(line(3.0 + k as f64), &[]);
            for field in ["distance", "lower", "upper", "point_a", "point_b", "normal"] {
                assert_eq!(found[field], alone[field], "{field} of line {k}");
            }
        }
    }
}
