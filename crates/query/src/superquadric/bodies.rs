//! Superquadrics on lanes, one per lane: their parameters, and what needs no search for a height.
//!
//! The formulas are those of [`Superellipsoid`] and [`Superovoid`]; see there. Logarithms are carried from the inner
//! norm to the outer one, which shortens the chain of dependent powers from eight to six.

use crate::superquadric::lane_jets::{LaneJets, at_most_flat, log_p_norm, norm};
use smooth_scene_geometry::simd::{F32x8, F64x4, F64x4x2, Lanes, PowerLanes};
use smooth_scene_geometry::{Superellipsoid, Superovoid, xyz};

/// The parameters of four superquadrics.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bodies<L> {
    pub radii: [L; 3],
    pub q_xy: L,
    pub inv_q_xy: L,
    pub q_z: L,
    pub inv_q_z: L,
    pub taper: [L; 2],
}

/// A superquadric as the lanes see it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Parameters {
    pub radii: [f64; 3],
    pub exponent_xy: f64,
    pub exponent_z: f64,
    pub taper: [f64; 2],
}

impl From<&Superellipsoid> for Parameters {
    fn from(s: &Superellipsoid) -> Self {
        Self {
            radii: s.radii(),
            exponent_xy: s.exponent_xy(),
            exponent_z: s.exponent_z(),
            taper: [0.0; 2],
        }
    }
}

impl From<&Superovoid> for Parameters {
    fn from(s: &Superovoid) -> Self {
        Self {
            radii: s.radii(),
            exponent_xy: s.exponent_xy(),
            exponent_z: s.exponent_z(),
            taper: s.taper(),
        }
    }
}

impl Parameters {
    /// Whether both exponents are in a range.
    pub fn has_exponents_within(&self, [least, most]: [f64; 2]) -> bool {
        [self.exponent_xy, self.exponent_z].iter().all(|exponent| (least..=most).contains(exponent))
    }

    /// The exponents of the dual norms and their inverses: q_xy, 1/q_xy, q_z, 1/q_z.
    #[inline(always)]
    pub fn dual_exponents(&self) -> [f64; 4] {
        let [xy, z] = [self.exponent_xy, self.exponent_z];
        [2.0 / (2.0 - xy), 1.0 - 0.5 * xy, 2.0 / (2.0 - z), 1.0 - 0.5 * z]
    }
}

impl Bodies<F64x4> {
    /// A and B, and again A and B.
    #[inline(always)]
    pub fn of_two(a: &Parameters, b: &Parameters) -> Self {
        let [of_a, of_b] = [a.dual_exponents(), b.dual_exponents()];
        Self {
            radii: xyz!(|i| twice(a.radii[i], b.radii[i])),
            q_xy: twice(of_a[0], of_b[0]),
            inv_q_xy: twice(of_a[1], of_b[1]),
            q_z: twice(of_a[2], of_b[2]),
            inv_q_z: twice(of_a[3], of_b[3]),
            taper: [twice(a.taper[0], b.taper[0]), twice(a.taper[1], b.taper[1])],
        }
    }
}

/// One number for A, one for B, and both again.
#[inline(always)]
fn twice(a: f64, b: f64) -> F64x4 {
    F64x4([a, b, a, b])
}

impl Bodies<F32x8> {
    /// A pair in units of some size: A on the first four lanes, B on the last four.
    pub fn of_pair([a, b]: [&Parameters; 2], size: f64) -> Self {
        let lanes = |a: f64, b: f64| {
            let [a, b] = [a as f32, b as f32];
            F32x8([a, a, a, a, b, b, b, b])
        };
        let (of_a, of_b) = (a.dual_exponents(), b.dual_exponents());
        let [q_xy, inv_q_xy, q_z, inv_q_z] = [0, 1, 2, 3].map(|i| lanes(of_a[i], of_b[i]));
        Self {
            radii: [0, 1, 2].map(|i| lanes(a.radii[i] / size, b.radii[i] / size)),
            q_xy,
            inv_q_xy,
            q_z,
            inv_q_z,
            taper: [0, 1].map(|i| lanes(a.taper[i], b.taper[i])),
        }
    }
}

impl Bodies<F64x4x2<F64x4>> {
    /// Eight balls.
    pub fn balls() -> Self {
        let [zero, half, one, two] = [0.0, 0.5, 1.0, 2.0].map(F64x4x2::splat);
        Self {
            radii: [one; 3],
            q_xy: two,
            inv_q_xy: half,
            q_z: two,
            inv_q_z: half,
            taper: [zero; 2],
        }
    }

    /// Puts a pair on a lane: A on that of the first four and B on that of the last four.
    pub fn set(&mut self, lane: usize, pair: [&Parameters; 2]) {
        let [a, b] = pair.map(Parameters::dual_exponents);
        let exponents = [&mut self.q_xy, &mut self.inv_q_xy, &mut self.q_z, &mut self.inv_q_z];
        for (i, exponent) in exponents.into_iter().enumerate() {
            set_lane(exponent, lane, [a[i], b[i]]);
        }
        for (i, radius) in self.radii.iter_mut().enumerate() {
            set_lane(radius, lane, pair.map(|p| p.radii[i]));
        }
        for (i, taper) in self.taper.iter_mut().enumerate() {
            set_lane(taper, lane, pair.map(|p| p.taper[i]));
        }
    }
}

