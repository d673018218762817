//! The benchmark program end to end: in process, through the services of a node, and live.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;
use smooth_scene::cdr;
use smooth_scene::interfaces::diagnostic_msgs::msg::DiagnosticArray;
use smooth_scene::interfaces::rosgraph_msgs::msg::Clock;
use smooth_scene::interfaces::sensor_msgs::msg::JointState;
use smooth_scene::transport::embedded::EmbeddedTransport;
use smooth_scene::transport::environment::{DiscoveryRange, Environment};
use smooth_scene::transport::ros_args::RosArgs;
use smooth_scene::transport::{Qos, Transport};
use smooth_scene_test_support::dds_domain::own_domain;
use smooth_scene_test_support::signals;

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

    // A file compared with itself has not changed. Errors that are no number are written as null and read again.
    let results = folder.path().join("benchmarks/results.json");
    let results = results.to_str().unwrap();
    assert!(succeeded(&run(&["compare", results, results])).contains("Nothing got slower."));
    // Far slower than the noise of a busy machine is reported, and the exit code says so; so is a wrong answer and a row that
    // has no counterpart. Runs on another machine or of another movement are not called slower.
    let whole: Value = serde_json::from_str(&std::fs::read_to_string(results).unwrap()).unwrap();
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut whole = whole.clone();
        change(&mut whole);
        let file = folder.path().join("changed.json");
        std::fs::write(&file, whole.to_string()).unwrap();
        let output = run(&["compare", results, file.to_str().unwrap()]);
        (output.status.code(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
    };
    let (code, said) = changed(&|whole| {
        let mean = &mut whole["sections"][0]["rows"][0]["micros"]["mean"];
        *mean = (mean.as_f64().unwrap() * 1e3).into();
    });
    assert_eq!((code, said.matches("**slower**").count()), (Some(1), 1), "{said}");
    let (code, said) = changed(&|whole| {
        let rows = whole["sections"][0]["rows"].as_array_mut().unwrap();
        // One that was right before: the solvers of the papers come first in a build that has them.
        let row = rows.iter_mut().find(|row| row["method"] == "ours: depth").unwrap();
        row["wrong_decisions"] = 1.into();
        row["worst_error"] = Value::Null;
    });
    assert_eq!((code, said.matches("**less right**").count()), (Some(1), 1), "{said}");
    let (code, said) = changed(&|whole| {
        whole["sections"][0]["rows"].as_array_mut().unwrap().pop();
    });
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("1 rows are in one file only") && said.contains("at least 5 %"),
        "{said}"
    );
    for (name, value) in [("machine", "another machine"), ("mixed", "another movement")] {
        let (code, said) = changed(&|whole| {
            let all = whole["circumstances"].as_array_mut().unwrap();
            all.iter_mut().find(|one| one[0] == name).unwrap()[1] = value.into();
            let mean = &mut whole["sections"][0]["rows"][0]["micros"]["mean"];
            *mean = (mean.as_f64().unwrap() * 1e3).into();
        });
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains(&format!("the runs do not compare: {name} is `")), "{said}");
        assert!(
            said.contains(&format!("and `{value}` after")) && !said.contains("slower"),
            "{said}"
        );
    }
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

/// A program on the domain, heard by nobody else.
fn on_domain(program: &str, domain: u16) -> Command {
    let mut command = Command::new(program);
    command.env("ROS_DOMAIN_ID", domain.to_string());
    command.env("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST");
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    command
}

fn sweep(domain: u16) -> Command {
    on_domain(env!("CARGO_BIN_EXE_joint_sweep"), domain)
}

/// A scene node that runs with the hands until it is dropped.
struct Node(Child);

