//! Broad phase: which pairs are worth asking about? Boxes in, candidates out.
//!
//! An object is a number, its *id*, and a box. Ids index arrays, so number the objects from zero and use numbers again:
//! [`MAX_ID`] is the largest permitted. Boxes may be unbounded (a half-space has such a box); they are kept in a list
//! beside the tree and looked at by every search.
//!
//! - [`AabbTree`] is the dynamic tree: [`BroadPhase`] in logarithmic time, built in bulk, cloned by copying two arrays.
//! - [`BruteForce`] looks at every box: the twin that the tests compare with.
//! - [`PairFilter`] is for the links of one robot, where the checked pairs are known beforehand and every box moves
//!   with every state: no tree, four pairs at a time.
//!
//! # Limits that shrink
//!
//! Every search takes a limit on the distance, and the visitor returns the limit that holds from then on. Return the
//! limit unchanged to see everything, the best distance so far for branch and bound, [`STOP`] to end. A limit that
//! grew is ignored. A negative limit, or one that is no number, finds nothing.
//!
//! ```
//! use smooth_scene_geometry::broad_phase::{AabbTree, BroadPhase, STOP};
//! use smooth_scene_geometry::Aabb;
//! use smooth_scene_geometry::math::Vec3;
//!
//! let cube = |x: f64| Aabb { min: Vec3::new(x, 0.0, 0.0), max: Vec3::new(x + 1.0, 1.0, 1.0) };
//! let mut tree = AabbTree::from_boxes((0..10).map(|i| (i, cube(3.0 * i as f64))))?;
//! tree.update(4, &cube(100.0))?;
//!
//! let mut near = Vec::new();
//! tree.for_each_near(&cube(11.0), 2.5, |id, _distance| { near.push(id); 2.5 });
//! assert_eq!(near, [3]);
//!
//! let mut nearest = None;
//! tree.for_each_nearest(&cube(90.0), f64::INFINITY, |id, distance| { nearest = Some((id, distance)); STOP });
//! assert_eq!(nearest, Some((4, 9.0)));
//! # Ok::<(), smooth_scene_geometry::broad_phase::BroadPhaseError>(())
//! ```

mod aabb_tree;
mod brute_force;
mod error;
mod pair_filter;
mod tree_balance;
mod tree_build;
mod tree_node;
mod tree_pairs;
mod tree_search;

pub use aabb_tree::AabbTree;
pub use brute_force::BruteForce;
pub use error::BroadPhaseError;
pub use pair_filter::{BoxLanes, PairFilter};

use crate::Aabb;

/// The largest id. Arrays are indexed by the id; this bounds them to about a gigabyte whatever the caller passes.
pub const MAX_ID: u32 = (1 << 24) - 1;

/// Returned by a visitor to end the search: no distance is below it.
pub const STOP: f64 = -1.0;

/// A set of boxes that is searched by distance.
///
/// Distances are those of [`Aabb::distance`]: zero when boxes overlap or touch, and at most the distance of what the
/// boxes contain. The searches call `visit` once for every candidate within the limit that holds at that time.
pub trait BroadPhase {
    /// Adds an object. Fails, and changes nothing, when the id is taken or too large, or the box is none.
    fn insert(&mut self, id: u32, aabb: &Aabb) -> Result<(), BroadPhaseError>;

    /// Moves an object. Fails, and changes nothing, when there is no such object or the box is none.
    fn update(&mut self, id: u32, aabb: &Aabb) -> Result<(), BroadPhaseError>;

    /// Takes an object out and returns its box.
    fn remove(&mut self, id: u32) -> Result<Aabb, BroadPhaseError>;

    /// The box of an object.
    fn get(&self, id: u32) -> Option<&Aabb>;

    /// How many objects there are.
    fn len(&self) -> usize;

    /// Whether there are no objects.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Visits `(id, distance)` of every object whose box is within `max_distance` of `aabb`, in no useful order, but
    /// near ones rather early.
    fn for_each_near(&self, aabb: &Aabb, max_distance: f64, visit: impl FnMut(u32, f64) -> f64);

    /// Visits the same objects nearest first, those of equal distance by id.
    fn for_each_nearest(&self, aabb: &Aabb, max_distance: f64, visit: impl FnMut(u32, f64) -> f64);

    /// Visits `(id, id, distance)`, smaller id first, of every two objects of this set within `max_distance`.
    fn for_each_pair(&self, max_distance: f64, visit: impl FnMut(u32, u32, f64) -> f64);

    /// Visits `(id here, id there, distance)` of every object of this set and object of the other within
    /// `max_distance`.
    fn for_each_pair_with(
        &self,
        other: &Self,
        max_distance: f64,
        visit: impl FnMut(u32, u32, f64) -> f64,
    );

    /// Visits every object whose box overlaps or touches `aabb`, until `visit` returns false.
    fn for_each_overlap(&self, aabb: &Aabb, mut visit: impl FnMut(u32) -> bool) {
        self.for_each_near(aabb, 0.0, |id, _| if visit(id) { 0.0 } else { STOP });
    }
}

/// The limit of a running search: it only shrinks.
#[derive(Clone, Copy)]
struct Limit {
    distance: f64,
    /// At least the square of `distance`, with room for the rounding of a square and a square root.
    squared: f64,
}

impl Limit {
    fn new(distance: f64) -> Limit {
        // `max` turns a NaN into STOP.
        let distance = distance.max(STOP);
        if distance < 0.0 {
            return Limit { distance: STOP, squared: STOP };
        }
        let squared = distance * distance * (1.0 + 8.0 * f64::EPSILON) + f64::MIN_POSITIVE;
        Limit { distance, squared }
    }

    fn shrink(&mut self, distance: f64) {
        if distance.is_nan() || distance < self.distance {
            *self = Limit::new(distance);
        }
    }

    fn stopped(&self) -> bool {
        self.distance < 0.0
    }
}

/// Whether `aabb` is a box: no NaN, `min ≤ max`, and not wholly at infinity.
fn check_box(id: u32, aabb: &Aabb) -> Result<(), BroadPhaseError> {
    for axis in 0..3 {
        let (min, max) = (aabb.min[axis], aabb.max[axis]);
        // Negated so that a NaN fails too.
        if !(min <= max && min < f64::INFINITY && max > f64::NEG_INFINITY) {
            return Err(BroadPhaseError::BadBox { id, axis: ["x", "y", "z"][axis], min, max });
        }
    }
    Ok(())
}

fn check_id(id: u32) -> Result<(), BroadPhaseError> {
    if id > MAX_ID { Err(BroadPhaseError::IdTooLarge { id }) } else { Ok(()) }
}

#[cfg(test)]
mod tests;
