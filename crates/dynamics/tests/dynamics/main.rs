//! Tests of the crate through its public interface.

#[cfg(feature = "external-tests")]
mod pinocchio;
mod robots;
