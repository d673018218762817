//! `smooth_scene plan experiments`: the kinds of problems of Ruan, Wang and Chirikjian, "Collision Detection for Unions of
//! Convex Bodies With Smooth Boundaries Using Closed-Form Contact Space Parameterization" (2022), section VII, in scenes of our
//! own making: a snake, one Panda among superquadrics, two Pandas, and a Panda before a cloud of points. The paper gives no
//! times and no success rates for them. Or the problems that its authors published.

mod published;
mod robots;
mod seeds;
mod worlds;

use super::args::ExperimentsArguments;
use super::failure::PlanFailure;
use super::summary::Summary;
use super::timed::Question;
use crate::command_line::interrupt;
use crate::command_line::print::print;
use crate::command_line::program::{INTERRUPTED, NO_PATH, Program};
use crate::command_line::progress::Progress;
use crate::command_line::table::Table;
use crate::plan::{PlanError, PlanOptions, with_margin};
use crate::robot::{StateSampler, interpolate};
use crate::scene::{CheckRequest, PlanningScene, SceneError, Workspace};
use serde_json::{Value, json};
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

/// Distance kept from what was found in a cloud, m: what the camera did not see is guessed.
const CLOUD_MARGIN: f64 = 0.02;
/// States at which the straight way between two states is looked at, and a path in the scene of which the cloud was taken.
const LOOKS: usize = 200;
/// Start and goal are at least this far apart in joint space.
const FAR: f64 = 2.0;
/// Distance that the states of the walk from start to goal keep, m.
const ROOM: f64 = 2e-3;
/// Distance of these states in joint space.
const STEP: f64 = 0.02;
/// Legs of a walk before another start is drawn.
const LEGS: u32 = 200;
/// Starts that are drawn before a scene counts as one without a problem.
const STARTS: u32 = 100_000;

/// Asked by several threads whether to stop.
type SharedStop<'a> = &'a (dyn Fn() -> bool + Sync);

struct Experiment {
    name: String,
    scene: PlanningScene,
    /// The scene as it really is, where the planner only knows a cloud of it.
    truth: Option<PlanningScene>,
    ends: Ends,
}

/// Start and goal.
enum Ends {
    Given([Vec<f64>; 2]),
    /// The ends of a random walk with this seed.
    Walk(u64),
}

/// Our own; an error only when it was told to stop.
fn experiments(stop: SharedStop) -> Result<Vec<Experiment>, PlanFailure> {
    let mut all = Vec::new();
    for (name, count, seed) in [
        ("snake, 15 joints, 8 objects", 8, 1),
        ("snake, 15 joints, 16 objects", 16, 2),
        ("snake, 15 joints, 32 objects", 32, 3),
    ] {
        let mut scene = robots::snake();
        worlds::scatter(&mut scene, count, [0.3, 1.6], [0.05, 0.2], seed);
        let (name, ends) = (name.to_owned(), Ends::Walk(seed));
        all.push(Experiment { name, scene, truth: None, ends });
    }
    for (name, count, seed) in
        [("Panda, 10 objects", 10, 4), ("Panda, 20 objects", 20, 5), ("Panda, 40 objects", 40, 6)]
    {
        let mut scene = robots::pandas(&[("panda_", [0.0; 3], 0.0)]);
        worlds::scatter(&mut scene, count, [0.45, 1.0], [0.04, 0.12], seed);
        let (name, ends) = (name.to_owned(), Ends::Walk(seed));
        all.push(Experiment { name, scene, truth: None, ends });
    }
    let mounts = [("left_", [0.0, 0.35, 0.0], 0.0), ("right_", [0.0, -0.35, 0.0], 0.0)];
    let mut scene = robots::pandas(&mounts);
    worlds::scatter(&mut scene, 15, [0.6, 1.2], [0.04, 0.12], 7);
    let (name, ends) = ("two Pandas, 14 joints, 15 objects".to_owned(), Ends::Walk(7));
    all.push(Experiment { name, scene, truth: None, ends });

    let mut truth = robots::pandas(&[("panda_", [0.0; 3], 0.0)]);
    let mut scene = truth.clone();
    let objects = worlds::table();
    let points = worlds::cloud(&objects, &mut StateSampler::new(scene.model(), 8));
    for (name, pose, shape) in objects {
        worlds::add(&mut truth, &name, pose, shape);
    }
    worlds::add_found(&mut scene, &points, stop)?;
    worlds::keep_away(&mut scene, CLOUD_MARGIN);
    let name = "Panda before a cloud of a table, margin 2 cm".to_owned();
    all.push(Experiment { name, scene, truth: Some(truth), ends: Ends::Walk(8) });
    Ok(all)
}

/// Two free states, far apart, with something in the straight way between them; none when it was told to stop, or when no start
/// is free.
///
/// The goal is the end of a random walk from the start through states that keep some room: so there is a connection, whoever looks
/// for it. Of two states drawn one by one nobody knows whether there is.
fn walk(scene: &PlanningScene, seed: u64, stop: &dyn Fn() -> bool) -> Option<[Vec<f64>; 2]> {
    let mut sampler = StateSampler::new(scene.model(), seed);
    let roomy = with_margin(scene, ROOM).expect("a valid margin");
    let (request, mut workspace) = (CheckRequest::default(), Workspace::cold());
    let mut is_free = |scene: &PlanningScene, state: &[f64]| {
        !scene.in_collision(state, &request, &mut workspace).expect("states of this robot")
    };
    let between = |from: &[f64], to: &[f64], share: f64| {
        interpolate(scene.model(), from, to, share).expect("states of this robot")
    };
    for _ in 0..STARTS {
        if stop() {
            return None;
        }
        let start = sampler.draw();
        let mut at = start.clone();
        let legs = if is_free(&roomy, &start) { LEGS } else { 0 };
        for _ in 0..legs {
            if stop() {
                return None;
            }
            // Towards a random state, until something is in the way.
            let target = sampler.draw();
            let steps = (distance(&at, &target) / STEP).ceil().max(1.0);
            let states = (1..=steps as u32).map(|k| between(&at, &target, f64::from(k) / steps));
            at = states.take_while(|state| is_free(&roomy, state)).last().unwrap_or(at.clone());
            let is_blocked =
                |k: usize| !is_free(scene, &between(&start, &at, k as f64 / LOOKS as f64));
            if distance(&start, &at) >= FAR && (1..LOOKS).any(is_blocked) {
                return Some([start, at]);
            }
        }
    }
    None
}

