//! The pairs that a search for the nearest has found so far, and the limit that follows from them.

use crate::pair_distance::{NearestRequest, PairDistance, PairLevel};
use crate::workspace::SurfacePair;

/// What was found so far.
pub(crate) struct Found<'a> {
    pub request: &'a NearestRequest,
    /// Pairs farther than this are of no interest any more.
    pub limit: f64,
    /// The nearest pairs so far, when their number is limited: distance and who.
    best: &'a mut Vec<(f64, SurfacePair)>,
    out: &'a mut Vec<PairDistance>,
}

impl<'a> Found<'a> {
    /// Nothing yet: `best` and `out` are empty.
    pub fn new(
        request: &'a NearestRequest,
        best: &'a mut Vec<(f64, SurfacePair)>,
        out: &'a mut Vec<PairDistance>,
    ) -> Self {
        Self { request, limit: request.max_distance, best, out }
    }

    /// Whether the number of answers is limited.
    pub fn counts(&self) -> bool {
        self.request.max_results < usize::MAX
    }

    /// How many answers are missing before the limit can be lowered.
    pub fn missing(&self) -> usize {
        self.request.max_results.saturating_sub(self.best.len())
    }

    pub fn add(&mut self, proximity: PairDistance) {
        self.out.push(proximity);
        // The upper bound: the limit must not leave out a pair that is nearer than what is kept.
        self.bound(proximity.ids(), proximity.distance.upper);
    }

    /// Lowers the limit when so many pairs are known to be nearer than it. Of pairs of several surfaces one must be.
    pub fn bound(&mut self, mut who: SurfacePair, value: f64) {
        if !self.counts() {
            return;
        }
        if self.request.level == PairLevel::Bodies {
            (who.2, who.3) = (0, 0);
        }
        if let Some(known) = self.best.iter().position(|(_, other)| *other == who) {
            if self.best[known].0 <= value {
                return;
            }
            self.best.remove(known);
        }
        let place = self.best.partition_point(|(other, _)| *other <= value);
        self.best.insert(place, (value, who));
        self.best.truncate(self.request.max_results);
        if let (true, Some(last)) = (self.best.len() == self.request.max_results, self.best.last())
        {
            self.limit = self.limit.min(last.0);
        }
    }
}
