//! A scene that changes while questions are answered. Readers take a snapshot and never wait; writers build the
//! next snapshot one after the other.

use std::sync::{Arc, Mutex, PoisonError, RwLock};

use crate::planning_scene::PlanningScene;

/// There is no scene, because no robot has been described yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no robot description has been received")]
pub struct NoRobot;

/// A scene that never changes, and its place in the order of changes.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// The scene.
    pub scene: PlanningScene,
    /// Grows by one with every change.
    pub revision: u64,
    /// Grows by one with every robot description.
    pub robot: u64,
}

/// The scene as it is now; empty until a robot description came.
#[derive(Debug, Default)]
pub struct SceneStore {
    current: RwLock<Option<Arc<Snapshot>>>,
    /// Held while the next scene is made, so that two changes do not lose one another.
    writer: Mutex<()>,
}

impl SceneStore {
    /// The scene as it is now.
    pub fn snapshot(&self) -> Result<Arc<Snapshot>, NoRobot> {
        self.current().ok_or(NoRobot)
    }

    /// A panic cannot leave half a scene behind: what is stored is replaced as a whole.
    fn current(&self) -> Option<Arc<Snapshot>> {
        self.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Makes the next scene from the present one: `change` works on a copy, which is kept if it succeeds.
    pub fn change<T, E: From<NoRobot>>(
        &self,
        change: impl FnOnce(&mut PlanningScene) -> Result<T, E>,
    ) -> Result<(T, Arc<Snapshot>), E> {
        let _turn = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let before = self.snapshot()?;
        let mut scene = before.scene.clone();
        let value = change(&mut scene)?;
        let next = Snapshot { scene, revision: before.revision + 1, robot: before.robot };
        Ok((value, self.keep(next)))
    }

    /// Puts a scene of a new robot in the place of the present one.
    pub fn replace_robot(&self, scene: PlanningScene) -> Arc<Snapshot> {
        let Ok(snapshot) = self.change_robot(|_| Ok::<_, std::convert::Infallible>(scene));
        snapshot
    }

    /// Puts a scene of a new robot in the place of the present one, which `build` may take things over from: no change is
    /// made in between.
    pub fn change_robot<E>(
        &self,
        build: impl FnOnce(Option<&PlanningScene>) -> Result<PlanningScene, E>,
    ) -> Result<Arc<Snapshot>, E> {
        let _turn = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let before = self.current();
        let scene = build(before.as_ref().map(|snapshot| &snapshot.scene))?;
        let (revision, robot) = before.map_or((0, 0), |before| (before.revision, before.robot));
        Ok(self.keep(Snapshot { scene, revision: revision + 1, robot: robot + 1 }))
    }

    fn keep(&self, next: Snapshot) -> Arc<Snapshot> {
        let next = Arc::new(next);
        let mut current = self.current.write().unwrap_or_else(PoisonError::into_inner);
        *current = Some(Arc::clone(&next));
        next
    }
}
