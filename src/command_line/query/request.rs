//! One input line → one question.

use super::json::{Fields, InputError, Json};
use super::shapes;
use crate::geometry::{LENGTH_RANGE, Shape};
use crate::math::{Pose, Vec3};
use nalgebra::{Quaternion, UnitQuaternion};

/// A shape and where it is, or where it moves.
#[derive(Debug)]
pub(crate) struct Body {
    pub shape: Shape,
    /// Pose in the world, at t = 0 when the body moves.
    pub pose: Pose,
    /// Pose at t = 1 of a body that moves.
    pub to: Option<Pose>,
}

/// The question of one line.
#[derive(Debug)]
pub(crate) struct Request {
    pub a: Body,
    pub b: Body,
}

/// How an answer refers to its question: what the user wrote, or the line number.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub(crate) enum RequestId {
    Text(String),
    Number(serde_json::Number),
}

impl From<u64> for RequestId {
    fn from(line_number: u64) -> Self {
        RequestId::Number(line_number.into())
    }
}

/// Parses a line. The id is found even when the rest is wrong, as long as the line is JSON.
pub(crate) fn parse(line: &[u8], line_number: u64) -> (RequestId, Result<Request, InputError>) {
    let tree = match Json::parse(line) {
        Ok(tree) => tree,
        Err(error) => return (line_number.into(), Err(error)),
    };
    let mut fields = match Fields::of(&tree, "") {
        Ok(fields) => fields,
        Err(error) => return (line_number.into(), Err(error)),
    };
    let id = match fields.optional("id") {
        None => line_number.into(),
        Some(Json::Text(text)) => RequestId::Text(text.clone()),
        Some(Json::Number(number)) => RequestId::Number(number.clone()),
        Some(_) => {
            let error = InputError("id must be a string or a number".to_owned());
            return (line_number.into(), Err(error));
        }
    };
    (id, request(fields))
}

fn request(mut fields: Fields) -> Result<Request, InputError> {
    let a = body(fields.required("a")?, "a")?;
    let b = body(fields.required("b")?, "b")?;
    fields.finish()?;
    Ok(Request { a, b })
}

fn body(value: &Json, path: &str) -> Result<Body, InputError> {
    let mut fields = Fields::of(value, path)?;
    let shape_path = fields.path_of("shape");
    let shape = shapes::shape(fields.required("shape")?, &shape_path)?;
    let pose = optional_pose(&mut fields, "pose")?.unwrap_or_default();
    let to = optional_pose(&mut fields, "to")?;
    fields.finish()?;
    Ok(Body { shape, pose, to })
}

/// The pose in the field `name`, if it is there. As in a URDF `<origin>`, either half may be left out.
pub(crate) fn optional_pose(
    fields: &mut Fields,
    name: &'static str,
) -> Result<Option<Pose>, InputError> {
    let Some(value) = fields.optional(name) else { return Ok(None) };
    let mut pose = Fields::of(value, &fields.path_of(name))?;
    let xyz = match pose.optional("xyz") {
        Some(value) => position(value.numbers(&pose.path_of("xyz"))?, &pose.path_of("xyz"))?,
        None => Vec3::zeros(),
    };
    let quat = match pose.optional("quat") {
        Some(value) => rotation(value.numbers(&pose.path_of("quat"))?, &pose.path_of("quat"))?,
        None => UnitQuaternion::identity(),
    };
    pose.finish()?;
    Ok(Some(Pose::from_parts(xyz.into(), quat)))
}

/// A position no farther from the origin than the largest shape is large: beyond it, distances of everyday bodies
/// drown in rounding.
fn position(xyz: [f64; 3], path: &str) -> Result<Vec3, InputError> {
    let limit = *LENGTH_RANGE.end();
    for (index, value) in xyz.into_iter().enumerate() {
        if !(-limit..=limit).contains(&value) {
            let range = format!("[-{limit:e}, {limit:e}] m");
            return Err(InputError(format!("{path}[{index}] is {value}, must be in {range}")));
        }
    }
    Ok(xyz.into())
}

/// The rotation of a quaternion x y z w of any length but zero.
fn rotation(xyzw: [f64; 4], path: &str) -> Result<UnitQuaternion<f64>, InputError> {
    let largest = xyzw.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
    if !(largest > 0.0 && largest.is_finite()) {
        let [x, y, z, w] = xyzw;
        return Err(InputError(format!("{path} is [{x}, {y}, {z}, {w}], must not be zero")));
    }
    // Dividing by the largest component first keeps the squares away from under- and overflow.
    let [x, y, z, w] = xyzw.map(|value| value / largest);
    Ok(UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z)))
}
