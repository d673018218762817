//! The text of a URDF and where its links and collisions stand in it.

use std::ops::Range;

use super::raw::{RawRobot, RawShape};

/// Where a link stands in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkSource {
    /// Name of the link.
    pub name: String,
    /// The bytes of its element.
    pub range: Range<usize>,
    /// Its collisions in the order of the file.
    pub collisions: Vec<CollisionSource>,
}

/// Where a collision stands in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CollisionSource {
    /// The bytes of its element.
    pub range: Range<usize>,
    /// The bytes of its `<geometry>` element.
    pub geometry: Option<Range<usize>>,
    /// The bytes of the surface element beside `<geometry>`.
    pub surface: Option<Range<usize>>,
}

/// A URDF as it was read: every byte of it, and where the parts are that can be changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UrdfDocument {
    pub(super) text: String,
    file: String,
    pub(super) outline: Outline,
}

/// Places in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Outline {
    /// Where `<robot` ends, and attributes can be inserted.
    pub(super) robot_name_end: usize,
    /// The prefix bound to the surface namespace on `<robot>`, if there is one.
    pub(super) prefix: Option<String>,
    /// Whether the prefix we would bind is taken for something else.
    pub(super) taken_prefixes: Vec<String>,
    pub(super) links: Vec<LinkSource>,
}

impl Outline {
    pub(super) fn of(raw: &RawRobot<'_>) -> Self {
        let links = raw.links.iter().map(|link| {
            let collisions = link.collisions.iter().map(|collision| {
                let geometry = collision.geometry.map(|geometry| geometry.range());
                let surface = match collision.shape {
                    RawShape::Surface(element) => Some(element.range()),
                    RawShape::Standard(_) => None,
                };
                // A surface in `<geometry>` goes with it.
                let inside = |surface: &Range<usize>| {
                    geometry.as_ref().is_some_and(|geometry| geometry.contains(&surface.start))
                };
                let surface = surface.filter(|surface| !inside(surface));
                CollisionSource { range: collision.element.range(), geometry, surface }
            });
            LinkSource {
                name: link.name.into(),
                range: link.element.range(),
                collisions: collisions.collect(),
            }
        });
        let namespaces = raw.root.prefixes();
        Self {
            robot_name_end: raw.root.range().start + "<robot".len(),
            prefix: namespaces
                .iter()
                .find(|(_, uri)| *uri == super::SURFACE_NAMESPACE)
                .map(|(prefix, _)| (*prefix).into()),
            taken_prefixes: namespaces.iter().map(|(prefix, _)| (*prefix).into()).collect(),
            links: links.collect(),
        }
    }
}

impl UrdfDocument {
    pub(super) fn new(text: String, file: &str, outline: Outline) -> Self {
        Self { text, file: file.into(), outline }
    }

    /// The text, byte for byte as it was read.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The file, as the caller named it.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The links in the order of the file.
    pub fn links(&self) -> &[LinkSource] {
        &self.outline.links
    }
}
