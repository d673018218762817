//! How far apart are these two, and when do they meet? Two posed shapes in, numbers with proven bounds out.
//!
//! World poses become one relative pose at the door; below it everything is in the frame of A.

mod certify;
mod common_normal;
mod core_shape;
mod ellipsoid_pair;
mod gjk;
mod lanes;
mod options;
mod penetration;
mod result;
mod ridge;
mod separation;
mod signed_distance;
mod simplex;
mod superquadric_lanes;
mod superquadric_pair;
mod surface_pair;

pub use options::{DepthMode, QueryOptions};
pub use result::{SignedDistance, SolveStatus, WarmStart};
pub use signed_distance::{distance, distance_from};
