//! The command line: `smooth_scene` with its subcommands, and `scene_node` and `joint_sweep`, which are two of them
//! under the names that `ros2 run` and launch files use.
//!
//! It is part of the library so that it is compiled once; each program in `src/bin` calls one function of this module.

mod args;
mod atomic_file;
mod call;
mod check;
mod cloth;
mod demo;
mod fit;
mod grasp;
mod interrupt;
mod joint_state;
mod line_output;
mod lines;
mod load_robot;
mod load_scene;
mod node;
mod plan;
mod print;
mod program;
mod progress;
mod query;
mod reach;
#[cfg(feature = "bags")]
mod recording;
mod robot_args;
#[cfg(feature = "bags")]
mod scene_recording;
mod simulate;
mod srdf;
mod srdf_args;
mod status_name;
mod sweep;
mod table;

use crate::transport::ros_args::RosArgs;
use args::{SmoothSceneArguments, Task};
use call::Verdict;
use clap::{Args, Command};
use program::{IN_COLLISION, Program, REFUSED, SOME_LINE_FAILED, USAGE_OR_FILE_ERROR};
use std::error::Error;
use std::ffi::OsString;
use std::process::ExitCode;

/// The program `smooth_scene`.
pub fn smooth_scene() -> ExitCode {
    let task = |arguments: SmoothSceneArguments| arguments.task.unwrap_or_default();
    run(Program("smooth_scene"), task)
}

/// The program `scene_node`: `smooth_scene node`.
pub fn scene_node() -> ExitCode {
    run(Program("scene_node"), Task::Node)
}

/// The program `joint_sweep`: `smooth_scene sweep`.
pub fn joint_sweep() -> ExitCode {
    run(Program("joint_sweep"), Task::Sweep)
}

/// Reads the arguments of the process as `A` and runs the task they describe.
fn run<A: Args>(program: Program, task: impl FnOnce(A) -> Task) -> ExitCode {
    let (ros, words) = match take_ros_arguments(std::env::args_os().skip(1).collect()) {
        Ok(split) => split,
        Err(failure) => return program.failed(&*failure, USAGE_OR_FILE_ERROR),
    };
    let command = Command::new(program.0).version(env!("CARGO_PKG_VERSION"));
    let words = std::iter::once(OsString::from(program.0)).chain(words);
    let matches = A::augment_args(command).get_matches_from(words);
    match A::from_arg_matches(&matches) {
        Ok(arguments) => run_task(program, task(arguments), ros),
        Err(error) => error.exit(),
    }
}

/// Takes what follows `--ros-args` out of the command line. ROS arguments are text; other arguments may be any file name.
fn take_ros_arguments(words: Vec<OsString>) -> Result<(RosArgs, Vec<OsString>), Box<dyn Error>> {
    if !words.iter().any(|word| word == "--ros-args") {
        return Ok((RosArgs::default(), words));
    }
    let text = |word: OsString| {
        word.into_string().map_err(|word| format!("{}: not UTF-8", word.display()))
    };
    let words = words.into_iter().map(text).collect::<Result<Vec<_>, _>>()?;
    let (ros, rest) = RosArgs::take_from(words)?;
    Ok((ros, rest.into_iter().map(OsString::from).collect()))
}

fn run_task(program: Program, task: Task, ros: RosArgs) -> ExitCode {
    let bad_input = |failure: &dyn Error| program.failed(failure, USAGE_OR_FILE_ERROR);
    match task {
        Task::Demo(arguments) => match demo::run(&arguments, &ros) {
            Ok(()) => ExitCode::SUCCESS,
            Err(failure) => bad_input(&failure),
        },
        Task::Node(arguments) => match node::run(&arguments, ros) {
            Ok(()) => ExitCode::SUCCESS,
            Err(failure) => bad_input(&*failure),
        },
        Task::Sweep(arguments) => match sweep::run(program, &arguments, &ros) {
            Ok(code) => code,
            Err(failure) => program.failed(&failure, failure.exit_code()),
        },
        Task::Query(arguments) => match query::run(&arguments) {
            Ok(0) => ExitCode::SUCCESS,
            Ok(_) => ExitCode::from(SOME_LINE_FAILED),
            Err(failure) => bad_input(&failure),
        },
        Task::Check(arguments) => match check::run(program, &arguments) {
            Ok(false) => ExitCode::SUCCESS,
            Ok(true) => ExitCode::from(IN_COLLISION),
            Err(failure) => bad_input(&failure),
        },
        Task::Plan(arguments) => plan::run(program, &arguments),
        Task::Grasp(arguments) => grasp::run(program, &arguments),
        Task::Simulate(arguments) => simulate::run(program, &arguments),
        Task::Cloth(arguments) => cloth::run(program, &arguments),
        Task::Call(arguments) => match call::run(&arguments, &ros) {
            Ok(Verdict::Done) => ExitCode::SUCCESS,
            Ok(Verdict::Refused) => ExitCode::from(REFUSED),
            Err(failure) => bad_input(&failure),
        },
        Task::Fit(arguments) => match fit::run(program, &arguments) {
            Ok(()) => ExitCode::SUCCESS,
            Err(failure) => program.failed(&failure, failure.exit_code()),
        },
        Task::Srdf(arguments) => match srdf::run(program, &arguments) {
            Ok(()) => ExitCode::SUCCESS,
            Err(failure) => program.failed(&failure, failure.exit_code()),
        },
    }
}
