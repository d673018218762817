//! The separation function of two ellipsoids, without powers.

pub(crate) mod pair;
