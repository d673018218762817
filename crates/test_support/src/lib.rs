//! What the tests, benchmarks and examples of several crates share: bodies, robots and scenes to ask about, a slow
//! independent reference for distances, and access to the files and programs that the tests use.
#![allow(
    missing_docs,
    reason = "not published; names and types say it, comments say what they do not"
)]

pub mod accuracy_table;
pub mod dds_domain;
pub mod families;
pub mod fuzz_case;
pub mod hex;
pub mod log_log_plot;
pub mod random;
pub mod robots_venv;
pub mod signals;
pub mod slow_search;

#[cfg(feature = "view")]
pub mod chromium;
#[cfg(feature = "scene")]
pub mod hands;
#[cfg(feature = "scene")]
pub mod movement;
#[cfg(feature = "view")]
pub mod viewer;

use std::path::{Path, PathBuf};

/// The root of the repository, which holds the files that several crates use: `urdf/`, `config/`, `docs/`.
pub fn repository_root() -> &'static Path {
    let this_crate = Path::new(env!("CARGO_MANIFEST_DIR"));
    this_crate.ancestors().nth(2).expect("this crate lies in crates/ below the root")
}

/// A file of the repository, by its path from the root.
pub fn repository_file(path: impl AsRef<Path>) -> PathBuf {
    repository_root().join(path)
}
