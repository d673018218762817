//! Bodies in motion: what is simulated, the forces on it, and how time goes on.

pub(crate) mod adaptive;
pub(crate) mod build;
pub(crate) mod drive;
pub(crate) mod failure;
pub(crate) mod forces;
pub(crate) mod joint_springs;
pub(crate) mod overlap;
pub(crate) mod player;
pub(crate) mod push;
pub(crate) mod rigid_contacts;
pub(crate) mod rigid_step;
pub(crate) mod run;
pub(crate) mod scene_simulation;
pub(crate) mod semi_implicit;
pub(crate) mod state;
pub(crate) mod system;
