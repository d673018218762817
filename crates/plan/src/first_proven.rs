//! One question on several threads, each with a seed of its own: the first proven answer counts.
//!
//! Which seed is first depends on the machine, so the answer names it: planning with that seed alone gives the same path.

use std::num::NonZeroU32;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::edge_proof::Stop;
use crate::error::PlanError;
use crate::options::PlanOptions;
use crate::planner::{Plan, plan};
use smooth_scene_scene::PlanningScene;

/// Plans with the seeds from [`PlanOptions::seed`] on, one on each thread, and returns the first proven path and its seed. When none
/// finds a path, the reason is that of the first seed. `stop` is asked on all threads. There should be as many threads as cores.
pub fn plan_on_threads(
    scene: &PlanningScene,
    group: Option<&str>,
    start: &[f64],
    goal: &[f64],
    options: &PlanOptions,
    threads: NonZeroU32,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<(u64, Plan), PlanError> {
    first_proven(options.seed, threads, stop, &|seed, stop| {
        plan(scene, group, start, goal, &PlanOptions { seed, ..options.clone() }, stop)
    })
}

/// Answers a question with the seeds from `first` on, one on each thread; the first answer ends the others. When there is
/// none, the reason is that of the first seed, or [`PlanError::Cancelled`] when `stop` says so.
///
/// Every seed has a thread of its own: more than the machine has cores make no answer earlier.
///
/// # Panics
/// `answer` panics, or the system has no more threads. The other threads end first.
pub fn first_proven<T: Send>(
    first: u64,
    threads: NonZeroU32,
    stop: &(dyn Fn() -> bool + Sync),
    answer: &(dyn Fn(u64, Stop) -> Result<T, PlanError> + Sync),
) -> Result<(u64, T), PlanError> {
    let is_over = AtomicBool::new(false);
    let found = Mutex::new(None);
    let run = &|seed: u64| {
        let _end_others = EndOthersOnPanic(&is_over);
        let result = answer(seed, &|| is_over.load(Ordering::Relaxed) || stop())?;
        let mut found = found.lock().expect("nothing panics while it is locked");
        // A later one is dropped: the first counts.
        found.get_or_insert((seed, result));
        is_over.store(true, Ordering::Relaxed);
        Ok(())
    };
    let ended: Vec<Result<(), PlanError>> = std::thread::scope(|scope| {
        let seeds = (0..u64::from(threads.get())).map(|k| first.wrapping_add(k));
        let all: Vec<_> = seeds.map(|seed| scope.spawn(move || run(seed))).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        all.into_iter().map(join).collect()
    });
    match found.into_inner().expect("nothing panics while it is locked") {
        Some(first) => Ok(first),
        None if stop() => Err(PlanError::Cancelled),
        None => {
            let reason = ended.into_iter().find_map(Result::err);
            Err(reason.expect("a thread that found nothing says why"))
        }
    }
}

/// Ends the other threads when its own one panics; otherwise they would search on for nobody.
struct EndOthersOnPanic<'a>(&'a AtomicBool);

impl Drop for EndOthersOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}
