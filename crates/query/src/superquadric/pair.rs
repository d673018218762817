//! The separation function of two superquadrics, on lanes: both bodies at two directions in one evaluation.

use crate::solve::core_shape::CoreShape;
use crate::solve::separation::{Separation, SeparationFunction, SeparationJet};
use crate::superquadric::bodies::{Bodies, Parameters};
use crate::superquadric::dents::samples::HullSamples;
use crate::superquadric::lane_jets::LaneJets;
use crate::superquadric::predicted::Predicted;
use crate::superquadric::profile_lanes::{Highest, LAST_STEP};
use smooth_scene_geometry::math::{Mat3, Vec3, tangent_basis};
use smooth_scene_geometry::simd::{F64x4, Lanes, Simd};
use smooth_scene_geometry::{ConvexSurface, Shape, xyz};
use std::cell::Cell;
use std::marker::PhantomData;

/// Two superellipsoids, superovoids or ellipsoids. Lanes are A, B at one direction and A, B at another.
pub(crate) struct SuperquadricPair<'a, S> {
    pub(super) shapes: [&'a Shape; 2],
    pub(super) parameters: [Parameters; 2],
    pub(super) bodies: Bodies<F64x4>,
    pub(super) kind: Kind,
    pub(super) frame: FrameOfB,
    /// What the last evaluation predicts for the next, of tapered bodies.
    pub(super) predicted: Cell<Predicted<F64x4>>,
    set: PhantomData<S>,
}

/// Where B is in the frame of A.
#[derive(Clone, Copy)]
pub(super) struct FrameOfB {
    pub(super) rotation_ab: Mat3,
    pub(super) offset: Vec3,
}

impl FrameOfB {
    /// Turns a vector from the frame of A into that of B.
    #[inline(always)]
    pub(super) fn turned_into_b(&self, v: &Vec3) -> Vec3 {
        self.rotation_ab.tr_mul(v)
    }
}

pub(super) enum Kind {
    /// Both without taper.
    Straight,
    /// At least one tapered, x and y alike, both convex.
    EvenlyTapered,
    /// At least one tapered, both convex.
    Tapered,
    /// At least one has a shallow dent, which is ignored: a surrogate of the pair of hulls.
    Surrogate,
    /// At least one is not convex and stands for its hull.
    Hull([Option<HullSamples>; 2]),
}

