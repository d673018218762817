//! Newton's method on the normal in single precision, two climbs of one pair side by side.
//!
//! The steps are those of `common_normal.rs`; see there. The heights of tapered bodies are not searched for at every direction:
//! the slopes of the profiles there are unknowns like the normal, and take a step with it. Each step is tried at two
//! directions: at its end, and half way or, where a body has flat faces, where its surface points move evenly.

use crate::superquadric::profile_lanes::{Bodies, LaneJets, Parameters};
use bytemuck::cast;
use smooth_scene_geometry::math::{Mat3, Vec3};
use wide::{f32x4, f32x8};

/// Climbs side by side; each has two lanes of a body.
pub(crate) const CLIMBS: usize = 2;
/// Evaluations of a climb at most; two or three are typical.
const MOST_ROUNDS: u32 = 6;
/// Step, in radians, after which another gains nothing in single precision.
const CONVERGED: f32 = 3e-3;
/// By how many times what its step promises a climb may rise.
const HOPE: f32 = 4.0;
/// Step, in radians, whose promise is believed without a look.
const SHORT: f32 = 0.05;
/// Longest step, in radians.
const LONGEST: f32 = 0.25;
/// What is left of a step that leads down.
const SHORTER: f32 = 0.3;
/// Component of a direction, in the frame of a body, below which it lies on one of its planes of symmetry, and how starts
/// are moved off it: across all planes.
const ON_A_PLANE: f32 = 0.01;
const ASIDE: [f32; 3] = [0.012, -0.019, 0.015];
/// Most that a slope may change with a step, in multiples of 1 + |σ|.
const MOST_CHANGE: f32 = 0.3;
/// Smallest eigenvalue of the modified Hessian.
const FLOOR: f32 = 1e-6;
/// Values beyond this come from numbers that single precision does not hold.
const ABSURD: f32 = 1e20;

/// Vectors in the frame of A, one on each lane: the climbs, and the climbs again.
type Vectors = [f32x4; 3];
/// Vectors in the frames of the bodies: four of A, and four of B.
type BodyVectors = [f32x8; 3];

/// Climbs of one pair, in units of its size.
pub(crate) struct RoughClimbs {
    bodies: Bodies<f32x8>,
    is_straight: bool,
    is_round: bool,
    /// Turns a direction into the frames of the bodies: as it is for A, opposite and turned for B.
    turn: [[f32x8; 3]; 3],
    offset: Vectors,
}

/// Where a climb ended.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RoughTop {
    pub normal: [f32; 3],
    /// About f there; [`f32::MIN`] where nothing was seen.
    pub value: f32,
    /// About what the last step gained.
    pub gained: f32,
    /// About the slopes of the profiles of A and of B there.
    pub slopes: [f32; 2],
}

impl RoughClimbs {
    pub fn new(
        pair: [&Parameters; 2],
        rotation_ab: &Mat3,
        offset: &Vec3,
        size: f64,
        is_round: bool,
    ) -> Self {
        let lanes = |a: f64, b: f64| cast([f32x4::splat(a as f32), f32x4::splat(b as f32)]);
        let unit = Mat3::identity();
        Self {
            bodies: Bodies::of_pair(pair, size),
            is_straight: pair.iter().all(|body| body.taper == [0.0; 2]),
            is_round,
            turn: [0, 1, 2].map(|i| [0, 1, 2].map(|k| lanes(unit[(i, k)], -rotation_ab[(k, i)]))),
            offset: [0, 1, 2].map(|i| f32x4::splat((offset[i] / size) as f32)),
        }
    }

