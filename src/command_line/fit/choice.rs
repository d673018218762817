//! Which surfaces the links get: a budget is spent, and spent again where links touch because of the surfaces only.

use super::args::FitArguments;
use super::contacts::HullContacts;
use super::failure::FitFailure;
use super::input::{Input, load_options};
use super::output::output_text;
use super::report::AddedContact;
use crate::fit::{self, LinkFit, Models, Wish};
use crate::math::Vec3;
use crate::robot::{RobotModel, parse_urdf};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// How often the budget is spent anew for links that touch too often.
const MAX_TRADES: usize = 4;
/// Weight of such links.
const HEAVY: f64 = 4.0;

/// What a run has found so far.
pub(super) struct Run<'r> {
    pub input: &'r Input,
    pub arguments: &'r FitArguments,
    pub models: &'r Models<'r>,
    /// The robot with hulls; none for a mesh.
    pub robot: Option<&'r RobotModel>,
    pub contacts: Option<HullContacts>,
    /// How much the size of each link matters.
    pub mobility: BTreeMap<String, f64>,
    pub is_urdf: bool,
}

/// One way to spend the surfaces.
pub(super) struct Outcome {
    pub fits: Vec<LinkFit>,
    pub text: String,
    /// Pairs that touch because of the surfaces only; `None` when no states were sampled.
    pub added: Option<Vec<AddedContact>>,
}

impl Run<'_> {
    /// What surfaces add should not make links collide: those of frequent pairs count more, while that helps.
    pub fn best(
        &self,
        tell: &(dyn Fn(usize, usize) + Sync),
        cancel: &AtomicBool,
    ) -> Result<Outcome, FitFailure> {
        let mut wishes = Wishes::default();
        let mut best = self.outcome(&wishes, tell, cancel)?;
        let trades = if self.arguments.let_touch { 0 } else { MAX_TRADES };
        for _ in 0..trades {
            let pairs = best.frequent_pairs();
            if pairs.is_empty() {
                break;
            }
            wishes.add(self.robot, &best.fits, &pairs, self.arguments.seed)?;
            let next = self.outcome(&wishes, tell, cancel)?;
            if next.added_states() < best.added_states() {
                best = next;
            }
        }
        Ok(best)
    }

    /// Fits with these wishes, proves what a reader of the file gets, and samples states.
    fn outcome(
        &self,
        wishes: &Wishes,
        tell: &(dyn Fn(usize, usize) + Sync),
        cancel: &AtomicBool,
    ) -> Result<Outcome, FitFailure> {
        let wish = |link: &str| wishes.of(link, self.mobility[link]);
        let fits = self.models.choose(&wish, tell, cancel).map_err(FitFailure::from_fit)?;
        let only_hull = fits.iter().find_map(|fit| fit.hull.clone());
        if let (None, Some(reason)) = (&self.input.urdf, only_hull) {
            return Err(FitFailure::OnlyHull { path: self.arguments.input.clone(), reason });
        }
        let all = self.input.meshes.surfaces(&fits);
        let (text, robot) = output_text(self.input, self.arguments, self.is_urdf, &all)?;
        if let Some(robot) = &robot {
            fit::check_robot(&robot.model, &fits)?;
        }
        let added = match (&self.contacts, robot) {
            (Some(hulls), Some(robot)) => Some(hulls.added(&Arc::new(robot.model), cancel)?),
            _ => None,
        };
        Ok(Outcome { fits, text, added })
    }
}

impl Outcome {
    fn pairs(&self) -> impl Iterator<Item = &AddedContact> {
        self.added.iter().flatten()
    }

    fn added_states(&self) -> usize {
        self.pairs().map(AddedContact::added).sum()
    }

    /// Pairs that touch often because of the surfaces only.
    fn frequent_pairs(&self) -> Vec<[String; 2]> {
        self.pairs().filter(|pair| pair.is_frequent()).map(|pair| pair.links.clone()).collect()
    }
}

/// What matters about links of pairs that touch too often.
#[derive(Default)]
struct Wishes {
    rounds: u64,
    heavy: BTreeSet<String>,
    keep_clear: BTreeMap<String, Vec<Vec3>>,
}

impl Wishes {
    fn add(
        &mut self,
        robot: Option<&RobotModel>,
        fits: &[LinkFit],
        pairs: &[[String; 2]],
        seed: u64,
    ) -> Result<(), FitFailure> {
        let robot = robot.expect("pairs are those of a robot");
        self.rounds += 1;
        self.heavy.extend(pairs.iter().flatten().cloned());
        // Other states each time.
        let found = fit::contested_points(robot, fits, pairs, seed.wrapping_add(self.rounds));
        for (link, points) in found.map_err(FitFailure::from_fit)? {
            self.keep_clear.entry(link).or_default().extend(points);
        }
        Ok(())
    }

    fn of(&self, link: &str, mobility: f64) -> Wish {
        let weight = mobility * if self.heavy.contains(link) { HEAVY } else { 1.0 };
        // A link without contested points has none to keep clear of.
        let keep_clear = self.keep_clear.get(link).cloned().unwrap_or_default();
        Wish { weight, keep_clear }
    }
}

/// The robot with the hulls of its meshes; none for a mesh.
pub(super) fn hulls(
    input: &Input,
    arguments: &FitArguments,
) -> Result<Option<Arc<RobotModel>>, FitFailure> {
    let Some(urdf) = &input.urdf else { return Ok(None) };
    let label = arguments.input.display().to_string();
    Ok(Some(Arc::new(parse_urdf(urdf, &label, &load_options(arguments))?.model)))
}

/// The weight of each link: how far it moves. A mesh alone has weight 1.
pub(super) fn mobility(
    input: &Input,
    robot: Option<&Arc<RobotModel>>,
    seed: u64,
) -> Result<BTreeMap<String, f64>, FitFailure> {
    let weights = match robot {
        Some(robot) => fit::mobility_weights(robot, &input.meshes.links, seed)?,
        None => vec![1.0; input.meshes.links.len()],
    };
    Ok(input.meshes.links.iter().map(|link| link.name.clone()).zip(weights).collect())
}
