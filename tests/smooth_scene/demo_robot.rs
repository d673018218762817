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
    let cases: [(&[&str], &str); 9] = [
        (&["--urdf", "no/such.urdf"], "no/such.urdf: No such file"),
        (&["--urdf", SRDF], SRDF),
        (&["--urdf", URDF, "--srdf", "no/such.srdf"], "no/such.srdf: No such file"),
        (&["--srdf", SRDF], "--urdf <FILE>"),
        (&["--package-path", "urdf"], "--urdf <FILE>"),
        (
            &["--urdf", URDF, "--package-path", URDF],
            "--package-path urdf/icub_hands_mixed.urdf: not a folder",
        ),
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

/// A tetrahedron as STL.
const STL: &str = "solid t\n\
    facet normal 0 0 -1\nouter loop\nvertex 0 0 0\nvertex 0 0.1 0\nvertex 0.2 0 0\nendloop\nendfacet\n\
    facet normal 0 -1 0\nouter loop\nvertex 0 0 0\nvertex 0.2 0 0\nvertex 0 0 0.3\nendloop\nendfacet\n\
    facet normal -1 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 0.3\nvertex 0 0.1 0\nendloop\nendfacet\n\
    facet normal 1 1 1\nouter loop\nvertex 0.2 0 0\nvertex 0 0.1 0\nvertex 0 0 0.3\nendloop\nendfacet\nendsolid t\n";

#[test]
fn meshes_are_looked_for_in_the_folders_of_package_path() {
    let folder = tempfile::tempdir().unwrap();
    let package = folder.path().join("elsewhere/own_arm");
    std::fs::create_dir_all(&package).unwrap();
    std::fs::write(package.join("package.xml"), "<package><name>own_arm</name></package>").unwrap();
    std::fs::write(package.join("tip.stl"), STL).unwrap();
    let body = r#"<geometry><mesh filename="package://own_arm/tip.stl"/></geometry>"#;
    let urdf = folder.path().join("arm.urdf");
    let link = format!("<collision>{body}</collision><visual>{body}</visual>");
    let text = format!(r#"<robot name="arm"><link name="tip">{link}</link></robot>"#);
    std::fs::write(&urdf, text).unwrap();
    let (urdf, packages) = (urdf.to_str().unwrap(), folder.path().join("elsewhere"));

    let refused = demo(&["--no-ros", "--urdf", urdf]).output().unwrap();
    let text = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(2), "{text}");
    assert!(text.contains("own_arm"), "{text}");

    let (_demo, _, address) =
        start(&["--urdf", urdf, "--package-path", packages.to_str().unwrap()]);
    let picture = Viewer::connect(address).wait_for("scene", |_| true);
    assert_eq!(picture["links"][0]["surfaces"][0]["shape"]["of"], "convex_mesh");
    assert_eq!(picture["has_geometry"], true);
    let list = get(address, "/visuals.json", &format!("Host: {address}\r\n"));
    assert!(list.starts_with("HTTP/1.1 200") && list.contains("\"mesh\":0"), "{list}");
}

/// The Panda of `example-robot-data` looks like its COLLADA files, which its collision meshes only stand for.
#[cfg(feature = "external-tests")]
#[test]
fn visual_meshes_of_the_panda_are_served() {
    use smooth_scene_test_support::robots_venv;
    let file = "example-robot-data/robots/panda_description/urdf/panda.urdf";
    let file = robots_venv::share().join(file);
    let (_demo, line, address) = start(&["--urdf", file.to_str().unwrap()]);
    assert!(line.starts_with("`panda` of "), "{line}");
    let picture = Viewer::connect(address).wait_for("scene", |_| true);
    assert_eq!(picture["has_geometry"], true);
    let host = format!("Host: {address}\r\n");
    let list = get(address, "/visuals.json", &host);
    let (head, list) = list.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200"), "{head} {list}");
    let list: Vec<serde_json::Value> = serde_json::from_str(list).unwrap();
    // Eight links of the arm, the hand and two fingers.
    assert_eq!(list.len(), 11, "{list:?}");
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    std::io::Write::write_all(
        &mut stream,
        format!("GET /visuals/0 HTTP/1.1\r\n{host}Connection: close\r\n\r\n").as_bytes(),
    )
    .unwrap();
    let mut bytes = Vec::new();
    std::io::Read::read_to_end(&mut stream, &mut bytes).unwrap();
    let start = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap() + 4;
    let body = &bytes[start..];
    assert!(body.len() > 36_000 && body.len() % 36 == 0, "{} bytes", body.len());
    let number = |b: &[u8]| f32::from_le_bytes(b.try_into().unwrap());
    assert!(body.chunks(4).map(number).all(|x| x.abs() < 0.3), "the base is less than 0.3 m long");
    assert!(get(address, "/visuals/11", &host).starts_with("HTTP/1.1 404"));
}

#[test]
fn a_robot_that_is_drawn_becomes_the_robot_of_the_node() {
    let (_demo, line, address) = start(&["--sketch"]);
    assert!(line.starts_with("A robot to be drawn: http://") && line.contains("/#draw"), "{line}");
    let mut viewer = Viewer::connect(address);
    let empty = viewer.wait_for("scene", |_| true);
    assert_eq!(names(&empty["links"]), ["base_link"]);
    let refusal = viewer.refusal_of(r#"{"do":"sketch","ask":"use"}"#);
    assert_eq!(refusal, "nothing is drawn yet: draw a bone first");

    viewer.send(r#"{"do":"sketch","ask":"edit","edit":{"of":"preset","name":"arm","at":null}}"#);
    let sketch = viewer.wait_for("sketch", |sketch| sketch["undo"] == 1);
    assert_eq!(names(&sketch["bones"]), ["column", "upper_arm", "forearm", "wrist", "hand"]);
    viewer.send(r#"{"do":"sketch","ask":"use"}"#);
    let arm = viewer.wait_for("scene", |scene| names(&scene["links"]).contains(&"hand"));
    assert_eq!(arm["joints"].as_array().unwrap().len(), 6, "a ball has three: {}", arm["joints"]);

    // What the demo exports is the drawn robot, byte by byte.
    let host = format!("Host: {address}\r\n");
    let text = |path: &str| get(address, path, &host).split_once("\r\n\r\n").unwrap().1.to_owned();
    assert_eq!(text("/robot.urdf"), text("/sketch.urdf"));
    assert!(text("/sketch.srdf").contains("hand_chain"));
}
