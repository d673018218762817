//! Two superquadrics in eight placements at once, in single precision: is it certain that they touch, or that they do not?
//!
//! *Touching:* a point between the nearest points of two boxes inside the bodies is inside both. *Apart:* the bodies have a gap
//! along the direction between these points. Both tests leave room for rounding and for an error of the placement, so that
//! what they say is true of the bodies; where they say nothing, the query in double precision decides.

use crate::solve::cold_start::rounded_box;
use crate::solve::core_shape::CoreShape;
use crate::solve::tuning::cold_start::{CENTRE_WEIGHT, ROUNDS};
use crate::superquadric::bodies::{Bodies, Parameters};
use crate::superquadric::pair::parameters;
use crate::superquadric::support_f32::log_norm;
use crate::superquadric::tuning::starts::FLAT;
use smooth_scene_geometry::simd::{Lanes, PowerLanes, Simd, dot};
use smooth_scene_geometry::{Shape, xyz};

/// Room for rounding in log₂ of the nested norm: fifty times the 2e-5 that its powers and sums add up to, see the
/// tests of `support_f32.rs`.
const LOG_ROUNDING: f64 = 1e-3;
/// The same for support values, relative.
const SUPPORT_ROUNDING: f64 = 1e-4;
/// The same for the product of a direction with an offset, and for the length of a direction.
const LENGTH_ROUNDING: f64 = 1e-5;
/// Boxes nearer than this, m, give no direction.
pub(super) const NO_DIRECTION: f64 = 1e-6;

/// A superquadric, prepared.
#[derive(Debug, Clone)]
pub struct SuperquadricX8 {
    pub(super) body: Bodies<f32>,
    log_radii: [f32; 3],
    /// Half the edges of a box inside the body, or nearly so, and how far the body reaches beyond it.
    pub(super) half: [f32; 3],
    pub(super) rounding: f32,
    pub(super) has_flat_faces: bool,
    /// The same body in double precision.
    pub(super) exact: Bodies<f64>,
    /// Longest semi-axis.
    pub(crate) longest: f64,
    pub(crate) is_convex: bool,
    pub(crate) is_flat: bool,
    /// How much the nested norm changes at most for each metre that a point moves.
    slope: f64,
    /// N(w)/N(0) − 1 of the section at most, at the top and at the bottom.
    growth: [f32; 2],
    /// The largest ρ·w on the profile.
    shoulder: f32,
}

/// How wrong the placement of a pair may be, as limits of the tests.
#[derive(Debug, Clone, Copy)]
pub struct PairMargins {
    /// Largest log₂ of the nested norms of points that are certain to be inside A and B.
    inside: [f32; 2],
    /// Least gap along a direction for bodies that are certain to be apart, m.
    apart: f32,
}

/// What is certain, in which placements: as bits, the first one lowest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Certain {
    /// The bodies have a point in common.
    pub touching: u32,
    /// Their distance is larger than what they are grown by.
    pub apart: u32,
}

