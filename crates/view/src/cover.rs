//! How much of a mesh a link's surfaces contain, and which parts stick out.
//!
//! Triangles are halved at the middle of their longest edge until one convex surface contains all three corners (then it
//! contains the triangle), or no surface is near, or the longest edge is shorter than a share of the size of the mesh; of
//! these last ones the middle decides. So the picture is as fine as that share, and a dent narrower than it may be missed.
//! Only a proof says that nothing sticks out: that of the fit the surfaces came from, or else one that is looked for here.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use super::error::ViewError;
use super::meshes::LinkBodies;
use smooth_scene_fit::{Certificate, Triangle, check, prove};
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_geometry::{Aabb, ConvexSurface, Shape};
use smooth_scene_robot::LinkSurface;

/// Length of the edges that are not halved any more, as a share of the diagonal of the box around the mesh.
const EDGE_SHARE: f64 = 1.0 / 96.0;
/// Most triangles that are looked at for each mesh beyond its own: about 0.1 s.
const MAX_HALVES: usize = 200_000;
/// Value of the inside-outside function up to which a point counts as contained: corners of a mesh lie on the hull of the
/// mesh, up to rounding in single precision (6e-8).
const ON_SURFACE: f64 = 1e-6;
/// Largest mesh for which a proof is looked for after each edit.
const MAX_PROVEN_TRIANGLES: usize = 20_000;

/// How much is covered.
#[derive(Debug, PartialEq)]
pub(super) struct Cover {
    /// Covered area of the mesh, as a share of the whole.
    pub covered: f64,
    /// Whether every triangle is proven to be covered.
    pub proven: bool,
    /// What sticks out, in the frame of the link.
    pub outside: Vec<Triangle>,
}

/// Compares meshes with surfaces, one after the other on a thread of their own, and remembers the proofs of fits.
pub(super) struct Covers {
    thread: rayon::ThreadPool,
    proofs: Mutex<HashMap<String, Proof>>,
}

/// The surfaces of a link after a fit, and the proof that they contain its mesh.
#[derive(Debug)]
pub(super) struct Proof {
    pub surfaces: Vec<LinkSurface>,
    pub certificate: Certificate,
}

impl Covers {
    pub fn new() -> Result<Self, ViewError> {
        let named = |_| "view cover".to_owned();
        let thread = rayon::ThreadPoolBuilder::new().num_threads(1).thread_name(named).build();
        let thread = thread.map_err(|error| ViewError::Thread(std::io::Error::other(error)))?;
        Ok(Self { thread, proofs: Mutex::default() })
    }

    /// Remembers the proof of a fit until the next one of the link.
    pub fn remember(&self, link: String, proof: Proof) {
        self.proofs.lock().unwrap_or_else(PoisonError::into_inner).insert(link, proof);
    }

    /// Compares a link's mesh with its surfaces.
    pub fn cover(&self, bodies: &LinkBodies, surfaces: &[LinkSurface]) -> Cover {
        self.thread.install(|| {
            let triangles = bodies.triangles_in_link();
            let placed: Vec<_> = surfaces.iter().map(|s| (s.pose_in_link, &s.shape)).collect();
            let (covered, outside) = compare(&triangles, &placed);
            let proven = outside.is_empty()
                && (self.is_proven_by_fit(&bodies.meshes.name, &triangles, surfaces)
                    || (triangles.len() <= MAX_PROVEN_TRIANGLES
                        && prove(&triangles, &placed, &[]).is_ok()));
            Cover { covered, proven, outside }
        })
    }

    fn is_proven_by_fit(
        &self,
        link: &str,
        triangles: &[Triangle],
        surfaces: &[LinkSurface],
    ) -> bool {
        let proofs = self.proofs.lock().unwrap_or_else(PoisonError::into_inner);
        let placed: Vec<_> = surfaces.iter().map(|s| (s.pose_in_link, &s.shape)).collect();
        proofs.get(link).is_some_and(|proof| {
            proof.surfaces == surfaces && check(triangles, &placed, &proof.certificate).is_ok()
        })
    }
}

