//! Bodies that move: first contact and closest approach.

pub(crate) mod advancement;
pub(crate) mod closest_approach;
pub(crate) mod deforming;
pub(crate) mod moving_pair;
pub(crate) mod question;
pub(crate) mod rigid_motion;
pub(crate) mod time_of_impact;
pub(crate) mod tuning;
