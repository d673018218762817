//! A pair that balls left open in one state: decided by boxes, by directions that separated it before, by a quick search for a
//! direction, and finally by the exact question. All but the last decide only where it cannot answer otherwise.

use super::findings::OpenPair;
use super::lane_hull::LaneHull;
use super::needed_poses::NeededPoses;
use super::part::Part;
use super::prepared::Prepared;
use crate::check::CheckRequest;
use crate::oriented_boxes::box_gap;
use crate::pairs::GrownPair;
use crate::planning_scene::PlanningScene;
use crate::robot_shape::RobotShape;
use smooth_scene_geometry::math::{Mat3, Pose, Vec3, unit_or};
use smooth_scene_geometry::{ConvexSurface, Shape};
use smooth_scene_query::{Collision, Separating, WarmStart, separating_direction};

/// Surfaces of which boxes or a direction say less than this about their distance are asked about exactly, m: far above the
/// rounding of a gap at a kilometre.
pub(super) const SURELY_APART: f64 = 1e-9;
/// Directions kept for each pair.
const MAX_NORMALS: usize = 3;

/// What is known about one pair from states asked about before.
#[derive(Debug, Clone, Default)]
pub(super) struct PairNormals {
    /// Directions that separated it, in the frame of its first surface, the one that helped last first.
    known: Vec<Vec3>,
}

impl PairNormals {
    /// Whether one of the directions proves the pair apart, by so much that the exact question cannot answer otherwise.
    pub fn separate(&mut self, pair: &PlacedPair) -> bool {
        let separates = |normal_a: &Vec3| pair.gap_along(normal_a) > pair.surely_apart();
        match self.known.iter().position(separates) {
            Some(place) => {
                self.known[..=place].rotate_right(1);
                true
            }
            None => false,
        }
    }

    fn keep(&mut self, normal_a: Vec3) {
        self.known.truncate(MAX_NORMALS - 1);
        self.known.insert(0, normal_a);
    }
}

/// A surface of a pair, placed: its pose, and its box with the axes as columns and the middle in the world.
struct PlacedBox<'a> {
    shape: &'a Shape,
    hull: Option<&'a LaneHull>,
    pose: Pose,
    rotation: Mat3,
    center_w: Vec3,
    half: &'a Vec3,
}

impl<'a> PlacedBox<'a> {
    fn new(surface: &'a RobotShape, hull: Option<&'a LaneHull>, pose: Pose) -> Self {
        let rotation = pose.rotation.to_rotation_matrix().into_inner();
        let center_w = rotation * surface.center + pose.translation.vector;
        Self { shape: &surface.shape, hull, pose, rotation, center_w, half: &surface.half_extents }
    }

    fn of_part(part: &'a Part) -> Self {
        let Part { shape, hull, pose, rotation, center_w, half, .. } = part;
        let (pose, rotation, center_w) = (*pose, *rotation, *center_w);
        Self { shape, hull: hull.as_ref(), pose, rotation, center_w, half }
    }

    /// A point of the surface that is far along a direction of its frame: the support point, or for meshes one that is lower
    /// by no more than rounding in single precision.
    fn far_point(&self, dir: &Vec3) -> Vec3 {
        match self.hull {
            Some(hull) => *hull.highest(dir),
            None => self.shape.support(dir).point,
        }
    }

    /// An upper bound on the support value along a direction of its frame.
    fn reach(&self, dir: &Vec3) -> f64 {
        match self.hull {
            Some(hull) => hull.highest(dir).dot(dir) + hull.slack,
            None => self.shape.support(dir).value,
        }
    }
}

/// An open pair in one state.
pub(super) struct PlacedPair<'a> {
    a: PlacedBox<'a>,
    b: PlacedBox<'a>,
    growth: [f64; 2],
    /// B in the frame of A.
    rotation_ab: Mat3,
    offset_a: Vec3,
}

impl<'a> PlacedPair<'a> {
    fn new(a: PlacedBox<'a>, b: PlacedBox<'a>, growth: [f64; 2]) -> Self {
        let offset_w = b.pose.translation.vector - a.pose.translation.vector;
        let (rotation_ab, offset_a) =
            (a.rotation.tr_mul(&b.rotation), a.rotation.tr_mul(&offset_w));
        Self { a, b, growth, rotation_ab, offset_a }
    }

    fn growth(&self) -> f64 {
        self.growth[0] + self.growth[1]
    }

    /// Surfaces that are farther apart than this are so for the exact question, too.
    fn surely_apart(&self) -> f64 {
        self.growth() + SURELY_APART
    }

