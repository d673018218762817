//! A robot in a scene: nearest pairs, contacts, and a motion checked continuously.
//!
//! `cargo run --release -p smooth_scene_scene --example robot_in_scene` from the top folder.

use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::Pose;
use smooth_scene_robot::srdf::Srdf;
use smooth_scene_robot::{LoadOptions, RobotState, load_urdf};
use smooth_scene_scene::{NearestRequest, PlanningScene, SceneObject, Workspace, WorldChange};
use std::sync::Arc;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = Arc::new(load_urdf("urdf/icub_hands_mixed.urdf", &LoadOptions::default())?.model);
    let (semantics, _warnings) = Srdf::load("urdf/icub_hands.srdf")?.resolve(&model)?;
    let mut scene = PlanningScene::new(model.clone(), Some(semantics))?;

    // Every change returns its inverse. A snapshot keeps the scene as it is now.
    let egg = Shape::ellipsoid([0.022, 0.022, 0.03])?;
    let egg = SceneObject::simple("egg", Pose::translation(0.05, 0.0, 0.1), egg)?;
    let undo = scene.apply(WorldChange::Add(egg))?;
    let with_egg = scene.snapshot();
    scene.apply(undo)?;

    let state = RobotState::new(model);
    let (mut workspace, mut nearest) = (Workspace::warm(), Vec::new());
    let request = NearestRequest { max_results: 3, ..NearestRequest::default() };
    for (name, scene) in [("with the egg", &*with_egg), ("without", &scene)] {
        scene.nearest(state.positions(), &request, &mut workspace, &mut nearest)?;
        println!("{name}:");
        for pair in &nearest {
            let (a, b) = (scene.body_name(pair.body_a), scene.body_name(pair.body_b));
            println!("  {a} – {b}: {:.6} m", pair.distance.distance);
        }
    }
    Ok(())
}
