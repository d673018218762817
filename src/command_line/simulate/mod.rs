//! `smooth_scene simulate`: a robot and the objects of its world under gravity, with contacts.

pub(crate) mod args;
mod energy_plot;
mod failure;
#[cfg(feature = "bags")]
mod record;
mod report;

use super::load_scene::LoadedScene;
use super::print::print;
use super::program::{INTERRUPTED, Program, STOPPED_EARLY, USAGE_OR_FILE_ERROR};
use super::progress::Progress;
#[cfg(feature = "bags")]
use super::scene_recording::SceneRecorder;
use super::{atomic_file, interrupt};
use crate::dynamics::{
    DynamicModel, JointSprings, MissingMass, Simulation, SimulationError, SystemBuilder,
};
use crate::robot::physics;
use crate::scene::PlanningScene;
use args::SimulateArguments;
use energy_plot::EnergyAt;
use failure::SimulateFailure;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Overlaps at the start above this share of the smaller surface are refused.
const DEEPEST_OVERLAP: f64 = 0.1;
/// Progress is shown after this time at the latest, however short the steps are.
const REPORT: Duration = Duration::from_millis(200);

/// Simulates, prints, and says how it ended.
pub(crate) fn run(program: Program, arguments: &SimulateArguments) -> ExitCode {
    match simulate(program, arguments) {
        Ok(code) => code,
        Err(failure) => program.failed(&failure, USAGE_OR_FILE_ERROR),
    }
}

/// What is simulated.
struct Prepared {
    scene: PlanningScene,
    simulation: Simulation,
    #[cfg(feature = "bags")]
    urdf: String,
}

fn prepare(program: Program, arguments: &SimulateArguments) -> Result<Prepared, SimulateFailure> {
    let LoadedScene { scene, document, notes } = arguments.scene.load()?;
    notes.iter().for_each(|note| program.note(note));
    let state = arguments.begin.state(&scene)?;
    let unknown = arguments.fixed.iter().find(|name| scene.world().by_name(name).is_none());
    if let Some(name) = unknown {
        return Err(SimulateFailure::NoSuchObject(name.clone()));
    }
    let missing = MissingMass::FromSurfaces(arguments.density);
    let mut dynamic = DynamicModel::new(scene.model().clone(), &physics(&document)?, missing)?;
    dynamic.gravity = arguments.gravity.into();
    let springs = JointSprings { hold_frequency: arguments.hold, ..JointSprings::default() };
    let mut builder = SystemBuilder::new(arguments.material())?
        .springs(springs)
        .gravity(arguments.gravity.into());
    builder.add_world(&scene, arguments.density, |name| {
        arguments.fixed.iter().any(|fixed| fixed == name)
    })?;
    builder.add_robot(&scene, dynamic, &state)?;
    let (system, state) = builder.build();
    if state.bodies.is_empty() && state.velocities.is_empty() {
        return Err(SimulateFailure::NothingMoves);
    }
    if let Some(overlap) = system.worst_overlap(&state)?
        && overlap.share() > DEEPEST_OVERLAP
        && !arguments.allow_overlaps
    {
        return Err(SimulateFailure::Overlap(overlap));
    }
    let integrator = arguments.integrator().ok_or(SimulateFailure::ToleranceOfRigid)?;
    let simulation = Simulation::new(system, state, integrator)?;
    Ok(Prepared {
        scene,
        simulation,
        #[cfg(feature = "bags")]
        urdf: document.text().to_owned(),
    })
}

fn simulate(program: Program, arguments: &SimulateArguments) -> Result<ExitCode, SimulateFailure> {
    // Fail before minutes of simulation rather than after.
    if let Some(path) = &arguments.plot {
        atomic_file::check(path, arguments.force)?;
    }
    #[cfg(not(feature = "bags"))]
    if arguments.record.is_some() {
        return Err(SimulateFailure::WithoutBags);
    }
    let mut prepared = prepare(program, arguments)?;
    let interrupted = interrupt::watch().map_err(SimulateFailure::Signals)?;
    let stop = || interrupted.load(Ordering::Relaxed);
    #[cfg(feature = "bags")]
    let mut recorder = match &arguments.record {
        Some(folder) => Some(SceneRecorder::new(folder, &prepared.urdf, &prepared.scene)?),
        None => None,
    };
    let simulation = &mut prepared.simulation;
    let frames = (arguments.seconds * arguments.rate).ceil().max(1.0);
    let mut progress = Progress::new(Some(frames as u64));
    let mut energies = Vec::new();
    let mut ended: Result<(), SimulationError> = Ok(());
    for frame in 0..=frames as u64 {
        let time = (frame as f64 / arguments.rate).min(arguments.seconds);
        ended = loop {
            let (now, steps) = (simulation.time(), simulation.steps());
            progress.update(frame, format_args!("{now:.6} s, {steps} steps"));
            let begin = Instant::now();
            let done = simulation.advance_to(time, &|| stop() || begin.elapsed() > REPORT);
            if done.is_err() || stop() || begin.elapsed() <= REPORT {
                break done;
            }
        };
        if ended.is_err() || stop() {
            break;
        }
        let (energy, stored) = simulation.energy()?;
        energies.push(EnergyAt { time, energy, stored });
        #[cfg(feature = "bags")]
        if let Some(recorder) = &mut recorder {
            record::add(recorder, simulation, prepared.scene.model())?;
        }
    }
    drop(progress);
    #[cfg(feature = "bags")]
    if let Some(recorder) = recorder {
        recorder.finish()?;
    }
    if let Some(path) = &arguments.plot {
        let name = prepared.scene.model().name();
        let text = energy_plot::svg(&format!("Energy of {name} and its world"), &energies);
        atomic_file::write(path, text.as_bytes(), arguments.force)?;
    }
    let model = prepared.scene.model();
    let text = match arguments.json {
        true => format!("{}\n", report::json(simulation, model, &energies)),
        false => report::text(simulation, model, &energies),
    };
    print(&text).map_err(SimulateFailure::Output)?;
    match ended {
        Err(error) => Ok(program.failed(&error, STOPPED_EARLY)),
        Ok(()) if stop() => {
            program.note(format_args!("interrupted at {} s", simulation.time()));
            Ok(ExitCode::from(INTERRUPTED))
        }
        Ok(()) => Ok(ExitCode::SUCCESS),
    }
}
