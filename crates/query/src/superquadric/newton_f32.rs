//! Newton's method on the normal in single precision, two searches of one pair at a time.
//!
//! The steps are those of `common_normal.rs`; see there. The heights of tapered bodies are not searched for at every direction:
//! the slopes of the profiles there are unknowns like the normal, and take a step with it. Each step is tried at two
//! directions: at its end, and half way or, where a body has flat faces, where its surface points move evenly.

use crate::solve::newton_step::{NewtonStep, newton_step};
use crate::superquadric::bodies::{Bodies, Parameters};
use crate::superquadric::tuning::single::{
    ABSURD, ASIDE, CONVERGED, FARTHEST_BENT, FLOOR, HOPE, LONGEST, MOST_CHANGE, ON_A_PLANE, SHORT,
    SHORTER,
};
use smooth_scene_geometry::math::{Mat3, Vec3};
use smooth_scene_geometry::simd::{F32x4, Lanes, Simd, dot, tangent_basis, unit};
use smooth_scene_geometry::xyz;

/// Climbs side by side; each has two lanes of a body.
pub(crate) const CLIMBS: usize = 2;
/// Vectors in the frame of A, one on each lane: the climbs, and the climbs again.
type Vectors<S> = [<S as Simd>::F32x4; 3];
/// Vectors in the frames of the bodies: four of A, and four of B.
type BodyVectors<S> = [<S as Simd>::F32x8; 3];

/// Climbs of one pair, in units of its size.
pub(crate) struct ClimbsF32<S: Simd> {
    bodies: Bodies<S::F32x8>,
    is_straight: bool,
    is_round: bool,
    /// Turns a direction into the frames of the bodies: as it is for A, opposite and turned for B.
    turn: [BodyVectors<S>; 3],
    offset: Vectors<S>,
}

/// Where a climb ended.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TopF32 {
    pub normal: [f32; 3],
    /// About f there; [`f32::MIN`] where nothing was seen.
    pub value: f32,
    /// About what the last step gained.
    pub gained: f32,
    /// About the slopes of the profiles of A and of B there.
    pub slopes: [f32; 2],
}

impl<S: Simd> ClimbsF32<S> {
    #[inline(always)]
    pub fn new(
        pair: [&Parameters; 2],
        rotation_ab: &Mat3,
        offset: &Vec3,
        size: f64,
        is_round: bool,
    ) -> Self {
        let unit = Mat3::identity();
        Self {
            bodies: Bodies::of_pair(pair, size).map(
                #[inline(always)]
                |stored| stored.into(),
            ),
            is_straight: pair.iter().all(|body| body.taper == [0.0; 2]),
            is_round,
            turn: xyz!(|i| xyz!(|k| {
                let [of_a, of_b] = [unit[(i, k)], -rotation_ab[(k, i)]];
                S::join([S::F32x4::splat(of_a), S::F32x4::splat(of_b)])
            })),
            offset: xyz!(|i| S::F32x4::splat(offset[i] / size)),
        }
    }

    /// Climbs from unit directions, to find something higher than `beat`, by so many evaluations at most.
    #[inline(always)]
    pub fn climb(
        &self,
        starts: [[f32; 3]; CLIMBS],
        beat: f32,
        most_rounds: u32,
    ) -> [TopF32; CLIMBS] {
        let mut at = self.start(starts);
        let (mut best, mut value) = (Step::none(&at), splat::<S>(f32::MIN));
        for _ in 0..most_rounds {
            let (step, f) = self.evaluate(&at);
            // The higher of the two directions of a climb, on both its lanes.
            let other = S::swap_pairs(f);
            let step = Step::select(f.simd_ge(other), &step, &step.swapped());
            let f = f.max(other);
            // A step that leads down is shortened.
            best = Step::select(f.simd_gt(value), &step, &best.shortened());
            value = f.max(value);
            // A climb is over when its steps are short, or when it cannot become the highest.
            let highest = array::<S>(value).into_iter().fold(beat, f32::max);
            let hope = value + splat::<S>(HOPE) * best.promised;
            let is_long = best.length.simd_gt(splat::<S>(CONVERGED));
            if !(is_long & hope.simd_gt(splat::<S>(highest))).any() {
                break;
            }
            at = best.tries();
        }
        let is_short = best.length.simd_le(splat::<S>(SHORT));
        let top = Place::select(is_short, &best.to, &best.from);
        let value = array::<S>(value + (is_short & best.promised));
        let normal = xyz!(|i| array::<S>(top.normal[i]));
        let [slopes_a, slopes_b] = S::halves(top.slopes);
        let (slopes_a, slopes_b) = (array::<S>(slopes_a), array::<S>(slopes_b));
        let gained = array::<S>(best.promised);
        std::array::from_fn(|k| TopF32 {
            normal: normal.map(|x| x[k]),
            value: value[k],
            gained: gained[k],
            slopes: [slopes_a[k], slopes_b[k]],
        })
    }

