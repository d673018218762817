//! Writing a URDF back: the collisions that are asked for change, every other byte stays.

use std::ops::Range;

use super::SURFACE_NAMESPACE;
use super::document::{CollisionSource, LinkSource, UrdfDocument};
use super::error::WriteError;
use super::surface_tag::{list, surface_text};
use crate::LinkSurface;
use crate::xml_text::escaped;
use smooth_scene_geometry::math::{Pose, atan2, hypot, sin_cos};
use smooth_scene_geometry::{ConvexSurface, Shape};

/// A change to a document.
#[derive(Debug, Clone, PartialEq)]
pub enum DocumentEdit {
    /// All collisions of a link give way to these. Comments between them stay.
    Collisions {
        /// The link.
        link: String,
        /// The new collisions, possibly none.
        collisions: Vec<LinkSurface>,
    },
    /// One collision gets another shape; its name, origin and everything else in it stay.
    Shape {
        /// The link.
        link: String,
        /// Which of its collisions, counted from zero in the order of the file.
        index: usize,
        /// The new shape, in the frame of the collision's origin.
        shape: Shape,
    },
}

impl DocumentEdit {
    fn link(&self) -> &str {
        match self {
            DocumentEdit::Collisions { link, .. } | DocumentEdit::Shape { link, .. } => link,
        }
    }
}

/// Bytes of the old text and what stands there in the new one.
type Replacement = (Range<usize>, String);

impl UrdfDocument {
    /// The text with some collisions changed. A surface is written beside a standard geometry that contains it, for
    /// tools that do not know surfaces; the namespace is declared on `<robot>` when it is not yet. Without edits the
    /// result is the text as it was read.
    pub fn write(&self, edits: &[DocumentEdit]) -> Result<String, WriteError> {
        let writer = Writer { document: self, prefix: self.prefix() };
        let mut replacements: Vec<Replacement> = Vec::new();
        for edit in edits {
            writer.replacements(edit, &mut replacements)?;
        }
        let needs_prefix = format!("<{}:", writer.prefix);
        if self.outline.prefix.is_none()
            && replacements.iter().any(|(_, text)| text.contains(&needs_prefix))
        {
            let at = self.outline.robot_name_end;
            let declaration = format!(" xmlns:{}=\"{SURFACE_NAMESPACE}\"", writer.prefix);
            replacements.push((at..at, declaration));
        }
        replacements.sort_by_key(|(range, _)| (range.start, range.end));
        if let Some(twice) = self.overlap(&replacements) {
            return Err(WriteError::ChangedTwice { link: twice });
        }
        let mut text = String::with_capacity(self.text.len());
        let mut copied = 0;
        for (range, replacement) in replacements {
            text += &self.text[copied..range.start];
            text += &replacement;
            copied = range.end;
        }
        text += &self.text[copied..];
        Ok(text)
    }

    /// The prefix for surfaces: the one the file has, or `scs`, or `scs1` and so on when that is taken.
    fn prefix(&self) -> String {
        if let Some(prefix) = &self.outline.prefix {
            return prefix.clone();
        }
        let taken = &self.outline.taken_prefixes;
        let numbered = (1..=taken.len()).map(|number| format!("scs{number}"));
        std::iter::once("scs".to_owned())
            .chain(numbered)
            .find(|prefix| !taken.contains(prefix))
            .expect("there is one candidate more than there are taken prefixes")
    }

    /// The link in which two replacements meet.
    fn overlap(&self, sorted: &[Replacement]) -> Option<String> {
        let meet =
            |pair: &&[Replacement]| pair[1].0.start < pair[0].0.end || pair[1].0 == pair[0].0;
        let at = sorted.windows(2).find(meet)?[1].0.start;
        let link = self.links().iter().find(|link| link.range.contains(&at));
        Some(link.expect("only edits of the same link meet").name.clone())
    }
}

struct Writer<'d> {
    document: &'d UrdfDocument,
    prefix: String,
}

