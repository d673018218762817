//! V-Clip: the nearest features of two convex polyhedra that are apart, from those of the last query [Mirtich 1998], as the
//! lecture on collision detection describes it.
//!
//! Features X of A and Y of B hold the nearest points of the bodies exactly when the nearest point of each is in the Voronoi
//! region of the other. One step:
//!
//! 1. A vertex or an edge X is compared with the planes around the region of Y ([`voronoi::clip`]): a neighbour of Y that is
//!    nearer takes its place.
//! 2. Y is compared with the region of X in the same way, unless it is a face.
//! 3. A vertex above a face: an edge of the vertex that descends takes the place of the vertex. Below the face the search
//!    is in a local minimum: the face above which the vertex is highest takes the place of Y, and if there is none, the
//!    vertex is inside B.
//! 4. An edge and a face, nearest inside the outline of the face: an edge that crosses the plane penetrates, otherwise its nearer end
//!    takes its place.
//!
//! Each step makes the distance of the features smaller, or keeps it and lowers their dimensions. The lecture's
//! ClipFace, which it does not print, is step 3.

use super::polyhedron::{Feature, Polyhedron};
use super::voronoi::{self, Probe, ProbeShape};
use crate::answer::{Answer, Unsupported};
use crate::relative_pair::{PointPair, RelativePair, Solution, transform};
use smooth_scene_geometry::math::{Pose, Vec3, unit_or};

/// Steps after which the search gives up, besides one for every feature of the two bodies: a cold search crosses a mesh.
const SPARE_STEPS: usize = 100;

/// Differences of lengths that rounding may leave, in multiples of the extent of the pair. Of features that are equally
/// near up to this, the smaller is taken.
const TIE: f64 = 1e-13;

/// A feature of each body: what a query starts from, and where it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Features {
    /// Of A.
    pub a: Feature,
    /// Of B.
    pub b: Feature,
}

impl Default for Features {
    /// Where a first query starts: any vertex of each.
    fn default() -> Self {
        Self { a: Feature::Vertex(0), b: Feature::Vertex(0) }
    }
}

/// What one step decides.
enum Step {
    To(Feature, Feature),
    Nearest,
    Penetrates,
    /// Comparisons that contradict each other.
    Stuck,
}

/// The distance of two polyhedra and their nearest points, world frame. `features` is where the last query on the two
/// ended, and is replaced.
///
/// Bodies that overlap have the distance −∞: V-Clip knows no depth. `converged` is false after as many steps as the bodies have
/// features and [`SPARE_STEPS`] more, when rounding makes comparisons contradict each other, or for poses that are not finite.
pub fn v_clip(
    a: &Polyhedron,
    pose_a: &Pose,
    b: &Polyhedron,
    pose_b: &Pose,
    features: &mut Features,
) -> Answer {
    let pose_ab = pose_a.inv_mul(pose_b);
    let found = search(a, b, &pose_ab, features);
    Answer {
        distance: found.distance,
        point_a_w: transform(pose_a, &found.points.a),
        point_b_w: transform(pose_a, &found.points.b),
        normal_ab_w: pose_a * found.normal,
        // Every comparison with a NaN is false, which would look like the end of the search.
        converged: found.converged && !found.distance.is_nan(),
        iterations: found.iterations,
    }
}

/// V-Clip on two boxes or convex meshes whose polyhedra are built for this query.
pub(crate) fn solve(pair: &RelativePair) -> Result<Solution, Unsupported> {
    let [a, b] = [pair.a, pair.b].map(|shape| Polyhedron::for_solver(shape, "v-clip"));
    Ok(search(&a?, &b?, &pair.pose_ab, &mut Features::default()))
}

