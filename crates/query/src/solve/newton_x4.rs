//! Newton's method on the normals of four pairs of superquadrics at a time, one pair on each lane.
//!
//! The steps are those of `common_normal.rs`; see there. What a pair finds does not depend on its neighbours. A lane whose
//! pair is done takes another, so that no lane waits for the slowest.

use crate::solve::common_normal::{
    BACKTRACK, EIGENVALUE_FLOOR, Goal, MAX_BACKTRACKS, MAX_EVALUATIONS, MAX_STEP, NOISE,
    SUFFICIENT_GAIN,
};
use crate::solve::newton_step::{NewtonStep, newton_step};
use crate::solve::separation::Separation;
use crate::superquadric::bodies::{Bodies, Parameters};
use crate::superquadric::lane_jets::LaneJets;
use crate::superquadric::predicted::Predicted;
use crate::superquadric::profile_lanes::{Highest, LAST_STEP};
use smooth_scene_geometry::math::{Mat3, Vec3};
use smooth_scene_geometry::simd::{
    F64x4, F64x4x2, Kernel, Lanes, Level, Simd, dot, tangent_basis, unit,
};
use smooth_scene_geometry::xyz;

/// Vectors, one on each lane, as they are stored and in registers.
type Stored = [F64x4; 3];
type Vectors<S> = [<S as Simd>::F64x4; 3];

/// Which support functions the bodies have; a simpler one is a case of every later one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Straight,
    EvenlyTapered,
    Tapered,
}

/// Four climbs.
pub(crate) struct FourClimbs {
    level: Level,
    form: Form,
    /// A of each pair on the first four lanes, B on the last four.
    bodies: Bodies<F64x4x2<F64x4>>,
    predicted: Predicted<F64x4x2<F64x4>>,
    /// Where B is in the frame of A: rows of the rotation, and offset.
    rotation: [Stored; 3],
    offset: Stored,
    gap: F64x4,
    limit: F64x4,
    stationary: F64x4,
    size: F64x4,
    /// The best direction so far, and what is known there.
    normal: Stored,
    value: F64x4,
    reach: F64x4x2<F64x4>,
    point_a: Stored,
    point_b: Stored,
    /// Square of the tangential gradient.
    square: F64x4,
    /// Newton step, the gain it promises per unit of length, and the fraction of it to try.
    step: Stored,
    slope: F64x4,
    fraction: F64x4,
    backtracks: F64x4,
    evaluations: F64x4,
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
        let (zero, one) = (F64x4::splat(0.0), F64x4::splat(1.0));
        let x = [one, zero, zero];
        Self {
            level: Level::detect(),
            form,
            bodies: Bodies::balls(),
            predicted: Predicted::nothing(),
            rotation: [x, [zero, one, zero], [zero, zero, one]],
            offset: x,
            gap: one,
            limit: zero,
            stationary: zero,
            size: one,
            normal: x,
            value: zero,
            reach: F64x4x2(zero, zero),
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
        self.predicted.forget(lane);
        for i in 0..3 {
            for k in 0..3 {
                self.rotation[i][k].0[lane] = rotation_ab[(i, k)];
            }
            self.offset[i].0[lane] = offset[i];
            self.normal[i].0[lane] = start[i];
            self.step[i].0[lane] = 0.0;
        }
        let set = |lanes: &mut F64x4, x: f64| lanes.0[lane] = x;
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
        let vector = |v: &Stored| Vec3::from(v.map(|lanes| lanes.0[lane]));
        Reached {
            normal: vector(&self.normal),
            at: Separation {
                value: self.value.0[lane],
                point_a: vector(&self.point_a),
                point_b: vector(&self.point_b),
            },
            reach: [self.reach.0.0[lane], self.reach.1.0[lane]],
            evaluations: self.evaluations.0[lane] as u32,
        }
    }

    /// One evaluation of every pair.
    pub fn advance(&mut self) -> Ended {
        self.level.run(Advance(self))
    }
}

/// [`FourClimbs::advance`] on lanes.
struct Advance<'a>(&'a mut FourClimbs);

