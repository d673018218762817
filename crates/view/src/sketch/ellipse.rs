//! A closed stroke around a bone becomes a surface of it.
//!
//! The thesis (section 4.1) has strokes recognised by the library CALI. Here the ellipse is the one with the area moments of the
//! region inside the stroke, which need no iteration and do not mind an uneven hand. With cᵢ = xᵢyᵢ₊₁ − xᵢ₊₁yᵢ over
//! the closed polygon (Green's theorem)
//!
//! ```text
//! A      = ½ Σ cᵢ
//! ∫x     = ⅙ Σ (xᵢ + xᵢ₊₁) cᵢ
//! ∫x²    = ¹⁄₁₂ Σ (xᵢ² + xᵢxᵢ₊₁ + xᵢ₊₁²) cᵢ
//! ∫xy    = ¹⁄₂₄ Σ (xᵢyᵢ₊₁ + 2xᵢyᵢ + 2xᵢ₊₁yᵢ₊₁ + xᵢ₊₁yᵢ) cᵢ
//! ```
//!
//! and an ellipse with semi-axes a and b has the variances a²/4 and b²/4 along them, and the area πab: a region whose area
//! differs much from that of its own ellipse is none.

use std::f64::consts::PI;

use super::model::{Bone, Sketch, Surface, rounded};
use super::place::Stroke;
use crate::error::ViewError;
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Mat3, Pose, Vec3, atan2, sin_cos, tangent_basis};

/// Most of a stroke's length that may lie between its ends: they meet, nearly.
const MAX_GAP: f64 = 0.15;
/// Least area of a region over that of its ellipse. An ellipse has 1, a square 0.95, a triangle 0.83.
const LEAST_ROUNDNESS: f64 = 0.75;

/// An ellipse in the plane of a stroke.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Ellipse {
    pub center: Vec3,
    /// Directions of the two axes, of length one.
    pub axes: [Vec3; 2],
    /// Semi-axes, the larger one first, m.
    pub radii: [f64; 2],
}

/// The ellipse that a closed stroke stands for, as it is seen: without depth.
pub(crate) fn ellipse_of(stroke: &Stroke) -> Result<Ellipse, ViewError> {
    let seen: Vec<Vec3> = stroke.points.iter().map(|point| stroke.seen(point)).collect();
    let length: f64 = seen.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum();
    let gap = (seen[seen.len() - 1] - seen[0]).norm();
    if gap > MAX_GAP * (length + gap) {
        return Err(ViewError::Sketch("the stroke is open: draw around the bone".into()));
    }
    let (u, v) = tangent_basis(&stroke.normal);
    let origin = seen[0];
    let flat = seen.iter().map(|p| [(p - origin).dot(&u), (p - origin).dot(&v)]);
    let [area, x, y, xx, xy, yy] = moments(&flat.collect::<Vec<_>>());
    if area.is_nan() || area <= 1e-10 {
        return Err(ViewError::Sketch("the stroke encloses no area".into()));
    }
    let [x, y] = [x / area, y / area];
    let [xx, xy, yy] = [xx / area - x * x, xy / area - x * y, yy / area - y * y];
    let half = 0.5 * atan2(2.0 * xy, xx - yy);
    let (sin, cos) = sin_cos(half);
    let along = |s: f64, c: f64| xx * c * c + 2.0 * xy * s * c + yy * s * s;
    // Rounding may leave a variance of a thin region below zero.
    let radii = [along(sin, cos), along(cos, -sin)].map(|variance| 2.0 * variance.max(0.0).sqrt());
    let roundness = area / (PI * radii[0] * radii[1]);
    if roundness.is_nan() || roundness < LEAST_ROUNDNESS {
        let percent = 100.0 * roundness;
        return Err(ViewError::Sketch(format!(
            "the stroke is no ellipse: it covers {percent:.0} % of the one with its moments, must be 75 % or more"
        )));
    }
    let axes = [u * cos + v * sin, v * cos - u * sin];
    Ok(Ellipse { center: origin + u * x + v * y, axes, radii })
}

