//! How a fitted robot judges random states, compared with the convex hulls of its meshes and with Coal on the meshes: Markdown.
//!
//! ```text
//! smooth_scene fit panda.urdf -o panda.yaml --surfaces 33
//! smooth_scene fit panda.urdf -o spheres.yaml --surfaces 60 --kinds sphere
//! cargo run --release --example fit_figures -- panda.urdf panda.yaml [--also spheres.yaml]… [--srdf panda.srdf] [--share DIR]
//!     [--states 100000]
//! ```
//!
//! The robot stands in a world of 20 random boxes and balls. A state is *missed* if the model calls it free although the meshes
//! touch, and *refused* if the model calls it in collision although they do not. Coal and Pinocchio run in the environment of
//! `tests/robots/install.sh`, in the same run and on one core, like ours.

use smooth_scene::geometry::Shape;
use smooth_scene::math::{Pose, Vec3};
use smooth_scene::robot::srdf::Srdf;
use smooth_scene::robot::{LoadOptions, RobotModel, Sidecar, StateSampler, load_urdf};
use smooth_scene::scene::{CheckRequest, PlanningScene, SceneObject, Workspace, WorldChange};
use smooth_scene_test_support::robots_venv::{share, start_script};
use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use serde_json::{Value, json};

/// Objects of the world.
const OBJECTS: usize = 20;
/// Start of the random sequences.
const SEED: u64 = 7;

struct Options {
    urdf: PathBuf,
    sidecar: PathBuf,
    also: Vec<PathBuf>,
    srdf: Option<PathBuf>,
    share: PathBuf,
    states: usize,
}

fn options() -> Result<Options, Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let usage = "usage: fit_figures URDF SIDECAR [--also SIDECAR]… [--srdf FILE] [--share DIR] [--states N]";
    let urdf = words.next().ok_or(usage)?.into();
    let sidecar = words.next().ok_or(usage)?.into();
    let mut options =
        Options { urdf, sidecar, also: Vec::new(), srdf: None, share: share(), states: 100_000 };
    while let Some(word) = words.next() {
        let value = words.next().ok_or(usage)?;
        match word.as_str() {
            "--also" => options.also.push(value.into()),
            "--srdf" => options.srdf = Some(value.into()),
            "--share" => options.share = value.into(),
            "--states" => options.states = value.parse()?,
            _ => return Err(usage.into()),
        }
    }
    Ok(options)
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = options()?;
    let srdf = options.srdf.as_deref().map(Srdf::load).transpose()?;
    let fitted = scene(&options, Some(&options.sidecar), srdf.as_ref())?;
    let hulls = scene(&options, None, srdf.as_ref())?;
    let mut sampler = StateSampler::new(fitted.model(), SEED);
    let states: Vec<Vec<f64>> = (0..options.states).map(|_| sampler.draw()).collect();
    let coal = ask_coal(&options, &fitted, &states)?;
    let touching: Vec<bool> = serde_json::from_value(coal["touching"].clone())?;
    let coal_us = 1e6 * coal["seconds"].as_f64().ok_or("no time")? / states.len() as f64;
    let free = touching.iter().filter(|touches| !**touches).count();
    println!("{} states, {free} free by Coal on the meshes, {OBJECTS} objects\n", states.len());
    println!("| model | surfaces | missed | refused | of the free | µs a state |");
    println!("|---|---:|---:|---:|---:|---:|");
    println!("| Coal, meshes | | 0 | 0 | 0 % | {coal_us:.1} |");
    let mut models =
        vec![("convex hulls".to_string(), hulls), ("fitted surfaces".to_string(), fitted)];
    for path in &options.also {
        models.push((path.display().to_string(), scene(&options, Some(path), srdf.as_ref())?));
    }
    for (name, scene) in &models {
        let mut ws = Workspace::cold();
        let begin = Instant::now();
        let answers: Vec<bool> = states
            .iter()
            .map(|q| scene.in_collision(q, &CheckRequest::default(), &mut ws))
            .collect::<Result<_, _>>()?;
        let us = 1e6 * begin.elapsed().as_secs_f64() / states.len() as f64;
        let count = |ours: bool, theirs: bool| {
            answers.iter().zip(&touching).filter(|(a, t)| **a == ours && **t == theirs).count()
        };
        let (missed, refused) = (count(false, true), count(true, false));
        let share = 100.0 * refused as f64 / free as f64;
        let surfaces = scene.robot_size().0;
        println!("| {name} | {surfaces} | {missed} | {refused} | {share:.2} % | {us:.2} |");
    }
    Ok(())
}

fn scene(
    options: &Options,
    sidecar: Option<&Path>,
    srdf: Option<&Srdf>,
) -> Result<PlanningScene, Box<dyn Error>> {
    let load = LoadOptions {
        package_paths: vec![options.share.clone()],
        sidecar: sidecar.map(|path| Sidecar::File(path.to_owned())),
        ..LoadOptions::default()
    };
    let model = Arc::new(load_urdf(&options.urdf, &load)?.model);
    let semantics = srdf.map(|srdf| srdf.resolve(&model)).transpose()?.map(|(found, _)| found);
    let mut scene = PlanningScene::new(model, semantics)?;
    for (number, (pose, shape)) in objects().into_iter().enumerate() {
        scene.apply(WorldChange::Add(SceneObject::simple(
            &format!("object{number}"),
            pose,
            shape,
        )?))?;
    }
    Ok(scene)
}

/// Boxes and balls of 5 to 15 cm around the robot, none at its base.
fn objects() -> Vec<(Pose, Shape)> {
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

fn ask_coal(
    options: &Options,
    scene: &PlanningScene,
    states: &[Vec<f64>],
) -> Result<Value, Box<dyn Error>> {
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
