//! A scene, prepared for blocks of states: balls of the robot's surfaces, parts of the world, and for each pair that may
//! not touch the distances that decide about it.

use super::kinematics::{Chain, ERROR_PER_JOINT};
use super::lane_ball::LaneBall;
use super::lane_hull::LaneHull;
use super::lane_pose::{FixedPose, rounded_vector};
use super::part::Part;
use crate::balls::{Ball, Balls};
use crate::planning_scene::PlanningScene;
use nalgebra::Point3;
use smooth_scene_geometry::math::Vec3;
use smooth_scene_query::{PairMargins, SuperquadricX8};
use smooth_scene_robot::JointId;

/// The most pairs with the world that are worth going through one by one.
const MAX_WORLD_PAIRS: usize = 20_000;
/// Objects that a surface cannot reach by this share of its reach are left out: far above rounding.
const OUT_OF_REACH: f64 = 1e-6;
/// Rounding of squared distances and of what they are compared with, relative: a dozen units of single precision.
const SQUARE_ROUNDING: f32 = 2e-6;

/// The balls of one surface of the robot, by their places in the list of all: first the one around the whole, then those that
/// contain it. Centres are in the frame that carries the link.
pub(super) struct Surface {
    pub frame: usize,
    pub bounding: usize,
    pub around: std::ops::Range<usize>,
    /// Half the axis of a capsule that contains it, in the frame that carries the link, its middle and its radius.
    pub axis: [f32; 3],
    /// Square of its length, and one over it; zero for a ball.
    pub axis_square: f32,
    pub inverse_square: f32,
    pub middle: [f32; 3],
    pub radius: f32,
    /// Largest error of a centre or a radius, m.
    error: f64,
    /// Largest error of its rotation, and how far it reaches from the origin of its shape, m.
    turn_error: f64,
    own: f64,
    /// A ball that it never leaves, in whatever state, world frame.
    workspace: Ball,
    /// Where the shape is in the frame that carries the link.
    pub pose: FixedPose,
    /// The shape, if it is a superquadric.
    pub solid: Option<SuperquadricX8>,
    /// The shape, if it is a convex mesh that is not large.
    pub hull: Option<LaneHull>,
}

/// Two surfaces of the robot that may not touch.
pub(super) struct RobotPair {
    pub a: u32,
    pub b: u32,
    pub growth: [f64; 2],
    pub reach: Reach,
    pub is_of_polyhedra: bool,
    /// The joints from each up to the last link above both.
    pub chains: [Vec<JointId>; 2],
    /// For a pair of superquadrics.
    pub margins: Option<PairMargins>,
}

impl RobotPair {
    /// How many joints are between the two links.
    pub fn joints(&self) -> usize {
        self.chains.iter().map(Vec::len).sum()
    }
}

/// A surface of the robot and a part of an object of the world that may not touch.
pub(super) struct WorldPair {
    pub surface: u32,
    pub part: u32,
    pub growth: [f64; 2],
    pub reach: Reach,
}

/// What is added to radii: growth, and rounding in the direction that decides nothing.
#[derive(Clone, Copy)]
pub(super) struct Reach {
    apart: f32,
    touching: f32,
}

impl Reach {
    fn new(growth: f64, error: f64) -> Self {
        // The casts round by less than the error, which is a multiple of single precision and of the sizes.
        Self { apart: (growth + error) as f32, touching: (growth - error) as f32 }
    }

    /// Balls with these radii whose centres are farther apart than the root of this cannot touch.
    #[inline(always)]
    pub fn apart_beyond(&self, radii: f32) -> f32 {
        let sum = radii + self.apart;
        sum * sum * (1.0 + SQUARE_ROUNDING)
    }

    /// Capsules with these radii whose axes are farther apart than this cannot touch.
    #[inline(always)]
    pub fn gap_beyond(&self, radii: f32) -> f32 {
        (radii + self.apart) * (1.0 + SQUARE_ROUNDING)
    }

    /// Those nearer than the root of this overlap; negative when no distance shows that.
    #[inline(always)]
    pub fn touching_within(&self, radii: f32) -> f32 {
        let sum = radii + self.touching;
        if sum > 0.0 { sum * sum * (1.0 - SQUARE_ROUNDING) } else { -1.0 }
    }
}