struct Body<'s> {
    pose: Pose,
    shape: &'s Shape,
    aabb: Aabb,
    is_convex: bool,
}

impl Body<'_> {
    fn contains(&self, point: &Vec3) -> bool {
        let local =
            || self.pose.rotation.inverse_transform_vector(&(point - self.pose.translation.vector));
        self.aabb.contains(point) && self.shape.inside_outside(&local()) <= ON_SURFACE
    }
}

/// The covered share of a mesh, and the triangles that stick out of the surfaces.
fn compare(triangles: &[Triangle], surfaces: &[(Pose, &Shape)]) -> (f64, Vec<Triangle>) {
    let bodies: Vec<Body> = surfaces
        .iter()
        .map(|&(pose, shape)| {
            let aabb = shape.aabb(&pose);
            // Points count as contained up to a share of the size: the box is larger by the same.
            let aabb = aabb.inflated(2.0 * ON_SURFACE * aabb.half_extents().amax());
            // A compound is a union.
            let is_convex = shape.is_convex() && !matches!(shape, Shape::Compound(_));
            Body { pose, shape, aabb, is_convex }
        })
        .collect();
    let around = box_around(triangles.iter().flatten());
    let edge = 2.0 * around.half_extents().norm() * EDGE_SHARE;
    let mut comparison = Comparison { bodies, edge, halves: MAX_HALVES, outside: Vec::new() };
    let (mut covered, mut total) = (0.0, 0.0);
    for triangle in triangles {
        let found = comparison.visit(triangle);
        covered += found.covered_area;
        total += area(triangle);
        if found.is_outside {
            comparison.outside.push(*triangle);
        }
    }
    let share = match comparison.outside.is_empty() {
        true => 1.0,
        // Rounding must not make it whole.
        false => (covered / total).clamp(0.0, 1.0 - f64::EPSILON),
    };
    // A mesh without area sticks out as a whole, or not at all.
    (if share.is_nan() { 0.0 } else { share }, comparison.outside)
}

struct Comparison<'s> {
    bodies: Vec<Body<'s>>,
    edge: f64,
    /// How often triangles may still be halved.
    halves: usize,
    outside: Vec<Triangle>,
}

/// What is known of a triangle. One that is outside as a whole is left to the caller to write down, together with its
/// neighbours.
struct Found {
    covered_area: f64,
    is_outside: bool,
}

impl Comparison<'_> {
    fn visit(&mut self, triangle: &Triangle) -> Found {
        let inside = |body: &Body| triangle.iter().all(|corner| body.contains(corner));
        if self.bodies.iter().any(|body| body.is_convex && inside(body)) {
            return Found { covered_area: area(triangle), is_outside: false };
        }
        let around = box_around(triangle);
        if !self.bodies.iter().any(|body| body.aabb.overlaps(&around)) {
            return Found { covered_area: 0.0, is_outside: true };
        }
        let (longest, length) = longest_edge(triangle);
        if length <= self.edge || self.halves == 0 {
            let middle = (triangle[0] + triangle[1] + triangle[2]) / 3.0;
            let is_outside = !self.bodies.iter().any(|body| body.contains(&middle));
            let covered_area = if is_outside { 0.0 } else { area(triangle) };
            return Found { covered_area, is_outside };
        }
        self.halves -= 1;
        let parts = halves(triangle, longest);
        let found = parts.map(|part| self.visit(&part));
        if found.iter().all(|half| half.is_outside) {
            return Found { covered_area: 0.0, is_outside: true };
        }
        for (part, half) in parts.iter().zip(&found) {
            if half.is_outside {
                self.outside.push(*part);
            }
        }
        let covered_area = found.iter().map(|half| half.covered_area).sum();
        Found { covered_area, is_outside: false }
    }
}

fn area([a, b, c]: &Triangle) -> f64 {
    0.5 * (b - a).cross(&(c - a)).norm()
}

fn box_around<'a>(points: impl IntoIterator<Item = &'a Vec3>) -> Aabb {
    let nothing = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
    let grow = |(min, max): (Vec3, Vec3), p: &Vec3| (min.inf(p), max.sup(p));
    let (min, max) = points.into_iter().fold(nothing, grow);
    Aabb { min, max }
}

