//! `smooth_scene sweep` and `joint_sweep`: replays a movement, times every query, checks every answer.

pub(crate) mod args;
mod benchmark;
mod beside_ours;
mod compare;
mod contact_space;
mod convex_meshes;
mod description;
mod diagnostics;
mod disagreements;
mod failure;
mod figure_5;
mod figures;
mod grasp;
mod grasp_tables;
mod intersecting_pairs;
mod library_run;
mod live;
mod machine;
mod measure;
mod methods;
mod motions;
mod movement;
mod node_run;
mod pair;
#[cfg(feature = "peers")]
mod parry;
mod peer_files;
mod random_pairs;
#[cfg(feature = "bags")]
mod record;
mod report;
mod resolution;
mod results;
mod robots;
mod service_client;
mod service_run;
mod statistics;
pub(crate) mod svg;
mod target_node;

use super::interrupt;
use super::program::{INTERRUPTED, Program};
use crate::transport::ros_args::RosArgs;
use args::{Question, ReplayArguments, SweepArguments, Task};
use failure::Failure;
use grasp::Run;
use measure::Stopped;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

/// Runs the task of the arguments.
pub(crate) fn run(
    program: Program,
    line: &SweepArguments,
    ros: &RosArgs,
) -> Result<ExitCode, Failure> {
    let interrupted = interrupt::watch().map_err(|e| Failure::Other(e.to_string()))?;
    let stopped = || interrupted.load(Ordering::Relaxed);
    match &line.task {
        None => replay(program, &line.replay, ros, &stopped)?,
        Some(Task::Tables(a)) => {
            let run =
                Run { sweeps: a.sweeps as usize, stopped: &stopped, peers: a.peers.as_deref() };
            benchmark::run(a.out.as_deref(), a.random as usize, &run)?;
        }
        Some(Task::Export { folder, random }) => {
            benchmark::export(folder, *random as usize, &stopped)?;
        }
        Some(Task::Compare { before, after }) => {
            return Ok(ExitCode::from(u8::from(compare::run(before, after)?)));
        }
        Some(Task::Disagreements) => disagreements::print(&stopped)?,
        Some(Task::FixedSet { question }) => fixed_set(*question, &stopped)?,
    }
    // Ctrl-C is the normal end of a live run, and an interruption of a measurement.
    let cut_short = stopped() && !line.replay.live;
    Ok(if cut_short { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

fn replay(
    program: Program,
    arguments: &ReplayArguments,
    ros: &RosArgs,
    stopped: Stopped,
) -> Result<(), Failure> {
    match &arguments.record {
        Some(folder) => record_to(program, folder, arguments, stopped),
        None if arguments.service || arguments.live => {
            node_run::run(program, arguments, ros, stopped)
        }
        None => library_run::run(arguments, stopped),
    }
}

/// Records the movement of the last robot: of the bundled hands, the mixed ones.
#[cfg(feature = "bags")]
fn record_to(
    program: Program,
    folder: &std::path::Path,
    arguments: &ReplayArguments,
    stopped: Stopped,
) -> Result<(), Failure> {
    let robots = library_run::robots_of(arguments)?;
    let robot = robots.last().expect("there is always a robot to replay");
    let movement = library_run::movement_of(arguments, robot)?;
    movement.notes.iter().for_each(|note| program.note(note));
    let written = record::write(folder, robot, &movement, stopped)?;
    let all = movement.states.len();
    let all = if written == all { format!("{all}") } else { format!("{written} of {all}") };
    report::print(&format!("{}: {all} states of {}\n", folder.display(), movement.name))
}

#[cfg(not(feature = "bags"))]
fn record_to(
    _: Program,
    folder: &std::path::Path,
    _: &ReplayArguments,
    _: Stopped,
) -> Result<(), Failure> {
    Err(Failure::file(
        folder,
        "recording needs the feature `bags`, which this build was made without",
    ))
}

/// Answers every intersecting pair of the grasp once.
fn fixed_set(question: Question, stopped: Stopped) -> Result<(), Failure> {
    let robots = robots::bundled()?;
    let robot = robots.last().expect("there is always a robot to replay");
    let pairs = intersecting_pairs::uncertified_pairs(
        robot,
        &movement::grasp(robot, None)?.states,
        stopped,
    )?;
    let name = match question {
        Question::Nothing => None,
        Question::YesNo => Some(methods::YES_NO),
        Question::Depth => Some(methods::DEPTH),
        Question::Warm => Some(methods::WARM),
        Question::Certified => Some(methods::CERTIFIED),
    };
    let contacts = name.map_or(0, |name| {
        let method = methods::ours().into_iter().find(|method| method.name == name);
        let method = method.expect("`ours` contains every method of this program");
        let asked = pairs.iter().take_while(|_| !stopped());
        asked.filter(|pair| std::hint::black_box((method.ask)(pair)).contact).count()
    });
    if stopped() {
        return Err(Failure::Stopped("before all pairs were asked about".into()));
    }
    report::print(&format!("{} pairs, {contacts} in contact\n", pairs.len()))
}