    /// Climbs from unit directions, to find something higher than `beat`.
    pub fn climb(&self, starts: [[f32; 3]; CLIMBS], beat: f32) -> [RoughTop; CLIMBS] {
        let mut at = self.start(starts);
        let (mut best, mut value) = (Step::none(&at), f32x4::splat(f32::MIN));
        for _ in 0..MOST_ROUNDS {
            let (step, f) = self.look(&at);
            // The higher of the two directions of a climb, on both its lanes.
            let other = swapped(f);
            let step = Step::select(f.simd_ge(other), &step, &step.swapped());
            let f = f.fast_max(other);
            // A step that leads down is shortened.
            best = Step::select(f.simd_gt(value), &step, &best.shortened());
            value = f.fast_max(value);
            // A climb is over when its steps are short, or when it cannot become the highest.
            let highest = value.to_array().into_iter().fold(beat, f32::max);
            let hope = value + f32x4::splat(HOPE) * best.promised;
            let is_long = best.length.simd_gt(f32x4::splat(CONVERGED));
            if !(is_long & hope.simd_gt(f32x4::splat(highest))).any() {
                break;
            }
            at = best.tries();
        }
        let is_short = best.length.simd_le(f32x4::splat(SHORT));
        let top = Place::select(is_short, &best.to, &best.from);
        let value = (value + (is_short & best.promised)).to_array();
        let (normal, slopes) = (top.normal.map(|x| x.to_array()), top.slopes.to_array());
        let gained = best.promised.to_array();
        std::array::from_fn(|k| RoughTop {
            normal: normal.map(|x| x[k]),
            value: value[k],
            gained: gained[k],
            slopes: [slopes[k], slopes[k + 2 * CLIMBS]],
        })
    }

    /// On a plane of symmetry of a body f is stationary across it, at a minimum as at a maximum, and next to it the body is
    /// flat: a start on one is moved off it.
    fn start(&self, starts: [[f32; 3]; CLIMBS]) -> Place {
        let normal = [0, 1, 2].map(|i| {
            let [a, b] = starts.map(|start| start[i]);
            f32x4::new([a, b, a, b])
        });
        let [x, y, z] = self.turned(&normal).map(|c| c.abs());
        let [least_a, least_b]: [f32x4; 2] = cast(x.fast_min(y).fast_min(z));
        let on_a_plane = least_a.fast_min(least_b).simd_lt(f32x4::splat(ON_A_PLANE));
        let normal = unit(&[0, 1, 2].map(|i| normal[i] + (on_a_plane & f32x4::splat(ASIDE[i]))));
        let slopes = if self.is_straight {
            f32x8::splat(0.0)
        } else {
            self.bodies.middle(self.turned(&normal)).start().sigma
        };
        Place { normal, slopes }
    }

    /// The step from each lane's place, and f there; as low as can be where a height was missed.
    #[inline(always)]
    fn look(&self, at: &Place) -> (Step, f32x4) {
        let normal = &at.normal;
        let dirs = self.turned(normal);
        let (jets, slopes, rate, seen);
        if self.is_straight {
            let zero = f32x8::splat(0.0);
            (jets, slopes, rate, seen) =
                (self.bodies.straight(dirs), at.slopes, [zero; 3], zero.simd_eq(zero));
        } else {
            let highest = self.bodies.tapered_at_a_glance(dirs, at.slopes);
            (jets, slopes, rate, seen) =
                (highest.jets, highest.sigma, highest.rate, highest.settled);
        }
        let (u, v) = tangent_basis(normal);
        let (body_u, body_v) = (self.turned(&u), self.turned(&v));
        let radii = Radii::new(&jets, &body_u, &body_v);
        let along = |x: &Vectors, reach: f32x8| dot(x, &self.offset) - sum_of_both(reach);
        let f = along(normal, jets.value);
        let g = [along(&u, dot(&jets.point, &body_u)), along(&v, dot(&jets.point, &body_v))];
        let NewtonStep { delta, length, promised } = newton_step(&radii, f, g);

        let to = unit(&[0, 1, 2].map(|i| normal[i] + delta[0] * u[i] + delta[1] * v[i]));
        let other = if self.is_round {
            [0, 1, 2].map(|i| f32x4::splat(0.5) * (normal[i] + to[i]))
        } else {
            self.bent(&jets.point, [&body_u, &body_v], &radii, delta)
        };
        let most = f32x8::splat(MOST_CHANGE) * (f32x8::splat(1.0) + slopes.abs());
        let place = |normal: Vectors| {
            let there = self.turned(&normal);
            let change = dot(&rate, &[0, 1, 2].map(|i| there[i] - dirs[i]));
            Place { normal, slopes: slopes + change.fast_min(most).fast_max(-most) }
        };
        let from = Place { normal: *normal, slopes };
        let step = Step { from, to: place(to), other: place(other), promised, length };
        let [seen_a, seen_b]: [f32x4; 2] = cast(seen);
        let seen = seen_a & seen_b & f.abs().simd_lt(f32x4::splat(ABSURD));
        (step, seen.select(f, f32x4::splat(f32::MIN)))
    }

