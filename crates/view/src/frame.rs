//! One state of the scene: where the links are, which pairs are near, and the query times. Verdict and near pairs are of
//! everything; each viewer's table lists the pairs of its filter.

use std::time::Instant;

use serde::Serialize;

use super::error::ViewError;
use super::filters::Filter;
use super::json::json;
use super::playback::Playback;
use smooth_scene_query::SolveStatus;
use smooth_scene_scene::{
    Between, CheckRequest, ContactPoint, NearestRequest, NoRobot, PairDistance, PairLevel,
    PlanningScene, Snapshot, Workspace,
};

/// Pairs in one frame, and points of one contact.
const MAX_PAIRS: usize = 300;
const MAX_POINTS: usize = 4;

/// What is queried in each state.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Question {
    /// The different filters of the viewers, and the bodies they name.
    pub tables: Vec<(Filter, Between)>,
    /// All pairs nearer than this, m.
    pub close_distance: f64,
    /// How many pairs a table lists.
    pub listed_pairs: usize,
}

/// Buffers that are reused between frames.
#[derive(Debug)]
pub(super) struct Asker {
    workspace: Workspace,
    near: Vec<PairDistance>,
    listed: Vec<PairDistance>,
    points: Vec<ContactPoint>,
}

/// One state, as it is sent.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename = "frame")]
pub(super) struct Frame<'a> {
    revision: u64,
    source: &'static str,
    playing: bool,
    time: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    notice: Option<&'a str>,
    positions: &'a [f64],
    /// Pose of every link: x y z, then the quaternion x y z w.
    links: Vec<[f32; 7]>,
    in_collision: bool,
    /// Pairs of the whole scene in contact.
    contacts: usize,
    /// Least signed distance of the whole scene, m; none when it has no pairs.
    least: Option<f64>,
    /// Pairs of the whole scene, nearest first: all close ones, or the nearest.
    pairs: Vec<PairData<'a>>,
    micros: Micros,
}

/// What one filter lists.
#[derive(Debug, Serialize)]
pub(super) struct Table<'a> {
    between: &'a Filter,
    /// Nearest first.
    pairs: Vec<PairData<'a>>,
    micros: f64,
}

impl Frame<'_> {
    /// The frame with a table, as text.
    pub fn text(&self, table: &Table<'_>) -> String {
        let mut text = json(self);
        assert_eq!(text.pop(), Some('}'), "a frame is an object");
        text + ",\"table\":" + &json(table) + "}"
    }
}

#[derive(Debug, Serialize)]
struct PairData<'a> {
    a: &'a str,
    b: &'a str,
    part_a: u32,
    part_b: u32,
    distance: f64,
    lower: f64,
    upper: f64,
    point_a: [f32; 3],
    point_b: [f32; 3],
    normal: [f32; 3],
    status: &'static str,
    contact: bool,
    of_hull: bool,
    /// Points of the contact.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    points: Vec<[f32; 3]>,
}

/// Query times, in µs of wall time on the thread of the view.
#[derive(Debug, Clone, Copy, Default, Serialize)]
struct Micros {
    in_collision: f64,
    close_pairs: f64,
    nearest_pair: f64,
}

impl Asker {
    pub fn new() -> Self {
        Self {
            workspace: Workspace::warm(),
            near: Vec::new(),
            listed: Vec::new(),
            points: Vec::new(),
        }
    }

