//! How near a whole convex body comes to a mapped one, by branch and bound.
//!
//! The body is solid, so that one that swallows the mapped body touches it. With f the signed distance that the map holds, a body C has
//! the clearance
//!
//! ```text
//! c(C) = min over x in C of f(x)
//! ```
//!
//! Apart it is the distance of the two bodies; otherwise minus the depth of the point of C that is deepest in the mapped body.
//! f changes by at most |x − y| between x and y, so a box with the centre m, the corners of which are r away, has
//!
//! ```text
//! f(x) ≥ f(m) − r   for all x of the box,     and   c(C) ≤ f(x)   for every x in C.
//! ```
//!
//! Boxes that hold no point of C are dropped: a ball around them is proven apart from C by our own query. Of the others the one
//! with the lowest bound is halved, until it is small against what is open. So the bounds hold whenever the search ends.

use super::DistanceMap;
use crate::relative_pair::{is_finite, transform};
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_geometry::{Aabb, ConvexSurface, LENGTH_RANGE, Shape};
use smooth_scene_query::{Collision, PairQuery, QueryOptions, point_distance};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A box is small enough when its corners are nearer to its centre than this share of what is open: halving it further could gain
/// no more. What is open then is the uncertainty of the map itself, at most doubled.
const SMALL: f64 = 0.25;
/// Balls around boxes are this much larger, for rounding.
const ROOM: f64 = 1.0 + 1e-9;

/// When a search ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MapSearch {
    /// A body proven farther away than this is not looked at more closely, in metres.
    pub max_distance: f64,
    /// Most boxes that are looked at; then the bounds reached so far are the answer.
    pub budget: u32,
}

impl Default for MapSearch {
    /// At any distance, and a few hundred milliseconds at most.
    fn default() -> Self {
        Self { max_distance: f64::INFINITY, budget: 500_000 }
    }
}

/// How near a body comes to a mapped one: bounds of the least signed distance of its points, inner ones included.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MapClearance {
    /// No point of the body is nearer than this, or deeper inside; above zero the bodies are proven apart.
    pub lower: f64,
    /// The point [`point_w`](Self::point_w) of the body is at least as near as this, proven; at or below zero the bodies are proven to
    /// touch.
    pub upper: f64,
    /// The nearest point of the body that was found, world frame.
    pub point_w: Vec3,
    /// How many boxes were looked at.
    pub boxes: u32,
}

/// A part of the body that is still open, in the frame of the body.
struct OpenBox {
    /// No point of it is nearer to the mapped body.
    lower: f64,
    number: u32,
    center: Vec3,
    half: Vec3,
}

impl DistanceMap {
    /// How near a convex body, or a union of such, comes to the mapped one. Poses are in the world frame; one that is not finite
    /// leaves everything open.
    pub fn clearance(
        &self,
        map_pose_w: &Pose,
        shape: &Shape,
        pose_w: &Pose,
        search: &MapSearch,
    ) -> MapClearance {
        let to_map = map_pose_w.inv_mul(pose_w);
        let nothing = MapClearance {
            lower: f64::NEG_INFINITY,
            upper: f64::INFINITY,
            point_w: pose_w.translation.vector,
            boxes: 0,
        };
        if !(is_finite(&to_map.translation.vector)
            && to_map.rotation.coords.iter().all(|x| x.is_finite()))
        {
            return nothing;
        }
        let mut found =
            Search { map: self, shape, to_map, best: (f64::INFINITY, Vec3::zeros()), boxes: 0 };
        let lower = found.run(search);
        let (upper, point) = found.best;
        let point_w = transform(pose_w, &point);
        MapClearance { lower: lower.min(upper), upper, point_w, boxes: found.boxes }
    }
}

/// A search under way.
struct Search<'a> {
    map: &'a DistanceMap,
    shape: &'a Shape,
    /// Pose of the body in the frame of the map.
    to_map: Pose,
    /// The least upper bound of a point of the body, and the point, frame of the body.
    best: (f64, Vec3),
    boxes: u32,
}

