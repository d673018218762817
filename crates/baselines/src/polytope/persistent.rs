//! Contacts that keep their identity from one moment to the next, at most four of a pair.

use super::contact_region::{ContactCorner, ContactKey, ContactRegion};
use smooth_scene_geometry::math::{Pose, Vec3};

/// Contacts kept of a pair: enough for the forces of a flat contact.
const KEPT: usize = 4;
/// The contacts of before stay while they span this share of the area that the best choice of four would.
const ENOUGH: f64 = 0.9;

/// One contact of a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// The same as long as it is the same contact.
    pub id: u64,
    /// How many updates it has lived through.
    pub age: u32,
    /// The features that touch.
    pub key: ContactKey,
    /// The point on the contact plane, in the frame of A.
    pub point_a: Vec3,
    /// The same point in the frame of B.
    pub point_b: Vec3,
    /// Distance of the bodies; negative when they overlap.
    pub distance: f64,
}

/// The contacts of one pair of bodies over time [lecture, "Recognize persistent contacts"].
///
/// A corner of the new region is an old contact when the same features touch. Corners whose features changed, as when a
/// vertex slides over an edge, take over the nearest old contact that is left within `reach`, measured in the frame of A.
/// Of a region with more than four corners, four are kept: the two farthest from each other and the farthest on either
/// side of them, which span at least half of its area, or the four of before while they do about as well.
#[derive(Debug, Clone)]
pub struct PersistentContacts {
    reach: f64,
    next_id: u64,
    contacts: Vec<Contact>,
}

impl PersistentContacts {
    /// No contacts yet; corners may move by `reach` metres between updates and stay the same contact.
    pub fn new(reach: f64) -> Self {
        Self { reach, next_id: 0, contacts: Vec::new() }
    }

    /// The contacts of the last update.
    pub fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    /// Takes over a new region of the two bodies in their poses.
    pub fn update(&mut self, region: &ContactRegion, pose_a: &Pose, pose_b: &Pose) -> &[Contact] {
        let local = |pose: &Pose, corner: &ContactCorner| {
            pose.rotation.inverse() * (corner.point_w - pose.translation.vector)
        };
        let points: Vec<Vec3> = region.corners.iter().map(|corner| local(pose_a, corner)).collect();
        let inherited = self.inherit(region, &points);
        let mut contacts = Vec::new();
        for k in self.reduce(region, &inherited) {
            let corner = &region.corners[k];
            let (id, age) = match inherited[k].map(|old| &self.contacts[old]) {
                Some(old) => (old.id, old.age + 1),
                None => {
                    self.next_id += 1;
                    (self.next_id - 1, 0)
                }
            };
            contacts.push(Contact {
                id,
                age,
                key: corner.key,
                point_a: points[k],
                point_b: local(pose_b, corner),
                distance: region.distance,
            });
        }
        self.contacts = contacts;
        &self.contacts
    }

    /// For each corner, which old contact it is.
    fn inherit(&self, region: &ContactRegion, points: &[Vec3]) -> Vec<Option<usize>> {
        let mut taken = vec![false; self.contacts.len()];
        let mut inherited = vec![None; points.len()];
        for (corner, of) in region.corners.iter().zip(&mut inherited) {
            *of = self.contacts.iter().position(|old| old.key == corner.key);
            if let Some(old) = *of {
                taken[old] = true;
            }
        }
        // The nearest pairs first.
        let mut near: Vec<(f64, usize, usize)> = Vec::new();
        for (k, point) in points.iter().enumerate().filter(|(k, _)| inherited[*k].is_none()) {
            for (old, contact) in self.contacts.iter().enumerate() {
                let moved = (contact.point_a - point).norm();
                if moved <= self.reach {
                    near.push((moved, k, old));
                }
            }
        }
        near.sort_by(|p, q| p.0.total_cmp(&q.0));
        for (_, k, old) in near {
            if inherited[k].is_none() && !taken[old] {
                (inherited[k], taken[old]) = (Some(old), true);
            }
        }
        inherited
    }

    /// Which corners are kept, in the order of the outline.
    fn reduce(&self, region: &ContactRegion, inherited: &[Option<usize>]) -> Vec<usize> {
        let corners = &region.corners;
        if corners.len() <= KEPT {
            return (0..corners.len()).collect();
        }
        let best = widest(region);
        let before: Vec<usize> = (0..corners.len()).filter(|k| inherited[*k].is_some()).collect();
        if before.len() == KEPT && area(region, &before) >= ENOUGH * area(region, &best) {
            return before;
        }
        best
    }
}

