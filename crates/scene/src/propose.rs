//! A proposal for an SRDF: which pairs of links need not be looked at, found by sampling, as MoveIt's setup assistant
//! does it.
//!
//! A pair of links with shapes is proposed with the first of these reasons that fits:
//!
//! 1. *Adjacent*: see [`adjacent_links`].
//! 2. *Default*: they touch in the default state.
//! 3. *Always*: they touch in at least a given share of the random states.
//! 4. *Never*: they touch in none of them. This is evidence, not proof: the more samples, the better.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use crate::acm::{Reason, adjacent_links};
use crate::body::BodyId;
use crate::check::CheckRequest;
use crate::error::SceneError;
use crate::planning_scene::PlanningScene;
use crate::workspace::Workspace;
use smooth_scene_robot::srdf::{LinkPair, Srdf};
use smooth_scene_robot::{LinkId, RobotModel, RobotState, StateSampler};

/// States between two reports of progress.
const ROUND: usize = 1024;
/// States that one thread takes between two looks at whether to stop.
const BLOCK: usize = 32;

/// How to sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProposalOptions {
    /// Random states within the limits.
    pub samples: usize,
    /// Start of the random sequence.
    pub seed: u64,
    /// Share of the states from which contact counts as constant; 0.95 as in MoveIt.
    pub always_share: f64,
}

impl Default for ProposalOptions {
    fn default() -> Self {
        Self { samples: 10_000, seed: 1, always_share: 0.95 }
    }
}

/// A pair of links that need not be looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct ProposedPair {
    /// The two links, the smaller id first.
    pub links: [LinkId; 2],
    /// Why.
    pub reason: Reason,
    /// In how many of the random states they touched; zero for adjacent links, which were not looked at.
    pub contacts: usize,
}

/// What sampling found.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    /// Pairs that need not be looked at, sorted.
    pub pairs: Vec<ProposedPair>,
    /// Pairs that touch in some states and not in others, with how often: those to look at.
    pub checked: Vec<([LinkId; 2], usize)>,
    /// Random states that were looked at.
    pub samples: usize,
}

impl Proposal {
    /// Puts the proposal in the place of the `disable_collisions` of an SRDF.
    pub fn write_into(&self, model: &RobotModel, srdf: &mut Srdf) {
        srdf.disable_collisions = self
            .pairs
            .iter()
            .map(|pair| LinkPair {
                link1: model.link(pair.links[0]).name.clone(),
                link2: model.link(pair.links[1]).name.clone(),
                reason: Some(pair.reason.name().to_string()),
                line: 0,
            })
            .collect();
    }
}

/// Samples a robot over all cores. The answer depends on model and options alone. `progress` is told how many states are
/// done, from this thread; `cancel` ends the work early with [`SceneError::Cancelled`].
pub fn propose(
    model: &Arc<RobotModel>,
    options: &ProposalOptions,
    mut progress: impl FnMut(usize),
    cancel: &AtomicBool,
) -> Result<Proposal, SceneError> {
    if !(options.always_share > 0.0 && options.always_share <= 1.0) {
        let (field, name, range) = ("always_share", "proposal".into(), "in (0, 1]");
        return Err(SceneError::BadValue { field, name, value: options.always_share, range });
    }
    let scene = PlanningScene::new(model.clone(), None)?;
    let default = RobotState::new(model.clone());
    let mut touching = Counts::new();
    count(&scene, default.positions(), &mut Workspace::cold(), &mut touching)?;
    let mut counts = Counts::new();
    let mut sampler = StateSampler::new(model, options.seed);
    let mut done = 0;
    while done < options.samples {
        let states: Vec<Vec<f64>> =
            (0..ROUND.min(options.samples - done)).map(|_| sampler.draw()).collect();
        let round = states
            .par_chunks(BLOCK)
            .map_init(Workspace::cold, |ws, states| {
                if cancel.load(Ordering::Relaxed) {
                    return Err(SceneError::Cancelled);
                }
                let mut counts = Counts::new();
                states.iter().try_for_each(|state| count(&scene, state, ws, &mut counts))?;
                Ok::<Counts, SceneError>(counts)
            })
            .try_reduce(Counts::new, |a, b| Ok(merged(a, b)))?;
        counts = merged(counts, round);
        done += states.len();
        progress(done);
    }
    Ok(sort_out(model, options, &touching, &counts))
}

/// In how many states each pair touched.
type Counts = BTreeMap<[LinkId; 2], usize>;

fn merged(mut a: Counts, b: Counts) -> Counts {
    for (pair, count) in b {
        *a.entry(pair).or_default() += count;
    }
    a
}

fn count(
    scene: &PlanningScene,
    positions: &[f64],
    ws: &mut Workspace,
    counts: &mut Counts,
) -> Result<(), SceneError> {
    let mut pairs = Vec::new();
    scene.for_each_robot_collision(positions, &CheckRequest::default(), ws, |a, b| {
        let (BodyId::Link(a), BodyId::Link(b)) = (a, b) else {
            unreachable!("a scene of the robot alone has no bodies but links");
        };
        pairs.push([a, b]);
    })?;
    // Links of several shapes touch once.
    pairs.sort_unstable();
    pairs.dedup();
    pairs.into_iter().for_each(|pair| *counts.entry(pair).or_default() += 1);
    Ok(())
}

fn sort_out(
    model: &RobotModel,
    options: &ProposalOptions,
    touching: &Counts,
    counts: &Counts,
) -> Proposal {
    let adjacent = adjacent_links(model);
    let solid: Vec<LinkId> =
        model.link_ids().filter(|&id| !model.link(id).collisions.is_empty()).collect();
    let (mut pairs, mut checked) = (Vec::new(), Vec::new());
    for (place, &a) in solid.iter().enumerate() {
        for &b in &solid[place + 1..] {
            let links = [a, b];
            let contacts = counts.get(&links).copied().unwrap_or(0);
            let reason = if adjacent.contains(&links) {
                Reason::Adjacent
            } else if touching.contains_key(&links) {
                Reason::Default
            } else if contacts == 0 {
                Reason::Never
            } else if contacts as f64 >= options.always_share * options.samples as f64 {
                Reason::Always
            } else {
                checked.push((links, contacts));
                continue;
            };
            pairs.push(ProposedPair { links, reason, contacts });
        }
    }
    Proposal { pairs, checked, samples: options.samples }
}