impl<'a, S: Simd> SuperquadricPair<'a, S> {
    /// `None` unless both shapes are superquadrics.
    #[inline(always)]
    pub fn new(cores: &[CoreShape<'a>; 2], rotation_ab: &Mat3, offset: &Vec3) -> Option<Self> {
        let [CoreShape::Surface(a), CoreShape::Surface(b)] = cores else { return None };
        let (pa, pb) = (parameters(a)?, parameters(b)?);
        let (is_dented_a, is_dented_b) = (is_dented(a), is_dented(b));
        let kind = if is_dented_a || is_dented_b {
            Kind::Hull([
                is_dented_a.then(|| HullSamples::new(&pa)),
                is_dented_b.then(|| HullSamples::new(&pb)),
            ])
        } else if pa.taper == [0.0; 2] && pb.taper == [0.0; 2] {
            Kind::Straight
        } else if pa.taper[0] == pa.taper[1] && pb.taper[0] == pb.taper[1] {
            Kind::EvenlyTapered
        } else {
            Kind::Tapered
        };
        let frame = FrameOfB { rotation_ab: *rotation_ab, offset: *offset };
        Some(Self {
            shapes: [a, b],
            parameters: [pa, pb],
            bodies: Bodies::of_two(&pa, &pb),
            kind,
            frame,
            predicted: Cell::new(Predicted::NOTHING),
            set: PhantomData,
        })
    }

    /// The pair with another way to evaluate it.
    pub(super) fn of_kind(&self, kind: Kind) -> Self {
        let Self { shapes, parameters, bodies, frame, set, .. } = *self;
        let predicted = Cell::new(Predicted::NOTHING);
        Self { shapes, parameters, bodies, frame, kind, predicted, set }
    }

    /// Directions of the four lanes: n in A and −n in B, for both normals.
    #[inline(always)]
    pub(super) fn directions(&self, n: [&Vec3; 2]) -> [F64x4; 3] {
        let (b0, b1) = (self.frame.turned_into_b(n[0]), self.frame.turned_into_b(n[1]));
        interleave(n[0], &-b0, n[1], &-b1)
    }

    #[inline(always)]
    pub(super) fn bodies(&self) -> Bodies<S::F64x4> {
        self.bodies.map(
            #[inline(always)]
            |stored| stored.into(),
        )
    }

    /// The jets of the lanes, of bodies that are convex or taken as such, and whether they are approximate.
    #[inline(always)]
    fn lane_jets(&self, dirs: &[F64x4; 3], last_step: f64) -> (LaneJets<S::F64x4>, bool) {
        let (bodies, on_lanes) = (self.bodies(), load::<S>(dirs));
        if matches!(self.kind, Kind::Straight) {
            return (bodies.straight(on_lanes), false);
        }
        let mut predicted = self.predicted.get().map(
            #[inline(always)]
            |stored| stored.into(),
        );
        let highest = match self.kind {
            Kind::EvenlyTapered => bodies.evenly_tapered(on_lanes, &mut predicted, last_step),
            _ => bodies.tapered_predicted(on_lanes, &mut predicted, last_step),
        };
        self.predicted.set(predicted.map(
            #[inline(always)]
            |lanes| lanes.into(),
        ));
        let exact = S::F64x4::splat(1.001 * LAST_STEP) * highest.sigma.abs();
        let is_approximate = last_step > LAST_STEP && !highest.shift.abs().simd_le(exact).all();
        (self.or_scalar(dirs, highest), is_approximate)
    }

    #[inline(always)]
    pub(super) fn or_scalar(
        &self,
        dirs: &[F64x4; 3],
        highest: Highest<S::F64x4>,
    ) -> LaneJets<S::F64x4> {
        let mut jets = highest.jets;
        if !highest.settled.all() {
            let (value, point) = self.scalar_support(dirs);
            jets.value = value.into();
            jets.point = load::<S>(&point);
        }
        jets
    }

    /// The rare lanes whose height search did not end: value and point from the scalar search, which always does.
    #[cold]
    fn scalar_support(&self, dirs: &[F64x4; 3]) -> (F64x4, [F64x4; 3]) {
        let dirs = dirs.map(|d| d.0);
        let mut value = [0.0; 4];
        let mut point = [[0.0; 4]; 3];
        for lane in 0..4 {
            let dir = Vec3::new(dirs[0][lane], dirs[1][lane], dirs[2][lane]);
            let support = self.shapes[lane % 2].support(&dir);
            value[lane] = support.value;
            for (lanes, x) in point.iter_mut().zip(support.point.iter()) {
                lanes[lane] = *x;
            }
        }
        (F64x4(value), point.map(F64x4))
    }

    /// Puts the lanes of one direction (`first` = 0 or 2) together.
    #[inline(always)]
    pub(super) fn separation(
        &self,
        normal: &Vec3,
        value: &[f64; 4],
        point: &[[f64; 4]; 3],
        first: usize,
    ) -> Separation {
        let (second, frame) = (first + 1, &self.frame);
        let point_b = Vec3::new(point[0][second], point[1][second], point[2][second]);
        Separation {
            value: normal.dot(&frame.offset) - value[first] - value[second],
            point_a: Vec3::new(point[0][first], point[1][first], point[2][first]),
            point_b: frame.offset + frame.rotation_ab * point_b,
        }
    }

    #[inline(always)]
    pub(super) fn assemble(
        &self,
        n: [&Vec3; 2],
        dirs: &[F64x4; 3],
        jets: &LaneJets<S::F64x4>,
        is_approximate: bool,
    ) -> [SeparationJet; 2] {
        // Each Hessian is projected in its own frame: the tangent vectors are turned, not the matrices.
        let basis = [tangent_basis(n[0]), tangent_basis(n[1])];
        let [(u0, v0), (u1, v1)] = &basis;
        let frame = &self.frame;
        let u = interleave(u0, &frame.turned_into_b(u0), u1, &frame.turned_into_b(u1));
        let v = interleave(v0, &frame.turned_into_b(v0), v1, &frame.turned_into_b(v1));
        let [uu, uv, vv] = jets.radii(&load::<S>(&u), &load::<S>(&v));
        let [uu, uv, vv]: [F64x4; 3] = [uu.into(), uv.into(), vv.into()];
        let F64x4(value) = jets.value.into();
        let point = arrays(&store::<S>(&jets.point));
        let least = least_components::<S>(dirs);
        let lanes = AssembledLanes { value, point, radii: [uu.0, uv.0, vv.0], least };
        [
            self.jet_of_lanes(n[0], basis[0], &lanes, 0, is_approximate),
            self.jet_of_lanes(n[1], basis[1], &lanes, 2, is_approximate),
        ]
    }

    #[inline(always)]
    fn jet_of_lanes(
        &self,
        normal: &Vec3,
        basis: (Vec3, Vec3),
        lanes: &AssembledLanes,
        first: usize,
        is_approximate: bool,
    ) -> SeparationJet {
        let (second, [uu, uv, vv]) = (first + 1, &lanes.radii);
        SeparationJet {
            normal: *normal,
            at: self.separation(normal, &lanes.value, &lanes.point, first),
            basis,
            radii: [uu[first] + uu[second], uv[first] + uv[second], vv[first] + vv[second]],
            radii_a: [uu[first], uv[first], vv[first]],
            is_approximate,
            clearance: lanes.least[first].min(lanes.least[second]),
        }
    }

    /// The jets at two directions, of bodies that are convex or taken as such.
    #[inline(always)]
    pub(super) fn jets_of_two(&self, normals: [&Vec3; 2], last_step: f64) -> [SeparationJet; 2] {
        S::call(
            #[inline(always)]
            || {
                let dirs = self.directions(normals);
                let (jets, is_approximate) = self.lane_jets(&dirs, last_step);
                self.assemble(normals, &dirs, &jets, is_approximate)
            },
        )
    }

    #[inline(always)]
    pub fn point_in_b(&self, point: &Vec3) -> Vec3 {
        self.frame.turned_into_b(&(point - self.frame.offset))
    }
}

/// What the jets of two directions are made of, as numbers: lanes are A, B and A, B.
struct AssembledLanes {
    value: [f64; 4],
    point: [[f64; 4]; 3],
    /// [uu, uv, vv] of the Hessians.
    radii: [[f64; 4]; 3],
    least: [f64; 4],
}

/// The least component of each direction.
#[inline(always)]
fn least_components<S: Simd>(dirs: &[F64x4; 3]) -> [f64; 4] {
    let [x, y, z] = load::<S>(dirs);
    let F64x4(least) = x.abs().min(y.abs()).min(z.abs()).into();
    least
}

/// Whether a superquadric is not convex.
#[inline(always)]
fn is_dented(shape: &Shape) -> bool {
    matches!(shape, Shape::Superovoid(ovoid) if !ovoid.is_convex())
}

/// The components of four vectors, one vector per lane.
#[inline(always)]
pub(super) fn interleave(a: &Vec3, b: &Vec3, c: &Vec3, d: &Vec3) -> [F64x4; 3] {
    xyz!(|i| F64x4([a[i], b[i], c[i], d[i]]))
}

#[inline(always)]
pub(super) fn load<S: Simd>(stored: &[F64x4; 3]) -> [S::F64x4; 3] {
    xyz!(|i| stored[i].into())
}

#[inline(always)]
pub(super) fn store<S: Simd>(lanes: &[S::F64x4; 3]) -> [F64x4; 3] {
    xyz!(|i| lanes[i].into())
}

#[inline(always)]
pub(super) fn arrays(stored: &[F64x4; 3]) -> [[f64; 4]; 3] {
    xyz!(|i| stored[i].0)
}

/// What the lanes need to know about a shape, if it is a superquadric.
#[inline(always)]
pub(crate) fn parameters(shape: &Shape) -> Option<Parameters> {
    match shape {
        Shape::Superellipsoid(s) => Some(s.into()),
        Shape::Superovoid(s) => Some(s.into()),
        Shape::Ellipsoid(s) => Some(Parameters {
            radii: s.radii(),
            exponent_xy: 1.0,
            exponent_z: 1.0,
            taper: [0.0; 2],
        }),
        _ => None,
    }
}

impl<'a, S: Simd> SeparationFunction for SuperquadricPair<'a, S> {
    type Set = S;
    type Lanes = Self;

