//! The messages of `msg/`.

use serde::{Deserialize, Serialize};

use super::{geometry_msgs, std_msgs};

/// `smooth_scene/msg/Surface`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[allow(missing_docs)] // The fields are described in the interface file.
pub struct Surface {
    pub kind: u8,
    pub dimensions: Vec<f64>,
    pub exponent_xy: f64,
    pub exponent_z: f64,
    pub taper: [f64; 2],
    pub vertices: Vec<geometry_msgs::msg::Point>,
    pub padding: f64,
    pub pose: geometry_msgs::msg::Pose,
}

#[allow(missing_docs)]
impl Surface {
    pub const SPHERE: u8 = 1;
    pub const ELLIPSOID: u8 = 2;
    pub const SUPERELLIPSOID: u8 = 3;
    pub const SUPEROVOID: u8 = 4;
    pub const POLY_ELLIPSOID: u8 = 5;
    pub const BOX: u8 = 6;
    pub const CYLINDER: u8 = 7;
    pub const CAPSULE: u8 = 8;
    pub const CONE: u8 = 9;
    pub const HALF_SPACE: u8 = 10;
    pub const CONVEX_MESH: u8 = 11;
}

/// `smooth_scene/msg/SceneObject`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[allow(missing_docs)] // The fields are described in the interface file.
pub struct SceneObject {
    pub header: std_msgs::msg::Header,
    pub id: String,
    pub pose: geometry_msgs::msg::Pose,
    pub surfaces: Vec<Surface>,
    pub link: String,
    pub touch_links: Vec<String>,
    pub subframe_names: Vec<String>,
    pub subframe_poses: Vec<geometry_msgs::msg::Pose>,
}

/// `smooth_scene/msg/SceneChange`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[allow(missing_docs)] // The fields are described in the interface file.
pub struct SceneChange {
    pub operation: u8,
    pub object: SceneObject,
    pub name_a: String,
    pub name_b: String,
    pub padding: f64,
    pub self_padding: f64,
    pub scale: f64,
    pub margin: f64,
}

#[allow(missing_docs)]
impl SceneChange {
    pub const ADD: u8 = 1;
    pub const REPLACE: u8 = 2;
    pub const APPEND: u8 = 3;
    pub const MOVE: u8 = 4;
    pub const REMOVE: u8 = 5;
    pub const REMOVE_ALL: u8 = 6;
    pub const ATTACH: u8 = 7;
    pub const DETACH: u8 = 8;
    pub const DISCARD: u8 = 9;
    pub const ALLOW: u8 = 10;
    pub const FORBID: u8 = 11;
    pub const FORGET: u8 = 12;
    pub const SET_LINK_SIZE: u8 = 13;
    pub const SET_MARGIN: u8 = 14;
}

/// `smooth_scene/msg/AllowedPair`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[allow(missing_docs)] // The fields are described in the interface file.
pub struct AllowedPair {
    pub name_a: String,
    pub name_b: String,
    pub allowed: bool,
    pub reason: String,
}

/// `smooth_scene/msg/LinkSize`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[allow(missing_docs)] // The fields are described in the interface file.
pub struct LinkSize {
    pub link: String,
    pub padding: f64,
    pub self_padding: f64,
    pub scale: f64,
}

/// `smooth_scene/msg/PairMargin`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[allow(missing_docs)] // The fields are described in the interface file.
pub struct PairMargin {
    pub name_a: String,
    pub name_b: String,
    pub margin: f64,
}

/// `smooth_scene/msg/Proximity`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[allow(missing_docs)] // The fields are described in the interface file.
pub struct Proximity {
    pub body_a: String,
    pub body_b: String,
    pub distance: f64,
    pub lower: f64,
    pub upper: f64,
    pub point_a: geometry_msgs::msg::Point,
    pub point_b: geometry_msgs::msg::Point,
    pub normal: geometry_msgs::msg::Vector3,
    pub gradient: Vec<f64>,
    pub status: u8,
    pub of_hull: bool,
}

#[allow(missing_docs)]
impl Proximity {
    pub const NOT_COMPUTED: u8 = 0;
    pub const CERTIFIED: u8 = 1;
    pub const DEPTH_UNPROVEN: u8 = 2;
    pub const BUDGET_EXHAUSTED: u8 = 3;
}

/// `smooth_scene/msg/ProximityArray`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[allow(missing_docs)] // The fields are described in the interface file.
pub struct ProximityArray {
    pub header: std_msgs::msg::Header,
    pub status: u8,
    pub message: String,
    pub revision: u64,
    pub proximities: Vec<Proximity>,
}

#[allow(missing_docs)]
impl ProximityArray {
    pub const NOT_COMPUTED: u8 = 0;
    pub const FREE: u8 = 1;
    pub const COLLISION: u8 = 2;
}
