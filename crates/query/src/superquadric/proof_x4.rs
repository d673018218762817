//! Four pairs of superquadrics at directions that are nearly those of their distances: one evaluation in double precision, which
//! proves the distances that it finds.
//!
//! All vectors are in the world: the bodies are turned into it once, and what is found needs no turning back.

use crate::solve::newton_step::{NewtonStep, newton_step};
use crate::solve::newton_x4::Form;
use crate::solve::solver::OFF_THE_PLANE;
use crate::solve::tuning::newton::{EIGENVALUE_FLOOR, MAX_STEP};
use crate::superquadric::bodies::{Bodies, set_lane};
use crate::superquadric::lane_jets::LaneJets;
use crate::superquadric::predicted::Predicted;
use crate::superquadric::profile_lanes::{Highest, LAST_STEP};
use crate::superquadric::starts_x8::PosedSolid;
use smooth_scene_geometry::math::Vec3;
use smooth_scene_geometry::simd::{
    F64x4, F64x4x2, Kernel, Lanes, Level, Simd, dot, tangent_basis, unit,
};
use smooth_scene_geometry::xyz;

/// Pairs side by side.
pub(crate) const LANES: usize = 4;

/// As stored: the first register is of A, the second of B.
type Both = F64x4x2<F64x4>;
/// The same in registers.
type BothOf<S> = F64x4x2<<S as Simd>::F64x4>;
type Stored = [F64x4; 3];
type Vectors<S> = [<S as Simd>::F64x4; 3];

/// Four pairs that are asked about.
#[derive(Debug, Clone)]
pub(crate) struct ProofX4 {
    form: Form,
    bodies: Bodies<Both>,
    /// Columns of the rotations, and the origins.
    axes_w: [[Both; 3]; 3],
    origin_w: [Both; 3],
    /// The direction to look along, in the frame of A, and the slopes of the profiles that are expected there.
    normal_a: Stored,
    slopes: Both,
    gap: F64x4,
    limit: F64x4,
    size: F64x4,
}

/// What one evaluation found.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look {
    /// Pairs whose distance is found, or proven to be beyond the limit.
    pub found: u32,
    /// Pairs that look as if another evaluation finds it.
    pub promising: u32,
    /// The proven bounds of the distances found.
    pub lower: F64x4,
    pub upper: F64x4,
    pub normal_w: Stored,
    pub point_a_w: Stored,
    pub point_b_w: Stored,
    /// Support values of A and B, and the heights of their points in their own frames.
    pub reach: Both,
    pub height: Both,
    /// Where to look, for pairs that are found where that was, in the frame of A, and the slopes there.
    pub next_a: Stored,
    pub slopes: Both,
}

/// What is asked about a pair.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProofGoal {
    /// Absolute tolerance of the distance.
    pub gap: f64,
    /// Distance beyond which it is of no interest.
    pub limit: f64,
    /// Length that rounding is relative to.
    pub size: f64,
}

impl ProofX4 {
    /// Four pairs of unit balls, to be replaced.
    pub fn new(form: Form) -> Self {
        let [zero, one, two] = [0.0, 1.0, 2.0].map(F64x4::splat);
        let both = |x: F64x4| F64x4x2(x, x);
        let unit = |i: usize, k: usize| both(if i == k { one } else { zero });
        Self {
            form,
            bodies: Bodies::balls(),
            axes_w: xyz!(|i| xyz!(|k| unit(i, k))),
            origin_w: [F64x4x2(zero, two); 3],
            normal_a: [one; 3],
            slopes: both(zero),
            gap: one,
            limit: zero,
            size: one,
        }
    }