    /// Queries the state of the playback: the frame, and the table of each filter in the order of the question.
    pub fn frame<'a>(
        &mut self,
        snapshot: &'a Snapshot,
        playback: &'a Playback,
        question: &'a Question,
    ) -> Result<(Frame<'a>, Vec<Table<'a>>), ViewError> {
        let scene = &snapshot.scene;
        let positions = playback.state().ok_or(NoRobot)?.positions();
        let everything = CheckRequest::default();
        let close = NearestRequest {
            check: everything.clone(),
            max_distance: question.close_distance,
            max_results: usize::MAX,
            level: PairLevel::Bodies,
        };
        let nearest =
            NearestRequest { max_distance: f64::INFINITY, max_results: 1, ..close.clone() };
        let mut micros = Micros::default();
        let (workspace, near, found) = (&mut self.workspace, &mut self.near, &mut self.listed);
        let in_collision = timed(&mut micros.in_collision, || {
            scene.in_collision(positions, &everything, workspace)
        })?;
        timed(&mut micros.nearest_pair, || scene.nearest(positions, &nearest, workspace, found))?;
        timed(&mut micros.close_pairs, || scene.nearest(positions, &close, workspace, near))?;
        // Both questions find the nearest pair, but their last digits may differ: the least distance is that of the list.
        let all = if near.is_empty() { &*found } else { &*near };
        let least = all.first().map(|pair| pair.distance.distance);
        let contacts = near.iter().filter(|pair| pair.is_contact()).count();
        let pairs = pairs(scene, workspace, all, &mut self.points);
        let mut tables = Vec::with_capacity(question.tables.len());
        for (between, bodies) in &question.tables {
            let check = CheckRequest { between: bodies.clone(), ..everything.clone() };
            let max_results = question.listed_pairs;
            let listed = NearestRequest { check, max_results, ..nearest.clone() };
            let mut micros = 0.0;
            timed(&mut micros, || scene.nearest(positions, &listed, workspace, found))?;
            let pairs = pairs_of_table(scene, workspace, found, near, &listed, &mut self.points);
            tables.push(Table { between, pairs, micros });
        }
        let frame = Frame {
            revision: snapshot.revision,
            source: playback.source.name(),
            playing: playback.playing,
            time: playback.time(),
            notice: playback.notice.as_deref(),
            positions,
            links: link_poses(workspace),
            in_collision,
            contacts,
            least,
            pairs,
            micros,
        };
        Ok((frame, tables))
    }
}

/// The nearest pairs of a filter, or all of its close ones when those are more.
fn pairs_of_table<'a>(
    scene: &'a PlanningScene,
    workspace: &Workspace,
    found: &[PairDistance],
    near: &[PairDistance],
    listed: &NearestRequest,
    points: &mut Vec<ContactPoint>,
) -> Vec<PairData<'a>> {
    let between = &listed.check.between;
    let close: Vec<PairDistance> =
        near.iter().filter(|pair| between.includes(pair.body_a, pair.body_b)).copied().collect();
    let all = if close.len() > found.len() { &close } else { found };
    pairs(scene, workspace, all, points)
}

fn pairs<'a>(
    scene: &'a PlanningScene,
    workspace: &Workspace,
    all: &[PairDistance],
    points: &mut Vec<ContactPoint>,
) -> Vec<PairData<'a>> {
    all.iter().take(MAX_PAIRS).map(|found| pair(scene, workspace, found, points)).collect()
}

fn timed<T>(micros: &mut f64, ask: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let answer = ask();
    *micros = start.elapsed().as_secs_f64() * 1e6;
    answer
}

fn link_poses(workspace: &Workspace) -> Vec<[f32; 7]> {
    let one = |pose: &smooth_scene_geometry::math::Pose| {
        let (shift, turn) = (pose.translation.vector, pose.rotation.coords);
        [shift.x, shift.y, shift.z, turn.x, turn.y, turn.z, turn.w].map(|x| x as f32)
    };
    workspace.link_poses().as_slice().iter().map(one).collect()
}

fn pair<'a>(
    scene: &'a PlanningScene,
    workspace: &Workspace,
    found: &PairDistance,
    points: &mut Vec<ContactPoint>,
) -> PairData<'a> {
    let answer = &found.distance;
    let single = |v: &smooth_scene_geometry::math::Vec3| [v.x as f32, v.y as f32, v.z as f32];
    points.clear();
    if found.is_contact() {
        scene.contact_points(workspace, found, MAX_POINTS, points);
    }
    PairData {
        a: scene.body_name(found.body_a),
        b: scene.body_name(found.body_b),
        part_a: found.part_a,
        part_b: found.part_b,
        distance: answer.distance,
        lower: answer.lower,
        upper: answer.upper,
        point_a: single(&answer.witness_a_w),
        point_b: single(&answer.witness_b_w),
        normal: single(&answer.normal_ab_w),
        status: match answer.status {
            SolveStatus::Certified => "certified",
            SolveStatus::DepthUnproven => "depth_unproven",
            SolveStatus::BudgetExhausted => "budget_exhausted",
        },
        contact: found.is_contact(),
        of_hull: answer.of_hull,
        points: points.iter().map(|point| single(&point.point_w)).collect(),
    }
}
