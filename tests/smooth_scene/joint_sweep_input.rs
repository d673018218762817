//! What `joint_sweep` replays: JointTrajectory files and recordings, good and bad, and what it records.

use std::path::Path;
use std::process::{Command, Output, Stdio};

const URDF: &str = "urdf/icub_arms_hands_mixed.urdf";
const SRDF: &str = "urdf/icub_arms_hands.srdf";

fn sweep() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_joint_sweep"));
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    command
}

/// One sweep over the movement at a path, with the mixed hands.
fn replay(path: &Path, words: &[&str]) -> Output {
    let mut command = sweep();
    command.args(["--sweeps", "1", "--robot", URDF, "--srdf", SRDF, "--from"]);
    command.arg(path).args(words).output().unwrap()
}

fn printed(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn refusal(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(output.stdout, b"", "nothing is measured");
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// States and intersecting pairs, as the line of the robot says.
fn counts(report: &str) -> [usize; 2] {
    let line = report.lines().find(|line| line.contains(" intersecting pairs")).unwrap();
    let number = |after: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let place = words.iter().position(|word| word.starts_with(after)).unwrap();
        words[place - 1].parse().unwrap()
    };
    [number("states"), number("intersecting")]
}

/// As `ros2 topic echo` prints a message.
const ECHOED: &str = "header:
  stamp:
    sec: 0
    nanosec: 0
  frame_id: ''
joint_names:
- r_index_flex_1
- l_index_flex_1
points:
- positions:
  - 0.0
  - 0.0
  velocities: []
  accelerations: []
  effort: []
  time_from_start:
    sec: 0
    nanosec: 0
- positions:
  - 0.5
  - 1.0
  velocities: []
  accelerations: []
  effort: []
  time_from_start:
    sec: 2
    nanosec: 500000000
---
";

#[test]
fn a_printed_joint_trajectory_is_replayed_and_a_bad_one_refused_with_file_and_field() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("echoed.yaml");
    std::fs::write(&file, ECHOED).unwrap();
    assert_eq!(counts(&printed(&replay(&file, &[])))[0], 401);
    assert_eq!(counts(&printed(&replay(&file, &["--steps", "7"])))[0], 8);

    let cases = [
        ("  - 1.0\n", "", "document 1.points[1].positions: has 1 entries, must have 2"),
        ("  - 1.0\n", "  - .nan\n", "document 1.points[1].positions[1]: is NaN, must be finite"),
        ("    sec: 2\n", "    sec: -2\n", "must be later than 0"),
        ("- l_index_flex_1", "- tail", "points[0]: `tail`: no such joint"),
        ("joint_names:", "joints:", "document 1: unknown field `joints`, must be one of: header,"),
        (ECHOED, "", "there is no movement in it"),
    ];
    for (good, bad, expected) in cases {
        std::fs::write(&file, ECHOED.replacen(good, bad, 1)).unwrap();
        let said = refusal(&replay(&file, &[]));
        assert!(said.contains("echoed.yaml") && said.contains(expected), "{bad}: {said}");
    }
    std::fs::write(&file, ECHOED).unwrap();
    let said = refusal(&replay(&file, &["--topic", "/joint_states"]));
    assert!(said.contains("echoed.yaml: --topic is of a recording"), "{said}");
    let said = refusal(&replay(&folder.path().join("absent.yaml"), &[]));
    assert!(said.contains("absent.yaml: "), "{said}");
}

/// Who reads what is printed may stop reading: `| head`.
#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let mut command = sweep();
    command.args(["--steps", "2", "--sweeps", "1"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0), "{output:?}");
}

#[cfg(feature = "bags")]
mod recordings {
    use super::*;
    use std::time::Duration;

    use smooth_scene::bag::{BagWriter, RecordedTopic, is_joint_states, read};
    use smooth_scene::cdr;
    use smooth_scene::interfaces::sensor_msgs::msg::JointState;
    use smooth_scene_test_support::signals;

