//! The layouts for RViz and Foxglove name topics and fields that exist, with a QoS that matches.

use serde_json::Value;
use smooth_scene::interfaces::Definition;
use smooth_scene::node::topics::{TOPICS, TopicRow};
use smooth_scene::transport::{Durability, Reliability};
use smooth_scene_test_support::repository_file;

fn read(path: &str) -> String {
    std::fs::read_to_string(repository_file(path)).unwrap()
}

/// The topic of the node that a layout means.
fn topic(name: &str) -> &'static TopicRow {
    let name = name.trim_start_matches('/');
    let found = TOPICS.iter().find(|row| {
        let plain = row.name.trim_start_matches('/');
        plain.replace("~/", "scene_node/") == name
    });
    found.unwrap_or_else(|| panic!("there is no topic `{name}`"))
}

#[test]
fn rviz_shows_topics_that_exist_with_their_types_and_qos() {
    let layout: Value = serde_yaml::from_str(&read("config/smooth_scene.rviz")).unwrap();
    let displays = layout["Visualization Manager"]["Displays"].as_array().unwrap();
    let mut checked = 0;
    for display in displays {
        let (key, type_name) = match display["Class"].as_str().unwrap() {
            "rviz_default_plugins/MarkerArray" => ("Topic", "visualization_msgs/msg/MarkerArray"),
            "rviz_default_plugins/RobotModel" => ("Description Topic", "std_msgs/msg/String"),
            _ => continue,
        };
        let shown = &display[key];
        let row = topic(shown["Value"].as_str().unwrap());
        assert_eq!(row.definition.type_name, type_name);
        assert_eq!(shown["Depth"], row.qos.depth);
        let reliability = match row.qos.reliability {
            Reliability::Reliable => "Reliable",
            Reliability::BestEffort => "Best Effort",
        };
        let durability = match row.qos.durability {
            Durability::TransientLocal => "Transient Local",
            Durability::Volatile => "Volatile",
        };
        assert_eq!(shown["Reliability Policy"], reliability);
        assert_eq!(shown["Durability Policy"], durability);
        checked += 1;
    }
    assert_eq!(checked, 2);
}

/// Whether the definition has this field: `proximities[0].distance` in ProximityArray.
fn check_path(definition: &Definition, path: &str) {
    let mut text = definition.text;
    for step in path.split('.') {
        let field = step.split('[').next().unwrap();
        let own = text.split("====").next().unwrap();
        let line = own.lines().find(|line| {
            let code = line.split('#').next().unwrap();
            !code.contains('=') && code.split_whitespace().nth(1) == Some(field)
        });
        let line = line.unwrap_or_else(|| panic!("{}: no `{field}`", definition.type_name));
        let element = line.split_whitespace().next().unwrap().split('[').next().unwrap();
        if step.contains('[') {
            assert!(line.split_whitespace().next().unwrap().contains('['), "{line}");
        }
        let name = element.rsplit('/').next().unwrap();
        let nested = definition.text.split("MSG: ").find(|part| {
            part.lines().next().is_some_and(|first| first.rsplit('/').next() == Some(name))
        });
        text = nested.and_then(|part| part.split_once('\n')).map_or("", |(_, rest)| rest);
    }
}

#[test]
fn foxglove_shows_topics_and_fields_that_exist() {
    let layout: Value = serde_json::from_str(&read("config/smooth_scene.foxglove.json")).unwrap();
    let panels = layout["configById"].as_object().unwrap();
    let mut paths = Vec::new();
    for (name, panel) in panels {
        match name.split('!').next().unwrap() {
            "3D" => paths.extend(panel["topics"].as_object().unwrap().keys().cloned()),
            "Plot" => paths.extend(
                panel["paths"].as_array().unwrap().iter().map(|path| text_of(&path["value"])),
            ),
            "RawMessages" => paths.push(text_of(&panel["topicPath"])),
            "DiagnosticSummary" => paths.push(text_of(&panel["topicToRender"])),
            "Parameters" => {}
            other => panic!("what does a panel `{other}` show?"),
        }
    }
    assert_eq!(paths.len(), 6);
    for path in paths {
        match path.split_once('.') {
            Some((name, fields)) => check_path(&topic(name).definition, fields),
            None => drop(topic(&path)),
        }
    }
    // Every panel has its place.
    let places = layout["layout"].to_string();
    assert!(panels.keys().all(|panel| places.contains(panel.as_str())), "{places}");
}

fn text_of(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}
