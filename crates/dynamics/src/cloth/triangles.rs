//! Keeps triangles, and so edges, in front of bodies that are curved enough to come between vertices.
//!
//! A plane with all three corners in front of it holds the whole triangle in front. The push acts at the point of the triangle
//! that is nearest to the body, so that a triangle may tilt over a body; what ends behind is put back at the end.

use crate::cloth::contacts::{Block, TriangleContact};
use crate::cloth::obstacle::{lowest, weighted};
use crate::cloth::points::Points;
use crate::cloth::vertices::{Holding, held_by_friction};
use smooth_scene_geometry::math::Vec3;

fn corners_of(contact: &TriangleContact, points: &Points) -> [Vec3; 3] {
    contact.corners.map(|corner| points.get(corner as usize))
}

fn gap(contact: &TriangleContact, corners: &[Vec3; 3]) -> f64 {
    lowest(corners, &contact.plane.normal) - contact.plane.offset
}

impl Holding<'_> {
    /// Pushes triangles in front of their planes, and takes friction.
    pub fn push_triangles(&self, block: &mut Block, weights: &[f64], points: &mut Points) {
        for contact in &mut block.triangles {
            let corners = corners_of(contact, points);
            if gap(contact, &corners) >= self.thickness {
                continue;
            }
            let obstacle = &self.obstacles[contact.obstacle as usize];
            let start = corners_of(contact, self.start).map(|corner| obstacle.carried(&corner));
            self.renew(contact, &start);
            let behind = weighted(&corners, &contact.weights).dot(&contact.plane.normal)
                - contact.plane.offset
                - self.thickness;
            if behind >= 0.0 {
                continue;
            }
            let motion = weighted(&corners, &contact.weights) - weighted(&start, &contact.weights);
            let normal = &contact.plane.normal;
            let held = held_by_friction(&motion, normal, -self.friction * behind);
            self.push(contact, &(normal * -behind - held), weights, points);
        }
    }

    /// Makes a better plane when the triangle has moved since it was made.
    fn renew(&self, contact: &mut TriangleContact, start: &[Vec3; 3]) {
        let mut pairs = start.iter().zip(&contact.made_at);
        if pairs.all(|(a, b)| (a - b).norm() <= self.stale) {
            return;
        }
        let obstacle = &self.obstacles[contact.obstacle as usize];
        if let Some(found) = obstacle.triangle_plane(start, &contact.plane.normal, f64::INFINITY)
            && lowest(start, &found.plane.normal) - found.plane.offset > gap(contact, start)
        {
            (contact.plane, contact.weights) = (found.plane, found.weights);
        }
        contact.made_at = *start;
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
            if let Some(found) =
                obstacle.triangle_plane(&corners, &contact.plane.normal, self.thickness)
            {
                (contact.plane, contact.weights) = (found.plane, found.weights);
                contact.made_at = corners;
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
