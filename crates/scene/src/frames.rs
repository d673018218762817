//! Named frames, and the changes that attach and detach objects.

use crate::change::{RobotChange, SceneChange, WorldChange};
use crate::error::SceneError;
use crate::object::SceneObject;
use crate::planning_scene::PlanningScene;
use smooth_scene_geometry::math::Pose;
use smooth_scene_robot::{LinkPoses, forward_kinematics};

impl PlanningScene {
    /// Where a frame is: a link, an attached object, an object of the world, or one of their subframes as
    /// `object/subframe`.
    pub fn frame(&self, name: &str, poses: &LinkPoses) -> Result<Pose, SceneError> {
        let found = self.body_frame(name, poses).or_else(|| {
            // Names may contain slashes themselves: every slash may be the one.
            name.match_indices('/').find_map(|(at, _)| {
                let object = self.object(&name[..at])?;
                let (_, local) = object.subframes().find(|(sub, _)| *sub == &name[at + 1..])?;
                Some(self.body_frame(&name[..at], poses)? * local)
            })
        });
        found.ok_or_else(|| SceneError::UnknownName { kind: "frame", name: name.into() })
    }

    fn body_frame(&self, name: &str, poses: &LinkPoses) -> Option<Pose> {
        if let Some(link) = self.model().link_id(name) {
            return poses.as_slice().get(link.index()).copied();
        }
        if let Some(attached) = self.attached_object(name) {
            return Some(poses.as_slice().get(attached.link.index())? * attached.object.pose());
        }
        self.world().by_name(name).map(|object| *object.pose())
    }

    fn object(&self, name: &str) -> Option<&SceneObject> {
        match self.attached_object(name) {
            Some(attached) => Some(&attached.object),
            None => self.world().by_name(name),
        }
    }

    /// The change that takes an object of the world and fixes it to a link, where it is in this state.
    pub fn attach_from_world(
        &self,
        name: &str,
        link: &str,
        touch_links: &[String],
        positions: &[f64],
    ) -> Result<SceneChange, SceneError> {
        let poses = forward_kinematics(self.model(), positions)?;
        let unknown = || SceneError::UnknownObject { name: name.into() };
        let object = self.world().by_name(name).ok_or_else(unknown)?;
        let id = self.model().link_id(link);
        let id = id.ok_or_else(|| SceneError::UnknownLink { name: link.into() })?;
        let object = object.with_pose(poses[id].inv_mul(object.pose()))?;
        Ok(SceneChange::Several(vec![
            WorldChange::Remove { name: name.into() }.into(),
            RobotChange::Attach { object, link: link.into(), touch_links: touch_links.to_vec() }
                .into(),
        ]))
    }

    /// The change that leaves an attached object in the world, where it is in this state.
    pub fn detach_to_world(
        &self,
        name: &str,
        positions: &[f64],
    ) -> Result<SceneChange, SceneError> {
        let poses = forward_kinematics(self.model(), positions)?;
        let unknown = || SceneError::NotAttached { name: name.into() };
        let attached = self.attached_object(name).ok_or_else(unknown)?;
        let object = attached.object.with_pose(poses[attached.link] * attached.object.pose())?;
        Ok(SceneChange::Several(vec![
            RobotChange::Detach { name: name.into() }.into(),
            WorldChange::Add(object).into(),
        ]))
    }
}
