//! Initial search direction when there is no warm start.
//!
//! The line between the centres is a poor guess for long bodies and flat faces. So each superquadric is replaced by a rounded
//! box: the rounding is about its shortest radius where it is round, and less the boxier its exponents make it. A few
//! alternating projections find nearly the nearest points of the two boxes, and these give the direction.
//!
//! Where the rounded boxes overlap, the bodies may overlap too. The line between the centres is then a good start for the depth.
//!
//! Next to a flat face (small exponents) the direction is right to the last digit, and any other direction lies at the foot of
//! a steep ridge. Between rounder bodies the true normal lies between the face normal and the line of centres.

use crate::solve::core_shape::CoreShape;
use crate::solve::tuning::cold_start::{CENTRE_WEIGHT, FLAT, ROUNDING, ROUNDS};
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Mat3, Vec3, unit_or};

/// A box around the origin with a rounding radius.
pub(crate) struct RoundedBox {
    pub half: Vec3,
    pub rounding: f64,
    pub has_flat_faces: bool,
}

/// Where to start, in the frame of A.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ColdStart {
    /// The direction from A to B.
    pub normal: Vec3,
    /// A point that is likely to be inside both bodies, where the rounded boxes overlap.
    pub inside: Option<Vec3>,
}

/// The initial direction. `offset` is the origin of B in the frame of A.
#[inline(always)]
pub(crate) fn cold_start(cores: &[CoreShape; 2], rotation_ab: &Mat3, offset: &Vec3) -> ColdStart {
    let centres = unit_or(offset, &Vec3::z());
    let [Some(a), Some(b)] = [rounded_box(&cores[0]), rounded_box(&cores[1])] else {
        return ColdStart { normal: centres, inside: None };
    };
    let (mut in_a, mut in_b) = (Vec3::zeros(), *offset);
    for _ in 0..ROUNDS {
        in_a = a.nearest(&in_b);
        in_b = offset + rotation_ab * b.nearest(&rotation_ab.tr_mul(&(in_a - offset)));
    }
    let between = in_b - in_a;
    let distance = between.norm();
    let rounding = a.rounding + b.rounding;
    if distance <= rounding {
        let inside = (rounding > 0.0).then(|| in_a + between * (a.rounding / rounding));
        return ColdStart { normal: centres, inside };
    }
    // Two points: the line of centres is the answer, free of rounding.
    if between == *offset {
        return ColdStart { normal: centres, inside: None };
    }
    let weight = if a.has_flat_faces || b.has_flat_faces { 0.0 } else { CENTRE_WEIGHT };
    let normal = unit_or(&(between / distance + weight * centres), &centres);
    ColdStart { normal, inside: None }
}

impl RoundedBox {
    #[inline(always)]
    fn nearest(&self, point: &Vec3) -> Vec3 {
        point.zip_map(&self.half, |x, half| x.clamp(-half, half))
    }
}

/// What a superquadric, a segment or a point is about like; nothing for other cores.
#[inline(always)]
pub(crate) fn rounded_box(core: &CoreShape) -> Option<RoundedBox> {
    let thin = |half: f64| {
        Some(RoundedBox { half: Vec3::new(0.0, 0.0, half), rounding: 0.0, has_flat_faces: false })
    };
    let (radii, exponent_xy, exponent_z) = match core {
        CoreShape::Point => return thin(0.0),
        CoreShape::Segment(half) => return thin(*half),
        CoreShape::Surface(Shape::Ellipsoid(s)) => (s.radii(), 1.0, 1.0),
        CoreShape::Surface(Shape::Superellipsoid(s)) => {
            (s.radii(), s.exponent_xy(), s.exponent_z())
        }
        CoreShape::Surface(Shape::Superovoid(s)) => (s.radii(), s.exponent_xy(), s.exponent_z()),
        CoreShape::Surface(_) => return None,
    };
    let shortest = radii[0].min(radii[1]).min(radii[2]);
    let rounding = |exponent: f64| ROUNDING * exponent.min(1.0) * shortest;
    let (across, along) = (rounding(exponent_xy.max(exponent_z)), rounding(exponent_z));
    let half = Vec3::new(
        (radii[0] - across).max(0.0),
        (radii[1] - across).max(0.0),
        (radii[2] - along).max(0.0),
    );
    let has_flat_faces = exponent_xy.min(exponent_z) < FLAT;
    Some(RoundedBox { half, rounding: across, has_flat_faces })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(a: &Shape, b: &Shape, offset: [f64; 3]) -> Vec3 {
        let cores = [CoreShape::Surface(a), CoreShape::Surface(b)];
        cold_start(&cores, &Mat3::identity(), &Vec3::from(offset)).normal
    }

    #[test]
    fn long_bodies_side_by_side_start_across() {
        let long = Shape::superellipsoid([0.1, 0.1, 1.0], 0.2, 0.2).unwrap();
        let n = start(&long, &long, [0.5, 0.0, 1.2]);
        assert!((n - Vec3::x()).norm() < 1e-15, "{n}");
        let round = Shape::ellipsoid([0.1, 0.1, 1.0]).unwrap();
        let n = start(&round, &round, [0.5, 0.0, 1.2]);
        assert!(n.x > 0.99 && n.z > 0.0, "{n}");
    }

    #[test]
    fn where_the_boxes_overlap_or_there_are_none_the_centres_decide() {
        let body = Shape::superellipsoid([1.0, 1.0, 1.0], 0.2, 0.2).unwrap();
        let cone = Shape::cone(1.0, 1.0).unwrap();
        let towards = Vec3::new(0.0, 0.6, 0.8);
        assert!((start(&body, &body, [0.0, 0.3, 0.4]) - towards).norm() < 1e-15);
        assert!((start(&body, &cone, [0.0, 3.0, 4.0]) - towards).norm() < 1e-15);
        assert_eq!(start(&body, &body, [0.0; 3]), Vec3::z());
    }
}
