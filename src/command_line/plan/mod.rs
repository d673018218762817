//! `smooth_scene plan`: a path from one state to another, proven free, or the reason why there is none.

pub(crate) mod args;
mod benchmark;
mod certificate;
mod check_meshes;
mod experiments;
mod failure;
mod json;
mod motion;
mod picture;
mod problems;
mod question;
#[cfg(feature = "bags")]
mod record;
mod states;
mod statistics;
mod summary;
mod timed;
mod verify;

use super::print::print;
use super::program::{INTERRUPTED, NO_PATH, Program, USAGE_OR_FILE_ERROR};
use crate::plan::PlanError;
use args::{PlanArguments, PlanTask};
use failure::PlanFailure;
use std::process::ExitCode;

/// Plans, prints, and says how it ended.
pub(crate) fn run(program: Program, arguments: &PlanArguments) -> ExitCode {
    let (ended, json) = match &arguments.task {
        Some(PlanTask::Benchmark(benchmark)) => {
            (benchmark::run(program, benchmark), benchmark.json)
        }
        Some(PlanTask::Experiments(arguments)) => {
            (experiments::run(program, arguments), arguments.json)
        }
        Some(PlanTask::Verify(arguments)) => (verify::run(program, arguments), arguments.json),
        None => {
            let question = arguments.question.as_ref();
            let question = question.expect("clap requires its options where no subcommand is");
            (question::run(program, question), question.json)
        }
    };
    match ended {
        Ok(code) => code,
        Err(PlanFailure::Plan(PlanError::Cancelled)) => {
            program.note("interrupted");
            ExitCode::from(INTERRUPTED)
        }
        Err(failure) => {
            if json && let Err(error) = print(&format!("{}\n", json::refusal(&failure))) {
                program.note(error);
            }
            program.note(&failure);
            ExitCode::from(match &failure {
                PlanFailure::Plan(error) if !error.is_bad_input() => NO_PATH,
                _ => USAGE_OR_FILE_ERROR,
            })
        }
    }
}
