//! Sets of sequence or fragment numbers as ACKNACK, GAP and NACK_FRAG carry them.

/// Number of a sample of a writer, from 1.
pub type SequenceNumber = i64;

/// Most numbers a set spans.
pub const SPAN: i64 = 256;

/// A base and a bitmap of up to 256 numbers from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SequenceSet {
    base: SequenceNumber,
    /// How many bits are meaningful.
    length: u32,
    words: [u32; 8],
}

impl SequenceSet {
    /// Without members.
    pub const fn empty(base: SequenceNumber) -> Self {
        Self { base, length: 0, words: [0; 8] }
    }

    /// Those of the numbers that are within the span from `base`.
    pub fn from_numbers(
        base: SequenceNumber,
        numbers: impl IntoIterator<Item = SequenceNumber>,
    ) -> Self {
        let mut set = Self::empty(base);
        numbers.into_iter().for_each(|number| set.insert(number));
        set
    }

    /// From the wire. Bits beyond `length` are ignored, more than 256 refused.
    pub(crate) fn from_words(base: SequenceNumber, length: u32, words: [u32; 8]) -> Option<Self> {
        (i64::from(length) <= SPAN).then_some(Self { base, length, words })
    }

    fn insert(&mut self, number: SequenceNumber) {
        let bit = number - self.base;
        if (0..SPAN).contains(&bit) {
            let bit = bit as u32;
            self.words[(bit / 32) as usize] |= 1 << (31 - bit % 32);
            self.length = self.length.max(bit + 1);
        }
    }

    /// Where the span begins.
    pub fn base(&self) -> SequenceNumber {
        self.base
    }

    /// How many bits go on the wire.
    pub(crate) fn length(&self) -> u32 {
        self.length
    }

    /// The words that go on the wire.
    pub(crate) fn words(&self) -> &[u32] {
        &self.words[..self.length.div_ceil(32) as usize]
    }

    /// The members in order.
    pub fn iter(&self) -> impl Iterator<Item = SequenceNumber> + '_ {
        (0..self.length)
            .filter(|bit| self.words[(bit / 32) as usize] & (1 << (31 - bit % 32)) != 0)
            .map(|bit| self.base + i64::from(bit))
    }

    /// Whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_first_bit_is_the_highest() {
        let set = SequenceSet::from_numbers(10, [10, 12, 41, 42]);
        assert_eq!(set.words(), [0xa000_0001, 0x8000_0000]);
        assert_eq!(set.length(), 33);
    }

    #[test]
    fn an_empty_set_has_no_words() {
        let set = SequenceSet::empty(7);
        assert!(set.is_empty() && set.words().is_empty() && set.base() == 7);
    }

    #[test]
    fn longer_than_256_is_refused() {
        assert!(SequenceSet::from_words(1, 256, [0; 8]).is_some());
        assert!(SequenceSet::from_words(1, 257, [0; 8]).is_none());
    }

    proptest! {
        #[test]
        fn members_within_the_span_are_kept(
            base in 0..1_i64 << 40,
            offsets in prop::collection::btree_set(-5..300_i64, 0..50),
        ) {
            let numbers = offsets.iter().map(|offset| base + offset);
            let set = SequenceSet::from_numbers(base, numbers.clone());
            let expected: Vec<_> =
                numbers.filter(|number| (base..base + SPAN).contains(number)).collect();
            prop_assert_eq!(set.iter().collect::<Vec<_>>(), expected);
        }
    }
}
