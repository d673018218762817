//! The region in which two convex polyhedra touch: the common part of the features that face each other.
//!
//! With the touching vector along n, from A to B [lecture, "Contact Region"]:
//!
//! 1. The support sets of A along n and of B along −n are a vertex, an edge or a face each.
//! 2. The contact plane has the normal n and lies halfway between them.
//! 3. Both sets are projected onto the plane; the region is what they have in common, a convex polygon, a segment or a
//!    point. Its corners are the corners of one set inside the other and the crossings of their edges.

use super::polyhedron::Polyhedron;
use crate::relative_pair::transform;
use nalgebra::Vector2;
use smooth_scene_geometry::math::{Pose, Vec3, tangent_basis};

/// What a corner of a contact region is made of; vertices by their numbers. The same as long as the same features touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ContactKey {
    /// A vertex of A on the feature of B.
    VertexOfA(u32),
    /// A vertex of B on the feature of A.
    VertexOfB(u32),
    /// Two edges that cross, each by its ends.
    Crossing([u32; 2], [u32; 2]),
}

/// A corner of a contact region.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactCorner {
    /// On the contact plane, world frame.
    pub point_w: Vec3,
    /// What it is made of.
    pub key: ContactKey,
}

/// Where two bodies touch, would touch, or overlap.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactRegion {
    /// Unit normal from A to B, world frame.
    pub normal_ab_w: Vec3,
    /// Distance of the bodies along the normal; negative when they overlap.
    pub distance: f64,
    /// The corners, counter-clockwise seen against the normal. Empty when the facing features have nothing in common, as
    /// with a normal that is not that of the touching vector, or with poses that are not finite.
    pub corners: Vec<ContactCorner>,
}

/// A corner of a support set: its number in the polyhedron, and where it is on the contact plane.
type PlanePoint = (u32, Vector2<f64>);

impl ContactRegion {
    /// The region of two polyhedra with the touching vector along `normal_ab_w`, a unit vector from A to B in the world frame.
    /// Vertices count as belonging to a facing feature up to `tolerance` metres behind its foremost one, and points as
    /// equal up to that.
    pub fn new(
        (a, pose_a): (&Polyhedron, &Pose),
        (b, pose_b): (&Polyhedron, &Pose),
        normal_ab_w: &Vec3,
        tolerance: f64,
    ) -> Self {
        let n = *normal_ab_w;
        let plane = tangent_basis(&n);
        // The second vector completes a right-handed frame, so that outlines run counter-clockwise about n.
        let axes = (plane.0, n.cross(&plane.0));
        let (height_a, first) = support_set(a, pose_a, &n, &axes, tolerance);
        let (height_b, second) = support_set(b, pose_b, &-n, &axes, tolerance);
        let distance = -height_b - height_a;
        let middle = 0.5 * (height_a - height_b);
        let lift = |p: &Vector2<f64>| middle * n + p.x * axes.0 + p.y * axes.1;
        let corners = common(&first, &second, tolerance)
            .into_iter()
            .map(|(key, p)| ContactCorner { point_w: lift(&p), key })
            .collect();
        Self { normal_ab_w: n, distance, corners }
    }

    /// Area of the region in square metres; zero of a segment or a point.
    pub fn area(&self) -> f64 {
        let Some(first) = self.corners.first() else { return 0.0 };
        let from = |k: usize| self.corners[k].point_w - first.point_w;
        let triangles = (2..self.corners.len()).map(|k| from(k - 1).cross(&from(k)));
        0.5 * triangles.map(|t| t.dot(&self.normal_ab_w)).sum::<f64>()
    }
}

/// The support value along `dir`, world frame, and the corners of the support set projected onto the plane of the axes, as
/// a convex outline.
fn support_set(
    polyhedron: &Polyhedron,
    pose: &Pose,
    dir: &Vec3,
    axes: &(Vec3, Vec3),
    tolerance: f64,
) -> (f64, Vec<PlanePoint>) {
    let local = pose.inverse_transform_vector(dir);
    let heights: Vec<f64> = polyhedron.vertices.iter().map(|v| local.dot(v)).collect();
    let highest = heights.iter().fold(f64::NEG_INFINITY, |most, h| most.max(*h));
    let points = (0..heights.len()).filter(|k| heights[*k] >= highest - tolerance).map(|k| {
        let point = transform(pose, &polyhedron.vertices[k]);
        (k as u32, Vector2::new(axes.0.dot(&point), axes.1.dot(&point)))
    });
    (highest + dir.dot(&pose.translation.vector), outline(points.collect(), tolerance))
}

fn cross(a: &Vector2<f64>, b: &Vector2<f64>) -> f64 {
    a.x * b.y - a.y * b.x
}