impl Search<'_> {
    /// Returns the proven lower bound; none if not even one point of the body was found.
    fn run(&mut self, search: &MapSearch) -> f64 {
        let root = self.root();
        if !self.best.0.is_finite() {
            return f64::NEG_INFINITY;
        }
        let mut open = BinaryHeap::new();
        open.extend(self.look_at(root.center(), root.half_extents(), f64::NEG_INFINITY));
        while let Some(next) = open.pop() {
            let gap = self.best.0 - next.lower;
            let is_small = next.half.norm() <= SMALL * gap;
            let is_over = self.boxes >= search.budget;
            if gap <= 0.0 || is_small || is_over || next.lower > search.max_distance {
                return next.lower;
            }
            let axis = next.half.imax();
            let mut half = next.half;
            half[axis] *= 0.5;
            for side in [-1.0, 1.0] {
                let mut center = next.center;
                center[axis] += side * half[axis];
                open.extend(self.look_at(center, half, next.lower));
            }
        }
        // No box is left that is nearer than the best point.
        self.best.0
    }

    /// A box of the body's frame outside which no point of the body is nearer to the mapped one than a point that is known: that
    /// point w is the one nearest to the middle m of the mapped body. With R the radius of a ball around m that holds the
    /// mapped body, f(x) ≥ |x − m| − R.
    fn root(&mut self) -> Aabb {
        let bounds = &self.map.bounds;
        let middle = self.to_map.inverse_transform_point(&bounds.center().into()).coords;
        let near = point_distance(self.shape, &Pose::identity(), &middle, &QueryOptions::default());
        self.try_point(if near.upper <= 0.0 { middle } else { near.projection_w });
        let reach = Vec3::repeat((bounds.half_extents().norm() + self.best.0.max(0.0)) * ROOM);
        let around = self.shape.local_aabb();
        Aabb { min: around.min.sup(&(middle - reach)), max: around.max.inf(&(middle + reach)) }
    }

    /// The box, if it may hold a nearer point of the body than the best; `above` is a bound of a box that holds it.
    fn look_at(&mut self, center: Vec3, half: Vec3, above: f64) -> Option<OpenBox> {
        self.boxes += 1;
        let radius = half.norm() * ROOM;
        let value = self.map.at(&transform(&self.to_map, &center));
        let lower = (value.lower - radius).max(above);
        if lower >= self.best.0 || self.misses(&center, radius) {
            return None;
        }
        if value.upper < self.best.0 {
            self.try_near(&center);
        }
        Some(OpenBox { lower, number: self.boxes, center, half })
    }

    /// Whether a ball is proven to hold no point of the body.
    fn misses(&self, center: &Vec3, radius: f64) -> bool {
        let (here, there) = (Pose::identity(), Pose::from(*center));
        let Ok(ball) = Shape::sphere(radius.max(*LENGTH_RANGE.start())) else {
            // Larger than any shape: halved first.
            return false;
        };
        let answer = PairQuery::new(self.shape, &here, &ball, &there).collides();
        matches!(answer, Collision::Apart { .. })
    }

    /// Tries the point, or the one of the surface nearest to it if it is not in the body.
    fn try_near(&mut self, point: &Vec3) {
        let dot = Shape::sphere(*LENGTH_RANGE.start()).expect("the least length of all");
        let (here, there) = (Pose::identity(), Pose::from(*point));
        match PairQuery::new(self.shape, &here, &dot, &there).collides() {
            Collision::Overlapping { .. } => self.try_point(*point),
            Collision::Apart { .. } | Collision::Touching { .. } => {
                let options = QueryOptions::default();
                self.try_point(point_distance(self.shape, &here, point, &options).projection_w);
            }
        }
    }

    /// Keeps a point that is at most the least length of all from the body, if it is the nearest so far.
    fn try_point(&mut self, point: Vec3) {
        let upper = self.map.at(&transform(&self.to_map, &point)).upper + *LENGTH_RANGE.start();
        if upper < self.best.0 {
            self.best = (upper, point);
        }
    }
}

