//! Applying changes to a scene: a change is made as a whole or refused.

use std::sync::Arc;

use crate::attached::AttachedObject;
use crate::change::{MatrixChange, RobotChange, SceneChange, WorldChange};
use crate::error::SceneError;
use crate::object::{MAX_SHAPES, SceneObject, check_pose};
use crate::planning_scene::PlanningScene;
use crate::sizes::Sizes;
use crate::world::World;
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::Pose;
use smooth_scene_robot::{LinkId, LinkSurface};

impl PlanningScene {
    /// Applies a change and returns the one that takes it back; or refuses it, says why, and changes nothing.
    ///
    /// The change is made on a copy, which shares everything with the original and replaces it at the end. A change of
    /// the world alone needs no copy: the world itself makes or refuses it as a whole. The robot is prepared for
    /// queries again only if something about it changed, and once for all changes of [`SceneChange::Several`].
    pub fn apply(&mut self, change: impl Into<SceneChange>) -> Result<SceneChange, SceneError> {
        match change.into() {
            SceneChange::World(change) => self.apply_to_world(change),
            change @ (SceneChange::Robot(_) | SceneChange::Matrix(_) | SceneChange::Several(_)) => {
                let mut next = self.clone();
                let inverse = next.apply_here(change)?;
                if !next.has_robot_of(self) {
                    next.prepare_robot()?;
                }
                *self = next;
                Ok(inverse)
            }
        }
    }

    /// Applies a change that may leave the scene half changed when it is refused, and the robot to be prepared.
    fn apply_here(&mut self, change: SceneChange) -> Result<SceneChange, SceneError> {
        match change {
            SceneChange::World(change) => self.apply_to_world(change),
            SceneChange::Robot(change) => self.apply_to_robot(change).map(SceneChange::Robot),
            SceneChange::Matrix(change) => Ok(self.apply_to_matrix(change).into()),
            SceneChange::Several(changes) => self.apply_several(changes),
        }
    }

    /// Applies a change of the world or refuses it as a whole. Taking back [`WorldChange::RemoveAll`] takes several.
    fn apply_to_world(&mut self, change: WorldChange) -> Result<SceneChange, SceneError> {
        let inverse = match change {
            WorldChange::Add(object) => self.add(object)?,
            WorldChange::Remove { name } => WorldChange::Add(self.world_mut().remove(&name)?),
            WorldChange::RemoveAll => return Ok(self.remove_all()),
            WorldChange::Move { name, pose } => {
                let pose = self.world_mut().set_pose(&name, pose)?;
                WorldChange::Move { name, pose }
            }
            WorldChange::Append { name, shapes } => self.append(&name, shapes)?,
            WorldChange::Replace(object) => WorldChange::Replace(self.world_mut().replace(object)?),
        };
        Ok(inverse.into())
    }

    fn apply_to_robot(&mut self, change: RobotChange) -> Result<RobotChange, SceneError> {
        match change {
            RobotChange::Attach { object, link, touch_links } => {
                self.attach(object, &link, &touch_links)
            }
            RobotChange::Detach { name } => self.detach(name),
            RobotChange::SetCollisions { link, collisions } => {
                self.set_collisions(link, collisions)
            }
            RobotChange::SetLinkSize { link, size } => {
                self.link(&link)?;
                let size = self.sizes_mut().set_link(&link, size)?;
                Ok(RobotChange::SetLinkSize { link, size })
            }
            RobotChange::SetMargin { a, b, margin } => {
                let margin = self.sizes_mut().set_margin(&a, &b, margin)?;
                Ok(RobotChange::SetMargin { a, b, margin })
            }
            RobotChange::SetSizes(sizes) => {
                Ok(RobotChange::SetSizes(std::mem::replace(self.sizes_mut(), sizes)))
            }
        }
    }

    fn apply_to_matrix(&mut self, change: MatrixChange) -> MatrixChange {
        let matrix = Arc::make_mut(&mut self.acm);
        match change {
            MatrixChange::SetEntry { a, b, entry } => {
                let entry = matrix.set(&a, &b, entry);
                MatrixChange::SetEntry { a, b, entry }
            }
            MatrixChange::SetDefault { name, entry } => {
                let entry = matrix.set_default(&name, entry);
                MatrixChange::SetDefault { name, entry }
            }
            MatrixChange::Replace(other) => MatrixChange::Replace(std::mem::replace(matrix, other)),
        }
    }

