//! Directions to start from for eight pairs of superquadrics at once, in single precision.
//!
//! Newton's method as in `newton_x4.rs`, one pair on each lane, from the direction between the nearest points of two rounded
//! boxes, as in `cold_start.rs`, or from that of an earlier answer. Such a direction decides nothing: the query in double
//! precision proves what it finds from it, most often with its first evaluation.

use crate::solve::newton_step::{NewtonStep, newton_step};
use crate::solve::tuning::cold_start::{CENTRE_WEIGHT, ROUNDS};
use crate::superquadric::bodies::Bodies;
use crate::superquadric::lane_jets::LaneJets;
use crate::superquadric::solid_x8::{NO_DIRECTION, SuperquadricX8, turned_back};
use crate::superquadric::tuning::starts::{
    BACKTRACK, CONVERGED, FLOOR, LONGEST, MOST_CHANGE, MOST_ROUNDS, NOISE, SUFFICIENT_GAIN,
};
use smooth_scene_geometry::math::{Mat3, Vec3};
use smooth_scene_geometry::simd::{
    F32x8, F64x4x2, Kernel, Lanes, Level, Simd, dot, tangent_basis, unit,
};
use smooth_scene_geometry::xyz;

/// Pairs side by side.
pub(crate) const LANES: usize = 8;

/// As stored: the first register is of A, the second of B.
type Both = F64x4x2<F32x8>;
/// The same in registers.
type BothOf<S> = F64x4x2<<S as Simd>::F32x8>;
type Vectors<S> = [<S as Simd>::F32x8; 3];

/// Eight pairs that are asked about.
#[derive(Debug, Clone)]
pub(crate) struct StartsX8 {
    bodies: Bodies<Both>,
    /// Half the edges of the rounded boxes, and their rounding.
    half: [Both; 3],
    rounding: Both,
    /// What the direction between the centres counts for.
    centre_weight: F32x8,
    /// Columns of the rotations in the world.
    axes_w: [[Both; 3]; 3],
    offset_w: [F32x8; 3],
    /// Earlier answers, in the frame of A; zero where there is none.
    known: [F32x8; 3],
    kind: Kind,
}

/// What the bodies of a pair are like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Kind {
    /// Neither is tapered.
    pub is_straight: bool,
    /// One has nearly flat faces.
    pub is_flat: bool,
}

/// A superquadric in the world.
#[derive(Debug, Clone, Copy)]
pub struct PosedSolid<'a> {
    /// The surface.
    pub solid: &'a SuperquadricX8,
    /// Its rotation, from its frame into the world: a rotation matrix.
    pub rotation: &'a Mat3,
    /// Its origin, world frame, m.
    pub origin_w: &'a Vec3,
}

/// Where the search for a pair ended.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StartX8 {
    /// The direction, in the frame of A.
    pub normal: [f32; 3],
    /// Slopes of the profiles of A and B there.
    pub slopes: [f32; 2],
}

impl StartsX8 {
    /// Eight pairs of unit balls, to be replaced by others of a kind.
    pub fn new(kind: Kind) -> Self {
        let [zero, half, one, two] = [0.0, 0.5, 1.0, 2.0].map(|x| F32x8([x; LANES]));
        let both = |x: F32x8| F64x4x2(x, x);
        let unit = |i: usize, k: usize| both(if i == k { one } else { zero });
        Self {
            bodies: Bodies {
                radii: [both(one); 3],
                q_xy: both(two),
                inv_q_xy: both(half),
                q_z: both(two),
                inv_q_z: both(half),
                taper: [both(zero); 2],
            },
            half: [both(zero); 3],
            rounding: both(one),
            centre_weight: zero,
            axes_w: xyz!(|i| xyz!(|k| unit(i, k))),
            offset_w: [two; 3],
            known: [zero; 3],
            kind,
        }
    }

