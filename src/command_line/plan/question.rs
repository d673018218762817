//! `smooth_scene plan`: one question, answered for one seed or many.

use super::args::QuestionArguments;
use super::failure::PlanFailure;
use super::motion::{Motion, MotionSettings};
use super::summary::Summary;
use super::timed::{Question, Timed, check_certificate, solve};
use super::{json, states};
use crate::command_line::load_robot::{Robot, load_with_srdf};
use crate::command_line::print::print;
use crate::command_line::program::{INTERRUPTED, NO_PATH, Program};
use crate::command_line::progress::Progress;
use crate::command_line::robot_args::ReadingArguments;
use crate::command_line::table::Table;
use crate::command_line::{atomic_file, interrupt};
use crate::plan::{
    JointSpace, NearAtEnd, PlanOptions, PoseGoal, SceneChecker, state_for_pose, with_margin,
};
use crate::robot::RobotState;
use crate::scene::{PlanningScene, WorldFile};
use serde_json::{Value, json};
use std::io;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

/// Random starts of the search for a state with a given pose.
const POSE_STARTS: u32 = 100;

/// The scene that a question is about, with the robot read in this way.
fn load_scene(
    program: Program,
    arguments: &QuestionArguments,
    reading: &ReadingArguments,
) -> Result<PlanningScene, PlanFailure> {
    let Robot { model, semantics, notes, .. } =
        load_with_srdf(&arguments.robot.urdf, reading, arguments.srdf.as_deref())?;
    notes.iter().for_each(|note| program.note(note));
    let mut scene = PlanningScene::new(model, semantics)?;
    if let Some(path) = &arguments.world {
        let world = WorldFile::load(path)?;
        world.notes().iter().for_each(|note| program.note(note));
        world.add_to(&mut scene)?;
    }
    Ok(with_margin(&scene, arguments.settings.margin)?)
}

/// The same robot with its own collisions.
pub(super) fn without_surfaces(reading: &ReadingArguments) -> ReadingArguments {
    ReadingArguments { sidecar: None, ..reading.clone() }
}

/// Plans, prints, and returns the exit code.
pub(crate) fn run(
    program: Program,
    arguments: &QuestionArguments,
) -> Result<ExitCode, PlanFailure> {
    let reading = &arguments.robot.reading;
    let scene = load_scene(program, arguments, reading)?;
    let finer = match arguments.settings.levels {
        true => Some(load_scene(program, arguments, &without_surfaces(reading))?),
        false => None,
    };
    let group = arguments.group.as_deref();
    let mut state = RobotState::new(scene.model().clone());
    states::apply("--from", &arguments.from, &scene, group, &mut state)?;
    let from = state.positions().to_vec();
    let interrupted = interrupt::watch().map_err(PlanFailure::Signals)?;
    let stop = || interrupted.load(Ordering::Relaxed);
    let first = arguments.settings.options();
    if let Some(text) = &arguments.to {
        states::apply("--to", text, &scene, group, &mut state)?;
    }
    let mut to = state.positions().to_vec();
    if let Some(text) = &arguments.to_pose {
        let (link, pose) = states::link_pose(text)?;
        let goal = PoseGoal { link, pose, starts: POSE_STARTS, seed: first.seed };
        let mut checker = SceneChecker::new(finer.as_ref().unwrap_or(&scene))?;
        to = state_for_pose(&scene, group, &from, &goal, &mut checker, &stop)?;
    }
    let question = Question { scene: &scene, finer: finer.as_ref(), group, from: &from, to: &to };
    let mut progress = Progress::new(Some(arguments.seeds));
    let (mut runs, mut summary) = (Vec::new(), Summary::default());
    let mut last = None;
    for seed in first.seed..first.seed.saturating_add(arguments.seeds) {
        progress.step(format_args!("seed {seed}, {} solved", summary.solved));
        let timed = solve(&question, &PlanOptions { seed, ..first.clone() }, &stop)?;
        if json::is_cancelled(&timed) {
            program.note("interrupted");
            return Ok(ExitCode::from(INTERRUPTED));
        }
        if let Err(error) = &timed.answer
            && error.is_bad_input()
        {
            return Err(error.clone().into());
        }
        check_certificate(&question, &timed);
        summary.add(&timed);
        let mut run = json::answer(&question, seed, &timed);
        let mut motion = None;
        if let (Some(acceleration), Ok(plan)) = (arguments.acceleration, &timed.answer) {
            let settings = MotionSettings { acceleration, blend: arguments.blend };
            let found = Motion::new(&question, plan, &first, settings, &stop)?;
            found.add_to(&mut run);
            motion = Some(found);
        }
        runs.push(run);
        last = Some((timed, motion));
    }
    drop(progress);
    let report = match (arguments.seeds, last) {
        (1, Some((timed, motion))) => {
            let about_motion = motion.map_or_else(String::new, |motion| motion.text());
            Report::one(runs.remove(0), text(&question, &timed) + &about_motion)
        }
        _ => Report {
            text: summary.text(),
            json: json!({ "runs": runs, "summary": summary.json() }),
        },
    };
    if let Some(path) = &arguments.output {
        let text = format!("{}\n", report.json);
        let failed =
            |error: io::Error| PlanFailure::File { path: path.clone(), reason: error.to_string() };
        atomic_file::write(path, text.as_bytes(), arguments.force).map_err(failed)?;
    }
    print(&if arguments.json { format!("{}\n", report.json) } else { report.text })
        .map_err(PlanFailure::Output)?;
    Ok(if summary.solved == summary.asked { ExitCode::SUCCESS } else { ExitCode::from(NO_PATH) })
}