/// The lowest bound comes first, of equal ones the older box.
impl Ord for OpenBox {
    fn cmp(&self, other: &Self) -> Ordering {
        other.lower.total_cmp(&self.lower).then(other.number.cmp(&self.number))
    }
}

impl PartialOrd for OpenBox {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for OpenBox {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for OpenBox {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dense_search::Random;
    use smooth_scene_geometry::{TriangleMesh, tessellate};
    use smooth_scene_query::distance;

    fn cube(half: [f64; 3]) -> TriangleMesh {
        tessellate(&Shape::cuboid(half).unwrap(), 1e-9)
    }

    fn of(map: &DistanceMap, shape: &Shape, pose: &Pose) -> MapClearance {
        map.clearance(&Pose::identity(), shape, pose, &MapSearch::default())
    }

    /// A ball of 0.2 m has the clearance of its centre less its radius above a face, beside an edge and deep inside; a half-space
    /// that of the nearest corner, and the distance from a hole is the same as from outside.
    #[test]
    fn balls_and_half_spaces_have_the_clearance_of_the_closed_form() {
        let map = DistanceMap::of_mesh(&cube([1.0, 0.8, 0.5]), 0.05, 0.3).unwrap();
        let ball = Shape::sphere(0.2).unwrap();
        let cases: [([f64; 3], f64); 5] = [
            ([0.3, 0.2, 0.75], 0.05),
            ([0.0, 0.95, 0.7], 0.25 - 0.2),
            ([0.0, 0.0, 0.65], -0.05),
            // Deepest in the middle, half a metre below the faces.
            ([0.0, 0.0, 0.0], -0.5),
            // Far outside of the grid.
            ([0.0, 0.0, 5.5], 4.8),
        ];
        for (at, exact) in cases {
            let found = of(&map, &ball, &Pose::translation(at[0], at[1], at[2]));
            assert!(found.lower <= exact && exact <= found.upper, "{at:?} {exact}: {found:?}");
            let width = if exact > 1.0 { 2.5 } else { 0.06 };
            assert!(found.upper - found.lower < width, "{at:?}: {found:?}");
        }
        let below = Shape::half_space([0.0, 0.0, 1.0], -0.7).unwrap();
        let found = of(&map, &below, &Pose::identity());
        assert!(found.lower <= 0.2 && 0.2 <= found.upper && found.lower > 0.1, "{found:?}");
        let slanted = Shape::half_space([1.0, 1.0, 0.0], -1.4).unwrap();
        let exact = 1.8 / 2f64.sqrt() - 1.4;
        let exact = -exact;
        let found = of(&map, &slanted, &Pose::identity());
        assert!(found.lower <= exact && exact <= found.upper, "{exact}: {found:?}");
    }

    /// Against our own proven query, with shapes of several kinds at random poses.
    #[test]
    fn the_bounds_hold_the_proven_distance_of_bodies_apart_and_tell_who_overlaps() {
        let mut random = Random(43);
        let mapped = random.mild_superellipsoid();
        let map = DistanceMap::of_shape(&mapped, 0.15, 0.3).unwrap();
        let shapes = [
            Shape::superellipsoid([0.5, 0.3, 0.4], 0.3, 0.5).unwrap(),
            Shape::superovoid([0.4, 0.4, 0.6], 1.0, 0.8, [0.2, -0.1]).unwrap(),
            Shape::cuboid([0.5, 0.2, 0.3]).unwrap(),
            Shape::capsule(0.5, 0.2).unwrap(),
        ];
        let (mut apart, mut free, mut touching) = (0, 0, 0);
        for k in 0..60 {
            let shape = &shapes[k % shapes.len()];
            let place = random.pose(1.0);
            let reach = random.between(0.2, 2.2);
            let pose = place * random.pose(reach);
            let truth = distance(&mapped, &place, shape, &pose, &QueryOptions::default());
            let found = map.clearance(&place, shape, &pose, &MapSearch::default());
            assert!(found.lower <= found.upper, "{found:?}");
            if truth.lower > 0.0 {
                apart += 1;
                assert!(found.lower <= truth.upper && truth.lower <= found.upper, "{found:?}");
                free += usize::from(found.lower > 0.0);
            } else {
                assert!(found.lower <= 0.0, "{truth:?} {found:?}");
                touching += usize::from(found.upper <= 0.0);
            }
            // The point is of the body, and its bound holds.
            let there = point_distance(shape, &pose, &found.point_w, &QueryOptions::default());
            assert!(there.lower <= 1e-6, "{there:?}");
            let beside = point_distance(&mapped, &place, &found.point_w, &QueryOptions::default());
            assert!(beside.lower <= found.upper + 1e-9);
        }
        assert!((15..50).contains(&apart), "{apart} apart");
        assert!(
            free >= apart - 8 && touching >= 60 - apart - 8,
            "{free} free, {touching} touching"
        );
    }