    /// On a plane of symmetry of a body f is stationary across it, at a minimum as at a maximum, and next to it the body is
    /// flat: a start on one is moved off it.
    #[inline(always)]
    fn start(&self, starts: [[f32; 3]; CLIMBS]) -> Place<S> {
        let [one, other] = starts;
        let normal = xyz!(|i| F32x4([one[i], other[i], one[i], other[i]]).into());
        let [x, y, z] = self.turned(&normal);
        let [least_a, least_b] = S::halves(x.abs().min(y.abs()).min(z.abs()));
        let on_a_plane = least_a.min(least_b).simd_lt(splat::<S>(ON_A_PLANE));
        let normal = unit(&xyz!(|i| normal[i] + (on_a_plane & splat::<S>(ASIDE[i]))));
        let slopes = if self.is_straight {
            S::F32x8::splat(0.0)
        } else {
            self.bodies.middle(self.turned(&normal)).start().sigma
        };
        Place { normal, slopes }
    }

    /// The step from each lane's place, and f there; as low as can be where a height was missed.
    #[inline(always)]
    fn evaluate(&self, at: &Place<S>) -> (Step<S>, S::F32x4) {
        let normal = &at.normal;
        let dirs = self.turned(normal);
        let (jets, slopes, rate, seen);
        if self.is_straight {
            let zero = S::F32x8::splat(0.0);
            (jets, slopes, rate, seen) =
                (self.bodies.straight(dirs), at.slopes, [zero; 3], S::F32x8::all_true());
        } else {
            let highest = self.bodies.tapered_in_one_step(dirs, at.slopes);
            (jets, slopes, rate, seen) =
                (highest.jets, highest.sigma, highest.rate, highest.settled);
        }
        let (u, v) = tangent_basis(normal);
        let (body_u, body_v) = (self.turned(&u), self.turned(&v));
        let radii = jets.radii(&body_u, &body_v);
        let f = self.separation(normal, jets.value);
        let g = [
            self.separation(&u, dot(&jets.point, &body_u)),
            self.separation(&v, dot(&jets.point, &body_v)),
        ];
        let sum = xyz!(|i| sum_of_both::<S>(radii[i]));
        let NewtonStep { delta, length, part } =
            newton_step(sum, f, g, splat::<S>(FLOOR), splat::<S>(LONGEST));
        let length = length * part;
        // The quadratic model: a part t of the step gains (1 − ½t)·g·δ, δ the part itself.
        let slope = g[0] * delta[0] + g[1] * delta[1];
        let promised = (splat::<S>(1.0) - splat::<S>(0.5) * part) * slope;

        let to = unit(&xyz!(|i| normal[i] + delta[0] * u[i] + delta[1] * v[i]));
        let other = if self.is_round {
            xyz!(|i| splat::<S>(0.5) * (normal[i] + to[i]))
        } else {
            let bent = self.bent(&jets.point, [&body_u, &body_v], &radii, delta);
            let is_near = dot(&bent, normal).simd_ge(splat::<S>(FARTHEST_BENT));
            xyz!(|i| is_near.select(bent[i], to[i]))
        };
        let from = Place { normal: *normal, slopes };
        let step = Step {
            from,
            to: self.predicted_place(to, &from, &dirs, &rate),
            other: self.predicted_place(other, &from, &dirs, &rate),
            promised,
            length,
        };
        let [seen_a, seen_b] = S::halves(seen);
        let seen = seen_a & seen_b & f.abs().simd_lt(splat::<S>(ABSURD));
        (step, seen.select(f, splat::<S>(f32::MIN)))
    }

    /// x·d − (the sum of what both bodies reach).
    #[inline(always)]
    fn separation(&self, x: &Vectors<S>, reach: S::F32x8) -> S::F32x4 {
        dot(x, &self.offset) - sum_of_both::<S>(reach)
    }

    /// Another direction, with the slopes that the rates dσ/dn at `from` predict there.
    #[inline(always)]
    fn predicted_place(
        &self,
        normal: Vectors<S>,
        from: &Place<S>,
        dirs: &BodyVectors<S>,
        rate: &BodyVectors<S>,
    ) -> Place<S> {
        let most = S::F32x8::splat(MOST_CHANGE) * (S::F32x8::splat(1.0) + from.slopes.abs());
        let there = self.turned(&normal);
        let change = dot(rate, &xyz!(|i| there[i] - dirs[i]));
        Place { normal, slopes: from.slopes + change.min(most).max(-most) }
    }

