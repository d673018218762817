//! Cloth over smooth convex bodies: a grid of vertices under gravity that never ends a step inside a body.
//!
//! - `options` is what a cloth is made of, `error` what is refused.
//! - `points` stores coordinates, `springs` keeps lengths: chains exactly, diagonals and bends with compliance.
//! - `plane` is the contact of a convex body: a half-space that holds all of it; `triangle_plane` is one with a triangle in front.
//!   `obstacle` is a body, `obstacle_planes` searches planes in front of it.
//! - `contacts` are the planes near a block of vertices, `search` finds them, `vertices` and `triangles` keep the cloth
//!   in front of them.
//! - `sheet` is the cloth and what belongs to it, `step` puts a step together, `measures` are energies and lengths.
//!
//! - `scene` takes bodies from a planning scene, `terrain` is the example of the thesis.
//! - `tuning` has the constants that were tuned.
//!
//! A step works on one thread, in a fixed order: the same input gives the same bits.

pub(crate) mod contacts;
pub(crate) mod error;
pub(crate) mod measures;
pub(crate) mod obstacle;
pub(crate) mod obstacle_planes;
pub(crate) mod options;
pub(crate) mod pins;
pub(crate) mod plane;
pub(crate) mod points;
pub(crate) mod scene;
pub(crate) mod search;
pub(crate) mod sheet;
pub(crate) mod springs;
pub(crate) mod step;
pub(crate) mod terrain;
pub(crate) mod triangle_plane;
pub(crate) mod triangles;
pub(crate) mod tuning;
pub(crate) mod vertices;
