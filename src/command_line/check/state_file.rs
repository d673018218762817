//! States as comma-separated values: the first line names joints, every other line is a state.

use super::joint_values::{is_known, most_alike, suggestion};
use crate::command_line::lines::{Lines, MAX_LINE_BYTES, NextLine};
use crate::robot::{RobotState, StateError};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

/// Most numbers of a file, all states together: 1 GB of them.
const MAX_NUMBERS: usize = 1 << 27;

/// Why there are no such states.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StateFileFailure {
    #[error("{file}: cannot be read: {reason}")]
    Unreadable { file: String, reason: String },
    #[error("{file}: is empty, must begin with a line of joint names")]
    NoNames { file: String },
    #[error("{file}:{line}: the robot has no joint `{name}`{}", suggestion(.alike))]
    UnknownJoint { file: String, line: u64, name: String, alike: Option<String> },
    #[error(
        "{file}:{line}: has {found} values, must have {expected}, one for each joint in line {names}"
    )]
    Count { file: String, line: u64, found: usize, expected: usize, names: u64 },
    #[error("{file}:{line}: joint `{joint}`: `{value}` is not a number")]
    Number { file: String, line: u64, joint: String, value: String },
    #[error("{file}:{line}: {source}")]
    Refused { file: String, line: u64, source: StateError },
}

/// States and the lines they are in.
#[derive(Debug)]
pub(crate) struct States {
    pub states: Vec<(u64, RobotState)>,
}

/// Reads the states of a file, or of standard input for `-`. Joints that it does not name are those of `base`.
pub(crate) fn read(path: &Path, base: &RobotState) -> Result<States, StateFileFailure> {
    let is_stdin = path == Path::new("-");
    let file = match is_stdin {
        true => "standard input".to_owned(),
        false => path.display().to_string(),
    };
    let unreadable = |error: io::Error| {
        let (file, reason) = (file.clone(), error.to_string());
        StateFileFailure::Unreadable { file, reason }
    };
    let input: Box<dyn Read> = match is_stdin {
        true => Box::new(io::stdin()),
        false => Box::new(File::open(path).map_err(unreadable)?),
    };
    let mut reader =
        Reader { file: file.clone(), lines: Lines::new(BufReader::new(input)), text: Vec::new() };
    let Some((names_line, names)) = reader.next()? else {
        return Err(StateFileFailure::NoNames { file });
    };
    for name in &names {
        if !is_known(base.model(), name) {
            let (name, alike) = (name.clone(), most_alike(base.model(), name));
            return Err(StateFileFailure::UnknownJoint { file, line: names_line, name, alike });
        }
    }
    let mut states = Vec::new();
    while let Some((line, cells)) = reader.next()? {
        if cells.len() != names.len() {
            let (found, expected) = (cells.len(), names.len());
            return Err(StateFileFailure::Count { file, line, found, expected, names: names_line });
        }
        if (states.len() + 1) * base.positions().len() > MAX_NUMBERS {
            let reason = format!("more than {} states", states.len());
            return Err(StateFileFailure::Unreadable { file, reason });
        }
        let mut numbers = Vec::with_capacity(cells.len());
        for (cell, joint) in cells.iter().zip(&names) {
            let Ok(number) = cell.parse::<f64>() else {
                let (joint, value) = (joint.clone(), cell.chars().take(40).collect());
                return Err(StateFileFailure::Number { file, line, joint, value });
            };
            numbers.push(number);
        }
        let mut state = base.clone();
        if let Err(source) = state.merge(&names, &numbers) {
            return Err(StateFileFailure::Refused { file, line, source });
        }
        states.push((line, state));
    }
    Ok(States { states })
}

struct Reader<R> {
    file: String,
    lines: Lines<R>,
    text: Vec<u8>,
}

impl<R: io::BufRead> Reader<R> {
    /// The cells of the next line that is neither blank nor a comment, and its number.
    fn next(&mut self) -> Result<Option<(u64, Vec<String>)>, StateFileFailure> {
        loop {
            let refused =
                |reason: String| StateFileFailure::Unreadable { file: self.file.clone(), reason };
            let next =
                self.lines.read(&mut self.text).map_err(|error| refused(error.to_string()))?;
            let line = self.lines.line_number();
            match next {
                NextLine::End => return Ok(None),
                NextLine::TooLong => {
                    let reason = format!("line {line} is longer than {} MiB", MAX_LINE_BYTES >> 20);
                    return Err(refused(reason));
                }
                NextLine::Complete => {}
            }
            let text = std::str::from_utf8(&self.text)
                .map_err(|_| refused(format!("line {line} is not UTF-8")))?;
            // Spreadsheets begin a file with a byte order mark.
            let text = text.trim_start_matches('\u{feff}').trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            return Ok(Some((line, text.split(',').map(cell).collect())));
        }
    }
}

/// A cell without the spaces and the quotes around it.
fn cell(text: &str) -> String {
    let text = text.trim();
    let unquoted = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    unquoted.unwrap_or(text).to_owned()
}
