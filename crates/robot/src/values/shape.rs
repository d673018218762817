//! Values → shapes, as the table of shapes has them.

use super::fields::Fields;
use super::pose::read_pose;
use super::refusal::Refusal;
use super::value::Value;
use crate::text_file::quote;
use smooth_scene_geometry::math::{Mat3, Pose, Vec3};
use smooth_scene_geometry::{Content, Field, LENGTH_RANGE, Shape, ShapeError, ShapeKind};

/// The union of other shapes, which is not in the table of shapes.
const COMPOUND: &str = "compound";
/// Fields that every shape of [`ShapeSet::All`] may have.
const MODIFIERS: [&str; 4] = ["strict", "padding", "scale", "map"];

/// The shapes that a format has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShapeSet {
    /// Every kind of shape and compounds of them; each may be scaled, mapped and padded.
    All,
    /// What a link of a robot may carry: bounded shapes that are described by numbers, as they are.
    LinkSurfaces,
}

impl ShapeSet {
    fn has(self, kind: &ShapeKind) -> bool {
        match self {
            ShapeSet::All => true,
            ShapeSet::LinkSurfaces => {
                kind.is_bounded() && matches!(kind.content, Content::Numbers(_))
            }
        }
    }

    /// The names of its kinds.
    fn names(self) -> Vec<&'static str> {
        let kinds = ShapeKind::ALL.iter().filter(|kind| self.has(kind)).map(|kind| kind.name);
        kinds.chain((self == ShapeSet::All).then_some(COMPOUND)).collect()
    }

    fn modifiers(self) -> &'static [&'static str] {
        match self {
            ShapeSet::All => &MODIFIERS,
            ShapeSet::LinkSurfaces => &[],
        }
    }
}

/// The kind of a shape that a file names.
enum Kind {
    Listed(&'static ShapeKind),
    Compound,
}

impl Kind {
    fn fields(&self) -> Vec<&'static str> {
        match self {
            Kind::Compound => vec!["parts"],
            Kind::Listed(kind) => kind_fields(kind),
        }
    }
}