    /// Whoever swallows the mapped body touches it, and whoever is in its cavity does not.
    #[test]
    fn a_body_around_the_mapped_one_touches_and_one_in_its_cavity_does_not() {
        let small = DistanceMap::of_mesh(&cube([0.1; 3]), 0.02, 0.1).unwrap();
        let around = of(&small, &Shape::sphere(2.0).unwrap(), &Pose::translation(0.5, 0.0, 0.0));
        assert!(around.upper <= -0.07 && around.lower >= -0.13, "{around:?}");
        let (mut hollow, cavity) = (cube([1.0; 3]), cube([0.6; 3]));
        let first = hollow.vertices.len() as u32;
        hollow.vertices.extend(&cavity.vertices);
        let turned = cavity.triangles.iter().map(|[a, b, c]| [*a, *c, *b].map(|v| v + first));
        hollow.triangles.extend(turned);
        let map = DistanceMap::of_mesh(&hollow, 0.05, 0.1).unwrap();
        let within = of(&map, &Shape::sphere(0.4).unwrap(), &Pose::identity());
        assert!(within.lower > 0.1 && within.lower <= 0.2 && within.upper >= 0.2, "{within:?}");
    }

    #[test]
    fn a_search_that_is_cut_short_proves_less_and_nothing_wrong() {
        let map = DistanceMap::of_mesh(&cube([1.0, 1.0, 0.1]), 0.05, 0.3).unwrap();
        let plate = Shape::cuboid([0.8, 0.8, 0.1]).unwrap();
        let pose = Pose::translation(0.0, 0.0, 0.25);
        let mut widest = f64::INFINITY;
        for budget in [1, 10, 100, 10_000] {
            let search = MapSearch { budget, ..MapSearch::default() };
            let found = map.clearance(&Pose::identity(), &plate, &pose, &search);
            assert!(found.lower <= 0.05 && 0.05 <= found.upper, "{found:?}");
            assert!(found.upper - found.lower <= widest && found.boxes <= budget + 2);
            widest = found.upper - found.lower;
        }
        assert!(widest < 0.05, "{widest}");
        // Enough to know that it is farther away than asked.
        let search = MapSearch { max_distance: 0.0, ..MapSearch::default() };
        let decided = map.clearance(&Pose::identity(), &plate, &pose, &search);
        assert!(decided.lower > 0.0 && decided.lower <= 0.05);
    }

    #[test]
    fn a_pose_that_is_no_number_leaves_everything_open() {
        let map = DistanceMap::of_mesh(&cube([1.0; 3]), 0.5, 0.5).unwrap();
        let ball = Shape::sphere(0.2).unwrap();
        for bad in [f64::NAN, f64::INFINITY] {
            let found = of(&map, &ball, &Pose::translation(0.0, bad, 0.0));
            assert_eq!([found.lower, found.upper], [f64::NEG_INFINITY, f64::INFINITY]);
        }
    }
}
