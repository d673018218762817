//! Planes and what they cut off triangles.

use smooth_scene_geometry::math::{Pose, Vec3};

/// A triangle by its corners, in metres.
pub type Triangle = [Vec3; 3];

/// The points x with normal·x = offset; the normal is a unit vector.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plane {
    /// Unit normal.
    pub normal: Vec3,
    /// Distance from the origin along the normal, m.
    pub offset: f64,
}

impl Plane {
    /// Height of a point above the plane.
    pub fn height(&self, point: &Vec3) -> f64 {
        self.normal.dot(point) - self.offset
    }

    /// The plane after a rigid motion.
    pub(crate) fn moved(&self, pose: &Pose) -> Self {
        let normal = pose.rotation * self.normal;
        Self { normal, offset: self.offset + normal.dot(&pose.translation.vector) }
    }

    /// The mirror image across the plane through the origin normal to an axis.
    pub(crate) fn mirrored(&self, axis: usize) -> Self {
        Self { normal: mirrored(&self.normal, axis), ..*self }
    }

    /// Where the edge from `a` to `b` crosses the plane, as a share of the edge; `None` when it does not, or only with
    /// an end.
    pub(crate) fn crossing(&self, a: &Vec3, b: &Vec3) -> Option<f64> {
        let (from, to) = (self.height(a), self.height(b));
        if from * to >= 0.0 {
            return None;
        }
        let t = from / (from - to);
        (t > 0.0 && t < 1.0).then_some(t)
    }
}

/// The mirror image of a point or vector across the plane through the origin normal to an axis.
pub(crate) fn mirrored(point: &Vec3, axis: usize) -> Vec3 {
    let mut image = *point;
    image[axis] = -image[axis];
    image
}

/// The triangles below and above a plane, those that it crosses cut in two or three.
pub(crate) fn cut(triangles: &[Triangle], plane: &Plane) -> [Vec<Triangle>; 2] {
    let [mut below, mut above] = [Vec::new(), Vec::new()];
    for triangle in triangles {
        let heights = triangle.map(|corner| plane.height(&corner));
        if heights.iter().all(|&height| height <= 0.0) {
            below.push(*triangle);
        } else if heights.iter().all(|&height| height >= 0.0) {
            above.push(*triangle);
        } else {
            let side = |sign: f64| polygon(triangle, plane, sign);
            fan(&side(-1.0), &mut below);
            fan(&side(1.0), &mut above);
        }
    }
    [below, above]
}

/// The part of a triangle on one side of a plane.
fn polygon(triangle: &Triangle, plane: &Plane, sign: f64) -> Vec<Vec3> {
    let mut corners = Vec::with_capacity(4);
    for k in 0..3 {
        let (a, b) = (&triangle[k], &triangle[(k + 1) % 3]);
        if sign * plane.height(a) >= 0.0 {
            corners.push(*a);
        }
        if let Some(t) = plane.crossing(a, b) {
            corners.push(a + (b - a) * t);
        }
    }
    corners
}

fn fan(polygon: &[Vec3], triangles: &mut Vec<Triangle>) {
    let Some((&first, others)) = polygon.split_first() else { return };
    triangles.extend(others.windows(2).map(|pair| [first, pair[0], pair[1]]));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area([a, b, c]: &Triangle) -> f64 {
        0.5 * (b - a).cross(&(c - a)).norm()
    }

    #[test]
    fn a_cut_keeps_the_area_and_the_sides() {
        let triangle = [Vec3::zeros(), Vec3::new(3.0, 0.0, 1.0), Vec3::new(0.0, 2.0, -1.0)];
        for offset in [-5.0, -0.5, 0.0, 0.3, 1.0, 5.0] {
            let plane = Plane { normal: Vec3::new(0.6, 0.0, 0.8), offset };
            let [below, above] = cut(&[triangle], &plane);
            let sum: f64 = below.iter().chain(&above).map(area).sum();
            assert!((sum - area(&triangle)).abs() < 1e-14);
            assert!(below.iter().flatten().all(|p| plane.height(p) < 1e-14));
            assert!(above.iter().flatten().all(|p| plane.height(p) > -1e-14));
        }
    }
}
