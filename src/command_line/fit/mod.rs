//! `smooth_scene fit`: surfaces that provably contain the meshes of a robot.

pub(super) mod args;
mod cloud;
mod contacts;
mod failure;
mod input;
mod report;

use super::program::Program;
use super::progress::Progress;
use super::{atomic_file, interrupt};
use crate::fit::{self, FitOptions, FittedSurface, LinkFit, Models, sidecar_text};
use crate::robot::{DocumentEdit, LinkSurface, LoadedRobot, Sidecar, parse_urdf};
use args::FitArguments;
use contacts::HullContacts;
pub(crate) use failure::FitFailure;
use input::{Input, ending, load_options};
use report::{AddedContact, Report, picture_name};
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// How often the budget is spent anew for links that touch too often.
const MAX_TRADES: usize = 2;
/// Weight of such links.
const HEAVY: f64 = 4.0;

/// Fits, proves, writes and reports.
pub(crate) fn run(program: Program, arguments: &FitArguments) -> Result<(), FitFailure> {
    // Fail before minutes of work rather than after.
    if !arguments.force && arguments.output.exists() {
        return Err(FitFailure::Exists(arguments.output.clone()));
    }
    if cloud::is_cloud(&arguments.input)? {
        return cloud::run(program, arguments);
    }
    if let Some(option) = arguments.cloud.first_given() {
        return Err(FitFailure::OnlyForClouds { option });
    }
    let begin = Instant::now();
    let input = input::read(arguments)?;
    let (path, ending) = (&arguments.output, ending(&arguments.output));
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
    let hulls = if arguments.report.is_some() || arguments.keep_apart {
        HullContacts::sample(&input, arguments, &cancel)?
    } else {
        None
    };
    let run = Run { input: &input, arguments, models: &models, hulls: hulls.as_ref(), is_urdf };
    let mut best = run.outcome(&|_| 1.0, &tell, &cancel)?;
    // What surfaces add should not make links collide: those of frequent pairs count more, while that helps.
    let mut heavy: BTreeSet<String> = BTreeSet::new();
    let trades = if arguments.keep_apart { MAX_TRADES } else { 0 };
    for _ in 0..trades {
        let before = heavy.len();
        heavy.extend(best.frequent_links());
        if heavy.len() == before {
            break;
        }
        let weight = |link: &str| if heavy.contains(link) { HEAVY } else { 1.0 };
        let next = run.outcome(&weight, &tell, &cancel)?;
        if next.added_states() < best.added_states() {
            best = next;
        }
    }
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

/// What a run has found so far.
struct Run<'r> {
    input: &'r Input,
    arguments: &'r FitArguments,
    models: &'r Models<'r>,
    hulls: Option<&'r HullContacts>,
    is_urdf: bool,
}

/// One way to spend the surfaces.
struct Outcome {
    fits: Vec<LinkFit>,
    text: String,
    /// Pairs that touch because of the surfaces only; `None` when no states were sampled.
    added: Option<Vec<AddedContact>>,
}

impl Run<'_> {
    /// Fits with these weights, proves what a reader of the file gets, and samples states.
    fn outcome(
        &self,
        weight: &dyn Fn(&str) -> f64,
        tell: &(dyn Fn(usize, usize) + Sync),
        cancel: &AtomicBool,
    ) -> Result<Outcome, FitFailure> {
        let fits = self.models.choose(weight, tell, cancel).map_err(FitFailure::from_fit)?;
        let only_hull = fits.iter().find_map(|fit| fit.hull.clone());
        if let (None, Some(reason)) = (&self.input.urdf, only_hull) {
            return Err(FitFailure::OnlyHull { path: self.arguments.input.clone(), reason });
        }
        let all = self.input.meshes.surfaces(&fits);
        let (text, robot) = output_text(self.input, self.arguments, self.is_urdf, &all)?;
        if let Some(robot) = &robot {
            fit::check_robot(&robot.model, &fits)?;
        }
        let added = match (self.hulls, robot) {
            (Some(hulls), Some(robot)) => Some(hulls.added(&Arc::new(robot.model), cancel)?),
            _ => None,
        };
        Ok(Outcome { fits, text, added })
    }
}

impl Outcome {
    fn pairs(&self) -> impl Iterator<Item = &AddedContact> {
        self.added.iter().flatten()
    }

    fn added_states(&self) -> usize {
        self.pairs().map(AddedContact::added).sum()
    }

    /// Links of pairs that touch often because of the surfaces only.
    fn frequent_links(&self) -> impl Iterator<Item = String> {
        self.pairs().filter(|pair| pair.is_frequent()).flat_map(|pair| pair.links.clone())
    }
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

/// The text that is written, and with a URDF as input the robot that a reader makes of it.
fn output_text(
    input: &Input,
    arguments: &FitArguments,
    is_urdf: bool,
    all: &[(String, Vec<FittedSurface>)],
) -> Result<(String, Option<LoadedRobot>), FitFailure> {
    let version = env!("CARGO_PKG_VERSION");
    let name = arguments.input.file_name().map(|name| name.to_string_lossy().into_owned());
    let name = name.expect("a file that was read has a name");
    let comment = format!(
        "Surfaces that contain the meshes of {name}, every triangle proven.\n\
         smooth_scene {version}, fit --seed {}",
        arguments.seed
    );
    let links = all.iter().map(|(link, surfaces)| (link.as_str(), surfaces.as_slice()));
    let sidecar = sidecar_text(&comment, links);
    let Some(urdf) = &input.urdf else { return Ok((sidecar, None)) };
    let label = arguments.input.display().to_string();
    if !is_urdf {
        let mut options = load_options(arguments);
        let label_of_sidecar = arguments.output.display().to_string();
        options.sidecar = Some(Sidecar::Text { label: label_of_sidecar, text: sidecar.clone() });
        let robot = parse_urdf(urdf, &label, &options)?;
        return Ok((sidecar, Some(robot)));
    }
    let options = load_options(arguments);
    let document = parse_urdf(urdf, &label, &options)?.document;
    let edits: Vec<DocumentEdit> = all
        .iter()
        .map(|(link, surfaces)| DocumentEdit::Collisions {
            link: link.clone(),
            collisions: surfaces.iter().enumerate().map(|(k, s)| collision(link, k, s)).collect(),
        })
        .collect();
    let text = document.write(&edits)?;
    let robot = parse_urdf(&text, &arguments.output.display().to_string(), &options)?;
    Ok((text, Some(robot)))
}

fn collision(link: &str, number: usize, surface: &FittedSurface) -> LinkSurface {
    LinkSurface {
        name: Some(format!("{link}_fit_{number}")),
        pose_in_link: surface.pose(),
        shape: surface.shape.clone(),
    }
}

fn save(path: &Path, bytes: &[u8], replace: bool) -> Result<(), FitFailure> {
    atomic_file::write(path, bytes, replace).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => FitFailure::Exists(path.to_owned()),
        _ => FitFailure::Output { path: path.to_owned(), error },
    })
}

fn make_folder(folder: &Path) -> Result<(), FitFailure> {
    std::fs::create_dir_all(folder)
        .map_err(|error| FitFailure::Output { path: folder.to_owned(), error })
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
    let mut output = io::stdout().lock();
    let written = output.write_all(text.as_bytes()).and_then(|()| output.flush());
    written.map_err(|error| FitFailure::Output { path: "standard output".into(), error })
}
