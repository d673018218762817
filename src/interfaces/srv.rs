//! The services of `srv/`, and one of `moveit_msgs` that is younger than the crate the others come from.

use serde::{Deserialize, Serialize};

use super::msg::{AllowedPair, LinkSize, PairMargin, Proximity, SceneChange, SceneObject};
use super::{builtin_interfaces, moveit_msgs, sensor_msgs, trajectory_msgs};

/// Request of `smooth_scene/srv/GetDistance`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[allow(missing_docs)] // The fields are described in the interface file.
pub struct GetDistanceRequest {
    pub joint_state: sensor_msgs::msg::JointState,
    pub bodies_a: Vec<String>,
    pub bodies_b: Vec<String>,
    pub max_distance: f64,
    pub max_results: u32,
    pub gradient: bool,
    pub certify: bool,
}

/// Response of `smooth_scene/srv/GetDistance`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[allow(missing_docs)] // The fields are described in the interface file.
pub struct GetDistanceResponse {
    pub status: u8,
    pub message: String,
    pub revision: u64,
    pub proximities: Vec<Proximity>,
    pub joint_names: Vec<String>,
}

#[allow(missing_docs)]
impl GetDistanceResponse {
    pub const NOT_COMPUTED: u8 = 0;
    pub const OK: u8 = 1;
    pub const REFUSED: u8 = 2;
    pub const NO_ROBOT: u8 = 3;
    pub const NO_STATE: u8 = 4;
    pub const OVERLOADED: u8 = 5;
}

/// Request of `smooth_scene/srv/CheckStates`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[allow(missing_docs)] // The fields are described in the interface file.
pub struct CheckStatesRequest {
    pub joint_names: Vec<String>,
    pub positions: Vec<f64>,
    pub bodies_a: Vec<String>,
    pub bodies_b: Vec<String>,
    pub max_contacts: u32,
}

/// Response of `smooth_scene/srv/CheckStates`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[allow(missing_docs)] // The fields are described in the interface file.
pub struct CheckStatesResponse {
    pub status: u8,
    pub message: String,
    pub revision: u64,
    pub states: Vec<u8>,
    pub contacts: Vec<Proximity>,
    pub contact_states: Vec<u32>,
}

#[allow(missing_docs)]
impl CheckStatesResponse {
    pub const NOT_COMPUTED: u8 = 0;
    pub const OK: u8 = 1;
    pub const REFUSED: u8 = 2;
    pub const NO_ROBOT: u8 = 3;
    pub const NO_STATE: u8 = 4;
    pub const OVERLOADED: u8 = 5;
    pub const FREE: u8 = 1;
    pub const COLLISION: u8 = 2;
}

/// Request of `smooth_scene/srv/CheckMotion`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[allow(missing_docs)] // The fields are described in the interface file.
pub struct CheckMotionRequest {
    pub trajectory: trajectory_msgs::msg::JointTrajectory,
    pub start_at_current_state: bool,
    pub bodies_a: Vec<String>,
    pub bodies_b: Vec<String>,
    pub closest_approach: bool,
}

/// Response of `smooth_scene/srv/CheckMotion`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[allow(missing_docs)] // The fields are described in the interface file.
pub struct CheckMotionResponse {
    pub status: u8,
    pub message: String,
    pub revision: u64,
    pub result: u8,
    pub first_contact: f64,
    pub free_until: f64,
    pub closest_time: f64,
    pub lower: f64,
    pub closest: Proximity,
    pub first_contact_time: builtin_interfaces::msg::Duration,
    pub free_until_time: builtin_interfaces::msg::Duration,
    pub closest_time_from_start: builtin_interfaces::msg::Duration,
}

#[allow(missing_docs)]
impl CheckMotionResponse {
    pub const NOT_COMPUTED: u8 = 0;
    pub const OK: u8 = 1;
    pub const REFUSED: u8 = 2;
    pub const NO_ROBOT: u8 = 3;
    pub const NO_STATE: u8 = 4;
    pub const OVERLOADED: u8 = 5;
    pub const FREE: u8 = 1;
    pub const COLLISION: u8 = 2;
    pub const UNDECIDED: u8 = 3;
}

/// Request of `smooth_scene/srv/ApplyScene`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[allow(missing_docs)] // The fields are described in the interface file.
pub struct ApplySceneRequest {
    pub changes: Vec<SceneChange>,
}

/// Response of `smooth_scene/srv/ApplyScene`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[allow(missing_docs)] // The fields are described in the interface file.
pub struct ApplySceneResponse {
    pub status: u8,
    pub message: String,
    pub refused_change: u32,
    pub revision: u64,
}

#[allow(missing_docs)]
impl ApplySceneResponse {
    pub const NOT_COMPUTED: u8 = 0;
    pub const OK: u8 = 1;
    pub const REFUSED: u8 = 2;
    pub const NO_ROBOT: u8 = 3;
    pub const NO_STATE: u8 = 4;
    pub const OVERLOADED: u8 = 5;
}

/// Request of `smooth_scene/srv/GetScene`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[allow(missing_docs)] // The fields are described in the interface file.
pub struct GetSceneRequest {
    pub ids: Vec<String>,
    pub matrix: bool,
    pub sizes: bool,
}

/// Response of `smooth_scene/srv/GetScene`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[allow(missing_docs)] // The fields are described in the interface file.
pub struct GetSceneResponse {
    pub status: u8,
    pub message: String,
    pub revision: u64,
    pub robot: String,
    pub frame: String,
    pub joint_state: sensor_msgs::msg::JointState,
    pub objects: Vec<SceneObject>,
    pub allowed_pairs: Vec<AllowedPair>,
    pub link_sizes: Vec<LinkSize>,
    pub margins: Vec<PairMargin>,
}

#[allow(missing_docs)]
impl GetSceneResponse {
    pub const NOT_COMPUTED: u8 = 0;
    pub const OK: u8 = 1;
    pub const REFUSED: u8 = 2;
    pub const NO_ROBOT: u8 = 3;
    pub const NO_STATE: u8 = 4;
    pub const OVERLOADED: u8 = 5;
}

/// Request of `moveit_msgs/srv/GetMultiStateValidity`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct GetMultiStateValidityRequest {
    pub robot_state: moveit_msgs::msg::RobotState,
    pub joint_states: Vec<sensor_msgs::msg::JointState>,
    pub group_name: String,
    pub constraints: moveit_msgs::msg::Constraints,
}

/// Response of `moveit_msgs/srv/GetMultiStateValidity`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct GetMultiStateValidityResponse {
    pub valid: bool,
    pub contacts: Vec<moveit_msgs::msg::ContactInformation>,
    pub cost_sources: Vec<moveit_msgs::msg::CostSource>,
    pub constraint_result: Vec<moveit_msgs::msg::ConstraintEvalResult>,
}
