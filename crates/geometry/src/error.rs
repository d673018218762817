//! Why a shape could not be made.

use std::ops::RangeInclusive;

/// Smallest and largest length a shape may have, in metres. Far wider than any robot, and narrow enough that no
/// square, product or quotient of two lengths leaves the range of `f64`.
pub const LENGTH_RANGE: RangeInclusive<f64> = 1e-9..=1e6;

/// Largest ratio of two lengths of one body: beyond it products of lengths have no digits left for the shorter one.
pub const MAX_ASPECT_RATIO: f64 = 1e6;

/// A shape parameter that describes no convex body.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A number is not finite or lies outside its range.
    #[error("{shape}: {field} is {}, must be {range}", short(*value))]
    OutOfRange {
        /// Kind of shape, as in the URDF extension.
        shape: &'static str,
        /// Name of the parameter, with its index where it is one of several.
        field: &'static str,
        /// The offending value.
        value: f64,
        /// The permitted range, in words.
        range: &'static str,
    },
    /// The surface is not convex and the caller asked for convex ones only.
    #[error(
        "superovoid with exponent_xy {exponent_xy}, exponent_z {exponent_z}, taper [{}, {}] is not convex",
        taper[0], taper[1]
    )]
    NotConvex {
        /// Squareness of the cross-sections.
        exponent_xy: f64,
        /// Squareness of the profile.
        exponent_z: f64,
        /// Taper of the x and y radii.
        taper: [f64; 2],
    },
    /// A vertex list that is empty, too long, or has unusable coordinates; a direction without length.
    #[error("{shape}: {reason}")]
    Degenerate {
        /// Kind of shape.
        shape: &'static str,
        /// What is wrong, with the numbers.
        reason: String,
    },
}

/// A number as a person would write it: huge and tiny ones with an exponent instead of hundreds of digits.
fn short(value: f64) -> String {
    let plain = value == 0.0 || !value.is_finite() || (1e-5..1e7).contains(&value.abs());
    if plain { format!("{value}") } else { format!("{value:e}") }
}

/// Checks that `value` is a length in [`LENGTH_RANGE`].
pub(crate) fn check_length(
    shape: &'static str,
    field: &'static str,
    value: f64,
) -> Result<f64, ShapeError> {
    if LENGTH_RANGE.contains(&value) {
        return Ok(value);
    }
    Err(ShapeError::OutOfRange { shape, field, value, range: "in [1e-9, 1e6] m" })
}

/// Checks three semi-axes at once.
pub(crate) fn check_radii(shape: &'static str, radii: [f64; 3]) -> Result<[f64; 3], ShapeError> {
    check_length(shape, "radii[0]", radii[0])?;
    check_length(shape, "radii[1]", radii[1])?;
    check_length(shape, "radii[2]", radii[2])?;
    check_aspect(shape, &radii)?;
    Ok(radii)
}

/// Checks that the lengths of one body are within [`MAX_ASPECT_RATIO`] of each other.
pub(crate) fn check_aspect(shape: &'static str, lengths: &[f64]) -> Result<(), ShapeError> {
    let longest = lengths.iter().copied().fold(0.0, f64::max);
    let shortest = lengths.iter().copied().fold(f64::INFINITY, f64::min);
    if longest <= MAX_ASPECT_RATIO * shortest {
        return Ok(());
    }
    let (field, value, range) = ("ratio of longest to shortest", longest / shortest, "at most 1e6");
    Err(ShapeError::OutOfRange { shape, field, value, range })
}

/// Smallest and largest squareness of a superquadric. In theory the open interval (0, 2); within 0.001 of its ends the
/// surface is a box or a double cone to more digits than its powers can be computed with.
pub const EXPONENT_RANGE: RangeInclusive<f64> = 0.001..=1.999;

/// Checks that a squareness exponent lies in [`EXPONENT_RANGE`].
pub(crate) fn check_exponent(
    shape: &'static str,
    field: &'static str,
    value: f64,
) -> Result<f64, ShapeError> {
    if EXPONENT_RANGE.contains(&value) {
        return Ok(value);
    }
    Err(ShapeError::OutOfRange { shape, field, value, range: "in [0.001, 1.999]" })
}
