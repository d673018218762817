//! Seeds of random tests. By default every run asks the same questions. The environment variable `SEED` changes that:
//! `SEED=fresh` makes new ones each time, and a number repeats the run that printed it. `PROPTEST_CASES` sets the number
//! of cases of property tests.

use std::sync::LazyLock;
use std::time::{SystemTime, UNIX_EPOCH};

use proptest::test_runner::{Config, RngSeed};

/// The seed of one test: `default`, or one made of it and of `SEED`. Printed, for the report of a failure.
pub fn seed(default: u64) -> u64 {
    let Some(run) = *RUN else { return default };
    println!("SEED={run} repeats this run");
    scrambled(run.wrapping_add(scrambled(default)))
}

/// A property test with its own number of cases and its own seed. Nothing is written to files: the failing case and
/// the seed are printed.
pub fn properties(cases: u32, default_seed: u64) -> Config {
    let configured = Config::default();
    let cases = match std::env::var_os("PROPTEST_CASES") {
        Some(_) => configured.cases,
        None => cases,
    };
    Config {
        cases,
        rng_seed: RngSeed::Fixed(seed(default_seed)),
        failure_persistence: None,
        ..configured
    }
}

/// What `SEED` asks for, the same for all tests of a process.
static RUN: LazyLock<Option<u64>> = LazyLock::new(|| match std::env::var("SEED") {
    Err(_) => None,
    Ok(text) if text == "fresh" => {
        let clock = SystemTime::now().duration_since(UNIX_EPOCH).expect("the clock is set");
        // Short enough to be typed.
        Some(scrambled(clock.as_nanos() as u64) % 1_000_000)
    }
    Ok(text) => Some(text.parse().expect("SEED is a number, or fresh")),
});

/// One step of SplitMix64: neighbouring seeds become unrelated ones.
fn scrambled(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
