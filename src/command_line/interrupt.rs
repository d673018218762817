//! Ctrl-C and SIGTERM: the first asks a run to end, a later one ends the process.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Signals within this time count as one: launchers send one to all their programs after the terminal has.
const SAME_SIGNAL: Duration = Duration::from_millis(200);

/// A flag that the first Ctrl-C or SIGTERM sets.
pub(crate) fn watch() -> io::Result<Arc<AtomicBool>> {
    let [interrupted, end_at_once] = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        // In this order: the first signal finds `end_at_once` unset.
        signal_hook::flag::register_conditional_default(signal, end_at_once.clone())?;
        signal_hook::flag::register(signal, interrupted.clone())?;
    }
    let first = interrupted.clone();
    std::thread::Builder::new().name("signals".into()).spawn(move || {
        while !first.load(Ordering::Relaxed) {
            std::thread::sleep(SAME_SIGNAL);
        }
        std::thread::sleep(SAME_SIGNAL);
        end_at_once.store(true, Ordering::Relaxed);
    })?;
    Ok(interrupted)
}

/// Calls `act` on a thread of its own at the first Ctrl-C or SIGTERM.
pub(crate) fn when_interrupted(act: impl FnOnce() + Send + 'static) -> io::Result<()> {
    /// Time from the signal to the call, at most: below what a person notices.
    const PERIOD: Duration = Duration::from_millis(20);
    let interrupted = watch()?;
    std::thread::Builder::new().name("interrupted".into()).spawn(move || {
        while !interrupted.load(Ordering::Relaxed) {
            std::thread::sleep(PERIOD);
        }
        act();
    })?;
    Ok(())
}
