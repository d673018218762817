//! Planes in front of a body: searches for the nearest ones, alone or together, and the exact queries behind them.

use crate::cloth::obstacle::{Obstacle, VertexPlane};
use crate::cloth::plane::{Improved, Kind, Plane, PointSearch, touching};
use crate::cloth::triangle_plane::{
    TrianglePlane, TriangleSearch, lowest, lowest_corner, nearest_on_triangle,
};
use crate::cloth::tuning::{DIFFERENCE, FIRST_STEPS, NEXT_STEPS};
use smooth_scene_geometry::math::{Pose, Vec3, unit_or};
use smooth_scene_geometry::{ConvexSurface, SupportJet};
use smooth_scene_query::{QueryOptions, Separating, point_distance, separating_direction};

impl Obstacle {
    /// Begins the search for a plane between a point and the body: from a known plane, or from scratch.
    pub fn point_search(&self, point_w: &Vec3, from: Option<&Plane>) -> PointSearch {
        let point = self.to_body(point_w);
        match from {
            Some(plane) => {
                let normal = self.pose.rotation.inverse_transform_vector(&plane.normal);
                PointSearch::new(point, normal, NEXT_STEPS)
            }
            None => PointSearch::new(point, self.outward(&point), FIRST_STEPS),
        }
    }

    /// Runs searches to their end. Each ends with the nearest plane, or with one that `will_do` accepts; `will_do` gets the search's
    /// index, the plane in the world frame and the gap of the point.
    pub fn point_planes(
        &self,
        searches: &mut [PointSearch],
        will_do: impl Fn(usize, &Plane, f64) -> bool,
    ) -> Vec<VertexPlane> {
        if let Some(plane) = self.only_plane() {
            return vec![VertexPlane::flat(plane); searches.len()];
        }
        let ends = |k: usize, plane: &Plane, gap: f64| will_do(k, &self.to_world(plane), gap);
        self.ask(
            searches,
            |search| search.goes_on.then_some(search.direction),
            |k, search, jet| {
                search.take(jet, |plane, gap| ends(k, plane, gap));
            },
        );
        let end = |search: &PointSearch| {
            let Improved { plane, kind, radius } = search.found();
            match kind {
                Some(kind) => VertexPlane { plane: self.to_world(&plane), kind, radius },
                None => VertexPlane::sharp(self.exact_b(&search.point)),
            }
        };
        searches.iter().map(end).collect()
    }

    /// One plane, from scratch.
    pub fn first_plane(
        &self,
        point_w: &Vec3,
        will_do: impl Fn(&Plane, f64) -> bool,
    ) -> VertexPlane {
        if let Some(plane) = self.only_plane() {
            return VertexPlane::flat(plane);
        }
        let mut search = [self.point_search(point_w, None)];
        self.point_planes(&mut search, |_, plane, gap| will_do(plane, gap))[0]
    }

    /// Asks the support function for all searches that go on, until none does: four at a time where the body has lanes.
    fn ask<T>(
        &self,
        searches: &mut [T],
        direction: impl Fn(&T) -> Option<Vec3>,
        mut take: impl FnMut(usize, &mut T, SupportJet),
    ) {
        let Some(lanes) = self.lanes.as_ref().filter(|_| searches.len() > 1) else {
            for (k, search) in searches.iter_mut().enumerate() {
                while let Some(dir) = direction(search) {
                    take(k, search, self.shape.support_jet(&dir));
                }
            }
            return;
        };
        let mut open: Vec<usize> = (0..searches.len()).collect();
        while !open.is_empty() {
            for four in open.chunks(4) {
                let dir = |lane: usize| {
                    let search = &searches[four[lane.min(four.len() - 1)]];
                    direction(search).expect("only searches that go on are open")
                };
                let dirs = [0, 1, 2, 3].map(dir);
                let jets = lanes.support_jets([&dirs[0], &dirs[1], &dirs[2], &dirs[3]]);
                for (&k, jet) in four.iter().zip(jets) {
                    take(k, &mut searches[k], jet);
                }
            }
            open.retain(|&k| direction(&searches[k]).is_some());
        }
    }