impl Node {
    fn start(domain: u16, robot: &str, ros_args: &[&str]) -> Self {
        let mut node = on_domain(env!("CARGO_BIN_EXE_scene_node"), domain)
            .args(["--urdf", &format!("urdf/{robot}_mixed.urdf")])
            .args(["--srdf", &format!("urdf/{robot}.srdf"), "--ros-args"])
            .args(ros_args)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(node.stderr.take().unwrap()).lines();
        assert!(lines.any(|line| line.unwrap().contains("ready")), "it ended before it was ready");
        // Somebody has to read what it says, or it cannot say it.
        std::thread::spawn(move || lines.count());
        Self(node)
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The numbers in a line of the report that begins with these words.
fn numbers(report: &str, start: &str) -> Vec<usize> {
    let line = report.lines().find(|line| line.starts_with(start));
    let line = line.unwrap_or_else(|| panic!("no line {start}: {report}"));
    let words = line[start.len()..].split(|c: char| !c.is_ascii_digit());
    words.filter_map(|word| word.parse().ok()).collect()
}

#[test]
fn the_services_find_the_pairs_that_are_found_in_process() {
    let direct = succeeded(&run(&["--steps", "12", "--sweeps", "1"]));
    let expected = *numbers(&direct, "- mixed: config/two_hand_grasp.yaml").last().unwrap();
    assert!(expected > 20, "{direct}");

    // A node in the same process, without a network, and one that runs by itself in a namespace.
    let domain = own_domain();
    let _node = Node::start(domain, "icub_arms_hands", &["-r", "__ns:=/left"]);
    let ways: [&[&str]; 2] = [&[], &["--node", "scene_node", "--ros-args", "-r", "__ns:=/left"]];
    for way in ways {
        let folder = tempfile::tempdir().unwrap();
        let output = sweep(domain)
            .args(["--service", "--steps", "12", "--out"])
            .arg(folder.path())
            .args(way)
            .output()
            .unwrap();
        let printed = succeeded(&output);
        assert_eq!(numbers(&printed, "- intersecting pairs:"), [expected, expected], "{way:?}");
        let place = if way.is_empty() { "in this process" } else { "/left/scene_node, over ROS 2" };
        assert!(printed.contains(&format!("- node: {place}")), "{printed}");
        let rows = rows(folder.path());
        assert_eq!(rows.len(), 3);
        for row in rows {
            assert_eq!(row["micros"]["count"], 13, "{row}");
            assert_eq!((&row["wrong_decisions"], &row["unconverged"]), (&0.into(), &0.into()));
        }
    }
}

/// What a peer hears while a movement is played.
#[derive(Default)]
struct Listener {
    joint_states: Mutex<Vec<(Instant, JointState)>>,
    clocks: Mutex<Vec<Clock>>,
    diagnostics: Mutex<Vec<DiagnosticArray>>,
}

impl Listener {
    fn join(domain_id: u16) -> (Arc<Self>, EmbeddedTransport) {
        let range = DiscoveryRange::Localhost;
        let environment = Environment { domain_id, range, ..Environment::default() };
        let peer = EmbeddedTransport::new("peer", &RosArgs::default(), &environment).unwrap();
        let listener = Arc::new(Self::default());
        let (qos, this) = (Qos::reliable(100), listener.clone());
        let hear = Box::new(move |bytes: &[u8]| {
            let message = (Instant::now(), cdr::decode(bytes).unwrap());
            this.joint_states.lock().unwrap().push(message);
        });
        peer.subscribe("/left/joint_states", "sensor_msgs/msg/JointState", qos, hear).unwrap();
        let this = listener.clone();
        let hear = Box::new(move |bytes: &[u8]| {
            this.clocks.lock().unwrap().push(cdr::decode(bytes).unwrap());
        });
        let best_effort = Qos::best_effort(100);
        peer.subscribe("/clock", "rosgraph_msgs/msg/Clock", best_effort, hear).unwrap();
        let this = listener.clone();
        let hear = Box::new(move |bytes: &[u8]| {
            this.diagnostics.lock().unwrap().push(cdr::decode(bytes).unwrap());
        });
        let type_name = "diagnostic_msgs/msg/DiagnosticArray";
        peer.subscribe("/diagnostics", type_name, qos, hear).unwrap();
        (listener, peer)
    }
}

#[test]
fn a_movement_is_published_at_its_rate_with_its_time_and_the_node_hears_it() {
    let domain = own_domain();
    // Hands without arms: the robot is asked of the node.
    let node = ["-r", "__ns:=/left", "-p", "use_sim_time:=true"];
    let _node = Node::start(domain, "icub_hands", &node);
    let (listener, _peer) = Listener::join(domain);
    let folder = tempfile::tempdir().unwrap();
    let output = sweep(domain)
        .args(["--live", "--node", "scene_node", "--steps", "40", "--rate", "20", "--sim-time"])
        .arg("--out")
        .arg(folder.path())
        .args(["--ros-args", "-r", "__ns:=/left", "-r", "__node:=player"])
        .output()
        .unwrap();
    let printed = succeeded(&output);
    assert!(printed.contains("- icub_hands: config/two_hand_grasp.yaml, 41 states"), "{printed}");
    // What is answered is answered with the distances of the states that were said.
    let row = &rows(folder.path())[0];
    assert!(row["micros"]["count"].as_u64().unwrap() >= 10, "{row}");
    assert_eq!(row["wrong_decisions"], 0, "{row}");

    // The first state is repeated until the node answers; simulated time begins at one second.
    let heard = listener.joint_states.lock().unwrap();
    let stamp = |state: &JointState| {
        let stamp = &state.header.stamp;
        f64::from(stamp.sec) + f64::from(stamp.nanosec) * 1e-9
    };
    let played: Vec<_> = heard.iter().filter(|(_, state)| stamp(state) > 1.001).collect();
    assert!(played.len() >= 35, "{} of 40", played.len());
    let steps = played.windows(2).map(|w| stamp(&w[1].1) - stamp(&w[0].1));
    assert!(steps.into_iter().all(|step| ((step / 0.05).round() * 0.05 - step).abs() < 1e-6));
    let (first, last) = (played[0], played[played.len() - 1]);
    let (real, simulated) = ((last.0 - first.0).as_secs_f64(), stamp(&last.1) - stamp(&first.1));
    // Not faster than the clock; on a machine that is busy with other tests some are late.
    assert!(real > simulated - 0.5, "{simulated} s were published in {real} s");
    let clocks = listener.clocks.lock().unwrap();
    assert!(clocks.len() >= 20, "{}", clocks.len());
    let known = |clock: &Clock| heard.iter().any(|(_, s)| s.header.stamp == clock.clock);
    assert!(clocks.iter().filter(|clock| known(clock)).count() >= 20);

    let messages = listener.diagnostics.lock().unwrap();
    let ours: Vec<_> = messages
        .iter()
        .flat_map(|message| &message.status)
        .filter(|status| status.name == "left/player: live, joint state to proximities")
        .collect();
    assert!(ours.len() >= 2, "once a second and at the end, not {}", ours.len());
    let values = &ours[ours.len() - 1].values;
    assert!(values.iter().any(|v| v.key == "mean µs" && v.value.parse::<f64>().unwrap() > 0.0));
}

/// Starts, interrupts after a while as Ctrl-C does, and waits for the end: what was printed, the code, and how long the
/// end took.
fn interrupted(mut command: Command, after: Duration) -> (String, Option<i32>, Duration) {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    signals::wait_until_it_watches(&child);
    std::thread::sleep(after);
    // Twice, as a program hears it that a launcher started: from the terminal and from the launcher.
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id, &id]).status().unwrap();
    assert!(sent.success());
    let start = Instant::now();
    let output = child.wait_with_output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    (printed, output.status.code(), start.elapsed())
}

