//! What `tests/robots/install.sh` installed: the robots of `example-robot-data`, and Python with Pinocchio and Coal.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

const MISSING: &str = "is missing: run tests/robots/install.sh";

fn venv() -> PathBuf {
    match std::env::var_os("ROBOTS_VENV") {
        Some(path) => path.into(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("target/robots-venv"),
    }
}

/// The folder that holds the package `example-robot-data`.
pub fn share() -> PathBuf {
    let lib = venv().join("lib");
    let pythons = std::fs::read_dir(&lib).unwrap_or_else(|_| panic!("{} {MISSING}", lib.display()));
    let mut shares =
        pythons.map(|entry| entry.unwrap().path().join("site-packages/cmeel.prefix/share"));
    shares.find(|share| share.join("example-robot-data").is_dir()).unwrap()
}

/// A script of `tests/robots`, started with its input and output piped.
#[allow(dead_code, reason = "not every test talks to a script")]
pub fn start_script(name: &str, arguments: &[&Path]) -> Child {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/robots").join(name);
    let python = venv().join("bin/python");
    let started = Command::new(&python)
        .arg(script)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    started.unwrap_or_else(|_| panic!("{} {MISSING}", python.display()))
}
