//! Keeps triangles, and so edges, in front of bodies that are curved enough to come between vertices.
//!
//! A plane with all three corners in front of it holds the whole triangle in front. The push acts at the point of the triangle
//! that is nearest to the body, so that a triangle may tilt over a body; what ends behind is put back at the end.

use crate::cloth::contacts::{Block, TriangleContact};
use crate::cloth::obstacle::Obstacle;
use crate::cloth::plane::{Kind, Plane};
use crate::cloth::points::Points;
use crate::cloth::triangle_plane::{TriangleSearch, lowest, weighted};
use crate::cloth::tuning::{FIRST_STEPS, NEXT_STEPS};
use crate::cloth::vertices::{Holding, held_by_friction};
use smooth_scene_geometry::math::Vec3;

/// How far a triangle stays in front, in shares of the thickness. Its corners stay a whole thickness away, and a body is curved away
/// between them: where that is by less than the rest, vertices alone hold the cloth.
const SHARE: f64 = 0.5;

#[inline(always)]
fn corners_of(contact: &TriangleContact, points: &Points) -> [Vec3; 3] {
    contact.corners.map(|corner| points.get(corner as usize))
}

/// Where the search for a plane begins: at the one there is, unless that is a face of a box, where Newton's method may stall.
fn first_direction(contact: &TriangleContact, obstacle: &Obstacle, corners: &[Vec3; 3]) -> Vec3 {
    match contact.kind {
        Kind::Coarse => obstacle.towards(corners),
        _ => contact.plane.normal,
    }
}

#[inline(always)]
fn gap(contact: &TriangleContact, corners: &[Vec3; 3]) -> f64 {
    lowest(corners, &contact.plane.normal) - contact.plane.offset
}

