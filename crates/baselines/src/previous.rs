//! What a solver may keep from one query on a pair to the next.

use smooth_scene_geometry::math::Vec3;

/// The last answer about a pair of bodies, for the next query on the same two. Empty at first.
///
/// Everything is kept in the frames of the bodies, so that a pair that moves as a whole keeps its start.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Previous {
    pub(crate) found: Option<Found>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Found {
    /// The point of A in A and that of B in B.
    pub(crate) points: [Vec3; 2],
    /// The normal from A to B, frame A.
    pub(crate) normal: Vec3,
}
