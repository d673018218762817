//! Elements → the parts of a robot, each with its element; counted and named, not yet interpreted.

use super::error::{UrdfError, Warning};
use super::surface_tag::{is_surface_name, surface_names};
use super::xml::Element;

/// Most warnings that are kept: finding the line of each costs a pass over the file.
const MAX_WARNINGS: usize = 100;

/// The parts of a robot in the order of the file.
pub(super) struct RawRobot<'a> {
    pub(super) root: Element<'a>,
    pub(super) name: &'a str,
    /// Version of the format as (major, minor); 1.0 when absent or malformed, as in urdfdom.
    pub(super) version: (u32, u32),
    pub(super) links: Vec<RawLink<'a>>,
    pub(super) joints: Vec<RawJoint<'a>>,
}

pub(super) struct RawLink<'a> {
    pub(super) element: Element<'a>,
    pub(super) name: &'a str,
    pub(super) collisions: Vec<RawCollision<'a>>,
}

pub(super) struct RawCollision<'a> {
    pub(super) element: Element<'a>,
    pub(super) origin: Option<Element<'a>>,
    /// The `<geometry>` element.
    pub(super) geometry: Option<Element<'a>>,
    pub(super) shape: RawShape<'a>,
}

/// The one element that says which shape a collision has.
#[derive(Clone, Copy)]
pub(super) enum RawShape<'a> {
    /// A box, cylinder, sphere, capsule or mesh.
    Standard(Element<'a>),
    /// A surface element, beside `<geometry>` or in it.
    Surface(Element<'a>),
}

pub(super) struct RawJoint<'a> {
    pub(super) element: Element<'a>,
    pub(super) name: &'a str,
    pub(super) origin: Option<Element<'a>>,
    pub(super) parent: Element<'a>,
    pub(super) child: Element<'a>,
    pub(super) axis: Option<Element<'a>>,
    pub(super) limit: Option<Element<'a>>,
    pub(super) mimic: Option<Element<'a>>,
}

/// What was noticed on the way.
#[derive(Default)]
pub(super) struct Notes {
    pub(super) warnings: Vec<Warning>,
    left_out: usize,
}

impl Notes {
    pub(super) fn warn(&mut self, element: &Element<'_>, message: impl FnOnce() -> String) {
        if self.warnings.len() < MAX_WARNINGS {
            self.warnings.push(Warning { place: Some(element.place()), message: message() });
        } else {
            self.left_out += 1;
        }
    }

    /// The warnings in the order of the file.
    pub(super) fn finish(mut self) -> Vec<Warning> {
        self.warnings
            .sort_by_key(|warning| warning.place.as_ref().map(|place| (place.line, place.column)));
        if self.left_out > 0 {
            let message = format!("{} more warnings are not shown", self.left_out);
            self.warnings.push(Warning { place: None, message });
        }
        self.warnings
    }

    fn ignored(&mut self, element: &Element<'_>) {
        self.warn(element, || format!("{} is not known and not used", element.label()));
    }
}

/// Collects the parts below `<robot>`.
pub(super) fn robot<'a>(
    root: Element<'a>,
    max_links: usize,
    notes: &mut Notes,
) -> Result<RawRobot<'a>, UrdfError> {
    if !(root.is_plain() && root.name() == "robot") {
        return Err(root.error("the root element must be <robot>"));
    }
    let name = root.required("name")?;
    let mut links = Vec::new();
    let mut joints = Vec::new();
    for child in root.children() {
        match child.name() {
            "link" if child.is_plain() => links.push(link(child, notes)?),
            "joint" if child.is_plain() => joints.push(joint(child, notes)?),
            "material" | "transmission" | "gazebo" | "sensor" | "ros2_control"
                if child.is_plain() => {}
            _ => notes.ignored(&child),
        }
        if links.len() > max_links || joints.len() > max_links {
            return Err(child.error(format!("more than {max_links} links or joints")));
        }
    }
    Ok(RawRobot { root, name, version: version(&root), links, joints })
}

pub(super) fn version(root: &Element<'_>) -> (u32, u32) {
    let parse = |text: &str| {
        let (major, minor) = text.trim().split_once('.')?;
        Some((major.parse().ok()?, minor.parse().ok()?))
    };
    root.attribute("version").and_then(parse).unwrap_or((1, 0))
}

