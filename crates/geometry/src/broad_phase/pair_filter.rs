//! Which of the checked pairs of a robot's boxes are near? Four pairs at a time, no tree.
//!
//! All boxes of a robot move with every state, and the pairs that may collide are known beforehand. With fifty to a
//! hundred boxes, comparing one box with four others at a time beats building or refitting a tree: see
//! `benches/broad_phase.rs`. The checked pairs are a bit matrix, so that four of them are looked up at once.

use super::{BroadPhaseError, Limit};
use crate::Aabb;
use crate::math::Vec3;
use crate::simd::{F64x4, Kernel, Lanes, Level, Simd};
use crate::xyz;

/// The bit matrix takes n²/8 bytes: two megabytes for the most boxes.
const MAX_BOXES: usize = 4096;
const LANES: usize = 4;

/// Boxes in lanes of four, coordinate by coordinate. Make it once, [`set`](BoxLanes::set) it for every state.
#[derive(Debug, Clone)]
pub struct BoxLanes {
    count: usize,
    /// Lower x, y, z and upper x, y, z of four boxes.
    blocks: Vec<[F64x4; 6]>,
}

impl BoxLanes {
    /// Room for `count` boxes, all of them points at the origin.
    pub fn new(count: usize) -> BoxLanes {
        BoxLanes { count, blocks: vec![[F64x4([0.0; LANES]); 6]; count.div_ceil(LANES)] }
    }

    /// How many boxes there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are no boxes.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Sets box `index`; an index that is not below [`len`](BoxLanes::len) changes nothing.
    ///
    /// The box may be unbounded. One with a NaN is near everything: whoever measures it next has to see it.
    #[inline]
    pub fn set(&mut self, index: usize, aabb: &Aabb) {
        let Some(block) = self.blocks.get_mut(index / LANES) else { return };
        let lane = index % LANES;
        for axis in 0..3 {
            let (mut min, mut max) = (aabb.min[axis], aabb.max[axis]);
            if min.is_nan() || max.is_nan() {
                (min, max) = (f64::NEG_INFINITY, f64::INFINITY);
            }
            block[axis].0[lane] = min;
            block[axis + 3].0[lane] = max;
        }
    }

    /// Box `index`, if there is one.
    pub fn get(&self, index: usize) -> Option<Aabb> {
        (index < self.count).then(|| {
            let (block, lane) = (&self.blocks[index / LANES], index % LANES);
            let at = |row: usize| block[row].0[lane];
            Aabb { min: Vec3::new(at(0), at(1), at(2)), max: Vec3::new(at(3), at(4), at(5)) }
        })
    }
}

/// The pairs that are checked, of a fixed number of boxes.
#[derive(Debug, Clone)]
pub struct PairFilter {
    count: usize,
    /// For every box a row of blocks: the low bits of a byte say with which of the four boxes of the block it is
    /// paired. The smaller index is the row.
    rows: Vec<u8>,
    blocks: usize,
}

impl PairFilter {
    /// A filter for `count` boxes that lets these pairs pass; order within a pair and repetitions do not matter.
    pub fn new(
        count: usize,
        pairs: impl IntoIterator<Item = (usize, usize)>,
    ) -> Result<PairFilter, BroadPhaseError> {
        if count > MAX_BOXES {
            return Err(BroadPhaseError::TooManyBoxes { count, max: MAX_BOXES });
        }
        let blocks = count.div_ceil(LANES);
        let mut rows = vec![0u8; count * blocks];
        for (a, b) in pairs {
            if a == b || a >= count || b >= count {
                return Err(BroadPhaseError::BadPair { a, b, count });
            }
            let (row, column) = (a.min(b), a.max(b));
            rows[row * blocks + column / LANES] |= 1 << (column % LANES);
        }
        Ok(PairFilter { count, rows, blocks })
    }

    /// Visits `(a, b, distance)` of every checked pair whose boxes are within `margin`, a < b, in ascending order.
    /// The distance is that of [`Aabb::distance`]. Boxes that `boxes` lacks are not visited.
    #[inline]
    pub fn for_each_within(
        &self,
        boxes: &BoxLanes,
        margin: f64,
        visit: impl FnMut(usize, usize, f64),
    ) {
        Level::detect().run(PairsWithin { filter: self, boxes, limit: Limit::new(margin), visit });
    }
}

/// [`PairFilter::for_each_within`] on lanes.
struct PairsWithin<'a, V> {
    filter: &'a PairFilter,
    boxes: &'a BoxLanes,
    limit: Limit,
    visit: V,
}

impl<V: FnMut(usize, usize, f64)> Kernel for PairsWithin<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self) {
        let Self { filter, boxes, limit, .. } = self;
        let limit_squared = S::F64x4::splat(limit.squared);
        for row in 0..filter.count.min(boxes.len()) {
            let own = Bounds::<S>::repeated(&boxes.blocks[row / LANES], row % LANES);
            let first = row / LANES;
            let checked = &filter.rows[row * filter.blocks + first..(row + 1) * filter.blocks];
            for (offset, (&mask, block)) in checked.iter().zip(&boxes.blocks[first..]).enumerate() {
                if mask == 0 {
                    continue;
                }
                let squared = own.gap_squared(&Bounds::load(block));
                let mut hits = squared.simd_le(limit_squared).to_bitmask() as u8 & mask;
                if hits == 0 {
                    continue;
                }
                let squared: F64x4 = squared.into();
                while hits != 0 {
                    let lane = hits.trailing_zeros() as usize;
                    hits &= hits - 1;
                    let distance = squared.0[lane].sqrt();
                    let column = (first + offset) * LANES + lane;
                    if distance <= limit.distance && column < boxes.len() {
                        (self.visit)(row, column, distance);
                    }
                }
            }
        }
    }
}

