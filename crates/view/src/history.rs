//! Edits, undo and redo.

use std::collections::VecDeque;

use super::command::Edit;
use super::error::ViewError;
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::Pose;
use smooth_scene_robot::LinkSurface;
use smooth_scene_scene::{
    PlanningScene, RobotChange, SceneChange, SceneObject, SceneStore, WorldChange,
};

/// Depth of the undo history.
const MAX_STEPS: usize = 500;
/// Objects a page may add to a world, and surfaces to a link.
const MAX_OBJECTS: usize = 10_000;
const MAX_SURFACES: usize = 1_000;

/// A viewer and the number of one of its drags.
pub(super) type Gesture = (u64, u32);

/// What can be undone and redone. All viewers share one scene and one history.
#[derive(Debug, Default)]
pub(super) struct History {
    undo: VecDeque<Step>,
    redo: Vec<SceneChange>,
}

#[derive(Debug)]
struct Step {
    inverse: SceneChange,
    gesture: Option<Gesture>,
}

impl History {
    /// Applies an edit. The steps of one gesture are undone together.
    pub fn edit(
        &mut self,
        store: &SceneStore,
        edit: &Edit,
        gesture: Option<Gesture>,
        positions: &[f64],
    ) -> Result<(), ViewError> {
        let (inverse, _) = store.change(|scene| {
            let change = change(scene, edit, positions)?;
            Ok::<_, ViewError>(scene.apply(change)?)
        })?;
        self.redo.clear();
        let goes_on = self.undo.back().is_some_and(|last| {
            gesture.is_some() && last.gesture == gesture && same_target(&last.inverse, &inverse)
        });
        if !goes_on {
            self.undo.push_back(Step { inverse, gesture });
            if self.undo.len() > MAX_STEPS {
                self.undo.pop_front();
            }
        }
        Ok(())
    }

    /// Undoes the last edit. If the scene has changed so that this is impossible, the edit is dropped.
    pub fn undo(&mut self, store: &SceneStore) -> Result<(), ViewError> {
        let step = self.undo.pop_back().ok_or(ViewError::NothingTo("undo"))?;
        self.redo.push(apply(store, step.inverse)?);
        Ok(())
    }

    /// Redoes the edit that was undone last.
    pub fn redo(&mut self, store: &SceneStore) -> Result<(), ViewError> {
        let change = self.redo.pop().ok_or(ViewError::NothingTo("redo"))?;
        let inverse = apply(store, change)?;
        self.undo.push_back(Step { inverse, gesture: None });
        Ok(())
    }

    /// How many edits can be undone and redone.
    pub fn depth(&self) -> [usize; 2] {
        [self.undo.len(), self.redo.len()]
    }

    /// Forgets all edits, when the robot was replaced.
    pub fn forget(&mut self) {
        *self = Self::default();
    }
}

fn apply(store: &SceneStore, change: SceneChange) -> Result<SceneChange, ViewError> {
    let (inverse, _) = store.change(|scene| Ok::<_, ViewError>(scene.apply(change)?))?;
    Ok(inverse)
}

/// Whether undoing the earlier change also undoes the later one, because both replace the same thing.
fn same_target(earlier: &SceneChange, later: &SceneChange) -> bool {
    use {RobotChange::SetCollisions, SceneChange::Robot, SceneChange::World};
    match (earlier, later) {
        (
            Robot(SetCollisions { link: one, collisions: before }),
            Robot(SetCollisions { link: other, collisions: after }),
        ) => one == other && before.len() == after.len(),
        (
            World(WorldChange::Move { name: one, .. }),
            World(WorldChange::Move { name: other, .. }),
        ) => one == other,
        (World(WorldChange::Replace(one)), World(WorldChange::Replace(other))) => {
            one.name() == other.name()
        }
        _ => false,
    }
}

/// The change of the scene that an edit asks for.
fn change(scene: &PlanningScene, edit: &Edit, positions: &[f64]) -> Result<SceneChange, ViewError> {
    match edit {
        Edit::SurfaceShape { link, index, shape } => {
            let shape = Shape::try_from(shape)?;
            on_surface(scene, link, *index, |collision| collision.shape = shape)
        }
        Edit::SurfacePose { link, index, pose } => {
            let pose = Pose::try_from(pose)?;
            on_surface(scene, link, *index, |collision| collision.pose_in_link = pose)
        }
        Edit::AddSurface { link, pose, shape } => {
            let (pose_in_link, shape) = (Pose::try_from(pose)?, Shape::try_from(shape)?);
            on_link(scene, link, |collisions| {
                check_count("surfaces on the link", collisions.len(), MAX_SURFACES)?;
                collisions.push(LinkSurface { name: None, pose_in_link, shape });
                Ok(())
            })
        }
        Edit::RemoveSurface { link, index } => on_link(scene, link, |collisions| {
            if *index >= collisions.len() {
                return Err(no_surface(link, *index));
            }
            collisions.remove(*index);
            Ok(())
        }),
        Edit::AddObject { name, pose, shape } => {
            check_count("objects", scene.world().len(), MAX_OBJECTS)?;
            let (pose, shape) = (Pose::try_from(pose)?, Shape::try_from(shape)?);
            Ok(WorldChange::Add(SceneObject::simple(name, pose, shape)?).into())
        }
        Edit::ObjectPose { name, pose } => {
            Ok(WorldChange::Move { name: name.clone(), pose: Pose::try_from(pose)? }.into())
        }
        Edit::ObjectShape { name, shape } => {
            let unknown = || ViewError::Unknown { kind: "object", name: name.clone() };
            let pose = *scene.world().by_name(name).ok_or_else(unknown)?.pose();
            let shape = Shape::try_from(shape)?;
            Ok(WorldChange::Replace(SceneObject::simple(name, pose, shape)?).into())
        }
        Edit::RemoveObject { name } if scene.attached_object(name).is_some() => {
            Ok(RobotChange::Detach { name: name.clone() }.into())
        }
        Edit::RemoveObject { name } => Ok(WorldChange::Remove { name: name.clone() }.into()),
        Edit::AttachObject { name, link } => {
            Ok(scene.attach_from_world(name, link, &[], positions)?)
        }
        Edit::DetachObject { name } => Ok(scene.detach_to_world(name, positions)?),
    }
}

fn on_link(
    scene: &PlanningScene,
    link: &str,
    edit: impl FnOnce(&mut Vec<LinkSurface>) -> Result<(), ViewError>,
) -> Result<SceneChange, ViewError> {
    let unknown = || ViewError::Unknown { kind: "link", name: link.into() };
    let id = scene.model().link_id(link).ok_or_else(unknown)?;
    let mut collisions = scene.model().link(id).collisions.clone();
    edit(&mut collisions)?;
    Ok(RobotChange::SetCollisions { link: link.into(), collisions }.into())
}

fn on_surface(
    scene: &PlanningScene,
    link: &str,
    index: usize,
    edit: impl FnOnce(&mut LinkSurface),
) -> Result<SceneChange, ViewError> {
    on_link(scene, link, |collisions| {
        edit(collisions.get_mut(index).ok_or_else(|| no_surface(link, index))?);
        Ok(())
    })
}

fn no_surface(link: &str, index: usize) -> ViewError {
    ViewError::Unknown { kind: "surface", name: format!("{link}[{index}]") }
}

fn check_count(what: &'static str, count: usize, max: usize) -> Result<(), ViewError> {
    if count < max { Ok(()) } else { Err(ViewError::TooMany { what, count, max }) }
}