    /// Puts a pair on a lane, with the normal of an earlier answer in the frame of A.
    pub fn seat(&mut self, lane: usize, [a, b]: [&PosedSolid; 2], known: Option<&Vec3>) {
        let set = |lanes: &mut Both, a: f32, b: f32| {
            (lanes.0.0[lane], lanes.1.0[lane]) = (a, b);
        };
        let (of_a, of_b) = (&a.solid.body, &b.solid.body);
        for i in 0..3 {
            set(&mut self.bodies.radii[i], of_a.radii[i], of_b.radii[i]);
            set(&mut self.half[i], a.solid.half[i], b.solid.half[i]);
            for k in 0..3 {
                let entry = |of: &PosedSolid| of.rotation[(k, i)] as f32;
                set(&mut self.axes_w[i][k], entry(a), entry(b));
            }
        }
        for i in 0..2 {
            set(&mut self.bodies.taper[i], of_a.taper[i], of_b.taper[i]);
        }
        set(&mut self.bodies.q_xy, of_a.q_xy, of_b.q_xy);
        set(&mut self.bodies.inv_q_xy, of_a.inv_q_xy, of_b.inv_q_xy);
        set(&mut self.bodies.q_z, of_a.q_z, of_b.q_z);
        set(&mut self.bodies.inv_q_z, of_a.inv_q_z, of_b.inv_q_z);
        set(&mut self.rounding, a.solid.rounding, b.solid.rounding);
        let is_flat = a.solid.has_flat_faces || b.solid.has_flat_faces;
        self.centre_weight.0[lane] = if is_flat { 0.0 } else { CENTRE_WEIGHT as f32 };
        for i in 0..3 {
            self.offset_w[i].0[lane] = (b.origin_w[i] - a.origin_w[i]) as f32;
            self.known[i].0[lane] = known.map_or(0.0, |normal| normal[i] as f32);
        }
    }

    /// The direction for each pair; none for pairs that look as if they touch.
    pub fn find(&self) -> [Option<StartX8>; LANES] {
        let (normals, slopes, found) = Level::detect().run(Find(self));
        std::array::from_fn(|lane| {
            (found >> lane & 1 == 1).then(|| StartX8 {
                normal: normals.map(|component| component.0[lane]),
                slopes: [slopes.0.0[lane], slopes.1.0[lane]],
            })
        })
    }
}

/// [`StartsX8::find`] on lanes.
struct Find<'a>(&'a StartsX8);

impl Kernel for Find<'_> {
    type Output = ([F32x8; 3], Both, u32);

    #[inline(always)]
    fn run<S: Simd>(self) -> Self::Output {
        let asked = self.0;
        let pairs = Loaded::<S>::new(asked);
        let start = pairs.start(asked);
        let Kind { is_straight, is_flat } = asked.kind;
        let (normal, slopes, found) = match (is_straight, is_flat) {
            (true, false) => pairs.climb::<true, false>(start),
            (true, true) => pairs.climb::<true, true>(start),
            (false, false) => pairs.climb::<false, false>(start),
            (false, true) => pairs.climb::<false, true>(start),
        };
        let slopes = F64x4x2(slopes.0.into(), slopes.1.into());
        (xyz!(|i| normal[i].into()), slopes, found.to_bitmask())
    }
}

/// The pairs in registers, in the frames of A.
struct Loaded<S: Simd> {
    bodies: Bodies<BothOf<S>>,
    /// Rows of the rotation of B, and its origin.
    rotation: [Vectors<S>; 3],
    offset: Vectors<S>,
}

/// Where a climb is, and the step from there.
struct Step<S: Simd> {
    normal: Vectors<S>,
    value: S::F32x8,
    /// The step, what it promises per unit of length, and the part of it to try.
    step: Vectors<S>,
    slope: S::F32x8,
    part: S::F32x8,
    /// Directions in the frames of the bodies, slopes of the profiles there, and how these change with the direction.
    dirs: [BothOf<S>; 3],
    sigma: BothOf<S>,
    rate: [BothOf<S>; 3],
}

impl<S: Simd> Step<S> {
    /// The slopes that are expected along other directions.
    #[inline(always)]
    fn slopes_along(&self, dirs: &[BothOf<S>; 3]) -> BothOf<S> {
        let one = BothOf::<S>::splat(1.0);
        let most = BothOf::<S>::splat(MOST_CHANGE) * (one + self.sigma.abs());
        let change = dot(&self.rate, &xyz!(|i| dirs[i] - self.dirs[i]));
        self.sigma + change.min(most).max(-most)
    }
}

impl<S: Simd> Loaded<S> {
    #[inline(always)]
    fn new(asked: &StartsX8) -> Self {
        let bodies = asked.bodies.map(
            #[inline(always)]
            |stored| in_registers::<S>(stored),
        );
        let axes = xyz!(|i| xyz!(|k| in_registers::<S>(asked.axes_w[i][k])));
        let axes_a = xyz!(|i| xyz!(|k| axes[i][k].0));
        let axes_b = xyz!(|i| xyz!(|k| axes[i][k].1));
        let offset_w = xyz!(|i| S::F32x8::from(asked.offset_w[i]));
        Self {
            bodies,
            rotation: xyz!(|i| xyz!(|k| dot(&axes_a[i], &axes_b[k]))),
            offset: xyz!(|i| dot(&axes_a[i], &offset_w)),
        }
    }

