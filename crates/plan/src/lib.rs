//! How does the robot get there? Planners on a [`PlanningScene`](smooth_scene_scene::PlanningScene) whose every returned
//! path is proven free in continuous time, self-collision included.
//!
//! - [`plan`] connects two states with RRT-Connect, shortens the path, and proves each of its edges with an
//!   [`EdgeProver`].
//! - [`plan_anytime`] goes on to ever shorter paths; a [`Roadmap`] answers many questions in one scene.
//! - A [`Plan`] carries its [`PathCertificate`]; [`verify()`] checks that again without any solver.
//! - [`MotionChecker`] is what a planner asks about the robot. [`SceneChecker`] answers by the planning scene; a faster
//!   checker takes its place without a change to the planners.
//! - [`LevelsChecker`] plans with several models of a robot: whatever one of them proves free is free.
//! - [`plan_on_threads`] asks with several seeds at once and takes the first proven answer.
//! - [`state_for_pose`] finds a free state in which a link has a given pose.
//! - A [`PathConstraint`] in [`PlanOptions::constraints`] is proven to hold on the whole path, too.
//! - [`blend_corners`] replaces corners by proven curves, so that the robot need not stop there; [`verify_blended`] checks them.
//! - [`TimedPath`] gives a path its times within velocity and acceleration limits.
//! - [`PlanError`] says why there is no path.
//!
//! The same question with the same seed gives the same path; which seed is first on several threads depends on the machine.
//!
//! # References
//!
//! - [Gammell 2014] J. D. Gammell, S. S. Srinivasa, T. D. Barfoot, "Informed RRT*: Optimal Sampling-based Path Planning
//!   Focused via Direct Sampling of an Admissible Ellipsoidal Heuristic", IROS 2014.
//! - [Karaman 2011] S. Karaman, E. Frazzoli, "Sampling-based Algorithms for Optimal Motion Planning", International
//!   Journal of Robotics Research 30(7).
//! - [Kunz 2012] T. Kunz, M. Stilman, "Time-Optimal Trajectory Generation for Path Following with Bounded Acceleration and
//!   Velocity", Robotics: Science and Systems VIII.
//! - [Kuffner 2000] J. J. Kuffner, S. M. LaValle, "RRT-Connect: An Efficient Approach to Single-Query Path Planning",
//!   ICRA 2000.
//! - [Pham 2018] H. Pham, Q.-C. Pham, "A New Approach to Time-Optimal Path Parameterization Based on Reachability
//!   Analysis", IEEE Transactions on Robotics 34(3).
//! - [Sugihara 2011] T. Sugihara, "Solvability-Unconcerned Inverse Kinematics by the Levenberg–Marquardt Method", IEEE
//!   Transactions on Robotics 27(5).
//! - [Schwarzer 2005] F. Schwarzer, M. Saha, J.-C. Latombe, "Adaptive Dynamic Collision Checking for Single and Multiple
//!   Articulated Robots in Complex Environments", IEEE Transactions on Robotics 21(3).

mod anytime;
mod blended_path;
mod certificate;
mod checker;
mod clearance;
mod constraint_projection;
mod edge_proof;
mod error;
mod first_proven;
mod inverse_kinematics;
mod joint_curve;
mod layout;
mod levels;
mod motion_limits;
mod options;
mod orientation_angles;
mod path_constraint;
mod planner;
mod prm;
mod probe;
mod prove;
mod roadmap;
mod rrt_connect;
mod sight;
mod simplify;
mod space;
mod speed_profile;
mod statistics;
mod straight_motion;
mod surfaces;
mod trajectory;
mod tree;
mod verify;

pub use anytime::{plan_anytime, plan_anytime_with};
pub use blended_path::{Blend, BlendedPath, blend_corners};
pub use certificate::{
    ApartPart, CertificateError, PairCertificate, PathCertificate, SegmentCertificate,
};
pub use checker::{MotionChecker, Phase, SceneChecker};
pub use clearance::{NearAtEnd, with_margin};
pub use edge_proof::{EdgeProof, Stop};
pub use error::{Endpoint, PlanError};
pub use first_proven::{first_proven, plan_on_threads};
pub use inverse_kinematics::{PoseGoal, state_for_pose, state_towards_pose};
pub use levels::LevelsChecker;
pub use motion_limits::MotionLimits;
pub use options::PlanOptions;
pub use orientation_angles::OrientationAngles;
pub use path_constraint::{PathConstraint, constraints_hold};
pub use planner::{Plan, plan, plan_with};
pub use prm::Roadmap;
pub use prove::EdgeProver;
pub use sight::Sight;
pub use space::{Coordinate, JointSpace};
pub use statistics::PlanStatistics;
pub use surfaces::SurfaceName;
pub use trajectory::{TimedPath, TimedState};
pub use verify::{verify, verify_blended, verify_levels};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
