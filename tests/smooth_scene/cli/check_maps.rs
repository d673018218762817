//! `check --map`: a mesh that is not convex as an obstacle, against closed forms.

use serde_json::Value;
use std::process::{Command, Output};

fn check(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_smooth_scene"))
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/files"))
        .args(["check", "sliding_ball.urdf"])
        .args(arguments)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

fn objects(output: &Output) -> Vec<Value> {
    text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The hull of the ring holds the ball in four of the five states.
#[test]
fn a_ball_is_free_in_the_hole_of_a_ring_and_outside_of_it() {
    let output = check(&["--map", "ring.obj", "--states", "sliding_ball.csv", "--json"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    // The ball has a radius of 0.1 m; the ring reaches from 0.5 m to 1 m and 0.2 m up and down.
    for (line, exact) in objects(&output).iter().zip([0.4, 0.1, -0.05, -0.2, 0.1]) {
        let [found] = &line["map_clearances"].as_array().unwrap()[..] else {
            panic!("one surface, one map: {line}");
        };
        let bound = |name: &str| found[name].as_f64().unwrap();
        assert!(bound("lower") <= exact && exact <= bound("upper"), "{exact}: {found}");
        assert!(bound("upper") - bound("lower") < 0.06, "{exact}: {found}");
        assert_eq!((&found["body"], &found["map"]), (&"ball".into(), &"ring".into()));
        let verdict = if exact > 0.0 { "free" } else { "touching" };
        assert_eq!(found["verdict"], verdict, "{exact}: {found}");
        assert_eq!(line["in_collision"], exact < 0.0);
    }
    let table = check(&["--map", "ring.obj", "--states", "sliding_ball.csv"]);
    assert!(text(&table.stdout).contains("5 states: 3 free, 2 in collision"));
}

#[test]
fn maps_have_poses_spacings_and_links_that_may_touch_them() {
    let json = |more: &[&str]| {
        let all = [&["--map", "ring.obj", "--json", "--joints", "slide=0.75"], more].concat();
        let output = check(&all);
        (output.status.code(), objects(&output).remove(0))
    };
    let (code, found) = json(&[]);
    assert_eq!((code, &found["in_collision"]), (Some(1), &true.into()));
    assert_eq!(found["maps"][0]["name"], "ring");
    assert_eq!(found["maps"][0]["spacing"], 2.0 / 64.0);
    // Half a metre below the ball; and turned on its side, where the nearest points are on the rim of its hole.
    let rim = 0.55f64.hypot(0.5) - 0.1;
    for (pose, exact) in [("0,0,-0.8", 0.5), ("0,0,0,0,1.5707963267948966,0", rim)] {
        let (code, found) = json(&["--map-pose", pose]);
        assert_eq!(code, Some(0), "{pose}: {found}");
        let bound = |name: &str| found["map_clearances"][0][name].as_f64().unwrap();
        let (lower, upper) = (bound("lower"), bound("upper"));
        assert!(lower <= exact && exact <= upper, "{pose}: {exact} not in {lower} to {upper}");
    }
    let (code, found) = json(&["--map-touch", "ball"]);
    assert_eq!((code, found["map_clearances"].as_array().unwrap().len()), (Some(0), 0));
    let report = check(&["--map", "ring.obj", "--joints", "slide=0.75"]);
    assert!(text(&report.stdout).contains("touching"), "{}", text(&report.stdout));
}

#[test]
fn bad_maps_are_refused_with_file_value_and_reason() {
    let folder = tempfile::tempdir().unwrap();
    let open = folder.path().join("open.obj");
    std::fs::write(&open, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n")
        .unwrap();
    let open = open.to_str().unwrap();
    let cases: [(&[&str], &str); 7] = [
        (&["--map", open], "the mesh is not closed"),
        (&["--map", open], "open.obj"),
        (&["--map", "missing.stl"], "`missing.stl` not found"),
        (&["--map", "ring.obj", "--map-pose", "0,0,0", "--map-pose", "1,0,0"], "2 times"),
        (&["--map", "ring.obj", "--map-pose", "0,nan,0"], "must be x,y,z"),
        (&["--map", "ring.obj", "--map-touch", "bal"], "`bal`"),
        (&["--map", "ring.obj", "--map-spacing", "0"], "a spacing of 0 m"),
    ];
    for (arguments, expected) in cases {
        let output = check(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains(expected), "{}", text(&output.stderr));
    }
}
