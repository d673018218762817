//! What is in a scene, and world files.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use smooth_scene_scene::{PlanningScene, SceneError, SceneObject, WorldFile};

use crate::array::Batch;
use crate::error::Refused;
use crate::pose::push_matrix;
use crate::scene::Scene;
use crate::shape::{Shape, shape_at};

#[pymethods]
impl Scene {
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
        let each = find(&scene, id)?.shapes();
        each.map(|(pose, shape)| shape_at(py, shape, &pose)).collect()
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
}

fn find<'a>(scene: &'a PlanningScene, id: &str) -> PyResult<&'a SceneObject> {
    if let Some(attached) = scene.attached_object(id) {
        return Ok(&attached.object);
    }
    let unknown = || Refused::from(SceneError::UnknownObject { name: id.into() });
    Ok(scene.world().by_name(id).ok_or_else(unknown)?)
}
