//! One plan, on its thread: the search, the trees as they grow, and the motion along the path.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use axum::extract::ws::Utf8Bytes;
use serde::Serialize;
use tokio::sync::watch;

use super::command::PlanRequest;
use super::error::ViewError;
use super::json::json;
use super::work::WorkState;
use smooth_scene_plan::{
    BlendedPath, EdgeProof, JointSpace, MotionChecker, MotionLimits, NearAtEnd, Plan, PlanOptions,
    SceneChecker, Stop, SurfaceName, TimedPath, blend_corners, plan_with, verify_blended,
};
use smooth_scene_robot::{LinkId, LinkPoses, RobotModel, StateError, Trajectory, TrajectoryPoint};
use smooth_scene_scene::{BodyId, PlanningScene, SceneError};

/// States that are checked before the search gives up: some minutes, in which somebody who watches can cancel it.
const MAX_STATES: u64 = 100_000_000;
/// Edges that are drawn; a browser can take them, and more would hide the robot.
const MAX_EDGES: usize = 2000;
/// Time between two messages about trees that grow.
const TELL: Duration = Duration::from_millis(100);
/// Acceleration of all joints, rad/s² or m/s²: robots are described without one.
const ACCELERATION: f64 = 1.0;
/// Largest distance of a curve from the corner that it replaces, rad or m.
const BLEND: f64 = 0.1;
/// Moments of the motion, a second, and at most.
const MOMENTS: (f64, f64) = (60.0, 4000.0);

/// A way of the shown link: where it begins and where it ends.
pub(super) type Segment = [f32; 6];

/// What the viewers are told about a plan.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "kind", rename = "plan")]
pub(super) struct PlanMessage {
    pub robot_number: u64,
    pub state: WorkState,
    /// The link whose way is shown.
    pub link: String,
    /// Since its beginning.
    pub seconds: f64,
    /// Edges of the search trees so far.
    pub edge_count: usize,
    /// The first of them, as ways of the link.
    pub edges: Vec<Segment>,
    /// The way of the link along the path.
    pub path: Vec<[f32; 3]>,
    /// Why there is no path.
    pub reason: Option<String>,
    pub report: Option<PlanReport>,
}

/// What came of a plan.
#[derive(Debug, Clone, Serialize)]
pub(super) struct PlanReport {
    waypoints: usize,
    /// In joint space.
    length: f64,
    /// How long the motion takes, s.
    duration: f64,
    /// Distance that is proven to be kept, m; none if nothing can meet.
    clearance: Option<f64>,
    /// Between which surfaces.
    nearest: Option<[String; 2]>,
    states: u64,
    proofs: u64,
    /// Time of the search and its proofs, s.
    seconds: f64,
}

/// A motion that was found.
pub(super) struct Planned {
    /// The robot it is for.
    pub robot: u64,
    pub movement: Trajectory,
    pub message: PlanMessage,
}

/// One plan.
pub(super) struct PlanJob {
    pub robot: u64,
    pub scene: PlanningScene,
    pub request: PlanRequest,
    pub link: LinkId,
    pub message: PlanMessage,
    pub out: watch::Sender<Utf8Bytes>,
}

impl PlanJob {
    pub fn run(self, cancel: &AtomicBool) -> Result<Planned, ViewError> {
        let (scene, model) = (&self.scene, self.scene.model());
        let (group, from, to) =
            (self.request.group.as_deref(), &self.request.from, &self.request.to);
        let mut options = PlanOptions { max_states: MAX_STATES, ..PlanOptions::default() };
        if let Some(seed) = self.request.seed {
            options.seed = seed;
        }
        let begin = Instant::now();
        let mut watched = Watched {
            checker: SceneChecker::keeping(scene, options.clearance, from, to)?,
            model,
            link: self.link,
            poses: LinkPoses::new(),
            message: self.message,
            out: &self.out,
            begin,
            told: begin,
        };
        let stop = || cancel.load(Ordering::Relaxed);
        let plan = plan_with(scene, group, from, to, &options, &mut watched, &stop)?;
        let space = JointSpace::new(scene, group, from)?;
        let path = blend_corners(&space, &plan, &[], BLEND, &mut watched, &stop)?;
        verify_blended(&[scene], &path, &plan.certificate)
            .expect("a path is returned with certificates that prove it");
        let seconds = begin.elapsed().as_secs_f64();
        let movement = movement(&space, &path)?;
        let mut message = watched.message;
        message.path = way(model, self.link, &movement)?;
        message.report = Some(report(&plan, &path, &movement, seconds));
        Ok(Planned { robot: self.robot, movement, message })
    }
}

