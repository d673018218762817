//! The vertices of one body against the distance map of another.

use super::DistanceMap;
use crate::relative_pair::transform;
use smooth_scene_geometry::TriangleMesh;
use smooth_scene_geometry::math::{Pose, Vec3};

/// The surface of a body as points, and how far any other point of it is from the nearest of them.
#[derive(Debug, Clone)]
pub struct SampledBody {
    points: Vec<Vec3>,
    gap: f64,
}

/// A vertex inside the mapped body, or close to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MapContact {
    /// Number of the vertex.
    pub vertex: usize,
    /// The vertex, world frame.
    pub point_w: Vec3,
    /// Unit normal out of the mapped body, world frame; `None` on a ridge, where the map has no slope.
    pub normal_w: Option<Vec3>,
    /// Distance of the vertex by the map; negative inside.
    pub distance: f64,
    /// Proven bounds of the distance of the vertex.
    pub bounds: [f64; 2],
}

/// What the vertices of a body say about its distance from a mapped one.
#[derive(Debug, Clone, PartialEq)]
pub struct MapContacts {
    /// Vertices whose distance is not proven to be above the limit of the query, the deepest first.
    pub contacts: Vec<MapContact>,
    /// No point of the body's surface is nearer than this, proven.
    pub lower: f64,
    /// Some vertex is at least this near, proven.
    pub upper: f64,
}

impl SampledBody {
    /// The vertices of a mesh. Between the vertices, its triangles count too.
    pub fn new(mesh: &TriangleMesh) -> Self {
        let covering = |t: &[u32; 3]| covering_radius(&t.map(|v| mesh.vertices[v as usize]));
        let gap = mesh.triangles.iter().map(covering).fold(0.0, f64::max);
        Self { points: mesh.vertices.clone(), gap }
    }

    /// How far a point of the surface can be from the nearest vertex, in metres.
    pub fn gap(&self) -> f64 {
        self.gap
    }

    /// Looks up every vertex in a map [lecture, "Proximity Queries with SDM"]. Contacts are all that may be within `limit`
    /// metres of the mapped body.
    ///
    /// The distance changes no faster than the point moves, so the surface between the vertices is at most
    /// [`gap`](Self::gap) nearer than they are. A mapped body that lies wholly inside this one is not noticed: its surface is then
    /// apart from this one's.
    pub fn contacts(
        &self,
        pose_w: &Pose,
        map: &DistanceMap,
        map_pose_w: &Pose,
        limit: f64,
    ) -> MapContacts {
        let to_map = map_pose_w.inv_mul(pose_w);
        let (mut lower, mut upper) = (f64::INFINITY, f64::INFINITY);
        let mut contacts = Vec::new();
        for (vertex, point) in self.points.iter().enumerate() {
            let value = map.at(&transform(&to_map, point));
            lower = lower.min(value.lower);
            upper = upper.min(value.upper);
            if value.lower > limit {
                continue;
            }
            let slope = value.gradient.norm();
            contacts.push(MapContact {
                vertex,
                point_w: transform(pose_w, point),
                normal_w: (slope > 0.0).then(|| map_pose_w.rotation * (value.gradient / slope)),
                distance: value.distance,
                bounds: [value.lower, value.upper],
            });
        }
        contacts.sort_by(|p, q| p.distance.total_cmp(&q.distance).then(p.vertex.cmp(&q.vertex)));
        MapContacts { contacts, lower: lower - self.gap, upper }
    }
}

