//! What is refused about a cloth.

use smooth_scene_geometry::broad_phase::BroadPhaseError;

/// Why there is no such cloth, with names and values.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ClothError {
    /// A number outside its range.
    #[error("cloth: {field} is {value}, must be {range}")]
    OutOfRange {
        /// Which number.
        field: &'static str,
        /// What it is.
        value: f64,
        /// What it may be.
        range: &'static str,
    },
    /// A vertex that the cloth does not have.
    #[error("cloth: there is no vertex [{row}, {column}] in {rows} rows and {columns} columns")]
    NoSuchVertex {
        /// The row asked for.
        row: usize,
        /// The column asked for.
        column: usize,
        /// Rows there are.
        rows: usize,
        /// Columns there are.
        columns: usize,
    },
    /// A body that the cloth does not know.
    #[error("cloth: there is no body {body} of {count}")]
    NoSuchBody {
        /// The body asked for.
        body: usize,
        /// How many there are.
        count: usize,
    },
    /// A vertex that begins inside a body or too near to it.
    #[error(
        "cloth: vertex [{row}, {column}] is {distance} m from the surface of `{body}`, must be {thickness} m or more"
    )]
    TooNear {
        /// Its row.
        row: usize,
        /// Its column.
        column: usize,
        /// The body.
        body: String,
        /// Signed distance of the vertex.
        distance: f64,
        /// Thickness of the cloth.
        thickness: f64,
    },
    /// A vertex that new bodies leave no place for.
    #[error(
        "cloth: vertex [{row}, {column}] finds no place in front of `{body}` and the bodies around it"
    )]
    NoPlace {
        /// Its row.
        row: usize,
        /// Its column.
        column: usize,
        /// The last body that it was in.
        body: String,
    },
    /// A body that begins inside a triangle of the cloth.
    #[error("cloth: `{body}` sticks through a triangle at vertex [{row}, {column}]")]
    Pierced {
        /// Row of the triangle's first corner.
        row: usize,
        /// Its column.
        column: usize,
        /// The body.
        body: String,
    },
    /// A body whose place is not a place.
    #[error("cloth: body `{body}`: {source}")]
    BadBody {
        /// The body.
        body: String,
        /// Why.
        source: BroadPhaseError,
    },
}
