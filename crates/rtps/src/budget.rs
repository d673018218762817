//! A limit on the bytes that are held for others.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes that may be held. Clones share the limit.
#[derive(Debug, Clone)]
pub struct Budget {
    used: Arc<AtomicUsize>,
    limit: usize,
}

/// A part of a budget; dropping it gives it back.
#[derive(Debug)]
pub struct Reservation {
    used: Arc<AtomicUsize>,
    bytes: usize,
}

impl Budget {
    /// Of this many bytes.
    pub fn new(limit: usize) -> Self {
        Self { used: Arc::default(), limit }
    }

    /// How many bytes are held.
    pub fn used(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }

    /// Takes a part, if there is enough left.
    pub fn reserve(&self, bytes: usize) -> Option<Reservation> {
        let add = |used: usize| used.checked_add(bytes).filter(|sum| *sum <= self.limit);
        let taken = self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
        taken.ok().map(|_| Reservation { used: Arc::clone(&self.used), bytes })
    }
}

impl Reservation {
    /// Joins another part of the same budget to this one.
    pub fn merge(&mut self, mut other: Self) {
        debug_assert!(Arc::ptr_eq(&self.used, &other.used));
        self.bytes += std::mem::take(&mut other.bytes);
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.used.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_back_when_they_are_dropped() {
        let budget = Budget::new(10);
        let mut six = budget.reserve(6).unwrap();
        assert!(budget.reserve(5).is_none());
        six.merge(budget.reserve(4).unwrap());
        assert_eq!(budget.used(), 10);
        drop(six);
        assert_eq!(budget.used(), 0);
    }
}
