//! From a start and a goal to a proven path.

use crate::certificate::{PathCertificate, SegmentCertificate};
use crate::checker::{MotionChecker, Phase, SceneChecker};
use crate::clearance::NearAtEnd;
use crate::edge_proof::{EdgeProof, Stop};
use crate::error::{Endpoint, PlanError};
use crate::options::PlanOptions;
use crate::probe::Probe;
use crate::rrt_connect::{RawPath, RrtConnect};
use crate::simplify::{length, simplify};
use crate::space::JointSpace;
use crate::statistics::PlanStatistics;
use smooth_scene_robot::StateSampler;
use smooth_scene_scene::{PlanningScene, SceneError};

/// How often a path is shortened by sampled states, each time in another way, before only proven edges are used for it.
/// A try costs some five proofs, the other way some thirty (20 Panda problems of MotionBenchMaker).
const QUICK_TRIES: u32 = 3;

/// A path that is proven free from start to goal.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Positions of the whole robot; straight in joint space from one to the next. Angles without limits do not wrap:
    /// from one waypoint to the next they change by less than half a turn.
    pub waypoints: Vec<Vec<f64>>,
    /// Length in the distance of [`JointSpace`].
    pub length: f64,
    /// The proof; [`verify`](crate::verify()) checks it again.
    pub certificate: PathCertificate,
    /// Bodies that are so close at the start or the goal that less than [`PlanOptions::clearance`] is kept between them.
    pub near_ends: Vec<NearAtEnd>,
    /// What it took.
    pub statistics: PlanStatistics,
}

/// Plans from one state to another with RRT-Connect. Positions are those of the whole robot. `stop` is asked some
/// thousand times a second; when it says yes, the answer is [`PlanError::Cancelled`].
pub fn plan(
    scene: &PlanningScene,
    group: Option<&str>,
    start: &[f64],
    goal: &[f64],
    options: &PlanOptions,
    stop: Stop,
) -> Result<Plan, PlanError> {
    options.check()?;
    let mut checker = SceneChecker::keeping(scene, options.clearance, start, goal)?;
    plan_with(scene, group, start, goal, options, &mut checker, stop)
}

/// As [`plan`], with a checker of the caller's; the clearance is the checker's, not that of the options.
pub fn plan_with(
    scene: &PlanningScene,
    group: Option<&str>,
    start: &[f64],
    goal: &[f64],
    options: &PlanOptions,
    checker: &mut dyn MotionChecker,
    stop: Stop,
) -> Result<Plan, PlanError> {
    options.check()?;
    let space = JointSpace::new(scene, group, start)?;
    check_ends(scene, &space, start, goal, checker)?;
    let mut probe = Probe::new(&space, options, checker, stop)?;
    probe.check_constraints(start, goal)?;
    let (start, goal) = (space.point(start), space.point(goal));
    let found = search(&mut probe, &start, &goal)?;
    Ok(finished(&probe, found))
}

/// Refuses a start or goal out of limits, in collision, or different where the planner may not change anything.
pub(crate) fn check_ends(
    scene: &PlanningScene,
    space: &JointSpace,
    start: &[f64],
    goal: &[f64],
    checker: &mut dyn MotionChecker,
) -> Result<(), PlanError> {
    for positions in [start, goal] {
        // Refuses positions that are none.
        smooth_scene_robot::forward_kinematics(scene.model(), positions)
            .map_err(SceneError::from)?;
    }
    check_fixed(space, start, goal)?;
    // Both at once is quicker; which bodies touch is asked only where some do.
    let may_touch = checker.any_collision(&[start, goal].concat(), start.len())?;
    for (which, positions) in [(Endpoint::Start, start), (Endpoint::Goal, goal)] {
        space.check_limits(which, positions)?;
        if may_touch && let Some((a, b)) = checker.collision(positions)? {
            let [body_a, body_b] = [a, b].map(|body| scene.body_name(body).to_owned());
            return Err(PlanError::InCollision { which, body_a, body_b });
        }
    }
    Ok(())
}

/// Refuses positions that differ in a number that the planner may not change.
pub(crate) fn check_fixed(
    space: &JointSpace,
    start: &[f64],
    goal: &[f64],
) -> Result<(), PlanError> {
    if let Some(place) = space.difference_outside(start, goal) {
        let name = space.model().variable_names()[place].clone();
        let (start, goal) = (start[place], goal[place]);
        return Err(PlanError::FixedNumberDiffers { name, start, goal });
    }
    Ok(())
}

