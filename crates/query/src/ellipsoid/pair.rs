//! The separation function of two ellipsoids, in closed form without powers.
//!
//! An ellipsoid with matrix M = R·diag(a²)·Rᵀ has h(n) = √(nᵀMn), support point Mn/h and Hessian (M − x xᵀ)/h.

use crate::solve::core_shape::CoreShape;
use crate::solve::separation::{NoLanes, Separation, SeparationFunction, SeparationJet};
use smooth_scene_geometry::math::{Mat3, Vec3, tangent_basis};
use smooth_scene_geometry::simd::Simd;
use smooth_scene_geometry::{ConvexSurface, Ellipsoid, Shape};
use std::marker::PhantomData;

/// Two ellipsoids in the frame of A.
pub(crate) struct EllipsoidPair<'a, S> {
    ellipsoids: [&'a Ellipsoid; 2],
    /// Diagonal of the matrix of A.
    squares_a: Vec3,
    matrix_b: Mat3,
    rotation_ab: Mat3,
    offset: Vec3,
    set: PhantomData<S>,
}

impl<'a, S: Simd> EllipsoidPair<'a, S> {
    /// `None` unless both shapes are ellipsoids that their matrix describes to full accuracy.
    #[inline(always)]
    pub fn new(cores: &[CoreShape<'a>; 2], rotation_ab: &Mat3, offset: &Vec3) -> Option<Self> {
        let [CoreShape::Surface(Shape::Ellipsoid(a)), CoreShape::Surface(Shape::Ellipsoid(b))] =
            cores
        else {
            return None;
        };
        if is_extreme(a) || is_extreme(b) {
            return None;
        }
        let radii_b = Vec3::from(b.radii());
        let scaled = rotation_ab * Mat3::from_diagonal(&radii_b);
        let radii_a = Vec3::from(a.radii());
        Some(Self {
            ellipsoids: [a, b],
            squares_a: radii_a.component_mul(&radii_a),
            matrix_b: scaled * scaled.transpose(),
            rotation_ab: *rotation_ab,
            offset: *offset,
            set: PhantomData,
        })
    }
}

/// Squares of radii that differ by more than 1e3 leave too few digits for the shorter one.
fn is_extreme(ellipsoid: &Ellipsoid) -> bool {
    let [a, b, c] = ellipsoid.radii();
    a.max(b).max(c) > 1e3 * a.min(b).min(c)
}

impl<S: Simd> SeparationFunction for EllipsoidPair<'_, S> {
    type Set = S;
    type Lanes = NoLanes;

    #[inline(always)]
    fn lanes(&self) -> Option<&NoLanes> {
        None
    }

    fn proves_its_values(&self) -> bool {
        true
    }

    #[inline(always)]
    fn at(&self, normal: &Vec3) -> Separation {
        let (ma, mb) = (self.squares_a.component_mul(normal), self.matrix_b * normal);
        let (ha, hb) = (ma.dot(normal).sqrt(), mb.dot(normal).sqrt());
        Separation {
            value: normal.dot(&self.offset) - ha - hb,
            point_a: ma / ha,
            point_b: self.offset - mb / hb,
        }
    }

    #[inline(always)]
    fn jet(&self, normal: &Vec3) -> SeparationJet {
        let (ma, mb) = (self.squares_a.component_mul(normal), self.matrix_b * normal);
        let (inv_a, inv_b) = (1.0 / ma.dot(normal).sqrt(), 1.0 / mb.dot(normal).sqrt());
        let (xa, xb) = (ma * inv_a, mb * inv_b);
        let (u, v) = tangent_basis(normal);
        let (au, av) = (self.squares_a.component_mul(&u), self.squares_a.component_mul(&v));
        let (bu, bv) = (self.matrix_b * u, self.matrix_b * v);
        let (xau, xav, xbu, xbv) = (xa.dot(&u), xa.dot(&v), xb.dot(&u), xb.dot(&v));
        let radii_a = [
            (au.dot(&u) - xau * xau) * inv_a,
            (au.dot(&v) - xau * xav) * inv_a,
            (av.dot(&v) - xav * xav) * inv_a,
        ];
        SeparationJet {
            normal: *normal,
            at: Separation {
                value: normal.dot(&self.offset) - xa.dot(normal) - xb.dot(normal),
                point_a: xa,
                point_b: self.offset - xb,
            },
            basis: (u, v),
            radii: [
                radii_a[0] + (bu.dot(&u) - xbu * xbu) * inv_b,
                radii_a[1] + (bu.dot(&v) - xbu * xbv) * inv_b,
                radii_a[2] + (bv.dot(&v) - xbv * xbv) * inv_b,
            ],
            radii_a,
            is_approximate: false,
            clearance: f64::INFINITY,
        }
    }

    #[inline(always)]
    fn inside_both(&self, point: &Vec3) -> f64 {
        let point_b = self.rotation_ab.tr_mul(&(point - self.offset));
        self.ellipsoids[0].inside_outside(point).max(self.ellipsoids[1].inside_outside(&point_b))
    }
}
