//! What a model adds around a mesh: sample points outside the hulls of its parts, and how many of them the surfaces take.

use crate::candidate::Candidate;
use crate::points::Points;
use crate::random::even_box_points;
use crate::search_points::{Extent, SearchPoints};
use smooth_scene_geometry::math::Vec3;
use smooth_scene_geometry::{ConvexMesh, ConvexSurface};

/// How much larger than the mesh the sampled box is, on every side, as a share of its diagonal.
const BORDER: f64 = 0.12;
/// Half the width of the step with which samples are counted, as a share of the size of a surface.
const SOFTNESS: f32 = 0.03;

/// Samples in the box around a mesh.
#[derive(Debug, Clone)]
pub(crate) struct Shell {
    points: Vec<Vec3>,
    /// Volume that each stands for, m³.
    share: f64,
    pub center: Vec3,
    pub size: f64,
}

impl Shell {
    /// `count` samples around these points.
    pub fn around(points: &[Vec3], count: usize) -> Self {
        let none = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
        let (low, high) = points.iter().fold(none, |(low, high), p| (low.inf(p), high.sup(p)));
        let border = Vec3::repeat(BORDER * (high - low).norm().max(1e-9));
        let (low, high) = (low - border, high + border);
        let points: Vec<Vec3> = even_box_points(low, high, count).collect();
        let share = (high - low).product() / count as f64;
        Self { points, share, center: 0.5 * (low + high), size: 0.5 * (high - low).norm() }
    }

    /// Those outside the hulls: what is inside every model contains.
    pub fn outside(&self, hulls: &[ConvexMesh]) -> Self {
        let is_outside =
            |p: &&Vec3| !hulls.iter().any(|hull| !hull.is_flat() && hull.inside_outside(p) <= 0.0);
        Self { points: self.points.iter().filter(is_outside).copied().collect(), ..*self }
    }

    /// Other samples, which count as much each.
    pub fn only(mut self, points: &[Vec3]) -> Self {
        self.points = points.to_vec();
        self
    }

    /// With more samples, which count as much as the others.
    pub fn with(mut self, points: &[Vec3]) -> Self {
        self.points.extend(points);
        self
    }

    /// Those outside other surfaces.
    pub fn outside_of(&self, others: &[(Candidate, Extent)]) -> Self {
        let inside = self.inside(others);
        let points = self.points.iter().zip(inside).filter(|(_, inside)| !inside);
        Self { points: points.map(|(p, _)| *p).collect(), ..*self }
    }

    /// For each sample whether it is in one of the surfaces.
    fn inside(&self, surfaces: &[(Candidate, Extent)]) -> Vec<bool> {
        let mut inside = vec![false; self.points.len()];
        if self.points.is_empty() {
            return inside;
        }
        let mut search = self.search();
        let mut depths = Vec::new();
        for (candidate, extent) in surfaces {
            search.depths(candidate, extent, &mut depths);
            inside.iter_mut().zip(&depths).for_each(|(inside, depth)| *inside |= *depth > 0.0);
        }
        inside
    }

    /// The samples for the level function; `None` when there are none.
    pub fn for_levels(&self) -> Option<Points> {
        (!self.points.is_empty()).then(|| Points::new(&self.points, &self.center, self.size))
    }

    /// Volume that each sample stands for, m³.
    pub fn share(&self) -> f64 {
        self.share
    }

    fn search(&self) -> SearchPoints {
        SearchPoints::in_units(&self.points, self.center, self.size)
    }

    /// The volume of the samples in the union, m³.
    pub fn volume(&self, surfaces: &[(Candidate, Extent)]) -> f64 {
        self.share * self.inside(surfaces).into_iter().filter(|inside| *inside).count() as f64
    }

    /// Ready for many surfaces one after the other.
    pub fn counter(&self) -> Option<ShellCounter> {
        (!self.points.is_empty()).then(|| ShellCounter {
            count: self.points.len(),
            search: self.search(),
            share: self.share,
            depths: Vec::new(),
        })
    }
}

/// A smooth step from 0 outside to 1 inside, and its derivative.
pub(crate) fn soft_step(depth: f32) -> (f32, f32) {
    let t = (0.5 + depth * (0.5 / SOFTNESS)).clamp(0.0, 1.0);
    (t * t * (3.0 - 2.0 * t), 6.0 * t * (1.0 - t) * (0.5 / SOFTNESS))
}

/// Counts the samples in one surface after the other.
pub(crate) struct ShellCounter {
    search: SearchPoints,
    count: usize,
    share: f64,
    depths: Vec<f32>,
}

impl ShellCounter {
    /// The volume of the samples in the surface, m³; samples near its edge count in part, so that it changes gradually.
    pub fn soft_volume(&mut self, candidate: &Candidate, extent: &Extent) -> f64 {
        self.search.depths(candidate, extent, &mut self.depths);
        let soft = |depth: &f32| f64::from(soft_step(depth * std::f32::consts::LN_2).0);
        self.share * self.depths[..self.count].iter().map(soft).sum::<f64>()
    }
}