    /// What is known, else the direction between the rounded boxes.
    #[inline(always)]
    fn start(&self, asked: &StartsX8) -> Vectors<S> {
        let splat = S::F32x8::splat;
        let known = xyz!(|i| S::F32x8::from(asked.known[i]));
        let is_known = dot(&known, &known).simd_gt(splat(0.5));
        if is_known.all() {
            return known;
        }
        let half = xyz!(|i| in_registers::<S>(asked.half[i]));
        let Self { rotation, offset, .. } = self;
        let (mut in_a, mut in_b) = (*offset, *offset);
        for _ in 0..ROUNDS {
            in_a = xyz!(|i| in_b[i].min(half[i].0).max(-half[i].0));
            let local = turned_back(rotation, &xyz!(|i| in_a[i] - offset[i]));
            let local = xyz!(|i| local[i].min(half[i].1).max(-half[i].1));
            in_b = xyz!(|i| offset[i] + dot(&rotation[i], &local));
        }
        let between = xyz!(|i| in_b[i] - in_a[i]);
        let least = splat(NO_DIRECTION);
        let distance = dot(&between, &between).sqrt();
        let centres = dot(offset, offset).sqrt().max(least);
        let rounding = in_registers::<S>(asked.rounding);
        let is_apart = distance.simd_gt((rounding.0 + rounding.1).max(least));
        let near = is_apart & (splat(1.0) / distance.max(least));
        let weight = is_apart.select(asked.centre_weight.into(), splat(1.0)) / centres;
        xyz!(|i| is_known.select(known[i], between[i] * near + offset[i] * weight))
    }

    /// Where the climbs from these directions end, the slopes of the profiles there, and a mask of those that look apart.
    #[inline(always)]
    fn climb<const STRAIGHT: bool, const FLAT: bool>(
        &self,
        start: Vectors<S>,
    ) -> (Vectors<S>, BothOf<S>, S::F32x8) {
        let splat = S::F32x8::splat;
        let zero = splat(0.0);
        let normal = unit(&start);
        let dirs = self.directions(&normal);
        let mut at = Step {
            normal,
            value: splat(f64::from(f32::MIN)),
            step: [zero; 3],
            slope: zero,
            part: splat(1.0),
            dirs,
            sigma: if STRAIGHT {
                BothOf::<S>::splat(0.0)
            } else {
                self.bodies.middle(dirs).start().sigma
            },
            rate: [BothOf::<S>::splat(0.0); 3],
        };
        let size = dot(&self.offset, &self.offset).sqrt().max(splat(NO_DIRECTION));
        let mut ended = zero.simd_gt(zero);
        for _ in 0..MOST_ROUNDS {
            ended = self.advance::<STRAIGHT, FLAT>(&mut at, size, ended);
            // Those that have ended stand still, so that no pair depends on the others.
            if ended.all() {
                break;
            }
        }
        // The last step is taken without another look: what it leaves is its square.
        let end = unit(&xyz!(|i| at.step[i].mul_add(at.part, at.normal[i])));
        let slopes = if STRAIGHT { at.sigma } else { at.slopes_along(&self.directions(&end)) };
        (end, slopes, at.value.simd_gt(zero))
    }