/// Lower and upper bounds of four boxes.
struct Bounds<S: Simd> {
    min: [S::F64x4; 3],
    max: [S::F64x4; 3],
}

impl<S: Simd> Bounds<S> {
    #[inline(always)]
    fn load(block: &[F64x4; 6]) -> Self {
        Self { min: xyz!(|i| block[i].into()), max: xyz!(|i| block[i + 3].into()) }
    }

    /// One box of a block, the same on all lanes.
    #[inline(always)]
    fn repeated(block: &[F64x4; 6], lane: usize) -> Self {
        Self {
            min: xyz!(|i| S::F64x4::splat(block[i].0[lane])),
            max: xyz!(|i| S::F64x4::splat(block[i + 3].0[lane])),
        }
    }

    /// Squared distance of the boxes on each lane.
    #[inline(always)]
    fn gap_squared(&self, other: &Self) -> S::F64x4 {
        let zero = S::F64x4::splat(0.0);
        let [x, y, z] = xyz!(|i| {
            let (below, above) = (self.min[i] - other.max[i], other.min[i] - self.max[i]);
            below.max(above).max(zero)
        });
        x * x + y * y + z * z
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn all_pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
        (0..count).flat_map(move |a| (a + 1..count).map(move |b| (a, b)))
    }

    fn found(filter: &PairFilter, boxes: &BoxLanes, margin: f64) -> Vec<(usize, usize, f64)> {
        let mut found = Vec::new();
        filter.for_each_within(boxes, margin, |a, b, distance| found.push((a, b, distance)));
        found
    }

    proptest! {
        #[test]
        fn finds_what_a_loop_over_the_pairs_finds(
            corners in prop::collection::vec((prop::array::uniform3(-10i32..10), prop::array::uniform3(0i32..4)), 0..50),
            seed in any::<u64>(),
            margin in prop_oneof![Just(0.0), Just(-1.0), Just(f64::INFINITY), 0.0..8.0],
        ) {
            let boxes: Vec<Aabb> = corners.iter().map(|(corner, size)| {
                let min = Vec3::from_iterator(corner.iter().map(|&c| f64::from(c) * 0.7));
                Aabb { min, max: min + Vec3::from_iterator(size.iter().map(|&s| f64::from(s))) }
            }).collect();
            let checked: Vec<_> = all_pairs(boxes.len())
                .filter(|&(a, b)| (seed >> ((a * 7 + b * 3) % 64)) & 1 == 1)
                .collect();
            // Given the other way round, and twice.
            let given = checked.iter().flat_map(|&(a, b)| [(b, a), (a, b)]);
            let filter = PairFilter::new(boxes.len(), given).unwrap();
            let mut lanes = BoxLanes::new(boxes.len());
            for (index, aabb) in boxes.iter().enumerate() {
                lanes.set(index, aabb);
                prop_assert_eq!(lanes.get(index), Some(*aabb));
            }
            let expected: Vec<_> = checked.iter()
                .map(|&(a, b)| (a, b, boxes[a].distance(&boxes[b])))
                .filter(|&(_, _, distance)| distance <= margin)
                .collect();
            prop_assert_eq!(found(&filter, &lanes, margin), expected);
        }
    }

    #[test]
    fn unbounded_boxes_and_boxes_without_numbers_are_not_lost() {
        let point = |x: f64| Aabb { min: Vec3::repeat(x), max: Vec3::repeat(x) };
        let mut below =
            Aabb { min: Vec3::repeat(f64::NEG_INFINITY), max: Vec3::repeat(f64::INFINITY) };
        below.max.z = 1.0;
        let mut lanes = BoxLanes::new(4);
        for (index, aabb) in [point(3.0), below, point(f64::NAN), below].iter().enumerate() {
            lanes.set(index, aabb);
        }
        let filter = PairFilter::new(4, all_pairs(4)).unwrap();
        let near: Vec<_> = found(&filter, &lanes, 2.0);
        let expected =
            [(0, 1, 2.0), (0, 2, 0.0), (0, 3, 2.0), (1, 2, 0.0), (1, 3, 0.0), (2, 3, 0.0)];
        assert_eq!(near, expected);
        assert_eq!(found(&filter, &lanes, 1.9).len(), 4);
        assert_eq!(found(&filter, &lanes, f64::NAN), []);
    }

    #[test]
    fn wrong_pairs_and_indices_are_refused() {
        let error = |count, pair| PairFilter::new(count, [pair]).unwrap_err().to_string();
        assert_eq!(error(3, (1, 1)), "pair (1, 1) is no pair of two of 3 boxes");
        assert_eq!(error(3, (0, 3)), "pair (0, 3) is no pair of two of 3 boxes");
        assert_eq!(
            error(5000, (0, 1)),
            "5000 boxes are too many for a pair filter, must be at most 4096"
        );
        let mut lanes = BoxLanes::new(2);
        lanes.set(7, &Aabb { min: Vec3::zeros(), max: Vec3::zeros() });
        assert_eq!(lanes.get(2), None);
        // Fewer boxes than the filter is for: the others are not visited.
        let filter = PairFilter::new(3, all_pairs(3)).unwrap();
        assert_eq!(found(&filter, &lanes, 1.0), [(0, 1, 0.0)]);
    }
}
