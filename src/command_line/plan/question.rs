//! `smooth_scene plan`: one question, answered for one seed or many.

use super::args::QuestionArguments;
use super::failure::PlanFailure;
use super::motion::{Motion, MotionSettings};
use super::summary::Summary;
use super::timed::{
    Improvement, Question, Timed, check_certificate, improve, solve, solve_on_threads,
};
use super::{certificate, json, picture, states};
use crate::command_line::load_scene::{LoadedScene, SceneArguments};
use crate::command_line::print::print;
use crate::command_line::program::{INTERRUPTED, NO_PATH, Program};
use crate::command_line::progress::Progress;
use crate::command_line::robot_args::ReadingArguments;
use crate::command_line::table::Table;
use crate::command_line::{atomic_file, interrupt};
use crate::plan::{
    JointSpace, NearAtEnd, PlanError, PlanOptions, PoseGoal, SceneChecker, Stop, state_for_pose,
    with_margin,
};
use crate::robot::RobotState;
use crate::scene::PlanningScene;
use serde_json::{Value, json};
use std::num::NonZeroU32;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

/// Random starts of the search for a state with a given pose.
const POSE_STARTS: u32 = 100;

/// Acceleration of a recorded motion where none is given, rad/s² or m/s²: that of MoveIt's time parameterisation.
const USUAL_ACCELERATION: f64 = 1.0;

/// A scene, and the description of its robot.
pub(super) struct Loaded {
    pub scene: PlanningScene,
    #[cfg(feature = "bags")]
    urdf: String,
}

/// A scene with this margin, and the robot read in this way.
pub(super) fn load_scene(
    program: Program,
    arguments: &SceneArguments,
    reading: &ReadingArguments,
    margin: f64,
) -> Result<Loaded, PlanFailure> {
    let LoadedScene { scene, document, notes } = arguments.load_with(reading)?;
    notes.iter().for_each(|note| program.note(note));
    let scene = with_margin(&scene, margin)?;
    #[cfg(not(feature = "bags"))]
    drop(document);
    Ok(Loaded {
        scene,
        #[cfg(feature = "bags")]
        urdf: document.text().to_owned(),
    })
}

