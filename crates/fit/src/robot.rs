//! Surfaces for all links of a robot, under one budget.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

use rayon::prelude::*;

use crate::clip::mirrored;
use crate::distance_tree::DistanceTree;
use crate::error::FitError;
use crate::kind::SurfaceKind;
use crate::levels::{Level, Search};
use crate::link_fit::{Group, LinkFit, LinkMeshes, Member, proven, tighter_hull};
use crate::measure::Outward;
use smooth_scene_geometry::math::Vec3;

/// Most surfaces on one link.
const MAX_SURFACES_PER_LINK: usize = 12;
/// Surfaces per link when neither a number nor a tolerance is asked for.
const DEFAULT_SURFACES_PER_LINK: usize = 3;
/// Largest coordinate, m.
const MAX_COORDINATE: f64 = 1e6;

/// What to fit.
#[derive(Debug, Clone, PartialEq)]
pub struct FitOptions {
    /// Most surfaces of all links together.
    pub surfaces: Option<usize>,
    /// Mean outward distance that is good enough for a link, m.
    pub tolerance: Option<f64>,
    /// Kinds that may be used.
    pub kinds: Vec<SurfaceKind>,
    /// Start of the random sequences.
    pub seed: u64,
}

impl Default for FitOptions {
    fn default() -> Self {
        let kinds = SurfaceKind::ALL.into_iter().filter(|kind| *kind != SurfaceKind::Hull);
        Self { surfaces: None, tolerance: None, kinds: kinds.collect(), seed: 1 }
    }
}

/// Fits surfaces to links and proves that they contain the meshes. Links with equal meshes get equal surfaces, mirror images
/// mirrored ones.
///
/// `progress` is told how many of how many steps are done, from any thread.
pub fn fit_links(
    links: &[LinkMeshes],
    options: &FitOptions,
    progress: &(dyn Fn(usize, usize) + Sync),
    cancel: &AtomicBool,
) -> Result<Vec<LinkFit>, FitError> {
    let models = Models::search(links, options, progress, cancel)?;
    models.choose(&|_| 1.0, progress, cancel)
}

/// Models of every link with one surface, two, and so on, from which a budget chooses.
#[derive(Debug)]
pub struct Models<'l> {
    links: &'l [LinkMeshes],
    options: FitOptions,
    groups: Vec<Group>,
}

impl<'l> Models<'l> {
    /// Searches for the models: nearly all the work of a fit.
    pub fn search(
        links: &'l [LinkMeshes],
        options: &FitOptions,
        progress: &(dyn Fn(usize, usize) + Sync),
        cancel: &AtomicBool,
    ) -> Result<Self, FitError> {
        check_options(links, options)?;
        links.iter().try_for_each(check_mesh)?;
        let grouped = grouped(links);
        let mut models = Self { links, options: options.clone(), groups: Vec::new() };
        let (done, steps) = (AtomicUsize::new(0), grouped.len() + links.len());
        models.groups = grouped
            .into_par_iter()
            .map(|members| {
                let group = models.group(members, cancel);
                progress(done.fetch_add(1, Ordering::Relaxed) + 1, steps);
                group
            })
            .collect::<Result<_, FitError>>()?;
        Ok(models)
    }

    fn group(&self, members: Vec<Member>, cancel: &AtomicBool) -> Result<Group, FitError> {
        let begin = Instant::now();
        let triangles = &self.links[members[0].link].triangles;
        let tree = DistanceTree::new(triangles);
        let is_cancelled = || cancel.load(Ordering::Relaxed);
        let (levels, mut hull) = match self.how().levels(triangles, &tree, &is_cancelled) {
            Ok(levels) => (levels, None),
            Err(FitError::Cancelled) => return Err(FitError::Cancelled),
            Err(error) => (Vec::new(), Some(error.to_string())),
        };
        if hull.is_none() && self.options.kinds.contains(&SurfaceKind::Hull) {
            hull = tighter_hull(triangles, &tree, &levels, self.options.seed)?;
        }
        let levels = if hull.is_some() { Vec::new() } else { levels };
        let seconds = begin.elapsed().as_secs_f64();
        Ok(Group { links: members, tree, levels, hull, seconds })
    }

    fn budget(&self) -> Option<usize> {
        let FitOptions { surfaces, tolerance, .. } = self.options;
        let default = DEFAULT_SURFACES_PER_LINK * self.links.len();
        surfaces.or_else(|| tolerance.is_none().then_some(default))
    }

    fn how(&self) -> Search<'_> {
        // A link may get more than its share, the others less.
        let max_surfaces = self.budget().map_or(MAX_SURFACES_PER_LINK, |budget| {
            (2 * budget).div_ceil(self.links.len()).min(MAX_SURFACES_PER_LINK)
        });
        Search {
            kinds: &self.options.kinds,
            max_surfaces,
            enough: self.options.tolerance.unwrap_or(0.0),
            seed: self.options.seed,
        }
    }

    /// Spends the budget and proves the result. What a link has too much counts as often as `weight` of its name says.
    pub fn choose(
        &self,
        weight: &dyn Fn(&str) -> f64,
        progress: &(dyn Fn(usize, usize) + Sync),
        cancel: &AtomicBool,
    ) -> Result<Vec<LinkFit>, FitError> {
        let stopped = || match cancel.load(Ordering::Relaxed) {
            true => Err(FitError::Cancelled),
            false => Ok(()),
        };
        let weights: Vec<f64> = self
            .groups
            .iter()
            .map(|group| group.links.iter().map(|m| weight(&self.links[m.link].name)).sum())
            .collect();
        let chosen = allocate(&self.groups, &weights, self.budget(), self.options.tolerance);
        // The model to use, and the simplest one for the case that it cannot be proven.
        let refined: Vec<Vec<Level>> = self
            .groups
            .par_iter()
            .zip(&chosen)
            .map(|(group, level)| {
                stopped()?;
                let Some(level) = level else { return Ok(Vec::new()) };
                let refined = self.how().refined(&group.levels[*level], &group.tree)?;
                Ok(vec![refined, group.levels[0].clone()])
            })
            .collect::<Result<_, FitError>>()?;
        let mut jobs: Vec<(Member, &Group, &[Level])> = Vec::new();
        for (group, levels) in self.groups.iter().zip(&refined) {
            jobs.extend(group.links.iter().map(|&member| (member, group, levels.as_slice())));
        }
        jobs.sort_by_key(|(member, ..)| member.link);
        let done = AtomicUsize::new(self.groups.len());
        let steps = self.groups.len() + self.links.len();
        jobs.into_par_iter()
            .map(|(Member { link, mirror }, group, levels)| {
                stopped()?;
                let fit = proven(&self.links[link], group, levels, mirror, self.options.seed);
                progress(done.fetch_add(1, Ordering::Relaxed) + 1, steps);
                fit
            })
            .collect()
    }
}