    /// Puts a pair on a lane, to look along `normal_a`, in the frame of A.
    pub fn seat(
        &mut self,
        lane: usize,
        [a, b]: [&PosedSolid; 2],
        normal_a: &Vec3,
        slopes: [f64; 2],
        goal: &ProofGoal,
    ) {
        let (of_a, of_b) = (&a.solid.exact, &b.solid.exact);
        let bodies = &mut self.bodies;
        for i in 0..3 {
            set_lane(&mut bodies.radii[i], lane, [of_a.radii[i], of_b.radii[i]]);
            for k in 0..3 {
                set_lane(&mut self.axes_w[i][k], lane, [a.rotation[(k, i)], b.rotation[(k, i)]]);
            }
            set_lane(&mut self.origin_w[i], lane, [a.origin_w[i], b.origin_w[i]]);
            self.normal_a[i].0[lane] = normal_a[i];
        }
        set_lane(&mut bodies.q_xy, lane, [of_a.q_xy, of_b.q_xy]);
        set_lane(&mut bodies.inv_q_xy, lane, [of_a.inv_q_xy, of_b.inv_q_xy]);
        set_lane(&mut bodies.q_z, lane, [of_a.q_z, of_b.q_z]);
        set_lane(&mut bodies.inv_q_z, lane, [of_a.inv_q_z, of_b.inv_q_z]);
        if self.form != Form::Straight {
            for i in 0..2 {
                set_lane(&mut bodies.taper[i], lane, [of_a.taper[i], of_b.taper[i]]);
            }
            set_lane(&mut self.slopes, lane, slopes);
        }
        self.gap.0[lane] = goal.gap;
        self.limit.0[lane] = goal.limit;
        self.size.0[lane] = goal.size;
    }

    /// Evaluates all pairs.
    pub fn look(&self) -> Look {
        Level::detect().run(Evaluate(self))
    }
}

/// [`ProofX4::look`] on lanes.
struct Evaluate<'a>(&'a ProofX4);

impl Kernel for Evaluate<'_> {
    type Output = Look;

    #[inline(always)]
    fn run<S: Simd>(self) -> Look {
        let asked = self.0;
        let splat = S::F64x4::splat;
        let axes = xyz!(|i| xyz!(|k| load_both::<S>(asked.axes_w[i][k])));
        let axes_a = xyz!(|i| xyz!(|k| axes[i][k].0));
        let origins = xyz!(|i| load_both::<S>(asked.origin_w[i]));
        let normal_a = xyz!(|i| S::F64x4::from(asked.normal_a[i]));
        // 1. The direction in the world and in the frames of the bodies, and the support functions there.
        let n = unit(&into_world::<S>(&axes_a, &normal_a));
        let dirs = into_bodies::<S>(&axes, &n);
        let dirs = xyz!(|i| F64x4x2(dirs[i].0, -dirs[i].1));
        let BodyJets { jets, slopes, rate, settled } = asked.jets::<S>(dirs);
        let offset = xyz!(|i| origins[i].1 - origins[i].0);
        let value = dot(&n, &offset) - jets.value.0 - jets.value.1;
        // From the origins of the bodies: far from that of the world their coordinates have fewer digits.
        let points = xyz!(|k| dot(&xyz!(|i| axes[i][k]), &jets.point));
        let between = xyz!(|i| offset[i] + points[i].1 - points[i].0);
        // 2. f bounds the distance from below, the two points from above; see `duality_gap`.
        let (u, v) = tangent_basis(&n);
        let g = [dot(&between, &u), dot(&between, &v)];
        let square = g[0] * g[0] + g[1] * g[1];
        let duality_gap = square / ((value * value + square).sqrt() + value);
        // Support functions take the larger of a component and a tiny number, which no NaN survives.
        let is_number = (dirs[0] + dirs[1] + dirs[2]).abs().simd_le(BothOf::<S>::splat(f64::MAX));
        let apart = value.simd_gt(splat(0.0)) & settled & is_number.0 & is_number.1;
        let closed = duality_gap.simd_le(asked.gap.into());
        let found = apart & (closed | value.simd_gt(asked.limit.into()));
        // The point moves onto its support plane where the support value is known better, as in `apart_at`.
        let size = S::F64x4::from(asked.size);
        let missing = value - dot(&n, &between);
        let moved = missing.abs().simd_gt(splat(OFF_THE_PLANE) * size) & missing;
        // 3. Newton's step for the others.
        let (mut next, mut next_slopes) = (xyz!(|i| dirs[i].0), slopes);
        if !found.all() {
            let radii = jets.radii(&into_bodies::<S>(&axes, &u), &into_bodies::<S>(&axes, &v));
            let sum = xyz!(|i| radii[i].0 + radii[i].1);
            let floor = splat(EIGENVALUE_FLOOR) * size;
            let NewtonStep { delta, .. } = newton_step(sum, value, g, floor, splat(MAX_STEP));
            let step = xyz!(|i| delta[0] * u[i] + delta[1] * v[i]);
            let turned = into_bodies::<S>(&axes, &step);
            next = xyz!(|i| found.select(next[i], next[i] + turned[i].0));
            let change = dot(&rate, &xyz!(|i| F64x4x2(turned[i].0, -turned[i].1)));
            next_slopes = next_slopes + change;
        }
        Look {
            found: found.to_bitmask(),
            promising: (apart & !found).to_bitmask(),
            lower: value.into(),
            upper: (value + duality_gap).into(),
            normal_w: store::<S>(&n),
            point_a_w: xyz!(|i| (origins[i].0 + points[i].0).into()),
            point_b_w: xyz!(|i| n[i].mul_add(moved, origins[i].1 + points[i].1).into()),
            reach: store_both::<S>(jets.value),
            height: store_both::<S>(jets.point[2]),
            next_a: store::<S>(&next),
            slopes: store_both::<S>(next_slopes),
        }
    }
}