fn kind_fields(kind: &'static ShapeKind) -> Vec<&'static str> {
    match &kind.content {
        Content::Numbers(content) => content.fields.iter().map(|field| field.name).collect(),
        Content::Vertices => vec!["vertices"],
    }
}

/// The shape at `path`: the surface, then its linear map, then the padding, so that padding is in metres of the world.
/// `others` are fields that belong to its surroundings; they are among the fields that come back.
pub fn read_shape<'v>(
    path: &str,
    value: &'v Value,
    set: ShapeSet,
    others: &[&'static str],
) -> Result<(Shape, Fields<'v>), Refusal> {
    let kind = read_kind(path, value, set, others)?;
    let known = [others, &["type"], &kind.fields(), set.modifiers()].concat();
    let fields = Fields::of(path, value, &known)?;
    let shape = surface(&kind, &fields)?;
    Ok((if set == ShapeSet::All { modified(shape, &fields)? } else { shape }, fields))
}

/// The kind of the shape. Without one, or with an unknown one, a field that no kind has is named first.
fn read_kind(
    path: &str,
    value: &Value,
    set: ShapeSet,
    others: &[&'static str],
) -> Result<Kind, Refusal> {
    let any_kind = || {
        let kinds = ShapeKind::ALL.iter().filter(|kind| set.has(kind)).flat_map(kind_fields);
        let compound = (set == ShapeSet::All).then_some("parts");
        let all = [others, &["type"], set.modifiers()].concat();
        let mut all: Vec<&'static str> = all.into_iter().chain(kinds).chain(compound).collect();
        let mut seen = std::collections::HashSet::new();
        all.retain(|name| seen.insert(*name));
        all
    };
    let named = match value {
        Value::Map(entries) => entries.iter().find(|(name, _)| name == "type"),
        _ => None,
    };
    let Some((_, name)) = named else {
        let missing = Fields::of(path, value, &any_kind())?.required("type");
        return Err(missing.expect_err("no field is called `type`"));
    };
    let name = name.text(&format!("{path}.type"))?;
    match ShapeKind::by_name(name).filter(|kind| set.has(kind)) {
        Some(kind) => Ok(Kind::Listed(kind)),
        None if set == ShapeSet::All && name == COMPOUND => Ok(Kind::Compound),
        None => {
            let known = set.names().join(", ");
            let reason = format!("is `{}`, must be one of: {known}", quote(name));
            Err(Refusal::new(&format!("{path}.type"), reason))
        }
    }
}

/// Reads the fields of one kind and calls its constructor.
fn surface(kind: &Kind, fields: &Fields<'_>) -> Result<Shape, Refusal> {
    let made = match kind {
        Kind::Compound => Shape::compound(parts(fields)?),
        Kind::Listed(kind) => match &kind.content {
            Content::Numbers(content) => content.read(|field| numbers(field, fields))?,
            Content::Vertices => Shape::convex_mesh(&vertices(fields)?),
        },
    };
    made.map_err(|error| Refusal::new(fields.own_path(), error.to_string()))
}

/// The shape with what [`MODIFIERS`] ask for.
fn modified(mut shape: Shape, fields: &Fields<'_>) -> Result<Shape, Refusal> {
    let at = |name: &str| {
        let path = fields.path(name);
        move |error: ShapeError| Refusal::new(&path, error.to_string())
    };
    if let Some(strict) = fields.optional("strict")
        && strict.boolean(&fields.path("strict"))?
    {
        let refused = |error: ShapeError| Refusal::new(fields.own_path(), error.to_string());
        shape = shape.strict().map_err(refused)?;
    }
    if let Some((name, matrix)) = linear_map(fields)? {
        shape = shape.mapped(&matrix).map_err(at(name))?;
    }
    if let Some(padding) = fields.optional("padding") {
        let padding = checked_padding(padding.number(&fields.path("padding"))?, fields)?;
        shape = shape.padded(padding).map_err(at("padding"))?;
    }
    Ok(shape)
}

/// The numbers of a field.
fn numbers(field: &'static Field, fields: &Fields<'_>) -> Result<Vec<f64>, Refusal> {
    let numbers = match field.is_scalar() {
        true => vec![fields.number(field.name)?],
        false => fields.number_list(field.name, field.count())?,
    };
    let Some((index, range)) = field.bad_full_length(&numbers) else { return Ok(numbers) };
    let mut path = fields.path(field.name);
    if !field.is_scalar() {
        path += &format!("[{index}]");
    }
    let (length, least, most) = (numbers[index], range.start(), range.end());
    Err(Refusal::new(&path, format!("is {length}, must be in [{least:e}, {most:e}] m")))
}

/// The linear map of a shape and the field it was given in: `scale` along the axes, or `map`, the rows of a matrix.
fn linear_map(fields: &Fields<'_>) -> Result<Option<(&'static str, Mat3)>, Refusal> {
    match (fields.optional("scale"), fields.optional("map")) {
        (None, None) => Ok(None),
        (Some(_), Some(_)) => {
            Err(Refusal::new(fields.own_path(), "has both scale and map, must have at most one"))
        }
        (Some(scale), None) => {
            let scale: [f64; 3] = scale.numbers(&fields.path("scale"))?;
            Ok(Some(("scale", Mat3::from_diagonal(&Vec3::from(scale)))))
        }
        (None, Some(map)) => Ok(Some(("map", read_matrix(&fields.path("map"), map)?))),
    }
}

/// A matrix as the list of its three rows.
pub fn read_matrix(path: &str, value: &Value) -> Result<Mat3, Refusal> {
    let rows = value.items(path)?;
    let [first, second, third] = rows else {
        let reason = format!("has {} rows, must have 3", rows.len());
        return Err(Refusal::new(path, reason));
    };
    let row = |row: &Value, index: usize| row.numbers::<3>(&format!("{path}[{index}]"));
    let [x, y, z] = [row(first, 0)?, row(second, 1)?, row(third, 2)?];
    let columns = [Vec3::from(x), Vec3::from(y), Vec3::from(z)];
    Ok(Mat3::from_columns(&columns).transpose())
}

fn vertices(fields: &Fields<'_>) -> Result<Vec<Vec3>, Refusal> {
    let path = fields.path("vertices");
    let items = fields.required("vertices")?.each_item(&path)?;
    items.map(|(path, item)| Ok(item.numbers::<3>(&path)?.into())).collect()
}

/// The parts of a compound with their poses in its frame.
fn parts(fields: &Fields<'_>) -> Result<Vec<(Pose, Shape)>, Refusal> {
    let path = fields.path("parts");
    let items = fields.required("parts")?.each_item(&path)?;
    let part = |(path, item): (String, &Value)| {
        let part = Fields::of(&path, item, &["shape", "pose"])?;
        let shape = part.required("shape")?;
        let (shape, _) = read_shape(&part.path("shape"), shape, ShapeSet::All, &[])?;
        let pose = match part.optional("pose") {
            Some(pose) => read_pose(&part.path("pose"), pose)?,
            None => Pose::identity(),
        };
        Ok((pose, shape))
    };
    items.map(part).collect()
}

fn checked_padding(padding: f64, fields: &Fields<'_>) -> Result<f64, Refusal> {
    let largest = *LENGTH_RANGE.end();
    if (0.0..=largest).contains(&padding) {
        return Ok(padding);
    }
    let reason = format!("is {padding}, must be in [0, {largest:e}] m");
    Err(Refusal::new(&fields.path("padding"), reason))
}

/// The kinds of shapes with their fields, for help texts: one line each.
pub fn shapes_help() -> String {
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
