//! `smooth_scene demo --bag`: recordings in the view, end to end.

use smooth_scene_test_support::viewer;
use std::path::Path;
use std::process::{Command, Output};

fn demo(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_smooth_scene"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).arg("demo").args(arguments);
    command
}

fn refusal(path: &Path) -> String {
    let output: Output = demo(&["--once", "--bag"]).arg(path).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[cfg(not(feature = "bags"))]
#[test]
fn a_build_without_recordings_says_so() {
    let reason = refusal(Path::new("config/two_hand_grasp_bag"));
    assert!(reason.contains("need the feature `bags`"), "{reason}");
}

#[cfg(feature = "bags")]
mod with_recordings {
    use super::*;
    use std::io::{BufRead, BufReader};
    use std::process::{Child, Stdio};

    use smooth_scene::bag::{BagWriter, RecordedTopic};
    use smooth_scene::cdr;
    use smooth_scene::interfaces::sensor_msgs::msg::JointState;
    use smooth_scene::interfaces::std_msgs::msg::String as Text;
    use viewer::Viewer;

    const JOINT_STATE: &str = "sensor_msgs/msg/JointState";
    const TEXT: &str = "std_msgs/msg/String";
    const GRASP: &str = "config/two_hand_grasp_bag";

    /// Ends with the test, however that ends.
    struct Running(Child);

    impl Drop for Running {
        fn drop(&mut self) {
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }

    /// A demo that serves its page, and what it printed first.
    fn start(arguments: &[&str]) -> (Running, String) {
        let mut command = demo(&["--no-ros", "--port", "0"]);
        let mut child = command.args(arguments).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        (Running(child), line)
    }

    fn connect(line: &str) -> Viewer {
        let (_, rest) = line.split_once("http://").unwrap_or_else(|| panic!("no address: {line}"));
        let address = rest.split(['/', ' ']).next().unwrap();
        Viewer::connect(address.parse().unwrap())
    }

    /// A recording of these topics and messages, at one message each 0.1 s.
    fn record(folder: &Path, topics: &[(&str, &str)], messages: &[(usize, Vec<u8>)]) {
        let topic = |&(name, of): &(&str, &str)| RecordedTopic::new(name, of, false).unwrap();
        let topics: Vec<RecordedTopic> = topics.iter().map(topic).collect();
        let mut writer = BagWriter::create(folder, topics).unwrap();
        for (k, (topic, bytes)) in messages.iter().enumerate() {
            writer.write(*topic, k as i64 * 100_000_000, bytes).unwrap();
        }
        writer.finish().unwrap();
    }

    fn joint_state(names: &[&str], position: Vec<f64>) -> Vec<u8> {
        let name = names.iter().map(|name| name.to_string()).collect();
        cdr::encode(&JointState { name, position, ..JointState::default() })
    }

    #[test]
    fn the_recorded_grasp_plays_and_can_be_scrubbed() {
        let (_demo, line) = start(&["--bag", GRASP]);
        assert!(line.starts_with("`icub_arms_hands` of config/two_hand_grasp_bag: "), "{line}");
        let mut viewer = connect(&line);
        let picture = viewer.wait_for("scene", |_| true);
        assert_eq!(picture["robot"], "icub_arms_hands");
        assert_eq!(picture["movement"], serde_json::json!([0.0, 10.0]));
        assert_eq!(picture["can_export"], true);

        // It plays from the start, by itself, and again after its end.
        let first = viewer.wait_for("frame", |frame| frame["playing"] == true);
        let between = serde_json::json!([["r_hand"], ["l_hand"]]);
        assert_eq!(first["table"]["between"], between);
        let time = |frame: &serde_json::Value| frame["time"].as_f64().unwrap();
        viewer.wait_for("frame", |frame| time(frame) > time(&first) + 0.2);
        viewer.send(r#"{"do":"seek","time":10.0}"#);
        viewer.wait_for("frame", |frame| time(frame) == 10.0);
        viewer.send(r#"{"do":"play"}"#);
        viewer.wait_for("frame", |frame| frame["playing"] == true && time(frame) < 5.0);

        // Scrubbed to the start the hands are free, in the middle they are not; the curve knows both.
        viewer.send(r#"{"do":"seek","time":0.0}"#);
        let free = viewer.wait_for("frame", |frame| time(frame) == 0.0);
        assert_eq!((&free["in_collision"], &free["playing"]), (&false.into(), &false.into()));
        viewer.send(r#"{"do":"seek","time":6.0}"#);
        let touching = viewer.wait_for("frame", |frame| time(frame) == 6.0);
        assert_eq!(touching["in_collision"], true);
        let mut other = connect(&line);
        let curve = other.wait_for("curve", |_| true);
        let distances = curve["distances"].as_array().unwrap();
        assert_eq!(distances.len(), 401);
        let at = |share: f64| distances[(share * 400.0) as usize].as_f64().unwrap();
        let least = |frame: &serde_json::Value| frame["pairs"][0]["distance"].as_f64().unwrap();
        assert!((at(0.0) - least(&free)).abs() < 1e-6 && (at(0.6) - least(&touching)).abs() < 1e-6);
        assert!(at(0.0) > 0.0 && at(0.6) < 0.0);
    }

    #[test]
    fn single_files_and_the_summary_work_too() {
        let file = format!("{GRASP}/two_hand_grasp_bag_0.mcap");
        for path in [GRASP, &file] {
            let output = demo(&["--once", "--bag", path]).output().unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            assert!(output.status.success(), "{text}");
            assert!(text.starts_with("icub_arms_hands: "), "{text}");
            assert!(text.contains("101 states in 10 s"), "{text}");
        }
    }

    /// Without a description the bundled robot with these joints is shown; other joints are named and left out.
    #[test]
    fn a_recording_without_a_robot_moves_the_bundled_hands() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bag");
        let message = |value| joint_state(&["r_index_flex_1", "r_hand_x", "tail"], vec![value; 3]);
        record(
            &path,
            &[("/left/joint_states", JOINT_STATE)],
            &[(0, message(0.0)), (0, message(0.1)), (0, message(0.2))],
        );
        let output = demo(&["--once", "--bag"]).arg(&path).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("1 joints are not of this robot: tail"), "{said}");
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.starts_with("icub_hands: ") && text.contains("3 states in 0.2 s"), "{text}");
    }

    /// A robot of its own, without an SRDF: pairs are looked for between all its bodies.
    #[test]
    fn a_recording_brings_its_own_robot() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bag");
        let ball = r#"<collision><geometry><sphere radius="0.1"/></geometry></collision>"#;
        let urdf = format!(
            r#"<robot name="slide"><link name="base">{ball}</link><link name="rail">{ball}</link><link name="cart">{ball}</link>
            <joint name="mount" type="fixed"><parent link="base"/><child link="rail"/><origin xyz="1 0 0"/></joint>
            <joint name="reach" type="prismatic"><parent link="rail"/><child link="cart"/><axis xyz="1 0 0"/>
            <limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>"#
        );
        let description = cdr::encode(&Text { data: urdf });
        let reach = |value| joint_state(&["reach"], vec![value]);
        record(
            &path,
            &[("/robot_description", TEXT), ("/joint_states", JOINT_STATE)],
            &[(0, description), (1, reach(1.0)), (1, reach(-0.9))],
        );
        let (_demo, line) = start(&["--bag", path.to_str().unwrap()]);
        assert!(line.starts_with("`slide` of "), "{line}");
        let mut viewer = connect(&line);
        viewer.send(r#"{"do":"seek","time":0.1}"#);
        let frame = viewer.wait_for("frame", |frame| frame["time"] == 0.1);
        assert_eq!(
            (&frame["positions"][0], &frame["in_collision"]),
            (&(-0.9).into(), &true.into())
        );
    }

    #[test]
    fn what_cannot_be_played_is_refused_with_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        record(&place("silent"), &[("/chatter", TEXT)], &[(0, cdr::encode(&Text::default()))]);
        let other = joint_state(&["shoulder", "elbow"], vec![0.0, 1.0]);
        record(&place("other"), &[("/joint_states", JOINT_STATE)], &[(0, other)]);
        let half = cdr::encode(&Text { data: "<robot name=\"x\"><link".into() });
        record(
            &place("broken"),
            &[("/robot_description", TEXT), ("/joint_states", JOINT_STATE)],
            &[(0, half), (1, joint_state(&["a"], vec![0.0]))],
        );
        std::fs::create_dir(place("empty")).unwrap();
        std::fs::write(place("text.mcap"), "no recording").unwrap();
        let cases = [
            ("absent", "absent: No such file or directory"),
            ("empty", "empty: no recording: neither a metadata.yaml nor an .mcap or .db3 file"),
            ("text.mcap", "text.mcap: neither MCAP nor SQLite3"),
            ("silent", "no joint states to replay; its topics are: /chatter (std_msgs/msg/String)"),
            ("other", "none of its joints is one of robot `icub_hands`: elbow, shoulder;"),
            ("broken", "broken: its robot: robot_description"),
        ];
        for (name, expected) in cases {
            let reason = refusal(&place(name));
            assert!(reason.contains(expected), "{name}: {reason}");
            assert!(reason.contains(name), "the file is named: {reason}");
        }
    }
}
