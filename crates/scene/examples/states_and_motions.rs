//! A robot among objects: is a state free, how near is it to what, and is a motion free?
//!
//! `cargo run --release -p smooth_scene_scene --example states_and_motions`

use std::error::Error;
use std::sync::Arc;

use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::Pose;
use smooth_scene_robot::{LoadOptions, parse_urdf};
use smooth_scene_scene::{
    CheckRequest, LinkSize, MotionRequest, NearestRequest, PlanningScene, RobotChange, SceneChange,
    SceneObject, Workspace, WorldChange,
};

/// An arm of one joint: an egg on a stick.
const ARM: &str = r#"<robot name="arm" xmlns:scs="urn:smooth-scene:scs:1">
  <link name="base"/>
  <link name="arm">
    <collision name="egg">
      <origin xyz="0.5 0 0"/>
      <geometry><sphere radius="0.13"/></geometry>
      <scs:superovoid radii="0.08 0.08 0.12" exponent_xy="1.0" exponent_z="1.0" taper="0.2 0.2"/>
    </collision>
  </link>
  <joint name="turn" type="revolute">
    <parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
    <limit lower="-3" upper="3" effort="10" velocity="1"/>
  </joint>
</robot>"#;

fn main() -> Result<(), Box<dyn Error>> {
    let robot = parse_urdf(ARM, "arm.urdf", &LoadOptions::default())?;
    let mut scene = PlanningScene::new(Arc::new(robot.model), None)?;

    // Changes are applied or refused as a whole, and come with the change that takes them back.
    let post = Shape::cuboid([0.02, 0.02, 0.5])?;
    let post = SceneObject::simple("post", Pose::translation(0.0, 0.5, 0.0), post)?;
    let size = LinkSize { padding: 0.01, ..LinkSize::default() };
    let undo = scene.apply(SceneChange::Several(vec![
        WorldChange::Add(post).into(),
        RobotChange::SetLinkSize { link: "arm".into(), size }.into(),
    ]))?;

    // One state: the nearest pairs with proven bounds, and their derivative with respect to the joints.
    let mut workspace = Workspace::cold();
    let (mut pairs, mut gradient) = (Vec::new(), Vec::new());
    scene.nearest(&[0.9], &NearestRequest::default(), &mut workspace, &mut pairs)?;
    for pair in &pairs {
        scene.gradient(&workspace, pair, &mut gradient);
        println!(
            "{} – {}: {:.4} m, proven in [{:.4}, {:.4}], {:.3} m per rad",
            scene.body_name(pair.body_a),
            scene.body_name(pair.body_b),
            pair.distance.distance,
            pair.distance.lower,
            pair.distance.upper,
            gradient[0],
        );
    }

    // A motion, checked continuously: no contact is passed, however thin the obstacle.
    let answer = scene.check_motion(&[[0.0], [3.0]], &MotionRequest::default())?;
    println!(
        "first contact at {:?}, proven free until {:.4}",
        answer.first_contact, answer.free_until
    );
    assert!(scene.in_collision(&[1.57], &CheckRequest::default(), &mut workspace)?);

    scene.apply(undo)?;
    let answer = scene.check_motion(&[[0.0], [3.0]], &MotionRequest::default())?;
    println!("without the post: {:?}", answer.first_contact);
    assert_eq!((answer.first_contact, answer.free_until), (None, 1.0));
    Ok(())
}
