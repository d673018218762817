//! Models of one mesh with one, two, three… surfaces.

use crate::candidate::Candidate;
use crate::clip::{Plane, mirrored};
use crate::distance_tree::DistanceTree;
use crate::error::FitError;
use crate::kind::SurfaceKind;
use crate::measure::{Outward, outward};
use crate::part_fit::{Effort, fit_points, polish};
use crate::search_points::{Extent, SearchPoints};
use crate::shell::Shell;
use crate::split::Part;
use crate::surface::{FittedSurface, enclose};
use crate::tuning::{LEVEL_SAMPLES, POLISH_RESULT, POLISH_SAMPLES, SIMPLER_VOLUME};
use rayon::prelude::*;
use smooth_scene_geometry::ConvexMesh;
use smooth_scene_geometry::math::{Pose, Vec3};

/// A part with the surface around it.
#[derive(Debug, Clone)]
pub(crate) struct Finished {
    pub candidate: Candidate,
    /// Others from which to start beside other surfaces: the best of the kind that adapts most, the surface before a cut.
    pub alternatives: Vec<Candidate>,
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

    /// The model of the mirror image of the mesh.
    pub fn mirrored(&self, axis: usize) -> Self {
        let image = |part: &Finished| Finished {
            candidate: part.candidate.mirrored(axis),
            alternatives: Vec::new(),
            points: part.points.iter().map(|point| mirrored(point, axis)).collect(),
        };
        let parts = self.parts.iter().map(image).collect();
        let planes = self.planes.iter().map(|plane| plane.mirrored(axis)).collect();
        Self { parts, planes, outward: self.outward }
    }

    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// About the volume between the model and the mesh, m³.
    pub fn excess(&self) -> f64 {
        self.outward.area * self.outward.mean
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
    pub fn search_kind(&self) -> SurfaceKind {
        let fitted = self.kinds.iter().filter(|kind| **kind != SurfaceKind::Hull);
        *fitted.max().expect("at least one kind is not the hull")
    }

    /// The best surface around a part: of those within two per cent of the least volume the simplest.
    pub fn finished(&self, part: &Part) -> Result<Finished, FitError> {
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
                    let other = adaptable.filter(|other| other.kind != candidate.kind);
                    let alternatives = other.into_iter().collect();
                    return Ok(Finished { candidate, alternatives, points: part.points.clone() });
                }
                Ok(_) => {}
                Err(error) => first_error = first_error.or(Some(error)),
            }
        }
        Err(first_error.expect("without an error the least volume is that of a surface"))
    }

    pub fn measured(
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

    /// The model polished for longer, if that makes it tighter. Points of `clear` that it contains count as much as samples.
    pub fn refined(
        &self,
        level: &Level,
        tree: &DistanceTree,
        clear: &[Vec3],
    ) -> Result<Level, FitError> {
        let parts = self.polished(level.parts.clone(), 0, POLISH_RESULT, clear);
        let polished = self.measured(parts, level.planes.clone(), tree)?;
        let all: Vec<Vec3> = level.parts.iter().flat_map(|part| &part.points).copied().collect();
        let shell = Shell::around(&all, POLISH_SAMPLES).only(clear);
        let excess = |level: &Level| level.excess() + volume_of(&level.parts, &shell);
        Ok(if excess(&polished) < excess(level) { polished } else { level.clone() })
    }

    /// Surfaces fitted again one after the other, so that the union becomes smaller: what lies in the other surfaces or in
    /// the hull of a part costs nothing; points of `clear` cost as much as samples. Those before the number `first` stay.
    pub fn polished(
        &self,
        mut parts: Vec<Finished>,
        first: usize,
        (rounds, generations): (usize, usize),
        clear: &[Vec3],
    ) -> Vec<Finished> {
        if parts.len() == 1 {
            // Nothing beside it: it is the smallest already.
            return parts;
        }
        let all: Vec<Vec3> = parts.iter().flat_map(|part| &part.points).copied().collect();
        let hulls: Vec<ConvexMesh> =
            parts.iter().filter_map(|part| ConvexMesh::new(&part.points).ok()).collect();
        let shell = Shell::around(&all, POLISH_SAMPLES).outside(&hulls).with(clear);
        for round in 0..rounds {
            for index in first..parts.len() {
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
                starts.append(&mut part.alternatives);
                if round == 0 {
                    starts.extend(part.candidate.with_flat_ends());
                }
                part.candidate = polish(&starts, &part.points, &free, generations, seed);
            }
        }
        parts
    }
}

/// The volume of all surfaces together, m³.
pub(crate) fn volume_of<'p>(parts: impl IntoIterator<Item = &'p Finished>, samples: &Shell) -> f64 {
    let sized = parts.into_iter().map(|part| (part.candidate, part.extent(samples)));
    samples.volume(&sized.collect::<Vec<_>>())
}