impl Writer<'_> {
    fn replacements(
        &self,
        edit: &DocumentEdit,
        replacements: &mut Vec<Replacement>,
    ) -> Result<(), WriteError> {
        let name = edit.link();
        let link = self
            .document
            .links()
            .iter()
            .find(|link| link.name == name)
            .ok_or_else(|| WriteError::UnknownLink { link: name.into() })?;
        match edit {
            DocumentEdit::Collisions { collisions, .. } => {
                self.replace_collisions(link, collisions, replacements)
            }
            DocumentEdit::Shape { index, shape, .. } => {
                let collision =
                    link.collisions.get(*index).ok_or_else(|| WriteError::UnknownCollision {
                        link: name.into(),
                        index: *index,
                        count: link.collisions.len(),
                    })?;
                self.replace_shape(link, collision, shape, replacements)
            }
        }
    }

    fn replace_collisions(
        &self,
        link: &LinkSource,
        collisions: &[LinkSurface],
        replacements: &mut Vec<Replacement>,
    ) -> Result<(), WriteError> {
        let indent = match link.collisions.first() {
            Some(first) => self.indent_at(first.range.start),
            None => format!("{}  ", self.indent_at(link.range.start)),
        };
        let separator = format!("{}{indent}", self.newline());
        let texts: Result<Vec<String>, WriteError> = collisions
            .iter()
            .map(|collision| self.collision(link, collision, &separator))
            .collect();
        let text = texts?.join(&separator);
        match link.collisions.split_first() {
            Some((first, others)) if !text.is_empty() => {
                replacements.push((first.range.clone(), text));
                replacements.extend(others.iter().map(|other| self.removal(&other.range)));
            }
            Some(_) => {
                let all = link.collisions.iter();
                replacements.extend(all.map(|collision| self.removal(&collision.range)));
            }
            None if text.is_empty() => {}
            None => replacements.push(self.insertion(link, &separator, &text)),
        }
        Ok(())
    }

    /// Text at the end of a link without collisions.
    fn insertion(&self, link: &LinkSource, separator: &str, text: &str) -> Replacement {
        let body = &self.document.text[link.range.clone()];
        let end = format!("{}{}</link>", self.newline(), self.indent_at(link.range.start));
        if let Some(tag) = body.strip_suffix("/>") {
            let start = link.range.start + tag.trim_end().len();
            return (start..link.range.end, format!(">{separator}{text}{end}"));
        }
        let closing = body.rfind("</").expect("an element that is not empty has a closing tag");
        let start = body[..closing].trim_end().len();
        (link.range.start + start..link.range.end, format!("{separator}{text}{end}"))
    }

    fn replace_shape(
        &self,
        link: &LinkSource,
        collision: &CollisionSource,
        shape: &Shape,
        replacements: &mut Vec<Replacement>,
    ) -> Result<(), WriteError> {
        let geometry = geometry_text(link, shape)?;
        let surface = surface_text(&self.prefix, shape);
        let beside = |old: &Range<usize>, new: &str| {
            format!("{geometry}{}{}{new}", self.newline(), self.indent_at(old.start))
        };
        let old = (&collision.geometry, &collision.surface);
        match (old, surface) {
            ((Some(old), None), Some(new)) => {
                replacements.push((old.clone(), beside(old, &new)));
            }
            ((Some(old), None), None) => replacements.push((old.clone(), geometry)),
            ((Some(old), Some(old_surface)), Some(new)) => {
                replacements.push((old.clone(), geometry));
                replacements.push((old_surface.clone(), new));
            }
            ((Some(old), Some(old_surface)), None) => {
                replacements.push((old.clone(), geometry));
                replacements.push(self.removal(old_surface));
            }
            ((None, Some(old)), Some(new)) => {
                replacements.push((old.clone(), beside(old, &new)));
            }
            ((None, Some(old)), None) => replacements.push((old.clone(), geometry)),
            ((None, None), _) => {
                unreachable!("the reader refuses a collision without geometry and surface")
            }
        }
        Ok(())
    }

    /// An element goes with the white space before it.
    fn removal(&self, range: &Range<usize>) -> Replacement {
        let before = &self.document.text[..range.start];
        (before.trim_end().len()..range.end, String::new())
    }

    fn collision(
        &self,
        link: &LinkSource,
        collision: &LinkSurface,
        separator: &str,
    ) -> Result<String, WriteError> {
        let inner = format!("{separator}  ");
        let name = match &collision.name {
            Some(name) => format!(" name=\"{}\"", escaped(name)),
            None => String::new(),
        };
        let mut text = format!("<collision{name}>{inner}{}", origin_text(&collision.pose_in_link));
        text += &format!("{inner}{}", geometry_text(link, &collision.shape)?);
        if let Some(surface) = surface_text(&self.prefix, &collision.shape) {
            text += &format!("{inner}{surface}");
        }
        Ok(text + separator + "</collision>")
    }

    fn newline(&self) -> &'static str {
        if self.document.text.contains("\r\n") { "\r\n" } else { "\n" }
    }

    /// The white space at the beginning of the line in which `offset` lies.
    fn indent_at(&self, offset: usize) -> String {
        let before = &self.document.text[..offset];
        let line = &before[before.rfind('\n').map_or(0, |newline| newline + 1)..];
        line.chars().take_while(|c| matches!(c, ' ' | '\t')).collect()
    }
}

