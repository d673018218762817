//! A planning scene of smooth convex surfaces: how far apart, where, along which normal, do they touch, when will they.
//!
//! # Layout
//!
//! A layer uses the layers above it in this list and nothing else.
//!
//! - [`math`]: aliases for vectors, matrices and poses.
//! - [`geometry`]: what is this surface? Support functions, curvature, bounding volumes, validation.
//! - [`query`]: how far apart are these two, and when do they meet? Answers with proven bounds.
//! - [`broad_phase`]: which pairs are worth asking about? Boxes in, candidates out.
//! - [`robot`]: what is in the URDF, and where are the links?
//! - [`scene`]: is this configuration or motion free?
//! - [`view`]: what does it look like? A page in the browser, live.
//! - [`ros`]: who asked, and in which message?
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
pub mod transport;

#[cfg(feature = "baselines")]
pub use smooth_scene_baselines as baselines;
pub use smooth_scene_geometry as geometry;
pub use smooth_scene_geometry::{broad_phase, math};
pub use smooth_scene_query as query;
pub use smooth_scene_robot as robot;
pub use smooth_scene_scene as scene;
pub use smooth_scene_view as view;

/// Runs the example of the README as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExample;
