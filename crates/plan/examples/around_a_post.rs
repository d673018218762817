//! An arm swings around a post: plan, print the path and its proof, check the proof again.
//!
//! `cargo run --release -p smooth_scene_plan --example around_a_post`

use std::error::Error;
use std::sync::Arc;

use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::Pose;
use smooth_scene_plan::{PlanOptions, plan, verify, with_margin};
use smooth_scene_robot::{LoadOptions, parse_urdf};
use smooth_scene_scene::{PlanningScene, SceneChange, SceneObject, WorldChange};

/// Three links that turn in a plane.
fn arm() -> String {
    let mut urdf =
        r#"<robot name="arm" xmlns:scs="urn:smooth-scene:scs:1"><link name="base"/>"#.to_owned();
    for (k, parent, x) in [(0, "base", 0.0), (1, "link0", 0.3), (2, "link1", 0.3)] {
        urdf += &format!(
            r#"<link name="link{k}"><collision><origin xyz="0.15 0 0"/>
              <geometry><box size="0.26 0.04 0.06"/></geometry>
              <scs:superellipsoid radii="0.13 0.02 0.03" exponent_xy="0.5" exponent_z="1"/></collision></link>
            <joint name="joint{k}" type="revolute"><parent link="{parent}"/><child link="link{k}"/>
              <origin xyz="{x} 0 0"/><axis xyz="0 0 1"/>
              <limit lower="-2.9" upper="2.9" effort="1" velocity="1"/></joint>"#
        );
    }
    urdf + "</robot>"
}

fn main() -> Result<(), Box<dyn Error>> {
    let robot = parse_urdf(&arm(), "arm.urdf", &LoadOptions::default())?;
    let mut scene = PlanningScene::new(Arc::new(robot.model), None)?;
    let post = Shape::cylinder(0.03, 0.3)?;
    let post = SceneObject::simple("post", Pose::translation(0.6, 0.3, 0.0), post)?;
    scene.apply(SceneChange::World(WorldChange::Add(post)))?;

    // Everything keeps a centimetre away from everything.
    let scene = with_margin(&scene, 0.01)?;
    let (start, goal) = ([0.0; 3], [1.2, 0.0, 0.0]);
    let found = plan(&scene, None, &start, &goal, &PlanOptions::default(), &|| false)?;
    println!(
        "{} states checked, {} edges proven",
        found.statistics.states, found.statistics.proofs
    );
    for (state, segment) in found.waypoints.iter().zip(&found.certificate.segments) {
        let tightest = segment.tightest().ok_or("a robot with surfaces has pairs")?;
        let [a, b] = tightest.surfaces.map(|k| &found.certificate.surfaces[k as usize].body);
        let clearance = 1e3 * tightest.clearance;
        println!(
            "{state:.3?}  then at least {clearance:.2} mm beyond the margin, nearest {a} and {b}"
        );
    }
    println!("{:.3?}", found.waypoints.last().ok_or("a path has an end")?);
    let clearance = verify(&scene, &found.waypoints, &found.certificate)?;
    println!("checked again: {:.2} mm", 1e3 * clearance);
    Ok(())
}
