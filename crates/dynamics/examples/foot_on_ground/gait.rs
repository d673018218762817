//! The stance of one leg: a foot of an ellipsoid (heel) and a superellipsoid (ball of the foot and toes) rolls over the ground.
//!
//! Only the hip is prescribed. It moves forwards at constant speed and up and down once per step, highest above the planted foot:
//!
//! ```text
//! x = v t,    z = z₀ + A cos(2π (t − t_mid)/T)
//! ```
//!
//! Between hip and ankle is a leg that turns freely and is as compliant as legs are, and a spring at the ankle. When the heel
//! strikes, how the foot rolls, and the force on the ground follow from the contacts.

use std::error::Error;
use std::f64::consts::TAU;
use std::sync::Arc;

use smooth_scene_dynamics::{
    DynamicModel, Integrator, JointDrive, Material, MissingMass, Simulation, SystemBuilder,
};
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_robot::{LoadOptions, RobotState, parse_urdf, physics};
use smooth_scene_scene::PlanningScene;

/// Mass of the body, kg, whose weight the forces are compared with.
pub const BODY_MASS: f64 = 70.0;
/// Walking speed v, m/s, and time of a step T, s.
const SPEED: f64 = 1.25;
const STEP_TIME: f64 = 0.55;
/// Rise and fall of the hip A and its mean height z₀, m.
const RISE: f64 = 0.028;
const HEIGHT: f64 = 0.918;
/// When the hip is highest t_mid, and when it is above the place where the ankle is planted, s.
const HIGHEST: f64 = 0.40;
const MIDDLE: f64 = 0.33;
/// Length of the leg from hip to ankle without load, m, its stiffness, N/m, and damping, N·s/m.
const LEG: f64 = 0.9;
const LEG_STIFFNESS: f64 = 16e3;
const LEG_DAMPING: f64 = 250.0;
/// Stiffness of the ankle, N·m/rad, damping, N·m·s/rad, and angle without load, rad: the toes point a little down.
const ANKLE_STIFFNESS: f64 = 350.0;
const ANKLE_DAMPING: f64 = 4.0;
const ANKLE_REST: f64 = 0.2;
/// Of the drives that move the hip: so stiff that it is where it should be within a millimetre.
const HIP_STIFFNESS: f64 = 2e6;
const HIP_DAMPING: f64 = 1e4;
/// Step and time between two samples, s.
const STEP: f64 = 2e-5;
const SAMPLE: f64 = 1e-3;
/// When it ends, s: the foot is in the air again.
const END: f64 = 0.9;

/// The leg at zero hangs straight down, the ankle joint in the origin of the foot.
const LEG_URDF: &str = r#"<robot name="leg" xmlns:scs="urn:smooth-scene:scs:1">
  <link name="ground"/>
  <link name="carriage"><inertial><mass value="10"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="hip"><inertial><mass value="10"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="thigh"><inertial><origin xyz="0 0 -0.3"/><mass value="3"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="shank"><inertial><origin xyz="0 0 0.2"/><mass value="0.5"/>
    <inertia ixx="0.01" iyy="0.01" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="foot">
    <inertial><origin xyz="0.05 0 -0.04"/><mass value="1"/>
      <inertia ixx="0.001" iyy="0.004" izz="0.004" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision name="heel"><origin xyz="-0.045 0 -0.045"/><geometry><sphere radius="0.035"/></geometry>
      <scs:ellipsoid radii="0.04 0.03 0.035"/></collision>
    <collision name="toes"><origin xyz="0.13 0 -0.05"/><geometry><box size="0.14 0.09 0.06"/></geometry>
      <scs:superellipsoid radii="0.07 0.045 0.03" exponent_xy="0.8" exponent_z="0.9"/></collision>
  </link>
  <joint name="forward" type="prismatic"><parent link="ground"/><child link="carriage"/><axis xyz="1 0 0"/>
    <limit lower="-9" upper="9" effort="1" velocity="9"/></joint>
  <joint name="up" type="prismatic"><parent link="carriage"/><child link="hip"/><axis xyz="0 0 1"/>
    <limit lower="-9" upper="9" effort="1" velocity="9"/></joint>
  <joint name="swing" type="continuous"><parent link="hip"/><child link="thigh"/><axis xyz="0 1 0"/></joint>
  <joint name="length" type="prismatic"><parent link="thigh"/><child link="shank"/><axis xyz="0 0 -1"/>
    <limit lower="0" upper="9" effort="1" velocity="9"/></joint>
  <joint name="ankle" type="revolute"><parent link="shank"/><child link="foot"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" effort="1" velocity="9"/></joint>
</robot>"#;

/// The ground's side of one moment.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// s since the start.
    pub time: f64,
    /// Force of the ground along the normal on heel and toes, N.
    pub heel: f64,
    /// See `heel`.
    pub toes: f64,
    /// Force of the ground forwards, N: it brakes first, then pushes.
    pub forward: f64,
    /// Depth of the heel's contact, m; zero without.
    pub heel_depth: f64,
    /// See `heel_depth`.
    pub toes_depth: f64,
    /// Where the force acts, forwards from the point under the ankle at mid-stance, m.
    pub pressure: Option<f64>,
    /// Angle of the foot against the ground, rad; toes up is positive.
    pub pitch: f64,
}

