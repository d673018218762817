//! Numbers of markers.

use std::collections::BTreeSet;

/// Numbers that are not in use. The smallest comes first, so that they stay small.
#[derive(Debug, Default)]
pub(super) struct Ids {
    next: i32,
    free: BTreeSet<i32>,
}

impl Ids {
    /// An unused number.
    pub fn take(&mut self) -> i32 {
        match self.free.pop_first() {
            Some(id) => id,
            None => {
                self.next = self.next.wrapping_add(1);
                self.next
            }
        }
    }

    /// Takes a number back.
    pub fn give_back(&mut self, id: i32) {
        self.free.insert(id);
    }
}
