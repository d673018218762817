//! `smooth_scene check` and `smooth_scene srdf`, end to end: the binary is run and its output compared with the library.

use smooth_scene_test_support::{movement, signals};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;

use serde_json::Value;
use smooth_scene::robot::srdf::{LinkPair, Srdf};
use smooth_scene::robot::{RobotModel, RobotState};
use smooth_scene::scene::{
    CheckRequest, NearestRequest, PairDistance, PairLevel, PlanningScene, Workspace,
};

/// Two balls of radius 0.1, one on a slide from −1 to 1 m, the other fixed at x = 0; a third beyond, that follows.
const SLIDE: &str = r#"<robot name="slide">
  <link name="base"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <link name="rail"/>
  <link name="cart"><collision name="cart_ball"><geometry><sphere radius="0.1"/></geometry></collision></link>
  <link name="trailer"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <joint name="mount" type="fixed"><parent link="base"/><child link="rail"/></joint>
  <joint name="reach" type="prismatic"><parent link="rail"/><child link="cart"/><axis xyz="1 0 0"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="tow" type="prismatic"><parent link="base"/><child link="trailer"/><axis xyz="1 0 0"/>
    <limit lower="-1" upper="3" effort="1" velocity="1"/><mimic joint="reach" multiplier="2" offset="1"/></joint>
</robot>
"#;
/// Without an SRDF base and cart are adjacent: the rail between them has no surface.
const SLIDE_SRDF: &str = r#"<robot name="slide">
  <group name="arm"><joint name="reach"/></group>
  <group_state name="out" group="arm"><joint name="reach" value="0.75"/></group_state>
  <group_state name="near" group="arm"><joint name="reach" value="0.15"/></group_state>
  <disable_collisions link1="base" link2="nobody" reason="User"/>
</robot>
"#;

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_smooth_scene")).args(arguments).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The one object that `--json` prints.
fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

fn in_repository(path: &str) -> String {
    format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))
}

/// A folder of one test, removed at its end.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// The slide with its SRDF.
    fn with_slide() -> Self {
        let folder = Self::new();
        folder.write("slide.urdf", SLIDE);
        folder.write("slide.srdf", SLIDE_SRDF);
        folder
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, text: &str) -> String {
        std::fs::write(self.0.path().join(name), text).unwrap();
        self.path(name)
    }

    fn files(&self) -> Vec<PathBuf> {
        std::fs::read_dir(self.0.path()).unwrap().map(|entry| entry.unwrap().path()).collect()
    }
}

fn close(value: &Value, expected: f64) {
    let found = value.as_f64().unwrap_or(f64::NAN);
    assert!((found - expected).abs() < 1e-9, "{value}, expected {expected}");
}

/// Two balls on a line: the distance is that of their centres less 0.2.
#[test]
fn balls_on_a_slide_have_closed_form_distances_and_exit_codes() {
    let folder = Folder::with_slide();
    let (urdf, srdf) = (folder.path("slide.urdf"), folder.path("slide.srdf"));
    let base = ["check", &urdf, "--srdf", &srdf, "--json"];
    // base at 0, cart at q, trailer at 1 + 2q.
    for (q, touching) in [(0.75, 0), (0.15, 1), (-0.45, 1), (-0.9, 1)] {
        let joints = format!("reach={q}");
        let output = run(&[&base[..], &["--joints", &joints]].concat());
        let found = json(&output);
        assert_eq!(found["contacts"].as_array().unwrap().len(), touching, "{q} {found}");
        assert_eq!(output.status.code(), Some(i32::from(touching > 0)));
        assert_eq!(found["in_collision"], touching > 0);
        let centre = |body: &Value| match body.as_str().unwrap() {
            "base" => 0.0,
            "cart" => q,
            _ => 1.0 + 2.0 * q,
        };
        let pairs = ["contacts", "nearest"].map(|list| found[list].as_array().unwrap().clone());
        assert_eq!(pairs.concat().len(), 3);
        for pair in pairs.concat() {
            let apart: f64 = centre(&pair["body_a"]) - centre(&pair["body_b"]);
            close(&pair["distance"], apart.abs() - 0.2);
            assert!(pair["lower"].as_f64().unwrap() <= pair["upper"].as_f64().unwrap());
            close(&pair["normal"][0], -apart.signum());
        }
    }
    // Nearest first, contacts left out, cut off by number and by distance.
    let few = json(&run(&[&base[..], &["--joints", "reach=0.75", "--nearest", "1"]].concat()));
    assert_eq!(few["nearest"].as_array().unwrap().len(), 1);
    close(&few["nearest"][0]["distance"], 0.55);
    let near = json(&run(&[&base[..], &["--state", "near", "--max-distance", "0.9"]].concat()));
    let distances: Vec<f64> = near["nearest"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| p["distance"].as_f64().unwrap())
        .collect();
    assert_eq!(distances.len(), 0, "{distances:?}");
}

