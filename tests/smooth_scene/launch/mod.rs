//! The launch files declare and start what they say, and name only files that exist; the XML file is the Python file; the
//! parameter file holds the defaults. `launch` itself is in no package registry: `describe.py` stands in for it, so what
//! is shown here is what our files hand over, not what ROS does with it. Behind the feature `external-tests`.

use smooth_scene_test_support::robots_venv;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use smooth_scene::node::parameters::{Field, PARAMETERS, Settings};
use smooth_scene::node::topics::{TOPICS, TopicRow};
use smooth_scene::transport::Durability;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap()
}

fn launch(file: &str, arguments: &[&str]) -> Output {
    launch_without(file, arguments, "")
}

/// On a machine where these packages are not installed.
fn launch_without(file: &str, arguments: &[&str], missing: &str) -> Output {
    Command::new(robots_venv::program("python"))
        .arg(root().join("tests/smooth_scene/launch/describe.py"))
        .arg(root().join("launch").join(file))
        .args(arguments)
        .env("MISSING_PACKAGES", missing)
        .output()
        .unwrap()
}

fn describe(file: &str, arguments: &[&str]) -> Value {
    let Output { status, stdout, stderr } = launch(file, arguments);
    assert!(status.success(), "{file} {arguments:?}: {}", String::from_utf8_lossy(&stderr));
    serde_json::from_slice(&stdout).unwrap()
}

/// The executables that are started.
fn executables(described: &Value) -> Vec<&str> {
    let started = described["started"].as_array().unwrap();
    started.iter().filter_map(|action| action["executable"].as_str()).collect()
}

#[test]
fn the_scene_starts_what_is_asked_for() {
    let usual = ["scene_node", "robot_state_publisher"];
    assert_eq!(executables(&describe("scene.launch.py", &[])), usual);
    for (argument, started) in [
        ("joints=zero", "joint_state_publisher"),
        ("joints=sliders", "joint_state_publisher_gui"),
        ("rviz=true", "rviz2"),
        ("foxglove=true", "foxglove_bridge"),
    ] {
        let described = describe("scene.launch.py", &[argument]);
        assert_eq!(executables(&described), [usual[0], usual[1], started], "{argument}");
    }
    let alone = describe("scene.launch.py", &["state_publisher=false"]);
    assert_eq!(executables(&alone), ["scene_node"]);
    assert!(!launch("scene.launch.py", &["rviz=perhaps"]).status.success());
}

#[test]
fn nothing_is_started_when_a_package_is_missing() {
    let missing = "rviz2 joint_state_publisher_gui";
    let all = ["rviz=true", "joints=sliders"];
    for file in ["scene.launch.py", "two_hands.launch.py"] {
        let Output { status, stdout, stderr } = launch_without(file, &all[..1], missing);
        assert!(!status.success() && stdout.is_empty(), "{file}");
        let text = String::from_utf8_lossy(&stderr);
        assert!(text.contains("not installed: rviz2."), "{file}: {text}");
    }
    let Output { status, stderr, .. } = launch_without("scene.launch.py", &all, missing);
    assert!(!status.success());
    let text = String::from_utf8_lossy(&stderr);
    assert!(text.contains("not installed: joint_state_publisher_gui, rviz2."), "{text}");
    // What is not asked for may be missing.
    assert!(launch_without("scene.launch.py", &[], missing).status.success());
}

#[test]
fn the_file_in_xml_looks_for_every_package_before_it_starts_a_node() {
    let text = read("launch/scene.launch.xml");
    let xml = roxmltree::Document::parse(&text).unwrap();
    let actions: Vec<_> = xml.root_element().children().filter(|node| node.is_element()).collect();
    let first = actions.iter().position(|node| node.has_tag_name("node")).unwrap();
    let (before, nodes) = actions.split_at(first);
    for node in nodes.iter().skip(1) {
        let wanted = format!("$(find-pkg-share {})", node.attribute("pkg").unwrap());
        let looked_for = before.iter().any(|action| {
            action.has_tag_name("let")
                && action.attribute("value") == Some(&wanted)
                && action.attribute("if") == node.attribute("if")
        });
        assert!(looked_for, "{wanted}");
    }
}

#[test]
fn the_node_gets_the_descriptions_its_parameters_and_its_namespace() {
    let described = describe("scene.launch.py", &["namespace=left", "use_sim_time=true"]);
    let node = &described["started"][0];
    assert_eq!(node["package"], "smooth_scene");
    assert_eq!(node["namespace"], "left");
    let parameters = &node["parameters"];
    assert!(Path::new(parameters[0].as_str().unwrap()).is_file());
    assert_eq!(parameters[1]["robot_description"], read("urdf/icub_hands_mixed.urdf"));
    assert_eq!(parameters[1]["robot_description_semantic"], read("urdf/icub_hands.srdf"));
    assert_eq!(parameters[2]["use_sim_time"], true);
    let without = describe("scene.launch.py", &["srdf="]);
    assert_eq!(without["started"][0]["parameters"][1].get("robot_description_semantic"), None);
}

