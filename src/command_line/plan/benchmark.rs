//! `smooth_scene plan benchmark`: all problems of a MotionBenchMaker folder.

use super::args::BenchmarkArguments;
use super::check_meshes::{self, MeshCheck, Paths};
use super::failure::PlanFailure;
use super::json::{self, is_cancelled};
use super::problems::{Problem, find, only_file, read};
use super::question::without_surfaces;
use super::summary::Summary;
use super::timed::{Question, Timed, check_certificate, solve};
use crate::command_line::load_robot::{Robot, load_with_srdf};
use crate::command_line::print::print;
use crate::command_line::program::{INTERRUPTED, NO_PATH, Program};
use crate::command_line::progress::Progress;
use crate::command_line::robot_args::ReadingArguments;
use crate::command_line::table::Table;
use crate::command_line::{atomic_file, interrupt};
use crate::plan::{PlanError, with_margin};
use crate::scene::{PlanningScene, WorldFile};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

/// What VAMP (commit f6de6a7) does on the 700 Panda problems of MotionBenchMaker on one thread of a machine of the kind
/// this project is developed on: printed beside our figures. Source: measured with VAMP's own Python module; it proves
/// nothing, and 179 of its 699 paths collide with the robot's meshes.
const VAMP: &str = "VAMP on the 700 Panda problems: 699 solved, none proven (179 paths collide with the meshes), \
search 0.075 ms median, 0.8 ms p95; simplification 0.18 ms median";

/// Runs all problems; returns the exit code.
pub(crate) fn run(
    program: Program,
    arguments: &BenchmarkArguments,
) -> Result<ExitCode, PlanFailure> {
    if let Some(path) = &arguments.paths {
        atomic_file::check(path, arguments.force)?;
    }
    let problems = find(&arguments.folder)?;
    if problems.is_empty() {
        let reason = "has no files requestNNNN.yaml, nor have the folders below it".to_owned();
        return Err(PlanFailure::File { path: arguments.folder.clone(), reason });
    }
    let named = |given: &Option<PathBuf>, ending| match given {
        Some(path) => Ok(path.clone()),
        None => only_file(&arguments.folder, ending),
    };
    let robot = [named(&arguments.urdf, "urdf")?, named(&arguments.srdf, "srdf")?];
    let scene = load(program, &robot, &arguments.reading)?;
    let finer = match arguments.settings.levels {
        true => Some(load(program, &robot, &without_surfaces(&arguments.reading))?),
        false => None,
    };
    let checker = check_meshes::find_checker(arguments)?;
    let interrupted = interrupt::watch().map_err(PlanFailure::Signals)?;
    let stop = || interrupted.load(Ordering::Relaxed);

    let chosen: Vec<&Problem> = problems.iter().step_by(arguments.every as usize).collect();
    let mut progress = Progress::new(Some(chosen.len() as u64));
    let mut whole = Summary::default();
    let mut kinds: BTreeMap<&str, Summary> = BTreeMap::new();
    let mut endpoints_in_collision = 0;
    let mut lines = String::new();
    for problem in chosen {
        progress.step(format_args!("{} {}, {} solved", problem.name, problem.index, whole.solved));
        let timed = match one(problem, &scene, finer.as_ref(), arguments, &stop)? {
            Some((line, timed)) => {
                let line = format!("{line}\n");
                if arguments.json {
                    print(&line).map_err(PlanFailure::Output)?;
                }
                lines.push_str(&line);
                timed
            }
            None => {
                program.note("interrupted");
                return Ok(ExitCode::from(INTERRUPTED));
            }
        };
        if let Err(error) = &timed.answer {
            endpoints_in_collision += u32::from(matches!(error, PlanError::InCollision { .. }));
            program.note(format_args!("{} {}: {error}", problem.name, problem.index));
        }
        whole.add(&timed);
        kinds.entry(&problem.name).or_default().add(&timed);
    }
    drop(progress);
    if let Some(path) = &arguments.paths {
        atomic_file::write(path, lines.as_bytes(), arguments.force)?;
    }
    let [urdf, srdf] = &robot;
    let paths = Paths { urdf, srdf, lines: &lines, solved: whole.solved };
    let meshes = check_meshes::check(program, arguments, &checker, &paths, &stop);
    if matches!(meshes, Err(PlanFailure::Plan(PlanError::Cancelled))) {
        return Err(PlanError::Cancelled.into());
    }
    // What was planned is printed also where the check fails.
    if arguments.json {
        let by_kind: BTreeMap<&str, Value> =
            kinds.iter().map(|(name, summary)| (*name, summary.json())).collect();
        let mut summary = whole.json();
        summary["start_or_goal_in_collision"] = endpoints_in_collision.into();
        summary["by_problem"] = json!(by_kind);
        summary["meshes"] = match &meshes {
            Ok(check) => check.json(),
            Err(failure) => json!({ "not_checked": failure.to_string() }),
        };
        print(&format!("{}\n", json!({ "summary": summary }))).map_err(PlanFailure::Output)?;
    } else {
        let about_meshes = meshes.as_ref().map_or_else(|_| String::new(), MeshCheck::text);
        let text = report(&kinds, &whole, endpoints_in_collision, &about_meshes);
        print(&text).map_err(PlanFailure::Output)?;
    }
    let is_good = !meshes?.found_contacts() && whole.solved == whole.asked;
    Ok(if is_good { ExitCode::SUCCESS } else { ExitCode::from(NO_PATH) })
}

