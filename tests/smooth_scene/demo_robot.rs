//! `smooth_scene demo` with anybody's robot and world, end to end.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use smooth_scene_test_support::viewer::{Viewer, get};

const URDF: &str = "urdf/icub_hands_mixed.urdf";
const SRDF: &str = "urdf/icub_hands.srdf";
const WORLD: &str = "examples/files/world.yaml";

fn demo(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_smooth_scene"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).arg("demo").args(arguments);
    command
}

/// Ends with the test, however that ends.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        if let Err(error) = self.0.kill().and_then(|()| self.0.wait()) {
            eprintln!("the demo was not ended: {error}");
        }
    }
}

/// A demo that serves its page, what it printed first, and a viewer of it.
fn start(arguments: &[&str]) -> (Running, String, std::net::SocketAddr) {
    let mut command = demo(&["--no-ros", "--port", "0"]);
    let mut child = command.args(arguments).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let (_, address) = line.split_once("http://").unwrap_or_else(|| panic!("{line}"));
    let address = address.split_once('/').unwrap().0.parse().unwrap();
    (Running(child), line, address)
}

fn names(list: &serde_json::Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect()
}

/// A saved file is sorted by name.
fn by_name(list: &serde_json::Value) -> BTreeMap<&str, &serde_json::Value> {
    names(list).into_iter().zip(list.as_array().unwrap()).collect()
}

#[test]
fn a_robot_with_its_srdf_and_a_world_is_shown_and_can_be_saved() {
    let (_demo, line, address) = start(&["--urdf", URDF, "--srdf", SRDF, "--world", WORLD]);
    assert!(line.starts_with("`icub_hands` of urdf/icub_hands_mixed.urdf: "), "{line}");
    let mut viewer = Viewer::connect(address);
    let picture = viewer.wait_for("scene", |_| true);
    assert!(picture["movement"].is_null());
    assert_eq!(picture["can_export"], true);
    assert!(picture["groups"].as_array().unwrap().contains(&"r_hand".into()));
    let objects = names(&picture["objects"]);
    assert!(objects.contains(&"egg") && objects.contains(&"table"), "{objects:?}");
    viewer.wait_for("frame", |frame| frame["source"] == "manual");
    viewer.send(r#"{"do":"set_joint","name":"r_index_flex_1","value":0.5}"#);
    viewer.wait_for("frame", |frame| frame["revision"] == picture["revision"]);

    // What is saved is a world file again, and shows the same.
    let host = format!("Host: {address}\r\n");
    let saved = get(address, "/world.yaml", &host);
    let saved = saved.split_once("\r\n\r\n").unwrap().1;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("saved.yaml");
    std::fs::write(&file, saved).unwrap();
    let (_again, _, address) = start(&["--urdf", URDF, "--world", file.to_str().unwrap()]);
    let again = Viewer::connect(address).wait_for("scene", |_| true);
    assert_eq!(by_name(&again["objects"]), by_name(&picture["objects"]));
}

#[test]
fn a_world_for_the_bundled_hands_and_surfaces_for_a_robot() {
    let (_demo, _, address) = start(&["--world", WORLD]);
    let picture = Viewer::connect(address).wait_for("scene", |_| true);
    assert!(names(&picture["objects"]).contains(&"egg"));
    assert_eq!(picture["movement"], serde_json::json!([0.0, 10.0]));

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("surfaces.yaml");
    std::fs::write(&file, "r_palm:\n  - {type: sphere, radius: 0.03125}\n").unwrap();
    let (_demo, _, address) = start(&["--urdf", URDF, "--surfaces", file.to_str().unwrap()]);
    let picture = Viewer::connect(address).wait_for("scene", |_| true);
    let links = picture["links"].as_array().unwrap();
    let palm = links.iter().find(|link| link["name"] == "r_palm").unwrap();
    assert_eq!(palm["surfaces"][0]["shape"]["radius"], 0.03125);
}

#[test]
fn bad_files_and_combinations_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let bad = folder.path().join("bad.yaml");
    std::fs::write(&bad, "- id: r_palm\n  shape: {type: sphere, radius: 1}\n").unwrap();
    let bad = bad.to_str().unwrap();
    let cases: [(&[&str], &str); 7] = [
        (&["--urdf", "no/such.urdf"], "no/such.urdf: No such file"),
        (&["--urdf", SRDF], SRDF),
        (&["--urdf", URDF, "--srdf", "no/such.srdf"], "no/such.srdf: No such file"),
        (&["--srdf", SRDF], "--urdf <FILE>"),
        (&["--urdf", URDF, "--once"], "cannot be used with '--once'"),
        (&["--world", "no/such.yaml"], "no/such.yaml"),
        (&["--world", bad], "the name `r_palm` is taken by a link"),
    ];
    for (arguments, expected) in cases {
        let output = demo(arguments).arg("--no-ros").output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
        assert!(text.contains(expected), "{arguments:?}: {text}");
    }
}