/// An answer in both forms.
struct Report {
    json: Value,
    text: String,
}

impl Report {
    fn one(json: Value, text: String) -> Self {
        Self { json, text }
    }
}

/// One answer for people.
fn text(question: &Question, timed: &Timed) -> String {
    let plan = match &timed.answer {
        Ok(plan) => plan,
        Err(error) => return format!("no path: {error}\n"),
    };
    let space = JointSpace::new(question.scene, question.group, question.from)
        .expect("the path was planned in this space");
    let mut headings: Vec<&str> = space.names().collect();
    headings.extend(["clearance/mm", "nearest bodies"]);
    let mut table = Table::new(&headings, 0);
    for (place, state) in plan.waypoints.iter().enumerate() {
        let mut cells: Vec<String> =
            space.point(state).iter().map(|number| format!("{number:.4}")).collect();
        match plan.certificate.segments.get(place) {
            Some(segment) => {
                cells.push(format!("{:.3}", 1e3 * segment.clearance()));
                let nearest = json::nearest(plan, segment);
                cells.push(nearest.map_or_else(|| "–".to_owned(), |[a, b]| format!("{a} – {b}")));
            }
            None => cells.extend(["", ""].map(str::to_owned)),
        }
        table.row(cells);
    }
    let statistics = &plan.statistics;
    let near: String = plan.near_ends.iter().map(near_text).collect();
    format!(
        "{}\nproven free from start to goal: {} edges, length {:.3}, no two bodies closer than {:.3} mm\n\
         {near}{} states checked in {:.3} ms, {} edges sent to be proven in {:.3} ms, {} refuted\n",
        table.text(),
        plan.certificate.segments.len(),
        plan.length,
        1e3 * plan.certificate.clearance(),
        statistics.states,
        1e3 * timed.search.as_secs_f64(),
        statistics.proofs,
        1e3 * timed.proofs.as_secs_f64(),
        statistics.refuted,
    )
}

/// What a path keeps between bodies that are close at one of its ends.
fn near_text(near: &NearAtEnd) -> String {
    let NearAtEnd { which, body_a, body_b, distance, kept } = near;
    format!(
        "`{body_a}` and `{body_b}` are {:.4} mm apart at the {which}: the path keeps {:.4} mm between them\n",
        1e3 * distance,
        1e3 * kept
    )
}