    /// The direction in which a search begins at a point, frame of the body: that of the gradient of the implicit function, which
    /// on the surface is the normal, by differences.
    fn outward(&self, point: &Vec3) -> Vec3 {
        let away = point - self.ball_b.center;
        let step = DIFFERENCE * (away.norm() + self.ball_b.radius);
        let value = |point: &Vec3| self.shape.inside_outside(point);
        let here = value(point);
        let slope = Vec3::from_fn(|axis, _| value(&(point + Vec3::ith(axis, step))) - here);
        unit_or(&slope, &unit_or(&away, &Vec3::z()))
    }

    /// The same for a triangle, at its middle, world frame.
    pub fn towards(&self, corners_w: &[Vec3; 3]) -> Vec3 {
        let middle = (corners_w[0] + corners_w[1] + corners_w[2]) / 3.0;
        self.pose.rotation * self.outward(&self.to_body(&middle))
    }

    /// By the distance query: for faces, edges and corners, where Newton's method stalls, and for points inside.
    pub fn exact(&self, point_w: &Vec3) -> Plane {
        if let Some(plane) = self.only_plane() {
            return plane;
        }
        self.exact_b(&self.to_body(point_w))
    }

    /// The same for a point in the frame of the body.
    fn exact_b(&self, point: &Vec3) -> Plane {
        let options = QueryOptions::default();
        let found = point_distance(&self.shape, &Pose::identity(), point, &options);
        self.to_world(&touching(&self.shape, found.normal_w))
    }

    /// Begins the search for a plane with a triangle in front of it.
    pub fn triangle_search(
        &self,
        corners_w: &[Vec3; 3],
        start_w: &Vec3,
        rounds: u32,
    ) -> TriangleSearch {
        let start = self.pose.rotation.inverse_transform_vector(start_w);
        TriangleSearch::new(corners_w.map(|corner| self.to_body(&corner)), start, rounds)
    }

    /// Ends searches, each with a plane if there is one; see `point_planes` for the user's part. Where the search finds none that
    /// separates, the simplex search of the query decides.
    pub fn triangle_planes(
        &self,
        searches: &mut [TriangleSearch],
        will_do: impl Fn(usize, &Plane, f64) -> bool,
    ) -> Vec<Option<TrianglePlane>> {
        let ends = |k: usize, plane: &Plane, gap: f64| will_do(k, &self.to_world(plane), gap);
        self.ask(
            searches,
            |search| search.goes_on.then_some(search.direction),
            |k, search, jet| {
                search.take(jet, |plane, gap| ends(k, plane, gap));
            },
        );
        let end = |search: &TriangleSearch| {
            let (gap, found) = search.found();
            if gap > 0.0 {
                return Some(TrianglePlane { plane: self.to_world(&found.plane), ..found });
            }
            self.separate(&search.corners, &found.plane.normal)
        };
        searches.iter().map(end).collect()
    }

    /// One plane.
    pub fn triangle_plane(
        &self,
        corners_w: &[Vec3; 3],
        start_w: &Vec3,
        will_do: impl Fn(&Plane, f64) -> bool,
    ) -> Option<TrianglePlane> {
        let mut search = [self.triangle_search(corners_w, start_w, FIRST_STEPS)];
        self.triangle_planes(&mut search, |_, plane, gap| will_do(plane, gap))[0]
    }

