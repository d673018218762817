//! One question with many seeds, on several threads.

use crate::command_line::plan::timed::{Question, Timed, check_certificate, solve};
use crate::plan::{PlanError, PlanOptions};
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// The answers for the seeds 1 to `count`, in this order; every path is verified. A question that has no answer for any seed is an
/// error: bad input, or a start or goal in collision.
pub(super) fn answers(
    question: &Question,
    options: &PlanOptions,
    count: u64,
    threads: NonZeroUsize,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Vec<Timed>, PlanError> {
    let next = AtomicU64::new(1);
    let found = Mutex::new(Vec::new());
    let failed = Mutex::new(None);
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed > count {
                return;
            }
            let answer = solve(question, &PlanOptions { seed, ..options.clone() }, &|| stop());
            let answer = answer.and_then(|timed| match &timed.answer {
                Ok(_) | Err(PlanError::NoConnection { .. }) => Ok(timed),
                Err(error) => Err(error.clone()),
            });
            match answer {
                Ok(timed) => {
                    check_certificate(question, &timed);
                    found.lock().expect("nothing panics while it is locked").push((seed, timed));
                }
                Err(error) => {
                    failed.lock().expect("nothing panics while it is locked").get_or_insert(error);
                    // The others have nothing left to do.
                    next.store(count + 1, Ordering::Relaxed);
                    return;
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads.get() {
            scope.spawn(work);
        }
    });
    if let Some(error) = failed.into_inner().expect("nothing panics while it is locked") {
        return Err(error);
    }
    let mut found = found.into_inner().expect("nothing panics while it is locked");
    found.sort_by_key(|(seed, _)| *seed);
    Ok(found.into_iter().map(|(_, timed)| timed).collect())
}
