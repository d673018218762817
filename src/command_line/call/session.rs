//! Many requests on standard input, one a line; one answer a line.

use super::verdict::Verdict;
use crate::command_line::line_output::LineOutput;
use crate::command_line::lines::{Lines, MAX_LINE_BYTES, NextLine};
use std::fmt::Display;
use std::io::{self, BufReader, Read, Write};

/// Why a session ended early.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SessionFailure {
    #[error("no request on standard input; `{{}}` is an empty one")]
    NoRequest,
    #[error("cannot read standard input: {0}")]
    Input(io::Error),
    #[error("cannot write the answers: {0}")]
    Output(io::Error),
    #[error("cannot watch for Ctrl-C: {0}")]
    Signals(io::Error),
}

/// The answer to one line.
pub(crate) struct Exchange {
    /// A line of JSON.
    pub line: String,
    pub verdict: Verdict,
}

impl Exchange {
    /// For a line that has no answer.
    pub fn failed(error: &dyn Display) -> Self {
        let line = serde_json::json!({"error": error.to_string()});
        Self { line: format!("{line}\n"), verdict: Verdict::Refused }
    }
}

/// Requests coming in and answers going out.
pub(crate) struct Session<R, W> {
    lines: Lines<BufReader<R>>,
    output: LineOutput<W>,
}

impl<R: Read, W: Write + Send + 'static> Session<R, W> {
    /// From now on Ctrl-C ends the program after a whole line.
    pub fn start(input: R, output: W) -> Result<Self, SessionFailure> {
        let output = LineOutput::new(output);
        output.end_on_interrupt().map_err(SessionFailure::Signals)?;
        Ok(Self { lines: Lines::new(BufReader::new(input)), output })
    }

    /// Answers every line that is not blank. Done if every answer is.
    pub fn run<E: From<SessionFailure>>(
        mut self,
        mut answer: impl FnMut(&str) -> Result<Exchange, E>,
    ) -> Result<Verdict, E> {
        let mut text = Vec::new();
        let (mut count, mut all) = (0_u64, Verdict::Done);
        loop {
            let exchange = match self.lines.read(&mut text).map_err(SessionFailure::Input)? {
                NextLine::End if count == 0 => return Err(SessionFailure::NoRequest.into()),
                NextLine::End => return Ok(all),
                NextLine::TooLong => {
                    let mebibytes = MAX_LINE_BYTES >> 20;
                    Exchange::failed(&format_args!("the line is longer than {mebibytes} MiB"))
                }
                NextLine::Complete => match std::str::from_utf8(&text) {
                    Ok(text) if text.trim().is_empty() => continue,
                    Ok(text) => answer(text)?,
                    Err(_) => Exchange::failed(&"the line is not UTF-8"),
                },
            };
            count += 1;
            if exchange.verdict == Verdict::Refused {
                all = Verdict::Refused;
            }
            // The other end may wait for this answer before it asks again.
            let written = self.output.push(exchange.line.as_bytes());
            written.and_then(|()| self.output.flush()).map_err(SessionFailure::Output)?;
        }
    }
}