impl SuperquadricX8 {
    /// An ellipsoid, a superellipsoid or a superovoid; nothing for other shapes.
    pub fn new(shape: &Shape) -> Option<Self> {
        let of = parameters(shape)?;
        let boxed = rounded_box(&CoreShape::Surface(shape))?;
        let Parameters { radii, taper, .. } = of;
        let [q_xy, inv_q_xy, q_z, inv_q_z] = of.dual_exponents();
        // With X = x/(a₁(1 + Tx·w)) a step dx changes X by at most dx/(a₁(1 − |Tx|)), and a step of w = z/a₃ by at most
        // |Tx|·dw/(1 − |Tx|) while |X| ≤ 1; likewise y. The nested norm of (1, 0, 0), (0, 1, 0) and (0, 0, 1) is one.
        let across = |k: usize| {
            let least = 1.0 - taper[k].abs();
            (1.0 / radii[k] + taper[k].abs() / radii[2]) / least
        };
        let inv_p_z = 0.5 * of.exponent_z;
        Some(Self {
            body: Bodies {
                radii: radii.map(|r| r as f32),
                q_xy: q_xy as f32,
                inv_q_xy: inv_q_xy as f32,
                q_z: q_z as f32,
                inv_q_z: inv_q_z as f32,
                taper: taper.map(|t| t as f32),
            },
            log_radii: radii.map(|r| libm::log2(r) as f32),
            half: boxed.half.map(|h| h as f32).into(),
            rounding: boxed.rounding as f32,
            has_flat_faces: boxed.has_flat_faces,
            exact: Bodies { radii, q_xy, inv_q_xy, q_z, inv_q_z, taper },
            longest: radii[0].max(radii[1]).max(radii[2]),
            is_convex: shape.is_convex(),
            is_flat: of.exponent_xy.min(of.exponent_z) < FLAT,
            slope: across(0) + across(1) + 1.0 / radii[2],
            growth: [taper[0].max(taper[1]), -taper[0].min(taper[1])].map(|t| t.max(0.0) as f32),
            shoulder: libm::exp2(-2.0 * inv_p_z) as f32,
        })
    }

    /// Whether it has no taper in single precision.
    fn is_straight(&self) -> bool {
        self.body.taper == [0.0; 2]
    }

    /// Whether it has no taper at all.
    pub(crate) fn is_exactly_straight(&self) -> bool {
        self.exact.taper == [0.0; 2]
    }

    /// Whether both sides of its sections shrink alike.
    pub(crate) fn is_evenly_tapered(&self) -> bool {
        self.exact.taper[0] == self.exact.taper[1]
    }

    #[inline(always)]
    fn lanes<L: Lanes>(&self) -> Bodies<L> {
        self.body.map(
            #[inline(always)]
            |x| splat(x),
        )
    }

    /// The nearest point of the box.
    #[inline(always)]
    fn nearest<L: Lanes>(&self, point: &[L; 3]) -> [L; 3] {
        xyz!(|k| {
            let half: L = splat(self.half[k]);
            point[k].min(half).max(-half)
        })
    }

    /// An upper bound on the support value but for rounding. With N of the section at mid-height, c = a₃n₃ and w ≥ 0,
    ///
    /// ```text
    /// c·w + ρ(w)N(w) ≤ c·w + ρ(w)·N·(1 + r·w) ≤ h₀ + r·N·max ρw,    r = max(Tx, Ty, 0)
    /// ```
    ///
    /// with the support value h₀ of the body without taper; for w ≤ 0 the same with r = max(−Tx, −Ty, 0). On the side
    /// where c·w ≤ −r·N·|w| the bound is N ≤ h₀.
    #[inline(always)]
    fn reach<L: PowerLanes>(&self, n: &[L; 3]) -> L {
        let log: [L; 3] =
            xyz!(|k| n[k].abs().max(L::splat(L::TINY)).log2() + splat(self.log_radii[k]));
        let Bodies { q_xy, inv_q_xy, q_z, inv_q_z, radii, .. } = self.lanes::<L>();
        let (inner, _) = log_norm(log[0], log[1], q_xy, inv_q_xy);
        let (outer, _) = log_norm(inner, log[2], q_z, inv_q_z);
        let straight = outer.exp2();
        if self.is_straight() {
            return straight;
        }
        let norm = inner.exp2();
        let climb = radii[2] * n[2];
        let [top, bottom] = [splat::<L>(self.growth[0]), splat::<L>(self.growth[1])];
        let zero = L::splat(0.0);
        let counts_top = (climb + top * norm).simd_ge(zero);
        let counts_bottom = (bottom * norm - climb).simd_ge(zero);
        let rate = (counts_top & top).max(counts_bottom & bottom);
        straight + rate * norm * splat(self.shoulder)
    }
}