fn report(plan: &Plan, path: &BlendedPath, movement: &Trajectory, seconds: f64) -> PlanReport {
    let certificate = &plan.certificate;
    let clearance = certificate.clearance().min(path.clearance());
    let curves = path.blends.iter().map(|blend| &blend.certificate);
    let tightest = certificate.segments.iter().chain(curves).filter_map(|motion| motion.tightest());
    let tightest = tightest.min_by(|a, b| a.clearance.total_cmp(&b.clearance));
    let nearest = tightest.map(|pair| {
        pair.surfaces.map(|surface| certificate.surfaces[surface as usize].body.clone())
    });
    PlanReport {
        waypoints: plan.waypoints.len(),
        length: plan.length,
        duration: movement.time_range()[1],
        clearance: clearance.is_finite().then_some(clearance),
        nearest,
        states: plan.statistics.states,
        proofs: plan.statistics.proofs,
        seconds,
    }
}

/// The motion along a path, at many moments.
fn movement(space: &JointSpace, path: &BlendedPath) -> Result<Trajectory, ViewError> {
    let limits = MotionLimits::of_space(space, ACCELERATION)?;
    let timed = TimedPath::blended(space, path, &limits)?;
    let duration = timed.duration();
    let (rate, most) = MOMENTS;
    let count = (duration * rate).ceil().clamp(1.0, most) as usize;
    let even = (0..=count).map(|k| duration * k as f64 / count as f64);
    // Where the acceleration changes are moments too, so that no corner is cut.
    let mut times: Vec<f64> = even.chain(timed.switches()).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    let point = |time: f64| TrajectoryPoint {
        time_from_start: time,
        positions: space.positions(&timed.at(time).positions),
    };
    let model = space.model();
    Ok(Trajectory {
        model: model.name().to_owned(),
        joint_names: model.variable_names().to_vec(),
        constant: Vec::new(),
        points: times.into_iter().map(point).collect(),
        steps: count,
    })
}

/// Where the link is along a motion.
fn way(
    model: &RobotModel,
    link: LinkId,
    movement: &Trajectory,
) -> Result<Vec<[f32; 3]>, StateError> {
    let mut poses = LinkPoses::new();
    let mut place = |point: &TrajectoryPoint| place_of(model, link, &point.positions, &mut poses);
    movement.points.iter().map(&mut place).collect()
}

fn place_of(
    model: &RobotModel,
    link: LinkId,
    positions: &[f64],
    poses: &mut LinkPoses,
) -> Result<[f32; 3], StateError> {
    poses.update(model, positions)?;
    let at = poses[link].translation.vector;
    Ok([at.x, at.y, at.z].map(|x| x as f32))
}

/// A checker that tells the viewers how the trees grow.
struct Watched<'a> {
    checker: SceneChecker<'a>,
    model: &'a RobotModel,
    link: LinkId,
    poses: LinkPoses,
    message: PlanMessage,
    out: &'a watch::Sender<Utf8Bytes>,
    begin: Instant,
    told: Instant,
}

impl MotionChecker for Watched<'_> {
    fn collision(&mut self, positions: &[f64]) -> Result<Option<(BodyId, BodyId)>, SceneError> {
        self.checker.collision(positions)
    }

    fn any_collision(&mut self, states: &[f64], width: usize) -> Result<bool, SceneError> {
        self.checker.any_collision(states, width)
    }

    fn near_ends(&self) -> &[NearAtEnd] {
        self.checker.near_ends()
    }

    fn surface_names(&self) -> Vec<SurfaceName> {
        self.checker.surface_names()
    }

    fn watches(&self) -> bool {
        true
    }

    fn grew(&mut self, from: &[f64], to: &[f64]) {
        self.message.edge_count += 1;
        if self.message.edges.len() < MAX_EDGES {
            let ends = [from, to].map(|state| {
                place_of(self.model, self.link, state, &mut self.poses)
                    .expect("the planner has checked these states")
            });
            let [[a, b, c], [d, e, f]] = ends;
            self.message.edges.push([a, b, c, d, e, f]);
        }
        if self.told.elapsed() >= TELL {
            self.told = Instant::now();
            self.message.seconds = self.begin.elapsed().as_secs_f64();
            self.out.send_replace(json(&self.message).into());
        }
    }

    fn prove(&mut self, from: &[f64], to: &[f64], stop: Stop) -> Result<EdgeProof, SceneError> {
        self.checker.prove(from, to, stop)
    }

    fn prove_blend(&mut self, states: [&[f64]; 3], stop: Stop) -> Result<EdgeProof, SceneError> {
        self.checker.prove_blend(states, stop)
    }
}
