//! A robot with masses: what its links weigh and how its joints resist.

use std::sync::Arc;

use crate::error::DynamicsError;
use crate::mass::Moments;
use crate::spatial::SpatialInertia;
use smooth_scene_geometry::math::Vec3;
use smooth_scene_robot::{Coupling, JointDynamics, Link, LinkId, RobotModel, UrdfPhysics};

/// Standard gravity along −z, m/s².
pub const STANDARD_GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.80665);

/// What to do about links without `<inertial>`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MissingMass {
    /// They weigh nothing, as URDF has it. A joint that moves nothing but such links cannot be simulated.
    Massless,
    /// They weigh what their surfaces would, filled with matter of this density, kg/m³. Surfaces of one link that overlap
    /// count twice there. Links without surfaces weigh nothing.
    FromSurfaces(f64),
}

/// A robot and the inertia of its links.
#[derive(Debug, Clone)]
pub struct DynamicModel {
    robot: Arc<RobotModel>,
    inertias: Vec<SpatialInertia>,
    joints: Vec<JointDynamics>,
    has_mimics: bool,
    /// Acceleration of free fall in the world, m/s².
    pub gravity: Vec3,
}

impl DynamicModel {
    /// A robot with the masses of its URDF ([`smooth_scene_robot::physics`]), under standard gravity.
    pub fn new(
        robot: Arc<RobotModel>,
        physics: &UrdfPhysics,
        missing: MissingMass,
    ) -> Result<Self, DynamicsError> {
        let inertia = |link: &Link| match physics.inertials.get(&link.name) {
            Some(given) => Ok(SpatialInertia::new(given.mass, &given.center, &given.inertia)),
            None => match missing {
                MissingMass::Massless => Ok(SpatialInertia::ZERO),
                MissingMass::FromSurfaces(density) => of_surfaces(link, density),
            },
        };
        let inertias = robot.links().iter().map(inertia).collect::<Result<_, _>>()?;
        // What the file does not say about a joint is zero there.
        let joints = robot.joints().iter();
        let joints = joints.map(|joint| match physics.joints.get(&joint.name) {
            Some(given) => *given,
            None => JointDynamics::default(),
        });
        let joints = joints.collect();
        let is_mimic = |coupling: &Coupling| matches!(coupling, Coupling::Mimic { .. });
        let has_mimics = robot.joints().iter().any(|joint| is_mimic(&joint.coupling));
        Ok(Self { robot, inertias, joints, has_mimics, gravity: STANDARD_GRAVITY })
    }

    /// The robot.
    pub fn robot(&self) -> &Arc<RobotModel> {
        &self.robot
    }

    /// Inertia of a link about the origin of its frame.
    pub fn inertia(&self, link: LinkId) -> &SpatialInertia {
        &self.inertias[link.index()]
    }

    /// Inertias of all links, in the order of [`RobotModel::links`].
    pub fn inertias(&self) -> &[SpatialInertia] {
        &self.inertias
    }

    /// Damping and friction of all joints, in the order of [`RobotModel::joints`].
    pub fn joint_dynamics(&self) -> &[JointDynamics] {
        &self.joints
    }

    /// Whether joints follow others.
    pub fn has_mimics(&self) -> bool {
        self.has_mimics
    }

    /// Mass of all links, kg.
    pub fn mass(&self) -> f64 {
        self.inertias.iter().map(|inertia| inertia.mass).sum()
    }
}

fn of_surfaces(link: &Link, density: f64) -> Result<SpatialInertia, DynamicsError> {
    let failed = |source| DynamicsError::LinkMass { link: link.name.clone(), source };
    let mut sum: Option<Moments> = None;
    for surface in &link.collisions {
        let moments = Moments::of(&surface.shape).map_err(failed)?.posed(&surface.pose_in_link);
        sum = Some(sum.map_or(moments, |sum| sum.plus(&moments)));
    }
    match sum {
        Some(moments) => moments.filled(density).map_err(failed),
        None => Ok(SpatialInertia::ZERO),
    }
}
