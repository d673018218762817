//! Shapes and poses as JSON, both ways. Types and fields are those of the table of shapes.

use nalgebra::{Quaternion, UnitQuaternion};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::error::ViewError;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_geometry::{
    Content, Field, Quantity, Shape, ShapeKind, tessellate_with_vertex_count,
};

/// Vertices of the mesh of a shape that the page does not draw from its parameters.
const MESH_VERTICES: usize = 600;

/// A pose: metres, and a quaternion x y z w.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PoseData {
    pub xyz: [f64; 3],
    pub quat: [f64; 4],
}

impl From<&Pose> for PoseData {
    fn from(pose: &Pose) -> Self {
        Self { xyz: pose.translation.vector.into(), quat: pose.rotation.coords.into() }
    }
}

impl TryFrom<&PoseData> for Pose {
    type Error = ViewError;

    fn try_from(data: &PoseData) -> Result<Pose, ViewError> {
        let [x, y, z, w] = data.quat;
        let quaternion = Quaternion::new(w, x, y, z);
        let norm = quaternion.norm();
        if !(0.5..=2.0).contains(&norm) {
            let (what, range) = ("norm of the quaternion".into(), "near 1".into());
            return Err(ViewError::BadValue { what, value: norm, range });
        }
        let rotation = UnitQuaternion::from_quaternion(quaternion);
        Ok(Pose::from_parts(Vec3::from(data.xyz).into(), rotation))
    }
}

/// A shape for the page.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub(super) enum ShapeData {
    /// Its type and its fields, as in the table of shapes.
    Parameters(Map<String, Value>),
    /// A shape without parameters that can be edited.
    Triangles(TriangleData),
}

/// The triangles of a shape.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename = "mesh")]
pub(super) struct TriangleData {
    /// The kind of the shape.
    of: &'static str,
    vertices: Vec<f32>,
    normals: Vec<f32>,
    triangles: Vec<u32>,
}

impl From<&Shape> for ShapeData {
    fn from(shape: &Shape) -> Self {
        let Some(named) = shape.named_numbers() else {
            return ShapeData::Triangles(triangles(shape, shape.kind()));
        };
        let fields = named.iter().map(|(field, numbers)| {
            let value = if field.is_scalar() { json!(numbers[0]) } else { json!(numbers) };
            (field.name.to_owned(), value)
        });
        let kind = ("type".to_owned(), json!(named.kind.name));
        ShapeData::Parameters(std::iter::once(kind).chain(fields).collect())
    }
}

/// The kinds that the page draws from their parameters (`packShape` in web/draw/patches.js, and the shader beside it). It
/// draws all others from triangles.
const DRAWN_BY_PAGE: [&str; 10] = [
    "sphere",
    "ellipsoid",
    "superellipsoid",
    "superovoid",
    "poly_ellipsoid",
    "box",
    "cylinder",
    "capsule",
    "cone",
    "half_space",
];

/// What the page draws in place of a shape that it cannot draw from its parameters: the hull of a dented superovoid, or
/// a kind that the page does not know.
pub(super) fn drawn_instead(shape: &Shape) -> Option<TriangleData> {
    if matches!(shape, Shape::Superovoid(s) if !s.is_convex()) {
        return Some(triangles(shape, "hull"));
    }
    let kind = shape.named_numbers()?.kind;
    (!DRAWN_BY_PAGE.contains(&kind.name)).then(|| triangles(shape, kind.name))
}

fn triangles(shape: &Shape, of: &'static str) -> TriangleData {
    let mesh = tessellate_with_vertex_count(shape, MESH_VERTICES);
    let numbers = |list: &[Vec3]| {
        list.iter().flat_map(|v| [v.x as f32, v.y as f32, v.z as f32]).collect::<Vec<f32>>()
    };
    TriangleData {
        of,
        vertices: numbers(&mesh.vertices),
        normals: numbers(&mesh.normals),
        triangles: mesh.triangles.iter().flatten().copied().collect(),
    }
}

/// A kind of shape that can be chosen and edited in the page.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct ShapeMenuItem {
    #[serde(rename = "type")]
    name: &'static str,
    fields: Vec<FieldData>,
}

/// A field of a shape, for the page.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct FieldData {
    name: &'static str,
    quantity: &'static str,
    /// One for each number of a list; none for a single number.
    labels: &'static [&'static str],
}

/// The kinds of shapes that can be chosen in the page: the bounded ones that are described by numbers.
pub(super) fn shape_menu() -> Vec<ShapeMenuItem> {
    let editable = ShapeKind::ALL
        .iter()
        .filter(|kind| matches!(kind.content, Content::Numbers(_)) && kind.is_bounded());
    let field = |field: &Field| FieldData {
        name: field.name,
        labels: field.labels,
        quantity: match field.quantity {
            Quantity::Length => "length",
            Quantity::FullLength => "full_length",
            Quantity::Exponent => "exponent",
            Quantity::Taper => "taper",
            Quantity::Direction => "direction",
            Quantity::Coordinate => "coordinate",
        },
    };
    editable
        .map(|kind| ShapeMenuItem {
            name: kind.name,
            fields: kind.fields().iter().map(field).collect(),
        })
        .collect()
}

/// A shape that a viewer sent: its type and its fields.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(transparent)]
pub(super) struct ShapeInput(Map<String, Value>);

impl TryFrom<&ShapeInput> for Shape {
    type Error = ViewError;

    fn try_from(ShapeInput(input): &ShapeInput) -> Result<Shape, ViewError> {
        let bad = |reason: String| ViewError::BadMessage(format!("shape: {reason}"));
        let name = input.get("type").and_then(Value::as_str);
        let name = name.ok_or_else(|| bad("`type` must be a text".into()))?;
        let Some(Content::Numbers(content)) = ShapeKind::by_name(name).map(|kind| &kind.content)
        else {
            return Err(bad(format!("unknown type `{name}`")));
        };
        let is_known = |key: &str| key == "type" || content.fields.iter().any(|f| f.name == key);
        if let Some(unknown) = input.keys().find(|key| !is_known(key)) {
            return Err(bad(format!("a {name} has no field `{unknown}`")));
        }
        let made = content.read(|field| {
            let numbers = match input.get(field.name) {
                Some(Value::Array(list)) if !field.is_scalar() => {
                    list.iter().map(Value::as_f64).collect::<Option<Vec<f64>>>()
                }
                Some(Value::Number(number)) if field.is_scalar() => {
                    number.as_f64().map(|x| vec![x])
                }
                Some(_) | None => None,
            };
            let count = field.count();
            numbers.filter(|numbers| numbers.len() == count).ok_or_else(|| match count {
                1 => bad(format!("`{}` must be a number", field.name)),
                _ => bad(format!("`{}` must be a list of {count} numbers", field.name)),
            })
        })?;
        Ok(made?)
    }
}
