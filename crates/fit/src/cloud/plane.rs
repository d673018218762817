//! The plane with the most points: random samples, then least squares.

use crate::random::Random;
use nalgebra::{Matrix3, SymmetricEigen};
use smooth_scene_geometry::math::Vec3;

/// Samples of three points. With a tenth of the points in the plane one of them is in it with probability 1 − 1e-4 after
/// 9205 samples; with a fifth after 1147.
const SAMPLES: usize = 1500;
/// Points on which samples are compared.
const COMPARED: usize = 2000;

/// All x with normal·x = offset.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FoundPlane {
    /// Unit normal, towards the side with more of the other points.
    pub normal: Vec3,
    /// Distance from the origin along the normal, m.
    pub offset: f64,
}

impl FoundPlane {
    /// Signed distance of a point.
    pub fn height(&self, point: &Vec3) -> f64 {
        self.normal.dot(point) - self.offset
    }

    /// Through three points; none when they are nearly on a line.
    fn through(a: &Vec3, b: &Vec3, c: &Vec3) -> Option<Self> {
        let (u, v) = (b - a, c - a);
        let cross = u.cross(&v);
        let area = cross.norm();
        let is_plane = area > 1e-3 * u.norm() * v.norm() && area > 0.0;
        is_plane.then(|| {
            let normal = cross / area;
            Self { normal, offset: normal.dot(a) }
        })
    }

    /// Of least squares.
    fn closest(points: &[Vec3]) -> Self {
        let center = points.iter().sum::<Vec3>() / points.len() as f64;
        let spread = |p: &Vec3| (p - center) * (p - center).transpose();
        let eigen = SymmetricEigen::new(points.iter().map(spread).sum::<Matrix3<f64>>());
        let normal = eigen.eigenvectors.column(eigen.eigenvalues.imin()).normalize();
        Self { normal, offset: normal.dot(&center) }
    }
}

/// The plane with at least `least` of the points within `reach` of it, or none. The same points and seed give the same plane.
pub(super) fn largest_plane(
    points: &[Vec3],
    reach: f64,
    least: usize,
    random: &mut Random,
) -> Option<FoundPlane> {
    if points.len() < 3 {
        return None;
    }
    let every = points.len().div_ceil(COMPARED);
    let few: Vec<Vec3> = points.iter().copied().step_by(every).collect();
    let count = |plane: &FoundPlane, points: &[Vec3]| {
        points.iter().filter(|point| plane.height(point).abs() <= reach).count()
    };
    let mut best: Option<(usize, FoundPlane)> = None;
    for _ in 0..SAMPLES {
        let mut pick = || points[random.below(points.len())];
        let Some(plane) = FoundPlane::through(&pick(), &pick(), &pick()) else { continue };
        let found = count(&plane, &few);
        if best.as_ref().is_none_or(|(most, _)| found > *most) {
            best = Some((found, plane));
        }
    }
    let (_, mut plane) = best?;
    for _ in 0..3 {
        let near: Vec<Vec3> =
            points.iter().copied().filter(|p| plane.height(p).abs() <= reach).collect();
        if near.len() < 3 {
            return None;
        }
        plane = FoundPlane::closest(&near);
    }
    if count(&plane, points) < least {
        return None;
    }
    let above = points.iter().filter(|point| plane.height(point) > reach).count();
    let below = points.iter().filter(|point| plane.height(point) < -reach).count();
    if below > above {
        plane = FoundPlane { normal: -plane.normal, offset: -plane.offset };
    }
    Some(plane)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plane_is_found_among_other_points() {
        let mut random = Random::new(2);
        let normal = Vec3::new(0.2, -0.3, 1.0).normalize();
        let mut points = Vec::new();
        for k in 0..600 {
            let p = Vec3::new(random.uniform(), random.uniform(), random.uniform());
            let [noise, _] = random.normal_pair();
            let height = if k < 300 { 0.002 * noise } else { 0.05 + random.uniform() };
            points.push(p - normal * (normal.dot(&p) - 0.4 - height));
        }
        let plane = largest_plane(&points, 0.006, 200, &mut random).unwrap();
        assert!(plane.normal.dot(&normal) > 0.9999, "{plane:?}");
        assert!((plane.offset - 0.4).abs() < 1e-3);
        assert_eq!(largest_plane(&points, 0.006, 400, &mut random), None);
    }
}
