//! The options of `srdf`.

use super::robot_args::RobotArguments;
use crate::scene::ProposalOptions;
use clap::Args;
use std::path::PathBuf;

const SRDF_DETAILS: &str = r#"A pair of links is written as disable_collisions with the first of these reasons that fits:
  Adjacent  connected by a joint, links without surfaces in between left out
  Default   in contact with every joint at zero or at the limit nearest to it
  Always    in contact in at least the share --always-share of the random states
  Never     in contact in none of the random states: evidence, not proof; the more samples, the better
The same options give the same file. With --srdf everything of that file is kept but its pairs of these four reasons.

Ctrl-C stops; then nothing is written.

Exit code: 0 written, 2 bad command line or bad input, 130 interrupted."#;

/// The options of `srdf`.
#[derive(Debug, Args)]
#[command(after_long_help = SRDF_DETAILS, after_help = "`--help` describes the reasons.")]
pub(crate) struct SrdfArguments {
    #[command(flatten)]
    pub robot: RobotArguments,

    /// SRDF whose groups, states and own pairs are kept
    #[arg(long, value_name = "FILE")]
    pub srdf: Option<PathBuf>,

    /// Random states within the joint limits
    #[arg(long, value_name = "N", default_value_t = ProposalOptions::default().samples as u64,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub samples: u64,

    /// Start of the random sequence
    #[arg(long, value_name = "S", default_value_t = ProposalOptions::default().seed)]
    pub seed: u64,

    /// Share of the states from which contact counts as constant
    #[arg(long, value_name = "SHARE", default_value_t = ProposalOptions::default().always_share, value_parser = share)]
    pub always_share: f64,

    /// File to write; standard output when not given
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Replace the output file if it is there
    #[arg(long, requires = "output")]
    pub force: bool,
}

/// A share of a whole: above zero, at most one.
fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value <= 1.0 => Ok(value),
        _ => Err("must be a number above 0 and at most 1".to_owned()),
    }
}