fn search(a: &Polyhedron, b: &Polyhedron, pose_ab: &Pose, features: &mut Features) -> Solution {
    let pose_ba = pose_ab.inverse();
    let tie = TIE * (a.size() + b.size() + pose_ab.translation.vector.norm());
    let limit = a.counts().iter().chain(&b.counts()).sum::<usize>() + SPARE_STEPS;
    for iteration in 1..=limit as u32 {
        let step = if dimension(features.a) <= dimension(features.b) {
            step(a, features.a, b, features.b, [&pose_ba, pose_ab], tie)
        } else {
            match step(b, features.b, a, features.a, [pose_ab, &pose_ba], tie) {
                Step::To(y, x) => Step::To(x, y),
                other => other,
            }
        };
        match step {
            Step::To(x, y) => *features = Features { a: x, b: y },
            Step::Nearest => {
                let points = nearest(a, features.a, b, features.b, pose_ab);
                return Solution { converged: true, ..solution(&points, pose_ab, iteration) };
            }
            Step::Penetrates => {
                let points = nearest(a, features.a, b, features.b, pose_ab);
                return Solution {
                    converged: true,
                    distance: f64::NEG_INFINITY,
                    ..solution(&points, pose_ab, iteration)
                };
            }
            Step::Stuck => {
                let points = nearest(a, features.a, b, features.b, pose_ab);
                return solution(&points, pose_ab, iteration);
            }
        }
    }
    solution(&nearest(a, features.a, b, features.b, pose_ab), pose_ab, limit as u32)
}

/// The points of two features as a solution. Points that coincide leave the normal to the centres.
fn solution(points: &PointPair, pose_ab: &Pose, iterations: u32) -> Solution {
    let gap = points.b - points.a;
    let line = unit_or(&pose_ab.translation.vector, &Vec3::x());
    Solution {
        distance: gap.norm(),
        points: *points,
        normal: unit_or(&gap, &line),
        converged: false,
        iterations,
    }
}

fn dimension(feature: Feature) -> u8 {
    match feature {
        Feature::Vertex(_) => 0,
        Feature::Edge(_) => 1,
        Feature::Face(_) => 2,
    }
}

/// One step with X of `this` and Y of `that`, X of no larger dimension. `to_that` takes points of `this` into the frame of
/// `that`.
fn step(
    this: &Polyhedron,
    x: Feature,
    that: &Polyhedron,
    y: Feature,
    [to_that, to_this]: [&Pose; 2],
    tie: f64,
) -> Step {
    // Two faces hold the nearest points of their corners and edges too.
    let Some(probe_x) = probe(this, x, to_that, tie) else {
        let Feature::Face(face) = x else { return Step::Stuck };
        return Step::To(Feature::Vertex(this.faces[face as usize].corners[0]), y);
    };
    let Some(next_y) = voronoi::clip(that, y, &probe_x) else { return Step::Stuck };
    if next_y != y {
        return Step::To(x, next_y);
    }
    if let Some(probe_y) = probe(that, y, to_this, tie) {
        let Some(next_x) = voronoi::clip(this, x, &probe_y) else { return Step::Stuck };
        return if next_x == x { Step::Nearest } else { Step::To(next_x, y) };
    }
    let Feature::Face(face) = y else { return Step::Stuck };
    let height = |vertex: u32| {
        that.faces[face as usize].height(&transform(to_that, &this.vertices[vertex as usize]))
    };
    match x {
        Feature::Vertex(vertex) => {
            let here = height(vertex);
            if here < 0.0 {
                let point = transform(to_that, &this.vertices[vertex as usize]);
                return escape(that, &point).map_or(Step::Penetrates, |face| Step::To(x, face));
            }
            for &edge in this.edges_of(vertex) {
                let [p, q] = this.edges[edge as usize].ends;
                if height(if p == vertex { q } else { p }) < here - tie {
                    return Step::To(Feature::Edge(edge), y);
                }
            }
            Step::Nearest
        }
        Feature::Edge(edge) => {
            let [p, q] = this.edges[edge as usize].ends;
            let [d, e] = [height(p), height(q)];
            if d.min(e) < 0.0 && d.max(e) >= 0.0 {
                return Step::Penetrates;
            }
            Step::To(Feature::Vertex(if d.abs() < e.abs() { p } else { q }), y)
        }
        Feature::Face(_) => Step::Stuck,
    }
}

