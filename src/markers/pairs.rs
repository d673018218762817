//! Markers about pairs of bodies: contacts, distances, normals, labels, in the frame of the root.

use super::message::{Key, MAX_POINTS};
use super::style;
use super::view::View;
use crate::convert::header;
use crate::convert::pose::point_message;
use crate::interfaces::geometry_msgs::msg::{Point, Pose, Quaternion, Vector3};
use crate::interfaces::std_msgs::msg::ColorRGBA;
use crate::interfaces::visualization_msgs::msg::Marker;
use crate::math::Vec3;
use crate::scene::PairDistance;

/// All markers about pairs, with their places. Numbers are given later.
pub(super) fn pair_markers(view: &View<'_>) -> Vec<(Key, Marker)> {
    let pairs: Vec<&PairDistance> =
        view.proximities.iter().filter(|pair| is_finite(pair)).collect();
    let mut all = Vec::new();
    if view.switches.contacts {
        let contacts = pairs.iter().filter(|pair| pair.is_contact());
        let points = contacts.map(|pair| point_message(&middle(pair))).collect();
        let size = Vector3 { x: style::POINT, y: style::POINT, z: style::POINT };
        lists(view, "contacts", Marker::SPHERE_LIST, &size, &style::CONTACTS, points, &mut all);
    }
    if view.switches.distances {
        let ends = |pair: &&PairDistance| {
            let found = &pair.distance;
            [point_message(&found.witness_a_w), point_message(&found.witness_b_w)]
        };
        let points = pairs.iter().filter(|pair| !pair.is_contact()).flat_map(ends).collect();
        let size = Vector3 { x: style::LINE, y: 0.0, z: 0.0 };
        lists(view, "distances", Marker::LINE_LIST, &size, &style::DISTANCES, points, &mut all);
    }
    for pair in pairs {
        if view.switches.normals && pair.is_contact() {
            all.push((key(view, "normals", pair), normal(view, pair)));
        }
        if view.switches.labels {
            all.push((key(view, "labels", pair), label(view, pair)));
        }
    }
    all
}

/// Half-spaces reach to infinity; what is not finite is not shown.
fn is_finite(pair: &PairDistance) -> bool {
    let found = &pair.distance;
    let numbers = [found.witness_a_w.sum(), found.witness_b_w.sum(), found.normal_ab_w.sum()];
    numbers.iter().all(|number| number.is_finite()) && found.distance.is_finite()
}

fn middle(pair: &PairDistance) -> Vec3 {
    0.5 * (pair.distance.witness_a_w + pair.distance.witness_b_w)
}

/// Identifies a pair, whatever its place in the list.
fn key(view: &View<'_>, ns: &'static str, pair: &PairDistance) -> Key {
    let [a, b] = [pair.body_a, pair.body_b].map(|body| view.snapshot.scene.body_name(body));
    // The length of a name keeps names with separators in them apart.
    let parts = (pair.part_a, pair.part_b);
    (ns, format!("{}:{a}{b}/{}/{}", a.len(), parts.0, parts.1))
}

/// A marker without content, in the frame of the root.
fn blank(view: &View<'_>, type_: i32, color: &ColorRGBA) -> Marker {
    let model = view.snapshot.scene.model();
    let mut header = header(&model.link(model.root()).name);
    header.stamp = view.stamp.clone();
    let orientation = Quaternion { x: 0.0, y: 0.0, z: 0.0, w: 1.0 };
    let pose = Pose { position: Point::default(), orientation };
    Marker { header, type_, action: Marker::ADD, pose, color: color.clone(), ..Marker::default() }
}

/// As few markers as hold these points.
fn lists(
    view: &View<'_>,
    ns: &'static str,
    type_: i32,
    scale: &Vector3,
    color: &ColorRGBA,
    points: Vec<Point>,
    all: &mut Vec<(Key, Marker)>,
) {
    for (k, points) in points.chunks(MAX_POINTS).enumerate() {
        let (points, scale) = (points.to_vec(), scale.clone());
        let marker = Marker { points, scale, ..blank(view, type_, color) };
        all.push(((ns, k.to_string()), marker));
    }
}

fn normal(view: &View<'_>, pair: &PairDistance) -> Marker {
    let from = middle(pair);
    let to = from + style::ARROW * pair.distance.normal_ab_w;
    Marker {
        points: vec![point_message(&from), point_message(&to)],
        // Of an arrow between two points: diameters of shaft and head.
        scale: Vector3 { x: style::LINE, y: 3.0 * style::LINE, z: 0.0 },
        ..blank(view, Marker::ARROW, &style::NORMALS)
    }
}

fn label(view: &View<'_>, pair: &PairDistance) -> Marker {
    let mut marker = blank(view, Marker::TEXT_VIEW_FACING, &style::LABELS);
    marker.pose.position = point_message(&middle(pair));
    marker.scale.z = style::LETTER;
    marker.text = format!("{:.1} mm", 1e3 * pair.distance.distance);
    marker
}
