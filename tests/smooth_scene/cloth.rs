//! `smooth_scene cloth`, end to end: the binary is run on small worlds.

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const BALL: &str = "- {id: floor, shape: {type: half_space, normal: [0, 0, 1], offset: 0}}
- {id: ball, pose: {xyz: [0, 0, 0.2]}, shape: {type: sphere, radius: 0.2}}
";

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_smooth_scene"));
    command.arg("cloth").args(arguments).current_dir(folder).output().unwrap()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

#[test]
fn a_cloth_lies_on_a_ball_and_is_recorded() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("ball.yaml"), BALL).unwrap();
    let words = ["--world", "ball.yaml", "--vertices", "15", "--seconds", "1", "--rate", "30"];
    let output = run(folder.path(), &[&words[..], &["--json", "--record", "frames"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let found = json(&output);
    assert_eq!((&found["vertices"], &found["bodies"]), (&225.into(), &2.into()));
    assert!(found["clearance"].as_f64().unwrap() > 0.0, "{found}");
    let highest = found["highest"].as_f64().unwrap();
    assert!((0.4..0.42).contains(&highest), "on top of the ball: {highest}");
    assert!(found["lowest"].as_f64().unwrap() < 0.3);

    // A file of each frame, the last with the vertices that are printed.
    let frames = folder.path().join("frames");
    assert_eq!(fs::read_dir(&frames).unwrap().count(), 32);
    let bodies = fs::read_to_string(frames.join("bodies.obj")).unwrap();
    assert_eq!(bodies.lines().filter(|line| line.starts_with("o ")).count(), 2);
    let last = fs::read_to_string(frames.join("cloth_00030.obj")).unwrap();
    let vertices: Vec<&str> = last.lines().filter(|line| line.starts_with("v ")).collect();
    assert_eq!(vertices.len(), 225);
    let place = found["positions"][224].as_array().unwrap();
    let written: Vec<f64> = vertices[224][2..].split(' ').map(|x| x.parse().unwrap()).collect();
    for (x, y) in written.iter().zip(place) {
        assert!((x - y.as_f64().unwrap()).abs() < 1e-6);
    }
    assert_eq!(last.lines().filter(|line| line.starts_with("f ")).count(), 2 * 14 * 14);

    // The same again, to the last bit; and nothing is overwritten.
    assert_eq!(json(&run(folder.path(), &[&words[..], &["--json"]].concat())), found);
    let again = run(folder.path(), &[&words[..], &["--record", "frames"]].concat());
    assert_eq!(again.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&again.stderr).contains("frames: "));
}

#[test]
fn a_pin_holds_a_corner_above_a_terrain() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["--terrain", "3", "--vertices", "12", "--height", "1", "--seconds", "0.5"];
    let found = json(&run(folder.path(), &[&words[..], &["--pin", "0,11", "--json"]].concat()));
    assert_eq!(found["bodies"], 10);
    assert_eq!(found["highest"], 1.0);
    assert!(found["lowest"].as_f64().unwrap() < 0.6, "{found}");
    let text = run(folder.path(), &words);
    assert!(
        String::from_utf8_lossy(&text.stdout).starts_with("144 vertices over 10 surfaces, 0.5 s")
    );
}

#[test]
fn bad_input_is_refused_with_names_and_values() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("ball.yaml"), BALL).unwrap();
    let cases: [(&[&str], &str); 7] = [
        (&["--vertices", "1"], "rows is 1, must be 2 to 1000"),
        (&["--size", "-1"], "size[0] is -1, must be above 0"),
        (&["--mass", "0"], "mass is 0, must be above 0"),
        (&["--thickness", "nan"], "thickness is NaN, must be in [1e-6, 1]"),
        (&["--pin", "0,50"], "there is no vertex [0, 50] in 50 rows and 50 columns"),
        (&["--pin", "7"], "must be two whole numbers"),
        (&["--world", "none.yaml"], "none.yaml"),
    ];
    for (words, message) in cases {
        let output = run(folder.path(), words);
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {text}");
        assert!(text.contains(message), "{words:?}: {text}");
    }
    let output = run(folder.path(), &["--world", "ball.yaml", "--height", "0.2"]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.code() == Some(2) && text.contains("m from the surface of `ball`"),
        "{text}"
    );
}
