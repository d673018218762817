//! Bodies that the cloth meets, and the planes of their bounding boxes and balls.

use crate::cloth::plane::{Kind, Plane};
use crate::cloth::triangle_plane::{TrianglePlane, lowest, nearest_corner};
use smooth_scene_geometry::math::{Pose, Vec3, rotation_from_vector, rotation_vector, unit_or};
use smooth_scene_geometry::{Aabb, BoundingSphere, ConvexSurface, Shape};
use smooth_scene_query::SuperellipsoidX4;

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
    /// What it is inside of, in its frame; kept because both take powers.
    box_b: Aabb,
    pub ball_b: BoundingSphere,
    /// Its support function, four at a time.
    pub lanes: Option<SuperellipsoidX4>,
}

/// A plane, what is known about it, and the least radius of curvature of the body where it touches it, m.
#[derive(Debug, Clone, Copy)]
pub(crate) struct VertexPlane {
    pub plane: Plane,
    pub kind: Kind,
    pub radius: f64,
}

impl VertexPlane {
    /// As good as it gets, of a body of which no curvature is known.
    pub fn sharp(plane: Plane) -> Self {
        Self { plane, kind: Kind::Nearest, radius: 0.0 }
    }

    /// That of a half-space.
    pub fn flat(plane: Plane) -> Self {
        Self { plane, kind: Kind::Nearest, radius: f64::INFINITY }
    }
}

impl Obstacle {
    /// The convex parts of a body.
    pub fn parts_of(body: usize, given: &ClothBody) -> Vec<Obstacle> {
        let one = |local: Pose, shape: &Shape| {
            let pose = given.pose * local;
            let (is_moving, fits_a_mesh) = (false, false);
            let (box_b, ball_b) = (shape.local_aabb(), shape.bounding_sphere());
            let (lanes, shape, before) = (SuperellipsoidX4::new(shape), shape.clone(), pose);
            Obstacle {
                body,
                local,
                shape,
                pose,
                before,
                is_moving,
                fits_a_mesh,
                box_b,
                ball_b,
                lanes,
            }
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

    pub fn to_world(&self, plane_b: &Plane) -> Plane {
        let normal = self.pose.rotation * plane_b.normal;
        Plane { normal, offset: plane_b.offset + normal.dot(&self.pose.translation.vector) }
    }

    pub fn to_body(&self, point_w: &Vec3) -> Vec3 {
        self.pose.inverse_transform_point(&(*point_w).into()).coords
    }

    /// A plane between a point and the body from its bounds alone: that of the nearest point of the box or of the ball
    /// around it, whichever is farther away. A half-space has its own.
    pub fn coarse_plane(&self, point_w: &Vec3) -> VertexPlane {
        if let Some(plane) = self.only_plane() {
            return VertexPlane::flat(plane);
        }
        let coarse = |plane_b: &Plane| {
            let (plane, kind) = (self.to_world(plane_b), Kind::Coarse);
            VertexPlane { plane, kind, radius: 0.0 }
        };
        let point = self.to_body(point_w);
        let BoundingSphere { center, radius } = self.ball_b;
        let normal = unit_or(&(point - center), &Vec3::z());
        let of_ball = Plane { normal, offset: normal.dot(&center) + radius };
        let nearest = point.sup(&self.box_b.min).inf(&self.box_b.max);
        let away = point - nearest;
        let distance = away.norm();
        if distance <= of_ball.gap(&point).max(0.0) {
            return coarse(&of_ball);
        }
        // Only axes in which the point is beyond the box have a part in the normal, so this is the box's support value.
        let normal = away / distance;
        coarse(&Plane { normal, offset: normal.dot(&nearest) })
    }

    /// A plane between a triangle and the body from its bounds alone: a face of the box, or that of the ball around it.
    pub fn coarse_triangle_plane(&self, corners_w: &[Vec3; 3]) -> TrianglePlane {
        let corners = corners_w.map(|corner| self.to_body(&corner));
        let BoundingSphere { center, radius } = self.ball_b;
        let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
        let normal = unit_or(&(middle - center), &Vec3::z());
        let mut best = Plane { normal, offset: normal.dot(&center) + radius };
        let mut most = lowest(&corners, &normal) - best.offset;
        for axis in 0..3 {
            let [a, b, c] = corners.map(|corner| corner[axis]);
            let above = a.min(b).min(c) - self.box_b.max[axis];
            let below = self.box_b.min[axis] - a.max(b).max(c);
            for (gap, sign, face) in [(above, 1.0, self.box_b.max), (below, -1.0, self.box_b.min)] {
                if gap > most {
                    let normal = Vec3::ith(axis, sign);
                    (most, best) = (gap, Plane { normal, offset: sign * face[axis] });
                }
            }
        }
        let weights = nearest_corner(&corners, &best.normal);
        TrianglePlane { plane: self.to_world(&best), kind: Kind::Coarse, radius: 0.0, weights }
    }

    /// That of a half-space.
    pub fn only_plane(&self) -> Option<Plane> {
        let Shape::HalfSpace(half_space) = &self.shape else { return None };
        Some(self.to_world(&Plane { normal: half_space.normal(), offset: half_space.offset() }))
    }
}

/// Poses on the way from one to another, at a constant rate.
pub(crate) fn pose_between(from: &Pose, to: &Pose, share: f64) -> Pose {
    let turn = rotation_vector(&(from.rotation.inverse() * to.rotation));
    let shift = to.translation.vector - from.translation.vector;
    let rotation = from.rotation * rotation_from_vector(&(turn * share));
    Pose::from_parts((from.translation.vector + shift * share).into(), rotation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use smooth_scene_test_support::families::{Rng, any_kind};

    /// Of every convex kind of shape, seen from anywhere, also from inside.
    #[test]
    fn bodies_are_behind_the_planes_of_their_bounds() {
        let mut rng = Rng::new(11);
        for _ in 0..2000 {
            let shape = any_kind(&mut rng, [0.05, 0.5]);
            let pose = Pose::from_parts(rng.direction().into(), rng.rotation());
            let body = ClothBody { name: "body".to_owned(), shape, pose };
            for obstacle in Obstacle::parts_of(0, &body) {
                let mut point = || pose.translation.vector + rng.direction() * rng.unit();
                let (at, corners) = (point(), [point(), point(), point()]);
                let planes = [
                    obstacle.coarse_plane(&at).plane,
                    obstacle.coarse_triangle_plane(&corners).plane,
                ];
                for plane in planes {
                    let normal_b = obstacle.pose.rotation.inverse_transform_vector(&plane.normal);
                    let highest = obstacle.shape.support(&normal_b).value
                        + plane.normal.dot(&obstacle.pose.translation.vector);
                    assert!((plane.normal.norm() - 1.0).abs() < 1e-12);
                    assert!(highest <= plane.offset + 1e-12, "{:?} {plane:?}", obstacle.shape);
                }
            }
        }
    }
}
