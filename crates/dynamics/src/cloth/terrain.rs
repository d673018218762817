//! The terrain of the thesis: superellipsoids in a square grid on a floor, under a cloth.

use crate::cloth::obstacle::ClothBody;
use smooth_scene_geometry::math::{Pose, Vec3, rotation_from_vector};
use smooth_scene_geometry::{Shape, ShapeError};

/// Reach of a body across, and its height above its middle, in shares of the grid's spacing.
const REACH: f64 = 0.42;
const HEIGHTS: [f64; 4] = [0.35, 0.6, 0.45, 0.8];
/// Exponents along the rows and columns of the grid: from boxy to pointed.
const EXPONENTS: [f64; 5] = [0.4, 0.7, 1.0, 1.3, 0.5];

/// A floor and `side` × `side` superellipsoids on it, which fill a square of `size` metres around the origin. Heights and exponents repeat
/// in different rhythms, so that neighbours differ.
pub fn cloth_terrain(side: usize, size: f64) -> Result<Vec<ClothBody>, ShapeError> {
    let floor = Shape::half_space([0.0, 0.0, 1.0], 0.0)?;
    let mut bodies =
        vec![ClothBody { name: "floor".to_owned(), shape: floor, pose: Pose::identity() }];
    let spacing = size / side.max(1) as f64;
    for k in 0..side * side {
        let (row, column) = (k / side, k % side);
        let height = spacing * HEIGHTS[(row + 3 * column) % HEIGHTS.len()];
        let radii = [REACH * spacing, 0.85 * REACH * spacing, height];
        let exponent_xy = EXPONENTS[(2 * row + column) % EXPONENTS.len()];
        let exponent_z = EXPONENTS[(row + 2 * column) % EXPONENTS.len()];
        let shape = Shape::superellipsoid(radii, exponent_xy, exponent_z)?;
        let along = |k: usize| spacing * (k as f64 - 0.5 * (side - 1) as f64);
        let turn = rotation_from_vector(&Vec3::new(0.0, 0.0, 0.7 * k as f64));
        let place = Vec3::new(along(row), along(column), 0.3 * height);
        let name = format!("rock_{row}_{column}");
        bodies.push(ClothBody { name, shape, pose: Pose::from_parts(place.into(), turn) });
    }
    Ok(bodies)
}

#[cfg(test)]
mod tests {
    use super::*;
    use smooth_scene_geometry::ConvexSurface;

    #[test]
    fn a_terrain_fills_its_square_and_does_not_leave_it() {
        let bodies = cloth_terrain(9, 1.0).unwrap();
        assert_eq!(bodies.len(), 82);
        for body in &bodies[1..] {
            let bounds = body.shape.aabb(&body.pose);
            assert!(bounds.min.x > -0.53 && bounds.max.x < 0.53, "{bounds:?}");
            assert!(bounds.min.z < 0.0 && bounds.max.z > 0.03, "{bounds:?}");
            assert!(body.shape.support(&Vec3::z()).value > 0.0);
        }
    }
}
