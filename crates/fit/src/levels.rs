//! Models of one mesh with one, two, three… surfaces.

use crate::candidate::{Candidate, Extent, SearchPoints};
use crate::clip::{Plane, Triangle};
use crate::distance_tree::DistanceTree;
use crate::error::FitError;
use crate::kind::SurfaceKind;
use crate::measure::{Outward, outward};
use crate::part_fit::{Effort, fit_points, polish};
use crate::shell::Shell;
use crate::split::{Part, Split};
use crate::surface::{FittedSurface, enclose};
use crate::tuning::{
    LEVEL_SAMPLES, POLISH_COMPARED, POLISH_RESULT, POLISH_SAMPLES, SIMPLER_VOLUME,
};
use rayon::prelude::*;
use smooth_scene_geometry::ConvexMesh;
use smooth_scene_geometry::math::{Pose, Vec3};

/// A part with the surface around it.
#[derive(Debug, Clone)]
struct Finished {
    candidate: Candidate,
    /// The best of the kind that adapts most, if that is another kind: beside other surfaces it may be better.
    adaptable: Option<Candidate>,
    points: Vec<Vec3>,
}

impl Finished {
    fn extent(&self, shell: &Shell) -> Extent {
        SearchPoints::in_units(&self.points, shell.center, shell.size).extent(&self.candidate)
    }
}

/// A model with a number of surfaces.
#[derive(Debug, Clone)]
pub(crate) struct Level {
    parts: Vec<Finished>,
    /// Where the mesh was cut.
    pub planes: Vec<Plane>,
    /// How it compares with the mesh.
    pub outward: Outward,
}

impl Level {
    /// Its surfaces when the mesh is placed by `placed`.
    pub fn surfaces(&self, placed: &Pose) -> Result<Vec<FittedSurface>, FitError> {
        let enclosed = |part: &Finished| enclose(&part.candidate, &part.points, placed);
        Ok(self.parts.iter().map(enclosed).collect::<Result<_, _>>()?)
    }

    pub fn len(&self) -> usize {
        self.parts.len()
    }
}

/// How models are searched for.
#[derive(Debug, Clone)]
pub(crate) struct Search<'o> {
    /// Allowed kinds, at least one that is not the hull.
    pub kinds: &'o [SurfaceKind],
    /// Most surfaces.
    pub max_surfaces: usize,
    /// A mean outward distance that needs no more surfaces, m.
    pub enough: f64,
    pub seed: u64,
}