    /// Where a step leads if the surface point of the body that is flatter along it moves evenly; see
    /// `SuperquadricPair::bent_step`.
    #[inline(always)]
    fn bent(
        &self,
        point: &BodyVectors<S>,
        [u, v]: [&BodyVectors<S>; 2],
        radii: &[S::F32x8; 3],
        delta: [S::F32x4; 2],
    ) -> Vectors<S> {
        let [x, y] = [on_both::<S>(delta[0]), on_both::<S>(delta[1])];
        let [uu, uv, vv] = radii;
        let (along_u, along_v) = (*uu * x + *uv * y, *uv * x + *vv * y);
        let moved = xyz!(|i| point[i] + along_u * u[i] + along_v * v[i]);
        let outward = self.bodies.outward(moved);
        let [flat_a, flat_b] = S::halves(along_u * x + along_v * y);
        let of_a = flat_a.simd_ge(flat_b);
        unit(&xyz!(|i| {
            let [a, b] = S::halves(dot(&xyz!(|k| self.turn[k][i]), &outward));
            of_a.select(a, b)
        }))
    }

    #[inline(always)]
    fn turned(&self, v: &Vectors<S>) -> BodyVectors<S> {
        let v = xyz!(|i| on_both::<S>(v[i]));
        xyz!(|i| dot(&self.turn[i], &v))
    }
}

/// A direction on each lane, and the slopes of the profiles of the bodies along it.
#[derive(Clone, Copy)]
struct Place<S: Simd> {
    normal: Vectors<S>,
    slopes: S::F32x8,
}

impl<S: Simd> Place<S> {
    #[inline(always)]
    fn select(mask: S::F32x4, a: &Self, b: &Self) -> Self {
        Self {
            normal: xyz!(|i| mask.select(a.normal[i], b.normal[i])),
            slopes: on_both::<S>(mask).select(a.slopes, b.slopes),
        }
    }

    #[inline(always)]
    fn swapped(&self) -> Self {
        let [a, b] = S::halves(self.slopes);
        Self {
            normal: xyz!(|i| S::swap_pairs(self.normal[i])),
            slopes: S::join([S::swap_pairs(a), S::swap_pairs(b)]),
        }
    }

    /// A part of the way to another place.
    #[inline(always)]
    fn towards(&self, other: &Self, part: f32) -> Self {
        let (four, eight) = (splat::<S>(part), S::F32x8::splat(part.into()));
        Self {
            normal: xyz!(|i| four.mul_add(other.normal[i] - self.normal[i], self.normal[i])),
            slopes: eight.mul_add(other.slopes - self.slopes, self.slopes),
        }
    }
}

/// A step of each lane.
#[derive(Clone, Copy)]
struct Step<S: Simd> {
    from: Place<S>,
    to: Place<S>,
    /// The other direction that is tried.
    other: Place<S>,
    /// What it promises to gain, and its length in radians.
    promised: S::F32x4,
    length: S::F32x4,
}

impl<S: Simd> Step<S> {
    /// No step.
    #[inline(always)]
    fn none(at: &Place<S>) -> Self {
        let zero = splat::<S>(0.0);
        Self { from: *at, to: *at, other: *at, promised: zero, length: zero }
    }

    #[inline(always)]
    fn select(mask: S::F32x4, a: &Self, b: &Self) -> Self {
        Self {
            from: Place::select(mask, &a.from, &b.from),
            to: Place::select(mask, &a.to, &b.to),
            other: Place::select(mask, &a.other, &b.other),
            promised: mask.select(a.promised, b.promised),
            length: mask.select(a.length, b.length),
        }
    }

    #[inline(always)]
    fn swapped(&self) -> Self {
        Self {
            from: self.from.swapped(),
            to: self.to.swapped(),
            other: self.other.swapped(),
            promised: S::swap_pairs(self.promised),
            length: S::swap_pairs(self.length),
        }
    }

    #[inline(always)]
    fn shortened(&self) -> Self {
        let part = splat::<S>(SHORTER);
        Self {
            from: self.from,
            to: self.from.towards(&self.to, SHORTER),
            other: self.from.towards(&self.other, SHORTER),
            promised: self.promised * part,
            length: self.length * part,
        }
    }

    /// Where to look next: on the first lane of a climb the end of its step, on the second the other direction.
    #[inline(always)]
    fn tries(&self) -> Place<S> {
        let is_first = S::F32x4::from(F32x4([0.0, 0.0, 1.0, 1.0])).simd_lt(splat::<S>(0.5));
        let tries = Place::select(is_first, &self.to, &self.other);
        Place { normal: unit(&tries.normal), ..tries }
    }
}

/// The same on the lanes of A and of B.
#[inline(always)]
fn on_both<S: Simd>(x: S::F32x4) -> S::F32x8 {
    S::join([x, x])
}

/// The sum of what is on the lanes of A and of B.
#[inline(always)]
fn sum_of_both<S: Simd>(x: S::F32x8) -> S::F32x4 {
    let [a, b] = S::halves(x);
    a + b
}

