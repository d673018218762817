//! The tables in `docs/node.md` and the help of the node are those of the node. `UPDATE_GOLDEN=1` writes the tables anew.

use std::convert::Infallible;
use std::fmt::Write;

use smooth_scene::interfaces::ServiceType;
use smooth_scene::node::parameters::PARAMETERS;
use smooth_scene::node::services::{ServiceVisitor, for_each_service};
use smooth_scene::node::topics::{Direction, TOPICS};
use smooth_scene::node::{Endpoint, Service};
use smooth_scene::transport::{Durability, Qos, Reliability};
use smooth_scene_test_support::repository_file;

struct ServiceRows(String);

impl ServiceVisitor for ServiceRows {
    type Error = Infallible;

    fn visit<S: Service>(&mut self, endpoint: &'static Endpoint, _: S) -> Result<(), Infallible> {
        let (name, type_name) = (endpoint.name, S::Type::TYPE_NAME.replace("/srv/", "/"));
        writeln!(self.0, "| `{name}` | {type_name} | {} |", endpoint.help).unwrap();
        Ok(())
    }
}

fn services() -> String {
    let mut rows = ServiceRows("| service | type | |\n|---|---|---|\n".to_owned());
    let Ok(()) = for_each_service(&mut rows);
    rows.0
}

fn topics() -> String {
    let mut rows = "| | topic | type | QoS | |\n|---|---|---|---|---|\n".to_owned();
    for topic in TOPICS {
        let direction = match topic.direction {
            Direction::Subscribed => "sub",
            Direction::Published => "pub",
        };
        let type_name = topic.definition.type_name.replace("/msg/", "/");
        let (name, qos, help) = (topic.name, words(topic.qos), topic.help);
        writeln!(rows, "| {direction} | `{name}` | {type_name} | {qos} | {help} |").unwrap();
    }
    rows
}

fn words(qos: Qos) -> String {
    let reliability = match qos.reliability {
        Reliability::BestEffort => "best effort",
        Reliability::Reliable => "reliable",
    };
    let durability = match qos.durability {
        Durability::Volatile => "",
        Durability::TransientLocal => ", transient local",
    };
    format!("{reliability}{durability}, depth {}", qos.depth)
}

/// The text with what stands between the two marks of a table replaced.
fn with_table(text: &str, mark: &str, table: &str) -> String {
    let (start, end) = (format!("<!-- {mark} -->\n"), format!("<!-- end of {mark} -->"));
    let (before, rest) = text.split_once(&start).unwrap_or_else(|| panic!("no {start}"));
    let (_, after) = rest.split_once(&end).unwrap_or_else(|| panic!("no {end}"));
    format!("{before}{start}{table}{end}{after}")
}

#[test]
fn the_tables_of_services_and_topics_are_those_of_the_node() {
    let path = repository_file("docs/node.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let expected = with_table(&text, "services", &services());
    let expected = with_table(&expected, "topics", &topics());
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &expected).unwrap();
        return;
    }
    assert_eq!(text, expected, "run this test with UPDATE_GOLDEN=1");
}

#[test]
fn the_help_of_the_node_lists_every_service_topic_and_parameter() {
    let program = std::process::Command::new(env!("CARGO_BIN_EXE_scene_node"));
    let help = help_of(program);
    let mut rows = ServiceRows(String::new());
    let Ok(()) = for_each_service(&mut rows);
    let services = rows.0.lines().map(|row| row.split('`').nth(1).unwrap().to_owned());
    let topics = TOPICS.iter().map(|topic| topic.name.to_owned());
    let parameters = PARAMETERS.iter().map(|parameter| parameter.name.to_owned());
    for name in services.chain(topics).chain(parameters) {
        let listed = help.lines().any(|line| line.split_whitespace().next() == Some(&name));
        assert!(listed, "{name} is not in:\n{help}");
    }
}

fn help_of(mut program: std::process::Command) -> String {
    String::from_utf8(program.arg("--help").output().unwrap().stdout).unwrap()
}
