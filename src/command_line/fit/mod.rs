//! `smooth_scene fit`: surfaces that provably contain the meshes of a robot.

pub(super) mod args;
mod choice;
mod cloud;
mod cloud_args;
mod contacts;
mod failure;
mod input;
mod output;
mod report;

use super::atomic_file::{self, WriteFailure};
use super::interrupt;
use super::program::Program;
use super::progress::Progress;
use crate::fit::{self, FitOptions, LinkFit, Models};
use crate::robot::file_ending;
use args::{FitArguments, Mode};
use choice::{Outcome, Run, hulls, mobility};
use contacts::HullContacts;
pub(crate) use failure::FitFailure;
use report::{Report, picture_name};
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

/// Fits, proves, writes and reports.
pub(crate) fn run(program: Program, arguments: &FitArguments) -> Result<(), FitFailure> {
    // Fail before minutes of work rather than after.
    atomic_file::check(&arguments.output, arguments.force)?;
    let is_cloud = cloud::is_cloud(&arguments.input)?;
    match (is_cloud, arguments.mode) {
        (true, Some(Mode::Enclosing)) => return Err(FitFailure::EnclosingCloud),
        (false, Some(Mode::Closest)) => return Err(FitFailure::ClosestMesh),
        (true, _) => return cloud::run(program, arguments),
        (false, _) => {}
    }
    if let Some(option) = arguments.cloud.first_given() {
        return Err(FitFailure::OnlyForClouds { option });
    }
    let begin = Instant::now();
    let input = input::read(arguments)?;
    let (path, ending) = (&arguments.output, file_ending(&arguments.output));
    let is_urdf = ending == "urdf";
    let with_urdf = input.urdf.is_some();
    let is_known = matches!(ending.as_str(), "yaml" | "yml") || (is_urdf && with_urdf);
    if !is_known {
        return Err(FitFailure::OutputKind { path: path.clone(), ending, with_urdf });
    }
    let cancel = interrupt::watch().map_err(FitFailure::Signals)?;
    let options = fit_options(arguments);
    let bar = Bar::new();
    let tell = |done: usize, steps: usize| bar.tell(done, steps);
    let models = Models::search(&input.meshes.links, &options, &tell, &cancel)
        .map_err(FitFailure::from_fit)?;
    let hulls = hulls(&input, arguments)?;
    let mobility = mobility(&input, hulls.as_ref(), arguments.seed)?;
    let wanted = arguments.report.is_some() || !arguments.let_touch;
    let sample = |hulls| HullContacts::sample(hulls, arguments.seed, &cancel);
    let contacts = hulls.as_ref().filter(|_| wanted).map(sample).transpose()?;
    let robot = hulls.as_deref();
    let run = Run { input: &input, arguments, models: &models, robot, contacts, mobility, is_urdf };
    let best = run.best(&tell, &cancel)?;
    let Outcome { fits, text, added } = best;
    let mut report = Report::new(&fits, begin.elapsed().as_secs_f64());
    report.added_contacts = added;
    if cancel.load(std::sync::atomic::Ordering::Relaxed) {
        return Err(FitFailure::Interrupted);
    }
    if let Some(folder) = &arguments.report {
        write_report(folder, &report, &fits, arguments)?;
    }
    save(path, text.as_bytes(), arguments.force)?;
    print(&report, arguments)?;
    for fit in &fits {
        if let Some(reason) = &fit.hull {
            program.note(format!("{} keeps the hull of its mesh: {reason}", fit.name));
        }
    }
    if report.added_contacts.as_ref().is_some_and(|added| !added.is_empty()) {
        program.note("some pairs of links touch because of the surfaces only: see the report");
    }
    Ok(())
}

fn fit_options(arguments: &FitArguments) -> FitOptions {
    let defaults = FitOptions::default();
    FitOptions {
        surfaces: arguments
            .surfaces
            .map(|count| usize::try_from(count).expect("at most 4096, see the option")),
        tolerance: arguments.tolerance,
        kinds: match arguments.kinds.as_slice() {
            [] => defaults.kinds,
            kinds => {
                let mut kinds = kinds.to_vec();
                kinds.sort_unstable();
                kinds.dedup();
                kinds
            }
        },
        seed: arguments.seed,
    }
}

/// The progress bar, with the time that is left.
struct Bar {
    progress: Mutex<Progress>,
    begin: Instant,
}

impl Bar {
    fn new() -> Self {
        // The number of steps is known from the first call on; a thousandth is shown.
        Self { progress: Mutex::new(Progress::new(Some(1000))), begin: Instant::now() }
    }

    fn tell(&self, done: usize, steps: usize) {
        let seconds = self.begin.elapsed().as_secs_f64();
        let left = seconds / done as f64 * (steps - done) as f64;
        let mut bar = self.progress.lock().expect("drawing a bar does not panic");
        bar.update((1000 * done / steps) as u64, format_args!("about {left:.0} s left"));
    }
}

fn save(path: &Path, bytes: &[u8], replace: bool) -> Result<(), FitFailure> {
    Ok(atomic_file::write(path, bytes, replace)?)
}

fn make_folder(folder: &Path) -> Result<(), FitFailure> {
    Ok(std::fs::create_dir_all(folder).map_err(|error| WriteFailure::new(folder, error))?)
}

fn write_report(
    folder: &Path,
    report: &Report,
    fits: &[LinkFit],
    arguments: &FitArguments,
) -> Result<(), FitFailure> {
    make_folder(folder)?;
    let title = arguments.input.file_name().expect("a file that was read has a name");
    let title = title.to_string_lossy();
    save(&folder.join("report.md"), report.markdown(&title).as_bytes(), true)?;
    save(&folder.join("report.json"), json(report).as_bytes(), true)?;
    for fit in fits {
        let picture = fit::picture(&fit.triangles, &fit.surfaces);
        save(&folder.join(picture_name(&fit.name)), picture.as_bytes(), true)?;
    }
    Ok(())
}

fn json(report: &Report) -> String {
    serde_json::to_string_pretty(report).expect("a report holds only numbers and names") + "\n"
}

fn print(report: &Report, arguments: &FitArguments) -> Result<(), FitFailure> {
    print_text(&if arguments.json { json(report) } else { report.table().text() })
}

fn print_text(text: &str) -> Result<(), FitFailure> {
    super::print::print(text).map_err(FitFailure::Output)
}
