//! Every way a scene can change, as values.

use std::sync::Arc;

use super::acm::{Allowance, AllowedCollisionMatrix};
use super::error::SceneError;
use super::object::{MAX_SHAPES, SceneObject, check_pose};
use super::planning_scene::{AttachedObject, PlanningScene};
use super::sizes::{LinkSize, Sizes};
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::Pose;
use smooth_scene_robot::Collision;

/// One change of a scene.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum SceneChange {
    /// Adds an object to the world. Its name may not be that of a link or of another object.
    Add(SceneObject),
    /// Takes an object out of the world.
    Remove {
        /// Its name.
        name: String,
    },
    /// Takes all objects out of the world.
    RemoveAll,
    /// Moves an object of the world.
    Move {
        /// Its name.
        name: String,
        /// Its new pose.
        pose: Pose,
    },
    /// Adds shapes to an object of the world.
    Append {
        /// Its name.
        name: String,
        /// The shapes and their poses in the object's frame.
        shapes: Vec<(Pose, Shape)>,
    },
    /// Puts an object in the place of the one of the same name.
    Replace(SceneObject),
    /// Fixes an object to a link; its pose is that in the link.
    Attach {
        /// The object.
        object: SceneObject,
        /// Name of the link.
        link: String,
        /// Names of other links it may touch.
        touch_links: Vec<String>,
    },
    /// Takes an object off the robot, and out of the scene.
    Detach {
        /// Its name.
        name: String,
    },
    /// Sets or removes what the matrix says about a pair of names.
    SetAllowed {
        /// One name.
        a: String,
        /// The other.
        b: String,
        /// What it says, or `None` for nothing.
        entry: Option<Allowance>,
    },
    /// Sets or removes the default of a name.
    SetDefaultAllowed {
        /// The name.
        name: String,
        /// What it says, or `None` for nothing.
        entry: Option<Allowance>,
    },
    /// Puts another matrix in the place of the present one.
    SetMatrix(AllowedCollisionMatrix),
    /// Puts other surfaces on a link in the place of those it has.
    SetCollisions {
        /// Name of the link.
        link: String,
        /// The surfaces, possibly none, with their poses in the link.
        collisions: Vec<Collision>,
    },
    /// Sets padding, self padding and scale of a link.
    SetLinkSize {
        /// Name of the link.
        link: String,
        /// The sizes.
        size: LinkSize,
    },
    /// Sets the margin of a pair of names.
    SetMargin {
        /// One name.
        a: String,
        /// The other.
        b: String,
        /// The margin, m; zero for none.
        margin: f64,
    },
    /// Puts other paddings, scales and margins in the place of the present ones.
    SetSizes(Sizes),
    /// Several changes in order: all of them, or none if one is refused.
    Several(Vec<SceneChange>),
}

impl PlanningScene {
    /// Applies a change and returns the one that takes it back; or refuses it, says why, and changes nothing.
    pub fn apply(&mut self, change: SceneChange) -> Result<SceneChange, SceneError> {
        let mut robot_changed = false;
        let inverse = self.apply_one(change, &mut robot_changed)?;
        if robot_changed && let Err(error) = self.refresh_robot() {
            // The shapes do not bear the change (a scale too large, say). What was just done can be undone.
            let _ = self.apply_one(inverse, &mut robot_changed);
            return Err(error);
        }
        Ok(inverse)
    }

    fn apply_one(
        &mut self,
        change: SceneChange,
        robot_changed: &mut bool,
    ) -> Result<SceneChange, SceneError> {
        match change {
            SceneChange::Several(changes) => self.apply_several(changes, robot_changed),
            SceneChange::Add(_)
            | SceneChange::Remove { .. }
            | SceneChange::RemoveAll
            | SceneChange::Move { .. }
            | SceneChange::Append { .. }
            | SceneChange::Replace(_) => self.apply_to_world(change),
            change => {
                *robot_changed = true;
                self.apply_to_robot(change)
            }
        }
    }

    fn apply_several(
        &mut self,
        changes: Vec<SceneChange>,
        robot_changed: &mut bool,
    ) -> Result<SceneChange, SceneError> {
        let count = changes.len();
        let mut inverses = Vec::with_capacity(count);
        for (place, change) in changes.into_iter().enumerate() {
            match self.apply_one(change, robot_changed) {
                Ok(inverse) => inverses.push(inverse),
                Err(error) => {
                    for inverse in inverses.into_iter().rev() {
                        // What was just done can be undone.
                        let _ = self.apply_one(inverse, robot_changed);
                    }
                    let source = Box::new(error);
                    return Err(SceneError::InSeveral { place: place + 1, count, source });
                }
            }
        }
        inverses.reverse();
        Ok(SceneChange::Several(inverses))
    }

