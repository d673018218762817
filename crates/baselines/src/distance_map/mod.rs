//! Signed distance maps: the distance from a body on the nodes of a grid, and queries between the nodes [lecture, "Signed
//! Distance Maps"].
//!
//! The lecture stores the distance of the middle of each cell and reads it as it is. Here the nodes hold it and a query
//! interpolates, and says how far off it can be. A signed distance f changes by at most |x − y| between x and y, so
//! with the corners xᵢ of a cell of side h, the weights wᵢ of trilinear interpolation and the shares t ∈ [0, 1]³ in the cell:
//!
//! ```text
//! |f(x) − Σ wᵢ f(xᵢ)| ≤ Σ wᵢ |x − xᵢ| ≤ √(Σ wᵢ |x − xᵢ|²) = h √(Σₖ tₖ(1 − tₖ)) ≤ (√3/2) h
//! max (f(xᵢ) − |x − xᵢ|) ≤ f(x) ≤ min (f(xᵢ) + |x − xᵢ|)
//! ```
//!
//! The equality is the variance of three independent coordinates. Both lines hold, and the bounds of an answer are the tighter of
//! the two.

mod body;
mod clearance;
mod error;
mod mesh;
mod sides;

pub use body::{MapContact, MapContacts, SampledBody};
pub use clearance::{MapClearance, MapSearch};
pub use error::MapError;

use crate::relative_pair::is_finite;
use error::MAX_NODES;
use mesh::ClosedMesh;
use rayon::prelude::*;
use sides::insides;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_geometry::{Aabb, ConvexSurface, Shape, TriangleMesh};
use smooth_scene_query::{QueryOptions, point_distance};

/// Rounding of a distance from a mesh, in multiples of the extent of the map: a few operations on coordinates.
const ROUNDING: f64 = 1e-14;

/// A grid of signed distances, in the frame of the body.
#[derive(Debug, Clone)]
pub struct DistanceMap {
    /// The first node.
    origin: Vec3,
    spacing: f64,
    counts: [usize; 3],
    /// x fastest.
    values: Vec<f64>,
    /// Largest error of a value in metres.
    node_error: f64,
    /// Holds the body.
    bounds: Aabb,
}

/// The answer of a map about a point, in the frame of the map.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MapValue {
    /// Interpolated signed distance, negative inside; moved into the bounds where it is outside of them.
    pub distance: f64,
    /// The signed distance is not below this.
    pub lower: f64,
    /// The signed distance is not above this.
    pub upper: f64,
    /// Derivative of the interpolated distance. Its length is 1 where the distance is linear, and less near ridges.
    pub gradient: Vec3,
}

impl DistanceMap {
    /// The map of a closed mesh whose triangles run counter-clockwise seen from outside, with `margin` metres around it. The
    /// mesh may have holes, cavities and several parts. Where parts overlap, the distance inside is that from the nearest
    /// triangle, which may be within another part.
    pub fn of_mesh(mesh: &TriangleMesh, spacing: f64, margin: f64) -> Result<Self, MapError> {
        let closed = ClosedMesh::new(mesh)?;
        let mut map = Self::empty(closed.bounds(), spacing, margin)?;
        map.node_error = ROUNDING * (map.extent().norm() + map.origin.norm());
        let node = |node: usize| map.node(node);
        let distances: Vec<f64> =
            (0..map.nodes()).into_par_iter().map(|k| closed.distance(&node(k))).collect();
        let inside = insides(&distances, map.counts, spacing, |k| closed.contains(&node(k)));
        let signed = |(distance, inside): (f64, bool)| if inside { -distance } else { distance };
        map.values = distances.into_iter().zip(inside).map(signed).collect();
        Ok(map)
    }

    /// The map of a closed mesh whose triangles name their corners by place, as those of an STL file do: corners with the same
    /// coordinates are one vertex.
    pub fn of_triangles(
        triangles: &[[Vec3; 3]],
        spacing: f64,
        margin: f64,
    ) -> Result<Self, MapError> {
        Self::of_mesh(&mesh::joined(triangles), spacing, margin)
    }

