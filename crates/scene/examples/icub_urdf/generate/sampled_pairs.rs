//! Which links of one hand need not be checked against each other, found as MoveIt's setup assistant does: by looking.
//!
//! The answer is one for all representations, so that they share an SRDF. Pairs of a right and a left link are never
//! left out.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::Arc;

use nalgebra::Point3;
use smooth_scene_geometry::ConvexSurface;
use smooth_scene_geometry::math::Vec3;
use smooth_scene_query::{PairQuery, Within};
use smooth_scene_robot::{Coupling, LinkId, LinkPoses, RobotModel, RobotState, StateSampler};

use super::model::robot_model;
use super::source::Source;
use super::{Carrier, Fingers, Representation, Variant};

/// Random states of a representation. Superovoids with two different tapers are never quite convex and their queries slow;
/// they are fitted to the same meshes as the others, so fewer states are enough to notice a difference.
fn state_count(representation: Representation) -> usize {
    match representation {
        Representation::Superellipsoid | Representation::Mixed => 2000,
        Representation::Superovoid => 100,
    }
}

/// Links that never come nearer than this are left out, in metres.
const NEVER_NEARER: f64 = 0.005;

/// Names of two links, without their side, and why they are not checked, as MoveIt calls it. The hands are mirror images:
/// what was seen of one holds for both.
pub type Reasons = BTreeMap<Names, &'static str>;

type Names = (String, String);

/// What was seen of a pair.
#[derive(Default, Clone)]
struct Seen {
    adjacent: bool,
    overlapping_when_open: bool,
    /// Nearer than [`NEVER_NEARER`].
    near: bool,
    /// Overlapping in every state of some representation.
    always: bool,
}

/// All pairs that need no check, with the reason.
pub fn find(source: &Source) -> Result<Reasons, Box<dyn Error>> {
    let mut seen: BTreeMap<Names, Seen> = BTreeMap::new();
    for representation in Representation::ALL {
        let fingers = Fingers::Independent;
        let variant = Variant { carrier: Carrier::SixJoints, representation, fingers };
        look(robot_model(source, variant)?, state_count(representation), &mut seen)?;
    }
    let reason = |seen: &Seen| match seen {
        Seen { adjacent: true, .. } => Some("Adjacent"),
        Seen { overlapping_when_open: true, .. } => Some("Default"),
        Seen { always: true, .. } => Some("Always"),
        Seen { near: false, .. } => Some("Never"),
        _ => None,
    };
    Ok(seen.into_iter().filter_map(|(pair, seen)| Some((pair, reason(&seen)?))).collect())
}

/// Looks at one representation: the open hand, then random states.
fn look(
    model: RobotModel,
    states: usize,
    all: &mut BTreeMap<Names, Seen>,
) -> Result<(), Box<dyn Error>> {
    let model = Arc::new(model);
    let mut poses = RobotState::new(model.clone()).link_poses()?;
    let mut open_pairs = Vec::new();
    for (a, b) in pairs_within_hands(&model) {
        let seen = all.entry(names(&model, a, b)).or_default();
        seen.adjacent |= surface_above(&model, b) == Some(a) || surface_above(&model, a) == Some(b);
        seen.overlapping_when_open |= !is_apart(&model, &poses, a, b, 0.0);
        // The others are decided; and they are the ones that overlap in most states, which is slow to look at.
        if !seen.adjacent && !seen.overlapping_when_open {
            // Seen near in another representation: once is enough.
            open_pairs.push((a, b, Sampled { near: seen.near, apart: false }));
        }
    }
    let mut sampler = StateSampler::new(&model, 1);
    for _ in 0..states {
        let inside = sampler.draw();
        for positions in [stretched(&model, &inside), inside] {
            poses.update(&model, &positions)?;
            for (a, b, sampled) in &mut open_pairs {
                sampled.near = sampled.near || !is_apart(&model, &poses, *a, *b, NEVER_NEARER);
                sampled.apart = sampled.apart || is_apart(&model, &poses, *a, *b, 0.0);
            }
        }
    }
    for (a, b, sampled) in open_pairs {
        let seen = all.entry(names(&model, a, b)).or_default();
        seen.near |= sampled.near;
        seen.always |= !sampled.apart;
    }
    Ok(())
}

/// The state twice as far from the middle of the limits, cut off there: half the joints are then at a limit, and many links
/// come nearest when several are.
pub fn stretched(model: &RobotModel, positions: &[f64]) -> Vec<f64> {
    let mut stretched = positions.to_vec();
    for joint in model.joints() {
        if let (Coupling::Independent { position, .. }, true) =
            (joint.coupling, joint.kind.is_single())
        {
            let (lower, upper) = (joint.limits.lower, joint.limits.upper);
            let twice = 2.0 * positions[position] - 0.5 * (lower + upper);
            stretched[position] = twice.clamp(lower, upper);
        }
    }
    stretched
}

/// What random states of one representation showed of a pair.
struct Sampled {
    near: bool,
    apart: bool,
}

fn names(model: &RobotModel, a: LinkId, b: LinkId) -> Names {
    let [a, b] = [a, b].map(|id| model.link(id).name[2..].to_string());
    (a, b)
}

/// Pairs of links with surfaces on the same hand.
fn pairs_within_hands(model: &RobotModel) -> Vec<(LinkId, LinkId)> {
    let with_surface: Vec<LinkId> =
        model.link_ids().filter(|&id| !model.link(id).collisions.is_empty()).collect();
    let side = |id: LinkId| &model.link(id).name[..2];
    let mut pairs = Vec::new();
    for (place, &a) in with_surface.iter().enumerate() {
        let others = with_surface[place + 1..].iter();
        pairs.extend(others.filter(|&&b| side(a) == side(b)).map(|&b| (a, b)));
    }
    pairs
}

/// The nearest link above with a surface.
fn surface_above(model: &RobotModel, link: LinkId) -> Option<LinkId> {
    let mut above = model.parent_link(link)?;
    while model.link(above).collisions.is_empty() {
        above = model.parent_link(above)?;
    }
    Some(above)
}

/// Whether two links, each with one surface, are farther apart than `margin`.
fn is_apart(model: &RobotModel, poses: &LinkPoses, a: LinkId, b: LinkId, margin: f64) -> bool {
    let [(a, pose_a), (b, pose_b)] = [a, b].map(|id| {
        let surface = &model.link(id).collisions[0];
        (&surface.shape, poses[id] * surface.pose_in_link)
    });
    let centers: [Vec3; 2] = [(a, &pose_a), (b, &pose_b)]
        .map(|(shape, pose)| (pose * Point3::from(shape.bounding_sphere().center)).coords);
    let reach = a.bounding_sphere().radius + b.bounding_sphere().radius + margin;
    if (centers[0] - centers[1]).norm() > reach {
        return true;
    }
    let found = PairQuery::new(a, &pose_a, b, &pose_b).within(margin);
    matches!(found, Within::Farther { .. })
}