impl Search<'_> {
    /// The kind with which cuts are compared: the one that adapts best.
    fn search_kind(&self) -> SurfaceKind {
        let fitted = self.kinds.iter().filter(|kind| **kind != SurfaceKind::Hull);
        *fitted.max().expect("at least one kind is not the hull")
    }

    /// The best surface around a part: of those within two per cent of the least volume the simplest.
    fn finished(&self, part: &Part) -> Result<Finished, FitError> {
        let fitted: Vec<SurfaceKind> =
            self.kinds.iter().copied().filter(|kind| *kind != SurfaceKind::Hull).collect();
        let tried: Vec<Result<(f64, Candidate), FitError>> = fitted
            .par_iter()
            .map(|&kind| {
                let candidate = fit_points(&part.points, kind, Effort::Full, self.seed);
                let surface = enclose(&candidate, &part.points, &Pose::identity())?;
                Ok((surface.volume(), candidate))
            })
            .collect();
        let volumes = tried.iter().filter_map(|t| t.as_ref().ok()).map(|(volume, _)| *volume);
        let least = volumes.fold(f64::INFINITY, f64::min);
        let adaptable = tried.last().and_then(|t| t.as_ref().ok()).map(|(_, candidate)| *candidate);
        let mut first_error = None;
        for tried in tried {
            match tried {
                Ok((volume, candidate)) if volume <= SIMPLER_VOLUME * least => {
                    let adaptable = adaptable.filter(|other| other.kind != candidate.kind);
                    return Ok(Finished { candidate, adaptable, points: part.points.clone() });
                }
                Ok(_) => {}
                Err(error) => first_error = first_error.or(Some(error)),
            }
        }
        Err(first_error.expect("without an error the least volume is that of a surface"))
    }

    /// Models of a mesh of at least one triangle with one surface, two, and so on.
    pub fn levels(
        &self,
        triangles: &[Triangle],
        tree: &DistanceTree,
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<Level>, FitError> {
        let kind = self.search_kind();
        let root = Part::new(triangles.to_vec(), kind, self.seed);
        let mut leaves = vec![self.leaf(root)?];
        let mut planes = Vec::new();
        let mut levels: Vec<Level> = Vec::new();
        loop {
            let parts: Vec<Finished> = leaves.iter().map(|leaf| leaf.finished.clone()).collect();
            let parts = self.polished(parts, POLISH_COMPARED);
            let level = self.measured(parts, planes.clone(), tree)?;
            let mean = level.outward.mean;
            levels.push(level);
            if levels.len() == self.max_surfaces || mean <= self.enough {
                return Ok(levels);
            }
            if cancelled() {
                return Err(FitError::Cancelled);
            }
            for leaf in &mut leaves {
                leaf.search_split(kind, self.seed);
            }
            let gain = |leaf: &Leaf| match &leaf.split {
                Some(Some(split)) => split.gain,
                _ => f64::NEG_INFINITY,
            };
            let best = (0..leaves.len())
                .max_by(|&a, &b| gain(&leaves[a]).total_cmp(&gain(&leaves[b])))
                .expect("there is at least one part");
            if gain(&leaves[best]) <= 0.0 {
                return Ok(levels);
            }
            let Some(Some(Split { plane, parts, .. })) = leaves.remove(best).split else {
                unreachable!("a gain is that of a cut")
            };
            planes.push(plane);
            for part in parts {
                leaves.push(self.leaf(part)?);
            }
        }
    }

    fn measured(
        &self,
        parts: Vec<Finished>,
        planes: Vec<Plane>,
        tree: &DistanceTree,
    ) -> Result<Level, FitError> {
        let none = Outward { area: 0.0, mean: 0.0, largest: 0.0 };
        let mut level = Level { parts, planes, outward: none };
        let surfaces = level.surfaces(&Pose::identity())?;
        let placed: Vec<_> = surfaces.iter().map(|s| (s.pose(), &s.shape)).collect();
        level.outward = outward(&placed, tree, LEVEL_SAMPLES, self.seed);
        Ok(level)
    }

    /// The model polished for longer, if that makes it tighter.
    pub fn refined(&self, level: &Level, tree: &DistanceTree) -> Result<Level, FitError> {
        let parts = self.polished(level.parts.clone(), POLISH_RESULT);
        let polished = self.measured(parts, level.planes.clone(), tree)?;
        let excess = |level: &Level| level.outward.area * level.outward.mean;
        Ok(if excess(&polished) < excess(level) { polished } else { level.clone() })
    }

    /// Surfaces fitted again one after the other, so that the union becomes smaller: what lies in the other surfaces or in
    /// the hull of a part costs nothing.
    fn polished(
        &self,
        mut parts: Vec<Finished>,
        (rounds, generations): (usize, usize),
    ) -> Vec<Finished> {
        let all: Vec<Vec3> = parts.iter().flat_map(|part| &part.points).copied().collect();
        let hulls: Vec<ConvexMesh> =
            parts.iter().filter_map(|part| ConvexMesh::new(&part.points).ok()).collect();
        let shell = Shell::around(&all, POLISH_SAMPLES).outside(&hulls);
        for round in 0..rounds {
            for index in 0..parts.len() {
                let others: Vec<(Candidate, Extent)> = parts
                    .iter()
                    .enumerate()
                    .filter(|(other, _)| *other != index)
                    .map(|(_, part)| (part.candidate, part.extent(&shell)))
                    .collect();
                let free = shell.outside_of(&others);
                let part = &mut parts[index];
                let seed = self.seed.wrapping_add(round as u64);
                let mut starts = vec![part.candidate];
                starts.extend(part.adaptable.take());
                if round == 0 {
                    starts.extend(starts.last().and_then(Candidate::with_flat_ends));
                }
                part.candidate = polish(&starts, &part.points, &free, generations, seed);
            }
        }
        parts
    }

    fn leaf(&self, part: Part) -> Result<Leaf, FitError> {
        Ok(Leaf { finished: self.finished(&part)?, part, split: None })
    }
}

/// A part that may be cut further.
struct Leaf {
    part: Part,
    finished: Finished,
    /// The best cut once it was searched for; `Some(None)` when there is none.
    split: Option<Option<Split>>,
}

impl Leaf {
    fn search_split(&mut self, kind: SurfaceKind, seed: u64) {
        if self.split.is_none() {
            self.split = Some(self.part.best_split(kind, seed));
        }
    }
}
