//! A scene for RViz and Foxglove: surfaces, contacts, distances, normals, labels.
//!
//! A [`MarkerBuilder`] remembers what it sent and sends only what changed: a surface is given in the frame of its link and
//! is sent once, and again when its shape, its place in the link or its colour changes. What vanished is deleted. Pairs
//! `(ns, id)` are unique, and stay with what they were given to as long as it exists. Nothing in a marker is NaN or
//! infinite, and no message is larger than [`MAX_MESSAGE_BYTES`].

mod ids;
mod message;
mod pairs;
mod style;
mod surfaces;
mod view;

use std::collections::BTreeMap;

pub use message::MAX_MESSAGE_BYTES;
pub use view::{MarkerSwitches, View};

use crate::interfaces::visualization_msgs::msg::{Marker, MarkerArray};
use ids::Ids;
use message::{Key, deletion, split};
use surfaces::Surfaces;

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
