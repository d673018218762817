//! `smooth_scene plan`, end to end: the binary is run, and what it prints is checked with the library.

mod experiments;
mod problems;
mod questions;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use smooth_scene::robot::{LoadOptions, interpolate, load_urdf};
use smooth_scene::scene::{CheckRequest, PlanningScene, Workspace, WorldFile};
use smooth_scene_test_support::signals;
use std::sync::Arc;

const SRDF: &str = r#"<robot name="arm">
  <group name="arm"><joint name="joint0"/><joint name="joint1"/><joint name="joint2"/></group>
  <group_state name="home" group="arm"><joint name="joint0" value="0"/><joint name="joint1" value="0"/>
    <joint name="joint2" value="0"/></group_state>
  <group_state name="up" group="arm"><joint name="joint0" value="1.2"/></group_state>
</robot>
"#;
/// A post that the straight way from `home` to `up` touches.
const POST: &str =
    "- {id: post, pose: {xyz: [0.6, 0.3, 0]}, shape: {type: box, size: [0.05, 0.05, 0.3]}}\n";

/// Three links that turn in a plane.
fn urdf() -> String {
    let mut urdf =
        r#"<robot name="arm" xmlns:scs="urn:smooth-scene:scs:1"><link name="base"/>"#.to_owned();
    for (k, parent, x) in [(0, "base", 0.0), (1, "link0", 0.3), (2, "link1", 0.3)] {
        urdf += &format!(
            r#"<link name="link{k}"><collision><origin xyz="0.15 0 0"/><geometry><box size="0.26 0.04 0.06"/></geometry>
            <scs:superellipsoid radii="0.13 0.02 0.03" exponent_xy="0.5" exponent_z="1"/></collision></link>
            <joint name="joint{k}" type="revolute"><parent link="{parent}"/><child link="link{k}"/>
            <origin xyz="{x} 0 0"/><axis xyz="0 0 1"/>
            <limit lower="-2.9" upper="2.9" effort="1" velocity="1"/></joint>"#
        );
    }
    urdf + "</robot>"
}

/// A folder with robot and world.
struct Files {
    folder: tempfile::TempDir,
}

impl Files {
    fn new() -> Self {
        let files = Self { folder: tempfile::tempdir().unwrap() };
        files.write("arm.urdf", &urdf());
        files.write("arm.srdf", SRDF);
        files.write("world.yaml", POST);
        files
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn command(&self, more: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_smooth_scene"));
        command.current_dir(self.folder.path()).arg("plan").args(more);
        command
    }

    /// Plans with robot, SRDF and world given.
    fn plan(&self, more: &[&str]) -> Output {
        let fixed = ["arm.urdf", "--srdf", "arm.srdf", "--world", "world.yaml", "--group", "arm"];
        self.command(&[&fixed[..], more].concat()).output().unwrap()
    }

    fn scene(&self) -> PlanningScene {
        let model = load_urdf(self.path("arm.urdf"), &LoadOptions::default()).unwrap().model;
        let mut scene = PlanningScene::new(Arc::new(model), None).unwrap();
        WorldFile::load(self.path("world.yaml")).unwrap().add_to(&mut scene).unwrap();
        scene
    }
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}{}", text(&output.stdout), text(&output.stderr)))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn waypoints(answer: &Value) -> Vec<Vec<f64>> {
    serde_json::from_value(answer["path"].clone()).unwrap()
}

fn is_free(scene: &PlanningScene, path: &[Vec<f64>]) -> bool {
    let mut ws = Workspace::cold();
    let free = |state: &[f64], ws: &mut Workspace| {
        !scene.in_collision(state, &CheckRequest::default(), ws).unwrap()
    };
    path.windows(2).all(|ends| {
        (0..=400).all(|k| {
            let state = interpolate(scene.model(), &ends[0], &ends[1], f64::from(k) / 400.0);
            free(&state.unwrap(), &mut ws)
        })
    })
}

/// Runs a program, interrupts it once `is_time` says so, and waits for its end.
fn interrupted_when(mut command: Command, is_time: impl Fn() -> bool) -> Output {
    /// Generous: this machine may be busy with other things.
    const PATIENCE: Duration = Duration::from_secs(120);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let begin = Instant::now();
    while !is_time() {
        assert!(begin.elapsed() < PATIENCE, "it does not begin");
        std::thread::sleep(Duration::from_millis(10));
    }
    signals::interrupt(&child);
    let begin = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(begin.elapsed() < PATIENCE, "it goes on");
        std::thread::sleep(Duration::from_millis(10));
    }
    child.wait_with_output().unwrap()
}
