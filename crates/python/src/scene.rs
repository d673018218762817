//! The scene and its changes.
//!
//! Questions take a snapshot and work on it without a lock, so a scene may be changed by one thread while another asks:
//! every answer is about the scene as it was when the question was asked. The browser view looks at the same store, and what a
//! viewer edits is in the next snapshot.

use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use smooth_scene_scene::{
    Allowance, BatchChecker, MatrixChange, NoRobot, PlanningScene, Reason, RobotChange,
    SceneChange, SceneError, SceneObject, SceneStore, WorldChange, WorldFile,
};

use crate::error::{Refused, refused};
use crate::pose::read_pose;
use crate::robot::Robot;
use crate::shape::read_shapes;
use crate::states::States;

/// A robot and what is around it.
#[pyclass(frozen, module = "smooth_scene")]
pub(crate) struct Scene {
    robot: Py<Robot>,
    store: Arc<SceneStore>,
    checker: Mutex<Option<Checker>>,
}

/// A checker of blocks of states, and the revision of the scene that it was made for.
struct Checker {
    revision: u64,
    checker: Arc<BatchChecker>,
}

/// A scene that never changes.
pub(crate) struct Snapshot(Arc<smooth_scene_scene::Snapshot>);

impl Deref for Snapshot {
    type Target = PlanningScene;

    fn deref(&self) -> &PlanningScene {
        &self.0.scene
    }
}

/// Why a scene was not changed.
struct NotChanged(PyErr);

impl From<NoRobot> for NotChanged {
    fn from(_: NoRobot) -> Self {
        unreachable!("a scene is made with its robot")
    }
}

impl Scene {
    pub fn of(robot: Py<Robot>, scene: PlanningScene) -> Self {
        let store = SceneStore::default();
        store.replace_robot(scene);
        Self { robot, store: Arc::new(store), checker: Mutex::new(None) }
    }

    /// The robot as it was loaded.
    pub fn loaded_robot(&self) -> &Py<Robot> {
        &self.robot
    }

    /// The robot with the surfaces it has now: a viewer may have edited them.
    pub fn robot(&self, py: Python<'_>) -> PyResult<Py<Robot>> {
        let scene = self.snapshot();
        if Arc::ptr_eq(scene.model(), &self.robot.get().model) {
            return Ok(self.robot.clone_ref(py));
        }
        Py::new(py, self.robot.get().with_model(scene.model().clone()))
    }

    /// Where the scene is kept.
    pub fn store(&self) -> &Arc<SceneStore> {
        &self.store
    }

    /// The scene as it is now.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot(self.store.snapshot().expect("a scene is made with its robot"))
    }

    /// A checker for many states of a scene, which is prepared once for each revision. The interpreter lock is held, so nobody
    /// waits for another thread here.
    pub fn checker(&self, _held: Python<'_>, scene: &Snapshot) -> Arc<BatchChecker> {
        // Whole also after a panic: a checker is put in when it is made.
        let mut kept = self.checker.lock().unwrap_or_else(PoisonError::into_inner);
        let revision = scene.0.revision;
        match &*kept {
            Some(known) if known.revision == revision => known.checker.clone(),
            _ => {
                let checker = Arc::new(BatchChecker::new(scene));
                *kept = Some(Checker { revision, checker: checker.clone() });
                checker
            }
        }
    }

    /// Replaces the scene by what `change` makes of a copy of it.
    pub fn change<E>(
        &self,
        change: impl FnOnce(&mut PlanningScene) -> Result<SceneChange, E>,
    ) -> PyResult<()>
    where
        Refused: From<E>,
    {
        let changed = self
            .store
            .change(|scene| change(scene).map_err(|error| NotChanged(Refused::from(error).into())));
        changed.map(drop).map_err(|NotChanged(error)| error)
    }

    fn apply(&self, change: impl Into<SceneChange>) -> PyResult<()> {
        self.change(|scene| scene.apply(change))
    }
}

/// An object from its shapes.
fn object(
    id: &str,
    shape: &Bound<'_, PyAny>,
    pose: Option<&Bound<'_, PyAny>>,
) -> PyResult<SceneObject> {
    let pose = read_pose("pose", pose)?;
    Ok(SceneObject::new(id, pose, read_shapes("shape", shape)?).map_err(Refused::from)?)
}

#[pymethods]
impl Scene {
    #[new]
    fn new(py: Python<'_>, robot: Py<Robot>) -> PyResult<Self> {
        let (model, semantics) = (robot.get().model.clone(), robot.get().semantics.clone());
        let scene = py.detach(|| PlanningScene::new(model, semantics)).map_err(Refused::from)?;
        Ok(Self::of(robot, scene))
    }

    /// The robot, with the surfaces it has now.
    #[getter(robot)]
    fn get_robot(&self, py: Python<'_>) -> PyResult<Py<Robot>> {
        self.robot(py)
    }

    /// The same scene, to be changed on its own.
    fn copy(&self, py: Python<'_>) -> Self {
        Self::of(self.robot.clone_ref(py), self.snapshot().clone())
    }

    /// Adds an object. `shape` is a Shape, or a list of Shapes and of tuples (Shape, pose in the object); `pose` is that in
    /// the frame of the root link.
    #[pyo3(signature = (id, shape, pose = None))]
    fn add(
        &self,
        id: &str,
        shape: &Bound<'_, PyAny>,
        pose: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        self.apply(WorldChange::Add(object(id, shape, pose)?))
    }