impl Sample {
    /// Both contacts together, N.
    pub fn normal(&self) -> f64 {
        self.heel + self.toes
    }
}

fn hip(time: f64) -> [[f64; 2]; 2] {
    let angle = TAU * (time - HIGHEST) / STEP_TIME;
    let (height, rate) = (HEIGHT + RISE * angle.cos(), -RISE * TAU / STEP_TIME * angle.sin());
    [[SPEED * time, SPEED], [height, rate]]
}

fn start() -> Result<Simulation, Box<dyn Error>> {
    let robot = parse_urdf(LEG_URDF, "leg.urdf", &LoadOptions::default())?;
    let model = Arc::new(robot.model);
    let dynamic =
        DynamicModel::new(model.clone(), &physics(&robot.document)?, MissingMass::Massless)?;
    let scene = PlanningScene::new(model.clone(), None)?;
    let [[x, _], [z, _]] = hip(0.0);
    // The leg reaches for where the ankle will be at mid-stance.
    let lean = ((SPEED * MIDDLE - x) / LEG).asin();
    let mut state = RobotState::new(model);
    let set = [("forward", x), ("up", z), ("swing", -lean), ("length", LEG), ("ankle", 0.0)];
    for (joint, value) in set {
        state.set_joint(joint, &[value])?;
    }
    // A heel pad gives way by about a centimetre under the weight of the body.
    let material = Material {
        young: 3e6,
        friction: 0.8,
        restitution: 0.3,
        creep_speed: 0.02,
        ..Material::default()
    };
    let mut builder = SystemBuilder::new(material)?;
    builder.add_fixed("plane", Pose::identity(), Shape::half_space([0.0, 0.0, 1.0], 0.0)?);
    builder.add_robot(&scene, dynamic, &state)?;
    let (system, mut state) = builder.build();
    // The hip moves, and the foot is swung back so that it lands nearly at rest.
    let [[_, vx], [_, vz]] = hip(0.0);
    state.velocities.copy_from_slice(&[vx, vz, SPEED / (LEG * lean.cos()), 0.0, 0.0]);
    let mut simulation = Simulation::new(system, state, Integrator::SemiImplicit(STEP))?;
    let spring = |stiffness, damping, target| JointDrive { stiffness, damping, target, speed: 0.0 };
    simulation.drive("length", spring(LEG_STIFFNESS, LEG_DAMPING, LEG))?;
    simulation.drive("ankle", spring(ANKLE_STIFFNESS, ANKLE_DAMPING, ANKLE_REST))?;
    Ok(simulation)
}

/// One stance, sampled every millisecond.
pub fn simulate() -> Result<Vec<Sample>, Box<dyn Error>> {
    let mut simulation = start()?;
    let mut samples = Vec::new();
    for tick in 0..(END / SAMPLE).round() as u32 {
        let time = f64::from(tick + 1) * SAMPLE;
        for (joint, [target, speed]) in ["forward", "up"].into_iter().zip(hip(time)) {
            let (stiffness, damping) = (HIP_STIFFNESS, HIP_DAMPING);
            simulation.drive(joint, JointDrive { stiffness, damping, target, speed })?;
        }
        simulation.advance_to(time, &|| false)?;
        samples.push(sample(&mut simulation)?);
    }
    Ok(samples)
}

fn sample(simulation: &mut Simulation) -> Result<Sample, Box<dyn Error>> {
    let q = &simulation.state().positions;
    // Turning about y lifts the toes for negative angles.
    let pitch = -(q[2] + q[4]);
    let mut sample = Sample {
        time: simulation.time(),
        heel: 0.0,
        toes: 0.0,
        forward: 0.0,
        heel_depth: 0.0,
        toes_depth: 0.0,
        pressure: None,
        pitch,
    };
    let ankle_x = q[0] - q[3] * q[2].sin();
    let mut moment = 0.0;
    for contact in simulation.contacts()? {
        // On the foot, whichever of the two comes first in the pair.
        let force_w = contact.force_w * contact.force_w.z.signum();
        let along_foot = contact.point_w - Vec3::new(ankle_x, 0.0, 0.0);
        let (force, depth) = match along_foot.x * pitch.cos() < 0.04 {
            true => (&mut sample.heel, &mut sample.heel_depth),
            false => (&mut sample.toes, &mut sample.toes_depth),
        };
        (*force, *depth) = (force_w.z, contact.depth);
        sample.forward += force_w.x;
        moment += force_w.z * (contact.point_w.x - SPEED * MIDDLE);
    }
    if sample.normal() > 0.0 {
        sample.pressure = Some(moment / sample.normal());
    }
    Ok(sample)
}