    #[inline(always)]
    fn lanes(&self) -> Option<&Self> {
        Some(self)
    }

    #[inline(always)]
    fn at(&self, normal: &Vec3) -> Separation {
        if let Kind::Hull(samples) = &self.kind {
            return self.hull_value(normal, samples);
        }
        S::call(
            #[inline(always)]
            || {
                let (jets, _) = self.lane_jets(&self.directions([normal, normal]), LAST_STEP);
                let F64x4(value) = jets.value.into();
                self.separation(normal, &value, &arrays(&store::<S>(&jets.point)), 0)
            },
        )
    }

    #[inline(always)]
    fn jet(&self, normal: &Vec3) -> SeparationJet {
        if let Kind::Hull(samples) = &self.kind {
            return self.hull_jet(normal, samples);
        }
        let [jet, _] = self.jets_of_two([normal, normal], LAST_STEP);
        jet
    }

    #[inline(always)]
    fn inside_both(&self, point: &Vec3) -> f64 {
        S::call(
            #[inline(always)]
            || {
                let point_b = self.point_in_b(point);
                let points = interleave(point, &point_b, point, &point_b);
                let F64x4([a, b, ..]) = self.bodies().log_inside(load::<S>(&points)).into();
                a.max(b)
            },
        )
    }

    fn proves_its_values(&self) -> bool {
        self.is_proven()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::surface_pair::SurfacePair;
    use nalgebra::{Translation3, UnitQuaternion};
    use smooth_scene_geometry::Superovoid;
    use smooth_scene_geometry::math::Pose;
    use smooth_scene_geometry::simd::Portable;

    /// Deterministic numbers in [0, 1).
    fn uniform(state: &mut u64) -> f64 {
        *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*state >> 11) as f64 / (1u64 << 53) as f64
    }

