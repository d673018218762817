//! Colours and sizes of markers.

use crate::interfaces::std_msgs::msg::ColorRGBA;

/// Whether something is near a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) enum Standing {
    /// Nothing is near.
    #[default]
    Free,
    /// Something is nearer than it should be.
    Close,
    /// In contact, or not proven apart.
    Contact,
}

const fn color(r: f32, g: f32, b: f32, a: f32) -> ColorRGBA {
    ColorRGBA { r, g, b, a }
}

/// Bodies of the robot that nothing is near to.
const ROBOT: ColorRGBA = color(0.72, 0.75, 0.80, 1.0);
/// Objects of the world that nothing is near to.
const WORLD: ColorRGBA = color(0.55, 0.60, 0.45, 1.0);
const ORANGE: ColorRGBA = color(1.0, 0.55, 0.0, 1.0);
const RED: ColorRGBA = color(0.90, 0.10, 0.10, 1.0);
/// Points of contact.
pub(super) const CONTACTS: ColorRGBA = RED;
/// Lines between nearest points.
pub(super) const DISTANCES: ColorRGBA = color(0.0, 0.85, 0.2, 1.0);
/// Arrows along normals.
pub(super) const NORMALS: ColorRGBA = color(0.2, 0.4, 1.0, 1.0);
/// Texts.
pub(super) const LABELS: ColorRGBA = color(1.0, 1.0, 1.0, 1.0);

/// Diameter of a point of contact, m.
pub(super) const POINT: f64 = 0.004;
/// Width of a line, m.
pub(super) const LINE: f64 = 0.001;
/// Length of an arrow, m.
pub(super) const ARROW: f64 = 0.03;
/// Height of a letter, m.
pub(super) const LETTER: f64 = 0.008;

/// The colour of a body.
pub(super) fn body_color(standing: Standing, of_world: bool) -> ColorRGBA {
    match standing {
        Standing::Contact => RED,
        Standing::Close => ORANGE,
        Standing::Free if of_world => WORLD,
        Standing::Free => ROBOT,
    }
}