impl PairMargins {
    /// For bodies that are grown by `growth` ≥ 0 together, m, and points of B whose place in the frame of A is known to
    /// `error`, m.
    pub fn new([a, b]: [&SuperquadricX8; 2], growth: f64, error: f64) -> Self {
        // log₂(1 − x) ≤ −x·log₂e; nothing is certain where the error is as large as the body.
        let inside = [a, b].map(|solid| {
            let share = solid.slope * error;
            let log = if share < 0.5 { libm::log2(1.0 - share) } else { f64::NEG_INFINITY };
            (log - LOG_ROUNDING) as f32
        });
        Self { inside, apart: ((growth + error) * (1.0 + LENGTH_ROUNDING)) as f32 }
    }
}

/// What is certain of A and B in each placement of B in the frame of A: rows of the rotation, and offset. Growth counts only
/// for bodies apart. Bodies that touch are only looked for where a placement of `open` is not certain to be apart.
#[inline(always)]
pub fn certain_x8<S: Simd>(
    [a, b]: [&SuperquadricX8; 2],
    margins: &PairMargins,
    rotation: &[[S::F32x8; 3]; 3],
    offset: &[S::F32x8; 3],
    open: u32,
) -> Certain {
    // 1. Nearly the nearest points of the two boxes, as in `cold_start`.
    let (mut in_b, mut in_a) = (*offset, *offset);
    for _ in 0..ROUNDS {
        in_a = a.nearest(&in_b);
        let local_b = b.nearest(&turned_back(rotation, &xyz!(|k| in_a[k] - offset[k])));
        in_b = xyz!(|k| offset[k] + dot(&rotation[k], &local_b));
    }
    let between = xyz!(|k| in_b[k] - in_a[k]);
    // 2. The gap along the direction between them.
    let centres = dot(offset, offset).sqrt().max(S::F32x8::splat(NO_DIRECTION));
    let distance = dot(&between, &between).sqrt();
    let is_known = distance.simd_gt(S::F32x8::splat(NO_DIRECTION));
    let (near, far) = (
        is_known & (S::F32x8::splat(1.0) / distance.max(S::F32x8::splat(NO_DIRECTION))),
        S::F32x8::splat(CENTRE_WEIGHT) / centres,
    );
    let n = xyz!(|k| between[k] * near + offset[k] * far);
    let length = dot(&n, &n).sqrt();
    let into_b = turned_back(rotation, &n);
    let reach = a.reach(&n) + b.reach(&xyz!(|k| -into_b[k]));
    let gap = dot(&n, offset) - reach * S::F32x8::splat(1.0 + SUPPORT_ROUNDING);
    let apart = gap.simd_gt(length * splat(margins.apart)).to_bitmask();
    if open & !apart == 0 {
        return Certain { touching: 0, apart };
    }
    // 3. A point between them, divided as their roundings are.
    let sum = a.rounding + b.rounding;
    let share = splat::<S::F32x8>(if sum > 0.0 { a.rounding / sum } else { 0.5 });
    let middle_a = xyz!(|k| between[k].mul_add(share, in_a[k]));
    let middle_b = turned_back(rotation, &xyz!(|k| middle_a[k] - offset[k]));
    let is_in_a = a.lanes::<S::F32x8>().log_inside(middle_a).simd_le(splat(margins.inside[0]));
    let is_in_b = b.lanes::<S::F32x8>().log_inside(middle_b).simd_le(splat(margins.inside[1]));
    let touching = (is_in_a & is_in_b).to_bitmask();
    Certain { touching, apart }
}

#[inline(always)]
fn splat<L: Lanes>(x: f32) -> L {
    L::splat(f64::from(x))
}

/// Rᵀ·v.
#[inline(always)]
pub(super) fn turned_back<L: Lanes>(rotation: &[[L; 3]; 3], v: &[L; 3]) -> [L; 3] {
    xyz!(|k| rotation[0][k] * v[0] + rotation[1][k] * v[1] + rotation[2][k] * v[2])
}
