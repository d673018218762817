//! Keeps vertices in front of the planes of the bodies near them, with friction.

use crate::cloth::contacts::{Block, VertexContact};
use crate::cloth::obstacle::Obstacle;
use crate::cloth::plane::{Kind, Plane, PointSearch};
use crate::cloth::points::Points;
use crate::cloth::tuning::{LEAST_STALE, MOST_STALE, PLANE_ROUNDS, ROUNDING, STALE_SHARE};
use smooth_scene_geometry::math::Vec3;

/// What contacts are held with.
pub(crate) struct Holding<'a> {
    pub obstacles: &'a [Obstacle],
    pub thickness: f64,
    pub friction: f64,
    /// Shortest edge, m.
    pub edge: f64,
    /// Positions at the beginning of the substep.
    pub start: &'a Points,
}

impl Holding<'_> {
    /// How far a vertex may move until its plane is made anew, m. After a way t along a surface of radius of curvature R the nearest
    /// point is farther away than the plane tells by
    ///
    /// ```text
    /// t²/(2(R + gap))
    /// ```
    ///
    /// which may be a share of the thickness; the radius changes along the way, so it is only asked for within a share of an edge.
    pub fn stale(&self, radius: f64) -> f64 {
        let way = (2.0 * STALE_SHARE * self.thickness * (radius + self.thickness)).sqrt();
        way.clamp(LEAST_STALE * self.edge, MOST_STALE * self.edge)
    }

    /// Puts the vertices of a block in front of their planes. Returns how many had to stay where they began, and whether any was moved.
    pub fn hold_vertices(&self, block: &mut Block, points: &mut Points) -> (usize, bool) {
        self.renew_block(block, points);
        let (mut held_back, mut has_moved) = (0, false);
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
            has_moved |= place != now;
            points.set(vertex, &place);
        }
        (held_back, has_moved)
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
        for _ in 0..PLANE_ROUNDS {
            let mut is_clear = true;
            for contact in &mut *contacts {
                if contact.plane.gap(&place) >= reach {
                    continue;
                }
                let obstacle = &self.obstacles[contact.obstacle as usize];
                let carried = obstacle.carried(start);
                // What was in front at first and was pushed behind by another plane.
                if self.is_due(contact, &carried) {
                    self.renew_planes(&mut [(&mut *contact, carried, place)]);
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
        // Half the thickness is left for planes that meet at a sharp angle, unless triangles rely on the whole of it, which are safe
        // without planes of their own. Those in front of a half-space are so in any case.
        let is_in_front = |contact: &VertexContact| {
            let has_triangles = self.obstacles[contact.obstacle as usize].fits_a_mesh;
            let is_enough = has_triangles || contact.radius.is_infinite();
            contact.plane.gap(&place) >= if is_enough { 0.5 * self.thickness } else { reach }
        };
        if contacts.iter().all(is_in_front) {
            (place, false)
        } else {
            (farther_in_front(contacts, *start, place), true)
        }
    }

    /// Puts vertices of a block that went back to where they began, where a body has moved to since, to where they were pushed before:
    /// a vertex outside counts for more than a triangle.
    pub fn make_way(&self, block: &Block, pushed: &Points, points: &mut Points) {
        for contacts in block.vertices.chunk_by(|a, b| a.vertex == b.vertex) {
            let vertex = contacts[0].vertex as usize;
            let place = farther_in_front(contacts, points.get(vertex), pushed.get(vertex));
            points.set(vertex, &place);
        }
    }

    /// Whether a vertex that is behind its plane gets another one before it is pushed.
    fn is_due(&self, contact: &VertexContact, carried: &Vec3) -> bool {
        // A half-space has one plane.
        contact.radius.is_finite()
            && (contact.kind != Kind::Nearest
                || (contact.made_at - carried).norm() > self.stale(contact.radius))
    }

    /// Turns planes of one body towards the nearest point, each until the vertex is in front of it at its place: vertices behind their
    /// planes, with where the substep began, carried with the body, and where they are now.
    fn renew_planes(&self, due: &mut [(&mut VertexContact, Vec3, Vec3)]) {
        let Some((first, ..)) = due.first() else { return };
        let obstacle = &self.obstacles[first.obstacle as usize];
        let searches = due.iter().map(|(contact, carried, _)| {
            let from = (contact.kind != Kind::Coarse).then_some(&contact.plane);
            obstacle.point_search(carried, from)
        });
        let mut searches: Vec<PointSearch> = searches.collect();
        let reach = self.thickness;
        let is_clear =
            |place: &Vec3, plane: &Plane, gap: f64| gap >= reach && plane.gap(place) >= reach;
        let places: Vec<Vec3> = due.iter().map(|(.., place)| *place).collect();
        let will_do = |k: usize, plane: &Plane, gap: f64| is_clear(&places[k], plane, gap);
        let found = obstacle.point_planes(&mut searches, will_do);
        for ((contact, carried, place), found) in due.iter_mut().zip(found) {
            let gap = found.plane.gap(carried);
            if gap > contact.plane.gap(carried) || is_clear(place, &found.plane, gap) {
                contact.plane = found.plane;
            }
            (contact.kind, contact.radius, contact.made_at) = (found.kind, found.radius, *carried);
        }
    }

    /// New planes for the vertices of a block that are behind theirs, all of one body together.
    fn renew_block(&self, block: &mut Block, points: &Points) {
        let reach = (1.0 - ROUNDING) * self.thickness;
        let mut due = Vec::new();
        for contact in &mut block.vertices {
            let vertex = contact.vertex as usize;
            let place = points.get(vertex);
            if contact.plane.gap(&place) >= reach {
                continue;
            }
            let carried =
                self.obstacles[contact.obstacle as usize].carried(&self.start.get(vertex));
            if self.is_due(contact, &carried) {
                due.push((contact, carried, place));
            }
        }
        due.sort_by_key(|(contact, ..)| contact.obstacle);
        let of_one = due.chunk_by_mut(|a, b| a.0.obstacle == b.0.obstacle);
        of_one.for_each(|due| self.renew_planes(due));
    }
}

/// The first place if it is in front of all planes, else the one that is farther in front of the nearest plane. The start of a substep is
/// in front of all of them unless a body has moved there.
fn farther_in_front(contacts: &[VertexContact], first: Vec3, other: Vec3) -> Vec3 {
    let least = |place: &Vec3| {
        contacts.iter().map(|contact| contact.plane.gap(place)).fold(f64::INFINITY, f64::min)
    };
    let gap = least(&first);
    if gap > 0.0 || gap >= least(&other) { first } else { other }
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
