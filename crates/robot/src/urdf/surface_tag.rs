//! The surface elements of the URDF extension: attributes → shapes, and back, as the table of shapes has them.

use super::error::UrdfError;
use super::xml::Element;
use smooth_scene_geometry::{
    Content, NumberFields, Shape, ShapeError, ShapeKind, full_length_range,
};

/// Shapes that URDF has itself, with the same attributes.
const STANDARD: [&str; 3] = ["sphere", "box", "cylinder"];

/// The surfaces of the extension: every bounded shape that is described by numbers and is not in URDF itself.
fn surfaces() -> impl Iterator<Item = (&'static ShapeKind, &'static NumberFields)> {
    ShapeKind::ALL.iter().filter_map(|kind| match &kind.content {
        Content::Numbers(fields) if kind.is_bounded() && !STANDARD.contains(&kind.name) => {
            Some((kind, fields))
        }
        Content::Numbers(_) | Content::Vertices => None,
    })
}

/// The names of the surfaces, as an enumeration that goes on with "or".
pub(super) fn surface_names() -> String {
    let names: Vec<&str> = surfaces().map(|(kind, _)| kind.name).collect();
    match names.split_last() {
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

/// Whether this is the name of a surface that may stand in `<geometry>` without prefix.
pub(super) fn is_surface_name(name: &str) -> bool {
    surfaces().any(|(kind, _)| kind.name == name)
}

/// The shape of a surface element. Every attribute must be known: a misspelt `taper` would otherwise silently make
/// another surface.
pub(super) fn surface(element: &Element<'_>) -> Result<Shape, UrdfError> {
    if element.name() == "superellipsoid" && is_from_rbdyn(element) {
        return rbdyn_superellipsoid(element);
    }
    let Some((_, content)) = surfaces().find(|(kind, _)| kind.name == element.name()) else {
        return Err(element.error(format!("unknown surface, must be {}", surface_names())));
    };
    let names: Vec<&str> = content.fields.iter().map(|field| field.name).collect();
    only(element, &names)?;
    let shape = content.read(|field| {
        let numbers = element.required_list(field.name, field.count())?;
        match field.bad_full_length(&numbers) {
            None => Ok(numbers),
            Some(_) => Err(bad_full_length(element, field.name)),
        }
    })?;
    made(element, shape)
}

/// Checks a full length here, because the shape would complain about the half, which the file does not contain.
pub(super) fn check_full_length(
    element: &Element<'_>,
    attribute: &str,
    length: f64,
) -> Result<(), UrdfError> {
    if full_length_range().contains(&length) {
        return Ok(());
    }
    Err(bad_full_length(element, attribute))
}

fn bad_full_length(element: &Element<'_>, attribute: &str) -> UrdfError {
    let range = full_length_range();
    element.bad_attribute(attribute, format!("in [{:e}, {:e}] m", range.start(), range.end()))
}

/// RBDyn writes `size` and numbered exponents.
fn is_from_rbdyn(element: &Element<'_>) -> bool {
    !element.is_in_surface_namespace() && element.attribute("size").is_some()
}

/// RBDyn's form: `size` holds the semi-axes, epsilon1 is the exponent along z, epsilon2 the one in the xy plane.
fn rbdyn_superellipsoid(element: &Element<'_>) -> Result<Shape, UrdfError> {
    only(element, &["size", "epsilon1", "epsilon2"])?;
    let [z] = element.required_numbers("epsilon1")?;
    let [xy] = element.required_numbers("epsilon2")?;
    made(element, Shape::superellipsoid(element.required_numbers("size")?, xy, z))
}

pub(super) fn made(
    element: &Element<'_>,
    shape: Result<Shape, ShapeError>,
) -> Result<Shape, UrdfError> {
    shape.map_err(|source| UrdfError::Shape {
        place: element.place().into(),
        element: element.label(),
        source,
    })
}

fn only(element: &Element<'_>, known: &[&str]) -> Result<(), UrdfError> {
    match element.attribute_names().find(|name| !known.contains(name)) {
        None => Ok(()),
        Some(unknown) => Err(element.error(format!(
            "unknown attribute `{}`, must be one of: {}",
            crate::text_file::quote(unknown),
            known.join(", ")
        ))),
    }
}

/// The surface element for a shape, or `None` for shapes that are no surface of the extension. Numbers are written so
/// that reading them gives the same bits.
pub(super) fn surface_text(prefix: &str, shape: &Shape) -> Option<String> {
    let named = shape.named_numbers().filter(|named| is_surface_name(named.kind.name))?;
    let attributes: String = named
        .iter()
        .map(|(field, numbers)| format!(" {}=\"{}\"", field.name, list(numbers)))
        .collect();
    Some(format!("<{prefix}:{}{attributes}/>", named.kind.name))
}

/// Numbers separated by spaces, with all the digits that matter.
pub(super) fn list(numbers: &[f64]) -> String {
    numbers.iter().map(f64::to_string).collect::<Vec<_>>().join(" ")
}
