//! How far apart are these two, and when do they meet? Two posed shapes in, numbers with proven bounds out.
//!
//! World poses become one relative pose at the entry point; below it everything is in the frame of A.

mod api;
mod certify;
mod ellipsoid;
mod motion;
mod solve;
mod superquadric;

pub use api::batch::{PairQuestion, for_each_distance_within};
pub use api::distance::{PosedPair, distance_batch};
pub use api::half_space::half_space_distance;
pub use api::options::{DepthMode, QueryOptions};
pub use api::pair_query::{PairQuery, distance};
pub use api::point::{PointProjection, point_distance};
pub use api::result::{Collision, SignedDistance, SolveStatus, WarmStart, Within};
pub use api::second_order::{
    ContactDerivatives, PrincipalCurvatures, SecondOrder, distance_gradient, second_order,
};
pub use api::separate::{Separating, separating_direction};
pub use api::solids::{SolidBatch, SolidPairs};
pub use api::vertex_set::{
    DEFAULT_BLOCK_LENGTH, NearestVertex, VertexBlocks, VertexCountError, colliding_vertices,
    nearest_vertex,
};
pub use motion::deforming::{DeformingBody, time_of_impact_deforming};
pub use motion::question::{MotionGoal, MotionOptions, MotionStatus, TimeOfImpact};
pub use motion::rigid_motion::{
    BoundedMotion, Fixed, Motion, MotionRates, RigidMotion, ScrewMotion,
};
pub use motion::time_of_impact::{time_of_impact, time_of_impact_relative};
pub use superquadric::jets_x4::SuperellipsoidX4;
pub use superquadric::solid_x8::{Certain, PairMargins, SuperquadricX8, certain_x8};
pub use superquadric::starts_x8::PosedSolid;

/// Runs the example of the README as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExample;
