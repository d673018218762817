//! The separation function of two superquadrics, on lanes.

pub(crate) mod bodies;
pub(crate) mod dents;
pub(crate) mod direction_grid;
pub(crate) mod lane_jets;
pub(crate) mod newton_f32;
pub(crate) mod pair;
pub(crate) mod predicted;
pub(crate) mod profile_lanes;
pub(crate) mod solid_x8;
pub(crate) mod support_f32;
pub(crate) mod survey;
pub(crate) mod tuning;
