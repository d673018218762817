//! One question → one output line.

use super::input_error::InputError;
use super::request::{self, RequestId};
use super::settings::Settings;
use super::shape_cache::ShapeCache;
use super::solve::{Answer, solve};
use serde::Serialize;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Outcome of one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LineOutcome {
    Answered,
    Failed,
}

#[derive(Debug, Serialize)]
struct AnswerLine<'a> {
    id: &'a RequestId,
    #[serde(flatten)]
    answer: Answer,
}

#[derive(Debug, Serialize)]
struct ErrorLine<'a> {
    id: &'a RequestId,
    error: String,
}

/// Answers one line and appends the output line to `output`.
pub(crate) fn answer_line(
    line: &[u8],
    line_number: u64,
    settings: &Settings,
    shapes: &ShapeCache,
    output: &mut Vec<u8>,
) -> LineOutcome {
    // Some editors start a file with a byte order mark.
    let line = match line.strip_prefix(b"\xEF\xBB\xBF") {
        Some(rest) if line_number == 1 => rest,
        _ => line,
    };
    let (id, request) = request::parse(line, line_number, shapes);
    let start = output.len();
    let outcome = request.and_then(|request| {
        // A bug that one line triggers must not end the whole run.
        match catch_unwind(AssertUnwindSafe(|| solve(&request, settings))) {
            Ok(answer) => answer,
            Err(_) => Err(InputError("the solver failed; please report this line".to_owned())),
        }
    });
    let written = match outcome {
        Ok(answer) => serde_json::to_writer(&mut *output, &AnswerLine { id: &id, answer })
            .map(|()| output.push(b'\n'))
            .map_err(|error| InputError(format!("the answer cannot be written: {error}"))),
        Err(error) => Err(error),
    };
    match written {
        Ok(()) => LineOutcome::Answered,
        Err(error) => {
            output.truncate(start);
            error_line(&id, line_number, &error, output)
        }
    }
}

/// Appends the output line of a question that cannot be answered.
pub(crate) fn error_line(
    id: &RequestId,
    line_number: u64,
    error: &InputError,
    output: &mut Vec<u8>,
) -> LineOutcome {
    let line = ErrorLine { id, error: format!("line {line_number}: {error}") };
    serde_json::to_writer(&mut *output, &line).expect("texts and numbers can be written to memory");
    output.push(b'\n');
    LineOutcome::Failed
}
