//! The sketch as the threads of a view share it, and the robot that was made of it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::pad::{SketchCommand, SketchPad};
use super::written::WrittenRobot;
use crate::error::ViewError;
use crate::host::Describe;
use crate::json::json;
use smooth_scene_robot::LoadedRobot;
use smooth_scene_scene::SceneStore;

/// A sketch, and the robot that was made of it last.
pub(crate) struct SketchDesk {
    pad: Mutex<SketchPad>,
    /// The number of the robot in the scene that was drawn here, and the robot as it was written.
    used: Mutex<Option<(u64, Arc<LoadedRobot>)>>,
    describe: Option<Describe>,
}

impl SketchDesk {
    /// Without `describe` the robot is put into the scene directly.
    pub fn new(describe: Option<Describe>) -> Self {
        Self { pad: Mutex::default(), used: Mutex::default(), describe }
    }

    /// Does what a viewer asks.
    pub fn handle(
        &self,
        viewer: u64,
        command: &SketchCommand,
        store: &SceneStore,
    ) -> Result<(), ViewError> {
        match command {
            SketchCommand::Edit { gesture, edit } => {
                lock(&self.pad).edit(edit, gesture.map(|number| (viewer, number)))
            }
            SketchCommand::Undo {} => lock(&self.pad).undo(),
            SketchCommand::Redo {} => lock(&self.pad).redo(),
            SketchCommand::Use {} => self.put_into_scene(store),
        }
    }

    /// The drawn robot as files, or why it is none yet.
    pub fn write(&self) -> Result<WrittenRobot, ViewError> {
        let sketch = lock(&self.pad).sketch().clone();
        WrittenRobot::of(&sketch)
    }

    /// The robot of this number, if it was drawn here.
    pub fn used(&self, robot: u64) -> Option<Arc<LoadedRobot>> {
        let used = lock(&self.used);
        used.as_ref().filter(|(number, _)| *number == robot).map(|(_, robot)| Arc::clone(robot))
    }

    /// What the page is told.
    pub fn message(&self) -> String {
        json(&lock(&self.pad).message())
    }

    fn put_into_scene(&self, store: &SceneStore) -> Result<(), ViewError> {
        let WrittenRobot { urdf, srdf, robot, scene } = self.write()?;
        match &self.describe {
            Some(describe) => describe(&urdf, &srdf).map_err(ViewError::Sketch)?,
            None => {
                let snapshot = store.replace_robot(scene);
                *lock(&self.used) = Some((snapshot.robot, robot));
            }
        }
        Ok(())
    }
}

/// What is kept is replaced as a whole, so that a panic leaves nothing half done.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
