//! `check --states`: one line of output a state, in the order of the file.

use super::args::CheckArguments;
use super::failure::CheckFailure;
use super::finding::{Finding, Search};
use super::loaded::Loaded;
use super::{json, state_file};
use crate::command_line::line_output::LineOutput;
use crate::command_line::program::Program;
use crate::command_line::progress::Progress;
use crate::robot::RobotState;
use crate::scene::{SceneError, Workspace};
use rayon::prelude::*;
use std::io::{self, IsTerminal};
use std::path::Path;

/// States that are checked between two writes: some tens of milliseconds of work.
const BATCH: usize = 256;

/// Checks every state of a file and prints a line for each; returns whether any is in collision.
pub(crate) fn run(
    program: Program,
    arguments: &CheckArguments,
    loaded: &Loaded,
    path: &Path,
) -> Result<bool, CheckFailure> {
    let states = state_file::read(path, &loaded.state)?.states;
    for note in &loaded.notes {
        program.note(note);
    }
    let mut colliding = 0;
    match check(arguments, loaded, &states, &mut colliding) {
        // The reader has closed the pipe, as in `… | head`. What was found holds; states that were not checked are
        // not free, so that without a contact this stays an error.
        Err(CheckFailure::Output(error))
            if error.kind() == io::ErrorKind::BrokenPipe && colliding > 0 =>
        {
            Ok(true)
        }
        checked => checked.map(|()| colliding > 0),
    }
}

/// Checks states, prints a line for each, and counts those in collision.
fn check(
    arguments: &CheckArguments,
    loaded: &Loaded,
    states: &[(u64, RobotState)],
    colliding: &mut usize,
) -> Result<(), CheckFailure> {
    let output = LineOutput::new(io::stdout());
    output.end_on_interrupt().map_err(CheckFailure::Signals)?;
    // Lines on the terminal tell the progress themselves.
    let shown = (!io::stdout().is_terminal()).then_some(states.len() as u64);
    let mut progress = Progress::new(shown);
    let search = Search::new(arguments, 1);
    if !arguments.json {
        output.push(HEADING.as_bytes()).map_err(CheckFailure::Output)?;
    }
    let mut done = 0;
    for batch in states.chunks(BATCH) {
        let found: Vec<Result<Finding, SceneError>> = batch
            .par_iter()
            .map_init(Workspace::cold, |ws, (_, state)| {
                search.find(&loaded.scene, &loaded.maps, state.positions(), ws)
            })
            .collect();
        for ((line, state), finding) in batch.iter().zip(found) {
            let finding = finding?;
            done += 1;
            *colliding += usize::from(finding.in_collision());
            let text = match arguments.json {
                true => json::state_line(loaded, done, *line, state, &finding),
                false => text_line(loaded, done, state, &finding),
            };
            output.push(text.as_bytes()).map_err(CheckFailure::Output)?;
        }
        progress.update(done as u64, format_args!("{done} states, {colliding} in collision"));
        output.flush().map_err(CheckFailure::Output)?;
    }
    drop(progress);
    if !arguments.json {
        let free = done - *colliding;
        let summary = format!("{done} states: {free} free, {colliding} in collision\n");
        output.push(summary.as_bytes()).map_err(CheckFailure::Output)?;
    }
    output.flush().map_err(CheckFailure::Output)
}

const HEADING: &str = "   state  verdict       distance/m  bodies\n";

fn text_line(loaded: &Loaded, number: usize, state: &RobotState, finding: &Finding) -> String {
    let verdict = if finding.in_collision() { "collision" } else { "free" };
    let pair = finding.closest().map(|pair| {
        let names = [pair.body_a, pair.body_b].map(|body| loaded.scene.body_name(body));
        (pair.distance.distance, names)
    });
    let map = finding.maps.first().map(|map| (map.lower, [map.body.as_str(), &map.map]));
    let closest = match pair.into_iter().chain(map).min_by(|p, q| p.0.total_cmp(&q.0)) {
        None => format!("{:>13}", "-"),
        // Adding zero turns −0 into 0.
        Some((distance, [a, b])) => format!("{:>13.9}  {a} {b}", distance + 0.0),
    };
    let breaches: Vec<&str> = state
        .limit_breaches()
        .iter()
        .map(|breach| loaded.model().joint(breach.joint).name.as_str())
        .collect();
    let breaches = match breaches.is_empty() {
        true => String::new(),
        false => format!("  outside limits: {}", breaches.join(", ")),
    };
    format!("{number:>8}  {verdict:<9}  {closest}{breaches}\n")
}