    /// Where a step leads if the surface point of the body that is flatter along it moves evenly; see
    /// `SuperquadricPair::bent_step`.
    #[inline(always)]
    fn bent(
        &self,
        point: &BodyVectors,
        [u, v]: [&BodyVectors; 2],
        radii: &Radii,
        delta: [f32x4; 2],
    ) -> Vectors {
        let [x, y] = delta.map(on_both);
        let Radii { uu, uv, vv } = radii;
        let (along_u, along_v) = (*uu * x + *uv * y, *uv * x + *vv * y);
        let moved = [0, 1, 2].map(|i| point[i] + along_u * u[i] + along_v * v[i]);
        let outward = self.bodies.outward(moved);
        let [flat_a, flat_b]: [f32x4; 2] = cast(along_u * x + along_v * y);
        let of_a = flat_a.simd_ge(flat_b);
        unit(&[0, 1, 2].map(|i| {
            let [a, b]: [f32x4; 2] = cast(dot(&self.turn.map(|row| row[i]), &outward));
            of_a.select(a, b)
        }))
    }

    #[inline(always)]
    fn turned(&self, v: &Vectors) -> BodyVectors {
        let v = v.map(on_both);
        [0, 1, 2].map(|i| dot(&self.turn[i], &v))
    }
}

/// A direction on each lane, and the slopes of the profiles of the bodies along it.
#[derive(Clone, Copy)]
struct Place {
    normal: Vectors,
    slopes: f32x8,
}

impl Place {
    #[inline(always)]
    fn select(mask: f32x4, a: &Self, b: &Self) -> Self {
        Self {
            normal: [0, 1, 2].map(|i| mask.select(a.normal[i], b.normal[i])),
            slopes: on_both(mask).select(a.slopes, b.slopes),
        }
    }

    #[inline(always)]
    fn swapped(&self) -> Self {
        let [a, b]: [f32x4; 2] = cast(self.slopes);
        Self { normal: self.normal.map(swapped), slopes: cast([swapped(a), swapped(b)]) }
    }

    /// A part of the way to another place.
    #[inline(always)]
    fn towards(&self, other: &Self, part: f32) -> Self {
        let (four, eight) = (f32x4::splat(part), f32x8::splat(part));
        Self {
            normal: [0, 1, 2]
                .map(|i| four.mul_add(other.normal[i] - self.normal[i], self.normal[i])),
            slopes: eight.mul_add(other.slopes - self.slopes, self.slopes),
        }
    }
}

/// A step of each lane.
#[derive(Clone, Copy)]
struct Step {
    from: Place,
    to: Place,
    /// The other direction that is tried.
    other: Place,
    /// What it promises to gain, and its length in radians.
    promised: f32x4,
    length: f32x4,
}

impl Step {
    /// No step.
    fn none(at: &Place) -> Self {
        let zero = f32x4::splat(0.0);
        Self { from: *at, to: *at, other: *at, promised: zero, length: zero }
    }

    #[inline(always)]
    fn select(mask: f32x4, a: &Self, b: &Self) -> Self {
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
            promised: swapped(self.promised),
            length: swapped(self.length),
        }
    }

    #[inline(always)]
    fn shortened(&self) -> Self {
        let part = f32x4::splat(SHORTER);
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
    fn tries(&self) -> Place {
        let is_first = f32x4::new([0.0, 0.0, 1.0, 1.0]).simd_lt(f32x4::splat(0.5));
        let tries = Place::select(is_first, &self.to, &self.other);
        Place { normal: unit(&tries.normal), ..tries }
    }
}

/// W of each body in the basis u, v.
struct Radii {
    uu: f32x8,
    uv: f32x8,
    vv: f32x8,
}

impl Radii {
    #[inline(always)]
    fn new(jets: &LaneJets<f32x8>, u: &BodyVectors, v: &BodyVectors) -> Self {
        let LaneJets { alpha, t, beta, s, .. } = jets;
        let (tu, tv) = (t[0] * u[0] + t[1] * u[1], t[0] * v[0] + t[1] * v[1]);
        let (su, sv) = (dot(s, u), dot(s, v));
        let (at, bs) = (*alpha * tu, *beta * su);
        Self {
            uu: at * tu + bs * su,
            uv: at * tv + bs * sv,
            vv: *alpha * tv * tv + *beta * sv * sv,
        }
    }
}

