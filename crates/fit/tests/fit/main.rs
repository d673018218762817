//! Surfaces contain meshes: good ones, broken ones, and the robots that users have.

mod meshes;
#[cfg(feature = "external-tests")]
mod robots;
mod slow_check;
