//! The sidecar file: surfaces for a robot whose URDF may not be edited.
//!
//! YAML, a map from link names to lists of surfaces. The surfaces of a link replace all collisions the URDF gives it;
//! an empty list leaves the link without any. Types and fields are those of [`crate::values`]; lengths of boxes and
//! cylinders are full lengths.
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
use crate::values::{Refusal, ShapeSet, Value, WHOLE_FILE, read_pose, read_shape, read_yaml};
use crate::{LinkSpec, LinkSurface};
use smooth_scene_geometry::math::Pose;

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
    match read_yaml(text)? {
        Value::Null => Ok(Vec::new()),
        links @ Value::Map(_) => Ok(links.entries(WHOLE_FILE)?.to_vec()),
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
    let each = surfaces.each_item(&link)?;
    each.map(|(path, surface)| collision(&path, surface, options)).collect()
}

fn collision(path: &str, surface: &Value, options: &LoadOptions) -> Result<LinkSurface, Refusal> {
    let others = ["name", "origin"];
    let (mut shape, fields) = read_shape(path, surface, ShapeSet::LinkSurfaces, &others)?;
    let name = fields.optional("name").map(|name| name.text(&fields.path("name"))).transpose()?;
    let pose_in_link = match fields.optional("origin") {
        Some(origin) => read_pose(&fields.path("origin"), origin)?,
        None => Pose::identity(),
    };
    if options.strict_convexity {
        shape = shape.strict().map_err(|error| Refusal::new(path, error.to_string()))?;
    }
    Ok(LinkSurface { name: name.map(Into::into), pose_in_link, shape })
}
