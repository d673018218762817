//! `smooth_scene sweep` and `joint_sweep`: replays a movement, times every query, checks every answer.

pub(crate) mod args;
mod benchmark;
mod compare;
mod contact_space;
mod diagnostics;
mod disagreements;
mod failure;
mod figures;
mod grasp;
mod grasp_tables;
mod grid;
mod intersecting_pairs;
mod joint_state;
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
mod progress;
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
mod svg;
mod target_node;

use super::{INTERRUPTED, Program};
use crate::transport::ros_args::RosArgs;
use args::{Question, ReplayArguments, SweepArguments, Task};
use failure::Failure;
use grasp::Run;
use measure::Stopped;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Signals within this time are one.
const AT_ONCE: Duration = Duration::from_millis(200);

/// Runs the task of the arguments.
pub(crate) fn run(
    program: Program,
    line: &SweepArguments,
    ros: &RosArgs,
) -> Result<ExitCode, Failure> {
    let interrupted = listen_to_signals().map_err(|e| Failure::Other(e.to_string()))?;
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
    // Ctrl-C is how a movement that is published ends; a measurement it cuts short.
    let cut_short = stopped() && !line.replay.live;
    Ok(if cut_short { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

/// The first Ctrl-C ends the measuring, and what was measured is printed; a later one ends the program. Launchers send a
/// signal to all their programs after the terminal has: what comes at once counts as one.
fn listen_to_signals() -> std::io::Result<Arc<AtomicBool>> {
    let [interrupted, impatient] = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        signal_hook::flag::register_conditional_default(signal, impatient.clone())?;
        signal_hook::flag::register(signal, interrupted.clone())?;
    }
    let first = interrupted.clone();
    std::thread::Builder::new().name("signals".into()).spawn(move || {
        while !first.load(Ordering::Relaxed) {
            std::thread::sleep(AT_ONCE);
        }
        std::thread::sleep(AT_ONCE);
        impatient.store(true, Ordering::Relaxed);
    })?;
    Ok(interrupted)
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
    let Some(robot) = robots.last() else { return Ok(()) };
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
    let Some(robot) = robots.last() else { return Ok(()) };
    let pairs = intersecting_pairs::uncertified_pairs(
        robot,
        &movement::grasp(robot, None)?.states,
        stopped,
    )?;
    let name = match question {
        Question::Nothing => "",
        Question::YesNo => methods::YES_NO,
        Question::Depth => methods::DEPTH,
        Question::Warm => methods::WARM,
        Question::Certified => methods::CERTIFIED,
    };
    let contacts = methods::ours().into_iter().find(|method| method.name == name).map(|method| {
        let asked = pairs.iter().take_while(|_| !stopped());
        asked.filter(|pair| std::hint::black_box((method.ask)(pair)).contact).count()
    });
    if stopped() {
        return Err(Failure::Stopped("before all pairs were asked about".into()));
    }
    report::print(&format!("{} pairs, {} in contact\n", pairs.len(), contacts.unwrap_or(0)))
}
