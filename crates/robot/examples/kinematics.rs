//! Where are the links of a robot, and how does a point on one move with the joints?
//!
//! `cargo run --release -p smooth_scene_robot --example kinematics [ROBOT.urdf]`

use std::error::Error;
use std::sync::Arc;

use smooth_scene_robot::{LoadOptions, RobotState, jacobian, load_urdf, parse_urdf};

/// Two links of 0.4 m that turn about the same axis.
const ARM: &str = r#"<robot name="arm" xmlns:scs="urn:smooth-scene:scs:1">
  <link name="base"/>
  <link name="upper">
    <collision>
      <origin xyz="0.2 0 0" rpy="0 1.5708 0"/>
      <geometry><cylinder radius="0.05" length="0.4"/></geometry>
      <scs:superovoid radii="0.05 0.05 0.2" exponent_xy="1.0" exponent_z="0.6" taper="-0.1 -0.1"/>
    </collision>
  </link>
  <link name="lower"/>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/><axis xyz="0 0 1"/>
    <limit lower="-2" upper="2" effort="10" velocity="1"/>
  </joint>
  <joint name="elbow" type="revolute">
    <parent link="upper"/><child link="lower"/><origin xyz="0.4 0 0"/><axis xyz="0 0 1"/>
    <limit lower="-2" upper="2" effort="10" velocity="1"/>
  </joint>
</robot>"#;

fn main() -> Result<(), Box<dyn Error>> {
    let options = LoadOptions::default();
    let robot = match std::env::args_os().nth(1) {
        Some(path) => load_urdf(std::path::PathBuf::from(path), &options)?,
        None => parse_urdf(ARM, "arm.urdf", &options)?,
    };
    for warning in &robot.warnings {
        println!("warning: {warning}");
    }
    let model = Arc::new(robot.model);
    let mut state = RobotState::new(Arc::clone(&model));
    if model.joint_id("elbow").is_some() {
        state.merge(&["elbow"], &[1.2])?;
    }
    let poses = state.link_poses()?;
    for id in model.link_ids() {
        let link = model.link(id);
        let at = poses[id].translation.vector;
        let surfaces = link.collisions.len();
        println!(
            "{:>12}: at [{:.3}, {:.3}, {:.3}] m, {surfaces} surfaces",
            link.name, at.x, at.y, at.z
        );
    }
    let tip = model.link_ids().last().ok_or("the robot has no links")?;
    let jacobian = jacobian(&model, &poses, tip, &poses[tip].translation.vector)?;
    println!("velocity of the origin of `{}` per joint velocity:", model.link(tip).name);
    for (name, column) in model.variable_names().iter().zip(jacobian.column_iter()) {
        println!("{name:>12}: [{:.3}, {:.3}, {:.3}]", column[0], column[1], column[2]);
    }
    Ok(())
}
