//! Pairs of links that touch because of the surfaces only.

use super::failure::FitFailure;
use super::report::AddedContact;
use crate::robot::{LinkId, RobotModel};
use crate::scene::{ProposalOptions, SceneError, propose};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// How often pairs of links touch when they are the hulls of their meshes.
pub(super) struct HullContacts {
    states: BTreeMap<[LinkId; 2], usize>,
    options: ProposalOptions,
}

impl HullContacts {
    /// Samples random states of the robot with hulls.
    pub fn sample(
        hulls: &Arc<RobotModel>,
        seed: u64,
        cancel: &AtomicBool,
    ) -> Result<Self, FitFailure> {
        let options = ProposalOptions { seed, ..ProposalOptions::default() };
        let states = contacts(hulls, &options, cancel)?;
        Ok(Self { states, options })
    }

    /// Samples the fitted robot in the same states, and lists the pairs of links that are not adjacent and touch more often.
    pub fn added(
        &self,
        fitted: &Arc<RobotModel>,
        cancel: &AtomicBool,
    ) -> Result<Vec<AddedContact>, FitFailure> {
        let of_surfaces = contacts(fitted, &self.options, cancel)?;
        let more = of_surfaces.into_iter().filter_map(|(links, states)| {
            // A pair that never touched is not listed.
            let states_of_hulls = self.states.get(&links).copied().unwrap_or_default();
            let names = links.map(|link| fitted.link(link).name.clone());
            (states > states_of_hulls).then_some(AddedContact {
                links: names,
                states,
                states_of_hulls,
                samples: self.options.samples,
            })
        });
        let mut more: Vec<AddedContact> = more.collect();
        more.sort_by_key(|pair| std::cmp::Reverse(pair.added()));
        Ok(more)
    }
}

/// In how many states each pair touched. Both robots have the same links in the same order.
fn contacts(
    model: &Arc<RobotModel>,
    options: &ProposalOptions,
    cancel: &AtomicBool,
) -> Result<BTreeMap<[LinkId; 2], usize>, FitFailure> {
    let proposal = propose(model, options, |_| {}, cancel).map_err(|error| match error {
        SceneError::Cancelled => FitFailure::Interrupted,
        other => FitFailure::Scene(other),
    })?;
    let allowed = proposal.pairs.iter().map(|pair| (pair.links, pair.contacts));
    Ok(allowed.chain(proposal.checked.iter().copied()).collect())
}