/// In joint space.
fn distance(from: &[f64], to: &[f64]) -> f64 {
    from.iter().zip(to).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

/// Whether no state along a path, a two-hundredth of an edge apart, is in collision in another scene.
fn is_free_in(
    scene: &PlanningScene,
    waypoints: &[Vec<f64>],
    stop: SharedStop,
) -> Result<bool, PlanError> {
    let (request, mut workspace) = (CheckRequest::default(), Workspace::cold());
    for ends in waypoints.windows(2) {
        if stop() {
            return Err(PlanError::Cancelled);
        }
        for k in 0..=LOOKS {
            let share = k as f64 / LOOKS as f64;
            let state = interpolate(scene.model(), &ends[0], &ends[1], share);
            let state = state.map_err(SceneError::from)?;
            if scene.in_collision(&state, &request, &mut workspace)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Runs all experiments; returns the exit code.
pub(crate) fn run(
    program: Program,
    arguments: &ExperimentsArguments,
) -> Result<ExitCode, PlanFailure> {
    let interrupted = interrupt::watch().map_err(PlanFailure::Signals)?;
    let stop = || interrupted.load(Ordering::Relaxed);
    let mut all = match &arguments.published {
        Some(clone) => published::experiments(clone, &interrupted)?,
        None => experiments(&stop)?,
    };
    if let Some(text) = &arguments.only {
        let names: Vec<String> = all.iter().map(|experiment| experiment.name.clone()).collect();
        all.retain(|experiment| experiment.name.contains(text));
        if all.is_empty() {
            return Err(PlanFailure::Only { text: text.clone(), names: names.join("; ") });
        }
    }
    let cores = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let threads = arguments.threads.unwrap_or(cores);
    let mut progress = Progress::new(Some(all.len() as u64));
    let headings = [
        "experiment",
        "surfaces",
        "objects",
        "proven",
        "of",
        "search/ms",
        "p95",
        "proofs/ms",
        "p95",
        "both/ms",
        "p95",
        "length",
        "free in the real scene",
    ];
    let mut table = Table::new(&headings, 1);
    let (mut rows, mut is_all_solved): (Vec<Value>, bool) = (Vec::new(), true);
    for Experiment { name, scene, truth, ends } in &all {
        progress.step(format_args!("{name}"));
        let found = match ends {
            Ends::Given(ends) => Some(ends.clone()),
            Ends::Walk(seed) => walk(scene, *seed, &stop),
        };
        let Some([from, to]) = found else {
            if stop() {
                program.note("interrupted");
                return Ok(ExitCode::from(INTERRUPTED));
            }
            let reason = "no start from which a walk leads to a goal was found";
            program.note(format_args!("{name}: {reason}"));
            rows.push(json!({"experiment": name, "reason": reason}));
            is_all_solved = false;
            continue;
        };
        let question = Question { scene, finer: None, group: None, from: &from, to: &to };
        let options = PlanOptions { max_states: arguments.budget, ..PlanOptions::default() };
        let answers = seeds::answers(&question, &options, arguments.seeds, threads, &stop);
        let answers = match answers {
            Err(PlanError::Cancelled) => {
                program.note("interrupted");
                return Ok(ExitCode::from(INTERRUPTED));
            }
            // Of what the authors published some starts are not what their own robot allows.
            Err(error @ PlanError::InCollision { .. }) if arguments.published.is_some() => {
                program.note(format_args!("{name}: {error}"));
                rows.push(json!({"experiment": name, "reason": error.to_string()}));
                continue;
            }
            answers => answers?,
        };
        let (mut summary, mut really_free) = (Summary::default(), 0);
        for timed in &answers {
            summary.add(timed);
            if let (Some(truth), Ok(plan)) = (truth, &timed.answer) {
                really_free += usize::from(is_free_in(truth, &plan.waypoints, &stop)?);
            }
        }
        is_all_solved &= summary.solved == summary.asked;
        is_all_solved &= truth.is_none() || really_free == summary.solved;
        let (surfaces, _) = scene.robot_size();
        let objects = scene.world().len();
        let mut cells = vec![name.clone(), surfaces.to_string(), objects.to_string()];
        cells.extend([summary.solved.to_string(), summary.asked.to_string()]);
        cells.extend(summary.cells());
        cells.push(truth.as_ref().map_or_else(|| "–".to_owned(), |_| really_free.to_string()));
        table.row(cells);
        let mut row = summary.json();
        row["experiment"] = name.as_str().into();
        row["surfaces"] = surfaces.into();
        row["objects"] = objects.into();
        if truth.is_some() {
            row["free_in_the_real_scene"] = really_free.into();
        }
        rows.push(row);
    }
    drop(progress);
    let text = match arguments.json {
        true => format!("{}\n", json!({ "experiments": rows })),
        false => table.text(),
    };
    print(&text).map_err(PlanFailure::Output)?;
    Ok(if is_all_solved { ExitCode::SUCCESS } else { ExitCode::from(NO_PATH) })
}
