//! Surfaces as typed messages.

use super::pose::{point, point_message, pose, pose_message};
use crate::convert::{Limits, Refusal};
use crate::geometry::{Content, Field, Shape, ShapeError, ShapeKind, tessellate_with_vertex_count};
use crate::interfaces::msg::Surface;
use crate::math::{Pose, Vec3};

/// Vertices of the mesh that stands for a surface without a type of its own.
const MESH_VERTICES: usize = 1000;

/// A surface and its pose in its object. `what` names it in the refusal.
pub fn surface(
    message: &Surface,
    limits: &Limits,
    what: &dyn Fn() -> String,
) -> Result<(Pose, Shape), Refusal> {
    let at = pose(&message.pose, &|| format!("{}.pose", what()))?;
    let refused = |error: ShapeError| Refusal::bad_request(format!("{}: {error}", what()));
    let bare = bare_shape(message, limits, what)?.map_err(refused)?;
    let shape = bare.padded(message.padding).map_err(refused)?;
    Ok((at, shape))
}

fn bare_shape(
    message: &Surface,
    limits: &Limits,
    what: &dyn Fn() -> String,
) -> Result<Result<Shape, ShapeError>, Refusal> {
    let Some(kind) = ShapeKind::by_code(message.kind) else {
        let (code, last) = (message.kind, ShapeKind::ALL.len());
        let reason = format!("{}.kind is {code}, must be 1 to {last}", what());
        return Err(Refusal::bad_request(reason));
    };
    match &kind.content {
        Content::Numbers(content) => {
            let mut dimensions = dimensions(message, kind, what)?;
            content.read(|field| {
                Ok(match field.name {
                    EXPONENT_XY => vec![message.exponent_xy],
                    EXPONENT_Z => vec![message.exponent_z],
                    TAPER => message.taper.to_vec(),
                    _ => dimensions.by_ref().take(field.count()).collect(),
                })
            })
        }
        Content::Vertices => {
            let count = message.vertices.len();
            let name = |k| format!("{}.vertices[{k}]", what());
            let vertices = message.vertices.iter().enumerate();
            let vertices = vertices.map(|(k, vertex)| point(vertex, &|| name(k)));
            mesh(count, vertices, limits, what)
        }
    }
}

/// Fields of a surface that have a field of their own in the message; all others are its dimensions, in order.
const EXPONENT_XY: &str = "exponent_xy";
const EXPONENT_Z: &str = "exponent_z";
const TAPER: &str = "taper";

fn is_dimension(field: &Field) -> bool {
    ![EXPONENT_XY, EXPONENT_Z, TAPER].contains(&field.name)
}

/// The dimensions of a message, if there are as many as its kind has.
fn dimensions(
    message: &Surface,
    kind: &ShapeKind,
    what: &dyn Fn() -> String,
) -> Result<impl Iterator<Item = f64>, Refusal> {
    let fields = kind.fields().iter().filter(|field| is_dimension(field));
    let (expected, count) = (fields.map(Field::count).sum::<usize>(), message.dimensions.len());
    if count != expected {
        let article = if kind.name.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        let name = kind.name.to_uppercase();
        return Err(Refusal::bad_request(format!(
            "{} has {count} dimensions, {article} {name} has {expected}",
            what()
        )));
    }
    Ok(message.dimensions.iter().copied())
}

/// The hull of vertices, if there are not too many of them.
pub fn mesh(
    count: usize,
    vertices: impl Iterator<Item = Result<Vec3, Refusal>>,
    limits: &Limits,
    what: &dyn Fn() -> String,
) -> Result<Result<Shape, ShapeError>, Refusal> {
    if count > limits.mesh_vertices {
        let max = limits.mesh_vertices;
        let reason = format!("{} has {count} vertices, must have at most {max}", what());
        return Err(Refusal::bad_request(reason));
    }
    let vertices: Vec<Vec3> = vertices.collect::<Result<_, _>>()?;
    Ok(Shape::convex_mesh(&vertices))
}

/// The dimensions of a shape, whose number depends on its kind.
pub struct Dimensions<'a> {
    /// The numbers.
    pub numbers: &'a [f64],
    /// Names the shape in the refusal.
    pub what: &'a dyn Fn() -> String,
}

impl Dimensions<'_> {
    /// The numbers, if there are as many as the kind of shape has.
    pub fn exactly<const N: usize>(&self, kind: &str) -> Result<[f64; N], Refusal> {
        self.numbers.try_into().map_err(|_| {
            let (what, count) = ((self.what)(), self.numbers.len());
            Refusal::bad_request(format!("{what} has {count} dimensions, {kind} has {N}"))
        })
    }
}

/// A surface as a message. Shapes that have no type of their own, which no message can bring into a scene, become
/// meshes; a compound has to be taken apart before.
pub fn surface_message(at: &Pose, shape: &Shape) -> Surface {
    let mut message = Surface { pose: pose_message(at), ..Surface::default() };
    let bare = match shape {
        Shape::Padded(padded) => {
            message.padding = padded.radius();
            padded.shape()
        }
        shape => shape,
    };
    if let Some(named) = bare.named_numbers() {
        message.kind = named.kind.code;
        for (field, numbers) in named.iter() {
            match (field.name, numbers) {
                (EXPONENT_XY, &[exponent]) => message.exponent_xy = exponent,
                (EXPONENT_Z, &[exponent]) => message.exponent_z = exponent,
                (TAPER, &[x, y]) => message.taper = [x, y],
                (_, dimensions) => message.dimensions.extend(dimensions),
            }
        }
        return message;
    }
    message.kind = Surface::CONVEX_MESH;
    message.vertices = match bare {
        Shape::ConvexMesh(s) => s.vertices().iter().map(point_message).collect(),
        other => {
            let mesh = tessellate_with_vertex_count(other, MESH_VERTICES);
            mesh.vertices.iter().map(point_message).collect()
        }
    };
    message
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_definition_has_a_constant_for_every_kind_of_shape() {
        let definition = include_str!("../../msg/Surface.msg");
        let constants: Vec<&str> = definition
            .lines()
            .filter_map(|line| line.strip_prefix("uint8 ")?.split(' ').next())
            .filter(|constant| constant.contains('='))
            .collect();
        let table = ShapeKind::ALL.iter();
        let expected: Vec<String> =
            table.map(|kind| format!("{}={}", kind.name.to_uppercase(), kind.code)).collect();
        assert_eq!(constants, expected);
    }
}