#[test]
fn what_a_robot_consists_of_is_listed() {
    let folder = Folder::with_slide();
    let (urdf, srdf) = (folder.path("slide.urdf"), folder.path("slide.srdf"));
    let found = json(&run(&["check", &urdf, "--srdf", &srdf, "--json", "--state", "arm/out"]));
    assert_eq!(found["robot"]["name"], "slide");
    assert_eq!(found["robot"]["links"].as_array().unwrap().len(), 4);
    assert_eq!(found["robot"]["surfaces"], serde_json::json!({"sphere": 3}));
    assert_eq!(found["robot"]["joints"][0]["name"], "mount");
    assert_eq!(found["robot"]["joints"][2]["mimic"]["multiplier"], 2.0);
    assert_eq!(found["robot"]["variables"], serde_json::json!(["reach"]));
    assert_eq!(found["groups"][0]["joints"], serde_json::json!(["reach"]));
    assert_eq!(found["state"]["positions"], serde_json::json!({"reach": 0.75}));
    assert_eq!(found["warnings"][0]["line"], 5);
    assert!(found["warnings"][0]["message"].as_str().unwrap().contains("nobody"));
    // Adjacent by default, and nothing to warn about.
    let plain = json(&run(&["check", &urdf, "--json"]));
    let expected = serde_json::json!({"Adjacent": 4});
    assert_eq!(plain["allowed"]["by_reason"], expected, "{plain}");
    assert_eq!(plain["warnings"], serde_json::json!([]));
}

#[test]
fn joints_outside_their_limits_are_listed_followers_too() {
    let folder = Folder::with_slide();
    let arguments = ["check", &folder.path("slide.urdf"), "--joints", "reach=1.5"];
    let output = run(&arguments);
    assert_eq!(output.status.code(), Some(0));
    let text = stdout(&output);
    assert!(text.contains("joints outside their limits: 2"), "{text}");
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    let expected = ["reach", "m", "1.500000", "-1.000000", "1.000000", "0.500000"];
    assert!(rows.iter().any(|row| *row == expected), "{text}");
    let found = json(&run(&[&arguments[..], &["--json"]].concat()));
    close(&found["state"]["limit_breaches"][1]["position"], 4.0);
    close(&found["state"]["limit_breaches"][1]["excess"], 1.0);
}

