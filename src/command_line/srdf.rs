//! `smooth_scene srdf`: proposes which pairs of links need not be checked, by sampling.

use super::atomic_file::{self, WriteFailure};
use super::interrupt;
use super::load_robot::{LoadFailure, load};
use super::print::print;
use super::program::{INTERRUPTED, Program, USAGE_OR_FILE_ERROR};
use super::progress::Progress;
use super::srdf_args::SrdfArguments;
use crate::robot::RobotModel;
use crate::robot::srdf::{LinkPair, Srdf};
use crate::scene::{Proposal, ProposalOptions, Reason, SceneError, propose};
use std::collections::{BTreeMap, HashSet};
use std::io;
use std::sync::Arc;

/// Why nothing was written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SrdfFailure {
    #[error(transparent)]
    Load(#[from] LoadFailure),
    #[error("interrupted after {done} of {samples} states; nothing was written")]
    Interrupted { done: usize, samples: usize },
    #[error(transparent)]
    Scene(SceneError),
    #[error("cannot watch for Ctrl-C: {0}")]
    Signals(io::Error),
    #[error(transparent)]
    File(#[from] WriteFailure),
    #[error("cannot write the answer: {0}")]
    Output(io::Error),
}

impl SrdfFailure {
    pub fn exit_code(&self) -> u8 {
        match self {
            SrdfFailure::Interrupted { .. } => INTERRUPTED,
            _ => USAGE_OR_FILE_ERROR,
        }
    }
}

/// Samples the robot and writes the SRDF.
pub(crate) fn run(program: Program, arguments: &SrdfArguments) -> Result<(), SrdfFailure> {
    // Fail before minutes of sampling rather than after.
    if let Some(path) = &arguments.output {
        atomic_file::check(path, arguments.force)?;
    }
    let (model, notes) = load(&arguments.robot)?;
    for note in notes {
        program.note(note);
    }
    let mut srdf = match &arguments.srdf {
        Some(path) => Srdf::load(path).map_err(LoadFailure::Srdf)?,
        None => Srdf { robot: model.name().to_owned(), ..Srdf::default() },
    };
    let model = Arc::new(model);
    let proposal = sample(&model, arguments)?;
    write_into(&proposal, &model, &mut srdf);
    write(&srdf, arguments)?;
    eprintln!("{}", summary(&proposal));
    Ok(())
}

/// Samples with a progress bar, until Ctrl-C.
fn sample(model: &Arc<RobotModel>, arguments: &SrdfArguments) -> Result<Proposal, SrdfFailure> {
    let options = ProposalOptions {
        samples: usize::try_from(arguments.samples).expect("at most 1e9, see the option"),
        seed: arguments.seed,
        always_share: arguments.always_share,
    };
    let cancel = interrupt::watch().map_err(SrdfFailure::Signals)?;
    let mut progress = Progress::new(Some(arguments.samples));
    let mut done = 0;
    let tell = |states: usize| {
        done = states;
        progress.update(states as u64, format_args!("{states} states"));
    };
    let found = propose(model, &options, tell, &cancel);
    drop(progress);
    found.map_err(|error| match error {
        SceneError::Cancelled => SrdfFailure::Interrupted { done, samples: options.samples },
        other => SrdfFailure::Scene(other),
    })
}

/// Replaces the pairs that were found by sampling earlier. Pairs with other reasons were written by hand and stay.
fn write_into(proposal: &Proposal, model: &RobotModel, srdf: &mut Srdf) {
    let before = std::mem::take(&mut srdf.disable_collisions);
    proposal.write_into(model, srdf);
    let key = |pair: &LinkPair| {
        let (a, b) = (pair.link1.clone(), pair.link2.clone());
        if a <= b { (a, b) } else { (b, a) }
    };
    let proposed: HashSet<(String, String)> = srdf.disable_collisions.iter().map(key).collect();
    let written = before.into_iter().filter(|pair| {
        let reason = Reason::from_srdf(pair.reason.as_deref());
        matches!(reason, Reason::User | Reason::Other(_)) && !proposed.contains(&key(pair))
    });
    srdf.disable_collisions.extend(written);
}

fn write(srdf: &Srdf, arguments: &SrdfArguments) -> Result<(), SrdfFailure> {
    let text = srdf.to_xml();
    match &arguments.output {
        Some(path) => Ok(atomic_file::write(path, text.as_bytes(), arguments.force)?),
        None => print(&text).map_err(SrdfFailure::Output),
    }
}

/// One line about what was found.
fn summary(proposal: &Proposal) -> String {
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for pair in &proposal.pairs {
        *reasons.entry(pair.reason.name()).or_default() += 1;
    }
    let reasons: Vec<String> = reasons.iter().map(|(name, n)| format!("{n} {name}")).collect();
    format!(
        "{} states: {} pairs of links need not be looked at ({}), {} have to",
        proposal.samples,
        proposal.pairs.len(),
        reasons.join(", "),
        proposal.checked.len()
    )
}
