//! Recordings against PyPI `rosbags` and `mcap-ros2-support`: what they write is read, what is written they decode.

use smooth_scene_test_support::robots_venv;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use smooth_scene::bag::{self, Recording, Topic, definition};
use smooth_scene::cdr;
use smooth_scene::interfaces::sensor_msgs::msg::JointState;

/// Messages in each recording of `bags.py write`.
const STEPS: usize = 200;

/// What a script of tests/robots prints.
fn script(name: &str, arguments: &[&Path]) -> String {
    let output = robots_venv::start_script(name, arguments).wait_with_output().unwrap();
    assert!(output.status.success(), "{name} {arguments:?} failed");
    String::from_utf8(output.stdout).unwrap()
}

fn recordings() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    script("bags.py", &[Path::new("write"), folder.path()]);
    folder
}

fn joint_states(path: &Path) -> Recording {
    let wanted = |topic: &Topic| topic.type_name == "sensor_msgs/msg/JointState";
    bag::read(path, &wanted).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Message k of `bags.py`: two publishers in turns, every joint at k / 1000 plus its place.
fn check_message(recording: &Recording, k: usize) {
    let message = &recording.messages[k];
    assert_eq!(message.time, 1_000_000_000 + k as i64 * 10_000_000);
    let state: JointState = cdr::decode(&message.bytes).unwrap();
    let names =
        if k.is_multiple_of(2) { ["shoulder", "elbow"] } else { ["wrist", "of_another_robot"] };
    assert_eq!(state.name, names);
    assert_eq!(state.position, [k as f64 / 1000.0, k as f64 / 1000.0 + 1.0]);
}

#[test]
fn every_form_of_recording_gives_the_same_messages() {
    let folder = recordings();
    let names = [
        "sqlite3",
        "sqlite3_file",
        "sqlite3_message",
        "mcap",
        "mcap_file",
        "mcap_message",
        "mcap_storage",
        "split",
        "lz4.mcap",
        "zstd.mcap",
        "plain.mcap",
        // Single files of folders.
        "sqlite3/sqlite3.db3",
        "sqlite3_file/sqlite3_file.db3.zstd",
        "mcap_file/mcap_file.mcap.zstd",
    ];
    for name in names {
        let recording = joint_states(&folder.path().join(name));
        assert_eq!(recording.problems, [""; 0], "{name}");
        assert_eq!(recording.messages.len(), STEPS, "{name}");
        (0..STEPS).for_each(|k| check_message(&recording, k));
    }
    // Only what is wanted is kept, everything is named.
    let topics = joint_states(&folder.path().join("mcap")).topics;
    let names: Vec<&str> = topics.iter().map(|topic| topic.name.as_str()).collect();
    assert!(names.contains(&"/chatter") && names.contains(&"/joint_states"), "{names:?}");
}

/// A copy of a file that ends after a share of its bytes.
fn cut(file: &Path, share: f64, into: &Path) -> PathBuf {
    let bytes = std::fs::read(file).unwrap();
    let target = into.join(file.file_name().unwrap());
    std::fs::write(&target, &bytes[..(bytes.len() as f64 * share) as usize]).unwrap();
    target
}

#[test]
fn what_is_there_of_a_file_that_was_cut_is_read_and_the_rest_reported() {
    let folder = recordings();
    let work = tempfile::tempdir().unwrap();
    for name in ["plain.mcap", "lz4.mcap", "zstd.mcap", "sqlite3/sqlite3.db3"] {
        for share in [0.5, 0.9] {
            let path = cut(&folder.path().join(name), share, work.path());
            let recording = joint_states(&path);
            assert_eq!(recording.problems.len(), 1, "{name} {share}: {:?}", recording.problems);
            let count = recording.messages.len();
            // Indices at the end of a file are no messages, so half of the bytes are not half of the messages; the
            // first half of a small SQLite file is all head and tables.
            let least = if name.ends_with(".db3") && share < 0.9 { 0 } else { 20 };
            assert!((least..=STEPS).contains(&count), "{name} {share}: {count}");
            (0..count).for_each(|k| check_message(&recording, k));
        }
    }
}

#[test]
fn a_folder_with_a_missing_or_a_foreign_file_and_one_without_metadata_are_read_as_far_as_possible()
{
    let folder = recordings();
    let split = folder.path().join("split");
    std::fs::remove_file(split.join("split_3.mcap")).unwrap();
    std::fs::write(split.join("split_4.mcap"), "no recording").unwrap();
    let recording = joint_states(&split);
    assert_eq!(recording.messages.len(), STEPS - 32);
    assert_eq!(recording.problems.len(), 2, "{:?}", recording.problems);
    assert!(recording.problems[0].contains("split_3"), "{:?}", recording.problems);
    assert!(recording.problems[1].contains("neither MCAP nor SQLite3"));

    // Without metadata files are taken by name, _10 after _9.
    std::fs::remove_file(split.join("metadata.yaml")).unwrap();
    let recording = joint_states(&split);
    assert_eq!(recording.messages.len(), STEPS - 32);
    assert!(recording.problems[0].contains("no metadata.yaml"), "{:?}", recording.problems);
}

#[test]
fn what_is_no_recording_is_an_error_that_names_it() {
    let folder = tempfile::tempdir().unwrap();
    let wanted = |_: &Topic| true;
    let error = bag::read(folder.path(), &wanted).unwrap_err().to_string();
    assert!(error.contains("no recording"), "{error}");
    let error = bag::read(&folder.path().join("absent.mcap"), &wanted).unwrap_err().to_string();
    assert!(error.contains("absent.mcap"), "{error}");
    // What is packed and cut so early that nothing comes out is not something else.
    let packed = folder.path().join("packed.mcap.zstd");
    std::fs::write(&packed, b"\x28\xb5\x2f\xfd\x04").unwrap();
    let error = bag::read(&packed, &wanted).unwrap_err().to_string();
    assert!(error.contains("packed.mcap.zstd: nothing of it can be decompressed: "), "{error}");
    let text = folder.path().join("text.mcap");
    std::fs::write(&text, "text").unwrap();
    let error = bag::read(&text, &wanted).unwrap_err().to_string();
    assert!(error.contains("neither MCAP nor SQLite3"), "{error}");
}

/// Bytes of recordings, changed here and there: an error that names the file, or what is left. Of what is lost without a
/// checksum nobody can know, but nothing is lost or doubled without a word.
#[test]
fn damaged_files_give_an_error_or_what_is_left() {
    let folder = recordings();
    let work = tempfile::tempdir().unwrap();
    let mut seed = 1u64;
    let mut next = move || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize
    };
    for name in [
        "plain.mcap",
        "lz4.mcap",
        "zstd.mcap",
        "sqlite3/sqlite3.db3",
        "mcap_file/mcap_file.mcap.zstd",
    ] {
        let whole = std::fs::read(folder.path().join(name)).unwrap();
        let total = bag::read(&folder.path().join(name), &|_| true).unwrap().messages.len();
        for _ in 0..40 {
            let mut bytes = whole.clone();
            for _ in 0..8 {
                let at = 16 + next() % (bytes.len() - 16);
                bytes[at] = next() as u8;
            }
            let path = work.path().join("damaged");
            std::fs::write(&path, &bytes).unwrap();
            match bag::read(&path, &|_| true) {
                Ok(recording) => {
                    let (count, problems) = (recording.messages.len(), &recording.problems);
                    assert!(count <= total, "{name}: {count} messages of {total}");
                    let complete = count == total || !problems.is_empty();
                    assert!(complete, "{name}: {count} of {total}, and no problem is named");
                }
                Err(error) => assert!(error.to_string().contains("damaged"), "{name}: {error}"),
            }
        }
    }
}

