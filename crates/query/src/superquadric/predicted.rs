//! What one evaluation of a tapered body predicts for the next.

use crate::superquadric::bodies::set_lane;
use crate::superquadric::tuning::profile::PREDICTABLE;
use smooth_scene_geometry::simd::{F64x4, F64x4x2, PowerLanes};
use smooth_scene_geometry::xyz;

/// A component that no direction has.
pub(super) const NOWHERE: f64 = 1e3;

/// Where the highest section was along one direction, to predict where it is along the next: the slope σ of the profile as
/// a linear function of the direction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Predicted<L> {
    /// The direction; one that is near no other where nothing is known.
    pub dir: [L; 3],
    pub sigma: L,
    /// dσ/dn.
    pub rate: [L; 3],
}

impl Predicted<F64x4> {
    /// Nothing known.
    pub const NOTHING: Self =
        Self { dir: [F64x4([NOWHERE; 4]); 3], sigma: F64x4([0.0; 4]), rate: [F64x4([0.0; 4]); 3] };
}

impl<L: PowerLanes> Predicted<L> {
    /// Nothing known.
    pub fn nothing() -> Self {
        Self { dir: [L::splat(NOWHERE); 3], sigma: L::splat(0.0), rate: [L::splat(0.0); 3] }
    }

    /// The slopes along some directions, and not how they change.
    pub fn only(dir: [L; 3], sigma: L) -> Self {
        Self { dir, sigma, rate: [L::splat(0.0); 3] }
    }

    /// The slope along `dir`, and a mask of the lanes that know it.
    #[inline(always)]
    pub fn at(&self, dir: [L; 3]) -> (L, L) {
        let step = xyz!(|i| dir[i] - self.dir[i]);
        let square = step[0] * step[0] + step[1] * step[1] + step[2] * step[2];
        let turned = self.rate[0] * step[0] + self.rate[1] * step[1] + self.rate[2] * step[2];
        (self.sigma + turned, square.simd_lt(L::splat(PREDICTABLE * PREDICTABLE)))
    }
}

impl Predicted<F64x4x2<F64x4>> {
    /// Forgets what is known on a lane of either half.
    pub fn forget(&mut self, lane: usize) {
        self.dir.iter_mut().for_each(|lanes| set_lane(lanes, lane, [NOWHERE; 2]));
    }
}

impl<L: Copy> Predicted<L> {
    /// The same in other lanes: from the stored form into registers and back.
    #[inline(always)]
    pub fn map<M>(&self, f: impl Fn(L) -> M) -> Predicted<M> {
        Predicted {
            dir: xyz!(|i| f(self.dir[i])),
            sigma: f(self.sigma),
            rate: xyz!(|i| f(self.rate[i])),
        }
    }
}