#[test]
fn a_recording_plays_in_its_own_time() {
    let described = describe("replay_bag.launch.py", &["bag=grasp", "rate=0.5"]);
    assert_eq!(executables(&described), ["scene_node", "robot_state_publisher"]);
    for action in &described["started"].as_array().unwrap()[..2] {
        let last = action["parameters"].as_array().unwrap().last().unwrap();
        assert_eq!(last["use_sim_time"], true);
    }
    let played = &described["started"][2]["cmd"];
    assert_eq!(
        played.to_string(),
        r#"["ros2","bag","play","grasp","--clock","100","--rate","0.5"]"#
    );
    assert!(!launch("replay_bag.launch.py", &[]).status.success(), "a bag has to be named");
}

/// What joint_sweep is started with, by the grasp with these arguments.
fn sweep(arguments: &[&str]) -> Value {
    let described = describe("two_hands.launch.py", arguments);
    assert_eq!(
        executables(&described),
        ["scene_node", "robot_state_publisher", "joint_sweep"],
        "{arguments:?}"
    );
    described["started"][2].clone()
}

#[test]
fn the_grasp_is_played_to_the_node_of_its_namespace() {
    let started = sweep(&[]);
    assert_eq!(started["package"], "smooth_scene");
    assert_eq!(started["namespace"], "");
    assert_eq!(started["arguments"].to_string(), r#"["--live","--loop","--node","scene_node"]"#);
    let left = sweep(&["namespace=left", "use_sim_time=true"]);
    assert_eq!(left["namespace"], "left");
    assert_eq!(
        left["arguments"].to_string(),
        r#"["--live","--loop","--node","scene_node","--sim-time"]"#,
        "the name is relative, and the time comes from the movement"
    );
    let described = describe("two_hands.launch.py", &["namespace=left"]);
    assert_eq!(described["started"][0]["namespace"], "left");
    assert_eq!(described["included"][0]["file"], "launch/scene.launch.py");
}

#[test]
fn the_file_in_xml_has_the_arguments_of_the_one_in_python() {
    let described = describe("scene.launch.py", &[]);
    let text = read("launch/scene.launch.xml");
    let xml = roxmltree::Document::parse(&text).unwrap();
    let arguments = described["arguments"].as_object().unwrap();
    let in_xml = xml.descendants().filter(|node| node.has_tag_name("arg"));
    let mut count = 0;
    for argument in in_xml {
        count += 1;
        let name = argument.attribute("name").unwrap();
        let there = arguments.get(name).unwrap_or_else(|| panic!("{name} is not in Python"));
        let share = "$(find-pkg-share smooth_scene)";
        let default = argument.attribute("default").unwrap();
        let resolved = default.replace(share, root().to_str().unwrap());
        if default.contains(share) {
            assert!(Path::new(&resolved).is_file(), "{resolved}");
        }
        // XML has no way to leave a file out but to name an empty one.
        let resolved = if resolved == "/dev/null" { "" } else { &resolved };
        assert_eq!(there["default"], resolved, "{name}");
    }
    assert_eq!(count, arguments.len());
    for node in xml.descendants().filter(|node| node.has_tag_name("node")) {
        let line = text.lines().nth(xml.text_pos_at(node.range().start).row as usize - 1).unwrap();
        assert!(node.has_attribute("pkg") && node.has_attribute("exec"), "{line}");
    }
}

#[test]
fn the_parameter_file_holds_the_defaults() {
    let file: serde_yaml::Value = serde_yaml::from_str(&read("config/scene_node.yaml")).unwrap();
    let mut given = Vec::new();
    flatten("", &file["/**"]["ros__parameters"], &mut given);
    let mut settings = Settings::default();
    for (name, value) in &given {
        let declared = PARAMETERS.iter().find(|declaration| declaration.name == name);
        let declared = declared.unwrap_or_else(|| panic!("{name} is no parameter"));
        let default = match &declared.field {
            Field::Switch(field) => field(&mut settings).to_string(),
            Field::Count(field, _) => field(&mut settings).to_string(),
            Field::Number(field, _) => format!("{:?}", field(&mut settings)),
            Field::Choice(field, _) => field(&mut settings).clone(),
            _ => panic!("{name} does not belong in the file"),
        };
        assert_eq!(*value, default, "{name}");
    }
    assert!(given.len() > 20);
}

/// Names with dots, as ROS makes them of nested tables.
fn flatten(prefix: &str, value: &serde_yaml::Value, into: &mut Vec<(String, String)>) {
    match value {
        serde_yaml::Value::Mapping(table) => {
            for (name, value) in table {
                let dot = if prefix.is_empty() { "" } else { "." };
                flatten(&format!("{prefix}{dot}{}", name.as_str().unwrap()), value, into);
            }
        }
        value => {
            let text = serde_yaml::to_string(value).unwrap();
            into.push((prefix.to_string(), text.trim().to_string()));
        }
    }
}

/// The topic of this name as a file names it, with or without the node in front.
fn topic(name: &str) -> &'static TopicRow {
    let name = name.trim_start_matches('/');
    let named =
        |row: &&TopicRow| row.name.replace('~', "scene_node").trim_start_matches('/') == name;
    TOPICS.iter().find(named).unwrap_or_else(|| panic!("the node has no topic {name}"))
}

