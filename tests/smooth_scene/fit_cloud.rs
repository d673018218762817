//! `smooth_scene fit` on point clouds, end to end: the binary is run and its world loaded again.

use std::fmt::Write;

use serde_json::Value;
use smooth_scene::geometry::{Shape, tessellate};
use smooth_scene::math::Vec3;
use smooth_scene::scene::WorldFile;

use super::fit::fit;

/// A table at z = 0.5 with a ball of 6 cm on it, and three points that hang together in the air.
fn cloud() -> String {
    let mut text = String::from("# x y z\n");
    for x in 0..60 {
        for y in 0..40 {
            writeln!(text, "{} {} 0.5", 0.02 * f64::from(x), 0.02 * f64::from(y)).unwrap();
        }
    }
    let ball = tessellate(&Shape::sphere(0.06).unwrap(), 3e-4);
    for v in &ball.vertices {
        writeln!(text, "{} {} {}", v.x + 0.4, v.y + 0.3, v.z + 0.6).unwrap();
    }
    text + "nan 0 0\n0 0 2\n0.01 0 2\n0 0.01 2\n"
}

#[test]
fn a_cloud_becomes_a_world() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("scene.xyz"), cloud()).unwrap();
    let output = fit(folder.path(), &["scene.xyz", "--world", "world.yaml", "--json"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["not_finite"], 1);
    assert_eq!(report["scattered"], 3);
    assert_eq!(report["table"]["points"], 2400);
    assert_eq!(report["objects"][0]["kind"], "sphere");
    assert_eq!(report["objects"][0]["reason"], Value::Null);
    let world = WorldFile::load(folder.path().join("world.yaml")).unwrap();
    let names: Vec<&str> = world.objects().iter().map(|object| object.object.name()).collect();
    assert_eq!(names, ["table", "object_0"]);
    let ball = &world.objects()[1].object;
    let (_, shape) = ball.shapes().next().unwrap();
    let Shape::Sphere(sphere) = shape else { panic!("{shape:?}") };
    // The points are exact.
    assert!((sphere.radius() - 0.06).abs() < 1e-5, "{sphere:?}");
    let center = ball.pose().translation.vector;
    assert!((center - Vec3::new(0.4, 0.3, 0.6)).norm() < 1e-5, "{center:?}");
    // The table is given its name and why it is one in the table of the report too.
    let output = fit(folder.path(), &["scene.xyz", "-o", "again.yaml", "--report", "report"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("table") && text.contains("1 not finite"), "{text}");
    let bytes = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&bytes("report/report.json")).unwrap(), report);
    let picture = String::from_utf8(bytes("report/cloud.svg")).unwrap();
    // Two outlines, seen from two sides.
    assert_eq!(picture.matches("fill-opacity").count(), 4);
    assert_eq!(bytes("world.yaml"), bytes("again.yaml"));
}

#[test]
fn clouds_that_cannot_be_used_are_refused_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("bad.xyz"), "0 0 0\n0 zero 0\n").unwrap();
    std::fs::write(path("bad.pcd"), "VERSION 0.7\n").unwrap();
    std::fs::write(path("bad.ply"), "ply\nformat ascii 1.0\nelement vertex 1\nend_header\n")
        .unwrap();
    std::fs::write(path("good.xyz"), "0 0 0\n").unwrap();
    let cases: [(&[&str], &str); 5] = [
        (&["bad.xyz", "-o", "x.yaml"], "bad.xyz: line 2: y is `zero`, must be a number"),
        (&["bad.pcd", "-o", "x.yaml"], "bad.pcd: line 2: the header has no end"),
        (&["bad.ply", "-o", "x.yaml"], "bad.ply: element vertex has no property x"),
        (&["none.ply", "-o", "x.yaml"], "none.ply: No such file"),
        (&["good.xyz", "-o", "x.urdf"], "ending `urdf` is not known, must be yaml or yml"),
    ];
    for (arguments, expected) in cases {
        let output = fit(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains(expected), "{arguments:?}: {error}");
    }
    assert!(!path("x.yaml").exists() && !path("x.urdf").exists());
    // Nothing that was seen must not look like nothing that is there.
    std::fs::write(path("empty.xyz"), "").unwrap();
    std::fs::write(path("unseen.xyz"), "nan nan nan\n0 inf 0\n").unwrap();
    for (name, count) in [("empty.xyz", 0), ("unseen.xyz", 2)] {
        let output = fit(folder.path(), &[name, "-o", "x.yaml"]);
        assert_eq!(output.status.code(), Some(2));
        let error = String::from_utf8(output.stderr).unwrap();
        let expected = format!("{name}: no point with finite coordinates ({count} without)");
        assert!(error.contains(&expected), "{error}");
    }
    assert!(!path("x.yaml").exists());
}

