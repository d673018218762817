//! A convex part of an object of the world, as a solid from which the distance of points is easily measured on lanes.
//!
//! A box, a cylinder and a half-space are their own solids. A sphere is a point, a capsule a segment, each with a rounding
//! radius that is added. Any other part lies in the box around it; balls inside it prove contacts.

use super::kinematics::LANES;
use super::lane_ball::LaneBall;
use super::lane_hull::LaneHull;
use super::lane_pose::loaded;
use crate::balls::{Ball, Balls};
use nalgebra::Point3;
use smooth_scene_geometry::math::{Mat3, Pose, Vec3};
use smooth_scene_geometry::simd::{F32x8, Lanes, Simd, dot};
use smooth_scene_geometry::{ConvexSurface, Shape, xyz};

/// A convex part of an object, in the world.
pub(super) struct Part {
    pub shape: Shape,
    pub hull: Option<LaneHull>,
    pub pose: Pose,
    /// Middle of its box, world frame, and half the edges: for the exact question.
    pub center_w: Vec3,
    pub half: Vec3,
    /// Axes of the box as columns.
    pub rotation: Mat3,
    solid: Solid,
    /// Radius of the ball that is added to the solid, m.
    pub rounding: f64,
    /// How far its coordinates reach: what rounding is relative to.
    pub extent: f64,
    /// Balls inside, world frame; none where the solid, with its rounding, is the part itself.
    pub inside: Option<Vec<LaneBall>>,
}

/// What the distance of a point is measured to, world frame. Each number stands on all lanes: it is loaded where it is used.
enum Solid {
    /// Axes as rows, middle, half edges.
    Box { axes: [[F32x8; 3]; 3], center: [F32x8; 3], half: [F32x8; 3] },
    /// The same for a cylinder along the third axis: radius, half length.
    Cylinder { axes: [[F32x8; 3]; 3], center: [F32x8; 3], radius: F32x8, half: F32x8 },
    /// n·x ≤ d.
    HalfSpace { normal: [F32x8; 3], offset: F32x8 },
}

/// A number on all lanes.
fn on_lanes(number: f64) -> F32x8 {
    F32x8([number as f32; LANES])
}

fn rounded(vector: &Vec3) -> [F32x8; 3] {
    std::array::from_fn(|k| on_lanes(vector[k]))
}

impl Part {
    /// Prepares a part; nothing for one without bounds that is no half-space.
    pub fn new(shape: &Shape, pose: Pose) -> Option<Self> {
        let rotation = pose.rotation.to_rotation_matrix().into_inner();
        let aabb = shape.local_aabb();
        let (middle, half) = (aabb.center(), aabb.half_extents());
        if let Shape::HalfSpace(half_space) = shape {
            let normal = pose.rotation * half_space.normal();
            let offset = half_space.offset() + normal.dot(&pose.translation.vector);
            return Some(Self {
                shape: shape.clone(),
                hull: None,
                pose,
                center_w: pose.translation.vector,
                half,
                rotation,
                solid: Solid::HalfSpace { normal: rounded(&normal), offset: on_lanes(offset) },
                rounding: 0.0,
                extent: offset.abs(),
                inside: None,
            });
        }
        if !half.iter().all(|x| x.is_finite()) {
            return None;
        }
        let center_w = (pose * Point3::from(middle)).coords;
        let center = rounded(&center_w);
        let axes = std::array::from_fn(|k| rounded(&rotation.column(k).into_owned()));
        let boxed = |half: &Vec3| Solid::Box { axes, center, half: rounded(half) };
        let (solid, rounding, is_exact) = match shape {
            Shape::Cuboid(_) => (boxed(&half), 0.0, true),
            Shape::Cylinder(cylinder) => {
                let (radius, half) =
                    (on_lanes(cylinder.radius()), on_lanes(cylinder.half_length()));
                (Solid::Cylinder { axes, center, radius, half }, 0.0, true)
            }
            Shape::Sphere(sphere) => (boxed(&Vec3::zeros()), sphere.radius(), true),
            Shape::Capsule(capsule) => {
                (boxed(&Vec3::new(0.0, 0.0, capsule.half_length())), capsule.radius(), true)
            }
            _ => (boxed(&half), 0.0, false),
        };
        let to_world = |ball: &Ball| {
            let center = (pose * Point3::from(ball.center)).coords;
            LaneBall::new(&Ball { center, ..*ball })
        };
        let inside = if is_exact {
            None
        } else {
            Some(Balls::new(shape)?.inside(shape).iter().flatten().map(to_world).collect())
        };
        let extent = center_w.norm() + half.norm();
        let (hull, shape) = (LaneHull::new(shape), shape.clone());
        Some(Self { shape, hull, pose, center_w, half, rotation, solid, rounding, extent, inside })
    }

    /// A lower bound on the distance of a point from the part: its distance from the box around it; zero from a half-space.
    pub fn distance_from(&self, point_w: &Vec3) -> f64 {
        if !self.half.iter().all(|x| x.is_finite()) {
            return 0.0;
        }
        let beyond = self.rotation.tr_mul(&(point_w - self.center_w)).abs() - self.half;
        beyond.sup(&Vec3::zeros()).norm()
    }

    /// Square of the distance of points from the solid; zero inside.
    #[inline(always)]
    pub fn distance_squared<S: Simd>(&self, points: &[F32x8; 3]) -> S::F32x8 {
        let zero = S::F32x8::splat(0.0);
        match &self.solid {
            Solid::Box { axes, center, half } => {
                let at = local::<S>(axes, center, points);
                let beyond = xyz!(|k| (at[k].abs() - S::F32x8::from(half[k])).max(zero));
                dot(&beyond, &beyond)
            }
            Solid::Cylinder { axes, center, radius, half } => {
                let [x, y, z] = local::<S>(axes, center, points);
                let across = (x * x + y * y).sqrt() - S::F32x8::from(*radius);
                let along = z.abs() - S::F32x8::from(*half);
                let (across, along) = (across.max(zero), along.max(zero));
                across * across + along * along
            }
            Solid::HalfSpace { normal, offset } => {
                let beyond = (dot(&loaded::<S>(normal), &loaded::<S>(points))
                    - S::F32x8::from(*offset))
                .max(zero);
                beyond * beyond
            }
        }
    }
}

/// Points of the world in the frame of a solid.
#[inline(always)]
fn local<S: Simd>(
    axes: &[[F32x8; 3]; 3],
    center: &[F32x8; 3],
    points: &[F32x8; 3],
) -> [S::F32x8; 3] {
    let (points, center) = (loaded::<S>(points), loaded::<S>(center));
    let offset = xyz!(|k| points[k] - center[k]);
    xyz!(|row| dot(&loaded::<S>(&axes[row]), &offset))
}
