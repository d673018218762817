//! The points at which two flat bodies touch: one face is cut to the outline of the other.
//!
//! The normal is that of one of the two faces, of the *reference*. The corners of the other body near it, the *incident*
//! ones, are projected along the normal, their outline is cut by the sides of the outline of the reference (Sutherland and
//! Hodgman's algorithm), and what lies below the reference's plane is in contact, each point with its own depth. Where neither
//! body has a face across the normal, two edges cross and the one point of the distance query is all there is.

use crate::contact::face::add_corners;
use nalgebra::Vector2;
use smooth_scene_geometry::math::{Pose, Vec3, tangent_basis};
use smooth_scene_geometry::{ConvexSurface, Shape};
use smooth_scene_query::SignedDistance;

/// Most points of one contact.
pub(crate) const MOST_POINTS: usize = 8;
/// Corners up to this much of the smaller bounding radius behind the deepest belong to the incident face.
const INCIDENT: f64 = 0.05;
/// Corners of the reference lie in one plane across the normal up to this much of the smaller bounding radius.
const REFERENCE: f64 = 1e-4;

/// A point of a contact and how deep it lies; negative when it is apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ManifoldPoint {
    /// Midway between the surfaces.
    pub point_w: Vec3,
    pub depth: f64,
}

/// A corner in the coordinates of the contact: across the normal, and along it.
#[derive(Debug, Clone, Copy)]
struct Corner {
    across: Vector2<f64>,
    height: f64,
}

/// The points of two bodies, one of which at least is bounded, that are not farther apart than `reach`. Never empty: at worst the
/// midpoint of the witnesses.
pub(crate) fn points(
    a: (&Shape, &Pose),
    b: (&Shape, &Pose),
    found: &SignedDistance,
    reach: f64,
    out: &mut Vec<ManifoldPoint>,
) {
    out.clear();
    let normal_ab_w = found.normal_ab_w;
    let size = a.0.bounding_radius().min(b.0.bounding_radius());
    // Everything below a plane counts, however far the body leans.
    let slack = INCIDENT * size + (-found.distance).max(0.0);
    // Heights are measured from the reference's plane, out of it.
    let sides = [(a, b, normal_ab_w, found.witness_a_w), (b, a, -normal_ab_w, found.witness_b_w)];
    for (reference, incident, normal_w, origin_w) in sides {
        let basis = tangent_basis(&normal_w);
        let frame = |point_w: Vec3| Corner {
            across: Vector2::new(basis.0.dot(&point_w), basis.1.dot(&point_w)),
            height: normal_w.dot(&(point_w - origin_w)),
        };
        if incident.0.bounding_radius().is_infinite() {
            continue;
        }
        let is_plane = matches!(reference.0, Shape::HalfSpace(_));
        let limits = if is_plane {
            Vec::new()
        } else {
            outline(corners(reference, &normal_w, REFERENCE * size, frame))
        };
        if !is_plane && limits.len() < 3 {
            continue;
        }
        let face = outline(corners(incident, &-normal_w, slack, frame));
        let kept = cut(face, &limits);
        let kept = kept.into_iter().filter(|corner| corner.height <= reach);
        out.extend(kept.map(|corner| ManifoldPoint {
            point_w: basis.0 * corner.across.x
                + basis.1 * corner.across.y
                + normal_w * (normal_w.dot(&origin_w) + 0.5 * corner.height),
            depth: -corner.height,
        }));
        break;
    }
    // A corner in the middle of a bulging face is not on its outline.
    let depth = -found.distance;
    if out.iter().all(|point| point.depth < depth - REFERENCE * size) {
        let point_w = 0.5 * (found.witness_a_w + found.witness_b_w);
        out.push(ManifoldPoint { point_w, depth });
    }
    thin_out(out);
}

