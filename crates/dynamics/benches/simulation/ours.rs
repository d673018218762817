//! The scenes with this crate.

use crate::scenes::{DENSITY, FRICTION, Form, LINK, START, Scene};
use smooth_scene_dynamics::{
    DynamicModel, Integrator, Material, MissingMass, Simulation, SystemBuilder,
};
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_robot::{LoadOptions, RobotState, parse_urdf, physics};
use smooth_scene_scene::PlanningScene;
use std::error::Error;
use std::sync::Arc;

/// One round; the height of the highest body at its end.
pub fn round(scene: &Scene, is_rigid: bool) -> Result<f64, Box<dyn Error>> {
    // Soft enough for compliant contacts at this step.
    let material =
        Material { friction: FRICTION, restitution: 0.0, young: 2e6, ..Material::default() };
    let mut builder = SystemBuilder::new(material)?;
    if scene.links > 0 {
        add_arm(scene.links, &mut builder)?;
    } else {
        builder.add_fixed("floor", Pose::identity(), Shape::half_space([0.0, 0.0, 1.0], 0.0)?);
    }
    for (k, body) in scene.bodies.iter().enumerate() {
        let shape = match body.form {
            Form::Box(half) => Shape::cuboid(half)?,
            Form::Ellipsoid(radii) => Shape::ellipsoid(radii)?,
        };
        let pose = Pose::from_parts(body.position.into(), body.rotation);
        builder.add_body(&format!("b{k}"), shape, DENSITY, &pose, Vec3::zeros(), Vec3::zeros())?;
    }
    let (system, mut state) = builder.build();
    if let Some(first) = state.positions.first_mut() {
        *first = START;
    }
    let integrator = match is_rigid {
        true => Integrator::Complementarity(scene.step),
        false => Integrator::SemiImplicit(scene.step),
    };
    let mut simulation = Simulation::new(system, state, integrator)?;
    simulation.advance_to(f64::from(scene.steps) * scene.step, &|| false)?;
    Ok(simulation.state().bodies.iter().map(|at| at.center_w.z).fold(0.0, f64::max))
}

fn add_arm(links: usize, builder: &mut SystemBuilder) -> Result<(), Box<dyn Error>> {
    let [length, half, mass] = LINK;
    let mut urdf = String::from("<robot name=\"arm\"><link name=\"l0\"/>");
    let (across, along) =
        (mass / 12.0 * (length * length + 4.0 * half * half), mass / 1.5 * half * half);
    for k in 1..=links {
        let (axis, z) =
            (if k % 2 == 1 { "0 1 0" } else { "1 0 0" }, if k == 1 { 0.0 } else { -length });
        urdf += &format!(
            r#"<link name="l{k}"><inertial><origin xyz="0 0 {}"/><mass value="{mass}"/>
            <inertia ixx="{across}" iyy="{across}" izz="{along}" ixy="0" ixz="0" iyz="0"/></inertial></link>
            <joint name="j{k}" type="continuous"><parent link="l{}"/><child link="l{k}"/><origin xyz="0 0 {z}"/><axis xyz="{axis}"/></joint>"#,
            -0.5 * length,
            k - 1
        );
    }
    let robot = parse_urdf(&(urdf + "</robot>"), "arm.urdf", &LoadOptions::default())?;
    let model = Arc::new(robot.model);
    let dynamic =
        DynamicModel::new(model.clone(), &physics(&robot.document)?, MissingMass::Massless)?;
    let scene = PlanningScene::new(model.clone(), None)?;
    builder.add_robot(&scene, dynamic, &RobotState::new(model))?;
    Ok(())
}
