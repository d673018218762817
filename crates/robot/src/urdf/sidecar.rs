//! The sidecar file: surfaces for a robot whose URDF may not be edited.
//!
//! YAML, a map from link names to lists of surfaces. The surfaces of a link replace all collisions the URDF gives it;
//! an empty list leaves the link without any. Types and fields are those of the command line's JSON; lengths of boxes
//! and cylinders are full lengths.
//!
//! ```yaml
//! r_index_3:
//!   - type: superovoid
//!     name: r_index_3_c0          # optional
//!     radii: [0.0071, 0.0069, 0.0128]
//!     exponent_xy: 1.0
//!     exponent_z: 0.8
//!     taper: [-0.1, -0.1]
//!     origin: {xyz: [0.009, 0, 0], rpy: [0, 1.5708, 0]}   # optional
//! ```

use super::error::UrdfError;
use super::{LoadOptions, Sidecar, read_text, too_large};
use crate::text_file::quote;
use crate::yaml_value::{self, Fields, Refusal, Value, WHOLE_FILE};
use crate::{LinkSpec, LinkSurface};
use smooth_scene_geometry::math::{Pose, Vec3, rotation_from_euler_angles};
use smooth_scene_geometry::{Content, NumberFields, Shape, ShapeKind};

/// Replaces the collisions of the links that the sidecar names.
pub(super) fn apply(
    sidecar: &Sidecar,
    links: &mut [LinkSpec],
    options: &LoadOptions,
) -> Result<(), UrdfError> {
    let (label, text) = match sidecar {
        Sidecar::Text { label, text } if text.len() as u64 > options.max_file_bytes => {
            return Err(too_large(label, options.max_file_bytes));
        }
        Sidecar::Text { label, text } => (label.clone(), text.clone()),
        Sidecar::File(path) => {
            let label = path.display().to_string();
            let text = read_text(path, &label, options.max_file_bytes)?;
            (label, text)
        }
    };
    let refused = |refusal: Refusal| UrdfError::Sidecar {
        file: label.clone(),
        path: refusal.path,
        reason: refusal.reason,
    };
    for (name, surfaces) in read(&text).map_err(refused)? {
        let collisions = collisions(&name, &surfaces, options).map_err(refused)?;
        let Some(link) = links.iter_mut().find(|link| link.name == name) else {
            return Err(refused(Refusal::new(&quote(&name), "the robot has no such link")));
        };
        link.collisions = collisions;
    }
    Ok(())
}

fn read(text: &str) -> Result<Vec<(String, Value)>, Refusal> {
    match yaml_value::read(text)? {
        Value::Map(links) => Ok(links),
        Value::Null => Ok(Vec::new()),
        other => {
            Err(Refusal::new(WHOLE_FILE, format!("is {}, must be a map of links", other.kind())))
        }
    }
}

fn collisions(
    link: &str,
    surfaces: &Value,
    options: &LoadOptions,
) -> Result<Vec<LinkSurface>, Refusal> {
    let link = quote(link);
    let Value::List(surfaces) = surfaces else {
        return Err(Refusal::new(&link, format!("is {}, must be a list", surfaces.kind())));
    };
    let each = surfaces.iter().enumerate();
    each.map(|(index, surface)| collision(&format!("{link}[{index}]"), surface, options)).collect()
}

fn collision(path: &str, surface: &Value, options: &LoadOptions) -> Result<LinkSurface, Refusal> {
    let mut fields = Fields::of(path, surface)?;
    let name = fields.optional("name").map(|name| name.text(&fields.path("name"))).transpose()?;
    let pose_in_link = match fields.optional("origin") {
        Some(origin) => pose(&fields.path("origin"), origin)?,
        None => Pose::identity(),
    };
    let mut shape = shape(&mut fields)?;
    if options.strict_convexity {
        shape = shape.strict().map_err(|error| Refusal::new(path, error.to_string()))?;
    }
    fields.finish()?;
    Ok(LinkSurface { name: name.map(Into::into), pose_in_link, shape })
}

fn shape(fields: &mut Fields<'_>) -> Result<Shape, Refusal> {
    let name = fields.required("type")?.text(&fields.path("type"))?;
    let Some((_, content)) = surfaces().find(|(kind, _)| kind.name == name) else {
        let known: Vec<&str> = surfaces().map(|(kind, _)| kind.name).collect();
        let reason = format!("is `{}`, must be one of: {}", quote(name), known.join(", "));
        return Err(Refusal::new(&fields.path("type"), reason));
    };
    let made = content.read(|field| {
        let numbers = match field.is_scalar() {
            true => vec![fields.number(field.name)?],
            false => fields.list(field.name, field.count())?,
        };
        let Some((index, range)) = field.bad_full_length(&numbers) else { return Ok(numbers) };
        let (bad, least, most) = (numbers[index], range.start(), range.end());
        let reason = format!("has {bad}, must be in [{least:e}, {most:e}] m");
        Err(Refusal::new(&fields.path(field.name), reason))
    })?;
    made.map_err(|error| Refusal::new(fields.own_path(), error.to_string()))
}

/// The kinds a link may have: every bounded shape that is described by numbers.
fn surfaces() -> impl Iterator<Item = (&'static ShapeKind, &'static NumberFields)> {
    ShapeKind::ALL.iter().filter_map(|kind| match &kind.content {
        Content::Numbers(fields) if kind.is_bounded() => Some((kind, fields)),
        Content::Numbers(_) | Content::Vertices => None,
    })
}

fn pose(path: &str, origin: &Value) -> Result<Pose, Refusal> {
    let mut fields = Fields::of(path, origin)?;
    let mut bounded = |name: &'static str| {
        let Some(value) = fields.optional(name) else { return Ok([0.0; 3]) };
        let numbers: [f64; 3] = value.numbers(&fields.path(name))?;
        if numbers.iter().all(|x| x.abs() <= 1e6) {
            return Ok(numbers);
        }
        Err(Refusal::new(&fields.path(name), "has a number farther than 1e6 from zero"))
    };
    let (xyz, [roll, pitch, yaw]) = (bounded("xyz")?, bounded("rpy")?);
    fields.finish()?;
    let rotation = rotation_from_euler_angles(roll, pitch, yaw);
    Ok(Pose::from_parts(Vec3::from(xyz).into(), rotation))
}
