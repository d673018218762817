//! The node of the tree: two children and their boxes in one cache line.

use crate::Aabb;

/// Coordinates beyond this many metres are kept beside the tree, with the unbounded boxes: areas of the others stay
/// finite in single precision.
const FAR: f64 = 1e18;

/// A box in single precision, rounded outward: it contains the box it was made of. Half the size of an [`Aabb`], and
/// good enough to choose a way through the tree; what is reported is measured on the exact box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct OuterBox {
    pub min: [f32; 3],
    pub max: [f32; 3],
}

impl OuterBox {
    pub fn new(aabb: &Aabb) -> OuterBox {
        OuterBox {
            min: std::array::from_fn(|i| round_down(aabb.min[i])),
            max: std::array::from_fn(|i| -round_down(-aabb.max[i])),
        }
    }

    #[inline]
    pub fn merged(&self, other: &OuterBox) -> OuterBox {
        OuterBox {
            min: std::array::from_fn(|i| smaller(self.min[i], other.min[i])),
            max: std::array::from_fn(|i| larger(self.max[i], other.max[i])),
        }
    }

    #[inline]
    pub fn contains(&self, other: &OuterBox) -> bool {
        (0..3).all(|i| self.min[i] <= other.min[i] && other.max[i] <= self.max[i])
    }

    /// Half the surface area: proportional to the chance that a random query meets the box.
    #[inline]
    pub fn half_area(&self) -> f32 {
        let [x, y, z]: [f32; 3] = std::array::from_fn(|i| self.max[i] - self.min[i]);
        x * (y + z) + y * z
    }

    /// Twice the centre, for ordering only.
    #[inline]
    pub fn center(&self, axis: usize) -> f32 {
        self.min[axis] + self.max[axis]
    }

    /// Squared distance to a box. The same operations in the same order as [`gap_squared`] of two exact boxes; each is
    /// monotone under rounding, so the result is never above that of a box inside.
    #[inline]
    pub fn gap_squared(&self, other: &Aabb) -> f64 {
        let gap = |i: usize| axis_gap(f64::from(self.min[i]), f64::from(self.max[i]), other, i);
        sum_of_squares(gap(0), gap(1), gap(2))
    }

    /// Squared distance to a box of another node.
    #[inline]
    pub fn gap_squared_to(&self, other: &OuterBox) -> f64 {
        let gap = |i: usize| {
            let left = f64::from(self.min[i]) - f64::from(other.max[i]);
            let right = f64::from(other.min[i]) - f64::from(self.max[i]);
            larger(larger(left, right), 0.0)
        };
        sum_of_squares(gap(0), gap(1), gap(2))
    }
}

/// Whether a box belongs into the tree: bounded, and not absurdly far away.
pub(super) fn fits_tree(aabb: &Aabb) -> bool {
    (0..3).all(|i| aabb.min[i] >= -FAR && aabb.max[i] <= FAR)
}

/// Squared distance of two exact boxes.
#[inline]
pub(super) fn gap_squared(a: &Aabb, b: &Aabb) -> f64 {
    let gap = |i: usize| axis_gap(a.min[i], a.max[i], b, i);
    sum_of_squares(gap(0), gap(1), gap(2))
}

#[inline]
fn axis_gap(min: f64, max: f64, other: &Aabb, axis: usize) -> f64 {
    larger(larger(min - other.max[axis], other.min[axis] - max), 0.0)
}

/// The larger of two numbers that are not NaN: one instruction, where `f64::max` takes care of NaN too.
#[inline(always)]
fn larger<T: PartialOrd>(a: T, b: T) -> T {
    if a > b { a } else { b }
}

#[inline(always)]
fn smaller<T: PartialOrd>(a: T, b: T) -> T {
    if a < b { a } else { b }
}

#[inline]
fn sum_of_squares(x: f64, y: f64, z: f64) -> f64 {
    x * x + y * y + z * z
}

fn round_down(x: f64) -> f32 {
    let nearest = x as f32;
    if f64::from(nearest) > x { nearest.next_down() } else { nearest }
}

/// What hangs below: an inner node by its index, or an object by its id, told apart by the highest bit. Inner nodes
/// come first in the order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Child(u32);

/// [`Child`], taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ChildKind {
    Inner(u32),
    Object(u32),
}

impl Child {
    const OBJECT: u32 = 1 << 31;

    pub fn inner(index: u32) -> Child {
        Child(index)
    }

    pub fn object(id: u32) -> Child {
        Child(id | Child::OBJECT)
    }

    #[inline]
    pub fn kind(self) -> ChildKind {
        if self.0 & Child::OBJECT == 0 {
            ChildKind::Inner(self.0)
        } else {
            ChildKind::Object(self.0 & !Child::OBJECT)
        }
    }
}

/// No parent: the root.
pub(super) const NO_PARENT: u32 = u32::MAX;

/// An inner node. 64 bytes, so that a visit costs one cache line.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct Node {
    pub boxes: [OuterBox; 2],
    pub children: [Child; 2],
    pub parent: u32,
    /// Longest way down to an object, in steps.
    pub height: u8,
}

impl Node {
    pub fn bounds(&self) -> OuterBox {
        self.boxes[0].merged(&self.boxes[1])
    }

    /// Which of the two children this is. The caller got the child's parent from the child, so it is one of them.
    pub fn side_of(&self, child: Child) -> usize {
        usize::from(self.children[1] == child)
    }
}

/// Where an object is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// There is no object of this id.
    Nowhere,
    /// The only object of the tree.
    Root,
    /// Child of this inner node.
    Below(u32),
    /// At this position of the list of unbounded objects.
    Unbounded(u32),
}

/// An object: its exact box and where it is kept. The array of them is indexed by the id.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    pub aabb: Aabb,
    pub place: Place,
}

impl Slot {
    /// Whether the object is in the tree itself, not in the list beside it.
    pub fn is_in_tree(&self) -> bool {
        matches!(self.place, Place::Root | Place::Below(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;

    #[test]
    fn sizes_are_what_the_memory_figures_assume() {
        assert_eq!((size_of::<Node>(), size_of::<Slot>()), (64, 56));
    }

    #[test]
    fn rounding_is_outward_and_tight() {
        for x in [0.1, -0.1, 1e-9, 1e9 + 1e-7, 16_777_217.0, -1e-300, 1e18, 0.5] {
            let aabb = Aabb { min: Vec3::repeat(x), max: Vec3::repeat(x) };
            let outer = OuterBox::new(&aabb);
            assert!(fits_tree(&aabb));
            let (min, max) = (f64::from(outer.min[0]), f64::from(outer.max[2]));
            assert!(min <= x && x <= max, "{x}: {min} {max}");
            assert!(max - min <= 1.3e-7 * x.abs() + 1e-44, "{x}: {min} {max}");
        }
        let far = Aabb { min: Vec3::repeat(0.0), max: Vec3::repeat(2e18) };
        assert!(!fits_tree(&far));
    }
}
