//! Which forces act, and what do they do? Multibody dynamics of robots and bodies with smooth convex surfaces.
//!
//! - [`Moments`] are the volume and the moments of a shape in closed form.
//! - [`DynamicModel`] is a robot with masses; [`forward_dynamics`] and [`inverse_dynamics`] connect joint forces and
//!   accelerations, [`mass_matrix`] and [`robot_energy`] describe the robot's inertia and energy.
//!
//! - [`SystemBuilder`] puts robot, free bodies and fixed surfaces together; [`Simulation`] moves them: contacts with Hertz's stiffness
//!   from the local curvatures, two laws of damping, regularised friction, steps of fixed length or of bounded error.
//!
//! # References
//!
//! - [Dormand 1980] J. R. Dormand, P. J. Prince, "A family of embedded Runge–Kutta formulae", Journal of Computational and Applied
//!   Mathematics 6(1).
//! - [Featherstone 2008] R. Featherstone, *Rigid Body Dynamics Algorithms*, Springer.
//! - [Hunt 1975] K. H. Hunt, F. R. E. Crossley, "Coefficient of Restitution Interpreted as Damping in Vibroimpact", Journal of
//!   Applied Mechanics 42(2).
//! - [Jaklič 2000] A. Jaklič, A. Leonardis, F. Solina, *Segmentation and Recovery of Superquadrics*, Kluwer.
//! - [Johnson 1985] K. L. Johnson, *Contact Mechanics*, Cambridge University Press.
//! - [Lankarani 1990] H. M. Lankarani, P. E. Nikravesh, "A Contact Force Model With Hysteresis Damping for Impact Analysis of Multibody
//!   Systems", Journal of Mechanical Design 112(3).

mod contact;
mod energy;
mod error;
mod forward;
mod inverse;
mod joint_axes;
mod mass;
mod mass_matrix;
mod model;
mod simulation;
mod spatial;

pub use contact::hertz::hertz_stiffness;
pub use contact::material::{ContactLaw, Material, MaterialError};
pub use energy::{Energy, robot_energy};
pub use error::DynamicsError;
pub use forward::{NO_FORCES, forward_dynamics};
pub use inverse::inverse_dynamics;
pub use mass::{MassError, Moments};
pub use mass_matrix::mass_matrix;
pub use model::{DynamicModel, MissingMass, STANDARD_GRAVITY};
pub use simulation::build::SystemBuilder;
pub use simulation::forces::ContactForce;
pub use simulation::run::{ContactBegin, Integrator, Simulation, SimulationError};
pub use simulation::state::{BodyState, SystemState};
pub use simulation::system::{FreeBody, JointSprings, Owner, System};
pub use spatial::{Force, Motion, SpatialInertia};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
