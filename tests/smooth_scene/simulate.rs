//! `smooth_scene simulate` and `smooth_scene grasp`, end to end: the binary is run on small robots and worlds.

use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// A post with a lid that swings.
const LID: &str = r#"<robot name="lid"><link name="world"/><link name="lid"><collision><origin xyz="0.1 0 0"/>
    <geometry><box size="0.2 0.1 0.02"/></geometry></collision></link>
  <joint name="hinge" type="revolute"><parent link="world"/><child link="lid"/><origin xyz="0 0 0.5"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="1" velocity="9"/><dynamics damping="0.2"/></joint></robot>"#;
const BALL: &str = "- {id: floor, shape: {type: half_space, normal: [0, 0, 1], offset: 0}}
- {id: ball, pose: {xyz: [-1, 0, 0.55]}, shape: {type: sphere, radius: 0.05}}
";
/// Fingertips that touch a ball of 5 cm at the equator, one of them removed by lifting it.
const TIPS: &str = r#"<robot name="tips"><link name="palm"/>"#;

struct Files {
    folder: tempfile::TempDir,
}

impl Files {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_smooth_scene"))
            .args(arguments)
            .current_dir(self.folder.path())
            .output()
            .unwrap()
    }
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

fn error(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2));
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn a_ball_falls_when_newton_says_and_the_lid_falls_to_its_limit() {
    let files = Files::new(&[("lid.urdf", LID), ("ball.yaml", BALL)]);
    let words = ["simulate", "lid.urdf", "--world", "ball.yaml", "--seconds", "3", "--json"];
    for integrator in [&["--tolerance", "1e-8"], &["--step", "1e-4"]] {
        let output = files.run(&[&words[..], integrator].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let found = json(&output);
        assert_eq!(found["seconds"], 3.0);
        let first = &found["contacts"][0];
        assert_eq!(
            (first["body_a"].as_str(), first["body_b"].as_str()),
            (Some("ball"), Some("floor"))
        );
        // The ball falls half a metre.
        let fall = (2.0 * 0.5f64 / 9.80665).sqrt();
        assert!((first["time"].as_f64().unwrap() - fall).abs() < 2e-4, "{first}");
        assert!((first["speed"].as_f64().unwrap() - 9.80665 * fall).abs() < 2e-3, "{first}");
        let hinge = found["positions"]["hinge"].as_f64().unwrap();
        assert!((0.99..1.05).contains(&hinge), "{hinge}");
        // At rest it sinks in by (mg/k)^(2/3), k = 4/3 E* √r.
        let mass = 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * 0.05f64.powi(3);
        let modulus = 1e7 / (2.0 * (1.0 - 0.4 * 0.4));
        let stiffness = 4.0 / 3.0 * modulus * 0.05f64.sqrt();
        let rest = 0.05 - (mass * 9.80665 / stiffness).powf(2.0 / 3.0);
        let height = found["objects"]["ball"]["xyz"][2].as_f64().unwrap();
        assert!((height - rest).abs() < 1e-5, "{height} {rest}");
        let energy = |at: &str, kind: &str| found["energy"][at][kind].as_f64().unwrap();
        assert!(energy("end", "potential") < energy("start", "potential"));
    }
}

#[test]
fn the_same_run_gives_the_same_plot() {
    let files = Files::new(&[("lid.urdf", LID), ("ball.yaml", BALL)]);
    let run = |plot: &str| {
        let words =
            ["simulate", "lid.urdf", "--world", "ball.yaml", "--seconds", "0.5", "--plot", plot];
        let output = files.run(&words);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        fs::read_to_string(files.path(plot)).unwrap()
    };
    let first = run("a.svg");
    assert_eq!(first, run("b.svg"));
    assert!(first.starts_with("<svg") && first.matches("<polyline").count() == 4);
    let again = files.run(&["simulate", "lid.urdf", "--seconds", "1", "--plot", "a.svg"]);
    assert!(error(&again).contains("a.svg is there already; --force replaces it"));
}

/// Without gravity nothing falls; with another one the ball falls another way.
#[test]
fn gravity_can_be_turned_and_left_out() {
    let files = Files::new(&[("lid.urdf", LID), ("ball.yaml", BALL)]);
    let place = |gravity: &str| {
        let words = ["simulate", "lid.urdf", "--world", "ball.yaml", "--seconds", "0.1"];
        let output = files.run(&[&words[..], &["--gravity", gravity, "--json"]].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let found = json(&output);
        let number = |value: &Value| value.as_f64().unwrap();
        let [x, _, z] = [0, 1, 2].map(|k| number(&found["objects"]["ball"]["xyz"][k]));
        [x, z, number(&found["positions"]["hinge"])]
    };
    assert_eq!(place("0,0,0"), [-1.0, 0.55, 0.0]);
    let [x, z, hinge] = place("-2,0,0");
    assert!((x + 1.0 + 0.5 * 2.0 * 0.01).abs() < 1e-9 && (z - 0.55).abs() < 1e-12, "{x} {z}");
    // The lid lies along the pull: its weight has no arm.
    assert!(hinge.abs() < 1e-9, "{hinge}");
}

/// With rigid contacts the ball stops on the floor without sinking in, and the lid at its limit.
#[test]
fn rigid_contacts_stop_the_ball_and_the_lid_exactly() {
    let files = Files::new(&[("lid.urdf", LID), ("ball.yaml", BALL)]);
    let words = ["simulate", "lid.urdf", "--world", "ball.yaml", "--seconds", "3"];
    let rigid = ["--contacts", "complementarity", "--step", "2e-3"];
    let output = files.run(&[&words[..], &rigid, &["--json"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let found = json(&output);
    let height = found["objects"]["ball"]["xyz"][2].as_f64().unwrap();
    assert!((height - 0.05).abs() < 2e-6, "{height}");
    let hinge = found["positions"]["hinge"].as_f64().unwrap();
    assert!((hinge - 1.0).abs() < 2e-6, "{hinge}");
    assert!(found["residual"].as_f64().unwrap() < 1e-6, "{}", found["residual"]);
    let output = files.run(&[&words[..], &rigid].concat());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("rigid contacts: residual at most"), "{text}");
    let mixed = files.run(&[&words[..], &rigid[..2], &["--tolerance", "1e-6"]].concat());
    assert!(error(&mixed).contains("--tolerance is of compliant contacts"));
}

/// Bodies deep in each other are refused by name, and moved apart where that is asked for.
#[test]
fn deep_overlaps_at_the_start_are_refused_by_name() {
    let both = format!(
        "{BALL}- {{id: twin, pose: {{xyz: [-0.96, 0, 0.55]}}, shape: {{type: sphere, radius: 0.05}}}}\n"
    );
    let files = Files::new(&[("lid.urdf", LID), ("balls.yaml", &both)]);
    let words = ["simulate", "lid.urdf", "--world", "balls.yaml", "--seconds", "0.2"];
    let text = error(&files.run(&words));
    let expected = "`ball` and `twin` overlap by 0.0600 m at the start, 120 % of the smaller one";
    assert!(text.contains(expected), "{text}");
    let allowed = ["--allow-overlaps", "--contacts", "complementarity", "--json"];
    let output = files.run(&[&words[..], &allowed].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let found = json(&output);
    let x = |name: &str| found["objects"][name]["xyz"][0].as_f64().unwrap();
    assert!(x("twin") - x("ball") > 0.0999, "{found}");
}

#[cfg(feature = "bags")]
#[test]
fn a_recording_has_joints_and_transforms_of_every_frame() {
    let files = Files::new(&[("lid.urdf", LID), ("ball.yaml", BALL)]);
    let words = [
        "simulate",
        "lid.urdf",
        "--world",
        "ball.yaml",
        "--seconds",
        "0.2",
        "--rate",
        "50",
        "--record",
        "bag",
    ];
    let output = files.run(&words);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let recording = smooth_scene::bag::read(&files.path("bag"), &|_| true).unwrap();
    assert!(recording.problems.is_empty(), "{:?}", recording.problems);
    for (name, expected) in [("/joint_states", 11), ("/tf", 11), ("/robot_description", 1)] {
        let topic = recording.topics.iter().position(|topic| topic.name == name).unwrap();
        let count = recording.messages.iter().filter(|message| message.topic == topic).count();
        assert_eq!(count, expected, "{name}");
    }
    // An existing folder is refused, before anything is simulated.
    assert!(error(&files.run(&words)).contains("bag"));
}

#[test]
fn bad_input_is_named() {
    let files = Files::new(&[
        ("lid.urdf", LID),
        ("ball.yaml", BALL),
        ("bare.urdf", r#"<robot name="r"><link name="a"/></robot>"#),
        (
            "heavy.urdf",
            &LID.replace("<collision>", r#"<inertial><mass value="-2"/></inertial><collision>"#),
        ),
        (
            "empty.urdf",
            &LID.replace(
                "<collision>",
                r#"<inertial><mass value="0"/>
            <inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/></inertial><collision>"#,
            ),
        ),
    ]);
    let cases: [(&[&str], &str); 8] = [
        (&["lid.urdf", "--restitution", "-1"], "restitution is -1, must be 0 to 1"),
        (&["lid.urdf", "--gravity", "0,0"], "must be three numbers"),
        (
            &["lid.urdf", "--plot", "nowhere/energy.svg"],
            "cannot write nowhere/energy.svg: No such file",
        ),
        (
            &["lid.urdf", "--world", "ball.yaml", "--fixed", "bal"],
            "--fixed: the world has no object `bal`",
        ),
        (&["bare.urdf"], "nothing moves"),
        (&["lid.urdf", "--restitution", "1.5"], "restitution is 1.5, must be 0 to 1"),
        (&["heavy.urdf"], "value is \"-2\", must be zero or more"),
        (&["lid.urdf", "--joints", "hing=1"], "did you mean `hinge`?"),
    ];
    for (words, expected) in cases {
        let text = error(&files.run(&[&["simulate", "--seconds", "1"], words].concat()));
        assert!(text.contains(expected), "{text}");
    }
    let negative = error(&files.run(&["simulate", "lid.urdf", "--seconds", "-1"]));
    assert!(negative.contains("invalid value '-1' for '--seconds <S>'"), "{negative}");
    // A joint without inertia stops at once; the time and the joint are named.
    let output = files.run(&["simulate", "empty.urdf", "--seconds", "1"]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("stopped at 0 s: joint `hinge`"), "{text}");
}

/// The bundled grasps of `docs/grasp.md`: both hands touch the egg, and hold it.
#[test]
fn both_hands_hold_the_bundled_egg() {
    let file = |name: &str| format!("{}/{name}", env!("CARGO_MANIFEST_DIR"));
    let names = [
        "urdf/icub_hands_mixed.urdf",
        "urdf/icub_hands.srdf",
        "examples/files/egg.yaml",
        "examples/files/egg_two_hands.csv",
    ];
    let [urdf, srdf, world, states] = names.map(file);
    let words = ["grasp", &urdf, "--srdf", &srdf, "--world", &world, "--states", &states];
    let hands = ["--hand", "r_hand", "--hand", "l_hand", "--object", "egg", "--json"];
    let output = Files::new(&[]).run(&[&words[..], &hands].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let found: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(found.len(), 3);
    for grasp in &found {
        assert_eq!(grasp["closed"], true);
        assert!(grasp["epsilon"].as_f64().unwrap() > 0.25, "{}", grasp["epsilon"]);
        let links = grasp["contacts"].as_array().unwrap().iter().map(|c| c["link"].as_str());
        let links: Vec<&str> = links.map(Option::unwrap).collect();
        for side in ["r_", "l_"] {
            assert!(links.iter().filter(|link| link.starts_with(side)).count() >= 2, "{links:?}");
        }
    }
}

/// Three fingertips around a ball hold it with friction; two do not, as nothing resists a turn about the line between them.
#[test]
fn three_fingertips_hold_a_ball_and_two_do_not() {
    let mut urdf = TIPS.to_owned();
    for (k, angle) in [0.0f64, 120.0, 240.0].into_iter().enumerate() {
        let (x, y) = (0.06 * angle.to_radians().cos(), 0.06 * angle.to_radians().sin());
        urdf += &format!(
            r#"<link name="tip{k}"><collision><geometry><sphere radius="0.01"/></geometry></collision></link>
            <joint name="lift{k}" type="prismatic"><parent link="palm"/><child link="tip{k}"/><origin xyz="{x} {y} 0"/>
            <axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>"#
        );
    }
    urdf += "</robot>";
    let world = "- {id: ball, shape: {type: sphere, radius: 0.05}}\n";
    let states = "lift0,lift1,lift2\n0,0,0.5\n0,0,0\n0.9,0.9,0.9\n";
    let files = Files::new(&[("tips.urdf", &urdf), ("ball.yaml", world), ("states.csv", states)]);
    let hand = ["--hand", "tip0", "--hand", "tip1", "--hand", "tip2", "--object", "ball"];
    let words = ["grasp", "tips.urdf", "--world", "ball.yaml", "--states", "states.csv", "--json"];
    let output = files.run(&[&words[..], &hand].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let found: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(found.len(), 3);
    // The best first: the second state of the file.
    assert_eq!((&found[0]["state"], &found[0]["closed"]), (&2.into(), &true.into()));
    assert!(found[0]["epsilon"].as_f64().unwrap() > 0.01, "{}", found[0]);
    assert_eq!(found[0]["contacts"].as_array().unwrap().len(), 3);
    for open in &found[1..] {
        assert_eq!(open["closed"], false);
        assert_eq!(open["separating"].as_array().unwrap().len(), 6);
    }
    fs::write(files.path("none.csv"), "lift0,lift1,lift2\n").unwrap();
    let words_of_none = ["grasp", "tips.urdf", "--world", "ball.yaml", "--states", "none.csv"];
    let none = error(&files.run(&[&words_of_none[..], &hand].concat()));
    assert!(none.contains("none.csv: has joint names but no states"), "{none}");
    // The best one, with slopes: of a ball of 5 cm between balls of 1 cm.
    let output = files.run(&[&words[..], &hand, &["--gradient", "--top", "1"]].concat());
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    let best: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&best["state"], &best["epsilon"]), (&found[0]["state"], &found[0]["epsilon"]));
    assert_eq!(best["joints"], serde_json::json!(["lift0", "lift1", "lift2"]));
    let rows = best["epsilon_gradient"].as_array().unwrap();
    assert!(!rows.is_empty() && rows.iter().all(|row| row.as_array().unwrap().len() == 3));
    assert_eq!(best["volume_gradient"].as_array().unwrap().len(), 3);
    for contact in best["contacts"].as_array().unwrap() {
        for (name, expected) in [("object_curvatures", 20.0), ("hand_curvatures", 100.0)] {
            let values = contact[name].as_array().unwrap().iter().map(|x| x.as_f64().unwrap());
            assert!(values.into_iter().all(|k| (k - expected).abs() < 1e-6), "{contact}");
        }
    }
    let output = files.run(&[&words[..6], &hand, &["--gradient"]].concat());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("slopes of epsilon") && text.contains("lift"), "{text}");
    let negative = files.run(&[&words[..], &hand, &["--friction=-1"]].concat());
    assert!(error(&negative).contains("--friction is -1, must be zero or more and finite"));
    let of_world = files.run(&[&words[..], &["--hand", "ball", "--object", "ball"]].concat());
    assert!(error(&of_world).contains("--hand: `ball` is an object of the world"));
    let unknown = files.run(&[
        "grasp",
        "tips.urdf",
        "--world",
        "ball.yaml",
        "--hand",
        "tip0",
        "--object",
        "bal",
    ]);
    assert!(error(&unknown).contains("--object: the world has no object `bal`"));
}
