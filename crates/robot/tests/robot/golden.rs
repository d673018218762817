//! Robots as text, compared with what they were before. `UPDATE_GOLDEN=1` rewrites the files.

use std::fmt::Write;
use std::path::Path;

use smooth_scene_robot::{LoadOptions, describe, load_urdf};
use smooth_scene_test_support::{repository_file, repository_root};

/// Loads a URDF of the repository and compares its description and warnings with `tests/golden/NAME.txt`.
fn check(name: &str, urdf: &str) {
    let root = repository_root();
    let options = LoadOptions { use_environment: false, ..Default::default() };
    let robot = load_urdf(root.join(urdf), &options).unwrap();
    let mut text = format!("# {urdf}\n{}", describe(&robot.model));
    let prefix = format!("{}/", root.display());
    for warning in &robot.warnings {
        writeln!(text, "warning {}", warning.to_string().replace(&prefix, "")).unwrap();
    }
    let golden =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{name}.txt"));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&golden, &text).unwrap();
        return;
    }
    let expected = std::fs::read_to_string(&golden).unwrap();
    for (line, (new, old)) in text.lines().zip(expected.lines()).enumerate() {
        assert_eq!(new, old, "{} line {}", golden.display(), line + 1);
    }
    assert_eq!(text.lines().count(), expected.lines().count(), "{}", golden.display());
}

#[test]
fn sample() {
    check("sample", "crates/robot/tests/data/urdf/sample.urdf");
}

/// Every robot of `urdf/`: none may be added without its dump.
#[test]
fn bundled_robots() {
    let folder = repository_file("urdf");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let file = entry.unwrap().file_name().into_string().unwrap();
        if let Some(name) = file.strip_suffix(".urdf") {
            check(name, &format!("urdf/{file}"));
            count += 1;
        }
    }
    assert_eq!(count, 9);
}
