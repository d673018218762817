//! Runs through a scene node: by service calls, or live by topics.

use super::args::ReplayArguments;
use super::description::Description;
use super::failure::Failure;
use super::grasp_tables;
use super::library_run::{STOPPED, movement_of, robots_of};
use super::live::{self, Play};
use super::machine;
use super::measure::Stopped;
use super::report::Report;
use super::results::{Results, Section};
use super::robots::{self, Robot};
use super::service_client::Service;
use super::service_run;
use super::target_node::{self, NODE};
use crate::command_line::program::Program;
use crate::command_line::reach::Reach;
use crate::interfaces::rcl_interfaces::srv::{GetParametersRequest, GetParametersResponse};
use crate::transport::Transport;
use crate::transport::memory::MemoryBus;
use crate::transport::ros_args::RosArgs;

/// Measures through a node, prints, saves, and publishes the statistics.
pub(crate) fn run(
    program: Program,
    arguments: &ReplayArguments,
    ros: &RosArgs,
    stopped: Stopped,
) -> Result<(), Failure> {
    let mut circumstances = machine::circumstances();
    let mut robots = robots_of(arguments)?;
    let mut robot = robots.pop().expect("there is always a robot to replay");
    let (here, name, place) = match &arguments.node {
        Some(name) => {
            let here = target_node::join(ros)?;
            // The node knows its robot, unless the user names another.
            if arguments.robot.is_none() {
                robots.push(robot);
                robot = robot_of_node(program, &*here.transport, name, robots, stopped)?;
            }
            let full = here.transport.resolve(name).map_err(|e| Failure::Other(e.to_string()))?;
            (here, name.as_str(), format!("{full}, over ROS 2"))
        }
        None if arguments.live => {
            let here = target_node::start(&robot, ros, arguments.sim_time, &Reach::Ros)?;
            (here, NODE, "in this process, over ROS 2".to_string())
        }
        None => {
            let here = target_node::start(&robot, ros, false, &Reach::Process(MemoryBus::new()))?;
            (here, NODE, "in this process, on the in-process bus".to_string())
        }
    };
    let movement = movement_of(arguments, &robot)?;
    let transport = &*here.transport;
    let words = format!("{}, {} states", movement.name, movement.states.len());
    circumstances.push((robot.representation.clone(), words));
    circumstances.push(("node".into(), place));
    let rows = if arguments.live {
        let rate = arguments.rate;
        let play = Play { rate, repeat: arguments.repeat, sim_time: arguments.sim_time };
        let played = live::play(program, transport, name, &robot, &movement, &play, stopped)?;
        circumstances.push(("published".into(), played.words()));
        vec![played.row]
    } else {
        let asked = service_run::ask(transport, name, &robot, &movement, stopped)?;
        let [theirs, ours] = asked.pairs;
        let words = format!("{theirs} by the node, {ours} in this process");
        circumstances.push(("intersecting pairs".into(), words));
        asked.rows
    };
    circumstances.extend(movement.notes.into_iter().map(|note| ("not used".into(), note)));
    if stopped() {
        circumstances.push(("note".into(), STOPPED.into()));
    }
    let mut report = Report::new(arguments.out.as_deref());
    report.say("# Joint sweep through the node");
    circumstances.iter().for_each(|(name, value)| report.line(&format!("- {name}: {value}")));
    report.line("");
    report.table("node", &grasp_tables::node_table(&rows));
    let silent = rows.iter().all(|row| row.micros.is_none());
    let sections = vec![Section { name: "node".into(), rows }];
    report.results(&Results { circumstances, sections })?;
    report.finish("benchmarks.md")?;
    if silent && !stopped() {
        return Err(Failure::Other(format!("no answer of node {name} arrived")));
    }
    Ok(())
}

/// The robot of a node, from its parameters. A node that received its description by topic has no such parameter: then
/// the bundled robot is used, and answers about another robot count as wrong.
fn robot_of_node(
    program: Program,
    transport: &dyn Transport,
    node: &str,
    mut bundled: Vec<Robot>,
    stopped: Stopped,
) -> Result<Robot, Failure> {
    let service = format!("{node}/get_parameters");
    let service = Service::find(transport, &service, "rcl_interfaces/srv/GetParameters", stopped)?;
    let names = ["robot_description", "robot_description_semantic", "robot_description_scs"];
    let (answer, _): (GetParametersResponse, u64) =
        service.ask(&GetParametersRequest { names: names.map(String::from).to_vec() })?;
    let texts: Vec<String> = answer.values.into_iter().map(|value| value.string_value).collect();
    let [urdf, srdf, surfaces] = <[String; 3]>::try_from(texts).map_err(|texts| {
        let count = texts.len();
        Failure::Other(format!("{} returned {count} values, asked for 3", service.name))
    })?;
    if urdf.is_empty() {
        program.note(format_args!(
            "{node} does not have the parameter robot_description: using the bundled hands"
        ));
        let none = || Failure::Other("there is no robot".into());
        return bundled.pop().ok_or_else(none);
    }
    robots::described(&Description { urdf, srdf: Some(srdf), surfaces }, bundled)
}
