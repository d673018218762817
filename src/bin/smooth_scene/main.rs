//! The command line of `smooth_scene`.

mod answer;
mod args;
mod continuous;
mod derivatives;
mod json;
mod lines;
mod progress;
mod query;
mod request;
mod shapes;
mod solve;

use args::{CommandLine, Task};
use clap::Parser;
use std::process::ExitCode;

/// Exit code for a bad command line or a file that cannot be read; clap uses the same.
const USAGE_OR_FILE_ERROR: u8 = 2;
/// Exit code when at least one line was answered with an error.
const SOME_LINE_FAILED: u8 = 1;

fn main() -> ExitCode {
    let Task::Query(arguments) = CommandLine::parse().task;
    match query::run(&arguments) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(SOME_LINE_FAILED),
        Err(failure) => {
            eprintln!("smooth_scene: {failure}");
            ExitCode::from(USAGE_OR_FILE_ERROR)
        }
    }
}