#[inline(always)]
fn splat<S: Simd>(x: f32) -> S::F32x4 {
    S::F32x4::splat(x.into())
}

#[inline(always)]
fn array<S: Simd>(lanes: S::F32x4) -> [f32; 4] {
    let stored: F32x4 = lanes.into();
    stored.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::core_shape::CoreShape;
    use crate::solve::separation::SeparationFunction;
    use crate::superquadric::pair::{SuperquadricPair, parameters};
    use crate::superquadric::tuning::single::MOST_ROUNDS;
    use smooth_scene_geometry::Shape;
    use smooth_scene_geometry::math::Pose;
    use smooth_scene_geometry::simd::{Kernel, Level};

    struct Climb<'a> {
        shapes: [&'a Shape; 2],
        pose_ab: &'a Pose,
        is_round: bool,
    }

    impl Kernel for Climb<'_> {
        type Output = [(TopF32, f64, f64); 2];

        #[inline(always)]
        fn run<S: Simd>(self) -> Self::Output {
            let Self { shapes, pose_ab, is_round } = self;
            let [pa, pb] = shapes.map(|shape| parameters(shape).unwrap());
            let rotation_ab = pose_ab.rotation.to_rotation_matrix().into_inner();
            let offset = pose_ab.translation.vector;
            let towards = offset.normalize();
            let aside = (towards + Vec3::new(0.2, -0.1, 0.15)).normalize();
            let starts = [towards, aside].map(|n| [n.x as f32, n.y as f32, n.z as f32]);
            let climbs = ClimbsF32::<S>::new([&pa, &pb], &rotation_ab, &offset, 2.0, is_round);
            let cores = shapes.map(CoreShape::Surface);
            let pair = SuperquadricPair::<S>::new(&cores, &rotation_ab, &offset).unwrap();
            climbs.climb(starts, f32::MIN, MOST_ROUNDS).map(|top| {
                let jet = pair.jet(&Vec3::from(top.normal.map(f64::from)).normalize());
                let [x, y] = jet.tangential();
                (top, jet.at.value, x.hypot(y))
            })
        }
    }

    /// f and its tangential gradient at the tops of climbs from two directions.
    fn tops(a: &Shape, b: &Shape, pose_ab: &Pose, is_round: bool) -> [(TopF32, f64, f64); 2] {
        Level::detect().run(Climb { shapes: [a, b], pose_ab, is_round })
    }

    #[test]
    fn climbs_end_at_maxima_and_know_their_height() {
        let ellipsoid = Shape::superellipsoid([1.0, 0.8, 2.0], 0.9, 0.8).unwrap();
        let ovoid = Shape::superovoid([1.0, 0.9, 1.8], 0.95, 0.8, [0.1, 0.1]).unwrap();
        let mut count = [0; 2];
        for k in 0..50 {
            let t = f64::from(k);
            let offset = Vec3::new((1.3 * t).sin(), (2.1 * t).sin() + 1.5, (0.7 * t).cos()) * 0.6;
            let pose = Pose::new(offset, Vec3::new((0.9 * t).cos(), (1.7 * t).sin(), 0.4));
            for (a, b) in [(&ellipsoid, &ellipsoid), (&ovoid, &ellipsoid), (&ovoid, &ovoid)] {
                for is_round in [true, false] {
                    let tops = tops(a, b, &pose, is_round);
                    for (top, value, _) in &tops {
                        let error = (f64::from(top.value) * 2.0 - value).abs();
                        let promised = f64::from(top.gained) * 2.0;
                        assert!(
                            error < 2e-4 + 2.0 * promised,
                            "{error} {top:?} {a:?} {b:?} {pose:?}"
                        );
                    }
                    // The other may have given up, and this have come from too far away.
                    let highest = if tops[0].1 > tops[1].1 { &tops[0] } else { &tops[1] };
                    let converged = highest.0.gained < 1e-4;
                    assert!(!converged || highest.2 < 0.03, "{highest:?} {a:?} {b:?} {pose:?}");
                    count[usize::from(converged)] += 1;
                }
            }
        }
        assert!(count[1] > 9 * count[0], "{count:?}");
    }

    #[test]
    fn where_single_precision_ends_nothing_is_claimed() {
        let plate = Shape::superellipsoid([1e4, 1.0, 0.02], 0.9, 0.8).unwrap();
        let pose = Pose::new(Vec3::new(0.1, 0.2, 0.01), Vec3::new(0.3, 0.2, 0.1));
        for (top, ..) in tops(&plate, &plate, &pose, true) {
            let length = top.normal.iter().map(|x| x * x).sum::<f32>().sqrt();
            assert!((length - 1.0).abs() < 0.1 && !top.value.is_nan(), "{top:?}");
        }
    }
}
