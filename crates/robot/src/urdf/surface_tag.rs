//! The surface elements of the URDF extension: attributes → shapes, and back.

use super::error::UrdfError;
use super::xml::Element;
use smooth_scene_geometry::{LENGTH_RANGE, Shape, ShapeError};

/// Whether this is the name of a surface that may stand in `<geometry>` without prefix.
pub(super) fn is_surface_name(name: &str) -> bool {
    matches!(name, "superovoid" | "superellipsoid" | "ellipsoid" | "poly_ellipsoid" | "capsule")
}

/// The shape of a surface element. Every attribute must be known: a misspelt `taper` would otherwise silently make
/// another surface.
pub(super) fn surface(element: &Element<'_>) -> Result<Shape, UrdfError> {
    match element.name() {
        "superovoid" => {
            only(element, &["radii", "exponent_xy", "exponent_z", "taper"])?;
            let (radii, xy, z) = exponents(element)?;
            let taper = element.required_numbers("taper")?;
            made(element, Shape::superovoid(radii, xy, z, taper))
        }
        "superellipsoid" if is_from_rbdyn(element) => rbdyn_superellipsoid(element),
        "superellipsoid" => {
            only(element, &["radii", "exponent_xy", "exponent_z"])?;
            let (radii, xy, z) = exponents(element)?;
            made(element, Shape::superellipsoid(radii, xy, z))
        }
        "ellipsoid" => {
            only(element, &["radii"])?;
            made(element, Shape::ellipsoid(element.required_numbers("radii")?))
        }
        "poly_ellipsoid" => {
            only(element, &["radii"])?;
            made(element, Shape::poly_ellipsoid(element.required_numbers("radii")?))
        }
        "capsule" => {
            only(element, &["radius", "length"])?;
            capsule(element)
        }
        _ => Err(element.error(
            "unknown surface, must be superovoid, superellipsoid, ellipsoid, poly_ellipsoid or capsule",
        )),
    }
}

/// A capsule as in URDF 1.2: `length` is that of its cylinder, without the two half-spheres.
pub(super) fn capsule(element: &Element<'_>) -> Result<Shape, UrdfError> {
    let half_length = half_of(element, "length")?;
    let [radius] = element.required_numbers("radius")?;
    made(element, Shape::capsule(radius, half_length))
}

/// Half of a length, checked here because the shape would complain about the half, which the file does not contain.
pub(super) fn half_of(element: &Element<'_>, attribute: &str) -> Result<f64, UrdfError> {
    let [length] = element.required_numbers(attribute)?;
    check_full_length(element, attribute, length)?;
    Ok(0.5 * length)
}

pub(super) fn check_full_length(
    element: &Element<'_>,
    attribute: &str,
    length: f64,
) -> Result<(), UrdfError> {
    let [least, most] = [2.0 * LENGTH_RANGE.start(), 2.0 * LENGTH_RANGE.end()];
    if (least..=most).contains(&length) {
        return Ok(());
    }
    Err(element.bad_attribute(attribute, format!("in [{least:e}, {most:e}] m")))
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

fn exponents(element: &Element<'_>) -> Result<([f64; 3], f64, f64), UrdfError> {
    let radii = element.required_numbers("radii")?;
    let [xy] = element.required_numbers("exponent_xy")?;
    let [z] = element.required_numbers("exponent_z")?;
    Ok((radii, xy, z))
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
    let text = match shape {
        Shape::Superovoid(s) => format!(
            "<{prefix}:superovoid radii=\"{}\" exponent_xy=\"{}\" exponent_z=\"{}\" taper=\"{}\"/>",
            list(&s.radii()),
            s.exponent_xy(),
            s.exponent_z(),
            list(&s.taper())
        ),
        Shape::Superellipsoid(s) => format!(
            "<{prefix}:superellipsoid radii=\"{}\" exponent_xy=\"{}\" exponent_z=\"{}\"/>",
            list(&s.radii()),
            s.exponent_xy(),
            s.exponent_z()
        ),
        Shape::Ellipsoid(s) => format!("<{prefix}:ellipsoid radii=\"{}\"/>", list(&s.radii())),
        Shape::PolyEllipsoid(s) => {
            format!("<{prefix}:poly_ellipsoid radii=\"{}\"/>", list(&s.radii()))
        }
        Shape::Capsule(s) => format!(
            "<{prefix}:capsule radius=\"{}\" length=\"{}\"/>",
            s.radius(),
            2.0 * s.half_length()
        ),
        Shape::Sphere(_)
        | Shape::Cuboid(_)
        | Shape::Cylinder(_)
        | Shape::Cone(_)
        | Shape::HalfSpace(_)
        | Shape::ConvexMesh(_)
        | Shape::Compound(_)
        | Shape::Padded(_)
        | Shape::Mapped(_) => return None,
    };
    Some(text)
}

/// Numbers separated by spaces, with all the digits that matter.
pub(super) fn list(numbers: &[f64]) -> String {
    numbers.iter().map(f64::to_string).collect::<Vec<_>>().join(" ")
}
