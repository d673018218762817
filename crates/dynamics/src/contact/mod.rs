//! Where bodies touch, and with which force.

pub(crate) mod face;
pub(crate) mod find;
pub(crate) mod force;
pub(crate) mod hertz;
pub(crate) mod manifold;
pub(crate) mod material;
