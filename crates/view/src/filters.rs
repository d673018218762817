//! Which pairs the table of each viewer lists. A filter is of one viewer and of its table: verdict and colours are of all
//! pairs.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};

/// Names of links, objects or groups on either side; empty for all.
pub(super) type Filter = [Vec<String>; 2];

/// Lists everything.
const EVERYTHING: Filter = [Vec::new(), Vec::new()];

/// The filters of the viewers that are connected.
#[derive(Debug)]
pub(super) struct Filters {
    /// That of a new viewer.
    initial: Filter,
    of_viewers: Mutex<BTreeMap<u64, Filter>>,
}

impl Filters {
    pub fn new(initial: Filter) -> Self {
        Self { initial, of_viewers: Mutex::default() }
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<u64, Filter>> {
        self.of_viewers.lock().expect("nothing panics while it holds the filters")
    }

    /// A viewer is there.
    pub fn join(&self, viewer: u64) {
        self.all().insert(viewer, self.initial.clone());
    }

    /// A viewer is gone.
    pub fn leave(&self, viewer: u64) {
        self.all().remove(&viewer);
    }

    /// Changes the filter of a viewer, unless it has left meanwhile.
    pub fn set(&self, viewer: u64, filter: Filter) {
        if let Some(own) = self.all().get_mut(&viewer) {
            *own = filter;
        }
    }

    /// The filter of a viewer that is there.
    pub fn of(&self, viewer: u64) -> Option<Filter> {
        self.all().get(&viewer).cloned()
    }

    /// All different filters. Those that name bodies that are gone list everything from now on: more pairs, never fewer.
    pub fn valid(&self, is_valid: impl Fn(&Filter) -> bool) -> Vec<Filter> {
        let mut all = self.all();
        all.values_mut().filter(|filter| !is_valid(filter)).for_each(|gone| *gone = EVERYTHING);
        let mut different: Vec<Filter> = all.values().cloned().collect();
        different.sort();
        different.dedup();
        different
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filter(name: &str) -> Filter {
        [vec![name.into()], Vec::new()]
    }

    #[test]
    fn each_viewer_has_its_own_and_takes_it_along() {
        let filters = Filters::new(filter("hands"));
        filters.join(1);
        filters.join(2);
        filters.set(2, filter("feet"));
        assert_eq!(filters.valid(|_| true), [filter("feet"), filter("hands")]);
        filters.leave(2);
        filters.set(2, filter("feet"));
        assert_eq!((filters.of(1), filters.of(2)), (Some(filter("hands")), None));
        assert_eq!(filters.valid(|_| true), [filter("hands")]);
    }

    #[test]
    fn a_filter_of_bodies_that_are_gone_lists_everything() {
        let filters = Filters::new(filter("hands"));
        filters.join(1);
        assert_eq!(filters.valid(|filter| filter[0].is_empty()), [EVERYTHING]);
        assert_eq!(filters.of(1), Some(EVERYTHING));
    }
}
