//! Folders of problems, and the check of their paths against meshes.

use super::{Files, interrupted_when, is_free, text, waypoints};
use serde_json::Value;
use smooth_scene::robot::srdf::Srdf;
use smooth_scene::robot::{LoadOptions, load_urdf};
use smooth_scene::scene::{PlanningScene, WorldFile};
use smooth_scene_test_support::repository_file;
use std::fs;
use std::process::Output;
use std::sync::Arc;

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
    let run = |more: &[&str]| {
        let fixed = ["benchmark", ".", "--check-meshes", "never"];
        files.command(&[&fixed[..], more].concat()).output().unwrap()
    };
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
    assert_eq!(lines[0]["scene"], "problems/around/scene0007.yaml");
    let again = run(&["--paths", "paths.jsonl"]);
    assert_eq!(again.status.code(), Some(2));
    assert!(text(&again.stderr).contains("paths.jsonl is there already; --force replaces it"));
    assert_eq!(run(&["--paths", "paths.jsonl", "--force"]).status.code(), Some(0));
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
fn the_problems_of_the_repository_are_solved() {
    let folder = repository_file("examples/problems");
    let files = Files::new();
    let output = files
        .command(&["benchmark", "--check-meshes", "never", "--json"])
        .arg(&folder)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let printed = text(&output.stdout);
    let lines: Vec<Value> =
        printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 7 * 2 + 1);
    let options = LoadOptions::default();
    let model = Arc::new(load_urdf(folder.join("arm.urdf"), &options).unwrap().model);
    let srdf = fs::read_to_string(folder.join("arm.srdf")).unwrap();
    let semantics = Srdf::parse(&srdf, "arm.srdf").unwrap().resolve(&model).unwrap().0;
    let mut around = 0;
    for line in &lines[..14] {
        let mut scene = PlanningScene::new(model.clone(), Some(semantics.clone())).unwrap();
        let (problem, index) = (line["problem"].as_str().unwrap(), line["index"].as_u64().unwrap());
        let file = folder.join(problem).join(format!("scene{index:04}.yaml"));
        WorldFile::load(file).unwrap().add_to(&mut scene).unwrap();
        let path = waypoints(line);
        assert!(is_free(&scene, &path), "{problem} {index}");
        around += usize::from(path.len() > 2);
    }
    // The straight way is rarely free: these are problems.
    assert!(around >= 10, "{around} of 14");
    let summary = &lines[14]["summary"];
    assert_eq!((&summary["solved"], &summary["proven"]), (&14.into(), &14.into()));
    let of = |field: &str| summary[field]["median"].as_f64().unwrap();
    assert!(of("length") < of("first_length") && of("iterations") >= 1.0);
    assert!(of("plan_us") >= of("search_us").max(of("shorten_us")));
}

/// A stand-in for the Python that checks paths.
fn fake_python(files: &Files, body: &str) -> String {
    files.write("python", &format!("#!/bin/sh\n{body}\n"));
    let path = files.path("python");
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o755);
    fs::set_permissions(&path, permissions).unwrap();
    path.display().to_string()
}

