//! Runs that go through a scene node: its services, or its topics live.

use crate::args::ReplayArguments;
use crate::asking;
use crate::failure::Failure;
use crate::grasp_tables;
use crate::live::{self, Play};
use crate::machine;
use crate::node_here::{self, NODE};
use crate::replaying::{movement_of, robots_of};
use crate::report::Report;
use crate::results::{Results, Section};
use smooth_scene::ros::transport::ros_args::RosArgs;

/// Measures through a node, prints, saves, and publishes the statistics.
pub(crate) fn run(
    arguments: &ReplayArguments,
    ros: &RosArgs,
    stopped: &dyn Fn() -> bool,
) -> Result<(), Failure> {
    let robots = robots_of(arguments)?;
    let Some(robot) = robots.last() else { return Ok(()) };
    let movement = movement_of(arguments, robot)?;
    let (here, name, place) = match &arguments.node {
        Some(name) => (node_here::join(ros)?, name.as_str(), format!("{name}, over ROS 2")),
        None => {
            let place = "in this process, on the in-process bus".to_string();
            (node_here::start(robot, ros, arguments.sim_time)?, NODE, place)
        }
    };
    let transport = &*here.transport;
    let rows = if arguments.live {
        let rate = arguments.rate;
        let play = Play { rate, repeat: arguments.repeat, sim_time: arguments.sim_time };
        vec![live::play(transport, name, &movement, &play, stopped)?]
    } else {
        asking::rows(transport, name, robot, &movement, stopped)?
    };
    live::publish_statistics(transport, &rows)?;
    let mut circumstances = machine::circumstances();
    let words = format!("{}, {} states", movement.name, movement.states.len());
    circumstances.push((robot.representation.clone(), words));
    circumstances.push(("node".into(), place));
    circumstances.extend(movement.notes.into_iter().map(|note| ("not used".into(), note)));
    let mut report = Report::new(arguments.out.as_deref());
    report.say("# Joint sweep through the node");
    circumstances.iter().for_each(|(name, value)| report.line(&format!("- {name}: {value}")));
    report.line("");
    report.table("node", &grasp_tables::table_2(&rows))?;
    report.results(&Results {
        circumstances,
        sections: vec![Section { name: "node".into(), rows }],
    })?;
    transport.shutdown();
    report.finish("benchmarks.md")
}
