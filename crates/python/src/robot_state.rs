//! Pickling a robot: the texts of URDF and SRDF, and the surfaces of every link.
//!
//! The texts give the joints again to the last bit. The surfaces come from meshes and sidecar files that another machine
//! may not have, so they are written out.

use nalgebra::{Quaternion, UnitQuaternion};
use pyo3::prelude::*;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_robot::values::{ShapeSet, read_shape, read_yaml, shape_text};
use smooth_scene_robot::{LinkSurface, LoadOptions, MeshPolicy, RobotModel, parse_urdf};

use crate::error::{Refused, refused};
use crate::robot::Robot;
use crate::robot_files::read_srdf;

/// A surface: link, name, pose (x y z and quaternion x y z w), and the text of the shape.
pub(crate) type SurfaceState = (String, Option<String>, [f64; 7], String);
/// A file: its name in messages and its text.
type FileState = (String, String);
/// URDF, SRDF, surfaces, sidecar.
type RobotPickle = (FileState, Option<FileState>, Vec<SurfaceState>, Option<FileState>);

#[pymethods]
impl Robot {
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, RobotPickle)> {
        let robot = slf.get();
        let mut surfaces = Vec::new();
        for link in robot.model.links() {
            for surface in &link.collisions {
                let text = shape_text(&surface.shape).map_err(|reason| {
                    refused(format!("link `{}` has {reason}, which cannot be written", link.name))
                })?;
                let pose = pose_numbers(&surface.pose_in_link);
                surfaces.push((link.name.clone(), surface.name.clone(), pose, text));
            }
        }
        let (file, text) = (robot.document.file().into(), robot.document.text().into());
        let srdf = robot.srdf.as_ref().map(|(file, srdf)| (file.clone(), srdf.to_xml()));
        let state = ((file, text), srdf, surfaces, robot.surfaces.clone());
        Ok((slf.get_type().getattr("_from_state")?, state))
    }

    #[staticmethod]
    fn _from_state(
        py: Python<'_>,
        urdf: FileState,
        srdf: Option<FileState>,
        surfaces: Vec<SurfaceState>,
        sidecar: Option<FileState>,
    ) -> PyResult<Self> {
        py.detach(|| {
            let options = LoadOptions { meshes: MeshPolicy::Skip, ..LoadOptions::default() };
            let mut loaded = parse_urdf(&urdf.1, &urdf.0, &options).map_err(Refused::from)?;
            let srdf = srdf.map(|(file, text)| read_srdf(&file, &text)).transpose()?;
            restore(&mut loaded.model, surfaces)?;
            Self::new(loaded, srdf, sidecar, None)
        })
    }
}

/// Puts these surfaces, and no others, on the links of a model.
fn restore(model: &mut RobotModel, surfaces: Vec<SurfaceState>) -> PyResult<()> {
    let mut by_link: Vec<Vec<LinkSurface>> = vec![Vec::new(); model.links().len()];
    for (link, name, pose, text) in surfaces {
        let id = model.link_id(&link);
        let id = id.ok_or_else(|| refused(format!("the robot has no link `{link}`")))?;
        let value = read_yaml(&format!("{{{text}}}")).map_err(Refused::from)?;
        let (shape, _) = read_shape(&link, &value, ShapeSet::All, &[]).map_err(Refused::from)?;
        let pose_in_link = pose_of(&link, &pose)?;
        by_link[id.index()].push(LinkSurface { name, pose_in_link, shape });
    }
    for (id, collisions) in model.link_ids().zip(by_link) {
        model.replace_collisions(id, collisions);
    }
    Ok(())
}

fn pose_numbers(pose: &Pose) -> [f64; 7] {
    let (p, q) = (pose.translation.vector, pose.rotation.coords);
    [p.x, p.y, p.z, q.x, q.y, q.z, q.w]
}

/// The pose of these numbers, to the last bit.
fn pose_of(link: &str, numbers: &[f64; 7]) -> PyResult<Pose> {
    let [x, y, z, qx, qy, qz, qw] = *numbers;
    let quaternion = Quaternion::new(qw, qx, qy, qz);
    let is_pose =
        numbers.iter().all(|number| number.is_finite()) && (quaternion.norm() - 1.0).abs() <= 1e-6;
    if !is_pose {
        return Err(refused(format!("link `{link}`: {numbers:?} is not a pose")));
    }
    let rotation = UnitQuaternion::new_unchecked(quaternion);
    Ok(Pose::from_parts(Vec3::new(x, y, z).into(), rotation))
}
