//! The scene and its changes.
//!
//! Questions take a snapshot and work on it without a lock, so a scene may be changed by one thread while another asks:
//! every answer is about the scene as it was when the question was asked.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use smooth_scene_scene::{
    Allowance, MatrixChange, PlanningScene, Reason, RobotChange, SceneChange, SceneError,
    SceneObject, WorldChange, WorldFile,
};

use crate::array::Batch;
use crate::error::{Refused, refused};
use crate::pose::{push_matrix, read_pose};
use crate::robot::Robot;
use crate::shape::{Shape, read_shapes};
use crate::states::States;

/// A robot and what is around it.
#[pyclass(frozen, module = "smooth_scene")]
pub(crate) struct Scene {
    robot: Py<Robot>,
    current: Mutex<Arc<PlanningScene>>,
}

impl Scene {
    pub fn of(robot: Py<Robot>, scene: PlanningScene) -> Self {
        Self { robot, current: Mutex::new(Arc::new(scene)) }
    }

    pub fn robot(&self) -> &Py<Robot> {
        &self.robot
    }

    /// The scene as it is now. A change is whole or not made at all, so a panic leaves a whole scene behind.
    pub fn snapshot(&self) -> Arc<PlanningScene> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Replaces the scene by what `change` makes of a copy of it.
    pub fn change<E>(
        &self,
        change: impl FnOnce(&mut PlanningScene) -> Result<SceneChange, E>,
    ) -> PyResult<()>
    where
        Refused: From<E>,
    {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        change(Arc::make_mut(&mut current)).map_err(Refused::from)?;
        Ok(())
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

    /// The robot.
    #[getter(robot)]
    fn get_robot(&self, py: Python<'_>) -> Py<Robot> {
        self.robot.clone_ref(py)
    }

    /// The same scene, to be changed on its own.
    fn copy(&self, py: Python<'_>) -> Self {
        Self { robot: self.robot.clone_ref(py), current: Mutex::new(self.snapshot()) }
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
            for name in [Some(&a), b.as_ref()].into_iter().flatten() {
                if scene.body(name).is_none() {
                    let (kind, name) = ("link or object", name.clone());
                    return Err(SceneError::UnknownName { kind, name });
                }
            }
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
        self.apply(RobotChange::SetMargin { a, b, margin })
    }

    /// Names of the objects of the world, sorted.
    #[getter]
    fn objects(&self) -> Vec<String> {
        let scene = self.snapshot();
        let mut names: Vec<String> =
            scene.world().iter().map(|(_, object)| object.name().to_owned()).collect();
        names.sort();
        names
    }

    /// Attached objects and the links that carry them.
    #[getter]
    fn attached<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (scene, attached) = (self.snapshot(), PyDict::new(py));
        for found in scene.attached() {
            attached.set_item(found.object.name(), &scene.model().link(found.link).name)?;
        }
        Ok(attached)
    }

    /// The pose of an object, (4, 4): in the world, or in the link it is attached to.
    fn pose(&self, py: Python<'_>, id: &str) -> PyResult<Py<PyAny>> {
        let scene = self.snapshot();
        let mut numbers = Vec::with_capacity(16);
        push_matrix(&mut numbers, find(&scene, id)?.pose());
        Batch::One.array(py, numbers, &[4, 4])
    }

    /// The shapes of an object with their poses in it.
    fn shapes(&self, py: Python<'_>, id: &str) -> PyResult<Vec<(Shape, Py<PyAny>)>> {
        let scene = self.snapshot();
        let each = find(&scene, id)?.shapes().map(|(pose, shape)| {
            let mut numbers = Vec::with_capacity(16);
            push_matrix(&mut numbers, &pose);
            Ok((Shape { inner: shape.clone() }, Batch::One.array(py, numbers, &[4, 4])?))
        });
        each.collect()
    }

    /// The objects as a world file.
    fn to_yaml(&self) -> PyResult<String> {
        Ok(WorldFile::of_scene(&self.snapshot()).to_yaml().map_err(Refused::from)?)
    }

    /// Writes the objects to a world file.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        Ok(std::fs::write(path, self.to_yaml()?)?)
    }

    /// Replaces all objects by those of a world file; returns what in the file was not used.
    fn load(&self, path: PathBuf) -> PyResult<Vec<String>> {
        let file = WorldFile::load(path).map_err(Refused::from)?;
        self.change(|scene| file.replace_in(scene))?;
        Ok(file.notes().to_vec())
    }

    fn __repr__(&self) -> String {
        let scene = self.snapshot();
        let (name, objects) = (scene.model().name(), scene.world().len());
        format!("Scene(\"{name}\", {objects} objects, {} attached)", scene.attached().len())
    }

    fn __eq__(&self, other: &Bound<'_, Scene>) -> bool {
        self.snapshot() == other.get().snapshot()
    }
}

fn find<'a>(scene: &'a PlanningScene, id: &str) -> PyResult<&'a SceneObject> {
    if let Some(attached) = scene.attached_object(id) {
        return Ok(&attached.object);
    }
    let unknown = || Refused::from(SceneError::UnknownObject { name: id.into() });
    Ok(scene.world().by_name(id).ok_or_else(unknown)?)
}
