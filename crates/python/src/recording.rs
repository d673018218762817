//! Recordings of rosbag2: the joint states of a robot in and out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use smooth_scene::bag::{self, BagWriter, RecordedStates, RecordedTopic, Topic};
use smooth_scene::cdr;
use smooth_scene::interfaces::builtin_interfaces::msg::Time;
use smooth_scene::interfaces::sensor_msgs::msg::JointState;
use smooth_scene::interfaces::std_msgs::msg::{Header, String as Text};
use smooth_scene_robot::{LoadOptions, RobotState};

use crate::array::{Batch, read_numbers, shape_text};
use crate::error::{Refused, refused};
use crate::pickle::pickle_fields;
use crate::robot::Robot;
use crate::robot_files::mesh_policy;
use crate::states::States;

const URDF: &str = "robot_description";
const SRDF: &str = "robot_description_semantic";
const SURFACES: &str = "robot_description_scs";
const NANOSECONDS: f64 = 1e9;

/// The joint states of a robot in a recording.
#[pyclass(frozen, get_all, module = "smooth_scene")]
pub(crate) struct Recording {
    /// The file or folder.
    path: PathBuf,
    /// The robot: the one that was given, else the one that the recording describes.
    robot: Py<Robot>,
    /// The state after each message, (n, position_count).
    states: Py<PyAny>,
    /// Time of each, (n,), s from the first.
    times: Py<PyAny>,
    /// Names of the joints that occur in messages; the others are at their default.
    moved: Vec<String>,
    /// Names that are not the robot's, and how often they occur.
    unknown: BTreeMap<String, usize>,
    /// What was not used, and why.
    notes: Vec<String>,
}

pickle_fields!(Recording: path, robot, states, times, moved, unknown, notes);

/// Reads the joint states of a robot from a recording of rosbag2: a folder, or one MCAP file, compressed or not.
///
/// Every message sets the joints it names and keeps the others. Without a robot it is the one that the recording describes
/// (topics `robot_description`, `robot_description_semantic` and `robot_description_scs`); `package_paths` and `meshes` are as in
/// `Robot.load`. `topic` is the one of joint states, by default any that ends in `joint_states`.
#[pyfunction]
#[pyo3(signature = (path, robot = None, *, topic = None, package_paths = vec![], meshes = "require"))]
pub(crate) fn read_bag(
    py: Python<'_>,
    path: PathBuf,
    robot: Option<Py<Robot>>,
    topic: Option<&str>,
    package_paths: Vec<PathBuf>,
    meshes: &str,
) -> PyResult<Recording> {
    let options =
        LoadOptions { package_paths, meshes: mesh_policy(meshes)?, ..LoadOptions::default() };
    let is_state = |other: &Topic| bag::is_joint_states(other, topic);
    let is_text = |other: &Topic| [URDF, SRDF, SURFACES].iter().any(|n| bag::is_text(other, n));
    let recording = py
        .detach(|| bag::read(&path, &|other| is_state(other) || is_text(other)))
        .map_err(Refused::from)?;
    let robot = match robot {
        Some(robot) => robot,
        None => Py::new(py, py.detach(|| described(&path, &recording, options))?)?,
    };
    let model = &robot.get().model;
    let found = py.detach(|| RecordedStates::new(&recording, model, &is_state));
    if let Some(why) = found.nothing(&recording, model, topic) {
        return Err(refused(format!("{}: {why}", path.display())));
    }
    let width = model.position_count();
    let numbers = found.states.iter().flat_map(|state| state.positions().to_vec()).collect();
    let batch = Batch::Many(found.states.len());
    Ok(Recording {
        states: batch.array(py, numbers, &[width])?,
        times: PyArray1::from_vec(py, found.times).into_any().unbind(),
        moved: found.moved.into_iter().collect(),
        unknown: found.unknown,
        notes: found.notes,
        robot,
        path,
    })
}

/// The robot that the recording describes.
fn described(path: &Path, recording: &bag::Recording, options: LoadOptions) -> PyResult<Robot> {
    let text = |name: &str| bag::text(recording, name).map_err(Refused::from);
    let label = |name: &str| format!("{}: {name}", path.display());
    let Some(urdf) = text(URDF)? else {
        let path = path.display();
        return Err(refused(format!("{path}: no robot: it has no `{URDF}`, and none was given")));
    };
    let (srdf, surfaces) = (text(SRDF)?, text(SURFACES)?);
    let (urdf_label, srdf_label) = (label(URDF), label(SRDF));
    let srdf = srdf.as_deref().map(|text| (srdf_label.as_str(), text));
    let surfaces = surfaces.map(|text| (label(SURFACES), text));
    Robot::from_texts((&urdf_label, &urdf), srdf, surfaces, options)
}