fn load(
    program: Program,
    [urdf, srdf]: &[PathBuf; 2],
    reading: &ReadingArguments,
) -> Result<PlanningScene, PlanFailure> {
    let Robot { model, semantics, notes, .. } = load_with_srdf(urdf, reading, Some(srdf))?;
    notes.iter().for_each(|note| program.note(note));
    Ok(PlanningScene::new(model, semantics)?)
}

/// Solves one problem; nothing when it was interrupted.
fn one(
    problem: &Problem,
    robot: &PlanningScene,
    finer: Option<&PlanningScene>,
    arguments: &BenchmarkArguments,
    stop: &dyn Fn() -> bool,
) -> Result<Option<(Value, Timed)>, PlanFailure> {
    let world = WorldFile::load(&problem.scene)?;
    let in_world = |robot: &PlanningScene| {
        let mut scene = robot.clone();
        world.add_to(&mut scene)?;
        Ok::<_, PlanFailure>(with_margin(&scene, arguments.settings.margin)?)
    };
    let scene = in_world(robot)?;
    let finer = finer.map(in_world).transpose()?;
    let request = read(&problem.request, scene.model())?;
    let group = Some(request.group.as_str());
    let finer = finer.as_ref();
    let question = Question { scene: &scene, finer, group, from: &request.from, to: &request.to };
    let timed = solve(&question, &arguments.settings.options(), stop)?;
    if is_cancelled(&timed) {
        return Ok(None);
    }
    check_certificate(&question, &timed);
    let mut line = json::answer(&question, arguments.settings.seed, &timed);
    line["problem"] = problem.name.as_str().into();
    line["index"] = problem.index.into();
    let scene_file = problem.scene.strip_prefix(&arguments.folder);
    line["scene"] = scene_file.expect("it was found there").display().to_string().into();
    Ok(Some((line, timed)))
}

fn report(
    kinds: &BTreeMap<&str, Summary>,
    whole: &Summary,
    endpoints_in_collision: u32,
    meshes: &str,
) -> String {
    let mut table = Table::new(&["problems", "solved", "of"], 1);
    for (name, summary) in kinds {
        table.row(vec![(*name).to_owned(), summary.solved.to_string(), summary.asked.to_string()]);
    }
    format!(
        "{}\n{}start or goal in collision: {endpoints_in_collision}\n{meshes}\nfor comparison: {VAMP}\n",
        table.text(),
        whole.text()
    )
}
