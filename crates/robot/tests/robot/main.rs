//! Robots from files: what is read, what is refused, what is written back, and the same robots in other libraries.
//!
//! The feature `external-tests` adds the comparisons that need what `tests/robots/install.sh` installs.

mod golden;
#[cfg(feature = "external-tests")]
mod pinocchio;
#[cfg(feature = "external-tests")]
mod real_robots;
mod urdf_errors;
mod urdf_mutations;
mod urdf_rs_oracle;
mod urdf_write;