/// The pose as an `<origin>` element.
fn origin_text(pose: &Pose) -> String {
    let shift = pose.translation.vector;
    let rpy = roll_pitch_yaw(pose);
    format!("<origin xyz=\"{}\" rpy=\"{}\"/>", list(&[shift.x, shift.y, shift.z]), list(&rpy))
}

/// Angles about the fixed x, y and z axes. The yaw is found first and undone before the other two are: near a pitch of
/// ±90°, where yaw and roll are each uncertain, their errors then cancel.
fn roll_pitch_yaw(pose: &Pose) -> [f64; 3] {
    let r = pose.rotation.to_rotation_matrix();
    let yaw = atan2(r[(1, 0)], r[(0, 0)]);
    let (sin, cos) = sin_cos(yaw);
    let pitch = atan2(-r[(2, 0)], cos * r[(0, 0)] + sin * r[(1, 0)]);
    let roll = atan2(sin * r[(0, 2)] - cos * r[(1, 2)], cos * r[(1, 1)] - sin * r[(0, 1)]);
    [roll, pitch, yaw]
}

/// The standard geometry of a shape, or the one that contains it.
fn geometry_text(link: &LinkSource, shape: &Shape) -> Result<String, WriteError> {
    let inner = match shape {
        Shape::Cuboid(s) => box_text(s.half_extents()),
        Shape::Sphere(s) => format!("<sphere radius=\"{}\"/>", s.radius()),
        Shape::Cylinder(s) => cylinder_text(s.radius(), s.half_length()),
        Shape::Capsule(s) => {
            cylinder_text(outward(s.radius()), outward(s.half_length() + s.radius()))
        }
        Shape::Superovoid(s) => fallback(shape, s.exponent_xy()),
        Shape::Superellipsoid(s) => fallback(shape, s.exponent_xy()),
        Shape::Ellipsoid(_) | Shape::PolyEllipsoid(_) | Shape::Cone(_) => fallback(shape, 1.0),
        // Nothing is known about its cross-sections: the cylinder contains the box of its extents.
        other if surface_text("", other).is_some() => fallback(other, 0.0),
        other => return Err(WriteError::NoForm { link: link.name.clone(), kind: other.kind() }),
    };
    Ok(format!("<geometry>{inner}</geometry>"))
}

/// The smaller of two bodies around the origin of the surface that contain it: the box of its extents, and the cylinder
/// along z. With exponent_xy ≥ 1 every cross-section lies in the ellipse of its half-widths, so the larger half-width is
/// the radius; below 1 the half diagonal is.
fn fallback(shape: &Shape, exponent_xy: f64) -> String {
    let aabb = shape.local_aabb();
    let half = aabb.min.abs().sup(&aabb.max.abs()).map(outward);
    let radius =
        if exponent_xy >= 1.0 { half.x.max(half.y) } else { outward(hypot(half.x, half.y)) };
    let box_is_smaller = 4.0 * half.x * half.y < std::f64::consts::PI * radius * radius;
    if box_is_smaller { box_text(half.into()) } else { cylinder_text(radius, half.z) }
}

/// Larger by more than the rounding of the extents.
fn outward(length: f64) -> f64 {
    length * (1.0 + 1e-9)
}

fn box_text(half: [f64; 3]) -> String {
    format!("<box size=\"{}\"/>", list(&half.map(|h| 2.0 * h)))
}

fn cylinder_text(radius: f64, half_length: f64) -> String {
    format!("<cylinder radius=\"{radius}\" length=\"{}\"/>", 2.0 * half_length)
}
