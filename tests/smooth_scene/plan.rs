//! `smooth_scene plan`, end to end: the binary is run, and what it prints is checked with the library.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use smooth_scene::robot::{LoadOptions, interpolate, load_urdf};
use smooth_scene::scene::{CheckRequest, PlanningScene, Workspace, WorldFile};
use smooth_scene_test_support::signals;
use std::sync::Arc;

const SRDF: &str = r#"<robot name="arm">
  <group name="arm"><joint name="joint0"/><joint name="joint1"/><joint name="joint2"/></group>
  <group_state name="home" group="arm"><joint name="joint0" value="0"/><joint name="joint1" value="0"/>
    <joint name="joint2" value="0"/></group_state>
  <group_state name="up" group="arm"><joint name="joint0" value="1.2"/></group_state>
</robot>
"#;
/// A post that the straight way from `home` to `up` touches.
const POST: &str =
    "- {id: post, pose: {xyz: [0.6, 0.3, 0]}, shape: {type: box, size: [0.05, 0.05, 0.3]}}\n";

/// Three links that turn in a plane.
fn urdf() -> String {
    let mut urdf =
        r#"<robot name="arm" xmlns:scs="urn:smooth-scene:scs:1"><link name="base"/>"#.to_owned();
    for (k, parent, x) in [(0, "base", 0.0), (1, "link0", 0.3), (2, "link1", 0.3)] {
        urdf += &format!(
            r#"<link name="link{k}"><collision><origin xyz="0.15 0 0"/><geometry><box size="0.26 0.04 0.06"/></geometry>
            <scs:superellipsoid radii="0.13 0.02 0.03" exponent_xy="0.5" exponent_z="1"/></collision></link>
            <joint name="joint{k}" type="revolute"><parent link="{parent}"/><child link="link{k}"/>
            <origin xyz="{x} 0 0"/><axis xyz="0 0 1"/>
            <limit lower="-2.9" upper="2.9" effort="1" velocity="1"/></joint>"#
        );
    }
    urdf + "</robot>"
}

/// A folder with robot and world.
struct Files {
    folder: tempfile::TempDir,
}

impl Files {
    fn new() -> Self {
        let files = Self { folder: tempfile::tempdir().unwrap() };
        files.write("arm.urdf", &urdf());
        files.write("arm.srdf", SRDF);
        files.write("world.yaml", POST);
        files
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn command(&self, more: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_smooth_scene"));
        command.current_dir(self.folder.path()).arg("plan").args(more);
        command
    }

    /// Plans with robot, SRDF and world given.
    fn plan(&self, more: &[&str]) -> Output {
        let fixed = ["arm.urdf", "--srdf", "arm.srdf", "--world", "world.yaml", "--group", "arm"];
        self.command(&[&fixed[..], more].concat()).output().unwrap()
    }

    fn scene(&self) -> PlanningScene {
        let model = load_urdf(self.path("arm.urdf"), &LoadOptions::default()).unwrap().model;
        let mut scene = PlanningScene::new(Arc::new(model), None).unwrap();
        WorldFile::load(self.path("world.yaml")).unwrap().add_to(&mut scene).unwrap();
        scene
    }
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}{}", text(&output.stdout), text(&output.stderr)))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn waypoints(answer: &Value) -> Vec<Vec<f64>> {
    serde_json::from_value(answer["path"].clone()).unwrap()
}

fn is_free(scene: &PlanningScene, path: &[Vec<f64>]) -> bool {
    let mut ws = Workspace::cold();
    let free = |state: &[f64], ws: &mut Workspace| {
        !scene.in_collision(state, &CheckRequest::default(), ws).unwrap()
    };
    path.windows(2).all(|ends| {
        (0..=400).all(|k| {
            let state = interpolate(scene.model(), &ends[0], &ends[1], f64::from(k) / 400.0);
            free(&state.unwrap(), &mut ws)
        })
    })
}

