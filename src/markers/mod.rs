//! A scene for RViz and Foxglove: surfaces, contacts, distances, normals, labels.
//!
//! A [`MarkerBuilder`] remembers what it sent and sends only what changed: a surface is given in the frame of its link and
//! is sent once, and again when its shape, its place in the link or its colour changes. What vanished is deleted. Pairs
//! `(ns, id)` are unique, and stay with what they were given to as long as it exists. Nothing in a marker is NaN or
//! infinite, and no message is larger than [`MAX_MESSAGE_BYTES`].

mod ids;
mod pairs;
mod style;
mod surfaces;

use std::collections::BTreeMap;

use ids::Ids;
use surfaces::Surfaces;

use crate::interfaces::builtin_interfaces::msg::Time;
use crate::interfaces::visualization_msgs::msg::{Marker, MarkerArray};
use crate::scene::{PairDistance, Snapshot};

/// Largest message: larger ones are lost by Fast DDS with the socket buffers that most systems have.
pub const MAX_MESSAGE_BYTES: usize = 120_000;
/// Bytes of a marker without points and texts, at most.
const MARKER_BYTES: usize = 320;
/// Points of one marker, at most: three quarters of a message.
const MAX_POINTS: usize = 3_600;

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

/// Identifies a marker: its namespace and what it shows.
type Key = (&'static str, String);

/// Turns views into messages, and remembers what was sent.
#[derive(Debug, Default)]
pub struct MarkerBuilder {
    surfaces: Surfaces,
    ids: Ids,
    /// What is shown beside surfaces, by place, with its number and the frame it was sent in.
    shown: BTreeMap<Key, (i32, String)>,
    /// Whether what others may have left behind was deleted.
    is_clean: bool,
}

impl MarkerBuilder {
    /// Messages that update what was sent before.
    pub fn build(&mut self, view: &View<'_>) -> Vec<MarkerArray> {
        let mut markers = Vec::new();
        if !std::mem::replace(&mut self.is_clean, true) {
            markers.push(Marker { action: Marker::DELETEALL, ..Marker::default() });
        }
        self.surfaces.update(view, &mut self.ids, &mut markers);
        self.update_pairs(view, &mut markers);
        split(markers)
    }

    /// Sends everything again next time, for a new subscriber.
    pub fn send_all_again(&mut self) {
        self.surfaces.send_all_again();
    }

    /// Sends all markers about pairs, and deletes those that are no longer among them.
    fn update_pairs(&mut self, view: &View<'_>, markers: &mut Vec<Marker>) {
        let mut before = std::mem::take(&mut self.shown);
        for (key, mut marker) in pairs::pair_markers(view) {
            let id = match before.remove(&key) {
                Some((id, _)) => id,
                None => self.ids.take(),
            };
            (marker.ns, marker.id) = (key.0.to_string(), id);
            self.shown.insert(key, (id, marker.header.frame_id.clone()));
            markers.push(marker);
        }
        for ((ns, _), (id, frame)) in before {
            markers.push(deletion(ns, id, &frame));
            self.ids.give_back(id);
        }
    }
}

/// The marker that deletes another one.
fn deletion(ns: &str, id: i32, frame: &str) -> Marker {
    let header = crate::convert::header(frame);
    Marker { header, ns: ns.to_string(), id, action: Marker::DELETE, ..Marker::default() }
}

/// Puts markers into messages of limited size, in order.
fn split(markers: Vec<Marker>) -> Vec<MarkerArray> {
    let mut arrays = Vec::new();
    let mut array = MarkerArray::default();
    let mut bytes = 0;
    for marker in markers {
        let size = MARKER_BYTES
            + 24 * marker.points.len()
            + marker.text.len()
            + marker.ns.len()
            + marker.header.frame_id.len();
        if bytes + size > MAX_MESSAGE_BYTES && !array.markers.is_empty() {
            arrays.push(std::mem::take(&mut array));
            bytes = 0;
        }
        bytes += size;
        array.markers.push(marker);
    }
    if !array.markers.is_empty() {
        arrays.push(array);
    }
    arrays
}
