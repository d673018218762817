//! Which pairs are asked for, and what the answer about a pair is.

use std::cmp::Ordering;

use crate::body::BodyId;
use crate::check::CheckRequest;
use crate::workspace::SurfacePair;
use smooth_scene_query::{SignedDistance, WarmStart};

/// Whether bodies of several surfaces answer with their nearest ones or with all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PairLevel {
    /// One answer for two bodies.
    #[default]
    Bodies,
    /// One answer for two convex surfaces: several contacts of two bodies.
    Surfaces,
}

/// Which pairs are wanted.
#[derive(Debug, Clone, PartialEq)]
pub struct NearestRequest {
    /// Between whom, and how closely.
    pub check: CheckRequest,
    /// Pairs farther apart are left out, m; infinite for all.
    pub max_distance: f64,
    /// At most this many, the nearest ones.
    pub max_results: usize,
    /// Answers for bodies or for their surfaces.
    pub level: PairLevel,
}

impl Default for NearestRequest {
    fn default() -> Self {
        Self {
            check: CheckRequest::default(),
            max_distance: f64::INFINITY,
            max_results: usize::MAX,
            level: PairLevel::Bodies,
        }
    }
}

/// Two bodies and how far apart they are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairDistance {
    /// The body that comes first in the order of [`BodyId`].
    pub body_a: BodyId,
    /// The other.
    pub body_b: BodyId,
    /// Which of the convex surfaces of A, compounds taken apart.
    pub part_a: u32,
    /// Which of those of B.
    pub part_b: u32,
    /// Distance, bounds, witnesses and normal, of the bodies as grown by padding and margin, world frame.
    pub distance: SignedDistance,
}

impl PairDistance {
    /// Whether the bodies may not be treated as apart.
    pub fn is_contact(&self) -> bool {
        self.distance.lower <= 0.0
    }

    /// The distance of two surfaces, each given by its body and its part. The warm start is the business of the
    /// workspace, and differs where the answer does not.
    pub(crate) fn new(surfaces: [(BodyId, u32); 2], distance: SignedDistance) -> Self {
        let [(body_a, part_a), (body_b, part_b)] = surfaces;
        let distance = SignedDistance { warm: WarmStart::default(), ..distance };
        Self { body_a, body_b, part_a, part_b, distance }
    }

    /// By distance, equal ones by body.
    pub(crate) fn nearer(&self, other: &Self) -> Ordering {
        let distances = self.distance.distance.total_cmp(&other.distance.distance);
        distances.then_with(|| self.ids().cmp(&other.ids()))
    }

    /// Bodies and parts, for a fixed order.
    pub(crate) fn ids(&self) -> SurfacePair {
        (self.body_a, self.body_b, self.part_a, self.part_b)
    }
}
