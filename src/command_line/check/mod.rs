//! `smooth_scene check`: is this robot well described, and are these states of it free?

pub(crate) mod args;
mod failure;
mod finding;
pub(crate) mod joint_values;
mod json;
mod loaded;
mod maps;
mod report;
pub(crate) mod state_file;
mod states;

use super::print::print;
use super::program::Program;
use crate::scene::Workspace;
use args::CheckArguments;
use failure::CheckFailure;
use finding::Search;
use loaded::{Checked, Loaded};

/// Nearest pairs that are listed of one state.
const NEAREST: usize = 10;

/// Checks a robot and prints what was found; returns whether it is in collision, in any of its states.
pub(crate) fn run(program: Program, arguments: &CheckArguments) -> Result<bool, CheckFailure> {
    let outcome = match &arguments.states {
        Some(path) => {
            Loaded::new(arguments).and_then(|loaded| states::run(program, arguments, &loaded, path))
        }
        None => one_state(arguments),
    };
    match &outcome {
        // Errors are JSON too; one of writing could not be written either.
        Err(failure) if arguments.json && !matches!(failure, CheckFailure::Output(_)) => {
            print(&json::failure(failure)).map_err(CheckFailure::Output)?;
        }
        _ => {}
    }
    outcome
}

fn one_state(arguments: &CheckArguments) -> Result<bool, CheckFailure> {
    let loaded = Loaded::new(arguments)?;
    let search = Search::new(arguments, NEAREST);
    let (scene, positions) = (&loaded.scene, loaded.state.positions());
    let finding = search.find(scene, &loaded.maps, positions, &mut Workspace::cold())?;
    let checked = Checked { breaches: loaded.state.limit_breaches(), loaded, finding };
    print(&match arguments.json {
        true => json::report(&checked),
        false => report::report(&checked),
    })
    .map_err(CheckFailure::Output)?;
    Ok(checked.finding.in_collision())
}
