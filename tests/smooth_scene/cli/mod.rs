//! The command line, end to end: the binary is run and its output read.

mod bad_input;
#[cfg(feature = "baselines")]
mod check_maps;
mod check_states;
mod closed_output;
mod interrupted;
mod query_answers;
mod query_mistakes;
mod query_motions;
mod query_options;
mod query_stream;
mod query_times;

use serde_json::Value;
use std::io::Write;
use std::process::{Command, Output, Stdio};

pub(super) const SPHERE: &str = r#"{"shape":{"type":"sphere","radius":1}}"#;

pub(super) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_smooth_scene"));
    command.arg("query").args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs `query -` on `input`.
pub(super) fn query(input: impl Into<Vec<u8>>, arguments: &[&str]) -> Output {
    let mut child = command(&[&["-"], arguments].concat()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.into();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    // The binary may refuse its arguments before it has read anything.
    if let Err(error) = writer.join().unwrap() {
        assert_eq!(error.kind(), std::io::ErrorKind::BrokenPipe);
    }
    output
}

pub(super) fn lines(output: &Output) -> Vec<Value> {
    let text = std::str::from_utf8(&output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

pub(super) fn pair(a: &str, b: &str) -> String {
    format!(r#"{{"id":"x","a":{a},"b":{b}}}"#)
}

pub(super) fn of_shape(shape: &str) -> String {
    pair(&format!(r#"{{"shape":{shape}}}"#), SPHERE)
}

pub(super) fn of_pose(pose: &str) -> String {
    pair(SPHERE, &format!(r#"{{"shape":{{"type":"sphere","radius":1}},"pose":{pose}}}"#))
}

/// A body of this shape at these coordinates.
pub(super) fn body(shape: &str, xyz: [f64; 3]) -> String {
    format!(r#"{{"shape":{shape},"pose":{{"xyz":{xyz:?}}}}}"#)
}

/// The only answer to `line`.
pub(super) fn answer(line: String, arguments: &[&str]) -> Value {
    let mut answers = lines(&query(line, arguments));
    assert_eq!(answers.len(), 1);
    answers.remove(0)
}

#[track_caller]
pub(super) fn assert_close(found: &Value, expected: f64, tolerance: f64) {
    let number = found.as_f64().unwrap_or(f64::NAN);
    assert!((number - expected).abs() <= tolerance, "{found}, expected {expected}");
}

#[track_caller]
pub(super) fn assert_all_close(found: &Value, expected: &[f64], tolerance: f64) {
    let numbers = found.as_array().unwrap();
    assert_eq!(numbers.len(), expected.len(), "{found}");
    for (number, &expected) in numbers.iter().zip(expected) {
        assert_close(number, expected, tolerance);
    }
}

pub(super) const BOX: &str = r#"{"type":"box","size":[2,2,2]}"#;

pub(super) const FLOOR: &str = r#"{"type":"half_space","normal":[0,0,2],"offset":0.5}"#;

pub(super) const BALLS: &str = r#"{"type":"compound","parts":[{"shape":{"type":"sphere","radius":0.5},"pose":{"xyz":[0,3,0]}},{"shape":{"type":"box","size":[1,1,1]},"pose":{"xyz":[0,-3,0]}}]}"#;
