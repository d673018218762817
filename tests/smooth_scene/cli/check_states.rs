//! `check --world` and `check --states`, against closed forms and against the library.

use serde_json::Value;
use smooth_scene::robot::{LoadOptions, RobotState, load_urdf, srdf::Srdf};
use smooth_scene::scene::{CheckRequest, PairLevel, PlanningScene, Workspace, WorldFile};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;

/// A ball of radius 0.1 on a slide along x.
const SLIDE: &str = r#"<robot name="slide">
  <link name="base"/>
  <link name="cart"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <joint name="reach" type="prismatic"><parent link="base"/><child link="cart"/><axis xyz="1 0 0"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
</robot>
"#;
/// A ball of radius 0.2 at x = 1, and one that the cart carries 0.5 m above it.
const WORLD: &str = "
- {id: ball, pose: {xyz: [1, 0, 0]}, shape: {type: sphere, radius: 0.2}}
- {id: lamp, link: cart, pose: {xyz: [0, 0, 0.5]}, shape: {type: sphere, radius: 0.05}}
";

struct Files(tempfile::TempDir);

impl Files {
    fn new(states: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [("slide.urdf", SLIDE), ("world.yaml", WORLD), ("states.csv", states)] {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        Self(folder)
    }

    fn check(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_smooth_scene"))
            .current_dir(self.0.path())
            .args(["check", "slide.urdf", "--world", "world.yaml"])
            .args(arguments)
            .output()
            .unwrap()
    }
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

fn objects(output: &Output) -> Vec<Value> {
    text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_world_is_part_of_the_scene() {
    let files = Files::new("");
    let output = files.check(&["--json", "--joints", "reach=0.5"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let report = &objects(&output)[0];
    let nearest = &report["nearest"][0];
    assert_eq!((&nearest["body_a"], &nearest["body_b"]), (&"cart".into(), &"ball".into()));
    // 0.5 m between the centres.
    assert!((nearest["distance"].as_f64().unwrap() - 0.2).abs() < 1e-12, "{nearest}");
    let output = files.check(&["--joints", "reach=0.75"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stdout).contains("1 in the world, 1 attached"),
        "{}",
        text(&output.stdout)
    );
}

#[test]
fn every_state_has_a_line_and_any_collision_the_exit_code() {
    let files = Files::new("\u{feff}# positions in m\nreach\n0\n\n0.75\n 0.5 \n\"-2\"\n");
    let output = files.check(&["--states", "states.csv"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let lines: Vec<&str> = text(&output.stdout).lines().collect();
    assert_eq!(
        lines,
        [
            "   state  verdict       distance/m  bodies",
            "       1  free         0.700000000  cart ball",
            "       2  collision   -0.050000000  cart ball",
            "       3  free         0.200000000  cart ball",
            "       4  free         2.700000000  cart ball  outside limits: reach",
            "4 states: 3 free, 1 in collision",
        ]
    );
    let output = files.check(&["--states", "states.csv", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let found = objects(&output);
    let verdicts: Vec<bool> =
        found.iter().map(|one| one["in_collision"].as_bool().unwrap()).collect();
    assert_eq!(verdicts, [false, true, false, false]);
    let lines: Vec<u64> = found.iter().map(|one| one["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [3, 5, 6, 7]);
    assert_eq!(found[1]["contacts"][0]["body_b"], "ball");
    assert_eq!(found[3]["limit_breaches"][0]["excess"], -1.0);

    let free = Files::new("reach\n0\n");
    assert_eq!(free.check(&["--states", "states.csv"]).status.code(), Some(0));
    let none = Files::new("reach\n");
    assert_eq!(none.check(&["--states", "states.csv"]).status.code(), Some(0));
}

#[test]
fn states_can_come_from_standard_input_and_complete_the_state_of_the_options() {
    let files = Files::new("");
    let mut child = Command::new(env!("CARGO_BIN_EXE_smooth_scene"))
        .current_dir(files.0.path())
        .args(["check", "slide.urdf", "--states", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"reach\n0.25\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    // A ball alone has nothing near.
    assert!(
        text(&output.stdout).contains("       1  free                   -\n"),
        "{}",
        text(&output.stdout)
    );
}

/// The verdicts of the program are those of the library on the example world.
#[test]
fn the_example_world_and_the_grasp_are_checked_as_the_library_does() {
    let root = env!("CARGO_MANIFEST_DIR");
    let file = |name: &str| format!("{root}/{name}");
    let loaded = load_urdf(file("urdf/icub_hands_mixed.urdf"), &LoadOptions::default()).unwrap();
    let model = Arc::new(loaded.model);
    let (semantics, _) = Srdf::load(file("urdf/icub_hands.srdf")).unwrap().resolve(&model).unwrap();
    let mut scene = PlanningScene::new(model.clone(), Some(semantics)).unwrap();
    WorldFile::load(file("examples/files/world.yaml")).unwrap().add_to(&mut scene).unwrap();
    let names = ["r_hand_x", "r_hand_z", "l_hand_z", "r_index_flex_1"];
    let mut csv = names.join(",") + "\n";
    let mut expected = Vec::new();
    for k in 0..600 {
        let t = f64::from(k) / 100.0;
        let numbers = [0.3 * t.sin(), 0.4 * (1.3 * t).cos() - 0.1, -0.1 * t, 0.2 + 0.1 * t.sin()];
        csv += &(numbers.map(|number| number.to_string()).join(",") + "\n");
        let mut state = RobotState::new(model.clone());
        state.merge(&names, &numbers).unwrap();
        let mut contacts = Vec::new();
        let request = CheckRequest::default();
        let (positions, mut ws) = (state.positions(), Workspace::cold());
        scene.contacts(positions, &request, PairLevel::Bodies, &mut ws, &mut contacts).unwrap();
        expected.push(contacts.len());
    }
    assert!(expected.contains(&0) && expected.iter().any(|count| *count > 0), "{expected:?}");
    let folder = tempfile::tempdir().unwrap();
    let states = folder.path().join("states.csv");
    std::fs::write(&states, csv).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_smooth_scene"))
        .args(["check", &file("urdf/icub_hands_mixed.urdf")])
        .args(["--srdf", &file("urdf/icub_hands.srdf")])
        .args(["--world", &file("examples/files/world.yaml"), "--json", "--states"])
        .arg(states)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let found: Vec<usize> =
        objects(&output).iter().map(|one| one["contacts"].as_array().unwrap().len()).collect();
    assert_eq!(found, expected);
}

/// The examples of the documents load.
#[test]
fn the_example_files_are_taken() {
    let root = env!("CARGO_MANIFEST_DIR");
    for option in [
        ["--world", "examples/files/world.yaml"],
        ["--world", "examples/files/moveit_scene.yaml"],
        ["--surfaces", "examples/files/surfaces.yaml"],
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_smooth_scene"))
            .current_dir(root)
            .args(["check", "urdf/icub_hands_mixed.urdf", "--srdf", "urdf/icub_hands.srdf"])
            .args(option)
            .output()
            .unwrap();
        assert!(matches!(output.status.code(), Some(0 | 1)), "{}", text(&output.stderr));
    }
}