/// The convex outline of points, counter-clockwise (Andrew's monotone chain). Points within the tolerance of a side are
/// left out.
fn outline<T: Copy>(mut points: Vec<(T, Vector2<f64>)>, tolerance: f64) -> Vec<(T, Vector2<f64>)> {
    points.sort_by(|p, q| p.1.x.total_cmp(&q.1.x).then(p.1.y.total_cmp(&q.1.y)));
    let chain = |points: &mut dyn Iterator<Item = (T, Vector2<f64>)>| {
        let mut kept: Vec<(T, Vector2<f64>)> = Vec::new();
        for next in points {
            while let [.., before, last] = kept[..] {
                let side = next.1 - before.1;
                // How far the last point is to the right of the line from the one before to the next.
                let bulge = cross(&(last.1 - before.1), &side);
                if bulge > tolerance * side.norm() {
                    break;
                }
                kept.pop();
            }
            kept.push(next);
        }
        kept
    };
    let mut lower = chain(&mut points.iter().copied());
    let upper = chain(&mut points.iter().rev().copied());
    let is_flat = upper.len() <= 2 && lower.len() <= 2;
    lower.pop();
    let inner = if is_flat { &upper[..1.min(upper.len())] } else { &upper[..upper.len() - 1] };
    lower.extend_from_slice(inner);
    if lower.len() == 2 && (lower[0].1 - lower[1].1).norm() <= tolerance {
        lower.pop();
    }
    lower
}

/// The sides of an outline; a segment has one, a point none.
fn sides(outline: &[PlanePoint]) -> impl Iterator<Item = [PlanePoint; 2]> + '_ {
    let count = match outline.len() {
        0 | 1 => 0,
        2 => 1,
        more => more,
    };
    (0..count).map(|k| [outline[k], outline[(k + 1) % outline.len()]])
}

