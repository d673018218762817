//! The engine from Python: scenes, distances and planning on NumPy arrays, without ROS.
//!
//! This crate is the module `smooth_scene._core`; the package around it, with its documentation and types, is in
//! `python/smooth_scene`. Arguments are copied from NumPy, questions are answered without the interpreter lock on a
//! snapshot of the scene, and what the crates below refuse becomes an exception with their words.
//!
//! # Layout
//!
//! - `array`, `pose`, `states`: arrays in and out, and batches of questions over `threads`
//! - `shape`, `robot` (with `robot_files`), `scene` (with `scene_contents`): the classes; `robot_state` and `scene_state` pickle them
//! - `questions`, `motions`, `planning`, `distances`: what can be asked, with the classes of the answers (`pairs`); `pickle` and
//!   `plan_state` pickle them
//! - `fitting`, `recording`, `view`: surfaces for meshes, recordings of rosbag2, the browser view

mod array;
mod distances;
mod error;
mod fitting;
mod motions;
mod pairs;
mod pickle;
mod plan_state;
mod planning;
mod pose;
mod questions;
mod recording;
mod robot;
mod robot_files;
mod robot_state;
mod scene;
mod scene_contents;
mod scene_state;
mod shape;
mod states;
mod threads;
mod view;

use pyo3::prelude::*;

#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("Error", py.get_type::<error::Error>())?;
    module.add("NoPathError", py.get_type::<error::NoPathError>())?;
    module.add_class::<shape::Shape>()?;
    module.add_class::<robot::Robot>()?;
    module.add_class::<scene::Scene>()?;
    module.add_class::<pairs::Pairs>()?;
    module.add_class::<distances::Distances>()?;
    module.add_class::<questions::Gradients>()?;
    module.add_class::<motions::Motion>()?;
    module.add_class::<planning::Plan>()?;
    module.add_class::<fitting::Fit>()?;
    module.add_class::<recording::Recording>()?;
    module.add_class::<view::View>()?;
    module.add_function(wrap_pyfunction!(distances::distance, module)?)?;
    module.add_function(wrap_pyfunction!(fitting::fit, module)?)?;
    module.add_function(wrap_pyfunction!(recording::read_bag, module)?)?;
    module.add_function(wrap_pyfunction!(recording::write_bag, module)?)
}