#[test]
fn joints_are_read_from_yaml_and_json_files() {
    let folder = Folder::with_slide();
    let urdf = folder.path("slide.urdf");
    let yaml = folder.write("q.yaml", "reach: 0.25\n");
    let with_follower = folder.write("q.json", r#"{"reach": 0.25, "tow": 1.5}"#);
    for file in [&yaml, &with_follower] {
        let found = json(&run(&["check", &urdf, "--json", "--joints", file]));
        close(&found["state"]["positions"]["reach"], 0.25);
    }
    for (text, message) in [
        ("reach: [1]", "cannot be read"),
        ("- reach", "a map from joint names to numbers"),
        ("reach: 1\nreach: 2", "named twice"),
        ("reach: .nan", "is NaN, must be finite"),
        ("tow: 7", "joint `tow` follows `reach` and would be at 1, not at 7"),
        ("reech: 1", "bad.yaml: the robot has no joint `reech`, did you mean `reach`?"),
    ] {
        let bad = folder.write("bad.yaml", text);
        let output = run(&["check", &urdf, "--joints", &bad]);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(stderr(&output).contains(message), "{text}: {}", stderr(&output));
    }
    let large = folder.write("large.yaml", &"#".repeat(2 << 20));
    assert!(stderr(&run(&["check", &urdf, "--joints", &large])).contains("larger than"));
}

#[test]
fn bad_input_is_json_for_those_who_asked_for_json() {
    let folder = Folder::new();
    // Cut anywhere, there is an error or, at the very end, an answer: never a panic, never two objects.
    for end in (0..SLIDE.len()).step_by(97) {
        let urdf = folder.write("cut.urdf", &SLIDE[..end]);
        let output = run(&["check", &urdf, "--json"]);
        assert_eq!(output.status.code(), Some(2), "{end}");
        let error = json(&output)["error"].as_str().unwrap().to_owned();
        assert!(error.contains("cut.urdf:"), "{error}");
        assert!(!stderr(&output).contains("panicked"));
    }
}

/// More pairs than there are.
const MANY: usize = 1_000_000;

fn library(
    model: &Arc<RobotModel>,
    srdf: &str,
    set: impl Fn(&mut RobotState),
) -> (PlanningScene, Vec<PairDistance>, Vec<PairDistance>) {
    let (semantics, _) = Srdf::load(in_repository(srdf)).unwrap().resolve(model).unwrap();
    let scene = PlanningScene::new(model.clone(), Some(semantics)).unwrap();
    let mut state = RobotState::new(model.clone());
    set(&mut state);
    let (mut contacts, mut nearest) = (Vec::new(), Vec::new());
    let (request, mut ws) = (CheckRequest::default(), Workspace::cold());
    let q = state.positions();
    scene.contacts(q, &request, PairLevel::Bodies, &mut ws, &mut contacts).unwrap();
    // The same question to the last digit: one without a limit on the number may be answered in another order.
    let max_results = MANY + contacts.len();
    let request = NearestRequest { max_results, ..NearestRequest::default() };
    scene.nearest(q, &request, &mut ws, &mut nearest).unwrap();
    (scene, contacts, nearest)
}

#[test]
fn the_bundled_hands_answer_as_the_library_does() {
    let (urdf, srdf) = ("urdf/icub_hands_mixed.urdf", "urdf/icub_hands.srdf");
    let model = movement::bundled("icub_hands_mixed.urdf");
    let grasp = movement::two_hand_grasp(&model);
    for (step, collides) in [(0, false), (250, true)] {
        let q = grasp[step].positions();
        let names = model.variable_names();
        let joints: Vec<String> = names.iter().zip(q).map(|(n, x)| format!("{n}={x:?}")).collect();
        let (scene, contacts, nearest) =
            library(&model, srdf, |state| state.set_positions(q).unwrap());
        let base = ["check", &in_repository(urdf), "--srdf", &in_repository(srdf)];
        let joints = joints.join(",");
        let arguments = [&base[..], &["--joints", &joints]].concat();
        let output = run(&[&arguments[..], &["--json", "--nearest", &MANY.to_string()]].concat());
        assert_eq!(output.status.code(), Some(i32::from(collides)));
        let (found, text) = (json(&output), stdout(&output));
        let apart: Vec<PairDistance> = nearest.into_iter().filter(|p| !p.is_contact()).collect();
        for (list, expected) in [("contacts", &contacts), ("nearest", &apart)] {
            let listed = found[list].as_array().unwrap();
            assert_eq!(listed.len(), expected.len(), "{list}");
            for (pair, expected) in listed.iter().zip(expected) {
                assert_eq!(pair["body_a"], scene.body_name(expected.body_a));
                assert_eq!(pair["body_b"], scene.body_name(expected.body_b));
                // Every digit, as text: the reader of this test rounds.
                let d = &expected.distance;
                for (field, number) in
                    [("distance", d.distance), ("lower", d.lower), ("upper", d.upper)]
                {
                    let digits = serde_json::to_string(&number).unwrap();
                    assert!(text.contains(&format!("\"{field}\":{digits}")), "{field} {digits}");
                    let read = pair[field].as_f64().unwrap();
                    assert!((read - number).abs() <= 4.0 * f64::EPSILON * number.abs());
                }
            }
        }
        let table = stdout(&run(&arguments));
        assert_eq!(table.lines().last(), Some(if collides { "in collision" } else { "free" }));
        assert!(table.contains(&format!("contacts: {}\n", contacts.len())), "{table}");
        for pair in &contacts {
            let mm = format!("{:.4}", 1e3 * pair.distance.distance);
            let names = [pair.body_a, pair.body_b].map(|body| scene.body_name(body));
            let row = |line: &&str| {
                let cells: Vec<&str> = line.split_whitespace().collect();
                cells.starts_with(&names) && cells.contains(&mm.as_str())
            };
            assert!(table.lines().any(|line| row(&line)), "{names:?} {mm} in\n{table}");
        }
        assert!(table.contains("distance/mm"));
        assert!(table.contains("superovoid") && table.contains("superellipsoid"), "{table}");
    }
}

#[test]
fn depths_are_proven_on_demand() {
    let folder = Folder::new();
    let boxes = SLIDE.replace("<sphere radius=\"0.1\"/>", "<box size=\"0.2 0.3 0.4\"/>");
    let urdf = folder.write("boxes.urdf", &boxes);
    let srdf = folder.write("boxes.srdf", SLIDE_SRDF);
    let arguments =
        ["check", &urdf, "--srdf", &srdf, "--joints", "reach=0.15", "--json", "--certify"];
    let found = json(&run(&arguments));
    let contact = &found["contacts"][0];
    close(&contact["distance"], -0.05);
    assert_eq!(contact["status"], "certified");
}

#[test]
fn dented_superovoids_are_named_and_refused_when_strict() {
    let urdf = in_repository("urdf/icub_hands_superovoid.urdf");
    let output = run(&["check", &urdf, "--json", "--nearest", "0"]);
    let found = json(&output);
    let model = movement::bundled("icub_hands_superovoid.urdf");
    let dented = model.links().iter().flat_map(|link| &link.collisions);
    let dented = dented.filter(|collision| !collision.shape.is_convex()).count();
    assert!(dented > 0);
    assert_eq!(found["robot"]["dented"].as_array().unwrap().len(), dented);
    let text = stdout(&run(&["check", &urdf]));
    assert!(text.contains(&format!("{dented}, their hulls are used")), "{text}");
    let strict = run(&["check", &urdf, "--strict"]);
    assert_eq!(strict.status.code(), Some(2));
    assert!(stderr(&strict).contains("icub_hands_superovoid.urdf:"), "{}", stderr(&strict));
}

#[test]
fn a_proposed_srdf_reloads_and_is_the_same_every_time() {
    let folder = Folder::new();
    let urdf = in_repository("urdf/icub_hands_mixed.urdf");
    let out = folder.path("proposed.srdf");
    let arguments = ["srdf", &urdf, "--samples", "500", "--seed", "3"];
    let to_file = run(&[&arguments[..], &["--output", &out]].concat());
    assert_eq!(to_file.status.code(), Some(0), "{}", stderr(&to_file));
    assert!(stderr(&to_file).starts_with("500 states: "), "{}", stderr(&to_file));
    let text = std::fs::read_to_string(&out).unwrap();
    assert_eq!(stdout(&run(&arguments)), text);
    let srdf = Srdf::parse(&text, "f").unwrap();
    for reason in ["Adjacent", "Default", "Never"] {
        let has = |pair: &LinkPair| pair.reason.as_deref() == Some(reason);
        assert!(srdf.disable_collisions.iter().any(has), "{reason}");
    }
    let found = json(&run(&["check", &urdf, "--srdf", &out, "--json"]));
    assert_eq!(found["warnings"], json(&run(&["check", &urdf, "--json"]))["warnings"]);
    let allowed = found["allowed"]["pairs"].as_array().unwrap().len();
    assert_eq!(allowed, srdf.disable_collisions.len());
    // Links that touch in the default state are allowed to: the robot is free in it.
    assert_eq!(found["in_collision"], false);
    // Not replaced unless asked, and nothing else is left in the folder.
    let again = run(&[&arguments[..], &["--output", &out]].concat());
    assert_eq!(again.status.code(), Some(2));
    assert!(stderr(&again).contains("--force"), "{}", stderr(&again));
    let forced = run(&[&arguments[..], &["--output", &out, "--force"]].concat());
    assert_eq!(forced.status.code(), Some(0));
    assert_eq!(folder.files(), [Path::new(&out)]);
}

#[test]
fn an_srdf_that_is_given_keeps_what_was_written_by_hand() {
    let folder = Folder::with_slide();
    let own = SLIDE_SRDF.replace("base\" link2=\"nobody", "cart\" link2=\"trailer");
    let own = own.replace(
        "</robot>",
        "<disable_collisions link1='base' link2='trailer' reason='Never'/></robot>",
    );
    let own = folder.write("own.srdf", &own);
    let urdf = folder.path("slide.urdf");
    let text = stdout(&run(&["srdf", &urdf, "--srdf", &own, "--samples", "300"]));
    let srdf = Srdf::parse(&text, "f").unwrap();
    assert_eq!((srdf.groups.len(), srdf.group_states.len()), (1, 2));
    let reason = |a: &str, b: &str| {
        let pair = srdf.disable_collisions.iter().find(|p| p.link1 == a && p.link2 == b);
        pair.and_then(|p| p.reason.clone())
    };
    assert_eq!(reason("cart", "trailer").as_deref(), Some("User"));
    assert_eq!(reason("base", "cart").as_deref(), Some("Adjacent"));
    let bad = run(&["srdf", &urdf, "--samples", "0"]);
    assert_eq!(bad.status.code(), Some(2));
    let bad = run(&["srdf", &urdf, "--samples", "10", "--output", "/no/such/folder/x.srdf"]);
    assert_eq!(bad.status.code(), Some(2));
    assert!(stderr(&bad).contains("/no/such/folder/x.srdf"), "{}", stderr(&bad));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_sampling_and_writes_nothing() {
    let folder = Folder::new();
    let out = folder.path("never.srdf");
    let urdf = in_repository("urdf/icub_hands_mixed.urdf");
    let child = Command::new(env!("CARGO_BIN_EXE_smooth_scene"))
        .args(["srdf", &urdf, "--samples", "1000000000", "--output", &out])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    signals::interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    let text = stderr(&output);
    assert!(text.contains("interrupted after ") && text.contains("nothing was written"), "{text}");
    assert_eq!(folder.files(), Vec::<PathBuf>::new());
}

#[test]
fn help_describes_every_option() {
    for (command, words) in [
        ("check", vec!["--joints", "--state", "--certify", "--strict", "--meshes", "Exit code"]),
        ("srdf", vec!["--samples", "--always-share", "--force", "Ctrl-C", "Exit code"]),
    ] {
        let text = stdout(&run(&[command, "--help"]));
        for word in words {
            assert!(text.contains(word), "{command} --help lacks {word}:\n{text}");
        }
    }
}