/// Writes joint states as a recording of rosbag2, a new folder with an MCAP file, which `ros2 bag play` and `read_bag` read. The
/// descriptions of the robot are in it.
///
/// `times` (n,) are seconds from the beginning, in order, one for each of `states` (n, position_count); `start` is the time of the
/// beginning in seconds since the epoch.
#[pyfunction]
#[pyo3(signature = (path, robot, times, states, *, topic = "/joint_states", start = 0.0))]
pub(crate) fn write_bag(
    py: Python<'_>,
    path: PathBuf,
    robot: &Bound<'_, Robot>,
    times: &Bound<'_, PyAny>,
    states: &Bound<'_, PyAny>,
    topic: &str,
    start: f64,
) -> PyResult<()> {
    let robot = robot.get();
    let states = States::read("states", states, &robot.model)?;
    let times = read_times(times, states.batch, start)?;
    // Positions that are none are refused before anything is written.
    let mut all = Vec::with_capacity(times.len());
    for row in 0..times.len() {
        let positions = states.row(row).to_vec();
        let state = RobotState::at(robot.model.clone(), positions);
        all.push(state.map_err(|error| refused(format!("state {row}: {error}")))?);
    }
    let topic = format!("/{}", topic.trim_start_matches('/'));
    py.detach(|| write(&path, robot, &topic, &times, &all))
}

/// The times, ns since the epoch.
fn read_times(times: &Bound<'_, PyAny>, batch: Batch, start: f64) -> PyResult<Vec<i64>> {
    let numbers = read_numbers("times", times)?;
    let Batch::Many(count) = batch else {
        return Err(refused("states is one state, must be (n, position_count)"));
    };
    if count == 0 {
        return Err(refused("states has no states, must have at least one"));
    }
    if numbers.shape != [count] {
        let shape = shape_text(&numbers.shape);
        return Err(refused(format!("times has shape {shape}, must be ({count},)")));
    }
    // The end is that of the stamps of messages.
    let range = 0.0..=f64::from(i32::MAX);
    let mut all: Vec<i64> = Vec::with_capacity(count);
    for (row, seconds) in numbers.values.iter().enumerate() {
        // Written so that NaN is refused.
        if !(range.contains(&(start + seconds)) && range.contains(&start)) {
            return Err(refused(format!(
                "times[{row}] is {seconds} s after {start} s, must be from 1970 to 2038"
            )));
        }
        // Each for itself: the sum of seconds would be good to a quarter of a microsecond only.
        let time = (start * NANOSECONDS).round() as i64 + (seconds * NANOSECONDS).round() as i64;
        if all.last().is_some_and(|before| *before > time) {
            return Err(refused(format!("times[{row}] is {seconds}, less than the one before")));
        }
        all.push(time);
    }
    Ok(all)
}

fn write(
    path: &Path,
    robot: &Robot,
    topic: &str,
    times: &[i64],
    states: &[RobotState],
) -> PyResult<()> {
    let srdf = robot.srdf.as_ref().map(|(_, srdf)| srdf.to_xml());
    let texts = [
        (URDF, Some(robot.document.text().to_string())),
        (SRDF, srdf),
        (SURFACES, robot.surfaces.as_ref().map(|(_, text)| text.clone())),
    ];
    let texts: Vec<_> = texts.into_iter().filter_map(|(name, text)| Some((name, text?))).collect();
    let mut topics = vec![RecordedTopic::new(topic, "sensor_msgs/msg/JointState", false)];
    for (name, _) in &texts {
        topics.push(RecordedTopic::new(&format!("/{name}"), "std_msgs/msg/String", true));
    }
    let topics = topics.into_iter().collect::<Result<_, _>>().map_err(Refused::from)?;
    let mut writer = BagWriter::create(path, topics).map_err(Refused::from)?;
    for (index, (_, data)) in texts.into_iter().enumerate() {
        let text = cdr::encode(&Text { data });
        writer.write(index + 1, times[0], &text).map_err(Refused::from)?;
    }
    for (time, state) in times.iter().zip(states) {
        let second = NANOSECONDS as i64;
        let stamp = Time { sec: (time / second) as i32, nanosec: (time % second) as u32 };
        let message = JointState {
            header: Header { stamp, ..Header::default() },
            name: robot.model.variable_names().to_vec(),
            position: state.positions().to_vec(),
            ..JointState::default()
        };
        writer.write(0, *time, &cdr::encode(&message)).map_err(Refused::from)?;
    }
    Ok(writer.finish().map_err(Refused::from)?)
}

#[pymethods]
impl Recording {
    /// Length of the recording, s.
    #[getter]
    fn seconds(&self, py: Python<'_>) -> PyResult<f64> {
        self.times.bind(py).get_item(-1)?.extract()
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.times.bind(py).len()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (count, seconds) = (self.times.bind(py).len()?, self.seconds(py)?);
        let (name, moved) = (self.robot.get().model.name(), self.moved.len());
        Ok(format!(
            "Recording({count} states of \"{name}\" in {seconds:.3} s, {moved} joints move)"
        ))
    }

    /// The states as a `pandas.DataFrame`: `time`, then a column for each joint.
    fn to_pandas<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let table = PyDict::new(py);
        table.set_item("time", &self.times)?;
        let columns = self.states.bind(py).getattr("T")?;
        for (name, column) in
            self.robot.get().model.variable_names().iter().zip(columns.try_iter()?)
        {
            table.set_item(name, column?)?;
        }
        py.import("pandas")?.call_method1("DataFrame", (table,))
    }
}