fn corners(
    body: (&Shape, &Pose),
    dir_w: &Vec3,
    slack: f64,
    frame: impl Fn(Vec3) -> Corner,
) -> Vec<Corner> {
    let mut found = Vec::new();
    add_corners(body.0, &body.1.rotation.inverse_transform_vector(dir_w), slack, &mut found);
    let world = |corner: &Vec3| body.1.rotation * corner + body.1.translation.vector;
    found.iter().map(|corner| frame(world(corner))).collect()
}

fn turn(a: &Vector2<f64>, b: &Vector2<f64>, c: &Vector2<f64>) -> f64 {
    (b - a).perp(&(c - a))
}

/// The corners on the convex outline, counter-clockwise; collinear ones are left out (Andrew's monotone chain).
fn outline(mut corners: Vec<Corner>) -> Vec<Corner> {
    let key = |c: &Corner| [c.across.x, c.across.y];
    corners.sort_by(|a, b| {
        let ([ax, ay], [bx, by]) = (key(a), key(b));
        ax.total_cmp(&bx).then(ay.total_cmp(&by)).then(a.height.total_cmp(&b.height))
    });
    // Of corners above one another the lowest is the deepest.
    corners.dedup_by(|later, first| later.across == first.across);
    if corners.len() < 3 {
        return corners;
    }
    let extent = corners.iter().map(|c| (c.across - corners[0].across).norm()).fold(0f64, f64::max);
    let least = 1e-9 * extent * extent;
    let mut chain: Vec<Corner> = Vec::new();
    for pass in 0..2 {
        let bottom = chain.len();
        let walk: Box<dyn Iterator<Item = &Corner>> = match pass {
            0 => Box::new(corners.iter()),
            _ => Box::new(corners.iter().rev()),
        };
        for corner in walk {
            while chain.len() >= bottom + 2 {
                let [a, b] = [&chain[chain.len() - 2], &chain[chain.len() - 1]];
                if turn(&a.across, &b.across, &corner.across) > least {
                    break;
                }
                chain.pop();
            }
            chain.push(*corner);
        }
        // The last corner of one chain is the first of the other.
        chain.pop();
    }
    chain
}

/// The part of a convex polygon, segment or point within a convex outline; an empty outline limits nothing.
fn cut(mut face: Vec<Corner>, limits: &[Corner]) -> Vec<Corner> {
    for (k, from) in limits.iter().enumerate() {
        let to = &limits[(k + 1) % limits.len()];
        let inside = |corner: &Corner| turn(&from.across, &to.across, &corner.across);
        let count = face.len();
        let mut kept: Vec<Corner> = Vec::with_capacity(count + 1);
        for (k, corner) in face.iter().enumerate() {
            let here = inside(corner);
            if here >= 0.0 {
                kept.push(*corner);
            }
            // The edge of a segment is walked once.
            if count == 1 || (count == 2 && k == 1) {
                continue;
            }
            let next = &face[(k + 1) % count];
            let there = inside(next);
            if (here > 0.0 && there < 0.0) || (here < 0.0 && there > 0.0) {
                let share = here / (here - there);
                kept.push(Corner {
                    across: corner.across + (next.across - corner.across) * share,
                    height: corner.height + (next.height - corner.height) * share,
                });
            }
        }
        face = kept;
    }
    face
}

/// Keeps the deepest point and those that lie farthest from what is kept.
fn thin_out(points: &mut Vec<ManifoldPoint>) {
    if points.len() <= MOST_POINTS {
        return;
    }
    for kept in 0..MOST_POINTS {
        let gap = |point: &ManifoldPoint| {
            let to_kept = points[..kept].iter().map(|k| (k.point_w - point.point_w).norm());
            to_kept.fold(f64::INFINITY, f64::min)
        };
        let rank = |k: usize| if kept == 0 { points[k].depth } else { gap(&points[k]) };
        let mut best = kept;
        for k in kept + 1..points.len() {
            if rank(k) > rank(best) {
                best = k;
            }
        }
        points.swap(kept, best);
    }
    points.truncate(MOST_POINTS);
}

#[cfg(test)]
mod tests {
    use super::*;
    use smooth_scene_geometry::math::rotation_from_vector;
    use smooth_scene_query::PairQuery;