#[test]
fn the_movement_as_a_recording_is_decoded_by_both_packages_completely() {
    let work = tempfile::tempdir().unwrap();
    let folder = work.path().join("grasp");
    let run = Command::new(env!("CARGO_BIN_EXE_joint_sweep"))
        .args(["--steps", "20", "--record"])
        .arg(&folder)
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    check_decoded(&folder, 21);
}

/// The one that is in the repository: `joint_sweep --record config/two_hand_grasp_bag --steps 100` makes it.
#[test]
fn the_committed_recording_is_what_the_command_writes() {
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("config/two_hand_grasp_bag");
    let old = check_decoded(&committed, 101);
    let (kept, states) = (joint_states(&committed), 101);
    let work = tempfile::tempdir().unwrap();
    let folder = work.path().join("two_hand_grasp_bag");
    let run = Command::new(env!("CARGO_BIN_EXE_joint_sweep"))
        .args(["--steps", "100", "--record"])
        .arg(&folder)
        .status()
        .unwrap();
    assert!(run.success());
    assert_eq!((joint_states(&folder), kept.messages.len()), (kept, states));
    // Distances are those of a search that may end a little elsewhere in the next version.
    let new = check_decoded(&folder, 101);
    assert!(is_close(&old["rosbags"], &new["rosbags"]), "make the recording anew");
}

