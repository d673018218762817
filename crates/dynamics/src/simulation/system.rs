//! What is simulated: a robot, free bodies, what stands still, and which of them may touch.

use crate::contact::material::Material;
use crate::model::DynamicModel;
use crate::simulation::state::BodyState;
use crate::spatial::SpatialInertia;
use smooth_scene_geometry::math::{Mat3, Pose, Vec3};
use smooth_scene_geometry::{ConvexSurface, Shape};
use smooth_scene_robot::LinkId;

/// A body that moves freely.
#[derive(Debug, Clone)]
pub struct FreeBody {
    /// Its name.
    pub name: String,
    /// Mass, kg.
    pub mass: f64,
    /// Centre of mass in the frame of the body.
    pub center: Vec3,
    /// Moments of inertia about it, along the axes of the body, kg·m².
    pub inertia: Mat3,
    pub(crate) inverse_inertia: Mat3,
}

impl FreeBody {
    /// A body of this inertia about the origin of its frame. `None` when it has no mass, or no inertia about some axis.
    pub fn new(name: &str, inertia: &SpatialInertia) -> Option<Self> {
        let center = inertia.first_moment / inertia.mass;
        let c = center.cross_matrix();
        let central = inertia.inertia + c * c * inertia.mass;
        let least = central.symmetric_eigenvalues().min();
        let is_body = inertia.mass > 0.0 && least > 0.0;
        let inverse_inertia = central.try_inverse().filter(|_| is_body)?;
        let name = name.to_string();
        Some(Self { name, mass: inertia.mass, center, inertia: central, inverse_inertia })
    }

    /// Angular velocity in the world.
    pub fn angular_velocity(&self, state: &BodyState) -> Vec3 {
        let local = state.rotation.inverse_transform_vector(&state.momentum_w);
        state.rotation * (self.inverse_inertia * local)
    }

    /// The state of the body at this pose of its frame, with the velocity of its centre and its angular velocity.
    pub fn state(&self, pose: &Pose, velocity_w: Vec3, angular_w: Vec3) -> BodyState {
        let local = pose.rotation.inverse_transform_vector(&angular_w);
        BodyState {
            center_w: pose.rotation * self.center + pose.translation.vector,
            rotation: pose.rotation,
            velocity_w,
            momentum_w: pose.rotation * (self.inertia * local),
        }
    }

    /// Kinetic energy, J.
    pub fn kinetic_energy(&self, state: &BodyState) -> f64 {
        0.5 * self.mass * state.velocity_w.norm_squared()
            + 0.5 * state.momentum_w.dot(&self.angular_velocity(state))
    }

    /// Pose of the body's frame.
    pub fn pose(&self, state: &BodyState) -> Pose {
        state.pose(&self.center)
    }
}

/// Whose surface it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// Nobody's: it stands still.
    World,
    /// A link's.
    Link(LinkId),
    /// A free body's, by its place.
    Body(usize),
}

/// One convex surface.
#[derive(Debug, Clone)]
pub(crate) struct Surface {
    pub owner: Owner,
    /// Pose in the frame of the owner.
    pub pose: Pose,
    pub shape: Shape,
    pub name: String,
    /// Ball around it, in its own frame.
    pub center: Vec3,
    pub radius: f64,
}

impl Surface {
    pub(crate) fn new(owner: Owner, pose: Pose, shape: Shape, name: &str) -> Self {
        let ball = shape.bounding_sphere();
        let (center, radius) = match ball.radius.is_finite() {
            true => (ball.center, ball.radius),
            false => (Vec3::zeros(), f64::INFINITY),
        };
        Self { owner, pose, shape, name: name.into(), center, radius }
    }
}

/// How joints answer at their limits and whether they are held: springs and dampers, for each joint in proportion to the inertia
/// it moves at the start.
#[derive(Debug, Clone, PartialEq)]
pub struct JointSprings {
    /// Frequency of the spring at a limit, Hz; critically damped.
    pub limit_frequency: f64,
    /// Frequency of the springs that hold the robot in its first state, Hz, with its weight carried; `None` lets it fall.
    pub hold_frequency: Option<f64>,
}

impl Default for JointSprings {
    fn default() -> Self {
        Self { limit_frequency: 50.0, hold_frequency: None }
    }
}

/// Everything that is simulated.
#[derive(Debug, Clone)]
pub struct System {
    pub(crate) robot: Option<DynamicModel>,
    pub(crate) bodies: Vec<FreeBody>,
    pub(crate) surfaces: Vec<Surface>,
    /// Pairs that may touch; a half-space comes second.
    pub(crate) pairs: Vec<[u32; 2]>,
    pub(crate) gravity: Vec3,
    pub(crate) material: Material,
    pub(crate) springs: JointSprings,
}

impl System {
    /// The free bodies.
    pub fn bodies(&self) -> &[FreeBody] {
        &self.bodies
    }

    /// The robot, if there is one.
    pub fn robot(&self) -> Option<&DynamicModel> {
        self.robot.as_ref()
    }

    /// How many pairs of surfaces are looked at.
    pub fn pair_count(&self) -> usize {
        self.pairs.len()
    }

    /// The names of the two bodies of a pair.
    pub fn pair_names(&self, pair: usize) -> [&str; 2] {
        self.pairs[pair].map(|surface| self.surfaces[surface as usize].name.as_str())
    }
}
