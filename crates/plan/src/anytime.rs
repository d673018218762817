//! Ever shorter paths, until the budget is spent or the caller asks to stop.
//!
//! RRT-Connect finds a first path. Then a roadmap with lazy proofs grows in the region that can hold a shorter one: points
//! whose distances from start and goal add up to less than the best length so far [Gammell 2014]. Whenever the roadmap has a
//! shorter way, it is proven, shortened, and becomes the best. Neighbours are those of the k-nearest RRG, so the length
//! converges to the least there is with probability one [Karaman 2011]; where that is, is not known.

use crate::checker::{MotionChecker, SceneChecker};
use crate::edge_proof::Stop;
use crate::error::PlanError;
use crate::options::PlanOptions;
use crate::planner::{Plan, ProvenPath, check_ends, finished, search, shorten_then_prove};
use crate::probe::Probe;
use crate::roadmap::{BATCH, Graph};
use crate::simplify::length;
use crate::space::JointSpace;
use smooth_scene_robot::StateSampler;
use smooth_scene_scene::PlanningScene;

/// A path has to be shorter by this share to count as better.
const BETTER: f64 = 1e-6;

/// Plans from one state to another, calls `improved` with every better path, and returns the best one when the budget of
/// states is spent, when `stop` says so, or when no shorter path can be found. Each of these paths is proven.
///
/// Stopped before the first path: [`PlanError::Cancelled`].
pub fn plan_anytime(
    scene: &PlanningScene,
    group: Option<&str>,
    start: &[f64],
    goal: &[f64],
    options: &PlanOptions,
    improved: &mut dyn FnMut(&Plan),
    stop: Stop,
) -> Result<Plan, PlanError> {
    options.check()?;
    let mut checker = SceneChecker::keeping(scene, options.clearance, start, goal)?;
    plan_anytime_with(scene, group, [start, goal], options, &mut checker, improved, stop)
}

/// As [`plan_anytime`] from the first of two states to the second, with a checker of the caller's; the clearance is the
/// checker's, not that of the options.
pub fn plan_anytime_with(
    scene: &PlanningScene,
    group: Option<&str>,
    [start, goal]: [&[f64]; 2],
    options: &PlanOptions,
    checker: &mut dyn MotionChecker,
    improved: &mut dyn FnMut(&Plan),
    stop: Stop,
) -> Result<Plan, PlanError> {
    options.check()?;
    let space = JointSpace::new(scene, group, start)?;
    check_ends(scene, &space, start, goal, checker)?;
    let mut probe = Probe::new(&space, options, checker, stop)?;
    probe.check_constraints(start, goal)?;
    let (start, goal) = (space.point(start), space.point(goal));
    let first = search(&mut probe, &start, &goal)?;
    let mut best = finished(&probe, first);
    improved(&best);
    let mut graph = Graph::new(StateSampler::new(space.model(), options.seed));
    let [from, to] = [&start, &goal].map(|point| graph.node(&probe, point));
    let direct = space.distance(&start, &goal);
    while best.length > direct * (1.0 + BETTER) {
        match better(&mut probe, &mut graph, [from, to], best.length) {
            Ok(Step::Better(path)) => {
                best = finished(&probe, path);
                improved(&best);
            }
            Ok(Step::Same) => {}
            Ok(Step::Exhausted) => break,
            // The best path so far is the answer.
            Err(PlanError::Cancelled | PlanError::NoConnection { .. }) => break,
            Err(error) => return Err(error),
        }
    }
    Ok(Plan { statistics: probe.statistics, ..best })
}

/// What one round found.
enum Step {
    Better(ProvenPath),
    Same,
    /// The region that can hold a shorter path is too small to draw points from.
    Exhausted,
}

/// Adds points where they can help, and looks for a shorter way.
fn better(
    probe: &mut Probe,
    graph: &mut Graph,
    ends: [u32; 2],
    best: f64,
) -> Result<Step, PlanError> {
    let space = probe.space;
    let [start, goal] = ends.map(|node| graph.point(node).to_vec());
    let can_help =
        |point: &[f64]| space.distance(&start, point) + space.distance(point, &goal) < best;
    let is_too_small = graph.grow(probe, &can_help)? < BATCH;
    let limit = best * (1.0 - BETTER);
    let Some(way) = graph.proven_way(probe, ends[0], ends[1], limit)? else {
        return Ok(if is_too_small { Step::Exhausted } else { Step::Same });
    };
    probe.remember(way.segments.iter().cloned());
    let shorter = shorten_then_prove(probe, graph.sampler(), &way.points)?;
    Ok(Step::Better(match shorter {
        Some(shorter) if length(space, &shorter.0) < length(space, &way.points) => shorter,
        _ => (way.points, way.segments),
    }))
}
