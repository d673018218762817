//! Rigid contacts: impulses that keep bodies apart without pulling, with friction.

pub(crate) mod rows;
pub(crate) mod solve;