/// Whether a point is in an outline, up to the tolerance.
fn contains(outline: &[PlanePoint], point: &Vector2<f64>, tolerance: f64) -> bool {
    match outline {
        [] => false,
        [(_, only)] => (point - only).norm() <= tolerance,
        [(_, from), (_, to)] => {
            let along = to - from;
            let share = ((point - from).dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
            (from + share * along - point).norm() <= tolerance
        }
        _ => sides(outline).all(|[(_, from), (_, to)]| {
            cross(&(to - from), &(point - from)) >= -tolerance * (to - from).norm()
        }),
    }
}

/// The corners of what two outlines have in common, counter-clockwise.
fn common(
    first: &[PlanePoint],
    second: &[PlanePoint],
    tolerance: f64,
) -> Vec<(ContactKey, Vector2<f64>)> {
    let inside = |points: &[PlanePoint], of: &[PlanePoint]| -> Vec<PlanePoint> {
        points.iter().filter(|(_, p)| contains(of, p, tolerance)).copied().collect()
    };
    let mut all: Vec<(ContactKey, Vector2<f64>)> = Vec::new();
    let of_a = inside(first, second).into_iter().map(|(k, p)| (ContactKey::VertexOfA(k), p));
    let of_b = inside(second, first).into_iter().map(|(k, p)| (ContactKey::VertexOfB(k), p));
    let crossings = sides(first).flat_map(|one| {
        sides(second).filter_map(move |other| {
            let point = crossing(&one, &other)?;
            Some((ContactKey::Crossing(ends(&one), ends(&other)), point))
        })
    });
    for (key, point) in of_a.chain(of_b).chain(crossings) {
        if all.iter().all(|(_, known)| (known - point).norm() > tolerance) {
            all.push((key, point));
        }
    }
    outline(all, tolerance)
}

/// The ends of a side, the lower number first.
fn ends(side: &[PlanePoint; 2]) -> [u32; 2] {
    let [(p, _), (q, _)] = *side;
    [p.min(q), p.max(q)]
}

/// Where two sides cross, if they do between their ends.
fn crossing(one: &[PlanePoint; 2], other: &[PlanePoint; 2]) -> Option<Vector2<f64>> {
    let (p, u) = (one[0].1, one[1].1 - one[0].1);
    let (q, v) = (other[0].1, other[1].1 - other[0].1);
    let determinant = cross(&u, &v);
    let (s, t) = (cross(&(q - p), &v) / determinant, cross(&(q - p), &u) / determinant);
    // Parallel sides have a determinant of zero: neither share is a number then.
    let within = |x: f64| (0.0..=1.0).contains(&x);
    (within(s) && within(t)).then(|| p + s * u)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{Translation3, UnitQuaternion};
    use smooth_scene_geometry::Shape;
    use smooth_scene_query::{QueryOptions, distance};
    use std::f64::consts::{FRAC_PI_4, FRAC_PI_6};

    /// The region of two boxes with the normal of the proven query.
    fn region(half_a: [f64; 3], pose_a: &Pose, half_b: [f64; 3], pose_b: &Pose) -> ContactRegion {
        let [a, b] = [half_a, half_b].map(|half| Shape::cuboid(half).unwrap());
        let [p, q] = [&a, &b].map(|shape| Polyhedron::of(shape).unwrap());
        let found = distance(&a, pose_a, &b, pose_b, &QueryOptions::default());
        let region = ContactRegion::new((&p, pose_a), (&q, pose_b), &found.normal_ab_w, 1e-7);
        assert!((region.distance - found.distance).abs() < 1e-9, "{region:?} {found:?}");
        region
    }

    fn above(height: f64, rotation: UnitQuaternion<f64>) -> Pose {
        Pose::from_parts(Translation3::new(0.0, 0.0, height), rotation)
    }

    #[test]
    fn a_box_on_a_larger_box_touches_with_its_whole_face() {
        for height in [1.49, 1.5, 1.6] {
            let pose_b = Pose::translation(0.25, 0.0, height);
            let region = region([2.0, 2.0, 1.0], &Pose::identity(), [0.5; 3], &pose_b);
            assert_eq!(region.corners.len(), 4);
            assert!(region.corners.iter().all(|c| matches!(c.key, ContactKey::VertexOfB(_))));
            assert!((region.area() - 1.0).abs() < 1e-9, "{}", region.area());
            // Halfway between the two faces.
            let middle = 0.5 * (1.0 + height - 0.5);
            assert!(region.corners.iter().all(|c| (c.point_w.z - middle).abs() < 1e-9));
        }
    }

    /// Two unit squares, one turned by 45°: a regular octagon with sides 2 tan(π/8)·½, of area 2 tan(π/8).
    #[test]
    fn squares_that_are_turned_against_each_other_have_an_octagon_in_common() {
        let turn = UnitQuaternion::from_euler_angles(0.0, 0.0, FRAC_PI_4);
        let region = region([0.5; 3], &Pose::identity(), [0.5; 3], &above(0.999, turn));
        assert_eq!(region.corners.len(), 8);
        assert!(region.corners.iter().all(|c| matches!(c.key, ContactKey::Crossing(..))));
        let expected = 2.0 * (FRAC_PI_4 / 2.0).tan();
        assert!((region.area() - expected).abs() < 1e-9, "{} {expected}", region.area());
    }

    #[test]
    fn an_edge_on_a_face_touches_along_the_part_that_is_on_the_face() {
        // The lower edge is two metres long and sticks out of the face on both sides.
        let turn = UnitQuaternion::from_euler_angles(FRAC_PI_4, 0.0, 0.0);
        let height = 0.5 + 0.5 * 2f64.sqrt() + 0.1;
        let region = region([0.5; 3], &Pose::identity(), [1.0, 0.5, 0.5], &above(height, turn));
        assert_eq!(region.corners.len(), 2);
        let length = (region.corners[0].point_w - region.corners[1].point_w).norm();
        assert!((length - 1.0).abs() < 1e-9 && region.area() == 0.0, "{region:?}");
        assert!((region.distance - 0.1).abs() < 1e-9);
    }

    #[test]
    fn crossing_edges_touch_in_a_point_and_parallel_ones_along_what_they_share() {
        let on_edge = UnitQuaternion::from_euler_angles(FRAC_PI_4, 0.0, 0.0);
        let below = Pose::from_parts(Translation3::identity(), on_edge);
        let height = 2f64.sqrt() + 0.05;
        let across = UnitQuaternion::from_euler_angles(0.0, FRAC_PI_4, 0.0);
        let point = region([1.0; 3], &below, [0.5, 1.0, 0.5], &above(height * 1.0, across));
        assert_eq!(point.corners.len(), 1, "{point:?}");
        assert!(matches!(point.corners[0].key, ContactKey::Crossing(..)));
        assert!(point.corners[0].point_w.xy().norm() < 1e-9);
        let [a, b] = [[1.0, 0.5, 0.5], [1.0, 0.5, 0.5]].map(|half| Shape::cuboid(half).unwrap());
        let [p, q] = [&a, &b].map(|shape| Polyhedron::of(shape).unwrap());
        let shifted = Pose::from_parts(Translation3::new(0.7, 0.0, 1.5), on_edge);
        let shared = ContactRegion::new((&p, &below), (&q, &shifted), &Vec3::z(), 1e-7);
        let xs: Vec<f64> = shared.corners.iter().map(|c| c.point_w.x).collect();
        assert_eq!(xs.len(), 2, "{shared:?}");
        assert!((xs[0].min(xs[1]) + 0.3).abs() < 1e-12 && (xs[0].max(xs[1]) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_corner_touches_in_itself() {
        let down = UnitQuaternion::rotation_between(&Vec3::repeat(1.0), &-Vec3::z()).unwrap();
        let height = 0.5 + 0.5 * 3f64.sqrt() - 0.01;
        let region = region([0.5; 3], &Pose::identity(), [0.5; 3], &above(height, down));
        assert_eq!(region.corners.len(), 1);
        assert!(matches!(region.corners[0].key, ContactKey::VertexOfB(_)));
        assert!((region.distance + 0.01).abs() < 1e-9);
    }

    /// Faces that cross: a long bar on another, turned by an angle, have a parallelogram of area w²/sin in common.
    #[test]
    fn bars_that_cross_have_a_parallelogram_in_common() {
        let turn = UnitQuaternion::from_euler_angles(0.0, 0.0, FRAC_PI_6);
        let bar = [3.0, 0.2, 0.2];
        let region = region(bar, &Pose::identity(), bar, &above(0.4, turn));
        assert_eq!(region.corners.len(), 4);
        assert!((region.area() - 0.16 / FRAC_PI_6.sin()).abs() < 1e-9, "{}", region.area());
    }
}
