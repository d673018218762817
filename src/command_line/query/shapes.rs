//! JSON → shapes: the only list of shape types and their field names on the command line.

use super::json::{Fields, InputError, Json};
use crate::geometry::{LENGTH_RANGE, Shape, ShapeError};
use crate::math::{Mat3, Pose, Vec3};

const KINDS: &str = "sphere, ellipsoid, superellipsoid, superovoid, poly_ellipsoid, box, cylinder, capsule, cone, \
                     half_space, convex_mesh, compound";

/// The shape at `path`: the surface, then its linear map, then the padding, so that padding is in metres of the world.
pub(crate) fn shape(value: &Json, path: &str) -> Result<Shape, InputError> {
    let mut fields = Fields::of(value, path)?;
    let kind = fields.required("type")?.text(&fields.path_of("type"))?;
    let strict = match fields.optional("strict") {
        Some(strict) => strict.boolean(&fields.path_of("strict"))?,
        None => false,
    };
    let padding = match fields.optional("padding") {
        Some(padding) => checked_padding(padding.number(&fields.path_of("padding"))?, &fields)?,
        None => 0.0,
    };
    let map = linear_map(&mut fields)?;
    let mut made = surface(kind, &mut fields)?;
    let at = |name: &str| {
        let path = fields.path_of(name);
        move |error: ShapeError| InputError(format!("{path}: {error}"))
    };
    if strict {
        made = made.strict().map_err(refused(path))?;
    }
    if let Some((name, matrix)) = map {
        made = made.mapped(&matrix).map_err(at(name))?;
    }
    made = made.padded(padding).map_err(at("padding"))?;
    fields.finish()?;
    Ok(made)
}

/// A refusal by the constructor of the shape at `path`.
fn refused(path: &str) -> impl Fn(ShapeError) -> InputError {
    move |error| InputError(format!("{path}: {error}"))
}

/// Reads the fields of one type and calls its constructor.
fn surface(kind: &str, fields: &mut Fields) -> Result<Shape, InputError> {
    let path = fields.path().to_owned();
    let made = match kind {
        "sphere" => Shape::sphere(fields.number("radius")?),
        "ellipsoid" => Shape::ellipsoid(fields.numbers("radii")?),
        "superellipsoid" => {
            let (radii, xy, z) = exponents(fields)?;
            Shape::superellipsoid(radii, xy, z)
        }
        "superovoid" => {
            let (radii, xy, z) = exponents(fields)?;
            Shape::superovoid(radii, xy, z, fields.numbers("taper")?)
        }
        "poly_ellipsoid" => Shape::poly_ellipsoid(fields.numbers("radii")?),
        "box" => Shape::cuboid(half_size(fields)?),
        "cylinder" => Shape::cylinder(fields.number("radius")?, half_length(fields)?),
        "capsule" => Shape::capsule(fields.number("radius")?, half_length(fields)?),
        "cone" => Shape::cone(fields.number("radius")?, half_length(fields)?),
        "half_space" => Shape::half_space(fields.numbers("normal")?, fields.number("offset")?),
        "convex_mesh" => Shape::convex_mesh(&vertices(fields)?),
        "compound" => Shape::compound(parts(fields)?),
        unknown => {
            let short: String = unknown.chars().take(40).collect();
            let message = format!("{path}.type is `{short}`, must be one of: {KINDS}");
            return Err(InputError(message));
        }
    };
    made.map_err(refused(&path))
}

/// Radii and both exponents: what superellipsoids and superovoids share.
fn exponents(fields: &mut Fields) -> Result<([f64; 3], f64, f64), InputError> {
    Ok((fields.numbers("radii")?, fields.number("exponent_xy")?, fields.number("exponent_z")?))
}

/// Half the edge lengths in the field `size`.
fn half_size(fields: &mut Fields) -> Result<[f64; 3], InputError> {
    let size: [f64; 3] = fields.numbers("size")?;
    for (index, edge) in size.into_iter().enumerate() {
        checked_length(edge, || format!("{}[{index}]", fields.path_of("size")))?;
    }
    Ok(size.map(|edge| 0.5 * edge))
}

/// Half the length in the field `length`.
fn half_length(fields: &mut Fields) -> Result<f64, InputError> {
    let length = fields.number("length")?;
    checked_length(length, || fields.path_of("length"))?;
    Ok(0.5 * length)
}

/// Checks a full length here, because the library would complain about the half of it, which the user never wrote.
fn checked_length(length: f64, path: impl Fn() -> String) -> Result<(), InputError> {
    let [least, most] = [2.0 * LENGTH_RANGE.start(), 2.0 * LENGTH_RANGE.end()];
    if (least..=most).contains(&length) {
        return Ok(());
    }
    Err(InputError(format!("{} is {length}, must be in [{least:e}, {most:e}] m", path())))
}

/// The linear map of a shape and the field it was given in: `scale` along the axes, or `map`, the rows of a matrix.
fn linear_map(fields: &mut Fields) -> Result<Option<(&'static str, Mat3)>, InputError> {
    let scale = fields.optional("scale");
    let map = fields.optional("map");
    match (scale, map) {
        (None, None) => Ok(None),
        (Some(_), Some(_)) => {
            Err(InputError(format!("{} has both scale and map, at most one", fields.path())))
        }
        (Some(scale), None) => {
            let scale: [f64; 3] = scale.numbers(&fields.path_of("scale"))?;
            Ok(Some(("scale", Mat3::from_diagonal(&Vec3::from(scale)))))
        }
        (None, Some(map)) => {
            let path = fields.path_of("map");
            let rows = map.list(&path)?;
            let [first, second, third] = rows else {
                return Err(InputError(format!("{path} has {} rows, must have 3", rows.len())));
            };
            let row = |row: &Json, index: usize| row.numbers::<3>(&format!("{path}[{index}]"));
            let [x, y, z] = [row(first, 0)?, row(second, 1)?, row(third, 2)?];
            let columns = [Vec3::from(x), Vec3::from(y), Vec3::from(z)];
            Ok(Some(("map", Mat3::from_columns(&columns).transpose())))
        }
    }
}

fn vertices(fields: &mut Fields) -> Result<Vec<Vec3>, InputError> {
    let path = fields.path_of("vertices");
    let list = fields.required("vertices")?.list(&path)?;
    let mut vertices = Vec::with_capacity(list.len());
    for (index, item) in list.iter().enumerate() {
        let vertex: [f64; 3] = item.numbers(&format!("{path}[{index}]"))?;
        vertices.push(vertex.into());
    }
    Ok(vertices)
}

/// The parts of a compound with their poses in its frame.
fn parts(fields: &mut Fields) -> Result<Vec<(Pose, Shape)>, InputError> {
    let path = fields.path_of("parts");
    let list = fields.required("parts")?.list(&path)?;
    let mut parts = Vec::with_capacity(list.len());
    for (index, item) in list.iter().enumerate() {
        let mut part = Fields::of(item, &format!("{path}[{index}]"))?;
        let made = shape(part.required("shape")?, &part.path_of("shape"))?;
        let pose = crate::command_line::query::request::optional_pose(&mut part, "pose")?
            .unwrap_or_default();
        part.finish()?;
        parts.push((pose, made));
    }
    Ok(parts)
}

fn checked_padding(padding: f64, fields: &Fields) -> Result<f64, InputError> {
    let largest = *LENGTH_RANGE.end();
    if (0.0..=largest).contains(&padding) {
        return Ok(padding);
    }
    let path = fields.path_of("padding");
    Err(InputError(format!("{path} is {padding}, must be in [0, {largest:e}] m")))
}