#[test]
fn paths_that_collide_with_the_meshes_are_an_error() {
    let files = Files::new();
    problem(&files, "easy", 1, [0.2, 0.0, 0.0]);
    let run = |more: &[&str]| {
        files.command(&[&["benchmark", ".", "--json"][..], more].concat()).output().unwrap()
    };
    let summary = |output: &Output| -> Value {
        let printed = text(&output.stdout);
        serde_json::from_str(printed.lines().last().unwrap()).unwrap()
    };
    // Whether it has what it needs is asked with two arguments; the paths come with more.
    let report = r#"{"paths": 1, "states": 21, "colliding": 1, "deepest": 0.004, "step": 0.01, "by": "a test",
        "collisions": [{"problem": "easy", "index": 1, "bodies": ["link2", "post"], "depth": 0.004}]}"#;
    let python = fake_python(&files, &format!("[ $# = 2 ] || {{ echo '{report}'; exit 1; }}"));
    let output = run(&["--python", &python]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert_eq!(summary(&output)["summary"]["meshes"]["colliding"], 1);
    let printed = files.command(&["benchmark", ".", "--python", &python]).output().unwrap();
    let said = text(&printed.stdout);
    assert!(said.contains("easy 1: link2 and post overlap by 4.0000 mm"), "{said}");
    assert!(said.contains("paths that collide with the robot's meshes: 1 of 1 (a test;"), "{said}");
    // One that fails is no answer, nor is one about other paths, nor one that contradicts itself. What was planned is printed.
    let wrong_count = report.replace(r#""paths": 1"#, r#""paths": 2"#);
    for (body, reason) in [
        ("echo trouble >&2; exit 3".to_owned(), "trouble"),
        (format!("echo '{report}'; echo trouble >&2; exit 3"), "trouble"),
        (format!("echo '{wrong_count}'; exit 1"), "checked 2 paths, there are 1"),
        (format!("echo '{report}'"), "but 1 paths collide"),
    ] {
        let python = fake_python(&files, &format!("[ $# = 2 ] || {{ {body}; }}"));
        let output = run(&["--python", &python]);
        assert_eq!(output.status.code(), Some(2), "{body}");
        assert!(text(&output.stderr).contains(reason), "{}", text(&output.stderr));
        let printed = text(&output.stdout);
        let line: Value = serde_json::from_str(printed.lines().nth(1).unwrap()).unwrap();
        assert_eq!(line["summary"]["solved"], 1);
        let said = line["summary"]["meshes"]["not_checked"].as_str().unwrap();
        assert!(said.contains(reason), "{said}");
    }
    // One that has not what it needs: a remark, or an error for who insists.
    let python = fake_python(&files, "exit 1");
    let output = run(&["--python", &python]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let reason = summary(&output)["summary"]["meshes"]["not_checked"].to_string();
    assert!(reason.contains("no Python with Pinocchio, Coal and PyYAML was found"), "{reason}");
    // That is said before anything is planned.
    let output = run(&["--python", &python, "--check-meshes", "always"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(!text(&output.stdout).contains("solved"), "{}", text(&output.stdout));
}

#[test]
fn ctrl_c_ends_a_benchmark_and_its_check_of_meshes() {
    let files = Files::new();
    problem(&files, "easy", 1, [0.2, 0.0, 0.0]);
    // A check that takes a minute.
    let python = fake_python(&files, "[ $# = 2 ] || { touch begun; exec sleep 60; }");
    let begin = std::time::Instant::now();
    let checking = files.command(&["benchmark", ".", "--python", &python]);
    let output = interrupted_when(checking, || files.path("begun").exists());
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    assert!(begin.elapsed().as_secs() < 50, "it waited for the check");
    // A problem that takes hours: the arm cannot leave the gap between two walls.
    let wall = |id: &str, y: f64| {
        format!(
            "    - {{id: {id}, primitives: [{{type: box, dimensions: [0.8, 0.04, 0.2]}}], \
             primitive_poses: [{{position: [0.5, {y}, 0], orientation: [0, 0, 0, 1]}}]}}\n"
        )
    };
    problem(&files, "hard", 1, [1.2, 0.0, 0.0]);
    let scene = format!("world:\n  collision_objects:\n{}{}", wall("a", 0.1), wall("b", -0.1));
    files.write("problems/hard/scene0001.yaml", &scene);
    let arguments = ["benchmark", ".", "--check-meshes", "never", "--budget", "1000000000000"];
    let output = interrupted_when(files.command(&arguments), || true);
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
}

/// Pinocchio and Coal agree that the problems of the repository are solved, and see a path that goes through a wall.
#[cfg(feature = "external-tests")]
#[test]
fn coal_checks_the_paths_of_the_repository() {
    let folder = repository_file("examples/problems");
    let python = smooth_scene_test_support::robots_venv::program("python");
    let files = Files::new();
    let check = |folder: &std::path::Path, paths: &str| {
        let mut command = files.command(&["benchmark", "--check-meshes", "always", "--json"]);
        command.arg(folder).arg("--python").arg(&python).args(["--paths", paths]);
        command.output().unwrap()
    };
    let output = check(&folder, "paths.jsonl");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let printed = text(&output.stdout);
    let last: Value = serde_json::from_str(printed.lines().last().unwrap()).unwrap();
    let meshes = &last["summary"]["meshes"];
    assert_eq!((&meshes["paths"], &meshes["colliding"]), (&14.into(), &0.into()), "{meshes}");
    // Straight from start to goal instead of the path that was found.
    let saved = fs::read_to_string(files.path("paths.jsonl")).unwrap();
    let mut line: Value = saved
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .max_by_key(|line: &Value| line["path"].as_array().unwrap().len())
        .unwrap();
    let path = line["path"].as_array().unwrap().clone();
    line["path"] = vec![path[0].clone(), path[path.len() - 1].clone()].into();
    files.write("straight.jsonl", &format!("{line}\n"));
    let script = repository_file("src/command_line/plan/check_meshes.py");
    let check_straight = |urdf: &std::path::Path| {
        let mut command = std::process::Command::new(&python);
        command.arg(&script).arg(&folder).arg(files.path("straight.jsonl")).arg("--urdf").arg(urdf);
        command.output().unwrap()
    };
    let urdf = folder.join("arm.urdf");
    let output = check_straight(&urdf);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(said.contains("paths that collide with the meshes: 1"), "{said}");
    // Joints that the paths say nothing about, or that Pinocchio has two numbers for, are refused and not left at zero.
    let described = fs::read_to_string(urdf).unwrap();
    let fixed = r#"name="left_finger_mount" type="fixed">"#;
    let moving = r#"name="left_finger_mount" type="prismatic"><axis xyz="0 1 0"/>
        <limit lower="0" upper="0.1" effort="1" velocity="1"/>"#;
    for (old, new, reason) in [
        (
            r#""joint7" type="revolute""#,
            r#""joint7" type="continuous""#.to_owned(),
            "without limits",
        ),
        (fixed, format!(r#"{moving}<mimic joint="joint6"/>"#), "left_finger_mount mimics another"),
        (fixed, moving.to_owned(), "joints that the paths do not move"),
    ] {
        assert!(described.contains(old));
        files.write("other.urdf", &described.replace(old, &new));
        let output = check_straight(&files.path("other.urdf"));
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
        assert!(text(&output.stderr).contains(reason), "{}", text(&output.stderr));
    }
}
