//! The standard part of the format, read by `urdf-rs`.
//!
//! It is given a reduced text: what a collision model consists of, with every number already checked, and a placeholder
//! for each surface of our own. The reasons are in the documentation of the parent module.

use super::error::UrdfError;
use super::raw::{RawCollision, RawJoint, RawRobot, RawShape};
use super::xml::Element;

/// What stands for a shape that `urdf-rs` does not know.
const PLACEHOLDER: &str = "<sphere radius=\"1\"/>";
/// Largest coordinate in metres and largest angle in radians; beyond it an angle has no digits after the point left.
const MAX_COORDINATE: f64 = 1e6;

/// Reads links, collisions and joints, in the order of `raw`.
pub(super) fn read(raw: &RawRobot<'_>, file: &str) -> Result<urdf_rs::Robot, UrdfError> {
    let text = text_for_urdf_rs(raw)?;
    let refused = |reason| UrdfError::Standard { file: file.into(), reason };
    let robot = urdf_rs::read_from_string(&text).map_err(|error| refused(error.to_string()))?;
    let same = robot.links.len() == raw.links.len()
        && robot.joints.len() == raw.joints.len()
        && robot.links.iter().zip(&raw.links).all(|(a, b)| a.collision.len() == b.collisions.len());
    if !same {
        return Err(refused("urdf-rs found other links, joints or collisions".into()));
    }
    Ok(robot)
}

fn text_for_urdf_rs(raw: &RawRobot<'_>) -> Result<String, UrdfError> {
    let mut text =
        format!("<robot name=\"robot\" version=\"{}.{}\">", raw.version.0, raw.version.1);
    for (index, link) in raw.links.iter().enumerate() {
        // Names are taken from the file itself; numbers cannot upset an XML writer.
        text += &format!("<link name=\"{index}\">");
        for collision in &link.collisions {
            push_collision(&mut text, collision)?;
        }
        text += "</link>";
    }
    for (index, joint) in raw.joints.iter().enumerate() {
        push_joint(&mut text, index, joint, raw.version)?;
    }
    text += "</robot>";
    Ok(text)
}

fn push_collision(text: &mut String, collision: &RawCollision<'_>) -> Result<(), UrdfError> {
    *text += "<collision>";
    push_origin(text, collision.origin)?;
    *text += "<geometry>";
    match collision.shape {
        RawShape::Standard(shape) => push_shape(text, &shape)?,
        RawShape::Surface(_) => *text += PLACEHOLDER,
    }
    *text += "</geometry></collision>";
    Ok(())
}

fn push_shape(text: &mut String, shape: &Element<'_>) -> Result<(), UrdfError> {
    match shape.name() {
        "box" => {
            shape.required_numbers::<3>("size")?;
            push_element(text, shape, &["size"]);
        }
        "sphere" => {
            shape.required_numbers::<1>("radius")?;
            push_element(text, shape, &["radius"]);
        }
        "mesh" => {
            shape.required("filename")?;
            shape.bounded_numbers::<3>("scale", MAX_COORDINATE)?;
            push_element(text, shape, &["filename", "scale"]);
        }
        "cylinder" | "capsule" => {
            shape.required_numbers::<1>("radius")?;
            shape.required_numbers::<1>("length")?;
            push_element(text, shape, &["radius", "length"]);
        }
        other => unreachable!("<{other}> is not one of the standard shapes"),
    }
    Ok(())
}

fn push_origin(text: &mut String, origin: Option<Element<'_>>) -> Result<(), UrdfError> {
    let Some(origin) = origin else { return Ok(()) };
    origin.bounded_numbers::<3>("xyz", MAX_COORDINATE)?;
    origin.bounded_numbers::<3>("rpy", MAX_COORDINATE)?;
    push_element(text, &origin, &["xyz", "rpy"]);
    Ok(())
}

fn push_joint(
    text: &mut String,
    index: usize,
    joint: &RawJoint<'_>,
    version: (u32, u32),
) -> Result<(), UrdfError> {
    let kind = joint.element.required("type")?;
    let known = ["revolute", "continuous", "prismatic", "fixed", "floating", "planar"];
    if !known.contains(&kind) {
        return Err(joint.element.bad_attribute("type", format!("one of: {}", known.join(", "))));
    }
    joint.parent.required("link")?;
    joint.child.required("link")?;
    *text += &format!("<joint name=\"{index}\" type=\"{kind}\">");
    push_origin(text, joint.origin)?;
    *text += "<parent link=\"0\"/><child link=\"0\"/>";
    if let Some(axis) = joint.axis {
        axis.required_numbers::<3>("xyz")?;
        push_element(text, &axis, &["xyz"]);
    }
    match joint.limit {
        Some(limit) => push_limit(text, &limit)?,
        None if version < (1, 2) && matches!(kind, "revolute" | "prismatic") => {
            return Err(joint
                .element
                .error(format!("<limit> is missing, a {kind} joint needs it")));
        }
        None => {}
    }
    if let Some(mimic) = joint.mimic {
        mimic.required("joint")?;
        mimic.bounded_numbers::<1>("multiplier", MAX_COORDINATE)?;
        mimic.bounded_numbers::<1>("offset", MAX_COORDINATE)?;
        *text += "<mimic joint=\"0\"";
        push_attributes(text, &mimic, &["multiplier", "offset"]);
        *text += "/>";
    }
    *text += "</joint>";
    Ok(())
}

fn push_limit(text: &mut String, limit: &Element<'_>) -> Result<(), UrdfError> {
    for name in ["lower", "upper", "effort", "velocity"] {
        limit.numbers::<1>(name)?;
    }
    *text += "<limit";
    push_attributes(text, limit, &["lower", "upper", "effort", "velocity"]);
    // Without these a joint has no known bound; urdf-rs would refuse the file or read a zero.
    for name in ["effort", "velocity"] {
        if limit.attribute(name).is_none() {
            *text += &format!(" {name}=\"inf\"");
        }
    }
    *text += "/>";
    Ok(())
}

fn push_element(text: &mut String, element: &Element<'_>, attributes: &[&str]) {
    *text += &format!("<{}", element.name());
    push_attributes(text, element, attributes);
    *text += "/>";
}

fn push_attributes(text: &mut String, element: &Element<'_>, names: &[&str]) {
    for name in names {
        if let Some(value) = element.attribute(name) {
            *text += &format!(" {name}=\"{}\"", escaped(value));
        }
    }
}

/// A value as it stands between double quotes in XML.
pub(super) fn escaped(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    for c in value.chars() {
        match c {
            '&' => text += "&amp;",
            '<' => text += "&lt;",
            '>' => text += "&gt;",
            '"' => text += "&quot;",
            '\n' | '\r' | '\t' => text += &format!("&#{};", c as u32),
            other => text.push(other),
        }
    }
    text
}
