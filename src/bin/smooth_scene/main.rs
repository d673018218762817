//! The command line of `smooth_scene`.

mod answer;
mod args;
mod bundled;
mod check;
mod check_json;
mod check_report;
mod continuous;
mod demo;
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
mod shapes;
mod solve;
mod srdf;
mod table;
mod whole_file;

use args::{CommandLine, Task};
use clap::Parser;
use std::process::ExitCode;

/// Exit code for a bad command line or a file that cannot be read; clap uses the same.
const USAGE_OR_FILE_ERROR: u8 = 2;
/// Exit code when at least one line was answered with an error.
const SOME_LINE_FAILED: u8 = 1;
/// Exit code when the robot is in collision.
const IN_COLLISION: u8 = 1;

fn main() -> ExitCode {
    match CommandLine::parse().task.unwrap_or_else(|| Task::Demo(Default::default())) {
        Task::Demo(arguments) => match demo::run(&arguments) {
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
        Task::Srdf(arguments) => match srdf::run(&arguments) {
            Ok(()) => ExitCode::SUCCESS,
            Err(failure) => failed(&failure, failure.exit_code()),
        },
    }
}

fn failed(failure: &dyn std::error::Error, code: u8) -> ExitCode {
    eprintln!("smooth_scene: {failure}");
    ExitCode::from(code)
}
