//! The highest vertex of a hull along a direction, found by looking at all of them in single precision, eight at a time: sooner
//! than walking from vertex to vertex for hulls of up to some hundred vertices.
//!
//! What is found is a vertex, so a point of the hull. Another may be higher by the rounding of two heights. With ε = 2⁻²⁴, a
//! unit direction and R the distance of the farthest vertex from the origin, a height is wrong by less than √3·R·2ε for
//! its rounded factors and 3·R·ε for products and sums, so by less than 7·R·ε, and two of them by less than 2⁻²⁰·R.

use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::Vec3;
use smooth_scene_geometry::simd::{F32x8, Kernel, Lanes, Level, Simd, dot};
use smooth_scene_geometry::xyz;

use super::kinematics::LANES;
use super::lane_pose::{rounded_vector, splat};

/// Hulls with more vertices are walked on.
const MOST_VERTICES: usize = 512;
/// By how much another vertex may be higher than the one that is found, relative to the farthest vertex.
const ROUNDING: f64 = 1.0 / (1u32 << 20) as f64;

/// The vertices of a hull.
#[derive(Debug, Clone)]
pub(super) struct LaneHull {
    /// Filled up to a multiple of eight with one of them.
    vertices: Vec<Vec3>,
    groups: Vec<[F32x8; 3]>,
    /// By how much the support value may be larger than that of the vertex that is found, m.
    pub slack: f64,
}

impl LaneHull {
    /// Prepares a convex mesh; nothing for other shapes and for large meshes.
    pub fn new(shape: &Shape) -> Option<Self> {
        let Shape::ConvexMesh(mesh) = shape else { return None };
        let mut vertices = mesh.vertices().to_vec();
        let first = *vertices.first()?;
        if vertices.len() > MOST_VERTICES {
            return None;
        }
        vertices.resize(vertices.len().next_multiple_of(LANES), first);
        let group = |group: &[Vec3]| {
            let rounded: [[f32; 3]; LANES] = std::array::from_fn(|k| rounded_vector(&group[k]));
            std::array::from_fn(|axis| F32x8(rounded.map(|vertex| vertex[axis])))
        };
        let groups = vertices.chunks_exact(LANES).map(group).collect();
        let farthest = vertices.iter().map(|vertex| vertex.norm()).fold(0.0, f64::max);
        Some(Self { vertices, groups, slack: ROUNDING * farthest })
    }

    /// The highest vertex along a unit direction, or one that is lower by no more than the slack.
    pub fn highest(&self, dir: &Vec3) -> &Vec3 {
        let found = Level::detect().run(Highest { groups: &self.groups, dir: rounded_vector(dir) });
        &self.vertices[found]
    }
}

struct Highest<'a> {
    groups: &'a [[F32x8; 3]],
    dir: [f32; 3],
}

impl Kernel for Highest<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<S: Simd>(self) -> usize {
        let dir = splat::<S>(&self.dir);
        let one = S::F32x8::splat(1.0);
        let (mut number, mut place) = (S::F32x8::splat(0.0), S::F32x8::splat(0.0));
        let mut height = S::F32x8::splat(f64::NEG_INFINITY);
        for group in self.groups {
            let candidate = dot(&dir, &xyz!(|k| S::F32x8::from(group[k])));
            place = candidate.simd_gt(height).select(number, place);
            height = height.max(candidate);
            number = number + one;
        }
        let (heights, places): (F32x8, F32x8) = (height.into(), place.into());
        let mut best = 0;
        for lane in 1..LANES {
            if heights.0[lane] > heights.0[best] {
                best = lane;
            }
        }
        places.0[best] as usize * LANES + best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smooth_scene_geometry::ConvexSurface;
    use smooth_scene_geometry::math::unit_or;
    use smooth_scene_geometry::testing::uniform_numbers;

    #[test]
    fn no_vertex_is_higher_by_more_than_the_slack() {
        let mut uniform = uniform_numbers(7);
        for count in [5, 30, 300] {
            let cloud: Vec<Vec3> = (0..count)
                .map(|_| {
                    let point = Vec3::new(uniform(), uniform(), uniform()) - Vec3::repeat(0.4);
                    unit_or(&point, &Vec3::x()) + Vec3::repeat(0.3)
                })
                .collect();
            let shape = Shape::convex_mesh(&cloud).unwrap();
            let hull = LaneHull::new(&shape).unwrap();
            for _ in 0..2000 {
                let dir = Vec3::new(uniform(), uniform(), uniform()) - Vec3::repeat(0.5);
                let dir = unit_or(&dir, &Vec3::x());
                let (found, exact) = (hull.highest(&dir).dot(&dir), shape.support(&dir).value);
                assert!(found <= exact && exact <= found + hull.slack, "{found} {exact}");
            }
        }
    }

    #[test]
    fn only_small_meshes_are_looked_at_as_a_whole() {
        assert!(LaneHull::new(&Shape::sphere(1.0).unwrap()).is_none());
        let point = |k: u32| {
            let k = f64::from(k);
            Vec3::new((0.7 * k).sin(), (0.7 * k).cos(), 0.001 * k)
        };
        let cloud: Vec<Vec3> = (0..600).map(point).collect();
        assert!(LaneHull::new(&Shape::convex_mesh(&cloud).unwrap()).is_none());
    }
}