pub(super) struct Prepared {
    pub chain: Chain,
    pub balls: Vec<LaneBall>,
    /// Radii of the balls inside with the same centres as these; minus infinity where there is none.
    pub inner_radii: Vec<f32>,
    pub surfaces: Vec<Surface>,
    pub robot_pairs: Vec<RobotPair>,
    pub parts: Vec<Part>,
    /// Sorted by surface.
    pub world_pairs: Vec<WorldPair>,
    superquadric_pairs: usize,
}

impl Prepared {
    /// Prepares a scene, or nothing where states are better asked one by one: robots with surfaces without bounds, and
    /// very large worlds.
    pub fn new(scene: &PlanningScene) -> Option<Self> {
        let chain = Chain::new(scene.model());
        let shapes = &scene.robot.shapes;
        let (mut balls, mut inner_radii, mut surfaces) = (Vec::new(), Vec::new(), Vec::new());
        let needs_inside = surfaces_compared_by_balls(scene);
        for (shape, needs_inside) in shapes.iter().zip(needs_inside) {
            let found = shape.balls.get_or_init(|| Balls::new(&shape.shape)).as_ref()?;
            let carrier = &chain.carriers[shape.link.index()];
            let pose = carrier.pose * shape.pose_in_link;
            let mut add = |list: &[Ball]| {
                let first = balls.len();
                balls.extend(list.iter().map(|ball| {
                    let center = (pose * Point3::from(ball.center)).coords;
                    LaneBall::new(&Ball { center, ..*ball })
                }));
                first..balls.len()
            };
            let (capsule_center, axis, capsule_radius) = capsule(&found.around);
            let middle = (pose * Point3::from(capsule_center)).coords;
            let bounding = add(&[found.bounding]).start;
            let square = axis.norm_squared();
            let around = add(&found.around);
            inner_radii.resize(balls.len(), f32::NEG_INFINITY);
            if needs_inside {
                for (place, ball) in around.clone().zip(found.inside(&shape.shape)) {
                    inner_radii[place] = ball.map_or(f32::NEG_INFINITY, |ball| ball.radius as f32);
                }
            }
            let around_reach = found.around.iter().map(|ball| ball.center.norm() + ball.radius);
            let own =
                around_reach.fold(found.bounding.center.norm() + found.bounding.radius, f64::max);
            // One more than there are joints, for centre and radius themselves and for the difference of two of them.
            let error = (carrier.depth + 1.0)
                * ERROR_PER_JOINT
                * (carrier.lever + pose.translation.vector.norm() + own);
            let center = (pose * Point3::from(found.bounding.center)).coords;
            let radius = found.bounding.radius;
            let workspace = match carrier.frame {
                0 => Ball { center, radius },
                _ => Ball { center: carrier.pivot, radius: carrier.reach + center.norm() + radius },
            };
            surfaces.push(Surface {
                frame: carrier.frame,
                bounding,
                around,
                axis: rounded_vector(&(pose.rotation * axis)),
                axis_square: square as f32,
                inverse_square: if square > 0.0 { (1.0 / square) as f32 } else { 0.0 },
                middle: rounded_vector(&middle),
                radius: capsule_radius as f32,
                error,
                turn_error: (carrier.depth + 2.0) * ERROR_PER_JOINT,
                own,
                workspace,
                pose: FixedPose::new(&pose),
                solid: SuperquadricX8::new(&shape.shape),
                hull: LaneHull::new(&shape.shape),
            });
        }
        let robot_pairs = scene.robot.pairs.iter().map(|&(a, b)| {
            let (at_a, at_b) = (a as usize, b as usize);
            let growth = scene.robot.inflation(&shapes[at_a], &shapes[at_b]);
            let sum = growth[0] + growth[1];
            let error = surfaces[at_a].error + surfaces[at_b].error + ERROR_PER_JOINT * sum;
            let (model, links) = (scene.model(), [shapes[at_a].link, shapes[at_b].link]);
            let top = model.common_link(links[0], links[1]);
            let chains = links.map(|link| model.joints_up_to(link, top));
            let reach = Reach::new(sum, error);
            let margins = pair_margins([&surfaces[at_a], &surfaces[at_b]], sum, error);
            let is_of_polyhedra = [at_a, at_b].iter().all(|&k| shapes[k].shape.is_polyhedron());
            RobotPair { a, b, growth, reach, is_of_polyhedra, chains, margins }
        });
        let robot_pairs: Vec<RobotPair> = robot_pairs.collect();
        let superquadric_pairs = robot_pairs.iter().filter(|pair| pair.margins.is_some()).count();
        let (parts, world_pairs) = world(scene, &surfaces)?;
        Some(Self {
            chain,
            balls,
            inner_radii,
            surfaces,
            robot_pairs,
            parts,
            world_pairs,
            superquadric_pairs,
        })
    }