    /// The map of a shape, by our own proven query; of a compound, that of the union. Inside a union the distance is
    /// the depth in its deepest part, as everywhere in this project.
    pub fn of_shape(shape: &Shape, spacing: f64, margin: f64) -> Result<Self, MapError> {
        let bounds = shape.local_aabb();
        if !(bounds.max - bounds.min).iter().all(|x| x.is_finite()) {
            return Err(MapError::Unbounded(shape.kind()));
        }
        let mut map = Self::empty(bounds, spacing, margin)?;
        let options = QueryOptions::certified();
        let node = |node: usize| {
            let found = point_distance(shape, &Pose::identity(), &map.node(node), &options);
            [0.5 * (found.lower + found.upper), 0.5 * (found.upper - found.lower)]
        };
        let found: Vec<[f64; 2]> = (0..map.nodes()).into_par_iter().map(node).collect();
        map.node_error = found.iter().map(|[_, error]| *error).fold(0.0, f64::max);
        map.values = found.into_iter().map(|[value, _]| value).collect();
        Ok(map)
    }

    fn empty(bounds: Aabb, spacing: f64, margin: f64) -> Result<Self, MapError> {
        let refused = Err(MapError::Grid { spacing, margin });
        let finite = spacing.is_finite() && margin.is_finite();
        if !finite || spacing <= 0.0 || margin < 0.0 {
            return refused;
        }
        let extent = bounds.max - bounds.min + Vec3::repeat(2.0 * margin);
        let cells = extent.map(|side| (side / spacing).ceil().max(1.0));
        if (cells.x + 1.0) * (cells.y + 1.0) * (cells.z + 1.0) > MAX_NODES {
            return refused;
        }
        let counts = [cells.x, cells.y, cells.z].map(|count| count as usize + 1);
        let values = vec![0.0; counts.iter().product()];
        let origin = bounds.center() - 0.5 * spacing * cells;
        Ok(Self { origin, spacing, counts, values, node_error: 0.0, bounds })
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.values.len()
    }

    /// Largest error of a stored distance in metres.
    pub fn node_error(&self) -> f64 {
        self.node_error
    }

    /// From the first node to the last.
    fn extent(&self) -> Vec3 {
        self.spacing * Vec3::from(self.counts.map(|count| (count - 1) as f64))
    }

    fn node(&self, index: usize) -> Vec3 {
        let [nx, ny, _] = self.counts;
        let (i, j, k) = (index % nx, index / nx % ny, index / (nx * ny));
        self.origin + self.spacing * Vec3::new(i as f64, j as f64, k as f64)
    }

    /// The distance at a point. Outside the grid it is continued from the nearest point of the grid, with wider bounds. A point
    /// that is not finite has the distance NaN and no bounds.
    pub fn at(&self, point: &Vec3) -> MapValue {
        if !is_finite(point) {
            return MapValue {
                distance: f64::NAN,
                lower: f64::NEG_INFINITY,
                upper: f64::INFINITY,
                gradient: Vec3::zeros(),
            };
        }
        let offset = point - self.origin;
        let inside = offset.zip_map(&self.extent(), |x, most| x.max(0.0).min(most));
        let value = self.inside(&inside);
        let away = offset - inside;
        let way = away.norm();
        if way == 0.0 {
            return value;
        }
        // The body is in its box.
        let from_box = self.bounds.distance(&Aabb { min: *point, max: *point });
        let lower = from_box.max(value.lower - way);
        let upper = value.upper + way;
        let distance = (value.distance + way).max(lower).min(upper);
        MapValue { distance, lower, upper, gradient: away / way }
    }

