//! Shapes and poses → the text that reads back as the same bits: YAML in flow style.

use std::fmt::Write;

use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Mat3, Pose};

/// The fields of a shape as [`read_shape`](super::read_shape) takes them, without braces: `type: box, size: [1, 2, 3]`.
/// `Err` names what no field describes.
pub fn shape_text(shape: &Shape) -> Result<String, &'static str> {
    if let Some(named) = shape.named_numbers() {
        let mut text = format!("type: {}", named.kind.name);
        for (field, numbers) in named.iter() {
            let value = if field.is_scalar() { number_text(numbers[0]) } else { list(numbers) };
            text += &format!(", {}: {value}", field.name);
        }
        return Ok(text);
    }
    match shape {
        Shape::Padded(padded) => {
            let radius = number_text(padded.radius());
            Ok(format!("{}, padding: {radius}", shape_text(padded.shape())?))
        }
        Shape::Mapped(mapped) if matches!(mapped.shape(), Shape::Padded(_)) => {
            Err("a shape that was padded first and mapped then")
        }
        Shape::Mapped(mapped) => {
            Ok(format!("{}, map: {}", shape_text(mapped.shape())?, rows(mapped.matrix())))
        }
        Shape::ConvexMesh(mesh) => {
            let vertices = mesh.vertices().iter().map(|vertex| list(vertex.as_slice()));
            Ok(format!("type: convex_mesh, vertices: [{}]", joined(vertices)))
        }
        Shape::Compound(compound) => {
            let mut parts = Vec::new();
            for (pose, part) in compound.parts() {
                let pose = pose_text(pose).map(|pose| format!(", pose: {pose}"));
                let pose = pose.as_deref().unwrap_or_default();
                parts.push(format!("{{shape: {{{}}}{pose}}}", shape_text(part)?));
            }
            Ok(format!("type: compound, parts: [{}]", joined(parts.into_iter())))
        }
        other => unreachable!("a {} is described by named numbers", other.kind()),
    }
}

/// A pose as [`read_pose`](super::read_pose) takes it; `None` for the identity, which need not be written.
pub fn pose_text(pose: &Pose) -> Option<String> {
    if *pose == Pose::identity() {
        return None;
    }
    let xyz = list(pose.translation.vector.as_slice());
    // nalgebra keeps x y z w in this order.
    let quat = list(pose.rotation.coords.as_slice());
    Some(format!("{{xyz: {xyz}, quat: {quat}}}"))
}

/// A string in double quotes, whatever is in it.
pub fn quoted_text(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}') => {
                write!(quoted, "\\U{:08x}", u32::from(c)).expect("a string grows");
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// A number with all digits that matter, without an exponent, which YAML 1.1 would take for a string.
fn number_text(number: f64) -> String {
    match number.is_sign_negative() && number == 0.0 {
        // Without a point it would be a whole number, which has no negative zero.
        true => "-0.0".into(),
        false => number.to_string(),
    }
}

fn list(numbers: &[f64]) -> String {
    format!("[{}]", joined(numbers.iter().map(|number| number_text(*number))))
}

fn rows(matrix: &Mat3) -> String {
    let row = |index: usize| list(&[0, 1, 2].map(|column| matrix[(index, column)]));
    format!("[{}]", joined([0, 1, 2].map(row).into_iter()))
}

fn joined(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}