    fn contact(a: (&Shape, &Pose), b: (&Shape, &Pose)) -> Vec<ManifoldPoint> {
        let found = PairQuery::new(a.0, a.1, b.0, b.1).distance();
        let mut out = Vec::new();
        points(a, b, &found, 0.0, &mut out);
        out
    }

    fn turned(z: f64, angle: f64) -> Pose {
        let rotation = rotation_from_vector(&Vec3::new(0.0, 0.0, angle));
        Pose::from_parts(Vec3::new(0.0, 0.0, z).into(), rotation)
    }

    /// Two bars that cross like the strokes of a plus have no corner in each other; they touch over a square.
    #[test]
    fn crossed_bars_touch_at_the_corners_of_a_square() {
        let bar = Shape::cuboid([0.3, 0.05, 0.05]).unwrap();
        let found = contact((&bar, &turned(0.0, 0.0)), (&bar, &turned(0.099, 90f64.to_radians())));
        assert_eq!(found.len(), 4);
        for point in found {
            assert!((point.depth - 0.001).abs() < 1e-9, "{point:?}");
            let expected = Vec3::new(0.05, 0.05, 0.0495);
            assert!((point.point_w.abs() - expected).amax() < 1e-7, "{point:?}");
        }
    }

    /// A square turned by 45° on an equal one: an octagon.
    #[test]
    fn turned_boxes_touch_over_an_octagon() {
        let cube = Shape::cuboid([0.1; 3]).unwrap();
        let found =
            contact((&cube, &turned(0.0, 0.0)), (&cube, &turned(0.199, 45f64.to_radians())));
        assert_eq!(found.len(), 8);
        let near = 0.1 * (2f64.sqrt() - 1.0);
        for point in found {
            let [x, y] = [point.point_w.x.abs(), point.point_w.y.abs()];
            assert!((x.max(y) - 0.1).abs() < 1e-7 && (x.min(y) - near).abs() < 1e-7, "{point:?}");
            assert!((point.depth - 0.001).abs() < 1e-9);
        }
    }

    /// A cylinder leans on a box: its rim's lowest point, as deep as the query says, and no point above the face.
    #[test]
    fn a_leaning_cylinder_touches_with_its_lowest_rim() {
        let (cube, can) = (Shape::cuboid([0.3; 3]).unwrap(), Shape::cylinder(0.1, 0.2).unwrap());
        let tilt = 0.3f64;
        let rotation = rotation_from_vector(&Vec3::new(0.0, tilt, 0.0));
        let height = 0.1 * tilt.sin() + 0.2 * tilt.cos();
        let pose = Pose::from_parts(Vec3::new(0.0, 0.0, 0.3 + height - 0.002).into(), rotation);
        let found = contact((&cube, &Pose::identity()), (&can, &pose));
        let deepest = found.iter().map(|p| p.depth).fold(0f64, f64::max);
        assert!((deepest - 0.002).abs() < 1e-9, "{found:?}");
        assert!(found.iter().all(|p| p.depth >= 0.0), "{found:?}");
    }

    /// Two crossed edges touch at one point.
    #[test]
    fn crossed_edges_touch_at_a_point() {
        let bar = Shape::cuboid([0.3, 0.05, 0.05]).unwrap();
        let quarter = rotation_from_vector(&Vec3::new(std::f64::consts::FRAC_PI_4, 0.0, 0.0));
        let across = rotation_from_vector(&Vec3::new(0.0, 0.0, 80f64.to_radians()));
        let edge = 0.05 * 2f64.sqrt();
        let above =
            Pose::from_parts(Vec3::new(0.0, 0.0, 2.0 * edge - 0.001).into(), across * quarter);
        let below = Pose::from_parts(Vec3::zeros().into(), quarter);
        let found = contact((&bar, &below), (&bar, &above));
        assert_eq!(found.len(), 1);
        assert!((found[0].depth - 0.001).abs() < 1e-9, "{found:?}");
    }
}
