//! Keeps vertices in front of the planes of the bodies near them, with friction.

use crate::cloth::contacts::{Block, VertexContact};
use crate::cloth::obstacle::Obstacle;
use crate::cloth::points::Points;
use smooth_scene_geometry::math::Vec3;

/// Rounds over the planes of one vertex.
const ROUNDS: u32 = 10;
/// Share of the thickness that counts as rounding.
const ROUNDING: f64 = 1e-9;

/// What contacts are held with.
pub(crate) struct Holding<'a> {
    pub obstacles: &'a [Obstacle],
    pub thickness: f64,
    pub friction: f64,
    /// A vertex that has moved by more since its plane was made gets another one, m.
    pub stale: f64,
    /// Positions at the beginning of the substep.
    pub start: &'a Points,
}

impl Holding<'_> {
    /// Puts the vertices of a block in front of their planes. Returns how many had to stay where they began.
    pub fn hold_vertices(&self, block: &mut Block, points: &mut Points) -> usize {
        let mut held_back = 0;
        for contacts in block.vertices.chunk_by_mut(|a, b| a.vertex == b.vertex) {
            let vertex = contacts[0].vertex as usize;
            let now = points.get(vertex);
            let reach = (1.0 - ROUNDING) * self.thickness;
            if contacts.iter().all(|contact| contact.plane.gap(&now) >= reach) {
                continue;
            }
            let start = self.start.get(vertex);
            let (place, is_held_back) = self.hold_vertex(contacts, &start, now);
            held_back += usize::from(is_held_back);
            points.set(vertex, &place);
        }
        held_back
    }

    /// Where one vertex ends that began at `start` and is now somewhere else, and whether it had to stay.
    ///
    /// Projections onto the planes follow each other until none is left to make. All planes have the start in front of them, so they
    /// have a common point; where the rounds do not find one the vertex stays at its start.
    fn hold_vertex(
        &self,
        contacts: &mut [VertexContact],
        start: &Vec3,
        mut place: Vec3,
    ) -> (Vec3, bool) {
        let reach = (1.0 - ROUNDING) * self.thickness;
        for round in 0..ROUNDS {
            let mut is_clear = true;
            for contact in &mut *contacts {
                if contact.plane.gap(&place) >= reach {
                    continue;
                }
                let obstacle = &self.obstacles[contact.obstacle as usize];
                let carried = obstacle.carried(start);
                if round == 0 && (contact.made_at - carried).norm() > self.stale {
                    contact.plane = obstacle.better_plane(&carried, &contact.plane);
                    contact.made_at = carried;
                    if contact.plane.gap(&place) >= reach {
                        continue;
                    }
                }
                is_clear = false;
                let normal = &contact.plane.normal;
                let push = self.thickness - contact.plane.gap(&place);
                place += normal * push;
                place -= held_by_friction(&(place - carried), normal, self.friction * push);
            }
            if is_clear {
                return (place, false);
            }
        }
        // Half the thickness is left for planes that meet at a sharp angle.
        let is_in_front =
            |contact: &VertexContact| contact.plane.gap(&place) >= 0.5 * self.thickness;
        if contacts.iter().all(is_in_front) { (place, false) } else { (*start, true) }
    }
}

/// What friction takes of a motion along a plane: all of it, or as much as the push allows.
///
/// ```text
/// |Δx_t| ≤ μ |Δx_n|                Coulomb's law, with a mass and a substep in both forces
/// ```
pub(crate) fn held_by_friction(motion: &Vec3, normal: &Vec3, most: f64) -> Vec3 {
    let along = motion - normal * normal.dot(motion);
    let length = along.norm();
    if length <= most { along } else { along * (most / length) }
}
