//! The separation function of any two shapes, one support function at a time.

use crate::solve::core_shape::CoreShape;
use crate::solve::separation::{
    NoLanes, Separation, SeparationFunction, SeparationJet, project_radii,
};
use smooth_scene_geometry::math::{Mat3, Vec3, tangent_basis};
use smooth_scene_geometry::simd::Simd;
use std::marker::PhantomData;

/// Two bodies without their rounding; see [`CoreShape`].
pub(crate) struct SurfacePair<'a, S> {
    a: CoreShape<'a>,
    b: CoreShape<'a>,
    /// Turns directions and points of B into the frame of A.
    rotation_ab: Mat3,
    offset: Vec3,
    set: PhantomData<S>,
}

impl<'a, S: Simd> SurfacePair<'a, S> {
    pub fn new([a, b]: [CoreShape<'a>; 2], rotation_ab: &Mat3, offset: &Vec3) -> Self {
        Self { a, b, rotation_ab: *rotation_ab, offset: *offset, set: PhantomData }
    }
}

impl<S: Simd> SeparationFunction for SurfacePair<'_, S> {
    type Set = S;
    type Lanes = NoLanes;

    fn lanes(&self) -> Option<&NoLanes> {
        None
    }

    fn proves_its_values(&self) -> bool {
        true
    }

    #[inline]
    fn is_faceted(&self) -> bool {
        // Two points or segments need no search.
        let is_thin = |core: &CoreShape| !matches!(core, CoreShape::Surface(_));
        self.a.is_faceted() && self.b.is_faceted() && !(is_thin(&self.a) && is_thin(&self.b))
    }

    #[inline]
    fn at(&self, normal: &Vec3) -> Separation {
        let a = self.a.support(normal);
        let b = self.b.support(&-self.rotation_ab.tr_mul(normal));
        Separation {
            value: normal.dot(&self.offset) - a.value - b.value,
            point_a: a.point,
            point_b: self.offset + self.rotation_ab * b.point,
        }
    }

    fn jet(&self, normal: &Vec3) -> SeparationJet {
        let a = self.a.support_jet(normal);
        let b = self.b.support_jet(&-self.rotation_ab.tr_mul(normal));
        let hessian_b = self.rotation_ab * b.hessian * self.rotation_ab.transpose();
        let basis = tangent_basis(normal);
        let radii_a = project_radii(&basis, &a.hessian);
        let radii = project_radii(&basis, &(a.hessian + hessian_b));
        let at = Separation {
            value: normal.dot(&self.offset) - a.value - b.value,
            point_a: a.point,
            point_b: self.offset + self.rotation_ab * b.point,
        };
        SeparationJet {
            normal: *normal,
            at,
            basis,
            radii,
            radii_a,
            is_approximate: false,
            clearance: f64::INFINITY,
        }
    }

    /// A core without an inside, such as a point, overlaps a body when one of its own points is inside that body.
    fn inside_both(&self, point: &Vec3) -> f64 {
        let into_b = |point: &Vec3| self.rotation_ab.tr_mul(&(point - self.offset));
        if let Some(point) = self.a.thin_point(point) {
            return self.b.inside_outside(&into_b(&point));
        }
        if let Some(point) = self.b.thin_point(&into_b(point)) {
            return self.a.inside_outside(&(self.offset + self.rotation_ab * point));
        }
        self.a.inside_outside(point).max(self.b.inside_outside(&into_b(point)))
    }
}
