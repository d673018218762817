//! JSON → shapes, as the table of shapes has them.

use super::json::{Fields, InputError, Json};
use crate::geometry::{Content, Field, LENGTH_RANGE, Shape, ShapeError, ShapeKind};
use crate::math::{Mat3, Pose, Vec3};

/// The union of other shapes, which is not in the table of shapes.
const COMPOUND: &str = "compound";

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

/// Reads the fields of one kind and calls its constructor.
fn surface(name: &str, fields: &mut Fields) -> Result<Shape, InputError> {
    let path = fields.path().to_owned();
    let made = match ShapeKind::by_name(name).map(|kind| &kind.content) {
        Some(Content::Numbers(content)) => content.read(|field| numbers(field, fields))?,
        Some(Content::Vertices) => Shape::convex_mesh(&vertices(fields)?),
        None if name == COMPOUND => Shape::compound(parts(fields)?),
        None => {
            let short: String = name.chars().take(40).collect();
            let known: Vec<&str> = ShapeKind::ALL.iter().map(|kind| kind.name).collect();
            return Err(InputError(format!(
                "{path}.type is `{short}`, must be one of: {}, {COMPOUND}",
                known.join(", ")
            )));
        }
    };
    made.map_err(refused(&path))
}

/// The numbers of a field.
fn numbers(field: &'static Field, fields: &mut Fields) -> Result<Vec<f64>, InputError> {
    let numbers = match field.is_scalar() {
        true => vec![fields.number(field.name)?],
        false => fields.number_list(field.name, field.count())?,
    };
    let Some((index, range)) = field.bad_full_length(&numbers) else { return Ok(numbers) };
    let mut path = fields.path_of(field.name);
    if !field.is_scalar() {
        path += &format!("[{index}]");
    }
    let (length, least, most) = (numbers[index], range.start(), range.end());
    Err(InputError(format!("{path} is {length}, must be in [{least:e}, {most:e}] m")))
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
        let pose = super::request::optional_pose(&mut part, "pose")?.unwrap_or_default();
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

/// The kinds of shapes with their fields, for the help text: one line each.
pub(crate) fn shapes_help() -> String {
    let line = |name: &str, fields: &str, note: &str| {
        format!("  {name:<15} {fields:<48} {note}").trim_end().to_owned()
    };
    let mut lines: Vec<String> = ShapeKind::ALL
        .iter()
        .map(|kind| {
            let fields = match &kind.content {
                Content::Numbers(content) => {
                    content.fields.iter().map(field_help).collect::<Vec<_>>().join(", ")
                }
                Content::Vertices => "vertices [[x,y,z],...]".to_owned(),
            };
            line(kind.name, &fields, kind.note)
        })
        .collect();
    lines.push(line(COMPOUND, r#"parts [{"shape":...,"pose":...},...]"#, "the union"));
    lines.join("\n")
}

fn field_help(field: &Field) -> String {
    match field.is_scalar() {
        true => field.name.to_owned(),
        false => format!("{} [{}]", field.name, field.labels.join(",")),
    }
}
