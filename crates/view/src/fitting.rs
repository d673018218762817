//! Fits surfaces to the meshes of links: on threads of its own, one fit at a time, with progress, and until it is cancelled.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use axum::extract::ws::Utf8Bytes;
use serde::Serialize;
use tokio::sync::watch;

use super::command::FitRequest;
use super::cover::{Covers, Proof};
use super::error::ViewError;
use super::fit_report::FitReport;
use super::json::json;
use super::meshes::{LinkBodies, MeshReader};
use super::work::{Work, WorkState};
use smooth_scene_fit::{FitError, FitOptions, FittedSurface, LinkFit, LinkMeshes, fit_links};
use smooth_scene_robot::{GeometrySource, LinkSurface};
use smooth_scene_scene::Snapshot;

/// Most surfaces that may be asked for.
const MAX_SURFACES: usize = 4096;

/// What the viewers are told about a fit.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "kind", rename = "fit")]
struct FitMessage {
    robot_number: u64,
    state: WorkState,
    /// The link; none for the whole robot.
    link: Option<String>,
    /// Steps that are done, of how many; both zero before the meshes are read.
    done: usize,
    steps: usize,
    /// Since its beginning.
    seconds: f64,
    /// Why there are no surfaces.
    reason: Option<String>,
    report: Option<FitReport>,
}

/// The surfaces that were found.
pub(super) struct Fitted {
    /// The robot they are for.
    pub robot: u64,
    /// All surfaces of each link, and the proof that they contain its mesh.
    pub links: Vec<(String, Proof)>,
    report: FitReport,
}

struct Running {
    message: FitMessage,
    work: Work<Fitted>,
}

/// Starts fits and tells the viewers about them.
pub(super) struct Fitter {
    meshes: Option<Arc<MeshReader>>,
    /// Where the proofs go.
    covers: Arc<Covers>,
    out: watch::Sender<Utf8Bytes>,
    running: Option<Running>,
}

impl Fitter {
    pub fn new(
        meshes: Option<Arc<MeshReader>>,
        covers: Arc<Covers>,
        out: watch::Sender<Utf8Bytes>,
    ) -> Self {
        Self { meshes, covers, out, running: None }
    }

    /// Starts a fit.
    pub fn start(&mut self, snapshot: &Snapshot, request: &FitRequest) -> Result<(), ViewError> {
        let meshes = Arc::clone(self.meshes.as_ref().ok_or(ViewError::NoGeometry)?);
        if self.running.is_some() {
            return Err(ViewError::IsRunning("fit"));
        }
        let model = snapshot.scene.model();
        let links: Vec<String> = match &request.link {
            Some(link) => {
                let unknown = || ViewError::Unknown { kind: "link", name: link.clone() };
                model.link_id(link).ok_or_else(unknown)?;
                vec![link.clone()]
            }
            None => model.links().iter().map(|link| link.name.clone()).collect(),
        };
        if let Some(count) = request.surfaces.filter(|count| !(1..=MAX_SURFACES).contains(count)) {
            let (what, range) = ("number of surfaces".into(), format!("1 to {MAX_SURFACES}"));
            return Err(ViewError::BadValue { what, value: count as f64, range });
        }
        let message = FitMessage {
            robot_number: snapshot.robot,
            state: WorkState::Running,
            link: request.link.clone(),
            done: 0,
            steps: 0,
            seconds: 0.0,
            reason: None,
            report: None,
        };
        let job = Job {
            robot: snapshot.robot,
            meshes,
            links,
            request: request.clone(),
            begin: Instant::now(),
            message: message.clone(),
            out: self.out.clone(),
        };
        // Before the thread says anything.
        self.out.send_replace(json(&message).into());
        let work = Work::start("fit", move |cancel| job.run(cancel))?;
        self.running = Some(Running { message, work });
        Ok(())
    }

    /// Cancels the running fit.
    pub fn cancel(&self) -> Result<(), ViewError> {
        let running = self.running.as_ref().ok_or(ViewError::NothingTo("cancel"))?;
        running.work.cancel();
        Ok(())
    }

