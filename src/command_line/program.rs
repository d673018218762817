//! The running program: its name in messages, and its exit codes.

use std::error::Error;
use std::process::ExitCode;

/// Exit code for a bad command line or a file that cannot be read; clap uses the same.
pub(crate) const USAGE_OR_FILE_ERROR: u8 = 2;
/// Exit code when at least one line was answered with an error.
pub(crate) const SOME_LINE_FAILED: u8 = 1;
/// Exit code when the robot is in collision.
pub(crate) const IN_COLLISION: u8 = 1;
/// Exit code when there is no path.
pub(crate) const NO_PATH: u8 = 1;
/// Exit code when a simulation could not go on.
pub(crate) const STOPPED_EARLY: u8 = 1;
/// Exit code when no state has force closure.
pub(crate) const NO_GRASP: u8 = 1;
/// Exit code when the node refused or could not compute.
pub(crate) const REFUSED: u8 = 1;
/// Exit code of a run that was interrupted, as in shells: 128 + SIGINT.
pub(crate) const INTERRUPTED: u8 = 130;

/// Name of the running program, which begins its messages.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Program(pub(crate) &'static str);

impl Program {
    /// Prints a remark about the run to standard error.
    pub fn note(self, text: impl std::fmt::Display) {
        eprintln!("{}: {text}", self.0);
    }

    /// Prints why there is no result, for this exit code.
    pub fn failed(self, failure: &dyn Error, code: u8) -> ExitCode {
        self.note(failure);
        ExitCode::from(code)
    }
}