impl<L: Copy> Bodies<L> {
    /// The same in other lanes: from the stored form into registers.
    #[inline(always)]
    pub fn map<M>(&self, f: impl Fn(L) -> M) -> Bodies<M> {
        Bodies {
            radii: xyz!(|i| f(self.radii[i])),
            q_xy: f(self.q_xy),
            inv_q_xy: f(self.inv_q_xy),
            q_z: f(self.q_z),
            inv_q_z: f(self.inv_q_z),
            taper: [f(self.taper[0]), f(self.taper[1])],
        }
    }
}

/// Sets one lane of each half.
pub(crate) fn set_lane(lanes: &mut F64x4x2<F64x4>, lane: usize, [one, other]: [f64; 2]) {
    lanes.0.0[lane] = one;
    lanes.1.0[lane] = other;
}

impl<L: PowerLanes> Bodies<L> {
    /// Untapered bodies: closed form.
    #[inline(always)]
    pub fn straight(&self, dir: [L; 3]) -> LaneJets<L> {
        let [a1, a2, a3] = self.radii;
        let tiny = L::splat(L::TINY);
        let (u1, u2, u3) = (
            (a1 * dir[0].abs()).max(tiny),
            (a2 * dir[1].abs()).max(tiny),
            (a3 * dir[2].abs()).max(tiny),
        );
        let inner = norm(u1, u2, u1.log2(), u2.log2(), self.q_xy, self.inv_q_xy);
        let outer = norm(inner.value, u3, inner.log_value, u3.log2(), self.q_z, self.inv_q_z);
        let (s1, s2, s3) = (a1 * dir[0].signum(), a2 * dir[1].signum(), a3 * dir[2].signum());
        LaneJets {
            value: outer.value,
            point: [s1 * outer.du * inner.du, s2 * outer.du * inner.dv, s3 * outer.dv],
            alpha: at_most_flat(outer.du * inner.bend / inner.value, outer.value),
            t: [s1 * inner.v, -s2 * inner.u],
            beta: outer.bend / outer.value,
            s: [s1 * inner.du * outer.v, s2 * inner.dv * outer.v, -s3 * outer.u],
        }
    }

    /// The logarithm of the nested norm that is one on the surface, at a point of each body's frame: negative inside. As in
    /// [`Superovoid`], the section is that of the nearest height of the body.
    #[inline(always)]
    pub fn log_inside(&self, point: [L; 3]) -> L {
        let (tiny, one) = (L::splat(L::TINY), L::splat(1.0));
        let w = point[2] / self.radii[2];
        let at = w.max(L::splat(-1.0)).min(one);
        let wide = self.semi_axes_at(at);
        let x = (point[0] / wide[0]).abs().max(tiny).log2();
        let y = (point[1] / wide[1]).abs().max(tiny).log2();
        // p = 2/ε, and 1/q = 1 − ε/2.
        let section = log_p_norm(x, y, one - self.inv_q_xy);
        log_p_norm(section, w.abs().max(tiny).log2(), one - self.inv_q_z)
    }

    /// Semi-axes of the section at height w.
    #[inline(always)]
    pub fn semi_axes_at(&self, w: L) -> [L; 2] {
        let one = L::splat(1.0);
        [self.radii[0] * (one + self.taper[0] * w), self.radii[1] * (one + self.taper[1] * w)]
    }

    /// A vector along the gradient of the nested norm N(X, Y, w), X = x/(a₁(1 + Tx·w)), at a point of each body's frame. With
    /// ϱ the inner norm,
    ///
    /// ```text
    /// N_X ∝ ϱ^(p_z − p_xy)·X^(p_xy − 1),    N_w ∝ w^(p_z − 1)
    /// ```
    #[inline(always)]
    pub fn outward(&self, point: [L; 3]) -> [L; 3] {
        let (tiny, one) = (L::splat(L::TINY), L::splat(1.0));
        let w = point[2] / self.radii[2];
        let at = w.max(-one).min(one);
        let wide = self.semi_axes_at(at);
        let [u, v] = [(point[0] / wide[0]).abs(), (point[1] / wide[1]).abs()];
        let (log_u, log_v) = (u.max(tiny).log2(), v.max(tiny).log2());
        let log_w = w.abs().max(tiny).log2();
        let (inv_p_xy, inv_p_z) = (one - self.inv_q_xy, one - self.inv_q_z);
        let (p_xy, p_z) = (one / inv_p_xy, one / inv_p_z);
        let section = log_p_norm(log_u, log_v, inv_p_xy);
        // In units of the largest of the three.
        let log_x = (p_z - one) * section + (p_xy - one) * (log_u - section);
        let log_y = (p_z - one) * section + (p_xy - one) * (log_v - section);
        let log_z = (p_z - one) * log_w;
        let largest = log_x.max(log_y).max(log_z);
        let x = (log_x - largest).exp2();
        let y = (log_y - largest).exp2();
        let z = (log_z - largest).exp2();
        let growth = x * u * self.taper[0] / (one + self.taper[0] * at)
            + y * v * self.taper[1] / (one + self.taper[1] * at);
        [
            x * point[0].signum() / wide[0],
            y * point[1].signum() / wide[1],
            (z * w.signum() - growth) / self.radii[2],
        ]
    }
}