/// The same, but for numbers that differ by less than a proof allows.
fn is_close(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) if a.is_f64() && b.is_f64() => {
            (a.as_f64().unwrap() - b.as_f64().unwrap()).abs() < 1e-8
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_close(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            let same = |(key, a)| b.get(key).is_some_and(|b| is_close(a, b));
            a.len() == b.len() && a.iter().all(same)
        }
        _ => a == b,
    }
}

/// Both packages decode every message of a recorded movement of this many states, and find the same in it.
fn check_decoded(folder: &Path, states: usize) -> Value {
    let printed = script("bags.py", &[Path::new("decode"), folder]);
    let found: Value = serde_json::from_str(&printed).unwrap();
    let count = |package: &str, topic: &str| found[package][topic].as_array().unwrap().len();
    for package in ["rosbags", "mcap_ros2"] {
        for topic in ["/robot_description", "/robot_description_semantic"] {
            assert_eq!(count(package, topic), 1, "{package} {topic}");
        }
        for topic in ["/joint_states", "/tf", "/scene_node/proximities"] {
            assert_eq!(count(package, topic), states, "{package} {topic}");
        }
    }
    assert_eq!(found["rosbags"], found["mcap_ros2"]);
    // Markers of one state may come in several messages: the surfaces at the start do.
    let markers = count("rosbags", "/scene_node/markers");
    assert!(markers >= states, "{markers}");
    assert_eq!(found["count"], 3 * states + 2 + markers);
    let shown = &found["rosbags"]["/scene_node/markers"];
    let points = |message: &Value| message[1][1].as_u64().unwrap();
    assert!(points(&shown[0]) > 1000, "the surfaces come first: {}", shown[0]);
    assert!(points(&shown[markers - 1]) > 0, "and lines between near points to the end");
    assert_eq!(found["duration"], 10_000_000_001i64);
    // Contacts at the end, none at the start; sums of positions as they were written.
    let near = found["rosbags"]["/scene_node/proximities"].as_array().unwrap();
    assert_eq!((&near[0][1][0], &near[states - 1][1][0]), (&Value::from(1), &Value::from(2)));
    let recording = joint_states(folder);
    for (message, theirs) in
        recording.messages.iter().zip(found["rosbags"]["/joint_states"].as_array().unwrap())
    {
        let state: JointState = cdr::decode(&message.bytes).unwrap();
        let sum: f64 = state.position.iter().sum();
        assert!((sum - theirs[1].as_f64().unwrap()).abs() < 1e-12);
    }
    found
}

/// The types that recordings of ours contain.
const RECORDED: [&str; 7] = [
    "diagnostic_msgs/msg/DiagnosticArray",
    "rosgraph_msgs/msg/Clock",
    "sensor_msgs/msg/JointState",
    "smooth_scene/msg/ProximityArray",
    "std_msgs/msg/String",
    "tf2_msgs/msg/TFMessage",
    "visualization_msgs/msg/MarkerArray",
];

#[test]
fn definitions_are_those_of_rosbags() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let arguments: Vec<&Path> = [root].into_iter().chain(RECORDED.map(Path::new)).collect();
    let printed = script("message_definitions.py", &arguments);
    let found: Value = serde_json::from_str(&printed).unwrap();
    let all = found.as_object().unwrap();
    assert_eq!(all.len(), RECORDED.len());
    for (name, expected) in all {
        let ours = definition(name).unwrap_or_else(|| panic!("{name} has no definition"));
        assert_eq!(
            (ours.text, ours.hash),
            (expected[0].as_str().unwrap(), expected[1].as_str().unwrap())
        );
    }
}
