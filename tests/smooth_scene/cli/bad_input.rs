//! Every bad input of every command: its message, exit code 2, and nothing on standard output.
//!
//! Mistakes in single lines of a stream are answered in the stream: `query_mistakes.rs` has those of `query`, the tests of
//! `call` those of its sessions.

use std::path::Path;
use std::process::{Command, Stdio};

const URDF: &str = r#"<robot name="slide">
  <link name="base"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <link name="cart"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <joint name="mount" type="fixed"><parent link="base"/><child link="rail"/></joint>
  <link name="rail"/>
  <joint name="reach" type="prismatic"><parent link="rail"/><child link="cart"/><axis xyz="1 0 0"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
</robot>
"#;
const XACRO: &str = r#"<robot name="slide" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:include filename="arm.xacro"/>
  <link name="base"/>
</robot>
"#;

/// The files of the folder in which the commands run.
const FILES: &[(&str, &str)] = &[
    ("slide.urdf", URDF),
    ("cut.urdf", "<robot name=\"slide\">\n<link name=\"base\">"),
    (
        "negative.urdf",
        "<robot name=\"r\"><link name=\"a\"><collision><geometry>\n<sphere radius=\"-1\"/></geometry></collision></link></robot>",
    ),
    ("robot.urdf.xacro", XACRO),
    ("undeclared.xacro", "<robot name=\"r\"><xacro:arm/></robot>"),
    (
        "slide.srdf",
        "<robot name='slide'><group name='g'><joint name='reach'/></group>\n<group_state name='out' group='g'><joint name='reach' value='0.7'/></group_state></robot>",
    ),
    ("ring.srdf", "<robot name='slide'>\n<group name='g'><group name='g'/></group></robot>"),
    ("surfaces.yaml", "cart: [{type: torus}]"),
    ("misspelt.yaml", "cart: [{type: sphere, radus: 1}]"),
    ("joints.yaml", "[1, 2]"),
    ("empty.yaml", ""),
    ("world.yaml", "- {id: ball, shape: {type: sphere, radius: -1}}"),
    ("tail.yaml", "- {id: ball, link: tail, shape: {type: sphere, radius: 1}}"),
    ("field.yaml", "- {id: ball, shpe: {type: sphere, radius: 1}}"),
    ("octomap.yaml", "world: {octomap: {octomap: {data: [1]}}}"),
    ("empty.csv", "# nothing\n\n"),
    ("unknown.csv", "reahc\n0\n"),
    ("short.csv", "reach\n0\n0,1\n"),
    ("word.csv", "reach\n0\nfar\n"),
    ("infinite.csv", "reach\n0\ninf\n"),
    ("twice.csv", "reach,reach\n0,0\n"),
    ("results.json", "{}"),
    ("here.srdf", "<robot name='slide'/>"),
    ("movement.yaml", "{joint_names: [reach], points: [{time_from_start: 0, positions: [1, 2]}]}"),
    ("parameters.yaml", "scene_node: [1]"),
];

