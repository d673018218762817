//! Checks the paths of a benchmark against the robot's meshes with Coal, where it is installed: by `check_meshes.py`, which
//! shares no code with the planner.

use super::args::{BenchmarkArguments, CheckMeshes};
use super::failure::PlanFailure;
use crate::command_line::program::Program;
use serde::Deserialize;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const SCRIPT: &str = include_str!("check_meshes.py");
/// What the script needs.
const MODULES: &str = "import coal, numpy, pinocchio, yaml";
/// Where `tests/robots/install.sh` installs it.
const INSTALLED: &str = "target/robots-venv";

/// What the script found.
#[derive(Debug, Deserialize, serde::Serialize)]
pub(super) struct MeshReport {
    pub paths: u64,
    pub states: u64,
    pub colliding: u64,
    /// Deepest first contact of a path, m.
    pub deepest: Option<f64>,
    /// Largest step of a joint, rad or m.
    pub step: f64,
    /// Names and versions of what checked.
    pub by: String,
    pub collisions: Vec<MeshCollision>,
}

/// A path that collides, and its first contact.
#[derive(Debug, Deserialize, serde::Serialize)]
pub(super) struct MeshCollision {
    pub problem: String,
    pub index: u64,
    pub bodies: [String; 2],
    pub depth: f64,
}

impl MeshReport {
    pub fn text(&self) -> String {
        let MeshReport { paths, states, colliding, step, by, .. } = self;
        let mut text = String::new();
        for MeshCollision { problem, index, bodies: [a, b], depth } in &self.collisions {
            text += &format!("{problem} {index}: {a} and {b} overlap by {:.4} mm\n", 1e3 * depth);
        }
        text + &format!(
            "paths that collide with the robot's meshes: {colliding} of {paths} ({by}; {states} states, steps of {step} rad)\n"
        )
    }
}

/// Checks the paths of a file, as the arguments want it. Nothing is an answer, too: with why nothing was checked, if somebody
/// should know.
pub(super) fn check(
    program: Program,
    arguments: &BenchmarkArguments,
    urdf: &Path,
    srdf: &Path,
    lines: &str,
) -> Result<Result<MeshReport, Option<String>>, PlanFailure> {
    if arguments.check_meshes == CheckMeshes::Never {
        return Ok(Err(None));
    }
    let Some(python) = python(arguments.python.as_deref()) else {
        let reason = "no Python with Pinocchio, Coal and PyYAML was found (--python names one; tests/robots/install.sh \
            installs them)";
        return match arguments.check_meshes {
            CheckMeshes::Always => Err(PlanFailure::Meshes(reason.to_owned())),
            _ => Ok(Err(Some(reason.to_owned()))),
        };
    };
    program.note("checking the paths against the robot's meshes");
    let failed = |error: io::Error| PlanFailure::Meshes(format!("{}: {error}", python.display()));
    let mut file = tempfile::NamedTempFile::new().map_err(failed)?;
    file.write_all(lines.as_bytes()).map_err(failed)?;
    let mut command = Command::new(&python);
    command.args(["-c", SCRIPT]).arg(&arguments.folder).arg(file.path()).arg("--json");
    command.arg("--urdf").arg(urdf).arg("--srdf").arg(srdf);
    for folder in &arguments.reading.package_paths {
        command.arg("--package-path").arg(folder);
    }
    let output = command.stdin(Stdio::null()).output().map_err(failed)?;
    // It exits with 1 when a path collides, and then it has an answer all the same.
    serde_json::from_slice(&output.stdout).map(Ok).map_err(|_| {
        let said = String::from_utf8_lossy(&output.stderr);
        let last = said.lines().last().unwrap_or("it said nothing");
        PlanFailure::Meshes(format!("{}: {}, {last}", python.display(), output.status))
    })
}

/// A Python that has what the script needs: the one that is named, else the first of those that are usual.
fn python(named: Option<&Path>) -> Option<PathBuf> {
    let in_environment = |folder: OsString| PathBuf::from(folder).join("bin/python");
    let usual = ["ROBOTS_VENV", "VIRTUAL_ENV"].into_iter().filter_map(std::env::var_os);
    let usual = usual.chain([INSTALLED.into()]).map(in_environment);
    let candidates: Vec<PathBuf> = match named {
        Some(named) => vec![named.to_owned()],
        None => usual.chain(["python3", "python"].map(PathBuf::from)).collect(),
    };
    candidates.into_iter().find(|python| {
        let mut command = Command::new(python);
        command.args(["-c", MODULES]).stdin(Stdio::null());
        let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    })
}
