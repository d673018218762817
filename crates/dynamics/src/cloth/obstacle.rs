//! Bodies that the cloth meets, and the planes in front of them.

use crate::cloth::plane::{Plane, improve, newton_turn, touching};
use nalgebra::Point3;
use smooth_scene_geometry::math::{Pose, Vec3, rotation_from_vector, rotation_vector, unit_or};
use smooth_scene_geometry::{Aabb, ConvexSurface, Shape};
use smooth_scene_query::{QueryOptions, Separating, point_distance, separating_direction};

/// Rounds of Newton's method when a plane is made, and when it is made anew.
const FIRST_ROUNDS: u32 = 6;
const ROUNDS: u32 = 3;
/// Relative difference of gap and distance at which the plane of a triangle counts as the nearest.
const NEAR_ENOUGH: f64 = 1e-3;

/// A body that the cloth lies on: a convex surface, or a half-space.
#[derive(Debug, Clone, PartialEq)]
pub struct ClothBody {
    /// For errors.
    pub name: String,
    /// Its surface. A compound stands for its parts.
    pub shape: Shape,
    /// Where it is, world frame.
    pub pose: Pose,
}

/// One convex part of a body.
#[derive(Debug, Clone)]
pub(crate) struct Obstacle {
    /// Which body, and where in it.
    pub body: usize,
    pub local: Pose,
    pub shape: Shape,
    pub pose: Pose,
    /// Where it was at the beginning of the substep; the same unless it moves.
    pub before: Pose,
    pub is_moving: bool,
    /// Whether it may come between the vertices of a mesh of this cloth.
    pub fits_a_mesh: bool,
}

/// A triangle in front of a plane: where on it the body is nearest.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TrianglePlane {
    pub plane: Plane,
    /// Barycentric coordinates of the nearest point.
    pub weights: [f64; 3],
}

impl Obstacle {
    /// The convex parts of a body.
    pub fn parts_of(body: usize, given: &ClothBody) -> Vec<Obstacle> {
        let one = |local: Pose, shape: &Shape| {
            let pose = given.pose * local;
            let (is_moving, fits_a_mesh) = (false, false);
            let shape = shape.clone();
            Obstacle { body, local, shape, pose, before: pose, is_moving, fits_a_mesh }
        };
        match &given.shape {
            Shape::Compound(compound) => {
                compound.parts().iter().map(|(pose, shape)| one(*pose, shape)).collect()
            }
            shape => vec![one(Pose::identity(), shape)],
        }
    }

    /// Whether the body may touch a triangle whose corners are farther from it than the thickness t.
    ///
    /// Where a point of the triangle is in the body it is in a ball of radius R inside the body, R the least radius of curvature, and the
    /// corners are R + t or more from the centre c. A point p = Σ bᵢxᵢ of a triangle in a ball of radius ρ has
    ///
    /// ```text
    /// |p − c|² = Σ bᵢ|xᵢ − c|² − Σ bᵢ|xᵢ − p|² ≥ (R + t)² − ρ²
    /// ```
    ///
    /// so that with (R + t)² − ρ² > R² there is no such point.
    pub fn set_mesh(&mut self, thickness: f64, rho_squared: f64) {
        let radius = self.shape.min_radius_of_curvature();
        let is_plane = matches!(self.shape, Shape::HalfSpace(_));
        self.fits_a_mesh = !is_plane && thickness * (2.0 * radius + thickness) <= rho_squared;
    }

    /// Its box in its present pose.
    pub fn aabb(&self) -> Aabb {
        self.shape.aabb(&self.pose)
    }

    /// Where a point would be at the end of the substep if it moved with the body.
    #[inline]
    pub fn carried(&self, point_w: &Vec3) -> Vec3 {
        if !self.is_moving {
            return *point_w;
        }
        let local = self.before.inverse_transform_point(&(*point_w).into());
        (self.pose * local).coords
    }

    /// A plane that moves with the body.
    pub fn carried_plane(&self, plane: &Plane) -> Plane {
        let offset_b = plane.offset - plane.normal.dot(&self.before.translation.vector);
        let normal_b = self.before.rotation.inverse_transform_vector(&plane.normal);
        self.to_world(&Plane { normal: normal_b, offset: offset_b })
    }

    fn to_world(&self, plane_b: &Plane) -> Plane {
        let normal = self.pose.rotation * plane_b.normal;
        Plane { normal, offset: plane_b.offset + normal.dot(&self.pose.translation.vector) }
    }

    fn to_body(&self, point_w: &Vec3) -> Vec3 {
        self.pose.inverse_transform_point(&(*point_w).into()).coords
    }