/// A command line and what its message must contain.
const CASES: &[(&[&str], &str)] = &[
    // The program.
    (&["frobnicate"], "unrecognized subcommand 'frobnicate'"),
    (&["--colour"], "unexpected argument '--colour'"),
    (&["demo", "--ros-args", "-r", "x"], "`-r x`: a rule is written from:=to"),
    // query
    (&["query"], "required arguments were not provided"),
    (&["query", "no/such/file.jsonl"], "smooth_scene: cannot read no/such/file.jsonl: "),
    (&["query", "."], "smooth_scene: cannot read .: "),
    (&["query", "-", "--colour"], "unexpected argument '--colour'"),
    (&["query", "-", "--repeat", "0"], "0 is not in 1.."),
    (&["query", "-", "--time", "most"], "[possible values: mean, least]"),
    (&["query", "-", "--threads", "0"], "0 is not in 1..=1024"),
    (&["query", "-", "--gap-tolerance", "NaN"], "must be a number above 0 and at most 1"),
    (&["query", "-", "--gap-tolerance", "2"], "must be a number above 0 and at most 1"),
    (&["query", "-", "--depth-budget", "5"], "--certify"),
    (&["query", "-", "--depth-tolerance", "0.1"], "--certify"),
    (&["query", "-", "--solver", "magic"], "unknown solver `magic`, this build has: smooth"),
    // check: the robot
    (&["check"], "<URDF>"),
    (&["check", "nowhere.urdf"], "smooth_scene: nowhere.urdf: No such file"),
    (&["check", "cut.urdf"], "cut.urdf:2:"),
    (&["check", "negative.urdf"], "negative.urdf:2:"),
    (
        &["check", "robot.urdf.xacro"],
        "robot.urdf.xacro: is a xacro file, not a URDF: expand it first",
    ),
    (
        &["check", "undeclared.xacro"],
        "undeclared.xacro: is a xacro file, not a URDF: expand it first",
    ),
    (&["check", "slide.urdf", "--srdf", "nowhere.srdf"], "nowhere.srdf: No such file"),
    (
        &["check", "slide.urdf", "--srdf", "ring.srdf"],
        "ring.srdf: line 2: group `g` contains itself",
    ),
    (&["check", "slide.urdf", "--surfaces", "nowhere.yaml"], "nowhere.yaml: No such file"),
    (
        &["check", "slide.urdf", "--surfaces", "surfaces.yaml"],
        "surfaces.yaml: cart[0].type: is `torus`, must be one of: sphere,",
    ),
    (
        &["check", "slide.urdf", "--surfaces", "misspelt.yaml"],
        "misspelt.yaml: cart[0]: unknown field `radus`, must be one of: name, origin, type, radius",
    ),
    (
        &["check", "slide.urdf", "--package-path", "/no/folder"],
        "--package-path /no/folder: not a folder",
    ),
    (&["check", "slide.urdf", "--meshes", "maybe"], "[possible values: require, leave-out, skip]"),
    // check: the world
    (&["check", "slide.urdf", "--world", "nowhere.yaml"], "nowhere.yaml: No such file"),
    (
        &["check", "slide.urdf", "--world", "empty.yaml"],
        "empty.yaml: whole file: is empty, must be a list of objects or a scene of MoveIt",
    ),
    (
        &["check", "slide.urdf", "--world", "world.yaml"],
        "world.yaml: object 1 (`ball`).shape: sphere: radius is -1, must be in [1e-9, 1e6] m",
    ),
    (
        &["check", "slide.urdf", "--world", "field.yaml"],
        "field.yaml: object 1 (`ball`): unknown field `shpe`, must be one of: id, pose, shape, shapes,",
    ),
    (
        &["check", "slide.urdf", "--world", "tail.yaml"],
        "tail.yaml: object `ball`: the robot has no link `tail`",
    ),
    (
        &["check", "slide.urdf", "--world", "octomap.yaml"],
        "octomap.yaml: world.octomap: is not empty",
    ),
    // check: the state
    (&["check", "slide.urdf", "--joints", "reahc=1"], "no joint `reahc`, did you mean `reach`?"),
    (&["check", "slide.urdf", "--joints", "zzz=1"], "--joints: the robot has no joint `zzz`\n"),
    (&["check", "slide.urdf", "--joints", "reach=NaN"], "is NaN, must be finite"),
    (&["check", "slide.urdf", "--joints", "reach=inf"], "is inf, must be finite"),
    (
        &["check", "slide.urdf", "--joints", "reach=1e308"],
        "--joints: joint `reach`: its position is 1e308, must be between -1e9 and 1e9",
    ),
    (&["check", "slide.urdf", "--joints", "reach=far"], "`far` for joint `reach` is not a number"),
    (&["check", "slide.urdf", "--joints", "reach=1,oops"], "`oops`: must be name=value"),
    (&["check", "slide.urdf", "--joints", "mount=1"], "a fixed joint has no position"),
    (&["check", "slide.urdf", "--joints", "nowhere.yaml"], "there is no such file"),
    (&["check", "slide.urdf", "--joints", "joints.yaml"], "joints.yaml: cannot be read: "),
    (&["check", "slide.urdf", "--state", "out"], "--srdf"),
    (
        &["check", "slide.urdf", "--srdf", "slide.srdf", "--state", "up"],
        "--state: the SRDF has no state `up`, it has: g/out",
    ),
    (&["check", "slide.urdf", "--max-distance", "-1"], "must be a length in metres, 0 or more"),
    (&["check", "slide.urdf", "--max-distance", "NaN"], "must be a length in metres, 0 or more"),
    (&["check", "slide.urdf", "--nearest", "-1"], "unexpected argument"),
    // check: many states
    (
        &["check", "slide.urdf", "--states", "nowhere.csv"],
        "nowhere.csv: cannot be read: No such file",
    ),
    (
        &["check", "slide.urdf", "--states", "empty.csv"],
        "empty.csv: is empty, must begin with a line of joint names",
    ),
    (
        &["check", "slide.urdf", "--states", "unknown.csv"],
        "unknown.csv:1: the robot has no joint `reahc`, did you mean `reach`?",
    ),
    (
        &["check", "slide.urdf", "--states", "short.csv"],
        "short.csv:3: has 2 values, must have 1, one for each joint in line 1",
    ),
    (
        &["check", "slide.urdf", "--states", "word.csv"],
        "word.csv:3: joint `reach`: `far` is not a number",
    ),
    (
        &["check", "slide.urdf", "--states", "infinite.csv"],
        "infinite.csv:3: positions[0] (`reach`) is inf, must be finite",
    ),
    (&["check", "slide.urdf", "--states", "twice.csv"], "twice.csv:2: "),
    // srdf
    (&["srdf"], "<URDF>"),
    (&["srdf", "nowhere.urdf"], "smooth_scene: nowhere.urdf: No such file"),
    (&["srdf", "robot.urdf.xacro"], "is a xacro file"),
    (&["srdf", "slide.urdf", "--srdf", "nowhere.srdf"], "nowhere.srdf: No such file"),
    (&["srdf", "slide.urdf", "--samples", "0"], "0 is not in 1..=1000000000"),
    (&["srdf", "slide.urdf", "--seed", "-1"], "unexpected argument '-1'"),
    (&["srdf", "slide.urdf", "--always-share", "2"], "must be a number above 0 and at most 1"),
    (&["srdf", "slide.urdf", "--force"], "--output <FILE>"),
    (
        &["srdf", "slide.urdf", "--output", "here.srdf"],
        "here.srdf is there already; --force replaces it",
    ),
    (
        &["srdf", "slide.urdf", "--samples", "9", "--output", "no/folder.srdf"],
        "cannot write no/folder.srdf: ",
    ),
    (
        &["srdf", "slide.urdf", "--samples", "9", "--output", ".", "--force"],
        "cannot write .: is a directory",
    ),
    // fit
    (&["fit", "slide.urdf", "-o", "x.yaml"], "slide.urdf: no link has a mesh in its <collision>"),
    (&["fit", "slide.urdf", "-o", "here.srdf"], "here.srdf is there already; --force replaces it"),
    (&["fit", "slide.urdf", "-o", "no/x.yaml"], "cannot write no/x.yaml: "),
    // plan
    (
        &["plan", "slide.urdf", "--from", "0,0", "--to", "1"],
        "--from: 2 numbers given, the group has 1: reach",
    ),
    (
        &["plan", "slide.urdf", "--from", "0.5", "--to", "1", "--output", "here.srdf"],
        "here.srdf is there already; --force replaces it",
    ),
    (
        &["plan", "slide.urdf", "--from", "0.5", "--to", "1", "--output", "no/path.json"],
        "cannot write no/path.json: ",
    ),
    // simulate, grasp
    (&["simulate", "slide.urdf", "--seconds", "1e308"], "must be a number above 0, at most 1e9"),
    (
        &["simulate", "slide.urdf", "--seconds", "1", "--plot", "no/plot.svg"],
        "cannot write no/plot.svg: ",
    ),
    (&["grasp", "slide.urdf", "--hand", "cart", "--object", "egg"], "--world <FILE>"),
    // call
    (&["call"], "which service? `smooth_scene call --list` names them"),
    (&["call", "get_distances", "{}"], "unknown service `get_distances`; there are get_distance,"),
    (&["call", "get_scene", "{idz: [a]}"], "request: no field `idz`; there are ids, matrix, sizes"),
    (&["call", "get_scene", "{ids: a}"], "request.ids: is a string, must be a list"),
    (
        &["call", "apply_scene", "{changes: [{operation: PUT}]}"],
        "request.changes[0].operation: is `PUT`, must be an integer or one of: ADD, REPLACE, APPEND,",
    ),
    (&["call", "get_scene", "{}", "--timeout", "-1"], "must be a number from 0 to 86400"),
    (&["call", "/a b/get_scene", "{}"], "is no ROS name"),
    (&["call", "get_scene"], "no request on standard input; `{}` is an empty one"),
    // demo
    (&["demo", "--rate", "0"], "must be a number from 1 to 1000"),
    (&["demo", "--address", "nowhere"], "invalid IP address syntax"),
    (&["demo", "--port", "99999"], "99999 is not in 0..=65535"),
    (&["demo", "extra"], "unexpected argument 'extra'"),
    (&["demo", "--urdf", "nowhere.urdf"], "smooth_scene: nowhere.urdf: No such file"),
    (&["demo", "--urdf", "cut.urdf"], "cut.urdf:2:"),
    (&["demo", "--urdf", "robot.urdf.xacro"], "is a xacro file, not a URDF"),
    (&["demo", "--urdf", "slide.urdf", "--once"], "cannot be used with"),
    (&["demo", "--srdf", "slide.srdf"], "--urdf <FILE>"),
    (
        &["demo", "--urdf", "slide.urdf", "--srdf", "ring.srdf"],
        "ring.srdf: line 2: group `g` contains itself",
    ),
    (
        &["demo", "--urdf", "slide.urdf", "--surfaces", "surfaces.yaml"],
        "surfaces.yaml: cart[0].type: is `torus`, must be one of: sphere,",
    ),
    (&["demo", "--world", "nowhere.yaml"], "smooth_scene: nowhere.yaml: No such file"),
    (
        &["demo", "--urdf", "slide.urdf", "--world", "tail.yaml"],
        "tail.yaml: object `ball`: the robot has no link `tail`",
    ),
    #[cfg(feature = "bags")]
    (&["demo", "--bag", "nowhere"], "smooth_scene: nowhere: No such file"),
    // node
    (&["node", "--urdf", "nowhere.urdf"], "smooth_scene: nowhere.urdf: No such file"),
    (&["node", "--srdf", "nowhere.srdf"], "smooth_scene: nowhere.srdf: No such file"),
    (&["node", "--surfaces", "nowhere.yaml"], "smooth_scene: nowhere.yaml: No such file"),
    (&["node", "--urdf", "robot.urdf.xacro"], "is a xacro file, not a URDF"),
    (&["node", "--ros-args", "-p", "a"], "`-p a`: a parameter is written name:=value"),
    (&["node", "--ros-args", "-p", "max_state_age:=-1.0"], "max_state_age"),
    (&["node", "--ros-args", "-p", "worker_threads:=many"], "worker_threads"),
    (
        &["node", "--ros-args", "--params-file", "nowhere.yaml"],
        "parameter file `nowhere.yaml`: No such file",
    ),
    (&["node", "--ros-args", "--params-file", "parameters.yaml"], "parameters.yaml"),
    // sweep
    (&["sweep", "--steps", "0"], "0 is not in 1..=1000000"),
    (&["sweep", "--sweeps", "0"], "0 is not in 1..=1000"),
    (&["sweep", "--rate", "1"], "--live"),
    (&["sweep", "--live", "--rate", "-1"], "must be 0.001 to 100000"),
    (&["sweep", "--live", "--service"], "cannot be used with"),
    (&["sweep", "--service", "--sweeps", "3"], "cannot be used with"),
    (&["sweep", "--node", "scene_node"], "<--service|--live>"),
    (&["sweep", "--srdf", "slide.srdf"], "--robot <URDF>"),
    (&["sweep", "--robot", "nowhere.urdf"], "smooth_scene: nowhere.urdf: No such file"),
    (&["sweep", "--from", "nowhere.yaml"], "nowhere.yaml"),
    (
        &["sweep", "--robot", "slide.urdf", "--from", "movement.yaml"],
        "movement.yaml: document 1.points[0].positions: has 2 entries, must have 1",
    ),
    (&["sweep", "compare", "results.json"], "<AFTER>"),
    (&["sweep", "compare", "nowhere.json", "nowhere.json"], "nowhere.json: No such file"),
    (
        &["sweep", "compare", "results.json", "results.json"],
        "results.json: no results.json of joint_sweep: missing field `circumstances`",
    ),
    (&["sweep", "fixed-set", "all"], "[possible values: nothing, yes-no, depth, warm, certified]"),
];

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in FILES {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn run(folder: &Path, arguments: &[&str]) -> std::process::Output {
    Command::new(env!("CARGO_BIN_EXE_smooth_scene"))
        .current_dir(folder)
        .args(arguments)
        .env("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST")
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

#[test]
fn every_bad_input_has_its_message_and_exit_code_2() {
    let folder = folder();
    for (arguments, expected) in CASES {
        let output = run(folder.path(), arguments);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(expected), "{arguments:?}: {said}");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        assert!(!said.contains("panicked"), "{arguments:?}: {said}");
    }
}

/// With `--json` the message is an object too.
#[test]
fn bad_input_of_check_is_json_on_demand() {
    let folder = folder();
    let bad_files = CASES.iter().filter(|(arguments, expected)| {
        // Mistakes in the command line itself are told by its parser.
        let by_parser = ["error:", "must be a length", "possible values", "unexpected", "<URDF>"];
        arguments[0] == "check"
            && arguments.len() > 1
            && !by_parser.iter().any(|mark| expected.contains(mark))
            && !expected.starts_with("--srdf")
    });
    let mut checked = 0;
    for (arguments, expected) in bad_files {
        let output = run(folder.path(), &[arguments, &["--json"][..]].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let error = format!("smooth_scene: {}\n", object["error"].as_str().unwrap());
        assert!(error.contains(expected), "{arguments:?}: {error}");
        checked += 1;
    }
    assert!(checked > 30, "{checked}");
}
