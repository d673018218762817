//! A robot: names, limits, forward kinematics.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use smooth_scene_robot::srdf::{Semantics, Srdf};
use smooth_scene_robot::{
    Coupling, LinkId, LinkPoses, LoadOptions, RobotModel, RobotState, StateSampler, UrdfDocument,
};

use crate::array::Batch;
use crate::error::{Refused, refused};
use crate::pose::push_matrix;
use crate::shape::{Shape, shape_at};
use crate::states::States;

/// A robot from URDF and SRDF. Immutable.
#[pyclass(frozen, module = "smooth_scene")]
pub(crate) struct Robot {
    pub model: Arc<RobotModel>,
    pub semantics: Option<Semantics>,
    pub(crate) document: UrdfDocument,
    /// The SRDF and its name in messages.
    pub(crate) srdf: Option<(String, Srdf)>,
    /// The sidecar of surfaces: its name in messages and its text.
    pub(crate) surfaces: Option<(String, String)>,
    /// How its meshes are found; none for a robot from another process, whose files may not be here.
    pub(crate) files: Option<LoadOptions>,
    pub(crate) warnings: Vec<String>,
}

#[pymethods]
impl Robot {
    /// Name of the robot.
    #[getter]
    fn name(&self) -> &str {
        self.model.name()
    }

    /// Name of each column of a state: the joint, with MoveIt's suffix for planar and floating joints. Joints that follow
    /// others have no column.
    #[getter]
    fn joint_names(&self) -> Vec<String> {
        self.model.variable_names().to_vec()
    }

    /// Names of the links, the root first.
    #[getter]
    fn link_names(&self) -> Vec<&str> {
        self.model.links().iter().map(|link| link.name.as_str()).collect()
    }

    /// Columns of a state.
    #[getter]
    fn position_count(&self) -> usize {
        self.model.position_count()
    }

    /// Degrees of freedom: columns of a gradient. Fewer than columns of a state only with floating joints.
    #[getter]
    fn dof(&self) -> usize {
        self.model.velocity_count()
    }

    /// What in the files was not used, or was given a meaning they do not state.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    /// Lower limits, (position_count,): rad or m, -inf without one.
    #[getter]
    fn lower(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.per_position(py, f64::NEG_INFINITY, |joint| joint.limits.lower)
    }

    /// Upper limits, (position_count,): rad or m, inf without one.
    #[getter]
    fn upper(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.per_position(py, f64::INFINITY, |joint| joint.limits.upper)
    }

    /// Every joint at zero, or at the limit nearest to zero, (position_count,).
    #[getter]
    fn default(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let state = RobotState::new(self.model.clone());
        Batch::Many(self.model.position_count()).array(py, state.positions().to_vec(), &[])
    }

