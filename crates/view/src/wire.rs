//! Shapes and poses as JSON, both ways. Types and fields are those of the command line.

use nalgebra::{Quaternion, UnitQuaternion};
use serde::{Deserialize, Serialize};

use super::error::ViewError;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_geometry::{Shape, ShapeError, TriangleMesh, tessellate_with_vertex_count};

/// Vertices of the mesh of a shape that the page does not draw from its parameters.
const MESH_VERTICES: usize = 600;

/// A pose: metres, and a quaternion x y z w.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PoseData {
    pub xyz: [f64; 3],
    pub quat: [f64; 4],
}

impl From<&Pose> for PoseData {
    fn from(pose: &Pose) -> Self {
        Self { xyz: pose.translation.vector.into(), quat: pose.rotation.coords.into() }
    }
}

impl TryFrom<&PoseData> for Pose {
    type Error = ViewError;

    fn try_from(data: &PoseData) -> Result<Pose, ViewError> {
        let [x, y, z, w] = data.quat;
        let quaternion = Quaternion::new(w, x, y, z);
        let norm = quaternion.norm();
        if !(0.5..=2.0).contains(&norm) {
            let (what, range) = ("norm of the quaternion".into(), "near 1".into());
            return Err(ViewError::BadValue { what, value: norm, range });
        }
        let rotation = UnitQuaternion::from_quaternion(quaternion);
        Ok(Pose::from_parts(Vec3::from(data.xyz).into(), rotation))
    }
}

/// A shape. Those that the page cannot draw from parameters carry triangles, and cannot be sent back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum ShapeData {
    Sphere {
        radius: f64,
    },
    Ellipsoid {
        radii: [f64; 3],
    },
    Superellipsoid {
        radii: [f64; 3],
        exponent_xy: f64,
        exponent_z: f64,
    },
    Superovoid {
        radii: [f64; 3],
        exponent_xy: f64,
        exponent_z: f64,
        taper: [f64; 2],
    },
    PolyEllipsoid {
        radii: [f64; 6],
    },
    Box {
        size: [f64; 3],
    },
    Cylinder {
        radius: f64,
        length: f64,
    },
    Capsule {
        radius: f64,
        length: f64,
    },
    Cone {
        radius: f64,
        length: f64,
    },
    HalfSpace {
        normal: [f64; 3],
        offset: f64,
    },
    #[serde(skip_deserializing)]
    Mesh {
        of: String,
        vertices: Vec<f32>,
        normals: Vec<f32>,
        triangles: Vec<u32>,
    },
}

impl From<&Shape> for ShapeData {
    fn from(shape: &Shape) -> Self {
        match shape {
            Shape::Sphere(s) => ShapeData::Sphere { radius: s.radius() },
            Shape::Ellipsoid(s) => ShapeData::Ellipsoid { radii: s.radii() },
            Shape::Superellipsoid(s) => ShapeData::Superellipsoid {
                radii: s.radii(),
                exponent_xy: s.exponent_xy(),
                exponent_z: s.exponent_z(),
            },
            Shape::Superovoid(s) => ShapeData::Superovoid {
                radii: s.radii(),
                exponent_xy: s.exponent_xy(),
                exponent_z: s.exponent_z(),
                taper: s.taper(),
            },
            Shape::PolyEllipsoid(s) => ShapeData::PolyEllipsoid { radii: s.radii() },
            Shape::Cuboid(s) => ShapeData::Box { size: s.half_extents().map(|h| 2.0 * h) },
            Shape::Cylinder(s) => {
                ShapeData::Cylinder { radius: s.radius(), length: 2.0 * s.half_length() }
            }
            Shape::Capsule(s) => {
                ShapeData::Capsule { radius: s.radius(), length: 2.0 * s.half_length() }
            }
            Shape::Cone(s) => ShapeData::Cone { radius: s.radius(), length: 2.0 * s.half_length() },
            other => mesh(other.kind(), &tessellate_with_vertex_count(other, MESH_VERTICES)),
        }
    }
}

/// The triangles of a shape that is not what its parameters say: a dented superovoid stands for its hull.
pub(super) fn hull(shape: &Shape) -> Option<ShapeData> {
    let dented = matches!(shape, Shape::Superovoid(s) if !s.is_convex());
    dented.then(|| mesh("hull", &tessellate_with_vertex_count(shape, MESH_VERTICES)))
}

fn mesh(of: &str, mesh: &TriangleMesh) -> ShapeData {
    let numbers = |list: &[Vec3]| {
        list.iter().flat_map(|v| [v.x as f32, v.y as f32, v.z as f32]).collect::<Vec<f32>>()
    };
    ShapeData::Mesh {
        of: of.into(),
        vertices: numbers(&mesh.vertices),
        normals: numbers(&mesh.normals),
        triangles: mesh.triangles.iter().flatten().copied().collect(),
    }
}

impl TryFrom<&ShapeData> for Shape {
    type Error = ShapeError;

    fn try_from(data: &ShapeData) -> Result<Shape, ShapeError> {
        match *data {
            ShapeData::Sphere { radius } => Shape::sphere(radius),
            ShapeData::Ellipsoid { radii } => Shape::ellipsoid(radii),
            ShapeData::Superellipsoid { radii, exponent_xy, exponent_z } => {
                Shape::superellipsoid(radii, exponent_xy, exponent_z)
            }
            ShapeData::Superovoid { radii, exponent_xy, exponent_z, taper } => {
                Shape::superovoid(radii, exponent_xy, exponent_z, taper)
            }
            ShapeData::PolyEllipsoid { radii } => Shape::poly_ellipsoid(radii),
            ShapeData::Box { size } => Shape::cuboid(size.map(|edge| 0.5 * edge)),
            ShapeData::Cylinder { radius, length } => Shape::cylinder(radius, 0.5 * length),
            ShapeData::Capsule { radius, length } => Shape::capsule(radius, 0.5 * length),
            ShapeData::Cone { radius, length } => Shape::cone(radius, 0.5 * length),
            ShapeData::HalfSpace { normal, offset } => Shape::half_space(normal, offset),
            // Not read from a message; as its own kind of mesh it has the same hull.
            ShapeData::Mesh { ref vertices, .. } => {
                let points: Vec<Vec3> = vertices
                    .chunks_exact(3)
                    .map(|v| Vec3::new(v[0].into(), v[1].into(), v[2].into()))
                    .collect();
                Shape::convex_mesh(&points)
            }
        }
    }
}