/// Links with equal meshes together; mirror images too.
fn grouped(links: &[LinkMeshes]) -> Vec<Vec<Member>> {
    let mut groups: Vec<Vec<Member>> = Vec::new();
    let mut known: HashMap<Vec<u64>, usize> = HashMap::new();
    for (link, LinkMeshes { triangles, .. }) in links.iter().enumerate() {
        // Adding zero makes −0 and 0 the same.
        let bits = |point: Vec3| point.iter().map(|x| (x + 0.0).to_bits()).collect::<Vec<_>>();
        let whole: Vec<u64> = triangles.iter().flatten().copied().flat_map(bits).collect();
        let image = |axis: usize| -> Vec<u64> {
            triangles.iter().flatten().flat_map(|p| bits(mirrored(p, axis))).collect()
        };
        let found = known.get(&whole).map(|group| (*group, None)).or_else(|| {
            (0..3).find_map(|axis| known.get(&image(axis)).map(|group| (*group, Some(axis))))
        });
        match found {
            Some((group, mirror)) => groups[group].push(Member { link, mirror }),
            None => {
                known.insert(whole, groups.len());
                groups.push(vec![Member { link, mirror: None }]);
            }
        }
    }
    groups
}

fn check_options(links: &[LinkMeshes], options: &FitOptions) -> Result<(), FitError> {
    if options.kinds.iter().all(|kind| *kind == SurfaceKind::Hull) {
        return Err(FitError::NoKinds);
    }
    if let Some(value) = options.tolerance
        && !(value > 0.0 && value.is_finite())
    {
        return Err(FitError::BadOption { field: "tolerance", value, range: "above 0 m" });
    }
    match options.surfaces {
        Some(surfaces) if surfaces < links.len() => {
            Err(FitError::TooFewSurfaces { surfaces, links: links.len() })
        }
        _ => Ok(()),
    }
}

fn check_mesh(link: &LinkMeshes) -> Result<(), FitError> {
    let name = || link.name.clone();
    if link.triangles.is_empty() {
        return Err(FitError::NoTriangles { name: name() });
    }
    // Written so that NaN is refused too.
    let is_bad = |corner: &Vec3| !corner.iter().all(|x| x.abs() <= MAX_COORDINATE);
    for (triangle, corners) in link.triangles.iter().enumerate() {
        if let Some(corner) = corners.iter().find(|corner| is_bad(corner)) {
            return Err(FitError::BadCorner { name: name(), triangle, corner: (*corner).into() });
        }
    }
    Ok(())
}

/// Which model every group gets: the least sum of outward distance times area within the budget, by dynamic programming over
/// the groups; `None` for those that keep their hull. Below the tolerance nothing is gained; of equal sums the one with fewer
/// surfaces wins.
fn allocate(
    groups: &[Group],
    weights: &[f64],
    budget: Option<usize>,
    tolerance: Option<f64>,
) -> Vec<Option<usize>> {
    let least = tolerance.unwrap_or(0.0);
    let cost = |weight: f64, level: &Level| {
        let Outward { area, mean, .. } = level.outward;
        weight * area * mean.max(least)
    };
    let most: usize =
        groups.iter().map(|group| group.links.len() * group.levels.len()).sum::<usize>();
    let budget = budget.unwrap_or(most).min(most);
    // best[n]: the least cost of the groups so far with at most n surfaces, and their levels.
    let mut best: Vec<Option<(f64, Vec<usize>)>> = vec![Some((0.0, Vec::new())); budget + 1];
    for (group, &weight) in groups.iter().zip(weights).filter(|(group, _)| group.hull.is_none()) {
        let mut next: Vec<Option<(f64, Vec<usize>)>> = vec![None; budget + 1];
        for (n, slot) in next.iter_mut().enumerate() {
            for (index, level) in group.levels.iter().enumerate() {
                let used = level.len() * group.links.len();
                let Some(Some((before, levels))) = n.checked_sub(used).map(|rest| &best[rest])
                else {
                    continue;
                };
                let total = before + cost(weight, level);
                if slot.as_ref().is_none_or(|(least, _)| total < *least) {
                    let mut levels = levels.clone();
                    levels.push(index);
                    *slot = Some((total, levels));
                }
            }
        }
        best = next;
    }
    let (_, levels) = best[budget].take().expect("one surface for each link is within the budget");
    let mut levels = levels.into_iter();
    let level = |group: &Group| match group.hull {
        Some(_) => None,
        None => Some(levels.next().expect("every group with models has got one")),
    };
    groups.iter().map(level).collect()
}