    /// By the simplex search, frame of the body.
    fn separate(&self, corners: &[Vec3; 3], start: &Vec3) -> Option<TrianglePlane> {
        let support = |n: &Vec3| lowest_corner(corners, n) - self.shape.support(n).point;
        let Separating::Found { normal, .. } = separating_direction(0.0, start, support) else {
            return None;
        };
        let plane = touching(&self.shape, normal);
        if lowest(corners, &normal) <= plane.offset {
            return None;
        }
        let weights = nearest_on_triangle(corners, &self.shape.support(&normal).point);
        let plane = self.to_world(&plane);
        Some(TrianglePlane { plane, kind: Kind::Nearest, radius: 0.0, weights })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cloth::obstacle::ClothBody;
    use crate::cloth::triangle_plane::weighted;
    use smooth_scene_geometry::Shape;
    use smooth_scene_test_support::families::Rng;

    fn obstacle(shape: Shape, pose: Pose) -> Obstacle {
        let body = ClothBody { name: "body".to_owned(), shape, pose };
        Obstacle::parts_of(0, &body).remove(0)
    }

    /// A ball beside a triangle, anywhere: the plane is between them, whether or not the few rounds reach the nearest one.
    #[test]
    fn the_plane_of_a_triangle_and_a_ball_is_between_them() {
        let mut rng = Rng::new(5);
        for _ in 0..300 {
            let mut point = || Vec3::new(rng.unit() - 0.5, rng.unit() - 0.5, rng.unit() - 0.5);
            let (corners, center) = ([point(), point(), point()], point() * 2.0);
            let nearest = weighted(&corners, &nearest_on_triangle(&corners, &center));
            let radius = 0.7 * (nearest - center).norm();
            if radius < 0.02 {
                continue;
            }
            let pose = Pose::from(center);
            let ball = obstacle(Shape::sphere(radius).unwrap(), pose);
            let found = ball.triangle_plane(&corners, &Vec3::z(), |_, _| false);
            let found = found.expect("they are apart");
            let gap = lowest(&corners, &found.plane.normal) - found.plane.offset;
            let distance = (nearest - center).norm() - radius;
            assert!(gap > 0.0 && gap <= distance + 1e-12, "{gap} {distance}");
        }
    }

    /// Nine fill two groups of four lanes and one lane of a third.
    #[test]
    fn planes_found_together_are_those_found_alone() {
        let mut rng = Rng::new(9);
        for exponents in [[0.7, 1.2], [1.0, 1.0], [0.4, 0.5]] {
            let shape = Shape::superellipsoid([0.2, 0.3, 0.4], exponents[0], exponents[1]).unwrap();
            let pose = Pose::from_parts(rng.direction().into(), rng.rotation());
            let body = obstacle(shape, pose);
            let points: Vec<Vec3> = (0..9)
                .map(|_| pose.translation.vector + rng.direction() * rng.uniform(0.45, 1.0))
                .collect();
            let mut searches: Vec<PointSearch> =
                points.iter().map(|point| body.point_search(point, None)).collect();
            let together = body.point_planes(&mut searches, |_, _, _| false);
            for (point, together) in points.iter().zip(together) {
                let alone = body.first_plane(point, |_, _| false);
                assert_eq!(together.kind, alone.kind);
                assert!((together.plane.normal - alone.plane.normal).amax() < 1e-12);
                assert!((together.plane.offset - alone.plane.offset).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn a_triangle_that_a_body_sticks_through_has_no_plane() {
        let spike = obstacle(Shape::ellipsoid([0.01, 0.01, 1.0]).unwrap(), Pose::identity());
        let corners = [[-1.0, -1.0, 0.1], [1.0, -1.0, 0.1], [0.0, 1.0, 0.1]].map(Vec3::from);
        assert!(spike.triangle_plane(&corners, &Vec3::z(), |_, _| false).is_none());
    }

    #[test]
    fn a_plane_that_moves_with_its_body_touches_it_as_before() {
        let shape = Shape::superellipsoid([0.2, 0.3, 0.4], 0.7, 1.2).unwrap();
        let mut body =
            obstacle(shape, Pose::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.1, 0.2, 0.3)));
        let point = Vec3::new(1.4, 2.3, 3.2);
        let plane = body.first_plane(&point, |_, gap| gap >= 1.0).plane;
        body.before = body.pose;
        body.pose = Pose::new(Vec3::new(-1.0, 0.5, 2.0), Vec3::new(-0.4, 1.0, 0.3));
        body.is_moving = true;
        let moved = body.carried_plane(&plane);
        let gap = moved.gap(&body.carried(&point));
        assert!((gap - plane.gap(&point)).abs() < 1e-13, "{gap}");
    }
}