    /// How many pairs of the robot are two superquadrics.
    pub fn superquadric_pairs(&self) -> usize {
        self.superquadric_pairs
    }
}

/// Of which surfaces balls inside are looked at: of all when there is a world, otherwise of those in a pair that is not two
/// superquadrics.
fn surfaces_compared_by_balls(scene: &PlanningScene) -> Vec<bool> {
    let shapes = &scene.robot.shapes;
    let mut compared = vec![!scene.world.is_empty(); shapes.len()];
    for &(a, b) in &scene.robot.pairs {
        let ends = [a as usize, b as usize];
        if ends.iter().any(|&end| shapes[end].solid.is_none()) {
            ends.iter().for_each(|&end| compared[end] = true);
        }
    }
    compared
}

/// A capsule around balls that stand along a line, or nearly so: its middle, half its axis, and its radius.
fn capsule(balls: &[Ball]) -> (Vec3, Vec3, f64) {
    let (first, last) = (balls[0].center, balls[balls.len() - 1].center);
    let (middle, axis) = (0.5 * (first + last), 0.5 * (last - first));
    let beyond = |ball: &Ball| {
        let offset = ball.center - middle;
        let along = offset.dot(&axis) / axis.norm_squared().max(f64::MIN_POSITIVE);
        (offset - axis * along.clamp(-1.0, 1.0)).norm() + ball.radius
    };
    (middle, axis, balls.iter().map(beyond).fold(0.0, f64::max))
}

/// How wrong the place of B in the frame of A is, for two superquadrics: the origins are as wrong as their points, and each
/// rotation turns the other body with it, which is no farther away than the bodies reach when they are near each other.
fn pair_margins([a, b]: [&Surface; 2], growth: f64, error: f64) -> Option<PairMargins> {
    let solids = [a.solid.as_ref()?, b.solid.as_ref()?];
    let lever = a.own + b.own + growth;
    let error = error + 2.0 * (a.turn_error + b.turn_error) * lever;
    Some(PairMargins::new(solids, growth, error))
}

/// The parts of the world, and the pairs with them.
fn world(scene: &PlanningScene, surfaces: &[Surface]) -> Option<(Vec<Part>, Vec<WorldPair>)> {
    let shapes = &scene.robot.shapes;
    if scene.world.len() * shapes.len() > MAX_WORLD_PAIRS {
        return None;
    }
    let (mut parts, mut owners, mut is_whole) = (Vec::new(), Vec::new(), true);
    for (_, object) in scene.world.iter() {
        object.for_each_part(|local, shape| match Part::new(shape, object.pose() * local) {
            Some(part) => {
                parts.push(part);
                owners.push(object.name());
            }
            None => is_whole = false,
        });
    }
    if !is_whole || parts.len() * shapes.len() > MAX_WORLD_PAIRS {
        return None;
    }
    let mut pairs = Vec::new();
    for (surface, shape) in (0u32..).zip(shapes) {
        for ((part, at), owner) in (0u32..).zip(&parts).zip(&owners) {
            // Without a growth the pair may touch.
            let Some(growth) = scene.growth_with_object(shape, owner) else { continue };
            let sum = growth[0] + growth[1] + at.rounding;
            let Surface { error, workspace, .. } = &surfaces[surface as usize];
            if at.distance_from(&workspace.center) > (workspace.radius + sum) * (1.0 + OUT_OF_REACH)
            {
                continue;
            }
            let error = error + ERROR_PER_JOINT * (at.extent + sum);
            pairs.push(WorldPair { surface, part, growth, reach: Reach::new(sum, error) });
        }
    }
    Some((parts, pairs))
}