/// The two corners farthest from each other, and the farthest on each side of the line through them.
///
/// With the length l of that line and the heights h and k of the other two, the four span l(h + k)/2; the region is
/// within a rectangle of l by h + k, because no corner is farther along the line than its ends.
fn widest(region: &ContactRegion) -> Vec<usize> {
    let corners = &region.corners;
    let at = |k: usize| corners[k].point_w;
    let mut pair = (0, 1);
    for p in 0..corners.len() {
        for q in p + 1..corners.len() {
            if (at(p) - at(q)).norm() > (at(pair.0) - at(pair.1)).norm() {
                pair = (p, q);
            }
        }
    }
    let across = region.normal_ab_w.cross(&(at(pair.1) - at(pair.0)));
    let height = |k: usize| across.dot(&(at(k) - at(pair.0)));
    let mut kept = vec![pair.0, pair.1];
    // The outline is convex: the corners between the two ends are on one side, the others on the other.
    let between = |k: &usize| (pair.0 + 1..pair.1).contains(k);
    for side in [true, false] {
        let others =
            (0..corners.len()).filter(|k| between(k) == side && *k != pair.0 && *k != pair.1);
        let farthest = others.max_by(|p, q| height(*p).abs().total_cmp(&height(*q).abs()));
        kept.extend(farthest);
    }
    kept.sort_unstable();
    kept
}

/// Area that some corners span, given in the order of the outline.
fn area(region: &ContactRegion, kept: &[usize]) -> f64 {
    let corners = kept.iter().map(|k| region.corners[*k]).collect();
    ContactRegion { corners, ..region.clone() }.area()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::polytope::Polyhedron;
    use nalgebra::{Translation3, UnitQuaternion};
    use smooth_scene_geometry::Shape;
    use std::collections::BTreeSet;

    fn cuboid(half: [f64; 3]) -> Polyhedron {
        Polyhedron::of(&Shape::cuboid(half).unwrap()).unwrap()
    }

    fn at(x: f64, angle: f64) -> Pose {
        let turn = UnitQuaternion::from_euler_angles(0.0, 0.0, angle);
        Pose::from_parts(Translation3::new(x, 0.0, 1.0), turn)
    }

    /// A box that slides over the edge of a larger one: its own four corners, then two of them and two crossings.
    #[test]
    fn a_box_that_slides_over_an_edge_keeps_its_contacts() {
        let (table, cube) = (cuboid([1.0, 1.0, 0.5]), cuboid([0.5; 3]));
        let mut contacts = PersistentContacts::new(0.05);
        for k in 0..100 {
            let pose = at(0.01 * f64::from(k), 0.0);
            let place = Pose::identity();
            let region = ContactRegion::new((&table, &place), (&cube, &pose), &Vec3::z(), 1e-9);
            let found = contacts.update(&region, &place, &pose);
            let ids: BTreeSet<u64> = found.iter().map(|c| c.id).collect();
            assert_eq!(ids, BTreeSet::from([0, 1, 2, 3]), "step {k}");
            assert!(found.iter().all(|c| c.age == k), "step {k}");
        }
        let crossings = contacts.contacts().iter();
        let crossing = |c: &&Contact| matches!(c.key, ContactKey::Crossing(..));
        assert_eq!(crossings.filter(crossing).count(), 2);
    }

    /// A square that turns on an equal one: eight corners, of which four are kept that span at least half of the area.
    #[test]
    fn of_eight_corners_four_are_kept_and_they_stay_while_they_do() {
        let cube = cuboid([0.5; 3]);
        let place = Pose::identity();
        let mut contacts = PersistentContacts::new(0.02);
        let mut changes = 0;
        let mut before = BTreeSet::new();
        for k in 1..=70 {
            let pose = at(0.0, 0.01 * f64::from(k));
            let region = ContactRegion::new((&cube, &place), (&cube, &pose), &Vec3::z(), 1e-9);
            assert_eq!(region.corners.len(), 8);
            let found = contacts.update(&region, &place, &pose);
            assert_eq!(found.len(), 4);
            let corner = |c: &Contact| ContactCorner { point_w: c.point_a, key: c.key };
            let kept =
                ContactRegion { corners: found.iter().map(corner).collect(), ..region.clone() };
            assert!(kept.area() >= 0.5 * region.area() * (1.0 - 1e-12), "step {k}");
            for contact in found {
                // Both frames hold the same point.
                let from_b = pose.rotation * contact.point_b + pose.translation.vector;
                assert!((from_b - contact.point_a).norm() < 1e-14);
            }
            let ids: BTreeSet<u64> = found.iter().map(|c| c.id).collect();
            changes += usize::from(k > 1 && ids != before);
            before = ids;
        }
        assert!(changes <= 2, "{changes} changes in 70 steps");
    }

    #[test]
    fn a_contact_that_ended_does_not_come_back_as_itself() {
        let cube = cuboid([0.5; 3]);
        let (place, pose) = (Pose::identity(), at(0.0, 0.0));
        let region = ContactRegion::new((&cube, &place), (&cube, &pose), &Vec3::z(), 1e-9);
        let gone = ContactRegion { corners: Vec::new(), ..region.clone() };
        let mut contacts = PersistentContacts::new(0.1);
        let first: Vec<u64> =
            contacts.update(&region, &place, &pose).iter().map(|c| c.id).collect();
        assert!(contacts.update(&gone, &place, &pose).is_empty());
        let again = contacts.update(&region, &place, &pose);
        assert!(again.iter().all(|c| !first.contains(&c.id) && c.age == 0));
    }
}
