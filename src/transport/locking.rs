//! Locks of the transports.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The lock. What it guards is whole even after a panic: no callback runs under it.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
