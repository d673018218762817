//! Why nothing was fitted.

use smooth_scene_geometry::ShapeError;

/// A fit that cannot be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FitError {
    /// There is nothing to fit to.
    #[error("{name}: no triangles")]
    NoTriangles {
        /// The link or file.
        name: String,
    },
    /// A coordinate that is not a number, or too far away.
    #[error("{name}: triangle {triangle} has the corner [{}, {}, {}], must be within 1e6 m", corner[0], corner[1], corner[2])]
    BadCorner {
        /// The link or file.
        name: String,
        /// Number of the triangle.
        triangle: usize,
        /// The corner.
        corner: [f64; 3],
    },
    /// Fewer surfaces than links.
    #[error("{surfaces} surfaces for {links} links with meshes, must be at least one for each")]
    TooFewSurfaces {
        /// Surfaces asked for.
        surfaces: usize,
        /// Links with meshes.
        links: usize,
    },
    /// No kind of surface that can be fitted.
    #[error("kinds: only hull is allowed, must include another kind")]
    NoKinds,
    /// A number outside its range.
    #[error("{field} is {value}, must be {range}")]
    BadOption {
        /// The option.
        field: &'static str,
        /// Its value.
        value: f64,
        /// The permitted range, in words.
        range: &'static str,
    },
    /// A surface with these numbers cannot exist.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The surfaces were made to contain the mesh, but the proof failed.
    #[error("{name}: {count} of {triangles} triangles are not shown to be covered, the first at [{}, {}, {}]", at[0], at[1], at[2])]
    NotProven {
        /// The link or file.
        name: String,
        /// Triangles without proof.
        count: usize,
        /// All triangles.
        triangles: usize,
        /// A point of the first of them.
        at: [f64; 3],
    },
    /// The caller ended it.
    #[error("cancelled")]
    Cancelled,
}
