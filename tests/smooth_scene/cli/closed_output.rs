//! A reader that stops early, as in `… | head`, is not an error, and never turns into a panic or into a wrong verdict.

#![cfg(unix)]

use std::process::{Command, Stdio};

/// Runs the program with a standard output that nobody reads; returns the exit code and what it said.
fn unread(arguments: &[&str]) -> (Option<i32>, String) {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = Command::new(env!("CARGO_BIN_EXE_smooth_scene"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(writer)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn answers_that_nobody_reads_end_quietly_and_keep_the_exit_code() {
    const HANDS: &str = "urdf/icub_hands_mixed.urdf";
    for (arguments, code) in [
        (&["check", HANDS][..], 1),
        (&["check", "examples/files/sliding_ball.urdf"], 0),
        (&["check", HANDS, "--states", "examples/files/states.csv"], 1),
        (&["srdf", HANDS, "--samples", "10"], 0),
        (&["call", "--list"], 0),
        (&["demo", "--once"], 0),
    ] {
        let (found, said) = unread(arguments);
        assert_eq!(found, Some(code), "{arguments:?}: {said}");
        assert!(
            !said.contains("panicked") && !said.contains("Broken pipe"),
            "{arguments:?}: {said}"
        );
    }
}

/// States that were not checked are not free: the run does not end as if they were.
#[test]
fn a_check_that_is_cut_short_is_not_free() {
    let folder = tempfile::tempdir().unwrap();
    let states = folder.path().join("states.csv");
    std::fs::write(&states, "r_hand_x\n".to_owned() + &"-1\n".repeat(5)).unwrap();
    let file = states.to_str().unwrap();
    let arguments =
        ["check", "urdf/icub_hands_mixed.urdf", "--srdf", "urdf/icub_hands.srdf", "--states", file];
    let (code, said) = unread(&arguments);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("cannot write the answer"), "{said}");
}
