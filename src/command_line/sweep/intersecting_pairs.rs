//! States of a movement → the pairs of surfaces that intersect in them.

use super::failure::Failure;
use super::measure::Stopped;
use super::pair::{Pair, truth_options};
use super::robots::Robot;
use crate::geometry::ConvexSurface;
use crate::math::Pose;
use crate::query::{PairQuery, QueryOptions};
use crate::robot::{LinkId, LinkPoses, LinkSurface, RobotState};
use nalgebra::Point3;
use rayon::prelude::*;

/// One surface of a link.
type Surface = (LinkId, usize);

/// Whether a pair of links is measured. Bundled hands: every finger of the right hand with every finger of the left, as
/// in the thesis. Other robots: all pairs that may not touch.
pub(crate) fn is_measured(robot: &Robot, a: &str, b: &str) -> bool {
    if !robot.bundled {
        return !robot.scene.acm().decide(a, b).allowed;
    }
    let is_finger = |name: &str| !name.ends_with("_palm");
    a.starts_with("r_") && b.starts_with("l_") && is_finger(a) && is_finger(b)
}

/// The pairs of surfaces that are measured.
fn candidates(robot: &Robot) -> Vec<(Surface, Surface)> {
    let model = robot.model();
    let surfaces: Vec<Surface> = model
        .link_ids()
        .flat_map(|id| (0..model.link(id).collisions.len()).map(move |k| (id, k)))
        .collect();
    let name = |s: &Surface| model.link(s.0).name.as_str();
    let mut pairs = Vec::new();
    for (at, a) in surfaces.iter().enumerate() {
        for b in &surfaces[at + 1..] {
            if a.0 != b.0 && is_measured(robot, name(a), name(b)) {
                pairs.push((*a, *b));
            }
        }
    }
    pairs
}

/// All intersecting pairs of all states, with their certified answers. A pair one step earlier gives the warm start.
/// States after an interrupt are left out.
pub(crate) fn intersecting_pairs(
    robot: &Robot,
    states: &[RobotState],
    stopped: Stopped,
) -> Result<Vec<Pair>, Failure> {
    pairs(robot, states, &truth_options(), stopped)
}

/// The same with the answers of a plain query, for counting instructions, where proofs would take too long.
pub(crate) fn uncertified_pairs(
    robot: &Robot,
    states: &[RobotState],
    stopped: Stopped,
) -> Result<Vec<Pair>, Failure> {
    pairs(robot, states, &QueryOptions::default(), stopped)
}

fn pairs(
    robot: &Robot,
    states: &[RobotState],
    truth: &QueryOptions,
    stopped: Stopped,
) -> Result<Vec<Pair>, Failure> {
    let model = robot.model();
    let candidates = candidates(robot);
    let poses: Vec<LinkPoses> = states
        .iter()
        .map(|state| state.link_poses().map_err(|e| Failure::State(e.to_string())))
        .collect::<Result<_, _>>()?;
    let surface = |(link, k): Surface| -> &LinkSurface { &model.link(link).collisions[k] };
    let posed = |s: Surface, step: usize| poses[step][s.0] * surface(s).pose_in_link;
    let name = |(link, k): Surface| {
        let link = model.link(link);
        if link.collisions.len() > 1 { format!("{}#{k}", link.name) } else { link.name.clone() }
    };
    let of_step = |step: usize| -> Vec<Pair> {
        let mut found = Vec::new();
        for &(a, b) in &candidates {
            if stopped() {
                break;
            }
            let (pose_a, pose_b) = (posed(a, step), posed(b, step));
            let bodies = [(surface(a), &pose_a), (surface(b), &pose_b)];
            if !overlap(bodies) {
                continue;
            }
            let mut pair = Pair::judged_by(
                format!("{step}/{}/{}", name(a), name(b)),
                (surface(a).shape.clone(), pose_a),
                (surface(b).shape.clone(), pose_b),
                truth,
            );
            if step > 0 {
                pair.ask_before([posed(a, step - 1), posed(b, step - 1)]);
            }
            found.push(pair);
        }
        found
    };
    let steps: Vec<Vec<Pair>> = (0..states.len()).into_par_iter().map(of_step).collect();
    Ok(steps.into_iter().flatten().collect())
}

fn overlap([(a, pose_a), (b, pose_b)]: [(&LinkSurface, &Pose); 2]) -> bool {
    let ball = |collision: &LinkSurface, pose: &Pose| {
        let ball = collision.shape.bounding_sphere();
        (pose * Point3::from(ball.center), ball.radius)
    };
    let ((center_a, radius_a), (center_b, radius_b)) = (ball(a, pose_a), ball(b, pose_b));
    if (center_a - center_b).norm() > radius_a + radius_b {
        return false;
    }
    PairQuery::new(&a.shape, pose_a, &b.shape, pose_b).collides().is_contact()
}