    /// The distance at an offset from the first node, within the grid.
    fn inside(&self, offset: &Vec3) -> MapValue {
        let h = self.spacing;
        let mut first = [0; 3];
        let mut share = Vec3::zeros();
        for k in 0..3 {
            first[k] = ((offset[k] / h) as usize).min(self.counts[k] - 2);
            share[k] = offset[k] / h - first[k] as f64;
        }
        let [nx, ny, _] = self.counts;
        let (mut distance, mut gradient) = (0.0, Vec3::zeros());
        let (mut lower, mut upper) = (f64::NEG_INFINITY, f64::INFINITY);
        for corner in 0..8 {
            let step = [corner & 1, corner >> 1 & 1, corner >> 2 & 1];
            let [i, j, k] = [0, 1, 2].map(|axis| first[axis] + step[axis]);
            let value = self.values[i + nx * (j + ny * k)];
            let weights =
                Vec3::from_fn(
                    |axis, _| {
                        if step[axis] == 1 { share[axis] } else { 1.0 - share[axis] }
                    },
                );
            let way = h * weights.map(|w| 1.0 - w).norm();
            distance += weights.product() * value;
            for axis in 0..3 {
                let sign = if step[axis] == 1 { 1.0 } else { -1.0 };
                let others = weights[(axis + 1) % 3] * weights[(axis + 2) % 3];
                gradient[axis] += sign * others * value / h;
            }
            lower = f64::max(lower, value - way);
            upper = f64::min(upper, value + way);
        }
        let spread = h * share.map(|t| (t * (1.0 - t)).max(0.0)).sum().sqrt();
        let lower = lower.max(distance - spread) - self.node_error;
        let upper = upper.min(distance + spread) + self.node_error;
        MapValue { distance: distance.max(lower).min(upper), lower, upper, gradient }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dense_search::Random;
    use smooth_scene_geometry::tessellate;

    fn cube(half: [f64; 3]) -> TriangleMesh {
        tessellate(&Shape::cuboid(half).unwrap(), 1e-9)
    }

    /// Signed distance of a box in closed form.
    fn of_box(half: [f64; 3], point: &Vec3) -> f64 {
        let beyond = point.abs() - Vec3::from(half);
        beyond.map(|x| x.max(0.0)).norm() + beyond.max().min(0.0)
    }

    /// A box with a cavity.
    fn hollow() -> (TriangleMesh, impl Fn(&Vec3) -> f64) {
        let (outer, inner) = ([1.0, 0.8, 0.6], [0.5, 0.4, 0.3]);
        let (mut mesh, cavity) = (cube(outer), cube(inner));
        let first = mesh.vertices.len() as u32;
        mesh.vertices.extend(&cavity.vertices);
        mesh.normals.extend(cavity.normals.iter().map(|n| -n));
        mesh.triangles
            .extend(cavity.triangles.iter().map(|[a, b, c]| [*a, *c, *b].map(|v| v + first)));
        (mesh, move |point: &Vec3| of_box(outer, point).max(-of_box(inner, point)))
    }

    fn random_point(random: &mut Random, reach: f64) -> Vec3 {
        Vec3::from_fn(|_, _| random.between(-reach, reach))
    }

    #[test]
    fn the_bounds_of_a_hollow_box_hold_its_closed_form_everywhere() {
        let (mesh, exact) = hollow();
        let map = DistanceMap::of_mesh(&mesh, 0.1, 0.2).unwrap();
        let mut random = Random(31);
        let (mut cavity, mut widest) = (0, 0f64);
        for _ in 0..20_000 {
            // Some are outside the grid.
            let point = random_point(&mut random, 1.5);
            let (found, truth) = (map.at(&point), exact(&point));
            assert!(found.lower <= truth && truth <= found.upper, "{point:?} {truth} {found:?}");
            assert!(found.lower <= found.distance && found.distance <= found.upper);
            let within = point.abs() < Vec3::new(1.2, 1.0, 0.8);
            if within {
                widest = widest.max(found.upper - found.lower);
            }
            cavity += usize::from(truth > 0.0 && of_box([0.5, 0.4, 0.3], &point) < 0.0);
        }
        assert!(widest <= 3f64.sqrt() * 0.1 + 1e-9, "{widest}");
        assert!(cavity > 100, "{cavity} points in the cavity");
    }

    #[test]
    fn the_bounds_of_a_union_hold_the_proven_distance() {
        let mut random = Random(32);
        let parts = (0..3).map(|_| (random.pose(0.8), random.mild_superellipsoid()));
        let union = Shape::compound(parts.collect()).unwrap();
        let map = DistanceMap::of_shape(&union, 0.3, 0.3).unwrap();
        assert!(map.node_error() < 1e-5, "{}", map.node_error());
        let mut inside = 0;
        for _ in 0..500 {
            let point = random_point(&mut random, 2.5);
            let found = map.at(&point);
            let truth =
                point_distance(&union, &Pose::identity(), &point, &QueryOptions::certified());
            assert!(
                found.lower <= truth.upper && truth.lower <= found.upper,
                "{truth:?} {found:?}"
            );
            inside += usize::from(truth.upper < 0.0);
        }
        assert!((50..450).contains(&inside), "{inside} of 500 inside");
    }

    /// Above a face the distance is linear: interpolation is exact, and so is its derivative.
    #[test]
    fn above_a_face_value_and_gradient_are_exact() {
        let map = DistanceMap::of_mesh(&cube([1.0; 3]), 0.13, 0.5).unwrap();
        let mut random = Random(33);
        for _ in 0..200 {
            let aside = 0.4 * random_point(&mut random, 1.0);
            let point = Vec3::new(aside.x, aside.y, random.between(0.6, 1.4));
            let found = map.at(&point);
            assert!((found.distance - (point.z - 1.0)).abs() < 1e-12, "{found:?}");
            assert!((found.gradient - Vec3::z()).norm() < 1e-12, "{found:?}");
        }
    }

    #[test]
    fn meshes_that_have_no_inside_are_refused() {
        let mut open = cube([1.0; 3]);
        open.triangles.pop();
        assert!(matches!(DistanceMap::of_mesh(&open, 0.1, 0.1), Err(MapError::NotClosed { .. })));
        let mut turned = cube([1.0; 3]);
        turned.triangles.iter_mut().for_each(|t| t.swap(0, 1));
        let error = DistanceMap::of_mesh(&turned, 0.1, 0.1).unwrap_err();
        assert!(matches!(error, MapError::InsideOut(volume) if (volume + 8.0).abs() < 1e-9));
        let mut torn = cube([1.0; 3]);
        torn.triangles[0][0] = 1000;
        assert_eq!(
            DistanceMap::of_mesh(&torn, 0.1, 0.1).unwrap_err(),
            MapError::NoSuchVertex(1000)
        );
    }

    #[test]
    fn grids_without_end_are_refused() {
        let floor = Shape::half_space([0.0, 0.0, 1.0], 0.0).unwrap();
        assert_eq!(
            DistanceMap::of_shape(&floor, 0.1, 0.1).unwrap_err(),
            MapError::Unbounded("half_space")
        );
        let ball = Shape::sphere(1.0).unwrap();
        for (spacing, margin) in [(0.0, 0.1), (f64::NAN, 0.1), (1e-4, 0.1), (0.1, -1.0)] {
            let error = DistanceMap::of_shape(&ball, spacing, margin).unwrap_err();
            assert!(matches!(error, MapError::Grid { .. }), "{error}");
        }
    }

    #[test]
    fn a_point_that_is_not_finite_has_no_distance_and_no_bounds() {
        let map = DistanceMap::of_mesh(&cube([1.0; 3]), 0.5, 0.5).unwrap();
        for bad in [f64::NAN, f64::INFINITY] {
            let found = map.at(&Vec3::new(bad, 0.0, 0.0));
            assert!(found.distance.is_nan(), "{found:?}");
            assert_eq!([found.lower, found.upper], [f64::NEG_INFINITY, f64::INFINITY]);
        }
    }
}