/// Support functions of both bodies of four pairs.
struct BodyJets<S: Simd> {
    jets: LaneJets<BothOf<S>>,
    /// Slopes of the profiles, and how they change with the direction.
    slopes: BothOf<S>,
    rate: [BothOf<S>; 3],
    /// Mask of the pairs for which the search for the heights ended.
    settled: S::F64x4,
}

impl ProofX4 {
    /// Support functions along `dirs`.
    #[inline(always)]
    fn jets<S: Simd>(&self, dirs: [BothOf<S>; 3]) -> BodyJets<S> {
        let bodies = self.bodies.map(
            #[inline(always)]
            |stored| load_both::<S>(stored),
        );
        if self.form == Form::Straight {
            let zero = BothOf::<S>::splat(0.0);
            return BodyJets {
                jets: bodies.straight(dirs),
                slopes: zero,
                rate: [zero; 3],
                settled: S::F64x4::all_true(),
            };
        }
        let mut predicted = Predicted::only(dirs, load_both::<S>(self.slopes));
        let Highest { jets, settled, sigma, rate, .. } = if self.form == Form::EvenlyTapered {
            bodies.evenly_tapered(dirs, &mut predicted, LAST_STEP)
        } else {
            bodies.tapered_predicted(dirs, &mut predicted, LAST_STEP)
        };
        BodyJets { jets, slopes: sigma, rate, settled: settled.0 & settled.1 }
    }
}

/// A vector of the frames that have these axes.
#[inline(always)]
fn into_world<S: Simd>(axes: &[Vectors<S>; 3], v: &Vectors<S>) -> Vectors<S> {
    xyz!(|k| dot(&xyz!(|i| axes[i][k]), v))
}

/// A vector of the world in the frames of both bodies.
#[inline(always)]
fn into_bodies<S: Simd>(axes: &[[BothOf<S>; 3]; 3], v: &Vectors<S>) -> [BothOf<S>; 3] {
    let both = xyz!(|i| F64x4x2(v[i], v[i]));
    xyz!(|i| dot(&axes[i], &both))
}

#[inline(always)]
fn load_both<S: Simd>(F64x4x2(a, b): Both) -> BothOf<S> {
    F64x4x2(a.into(), b.into())
}

#[inline(always)]
fn store_both<S: Simd>(F64x4x2(a, b): BothOf<S>) -> Both {
    F64x4x2(a.into(), b.into())
}

#[inline(always)]
fn store<S: Simd>(lanes: &Vectors<S>) -> Stored {
    xyz!(|i| lanes[i].into())
}
