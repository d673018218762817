//! Proofs that a maximum over heights is the highest one, of bodies that are not convex.

use crate::solve::separation::SeparationFunction;
use crate::superquadric::pair::{Kind, SuperquadricPair, arrays, load};
use crate::superquadric::profile_lanes::SectionHeight;
use crate::superquadric::tuning::dents::SHALLOW;
use smooth_scene_geometry::math::Vec3;
use smooth_scene_geometry::simd::{F64x4, Simd};
use smooth_scene_geometry::{Dent, Shape};

/// The sections at the edges of a dent of each body; the upper edges of A and of B, then the lower ones.
struct DentEdges {
    /// c·w + N(w).
    highest: [f64; 4],
    /// As in [`SectionHeight`].
    fall: [f64; 4],
    share: [f64; 4],
}

impl<S: Simd> SuperquadricPair<'_, S> {
    /// Whether every value is the proven maximum over the bodies; sampled sections of a dented body are not.
    #[inline(always)]
    pub fn is_proven(&self) -> bool {
        !matches!(self.kind, Kind::Hull(_) | Kind::Surrogate)
    }

    /// The pair as if its bodies were convex, if one is not and what the dents take off is too little to mistake one
    /// maximum for another. Its f is that of the hulls or, next to a dent, a little higher, and its points are points of
    /// the bodies: a maximum of it at which f is that of the hulls is one of theirs.
    pub fn surrogate(&self) -> Option<Self> {
        let is_shallow = |shape: &&Shape| match shape {
            Shape::Superovoid(ovoid) => {
                ovoid.is_convex() || ovoid.dent().is_some_and(|dent| dent.w < SHALLOW)
            }
            _ => true,
        };
        if self.is_proven() || !self.shapes.iter().all(is_shallow) {
            return None;
        }
        Some(self.of_kind(Kind::Surrogate))
    }

    /// f at a direction, if it is proven that the samples of a dented body missed nothing there.
    pub fn proven_value(&self, normal: &Vec3) -> Option<f64> {
        let Kind::Hull(samples) = &self.kind else { return Some(self.at(normal).value) };
        let jets = self.hull_jets(normal, samples);
        let (value, point) = (jets.value.0, arrays(&jets.point));
        let proven = self.proves([value[0], value[1]], [point[2][0], point[2][1]], normal);
        proven.then(|| self.separation(normal, &value, &point, 0).value)
    }

    /// Whether two points, in the frame of A, are proven to be support points along a direction, B's along the opposite one,
    /// given that the bodies are tangent to the direction there.
    pub fn proves_points(&self, normal: &Vec3, [point_a, point_b]: [&Vec3; 2]) -> bool {
        let point_b = self.point_in_b(point_b);
        let reach = [normal.dot(point_a), -self.frame.turned_into_b(normal).dot(&point_b)];
        self.proves(reach, [point_a.z, point_b.z], normal)
    }

    /// Whether nothing of either body reaches farther along a direction (B along the opposite one) than `reach`, which
    /// is reached at the stationary heights `z`, each in the frame of its body.
    pub fn proves(&self, reach: [f64; 2], z: [f64; 2], normal: &Vec3) -> bool {
        let clear = self.nothing_across_the_dents(normal, reach, z);
        let dirs = [*normal, -self.frame.turned_into_b(normal)];
        self.shapes.iter().enumerate().all(|(body, shape)| match shape {
            Shape::Superovoid(ovoid) if !ovoid.is_convex() => {
                let w = z[body] / ovoid.radii()[2];
                clear[body] || ovoid.is_highest(&dirs[body], w, reach[body])
            }
            _ => true,
        })
    }

    /// For each body, whether a look at the edges of its dent proves that nothing is higher than the maximum found: at the
    /// edges of the dents along all directions, then at those along this one.
    fn nothing_across_the_dents(&self, normal: &Vec3, top: [f64; 2], z: [f64; 2]) -> [bool; 2] {
        let ovoids = self.shapes.map(|shape| match shape {
            Shape::Superovoid(ovoid) => Some(ovoid),
            _ => None,
        });
        let dents = ovoids.map(|ovoid| ovoid.and_then(|ovoid| ovoid.dent()));
        let (clear, mixed) = self.nothing_across(normal, top, z, dents);
        if [0, 1].iter().all(|&body| clear[body] || dents[body].is_none()) {
            return clear;
        }
        let narrow = [0, 1].map(|body| ovoids[body].and_then(|ovoid| ovoid.dent_of(mixed[body])));
        let (clear_of_narrow, _) = self.nothing_across(normal, top, z, narrow);
        [0, 1].map(|body| clear[body] || clear_of_narrow[body])
    }

    /// For each body, whether nothing is higher than the maximum found beyond the edges ±w of a dent or between them, and the
    /// largest λ(1 − λ) between them.
    ///
    /// Beyond either edge g is concave, so that the maximum found is the only one on its side, and there is none on the
    /// other side if g rises towards the dent there. In between g ≤ c·w + N(w), which is convex and so highest at an edge.
    fn nothing_across(
        &self,
        normal: &Vec3,
        top: [f64; 2],
        z: [f64; 2],
        dents: [Option<Dent>; 2],
    ) -> ([bool; 2], [f64; 2]) {
        let DentEdges { highest, fall, share } = S::call(
            #[inline(always)]
            || self.dent_edges(normal, dents),
        );
        let clear = [0, 1].map(|body| {
            let Some(dent) = dents[body] else { return false };
            let w = z[body] / self.bodies.radii[2].0[body];
            let rises = if w > 0.0 { fall[body + 2] <= 0.0 } else { fall[body] >= 0.0 };
            w.abs() > dent.w && rises && highest[body].max(highest[body + 2]) <= top[body]
        });
        // λ changes in one sense with the height.
        let mixed = [0, 1].map(|body| {
            let [up, down] = [share[body], share[body + 2]];
            let crosses = (up - 0.5) * (down - 0.5) <= 0.0;
            if crosses { 0.25 } else { (up * (1.0 - up)).max(down * (1.0 - down)) }
        });
        (clear, mixed)
    }

    #[inline(always)]
    fn dent_edges(&self, normal: &Vec3, dents: [Option<Dent>; 2]) -> DentEdges {
        // Any height will do for a body without a dent: its lanes are not looked at.
        const ANY: Dent = Dent { w: 0.5, rho: 0.5, sigma: 0.5 };
        let [a, b] = [dents[0].unwrap_or(ANY), dents[1].unwrap_or(ANY)];
        let edges = [
            F64x4([a.w, b.w, a.w, b.w]),
            F64x4([a.rho, b.rho, a.rho, b.rho]),
            F64x4([a.sigma, b.sigma, a.sigma, b.sigma]),
        ];
        let [w, rho, sigma] = load::<S>(&edges);
        let side = S::F64x4::from(F64x4([1.0, 1.0, -1.0, -1.0]));
        let (bodies, dirs) = (self.bodies(), load::<S>(&self.directions([normal, normal])));
        let SectionHeight { reach, fall, share } =
            bodies.section_height(dirs, w * side, rho, sigma * side);
        let climb = bodies.radii[2] * dirs[2] * w * side;
        let F64x4(highest) = (climb + (reach - climb) / rho).into();
        let (F64x4(fall), F64x4(share)) = (fall.into(), share.into());
        DentEdges { highest, fall, share }
    }
}