/// The face above which the point is highest; `None` for a point above none.
fn escape(polyhedron: &Polyhedron, point: &Vec3) -> Option<Feature> {
    let mut best = (None, 0.0);
    for (number, face) in polyhedron.faces.iter().enumerate() {
        let height = face.height(point);
        if height > best.1 {
            best = (Some(Feature::Face(number as u32)), height);
        }
    }
    best.0
}

/// A vertex or an edge in the frame of the other body; `None` of a face.
fn probe(polyhedron: &Polyhedron, feature: Feature, to_other: &Pose, tie: f64) -> Option<Probe> {
    let shape = match feature {
        Feature::Vertex(vertex) => {
            ProbeShape::Point(transform(to_other, &polyhedron.vertices[vertex as usize]))
        }
        Feature::Edge(edge) => {
            ProbeShape::Segment(polyhedron.ends(edge).map(|end| transform(to_other, &end)))
        }
        Feature::Face(_) => return None,
    };
    Some(Probe { shape, tie })
}

/// The nearest points of two features that hold those of the bodies, frame A. Of a face, the foot of the other's first
/// corner on its plane.
fn nearest(a: &Polyhedron, x: Feature, b: &Polyhedron, y: Feature, pose_ab: &Pose) -> PointPair {
    let corners = |polyhedron: &Polyhedron, feature: Feature| match feature {
        Feature::Vertex(vertex) => [polyhedron.vertices[vertex as usize]; 2],
        Feature::Edge(edge) => polyhedron.ends(edge),
        Feature::Face(face) => {
            [polyhedron.vertices[polyhedron.faces[face as usize].corners[0] as usize]; 2]
        }
    };
    let ends_a = corners(a, x);
    let ends_b = corners(b, y).map(|end| transform(pose_ab, &end));
    match (x, y) {
        (_, Feature::Face(face)) => {
            let face = &b.faces[face as usize];
            let normal = pose_ab.rotation * face.normal;
            let height = normal.dot(&(ends_a[0] - pose_ab.translation.vector)) - face.offset;
            PointPair { a: ends_a[0], b: ends_a[0] - height * normal }
        }
        (Feature::Face(face), _) => {
            let face = &a.faces[face as usize];
            PointPair { a: ends_b[0] - face.height(&ends_b[0]) * face.normal, b: ends_b[0] }
        }
        _ => nearest_on_segments(&ends_a, &ends_b),
    }
}

