//! A mesh cut first in one way or another, then further, and the models that come of it.

use crate::clip::{Plane, Triangle};
use crate::distance_tree::DistanceTree;
use crate::error::FitError;
use crate::levels::{Finished, Level, Search, volume_of};
use crate::shell::Shell;
use crate::split::{Part, Split};
use crate::tuning::{FIRST_CUTS, FOLLOWED_SURFACES, POLISH_COMPARED, POLISH_TRIED, TRIAL_SAMPLES};
use rayon::prelude::*;

impl Search<'_> {
    /// Models of a mesh of at least one triangle with one surface, two, and so on: the tightest of each number.
    ///
    /// Where a mesh is cut first decides about all later cuts. Several first cuts are followed for a while, then the most
    /// promising one to the end.
    pub fn levels(
        &self,
        triangles: &[Triangle],
        tree: &DistanceTree,
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<Level>, FitError> {
        let root = Part::new(triangles.to_vec());
        let samples = Shell::around(&root.points, TRIAL_SAMPLES);
        let mesh = Mesh { tree, samples: &samples, cancelled };
        let whole = self.finished(&root)?;
        let first = self.measured(vec![whole.clone()], Vec::new(), tree)?;
        if self.max_surfaces == 1 || first.outward.mean <= self.enough {
            return Ok(vec![first]);
        }
        let splits = root.best_splits(self.search_kind(), FIRST_CUTS, self.seed);
        let mut branches: Vec<Branch> = splits
            .into_par_iter()
            .map(|split| {
                let mut branch = Branch::cut(self, &whole, split, &mesh)?;
                branch.grow(self, FOLLOWED_SURFACES.min(self.max_surfaces), &mesh)?;
                Ok(branch)
            })
            .collect::<Result<_, FitError>>()?;
        let excess =
            |branch: &Branch| branch.levels.iter().map(Level::excess).fold(f64::INFINITY, f64::min);
        let best = branches.iter_mut().min_by(|a, b| excess(a).total_cmp(&excess(b)));
        if let Some(best) = best {
            best.grow(self, self.max_surfaces, &mesh)?;
        }
        let mut levels = vec![first];
        for level in branches.into_iter().flat_map(|branch| branch.levels) {
            match levels.iter_mut().find(|known| known.len() == level.len()) {
                Some(known) if level.excess() < known.excess() => *known = level,
                Some(_) => {}
                None => levels.push(level),
            }
        }
        levels.sort_by_key(Level::len);
        Ok(levels)
    }
}

/// What the branches of one mesh share.
struct Mesh<'m> {
    pub tree: &'m DistanceTree,
    /// Samples with which cuts are compared.
    pub samples: &'m Shell,
    pub cancelled: &'m (dyn Fn() -> bool + Sync),
}

/// The parts of a mesh after some cuts.
struct Branch {
    leaves: Vec<Leaf>,
    planes: Vec<Plane>,
    /// Models with two surfaces, three, and so on.
    pub levels: Vec<Level>,
    /// No cut is left, or none makes the surfaces smaller.
    is_finished: bool,
}

/// A part that may be cut further.
struct Leaf {
    part: Part,
    finished: Finished,
    /// The best cut once it was searched for.
    cut: Option<Cut>,
}

/// What a search for a cut found.
enum Cut {
    Impossible,
    Found { plane: Plane, leaves: Box<[Leaf; 2]> },
}

/// The part that is cut, and the surfaces afterwards.
type Trial = (usize, Vec<Finished>);

impl Leaf {
    fn new(search: &Search<'_>, part: Part) -> Result<Self, FitError> {
        Ok(Self { finished: search.finished(&part)?, part, cut: None })
    }

    fn halves(search: &Search<'_>, [below, above]: [Part; 2]) -> Result<[Self; 2], FitError> {
        Ok([Self::new(search, below)?, Self::new(search, above)?])
    }

    /// Finds the cut of a part, once.
    fn cut_once(&mut self, search: &Search<'_>) -> Result<(), FitError> {
        if self.cut.is_some() {
            return Ok(());
        }
        let mut splits = self.part.best_splits(search.search_kind(), 1, search.seed);
        self.cut = Some(match splits.pop() {
            None => Cut::Impossible,
            Some(Split { plane, parts }) => {
                Cut::Found { plane, leaves: Box::new(Self::halves(search, parts)?) }
            }
        });
        Ok(())
    }
}

