//! The judge: Coal on the meshes themselves.

use super::{Options, SEED};
use serde::Deserialize;
use serde_json::{Value, json};
use smooth_scene::geometry::Shape;
use smooth_scene::math::{Pose, Vec3};
use smooth_scene::robot::RobotModel;
use smooth_scene::scene::PlanningScene;
use smooth_scene_test_support::robots_venv::start_script;
use std::error::Error;
use std::io::Write;

/// Objects of the world.
pub const OBJECTS: usize = 20;

/// What Coal says about every state.
#[derive(Deserialize)]
pub struct Answer {
    pub touching: Vec<bool>,
    pub seconds: f64,
}

/// Boxes and balls of 5 to 15 cm around the robot, none at its base.
pub fn objects() -> Vec<(Pose, Shape)> {
    let mut state = SEED;
    let mut uniform = move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    (0..OBJECTS)
        .map(|number| {
            let angle = std::f64::consts::TAU * uniform();
            let (radius, height) = (0.45 + 0.5 * uniform(), 1.1 * uniform());
            let place = Vec3::new(radius * angle.cos(), radius * angle.sin(), height);
            let turn = Vec3::new(uniform(), uniform(), uniform()) * 3.0;
            let pose = Pose::new(place, turn);
            let mut half = || 0.025 + 0.05 * uniform();
            let shape = match number % 2 {
                0 => Shape::cuboid([half(), half(), half()]),
                _ => Shape::sphere(half()),
            };
            (pose, shape.expect("the sizes are within the limits"))
        })
        .collect()
}

/// Asks about these states of the robot of `scene`.
pub fn ask(
    options: &Options,
    scene: &PlanningScene,
    states: &[Vec<f64>],
) -> Result<Answer, Box<dyn Error>> {
    let model: &RobotModel = scene.model();
    let named = |pose: &Pose| {
        let (t, r) = (pose.translation.vector, pose.rotation.coords);
        json!([t.x, t.y, t.z, r.x, r.y, r.z, r.w])
    };
    let objects: Vec<Value> = objects()
        .iter()
        .map(|(pose, shape)| match shape {
            Shape::Cuboid(s) => {
                json!({"box": s.half_extents().map(|half| 2.0 * half), "pose": named(pose)})
            }
            Shape::Sphere(s) => json!({"sphere": s.radius(), "pose": named(pose)}),
            other => unreachable!("no {} is put into the world", other.kind()),
        })
        .collect();
    let links: Vec<&str> = model.links().iter().map(|link| link.name.as_str()).collect();
    let mut allowed = Vec::new();
    for a in 0..links.len() {
        for b in a + 1..links.len() {
            if scene.acm().decide(links[a], links[b]).allowed {
                allowed.push([links[a], links[b]]);
            }
        }
    }
    let request = json!({
        "urdf": options.urdf, "share": options.share, "allowed": allowed, "objects": objects,
        "joints": model.variable_names(), "states": states,
    });
    let mut child = start_script("coal_meshes.py", &[]);
    let input = child.stdin.take().expect("it was piped");
    // The script reads everything before it writes.
    let written = { input }.write_all(request.to_string().as_bytes());
    let output = child.wait_with_output()?;
    written?;
    if !output.status.success() {
        return Err("coal_meshes.py failed".into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}
