//! The command line of `smooth_scene`.

mod answer;
mod args;
mod bundled;
mod call;
mod call_args;
mod check;
mod check_json;
mod check_report;
mod continuous;
mod demo;
mod demo_bag;
mod demo_node;
mod demo_summary;
mod derivatives;
mod joint_values;
mod json;
mod lines;
mod load_robot;
mod progress;
mod query;
mod request;
mod robot_args;
mod ros_yaml;
mod shapes;
mod solve;
mod srdf;
mod table;
mod whole_file;

use args::{CommandLine, Task};
use call::Verdict;
use clap::Parser;
use smooth_scene::transport::ros_args::{ArgsError, RosArgs};
use std::ffi::OsString;
use std::process::ExitCode;

/// Exit code for a bad command line or a file that cannot be read; clap uses the same.
const USAGE_OR_FILE_ERROR: u8 = 2;
/// Exit code when at least one line was answered with an error.
const SOME_LINE_FAILED: u8 = 1;
/// Exit code when the robot is in collision.
const IN_COLLISION: u8 = 1;

/// Exit code when the node refused or could not compute.
const REFUSED: u8 = 1;

fn main() -> ExitCode {
    let (command_line, ros) = match split_ros_arguments(std::env::args_os().collect()) {
        Ok(split) => split,
        Err(failure) => return failed(&failure, USAGE_OR_FILE_ERROR),
    };
    let task = CommandLine::parse_from(command_line).task;
    match task.unwrap_or_else(|| Task::Demo(Default::default())) {
        Task::Demo(arguments) => match demo::run(&arguments, &ros) {
            Ok(()) => ExitCode::SUCCESS,
            Err(failure) => failed(&failure, USAGE_OR_FILE_ERROR),
        },
        Task::Query(arguments) => match query::run(&arguments) {
            Ok(0) => ExitCode::SUCCESS,
            Ok(_) => ExitCode::from(SOME_LINE_FAILED),
            Err(failure) => failed(&failure, USAGE_OR_FILE_ERROR),
        },
        Task::Check(arguments) => match check::run(&arguments) {
            Ok(false) => ExitCode::SUCCESS,
            Ok(true) => ExitCode::from(IN_COLLISION),
            Err(failure) => failed(&failure, USAGE_OR_FILE_ERROR),
        },
        Task::Call(arguments) => match call::run(&arguments, &ros) {
            Ok(Verdict::Done) => ExitCode::SUCCESS,
            Ok(Verdict::Refused) => ExitCode::from(REFUSED),
            Err(failure) => failed(&failure, USAGE_OR_FILE_ERROR),
        },
        Task::Srdf(arguments) => match srdf::run(&arguments) {
            Ok(()) => ExitCode::SUCCESS,
            Err(failure) => failed(&failure, failure.exit_code()),
        },
    }
}

/// Takes what follows `--ros-args` out of the command line.
fn split_ros_arguments(arguments: Vec<OsString>) -> Result<(Vec<OsString>, RosArgs), ArgsError> {
    if !arguments.iter().any(|argument| argument == "--ros-args") {
        return Ok((arguments, RosArgs::default()));
    }
    let text = arguments.into_iter().map(|argument| argument.to_string_lossy().into_owned());
    let (ros, rest) = RosArgs::take_from(text)?;
    Ok((rest.into_iter().map(OsString::from).collect(), ros))
}

fn failed(failure: &dyn std::error::Error, code: u8) -> ExitCode {
    eprintln!("smooth_scene: {failure}");
    ExitCode::from(code)
}