    const GRASP: &str = "config/two_hand_grasp_bag";

    /// The joint states of the committed recording.
    fn grasp() -> Vec<(i64, JointState)> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(GRASP);
        let recording = read(&path, &|topic| is_joint_states(topic, None)).unwrap();
        let state = |bytes: &[u8]| cdr::decode(bytes).unwrap();
        recording.messages.iter().map(|m| (m.time, state(&m.bytes))).collect()
    }

    /// A recording of joint states: when, on which of the topics, what.
    fn record(folder: &Path, topics: &[&str], messages: &[(i64, usize, JointState)]) {
        let topic = |name: &&str| RecordedTopic::new(name, "sensor_msgs/msg/JointState", false);
        let topics: Vec<_> = topics.iter().map(|name| topic(name).unwrap()).collect();
        let mut bag = BagWriter::create(folder, topics).unwrap();
        for (time, topic, state) in messages {
            bag.write(*topic, *time, &cdr::encode(state)).unwrap();
        }
        bag.finish().unwrap();
    }

    /// The joints of a message from one place to another.
    fn part(state: &JointState, from: usize, to: usize) -> JointState {
        let (name, position) = (state.name[from..to].to_vec(), state.position[from..to].to_vec());
        JointState { name, position, header: state.header.clone(), ..JointState::default() }
    }

    #[test]
    fn two_publishers_with_a_part_of_the_joints_each_are_one_movement() {
        let folder = tempfile::tempdir().unwrap();
        let (whole, parts) = (folder.path().join("whole"), folder.path().join("parts"));
        let grasp = grasp();
        let last = &grasp[grasp.len() - 1].1;
        let (half, all) = (last.name.len() / 2, last.name.len());
        let all_at_once: Vec<_> = [last; 2].map(|state| (5, 0, state.clone())).to_vec();
        record(&whole, &["/joint_states"], &all_at_once);
        // The second topic begins later; until then its joints are where they will be first.
        let halves = [(5, 1, part(last, half, all)), (9, 0, part(last, 0, half))];
        record(&parts, &["/right/joint_states", "/left/joint_states"], &halves);
        let expected = counts(&printed(&replay(&whole, &[])));
        assert!(expected[1] > 20, "{expected:?}");
        assert_eq!(counts(&printed(&replay(&parts, &[]))), expected);
        // One of them alone is half of it, and its name may lack the first slash.
        let one = printed(&replay(&parts, &["--topic", "left/joint_states"]));
        assert_eq!(counts(&one)[0], 1);
    }

    #[test]
    fn what_cannot_be_replayed_is_refused_or_said_with_its_place_and_value() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        let state = |names: &[&str], position: &[f64]| JointState {
            name: names.iter().map(|name| name.to_string()).collect(),
            position: position.to_vec(),
            ..JointState::default()
        };
        let topic = ["/joint_states"];
        let other = state(&["shoulder", "elbow"], &[0.0, 1.0]);
        record(&place("other"), &topic, &[(1, 0, other)]);
        record(&place("empty"), &topic, &[]);
        record(&place("velocities"), &topic, &[(1, 0, state(&["r_index_flex_1"], &[]))]);
        let not_a_number = state(&["r_index_flex_1"], &[f64::NAN]);
        record(&place("nan"), &topic, &[(1, 0, not_a_number.clone())]);
        let topics =
            "no joint states to replay; its topics are: /joint_states (sensor_msgs/msg/JointState)";
        let cases = [
            (
                "other",
                "none of its joints is one of robot `icub_arms_hands`: elbow, shoulder;".into(),
            ),
            ("empty", topics.to_string()),
            ("velocities", format!("{topics}; 1 joint states have no positions")),
            (
                "nan",
                "the first at 0.000 s on /joint_states: position of joint `r_index_flex_1` is NaN"
                    .into(),
            ),
        ];
        for (name, expected) in cases {
            let said = refusal(&replay(&place(name), &[]));
            assert!(said.contains(name) && said.contains(&expected), "{name}: {said}");
        }
        let said = refusal(&replay(Path::new(GRASP), &["--topic", "/tf"]));
        assert!(said.contains("no joint states to replay on `/tf`; its topics are: "), "{said}");
        assert!(said.contains("/tf (tf2_msgs/msg/TFMessage)"), "{said}");

        // One bad message among good ones is left out, and the report says where it was and why.
        let good = state(&["r_index_flex_1", "tail"], &[0.1, 0.2]);
        let short = state(&["r_index_flex_1", "r_index_flex_2"], &[0.1]);
        let second = 1_000_000_000;
        let messages =
            [(second, 0, good.clone()), (2 * second, 0, short), (3 * second, 0, not_a_number)];
        record(&place("some"), &topic, &messages);
        let report = printed(&replay(&place("some"), &[]));
        assert_eq!(counts(&report)[0], 1);
        let expected = "- not used: 2 joint states were not used, the first at 2.000 s on /joint_states: \
                        joint_state has 2 names and 1 positions";
        assert!(report.contains(expected), "{report}");
        assert!(report.contains("- not used: 1 joints are not of this robot: tail"), "{report}");
    }

    #[test]
    fn a_recording_is_sampled_at_the_steps_asked_for() {
        let report = printed(&replay(Path::new(GRASP), &["--steps", "10"]));
        let words = ["--sweeps", "1", "--robot", URDF, "--srdf", SRDF, "--steps", "10"];
        let direct = printed(&sweep().args(words).output().unwrap());
        assert_eq!((counts(&report), counts(&report)[0]), (counts(&direct), 11));
    }

    /// What a robot of the user's is recorded with brings it back, with its SRDF.
    #[test]
    fn a_recording_of_another_robot_replays_with_the_pairs_it_was_made_from() {
        let folder = tempfile::tempdir().unwrap();
        let bag = folder.path().join("bag");
        let mut urdf =
            std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(URDF)).unwrap();
        urdf.push_str("<!-- no longer the bundled one -->\n");
        let file = folder.path().join("robot.urdf");
        std::fs::write(&file, urdf).unwrap();
        let mut run = sweep();
        run.args(["--robot", file.to_str().unwrap(), "--srdf", SRDF, "--steps", "10", "--record"]);
        let said = printed(&run.arg(&bag).output().unwrap());
        assert!(said.ends_with("bag: 11 states of config/two_hand_grasp.yaml\n"), "{said}");
        let back = sweep().args(["--sweeps", "1", "--from"]).arg(&bag).output().unwrap();
        let direct = sweep()
            .args(["--sweeps", "1", "--robot", URDF, "--srdf", SRDF, "--steps", "10"])
            .output();
        assert_eq!(counts(&printed(&back)), counts(&printed(&direct.unwrap())));
        // A folder that is there is not written to.
        let mut again = sweep();
        let said = refusal(&again.args(["--record"]).arg(&bag).output().unwrap());
        assert!(said.contains("bag: File exists"), "{said}");
    }

    #[test]
    fn a_recording_that_is_interrupted_is_whole_until_then() {
        let folder = tempfile::tempdir().unwrap();
        let bag = folder.path().join("bag");
        let mut command = sweep();
        command.args(["--steps", "300000", "--record"]).arg(&bag);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let file = bag.join("bag_0.mcap");
        while !std::fs::metadata(&file).is_ok_and(|found| found.len() > 100_000) {
            std::thread::sleep(Duration::from_millis(20));
        }
        signals::interrupt(&child);
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(130), "{said}");
        let states: usize = said.split(' ').nth(1).unwrap().parse().unwrap();
        assert!(states > 0 && said.contains(&format!("{states} of 300001 states of ")), "{said}");
        let recording = read(&bag, &|topic| is_joint_states(topic, None)).unwrap();
        assert_eq!((recording.messages.len(), recording.problems), (states, Vec::new()));
    }
}
