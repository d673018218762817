//! Poses in and out: 4×4 matrices, or positions and quaternions x y z w.

use nalgebra::{Matrix3, Rotation3, UnitQuaternion};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_robot::values::{read_position, read_rotation};

use crate::array::{Batch, Numbers, read_numbers, shape_text};
use crate::error::{Refused, refused};

/// How far the rotation part of a matrix may be from a rotation, and its last row from 0 0 0 1. A matrix of single
/// precision is a rotation to 1e-7.
const RIGID_TOLERANCE: f64 = 1e-6;

/// Poses, batch first.
pub(crate) struct Poses {
    pub poses: Vec<Pose>,
    pub batch: Batch,
}

/// One pose; the identity without one.
pub(crate) fn read_pose(name: &str, value: Option<&Bound<'_, PyAny>>) -> PyResult<Pose> {
    let Some(value) = value else { return Ok(Pose::identity()) };
    let read = read_poses(name, value)?;
    match read.batch {
        Batch::One => Ok(read.poses[0]),
        Batch::Many(count) => Err(refused(format!("{name} is {count} poses, must be one"))),
    }
}

/// One pose or many.
pub(crate) fn read_poses(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Poses> {
    if let Ok(pair) = value.cast::<PyTuple>()
        && pair.len() == 2
    {
        return from_pair(name, &pair.get_item(0)?, &pair.get_item(1)?);
    }
    let numbers = read_numbers(name, value)?;
    match numbers.shape[..] {
        [4, 4] => each(name, &numbers, Batch::One, 16, from_matrix),
        [count, 4, 4] => each(name, &numbers, Batch::Many(count), 16, from_matrix),
        [7] => each(name, &numbers, Batch::One, 7, from_seven),
        [count, 7] => each(name, &numbers, Batch::Many(count), 7, from_seven),
        [3] => each(name, &numbers, Batch::One, 3, from_position),
        [count, 3] => each(name, &numbers, Batch::Many(count), 3, from_position),
        ref other => Err(refused(format!(
            "{name} has shape {}, must be (4, 4) for a matrix, (7,) for x y z and quaternion x y z w, (3,) for a position, \
             any of them after (n, …), or a tuple of positions and quaternions",
            shape_text(other)
        ))),
    }
}

fn from_pair(
    name: &str,
    positions: &Bound<'_, PyAny>,
    quaternions: &Bound<'_, PyAny>,
) -> PyResult<Poses> {
    let position_name = format!("{name}: position");
    let quaternion_name = format!("{name}: quaternion");
    let positions = read_numbers(&position_name, positions)?;
    let quaternions = read_numbers(&quaternion_name, quaternions)?;
    let batch = match (&positions.shape[..], &quaternions.shape[..]) {
        ([3], [4]) => Batch::One,
        ([m, 3], [n, 4]) if m == n => Batch::Many(*m),
        (p, q) => {
            let (p, q) = (shape_text(p), shape_text(q));
            return Err(refused(format!(
                "{name}: positions and quaternions have shapes {p} and {q}, must be (3,) and (4,) or (n, 3) and (n, 4)"
            )));
        }
    };
    let rows = positions.values.chunks_exact(3).zip(quaternions.values.chunks_exact(4));
    let poses = rows.enumerate().map(|(row, (position, quaternion))| {
        from_seven(&label(name, batch, row), &[position, quaternion].concat())
    });
    Ok(Poses { poses: poses.collect::<PyResult<_>>()?, batch })
}

fn each(
    name: &str,
    numbers: &Numbers,
    batch: Batch,
    width: usize,
    read: impl Fn(&str, &[f64]) -> PyResult<Pose>,
) -> PyResult<Poses> {
    let rows = numbers.values.chunks_exact(width).enumerate();
    let poses = rows.map(|(row, values)| match read(name, values) {
        // The label is only made for messages.
        Err(_) if batch != Batch::One => read(&label(name, batch, row), values),
        done => done,
    });
    Ok(Poses { poses: poses.collect::<PyResult<_>>()?, batch })
}

fn label(name: &str, batch: Batch, row: usize) -> String {
    match batch {
        Batch::One => name.into(),
        Batch::Many(_) => format!("{name}[{row}]"),
    }
}

fn from_position(name: &str, xyz: &[f64]) -> PyResult<Pose> {
    let position = read_position(name, [xyz[0], xyz[1], xyz[2]]).map_err(Refused::from)?;
    Ok(Pose::from_parts(position.into(), UnitQuaternion::identity()))
}

fn from_seven(name: &str, values: &[f64]) -> PyResult<Pose> {
    let at = from_position(name, &values[..3])?;
    let xyzw = [values[3], values[4], values[5], values[6]];
    let rotation = read_rotation(name, xyzw).map_err(Refused::from)?;
    Ok(Pose::from_parts(at.translation, rotation))
}

fn from_matrix(name: &str, m: &[f64]) -> PyResult<Pose> {
    let at = from_position(name, &[m[3], m[7], m[11]])?;
    let rotation =
        Matrix3::from_row_slice(&[m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]]);
    let off = (rotation * rotation.transpose() - Matrix3::identity()).amax();
    let last = [m[12], m[13], m[14], m[15] - 1.0].iter().fold(0.0, |l: f64, x| l.max(x.abs()));
    // Written so that NaN is refused.
    let is_rigid =
        off <= RIGID_TOLERANCE && last <= RIGID_TOLERANCE && rotation.determinant() > 0.0;
    if !is_rigid || m.iter().any(|x| x.is_nan()) {
        let rule = "must be a rotation, a translation and the last row 0 0 0 1";
        return Err(refused(format!("{name}: is not a rigid motion, {rule}")));
    }
    let rotation =
        UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(rotation));
    // The matrix may be off by its tolerance, the quaternion may not.
    let rotation = UnitQuaternion::new_normalize(rotation.into_inner());
    Ok(Pose::from_parts(at.translation, rotation))
}

/// Appends the 4×4 matrix of a pose, row by row.
pub(crate) fn push_matrix(out: &mut Vec<f64>, pose: &Pose) {
    let matrix = pose.to_homogeneous();
    out.extend(matrix.transpose().iter());
}

/// Appends the coordinates of points or vectors.
pub(crate) fn push_vector(out: &mut Vec<f64>, vector: &Vec3) {
    out.extend_from_slice(vector.as_slice());
}
