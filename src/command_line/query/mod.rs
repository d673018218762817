//! `smooth_scene query`: a stream of questions in, a stream of answers out, in constant memory.

mod answer;
pub(crate) mod args;
mod clock;
mod continuous;
mod derivatives;
mod input_error;
mod numbers;
mod request;
mod settings;
mod shape_cache;
mod solve;

use super::line_output::LineOutput;
use super::lines::{Lines, MAX_LINE_BYTES, NextLine};
use super::progress::Progress;
use answer::{LineOutcome, answer_line, error_line};
use args::{ArgumentError, QueryArguments};
use input_error::InputError;
use rayon::prelude::*;
use settings::Settings;
use shape_cache::ShapeCache;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

/// Bytes read from the input at a time.
const READ_BYTES: usize = 1 << 18;
/// Lines, and bytes of lines, answered together when several threads share the work.
const BATCH_LINES: usize = 1024;
const BATCH_BYTES: usize = 4 << 20;

/// Why a run could not start or had to end early.
#[derive(Debug, thiserror::Error)]
pub(crate) enum QueryFailure {
    #[error(transparent)]
    Arguments(#[from] ArgumentError),
    #[error("cannot read {}: {error}", path.display())]
    Input { path: PathBuf, error: io::Error },
    #[error("cannot write the answers: {0}")]
    Output(io::Error),
    #[error("cannot start {threads} threads: {reason}")]
    Threads { threads: u16, reason: String },
    #[error("cannot watch for Ctrl-C: {0}")]
    Signals(io::Error),
}

/// Answers every line of the file; returns the number of lines that had an error.
pub(crate) fn run(arguments: &QueryArguments) -> Result<u64, QueryFailure> {
    let settings = arguments.settings()?;
    let path = &arguments.file;
    let unreadable = |error| QueryFailure::Input { path: path.clone(), error };
    let (input, total): (Box<dyn Read>, _) = if path == Path::new("-") {
        (Box::new(io::stdin()), None)
    } else {
        let file = File::open(path).map_err(unreadable)?;
        let total = file.metadata().map_err(unreadable)?.len();
        (Box::new(file), Some(total))
    };
    let output = LineOutput::new(io::stdout());
    output.end_on_interrupt().map_err(QueryFailure::Signals)?;
    let stream = Stream {
        lines: Lines::new(BufReader::with_capacity(READ_BYTES, input)),
        output,
        shapes: ShapeCache::default(),
        progress: Progress::new(total),
        failed: 0,
    };
    let ended = if arguments.threads > 1 {
        let threads = arguments.threads;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build();
        let pool =
            pool.map_err(|error| QueryFailure::Threads { threads, reason: error.to_string() })?;
        stream.answer_in_parallel(&settings, &pool)
    } else {
        stream.answer_in_turn(&settings)
    };
    match ended {
        Ok(failed) => Ok(failed),
        Err(StreamError::Read(error)) => Err(unreadable(error)),
        // The reader has closed the pipe, as in `… | head`.
        Err(StreamError::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(0),
        Err(StreamError::Write(error)) => Err(QueryFailure::Output(error)),
    }
}

enum StreamError {
    Read(io::Error),
    Write(io::Error),
}

/// A run in progress.
struct Stream<R, W> {
    lines: Lines<BufReader<R>>,
    output: LineOutput<W>,
    shapes: ShapeCache,
    progress: Progress,
    failed: u64,
}

/// A line to be answered; without text if it was too long.
struct Question {
    line_number: u64,
    text: Option<Vec<u8>>,
}

impl Question {
    fn answer(
        &self,
        settings: &Settings,
        shapes: &ShapeCache,
        output: &mut Vec<u8>,
    ) -> LineOutcome {
        match &self.text {
            Some(text) => answer_line(text, self.line_number, settings, shapes, output),
            None => {
                let error = InputError(format!("longer than {} MiB", MAX_LINE_BYTES >> 20));
                error_line(&self.line_number.into(), self.line_number, &error, output)
            }
        }
    }
}

impl<R: Read, W: Write + Send + 'static> Stream<R, W> {
    /// Reads up to the next line that is not blank, reusing `buffer`.
    fn next(&mut self, mut buffer: Vec<u8>) -> Result<Option<Question>, StreamError> {
        loop {
            // Write all answers before a read that may block.
            if !self.lines.has_buffered_line() {
                self.write()?;
            }
            let next = self.lines.read(&mut buffer).map_err(StreamError::Read)?;
            let line_number = self.lines.line_number();
            self.progress.update(self.lines.bytes_read(), format_args!("{line_number} lines"));
            match next {
                NextLine::End => return Ok(None),
                NextLine::TooLong => return Ok(Some(Question { line_number, text: None })),
                NextLine::Complete if buffer.iter().all(u8::is_ascii_whitespace) => continue,
                NextLine::Complete => {
                    return Ok(Some(Question { line_number, text: Some(buffer) }));
                }
            }
        }
    }

    fn write(&self) -> Result<(), StreamError> {
        self.output.flush().map_err(StreamError::Write)
    }

    fn answer_in_turn(mut self, settings: &Settings) -> Result<u64, StreamError> {
        let (mut buffer, mut answer) = (Vec::new(), Vec::new());
        while let Some(question) = self.next(buffer)? {
            answer.clear();
            let outcome = question.answer(settings, &self.shapes, &mut answer);
            self.failed += u64::from(outcome == LineOutcome::Failed);
            self.output.push(&answer).map_err(StreamError::Write)?;
            // The buffer of a line that was too long is gone.
            buffer = question.text.unwrap_or_default();
        }
        self.write()?;
        Ok(self.failed)
    }

    /// As [`answer_in_turn`](Self::answer_in_turn), a batch at a time, so that the order is kept.
    fn answer_in_parallel(
        mut self,
        settings: &Settings,
        pool: &rayon::ThreadPool,
    ) -> Result<u64, StreamError> {
        loop {
            let mut batch = Vec::new();
            let mut bytes = 0;
            let mut ended = false;
            while batch.len() < BATCH_LINES && bytes < BATCH_BYTES {
                // Do not wait for a full batch.
                if !batch.is_empty() && !self.lines.has_buffered_line() {
                    break;
                }
                let Some(question) = self.next(Vec::new())? else {
                    ended = true;
                    break;
                };
                bytes += question.text.as_ref().map_or(0, Vec::len);
                batch.push(question);
            }
            let shapes = &self.shapes;
            let answers: Vec<(Vec<u8>, LineOutcome)> = pool.install(|| {
                let one = |question: &Question| {
                    let mut output = Vec::new();
                    let outcome = question.answer(settings, shapes, &mut output);
                    (output, outcome)
                };
                batch.par_iter().map(one).collect()
            });
            for (answer, outcome) in answers {
                self.output.push(&answer).map_err(StreamError::Write)?;
                self.failed += u64::from(outcome == LineOutcome::Failed);
            }
            self.write()?;
            if ended {
                return Ok(self.failed);
            }
        }
    }
}