/// Refuses what would fail after minutes of planning.
fn check_files(arguments: &QuestionArguments) -> Result<(), PlanFailure> {
    let QuestionArguments { output, picture, record, certificate, .. } = arguments;
    for path in [output, picture, certificate].into_iter().flatten() {
        atomic_file::check(path, arguments.force)?;
    }
    let refused = |path: &Path, reason: &str| {
        Err(PlanFailure::File { path: path.to_owned(), reason: reason.to_owned() })
    };
    if let Some(folder) = record {
        if cfg!(not(feature = "bags")) {
            return Err(PlanFailure::WithoutBags);
        }
        if folder.exists() {
            return refused(folder, "is there already");
        }
        let parent = folder.parent().filter(|parent| *parent != Path::new(""));
        if let Some(parent) = parent.filter(|parent| !parent.is_dir()) {
            return refused(parent, "is not a folder");
        }
    }
    let mut places = Vec::new();
    for path in [output, picture, certificate, record].into_iter().flatten() {
        let place = std::path::absolute(path)
            .map_err(|error| PlanFailure::File { path: path.clone(), reason: error.to_string() })?;
        if places.contains(&place) {
            return refused(
                path,
                "is named by two of --output, --picture, --certificate and --record",
            );
        }
        places.push(place);
    }
    Ok(())
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
    check_files(arguments)?;
    let reading = &arguments.scene.robot.reading;
    let load =
        |reading: &_| load_scene(program, &arguments.scene, reading, arguments.settings.margin);
    let loaded = load(reading)?;
    let scene = &loaded.scene;
    let finer = match arguments.settings.levels {
        true => Some(load(&without_surfaces(reading))?.scene),
        false => None,
    };
    let group = arguments.group.as_deref();
    let mut state = RobotState::new(scene.model().clone());
    states::apply("--from", &arguments.from, scene, group, &mut state)?;
    let from = state.positions().to_vec();
    let interrupted = interrupt::watch().map_err(PlanFailure::Signals)?;
    let stop = || interrupted.load(Ordering::Relaxed);
    let first = arguments.settings.options();
    if let Some(text) = &arguments.to {
        states::apply("--to", text, scene, group, &mut state)?;
    }
    let mut to = state.positions().to_vec();
    if let Some(text) = &arguments.to_pose {
        let (link, pose) = states::link_pose(text)?;
        let goal = PoseGoal { link, pose, starts: POSE_STARTS, seed: first.seed };
        let mut checker = SceneChecker::new(finer.as_ref().unwrap_or(scene))?;
        to = state_for_pose(scene, group, &from, &goal, &mut checker, &stop)?;
    }
    let question = Question { scene, finer: finer.as_ref(), group, from: &from, to: &to };
    // Ctrl-C ends only the search for shorter paths; what is done with the best one is finished.
    let stop_after: Stop = if arguments.improve.is_some() { &|| false } else { &stop };
    let mut progress = Progress::new(Some(arguments.seeds));
    let (mut runs, mut summary) = (Vec::new(), Summary::default());
    let mut last = None;
    for seed in (0..arguments.seeds).map(|k| first.seed.wrapping_add(k)) {
        progress.step(format_args!("seed {seed}, {} solved", summary.solved));
        let options = PlanOptions { seed, ..first.clone() };
        let Answered { seed, timed, improvements } =
            answer(program, arguments, &question, &options, &stop)?;
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
        if arguments.improve.is_some() {
            let of = |i: &Improvement| json!({"us": json::micros(i.at), "length": i.length});
            run["improvements"] = improvements.iter().map(of).collect();
        }
        let mut motion = None;
        if let (Some(acceleration), Ok(plan)) = (acceleration(arguments), &timed.answer) {
            let settings = MotionSettings { acceleration, blend: arguments.blend };
            let found = Motion::new(&question, plan, &first, settings, stop_after)?;
            if arguments.acceleration.is_some() {
                found.add_to(&mut run);
            }
            motion = Some(found);
        }
        runs.push(run);
        last = Some((timed, motion));
    }
    drop(progress);
    if let (Some(path), Some((Timed { answer: Ok(plan), .. }, _))) = (&arguments.picture, &last) {
        let drawn = picture::svg(scene, &plan.waypoints)?;
        atomic_file::write(path, drawn.as_bytes(), arguments.force)?;
    }
    if let (Some(path), Some((Timed { answer: Ok(plan), .. }, _))) = (&arguments.certificate, &last)
    {
        let text = certificate::text(&plan.certificate);
        atomic_file::write(path, text.as_bytes(), arguments.force)?;
    }
    #[cfg(feature = "bags")]
    if let (Some(folder), Some((_, Some(motion)))) = (&arguments.record, &last) {
        let recording =
            super::record::Recording { folder, urdf: &loaded.urdf, rate: arguments.rate };
        super::record::write(recording, &question, motion, stop_after)?;
    }
    let report = match (arguments.seeds, last) {
        (1, Some((timed, motion))) => {
            let motion = motion.filter(|_| arguments.acceleration.is_some());
            let about_motion = motion.map_or_else(String::new, |motion| motion.text());
            let seed = match arguments.all_cores && timed.answer.is_ok() {
                true => format!("seed {} was first\n", runs[0]["seed"]),
                false => String::new(),
            };
            Report::one(runs.remove(0), text(&question, &timed) + &seed + &about_motion)
        }
        _ => Report {
            text: summary.text(),
            json: json!({ "runs": runs, "summary": summary.json() }),
        },
    };
    if let Some(path) = &arguments.output {
        let text = format!("{}\n", report.json);
        atomic_file::write(path, text.as_bytes(), arguments.force)?;
    }
    print(&if arguments.json { format!("{}\n", report.json) } else { report.text })
        .map_err(PlanFailure::Output)?;
    Ok(if summary.solved == summary.asked { ExitCode::SUCCESS } else { ExitCode::from(NO_PATH) })
}

/// The acceleration of the motion along a path; none where nobody wants one.
fn acceleration(arguments: &QuestionArguments) -> Option<f64> {
    arguments.acceleration.or(arguments.record.as_ref().map(|_| USUAL_ACCELERATION))
}

/// One answer, its seed, and on the way to it ever shorter paths.
struct Answered {
    seed: u64,
    timed: Timed,
    improvements: Vec<Improvement>,
}

/// Plans as it was asked for.
fn answer(
    program: Program,
    arguments: &QuestionArguments,
    question: &Question,
    options: &PlanOptions,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Answered, PlanError> {
    let (mut seed, mut improvements) = (options.seed, Vec::new());
    let stop_here: Stop = &|| stop();
    let timed = if let Some(allowed) = arguments.improve {
        let mut told = |improvement: Improvement| {
            let Improvement { at, length } = improvement;
            program.note(format_args!("length {length:.4} after {:.3} s", at.as_secs_f64()));
            improvements.push(improvement);
        };
        improve(question, options, allowed, &mut told, stop_here)?
    } else if arguments.all_cores {
        let cores = std::thread::available_parallelism().ok();
        let threads = cores.and_then(|cores| NonZeroU32::try_from(cores).ok());
        let found = solve_on_threads(question, options, threads.unwrap_or(NonZeroU32::MIN), stop)?;
        seed = found.0;
        found.1
    } else {
        solve(question, options, stop_here)?
    };
    Ok(Answered { seed, timed, improvements })
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
    let times = timed.times.expect("a path was found by one thread, which has times");
    let near: String = plan.near_ends.iter().map(near_text).collect();
    format!(
        "{}\nproven free from start to goal: {} edges, length {:.3}, no two bodies closer than {:.3} mm\n\
         {near}{} states checked in {:.3} ms, {} edges sent to be proven in {:.3} ms, {} refuted\n",
        table.text(),
        plan.certificate.segments.len(),
        plan.length,
        1e3 * plan.certificate.clearance(),
        statistics.states,
        1e3 * times.search().as_secs_f64(),
        statistics.proofs,
        1e3 * times.proofs.as_secs_f64(),
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
