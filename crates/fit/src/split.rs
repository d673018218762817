//! Cuts a mesh into parts, one after the other, each where it saves most volume.

use rayon::prelude::*;

use crate::clip::{Plane, Triangle, cut};
use crate::kind::SurfaceKind;
use crate::part_fit::{Effort, axes_of, fit_points, hull_points};
use crate::random::Random;
use crate::search_points::SearchPoints;
use crate::shell::Shell;
use crate::tuning::{
    CUT_ROUNDS, CUT_SHARES, CUT_STEPS, OTHER_DIRECTION, RANKED_TRIANGLES, SPLIT_SAMPLES,
};
use smooth_scene_geometry::math::{Vec3, tangent_basis, unit_or};

/// A part of a mesh.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    pub triangles: Vec<Triangle>,
    /// Corners of the hull.
    pub points: Vec<Vec3>,
}

/// A part cut in two.
#[derive(Debug, Clone)]
pub(crate) struct Split {
    pub plane: Plane,
    pub parts: [Part; 2],
}

impl Part {
    /// A part of at least one triangle.
    pub fn new(triangles: Vec<Triangle>) -> Self {
        let points = hull_points(triangles.iter().flatten().copied().collect());
        Self { triangles, points }
    }

    /// At most `count` cuts in different directions, those first after which two surfaces have the least volume together;
    /// none when no plane divides the part.
    pub fn best_splits(&self, kind: SurfaceKind, count: usize, seed: u64) -> Vec<Split> {
        let ranked = self.some_triangles(seed);
        let shell = Shell::around(&self.points, SPLIT_SAMPLES);
        let total = |plane: &Plane| {
            let sized = |triangles: &Vec<Triangle>| {
                (!triangles.is_empty()).then(|| {
                    let points = hull_points(triangles.iter().flatten().copied().collect());
                    let candidate = fit_points(&points, kind, Effort::Quick, seed);
                    let mut points = SearchPoints::in_units(&points, shell.center, shell.size);
                    let extent = points.extent(&candidate);
                    (candidate, extent)
                })
            };
            let [below, above] = cut(&ranked, plane);
            match (sized(&below), sized(&above)) {
                (Some(a), Some(b)) => shell.volume(&[a, b]),
                _ => f64::INFINITY,
            }
        };
        let planes = self.candidate_planes();
        let totals: Vec<f64> = planes.par_iter().map(total).collect();
        let mut order: Vec<usize> = (0..planes.len()).filter(|k| totals[*k].is_finite()).collect();
        order.sort_by(|&a, &b| totals[a].total_cmp(&totals[b]));
        let mut chosen: Vec<usize> = Vec::new();
        for k in order {
            let cosine = |other: &usize| planes[*other].normal.dot(&planes[k].normal).abs();
            if chosen.len() < count && chosen.iter().all(|other| cosine(other) < OTHER_DIRECTION) {
                chosen.push(k);
            }
        }
        let split = |k: usize| {
            let plane = self.refined(planes[k], totals[k], total);
            let [below, above] = cut(&self.triangles, &plane);
            let is_divided = !below.is_empty() && !above.is_empty();
            is_divided.then(|| Split { plane, parts: [below, above].map(Part::new) })
        };
        chosen.into_iter().filter_map(split).collect()
    }

    /// All triangles, or a random part of them where they are many.
    fn some_triangles(&self, seed: u64) -> Vec<Triangle> {
        if self.triangles.len() <= RANKED_TRIANGLES {
            return self.triangles.clone();
        }
        let mut random = Random::new(seed);
        (0..RANKED_TRIANGLES).map(|_| self.triangles[random.below(self.triangles.len())]).collect()
    }

    fn candidate_planes(&self) -> Vec<Plane> {
        let axes = axes_of(&self.points);
        let directions = axes.iter().flat_map(|axes| {
            axes.column_iter().map(|column| column.into_owned()).collect::<Vec<Vec3>>()
        });
        directions
            .flat_map(|normal| {
                let [low, high] = self.extent(&normal);
                CUT_SHARES.map(|share| Plane { normal, offset: low + share * (high - low) })
            })
            .collect()
    }

    fn extent(&self, direction: &Vec3) -> [f64; 2] {
        let none = [f64::INFINITY, f64::NEG_INFINITY];
        self.points.iter().fold(none, |[low, high], point| {
            let height = direction.dot(point);
            [low.min(height), high.max(height)]
        })
    }

    /// Moves and tilts a plane by ever smaller steps while that lowers the total volume.
    fn refined(
        &self,
        mut plane: Plane,
        mut total: f64,
        cost: impl Fn(&Plane) -> f64 + Sync,
    ) -> Plane {
        let [low, high] = self.extent(&plane.normal);
        let middle = self.points.iter().sum::<Vec3>() / self.points.len() as f64;
        let (mut shift, mut tilt) = (CUT_STEPS.0 * (high - low), CUT_STEPS.1);
        for _ in 0..CUT_ROUNDS {
            let (u, v) = tangent_basis(&plane.normal);
            let tilted = |direction: Vec3| {
                let normal = unit_or(&(plane.normal + direction * tilt), &plane.normal);
                // Turned about the point of the plane next to the middle of the part.
                let pivot = middle - plane.normal * plane.height(&middle);
                Plane { normal, offset: normal.dot(&pivot) }
            };
            let moves = [
                Plane { offset: plane.offset + shift, ..plane },
                Plane { offset: plane.offset - shift, ..plane },
                tilted(u),
                tilted(-u),
                tilted(v),
                tilted(-v),
            ];
            let costs: Vec<f64> = moves.par_iter().map(&cost).collect();
            let best = (0..moves.len())
                .min_by(|&a, &b| costs[a].total_cmp(&costs[b]))
                .expect("there are six moves");
            if costs[best] < total {
                (plane, total) = (moves[best], costs[best]);
            } else {
                (shift, tilt) = (0.5 * shift, 0.5 * tilt);
            }
        }
        plane
    }
}