impl Holding<'_> {
    /// Pushes triangles in front of their planes, and takes friction. Returns whether any was behind.
    pub fn push_triangles(&self, block: &mut Block, weights: &[f64], points: &mut Points) -> bool {
        if !self.renew_triangles_of(block, points) {
            return false;
        }
        for contact in &mut block.triangles {
            let corners = corners_of(contact, points);
            let reach = SHARE * self.thickness;
            if gap(contact, &corners) >= reach {
                continue;
            }
            let obstacle = &self.obstacles[contact.obstacle as usize];
            let start = corners_of(contact, self.start).map(|corner| obstacle.carried(&corner));
            if self.is_due_triangle(contact, &start) {
                self.renew_triangles(&mut [(&mut *contact, start, corners)]);
            }
            if contact.kind == Kind::Coarse {
                continue;
            }
            let behind = weighted(&corners, &contact.weights).dot(&contact.plane.normal)
                - contact.plane.offset
                - reach;
            if behind >= 0.0 {
                continue;
            }
            let motion = weighted(&corners, &contact.weights) - weighted(&start, &contact.weights);
            let normal = &contact.plane.normal;
            let held = held_by_friction(&motion, normal, -self.friction * behind);
            self.push(contact, &(normal * -behind - held), weights, points);
        }
        true
    }

    #[inline(always)]
    fn is_due_triangle(&self, contact: &TriangleContact, start: &[Vec3; 3]) -> bool {
        let stale = self.stale(contact.radius);
        let mut pairs = start.iter().zip(&contact.made_at);
        contact.kind != Kind::Nearest || pairs.any(|(a, b)| (a - b).norm() > stale)
    }

    /// Makes better planes for triangles of one body that have moved since theirs were made: that of the nearest points, or one that the
    /// triangle is in front of at the beginning of the substep, carried with the body, and now.
    fn renew_triangles(&self, due: &mut [(&mut TriangleContact, [Vec3; 3], [Vec3; 3])]) {
        let Some((first, ..)) = due.first() else { return };
        let obstacle = &self.obstacles[first.obstacle as usize];
        let searches = due.iter().map(|(contact, start, _)| {
            let rounds = if contact.kind == Kind::Coarse { FIRST_STEPS } else { NEXT_STEPS };
            obstacle.triangle_search(start, &first_direction(contact, obstacle, start), rounds)
        });
        let mut searches: Vec<TriangleSearch> = searches.collect();
        let reach = SHARE * self.thickness;
        let is_clear = |now: &[Vec3; 3], plane: &Plane, gap: f64| {
            gap >= reach && lowest(now, &plane.normal) - plane.offset >= reach
        };
        let now: Vec<[Vec3; 3]> = due.iter().map(|(.., now)| *now).collect();
        let will_do = |k: usize, plane: &Plane, gap: f64| is_clear(&now[k], plane, gap);
        let found = obstacle.triangle_planes(&mut searches, will_do);
        for ((contact, start, now), found) in due.iter_mut().zip(found) {
            contact.made_at = *start;
            let Some(found) = found else {
                // A body sticks through the triangle. The plane of its box is none to push it in front of.
                if contact.kind != Kind::Coarse {
                    contact.kind = Kind::Nearest;
                }
                continue;
            };
            let better = lowest(start, &found.plane.normal) - found.plane.offset;
            // A coarse plane may be as good, but says nothing about where the triangle is nearest.
            let is_first = contact.kind == Kind::Coarse;
            if is_first || better > gap(contact, start) || is_clear(now, &found.plane, better) {
                (contact.plane, contact.weights) = (found.plane, found.weights);
            }
            (contact.kind, contact.radius) = (found.kind, found.radius);
        }
    }

    /// New planes for the triangles of a block that are behind theirs, all of one body together. Returns whether there are any behind.
    fn renew_triangles_of(&self, block: &mut Block, points: &Points) -> bool {
        let (mut due, mut is_behind) = (Vec::new(), false);
        for contact in &mut block.triangles {
            let now = corners_of(contact, points);
            if gap(contact, &now) >= SHARE * self.thickness {
                continue;
            }
            is_behind = true;
            let obstacle = &self.obstacles[contact.obstacle as usize];
            let start = corners_of(contact, self.start).map(|corner| obstacle.carried(&corner));
            if self.is_due_triangle(contact, &start) {
                due.push((contact, start, now));
            }
        }
        due.sort_by_key(|(contact, ..)| contact.obstacle);
        let of_one = due.chunk_by_mut(|a, b| a.0.obstacle == b.0.obstacle);
        of_one.for_each(|due| self.renew_triangles(due));
        is_behind
    }

    /// Moves the corners so that the point of contact moves by so much, each by its weight and inverse mass.
    fn push(&self, contact: &TriangleContact, motion: &Vec3, weights: &[f64], points: &mut Points) {
        let corners = contact.corners.map(|corner| corner as usize);
        let share = |k: usize| weights[corners[k]] * contact.weights[k];
        let whole: f64 = (0..3).map(|k| share(k) * contact.weights[k]).sum();
        if whole <= 0.0 {
            return;
        }
        for (k, &corner) in corners.iter().enumerate() {
            let place = points.get(corner) + motion * (share(k) / whole);
            points.set(corner, &place);
        }
    }

    /// Puts the corners of triangles that a body sticks through back to where they began. Returns how many triangles.
    pub fn put_back_triangles(&self, block: &mut Block, points: &mut Points) -> usize {
        let mut count = 0;
        for contact in &mut block.triangles {
            let corners = corners_of(contact, points);
            if gap(contact, &corners) > 0.0 {
                continue;
            }
            let obstacle = &self.obstacles[contact.obstacle as usize];
            let towards = first_direction(contact, obstacle, &corners);
            let will_do = |_: &Plane, gap: f64| gap >= SHARE * self.thickness;
            let found = obstacle.triangle_plane(&corners, &towards, will_do);
            if let Some(found) = found {
                (contact.plane, contact.weights) = (found.plane, found.weights);
                contact.radius = found.radius;
                (contact.made_at, contact.kind) = (corners, found.kind);
                continue;
            }
            // Only a body that has moved into the triangle is in its way still; the next steps push it out.
            if corners == corners_of(contact, self.start) {
                continue;
            }
            count += 1;
            for corner in contact.corners.map(|corner| corner as usize) {
                points.set(corner, &self.start.get(corner));
            }
        }
        count
    }
}
