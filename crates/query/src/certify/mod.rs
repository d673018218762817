//! Proof that a depth is the largest: branch and bound over directions.

pub(crate) mod branch_and_bound;
mod cell_bound;
