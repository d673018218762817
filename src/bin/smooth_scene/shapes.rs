//! JSON → shapes: the only list of shape types and their field names on the command line.

use crate::json::{Fields, InputError, Json};
use smooth_scene::geometry::{
    Ellipsoid, LENGTH_RANGE, Shape, ShapeError, Sphere, Superellipsoid, Superovoid,
};

/// What to do about a surface that is not convex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Convexity {
    /// Answer for its convex hull, and say so.
    HullAccepted,
    /// Refuse it.
    Required,
}

const KINDS: &str = "sphere, ellipsoid, superellipsoid, superovoid, poly_ellipsoid, box, cylinder, capsule, cone, \
                     half_space, convex_mesh, compound";

/// The shape at `path`. `convexity` is what the surrounding compound asks for, if there is one.
pub(crate) fn shape(value: &Json, path: &str, convexity: Convexity) -> Result<Shape, InputError> {
    let mut fields = Fields::of(value, path)?;
    let kind = fields.required("type")?.text(&fields.path_of("type"))?;
    let convexity = match fields.optional("strict") {
        Some(strict) if strict.boolean(&fields.path_of("strict"))? => Convexity::Required,
        _ => convexity,
    };
    let padding = match fields.optional("padding") {
        Some(padding) => checked_padding(padding.number(&fields.path_of("padding"))?, &fields)?,
        None => 0.0,
    };
    let surface = surface(kind, &mut fields, convexity)?;
    fields.finish()?;
    if padding > 0.0 { padded(surface, padding, path) } else { Ok(surface) }
}

/// Reads the fields of one type and calls its constructor.
fn surface(kind: &str, fields: &mut Fields, convexity: Convexity) -> Result<Shape, InputError> {
    let path = &fields.path().to_owned();
    let refused = |error: ShapeError| InputError(format!("{path}: {error}"));
    match kind {
        "sphere" => Sphere::new(fields.number("radius")?).map(Shape::from).map_err(refused),
        "ellipsoid" => Ellipsoid::new(fields.numbers("radii")?).map(Shape::from).map_err(refused),
        "superellipsoid" => {
            let (radii, xy, z) = exponents(fields)?;
            Superellipsoid::new(radii, xy, z).map(Shape::from).map_err(refused)
        }
        "superovoid" => {
            let (radii, xy, z) = exponents(fields)?;
            let taper = fields.numbers("taper")?;
            let made = match convexity {
                Convexity::HullAccepted => Superovoid::new(radii, xy, z, taper),
                Convexity::Required => Superovoid::new_convex(radii, xy, z, taper),
            };
            made.map(Shape::from).map_err(refused)
        }
        "poly_ellipsoid" => {
            let _radii: [f64; 6] = fields.numbers("radii")?;
            Err(not_supported(kind, path))
        }
        "box" => {
            let _half_extents = fields.numbers::<3>("size")?.map(|edge| 0.5 * edge);
            Err(not_supported(kind, path))
        }
        "cylinder" | "capsule" | "cone" => {
            let _radius = fields.number("radius")?;
            let _half_length = 0.5 * fields.number("length")?;
            Err(not_supported(kind, path))
        }
        "half_space" => {
            let _normal: [f64; 3] = fields.numbers("normal")?;
            let _offset = fields.number("offset")?;
            Err(not_supported(kind, path))
        }
        "convex_mesh" => {
            let _vertices = vertices(fields)?;
            Err(not_supported(kind, path))
        }
        "compound" => {
            let _parts = parts(fields, convexity)?;
            Err(not_supported(kind, path))
        }
        unknown => {
            let short: String = unknown.chars().take(40).collect();
            Err(InputError(format!("{path}.type is `{short}`, must be one of: {KINDS}")))
        }
    }
}

/// Radii and both exponents: what superellipsoids and superovoids share.
fn exponents(fields: &mut Fields) -> Result<([f64; 3], f64, f64), InputError> {
    Ok((fields.numbers("radii")?, fields.number("exponent_xy")?, fields.number("exponent_z")?))
}

fn vertices(fields: &mut Fields) -> Result<Vec<[f64; 3]>, InputError> {
    let path = fields.path_of("vertices");
    let list = fields.required("vertices")?.list(&path)?;
    let vertex = |(index, item): (usize, &Json)| item.numbers(&format!("{path}[{index}]"));
    list.iter().enumerate().map(vertex).collect()
}

/// The parts of a compound with their poses in its frame.
fn parts(
    fields: &mut Fields,
    convexity: Convexity,
) -> Result<Vec<(Shape, smooth_scene::math::Pose)>, InputError> {
    let path = fields.path_of("parts");
    let list = fields.required("parts")?.list(&path)?;
    let mut parts = Vec::with_capacity(list.len());
    for (index, item) in list.iter().enumerate() {
        let path = format!("{path}[{index}]");
        let mut part = Fields::of(item, &path)?;
        let made = shape(part.required("shape")?, &part.path_of("shape"), convexity)?;
        let pose = crate::request::optional_pose(&mut part, "pose")?.unwrap_or_default();
        part.finish()?;
        parts.push((made, pose));
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

/// The shape rounded outwards by `padding`.
fn padded(_surface: Shape, _padding: f64, path: &str) -> Result<Shape, InputError> {
    Err(InputError(format!("{path}.padding is not supported")))
}

fn not_supported(kind: &str, path: &str) -> InputError {
    InputError(format!("{path}: shape type {kind} is not supported"))
}
