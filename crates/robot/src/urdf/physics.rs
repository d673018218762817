//! What a URDF says about masses and friction: `<inertial>` of links and `<dynamics>` of joints. Read apart from the
//! robot, so that a collision model is never refused for an inertia.

use std::collections::BTreeMap;

use super::document::UrdfDocument;
use super::error::UrdfError;
use super::options::LoadOptions;
use super::raw::{at_most_one, version};
use super::standard::{self, Version};
use super::xml::{self, Element};
use smooth_scene_geometry::math::{Mat3, Vec3};

/// Largest mass, in kg, and largest moment of inertia, in kg·m².
const MAX_INERTIA: f64 = 1e12;
/// Largest damping and friction of a joint, in N·s/m, N·m·s/rad, N or N·m.
const MAX_FRICTION: f64 = 1e12;

/// The mass of a link and how it is distributed, in the frame of the link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinkInertial {
    /// Mass in kg; not negative.
    pub mass: f64,
    /// Centre of mass.
    pub center: Vec3,
    /// Moments of inertia about the centre of mass, along the axes of the link, kg·m².
    pub inertia: Mat3,
}

/// Damping and friction of a joint.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct JointDynamics {
    /// Force per speed, N·s/m or N·m·s/rad; not negative.
    pub damping: f64,
    /// Static friction, N or N·m; not negative.
    pub friction: f64,
}

/// Masses and friction of a robot, by name. What the file does not say is not there.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct UrdfPhysics {
    /// Links that have an `<inertial>`.
    pub inertials: BTreeMap<String, LinkInertial>,
    /// Joints that have a `<dynamics>`.
    pub joints: BTreeMap<String, JointDynamics>,
}

/// Reads masses and friction from a document that was loaded before.
///
/// Refused: a mass or friction that is negative or not finite, moments of inertia that are missing or not finite. Whether
/// a body can have these moments is not asked: many robots in use have some that no body has.
pub fn physics(document: &UrdfDocument) -> Result<UrdfPhysics, UrdfError> {
    let label = document.file();
    let parsed = xml::parse(document.text(), label, LoadOptions::default().max_nodes)?;
    let root = Element::root(&parsed, label);
    let version = version(&root);
    let mut found = UrdfPhysics::default();
    for link in root.children_named("link") {
        if let Some(element) = at_most_one(&link, "inertial")? {
            found.inertials.insert(link.required("name")?.into(), inertial(&element, version)?);
        }
    }
    for joint in root.children_named("joint") {
        if let Some(element) = at_most_one(&joint, "dynamics")? {
            let number = |name| {
                let given = element.bounded_numbers::<1>(name, MAX_FRICTION)?;
                match given.map_or(0.0, |[number]| number) {
                    number if number < 0.0 => Err(element.bad_attribute(name, "zero or more")),
                    number => Ok(number),
                }
            };
            let dynamics =
                JointDynamics { damping: number("damping")?, friction: number("friction")? };
            found.joints.insert(joint.required("name")?.into(), dynamics);
        }
    }
    Ok(found)
}

fn inertial(element: &Element<'_>, version: Version) -> Result<LinkInertial, UrdfError> {
    let pose = standard::pose(&at_most_one(element, "origin")?, version)?;
    let child = |name: &'static str| {
        at_most_one(element, name)?.ok_or_else(|| element.error(format!("<{name}> is missing")))
    };
    let mass_element = child("mass")?;
    let mass = number(&mass_element, "value")?;
    if mass < 0.0 {
        return Err(mass_element.bad_attribute("value", "zero or more"));
    }
    let moments = child("inertia")?;
    let [xx, xy, xz] =
        [number(&moments, "ixx")?, number(&moments, "ixy")?, number(&moments, "ixz")?];
    let [yy, yz, zz] =
        [number(&moments, "iyy")?, number(&moments, "iyz")?, number(&moments, "izz")?];
    let own = Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
    let rotation = pose.rotation.to_rotation_matrix().into_inner();
    let inertia = rotation * own * rotation.transpose();
    Ok(LinkInertial { mass, center: pose.translation.vector, inertia })
}

fn number(element: &Element<'_>, name: &'static str) -> Result<f64, UrdfError> {
    element.required(name)?;
    let [number] = element.bounded_numbers::<1>(name, MAX_INERTIA)?.expect("it is there");
    Ok(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_urdf;

    fn read(link: &str, joint: &str) -> Result<UrdfPhysics, UrdfError> {
        let text = format!(
            r#"<robot name="r"><link name="a">{link}</link><link name="b"/><joint name="j" type="continuous">
            <parent link="a"/><child link="b"/>{joint}</joint></robot>"#
        );
        let robot = parse_urdf(&text, "r.urdf", &LoadOptions::default()).unwrap();
        physics(&robot.document)
    }

    #[test]
    fn moments_are_turned_into_the_frame_of_the_link() {
        let link = r#"<inertial><origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/><mass value="2"/>
            <inertia ixx="1" iyy="2" izz="3" ixy="0" ixz="0" iyz="0"/></inertial>"#;
        let found = read(link, r#"<dynamics damping="0.5"/>"#).unwrap();
        let inertial = found.inertials["a"];
        assert_eq!((inertial.mass, inertial.center), (2.0, Vec3::new(1.0, 2.0, 3.0)));
        let expected = Mat3::from_diagonal(&Vec3::new(2.0, 1.0, 3.0));
        assert!((inertial.inertia - expected).amax() < 1e-15);
        assert_eq!(found.joints["j"], JointDynamics { damping: 0.5, friction: 0.0 });
        assert!(!found.inertials.contains_key("b"));
    }

    #[test]
    fn bad_numbers_are_named_with_their_place() {
        let link = r#"<inertial><mass value="-1"/>
            <inertia ixx="1" iyy="2" izz="3" ixy="0" ixz="0" iyz="0"/></inertial>"#;
        let error = read(link, "").unwrap_err().to_string();
        assert!(error.starts_with("r.urdf:1:"), "{error}");
        assert!(error.ends_with(r#"value is "-1", must be zero or more"#), "{error}");
        let error = read("<inertial><mass value='1'/></inertial>", "").unwrap_err().to_string();
        assert!(error.contains("<inertia> is missing"), "{error}");
        let error = read("", r#"<dynamics friction="nan"/>"#).unwrap_err().to_string();
        assert!(error.contains("friction is \"nan\""), "{error}");
    }
}
