//! Newton's method on the normals of four pairs of superquadrics side by side, one pair on each lane.
//!
//! The steps are those of `common_normal.rs`; see there. What a pair finds does not depend on its neighbours. A lane whose
//! pair is done takes another, so that no lane waits for the slowest.

use crate::solve::common_normal::{
    BACKTRACK, EIGENVALUE_FLOOR, Goal, MAX_BACKTRACKS, MAX_EVALUATIONS, MAX_STEP, NOISE,
    SUFFICIENT_GAIN,
};
use crate::solve::separation::Separation;
use crate::superquadric::lanes::{Lanes, Twice};
use crate::superquadric::profile_lanes::{
    Bodies, Foretold, Highest, LAST_STEP, LaneJets, Parameters,
};
use smooth_scene_geometry::math::{Mat3, Vec3};
use wide::f64x4;

/// Vectors, one on each lane.
type Vectors = [f64x4; 3];

/// Which support functions the bodies have; a simpler one is a case of every later one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Straight,
    EvenlyTapered,
    Tapered,
}

/// Four climbs.
pub(crate) struct FourClimbs {
    form: Form,
    /// A of each pair on the first four lanes, B on the last four.
    bodies: Bodies<Twice>,
    foretold: Foretold<Twice>,
    /// Where B is in the frame of A: rows of the rotation, and offset.
    rotation: [Vectors; 3],
    offset: Vectors,
    gap: f64x4,
    limit: f64x4,
    stationary: f64x4,
    size: f64x4,
    /// The best direction so far, and what is known there.
    normal: Vectors,
    value: f64x4,
    reach: Twice,
    point_a: Vectors,
    point_b: Vectors,
    /// Square of the tangential gradient.
    square: f64x4,
    /// Newton step, the gain it promises per unit of length, and the fraction of it to try.
    step: Vectors,
    slope: f64x4,
    fraction: f64x4,
    backtracks: f64x4,
    evaluations: f64x4,
}

/// Where the climb of one lane is.
pub(crate) struct Reached {
    pub normal: Vec3,
    pub at: Separation,
    /// Support values of A and B there.
    pub reach: [f64; 2],
    pub evaluations: u32,
}

/// The lanes whose climb ended in a round, as bits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ended {
    /// The distance is found, or proven to be beyond the limit.
    pub found: u32,
    /// Anything else: overlap, no progress.
    pub open: u32,
}

impl FourClimbs {
    pub fn new(form: Form) -> Self {
        let (zero, one) = (f64x4::splat(0.0), f64x4::splat(1.0));
        let x = [one, zero, zero];
        Self {
            form,
            bodies: Bodies::balls(),
            foretold: Foretold::nothing(),
            rotation: [x, [zero, one, zero], [zero, zero, one]],
            offset: x,
            gap: one,
            limit: zero,
            stationary: zero,
            size: one,
            normal: x,
            value: zero,
            reach: Twice(zero, zero),
            point_a: [zero; 3],
            point_b: [zero; 3],
            square: zero,
            step: [zero; 3],
            slope: zero,
            fraction: one,
            backtracks: zero,
            evaluations: zero,
        }
    }

    /// Puts a pair on a lane, to climb from `start`.
    pub fn seat(
        &mut self,
        lane: usize,
        pair: [&Parameters; 2],
        rotation_ab: &Mat3,
        offset: &Vec3,
        goal: &Goal,
        start: &Vec3,
    ) {
        self.bodies.set(lane, pair);
        self.foretold.forget(lane);
        for i in 0..3 {
            for k in 0..3 {
                self.rotation[i][k].as_mut_array()[lane] = rotation_ab[(i, k)];
            }
            self.offset[i].as_mut_array()[lane] = offset[i];
            self.normal[i].as_mut_array()[lane] = start[i];
            self.step[i].as_mut_array()[lane] = 0.0;
        }
        let set = |lanes: &mut f64x4, x: f64| lanes.as_mut_array()[lane] = x;
        set(&mut self.gap, goal.gap);
        set(&mut self.limit, goal.limit);
        set(&mut self.stationary, (goal.stationary * goal.size).powi(2));
        set(&mut self.size, goal.size);
        // Whatever the first evaluation gives is a gain.
        set(&mut self.value, f64::NEG_INFINITY);
        set(&mut self.square, f64::INFINITY);
        set(&mut self.slope, 0.0);
        set(&mut self.fraction, 1.0);
        set(&mut self.backtracks, 0.0);
        set(&mut self.evaluations, 0.0);
    }