    /// A plane between a point and the body: that of the nearest point, or one that is nearly so.
    pub fn first_plane(&self, point_w: &Vec3, near: f64) -> Plane {
        if let Some(plane) = self.only_plane() {
            return plane;
        }
        let point = self.to_body(point_w);
        let center = self.shape.bounding_sphere().center;
        let start = unit_or(&(point - center), &Vec3::z());
        let found = improve(&self.shape, &point, &start, near, FIRST_ROUNDS);
        let plane = self.to_world(&found.plane);
        // Far from the body any plane will do.
        if found.is_nearest || plane.gap(point_w) > near { plane } else { self.exact(point_w) }
    }

    /// A plane that is nearer to that of the nearest point than the one given, or the same.
    pub fn better_plane(&self, point_w: &Vec3, plane: &Plane) -> Plane {
        if let Some(plane) = self.only_plane() {
            return plane;
        }
        let point = self.to_body(point_w);
        let normal_b = self.pose.rotation.inverse_transform_vector(&plane.normal);
        let found = improve(&self.shape, &point, &normal_b, f64::INFINITY, ROUNDS);
        let better = self.to_world(&found.plane);
        let better = if found.is_nearest { better } else { self.exact(point_w) };
        if better.gap(point_w) > plane.gap(point_w) { better } else { *plane }
    }

    /// A direction from the middle of the body to a triangle, world frame.
    pub fn towards(&self, corners_w: &[Vec3; 3]) -> Vec3 {
        let center = self.pose * Point3::from(self.shape.bounding_sphere().center);
        let middle = (corners_w[0] + corners_w[1] + corners_w[2]) / 3.0;
        unit_or(&(middle - center.coords), &Vec3::z())
    }

    /// That of a half-space.
    fn only_plane(&self) -> Option<Plane> {
        let Shape::HalfSpace(half_space) = &self.shape else { return None };
        Some(self.to_world(&Plane { normal: half_space.normal(), offset: half_space.offset() }))
    }

    /// By the distance query: for faces, edges and corners, where Newton's method stalls, and for points inside.
    pub fn exact(&self, point_w: &Vec3) -> Plane {
        if let Some(plane) = self.only_plane() {
            return plane;
        }
        let point = self.to_body(point_w);
        let options = QueryOptions::default();
        let found = point_distance(&self.shape, &Pose::identity(), &point, &options);
        self.to_world(&touching(&self.shape, found.normal_w))
    }

    /// A plane with a triangle in front of it, as near to the one of the nearest points as a few rounds bring it; none if there is none.
    ///
    /// With q the support point of the body along n and p the point of the triangle nearest to it, n becomes their direction
    /// where p is inside the triangle (the normal of the triangle, then), and else that of Newton's method for p. The best n
    /// is kept, and a gap that is enough ends the search. Where none separates, the simplex search of the query decides.
    pub fn triangle_plane(
        &self,
        corners_w: &[Vec3; 3],
        start_w: &Vec3,
        enough: f64,
    ) -> Option<TrianglePlane> {
        let corners = corners_w.map(|corner| self.to_body(&corner));
        let mut normal = self.pose.rotation.inverse_transform_vector(start_w);
        let mut best: Option<(f64, Plane, [f64; 3])> = None;
        for _ in 0..FIRST_ROUNDS {
            let jet = self.shape.support_jet(&normal);
            let weights = nearest_on_triangle(&corners, &jet.point);
            let point = weighted(&corners, &weights);
            let gap = lowest(&corners, &normal) - jet.value;
            if best.is_none_or(|best| gap > best.0) {
                best = Some((gap, Plane { normal, offset: jet.value }, weights));
            }
            let away = point - jet.point;
            if gap >= enough || gap >= (1.0 - NEAR_ENOUGH) * away.norm() {
                break;
            }
            normal = match weights.iter().all(|&weight| weight > 0.0) {
                true => unit_or(&away, &normal),
                false => {
                    let turn = newton_turn(&point, &normal, &jet, normal.dot(&away));
                    unit_or(&(normal + turn), &normal)
                }
            };
        }
        let (gap, plane, weights) = best.expect("there is at least one round");
        if gap > 0.0 {
            return Some(TrianglePlane { plane: self.to_world(&plane), weights });
        }
        self.separate(&corners, &plane.normal)
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
        Some(TrianglePlane { plane: self.to_world(&plane), weights })
    }
}

/// Poses on the way from one to another, at a constant rate.
pub(crate) fn pose_between(from: &Pose, to: &Pose, share: f64) -> Pose {
    let turn = rotation_vector(&(from.rotation.inverse() * to.rotation));
    let shift = to.translation.vector - from.translation.vector;
    let rotation = from.rotation * rotation_from_vector(&(turn * share));
    Pose::from_parts((from.translation.vector + shift * share).into(), rotation)
}

