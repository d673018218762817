//! What is to be shown.

use crate::interfaces::builtin_interfaces::msg::Time;
use crate::scene::{PairDistance, Snapshot};

/// What is to be shown.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    /// The scene.
    pub snapshot: &'a Snapshot,
    /// The nearest pairs of the current state.
    pub proximities: &'a [PairDistance],
    /// Bodies nearer than this are shown as close, m.
    pub close_distance: f64,
    /// Which markers are wanted.
    pub switches: MarkerSwitches,
    /// When the state was.
    pub stamp: &'a Time,
}

/// Which markers are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)] // The names of the namespaces.
pub struct MarkerSwitches {
    pub surfaces: bool,
    pub contacts: bool,
    pub distances: bool,
    pub normals: bool,
    pub labels: bool,
}

impl Default for MarkerSwitches {
    fn default() -> Self {
        Self { surfaces: true, contacts: true, distances: true, normals: true, labels: false }
    }
}