impl Kernel for Advance<'_> {
    type Output = Ended;

    #[inline(always)]
    fn run<S: Simd>(self) -> Ended {
        self.0.advance_on::<S>()
    }
}

impl FourClimbs {
    #[inline(always)]
    fn advance_on<S: Simd>(&mut self) -> Ended {
        let splat = S::F64x4::splat;
        let (offset, size) = (load::<S>(&self.offset), S::F64x4::from(self.size));
        let rotation = xyz!(|i| load::<S>(&self.rotation[i]));
        let fraction = S::F64x4::from(self.fraction);
        // 1. The direction to try, and the support functions there: n in A, −n in B.
        let n = unit(&add_scaled::<S>(&load::<S>(&self.normal), &load::<S>(&self.step), fraction));
        let n_b = turned_back::<S>(&rotation, &n);
        let (jets, settled) = self.jets::<S>(xyz!(|i| F64x4x2(n[i], -n_b[i])));
        let value = dot(&n, &offset) - jets.value.0 - jets.value.1;
        let point_a = xyz!(|i| jets.point[i].0);
        let point_b = turned::<S>(&rotation, &xyz!(|i| jets.point[i].1), &offset);
        let gradient = xyz!(|i| point_b[i] - point_a[i]);

        // 2. Gradient and Hessian in the tangent plane.
        let (u, v) = tangent_basis(&n);
        let g = [dot(&gradient, &u), dot(&gradient, &v)];
        let square = g[0] * g[0] + g[1] * g[1];
        let radii = radii_of_curvature::<S>(&rotation, &jets, &u, &v);

        // 3. Is it good enough? Within rounding of the top f says nothing any more, but the gradient does.
        let gain = value - self.value.into();
        let promised = splat(SUFFICIENT_GAIN) * fraction * self.slope.into();
        let flat = gain.abs().simd_le(splat(NOISE) * size)
            & square.simd_lt(splat(0.25) * self.square.into());
        let accepted = (gain.simd_ge(promised) | flat) & settled;
        pick_all::<S>(accepted, &n, &mut self.normal);
        pick_all::<S>(accepted, &point_a, &mut self.point_a);
        pick_all::<S>(accepted, &point_b, &mut self.point_b);
        pick::<S>(accepted, value, &mut self.value);
        pick::<S>(accepted, jets.value.0, &mut self.reach.0);
        pick::<S>(accepted, jets.value.1, &mut self.reach.1);
        pick::<S>(accepted, square, &mut self.square);

        // 4. The next step.
        let floor = splat(EIGENVALUE_FLOOR) * size;
        let NewtonStep { delta, .. } = newton_step(radii, value, g, floor, splat(MAX_STEP));
        let step = add_scaled::<S>(&scaled::<S>(&u, delta[0]), &v, delta[1]);
        pick_all::<S>(accepted, &step, &mut self.step);
        pick::<S>(accepted, delta[0] * g[0] + delta[1] * g[1], &mut self.slope);
        self.fraction = accepted.select(splat(1.0), splat(BACKTRACK) * fraction).into();
        let backtracks = S::F64x4::from(self.backtracks) + splat(1.0);
        self.backtracks = accepted.select(splat(0.0), backtracks).into();
        self.evaluations = (S::F64x4::from(self.evaluations) + splat(1.0)).into();
        self.ended::<S>()
    }

    #[inline(always)]
    fn jets<S: Simd>(
        &mut self,
        dirs: [F64x4x2<S::F64x4>; 3],
    ) -> (LaneJets<F64x4x2<S::F64x4>>, S::F64x4) {
        let bodies = self.bodies.map(
            #[inline(always)]
            |stored| load_both::<S>(stored),
        );
        if self.form == Form::Straight {
            return (bodies.straight(dirs), S::F64x4::all_true());
        }
        let mut predicted = self.predicted.map(
            #[inline(always)]
            |stored| load_both::<S>(stored),
        );
        let Highest { jets, settled, .. } = if self.form == Form::EvenlyTapered {
            bodies.evenly_tapered(dirs, &mut predicted, LAST_STEP)
        } else {
            bodies.tapered_predicted(dirs, &mut predicted, LAST_STEP)
        };
        self.predicted = predicted.map(
            #[inline(always)]
            |lanes| F64x4x2(lanes.0.into(), lanes.1.into()),
        );
        (jets, settled.0 & settled.1)
    }

