//! `smooth_scene fit`, end to end: the binary is run and its output loaded again.

use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use smooth_scene::geometry::{Shape, tessellate};
use smooth_scene::robot::{LoadOptions, Sidecar, load_urdf};

/// Two links with the same mesh, one with a box beside it, and one without meshes.
const ROBOT: &str = r#"<robot name="bars">
  <link name="base">
    <visual><geometry><mesh filename="bar.obj"/></geometry></visual>
    <collision><geometry><mesh filename="bar.obj"/></geometry></collision>
    <collision name="foot"><origin xyz="0 0 -0.2"/><geometry><box size="0.2 0.2 0.1"/></geometry></collision>
  </link>
  <link name="arm"><collision><origin rpy="0 1.5708 0"/><geometry><mesh filename="bar.obj" scale="1 1 2"/></geometry></collision></link>
  <link name="tool"><collision><geometry><sphere radius="0.05"/></geometry></collision></link>
  <joint name="turn" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0 0 0.5"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="mount" type="fixed"><parent link="arm"/><child link="tool"/><origin xyz="0.6 0 0"/></joint>
</robot>
"#;

/// A folder with the robot and its mesh.
fn robot() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mesh = tessellate(&Shape::superellipsoid([0.04, 0.05, 0.15], 0.5, 0.3).unwrap(), 5e-4);
    let mut obj = String::new();
    for v in &mesh.vertices {
        writeln!(obj, "v {} {} {}", v.x, v.y, v.z).unwrap();
    }
    for [a, b, c] in &mesh.triangles {
        writeln!(obj, "f {} {} {}", a + 1, b + 1, c + 1).unwrap();
    }
    std::fs::write(folder.path().join("bar.obj"), obj).unwrap();
    std::fs::write(folder.path().join("bars.urdf"), ROBOT).unwrap();
    folder
}