fn link<'a>(element: Element<'a>, notes: &mut Notes) -> Result<RawLink<'a>, UrdfError> {
    let name = element.required("name")?;
    let mut collisions = Vec::new();
    for child in element.children() {
        match child.name() {
            "collision" if child.is_plain() => collisions.push(collision(child, notes)?),
            "visual" | "inertial" if child.is_plain() => {}
            _ => notes.ignored(&child),
        }
    }
    Ok(RawLink { element, name, collisions })
}

pub(super) fn collision<'a>(
    element: Element<'a>,
    notes: &mut Notes,
) -> Result<RawCollision<'a>, UrdfError> {
    let origin = at_most_one(&element, "origin")?;
    let geometry = at_most_one(&element, "geometry")?;
    let mut surface: Option<Element<'a>> = None;
    for child in element.children() {
        if child.is_in_surface_namespace() {
            if surface.is_some() {
                return Err(child.error("a collision has at most one surface"));
            }
            surface = Some(child);
        } else if !(child.is_plain() && matches!(child.name(), "origin" | "geometry")) {
            notes.ignored(&child);
        }
    }
    // A standard shape in <geometry> is a fallback for other tools; a surface of ours there is a second surface.
    let has_second = || geometry.iter().flat_map(Element::children).any(|child| is_surface(&child));
    let shape = match (surface, geometry) {
        (Some(surface), _) if has_second() => {
            return Err(
                surface.error("a collision has at most one surface, and one is in <geometry>")
            );
        }
        (Some(surface), _) => RawShape::Surface(surface),
        (None, Some(geometry)) => shape_in(&geometry)?,
        (None, None) => return Err(element.error("<geometry> is missing")),
    };
    Ok(RawCollision { element, origin, geometry, shape })
}

/// Whether this is a shape that every tool knows.
fn is_standard(shape: &Element<'_>) -> bool {
    shape.is_plain() && matches!(shape.name(), "box" | "cylinder" | "sphere" | "capsule" | "mesh")
}

/// Whether this child of a `<geometry>` is one of our surfaces.
fn is_surface(shape: &Element<'_>) -> bool {
    let has_its_name = || shape.is_plain() && is_surface_name(shape.name());
    shape.is_in_surface_namespace() || (!is_standard(shape) && has_its_name())
}

/// The one child of a `<geometry>` without a surface beside it.
fn shape_in<'a>(geometry: &Element<'a>) -> Result<RawShape<'a>, UrdfError> {
    let mut children = geometry.children();
    let Some(shape) = children.next() else {
        return Err(geometry.error("contains no shape"));
    };
    if let Some(second) = children.next() {
        return Err(second.error("<geometry> contains more than one shape"));
    }
    if is_standard(&shape) {
        return Ok(RawShape::Standard(shape));
    }
    if is_surface(&shape) {
        return Ok(RawShape::Surface(shape));
    }
    Err(shape
        .error(format!("unknown shape, must be box, cylinder, sphere, mesh, {}", surface_names())))
}

fn joint<'a>(element: Element<'a>, notes: &mut Notes) -> Result<RawJoint<'a>, UrdfError> {
    let name = element.required("name")?;
    for child in element.children() {
        let is_known = matches!(
            child.name(),
            "origin"
                | "parent"
                | "child"
                | "axis"
                | "limit"
                | "mimic"
                | "dynamics"
                | "calibration"
                | "safety_controller"
        );
        if !(child.is_plain() && is_known) {
            notes.ignored(&child);
        }
    }
    let required = |child: &'static str| {
        at_most_one(&element, child)?.ok_or_else(|| element.error(format!("<{child}> is missing")))
    };
    Ok(RawJoint {
        element,
        name,
        origin: at_most_one(&element, "origin")?,
        parent: required("parent")?,
        child: required("child")?,
        axis: at_most_one(&element, "axis")?,
        limit: at_most_one(&element, "limit")?,
        mimic: at_most_one(&element, "mimic")?,
    })
}

/// The one child of this name, if there is any; readers disagree on which of two counts.
pub(super) fn at_most_one<'a>(
    element: &Element<'a>,
    name: &'static str,
) -> Result<Option<Element<'a>>, UrdfError> {
    let mut found = element.children_named(name);
    let first = found.next();
    match found.next() {
        Some(second) => {
            Err(second.error(format!("{} has more than one <{name}>", element.label())))
        }
        None => Ok(first),
    }
}