struct NewtonStep {
    delta: [f32x4; 2],
    length: f32x4,
    promised: f32x4,
}

/// The modified Newton step of `common_normal.rs`.
#[inline(always)]
fn newton_step(radii: &Radii, f: f32x4, [gx, gy]: [f32x4; 2]) -> NewtonStep {
    let (half, one, floor) = (f32x4::splat(0.5), f32x4::splat(1.0), f32x4::splat(FLOOR));
    let [a, b, c] = [radii.uu, radii.uv, radii.vv].map(sum_of_both);
    let (mean, lean) = (half * (a + c) + f, half * (a - c));
    let spread = (lean * lean + b * b).sqrt().fast_max(floor);
    let [small, large] = [mean - spread, mean + spread].map(|x| one / x.abs().fast_max(floor));
    // Spectral projector of the larger eigenvalue.
    let k = half / spread;
    let along = [k * ((lean + spread) * gx + b * gy), k * (b * gx + (spread - lean) * gy)];
    let x = along[0] * large + (gx - along[0]) * small;
    let y = along[1] * large + (gy - along[1]) * small;
    let length = (x * x + y * y).sqrt();
    let part = (f32x4::splat(LONGEST) / length.fast_max(floor)).fast_min(one);
    let promised = (one - half * part) * part * (gx * x + gy * y);
    NewtonStep { delta: [x * part, y * part], length: length * part, promised }
}

/// The same on the lanes of A and of B.
#[inline(always)]
fn on_both(x: f32x4) -> f32x8 {
    cast([x, x])
}

/// The sum of what is on the lanes of A and of B.
#[inline(always)]
fn sum_of_both(x: f32x8) -> f32x4 {
    let [a, b]: [f32x4; 2] = cast(x);
    a + b
}

/// The first two lanes and the last two the other way round.
#[inline(always)]
fn swapped(x: f32x4) -> f32x4 {
    let [a, b, c, d] = x.to_array();
    f32x4::new([c, d, a, b])
}

#[inline(always)]
fn unit(v: &Vectors) -> Vectors {
    let inverse = f32x4::splat(1.0) / dot(v, v).sqrt();
    v.map(|c| c * inverse)
}

#[inline(always)]
fn dot<L>(a: &[L; 3], b: &[L; 3]) -> L
where
    L: Copy + std::ops::Mul<Output = L> + std::ops::Add<Output = L>,
{
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// `math::tangent_basis` on lanes.
#[inline(always)]
fn tangent_basis(n: &Vectors) -> (Vectors, Vectors) {
    let one = f32x4::splat(1.0);
    let sign = (n[2] & f32x4::splat(-0.0)) | one;
    let a = -one / (sign + n[2]);
    let b = n[0] * n[1] * a;
    ([one + sign * n[0] * n[0] * a, sign * b, -sign * n[0]], [b, sign + n[1] * n[1] * a, -n[1]])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::core_shape::CoreShape;
    use crate::solve::separation::SeparationFunction;
    use crate::superquadric::pair::{SuperquadricPair, parameters};
    use smooth_scene_geometry::Shape;
    use smooth_scene_geometry::math::Pose;

    /// f and its tangential gradient at the tops of climbs from two directions.
    fn tops(a: &Shape, b: &Shape, pose_ab: &Pose, is_round: bool) -> [(RoughTop, f64, f64); 2] {
        let [pa, pb] = [a, b].map(|shape| parameters(shape).unwrap());
        let rotation_ab = pose_ab.rotation.to_rotation_matrix().into_inner();
        let offset = pose_ab.translation.vector;
        let climbs = RoughClimbs::new([&pa, &pb], &rotation_ab, &offset, 2.0, is_round);
        let cores = [CoreShape::Surface(a), CoreShape::Surface(b)];
        let pair = SuperquadricPair::new(&cores[0], &cores[1], pose_ab).unwrap();
        let towards = offset.normalize();
        let aside = (towards + Vec3::new(0.2, -0.1, 0.15)).normalize();
        let starts = [towards, aside].map(|n| [n.x as f32, n.y as f32, n.z as f32]);
        climbs.climb(starts, f32::MIN).map(|top| {
            let jet = pair.jet(&Vec3::from(top.normal.map(f64::from)).normalize());
            let [x, y] = jet.tangential();
            (top, jet.at.value, x.hypot(y))
        })
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
