//! The ROS 2 package builds: `colcon build` with the real rosidl of Debian makes the interfaces and installs the node, in
//! a workspace under `target/`. Behind the feature `external-tests`; needs what `tests/robots/install.sh` installs.
//!
//! r2r links libraries that only a ROS 2 installation has, so here the step that builds the node with it is run with a
//! stand-in for cargo, which shows what cargo would be told.

use smooth_scene_test_support::robots_venv;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn target() -> PathBuf {
    // The folder of this test's own executable: target/debug/deps.
    let executable = std::env::current_exe().unwrap();
    executable.ancestors().nth(3).unwrap().to_path_buf()
}

fn run(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let text = format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.success(), "{command:?}: {status}\n{text}");
    text
}

/// Debian's rosidl runs in Debian's Python, whatever else is installed.
fn system_path() -> String {
    format!("/usr/bin:/bin:{}", std::env::var("PATH").unwrap())
}

#[test]
fn colcon_builds_the_interfaces() {
    let workspace = target().join("rosidl-workspace");
    run(Command::new(robots_venv::program("python"))
        .arg(root().join("tests/smooth_scene/rosidl/make_workspace.py"))
        .arg(&workspace));
    run(Command::new(robots_venv::program("colcon"))
        .args(["build", "--base-paths", "src", "--packages-up-to", "smooth_scene"])
        .args(["--cmake-args", "-DSMOOTH_SCENE_BACKEND=OFF"])
        .arg(format!("-DSMOOTH_SCENE_CARGO_TARGET_DIR={}", target().display()))
        .current_dir(&workspace)
        .env("COLCON_LOG_PATH", workspace.join("log"))
        .env("PATH", system_path()));

    let installed = workspace.join("install/smooth_scene");
    let share = installed.join("share/smooth_scene");
    for folder in ["msg", "srv"] {
        for file in std::fs::read_dir(root().join(folder)).unwrap() {
            let file = file.unwrap().path();
            let name = file.file_stem().unwrap().to_str().unwrap();
            let idl = share.join(folder).join(format!("{name}.idl"));
            assert!(idl.exists(), "{}", idl.display());
        }
    }
    for library in ["rosidl_generator_c", "rosidl_typesupport_introspection_c"] {
        assert!(installed.join(format!("lib/libsmooth_scene__{library}.so")).exists(), "{library}");
    }
    for folder in ["config", "launch", "urdf"] {
        for file in std::fs::read_dir(root().join(folder)).unwrap() {
            let file = file.unwrap().file_name();
            assert!(share.join(folder).join(&file).exists(), "{folder}/{}", file.display());
        }
    }
}

/// Runs the step that builds the node, with this script in the place of cargo.
fn build_node_with(cargo: &str, backend: &str) -> (PathBuf, Output) {
    let folder = target().join(format!("build-node-{backend}-{}", cargo.len()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("bin")).unwrap();
    let script = folder.join("bin/cargo");
    std::fs::write(&script, format!("#!/bin/sh\n{cargo}\n")).unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let output = Command::new("cmake")
        .arg(format!("-Dbackend={backend}"))
        .arg(format!("-Dsource_dir={}", root().display()))
        .arg(format!("-Dtarget_dir={}", folder.join("target").display()))
        .arg("-Dinterface_packages=std_msgs;sensor_msgs")
        .arg(format!("-DCMAKE_INSTALL_PREFIX={}", folder.join("install").display()))
        .arg("-P")
        .arg(root().join("cmake/build_node.cmake"))
        .env("PATH", format!("{}:/usr/bin:/bin", folder.join("bin").display()))
        .env("AMENT_PREFIX_PATH", "/opt/ros/jazzy")
        .env("SEEN", folder.join("seen"))
        .output()
        .unwrap();
    (folder, output)
}

#[test]
fn with_r2r_cargo_finds_the_interfaces_that_were_just_installed() {
    let cargo = r#"echo "$PWD $*" > "$SEEN"
echo "$AMENT_PREFIX_PATH $LD_LIBRARY_PATH $IDL_PACKAGE_FILTER" >> "$SEEN"
for last; do :; done
mkdir -p "$last/release"
for program in scene_node smooth_scene joint_sweep; do echo > "$last/release/$program"; done"#;
    let (folder, output) = build_node_with(cargo, "r2r");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let seen = std::fs::read_to_string(folder.join("seen")).unwrap();
    let prefix = folder.join("install");
    let (prefix, root) = (prefix.display(), root().display());
    let expected = [
        format!("{root} build --release --locked --bins --features sqlite,r2r --target-dir"),
        format!("{prefix}:/opt/ros/jazzy {prefix}/lib:"),
        "smooth_scene;std_msgs;sensor_msgs;".to_string(),
        ";moveit_msgs;".to_string(),
    ];
    for part in expected {
        assert!(seen.contains(&part), "{part} is not in {seen}");
    }
    assert!(folder.join("install/lib/smooth_scene/scene_node").exists());
}

#[test]
fn a_failing_cargo_fails_the_build() {
    let (_, output) = build_node_with("exit 101", "embedded");
    assert!(!output.status.success());
    let text = String::from_utf8_lossy(&output.stderr).replace('\n', " ");
    assert!(text.contains("cargo could not build the node (101)"), "{text}");
}

#[test]
fn the_package_manifest_follows_format_3() {
    let script = "import sys, catkin_pkg.package as p\n\
        package = p.parse_package(sys.argv[1], warnings=(w := []))\n\
        package.validate(warnings=w)\n\
        print(package.name, package.version, package.package_format, package.get_build_type(), w)";
    let printed = run(Command::new(robots_venv::program("python"))
        .args(["-c", script])
        .arg(root().join("package.xml")));
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(printed.trim(), format!("smooth_scene {version} 3 ament_cmake []"));
}