    /// Moves an object of the world to a pose in the frame of the root link.
    fn r#move(&self, id: &str, pose: &Bound<'_, PyAny>) -> PyResult<()> {
        self.apply(WorldChange::Move { name: id.into(), pose: read_pose("pose", Some(pose))? })
    }

    /// Removes an object of the world or one that is attached.
    fn remove(&self, id: &str) -> PyResult<()> {
        self.change(|scene| {
            let name = id.to_string();
            match scene.attached_object(id).is_some() {
                true => scene.apply(RobotChange::Detach { name }),
                false => scene.apply(WorldChange::Remove { name }),
            }
        })
    }

    /// Removes all objects of the world and all that are attached.
    fn clear(&self) -> PyResult<()> {
        let empty = WorldFile::parse("[]", "empty").map_err(Refused::from)?;
        self.change(|scene| empty.replace_in(scene))
    }

    /// Fixes an object to a link: a new one from `shape` and its pose in the link, or one of the world, taken where it is
    /// in the state `q`. It may touch that link and `touch_links`.
    #[pyo3(signature = (id, link, shape = None, pose = None, *, touch_links = vec![], q = None))]
    fn attach(
        &self,
        id: &str,
        link: String,
        shape: Option<&Bound<'_, PyAny>>,
        pose: Option<&Bound<'_, PyAny>>,
        touch_links: Vec<String>,
        q: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        match (shape, pose, q) {
            (Some(shape), pose, None) => self.apply(RobotChange::Attach {
                object: object(id, shape, pose)?,
                link,
                touch_links,
            }),
            (None, None, Some(q)) => {
                let q = States::read_one("q", q, &self.robot.get().model)?;
                self.change(|scene| {
                    let change = scene.attach_from_world(id, &link, &touch_links, &q)?;
                    scene.apply(change)
                })
            }
            _ => Err(refused(
                "attach takes a shape and its pose in the link, or the state q in which to take an object of the world",
            )),
        }
    }

    /// Leaves an attached object in the world, where it is in this state.
    fn detach(&self, id: &str, q: &Bound<'_, PyAny>) -> PyResult<()> {
        let q = States::read_one("q", q, &self.robot.get().model)?;
        self.change(|scene| {
            let change = scene.detach_to_world(id, &q)?;
            scene.apply(change)
        })
    }

    /// Lets two bodies touch, or one body touch everything. `allowed=False` forbids it, `allowed=None` removes the entry.
    #[pyo3(signature = (a, b = None, *, allowed = Some(true)))]
    fn allow(&self, a: String, b: Option<String>, allowed: Option<bool>) -> PyResult<()> {
        let entry = allowed.map(|allowed| Allowance { allowed, reason: Reason::User });
        self.change(|scene| {
            [Some(&a), b.as_ref()].into_iter().flatten().try_for_each(|name| known(scene, name))?;
            scene.apply(match b {
                Some(b) => MatrixChange::SetEntry { a, b, entry },
                None => MatrixChange::SetDefault { name: a, entry },
            })
        })
    }

    /// Whether two bodies may touch.
    fn is_allowed(&self, a: &str, b: &str) -> bool {
        self.snapshot().acm().decide(a, b).allowed
    }

    /// Sets padding towards the world, padding towards the robot itself (m) and scale of a link, or of all links. What is not
    /// given stays.
    #[pyo3(signature = (padding = None, link = None, *, self_padding = None, scale = None))]
    fn pad(
        &self,
        padding: Option<f64>,
        link: Option<String>,
        self_padding: Option<f64>,
        scale: Option<f64>,
    ) -> PyResult<()> {
        self.change(|scene| {
            let links = match link {
                Some(link) => vec![link],
                None => scene.model().links().iter().map(|link| link.name.clone()).collect(),
            };
            let grown = |link: String| {
                let mut size = scene.sizes().link(&link);
                size.padding = padding.unwrap_or(size.padding);
                size.self_padding = self_padding.unwrap_or(size.self_padding);
                size.scale = scale.unwrap_or(size.scale);
                SceneChange::Robot(RobotChange::SetLinkSize { link, size })
            };
            let mut changes: Vec<SceneChange> = links.into_iter().map(grown).collect();
            match changes.len() {
                1 => scene.apply(changes.remove(0)),
                _ => scene.apply(SceneChange::Several(changes)),
            }
        })
    }

    /// The least distance that two bodies have to keep, m.
    fn margin(&self, a: String, b: String, margin: f64) -> PyResult<()> {
        self.change(|scene| {
            [&a, &b].into_iter().try_for_each(|name| known(scene, name))?;
            scene.apply(RobotChange::SetMargin { a, b, margin })
        })
    }

    fn __repr__(&self) -> String {
        let scene = self.snapshot();
        let (name, objects) = (scene.model().name(), scene.world().len());
        format!("Scene(\"{name}\", {objects} objects, {} attached)", scene.attached().len())
    }

    fn __eq__(&self, other: &Bound<'_, Scene>) -> bool {
        *self.snapshot() == *other.get().snapshot()
    }
}

/// Refuses a name of no link and no object: the scene would keep the entry without effect until such a body appears.
fn known(scene: &PlanningScene, name: &str) -> Result<(), SceneError> {
    match scene.body(name) {
        Some(_) => Ok(()),
        None => Err(SceneError::UnknownName { kind: "link or object", name: name.to_owned() }),
    }
}