#[test]
fn an_interrupt_ends_soon_with_what_was_measured() {
    let domain = own_domain();
    let cases: [(&[&str], Option<i32>, &str); 4] = [
        (&["--steps", "4", "--sweeps", "1000"], Some(130), "| superellipsoids |"),
        (&["--service", "--steps", "20000"], Some(130), "| services | get_distance"),
        (&["--live", "--loop", "--steps", "20", "--rate", "50"], Some(0), "| live |"),
        // Nobody offers the service.
        (&["--service", "--node", "/absent"], Some(130), ""),
    ];
    for (words, code, row) in cases {
        let mut command = sweep(domain);
        command.args(words);
        let (printed, ended, time) = interrupted(command, Duration::from_secs(4));
        assert_eq!(ended, code, "{words:?}: {printed}");
        // A second by itself; tests run side by side.
        assert!(time < Duration::from_secs(20), "{words:?}: {time:?}");
        if !row.is_empty() {
            assert!(printed.contains("stopped before the end"), "{words:?}: {printed}");
            assert!(printed.contains(row), "{words:?}: {printed}");
        }
    }
}

#[test]
fn the_bar_is_drawn_on_a_terminal_only() {
    let words = ["--steps", "2", "--sweeps", "1"];
    let output = run(&words);
    assert_eq!((succeeded(&output).contains('█'), output.stderr.len()), (false, 0));
    // script gives its command a terminal.
    let line = format!("{} {}", env!("CARGO_BIN_EXE_joint_sweep"), words.join(" "));
    let output = Command::new("script")
        .args(["-qec", &line, "/dev/null"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let shown = succeeded(&output);
    assert!(shown.contains('█') && shown.contains("# Joint sweep"), "{shown}");
}

#[test]
fn a_node_that_is_not_there_is_named() {
    // Only together with a way to reach it.
    assert_eq!(run(&["--node", "/scene_node"]).status.code(), Some(2));
    let output = run(&["--live", "--ros-args", "-r", "__ns:=no namespace"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("no namespace"));

    // With a robot nothing is asked of it: what is published nobody answers.
    let robot = "urdf/icub_arms_hands_mixed.urdf";
    let output = sweep(own_domain())
        .args(["--live", "--node", "/absent", "--robot", robot, "--steps", "2", "--rate", "50"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("nothing on /absent/proximities after 5 s"), "{said}");
    assert!(said.ends_with("no answer of node /absent arrived\n"), "{said}");
    assert!(String::from_utf8(output.stdout).unwrap().contains("3 joint states in "));
}

#[cfg(not(feature = "bags"))]
#[test]
fn a_build_without_recordings_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let new = folder.path().join("bag");
    for words in [["--from", "config/two_hand_grasp_bag"], ["--record", new.to_str().unwrap()]] {
        let output = run(&words);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("the feature `bags`, which this build was made without"), "{said}");
        assert!(said.contains(words[1]), "{said}");
    }
}
