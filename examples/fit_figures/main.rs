//! Models of a robot compared with its meshes and with each other: Markdown.
//!
//! ```text
//! cargo run --release --example fit_figures -- panda.urdf panda.yaml [--also MODEL]… [--coacd] [--srdf panda.srdf] [--share DIR]
//!     [--states 100000]
//! ```
//!
//! MODEL is a sidecar (`.yaml`), another URDF of the robot whose collisions are spheres (VAMP, foam: `*_spherized.urdf`), or a robot file of
//! cuRobo (`.yml`); `--coacd` runs CoACD on the meshes. The convex hulls of the meshes are always compared.
//!
//! The first table compares shapes with meshes: how much of the meshes' area the model covers, how far its outer surface is from
//! them, and its volume over that of the hulls. The second judges random states in a world of 20 random boxes and balls. A state
//! is *missed* if the model calls it free although the meshes touch, and *refused* if the model calls it in collision although
//! they do not. Coal and Pinocchio run in the environment of `tests/robots/install.sh`, in the same run and on one core, like ours;
//! so does CoACD.

mod coal;
mod models;
mod shapes;

use models::Model;
use smooth_scene::robot::srdf::Srdf;
use smooth_scene::robot::{LoadOptions, StateSampler, load_urdf};
use smooth_scene::scene::{
    CheckRequest, NearestRequest, PlanningScene, RobotChange, SceneObject, Workspace, WorldChange,
};
use smooth_scene_test_support::robots_venv::share;
use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// Start of the random sequences.
const SEED: u64 = 7;

struct Options {
    urdf: PathBuf,
    sidecar: PathBuf,
    also: Vec<PathBuf>,
    with_coacd: bool,
    srdf: Option<PathBuf>,
    share: PathBuf,
    states: usize,
}

fn options() -> Result<Options, Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let usage = "usage: fit_figures URDF SIDECAR [--also MODEL]… [--coacd] [--srdf FILE] [--share DIR] [--states N]";
    let urdf = words.next().ok_or(usage)?.into();
    let sidecar = words.next().ok_or(usage)?.into();
    let mut options = Options {
        urdf,
        sidecar,
        also: Vec::new(),
        with_coacd: false,
        srdf: None,
        share: share(),
        states: 100_000,
    };
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(usage);
        match word.as_str() {
            "--also" => options.also.push(value()?.into()),
            "--coacd" => options.with_coacd = true,
            "--srdf" => options.srdf = Some(value()?.into()),
            "--share" => options.share = value()?.into(),
            "--states" => options.states = value()?.parse()?,
            _ => return Err(usage.into()),
        }
    }
    Ok(options)
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = options()?;
    let meshes = shapes::meshes(&options)?;
    let mut models =
        vec![Model::hulls(&options)?, Model::read("fitted surfaces", &options.sidecar, &options)?];
    for path in &options.also {
        models.push(Model::read(&path.display().to_string(), path, &options)?);
    }
    if options.with_coacd {
        models.push(Model::coacd(&meshes)?);
    }
    println!("| model | shapes | covered | mean outward mm | largest mm | volume / hull | s |");
    println!("|---|---:|---:|---:|---:|---:|---:|");
    models.iter().for_each(|model| println!("{}", shapes::row(model, &meshes)));
    if options.states > 0 {
        judge(&options, &models)?;
    }
    Ok(())
}

/// The table of random states.
fn judge(options: &Options, models: &[Model]) -> Result<(), Box<dyn Error>> {
    let srdf = options.srdf.as_deref().map(Srdf::load).transpose()?;
    let hulls = scene(options, srdf.as_ref())?;
    let mut sampler = StateSampler::new(hulls.model(), SEED);
    let states: Vec<Vec<f64>> = (0..options.states).map(|_| sampler.draw()).collect();
    let coal::Answer { touching, seconds } = coal::ask(options, &hulls, &states)?;
    let coal_us = 1e6 * seconds / states.len() as f64;
    let free = touching.iter().filter(|touches| !**touches).count();
    let objects = coal::OBJECTS;
    println!("\n{} states, {free} free by Coal on the meshes, {objects} objects\n", states.len());
    println!("| model | shapes | missed | refused | of the free | µs a state |");
    println!("|---|---:|---:|---:|---:|---:|");
    println!("| Coal, meshes | | 0 | 0 | 0 % | {coal_us:.1} |");
    let mut notes = Vec::new();
    for model in models {
        let mut scene = hulls.clone();
        for (link, collisions) in model.on_links_of(scene.model()) {
            scene.apply(RobotChange::SetCollisions { link, collisions })?;
        }
        let mut ws = Workspace::cold();
        let begin = Instant::now();
        let answers: Vec<bool> = states
            .iter()
            .map(|q| scene.in_collision(q, &CheckRequest::default(), &mut ws))
            .collect::<Result<_, _>>()?;
        let us = 1e6 * begin.elapsed().as_secs_f64() / states.len() as f64;
        let is =
            |k: &usize, ours: bool, theirs: bool| answers[*k] == ours && touching[*k] == theirs;
        let missed: Vec<usize> = (0..states.len()).filter(|k| is(k, false, true)).collect();
        let refused = (0..states.len()).filter(|k| is(k, true, false)).count();
        let share = 100.0 * refused as f64 / free as f64;
        let (name, surfaces) = (&model.name, scene.robot_size().0);
        println!("| {name} | {surfaces} | {} | {refused} | {share:.2} % | {us:.2} |", missed.len());
        let request = NearestRequest { max_results: 1, ..NearestRequest::default() };
        let mut found = Vec::new();
        for k in missed.into_iter().take(3) {
            scene.nearest(&states[k], &request, &mut ws, &mut found)?;
            let distance = found[0].distance.distance;
            notes.push(format!("{name} missed state {k}: they are {distance:.2e} m apart"));
        }
    }
    notes.iter().for_each(|note| println!("\n{note}"));
    Ok(())
}

/// The robot with the hulls of its meshes, among the objects.
fn scene(options: &Options, srdf: Option<&Srdf>) -> Result<PlanningScene, Box<dyn Error>> {
    let load = LoadOptions { package_paths: vec![options.share.clone()], ..LoadOptions::default() };
    let model = Arc::new(load_urdf(&options.urdf, &load)?.model);
    let semantics = srdf.map(|srdf| srdf.resolve(&model)).transpose()?.map(|(found, _)| found);
    let mut scene = PlanningScene::new(model, semantics)?;
    for (number, (pose, shape)) in coal::objects().into_iter().enumerate() {
        let object = SceneObject::simple(&format!("object{number}"), pose, shape)?;
        scene.apply(WorldChange::Add(object))?;
    }
    Ok(scene)
}