/// The longest edge, by its first corner, and its length.
fn longest_edge(triangle: &Triangle) -> (usize, f64) {
    let length = |k: usize| (triangle[(k + 1) % 3] - triangle[k]).norm();
    let lengths = [0, 1, 2].map(|k| (k, length(k)));
    lengths.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).expect("a triangle has three edges")
}

fn halves(triangle: &Triangle, edge: usize) -> [Triangle; 2] {
    let [a, b, c] = [0, 1, 2].map(|k| triangle[(edge + k) % 3]);
    let middle = 0.5 * (a + b);
    [[a, middle, c], [middle, b, c]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    /// A square of side 2 in the plane z = 0, as two large triangles.
    fn square() -> Vec<Triangle> {
        let corner = |x: f64, y: f64| Vec3::new(x, y, 0.0);
        let (a, b, c, d) = (corner(-1., -1.), corner(1., -1.), corner(1., 1.), corner(-1., 1.));
        vec![[a, b, c], [a, c, d]]
    }

    #[test]
    fn a_ball_covers_a_disc_of_a_square_and_the_rest_sticks_out() {
        let ball = Shape::sphere(0.5).unwrap();
        let at = Pose::translation(0.2, -0.1, 0.3);
        let (covered, outside) = compare(&square(), &[(at, &ball)]);
        // The ball cuts the plane in a disc of radius 0.4; the pieces have edges of 2 √2 / 96, of which the middle decides.
        let expected = PI * 0.16 / 4.0;
        assert!((covered - expected).abs() < 2e-3, "{covered} {expected}");
        let left: f64 = outside.iter().map(area).sum();
        assert!((left + 4.0 * covered - 4.0).abs() < 1e-9, "{left}");
        for triangle in &outside {
            let middle = (triangle[0] + triangle[1] + triangle[2]) / 3.0;
            assert!((middle - at.translation.vector).norm() > 0.5 - 1e-5, "{middle}");
        }
        // What is far away is not cut into pieces.
        assert!(outside.len() < 4000, "{}", outside.len());
    }

    #[test]
    fn what_two_surfaces_cover_together_is_covered() {
        let ball = Shape::sphere(1.2).unwrap();
        let halves = [Pose::translation(-0.6, 0.0, 0.0), Pose::translation(0.6, 0.0, 0.0)];
        let both = halves.map(|pose| (pose, &ball));
        assert_eq!(compare(&square(), &both), (1.0, Vec::new()));
        let (covered, outside) = compare(&square(), &both[..1]);
        assert!(covered > 0.5 && covered < 1.0 && !outside.is_empty(), "{covered}");
        let (nothing, all) = compare(&square(), &[]);
        assert_eq!((nothing, all), (0.0, square()));
    }

    #[test]
    fn a_piercing_ball_amid_a_large_triangle_is_found() {
        let triangle =
            [Vec3::new(-9.0, -9.0, 0.0), Vec3::new(9.0, -9.0, 0.0), Vec3::new(0.0, 9.0, 0.0)];
        let ball = Shape::sphere(1.0).unwrap();
        let (covered, _) = compare(&[triangle], &[(Pose::identity(), &ball)]);
        let expected = PI / 162.0;
        assert!((covered - expected).abs() < 0.1 * expected, "{covered} {expected}");
    }

    #[test]
    fn corners_on_the_hull_are_covered_and_flat_meshes_have_an_answer() {
        let points: Vec<Vec3> = square().into_iter().flatten().collect();
        let hull = Shape::convex_mesh(&points).unwrap();
        assert_eq!(compare(&square(), &[(Pose::identity(), &hull)]).0, 1.0);
        let point = [[Vec3::x(); 3]];
        let ball = Shape::sphere(0.5).unwrap();
        assert_eq!(compare(&point, &[(Pose::identity(), &ball)]).0, 0.0);
        let large = Shape::sphere(1.5).unwrap();
        assert_eq!(compare(&point, &[(Pose::identity(), &large)]).0, 1.0);
    }
}
