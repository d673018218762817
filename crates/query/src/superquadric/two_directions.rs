//! What the lanes of two superquadrics can do at two directions at once: jets, bent steps, and starts for the depth.

use crate::solve::separation::{Bend, SeparationJet, TwoDirections, times};
use crate::solve::starts::{Start, Starts};
use crate::superquadric::angular::highest_along_axes;
use crate::superquadric::pair::{Kind, SuperquadricPair, arrays, interleave, load, store};
use crate::superquadric::predicted::Predicted;
use crate::superquadric::profile_lanes::LAST_STEP;
use crate::superquadric::survey::{is_angular, peaks};
use crate::superquadric::tuning::jets::{COARSENESS, COARSEST};
use smooth_scene_geometry::math::{Mat3, Vec3};
use smooth_scene_geometry::simd::{F64x4, Simd};

impl<S: Simd> TwoDirections for SuperquadricPair<'_, S> {
    #[inline(always)]
    fn has_spare_lanes(&self) -> bool {
        !matches!(self.kind, Kind::Hull(_))
    }

    #[inline(always)]
    fn is_surrogate(&self) -> bool {
        matches!(self.kind, Kind::Surrogate)
    }

    #[inline(always)]
    fn jets_after(&self, step: f64, normals: [&Vec3; 2]) -> [SeparationJet; 2] {
        if let Kind::Hull(samples) = &self.kind {
            return self.hull_jets_of_two(normals, samples);
        }
        self.jets_of_two(normals, (COARSENESS * step).clamp(LAST_STEP, COARSEST))
    }

    /// The normals of the implicit surfaces at p + W_A δ and q − W_B δ. The level sets of an implicit surface are alike, so that
    /// a point beside the surface tells the direction, too.
    ///
    /// That of the body that is flatter along δ; or both as steps x_A and x_B put together so that each counts where it is
    /// flat, (W_A + W_B) x = W_A x_A + W_B x_B.
    #[inline(always)]
    fn bent_step(&self, jet: &SeparationJet, delta: [f64; 2], bend: Bend) -> Option<Vec3> {
        S::call(
            #[inline(always)]
            || self.bent_to(jet, delta, bend),
        )
    }

    #[inline(always)]
    fn prepare(&self, starts: [&Start; 2]) {
        let [Some(one), Some(other)] = [starts[0].slopes, starts[1].slopes] else { return };
        let dirs = self.directions([&starts[0].normal, &starts[1].normal]);
        let sigma = F64x4([one[0], one[1], other[0], other[1]]);
        self.predicted.set(Predicted::only(dirs, sigma));
    }

    #[inline(always)]
    fn is_beaten(&self, value: f64, rotation_ab: &Mat3, size: f64) -> bool {
        let bodies = [&self.parameters[0], &self.parameters[1]];
        if !is_angular(bodies) {
            return false;
        }
        S::call(
            #[inline(always)]
            || highest_along_axes::<S>(bodies, rotation_ab, &self.frame.offset, size) > value,
        )
    }

    #[inline(always)]
    fn peaks(&self, rotation_ab: &Mat3, size: f64) -> Starts {
        S::call(
            #[inline(always)]
            || {
                let bodies = [&self.parameters[0], &self.parameters[1]];
                let mut starts = Starts::new(0);
                let peaks = peaks::<S>(bodies, rotation_ab, &self.frame.offset, size);
                for (k, start) in peaks.starts(rotation_ab).enumerate() {
                    if k < peaks.promising() { starts.add(start) } else { starts.add_other(start) }
                }
                starts.seen = peaks.seen;
                starts
            },
        )
    }
}

impl<S: Simd> SuperquadricPair<'_, S> {
    /// [`TwoDirections::bent_step`], compiled for the instruction set.
    #[inline(always)]
    fn bent_to(&self, jet: &SeparationJet, delta: [f64; 2], bend: Bend) -> Option<Vec3> {
        let radii_b = jet.radii_b();
        let (moved_a, moved_b) = (times(jet.radii_a, delta), times(radii_b, delta));
        let point_a = jet.at.point_a + jet.tangent(moved_a);
        let point_b = self.point_in_b(&(jet.at.point_b - jet.tangent(moved_b)));
        let points = interleave(&point_a, &point_b, &point_a, &point_b);
        let outward = self.bodies().outward(load::<S>(&points));
        let [x, y, z] = arrays(&store::<S>(&outward));
        let normal_a = Vec3::new(x[0], y[0], z[0]);
        let normal_b = -(self.frame.rotation_ab * Vec3::new(x[1], y[1], z[1]));
        let bent = match bend {
            Bend::OfTheFlatter => {
                let along = |moved: [f64; 2]| moved[0] * delta[0] + moved[1] * delta[1];
                if along(moved_a) >= along(moved_b) { normal_a } else { normal_b }
            }
            Bend::OfBoth => {
                let step = |normal: Vec3| {
                    let ahead = normal.dot(&jet.normal);
                    [normal.dot(&jet.basis.0) / ahead, normal.dot(&jet.basis.1) / ahead]
                };
                let (a, b) = (times(jet.radii_a, step(normal_a)), times(radii_b, step(normal_b)));
                let (sum, [xx, xy, yy]) = ([a[0] + b[0], a[1] + b[1]], jet.radii);
                let inverse = 1.0 / (xx * yy - xy * xy);
                let x = (yy * sum[0] - xy * sum[1]) * inverse;
                let y = (xx * sum[1] - xy * sum[0]) * inverse;
                jet.normal + jet.tangent([x, y])
            }
        };
        let length = bent.norm();
        (length > 0.0 && length.is_finite()).then(|| bent / length)
    }
}