    /// Whether the pair touches, where the exact question cannot answer otherwise. Only where the surfaces are in relation to
    /// each other matters, not the frame of their poses.
    pub fn decided(&self, normals: &mut PairNormals) -> Option<bool> {
        let (a, b) = (&self.a, &self.b);
        let between_w = b.center_w - a.center_w;
        if box_gap(&between_w, &a.rotation, a.half, &b.rotation, b.half) > self.surely_apart() {
            return Some(false);
        }
        if a.shape.is_polyhedron() && b.shape.is_polyhedron() {
            return self.quickly(&between_w, normals);
        }
        normals.separate(self).then_some(false)
    }

    /// Whether the pair touches: the exact question, for poses in the world.
    pub fn touches(&self, request: &CheckRequest, normals: &mut PairNormals) -> bool {
        let (a, b) = (&self.a, &self.b);
        let (pose_a, pose_b, growth) = (&a.pose, &b.pose, self.growth);
        let pair = GrownPair { a: a.shape, pose_a, b: b.shape, pose_b, growth };
        match pair.collide(&request.query, &WarmStart::default()) {
            Collision::Apart { normal_ab_w, .. } => {
                normals.keep(a.rotation.tr_mul(&normal_ab_w));
                false
            }
            Collision::Overlapping { .. } | Collision::Touching { .. } => true,
        }
    }

    /// Whether a pair of polyhedra touches, where that is far from being a matter of rounding.
    fn quickly(&self, between_w: &Vec3, normals: &mut PairNormals) -> Option<bool> {
        let along_centers = || unit_or(&self.a.rotation.tr_mul(between_w), &Vec3::x());
        let start = normals.known.first().copied().unwrap_or_else(along_centers);
        let slack = |end: &PlacedBox| end.hull.map_or(0.0, |hull| hull.slack);
        let needed = self.surely_apart() + slack(&self.a) + slack(&self.b);
        let found = separating_direction(needed, &start, |normal_a| {
            let dir_b = -self.rotation_ab.tr_mul(normal_a);
            let point_b = self.rotation_ab * self.b.far_point(&dir_b);
            self.offset_a + point_b - self.a.far_point(normal_a)
        });
        match found {
            // The gap once more by support values, as for the directions that are remembered.
            Separating::Found { normal, .. } if self.gap_along(&normal) > self.surely_apart() => {
                normals.keep(normal);
                Some(false)
            }
            // A common point is one for the exact question, too: touching counts.
            Separating::None { upper } if upper == 0.0 || upper <= self.growth() - SURELY_APART => {
                Some(true)
            }
            Separating::Found { .. } | Separating::None { .. } | Separating::Open => None,
        }
    }

    /// How far the surfaces are apart along a direction of the frame of A, at least.
    fn gap_along(&self, normal_a: &Vec3) -> f64 {
        let dir_b = -self.rotation_ab.tr_mul(normal_a);
        normal_a.dot(&self.offset_a) - self.a.reach(normal_a) - self.b.reach(&dir_b)
    }
}

impl PlanningScene {
    /// A pair of the robot as seen from the last link above both, in one state.
    pub(super) fn relative<'a>(
        &'a self,
        prepared: &'a Prepared,
        place: usize,
        positions: &[f64],
    ) -> PlacedPair<'a> {
        let (model, pair) = (self.model(), &prepared.robot_pairs[place]);
        let [one, other] = [pair.a, pair.b].map(|k| &self.robot.shapes[k as usize]);
        let [hull_a, hull_b] =
            [pair.a, pair.b].map(|k| prepared.surfaces[k as usize].hull.as_ref());
        let a = PlacedBox::new(one, hull_a, one.pose_above(model, &pair.chains[0], positions));
        let b = PlacedBox::new(other, hull_b, other.pose_above(model, &pair.chains[1], positions));
        PlacedPair::new(a, b, pair.growth)
    }

    /// Places an open pair.
    pub(super) fn place_pair<'a>(
        &'a self,
        prepared: &'a Prepared,
        pair: OpenPair,
        poses: &mut NeededPoses,
        positions: &[f64],
    ) -> PlacedPair<'a> {
        let shapes = &self.robot.shapes;
        let mut placed = |surface: u32| {
            let shape = &shapes[surface as usize];
            let hull = prepared.surfaces[surface as usize].hull.as_ref();
            let link_w = poses.of(shape.link, self.model(), positions);
            PlacedBox::new(shape, hull, link_w * shape.pose_in_link)
        };
        match pair {
            OpenPair::Robot(place) => {
                let found = &prepared.robot_pairs[place];
                PlacedPair::new(placed(found.a), placed(found.b), found.growth)
            }
            OpenPair::World(place) => {
                let found = &prepared.world_pairs[place];
                let part = PlacedBox::of_part(&prepared.parts[found.part as usize]);
                PlacedPair::new(placed(found.surface), part, found.growth)
            }
        }
    }
}
