//! Markers in messages of limited size.

use crate::interfaces::visualization_msgs::msg::{Marker, MarkerArray};

/// Largest message: larger ones are lost by Fast DDS with the socket buffers that most systems have.
pub const MAX_MESSAGE_BYTES: usize = 120_000;
/// Bytes of a marker without points and texts, at most.
const MARKER_BYTES: usize = 320;
/// Points of one marker, at most: three quarters of a message.
pub(super) const MAX_POINTS: usize = 3_600;

/// Identifies a marker: its namespace and what it shows.
pub(super) type Key = (&'static str, String);

/// The marker that deletes another one.
pub(super) fn deletion(ns: &str, id: i32, frame: &str) -> Marker {
    let header = crate::convert::header(frame);
    Marker { header, ns: ns.to_string(), id, action: Marker::DELETE, ..Marker::default() }
}

/// Puts markers into messages of limited size, in order.
pub(super) fn split(markers: Vec<Marker>) -> Vec<MarkerArray> {
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
