//! Puts a sample together from its fragments.
//!
//! Memory grows with the fragments that arrived, not with the size that was announced.

use crate::budget::{Budget, Reservation};
use crate::sequence_set::SequenceSet;
use crate::wire::DataFrag;
use std::collections::BTreeMap;
use std::time::Instant;

/// A sample of which fragments have arrived.
#[derive(Debug)]
pub struct Assembly {
    fragment_size: usize,
    sample_size: usize,
    pieces: BTreeMap<u32, Box<[u8]>>,
    /// All fragments up to this one have arrived.
    complete_to: u32,
    last_arrival: Instant,
    reservation: Reservation,
}

impl Assembly {
    /// Without fragments, for a sample as announced by one of them.
    pub fn new(announced: &DataFrag<'_>, budget: &Budget, now: Instant) -> Self {
        Self {
            fragment_size: usize::from(announced.fragment_size),
            sample_size: announced.sample_size as usize,
            pieces: BTreeMap::new(),
            complete_to: 0,
            last_arrival: now,
            reservation: budget.reserve(0).expect("nothing is always available"),
        }
    }

    /// How many fragments the sample has.
    pub fn count(&self) -> u32 {
        // At most the announced size, which has 32 bits.
        self.sample_size.div_ceil(self.fragment_size) as u32
    }

    /// When a fragment last arrived.
    pub fn last_arrival(&self) -> Instant {
        self.last_arrival
    }

    /// Takes the fragments of a submessage. Those that disagree with earlier ones, are incomplete, or for which there
    /// is no memory are passed over: they count as lost.
    pub fn insert(&mut self, fragments: &DataFrag<'_>, budget: &Budget, now: Instant) {
        let agrees = usize::from(fragments.fragment_size) == self.fragment_size
            && fragments.sample_size as usize == self.sample_size;
        if !agrees {
            return;
        }
        let numbers =
            fragments.first..=fragments.first.saturating_add(u32::from(fragments.count) - 1);
        let mut rest = fragments.payload;
        for number in numbers {
            if number > self.count() {
                return;
            }
            let start = (number as usize - 1) * self.fragment_size;
            let length = self.fragment_size.min(self.sample_size - start);
            let Some((piece, next)) = rest.split_at_checked(length) else { return };
            rest = next;
            if number <= self.complete_to || self.pieces.contains_key(&number) {
                continue;
            }
            let Some(reservation) = budget.reserve(length) else { return };
            self.reservation.merge(reservation);
            self.pieces.insert(number, piece.into());
            self.last_arrival = now;
        }
        while self.pieces.contains_key(&(self.complete_to + 1)) {
            self.complete_to += 1;
        }
    }

    /// Whether all fragments have arrived.
    pub fn is_complete(&self) -> bool {
        self.complete_to == self.count()
    }

    /// The fragments up to `last` that are missing, as far as they fit into one set.
    pub fn missing(&self, last: u32) -> SequenceSet {
        let base = i64::from(self.complete_to) + 1;
        let end = i64::from(self.count().min(last)).min(base + crate::sequence_set::SPAN - 1);
        let is_missing = |number: &i64| !self.pieces.contains_key(&(*number as u32));
        SequenceSet::from_numbers(base, (base..=end).filter(is_missing))
    }

    /// The sample's bytes, and the memory they are accounted with.
    pub fn finish(self) -> (Vec<u8>, Reservation) {
        let mut bytes = Vec::with_capacity(self.sample_size);
        self.pieces.into_values().for_each(|piece| bytes.extend_from_slice(&piece));
        (bytes, self.reservation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guid::EntityId;
    use proptest::prelude::*;

    fn fragment(first: u32, count: u16, size: u16, whole: &[u8]) -> DataFrag<'_> {
        let start = (first as usize - 1) * usize::from(size);
        let end = whole.len().min(start + usize::from(count) * usize::from(size));
        DataFrag {
            reader: EntityId::UNKNOWN,
            writer: EntityId::UNKNOWN,
            number: 1,
            first,
            count,
            fragment_size: size,
            sample_size: whole.len() as u32,
            inline_qos: None,
            payload: &whole[start.min(end)..end],
        }
    }

    proptest! {
        #[test]
        fn fragments_in_any_order_give_the_sample(
            whole in prop::collection::vec(any::<u8>(), 1..500),
            size in 1_u16..100,
            seed in any::<u64>(),
        ) {
            let budget = Budget::new(1000);
            let count = whole.len().div_ceil(usize::from(size)) as u32;
            let now = Instant::now();
            let mut assembly = Assembly::new(&fragment(1, 1, size, &whole), &budget, now);
            let mut order: Vec<u32> = (1..=count).chain(1..=count).collect();
            order.sort_by_key(|n| (u64::from(*n).wrapping_mul(seed | 1), *n));
            for number in order {
                prop_assert_eq!(assembly.is_complete(), assembly.missing(u32::MAX).is_empty());
                assembly.insert(&fragment(number, 1, size, &whole), &budget, now);
            }
            prop_assert!(assembly.is_complete());
            prop_assert_eq!(budget.used(), whole.len());
            prop_assert_eq!(assembly.finish().0, whole);
            prop_assert_eq!(budget.used(), 0);
        }
    }

    #[test]
    fn several_fragments_may_come_in_one_submessage() {
        let (budget, whole, now) = (Budget::new(100), [7; 10], Instant::now());
        let mut assembly = Assembly::new(&fragment(1, 1, 3, &whole), &budget, now);
        assembly.insert(&fragment(2, 9, 3, &whole), &budget, now);
        assert_eq!(assembly.missing(u32::MAX).iter().collect::<Vec<_>>(), [1]);
        assembly.insert(&fragment(1, 1, 3, &whole), &budget, now);
        assert_eq!(assembly.finish().0, whole);
    }

    #[test]
    fn memory_follows_what_arrived() {
        let (budget, now) = (Budget::new(1000), Instant::now());
        let huge = DataFrag { sample_size: u32::MAX, ..fragment(1, 1, 10, &[1; 10]) };
        let mut assembly = Assembly::new(&huge, &budget, now);
        assembly.insert(&huge, &budget, now);
        let last = DataFrag { first: u32::MAX / 10, ..huge };
        assembly.insert(&last, &budget, now);
        assert_eq!(budget.used(), 20);
        assert_eq!(assembly.missing(u32::MAX).iter().count(), 256);
    }

    #[test]
    fn fragments_that_disagree_are_passed_over() {
        let (budget, whole, now) = (Budget::new(100), [7; 10], Instant::now());
        let mut assembly = Assembly::new(&fragment(1, 1, 3, &whole), &budget, now);
        assembly.insert(&fragment(1, 1, 4, &whole), &budget, now);
        assembly.insert(&fragment(1, 1, 3, &[7; 11]), &budget, now);
        assembly.insert(&fragment(5, 1, 3, &whole), &budget, now);
        assembly.insert(&DataFrag { payload: &[1], ..fragment(1, 1, 3, &whole) }, &budget, now);
        assert_eq!(budget.used(), 0);
    }

    #[test]
    fn without_memory_fragments_count_as_lost() {
        let (budget, whole, now) = (Budget::new(5), [7; 10], Instant::now());
        let mut assembly = Assembly::new(&fragment(1, 1, 5, &whole), &budget, now);
        assembly.insert(&fragment(1, 2, 5, &whole), &budget, now);
        assert_eq!(assembly.missing(u32::MAX).iter().collect::<Vec<_>>(), [2]);
    }
}
