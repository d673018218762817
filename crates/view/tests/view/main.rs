//! The browser view: its server, and its page in a real browser (feature `external-tests`, which needs what
//! `tests/robots/install.sh` installs).

#[cfg(feature = "external-tests")]
mod browser;
#[cfg(feature = "external-tests")]
mod browser_cloth;
#[cfg(feature = "external-tests")]
mod browser_fit;
#[cfg(feature = "external-tests")]
mod browser_game;
#[cfg(feature = "external-tests")]
mod browser_plan;
#[cfg(feature = "external-tests")]
mod browser_robots;
#[cfg(feature = "external-tests")]
mod browser_scene;
#[cfg(feature = "external-tests")]
mod browser_simulate;
mod browser_sketch;
mod cloth;
mod fit;
mod mesh_robot;
mod plan;
mod server;
mod simulation;
mod sketch;
