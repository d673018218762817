//! The least distance over a whole movement, computed on a thread of its own when the scene changes.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use serde::Serialize;
use tokio::sync::watch;

use super::channels::ByFilter;
use super::error::ViewError;
use super::filters::Filter;
use super::json::json;
use smooth_scene_geometry::Aabb;
use smooth_scene_robot::{LinkPoses, RobotModel, Trajectory};
use smooth_scene_scene::{Between, CheckRequest, NearestRequest, Snapshot, Workspace};

/// Least and greatest number of samples; otherwise as many as the movement has steps.
const SAMPLES: [usize; 2] = [400, 4000];
/// Samples that are used for the box around the movement.
const BOXES: usize = 40;

/// What the curve is of.
pub(super) struct Job {
    pub snapshot: Arc<Snapshot>,
    pub movement: Arc<Trajectory>,
    /// The different filters of the viewers, and the bodies they name.
    pub tables: Vec<(Filter, Between)>,
}

/// The curve as it is sent.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename = "curve")]
struct Curve {
    revision: u64,
    times: Vec<f32>,
    /// Least signed distance of the whole scene, m; `None` where there is no pair.
    distances: Vec<Option<f32>>,
    /// Least and greatest corner of a box around the robot's surfaces in all moments; none when there are none.
    extent: Option<[[f32; 3]; 2]>,
    /// The same of the pairs that a table lists; none for a table of everything.
    table: Option<ListedCurve>,
}

/// Least distances of the pairs that a table lists.
#[derive(Debug, Clone, Serialize)]
struct ListedCurve {
    between: Filter,
    distances: Vec<Option<f32>>,
}

/// Starts the thread. It ends after its current job when the sender of jobs is dropped.
pub(super) fn start(out: watch::Sender<ByFilter>) -> Result<Sender<Job>, ViewError> {
    let (sender, jobs) = channel();
    let thread = std::thread::Builder::new().name("view curve".into());
    thread.spawn(move || work(&jobs, &out)).map_err(ViewError::Thread)?;
    Ok(sender)
}

fn work(jobs: &Receiver<Job>, out: &watch::Sender<ByFilter>) {
    while let Ok(first) = jobs.recv() {
        // A drag produces many jobs: only the last one counts.
        let job = jobs.try_iter().last().unwrap_or(first);
        match curves(&job) {
            Ok(curves) => {
                out.send_replace(curves);
            }
            Err(error) => tracing::warn!("no curve of the movement: {error}"),
        }
    }
}

fn curves(job: &Job) -> Result<ByFilter, ViewError> {
    let scene = &job.snapshot.scene;
    let [start, end] = job.movement.time_range();
    let (mut times, mut extent) = (Vec::new(), None);
    let (mut workspace, mut found) = (Workspace::warm(), Vec::new());
    let request = |between: &Between| {
        let check = CheckRequest { between: between.clone(), ..CheckRequest::default() };
        NearestRequest { check, max_results: 1, ..NearestRequest::default() }
    };
    let everything = request(&Between::default());
    let mut distances = Vec::new();
    let narrow = job.tables.iter().filter(|(filter, _)| filter.iter().any(|side| !side.is_empty()));
    let mut listed: Vec<(NearestRequest, ListedCurve)> = narrow
        .map(|(filter, between)| {
            let curve = ListedCurve { between: filter.clone(), distances: Vec::new() };
            (request(between), curve)
        })
        .collect();
    let samples = job.movement.steps.clamp(SAMPLES[0], SAMPLES[1]);
    for sample in 0..=samples {
        let time = start + (end - start) * sample as f64 / samples as f64;
        let state = job.movement.state_at(scene.model(), time)?;
        let mut least = |request: &NearestRequest, workspace: &mut Workspace| {
            scene.nearest(state.positions(), request, workspace, &mut found)?;
            Ok::<_, ViewError>(found.first().map(|nearest| nearest.distance.distance as f32))
        };
        distances.push(least(&everything, &mut workspace)?);
        for (request, curve) in &mut listed {
            curve.distances.push(least(request, &mut workspace)?);
        }
        if sample % (samples / BOXES) == 0 {
            extent = grown(extent, scene.model(), workspace.link_poses());
        }
        times.push(time as f32);
    }
    let corners = |aabb: Aabb| [aabb.min, aabb.max].map(|v| [v.x as f32, v.y as f32, v.z as f32]);
    let extent = extent.map(corners);
    let mut curve =
        Curve { revision: job.snapshot.revision, times, distances, extent, table: None };
    let texts = job.tables.iter().map(|(filter, _)| {
        let own = listed.iter().find(|(_, listed)| listed.between == *filter);
        curve.table = own.map(|(_, listed)| listed.clone());
        (filter.clone(), json(&curve).into())
    });
    Ok(Arc::new(texts.collect()))
}

/// The box with the surfaces of the robot in one state.
fn grown(mut extent: Option<Aabb>, model: &RobotModel, poses: &LinkPoses) -> Option<Aabb> {
    for id in model.link_ids() {
        for collision in &model.link(id).collisions {
            let aabb = collision.shape.aabb(&(poses[id] * collision.pose_in_link));
            extent = Some(extent.map_or(aabb, |extent| extent.merged(&aabb)));
        }
    }
    extent
}
