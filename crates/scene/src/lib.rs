//! Is this configuration or motion free? A robot, what it carries, what is around it, and what may touch.
//!
//! - [`PlanningScene`] holds it all. [`SceneChange`] is every way to change it: one value, applied or refused as a
//!   whole. A clone is a snapshot that never changes.
//! - [`PlanningScene::in_collision`], [`contacts`](PlanningScene::contacts), [`nearest`](PlanningScene::nearest) and
//!   [`gradient`](PlanningScene::gradient) answer for one state; a [`Workspace`] keeps their buffers.
//! - [`PlanningScene::states_in_collision`] and its siblings answer for many states over all cores.
//! - [`PlanningScene::check_motion`] checks a path continuously: first contact, proven free time, closest approach.
//! - [`PointQuery`] answers where points are: how far from the nearest body, on which side.
//! - [`PlanningScene::robot_surfaces`] tells where the surfaces of the robot are, for obstacles of other kinds.
//! - [`WorldFile`] reads and writes the objects of a scene as YAML.
//! - [`SceneStore`] is a scene that changes while questions are answered on its snapshots.
//! - [`propose()`] samples a robot for pairs that need not be looked at.
//!
//! Results are in a fixed order, and the same bits for any number of threads.

mod acm;
mod apply;
mod attached;
mod balls;
mod batch;
mod body;
mod body_names;
mod change;
mod check;
mod contact_points;
mod error;
mod frames;
mod motion;
mod nearest;
mod nearest_found;
mod nearest_world;
mod object;
mod oriented_boxes;
mod pair_distance;
mod pair_table;
mod pairs;
mod planning_scene;
mod points;
mod propose;
mod robot_shape;
mod robot_shapes;
mod robot_surfaces;
mod sizes;
mod states;
mod store;
mod transfer;
mod workspace;
mod world;
mod world_file;

pub use acm::{Allowance, AllowedCollisionMatrix, Reason, adjacent_links};
pub use attached::AttachedObject;
pub use batch::{BatchChecker, BatchStatistics};
pub use body::{Between, BodyId, BodySet};
pub use change::{MatrixChange, RobotChange, SceneChange, WorldChange};
pub use check::CheckRequest;
pub use contact_points::{ContactPoint, points_of_contact};
pub use error::SceneError;
pub use motion::{MotionAnswer, MotionRequest};
pub use object::{MAX_SHAPES, SceneObject};
pub use pair_distance::{NearestRequest, PairDistance, PairLevel};
pub use planning_scene::PlanningScene;
pub use points::{NearestToPoint, PointQuery};
pub use propose::{Proposal, ProposalOptions, ProposedPair, propose};
pub use robot_surfaces::RobotSurface;
pub use sizes::{LinkSize, Sizes};
pub use store::{NoRobot, SceneStore, Snapshot};
pub use workspace::Workspace;
pub use world::{ObjectId, World};
pub use world_file::{ObjectPlace, WorldFile, WorldFileError, WorldObject};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