/// Area, ∫x, ∫y, ∫x², ∫xy and ∫y² of the region inside a closed polygon, whichever way round it is drawn.
fn moments(points: &[[f64; 2]]) -> [f64; 6] {
    let mut sums = [0.0; 6];
    for (k, &[x, y]) in points.iter().enumerate() {
        let [p, q] = points[(k + 1) % points.len()];
        let c = x * q - p * y;
        let terms = [
            c / 2.0,
            (x + p) * c / 6.0,
            (y + q) * c / 6.0,
            (x * x + x * p + p * p) * c / 12.0,
            (x * q + 2.0 * x * y + 2.0 * p * q + p * y) * c / 24.0,
            (y * y + y * q + q * q) * c / 12.0,
        ];
        sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
    }
    let sign = if sums[0] < 0.0 { -1.0 } else { 1.0 };
    sums.map(|sum| sign * sum)
}

/// The bone that an ellipse is drawn around, by its place in the list, and the middle of what is inside.
fn bone_inside(sketch: &Sketch, stroke: &Stroke, ellipse: &Ellipse) -> Option<(usize, Vec3)> {
    let inside = sketch.bones.iter().enumerate().filter_map(|(index, bone)| {
        let [from, to] = inside_part(sketch, stroke, ellipse, bone)?;
        let [a, b] = sketch.ends_of(bone);
        let length = (to - from) * (stroke.seen(&(b - a))).norm();
        Some((index, a + (b - a) * (0.5 * (from + to)), length))
    });
    let longest = inside.max_by(|a, b| a.2.total_cmp(&b.2))?;
    Some((longest.0, longest.1))
}

/// The part of a bone inside the ellipse as seen, as shares of its length. In coordinates in which the ellipse is the unit
/// circle, |p + t d|² ≤ 1 is a quadratic inequality in t.
fn inside_part(
    sketch: &Sketch,
    stroke: &Stroke,
    ellipse: &Ellipse,
    bone: &Bone,
) -> Option<[f64; 2]> {
    let [a, b] = sketch.ends_of(bone).map(|end| stroke.seen(&end));
    let in_circle = |v: Vec3| [0, 1].map(|k| v.dot(&ellipse.axes[k]) / ellipse.radii[k]);
    let (p, d) = (in_circle(a - ellipse.center), in_circle(b - a));
    let square = d[0] * d[0] + d[1] * d[1];
    let half = (p[0] * d[0] + p[1] * d[1]) / square;
    let rest = (p[0] * p[0] + p[1] * p[1] - 1.0) / square;
    let discriminant = half * half - rest;
    // Also not a number, of a bone that points at the eye.
    if discriminant.is_nan() || discriminant <= 0.0 {
        return None;
    }
    let root = discriminant.sqrt();
    let [from, to] = [(-half - root).max(0.0), (-half + root).min(1.0)];
    (from < to).then_some([from, to])
}

/// A surface for the bone inside a closed stroke: it is as wide as the ellipse, as deep as it is wide across the bone, and its z
/// axis is the axis of the ellipse that is nearer to the bone. The place of the bone, and the surface.
pub(crate) fn surface_of(
    sketch: &Sketch,
    stroke: &Stroke,
    make: impl FnOnce([f64; 3]) -> Result<Shape, ViewError>,
) -> Result<(usize, Surface), ViewError> {
    let ellipse = ellipse_of(stroke)?;
    let none = || ViewError::Sketch("there is no bone inside the stroke".into());
    let (index, middle) = bone_inside(sketch, stroke, &ellipse).ok_or_else(none)?;
    let [a, b] = sketch.ends_of(&sketch.bones[index]);
    let along = [0, 1].map(|k| (b - a).dot(&ellipse.axes[k]));
    let k = usize::from(along[1].abs() > along[0].abs());
    let direction = if along[k] < 0.0 { -ellipse.axes[k] } else { ellipse.axes[k] };
    let (across, length) = (ellipse.radii[1 - k], ellipse.radii[k]);
    let center = ellipse.center + stroke.normal * middle.dot(&stroke.normal);
    let shape = make([across, across, length].map(rounded))?;
    Ok((index, Surface { pose: posed(center, direction, stroke.normal), shape }))
}

