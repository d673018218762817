//! `smooth_scene fit cloud.ply --world out.yaml`: the table and the objects of a point cloud as a world file.

mod report;
mod robot;

use super::args::FitArguments;
use super::failure::FitFailure;
use super::{make_folder, print_text, save};
use crate::command_line::interrupt;
use crate::command_line::program::Program;
use crate::command_line::progress::Progress;
use crate::fit::FittedSurface;
use crate::fit::cloud::{CloudLimits, FoundScene, PointCloud, SceneOptions, find_objects};
use crate::math::{Pose, Vec3};
use crate::robot::file_ending;
use crate::scene::{ObjectPlace, SceneObject, WorldFile, WorldObject};
use report::{CloudReport, name_of, picture_of};
use robot::PlacedRobot;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::Ordering;

/// Whether a file is a cloud.
pub(super) fn is_cloud(path: &Path) -> Result<bool, FitFailure> {
    PointCloud::is_cloud_file(path, CloudLimits::default()).map_err(FitFailure::Cloud)
}

/// Reads, fits, writes and reports.
pub(super) fn run(program: Program, arguments: &FitArguments) -> Result<(), FitFailure> {
    let (path, ending) = (&arguments.output, file_ending(&arguments.output));
    if !matches!(ending.as_str(), "yaml" | "yml") {
        return Err(FitFailure::OutputKind { path: path.clone(), ending, with_urdf: false });
    }
    if let Some(option) = first_of_meshes(arguments) {
        return Err(FitFailure::NotForClouds { option });
    }
    let cloud = PointCloud::load(&arguments.input, CloudLimits::default());
    let cloud = cloud.map_err(FitFailure::Cloud)?;
    if cloud.points().is_empty() {
        let (path, skipped) = (arguments.input.clone(), cloud.skipped());
        return Err(FitFailure::EmptyCloud { path, skipped });
    }
    let cancel = interrupt::watch().map_err(FitFailure::Signals)?;
    let of_cloud = &arguments.cloud;
    let load = |urdf| PlacedRobot::load(urdf, of_cloud, &arguments.package_paths);
    let robot = of_cloud.robot.as_deref().map(load).transpose()?;
    robot.iter().flat_map(|robot| &robot.notes).for_each(|note| program.note(note));
    let surfaces = robot.as_ref().map_or_else(Vec::new, PlacedRobot::surfaces);
    let points = match (&robot, &of_cloud.frame) {
        (Some(robot), Some(link)) => moved(cloud.points(), &robot.pose(link)?),
        (_, None) | (None, _) => cloud.points().to_vec(),
    };
    let progress = Mutex::new(Progress::new(Some(1000)));
    let tell = |done: usize, all: usize| {
        let mut bar = progress.lock().expect("drawing a bar does not panic");
        bar.update((1000 * done / all) as u64, format_args!("{done} of {all} objects"));
    };
    let is_cancelled = || cancel.load(Ordering::Relaxed);
    let found = find_objects(&points, &surfaces, &options(arguments), &tell, &is_cancelled);
    let found = found.map_err(FitFailure::from_cloud)?;
    let world = WorldFile::of_objects(objects(&found)?);
    let text = world.to_yaml().map_err(|error| FitFailure::World(Box::new(error)))?;
    let report = CloudReport { cloud: &cloud, found: &found };
    if let Some(folder) = &arguments.report {
        make_folder(folder)?;
        save(&folder.join("report.json"), report.json().as_bytes(), true)?;
        save(&folder.join("cloud.svg"), picture_of(&points, &found).as_bytes(), true)?;
    }
    save(path, text.as_bytes(), arguments.force)?;
    print_text(&if arguments.json { report.json() } else { report.text() })?;
    if found.table.is_none() && found.objects.is_empty() {
        program.note("the world is empty: all points are within the margin of the robot");
    }
    Ok(())
}

/// The first option that was given and does not apply to clouds.
fn first_of_meshes(arguments: &FitArguments) -> Option<&'static str> {
    let given = [
        ("--surfaces", arguments.surfaces.is_some()),
        ("--tolerance", arguments.tolerance.is_some()),
        ("--links", !arguments.links.is_empty()),
        ("--let-touch", arguments.let_touch),
    ];
    given.into_iter().find_map(|(name, is_given)| is_given.then_some(name))
}

fn options(arguments: &FitArguments) -> SceneOptions {
    let mut options = arguments.cloud.scene_options();
    options.closest.seed = arguments.seed;
    if !arguments.kinds.is_empty() {
        options.closest.kinds = arguments.kinds.clone();
    }
    options
}

fn moved(points: &[Vec3], pose: &Pose) -> Vec<Vec3> {
    points.iter().map(|point| pose.rotation * point + pose.translation.vector).collect()
}

/// The objects of the world: `table`, then `object_0` and so on.
fn objects(found: &FoundScene) -> Result<Vec<WorldObject>, FitFailure> {
    let table = found.table.as_ref();
    let table = table.map(|table| ("table".to_owned(), Pose::identity(), table.shape.clone()));
    let place = |(index, surface): (usize, &FittedSurface)| {
        (name_of(index), surface.pose(), surface.shape.clone())
    };
    let others = found.objects.iter().map(|object| &object.surface).enumerate().map(place);
    let world_object = |(name, pose, shape): (String, Pose, _)| {
        let object = SceneObject::simple(&name, pose, shape).map_err(FitFailure::Scene)?;
        Ok(WorldObject { object, place: ObjectPlace::World { frame: String::new() } })
    };
    table.into_iter().chain(others).map(world_object).collect()
}