    #[inline(always)]
    fn ended<S: Simd>(&self) -> Ended {
        let splat = S::F64x4::splat;
        let (value, square) = (S::F64x4::from(self.value), S::F64x4::from(self.square));
        let apart = value.simd_gt(splat(0.0));
        // g²/(|q − p| + f) as in `duality_gap`.
        let duality_gap = square / ((value * value + square).sqrt() + value);
        let closed = apart & duality_gap.simd_le(self.gap.into());
        let found = closed | value.simd_gt(self.limit.into());
        let spent = S::F64x4::from(self.evaluations).simd_ge(splat(MAX_EVALUATIONS.into()))
            | S::F64x4::from(self.backtracks).simd_gt(splat(MAX_BACKTRACKS.into()));
        let open = spent | (!apart & square.simd_le(self.stationary.into()));
        Ended { found: found.to_bitmask(), open: (open & !found).to_bitmask() }
    }
}

#[inline(always)]
fn load<S: Simd>(stored: &Stored) -> Vectors<S> {
    xyz!(|i| stored[i].into())
}

#[inline(always)]
fn load_both<S: Simd>(F64x4x2(one, other): F64x4x2<F64x4>) -> F64x4x2<S::F64x4> {
    F64x4x2(one.into(), other.into())
}

/// Replaces the old value on the lanes of a mask.
#[inline(always)]
fn pick<S: Simd>(mask: S::F64x4, new: S::F64x4, old: &mut F64x4) {
    *old = mask.select(new, (*old).into()).into();
}

#[inline(always)]
fn pick_all<S: Simd>(mask: S::F64x4, new: &Vectors<S>, [x, y, z]: &mut Stored) {
    pick::<S>(mask, new[0], x);
    pick::<S>(mask, new[1], y);
    pick::<S>(mask, new[2], z);
}

/// W_A + W_B in the tangent plane: each Hessian is projected in its own frame.
#[inline(always)]
fn radii_of_curvature<S: Simd>(
    rotation: &[Vectors<S>; 3],
    jets: &LaneJets<F64x4x2<S::F64x4>>,
    u: &Vectors<S>,
    v: &Vectors<S>,
) -> Vectors<S> {
    let (u_b, v_b) = (turned_back::<S>(rotation, u), turned_back::<S>(rotation, v));
    let (u, v) = (xyz!(|i| F64x4x2(u[i], u_b[i])), xyz!(|i| F64x4x2(v[i], v_b[i])));
    let [uu, uv, vv] = jets.radii(&u, &v);
    [uu.0 + uu.1, uv.0 + uv.1, vv.0 + vv.1]
}

#[inline(always)]
fn scaled<S: Simd>(a: &Vectors<S>, k: S::F64x4) -> Vectors<S> {
    xyz!(|i| a[i] * k)
}

#[inline(always)]
fn add_scaled<S: Simd>(a: &Vectors<S>, b: &Vectors<S>, k: S::F64x4) -> Vectors<S> {
    xyz!(|i| b[i].mul_add(k, a[i]))
}

/// R·v + t.
#[inline(always)]
fn turned<S: Simd>(rotation: &[Vectors<S>; 3], v: &Vectors<S>, t: &Vectors<S>) -> Vectors<S> {
    xyz!(|i| t[i] + dot(&rotation[i], v))
}

/// Rᵀ·v.
#[inline(always)]
fn turned_back<S: Simd>(rotation: &[Vectors<S>; 3], v: &Vectors<S>) -> Vectors<S> {
    xyz!(|k| rotation[0][k] * v[0] + rotation[1][k] * v[1] + rotation[2][k] * v[2])
}
