//! Which forces act, and what do they do? Multibody dynamics of robots and bodies with smooth convex surfaces.
//!
//! - [`Moments`] are the volume and the moments of a shape in closed form.
//! - [`DynamicModel`] is a robot with masses; [`forward_dynamics`] and [`inverse_dynamics`] connect joint forces and
//!   accelerations, [`mass_matrix()`] and [`robot_energy`] describe the robot's inertia and energy.
//! - [`SystemBuilder`] puts robot, free bodies and fixed surfaces together; [`Simulation`] moves them: contacts with Hertz's stiffness
//!   from the local curvatures, two laws of damping, regularised friction, steps of fixed length or of bounded error; or rigid
//!   contacts with exact Coulomb friction, by projected Gauss–Seidel.
//! - [`SceneSimulation`] is a planning scene in motion that can be pushed and reset; [`SimulationPlayer`] plays it on a thread.
//! - [`grasp_quality`] says how well contacts hold an object: [`force_closure`] with a certificate, Ferrari and Canny's ε, the volume
//!   of the wrench space and its weakest direction. [`judge_grasps`] does so for many states and poses, with derivatives in the joints.
//! - [`Cloth`] falls over bodies, hangs on pins, and never ends a step inside a surface.
//!
//! # References
//!
//! - [Absil 2008] P.-A. Absil, R. Mahony, R. Sepulchre, *Optimization Algorithms on Matrix Manifolds*, Princeton University Press.
//! - [Anitescu 1997] M. Anitescu, F. A. Potra, "Formulating Dynamic Multi-Rigid-Body Contact Problems with Friction as Solvable Linear
//!   Complementarity Problems", Nonlinear Dynamics 14(3).
//! - [Barber 1996] C. B. Barber, D. P. Dobkin, H. Huhdanpaa, "The Quickhull Algorithm for Convex Hulls", ACM Transactions on
//!   Mathematical Software 22(4).
//! - [Dormand 1980] J. R. Dormand, P. J. Prince, "A family of embedded Runge–Kutta formulae", Journal of Computational and Applied
//!   Mathematics 6(1).
//! - [Ericson 2005] C. Ericson, *Real-Time Collision Detection*, Morgan Kaufmann.
//! - [Featherstone 2008] R. Featherstone, *Rigid Body Dynamics Algorithms*, Springer.
//! - [Ferrari 1992] C. Ferrari, J. Canny, "Planning Optimal Grasps", ICRA 1992.
//! - [Hunt 1975] K. H. Hunt, F. R. E. Crossley, "Coefficient of Restitution Interpreted as Damping in Vibroimpact", Journal of
//!   Applied Mechanics 42(2).
//! - [Jaklič 2000] A. Jaklič, A. Leonardis, F. Solina, *Segmentation and Recovery of Superquadrics*, Kluwer.
//! - [Jean 1999] M. Jean, "The non-smooth contact dynamics method", Computer Methods in Applied Mechanics and Engineering 177.
//! - [Johnson 1985] K. L. Johnson, *Contact Mechanics*, Cambridge University Press.
//! - [Lankarani 1990] H. M. Lankarani, P. E. Nikravesh, "A Contact Force Model With Hysteresis Damping for Impact Analysis of Multibody
//!   Systems", Journal of Mechanical Design 112(3).
//! - [Lawson 1974] C. L. Lawson, R. J. Hanson, *Solving Least Squares Problems*, Prentice-Hall.
//! - [Macklin 2016] M. Macklin, M. Müller, N. Chentanez, "XPBD: Position-Based Simulation of Compliant Constrained Dynamics",
//!   Motion in Games 2016.
//! - [Macklin 2019] M. Macklin, K. Storey, M. Lu, P. Terdiman, N. Chentanez, S. Jeschke, M. Müller, "Small Steps in Physics
//!   Simulation", SCA 2019.
//! - [Moreau 1988] J. J. Moreau, "Unilateral contact and dry friction in finite freedom dynamics", CISM Courses and Lectures 302.
//! - [Müller 2007] M. Müller, B. Heidelberger, M. Hennix, J. Ratcliff, "Position Based Dynamics", Journal of Visual Communication
//!   and Image Representation 18(2).

mod cloth;
mod complementarity;
mod contact;
mod energy;
mod error;
mod forward;
mod grasp;
mod inverse;
mod joint_axes;
mod mass;
mod mass_matrix;
mod model;
mod simulation;
mod spatial;

pub use cloth::error::ClothError;
pub use cloth::obstacle::ClothBody;
pub use cloth::options::{ClothContacts, ClothOptions, ClothSheet};
pub use cloth::scene::cloth_bodies;
pub use cloth::sheet::Cloth;
pub use cloth::terrain::cloth_terrain;
pub use contact::hertz::hertz_stiffness;
pub use contact::material::{ContactLaw, Material, MaterialError};
pub use energy::{Energy, robot_energy};
pub use error::DynamicsError;
pub use forward::{NO_FORCES, forward_dynamics};
pub use grasp::batch::{
    GraspDetail, GraspPose, GraspQuestion, JudgeError, JudgedGrasp, judge_grasp, judge_grasps,
};
pub use grasp::closure::{ForceClosure, force_closure};
pub use grasp::contact_geometry::{ContactGeometry, ContactMotion, contact_geometry};
pub use grasp::gradient::GraspGradient;
pub use grasp::quality::{GraspQuality, grasp_quality, grasp_slopes};
pub use grasp::scene_contacts::{SceneContacts, object_options, scene_contacts};
pub use grasp::slopes::{ContactSlope, GraspSlopes};
pub use grasp::wrenches::{GraspContact, GraspError, GraspOptions, contact_wrenches};
pub use inverse::inverse_dynamics;
pub use mass::{MassError, Moments};
pub use mass_matrix::mass_matrix;
pub use model::{DynamicModel, MissingMass, STANDARD_GRAVITY};
pub use simulation::build::SystemBuilder;
pub use simulation::drive::JointDrive;
pub use simulation::failure::SimulationError;
pub use simulation::forces::ContactForce;
pub use simulation::overlap::Overlap;
pub use simulation::player::{OnFrame, PlayFrame, PlayOrder, PlayState, SimulationPlayer};
pub use simulation::run::{ContactBegin, Integrator, Simulation, SolverRecord};
pub use simulation::scene_simulation::{
    Push, SceneSimulation, SceneSimulationError, SceneSimulationOptions,
};
pub use simulation::state::{BodyState, SystemState};
pub use simulation::system::{FreeBody, JointSprings, Owner, System};
pub use spatial::{Force, Motion, SpatialInertia};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
