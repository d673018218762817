//! Threads, as many as asked for, that survive `fork`.
//!
//! The pool of rayon itself would hang in a forked process, where its threads no longer exist. So each process has pools
//! of its own, one for each number of threads asked for. They are looked up while the interpreter lock is held: a fork
//! by Python never meets the table half changed.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::refused;

/// Most threads a caller may ask for.
const MAX_THREADS: i64 = 1024;

struct Pools {
    process: u32,
    by_threads: BTreeMap<usize, Arc<ThreadPool>>,
}

static POOLS: Mutex<Option<Pools>> = Mutex::new(None);

/// Who does the work.
pub(crate) enum Workers {
    /// The caller's own thread.
    Caller,
    /// Others.
    Pool(Arc<ThreadPool>),
}

impl Workers {
    /// Workers for this many pieces of work; all cores without a number of threads.
    pub fn new(
        held: Python<'_>,
        threads: Option<i64>,
        pieces: usize,
        smallest: usize,
    ) -> PyResult<Self> {
        let asked = checked(threads)?;
        if pieces <= smallest {
            return Ok(Workers::Caller);
        }
        match number(asked)? {
            1 => Ok(Workers::Caller),
            threads => Ok(Workers::Pool(pool(held, threads)?)),
        }
    }

    /// Threads other than the caller's, which stays free to look at signals.
    pub fn pool(held: Python<'_>, threads: Option<i64>) -> PyResult<Arc<ThreadPool>> {
        pool(held, number(checked(threads)?)?)
    }
}

fn checked(threads: Option<i64>) -> PyResult<Option<usize>> {
    match threads {
        Some(threads) if !(1..=MAX_THREADS).contains(&threads) => {
            Err(refused(format!("threads is {threads}, must be in [1, {MAX_THREADS}]")))
        }
        threads => Ok(threads.map(|threads| threads as usize)),
    }
}

/// As many as asked for, else as there were cores when that was first asked: the system takes longer to say so than a small
/// question takes.
fn number(threads: Option<usize>) -> PyResult<usize> {
    static CORES: OnceLock<usize> = OnceLock::new();
    match (threads, CORES.get()) {
        (Some(threads), _) => Ok(threads),
        (None, Some(cores)) => Ok(*cores),
        (None, None) => {
            let cores = std::thread::available_parallelism()?.get();
            Ok(*CORES.get_or_init(|| cores))
        }
    }
}

/// The pool of this process with so many threads.
fn pool(_held: Python<'_>, threads: usize) -> PyResult<Arc<ThreadPool>> {
    // The table is whole also after a panic: an entry is put in when its pool is made.
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if pools.as_ref().is_some_and(|pools| pools.process != process) {
        // The threads of these pools are in the other process, and dropping a pool would wait for them.
        std::mem::forget(pools.take());
    }
    let new = || Pools { process, by_threads: BTreeMap::new() };
    let by_threads = &mut pools.get_or_insert_with(new).by_threads;
    if let Some(pool) = by_threads.get(&threads) {
        return Ok(pool.clone());
    }
    let built = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = Arc::new(built.map_err(|error| PyRuntimeError::new_err(error.to_string()))?);
    by_threads.insert(threads, pool.clone());
    Ok(pool)
}
