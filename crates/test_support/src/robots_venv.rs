//! What `tests/robots/install.sh` installed: the robots of `example-robot-data`, and Python with Pinocchio, Coal, `rosbags`
//! and what else the tests compare with.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

const MISSING: &str = "is missing: run tests/robots/install.sh";

fn venv() -> PathBuf {
    match std::env::var_os("ROBOTS_VENV") {
        Some(path) => path.into(),
        None => crate::repository_file("target/robots-venv"),
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
pub fn start_script(name: &str, arguments: &[&Path]) -> Child {
    start_python(&format!("tests/robots/{name}"), arguments)
}

/// A script of this repository, started with its input and output piped.
pub fn start_python(path: &str, arguments: &[&Path]) -> Child {
    let script = crate::repository_file(path);
    let started = Command::new(program("python"))
        .arg(script)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    started.unwrap_or_else(|_| panic!("{} {MISSING}", program("python").display()))
}

/// A program of the environment, such as `python` or `colcon`.
pub fn program(name: &str) -> PathBuf {
    venv().join("bin").join(name)
}

/// A robot whose surfaces are in `config/fitted`.
#[derive(Debug)]
pub struct FittedRobot {
    /// Name of its files there.
    pub name: String,
    /// Its URDF.
    pub urdf: PathBuf,
    /// Its surfaces.
    pub sidecar: PathBuf,
    /// The meshes that the surfaces contain: `collision` or `visual`.
    pub from: String,
}

/// The robots that `tests/robots/fit_bundled.sh` fits.
pub fn fitted_robots() -> Vec<FittedRobot> {
    let list = std::fs::read_to_string(crate::repository_file("tests/robots/fitted.txt")).unwrap();
    let robot = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let [name, urdf, _surfaces, from, ..] = words[..] else {
            panic!("`{line}` has four words or more")
        };
        FittedRobot {
            name: name.to_owned(),
            urdf: share().join("example-robot-data/robots").join(urdf),
            sidecar: crate::repository_file(format!("config/fitted/{name}.yaml")),
            from: from.to_owned(),
        }
    };
    list.lines().filter(|line| !line.starts_with('#')).map(robot).collect()
}
