//! Superovoids that are not convex and stand for their hulls.
//!
//! A dented body has several maxima over its height along some directions. `samples` says where they lie, `hull` evaluates
//! the pair with them, `proof` tells whether the highest was found, and `solve` puts these together.

pub(crate) mod hull;
pub(crate) mod proof;
pub(crate) mod samples;
pub(crate) mod solve;
