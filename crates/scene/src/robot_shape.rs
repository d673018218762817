//! A convex surface of a link or of what it carries.

use std::sync::{Arc, OnceLock};

use crate::balls::Balls;
use crate::body::BodyId;
use crate::error::SceneError;
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_query::SuperquadricX8;
use smooth_scene_robot::{JointId, LinkId, RobotModel, child_pose};

/// One convex surface that moves with a link.
#[derive(Debug, Clone)]
pub(crate) struct RobotShape {
    pub body: BodyId,
    /// Its place among the surfaces of the body.
    pub part: u32,
    pub link: LinkId,
    pub pose_in_link: Pose,
    pub shape: Shape,
    /// Middle of the box in the frame of the shape, and half its edges.
    pub center: Vec3,
    pub half_extents: Vec3,
    /// Radius of a ball around that middle.
    pub radius: f64,
    /// Half its shortest edge: the radius of a ball that about fits inside.
    pub core_radius: f64,
    /// The shape prepared for lanes, if it is a superquadric.
    pub solid: Option<SuperquadricX8>,
    pub padding: f64,
    pub self_padding: f64,
    /// Balls around and inside it, found when they are first asked for; none for a shape without bounds. Scenes that have the
    /// same shape share them.
    pub balls: Arc<OnceLock<Option<Balls>>>,
}

impl RobotShape {
    /// Where the surface is in the frame of the link above these joints, the nearest of which comes first.
    pub fn pose_above(&self, model: &RobotModel, chain: &[JointId], positions: &[f64]) -> Pose {
        let mut pose = Pose::identity();
        for &joint in chain.iter().rev() {
            pose = child_pose(model.joint(joint), model, &pose, positions);
        }
        pose * self.pose_in_link
    }

    /// The surface grown on all sides; `name` is that of its body.
    pub fn padded(&self, growth: f64, name: &str) -> Result<Shape, SceneError> {
        let refused =
            |source| SceneError::BadPadding { name: name.into(), padding: growth, source };
        self.shape.padded(growth).map_err(refused)
    }
}