impl Branch {
    /// The whole mesh, which has this surface, after its first cut.
    pub fn cut(
        search: &Search<'_>,
        whole: &Finished,
        split: Split,
        mesh: &Mesh<'_>,
    ) -> Result<Self, FitError> {
        let mut leaves = Vec::from(Leaf::halves(search, split.parts)?);
        leaves.iter_mut().for_each(|leaf| leaf.finished.alternatives.push(whole.candidate));
        let parts = leaves.iter().map(|leaf| leaf.finished.clone()).collect();
        let parts = search.polished(parts, 0, POLISH_TRIED, &[]);
        leaves.iter_mut().zip(parts).for_each(|(leaf, part)| leaf.finished = part);
        let planes = vec![split.plane];
        let mut branch = Self { leaves, planes, levels: Vec::new(), is_finished: false };
        branch.add_level(search, mesh)?;
        Ok(branch)
    }

    /// Cuts on until there are so many surfaces, no cut makes them smaller, or the last model is good enough.
    pub fn grow(
        &mut self,
        search: &Search<'_>,
        surfaces: usize,
        mesh: &Mesh<'_>,
    ) -> Result<(), FitError> {
        while !self.is_finished && self.leaves.len() < surfaces {
            if (mesh.cancelled)() {
                return Err(FitError::Cancelled);
            }
            self.leaves.par_iter_mut().try_for_each(|leaf| leaf.cut_once(search))?;
            let volume = volume_of(self.leaves.iter().map(|leaf| &leaf.finished), mesh.samples);
            let found = self.best_cut(search, mesh.samples).filter(|cut| cut.0 < volume);
            let Some((_, (best, parts))) = found else {
                self.is_finished = true;
                return Ok(());
            };
            let Some(Cut::Found { plane, leaves: halves }) = self.leaves.remove(best).cut else {
                unreachable!("only parts with a cut are tried")
            };
            self.planes.push(plane);
            self.leaves.extend(*halves);
            self.leaves.iter_mut().zip(parts).for_each(|(leaf, part)| leaf.finished = part);
            self.add_level(search, mesh)?;
        }
        Ok(())
    }

    /// Polishes the surfaces of all parts, and keeps the model.
    fn add_level(&mut self, search: &Search<'_>, mesh: &Mesh<'_>) -> Result<(), FitError> {
        let parts = self.leaves.iter().map(|leaf| leaf.finished.clone()).collect();
        let parts = search.polished(parts, 0, POLISH_COMPARED, &[]);
        self.leaves.iter_mut().zip(&parts).for_each(|(leaf, part)| leaf.finished = part.clone());
        let level = search.measured(parts, self.planes.clone(), mesh.tree)?;
        self.is_finished |= level.outward.mean <= search.enough;
        self.levels.push(level);
        Ok(())
    }

    /// The least volume of all surfaces together after the cut of one part, m³, that part, and the surfaces then: the other parts
    /// in their order, and the two new ones.
    fn best_cut(&self, search: &Search<'_>, samples: &Shell) -> Option<(f64, Trial)> {
        let leaves = &self.leaves;
        let tried: Vec<Option<(f64, Trial)>> = (0..leaves.len())
            .into_par_iter()
            .map(|index| {
                let Some(Cut::Found { leaves: halves, .. }) = &leaves[index].cut else {
                    return None;
                };
                let mut parts: Vec<Finished> =
                    leaves.iter().map(|leaf| leaf.finished.clone()).collect();
                let whole = parts.remove(index).candidate;
                parts.extend(halves.iter().map(|leaf| {
                    let mut half = leaf.finished.clone();
                    half.alternatives.push(whole);
                    half
                }));
                let old = parts.len() - 2;
                let parts = search.polished(parts, old, POLISH_TRIED, &[]);
                Some((volume_of(&parts, samples), (index, parts)))
            })
            .collect();
        tried.into_iter().flatten().min_by(|a, b| a.0.total_cmp(&b.0))
    }
}
