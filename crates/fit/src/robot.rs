//! Surfaces for all links of a robot, under one budget.

use std::collections::{BTreeMap, HashMap};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

use rayon::prelude::*;

use crate::budget::allocate;
use crate::clip::mirrored;
use crate::distance_tree::DistanceTree;
use crate::error::FitError;
use crate::kind::SurfaceKind;
use crate::levels::Search;
use crate::link_fit::{Group, LinkFit, LinkMeshes, Member, proven, tighter_hull};
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
    models.choose(&|_| Wish::default(), progress, cancel)
}

/// What matters about a link when a budget is spent.
#[derive(Debug, Clone, PartialEq)]
pub struct Wish {
    /// How much what it has too much counts.
    pub weight: f64,
    /// Points in its frame that its surfaces should not contain.
    pub keep_clear: Vec<Vec3>,
}

impl Default for Wish {
    fn default() -> Self {
        Self { weight: 1.0, keep_clear: Vec::new() }
    }
}

/// Fits with the numbers of their links.
type Numbered = Vec<(usize, LinkFit)>;

/// Models of every link with one surface, two, and so on, from which a budget chooses.
#[derive(Debug)]
pub struct Models<'l> {
    links: &'l [LinkMeshes],
    options: FitOptions,
    groups: Vec<Group>,
    /// What was proven so far, by group and model, for budgets that are spent again.
    proven: Mutex<BTreeMap<(usize, Option<usize>), Numbered>>,
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
        let mut models =
            Self { links, options: options.clone(), groups: Vec::new(), proven: Mutex::default() };
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
            (3 * budget).div_ceil(2 * self.links.len()).min(MAX_SURFACES_PER_LINK)
        });
        Search {
            kinds: &self.options.kinds,
            max_surfaces,
            enough: self.options.tolerance.unwrap_or(0.0),
            seed: self.options.seed,
        }
    }

    /// Spends the budget and proves the result; `wish` says by name what matters about a link.
    pub fn choose(
        &self,
        wish: &dyn Fn(&str) -> Wish,
        progress: &(dyn Fn(usize, usize) + Sync),
        cancel: &AtomicBool,
    ) -> Result<Vec<LinkFit>, FitError> {
        let stopped = || match cancel.load(Ordering::Relaxed) {
            true => Err(FitError::Cancelled),
            false => Ok(()),
        };
        let wishes: Vec<Wish> = self.groups.iter().map(|group| self.joined(group, wish)).collect();
        let weights: Vec<f64> = wishes.iter().map(|wish| wish.weight).collect();
        let chosen = allocate(&self.groups, &weights, self.budget(), self.options.tolerance);
        let done = AtomicUsize::new(self.groups.len());
        let steps = self.groups.len() + self.links.len();
        let mut fits: Numbered = (0..self.groups.len())
            .into_par_iter()
            .map(|group| {
                let fits =
                    self.proven(group, chosen[group], &wishes[group].keep_clear, &stopped)?;
                progress(done.fetch_add(fits.len(), Ordering::Relaxed) + fits.len(), steps);
                Ok(fits)
            })
            .collect::<Result<Vec<_>, FitError>>()?
            .concat();
        fits.sort_by_key(|(link, _)| *link);
        Ok(fits.into_iter().map(|(_, fit)| fit).collect())
    }

    /// What matters about all links of a group, in the frame of its mesh.
    fn joined(&self, group: &Group, wish: &dyn Fn(&str) -> Wish) -> Wish {
        let mut all = Wish { weight: 0.0, keep_clear: Vec::new() };
        for &Member { link, mirror } in &group.links {
            let LinkMeshes { name, pose_in_link, .. } = &self.links[link];
            let Wish { weight, keep_clear } = wish(name);
            all.weight += weight;
            all.keep_clear.extend(keep_clear.into_iter().map(|point| {
                let local = pose_in_link.inverse_transform_point(&point.into()).coords;
                mirror.map_or(local, |axis| mirrored(&local, axis))
            }));
        }
        all
    }

    /// The links of a group with this model, polished and proven; from memory if that was done before.
    fn proven(
        &self,
        group: usize,
        level: Option<usize>,
        keep_clear: &[Vec3],
        stopped: &(dyn Fn() -> Result<(), FitError> + Sync),
    ) -> Result<Numbered, FitError> {
        const WHY: &str = "nothing panics while it is held";
        let is_plain = keep_clear.is_empty();
        let known = self.proven.lock().expect(WHY).get(&(group, level)).cloned();
        if let Some(known) = known.filter(|_| is_plain) {
            return Ok(known);
        }
        stopped()?;
        let members = &self.groups[group];
        // The model to use, and the simplest one for the case that it cannot be proven.
        let levels = match level {
            Some(level) => {
                let refined =
                    self.how().refined(&members.levels[level], &members.tree, keep_clear)?;
                vec![refined, members.levels[0].clone()]
            }
            None => Vec::new(),
        };
        let fit = |&Member { link, mirror }: &Member| {
            stopped()?;
            let fit = proven(&self.links[link], members, &levels, mirror, self.options.seed)?;
            Ok((link, fit))
        };
        let fits = members.links.par_iter().map(fit).collect::<Result<Vec<_>, FitError>>()?;
        if is_plain {
            self.proven.lock().expect(WHY).insert((group, level), fits.clone());
        }
        Ok(fits)
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
