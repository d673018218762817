//! Convex polyhedra with faces, edges and vertices, and what the lecture on collision detection computes with them: the
//! nearest features by V-Clip, the region of a contact, and contacts that keep their identity.

mod contact_region;
mod persistent;
mod polyhedron;
mod v_clip;
mod voronoi;

pub use contact_region::{ContactCorner, ContactKey, ContactRegion};
pub use persistent::{Contact, PersistentContacts};
pub use polyhedron::{Feature, Polyhedron};
pub(super) use v_clip::solve;
pub use v_clip::{Features, v_clip};