/// The nearest points of two segments, each of which may be a point.
///
/// With u and v along the segments and w from the first start to the second, the nearest points of the lines are at
///
/// ```text
/// s = ((u·w)(v·v) − (v·w)(u·v)) / ((u·u)(v·v) − (u·v)²),    t = ((u·v)s − v·w) / (v·v)
/// ```
///
/// t is kept within the second segment, and s is then that of the point on the first nearest to it.
fn nearest_on_segments(first: &[Vec3; 2], second: &[Vec3; 2]) -> PointPair {
    let (u, v, w) = (first[1] - first[0], second[1] - second[0], second[0] - first[0]);
    let (uu, vv, uv) = (u.norm_squared(), v.norm_squared(), u.dot(&v));
    let (uw, vw) = (u.dot(&w), v.dot(&w));
    let determinant = uu * vv - uv * uv;
    let share = |numerator: f64, denominator: f64| {
        if denominator > 0.0 { (numerator / denominator).clamp(0.0, 1.0) } else { 0.0 }
    };
    let s = share(uw * vv - vw * uv, determinant);
    let t = share(uv * s - vw, vv);
    let s = share(uw + uv * t, uu);
    PointPair { a: first[0] + s * u, b: second[0] + t * v }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Solver;
    use crate::dense_search::Random;
    use nalgebra::{Translation3, UnitQuaternion};
    use smooth_scene_geometry::Shape;
    use smooth_scene_query::{QueryOptions, SignedDistance, distance};
    use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

    /// The hull of points on a sphere or in a cube.
    fn hull(random: &mut Random, points: usize) -> Shape {
        let on_sphere = random.between(0.0, 1.0) < 0.5;
        let mut point = || {
            if on_sphere {
                return random.pose(1.0).translation.vector;
            }
            Vec3::from_fn(|_, _| random.between(-1.0, 1.0))
        };
        Shape::convex_mesh(&(0..points).map(|_| point()).collect::<Vec<_>>()).unwrap()
    }

    /// The polyhedra of two shapes, and our own proven answer about them.
    fn compare(
        (a, pose_a): (&Shape, &Pose),
        (b, pose_b): (&Shape, &Pose),
        features: &mut Features,
    ) -> (Answer, SignedDistance) {
        let [p, q] = [a, b].map(|shape| Polyhedron::of(shape).unwrap());
        let answer = v_clip(&p, pose_a, &q, pose_b, features);
        let truth = distance(a, pose_a, b, pose_b, &QueryOptions::default());
        (answer, truth)
    }

    /// Whether the answer is within what the proof and the rounding of a body of a metre permit.
    fn agrees(answer: &Answer, truth: &SignedDistance) -> bool {
        if !answer.converged {
            return false;
        }
        if answer.distance < 0.0 {
            return truth.lower < 1e-12;
        }
        let gap = answer.point_b_w - answer.point_a_w;
        (answer.distance - gap.norm()).abs() < 1e-13
            && truth.lower - 1e-12 <= answer.distance
            && answer.distance <= truth.upper + 1e-9
    }

    #[test]
    fn boxes_are_as_far_apart_as_their_nearest_features() {
        let cube = Shape::cuboid([1.0; 3]).unwrap();
        let turned = |axis: Vec3, angle: f64, x: f64| {
            let rotation = UnitQuaternion::from_scaled_axis(axis * angle);
            Pose::from_parts(Translation3::new(x, 0.0, 0.0), rotation)
        };
        // Faces, an edge and a face, a corner and a face, crossing edges.
        let on_corner = UnitQuaternion::rotation_between(&Vec3::repeat(1.0), &-Vec3::x()).unwrap();
        let corner = Pose::from_parts(Translation3::new(5.0, 0.0, 0.0), on_corner);
        let upright = turned(Vec3::z(), FRAC_PI_4, 0.0);
        let lying = turned(Vec3::y(), FRAC_PI_4, 5.0);
        for (pose_a, pose_b, expected) in [
            (Pose::identity(), turned(Vec3::x(), 0.0, 5.0), 3.0),
            (Pose::identity(), turned(Vec3::x(), 0.3, 5.0), 3.0),
            (Pose::identity(), turned(Vec3::z(), FRAC_PI_4, 5.0), 4.0 - 2f64.sqrt()),
            (Pose::identity(), corner, 4.0 - 3f64.sqrt()),
            (upright, lying, 5.0 - 2.0 * 2f64.sqrt()),
        ] {
            let (answer, _) = compare((&cube, &pose_a), (&cube, &pose_b), &mut Features::default());
            assert!(answer.converged && (answer.distance - expected).abs() < 1e-14, "{answer:?}");
            assert!((answer.normal_ab_w - Vec3::x()).norm() < 1e-14, "{answer:?}");
        }
    }

    /// Boxes turned by right and half right angles: parallel edges and faces everywhere.
    #[test]
    fn parallel_faces_and_edges_do_not_confuse_the_search() {
        let a = Shape::cuboid([1.0, 0.5, 0.75]).unwrap();
        let b = Shape::cuboid([0.5, 1.0, 0.25]).unwrap();
        let mut random = Random(3);
        let mut overlaps = 0;
        for k in 0..2000 {
            let mut step = |size: f64| size * random.between(0.0, 8.0).floor();
            let (x, y, z) = (step(0.5) - 1.75, step(0.5) - 1.75, step(0.5) - 1.75);
            let angles = [step(FRAC_PI_4), step(FRAC_PI_2), step(FRAC_PI_4)];
            let rotation = UnitQuaternion::from_euler_angles(angles[0], angles[1], angles[2]);
            let pose_b = Pose::from_parts(Translation3::new(x, y, z), rotation);
            let found = compare((&a, &Pose::identity()), (&b, &pose_b), &mut Features::default());
            assert!(agrees(&found.0, &found.1), "{k} {found:?}");
            overlaps += usize::from(found.0.distance < 0.0);
        }
        assert!((200..1800).contains(&overlaps), "{overlaps}");
    }

    /// Hulls of 4 to 100 points, apart and overlapping, from a cold start.
    #[test]
    fn agrees_with_the_proven_distance_of_random_hulls() {
        let mut random = Random(7);
        let mut apart = 0;
        for k in 0..3000 {
            let counts = [random.between(4.0, 40.0), random.between(4.0, 100.0)];
            let [a, b] = counts.map(|count| hull(&mut random, count as usize));
            let (pose_a, reach) = (random.pose(3.0), random.between(0.5, 3.0));
            let pose_b = pose_a * random.pose(reach);
            let found = compare((&a, &pose_a), (&b, &pose_b), &mut Features::default());
            assert!(agrees(&found.0, &found.1), "{k} {found:?}");
            apart += usize::from(found.0.distance > 0.0);
        }
        assert!((1000..2500).contains(&apart), "{apart}");
    }

    /// With the features of the last query the steps do not grow with the number of vertices; cold they do.
    #[test]
    fn steps_from_the_last_features_are_few_for_any_number_of_vertices() {
        let mut random = Random(5);
        for points in [10, 100, 1000] {
            let [a, b] = [0, 1].map(|_| {
                let points: Vec<Vec3> =
                    (0..points).map(|_| random.pose(1.0).translation.vector).collect();
                Polyhedron::of(&Shape::convex_mesh(&points).unwrap()).unwrap()
            });
            let (pose_a, mut pose_b) = (random.pose(0.0), random.pose(2.5));
            let mut features = Features::default();
            let mut steps = 0;
            for k in 0..100 {
                let turn = UnitQuaternion::from_scaled_axis(Vec3::new(0.001, 0.0005, -0.001));
                pose_b.append_rotation_mut(&turn);
                let warm = v_clip(&a, &pose_a, &b, &pose_b, &mut features);
                let cold = v_clip(&a, &pose_a, &b, &pose_b, &mut Features::default());
                assert!(warm.converged && cold.converged);
                assert!((warm.distance - cold.distance).abs() < 1e-14);
                if k > 0 {
                    steps += warm.iterations;
                }
            }
            assert!(steps < 99 * 3, "{points} points: {steps} steps of 99 queries");
        }
    }

    #[test]
    fn a_pose_that_is_not_finite_does_not_converge() {
        let cube = Polyhedron::of(&Shape::cuboid([1.0; 3]).unwrap()).unwrap();
        let nowhere = Pose::translation(f64::NAN, 0.0, 0.0);
        let mut features = Features::default();
        let answer = v_clip(&cube, &Pose::identity(), &cube, &nowhere, &mut features);
        assert!(!answer.converged, "{answer:?}");
    }

    #[test]
    fn other_shapes_are_refused() {
        let (ball, cube) = (Shape::sphere(1.0).unwrap(), Shape::cuboid([1.0; 3]).unwrap());
        let pose = Pose::translation(4.0, 0.0, 0.0);
        let error = Solver::VClip.solve(&cube, &Pose::identity(), &ball, &pose).unwrap_err();
        assert_eq!((error.solver, error.shape), ("v-clip", "sphere"));
        let answer = Solver::VClip.solve(&cube, &Pose::identity(), &cube, &pose).unwrap();
        assert_eq!((answer.distance, answer.converged), (2.0, true));
    }
}
