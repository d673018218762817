//! Ctrl-C: every line that was written is whole, and the exit code says that there could have been more.

#![cfg(unix)]

use super::{SPHERE, command, pair};
use serde_json::Value;
use smooth_scene_test_support::signals::interrupt;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};

/// Interrupts a program after its first line, and reads the rest of what it writes.
fn interrupted_after_a_line(mut child: Child) -> String {
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    stdout.read_line(&mut first).unwrap();
    interrupt(&child);
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(rest.is_empty() || rest.ends_with('\n'), "{:?}", rest.lines().last());
    rest
}

/// Asks without end, interrupts after a few answers, and reads the rest.
#[test]
fn a_query_in_full_flow_ends_after_a_whole_line() {
    for threads in ["1", "2"] {
        let mut child = command(&["-", "--threads", threads]).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let writer = std::thread::spawn(move || {
            let block = (pair(SPHERE, SPHERE) + "\n").repeat(1000);
            while stdin.write_all(block.as_bytes()).is_ok() {}
        });
        let rest = interrupted_after_a_line(child);
        writer.join().unwrap();
        for line in rest.lines() {
            let answer: Value = serde_json::from_str(line).unwrap();
            assert_eq!(answer["distance"], -2.0);
        }
    }
}

/// Waiting for a question, the program ends at once, and nothing that was asked is left unanswered.
#[test]
fn a_query_that_waits_ends_too() {
    let mut child = command(&["-"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    writeln!(stdin, "{}", pair(SPHERE, SPHERE)).unwrap();
    let mut first = String::new();
    stdout.read_line(&mut first).unwrap();
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn a_check_of_many_states_ends_after_a_whole_line() {
    let urdf = concat!(env!("CARGO_MANIFEST_DIR"), "/urdf/icub_hands_mixed.urdf");
    let folder = tempfile::tempdir().unwrap();
    let states = folder.path().join("states.csv");
    let mut text = String::from("r_hand_x\n");
    for k in 0..200_000 {
        text += &format!("{}\n", f64::from(k) * 1e-6);
    }
    std::fs::write(&states, text).unwrap();
    let child = Command::new(env!("CARGO_BIN_EXE_smooth_scene"))
        .args(["check", urdf, "--json", "--states"])
        .arg(&states)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let rest = interrupted_after_a_line(child);
    for (index, line) in rest.lines().enumerate() {
        let answer: Value = serde_json::from_str(line).unwrap();
        assert_eq!(answer["state"], index + 2);
    }
}