    /// Names of the positions of each group of the SRDF, without joints that are fixed or follow others.
    #[getter]
    fn groups<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let groups = PyDict::new(py);
        for group in self.semantics.iter().flat_map(|semantics| &semantics.groups) {
            let mut names = Vec::new();
            for joint in group.joints.iter().map(|id| self.model.joint(*id)) {
                if let Coupling::Independent { position, .. } = joint.coupling {
                    let own = position..position + joint.kind.position_count();
                    names.extend_from_slice(&self.model.variable_names()[own]);
                }
            }
            groups.set_item(&group.name, names)?;
        }
        Ok(groups)
    }

    /// A state from names and numbers; joints not named are where `base` has them, or at their default.
    #[pyo3(signature = (positions, base = None))]
    fn state(
        &self,
        py: Python<'_>,
        positions: &Bound<'_, PyDict>,
        base: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        let mut state = RobotState::new(self.model.clone());
        if let Some(base) = base {
            let base = States::read_one("base", base, &self.model)?;
            state.set_positions(&base).map_err(Refused::from)?;
        }
        let (mut names, mut values) = (Vec::<String>::new(), Vec::<f64>::new());
        for (name, value) in positions {
            names.push(name.extract()?);
            values.push(value.extract()?);
        }
        state.merge(&names, &values).map_err(Refused::from)?;
        Batch::Many(state.positions().len()).array(py, state.positions().to_vec(), &[])
    }

    /// Random states within the limits, (n, position_count), or one state (position_count,). The same seed gives the same
    /// states on every machine; without one they are new each time. Lengths without limits are drawn from [-1, 1] m.
    #[pyo3(signature = (n = None, seed = None))]
    fn random(&self, py: Python<'_>, n: Option<usize>, seed: Option<u64>) -> PyResult<Py<PyAny>> {
        let batch = n.map_or(Batch::One, Batch::Many);
        let width = self.model.position_count();
        if batch.count().saturating_mul(width) > isize::MAX as usize / 16 {
            return Err(refused(format!("n is {}, more than fits into memory", batch.count())));
        }
        let seed = match seed {
            Some(seed) => seed,
            None => py.import("secrets")?.call_method1("randbits", (64,))?.extract()?,
        };
        let mut sampler = StateSampler::new(&self.model, seed);
        let mut numbers = Vec::new();
        numbers
            .try_reserve_exact(batch.count() * width)
            .map_err(|_| refused(format!("n is {}, more than fits into memory", batch.count())))?;
        let mut state = Vec::new();
        for _ in 0..batch.count() {
            sampler.draw_into(&mut state);
            numbers.extend_from_slice(&state);
        }
        batch.array(py, numbers, &[width])
    }

    /// Poses of links in the frame of the root: states (n, position_count) give (n, links, 4, 4), one state gives
    /// (links, 4, 4). All links in the order of `link_names`, or those of `links`.
    #[pyo3(signature = (q, links = None, *, threads = None))]
    fn fk(
        &self,
        py: Python<'_>,
        q: &Bound<'_, PyAny>,
        links: Option<Vec<String>>,
        threads: Option<i64>,
    ) -> PyResult<Py<PyAny>> {
        let states = States::read("q", q, &self.model)?;
        let ids = match &links {
            Some(names) => names.iter().map(|n| self.link_id(n)).collect::<PyResult<Vec<_>>>()?,
            None => self.model.link_ids().collect(),
        };
        let each = states.ask(py, threads, |positions, _| {
            let mut poses = LinkPoses::new();
            poses.update(&self.model, positions)?;
            let mut numbers = Vec::with_capacity(16 * ids.len());
            ids.iter().for_each(|id| push_matrix(&mut numbers, &poses[*id]));
            Ok::<_, smooth_scene_robot::StateError>(numbers)
        })?;
        states.batch.array(py, each.concat(), &[ids.len(), 4, 4])
    }

    /// The surfaces of a link with their poses in its frame: what is compared, not what is drawn.
    fn shapes(&self, py: Python<'_>, link: &str) -> PyResult<Vec<(Shape, Py<PyAny>)>> {
        let surfaces = &self.model.link(self.link_id(link)?).collisions;
        surfaces.iter().map(|s| shape_at(py, &s.shape, &s.pose_in_link)).collect()
    }

    fn __repr__(&self) -> String {
        let (links, joints) = (self.model.links().len(), self.model.position_count());
        format!("Robot(\"{}\", {links} links, {joints} joint positions)", self.model.name())
    }
}

impl Robot {
    fn link_id(&self, name: &str) -> PyResult<LinkId> {
        let id = self.model.link_id(name);
        id.ok_or_else(|| refused(format!("the robot has no link `{name}`")))
    }

    /// The same robot with other surfaces.
    pub fn with_model(&self, model: Arc<RobotModel>) -> Self {
        Self {
            model,
            semantics: self.semantics.clone(),
            document: self.document.clone(),
            srdf: self.srdf.clone(),
            surfaces: self.surfaces.clone(),
            files: self.files.clone(),
            warnings: self.warnings.clone(),
        }
    }

    /// A number of every joint that has one position of its own; `other` for the numbers of all others.
    fn per_position(
        &self,
        py: Python<'_>,
        other: f64,
        number: impl Fn(&smooth_scene_robot::Joint) -> f64,
    ) -> PyResult<Py<PyAny>> {
        let mut numbers = vec![other; self.model.position_count()];
        for joint in self.model.joints() {
            if let (true, Coupling::Independent { position, .. }) =
                (joint.kind.is_single(), joint.coupling)
            {
                numbers[position] = number(joint);
            }
        }
        Batch::Many(numbers.len()).array(py, numbers, &[])
    }
}
