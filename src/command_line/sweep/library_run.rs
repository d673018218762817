//! The default run: replays a movement in this process, times and checks every query.

use super::args::ReplayArguments;
use super::failure::Failure;
use super::figures;
use super::grasp::{Grasp, Run, Set};
use super::grasp_tables;
use super::intersecting_pairs::intersecting_pairs;
use super::machine;
use super::measure::Stopped;
use super::movement::{self, Movement};
use super::report::Report;
use super::results::{Results, Section};
use super::robots::{self, Robot};
use crate::command_line::progress::Progress;

/// Note in the tables of an interrupted run.
pub(crate) const STOPPED: &str = "stopped before the end: what was measured until then";

/// Methods of one robot, at most.
const METHODS: usize = 20;

/// The robots to replay: the given one, the one in the recording, or the bundled hands in all representations.
pub(crate) fn robots_of(arguments: &ReplayArguments) -> Result<Vec<Robot>, Failure> {
    if let Some(urdf) = &arguments.robot {
        return Ok(vec![robots::load(urdf, arguments.srdf.as_deref())?]);
    }
    let bundled = robots::bundled()?;
    let described = match &arguments.from {
        Some(path) if !movement::is_yaml(path) => movement::description(path)?,
        _ => None,
    };
    match described {
        Some(texts) => Ok(vec![robots::described(&texts, bundled)?]),
        None => Ok(bundled),
    }
}

/// The movement of a robot.
pub(crate) fn movement_of(arguments: &ReplayArguments, robot: &Robot) -> Result<Movement, Failure> {
    let steps = arguments.steps.map(|steps| steps as usize);
    match &arguments.from {
        Some(path) => movement::load(path, robot, steps, arguments.topic.as_deref()),
        None => movement::grasp(robot, steps),
    }
}

/// Replays, prints and saves.
pub(crate) fn run(arguments: &ReplayArguments, stopped: Stopped) -> Result<(), Failure> {
    let robots = robots_of(arguments)?;
    let run = Run { sweeps: arguments.sweeps as usize, stopped, peers: None };
    let mut progress = Progress::new(Some((robots.len() * (METHODS + 1)) as u64));
    let mut report = Report::new(arguments.out.as_deref());
    let mut grasp = Grasp::default();
    let mut circumstances = machine::circumstances();
    for robot in robots {
        if stopped() {
            break;
        }
        progress.step(format!("{}: certified answers", robot.representation));
        let movement = movement_of(arguments, &robot)?;
        let pairs = intersecting_pairs(&robot, &movement.states, stopped)?;
        let (states, count) = (movement.states.len(), pairs.len());
        let name = robot.representation.clone();
        let words = format!("{}, {states} states, {count} intersecting pairs", movement.name);
        circumstances.push((name, words));
        for note in movement.notes {
            circumstances.push(("not used".into(), note));
        }
        grasp.add(&Set { robot, pairs }, &run, &mut progress);
    }
    drop(progress);
    if stopped() {
        circumstances.push(("note".into(), STOPPED.into()));
    }
    report.say("# Joint sweep");
    circumstances.iter().for_each(|(name, value)| report.line(&format!("- {name}: {value}")));
    report.line("");
    report.table("table_2", &grasp_tables::table_2(&grasp.rows));
    if arguments.out.is_some() {
        let svg = figures::distributions("Times of single queries", &grasp.distributions);
        report.figure("time_distributions", "Times of single queries by method", svg)?;
    }
    let sections = vec![Section { name: "grasp".into(), rows: grasp.rows }];
    report.results(&Results { circumstances, sections })?;
    report.finish("benchmarks.md")
}
