//! Fuzzes the queries with a stable toolchain; see `crates/query/fuzz/README.md`.
//!
//! Cases are random bytes and mutations of earlier ones. The seed is printed, the same seed gives the same cases, and
//! the first failing case of each kind is printed in hexadecimal for `--replay`. A case that takes too long ends the run.

use clap::Parser;
use smooth_scene_geometry::Shape;
use smooth_scene_test_support::families::Rng;
use smooth_scene_test_support::fuzz_case::{self, Promises, fuzz_one};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Longest case, in bytes; the decoder reads fewer.
const MAX_BYTES: usize = 256;
/// Cases kept as parents for mutation.
const POOL: usize = 256;

#[derive(Parser)]
struct Arguments {
    /// How long to run
    #[arg(long, default_value_t = 20)]
    seconds: u64,
    /// Seed of the case generator; random when missing
    #[arg(long)]
    seed: Option<u64>,
    /// Stop after this many cases
    #[arg(long, default_value_t = u64::MAX)]
    cases: u64,
    /// Stop after this many kinds of failure
    #[arg(long, default_value_t = 10)]
    failures: usize,
    /// Milliseconds a single case may take
    #[arg(long, default_value_t = 5000)]
    limit_ms: u64,
    /// Check each answer alone, not whether several of them agree
    #[arg(long)]
    each_answer_alone: bool,
    /// Leave out cases with a shape of this kind, bare or inside another; may be given more than once
    #[arg(long, value_name = "KIND")]
    without: Vec<String>,
    /// Run one case, given in hexadecimal
    #[arg(long, value_name = "HEX")]
    replay: Option<String>,
}

