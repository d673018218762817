//! One URDF as text.

use std::fmt::Write;

use smooth_scene_geometry::ShapeError;

use super::fallback::Fallback;
use super::source::{JointRow, Source, SurfaceRow};
use super::{Carrier, Fingers, Variant};

/// Right hand blue, left hand orange; translucent, because the fallback geometry is around the surface.
const MATERIALS: &str = r#"  <material name="right"><color rgba="0.25 0.45 0.85 0.35"/></material>
  <material name="left"><color rgba="0.95 0.55 0.15 0.35"/></material>
"#;

/// The file of a variant.
pub fn text(source: &Source, variant: Variant) -> Result<String, ShapeError> {
    let (root, joints) = source.robot(variant.carrier);
    let mut out = String::from("<?xml version=\"1.0\"?>\n");
    out += &header(&joints, variant);
    let name = variant.carrier.stem();
    out += &format!("<robot name=\"{name}\" xmlns:scs=\"urn:smooth-scene:scs:1\">\n");
    out += MATERIALS;
    out += &format!("  <link name=\"{root}\"/>\n");
    for row in &joints {
        out += &joint(source, row, variant.fingers);
        out += &link(&row.child, source.surface(&row.child, variant.representation))?;
    }
    out += "</robot>\n";
    Ok(out)
}

/// What the file is, where it comes from, and what the links are called there.
fn header(joints: &[JointRow], variant: Variant) -> String {
    let carrier = match variant.carrier {
        Carrier::SixJoints => "each on three prismatic and three revolute joints",
        Carrier::Arms => "with torso and arms",
    };
    let fingers = match variant.fingers {
        Fingers::Independent => "All finger joints are independent.",
        Fingers::Coupled => "Joints that share a motor of the real hand follow each other.",
    };
    let mut out = format!(
        "<!-- Written by crates/scene/examples/icub_urdf from urdf/source/; do not edit.

  The hands of the iCub, {carrier}; surfaces: {}.
  {fingers}
  Kinematics and the meshes the surfaces were fitted to: vislab-tecnico-lisboa/icub-moveit @ 845496fc, licence tag
  \"BSD\" in its manifest. urdf/source/ says what differs from it; torso and arms carry no surfaces.
  The box or cylinder of a collision contains the surface; it is for programs that do not know the scs elements.

  Names here and there (link, joint):
",
        variant.representation.name()
    );
    for row in joints {
        if let Some([joint, link]) = &row.source {
            let _ = writeln!(out, "    {} = {link}, {} = {joint}", row.child, row.joint);
        }
    }
    out + "-->\n"
}

fn joint(source: &Source, row: &JointRow, fingers: Fingers) -> String {
    let mut out = format!("  <joint name=\"{}\" type=\"{}\">\n", row.joint, row.kind);
    let _ = writeln!(out, "    {}", origin(&row.xyz, &row.rpy));
    let _ = writeln!(out, "    <parent link=\"{}\"/>", row.parent);
    let _ = writeln!(out, "    <child link=\"{}\"/>", row.child);
    if let (Some(axis), Some(lower), Some(upper)) = (row.axis, row.lower, row.upper) {
        let (effort, velocity) = (source.joints.effort, source.joints.velocity);
        let _ = writeln!(out, "    <axis xyz=\"{}\"/>", numbers(&axis));
        let _ = writeln!(
            out,
            r#"    <limit lower="{lower}" upper="{upper}" effort="{effort}" velocity="{velocity}"/>"#
        );
    }
    if let Some(leader) = source.leader(row, fingers) {
        let _ = writeln!(out, r#"    <mimic joint="{leader}" multiplier="1" offset="0"/>"#);
    }
    out + "  </joint>\n"
}

fn link(name: &str, surface: Option<&SurfaceRow>) -> Result<String, ShapeError> {
    let Some(surface) = surface else { return Ok(format!("  <link name=\"{name}\"/>\n")) };
    let fallback = Fallback::around(surface)?.element();
    let side = if name.starts_with("r_") { "right" } else { "left" };
    let origin = origin(&surface.xyz, &surface.rpy);
    Ok(format!(
        r#"  <link name="{name}">
    <visual>
      {origin}
      <geometry>{fallback}</geometry>
      <material name="{side}"/>
    </visual>
    <collision name="{name}_surface">
      {origin}
      <geometry>{fallback}</geometry>
      {}
    </collision>
  </link>
"#,
        extension(surface)
    ))
}

fn extension(surface: &SurfaceRow) -> String {
    let (kind, taper) = match surface.taper {
        None => ("superellipsoid", String::new()),
        Some(taper) => ("superovoid", format!(r#" taper="{}""#, numbers(&taper))),
    };
    let SurfaceRow { radii, exponent_xy, exponent_z, .. } = surface;
    let radii = numbers(radii);
    format!(
        r#"<scs:{kind} radii="{radii}" exponent_xy="{exponent_xy}" exponent_z="{exponent_z}"{taper}/>"#
    )
}

fn origin(xyz: &[f64; 3], rpy: &[f64; 3]) -> String {
    format!(r#"<origin xyz="{}" rpy="{}"/>"#, numbers(xyz), numbers(rpy))
}

fn numbers(numbers: &[f64]) -> String {
    let texts: Vec<String> = numbers.iter().map(f64::to_string).collect();
    texts.join(" ")
}
