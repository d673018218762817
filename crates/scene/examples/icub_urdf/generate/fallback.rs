//! The geometry other tools see instead of the surface: the smaller of a box and a cylinder that contain it.

use std::f64::consts::{PI, TAU};

use smooth_scene_geometry::math::Vec3;
use smooth_scene_geometry::{ConvexSurface, Shape, ShapeError};

use super::source::SurfaceRow;

/// Standard URDF geometry around the origin of a surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fallback {
    /// Edge lengths.
    Box([f64; 3]),
    /// About the surface's z.
    Cylinder { radius: f64, length: f64 },
}

/// The surface as a shape.
pub fn shape(row: &SurfaceRow) -> Result<Shape, ShapeError> {
    match row.taper {
        None => Shape::superellipsoid(row.radii, row.exponent_xy, row.exponent_z),
        Some(taper) => Shape::superovoid(row.radii, row.exponent_xy, row.exponent_z, taper),
    }
}

impl Fallback {
    pub fn around(row: &SurfaceRow) -> Result<Self, ShapeError> {
        let shape = shape(row)?;
        let half = shape.local_aabb().half_extents();
        // A point at distance r from the axis reaches r cos(π/N) in the nearest of N directions.
        const DIRECTIONS: u32 = 720;
        let reach = |k: u32| {
            let (sin, cos) = (TAU * f64::from(k) / f64::from(DIRECTIONS)).sin_cos();
            shape.support(&Vec3::new(cos, sin, 0.0)).value
        };
        let highest = (0..DIRECTIONS).map(reach).fold(0.0, f64::max);
        let radius = rounded_up(highest / (PI / f64::from(DIRECTIONS)).cos());
        let size = [half.x, half.y, half.z].map(|h| rounded_up(2.0 * h));
        let box_volume = size[0] * size[1] * size[2];
        if PI * radius * radius * size[2] < box_volume {
            Ok(Fallback::Cylinder { radius, length: size[2] })
        } else {
            Ok(Fallback::Box(size))
        }
    }

    /// As a URDF element.
    pub fn element(&self) -> String {
        match self {
            Fallback::Box([x, y, z]) => format!(r#"<box size="{x} {y} {z}"/>"#),
            Fallback::Cylinder { radius, length } => {
                format!(r#"<cylinder radius="{radius}" length="{length}"/>"#)
            }
        }
    }
}

/// The next multiple of a micrometre: few digits in the file, and still around the surface.
fn rounded_up(length: f64) -> f64 {
    ((length * 1e6).floor() + 1.0) / 1e6
}
