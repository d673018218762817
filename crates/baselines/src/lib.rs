//! The solvers of the papers this project builds on, written as their authors describe them, for comparison only.
//!
//! [`Solver`] lists them with their sources. Nothing but benchmarks, tests and `query --solver` uses them. Of the rest [`MapScene`] is
//! for users: signed distance maps as obstacles around a robot, with proven bounds.

mod answer;
mod cfc;
mod cfc_distance;
mod cfc_least_squares;
mod cfc_motion;
mod cfc_surface;
mod common_normal_least_squares;
mod contact_space;
#[cfg(test)]
mod dense_search;
mod distance_map;
mod dogleg;
mod ellipsoid_overlap;
mod epa;
mod gjk_epa;
mod gjk_overlap;
mod map_scene;
mod normal_parameterization;
mod polytope;
mod portal;
mod previous;
mod relative_pair;
mod simplex;
mod solver;
mod superquadric;
mod thesis;

pub use answer::{Answer, MotionAnswer, Unsupported};
pub use cfc_motion::{MovingBody, first_contact, first_contact_of};
pub use distance_map::{
    DistanceMap, MapClearance, MapContact, MapContacts, MapError, MapSearch, MapValue, SampledBody,
};
pub use map_scene::{MapObstacle, MapScene, ObstacleClearance};
pub use polytope::{
    Contact, ContactCorner, ContactKey, ContactRegion, Feature, Features, PersistentContacts,
    Polyhedron, v_clip,
};
pub use portal::ConstraintSet;
pub use previous::Previous;
pub use solver::Solver;