pub(crate) fn fit(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_smooth_scene"))
        .arg("fit")
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn refused(folder: &Path, arguments: &[&str]) -> String {
    let output = fit(folder, arguments);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_sidecar_is_written_with_its_report() {
    let folder = robot();
    let arguments =
        ["bars.urdf", "-o", "bars.yaml", "--surfaces", "2", "--json", "--report", "out"];
    let report = json(&fit(folder.path(), &arguments));
    let total = &report["total"];
    assert_eq!(total["surfaces"], 2);
    assert_eq!(total["covered"], 1.0);
    // Tighter than the box around the mesh, whose volume is 1.14 times that of the superellipsoid in it.
    assert!(total["volume_over_hull"].as_f64().unwrap() < 1.14, "{total}");
    assert!(total["mean_outward"].as_f64().unwrap() > 0.0, "{total}");
    assert!(total["volume_over_mesh"].as_f64().unwrap() >= 1.0, "{total}");
    let names: Vec<&str> =
        report["links"].as_array().unwrap().iter().map(|l| l["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["base", "arm"]);
    assert!(report["added_contacts"].is_array());

    let options = LoadOptions {
        sidecar: Some(Sidecar::File(folder.path().join("bars.yaml"))),
        ..LoadOptions::default()
    };
    let model = load_urdf(folder.path().join("bars.urdf"), &options).unwrap().model;
    let kinds = |name: &str| -> Vec<&str> {
        let link = model.links().iter().find(|link| link.name == name).unwrap();
        link.collisions.iter().map(|collision| collision.shape.kind()).collect()
    };
    assert_eq!(kinds("base")[1..], ["box"], "the box stays");
    assert_eq!(kinds("arm").len(), 1);
    assert_eq!(kinds("tool"), ["sphere"]);
    for name in ["report.md", "report.json", "base.svg", "arm.svg"] {
        assert!(folder.path().join("out").join(name).is_file(), "{name}");
    }
    let again = folder.path().join("again.yaml");
    json(&fit(folder.path(), &["bars.urdf", "-o", "again.yaml", "--surfaces", "2", "--json"]));
    let read = |path: &Path| std::fs::read_to_string(path).unwrap();
    assert_eq!(
        read(&folder.path().join("bars.yaml")),
        read(&again),
        "the same seed, the same file"
    );
}

#[test]
fn a_urdf_keeps_everything_but_the_collisions_of_fitted_links() {
    let folder = robot();
    let arguments = ["bars.urdf", "-o", "fitted.urdf", "--links", "arm", "--json"];
    let report = json(&fit(folder.path(), &arguments));
    assert_eq!(report["links"].as_array().unwrap().len(), 1);
    let text = std::fs::read_to_string(folder.path().join("fitted.urdf")).unwrap();
    assert!(text.contains("<visual><geometry><mesh filename=\"bar.obj\"/></geometry></visual>"));
    assert!(text.contains("<scs:superellipsoid") || text.contains("<scs:superovoid"), "{text}");
    let output = Command::new(env!("CARGO_BIN_EXE_smooth_scene"))
        .args(["check", "fitted.urdf", "--json"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(output.status.code().is_some_and(|code| code < 2), "{output:?}");
    #[cfg(feature = "external-tests")]
    {
        let checked =
            Command::new("check_urdf").arg(folder.path().join("fitted.urdf")).output().unwrap();
        assert!(checked.status.success(), "{checked:?}");
        let script = "import sys, pinocchio as p\n\
             m = p.buildModelFromUrdf(sys.argv[1])\n\
             g = p.buildGeomFromUrdf(m, sys.argv[1], p.GeometryType.COLLISION, sys.argv[2])\n\
             print(m.nq, g.ngeoms)";
        let python = smooth_scene_test_support::robots_venv::program("python");
        let loaded = Command::new(python)
            .args(["-c", script])
            .args([folder.path().join("fitted.urdf"), folder.path().to_owned()])
            .output()
            .unwrap();
        assert!(loaded.status.success(), "{loaded:?}");
        // One joint; the collisions of the three links, of which those of the arm are the fallbacks of its surfaces.
        let surfaces = report["total"]["surfaces"].as_u64().unwrap();
        let printed = String::from_utf8(loaded.stdout).unwrap();
        assert_eq!(printed.trim(), format!("1 {}", 3 + surfaces));
    }
}

#[test]
fn links_that_touch_because_of_surfaces_get_more_of_them_or_nothing_changes() {
    let folder = robot();
    let states = |more: &[&str]| -> u64 {
        let arguments = ["bars.urdf", "-o", "x.yaml", "--force", "--surfaces", "3", "--json"];
        let report = json(&fit(folder.path(), &[&arguments[..], more].concat()));
        let pairs = report["added_contacts"].as_array().expect("states were sampled");
        let count = |pair: &Value, name: &str| pair[name].as_u64().unwrap();
        pairs.iter().map(|pair| count(pair, "states") - count(pair, "states_of_hulls")).sum()
    };
    assert!(states(&[]) <= states(&["--let-touch", "--report", "out"]));
}

#[test]
fn a_mesh_alone_is_fitted_and_a_file_is_not_replaced_unasked() {
    let folder = robot();
    let output = fit(folder.path(), &["bar.obj", "-o", "bar.yaml"]);
    assert!(output.status.success(), "{output:?}");
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.contains("100 %") && table.contains("total"), "{table}");
    assert!(std::fs::read_to_string(folder.path().join("bar.yaml")).unwrap().contains("\"bar\":"));
    let error = refused(folder.path(), &["bar.obj", "-o", "bar.yaml"]);
    assert!(error.contains("bar.yaml is there already; --force replaces it"), "{error}");
    assert!(fit(folder.path(), &["bar.obj", "-o", "bar.yaml", "--force"]).status.success());
}

#[test]
fn bad_requests_name_what_is_wrong_and_write_nothing() {
    let folder = robot();
    let cases: [(&[&str], &str); 9] = [
        (
            &["bars.txt", "-o", "x.yaml"],
            "ending `txt` is not known, must be urdf, stl, obj, dae, ply, pcd, xyz or pts",
        ),
        (&["none.obj", "-o", "x.yaml"], "none.obj"),
        (&["bar.obj", "-o", "x.yaml", "--links", "bar"], "bar.obj is one mesh and has no links"),
        (&["bar.obj", "-o", "x.urdf"], "ending `urdf` is not known, must be yaml or yml"),
        (&["bars.urdf", "-o", "x.yaml", "--links", "leg"], "no link `leg` with a <collision>"),
        (
            &["bars.urdf", "-o", "x.yaml", "--links", "tool"],
            "no link has a mesh in its <collision>",
        ),
        (&["bars.urdf", "-o", "x.yaml", "--kinds", "cube"], "must be one of: sphere, capsule"),
        (&["bars.urdf", "-o", "x.yaml", "--surfaces", "1"], "1 surfaces for 2 links with meshes"),
        (&["bars.urdf", "-o", "x.yaml", "--tolerance=-1"], "must be a length in metres above 0"),
    ];
    for (arguments, expected) in cases {
        let error = refused(folder.path(), arguments);
        assert!(error.contains(expected), "{arguments:?}: {error}");
    }
    assert!(!folder.path().join("x.yaml").exists() && !folder.path().join("x.urdf").exists());
    std::fs::write(folder.path().join("bad.obj"), "v 0 0 0\nv 1 0 0\nv nan 1 0\nf 1 2 3\n")
        .unwrap();
    let error = refused(folder.path(), &["bad.obj", "-o", "x.yaml"]);
    assert!(error.contains("bad.obj") && error.contains("must be finite"), "{error}");
    std::fs::write(folder.path().join("points.obj"), "v 0 0 0\nv 1 0 0\n").unwrap();
    let error = refused(folder.path(), &["points.obj", "-o", "x.yaml"]);
    assert!(error.contains("points.obj: has no triangles"), "{error}");
}

#[test]
fn an_interrupted_run_writes_nothing() {
    let folder = robot();
    let mut child = Command::new(env!("CARGO_BIN_EXE_smooth_scene"))
        .args(["fit", "bars.urdf", "-o", "x.yaml", "--surfaces", "24", "--report", "out"])
        .current_dir(folder.path())
        .spawn()
        .unwrap();
    let pid = child.id().to_string();
    // Before the signal is watched for it ends the process, or nothing if a shell started the tests in the background; so it
    // is sent until the process has ended.
    let status = loop {
        assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
        std::thread::sleep(std::time::Duration::from_millis(20));
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
    };
    assert!(matches!(status.code(), None | Some(130)), "{status:?}");
    assert!(!folder.path().join("x.yaml").exists() && !folder.path().join("out").exists());
}

/// A bar from a cube's corners: `faces` are quadrilaterals by corner, counted from 1.
fn cube(faces: &[[usize; 4]]) -> String {
    let mut obj = String::new();
    for corner in 0..8 {
        let side = |bit: usize| if corner >> bit & 1 == 1 { 0.1 } else { -0.1 };
        writeln!(obj, "v {} {} {}", side(0), side(1), side(2)).unwrap();
    }
    for [a, b, c, d] in faces {
        writeln!(obj, "f {a} {b} {c}\nf {a} {c} {d}").unwrap();
    }
    obj
}

#[test]
fn odd_mesh_files_are_contained_and_empty_ones_refused() {
    const CLOSED: [[usize; 4]; 6] =
        [[1, 3, 4, 2], [5, 6, 8, 7], [1, 2, 6, 5], [3, 7, 8, 4], [1, 5, 7, 3], [2, 4, 8, 6]];
    let folder = tempfile::tempdir().unwrap();
    let whole = cube(&CLOSED);
    let inside_out = cube(&CLOSED.map(|[a, b, c, d]| [d, c, b, a]));
    // Three faces on one edge, and one face twice.
    let not_manifold = cube(&[&CLOSED[..], &[[1, 2, 8, 7], CLOSED[0]]].concat());
    // Every triangle with corners of its own, as STL has them.
    let mut separate = String::new();
    let corners: Vec<&str> = whole.lines().filter(|line| line.starts_with('v')).collect();
    for face in whole.lines().filter_map(|line| line.strip_prefix("f ")) {
        for corner in face.split(' ') {
            writeln!(separate, "{}", corners[corner.parse::<usize>().unwrap() - 1]).unwrap();
        }
        separate += "f -3 -2 -1\n";
    }
    let flat = "v 0 0 0\nv 0.2 0 0\nv 0.2 0.1 0\nv 0 0.1 0\nf 1 2 3\nf 1 3 4\n".to_owned();
    let triangle = "v 0 0 0\nv 0.2 0 0\nv 0 0.1 0.05\nf 1 2 3\n".to_owned();
    let good = [
        ("whole", whole, true),
        ("hole", cube(&CLOSED[1..]), false),
        ("inside_out", inside_out, true),
        ("not_manifold", not_manifold, false),
        ("separate", separate, true),
        ("flat", flat, false),
        ("triangle", triangle, false),
    ];
    for (name, obj, is_closed) in good {
        let file = format!("{name}.obj");
        std::fs::write(folder.path().join(&file), obj).unwrap();
        let report = json(&fit(folder.path(), &[&file, "-o", &format!("{name}.yaml"), "--json"]));
        assert_eq!(report["total"]["covered"], 1.0, "{name}");
        assert_eq!(report["total"]["volume_over_mesh"].is_number(), is_closed, "{name}: {report}");
    }
    for (name, obj) in [("empty", ""), ("no_faces", "v 0 0 0\nv 1 0 0\nv 0 1 0\n")] {
        let file = format!("{name}.obj");
        std::fs::write(folder.path().join(&file), obj).unwrap();
        let error = refused(folder.path(), &[&file, "-o", &format!("{name}.yaml")]);
        assert!(error.contains(&format!("{name}.obj: has no triangles")), "{error}");
        assert!(!folder.path().join(format!("{name}.yaml")).exists());
    }
}
