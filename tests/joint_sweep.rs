//! The benchmark program end to end.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn run(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_joint_sweep"))
        .args(words)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap()
}

fn succeeded(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// The rows of a results file, section by section.
fn rows(folder: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join("benchmarks/results.json")).unwrap();
    let whole: Value = serde_json::from_str(&text).unwrap();
    let sections = whole["sections"].as_array().unwrap();
    sections.iter().flat_map(|section| section["rows"].as_array().unwrap().clone()).collect()
}

#[test]
fn the_grasp_is_replayed_checked_and_saved() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let printed = succeeded(&run(&["--steps", "40", "--sweeps", "1", "--out", out]));
    for name in ["superellipsoids", "superovoids", "mixed"] {
        assert!(printed.contains(&format!("- {name}: config/two_hand_grasp.yaml, 41 states")));
    }
    let rows = rows(folder.path());
    let ours: Vec<&Value> =
        rows.iter().filter(|row| row["method"].as_str().unwrap().starts_with("ours")).collect();
    assert_eq!(ours.len(), 12);
    for row in ours {
        assert!(row["micros"]["count"].as_u64().unwrap() > 100, "{row}");
        assert_eq!((&row["wrong_decisions"], &row["unconverged"]), (&0.into(), &0.into()), "{row}");
        if row["method"] == "ours: depth" {
            assert_eq!(row["off"], 0, "{row}");
        }
    }
    for file in ["benchmarks.md", "benchmarks/table_2.csv", "benchmarks/time_distributions.svg"] {
        assert!(folder.path().join(file).is_file(), "{file}");
    }
    let svg =
        std::fs::read_to_string(folder.path().join("benchmarks/time_distributions.svg")).unwrap();
    roxmltree::Document::parse(&svg).unwrap();

    // A file compared with itself has not changed.
    let results = folder.path().join("benchmarks/results.json");
    let results = results.to_str().unwrap();
    assert!(succeeded(&run(&["compare", results, results])).contains("Nothing got slower."));
    // Ten times slower is reported, and the exit code says so.
    let mut whole: Value =
        serde_json::from_str(&std::fs::read_to_string(results).unwrap()).unwrap();
    let mean = &mut whole["sections"][0]["rows"][0]["micros"]["mean"];
    *mean = (mean.as_f64().unwrap() * 10.0).into();
    let slow = folder.path().join("slow.json");
    std::fs::write(&slow, whole.to_string()).unwrap();
    let output = run(&["compare", results, slow.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stdout).unwrap().contains("**slower**"));
}

/// The committed recording is the same movement at 100 steps: it gives the same pairs, with the robot it brings.
#[cfg(feature = "bags")]
#[test]
fn a_recording_replays_as_the_movement_it_was_made_from() {
    let printed = succeeded(&run(&["--from", "config/two_hand_grasp_bag", "--sweeps", "1"]));
    let direct = succeeded(&run(&["--steps", "100", "--sweeps", "1"]));
    let pairs = |text: &str| -> String {
        let line = text.lines().find(|line| line.starts_with("- mixed:")).unwrap();
        line.split(", ").skip(1).collect::<Vec<_>>().join(", ")
    };
    assert_eq!(pairs(&printed), pairs(&direct));
    assert!(!printed.contains("not used"), "{printed}");
}

#[test]
fn bad_input_is_refused_with_its_name() {
    let cases: [(&[&str], &str); 5] = [
        (&["--from", "absent_bag"], "absent_bag"),
        (&["--from", "README.md"], "README.md"),
        (&["--robot", "absent.urdf"], "absent.urdf"),
        (&["compare", "absent.json", "absent.json"], "absent.json"),
        (&["--live", "--rate", "-1"], "rate"),
    ];
    for (words, expected) in cases {
        let output = run(words);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains(expected), "{words:?}: {message}");
    }
}
