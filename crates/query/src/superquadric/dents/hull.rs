//! Evaluation of a pair in which a body is not convex and stands for its hull.

use crate::solve::separation::{Separation, SeparationJet};
use crate::superquadric::dents::samples::{HullSamples, MiddleSection};
use crate::superquadric::lane_jets::LaneJets;
use crate::superquadric::pair::{SuperquadricPair, arrays, load};
use crate::superquadric::profile_lanes::{LAST_STEP, ProfileStart};
use smooth_scene_geometry::math::Vec3;
use smooth_scene_geometry::simd::{F64x4, Simd};
use smooth_scene_geometry::xyz;

/// Start, lower and upper end of a search for a height, two for each of two bodies.
#[derive(Clone, Copy, Default)]
struct TwoStarts {
    first: [[f64; 3]; 2],
    second: [[f64; 3]; 2],
    /// Whether a body has two candidates.
    is_double: bool,
}

impl<S: Simd> SuperquadricPair<'_, S> {
    /// f at one direction.
    pub(in crate::superquadric) fn hull_value(
        &self,
        normal: &Vec3,
        samples: &[Option<HullSamples>; 2],
    ) -> Separation {
        let jets = self.hull_jets(normal, samples);
        self.separation(normal, &jets.value.0, &arrays(&jets.point), 0)
    }

    /// The jet at one direction.
    pub(in crate::superquadric) fn hull_jet(
        &self,
        normal: &Vec3,
        samples: &[Option<HullSamples>; 2],
    ) -> SeparationJet {
        self.assembled(normal, &self.hull_jets(normal, samples))
    }

    /// Two directions. Where each body has one candidate for its highest point both directions share an evaluation.
    pub(in crate::superquadric) fn hull_jets_of_two(
        &self,
        n: [&Vec3; 2],
        samples: &[Option<HullSamples>; 2],
    ) -> [SeparationJet; 2] {
        let starts = S::call(
            #[inline(always)]
            || self.hull_brackets(n, samples),
        );
        if starts.iter().any(|starts| starts.is_double) {
            return [0, 1].map(|k| self.assembled(n[k], &self.higher_of_two(n[k], &starts[k])));
        }
        let [[a0, b0], [a1, b1]] = starts.map(|starts| starts.first);
        S::call(
            #[inline(always)]
            || {
                let dirs = self.directions(n);
                let jets = self.bracketed_jets(&dirs, [a0, b0, a1, b1]);
                self.assemble(n, &dirs, &jets, false)
            },
        )
    }

    /// The lanes of one direction.
    pub(super) fn hull_jets(
        &self,
        normal: &Vec3,
        samples: &[Option<HullSamples>; 2],
    ) -> LaneJets<F64x4> {
        let [starts] = S::call(
            #[inline(always)]
            || self.hull_brackets([normal], samples),
        );
        self.higher_of_two(normal, &starts)
    }

    /// Where the maxima over height lie along one or two directions: for each, the first candidate of A and of B, and the
    /// second.
    #[inline(always)]
    fn hull_brackets<const N: usize>(
        &self,
        n: [&Vec3; N],
        samples: &[Option<HullSamples>; 2],
    ) -> [TwoStarts; N] {
        let dirs = self.directions([n[0], n[N - 1]]);
        let middle = self.bodies().middle(load::<S>(&dirs));
        let F64x4(start) = middle.start().sigma.into();
        let (F64x4(norm), F64x4(share)) = (middle.norm.into(), middle.share.into());
        let (F64x4(rate), F64x4(climb)) = (middle.rate.into(), middle.climb.into());
        let mut all = [TwoStarts::default(); N];
        for (k, starts) in all.iter_mut().enumerate() {
            let open =
                [[start[2 * k], -f64::MAX, f64::MAX], [start[2 * k + 1], -f64::MAX, f64::MAX]];
            *starts = TwoStarts { first: open, second: open, is_double: false };
            for (body, samples) in samples.iter().enumerate() {
                let Some(samples) = samples else { continue };
                let dir = if body == 0 { *n[k] } else { -self.frame.turned_into_b(n[k]) };
                let lane = 2 * k + body;
                let brackets = samples.brackets::<S>(&MiddleSection {
                    dir,
                    norm: norm[lane],
                    share: share[lane],
                    rate: rate[lane],
                    climb: climb[lane],
                });
                [starts.first[body], starts.second[body]] = brackets.two;
                starts.is_double |= brackets.is_double;
            }
        }
        all
    }

    /// The jets of tapered bodies, from a start and a bracket of the slope on each lane.
    #[inline(always)]
    fn bracketed_jets(&self, dirs: &[F64x4; 3], starts: [[f64; 3]; 4]) -> LaneJets<S::F64x4> {
        let [one, two, three, four] = starts;
        let [sigma, low, high] = load::<S>(&xyz!(|k| F64x4([one[k], two[k], three[k], four[k]])));
        let start = ProfileStart { sigma, low, high, last_step: LAST_STEP };
        self.or_scalar(dirs, self.bodies().tapered(load::<S>(dirs), &start))
    }

    /// The lanes hold the two candidates of each body for its highest point, and the higher result of each is copied
    /// over the other.
    fn higher_of_two(&self, normal: &Vec3, starts: &TwoStarts) -> LaneJets<F64x4> {
        let ([a0, b0], [a1, b1]) = (starts.first, starts.second);
        let jets = S::call(
            #[inline(always)]
            || {
                let dirs = self.directions([normal, normal]);
                self.bracketed_jets(&dirs, [a0, b0, a1, b1]).map(
                    #[inline(always)]
                    |lanes| lanes.into(),
                )
            },
        );
        let F64x4(value) = jets.value;
        jets.map(|F64x4(lanes)| {
            let a = if value[2] > value[0] { lanes[2] } else { lanes[0] };
            let b = if value[3] > value[1] { lanes[3] } else { lanes[1] };
            F64x4([a, b, a, b])
        })
    }

    /// The jet at one direction, from its lanes.
    fn assembled(&self, normal: &Vec3, jets: &LaneJets<F64x4>) -> SeparationJet {
        let normals = [normal, normal];
        let [jet, _] = S::call(
            #[inline(always)]
            || {
                let on_lanes = jets.map(
                    #[inline(always)]
                    |stored| stored.into(),
                );
                self.assemble(normals, &self.directions(normals), &on_lanes, false)
            },
        );
        jet
    }
}