    /// The surfaces of a fit that has ended since the last call, to be used by `apply`. The viewers are told what came of it.
    pub fn take(&mut self, apply: impl FnOnce(&Fitted) -> Result<(), ViewError>) {
        let Some(outcome) = self.running.as_ref().and_then(|running| running.work.outcome()) else {
            return;
        };
        let applied = outcome.and_then(|fitted| apply(&fitted).map(|()| fitted));
        let Some(Running { mut message, work }) = self.running.take() else { return };
        message.seconds = work.begin.elapsed().as_secs_f64();
        match applied {
            Ok(fitted) => {
                message.state = WorkState::Done;
                message.report = Some(fitted.report);
                for (link, proof) in fitted.links {
                    self.covers.remember(link, proof);
                }
            }
            Err(ViewError::Fit(FitError::Cancelled)) => message.state = WorkState::Cancelled,
            Err(error) => {
                message.state = WorkState::Failed;
                message.reason = Some(error.to_string());
            }
        }
        self.out.send_replace(json(&message).into());
    }
}

/// One fit, on its thread.
struct Job {
    robot: u64,
    meshes: Arc<MeshReader>,
    links: Vec<String>,
    request: FitRequest,
    begin: Instant,
    message: FitMessage,
    out: watch::Sender<Utf8Bytes>,
}

impl Job {
    fn run(&self, cancel: &AtomicBool) -> Result<Fitted, ViewError> {
        let source = GeometrySource::from(self.request.from);
        let is_robot = self.request.link.is_none();
        let (mut bodies, mut skipped) = (Vec::new(), Vec::new());
        for link in &self.links {
            if cancel.load(Ordering::Relaxed) {
                return Err(FitError::Cancelled.into());
            }
            match self.meshes.bodies(self.robot, link, source) {
                Ok(found) => bodies.push(found),
                // Of a whole robot, links without a mesh stay as they are, and those with a bad one are reported.
                Err(ViewError::NoMesh { .. }) if is_robot => {}
                Err(error) if is_robot => skipped.push((link.clone(), error.to_string())),
                Err(error) => return Err(error),
            }
        }
        let fits = loop {
            if bodies.is_empty() {
                return Err(ViewError::NoMeshes { element: source.element(), skipped });
            }
            match self.fit(&bodies, cancel) {
                Err(error @ (FitError::NoTriangles { .. } | FitError::BadCorner { .. }))
                    if is_robot =>
                {
                    let (FitError::NoTriangles { name } | FitError::BadCorner { name, .. }) =
                        &error
                    else {
                        unreachable!("these two errors alone come here");
                    };
                    bodies.retain(|body| body.meshes.name != *name);
                    skipped.push((name.clone(), error.to_string()));
                }
                fitted => break fitted?,
            }
        };
        let report = FitReport::new(&fits, skipped, self.begin.elapsed().as_secs_f64());
        let links = fits.into_iter().zip(&bodies).map(|(fit, bodies)| surfaces(fit, bodies));
        Ok(Fitted { robot: self.robot, links: links.collect(), report })
    }

    fn fit(
        &self,
        bodies: &[Arc<LinkBodies>],
        cancel: &AtomicBool,
    ) -> Result<Vec<LinkFit>, FitError> {
        let meshes: Vec<LinkMeshes> = bodies.iter().map(|body| body.meshes.clone()).collect();
        let options = FitOptions {
            surfaces: self.request.surfaces,
            tolerance: self.request.tolerance,
            ..FitOptions::default()
        };
        let tell = |done: usize, steps: usize| {
            let seconds = self.begin.elapsed().as_secs_f64();
            let message = FitMessage { done, steps, seconds, ..self.message.clone() };
            self.out.send_replace(json(&message).into());
        };
        // One core is left to the view and to queries.
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = cores.saturating_sub(1).max(1);
        let named = |k| format!("view fit {k}");
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).thread_name(named).build();
        let pool = pool.expect("a thread was started a moment ago");
        pool.install(|| fit_links(&meshes, &options, &tell, cancel))
    }
}

/// All surfaces of a link after its fit: the fitted ones, then what its description has beside the meshes.
fn surfaces(fit: LinkFit, bodies: &LinkBodies) -> (String, Proof) {
    let named = |(k, surface): (usize, &FittedSurface)| LinkSurface {
        name: Some(format!("{}_fit_{k}", fit.name)),
        pose_in_link: surface.pose(),
        shape: surface.shape.clone(),
    };
    let fitted = fit.surfaces.iter().enumerate().map(named);
    let surfaces = fitted.chain(bodies.shapes.iter().cloned()).collect();
    (fit.name.clone(), Proof { surfaces, certificate: fit.certificate.clone() })
}