    /// One evaluation of the pairs that have not come to an end. The mask of those that have then.
    #[inline(always)]
    fn advance<const STRAIGHT: bool, const FLAT: bool>(
        &self,
        at: &mut Step<S>,
        size: S::F32x8,
        ended: S::F32x8,
    ) -> S::F32x8 {
        let splat = S::F32x8::splat;
        // 1. The direction to try, and the support functions there.
        let n = unit(&xyz!(|i| at.step[i].mul_add(at.part, at.normal[i])));
        let dirs = self.directions(&n);
        let (jets, sigma, rate) = self.jets::<STRAIGHT>(at, &dirs);
        let value = dot(&n, &self.offset) - jets.value.0 - jets.value.1;
        let point_b = xyz!(|i| jets.point[i].1);
        let gradient =
            xyz!(|i| self.offset[i] + dot(&self.rotation[i], &point_b) - jets.point[i].0);
        // 2. A step that leads down is shortened.
        let promised = at.value + splat(SUFFICIENT_GAIN) * at.part * at.slope;
        let accepted = !ended & value.simd_ge(promised - splat(NOISE) * size);
        at.part = (accepted | ended).select(splat(1.0), at.part * splat(BACKTRACK));
        // 3. Newton's step.
        let (u, v) = tangent_basis(&n);
        let g = [dot(&gradient, &u), dot(&gradient, &v)];
        let (u_b, v_b) = (turned_back(&self.rotation, &u), turned_back(&self.rotation, &v));
        let both_u = xyz!(|i| F64x4x2(u[i], u_b[i]));
        let both_v = xyz!(|i| F64x4x2(v[i], v_b[i]));
        let radii = jets.radii(&both_u, &both_v);
        let sum = xyz!(|i| radii[i].0 + radii[i].1);
        let NewtonStep { delta, .. } =
            newton_step(sum, value, g, splat(FLOOR) * size, splat(LONGEST));
        let mut step = xyz!(|i| delta[0] * u[i] + delta[1] * v[i]);
        if FLAT {
            step = self.bent_step(&n, step, delta, &jets, [&both_u, &both_v], &radii);
        }
        for i in 0..3 {
            at.normal[i] = accepted.select(n[i], at.normal[i]);
            at.step[i] = accepted.select(step[i], at.step[i]);
        }
        at.value = accepted.select(value, at.value);
        at.slope = accepted.select(delta[0] * g[0] + delta[1] * g[1], at.slope);
        if !STRAIGHT {
            let both = F64x4x2(accepted, accepted);
            at.sigma = both.select(sigma, at.sigma);
            for i in 0..3 {
                at.dirs[i] = both.select(dirs[i], at.dirs[i]);
                at.rate[i] = both.select(rate[i], at.rate[i]);
            }
        }
        let is_short = dot(&step, &step).simd_lt(splat(CONVERGED * CONVERGED));
        ended | (accepted & is_short)
    }

    /// Where a step δ leads if the surface point of the body that is flatter along it moves evenly; see
    /// `SuperquadricPair::bent_step`.
    #[inline(always)]
    fn bent_step(
        &self,
        n: &Vectors<S>,
        step: Vectors<S>,
        delta: [S::F32x8; 2],
        jets: &LaneJets<BothOf<S>>,
        [u, v]: [&[BothOf<S>; 3]; 2],
        radii: &[BothOf<S>; 3],
    ) -> Vectors<S> {
        let splat = S::F32x8::splat;
        // Along −n the point of B moves the other way.
        let [x, y] = [F64x4x2(delta[0], -delta[0]), F64x4x2(delta[1], -delta[1])];
        let (along_u, along_v) = (radii[0] * x + radii[1] * y, radii[1] * x + radii[2] * y);
        let moved = xyz!(|i| jets.point[i] + along_u * u[i] + along_v * v[i]);
        let outward = self.bodies.outward(moved);
        let flatness = along_u * x + along_v * y;
        let of_a = flatness.0.simd_ge(flatness.1);
        let out_b = xyz!(|i| outward[i].1);
        let bent = xyz!(|i| of_a.select(outward[i].0, -dot(&self.rotation[i], &out_b)));
        let square = dot(&bent, &bent);
        let is_number = square.simd_gt(splat(1e-30)) & square.simd_lt(splat(1e30));
        let inverse = splat(1.0) / square.sqrt();
        // No farther than Newton's steps may be.
        let turned = xyz!(|i| bent[i] * inverse - n[i]);
        let is_near = dot(&turned, &turned).simd_lt(splat(LONGEST * LONGEST));
        xyz!(|i| (is_number & is_near).select(turned[i], step[i]))
    }

    /// Support functions along `dirs`, the slopes of the profiles there, and how these change.
    #[inline(always)]
    fn jets<const STRAIGHT: bool>(
        &self,
        at: &Step<S>,
        dirs: &[BothOf<S>; 3],
    ) -> (LaneJets<BothOf<S>>, BothOf<S>, [BothOf<S>; 3]) {
        if STRAIGHT {
            return (self.bodies.straight(*dirs), at.sigma, at.rate);
        }
        let sigma = at.slopes_along(dirs);
        let highest = self.bodies.tapered_in_one_step(*dirs, sigma);
        (highest.jets, highest.sigma, highest.rate)
    }

    /// n in A, −n in B.
    #[inline(always)]
    fn directions(&self, n: &Vectors<S>) -> [BothOf<S>; 3] {
        let in_b = turned_back(&self.rotation, n);
        xyz!(|i| F64x4x2(n[i], -in_b[i]))
    }
}

#[inline(always)]
fn in_registers<S: Simd>(F64x4x2(a, b): Both) -> BothOf<S> {
    F64x4x2(a.into(), b.into())
}
