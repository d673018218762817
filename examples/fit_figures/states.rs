//! Random states judged by every model.

use super::coal;
use super::models::Model;
use super::{Options, SEED};
use smooth_scene::robot::srdf::Srdf;
use smooth_scene::robot::{LoadOptions, StateSampler, load_urdf};
use smooth_scene::scene::{
    BatchChecker, BodyId, CheckRequest, NearestRequest, PlanningScene, RobotChange, SceneObject,
    Workspace, WorldChange,
};
use std::collections::BTreeMap;
use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

/// Missed states of a model that are described.
const DESCRIBED: usize = 3;

/// The table of random states.
pub fn judge(options: &Options, models: &[Model]) -> Result<(), Box<dyn Error>> {
    let srdf = options.srdf.as_deref().map(Srdf::load).transpose()?;
    let hulls = scene(options, srdf.as_ref())?;
    let mut sampler = StateSampler::new(hulls.model(), SEED);
    let states: Vec<Vec<f64>> = (0..options.states).map(|_| sampler.draw()).collect();
    let coal::Answer { touching, seconds } = coal::ask(options, &hulls, &states)?;
    let coal_us = 1e6 * seconds / states.len() as f64;
    let free = touching.iter().filter(|touches| !**touches).count();
    let objects = coal::OBJECTS;
    println!("\n{} states, {free} free by Coal on the meshes, {objects} objects\n", states.len());
    println!(
        "| model | shapes | missed | refused | of the free | µs a state | prepared | in blocks |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|");
    println!("| Coal, meshes | | 0 | 0 | 0 % | {coal_us:.1} | | |");
    let mut notes = Vec::new();
    for model in models {
        let mut scene = hulls.clone();
        for (link, collisions) in model.on_links_of(scene.model()) {
            scene.apply(RobotChange::SetCollisions { link, collisions })?;
        }
        let name = &model.name;
        let Answers { is_colliding, times } = Answers::of(&scene, &states)?;
        let differs = |k: &usize, ours: bool| is_colliding[*k] == ours && touching[*k] != ours;
        let missed: Vec<usize> = (0..states.len()).filter(|k| differs(k, false)).collect();
        let refused: Vec<usize> = (0..states.len()).filter(|k| differs(k, true)).collect();
        let share = 100.0 * refused.len() as f64 / free as f64;
        let counts = format!("{} | {} | {share:.2} %", missed.len(), refused.len());
        let [us, prepared_us, blocks_us] = times;
        let shapes = scene.robot_size().0;
        println!("| {name} | {shapes} | {counts} | {us:.2} | {prepared_us:.2} | {blocks_us:.2} |");
        let request = NearestRequest { max_results: 1, ..NearestRequest::default() };
        let (mut found, mut ws) = (Vec::new(), Workspace::cold());
        for k in missed.into_iter().take(DESCRIBED) {
            scene.nearest(&states[k], &request, &mut ws, &mut found)?;
            let distance = found[0].distance.distance;
            notes.push(format!("{name} missed state {k}: they are {distance:.2e} m apart"));
        }
        if options.with_blame {
            notes.push(blame(name, &scene, refused.iter().map(|k| &states[*k]))?);
        }
    }
    notes.iter().for_each(|note| println!("\n{note}"));
    Ok(())
}

/// What a scene says about states.
struct Answers {
    is_colliding: Vec<bool>,
    /// Of one state, µs: asked of the scene, of a prepared checker, of a prepared checker together with all others.
    times: [f64; 3],
}

impl Answers {
    fn of(scene: &PlanningScene, states: &[Vec<f64>]) -> Result<Self, Box<dyn Error>> {
        let request = CheckRequest::default();
        let mut ws = Workspace::cold();
        let begin = Instant::now();
        let is_colliding: Vec<bool> = states
            .iter()
            .map(|q| scene.in_collision(q, &request, &mut ws))
            .collect::<Result<_, _>>()?;
        let one_by_one = begin.elapsed();
        let mut checker = BatchChecker::new(scene);
        let begin = Instant::now();
        let prepared: Vec<bool> =
            states.iter().map(|q| checker.any_in_collision(q)).collect::<Result<_, _>>()?;
        let prepared_time = begin.elapsed();
        let together = states.concat();
        let mut checker = checker.another();
        let begin = Instant::now();
        let blocks = checker.in_collision(&together)?;
        let blocks_time = begin.elapsed();
        if prepared != is_colliding || blocks != is_colliding {
            return Err("the three ways to ask give different answers".into());
        }
        let us = |time: std::time::Duration| 1e6 * time.as_secs_f64() / states.len() as f64;
        Ok(Self { is_colliding, times: [one_by_one, prepared_time, blocks_time].map(us) })
    }
}

/// In how many of these states each link touches another one, or the world, first.
fn blame<'s>(
    name: &str,
    scene: &PlanningScene,
    states: impl Iterator<Item = &'s Vec<f64>>,
) -> Result<String, Box<dyn Error>> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let (request, mut ws) = (CheckRequest::default(), Workspace::cold());
    let body = |id: BodyId| match id {
        BodyId::Link(link) => scene.model().link(link).name.as_str(),
        BodyId::Attached(_) | BodyId::Object(_) => "world",
    };
    for state in states {
        let pair = scene.any_collision(state, &request, &mut ws)?;
        let (a, b) = pair.ok_or("a refused state is in collision")?;
        *counts.entry(format!("{} – {}", body(a), body(b))).or_default() += 1;
    }
    let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let lines: Vec<String> =
        counts.into_iter().map(|(pair, count)| format!("- {pair}: {count}")).collect();
    Ok(format!("{name} refused states because of\n\n{}", lines.join("\n")))
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