/// The case that is running, for the watchdog.
type Running = Arc<Mutex<(Instant, Vec<u8>)>>;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let promises = if arguments.each_answer_alone { Promises::Each } else { Promises::All };
    if let Some(hex) = &arguments.replay {
        let Some(data) = from_hex(hex) else {
            eprintln!("--replay needs an even number of hexadecimal digits");
            return ExitCode::from(2);
        };
        println!("{:#?}", fuzz_case::decode(&data));
        let outcome = run(&data, promises);
        println!("{outcome:?}");
        return if outcome.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    let clock = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let seed = arguments.seed.unwrap_or(clock.map_or(1, |elapsed| elapsed.as_nanos() as u64));
    println!("seed {seed}");
    let running: Running = Arc::new(Mutex::new((Instant::now(), Vec::new())));
    watch(Arc::clone(&running), Duration::from_millis(arguments.limit_ms));
    let mut rng = Rng::new(seed);
    let mut pool: Vec<Vec<u8>> = Vec::new();
    let (mut cases, mut valid) = (0u64, 0u64);
    let mut slowest = (Duration::ZERO, Vec::new());
    let mut failures: BTreeMap<String, u64> = BTreeMap::new();
    let started = Instant::now();
    while cases < arguments.cases
        && failures.len() < arguments.failures
        && started.elapsed().as_secs() < arguments.seconds
    {
        let data = next_case(&mut rng, &pool);
        if !arguments.without.is_empty() && has_kind(&data, &arguments.without) {
            continue;
        }
        announce(&running, &data);
        cases += 1;
        let case_started = Instant::now();
        let outcome = run(&data, promises);
        if case_started.elapsed() > slowest.0 {
            slowest = (case_started.elapsed(), data.clone());
        }
        match outcome {
            Ok(false) => {}
            Ok(true) => {
                valid += 1;
                if pool.len() < POOL {
                    pool.push(data);
                } else {
                    pool[(rng.next_u64() % POOL as u64) as usize] = data;
                }
            }
            Err(promise) => {
                let kind = kind_of(&promise);
                let first = !failures.contains_key(&kind);
                *failures.entry(kind.clone()).or_default() += 1;
                if first {
                    let (data, promise) = simplify(data, promise, &|trial: &[u8]| {
                        announce(&running, trial);
                        let promise = run(trial, promises).err()?;
                        (kind_of(&promise) == kind).then_some(promise)
                    });
                    println!("FAILED after {cases} cases: {promise}");
                    println!("  --replay {}", to_hex(&data));
                }
            }
        }
    }
    for (kind, count) in &failures {
        println!("{count} times: {kind}");
    }
    println!("slowest {:?}: --replay {}", slowest.0, to_hex(&slowest.1));
    println!("{cases} cases, {valid} with two valid shapes, {} kinds of failure", failures.len());
    if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Sets bytes to zero, from the end, for as long as the case fails in the same way.
fn simplify(
    data: Vec<u8>,
    promise: String,
    fails: &impl Fn(&[u8]) -> Option<String>,
) -> (Vec<u8>, String) {
    let mut simplest = (data, promise);
    for _ in 0..3 {
        for index in (0..simplest.0.len()).rev() {
            // Selectors are taken modulo 32 or less: the remainder alone often means the same.
            for value in [0, simplest.0[index] % 32] {
                let mut trial = simplest.0.clone();
                trial[index] = value;
                if let Some(promise) = fails(&trial).filter(|_| trial != simplest.0) {
                    simplest = (trial, promise);
                    break;
                }
            }
        }
    }
    while simplest.0.last() == Some(&0) {
        simplest.0.pop();
    }
    simplest
}

/// Whether a shape of the case is of one of these kinds.
fn has_kind(data: &[u8], kinds: &[String]) -> bool {
    fn is(shape: &Shape, kinds: &[String]) -> bool {
        let inside = match shape {
            Shape::Padded(padded) => is(padded.shape(), kinds),
            Shape::Mapped(mapped) => is(mapped.shape(), kinds),
            Shape::Compound(compound) => compound.parts().iter().any(|(_, part)| is(part, kinds)),
            _ => false,
        };
        inside || kinds.iter().any(|kind| kind == shape.kind())
    }
    fuzz_case::decode(data).is_some_and(|case| is(&case.a, kinds) || is(&case.b, kinds))
}

/// Tells the watchdog which case runs from now on.
fn announce(running: &Running, data: &[u8]) {
    *running.lock().unwrap_or_else(PoisonError::into_inner) = (Instant::now(), data.to_vec());
}

/// Runs one case; a panic is a broken promise too.
fn run(data: &[u8], promises: Promises) -> Result<bool, String> {
    static PANIC: Mutex<String> = Mutex::new(String::new());
    std::panic::set_hook(Box::new(|info| {
        *PANIC.lock().unwrap_or_else(PoisonError::into_inner) = info.to_string();
    }));
    catch_unwind(AssertUnwindSafe(|| fuzz_one(data, promises))).unwrap_or_else(|_| {
        let message = PANIC.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Err(format!("{message}\n  {:?}", fuzz_case::decode(data)))
    })
}

/// The first two lines of a message without numbers: what failures with the same cause have in common.
fn kind_of(promise: &str) -> String {
    let line = promise.split("\n  ").next().unwrap_or(promise);
    let words = line.split_whitespace();
    let plain =
        words.filter(|word| !word.contains(|c: char| c.is_ascii_digit() && !word.contains(".rs")));
    plain.take(12).collect::<Vec<_>>().join(" ")
}

/// Ends the process when one case takes longer than `limit`.
fn watch(running: Running, limit: Duration) {
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(limit / 10);
            let (since, data) = running.lock().unwrap_or_else(PoisonError::into_inner).clone();
            if since.elapsed() > limit && !data.is_empty() {
                println!("FAILED: longer than {limit:?}\n  {:?}", fuzz_case::decode(&data));
                println!("  --replay {}", to_hex(&data));
                std::process::exit(3);
            }
        }
    });
}

/// Random bytes, or an earlier case with a few bytes changed or the tail of another.
fn next_case(rng: &mut Rng, pool: &[Vec<u8>]) -> Vec<u8> {
    let pick = |rng: &mut Rng| pool[(rng.next_u64() % pool.len() as u64) as usize].clone();
    if pool.is_empty() || rng.one_in(3) {
        let length = 1 + rng.next_u64() as usize % MAX_BYTES;
        return (0..length).map(|_| rng.next_u64() as u8).collect();
    }
    let mut data = pick(rng);
    if rng.one_in(4) {
        let other = pick(rng);
        let cut = rng.next_u64() as usize % data.len().min(other.len());
        data.truncate(cut);
        data.extend_from_slice(&other[cut..]);
    }
    for _ in 0..1 + rng.next_u64() % 4 {
        let at = rng.next_u64() as usize % data.len();
        data[at] = match rng.next_u64() % 4 {
            0 => 0,
            1 => 255,
            2 => data[at] ^ (1 << (rng.next_u64() % 8)),
            _ => rng.next_u64() as u8,
        };
    }
    data
}

fn to_hex(data: &[u8]) -> String {
    data.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> =
        text.chars().map(|c| c.to_digit(16).map(|d| d as u8)).collect::<Option<_>>()?;
    let pairs = digits.chunks_exact(2);
    pairs.remainder().is_empty().then(|| pairs.map(|pair| pair[0] << 4 | pair[1]).collect())
}
