//! Surfaces of links and objects as triangles, each in the frame it is fixed to.

use std::collections::BTreeMap;

use super::ids::Ids;
use super::message::{MAX_POINTS, deletion};
use super::style::{Standing, body_color};
use super::view::View;
use crate::convert::header;
use crate::convert::pose::{point_message, pose_message};
use crate::geometry::{Shape, TriangleMesh, tessellate_with_vertex_count};
use crate::interfaces::geometry_msgs::msg::Vector3;
use crate::interfaces::visualization_msgs::msg::Marker;
use crate::math::{Mat3, Pose};
use crate::scene::PlanningScene;

const NS: &str = "surfaces";
/// Vertices of a surface, if there are not too many surfaces.
const VERTICES: usize = 80;
/// Vertices of all surfaces together, about.
const ALL_VERTICES: usize = 200_000;
/// Surfaces that are shown at most; those of the robot come first.
const MAX_SURFACES: usize = 20_000;

/// One surface: whose, where, and what it looks like.
#[derive(Debug, Clone, PartialEq)]
struct Item {
    body: String,
    of_world: bool,
    frame: String,
    pose: Pose,
    shape: Shape,
}

/// What was sent of one surface.
#[derive(Debug)]
struct Sent {
    item: Item,
    standing: Standing,
    /// One number for each marker it takes.
    ids: Vec<i32>,
    /// Whether it has to be sent, whatever changed.
    again: bool,
}

/// What was sent of all surfaces, by body and place among its surfaces.
#[derive(Debug, Default)]
pub(super) struct Surfaces {
    sent: BTreeMap<(String, usize), Sent>,
    /// The scene they were taken from: robot and revision.
    of: Option<(u64, u64)>,
}

impl Surfaces {
    pub fn send_all_again(&mut self) {
        self.sent.values_mut().for_each(|sent| sent.again = true);
    }

    pub fn update(&mut self, view: &View<'_>, ids: &mut Ids, markers: &mut Vec<Marker>) {
        let snapshot = view.snapshot;
        let of = view.switches.surfaces.then_some((snapshot.robot, snapshot.revision));
        let mut given_back = Vec::new();
        if of != self.of {
            let items = if of.is_some() { items(&snapshot.scene) } else { BTreeMap::new() };
            self.replace(items, markers, &mut given_back);
            self.of = of;
        }
        let standings = standings(view);
        let vertices = (ALL_VERTICES / self.sent.len().max(1)).clamp(8, VERTICES);
        for ((body, _), sent) in &mut self.sent {
            let standing = standings.get(body).copied().unwrap_or(Standing::Free);
            if sent.again || sent.standing != standing {
                (sent.again, sent.standing) = (false, standing);
                send(sent, vertices, ids, &mut given_back, markers);
            }
        }
        // Numbers that were deleted in this message are given to others in the next one at the earliest.
        given_back.into_iter().for_each(|id| ids.give_back(id));
    }

    /// Deletes what is gone, and marks what is new or changed.
    fn replace(
        &mut self,
        mut items: BTreeMap<(String, usize), Item>,
        markers: &mut Vec<Marker>,
        given_back: &mut Vec<i32>,
    ) {
        self.sent.retain(|key, sent| {
            let Some(item) = items.remove(key) else {
                let gone = sent.ids.iter().map(|&id| deletion(NS, id, &sent.item.frame));
                markers.extend(gone);
                given_back.append(&mut sent.ids);
                return false;
            };
            if item != sent.item {
                (sent.item, sent.again) = (item, true);
            }
            true
        });
        for (key, item) in items {
            let (standing, ids) = (Standing::Free, Vec::new());
            self.sent.insert(key, Sent { item, standing, ids, again: true });
        }
    }
}

/// How the bodies of near pairs stand; all others are free.
fn standings(view: &View<'_>) -> BTreeMap<String, Standing> {
    let mut all: BTreeMap<String, Standing> = BTreeMap::new();
    for pair in view.proximities {
        let standing = if pair.is_contact() {
            Standing::Contact
        } else if pair.distance.distance <= view.close_distance {
            Standing::Close
        } else {
            continue;
        };
        for body in [pair.body_a, pair.body_b] {
            let name = view.snapshot.scene.body_name(body).to_string();
            let known = all.entry(name).or_default();
            *known = standing.max(*known);
        }
    }
    all
}

/// Every surface of the scene, by body and place: links, attached objects, the world.
fn items(scene: &PlanningScene) -> BTreeMap<(String, usize), Item> {
    let model = scene.model();
    let root = &model.link(model.root()).name;
    let mut all = BTreeMap::new();
    let mut add =
        |body: &str, of_world: bool, frame: &str, pose: Pose, place: usize, shape: Shape| {
            if all.len() < MAX_SURFACES {
                let (body, frame) = (body.to_string(), frame.to_string());
                all.insert((body.clone(), place), Item { body, of_world, frame, pose, shape });
            }
        };
    for link in model.links() {
        let scale = scene.sizes().link(&link.name).scale;
        for (place, collision) in link.collisions.iter().enumerate() {
            let shape = &collision.shape;
            let shape = if scale == 1.0 {
                shape.clone()
            } else {
                let scaled = shape.mapped(&(Mat3::identity() * scale));
                scaled.expect("the scene refuses a scale that a shape cannot bear")
            };
            add(&link.name, false, &link.name, collision.pose_in_link, place, shape);
        }
    }
    for attached in scene.attached() {
        let (object, link) = (&attached.object, &model.link(attached.link).name);
        for (place, (at, shape)) in object.shapes().enumerate() {
            add(object.name(), false, link, object.pose() * at, place, shape.clone());
        }
    }
    for (_, object) in scene.world().iter() {
        for (place, (at, shape)) in object.shapes().enumerate() {
            add(object.name(), true, root, object.pose() * at, place, shape.clone());
        }
    }
    all
}

/// Sends one surface, in as many markers as its triangles need.
fn send(
    sent: &mut Sent,
    vertices: usize,
    ids: &mut Ids,
    given_back: &mut Vec<i32>,
    markers: &mut Vec<Marker>,
) {
    let mesh = tessellate_with_vertex_count(&sent.item.shape, vertices);
    let triangles: Vec<&[u32; 3]> = mesh.triangles.iter().filter(|t| is_finite(&mesh, t)).collect();
    let pieces: Vec<_> = triangles.chunks(MAX_POINTS / 3).collect();
    while sent.ids.len() < pieces.len() {
        sent.ids.push(ids.take());
    }
    for id in sent.ids.drain(pieces.len()..) {
        markers.push(deletion(NS, id, &sent.item.frame));
        given_back.push(id);
    }
    for (&id, piece) in sent.ids.iter().zip(pieces) {
        let corner = |&corner: &u32| point_message(&mesh.vertices[corner as usize]);
        markers.push(Marker {
            header: header(&sent.item.frame),
            ns: NS.to_string(),
            id,
            type_: Marker::TRIANGLE_LIST,
            action: Marker::ADD,
            pose: pose_message(&sent.item.pose),
            scale: Vector3 { x: 1.0, y: 1.0, z: 1.0 },
            color: body_color(sent.standing, sent.item.of_world),
            frame_locked: true,
            points: piece.iter().flat_map(|triangle| triangle.iter().map(corner)).collect(),
            ..Marker::default()
        });
    }
}

fn is_finite(mesh: &TriangleMesh, triangle: &[u32; 3]) -> bool {
    let finite = |&corner: &u32| {
        mesh.vertices.get(corner as usize).is_some_and(|vertex| vertex.sum().is_finite())
    };
    triangle.iter().all(finite)
}
