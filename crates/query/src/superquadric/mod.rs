//! The separation function of two superquadrics, on lanes.

pub(crate) mod angular;
pub(crate) mod bodies;
pub(crate) mod dents;
pub(crate) mod direction_grid;
pub(crate) mod jets_x4;
pub(crate) mod landscape;
pub(crate) mod lane_jets;
pub(crate) mod newton_f32;
pub(crate) mod pair;
pub(crate) mod peaks;
pub(crate) mod predicted;
pub(crate) mod profile_lanes;
pub(crate) mod proof_x4;
pub(crate) mod solid_x8;
pub(crate) mod starts_x8;
pub(crate) mod support_f32;
pub(crate) mod survey;
pub(crate) mod tuning;
pub(crate) mod two_directions;
