//! Pairs of links that touch because of the surfaces only.

use super::args::FitArguments;
use super::failure::FitFailure;
use super::input::{Input, load_options};
use super::report::AddedContact;
use crate::robot::{LinkId, RobotModel, parse_urdf};
use crate::scene::{Proposal, ProposalOptions, SceneError, propose};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Samples the fitted robot and the one with the hulls of its meshes in the same random states, and compares how often each
/// pair of links that are not adjacent touches.
pub(super) fn added(
    input: &Input,
    arguments: &FitArguments,
    fitted: RobotModel,
    cancel: &AtomicBool,
) -> Result<Vec<AddedContact>, FitFailure> {
    let Some(urdf) = &input.urdf else { return Ok(Vec::new()) };
    let label = arguments.input.display().to_string();
    let hulls = parse_urdf(urdf, &label, &load_options(arguments))?.model;
    let options = ProposalOptions { seed: arguments.seed, ..ProposalOptions::default() };
    let sample = |model: RobotModel| {
        let model = Arc::new(model);
        let found = propose(&model, &options, |_| {}, cancel).map_err(|error| match error {
            SceneError::Cancelled => FitFailure::Interrupted,
            other => FitFailure::Scene(other),
        })?;
        Ok::<_, FitFailure>((model, contacts(&found)))
    };
    let (_, of_hulls) = sample(hulls)?;
    let (model, of_surfaces) = sample(fitted)?;
    let more = of_surfaces.into_iter().filter_map(|(links, states)| {
        let states_of_hulls = of_hulls.get(&links).copied().unwrap_or_default();
        let names = links.map(|link| model.link(link).name.clone());
        (states > states_of_hulls).then_some(AddedContact {
            links: names,
            states,
            states_of_hulls,
            samples: options.samples,
        })
    });
    let mut more: Vec<AddedContact> = more.collect();
    more.sort_by_key(|pair| std::cmp::Reverse(pair.states - pair.states_of_hulls));
    Ok(more)
}

/// In how many states each pair touched. Both robots have the same links in the same order.
fn contacts(proposal: &Proposal) -> BTreeMap<[LinkId; 2], usize> {
    let allowed = proposal.pairs.iter().map(|pair| (pair.links, pair.contacts));
    allowed.chain(proposal.checked.iter().copied()).collect()
}
