//! The problems of a MotionBenchMaker folder: MoveIt scenes and requests as YAML.

use super::failure::PlanFailure;
use crate::robot::values::{Refusal, Value, load_yaml};
use crate::robot::{RobotModel, RobotState};
use std::fs;
use std::path::{Path, PathBuf};

/// Largest request, in bytes; they have a few thousand.
const MAX_BYTES: u64 = 16 << 20;
/// Folders below the given one that are looked into.
const MAX_DEPTH: u32 = 4;

/// Two files.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Problem {
    /// Name of the folder.
    pub name: String,
    /// Number of the files.
    pub index: u64,
    pub scene: PathBuf,
    pub request: PathBuf,
}

/// What a request asks for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Request {
    pub group: String,
    pub from: Vec<f64>,
    pub to: Vec<f64>,
}

/// All problems in a folder and below it, by name and number.
pub(crate) fn find(folder: &Path) -> Result<Vec<Problem>, PlanFailure> {
    let mut problems = Vec::new();
    collect(folder, MAX_DEPTH, &mut problems)?;
    problems.sort();
    Ok(problems)
}

fn collect(folder: &Path, depth: u32, problems: &mut Vec<Problem>) -> Result<(), PlanFailure> {
    for path in entries(folder)? {
        if path.is_dir() {
            if depth > 0 {
                collect(&path, depth - 1, problems)?;
            }
            continue;
        }
        let Some(index) = number(&path, "request") else { continue };
        let file = path.file_name().and_then(|name| name.to_str()).expect("it has a number in it");
        let scene = folder.join(file.replacen("request", "scene", 1));
        if !scene.is_file() {
            let reason = format!("there is no scene for {file}");
            return Err(PlanFailure::File { path: scene, reason });
        }
        let name =
            folder.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
        problems.push(Problem { name, index, scene, request: path });
    }
    Ok(())
}

/// The contents of a folder in order.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, PlanFailure> {
    let failed = |error: std::io::Error| PlanFailure::File {
        path: folder.to_owned(),
        reason: error.to_string(),
    };
    let entries = fs::read_dir(folder).map_err(failed)?;
    let mut paths = entries
        .map(|entry| Ok(entry.map_err(failed)?.path()))
        .collect::<Result<Vec<_>, PlanFailure>>()?;
    paths.sort();
    Ok(paths)
}

/// The number in a name like request0001.yaml.
fn number(path: &Path, prefix: &str) -> Option<u64> {
    let name = path.file_name()?.to_str()?;
    name.strip_prefix(prefix)?.strip_suffix(".yaml")?.parse().ok()
}

/// The one file with this ending in a folder.
pub(crate) fn only_file(folder: &Path, ending: &str) -> Result<PathBuf, PlanFailure> {
    let is_such = |path: &PathBuf| path.extension().is_some_and(|e| e == ending) && path.is_file();
    let mut found: Vec<PathBuf> = entries(folder)?.into_iter().filter(is_such).collect();
    if found.len() == 1 {
        return Ok(found.remove(0));
    }
    let reason =
        format!("has {} files *.{ending}, must have one; or name it with --{ending}", found.len());
    Err(PlanFailure::File { path: folder.to_owned(), reason })
}

/// Reads a request. Joints that the robot does not have, and fixed ones, are left out: MotionBenchMaker's requests name
/// the fingers of hands that are fixed here.
pub(crate) fn read(
    path: &Path,
    model: &std::sync::Arc<RobotModel>,
) -> Result<Request, PlanFailure> {
    let refused =
        |refusal: Refusal| PlanFailure::File { path: path.to_owned(), reason: refusal.to_string() };
    let file = load_yaml(path, MAX_BYTES).map_err(refused)?;
    let group =
        field(&file, "group_name", "").and_then(|v| v.text("group_name")).map_err(refused)?;
    let mut state = RobotState::new(model.clone());
    let from = start(&file).map_err(refused)?;
    let bad_state = |error: crate::robot::StateError| PlanFailure::File {
        path: path.to_owned(),
        reason: error.to_string(),
    };
    set(&mut state, &from).map_err(bad_state)?;
    let (group, from) = (group.to_owned(), state.positions().to_vec());
    set(&mut state, &goal(&file).map_err(refused)?).map_err(bad_state)?;
    Ok(Request { group, from, to: state.positions().to_vec() })
}

fn set(state: &mut RobotState, values: &[(String, f64)]) -> Result<(), crate::robot::StateError> {
    let model = state.model().clone();
    let has_number =
        |name: &str| model.joint_id(name).is_some_and(|id| model.joint(id).kind.is_single());
    let known = values.iter().filter(|(name, _)| has_number(name));
    let (names, numbers): (Vec<&str>, Vec<f64>) =
        known.map(|(name, value)| (name.as_str(), *value)).unzip();
    state.merge(&names, &numbers)
}

fn field<'v>(value: &'v Value, name: &str, path: &str) -> Result<&'v Value, Refusal> {
    let found = value.entries(path)?.iter().find(|(key, _)| key == name);
    let missing = || Refusal::new(&format!("{path}.{name}"), "is missing");
    found.map(|(_, value)| value).ok_or_else(missing)
}

fn start(file: &Value) -> Result<Vec<(String, f64)>, Refusal> {
    let path = "start_state.joint_state";
    let state = field(field(file, "start_state", "")?, "joint_state", "start_state")?;
    let names = field(state, "name", path)?.items(path)?;
    let positions = field(state, "position", path)?.items(path)?;
    if names.len() != positions.len() {
        let reason = format!("has {} names and {} positions", names.len(), positions.len());
        return Err(Refusal::new(path, reason));
    }
    let read = |(name, position): (&Value, &Value)| {
        Ok((name.text(path)?.to_owned(), position.number(path)?))
    };
    names.iter().zip(positions).map(read).collect()
}

fn goal(file: &Value) -> Result<Vec<(String, f64)>, Refusal> {
    let path = "goal_constraints";
    let [constraints] = field(file, path, "")?.items(path)? else {
        return Err(Refusal::new(path, "must have one entry"));
    };
    let path = "goal_constraints[0].joint_constraints";
    let joints = field(constraints, "joint_constraints", "goal_constraints[0]")?.items(path)?;
    let read = |joint: &Value| {
        let name = field(joint, "joint_name", path)?.text(path)?.to_owned();
        Ok((name, field(joint, "position", path)?.number(path)?))
    };
    joints.iter().map(read).collect()
}
