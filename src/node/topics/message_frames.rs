//! Frames that one message may name: those of the scene, and those the message defines.

use std::collections::BTreeMap;

use crate::convert::Refusal;
use crate::convert::frames::{CurrentPoses, frame, is_root, plain};
use crate::convert::pose::transform;
use crate::interfaces::geometry_msgs::msg::TransformStamped;
use crate::math::Pose;
use crate::scene::PlanningScene;

/// Frames that one message may name. Frames that a message defines exist while it is read only.
#[derive(Debug)]
pub struct MessageFrames<'a> {
    poses: &'a CurrentPoses,
    brought: BTreeMap<String, Pose>,
}

impl<'a> MessageFrames<'a> {
    /// The frames of the scene.
    pub fn new(poses: &'a CurrentPoses) -> Self {
        Self { poses, brought: BTreeMap::new() }
    }

    /// Where the links are, or why that is not known.
    pub fn poses(&self) -> &'a CurrentPoses {
        self.poses
    }

    /// Takes over transforms from frames that are known. What the robot says about its own links stays.
    pub fn bring(
        &mut self,
        scene: &PlanningScene,
        transforms: &[TransformStamped],
    ) -> Result<(), Refusal> {
        for (k, message) in transforms.iter().enumerate() {
            let place = || format!("fixed_frame_transforms[{k}]");
            let local = transform(&message.transform, &place)?;
            let parent = self.frame(scene, &message.header.frame_id, &place)?;
            let child = plain(&message.child_frame_id);
            if !is_root(scene, child) {
                self.brought.insert(child.to_string(), parent * local);
            }
        }
        Ok(())
    }

    /// Pose of a frame in the root. `field` is where the message names it.
    pub fn frame(
        &self,
        scene: &PlanningScene,
        name: &str,
        field: &dyn Fn() -> String,
    ) -> Result<Pose, Refusal> {
        frame(scene, name, self.poses, field)
            .or_else(|unknown| self.brought.get(plain(name)).copied().ok_or(unknown))
    }
}
