//! Life of a query: seeds, Newton on the normal, GJK, depth.

pub(crate) mod bounds;
pub(crate) mod climb_ends;
pub(crate) mod cold_start;
pub(crate) mod common_normal;
pub(crate) mod core_shape;
pub(crate) mod gjk;
pub(crate) mod newton_step;
pub(crate) mod newton_x4;
pub(crate) mod penetration;
pub(crate) mod ridge;
pub(crate) mod sampled_starts;
pub(crate) mod separation;
pub(crate) mod simplex;
pub(crate) mod solver;
pub(crate) mod starts;
pub(crate) mod surface_pair;
pub(crate) mod tuning;