/// The largest distance of a point of a triangle from its nearest corner: the radius of the circle through the corners of an
/// acute triangle; otherwise, on the side opposite the widest angle, that of the points as far from one of its ends as
/// from the corner between.
fn covering_radius(corners: &[Vec3; 3]) -> f64 {
    let mut sides = [0, 1, 2].map(|k| (corners[(k + 1) % 3] - corners[(k + 2) % 3]).norm());
    sides.sort_by(f64::total_cmp);
    let [a, b, c] = sides;
    let acute = a * a + b * b > c * c;
    if acute {
        let area = 0.5 * (corners[1] - corners[0]).cross(&(corners[2] - corners[0])).norm();
        return a * b * c / (4.0 * area);
    }
    // Cosines of the angles at the ends of the longest side; with a side of no length, half of the others.
    let cosine = |near: f64, far: f64| (near * near + c * c - far * far) / (2.0 * near * c);
    let from =
        |near: f64, far: f64| if near > 0.0 { near / (2.0 * cosine(near, far)) } else { 0.0 };
    from(a, b).max(from(b, a)).min(0.5 * c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dense_search::Random;
    use smooth_scene_geometry::{Shape, tessellate, tessellate_with_vertex_count};
    use smooth_scene_query::{QueryOptions, distance};

    /// The proven bound on the whole surface never exceeds the proven distance of the bodies, apart and overlapping, and is
    /// near it.
    #[test]
    fn the_bound_of_a_whole_surface_holds_and_is_near_the_distance() {
        const SPACING: f64 = 0.25;
        let mut random = Random(41);
        let mapped = random.mild_superellipsoid();
        let map = DistanceMap::of_shape(&mapped, SPACING, 2.5).unwrap();
        let mut apart = 0;
        for _ in 0..40 {
            let shape = random.mild_superellipsoid();
            let mesh = tessellate_with_vertex_count(&shape, 2000);
            let body = SampledBody::new(&mesh);
            let hull = Shape::convex_mesh(&mesh.vertices).unwrap();
            let (place, reach) = (random.pose(1.0), random.between(1.2, 3.0));
            let pose = place * random.pose(reach);
            let truth = distance(&mapped, &place, &hull, &pose, &QueryOptions::default());
            let found = body.contacts(&pose, &map, &place, 0.0);
            if truth.lower > 0.0 {
                apart += 1;
                assert!(found.lower <= truth.upper, "{found:?} {truth:?}");
                assert!(found.upper >= truth.lower);
                // The bounds of a vertex are at most √3 spacings wide.
                let width = body.gap() + 3f64.sqrt() * SPACING + 1e-9;
                assert!(truth.distance - found.lower <= width, "{truth:?} {found:?}");
            } else {
                assert!(found.lower <= 0.0, "{found:?}");
            }
            assert!(found.contacts.iter().all(|c| c.bounds[0] <= 0.0));
        }
        assert!((5..35).contains(&apart), "{apart}");
    }

    /// A ball of 0.5 m that is 0.1 m deep in a box: the deepest vertex, its depth and its normal.
    #[test]
    fn the_deepest_vertex_has_the_depth_and_the_normal_of_the_contact() {
        let table = tessellate(&Shape::cuboid([1.0, 1.0, 0.5]).unwrap(), 1e-9);
        let map = DistanceMap::of_mesh(&table, 0.05, 0.2).unwrap();
        let ball = tessellate_with_vertex_count(&Shape::sphere(0.5).unwrap(), 1000);
        let body = SampledBody::new(&ball);
        let pose = Pose::translation(0.2, -0.1, 0.9);
        let found = body.contacts(&pose, &map, &Pose::identity(), 0.0);
        let deepest = found.contacts[0];
        assert!((deepest.distance + 0.1).abs() < 0.01, "{deepest:?}");
        assert!((deepest.normal_w.unwrap() - Vec3::z()).norm() < 1e-9, "{deepest:?}");
        assert!(found.lower <= -0.1 && found.upper <= -0.09, "{} {}", found.lower, found.upper);
        // Every contact but those within the width of the bounds is inside the table.
        let inside = found.contacts.iter().filter(|c| c.point_w.z < 0.5).count();
        assert!(inside > 20 && found.contacts.len() < 3 * inside);
    }

    /// No point of random triangles is farther from all corners than the covering radius, and one is about as far.
    #[test]
    fn the_covering_radius_is_that_of_the_point_farthest_from_all_corners() {
        let mut random = Random(42);
        for _ in 0..200 {
            let corners = [0; 3].map(|_| Vec3::from_fn(|_, _| random.between(-1.0, 1.0)));
            let radius = covering_radius(&corners);
            let mut farthest: f64 = 0.0;
            for i in 0..=200 {
                for j in 0..=200 - i {
                    let (u, v) = (f64::from(i) / 200.0, f64::from(j) / 200.0);
                    let p = corners[0] * (1.0 - u - v) + corners[1] * u + corners[2] * v;
                    let nearest = corners.iter().map(|c| (c - p).norm());
                    farthest = farthest.max(nearest.fold(f64::INFINITY, f64::min));
                }
            }
            assert!(farthest <= radius * (1.0 + 1e-12) && farthest > 0.97 * radius);
        }
    }
}
