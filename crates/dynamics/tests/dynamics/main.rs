//! Tests of the crate through its public interface.

mod cloth;
mod cloth_hands;
mod cloth_physics;
mod contacts;
mod determinism;
mod gait;
#[cfg(feature = "external-tests")]
mod grasp_gradient;
#[cfg(feature = "external-tests")]
mod grasp_scipy;
#[cfg(feature = "external-tests")]
mod mujoco;
#[cfg(feature = "external-tests")]
mod pinocchio;
mod rigid;
mod robots;
mod scene_simulation;