#[test]
fn a_path_around_a_post_is_printed_and_free() {
    let files = Files::new();
    let output = files.plan(&["--from", "home", "--to", "arm/up", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let answer = json(&output);
    assert_eq!((&answer["solved"], &answer["proven"]), (&true.into(), &true.into()));
    assert_eq!(answer["joints"], serde_json::json!(["joint0", "joint1", "joint2"]));
    let path = waypoints(&answer);
    assert_eq!(
        (path.first().unwrap(), path.last().unwrap()),
        (&vec![0.0; 3], &vec![1.2, 0.0, 0.0])
    );
    assert!(path.len() > 2 && is_free(&files.scene(), &path));
    assert!(answer["clearance"].as_f64().unwrap() > 1e-4);
    assert_eq!(answer["near_ends"], serde_json::json!([]));
    assert_eq!(answer["segments"].as_array().unwrap().len(), path.len() - 1);
    // The same as numbers and by name, for people, and to a file.
    let again = files.plan(&["--from", "0,0,0", "--to", "joint0=1.2", "--json", "-o", "plan.json"]);
    assert_eq!(json(&again)["path"], answer["path"]);
    let saved: Value = serde_json::from_slice(&fs::read(files.path("plan.json")).unwrap()).unwrap();
    assert_eq!(saved["path"], answer["path"]);
    let table = files.plan(&["--from", "home", "--to", "up"]);
    assert!(
        text(&table.stdout).contains("proven free from start to goal"),
        "{}",
        text(&table.stdout)
    );
    let other = files.plan(&["--from", "home", "--to", "up", "--seed", "2", "--json"]);
    assert_ne!(json(&other)["path"], answer["path"]);
    assert!(is_free(&files.scene(), &waypoints(&json(&other))));
}

#[test]
fn a_pose_of_a_link_is_a_goal_and_paths_have_times() {
    let files = Files::new();
    let half = 0.6f64;
    // Where the last link is in `up`: its origin 0.6 m along the arm, turned by 1.2 rad.
    let (x, y) = (0.6 * 1.2f64.cos(), 0.6 * 1.2f64.sin());
    let pose = format!("link2:{x},{y},0,0,0,{},{}", half.sin(), half.cos());
    let output =
        files.plan(&["--from", "home", "--to-pose", &pose, "--acceleration", "2", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let answer = json(&output);
    let path = waypoints(&answer);
    let goal = path.last().unwrap();
    assert!(is_free(&files.scene(), &path));
    let tip = 0.3 * goal[0].cos() + 0.3 * (goal[0] + goal[1]).cos();
    assert!((tip - x).abs() < 1e-7 && (goal.iter().sum::<f64>() - 1.2).abs() < 1e-7, "{goal:?}");
    let times: Vec<f64> = serde_json::from_value(answer["times"].clone()).unwrap();
    assert_eq!(times.len(), path.len());
    assert!(times[0] == 0.0 && times.windows(2).all(|pair| pair[0] < pair[1]), "{times:?}");
    for (pose, code, reason) in [
        ("link2:9,0,0,0,0,0,1", 2, "link `link2` does not reach the pose"),
        ("link2:9,0,0", 2, "with seven numbers"),
        ("tail:0,0,0,0,0,0,1", 2, "the robot has no link `tail`"),
        ("link2:0.6,0,0,0,0,0,2", 2, "a unit quaternion"),
    ] {
        let output = files.plan(&["--from", "home", "--to-pose", pose]);
        assert_eq!(output.status.code(), Some(code), "{pose}");
        assert!(text(&output.stderr).contains(reason), "{}", text(&output.stderr));
    }
}

#[test]
fn a_goal_close_to_an_object_is_named_with_what_is_kept() {
    let files = Files::new();
    // The arm lies along x, 0.02 m thick on either side; the board is 0.05 mm above it.
    files.write(
        "world.yaml",
        "- {id: board, pose: {xyz: [0.15, 0.03005, 0]}, shape: {type: box, size: [0.2, 0.02, 0.2]}}\n",
    );
    let output = files.plan(&["--from", "joint0=-0.8", "--to", "home", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let near = &json(&output)["near_ends"][0];
    assert_eq!(near["which"], "goal");
    assert_eq!(near["bodies"], serde_json::json!(["link0", "board"]));
    let [distance, kept] = ["distance", "kept"].map(|field| near[field].as_f64().unwrap());
    assert!((distance - 5e-5).abs() < 1e-9 && kept == 0.5 * distance, "{near}");
    let said = text(&files.plan(&["--from", "joint0=-0.8", "--to", "home"]).stdout);
    assert!(said.contains("`link0` and `board` are 0.0500 mm apart at the goal"), "{said}");
}

#[test]
fn many_seeds_give_statistics() {
    let files = Files::new();
    let output = files.plan(&["--from", "home", "--to", "up", "--seeds", "3", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let answer = json(&output);
    let runs = answer["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 3);
    assert!(runs.iter().all(|run| is_free(&files.scene(), &waypoints(run))));
    assert_eq!(answer["summary"]["solved"], 3);
    let output = files.plan(&["--from", "home", "--to", "up", "--seeds", "3"]);
    assert!(
        text(&output.stdout).starts_with("solved and proven: 3 of 3"),
        "{}",
        text(&output.stdout)
    );
}

#[test]
fn reasons_and_exit_codes() {
    let files = Files::new();
    let touching = "0.46,0,0";
    for (arguments, code, reason) in [
        (&["--from", "home", "--to", touching][..], 1, "goal: `link2` and `post` are in contact"),
        (&["--from", touching, "--to", "home"], 1, "start: `link2` and `post` are in contact"),
        (&["--from", "home", "--to", "up", "--margin", "0.5"], 1, "start: `link"),
        (
            &["--from", "home", "--to", "joint1=3"],
            2,
            "goal: joint `joint1` is at 3, outside [-2.9, 2.9]",
        ),
        (&["--from", "home", "--to", "joint9=3"], 2, "no joint `joint9`, did you mean `joint"),
        (&["--from", "home", "--to", "down"], 2, "--to: the SRDF has no state `down`"),
        (
            &["--from", "home", "--to", "1,2"],
            2,
            "--to: 2 numbers given, the group has 3: joint0, joint1, joint2",
        ),
        (&["--from", "home", "--to", "up", "--budget", "0"], 2, "budget of states is 0"),
        (&["--from", "home", "--to", "up", "--margin", "-1"], 2, "margin is -1"),
        (&["--from", "home", "--to", "up", "--clearance", "-1"], 2, "clearance is -1"),
        (
            &["--from", "home", "--to", "joint0=x"],
            2,
            "--to: `x` for joint `joint0` is not a number",
        ),
        (&["--from", "home", "--to", "up", "--budget", "40"], 1, "no connection"),
    ] {
        let output = files.plan(&[arguments, &["--json"]].concat());
        let (printed, noted) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {printed}{noted}");
        let answer = json(&output);
        let said = answer.get("reason").or(answer.get("error")).unwrap().as_str().unwrap();
        assert!(said.contains(reason), "{arguments:?}: {said}");
    }
    let missing = files.command(&["no.urdf", "--from", "a=1", "--to", "a=2"]).output().unwrap();
    assert_eq!(missing.status.code(), Some(2));
    let nothing = files.command(&[]).output().unwrap();
    assert_eq!(nothing.status.code(), Some(2));
}

/// A scene and a request as MotionBenchMaker writes them.
fn problem(files: &Files, folder: &str, number: u32, goal: [f64; 3]) {
    let scene = "world:\n  collision_objects:\n    - id: post\n      primitives:\n        - type: box\n          \
        dimensions: [0.05, 0.05, 0.3]\n      primitive_poses:\n        - position: [0.6, 0.3, 0]\n          \
        orientation: [0, 0, 0, 1]\n";
    let mut request =
        "start_state:\n  joint_state:\n    name: [joint0, joint1, joint2, absent]\n    \
        position: [0, 0, 0, 0.5]\ngroup_name: arm\ngoal_constraints:\n  - joint_constraints:\n"
            .to_owned();
    for (k, position) in goal.iter().enumerate() {
        request += &format!("      - joint_name: joint{k}\n        position: {position}\n");
    }
    files.write(&format!("problems/{folder}/scene{number:04}.yaml"), scene);
    files.write(&format!("problems/{folder}/request{number:04}.yaml"), &request);
}

#[test]
fn a_folder_of_problems_is_solved() {
    let files = Files::new();
    problem(&files, "easy", 1, [0.2, 0.0, 0.0]);
    problem(&files, "easy", 2, [-0.4, 0.0, 0.0]);
    problem(&files, "around", 7, [1.2, 0.0, 0.0]);
    let run =
        |more: &[&str]| files.command(&[&["benchmark", "."][..], more].concat()).output().unwrap();
    let output = run(&["--json", "--paths", "paths.jsonl"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let printed = text(&output.stdout);
    let lines: Vec<Value> =
        printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<_> = lines[..3]
        .iter()
        .map(|l| (l["problem"].as_str().unwrap(), l["index"].as_u64().unwrap()))
        .collect();
    assert_eq!(names, [("around", 7), ("easy", 1), ("easy", 2)]);
    for line in &lines[..3] {
        assert_eq!((&line["solved"], &line["proven"]), (&true.into(), &true.into()));
        assert!(is_free(&files.scene(), &waypoints(line)));
        assert!(
            line["plan_us"].as_f64().unwrap() > 0.0 && line["proof_us"].as_f64().unwrap() > 0.0
        );
    }
    assert_eq!(lines[3]["summary"]["solved"], 3);
    let saved = fs::read_to_string(files.path("paths.jsonl")).unwrap();
    assert_eq!(saved.lines().collect::<Vec<_>>(), printed.lines().take(3).collect::<Vec<_>>());
    // One without an answer: it is named, and the others are solved all the same.
    problem(&files, "easy", 3, [0.46, 0.0, 0.0]);
    let output = run(&[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr).contains("easy 3: goal: `link2` and `post`"),
        "{}",
        text(&output.stderr)
    );
    assert!(text(&output.stdout).contains("solved and proven: 3 of 4"), "{}", text(&output.stdout));
    fs::remove_file(files.path("problems/easy/scene0003.yaml")).unwrap();
    let output = run(&[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("there is no scene for request0003.yaml"));
    let empty = files.command(&["benchmark", "problems/none"]).output().unwrap();
    assert_eq!(empty.status.code(), Some(2));
}

#[test]
fn ctrl_c_ends_a_search() {
    let files = Files::new();
    // The arm cannot leave the gap between two walls.
    files.write(
        "world.yaml",
        "- {id: left, pose: {xyz: [0.5, 0.1, 0]}, shape: {type: box, size: [0.8, 0.04, 0.2]}}\n\
         - {id: right, pose: {xyz: [0.5, -0.1, 0]}, shape: {type: box, size: [0.8, 0.04, 0.2]}}\n",
    );
    let arguments =
        ["arm.urdf", "--world", "world.yaml", "--from", "joint0=0", "--to", "joint0=1.2"];
    let mut command = files.command(&[&arguments[..], &["--budget", "1000000000000"]].concat());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    signals::interrupt(&child);
    let begin = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(begin.elapsed() < Duration::from_secs(60), "it goes on");
        std::thread::sleep(Duration::from_millis(10));
    }
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
}
