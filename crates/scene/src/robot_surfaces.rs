//! Where the surfaces of the robot are in a state, for questions about obstacles that are not bodies of the scene.

use crate::body::BodyId;
use crate::error::SceneError;
use crate::planning_scene::PlanningScene;
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::Pose;
use smooth_scene_robot::forward_kinematics;

/// A convex surface of a link or of what it carries, in one state.
#[derive(Debug, Clone)]
pub struct RobotSurface<'a> {
    /// The link or the attached object.
    pub body: BodyId,
    /// Which of its convex surfaces, compounds taken apart.
    pub part: u32,
    /// Where it is, in the frame of the root.
    pub pose_w: Pose,
    /// The surface, scaled as the scene says, not padded.
    pub shape: &'a Shape,
    /// By how much it is grown towards what is around the robot, in metres.
    pub padding: f64,
}

impl PlanningScene {
    /// The convex surfaces of all links and attached objects with the robot at these positions, by body and part.
    pub fn robot_surfaces(&self, positions: &[f64]) -> Result<Vec<RobotSurface<'_>>, SceneError> {
        let poses = forward_kinematics(self.model(), positions)?;
        let placed = self.robot.shapes.iter().map(|surface| RobotSurface {
            body: surface.body,
            part: surface.part,
            pose_w: poses[surface.link] * surface.pose_in_link,
            shape: &surface.shape,
            padding: surface.padding,
        });
        Ok(placed.collect())
    }
}
