//! One question: paths, reasons, statistics, and what is written about a path.

use super::{Files, POST, interrupted_when, is_free, json, text, waypoints};
use serde_json::Value;
#[cfg(feature = "bags")]
use smooth_scene::bag;
#[cfg(feature = "bags")]
use smooth_scene::cdr;
#[cfg(feature = "bags")]
use smooth_scene::interfaces::sensor_msgs::msg::JointState;
use std::fs;

#[test]
fn a_path_around_a_post_is_printed_and_free() {
    let files = Files::new();
    let output = files.plan(&["--from", "home", "--to", "arm/up", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let answer = json(&output);
    assert_eq!((&answer["solved"], &answer["proven"]), (&true.into(), &true.into()));
    assert_eq!(answer["joints"], serde_json::json!(["joint0", "joint1", "joint2"]));
    let path = waypoints(&answer);
    assert_eq!(
        (path.first().unwrap(), path.last().unwrap()),
        (&vec![0.0; 3], &vec![1.2, 0.0, 0.0])
    );
    assert!(path.len() > 2 && is_free(&files.scene(), &path));
    assert!(answer["clearance"].as_f64().unwrap() > 1e-4);
    assert_eq!(answer["near_ends"], serde_json::json!([]));
    assert_eq!(answer["segments"].as_array().unwrap().len(), path.len() - 1);
    // The same as numbers and by name, for people, and to a file.
    let again = files.plan(&["--from", "0,0,0", "--to", "joint0=1.2", "--json", "-o", "plan.json"]);
    assert_eq!(json(&again)["path"], answer["path"]);
    let saved: Value = serde_json::from_slice(&fs::read(files.path("plan.json")).unwrap()).unwrap();
    assert_eq!(saved["path"], answer["path"]);
    let table = files.plan(&["--from", "home", "--to", "up"]);
    assert!(
        text(&table.stdout).contains("proven free from start to goal"),
        "{}",
        text(&table.stdout)
    );
    let other = files.plan(&["--from", "home", "--to", "up", "--seed", "2", "--json"]);
    assert_ne!(json(&other)["path"], answer["path"]);
    assert!(is_free(&files.scene(), &waypoints(&json(&other))));
}

#[test]
fn a_pose_of_a_link_is_a_goal_and_paths_have_times() {
    let files = Files::new();
    let half = 0.6f64;
    // Where the last link is in `up`: its origin 0.6 m along the arm, turned by 1.2 rad.
    let (x, y) = (0.6 * 1.2f64.cos(), 0.6 * 1.2f64.sin());
    let pose = format!("link2:{x},{y},0,0,0,{},{}", half.sin(), half.cos());
    let output =
        files.plan(&["--from", "home", "--to-pose", &pose, "--acceleration", "2", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let answer = json(&output);
    let path = waypoints(&answer);
    let goal = path.last().unwrap();
    assert!(is_free(&files.scene(), &path));
    let tip = 0.3 * goal[0].cos() + 0.3 * (goal[0] + goal[1]).cos();
    assert!((tip - x).abs() < 1e-7 && (goal.iter().sum::<f64>() - 1.2).abs() < 1e-7, "{goal:?}");
    let times: Vec<f64> = serde_json::from_value(answer["times"].clone()).unwrap();
    assert_eq!(times.len(), path.len());
    assert!(times[0] == 0.0 && times.windows(2).all(|pair| pair[0] < pair[1]), "{times:?}");
    for (pose, code, reason) in [
        ("link2:9,0,0,0,0,0,1", 2, "link `link2` does not reach the pose"),
        ("link2:9,0,0", 2, "with seven numbers"),
        ("tail:0,0,0,0,0,0,1", 2, "the robot has no link `tail`"),
        ("link2:0.6,0,0,0,0,0,2", 2, "a unit quaternion"),
    ] {
        let output = files.plan(&["--from", "home", "--to-pose", pose]);
        assert_eq!(output.status.code(), Some(code), "{pose}");
        assert!(text(&output.stderr).contains(reason), "{}", text(&output.stderr));
    }
}

#[test]
fn a_goal_close_to_an_object_is_named_with_what_is_kept() {
    let files = Files::new();
    // The arm lies along x, 0.02 m thick on either side; the board is 0.05 mm above it.
    files.write(
        "world.yaml",
        "- {id: board, pose: {xyz: [0.15, 0.03005, 0]}, shape: {type: box, size: [0.2, 0.02, 0.2]}}\n",
    );
    let output = files.plan(&["--from", "joint0=-0.8", "--to", "home", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let near = &json(&output)["near_ends"][0];
    assert_eq!(near["which"], "goal");
    assert_eq!(near["bodies"], serde_json::json!(["link0", "board"]));
    let [distance, kept] = ["distance", "kept"].map(|field| near[field].as_f64().unwrap());
    assert!((distance - 5e-5).abs() < 1e-9 && kept == 0.5 * distance, "{near}");
    let said = text(&files.plan(&["--from", "joint0=-0.8", "--to", "home"]).stdout);
    assert!(said.contains("`link0` and `board` are 0.0500 mm apart at the goal"), "{said}");
}

#[test]
fn many_seeds_give_statistics() {
    let files = Files::new();
    let output = files.plan(&["--from", "home", "--to", "up", "--seeds", "3", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let answer = json(&output);
    let runs = answer["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 3);
    assert!(runs.iter().all(|run| is_free(&files.scene(), &waypoints(run))));
    assert_eq!(answer["summary"]["solved"], 3);
    let output = files.plan(&["--from", "home", "--to", "up", "--seeds", "3"]);
    assert!(
        text(&output.stdout).starts_with("solved and proven: 3 of 3"),
        "{}",
        text(&output.stdout)
    );
}

#[test]
fn reasons_and_exit_codes() {
    let files = Files::new();
    let touching = "0.46,0,0";
    for (arguments, code, reason) in [
        (&["--from", "home", "--to", touching][..], 1, "goal: `link2` and `post` are in contact"),
        (&["--from", touching, "--to", "home"], 1, "start: `link2` and `post` are in contact"),
        (&["--from", "home", "--to", "up", "--margin", "0.5"], 1, "start: `link"),
        (
            &["--from", "home", "--to", "joint1=3"],
            2,
            "goal: joint `joint1` is at 3, outside [-2.9, 2.9]",
        ),
        (&["--from", "home", "--to", "joint9=3"], 2, "no joint `joint9`, did you mean `joint"),
        (&["--from", "home", "--to", "down"], 2, "--to: the SRDF has no state `down`"),
        (
            &["--from", "home", "--to", "1,2"],
            2,
            "--to: 2 numbers given, the group has 3: joint0, joint1, joint2",
        ),
        (&["--from", "home", "--to", "up", "--budget", "0"], 2, "budget of states is 0"),
        (&["--from", "home", "--to", "up", "--margin", "-1"], 2, "margin is -1"),
        (&["--from", "home", "--to", "up", "--clearance", "-1"], 2, "clearance is -1"),
        (
            &["--from", "home", "--to", "joint0=x"],
            2,
            "--to: `x` for joint `joint0` is not a number",
        ),
        (&["--from", "home", "--to", "up", "--budget", "40"], 1, "no connection"),
    ] {
        let output = files.plan(&[arguments, &["--json"]].concat());
        let (printed, noted) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {printed}{noted}");
        let answer = json(&output);
        let said = answer.get("reason").or(answer.get("error")).unwrap().as_str().unwrap();
        assert!(said.contains(reason), "{arguments:?}: {said}");
    }
    let missing = files.command(&["no.urdf", "--from", "a=1", "--to", "a=2"]).output().unwrap();
    assert_eq!(missing.status.code(), Some(2));
    let nothing = files.command(&[]).output().unwrap();
    assert_eq!(nothing.status.code(), Some(2));
}

#[test]
fn all_cores_give_the_path_of_the_seed_that_was_first() {
    let files = Files::new();
    let ask = |more: &[&str]| {
        files.plan(&[&["--from", "home", "--to", "up", "--seed", "5", "--json"][..], more].concat())
    };
    let output = ask(&["--all-cores"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let answer = json(&output);
    let seed = answer["seed"].as_u64().unwrap();
    assert!(seed >= 5 && is_free(&files.scene(), &waypoints(&answer)));
    let seed = seed.to_string();
    let alone = files.plan(&["--from", "home", "--to", "up", "--seed", &seed, "--json"]);
    assert_eq!(json(&alone)["path"], answer["path"]);
    let contact = files.plan(&["--from", "home", "--to", "0.46,0,0", "--all-cores", "--json"]);
    assert_eq!(contact.status.code(), Some(1));
    assert_eq!(json(&contact)["plan_us"], Value::Null);
    let said = text(&files.plan(&["--from", "home", "--to", "0.46,0,0", "--all-cores"]).stdout);
    assert!(said.starts_with("no path") && !said.contains("was first"), "{said}");
    assert!(json(&contact)["reason"].as_str().unwrap().starts_with("goal: `link2` and `post`"));
    let both = ask(&["--all-cores", "--seeds", "3"]);
    assert_eq!(both.status.code(), Some(2));
}

#[test]
fn paths_get_shorter_and_their_lengths_are_printed() {
    let files = Files::new();
    let ask = |more: &[&str]| {
        let fixed = ["--from", "home", "--to", "up", "--budget", "20000", "--json"];
        files.plan(&[&fixed[..], more].concat())
    };
    let (first, output) = (json(&ask(&[])), ask(&["--improve", "60"]));
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let answer = json(&output);
    let improvements = answer["improvements"].as_array().unwrap();
    let numbers = |field: &str| -> Vec<f64> {
        improvements.iter().map(|each| each[field].as_f64().unwrap()).collect()
    };
    let (lengths, times) = (numbers("length"), numbers("us"));
    assert_eq!(lengths[0], first["length"].as_f64().unwrap());
    assert!(lengths.windows(2).all(|pair| pair[1] < pair[0]), "{lengths:?}");
    assert!(times.windows(2).all(|pair| pair[0] < pair[1]), "{times:?}");
    assert_eq!(lengths.last().copied(), answer["length"].as_f64());
    assert!(lengths.len() > 1 && is_free(&files.scene(), &waypoints(&answer)));
    assert!(text(&output.stderr).contains(&format!("length {:.4} after", lengths[0])));
    for bad in ["0", "-1", "nan", "x"] {
        assert_eq!(ask(&["--improve", bad]).status.code(), Some(2), "{bad}");
    }
}

#[cfg(feature = "bags")]
#[test]
fn a_motion_is_recorded_and_drawn() {
    let files = Files::new();
    let ask = |more: &[&str]| {
        files.plan(&[&["--from", "home", "--to", "up", "--json"][..], more].concat())
    };
    let output = ask(&["--record", "motion", "--picture", "path.svg", "--acceleration", "2"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let answer = json(&output);
    // The recording is read back: it begins at the start, ends at the goal, and every state of it is free.
    let wanted = |topic: &bag::Topic| topic.name == "/joint_states";
    let recording = bag::read(&files.path("motion"), &wanted).unwrap();
    let message = |message: &bag::Message| cdr::decode::<JointState>(&message.bytes).unwrap();
    let states: Vec<Vec<f64>> =
        recording.messages.iter().map(|each| message(each).position).collect();
    let duration = answer["duration"].as_f64().unwrap();
    assert_eq!(states.len(), (duration * 50.0).ceil() as usize + 1);
    assert_eq!((states.first(), states.last()), (Some(&vec![0.0; 3]), Some(&vec![1.2, 0.0, 0.0])));
    assert!(is_free(&files.scene(), &states));
    let picture = fs::read_to_string(files.path("path.svg")).unwrap();
    let document = roxmltree::Document::parse(&picture).unwrap();
    let count = |name: &str| document.descendants().filter(|n| n.has_tag_name(name)).count();
    // The post, and the three links at the start, the goal and at least once between them.
    assert!(count("polygon") > 1 + 3 * 3 && count("polyline") == 1, "{picture}");
    // Nothing is replaced, and that is said before anything is planned.
    for (arguments, reason) in [
        (["--record", "motion"], "motion: is there already"),
        (["--picture", "path.svg"], "path.svg is there already; --force replaces it"),
    ] {
        let output = ask(&arguments);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(reason), "{}", text(&output.stderr));
    }
    assert_eq!(ask(&["--picture", "path.svg", "--force"]).status.code(), Some(0));
}

#[test]
fn ctrl_c_ends_a_search() {
    let files = Files::new();
    // The arm cannot leave the gap between two walls.
    files.write(
        "world.yaml",
        "- {id: left, pose: {xyz: [0.5, 0.1, 0]}, shape: {type: box, size: [0.8, 0.04, 0.2]}}\n\
         - {id: right, pose: {xyz: [0.5, -0.1, 0]}, shape: {type: box, size: [0.8, 0.04, 0.2]}}\n",
    );
    let arguments =
        ["arm.urdf", "--world", "world.yaml", "--from", "joint0=0", "--to", "joint0=1.2"];
    for more in [&[][..], &["--all-cores"], &["--improve", "0.001"]] {
        let endless = [&arguments[..], &["--budget", "1000000000000"], more].concat();
        let output = interrupted_when(files.command(&endless), || true);
        assert_eq!(output.status.code(), Some(130), "{more:?}: {}", text(&output.stderr));
    }
}

#[test]
fn ctrl_c_while_paths_get_shorter_keeps_the_best_one_with_its_times() {
    let files = Files::new();
    let command = files.command(
        &[
            &["arm.urdf", "--srdf", "arm.srdf", "--world", "world.yaml", "--from", "home"][..],
            &["--to", "up", "--budget", "1000000000000", "--improve", "100000", "--json"],
            &["--acceleration", "2"],
        ]
        .concat(),
    );
    // The first path of this question takes milliseconds, the search for shorter ones goes on for hours.
    let begin = std::time::Instant::now();
    let output = interrupted_when(command, || begin.elapsed().as_secs() >= 2);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let answer = json(&output);
    assert!(is_free(&files.scene(), &waypoints(&answer)));
    assert!(answer["duration"].as_f64().unwrap() > 0.0, "{answer}");
}

#[test]
fn the_time_for_shorter_paths_counts_from_the_first_one() {
    let files = Files::new();
    let fixed = ["--from", "home", "--to", "up", "--json"];
    let output = files.plan(&[&fixed[..], &["--improve", "1e-9"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(json(&output)["path"], json(&files.plan(&fixed))["path"]);
}

#[test]
fn the_largest_seed_is_one_as_well() {
    let files = Files::new();
    let largest = u64::MAX.to_string();
    let output =
        files.plan(&["--from", "home", "--to", "up", "--seed", &largest, "--seeds", "2", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let answer = json(&output);
    let seeds: Vec<_> = answer["runs"].as_array().unwrap().iter().map(|run| &run["seed"]).collect();
    assert_eq!(seeds, [&Value::from(u64::MAX), &Value::from(0)]);
}

#[test]
fn what_cannot_be_written_or_followed_is_refused_before_planning() {
    let files = Files::new();
    // A budget that would be spent only after hours.
    let fixed =
        ["--from", "home", "--to", "up", "--budget", "1000000000000", "--improve", "100000"];
    for (arguments, reason) in [
        (&["-o", "same", "--picture", "./same"][..], "is named by two of --output, --picture"),
        #[cfg(feature = "bags")]
        (&["--record", "nowhere/motion"], "nowhere: is not a folder"),
        (&["--blend", "-1"], "must be 0 or more and finite"),
        (&["--acceleration", "0"], "must be above 0 and finite"),
        (&["--acceleration", "inf"], "must be above 0 and finite"),
        (&["--record", "motion", "--rate", "0"], "must be above 0, at most 1000"),
    ] {
        let output = files.plan(&[&fixed[..], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains(reason), "{arguments:?}: {}", text(&output.stderr));
    }
}

#[test]
fn a_certificate_is_verified_in_its_scene_and_in_no_other() {
    let files = Files::new();
    let output = files.plan(&["--from", "home", "--to", "up", "--certificate", "c.json", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let planned = json(&output);
    let verify = |certificate: &str, more: &[&str]| {
        let fixed = ["verify", certificate, "arm.urdf", "--srdf", "arm.srdf", "--json"];
        files.command(&[&fixed[..], more].concat()).output().unwrap()
    };
    let in_world = ["--world", "world.yaml"];
    let output = verify("c.json", &in_world);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let answer = json(&output);
    assert_eq!((&answer["verified"], &answer["path"]), (&true.into(), &planned["path"]));
    assert_eq!(answer["clearance"], planned["clearance"]);
    // Other pairs, larger bodies, and a post in the way.
    let moved = POST.replace("0.6, 0.3", "0.45, 0");
    files.write("moved.yaml", &moved);
    for other in
        [&[][..], &["--world", "world.yaml", "--margin", "0.2"], &["--world", "moved.yaml"]]
    {
        let output = verify("c.json", other);
        assert_eq!(output.status.code(), Some(1), "{other:?}: {}", text(&output.stderr));
        assert_eq!(json(&output)["verified"], false);
    }
    // A part that is left out, and what is no certificate.
    let mut changed: Value =
        serde_json::from_slice(&fs::read(files.path("c.json")).unwrap()).unwrap();
    changed["segments"][0]["pairs"][0]["parts"].as_array_mut().unwrap().pop();
    files.write("hole.json", &changed.to_string());
    assert_eq!(verify("hole.json", &in_world).status.code(), Some(1));
    changed["segments"] = Vec::<Value>::new().into();
    files.write("empty.json", &changed.to_string());
    assert_eq!(verify("empty.json", &in_world).status.code(), Some(1));
    files.write("none.json", "{}");
    for bad in ["none.json", "missing.json"] {
        let output = verify(bad, &in_world);
        assert_eq!(output.status.code(), Some(2), "{bad}");
        assert!(json(&output)["error"].as_str().unwrap().starts_with(bad));
    }
}

#[test]
fn corners_are_cut_on_request() {
    let files = Files::new();
    let ask = |rounds: &str| {
        json(&files.plan(&["--from", "home", "--to", "up", "--corner-rounds", rounds, "--json"]))
    };
    let (plain, cut) = (ask("0"), ask("2"));
    assert!(is_free(&files.scene(), &waypoints(&cut)));
    let length = |answer: &Value| answer["length"].as_f64().unwrap();
    assert!(length(&cut) < length(&plain), "{plain} {cut}");
}
