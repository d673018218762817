//! How far apart are these two, and when do they meet? Two posed shapes in, numbers with proven bounds out.
//!
//! World poses become one relative pose at the door; below it everything is in the frame of A.

mod advancement;
mod bounds;
mod certify;
mod climb_ends;
mod closest_approach;
mod cold_start;
mod common_normal;
mod core_shape;
mod direction_grid;
mod ellipsoid_pair;
mod four_climbs;
mod gjk;
mod half_space;
mod hull_samples;
mod lanes;
mod motion;
mod moving_pair;
mod options;
mod penetration;
mod point;
mod result;
mod ridge;
mod rough_climbs;
mod second_order;
mod separation;
mod side_by_side;
mod signed_distance;
mod simplex;
mod single_precision;
mod solver;
mod starts;
mod superquadric_lanes;
mod superquadric_pair;
mod surface_pair;
mod survey;
mod time_of_impact;
mod vertex_set;

pub use half_space::half_space_distance;
pub use motion::{BoundedMotion, Fixed, Motion, MotionRates, RigidMotion, ScrewMotion};
pub use options::{DepthMode, QueryOptions};
pub use point::{PointProjection, point_distance};
pub use result::{Collision, SignedDistance, SolveStatus, WarmStart, Within};
pub use second_order::{
    ContactDerivatives, PrincipalCurvatures, SecondOrder, distance_gradient, second_order,
};
pub use side_by_side::{PairQuestion, for_each_distance_within};
pub use signed_distance::{
    PosedPair, collide, collide_within, distance, distance_batch, distance_from, distance_within,
};
pub use time_of_impact::{
    MotionGoal, MotionOptions, MotionStatus, TimeOfImpact, time_of_impact, time_of_impact_relative,
};
pub use vertex_set::{
    DEFAULT_BLOCK_LENGTH, NearestVertex, VertexBlocks, VertexCountError, colliding_vertices,
    nearest_vertex,
};