fn lowest_corner(corners: &[Vec3; 3], normal: &Vec3) -> Vec3 {
    let [a, b, c] = corners.map(|corner| normal.dot(&corner));
    if a <= b && a <= c {
        corners[0]
    } else if b <= c {
        corners[1]
    } else {
        corners[2]
    }
}

/// The least n·x over a triangle.
pub(crate) fn lowest(corners: &[Vec3; 3], normal: &Vec3) -> f64 {
    let [a, b, c] = corners.map(|corner| normal.dot(&corner));
    a.min(b).min(c)
}

pub(crate) fn weighted(corners: &[Vec3; 3], weights: &[f64; 3]) -> Vec3 {
    corners[0] * weights[0] + corners[1] * weights[1] + corners[2] * weights[2]
}

/// Barycentric coordinates of the point of a triangle nearest to a point [Ericson 2005, §5.1.5].
pub(crate) fn nearest_on_triangle([a, b, c]: &[Vec3; 3], point: &Vec3) -> [f64; 3] {
    let (ab, ac, ap) = (b - a, c - a, point - a);
    let (d1, d2) = (ab.dot(&ap), ac.dot(&ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    let bp = point - b;
    let (d3, d4) = (ab.dot(&bp), ac.dot(&bp));
    if d3 >= 0.0 && d4 <= d3 {
        return [0.0, 1.0, 0.0];
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let t = d1 / (d1 - d3);
        return [1.0 - t, t, 0.0];
    }
    let cp = point - c;
    let (d5, d6) = (ab.dot(&cp), ac.dot(&cp));
    if d6 >= 0.0 && d5 <= d6 {
        return [0.0, 0.0, 1.0];
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let t = d2 / (d2 - d6);
        return [1.0 - t, 0.0, t];
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        let t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return [0.0, 1.0 - t, t];
    }
    let sum = va + vb + vc;
    [va / sum, vb / sum, vc / sum]
}

#[cfg(test)]
mod tests {
    use super::*;
    use smooth_scene_test_support::families::Rng;

    fn obstacle(shape: Shape, pose: Pose) -> Obstacle {
        let body = ClothBody { name: "body".to_owned(), shape, pose };
        Obstacle::parts_of(0, &body).remove(0)
    }

    /// Against points all over the triangle.
    #[test]
    fn no_point_of_the_triangle_is_nearer() {
        let mut rng = Rng::new(3);
        let mut point = || Vec3::new(rng.unit(), rng.unit(), rng.unit());
        for _ in 0..200 {
            let (corners, q) = ([point(), point(), point()], point() * 2.0 - Vec3::repeat(0.5));
            let weights = nearest_on_triangle(&corners, &q);
            assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            let found = (weighted(&corners, &weights) - q).norm();
            for i in 0..=20 {
                for j in 0..=20 - i {
                    let (s, t) = (f64::from(i) / 20.0, f64::from(j) / 20.0);
                    let other = weighted(&corners, &[1.0 - s - t, s, t]);
                    assert!(found <= (other - q).norm() + 1e-12);
                }
            }
        }
    }

    /// A ball that touches a triangle from below, wherever: the plane is between them, and touches the ball where it is nearest.
    #[test]
    fn the_plane_of_a_triangle_and_a_ball_is_the_nearest_one() {
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
            let found =
                ball.triangle_plane(&corners, &Vec3::z(), f64::INFINITY).expect("they are apart");
            let gap = lowest(&corners, &found.plane.normal) - found.plane.offset;
            let distance = (nearest - center).norm() - radius;
            assert!(gap > 0.0 && gap <= distance + 1e-12, "{gap} {distance}");
        }
    }

    #[test]
    fn a_triangle_that_a_body_sticks_through_has_no_plane() {
        let spike = obstacle(Shape::ellipsoid([0.01, 0.01, 1.0]).unwrap(), Pose::identity());
        let corners = [[-1.0, -1.0, 0.1], [1.0, -1.0, 0.1], [0.0, 1.0, 0.1]].map(Vec3::from);
        assert!(spike.triangle_plane(&corners, &Vec3::z(), f64::INFINITY).is_none());
    }

    #[test]
    fn a_plane_that_moves_with_its_body_touches_it_as_before() {
        let shape = Shape::superellipsoid([0.2, 0.3, 0.4], 0.7, 1.2).unwrap();
        let mut body =
            obstacle(shape, Pose::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.1, 0.2, 0.3)));
        let point = Vec3::new(1.4, 2.3, 3.2);
        let plane = body.first_plane(&point, 1.0);
        body.before = body.pose;
        body.pose = Pose::new(Vec3::new(-1.0, 0.5, 2.0), Vec3::new(-0.4, 1.0, 0.3));
        body.is_moving = true;
        let moved = body.carried_plane(&plane);
        let gap = moved.gap(&body.carried(&point));
        assert!((gap - plane.gap(&point)).abs() < 1e-13, "{gap}");
    }
}
