//! Plans a motion that is proven free, on a thread of its own, one at a time, and until it is cancelled.

use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use tokio::sync::watch;

use super::command::PlanRequest;
use super::error::ViewError;
use super::json::json;
use super::plan_job::{PlanJob, PlanMessage, Planned};
use super::work::{Work, WorkState};
use smooth_scene_plan::PlanError;
use smooth_scene_robot::{LinkId, RobotModel, RobotState};
use smooth_scene_scene::Snapshot;

struct Running {
    message: PlanMessage,
    work: Work<Planned>,
}

/// Starts plans and tells the viewers about them.
pub(super) struct Planner {
    out: watch::Sender<Utf8Bytes>,
    running: Option<Running>,
}

impl Planner {
    pub fn new(out: watch::Sender<Utf8Bytes>) -> Self {
        Self { out, running: None }
    }

    /// Starts a plan.
    pub fn start(&mut self, snapshot: &Snapshot, request: &PlanRequest) -> Result<(), ViewError> {
        if self.running.is_some() {
            return Err(ViewError::IsRunning("plan"));
        }
        let scene = &snapshot.scene;
        for positions in [&request.from, &request.to] {
            RobotState::at(Arc::clone(scene.model()), positions.clone())?;
        }
        let link = shown_link(scene.model(), request.link.as_deref())?;
        let message = PlanMessage {
            robot_number: snapshot.robot,
            state: WorkState::Running,
            link: scene.model().link(link).name.clone(),
            seconds: 0.0,
            edge_count: 0,
            edges: Vec::new(),
            path: Vec::new(),
            reason: None,
            report: None,
        };
        let job = PlanJob {
            robot: snapshot.robot,
            scene: scene.clone(),
            request: request.clone(),
            link,
            message: message.clone(),
            out: self.out.clone(),
        };
        // Before the thread says anything.
        self.out.send_replace(json(&message).into());
        let work = Work::start("plan", move |cancel| job.run(cancel))?;
        self.running = Some(Running { message, work });
        Ok(())
    }

    /// Cancels the running plan.
    pub fn cancel(&self) -> Result<(), ViewError> {
        let running = self.running.as_ref().ok_or(ViewError::NothingTo("cancel"))?;
        running.work.cancel();
        Ok(())
    }

    /// The viewers forget the last plan.
    pub fn forget(&self) {
        self.out.send_replace(FORGOTTEN.into());
    }

    /// The motion of a plan that has ended since the last call, to be used by `apply`. The viewers are told what came of it.
    pub fn take(&mut self, apply: impl FnOnce(&Planned) -> Result<(), ViewError>) {
        let Some(outcome) = self.running.as_ref().and_then(|running| running.work.outcome()) else {
            return;
        };
        let applied = outcome.and_then(|planned| apply(&planned).map(|()| planned));
        let Some(Running { mut message, work }) = self.running.take() else { return };
        match applied {
            Ok(planned) => {
                message = planned.message;
                message.state = WorkState::Done;
            }
            Err(ViewError::Plan(PlanError::Cancelled)) => message.state = WorkState::Cancelled,
            Err(error) => {
                message.state = WorkState::Failed;
                message.reason = Some(error.to_string());
            }
        }
        message.seconds = work.begin.elapsed().as_secs_f64();
        self.out.send_replace(json(&message).into());
    }
}

/// What the viewers are told when a plan is removed.
const FORGOTTEN: &str = r#"{"kind":"plan","state":"none"}"#;

/// The link of this name, or the one with the most joints between it and the root.
fn shown_link(model: &RobotModel, name: Option<&str>) -> Result<LinkId, ViewError> {
    if let Some(name) = name {
        let unknown = || ViewError::Unknown { kind: "link", name: name.to_owned() };
        return model.link_id(name).ok_or_else(unknown);
    }
    let depth = |link: &LinkId| model.joints_up_to(*link, model.root()).len();
    Ok(model.link_ids().max_by_key(depth).expect("a robot has its root"))
}