#[test]
fn points_that_cannot_be_fitted_become_their_hull_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("three.xyz"), "0 0 0\n1 0 0\n0 1 0\n").unwrap();
    let output = fit(folder.path(), &["three.xyz", "-o", "x.yaml"]);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("no 20 points are near each other"), "{text}");
    let world = WorldFile::load(folder.path().join("x.yaml")).unwrap();
    let (_, shape) = world.objects()[0].object.shapes().next().unwrap();
    let Shape::ConvexMesh(hull) = shape else { panic!("{shape:?}") };
    assert_eq!(hull.vertices().len(), 3);
}

/// A tower of two metres on a joint that swings it; the camera is fixed to its top.
const TOWER: &str = r#"<robot name="tower">
  <link name="base"/>
  <link name="pole"><collision><origin xyz="0 0 1"/><geometry><cylinder radius="0.1" length="2"/></geometry></collision></link>
  <link name="camera"/>
  <joint name="swing" type="revolute"><parent link="base"/><child link="pole"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" velocity="1" effort="1"/></joint>
  <joint name="top" type="fixed"><parent link="pole"/><child link="camera"/><origin xyz="0 0 2"/></joint>
</robot>"#;

#[test]
fn the_robot_in_the_cloud_is_removed_in_its_state() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("tower.urdf"), TOWER).unwrap();
    // In the frame of the camera: the pole below it, with noise of 1 cm, and a ball beside it.
    let mut text = String::new();
    let pole = tessellate(&Shape::cylinder(0.11, 1.0).unwrap(), 1e-3);
    for v in &pole.vertices {
        writeln!(text, "{} {} {}", v.x, v.y, v.z - 1.0).unwrap();
    }
    let ball = tessellate(&Shape::sphere(0.06).unwrap(), 3e-4);
    for v in &ball.vertices {
        writeln!(text, "{} {} {}", v.x + 0.5, v.y, v.z).unwrap();
    }
    std::fs::write(folder.path().join("cloud.xyz"), text).unwrap();
    let mut all = vec!["cloud.xyz", "-o", "x.yaml", "--force", "--json", "--table-share", "2"];
    all.extend(["--robot", "tower.urdf", "--joints", "swing=0.5", "--frame", "camera"]);
    let report = |more: &[&str]| -> Value {
        let output = fit(folder.path(), &[all.as_slice(), more].concat());
        assert!(output.status.success(), "{output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let found = report(&[]);
    assert_eq!(found["of_robot"], pole.vertices.len());
    assert_eq!(found["objects"].as_array().unwrap().len(), 1, "{found}");
    let world = WorldFile::load(folder.path().join("x.yaml")).unwrap();
    let center = world.objects()[0].object.pose().translation.vector;
    let (sin, cos) = 0.5f64.sin_cos();
    let expected = Vec3::new(2.0 * sin + 0.5 * cos, 0.0, 2.0 * cos - 0.5 * sin);
    assert!((center - expected).norm() < 1e-5, "{center:?} {expected:?}");
    // With a margin below the noise it is seen.
    assert_eq!(report(&["--robot-margin", "0.001"])["of_robot"], 0);
    let cases: [(&[&str], &str); 7] = [
        (&["--frame", "eye"], "--frame: the robot has no link `eye`"),
        (&["--joints", "sing=1"], "--joints: the robot has no joint `sing`, did you mean `swing`?"),
        (&["--robot-margin", "-1"], "--robot-margin is -1, must be in [0, 10] m"),
        (&["--surfaces", "3"], "--surfaces does not apply to point clouds"),
        (&["--kinds", "hull"], "kind `hull` is not fitted to points"),
        (&["--gap", "nan"], "--gap is NaN, must be in [1e-5, 1000] m"),
        (&["--mode", "enclosing"], "--mode enclosing does not apply to point clouds"),
    ];
    for (more, expected) in cases {
        let without_frame: Vec<&str> = match more[0] {
            "--frame" => {
                all.iter().copied().filter(|a| !["--frame", "camera"].contains(a)).collect()
            }
            _ => all.clone(),
        };
        let output = fit(folder.path(), &[without_frame.as_slice(), more].concat());
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains(expected), "{more:?}: {error}");
    }
    for (more, expected) in [
        (["--gap", "0.1"], "--gap applies to point clouds only"),
        (["--mode", "closest"], "--mode closest applies to point clouds only"),
    ] {
        let arguments = [&["tower.urdf", "-o", "x.yaml", "--force"][..], &more].concat();
        let error = String::from_utf8(fit(folder.path(), &arguments).stderr).unwrap();
        assert!(error.contains(expected), "{error}");
    }
}