    fn apply_to_world(&mut self, change: SceneChange) -> Result<SceneChange, SceneError> {
        if let SceneChange::Add(object) = &change {
            self.check_free(object.name())?;
        }
        let world = Arc::make_mut(&mut self.world);
        Ok(match change {
            SceneChange::Add(object) => {
                let name = object.name().to_string();
                world.add(object)?;
                SceneChange::Remove { name }
            }
            SceneChange::Remove { name } => SceneChange::Add(world.remove(&name)?),
            SceneChange::Move { name, pose } => {
                let pose = world.set_pose(&name, pose)?;
                SceneChange::Move { name, pose }
            }
            SceneChange::Append { name, shapes } => {
                let unknown = || SceneError::UnknownObject { name: name.clone() };
                let grown = world.by_name(&name).ok_or_else(unknown)?.with_appended(shapes)?;
                SceneChange::Replace(world.replace(grown)?)
            }
            SceneChange::Replace(object) => SceneChange::Replace(world.replace(object)?),
            _ => {
                let gone = std::mem::take(world);
                let objects = gone.iter().map(|(_, object)| SceneChange::Add(object.clone()));
                SceneChange::Several(objects.collect())
            }
        })
    }

    fn apply_to_robot(&mut self, change: SceneChange) -> Result<SceneChange, SceneError> {
        Ok(match change {
            SceneChange::Attach { object, link, touch_links } => {
                self.attach(object, &link, &touch_links)?
            }
            SceneChange::Detach { name } => self.detach(name)?,
            SceneChange::SetAllowed { a, b, entry } => {
                let entry = Arc::make_mut(&mut self.acm).set(&a, &b, entry);
                SceneChange::SetAllowed { a, b, entry }
            }
            SceneChange::SetDefaultAllowed { name, entry } => {
                let entry = Arc::make_mut(&mut self.acm).set_default(&name, entry);
                SceneChange::SetDefaultAllowed { name, entry }
            }
            SceneChange::SetMatrix(matrix) => {
                let before = std::mem::replace(&mut self.acm, Arc::new(matrix));
                SceneChange::SetMatrix(Arc::unwrap_or_clone(before))
            }
            SceneChange::SetCollisions { link, collisions } => {
                self.set_collisions(link, collisions)?
            }
            SceneChange::SetLinkSize { link, size } => {
                self.link(&link)?;
                let size = Arc::make_mut(&mut self.sizes).set_link(&link, size)?;
                SceneChange::SetLinkSize { link, size }
            }
            SceneChange::SetMargin { a, b, margin } => {
                let margin = Arc::make_mut(&mut self.sizes).set_margin(&a, &b, margin)?;
                SceneChange::SetMargin { a, b, margin }
            }
            SceneChange::SetSizes(sizes) => {
                let before = std::mem::replace(&mut self.sizes, Arc::new(sizes));
                SceneChange::SetSizes(Arc::unwrap_or_clone(before))
            }
            // The others are handled by the callers.
            other => other,
        })
    }

    fn set_collisions(
        &mut self,
        link: String,
        collisions: Vec<Collision>,
    ) -> Result<SceneChange, SceneError> {
        let id = self.link(&link)?;
        if collisions.len() > MAX_SHAPES {
            let (name, count) = (link, collisions.len());
            return Err(SceneError::ShapeCount { name, count, max: MAX_SHAPES });
        }
        for collision in &collisions {
            check_pose("pose of a surface", &link, &collision.pose_in_link)?;
        }
        let collisions = self.replace_collisions(id, collisions);
        Ok(SceneChange::SetCollisions { link, collisions })
    }

    fn attach(
        &mut self,
        object: SceneObject,
        link: &str,
        touch_links: &[String],
    ) -> Result<SceneChange, SceneError> {
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
        Ok(SceneChange::Detach { name })
    }

    fn detach(&mut self, name: String) -> Result<SceneChange, SceneError> {
        if !self.attached.contains_key(name.as_str()) {
            return Err(SceneError::NotAttached { name });
        }
        let Some(before) = Arc::make_mut(&mut self.attached).remove(name.as_str()) else {
            return Err(SceneError::NotAttached { name });
        };
        let name_of = |link| self.model().link(link).name.clone();
        let touch_links = before.touch_links.iter().map(|&link| name_of(link)).collect();
        Ok(SceneChange::Attach { object: before.object, link: name_of(before.link), touch_links })
    }

    fn link(&self, name: &str) -> Result<smooth_scene_robot::LinkId, SceneError> {
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