    #[test]
    fn lanes_agree_with_the_scalar_support_functions() {
        let mut state = 3;
        let mut u = move || uniform(&mut state);
        for case in 0..4000 {
            let mut shape = || -> Shape {
                let radii = [0.5 + u(), 0.5 + u(), 0.5 + u()];
                let (xy, z) = (0.02 + 1.96 * u(), 0.02 + 1.96 * u());
                let taper = match case % 4 {
                    0 => [0.0; 2],
                    1 => [0.3 * (u() - 0.5); 2],
                    _ => [1.8 * (u() - 0.5), 1.8 * (u() - 0.5)],
                };
                Superovoid::new(radii, xy, z, taper).unwrap().into()
            };
            let (a, b) = (shape(), shape());
            let pose = Pose::from_parts(
                Translation3::new(u(), u(), u()),
                UnitQuaternion::from_euler_angles(6.0 * u(), 6.0 * u(), 6.0 * u()),
            );
            let cores = [CoreShape::Surface(&a), CoreShape::Surface(&b)];
            let rotation = pose.rotation.to_rotation_matrix().into_inner();
            let offset = pose.translation.vector;
            let fast = SuperquadricPair::<Portable>::new(&cores, &rotation, &offset).unwrap();
            let slow = SurfacePair::<Portable>::new(cores, &rotation, &offset);
            let n = Vec3::new(u() - 0.5, u() - 0.5, u() - 0.5).normalize();
            let (x, y) = (fast.jet(&n), slow.jet(&n));
            // The scalar value of a dented body is a proven bound; its points may give a little more.
            let attained = n.dot(&y.at.gradient());
            let within = y.at.value - 1e-13..attained + 1e-13;
            assert!(within.contains(&x.at.value), "{a:?} {b:?} {n:?} {x:?} {y:?}");
            if a.is_convex() && b.is_convex() {
                let error = (x.at.gradient() - y.at.gradient()).norm();
                assert!(error < 1e-6, "{error} {a:?} {b:?} {n:?}");
                for k in 0..3 {
                    let scale = 1.0 + y.radii.iter().fold(0f64, |m, r| m.max(r.abs()));
                    assert!(
                        (x.radii[k] - y.radii[k]).abs() < 1e-5 * scale,
                        "{x:?} {y:?} {a:?} {b:?}"
                    );
                }
            }
        }
    }
}
