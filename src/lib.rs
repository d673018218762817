//! A planning scene of smooth convex surfaces as a ROS 2 node: distances, contacts and motions with proven bounds.
//!
//! # Layout
//!
//! Crates of their own, re-exported here; each uses those above it in this list and none below:
//!
//! - [`geometry`] (with [`math`] and [`broad_phase`]): surfaces, bounding volumes, candidate pairs.
//! - [`query`]: distance, depth and time of impact of two bodies.
//! - [`robot`]: URDF, SRDF, kinematics, trajectories.
//! - [`scene`]: robot, world and allowed pairs; questions about a state or a motion.
//! - [`plan`]: paths that are proven free.
//! - [`dynamics`]: forces, contacts and motion.
//! - [`view`]: the browser view.
//!
//! Of this package: [`transport`] (how bytes reach ROS 2), [`interfaces`] and [`cdr`] (messages), [`convert`] (messages to
//! core types and back), [`transforms`] (frames of `/tf`), [`markers`], [`node`] (the node and its services), `bag` (recordings) and the command line.
//!
//! # References
//!
//! - [Barr 1981] A. H. Barr, "Superquadrics and Angle-Preserving Transformations", IEEE CG&A 1(1).
//! - [Jaklič 2000] A. Jaklič, A. Leonardis, F. Solina, *Segmentation and Recovery of Superquadrics*, Kluwer.
//! - [Gonçalves 2017] A. A. Gonçalves, A. Bernardino, J. Jorge, D. S. Lopes, "A benchmark study on accuracy-controlled
//!   distance calculation between superellipsoid and superovoid contact geometries", Mechanism and Machine Theory 115.
//! - [Schneider 2014] R. Schneider, *Convex Bodies: The Brunn–Minkowski Theory*, 2nd ed., Cambridge.
//! - [Gilbert 1988] E. G. Gilbert, D. W. Johnson, S. S. Keerthi, "A Fast Procedure for Computing the Distance Between
//!   Complex Objects in Three-Dimensional Space", IEEE J. Robotics and Automation 4(2).
//! - [van den Bergen 2003] G. van den Bergen, *Collision Detection in Interactive 3D Environments*, Morgan Kaufmann.
//! - [Ruan 2022] S. Ruan, X. Wang, G. S. Chirikjian, "Collision Detection for Unions of Convex Bodies With Smooth
//!   Boundaries Using Closed-Form Contact Space Parameterization", IEEE RA-L 7(4).
//! - [Mirtich 1996] B. Mirtich, *Impulse-based Dynamic Simulation of Rigid Body Systems*, PhD thesis, UC Berkeley.

#[cfg(feature = "bags")]
pub mod bag;
mod bell;
pub mod cdr;
#[doc(hidden)]
pub mod command_line;
pub mod convert;
pub mod interfaces;
pub mod markers;
pub mod node;
pub mod transforms;
pub mod transport;

#[cfg(feature = "baselines")]
pub use smooth_scene_baselines as baselines;
pub use smooth_scene_dynamics as dynamics;
pub use smooth_scene_fit as fit;
pub use smooth_scene_geometry as geometry;
pub use smooth_scene_geometry::{broad_phase, math};
pub use smooth_scene_plan as plan;
pub use smooth_scene_query as query;
pub use smooth_scene_robot as robot;
pub use smooth_scene_scene as scene;
pub use smooth_scene_view as view;

/// Runs the example of the README as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExample;
