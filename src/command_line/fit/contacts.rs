//! Pairs of links that touch because of the surfaces only.

use super::args::FitArguments;
use super::failure::FitFailure;
use super::input::{Input, load_options};
use super::report::AddedContact;
use crate::robot::{LinkId, RobotModel, parse_urdf};
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
    /// Samples random states; `None` for a mesh.
    pub fn sample(
        input: &Input,
        arguments: &FitArguments,
        cancel: &AtomicBool,
    ) -> Result<Option<Self>, FitFailure> {
        let Some(urdf) = &input.urdf else { return Ok(None) };
        let label = arguments.input.display().to_string();
        let hulls = Arc::new(parse_urdf(urdf, &label, &load_options(arguments))?.model);
        let options = ProposalOptions { seed: arguments.seed, ..ProposalOptions::default() };
        let states = contacts(&hulls, &options, cancel)?;
        Ok(Some(Self { states, options }))
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