/// Points of the space, and the certificate of each edge.
pub(crate) type ProvenPath = (Vec<Vec<f64>>, Vec<SegmentCertificate>);

/// The answer for a proven path.
pub(crate) fn finished(probe: &Probe, (path, segments): ProvenPath) -> Plan {
    let (space, checker) = (probe.space, probe.checker());
    Plan {
        waypoints: path.iter().map(|point| space.positions(point)).collect(),
        length: length(space, &path),
        certificate: PathCertificate { surfaces: checker.surface_names(), segments },
        near_ends: checker.near_ends().to_vec(),
        statistics: probe.statistics,
    }
}

/// Searches from a start to a goal that were checked.
pub(crate) fn search(
    probe: &mut Probe,
    start: &[f64],
    goal: &[f64],
) -> Result<ProvenPath, PlanError> {
    if start == goal {
        let path = vec![start.to_vec(), goal.to_vec()];
        if let Ok(proven) = prove_all(probe, &path)? {
            return Ok(proven);
        }
    } else if probe.looks_free(start, goal)? {
        let path = probe.space.unwrapped(&[start.to_vec(), goal.to_vec()]);
        if let Ok(proven) = prove_all(probe, &path)? {
            return Ok(proven);
        }
    }
    let mut trees = RrtConnect::new(probe, start, goal);
    loop {
        probe.enter(Phase::Searching);
        let raw = trees.next_path(probe)?;
        let points = probe.space.unwrapped(&raw.points);
        probe.enter(Phase::Shortening { length: length(probe.space, &points) });
        for _ in 0..QUICK_TRIES {
            if let Some(proven) = shorten_then_prove(probe, trees.sampler(), &points)? {
                return Ok(proven);
            }
        }
        if let Some(proven) = prove_then_shorten(probe, &mut trees, &raw, points)? {
            return Ok(proven);
        }
    }
}

/// Shortens by sampled states and proves the result: the quick way, which may fail.
pub(crate) fn shorten_then_prove(
    probe: &mut Probe,
    sampler: &mut StateSampler,
    points: &[Vec<f64>],
) -> Result<Option<ProvenPath>, PlanError> {
    let mut path = points.to_vec();
    let (space, options) = (probe.space, probe.options);
    let mut accept = |a: &[f64], b: &[f64]| Ok(space.is_direct(a, b) && probe.looks_free(a, b)?);
    simplify(space, &mut path, options, sampler, &mut accept)?;
    Ok(prove_all(probe, &path)?.ok())
}

/// Proves the edges of the trees, and takes only proven edges into the shorter path. Cuts the edge that cannot be proven.
fn prove_then_shorten(
    probe: &mut Probe,
    trees: &mut RrtConnect,
    raw: &RawPath,
    points: Vec<Vec<f64>>,
) -> Result<Option<ProvenPath>, PlanError> {
    match prove_all(probe, &points)? {
        Ok((_, segments)) => probe.remember(segments),
        Err(edge) => {
            trees.cut(raw.edges[edge]);
            return Ok(None);
        }
    }
    let mut path = points;
    let (space, options) = (probe.space, probe.options);
    let mut accept = |a: &[f64], b: &[f64]| {
        if !(space.is_direct(a, b) && probe.looks_free(a, b)?) {
            return Ok(false);
        }
        Ok(match probe.prove(a, b)? {
            EdgeProof::Proven(certificate) => {
                probe.remember([certificate]);
                true
            }
            EdgeProof::Refuted | EdgeProof::Cancelled => false,
        })
    };
    simplify(space, &mut path, options, trees.sampler(), &mut accept)?;
    match prove_all(probe, &path)? {
        Ok(proven) => Ok(Some(proven)),
        // Parts of proven edges that touch to within rounding: what is proven as a whole may not be in part.
        Err(_) => {
            let proven = prove_all(probe, &probe.space.unwrapped(&raw.points))?;
            Ok(proven.ok())
        }
    }
}

/// The certificates of all edges, or the first edge that cannot be proven; then those before it are remembered.
fn prove_all(probe: &mut Probe, path: &[Vec<f64>]) -> Result<Result<ProvenPath, usize>, PlanError> {
    let mut segments = Vec::new();
    for (edge, ends) in path.windows(2).enumerate() {
        match probe.prove(&ends[0], &ends[1])? {
            EdgeProof::Proven(certificate) => segments.push(certificate),
            EdgeProof::Refuted | EdgeProof::Cancelled => {
                probe.remember(segments);
                return Ok(Err(edge));
            }
        }
    }
    Ok(Ok((path.to_vec(), segments)))
}
