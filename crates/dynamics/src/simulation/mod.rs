//! Bodies in motion: what is simulated, the forces on it, and how time goes on.

pub(crate) mod adaptive;
pub(crate) mod build;
pub(crate) mod forces;
pub(crate) mod run;
pub(crate) mod semi_implicit;
pub(crate) mod state;
pub(crate) mod system;
