//! Which forces act, and what do they do? Multibody dynamics of robots and bodies with smooth convex surfaces.
//!
//! - [`Moments`] are the volume and the moments of a shape in closed form.
//! - [`DynamicModel`] is a robot with masses; [`forward_dynamics`] and [`inverse_dynamics`] connect joint forces and
//!   accelerations, [`mass_matrix`] and [`robot_energy`] describe the robot's inertia and energy.
//!
//! # References
//!
//! - [Featherstone 2008] R. Featherstone, *Rigid Body Dynamics Algorithms*, Springer.
//! - [Jaklič 2000] A. Jaklič, A. Leonardis, F. Solina, *Segmentation and Recovery of Superquadrics*, Kluwer.

mod energy;
mod error;
mod forward;
mod inverse;
mod joint_axes;
mod mass;
mod mass_matrix;
mod model;
mod spatial;

pub use energy::{Energy, robot_energy};
pub use error::DynamicsError;
pub use forward::{NO_FORCES, forward_dynamics};
pub use inverse::inverse_dynamics;
pub use mass::{MassError, Moments};
pub use mass_matrix::mass_matrix;
pub use model::{DynamicModel, MissingMass, STANDARD_GRAVITY};
pub use spatial::{Force, Motion, SpatialInertia};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
