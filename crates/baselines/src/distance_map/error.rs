//! Why there is no distance map.

/// The most nodes a map may have: 800 MB.
pub(super) const MAX_NODES: f64 = 1e8;

/// Why there is no map.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MapError {
    /// An edge of the mesh has not as many triangles on one side as on the other.
    #[error(
        "the mesh is not closed: the edge from vertex {from} at {:?} m to vertex {to} at {:?} m has a free side", corners[0], corners[1]
    )]
    NotClosed {
        /// One end of the edge.
        from: u32,
        /// The other end.
        to: u32,
        /// Where the ends are, in metres.
        corners: [[f64; 3]; 2],
    },
    /// The triangles run clockwise seen from outside.
    #[error("the mesh is inside out: its volume is {0} m³")]
    InsideOut(f64),
    /// A triangle names a vertex that does not exist.
    #[error("a triangle names vertex {0}, which does not exist")]
    NoSuchVertex(u32),
    /// A half-space has no end.
    #[error("a {0} is not bounded")]
    Unbounded(&'static str),
    /// Spacing or margin is not a positive number, or there would be too many nodes.
    #[error(
        "a spacing of {spacing} m and a margin of {margin} m make no grid of 1 to {MAX_NODES} nodes"
    )]
    Grid {
        /// Distance of two nodes in metres.
        spacing: f64,
        /// Room around the body in metres.
        margin: f64,
    },
}
