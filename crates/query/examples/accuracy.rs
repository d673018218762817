//! The accuracy table: how wide the proven bounds are, how often the fast depth is not the least one, and whether an
//! independent search ever leaves the bounds.
//!
//! `cargo run --release -p smooth_scene_query --example accuracy -- [--pairs N] [--family NAME] [--seed N]` prints it as
//! Markdown, over all seeds of the published table unless one is named; pairs that break a promise go to the standard error
//! with what is needed to make them again.

use clap::Parser;
use smooth_scene_test_support::accuracy_table::{PAIRS, SEEDS, header, measure};
use smooth_scene_test_support::families::FAMILIES;

#[derive(Parser)]
struct Arguments {
    /// Pairs of each family and seed.
    #[arg(long, default_value_t = PAIRS)]
    pairs: usize,
    /// The only family to measure.
    #[arg(long, value_parser = FAMILIES)]
    family: Option<String>,
    /// The only seed of the random pairs.
    #[arg(long)]
    seed: Option<u64>,
    /// The same as --pairs.
    #[arg(value_name = "PAIRS")]
    count: Option<usize>,
}

fn main() {
    let Arguments { pairs, family: only, seed, count } = Arguments::parse();
    let pairs = count.unwrap_or(pairs);
    let seeds = seed.map_or(SEEDS, |seed| seed..=seed);
    println!("{}", header());
    for family in FAMILIES {
        if only.as_deref().is_none_or(|only| only == family) {
            let row = measure(family, pairs, seeds.clone());
            println!("{}", row.markdown());
            for broken in &row.broken {
                eprintln!("{broken}");
            }
        }
    }
}
