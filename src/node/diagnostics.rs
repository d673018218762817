//! The state of the node, once a second on `/diagnostics`.

use super::clock::to_message;
use super::core::Core;
use super::counters::ServiceReport;
use super::descriptions::Descriptions;
use crate::interfaces::diagnostic_msgs::msg::{DiagnosticArray, DiagnosticStatus, KeyValue};
use crate::interfaces::sensor_msgs::msg::JointState;
use crate::interfaces::std_msgs::msg::Header;
use crate::scene::Snapshot;

/// Counts of the last report: only new faults are an error.
#[derive(Debug, Default)]
pub(super) struct Reported {
    failed_requests: u64,
    refused_messages: u64,
}

/// Reports on the robot, its state, the scene, requests and messages.
pub(super) fn report(
    node_name: &str,
    core: &Core,
    descriptions: &Descriptions,
    waiting: usize,
    reported: &mut Reported,
) -> DiagnosticArray {
    let snapshot = core.store.snapshot().ok();
    let mut status = vec![robot(snapshot.as_deref(), descriptions)];
    if let Some(snapshot) = &snapshot {
        status.push(joint_states(core, snapshot));
        status.push(scene(core, snapshot));
    }
    status.push(requests(core, waiting, &mut reported.failed_requests));
    status.push(messages(core, &mut reported.refused_messages));
    let name = node_name.trim_start_matches('/');
    for part in &mut status {
        part.name = format!("{name}: {}", part.name);
        part.hardware_id = snapshot.as_ref().map_or("", |s| s.scene.model().name()).into();
    }
    let header = Header { stamp: to_message(core.clock.now()), ..Header::default() };
    DiagnosticArray { header, status }
}

fn status(
    name: &str,
    level: u8,
    message: impl ToString,
    values: Vec<(String, String)>,
) -> DiagnosticStatus {
    DiagnosticStatus {
        level,
        name: name.into(),
        message: message.to_string(),
        hardware_id: String::new(),
        values: values.into_iter().map(|(key, value)| KeyValue { key, value }).collect(),
    }
}

fn pair(key: impl ToString, value: impl ToString) -> (String, String) {
    (key.to_string(), value.to_string())
}

fn robot(snapshot: Option<&Snapshot>, descriptions: &Descriptions) -> DiagnosticStatus {
    let refused = descriptions.refused();
    let mut values = Vec::new();
    if let Some(reason) = &refused {
        values.push(pair("last refused description", reason));
    }
    let Some(snapshot) = snapshot else {
        return match refused {
            Some(_) => status("robot", DiagnosticStatus::ERROR, "description refused", values),
            None => status("robot", DiagnosticStatus::WARN, "no description yet", values),
        };
    };
    let scene = &snapshot.scene;
    let (surfaces, pairs) = scene.robot_size();
    values.push(pair("links", scene.model().links().len()));
    values.push(pair("variables", scene.model().position_count()));
    values.push(pair("surfaces", surfaces));
    values.push(pair("pairs looked at", pairs));
    values.push(pair("groups", scene.semantics().groups.len()));
    values.push(pair("descriptions so far", snapshot.robot));
    match refused {
        Some(_) => {
            let message = "new description refused, the old one stays";
            status("robot", DiagnosticStatus::WARN, message, values)
        }
        None => status("robot", DiagnosticStatus::OK, scene.model().name(), values),
    }
}

fn joint_states(core: &Core, snapshot: &Snapshot) -> DiagnosticStatus {
    let settings = core.parameters.settings();
    let now = core.clock.now();
    let max_age = settings.max_state_age_ns();
    let mut values = vec![pair("max_state_age [s]", settings.max_state_age)];
    if let Some(age) = core.joints.age(snapshot.scene.model(), now) {
        values.push(pair("age of the oldest joint [s]", format!("{:.3}", age as f64 / 1e9)));
    }
    let name = "joint states";
    match core.joints.positions(snapshot.scene.model(), &JointState::default(), now, max_age) {
        Ok(_) => status(name, DiagnosticStatus::OK, "all joints are known", values),
        Err(refusal) => status(name, DiagnosticStatus::WARN, refusal.message, values),
    }
}

fn scene(core: &Core, snapshot: &Snapshot) -> DiagnosticStatus {
    let (world, attached) = (snapshot.scene.world().len(), snapshot.scene.attached().len());
    let mut values = vec![
        pair("objects of the world", world),
        pair("attached objects", attached),
        pair("revision", snapshot.revision),
    ];
    if let Some(reason) = core.counters.refused_change() {
        values.push(pair("last refused change", reason));
    }
    let message = format!("{world} objects, {attached} attached");
    status("scene", DiagnosticStatus::OK, message, values)
}

fn requests(core: &Core, waiting: usize, reported: &mut u64) -> DiagnosticStatus {
    let reports = core.counters.service_reports();
    let total =
        |count: fn(&ServiceReport) -> u64| reports.iter().map(|(_, r)| count(r)).sum::<u64>();
    let (answered, failed) = (total(|r| r.answered), total(|r| r.failed));
    let settings = core.parameters.settings();
    let mut values =
        vec![pair("waiting", waiting), pair("most that may wait", settings.queue_length)];
    for (name, report) in &reports {
        if *report == ServiceReport::default() {
            continue;
        }
        let text = format!(
            "{} answered, {} refused, {} malformed, {} overloaded, {} failed; mean {:.3} ms, longest {:.3} ms",
            report.answered,
            report.refused,
            report.malformed,
            report.overloaded,
            report.failed,
            report.mean.as_secs_f64() * 1e3,
            report.longest.as_secs_f64() * 1e3,
        );
        values.push(pair(name, text));
    }
    let busy = waiting * 2 > settings.queue_length;
    let new = failed - std::mem::replace(reported, failed);
    let (level, message) = match (new, busy) {
        (1.., _) => {
            (DiagnosticStatus::ERROR, format!("{new} requests failed by a fault of the node"))
        }
        (0, true) => (DiagnosticStatus::WARN, format!("{waiting} requests wait")),
        (0, false) => (DiagnosticStatus::OK, format!("{answered} requests answered")),
    };
    status("requests", level, message, values)
}

fn messages(core: &Core, reported: &mut u64) -> DiagnosticStatus {
    let reports = core.counters.topic_reports();
    let refused: u64 = reports.iter().map(|(_, (_, refused))| refused).sum();
    let values = reports.iter().map(|(name, (received, refused))| {
        pair(name, format!("{received} received, {refused} refused"))
    });
    let (level, message) = match refused - std::mem::replace(reported, refused) {
        0 => (DiagnosticStatus::OK, "no message was refused".into()),
        new => (DiagnosticStatus::WARN, format!("{new} messages were refused")),
    };
    status("messages", level, message, values.collect())
}