#[test]
fn rviz_shows_topics_of_the_node_with_their_quality_of_service() {
    let rviz: serde_yaml::Value = serde_yaml::from_str(&read("config/smooth_scene.rviz")).unwrap();
    let manager = &rviz["Visualization Manager"];
    let displays = manager["Displays"].as_sequence().unwrap();
    let types = [
        ("rviz_default_plugins/MarkerArray", "Topic", "visualization_msgs/msg/MarkerArray"),
        ("rviz_default_plugins/RobotModel", "Description Topic", "std_msgs/msg/String"),
    ];
    for (class, field, message) in types {
        let display = displays.iter().find(|display| display["Class"] == class).unwrap();
        let settings = &display[field];
        let row = topic(settings["Value"].as_str().unwrap());
        assert_eq!(row.definition.type_name, message);
        assert_eq!(row.qos.durability, Durability::TransientLocal);
        assert_eq!(settings["Durability Policy"], "Transient Local");
        assert_eq!(settings["Reliability Policy"], "Reliable");
        // A picture takes several messages: with a smaller depth RViz drops the first ones.
        assert_eq!(settings["Depth"].as_u64(), Some(row.qos.depth as u64), "{class}");
    }
    let shown = displays.iter().find_map(|display| display["Namespaces"].as_mapping()).unwrap();
    let mut shown: Vec<&str> = shown.keys().map(|name| name.as_str().unwrap()).collect();
    shown.sort_unstable();
    let switches = PARAMETERS.iter().filter_map(|each| each.name.strip_prefix("markers."));
    assert_eq!(shown, switches.collect::<Vec<_>>(), "one for every kind of marker");
    // The launch file starts this robot, and its root is what RViz shows everything in.
    let robot = read("urdf/icub_hands_mixed.urdf");
    let robot = smooth_scene::robot::parse_urdf(&robot, "icub", &Default::default()).unwrap().model;
    assert_eq!(manager["Global Options"]["Fixed Frame"], robot.link(robot.root()).name.as_str());
    // Labels are white.
    assert_eq!(manager["Global Options"]["Background Color"], "48; 48; 48");
}

#[test]
fn foxglove_shows_fields_that_the_topics_have() {
    let layout: Value = serde_json::from_str(&read("config/smooth_scene.foxglove.json")).unwrap();
    let panels = layout["configById"].as_object().unwrap();
    let topics = panels["3D!scene"]["topics"].as_object().unwrap();
    for name in topics.keys() {
        topic(name);
    }
    assert!(topics["/scene_node/markers"]["visible"].as_bool().unwrap());
    let mut paths: Vec<&str> = vec![panels["RawMessages!nearest"]["topicPath"].as_str().unwrap()];
    let plots = panels["Plot!distance"]["paths"].as_array().unwrap();
    paths.extend(plots.iter().map(|path| path["value"].as_str().unwrap()));
    for path in paths {
        // `/topic.field[0].field`: every field is in the definition of the message.
        let (name, fields) = path.split_once('.').unwrap();
        for field in fields.split('.') {
            let field = field.split('[').next().unwrap();
            let text = topic(name).definition.text;
            assert!(text.lines().any(|line| line.ends_with(&format!(" {field}"))), "{path}");
        }
    }
    topic(panels["DiagnosticSummary!node"]["topicToRender"].as_str().unwrap());
    let arranged = layout["layout"].to_string();
    for panel in panels.keys() {
        assert!(arranged.contains(panel.as_str()), "{panel} is nowhere on the screen");
    }
}