    pub fn reached(&self, lane: usize) -> Reached {
        let vector = |v: &Vectors| Vec3::from(v.map(|lanes| lanes.as_array()[lane]));
        Reached {
            normal: vector(&self.normal),
            at: Separation {
                value: self.value.as_array()[lane],
                point_a: vector(&self.point_a),
                point_b: vector(&self.point_b),
            },
            reach: self.reach.get(lane),
            evaluations: self.evaluations.as_array()[lane] as u32,
        }
    }

    /// One evaluation of every pair.
    #[inline(never)]
    pub fn advance(&mut self) -> Ended {
        let zero = f64x4::splat(0.0);
        // 1. The direction to try, and the support functions there: n in A, −n in B.
        let n = unit(&add_scaled(&self.normal, &self.step, self.fraction));
        let [nb0, nb1, nb2] = turned_back(&self.rotation, &n);
        let dirs = [Twice(n[0], -nb0), Twice(n[1], -nb1), Twice(n[2], -nb2)];
        let (jets, settled) = self.jets(dirs);
        let value = dot(&n, &self.offset) - jets.value.0 - jets.value.1;
        let point_a = jets.point.map(|lanes| lanes.0);
        let point_b = turned(&self.rotation, &jets.point.map(|lanes| lanes.1), &self.offset);
        let gradient = [0, 1, 2].map(|i| point_b[i] - point_a[i]);

        // 2. Gradient and Hessian in the tangent plane.
        let (u, v) = tangent_basis(&n);
        let g = [dot(&gradient, &u), dot(&gradient, &v)];
        let square = g[0] * g[0] + g[1] * g[1];
        let radii = self.radii_of_curvature(&jets, &u, &v);

        // 3. Is it good enough? Within rounding of the top f says nothing any more, but the gradient does.
        let gain = value - self.value;
        let promised = f64x4::splat(SUFFICIENT_GAIN) * self.fraction * self.slope;
        let flat = gain.abs().simd_le(f64x4::splat(NOISE) * self.size)
            & square.simd_lt(f64x4::splat(0.25) * self.square);
        let accepted = (gain.simd_ge(promised) | flat) & settled;
        let pick = |new: f64x4, old: f64x4| accepted.select(new, old);
        let pick_all = |new: &Vectors, old: &Vectors| [0, 1, 2].map(|i| pick(new[i], old[i]));
        self.normal = pick_all(&n, &self.normal);
        self.point_a = pick_all(&point_a, &self.point_a);
        self.point_b = pick_all(&point_b, &self.point_b);
        self.value = pick(value, self.value);
        self.reach = Twice(accepted, accepted).select(jets.value, self.reach);
        self.square = pick(square, self.square);

        // 4. The next step.
        let delta = newton_step(radii, value, g, self.size);
        let step = add_scaled(&scaled(&u, delta[0]), &v, delta[1]);
        self.step = pick_all(&step, &self.step);
        self.slope = pick(delta[0] * g[0] + delta[1] * g[1], self.slope);
        self.fraction = pick(f64x4::splat(1.0), f64x4::splat(BACKTRACK) * self.fraction);
        self.backtracks = pick(zero, self.backtracks + f64x4::splat(1.0));
        self.evaluations += f64x4::splat(1.0);
        self.ended()
    }

    #[inline(always)]
    fn jets(&mut self, dirs: [Twice; 3]) -> (LaneJets<Twice>, f64x4) {
        let Highest { jets, settled, .. } = match self.form {
            Form::Straight => {
                let all = f64x4::splat(0.0).simd_eq(f64x4::splat(0.0));
                return (self.bodies.straight(dirs), all);
            }
            Form::EvenlyTapered => self.bodies.evenly_tapered(dirs, &mut self.foretold, LAST_STEP),
            Form::Tapered => self.bodies.tapered_foretold(dirs, &mut self.foretold, LAST_STEP),
        };
        (jets, settled.0 & settled.1)
    }

    /// W_A + W_B in the tangent plane: each Hessian is projected in its own frame.
    #[inline(always)]
    fn radii_of_curvature(&self, jets: &LaneJets<Twice>, u: &Vectors, v: &Vectors) -> Vectors {
        let both = |w: &Vectors| {
            let turned = turned_back(&self.rotation, w);
            [0, 1, 2].map(|i| Twice(w[i], turned[i]))
        };
        let (u, v) = (both(u), both(v));
        let LaneJets { t, s, alpha, beta, .. } = jets;
        let (tu, tv) = (t[0] * u[0] + t[1] * u[1], t[0] * v[0] + t[1] * v[1]);
        let su = s[0] * u[0] + s[1] * u[1] + s[2] * u[2];
        let sv = s[0] * v[0] + s[1] * v[1] + s[2] * v[2];
        let (at, bs) = (*alpha * tu, *beta * su);
        let (uu, uv) = (at * tu + bs * su, at * tv + bs * sv);
        let vv = *alpha * tv * tv + *beta * sv * sv;
        [uu, uv, vv].map(|sum| sum.0 + sum.1)
    }