    fn apply_several(&mut self, changes: Vec<SceneChange>) -> Result<SceneChange, SceneError> {
        let count = changes.len();
        let mut inverses = Vec::with_capacity(count);
        for (place, change) in (1..).zip(changes) {
            let in_several =
                |error| SceneError::InSeveral { place, count, source: Box::new(error) };
            inverses.push(self.apply_here(change).map_err(in_several)?);
        }
        inverses.reverse();
        Ok(SceneChange::Several(inverses))
    }

    fn world_mut(&mut self) -> &mut World {
        Arc::make_mut(&mut self.world)
    }

    fn sizes_mut(&mut self) -> &mut Sizes {
        Arc::make_mut(&mut self.sizes)
    }

    fn add(&mut self, object: SceneObject) -> Result<WorldChange, SceneError> {
        self.check_free(object.name())?;
        let name = object.name().to_string();
        self.world_mut().add(object)?;
        Ok(WorldChange::Remove { name })
    }

    fn remove_all(&mut self) -> SceneChange {
        let before = std::mem::take(&mut self.world);
        SceneChange::several(before.iter().map(|(_, object)| WorldChange::Add(object.clone())))
    }

    fn append(
        &mut self,
        name: &str,
        shapes: Vec<(Pose, Shape)>,
    ) -> Result<WorldChange, SceneError> {
        let unknown = || SceneError::UnknownObject { name: name.into() };
        let grown = self.world.by_name(name).ok_or_else(unknown)?.with_appended(shapes)?;
        self.world_mut().replace(grown).map(WorldChange::Replace)
    }

    fn set_collisions(
        &mut self,
        link: String,
        collisions: Vec<LinkSurface>,
    ) -> Result<RobotChange, SceneError> {
        let id = self.link(&link)?;
        if collisions.len() > MAX_SHAPES {
            let (name, count) = (link, collisions.len());
            return Err(SceneError::ShapeCount { name, count, max: MAX_SHAPES });
        }
        for collision in &collisions {
            check_pose("pose of a surface", &link, &collision.pose_in_link)?;
        }
        let collisions = self.replace_collisions(id, collisions);
        Ok(RobotChange::SetCollisions { link, collisions })
    }

    fn attach(
        &mut self,
        object: SceneObject,
        link: &str,
        touch_links: &[String],
    ) -> Result<RobotChange, SceneError> {
        let name = object.name().to_string();
        self.check_free(&name)?;
        if self.world.find(&name).is_some() {
            return Err(SceneError::NameTaken { name, by: "an object of the world" });
        }
        let link = self.link(link)?;
        let mut touched = vec![link];
        for name in touch_links {
            touched.push(self.link(name)?);
        }
        touched.sort();
        touched.dedup();
        let attached = AttachedObject { object, link, touch_links: touched };
        Arc::make_mut(&mut self.attached).insert(name.as_str().into(), attached);
        Ok(RobotChange::Detach { name })
    }

    fn detach(&mut self, name: String) -> Result<RobotChange, SceneError> {
        let Some(before) = Arc::make_mut(&mut self.attached).remove(name.as_str()) else {
            return Err(SceneError::NotAttached { name });
        };
        let name_of = |link| self.model().link(link).name.clone();
        let touch_links = before.touch_links.iter().map(|&link| name_of(link)).collect();
        Ok(RobotChange::Attach { object: before.object, link: name_of(before.link), touch_links })
    }

    fn link(&self, name: &str) -> Result<LinkId, SceneError> {
        let unknown = || SceneError::UnknownLink { name: name.into() };
        self.model().link_id(name).ok_or_else(unknown)
    }

    /// Refuses a name that a link or an attached object has.
    fn check_free(&self, name: &str) -> Result<(), SceneError> {
        let by = if self.model().link_id(name).is_some() {
            "a link of the robot"
        } else if self.attached.contains_key(name) {
            "an attached object"
        } else {
            return Ok(());
        };
        Err(SceneError::NameTaken { name: name.into(), by })
    }
}
