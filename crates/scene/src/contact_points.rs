//! Several points for one contact.
//!
//! Two convex bodies that overlap have one depth and one normal, but a face that lies on a face is poorly described by
//! one point. More are found by tilting the normal: the support points of A along the tilted normals are where A
//! reaches farthest into B when it leans that way, on a flat face its corners, and likewise for B. Those that lie
//! inside the other body are contacts too, each with its own depth: its distance from the surface of the other body.
//!
//! This finds the corners of each body inside the other. Two faces that cross like the strokes of a plus have none, and
//! answer with their one deepest point.

use crate::body::BodyId;
use crate::pair_distance::PairDistance;
use crate::planning_scene::PlanningScene;
use crate::workspace::Workspace;
use smooth_scene_geometry::math::{Pose, Vec3, sin_cos, tangent_basis};
use smooth_scene_geometry::{ConvexSurface, Shape};
use smooth_scene_query::{QueryOptions, SignedDistance, point_distance};

/// Directions around the normal.
const AROUND: usize = 8;
/// How far they are tilted, rad: steep enough to reach the rim of nearly flat faces.
const TILT: f64 = 0.02;
/// Points nearer than this, in multiples of the smaller bounding radius, are the same.
const SAME: f64 = 0.02;

/// One point of a contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactPoint {
    /// The point, world frame.
    pub point_w: Vec3,
    /// How deep it lies, m: not negative.
    pub depth: f64,
}

/// Up to `max` points of a contact of two posed shapes whose distance was found, as in
/// [`PlanningScene::contact_points`].
pub fn points_of_contact(
    a: (&Shape, &Pose),
    b: (&Shape, &Pose),
    found: &SignedDistance,
    max: usize,
    out: &mut Vec<ContactPoint>,
) {
    out.clear();
    if found.lower > 0.0 || max == 0 {
        return;
    }
    let point_w = 0.5 * (found.witness_a_w + found.witness_b_w);
    out.push(ContactPoint { point_w, depth: (-found.distance).max(0.0) });
    let size = a.0.bounding_radius().min(b.0.bounding_radius());
    let sides = [(a, b, found.normal_ab_w), (b, a, -found.normal_ab_w)];
    for (own, other, normal_w) in sides {
        let (u, v) = tangent_basis(&normal_w);
        for k in 0..AROUND {
            let (sin, cos) = sin_cos(std::f64::consts::TAU * k as f64 / AROUND as f64);
            let tilted_w = normal_w + (u * cos + v * sin) * TILT;
            // A half-space has no farthest point; its partner's corners are enough.
            if out.len() >= max || !own.0.bounding_radius().is_finite() {
                break;
            }
            let local = own.0.support(&own.1.inverse_transform_vector(&tilted_w)).point;
            let point_w = own.1.rotation * local + own.1.translation.vector;
            let inside = point_distance(other.0, other.1, &point_w, &QueryOptions::default());
            let new = out.iter().all(|p| (p.point_w - point_w).norm() > SAME * size);
            if inside.distance <= 0.0 && new {
                out.push(ContactPoint { point_w, depth: -inside.distance });
            }
        }
    }
}

impl PlanningScene {
    /// Up to `max` points of a contact that was found with this workspace, the deepest point of the contact itself
    /// first: the point midway between its witnesses. The others follow in a fixed order. Their depths are those of the
    /// surfaces without padding and margin. `out` is cleared first, and stays empty for bodies apart.
    ///
    /// # Panics
    ///
    /// If the contact is not of this snapshot, or nothing was asked with this workspace.
    pub fn contact_points(
        &self,
        ws: &Workspace,
        contact: &PairDistance,
        max: usize,
        out: &mut Vec<ContactPoint>,
    ) {
        let a = self.surface(ws, contact.body_a, contact.part_a);
        let b = self.surface(ws, contact.body_b, contact.part_b);
        points_of_contact((&a.0, &a.1), (&b.0, &b.1), &contact.distance, max, out);
    }

    /// A surface of a body, without padding and margin, and where it was in the last question that was asked with this workspace.
    ///
    /// # Panics
    ///
    /// If the body is not of this snapshot or has no such part, or nothing was asked with this workspace.
    pub fn surface(&self, ws: &Workspace, body: BodyId, part: u32) -> (Shape, Pose) {
        if let BodyId::Object(id) = body {
            let object = self.object_at(id);
            let mut found = None;
            let mut place = 0;
            object.for_each_part(|local, shape| {
                if place == part {
                    found = Some((shape.clone(), object.pose() * local));
                }
                place += 1;
            });
            return found.expect("the part is one of this object");
        }
        let same = |s: &crate::robot_shape::RobotShape| s.body == body && s.part == part;
        let index = self.robot.shapes.iter().position(same);
        let index = index.expect("the surface is one of this robot");
        (self.robot.shapes[index].shape.clone(), ws.placed[index].pose)
    }
}
