//! Frames that one message may name: those of the scene, those the message defines, and those of `/tf`.

use std::collections::BTreeMap;

use crate::convert::Refusal;
use crate::convert::frames::{
    CurrentPoses, Frames, frame, is_in_scene, is_root, plain, scene_frame,
};
use crate::convert::pose::transform;
use crate::interfaces::geometry_msgs::msg::TransformStamped;
use crate::interfaces::std_msgs::msg::Header;
use crate::math::Pose;
use crate::scene::PlanningScene;

/// Frames that one message may name. Frames that a message defines exist while it is read only.
#[derive(Debug)]
pub struct MessageFrames<'a> {
    frames: Frames<'a>,
    brought: BTreeMap<String, Pose>,
}

impl<'a> MessageFrames<'a> {
    /// The frames of the scene and of `/tf`.
    pub fn new(frames: Frames<'a>) -> Self {
        Self { frames, brought: BTreeMap::new() }
    }

    /// Where the links are, or why that is not known.
    pub fn poses(&self) -> &'a CurrentPoses {
        self.frames.poses.get()
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
            let parent = self.frame(scene, &message.header, &place)?;
            let child = plain(&message.child_frame_id);
            if !is_root(scene, child) {
                self.brought.insert(child.to_string(), parent * local);
            }
        }
        Ok(())
    }

    /// Pose of the frame of a header in the root. `field` is where the header stands in the message.
    pub fn frame(
        &self,
        scene: &PlanningScene,
        header: &Header,
        field: &dyn Fn() -> String,
    ) -> Result<Pose, Refusal> {
        let name = plain(&header.frame_id);
        match self.brought.get(name) {
            Some(pose) if !is_in_scene(scene, name) => Ok(*pose),
            _ => frame(scene, header, &self.frames, field),
        }
    }

    /// Pose of a link in the root. `field` is where the message names it.
    pub fn link(
        &self,
        scene: &PlanningScene,
        name: &str,
        field: &dyn Fn() -> String,
    ) -> Result<Pose, Refusal> {
        scene_frame(scene, name, self.frames.poses, field)
    }
}
