//! Checks the paths of a benchmark against the robot's meshes with Coal, where it is installed: by `check_meshes.py`, which
//! shares no code with the planner.

use super::args::{BenchmarkArguments, CheckMeshes};
use super::failure::PlanFailure;
use crate::command_line::program::Program;
use crate::plan::{PlanError, Stop};
use serde::Deserialize;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

const SCRIPT: &str = include_str!("check_meshes.py");
/// What the script needs.
const MODULES: &str = "import coal, numpy, pinocchio, yaml";
/// Where `tests/robots/install.sh` installs it.
const INSTALLED: &str = "target/robots-venv";
const NO_PYTHON: &str = "no Python with Pinocchio, Coal and PyYAML was found (--python names one; tests/robots/install.sh \
    installs them)";
/// Time between two looks whether it has ended, or is to end.
const LOOK_EVERY: Duration = Duration::from_millis(20);

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
    fn text(&self) -> String {
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

/// Whether paths were checked.
pub(super) enum MeshCheck {
    Done(MeshReport),
    /// And why not.
    NotChecked(&'static str),
    NotWanted,
}

impl MeshCheck {
    /// Whether it found a path that collides.
    pub fn found_contacts(&self) -> bool {
        matches!(self, MeshCheck::Done(report) if report.colliding > 0)
    }

    pub fn json(&self) -> Value {
        match self {
            MeshCheck::Done(report) => json!(report),
            MeshCheck::NotChecked(reason) => json!({ "not_checked": reason }),
            MeshCheck::NotWanted => json!({ "not_checked": "--check-meshes never" }),
        }
    }

    pub fn text(&self) -> String {
        match self {
            MeshCheck::Done(report) => report.text(),
            MeshCheck::NotChecked(reason) => {
                format!("not checked against the robot's meshes: {reason}\n")
            }
            MeshCheck::NotWanted => String::new(),
        }
    }
}

/// What checks the paths.
pub(super) enum MeshChecker {
    Python(PathBuf),
    /// And why there is none.
    Missing(&'static str),
    NotWanted,
}

/// Looks for what the arguments want to check with.
pub(super) fn find_checker(arguments: &BenchmarkArguments) -> Result<MeshChecker, PlanFailure> {
    if arguments.check_meshes == CheckMeshes::Never {
        return Ok(MeshChecker::NotWanted);
    }
    match (python(arguments.python.as_deref()), arguments.check_meshes) {
        (Some(python), _) => Ok(MeshChecker::Python(python)),
        (None, CheckMeshes::Always) => Err(PlanFailure::Meshes(NO_PYTHON.to_owned())),
        (None, _) => Ok(MeshChecker::Missing(NO_PYTHON)),
    }
}

/// Paths, and what they are paths of.
pub(super) struct Paths<'a> {
    pub urdf: &'a Path,
    pub srdf: &'a Path,
    /// One JSON object a line.
    pub lines: &'a str,
    /// So many of them have a path.
    pub solved: usize,
}

/// Checks paths with the checker that was found.
pub(super) fn check(
    program: Program,
    arguments: &BenchmarkArguments,
    checker: &MeshChecker,
    paths: &Paths,
    stop: Stop,
) -> Result<MeshCheck, PlanFailure> {
    let python = match checker {
        MeshChecker::Python(python) => python,
        MeshChecker::Missing(reason) => return Ok(MeshCheck::NotChecked(reason)),
        MeshChecker::NotWanted => return Ok(MeshCheck::NotWanted),
    };
    program.note("checking the paths against the robot's meshes");
    let refused = |reason: String| PlanFailure::Meshes(format!("{}: {reason}", python.display()));
    let failed = |error: io::Error| refused(error.to_string());
    let mut file = tempfile::NamedTempFile::new().map_err(failed)?;
    file.write_all(paths.lines.as_bytes()).map_err(failed)?;
    let mut command = Command::new(python);
    command.args(["-c", SCRIPT]).arg(&arguments.folder).arg(file.path()).arg("--json");
    command.arg("--urdf").arg(paths.urdf).arg("--srdf").arg(paths.srdf);
    for folder in &arguments.reading.package_paths {
        command.arg("--package-path").arg(folder);
    }
    let ended = run_until(command, stop).map_err(failed)?;
    let Ended { status, printed, said } = ended.ok_or(PlanError::Cancelled)?;
    let last = said.lines().last().unwrap_or("it said nothing");
    // It exits with 1 when a path collides, and then it has an answer all the same.
    let report = match status.code() {
        Some(0 | 1) => serde_json::from_str::<MeshReport>(&printed).ok(),
        _ => None,
    };
    let report = report.ok_or_else(|| refused(format!("{status}, {last}")))?;
    if report.paths != paths.solved as u64 {
        let (checked, solved) = (report.paths, paths.solved);
        return Err(refused(format!("checked {checked} paths, there are {solved}")));
    }
    if (report.colliding > 0) != (status.code() == Some(1)) {
        return Err(refused(format!("{status}, but {} paths collide", report.colliding)));
    }
    Ok(MeshCheck::Done(report))
}

/// How a program ended, and what it wrote.
struct Ended {
    status: ExitStatus,
    printed: String,
    said: String,
}

/// Runs a program to its end; told to stop, ends it and returns nothing.
fn run_until(mut command: Command, stop: Stop) -> io::Result<Option<Ended>> {
    // To files: a pipe that nobody reads would block the program.
    let [mut printed, mut said] = [tempfile::tempfile()?, tempfile::tempfile()?];
    command.stdin(Stdio::null()).stdout(printed.try_clone()?).stderr(said.try_clone()?);
    let mut child = command.spawn()?;
    let status = loop {
        let ended = child.try_wait()?;
        if stop() {
            // Ctrl-C in a terminal has reached it, too. The processes that it started look whether it is there.
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        if let Some(status) = ended {
            break status;
        }
        std::thread::sleep(LOOK_EVERY);
    };
    let read = |file: &mut File| {
        let mut bytes = Vec::new();
        file.rewind()?;
        file.read_to_end(&mut bytes)?;
        Ok::<_, io::Error>(String::from_utf8_lossy(&bytes).into_owned())
    };
    Ok(Some(Ended { status, printed: read(&mut printed)?, said: read(&mut said)? }))
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
