//! Edits, undo and redo.

use std::collections::VecDeque;

use super::command::Edit;
use super::enclosing::enclosing;
use super::error::ViewError;
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::Pose;
use smooth_scene_robot::{LinkId, LinkSurface};
use smooth_scene_scene::{
    AttachedObject, PlanningScene, RobotChange, SceneChange, SceneObject, SceneStore, WorldChange,
    WorldFile,
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
        self.done(inverse, gesture);
        Ok(())
    }

    /// Puts the objects of a file in place of those of the scene, as one edit.
    pub fn load(&mut self, store: &SceneStore, file: &WorldFile) -> Result<(), ViewError> {
        let (inverse, _) = store.change(|scene| Ok::<_, ViewError>(file.replace_in(scene)?))?;
        self.redo.clear();
        self.done(inverse, None);
        Ok(())
    }

    /// Replaces all surfaces of links, as one edit.
    pub fn set_surfaces<'a>(
        &mut self,
        store: &SceneStore,
        links: impl Iterator<Item = (&'a String, &'a Vec<LinkSurface>)>,
    ) -> Result<(), ViewError> {
        let replaced = |(link, surfaces): (&String, &Vec<LinkSurface>)| {
            RobotChange::SetCollisions { link: link.clone(), collisions: surfaces.clone() }
        };
        let inverse = apply(store, SceneChange::several(links.map(replaced)))?;
        self.redo.clear();
        self.done(inverse, None);
        Ok(())
    }

    /// Remembers how to undo an edit, unless the step before it does that.
    fn done(&mut self, inverse: SceneChange, gesture: Option<Gesture>) {
        let goes_on = self.undo.back().is_some_and(|last| {
            gesture.is_some() && last.gesture == gesture && same_target(&last.inverse, &inverse)
        });
        if !goes_on {
            self.undo.push_back(Step { inverse, gesture });
            if self.undo.len() > MAX_STEPS {
                self.undo.pop_front();
            }
        }
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
        // An attached object that is moved or shaped is taken off and put on again.
        (SceneChange::Several(one), SceneChange::Several(other)) => {
            matches!((&one[..], &other[..]), (
                [Robot(RobotChange::Detach { name: a }), Robot(RobotChange::Attach { link: on_a, .. })],
                [Robot(RobotChange::Detach { name: b }), Robot(RobotChange::Attach { link: on_b, .. })],
            ) if a == b && on_a == on_b)
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
        Edit::EncloseSurface { link, index, kind } => {
            let unknown = || ViewError::Unknown { kind: "link", name: link.clone() };
            let id = scene.model().link_id(link).ok_or_else(unknown)?;
            let surfaces = &scene.model().link(id).collisions;
            let old = surfaces.get(*index).ok_or_else(|| no_surface(link, *index))?;
            let (pose, shape) = enclosing([(&old.pose_in_link, &old.shape)], kind)?;
            on_surface(scene, link, *index, |surface| {
                (surface.pose_in_link, surface.shape) = (pose, shape);
            })
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
            let pose = Pose::try_from(pose)?;
            match scene.attached_object(name) {
                Some(attached) => Ok(reattached(scene, attached, attached.object.with_pose(pose)?)),
                None => Ok(WorldChange::Move { name: name.clone(), pose }.into()),
            }
        }
        Edit::ObjectShape { name, shape } => {
            let shape = Shape::try_from(shape)?;
            on_object(scene, name, |old| Ok(SceneObject::simple(name, *old.pose(), shape)?))
        }
        Edit::EncloseObject { name, kind } => on_object(scene, name, |old| {
            let parts: Vec<(Pose, &Shape)> = old.shapes().collect();
            let (pose, shape) = enclosing(parts.iter().map(|(pose, shape)| (pose, *shape)), kind)?;
            Ok(SceneObject::simple(name, old.pose() * pose, shape)?)
        }),
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

/// Puts another object in the place of one of the world, or of one that the robot carries.
fn on_object(
    scene: &PlanningScene,
    name: &str,
    replace: impl FnOnce(&SceneObject) -> Result<SceneObject, ViewError>,
) -> Result<SceneChange, ViewError> {
    if let Some(attached) = scene.attached_object(name) {
        return Ok(reattached(scene, attached, replace(&attached.object)?));
    }
    let unknown = || ViewError::Unknown { kind: "object", name: name.into() };
    Ok(WorldChange::Replace(replace(scene.world().by_name(name).ok_or_else(unknown)?)?).into())
}

/// Takes an object off the robot and puts another in its place, on the same link.
fn reattached(scene: &PlanningScene, old: &AttachedObject, object: SceneObject) -> SceneChange {
    let link_name = |id: &LinkId| scene.model().link(*id).name.clone();
    let (link, name) = (link_name(&old.link), old.object.name().to_owned());
    let touch_links = old.touch_links.iter().map(link_name).collect();
    SceneChange::Several(vec![
        RobotChange::Detach { name }.into(),
        RobotChange::Attach { object, link, touch_links }.into(),
    ])
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