    #[inline(always)]
    fn ended(&self) -> Ended {
        let zero = f64x4::splat(0.0);
        let (value, square) = (self.value, self.square);
        let apart = value.simd_gt(zero);
        // g²/(|q − p| + f) as in `duality_gap`.
        let duality_gap = square / ((value * value + square).sqrt() + value);
        let closed = apart & duality_gap.simd_le(self.gap);
        let found = closed | value.simd_gt(self.limit);
        let spent = self.evaluations.simd_ge(f64x4::splat(f64::from(MAX_EVALUATIONS)))
            | self.backtracks.simd_gt(f64x4::splat(f64::from(MAX_BACKTRACKS)));
        let open = spent | (!apart & square.simd_le(self.stationary));
        Ended { found: found.to_bitmask(), open: (open & !found).to_bitmask() }
    }
}

#[inline(always)]
fn dot(a: &Vectors, b: &Vectors) -> f64x4 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
fn scaled(a: &Vectors, k: f64x4) -> Vectors {
    a.map(|x| x * k)
}

#[inline(always)]
fn add_scaled(a: &Vectors, b: &Vectors, k: f64x4) -> Vectors {
    [0, 1, 2].map(|i| b[i].mul_add(k, a[i]))
}

#[inline(always)]
fn unit(a: &Vectors) -> Vectors {
    scaled(a, f64x4::splat(1.0) / dot(a, a).sqrt())
}

/// R·v + t.
#[inline(always)]
fn turned(rotation: &[Vectors; 3], v: &Vectors, t: &Vectors) -> Vectors {
    [0, 1, 2].map(|i| t[i] + dot(&rotation[i], v))
}

/// Rᵀ·v.
#[inline(always)]
fn turned_back(rotation: &[Vectors; 3], v: &Vectors) -> Vectors {
    [0, 1, 2].map(|k| rotation[0][k] * v[0] + rotation[1][k] * v[1] + rotation[2][k] * v[2])
}

/// `math::tangent_basis` on lanes.
#[inline(always)]
fn tangent_basis(n: &Vectors) -> (Vectors, Vectors) {
    let one = f64x4::splat(1.0);
    let sign = (n[2] & f64x4::splat(-0.0)) | one;
    let a = -one / (sign + n[2]);
    let b = n[0] * n[1] * a;
    ([one + sign * n[0] * n[0] * a, sign * b, -sign * n[0]], [b, sign + n[1] * n[1] * a, -n[1]])
}

/// `common_normal::newton_step` on lanes.
#[inline(always)]
fn newton_step([xx, xy, yy]: Vectors, f: f64x4, g: [f64x4; 2], size: f64x4) -> [f64x4; 2] {
    let half = f64x4::splat(0.5);
    let (a, b, c) = (xx + f, xy, yy + f);
    let (mean, difference) = (half * (a + c), half * (a - c));
    let spread = (difference * difference + b * b).sqrt();
    let floor = f64x4::splat(EIGENVALUE_FLOOR) * size;
    let plain = (mean - spread).simd_gt(floor);
    let inverse = f64x4::splat(1.0) / (a * c - b * b);
    let newton = [(c * g[0] - b * g[1]) * inverse, (a * g[1] - b * g[0]) * inverse];
    let (small, large) =
        ((mean - spread).abs().fast_max(floor), (mean + spread).abs().fast_max(floor));
    // Spectral projector of the larger eigenvalue; where both are the same it does not matter.
    let k = half / spread.fast_max(f64x4::splat(f64::MIN_POSITIVE));
    let along = [
        k * ((difference + spread) * g[0] + b * g[1]),
        k * (b * g[0] + (spread - difference) * g[1]),
    ];
    let delta =
        [0, 1].map(|i| plain.select(newton[i], along[i] / large + (g[i] - along[i]) / small));
    let length = (delta[0] * delta[0] + delta[1] * delta[1]).sqrt();
    let most = f64x4::splat(MAX_STEP);
    let shorten = length.simd_gt(most).select(most / length, f64x4::splat(1.0));
    delta.map(|x| x * shorten)
}
