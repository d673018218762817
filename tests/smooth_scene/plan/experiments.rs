//! The experiments: what was published, and our own scenes.

use super::{Files, interrupted_when, json, text};

/// A folder in the form of the authors' repository: each robot is a bar that turns about z.
fn published(files: &Files) {
    let superquadric =
        |x: f64, radius: f64| format!("{radius},0.02,0.02,0.3,0.4,{x},0,0,0,0,1,0\n");
    for robot in ["snake", "panda_arm", "panda_dual_arm"] {
        let urdf = format!(
            r#"<robot name="{robot}"><link name="base"><collision><geometry><box size="0.001 0.00 0.001"/></geometry>
            </collision></link><link name="link1"/><joint name="turn" type="revolute"><parent link="base"/>
            <child link="link1"/><axis xyz="0 0 1"/><limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
            <link name="link2"/><joint name="bend" type="revolute"><parent link="link1"/><child link="link2"/>
            <origin xyz="0.4 0 0"/><axis xyz="0 0 1"/>
            <limit lower="-2" upper="2" effort="1" velocity="1"/></joint></robot>"#
        );
        files.write(&format!("resources/robots/urdf/{robot}.urdf"), &urdf);
        let parts = ["0.001,0.001,0.001,1,1,0,0,0,1,0,0,0\n", &superquadric(0.2, 0.19)].concat()
            + &superquadric(0.2, 0.19);
        files.write(&format!("resources/robots/superquadrics/robot_{robot}.csv"), &parts);
    }
    for (ends, states) in [
        ("snake", "0.8,0\n-0.8,0\n"),
        ("panda_arm", "2.1,0\n-0.8,0\n"),
        ("panda_arm_real", "0,0\n0.8,0\n"),
        ("panda_dual_arm", "0.8,0.1\n-0.8,0.1\n"),
    ] {
        files.write(&format!("resources/problems/end_points_{ends}.csv"), states);
    }
    for scene in ["sparse", "cluttered", "narrow", "dense"] {
        // Radii, exponents, position, axis and angle: a ball on the x axis, out of reach of the first link.
        let ball = "0.1,0.1,0.1,1,1,0.7,0,0,0,0,1,0.5\n";
        files.write(&format!("resources/problems/obstacle_{scene}.csv"), ball);
    }
}

#[test]
fn experiments_plan_what_was_published_and_our_own_scenes() {
    let files = Files::new();
    published(&files);
    let run = |more: &[&str]| {
        files
            .command(&[&["experiments", "--json", "--seeds", "3"][..], more].concat())
            .output()
            .unwrap()
    };
    let output = run(&["--published", "."]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let answer = json(&output);
    let rows = answer["experiments"].as_array().unwrap();
    assert_eq!(rows.len(), 16);
    for row in rows {
        let name = row["experiment"].as_str().unwrap();
        if name.starts_with("panda_arm_real") {
            // The ball is where the arm begins.
            let reason = row["reason"].as_str().unwrap();
            assert!(reason.starts_with("start: `link2` and `object0`"), "{reason}");
        } else {
            assert_eq!((&row["solved"], &row["problems"]), (&3.into(), &3.into()), "{name}");
            assert!(row["length"]["min"].as_f64().unwrap() > 1.6, "{row}");
            assert_eq!(
                name.contains(", moved into the joint limits"),
                name.starts_with("panda_arm,")
            );
        }
    }
    let output = run(&["--only", "two Pandas", "--threads", "1"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let answer = json(&output);
    assert_eq!(answer["experiments"].as_array().unwrap().len(), 1);
    assert_eq!(answer["experiments"][0]["proven"], 3);
    // A budget that is not enough, a folder that is none, and a file that is not of numbers.
    let output = run(&["--published", ".", "--only", "snake", "--budget", "50"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
    assert_eq!(run(&["--published", "nowhere"]).status.code(), Some(2));
    for bad in [
        "1,2,x\n",
        "0.1,0.1,0.1,1,1,nan,0,0,0,0,1,0.5\n",
        "0.1,0.1,0.1,1,1,1e300,0,0,0,0,1,0.5\n",
        "0.1,0.1,0.1,1,1,0.7,0,0,0,0,inf,0.5\n",
    ] {
        files.write("resources/problems/obstacle_dense.csv", bad);
        let output = run(&["--published", "."]);
        assert_eq!(output.status.code(), Some(2), "{bad}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains("obstacle_dense.csv"), "{}", text(&output.stderr));
    }
    // No axis, no rotation.
    files.write("resources/problems/obstacle_dense.csv", "0.1,0.1,0.1,1,1,0.7,0,0,0,0,0,0.5\n");
    let output = run(&["--published", ".", "--only", "snake, dense"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    // A name that nothing has, and a question that cannot be asked.
    let output = run(&["--published", ".", "--only", "typo"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("--only: no experiment has `typo`"));
    let output = run(&["--published", ".", "--only", "snake", "--budget", "0"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
}

#[test]
fn ctrl_c_ends_the_experiments() {
    let files = Files::new();
    let arguments = ["experiments", "--seeds", "1000000"];
    let output = interrupted_when(files.command(&arguments), || true);
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
}