/// A pose at a place, with z along a direction and y along another one that is at right angles to it.
pub(crate) fn posed(center: Vec3, z: Vec3, y: Vec3) -> Pose {
    let matrix = Mat3::from_columns(&[y.cross(&z), y, z]);
    let rotation = nalgebra::Rotation3::from_matrix_unchecked(matrix);
    let rotation = nalgebra::UnitQuaternion::from_rotation_matrix(&rotation);
    Pose::from_parts(center.map(rounded).into(), rotation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sketch::model::Motion;

    /// A closed stroke around [y, z] from the front: an ellipse, or a polygon of so many corners, turned by an angle.
    fn around(center: [f64; 2], radii: [f64; 2], angle: f64, corners: usize) -> Stroke {
        let (sin, cos) = sin_cos(angle);
        let point = |k: usize| {
            let (s, c) = sin_cos(2.0 * PI * k as f64 / corners as f64);
            let (y, z) = (radii[0] * c, radii[1] * s);
            [0.0, center[0] + cos * y - sin * z, center[1] + sin * y + cos * z]
        };
        let points: Vec<[f64; 3]> = (0..=corners).map(point).collect();
        Stroke::new(&points, [1.0, 0.0, 0.0], 0.02).unwrap()
    }

    fn leg() -> Sketch {
        let mut sketch = Sketch::default();
        let nodes = [[0.3, 0.2, 1.0], [0.3, 0.2, 0.5], [0.3, 0.2, 0.0]]
            .map(|at| sketch.add_node(Vec3::from(at)).unwrap());
        for ends in nodes.windows(2) {
            sketch.add_bone(None, [ends[0], ends[1]], Motion::Fixed {}).unwrap();
        }
        sketch
    }

    #[test]
    fn a_drawn_ellipse_is_found_again() {
        for angle in [0.0, 0.4, 1.5, 2.9] {
            let found = ellipse_of(&around([0.5, 2.0], [0.4, 0.1], angle, 400)).unwrap();
            // A polygon of n corners has the fraction sin(2π/n)/(2π/n) of the area, 4e-5 less.
            assert!((found.radii[0] - 0.4).abs() < 4e-5, "{found:?}");
            assert!((found.radii[1] - 0.1).abs() < 1e-5, "{found:?}");
            assert!((found.center - Vec3::new(0.0, 0.5, 2.0)).norm() < 1e-9);
            let (sin, cos) = sin_cos(angle);
            assert!(found.axes[0].cross(&Vec3::new(0.0, cos, sin)).norm() < 1e-9);
        }
    }

    #[test]
    fn open_flat_and_empty_strokes_are_refused() {
        let mut open = around([0.2, 0.75], [0.1, 0.3], 0.0, 40);
        open.points.truncate(20);
        let text = |stroke: &Stroke| ellipse_of(stroke).unwrap_err().to_string();
        assert!(text(&open).contains("open"));
        let line = [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.01, 0.0]];
        assert!(text(&Stroke::new(&line, [1.0, 0.0, 0.0], 0.1).unwrap()).contains("no area"));
        let far = around([5.0, 5.0], [0.1, 0.1], 0.0, 40);
        let none = surface_of(&leg(), &far, |_| unreachable!()).unwrap_err().to_string();
        assert!(none.contains("no bone inside"), "{none}");
        // A star of five points is no ellipse.
        let mut star = around([0.0, 0.0], [1.0, 1.0], 0.0, 10);
        star.points.iter_mut().skip(1).step_by(2).for_each(|point| *point *= 0.2);
        assert!(text(&star).contains("no ellipse"), "{}", text(&star));
    }

    #[test]
    fn the_surface_is_around_the_bone_with_its_z_axis_along_it() {
        let make = |radii: [f64; 3]| Ok(Shape::superellipsoid(radii, 1.0, 1.0)?);
        let (bone, surface) =
            surface_of(&leg(), &around([0.21, 0.27], [0.08, 0.3], 0.0, 200), make).unwrap();
        assert_eq!(bone, 1);
        let Shape::Superellipsoid(made) = &surface.shape else { panic!("{surface:?}") };
        for (found, drawn) in made.radii().into_iter().zip([0.08, 0.08, 0.3]) {
            assert!((found - drawn).abs() < 2e-4, "{made:?}");
        }
        let z = surface.pose * Vec3::z();
        assert!((z + Vec3::z()).norm() < 1e-6, "the bone was drawn downwards: {z}");
        // Depth of the bone, not of the stroke.
        let center = surface.pose.translation.vector;
        assert!((center - Vec3::new(0.3, 0.21, 0.27)).norm() < 2e-5, "{center}");
    }
}
