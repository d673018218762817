//! Which smooth surfaces contain this mesh? Surfaces for robots, with a proof.
//!
//! - [`fit_links`] fits surfaces to the meshes of links under one budget and proves that they contain every triangle.
//! - [`prove`] finds a [`Certificate`] for any surfaces and triangles; [`check`] checks one, with rounding on the safe side.
//! - [`Models`] keeps models with one surface, two, and so on, and spends a budget on them; [`mobility_weights`] says which links need
//!   it most.
//! - [`outward`], [`union_volume`], [`mesh_volume`] and [`hull_volume`] say how much the surfaces add.
//! - [`sidecar_text`] writes the surfaces in the form that robots are loaded with, [`picture`](picture()) draws them.
//!
//! # Layout
//!
//! A fit goes through these modules: `robot_meshes` (what is fitted), `robot` (links), `budget`, `link_fit` (proof, hull) → `levels` (models of one mesh with 1, 2, 3… surfaces) →
//! `split` (where to cut) → `part_fit` (one surface around points) → `descent` and `quasi_newton` on `level_function` (the
//! search for superquadrics), `evolution` (for spheres and capsules), `candidate` (parameters → surface) → `surface` (exact radii, rounded as they are written). `shell` and `measure` compare models. The proof is
//! `certificate`, on `containment` and `interval`.
//!
//! # References
//!
//! - [Jaklič 2000] A. Jaklič, A. Leonardis, F. Solina, *Segmentation and Recovery of Superquadrics*, Kluwer 2000.
//! - [Nocedal 2006] J. Nocedal, S. Wright, *Numerical Optimization*, 2nd edition, Springer 2006.
//! - [Liu 2022] W. Liu, Y. Wu, S. Ruan, G. S. Chirikjian, *Robust and accurate superquadric recovery: a probabilistic approach*,
//!   CVPR 2022, arXiv:2111.14517.
//! - [Hansen 2016] N. Hansen, *The CMA evolution strategy: a tutorial*, arXiv:1604.00772.

mod branch;
mod budget;
mod candidate;
mod certificate;
mod clip;
pub mod cloud;
mod containment;
mod contested;
mod descent;
mod distance_tree;
mod error;
mod evolution;
mod fast_powers;
mod interval;
mod kind;
mod level_function;
mod levels;
mod link_fit;
mod measure;
mod mobility;
mod part_fit;
mod picture;
mod points;
mod quasi_newton;
mod random;
mod robot;
mod robot_meshes;
mod search_points;
mod shell;
mod sidecar;
mod split;
mod surface;
mod totals;
mod tuning;

pub use certificate::{Certificate, Cover, Flaw, Uncovered, check, prove};
pub use clip::{Plane, Triangle};
pub use contested::contested_points;
pub use distance_tree::DistanceTree;
pub use error::FitError;
pub use kind::SurfaceKind;
pub use link_fit::{LinkFit, LinkMeshes, Measures};
pub use measure::{Outward, Placed, hull_volume, mesh_volume, outward, union_volume};
pub use mobility::mobility_weights;
pub use picture::picture;
pub use robot::{FitOptions, Models, Wish, fit_links};
pub use robot_meshes::{NotContained, RobotMeshes, check_robot};
pub use sidecar::sidecar_text;
pub use surface::FittedSurface;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExample;
