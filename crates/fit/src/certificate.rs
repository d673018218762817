//! The proof that surfaces contain a mesh: for every triangle the surface it lies in, or how it is cut into such triangles.
//!
//! A triangle whose three corners lie in one convex surface lies in it. [`prove`] finds the cuts; [`check`] trusts nothing
//! of that and goes through the certificate with intervals alone.

use rayon::prelude::*;

use crate::clip::{Plane, Triangle};
use crate::containment::{Container, Point, between, exact_point};
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Pose, Vec3};

/// Most cuts of one triangle.
const MAX_CUTS: usize = 4096;
/// Most cuts above each other: 2⁻⁴⁰ of an edge is nothing.
const MAX_DEPTH: usize = 40;
/// Height above a plane, as a share of the edge, at which a corner counts as lying in it.
const NEXT_TO_PLANE: f64 = 1e-9;

/// Why a triangle is covered.
#[derive(Debug, Clone, PartialEq)]
pub enum Cover {
    /// All three corners are in the surface of this number.
    Inside(u32),
    /// Cut from a point of an edge to the opposite corner.
    Cut {
        /// Edge k runs from corner k to corner k + 1, the last one back to the first.
        edge: u8,
        /// Where the cut begins, as a share of the edge from its first corner.
        share: f64,
        /// The part at the first corner of the edge and the one at its second.
        parts: Box<[Cover; 2]>,
    },
}

/// One cover for each triangle, in the order of the mesh.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Certificate {
    /// The covers.
    pub covers: Vec<Cover>,
}

/// A triangle that is not shown to be covered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Uncovered {
    /// Number of the triangle.
    pub triangle: usize,
    /// A point of it that is in none of the surfaces, or too close to the edge of them.
    pub point: Vec3,
}

/// Corners k and k + 1 of a cut edge, and the opposite one.
fn cut_order(edge: usize) -> [usize; 3] {
    [edge, (edge + 1) % 3, (edge + 2) % 3]
}

/// The two triangles of a cut at `middle` of an edge.
fn halves<P: Clone>(corners: &[P; 3], edge: usize, middle: &P) -> [[P; 3]; 2] {
    let [from, to, opposite] = cut_order(edge).map(|k| corners[k].clone());
    [[from, middle.clone(), opposite.clone()], [middle.clone(), to, opposite]]
}

/// Finds a certificate, or the triangles for which there is none. `planes` are where the mesh was cut into parts: there
/// triangles are cut first, elsewhere in the middle of their longest edge.
pub fn prove(
    triangles: &[Triangle],
    surfaces: &[(Pose, &Shape)],
    planes: &[Plane],
) -> Result<Certificate, Vec<Uncovered>> {
    let containers: Vec<Container> =
        surfaces.iter().map(|(pose, shape)| Container::new(pose, shape)).collect();
    let prover = Prover { containers: &containers, planes };
    let found: Vec<Result<Cover, Uncovered>> = triangles
        .par_iter()
        .enumerate()
        .map(|(index, triangle)| {
            let corners = triangle.map(|corner| exact_point(&corner));
            let mut cuts = MAX_CUTS;
            prover
                .cover(triangle, &corners, 0, &mut cuts)
                .map_err(|point| Uncovered { triangle: index, point })
        })
        .collect();
    let uncovered: Vec<Uncovered> =
        found.iter().filter_map(|cover| cover.as_ref().err().copied()).collect();
    if uncovered.is_empty() {
        return Ok(Certificate { covers: found.into_iter().filter_map(Result::ok).collect() });
    }
    Err(uncovered)
}

struct Prover<'p> {
    containers: &'p [Container<'p>],
    planes: &'p [Plane],
}

impl Prover<'_> {
    /// A cover of the triangle with these corners, in numbers and as intervals; otherwise a point that may be outside.
    fn cover(
        &self,
        triangle: &Triangle,
        corners: &[Point; 3],
        depth: usize,
        cuts: &mut usize,
    ) -> Result<Cover, Vec3> {
        let surface = self
            .containers
            .iter()
            .position(|container| corners.iter().all(|corner| container.contains(corner)));
        if let Some(surface) = surface {
            return Ok(Cover::Inside(surface as u32));
        }
        // A corner in no surface stays so however the triangle is cut.
        let is_somewhere =
            |corner: &Point| self.containers.iter().any(|container| container.contains(corner));
        if let Some(k) = corners.iter().position(|corner| !is_somewhere(corner)) {
            return Err(triangle[k]);
        }
        if *cuts == 0 || depth == MAX_DEPTH {
            return Err((triangle[0] + triangle[1] + triangle[2]) / 3.0);
        }
        *cuts -= 1;
        let (edge, share) = self.crossing(triangle).unwrap_or_else(|| (longest(triangle), 0.5));
        let [from, to, _] = cut_order(edge);
        let middle = triangle[from] + (triangle[to] - triangle[from]) * share;
        let exact = between(&corners[from], &corners[to], share);
        let [first, second] = halves(triangle, edge, &middle);
        let [first_corners, second_corners] = halves(corners, edge, &exact);
        let parts = Box::new([
            self.cover(&first, &first_corners, depth + 1, cuts)?,
            self.cover(&second, &second_corners, depth + 1, cuts)?,
        ]);
        Ok(Cover::Cut { edge: edge as u8, share, parts })
    }

    /// An edge that one of the planes crosses, and where. Ends next to the plane are those of an earlier cut: what is left
    /// on the wrong side is less than the margin of the surfaces.
    fn crossing(&self, triangle: &Triangle) -> Option<(usize, f64)> {
        self.planes.iter().find_map(|plane| {
            (0..3).find_map(|edge| {
                let [from, to, _] = cut_order(edge);
                let (a, b) = (&triangle[from], &triangle[to]);
                let share = plane.crossing(a, b)?;
                let nearest = plane.height(a).abs().min(plane.height(b).abs());
                (nearest > NEXT_TO_PLANE * (b - a).norm()).then_some((edge, share))
            })
        })
    }
}

fn longest(triangle: &Triangle) -> usize {
    let length = |edge: usize| {
        let [from, to, _] = cut_order(edge);
        (triangle[to] - triangle[from]).norm_squared()
    };
    (0..3).max_by(|&a, &b| length(a).total_cmp(&length(b))).expect("a triangle has three edges")
}

/// What is wrong with a certificate.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Flaw {
    /// There is not one cover for each triangle.
    #[error("{covers} covers for {triangles} triangles")]
    Count {
        /// Number of covers.
        covers: usize,
        /// Number of triangles.
        triangles: usize,
    },
    /// A part of a triangle is not shown to be in the surface that the certificate names.
    #[error("triangle {triangle} is not shown to be in surface {surface}")]
    Outside {
        /// The triangle.
        triangle: usize,
        /// The surface.
        surface: u32,
    },
    /// A cut that is none.
    #[error("triangle {triangle} is cut on edge {edge} at {share}")]
    BadCut {
        /// The triangle.
        triangle: usize,
        /// The edge.
        edge: u8,
        /// The share.
        share: f64,
    },
}

/// Checks a certificate: every triangle lies in the union of the surfaces.
///
/// Corners are exact, points of cuts are intervals that contain the exact point a + t(b − a), and a part is accepted only if
/// all of its corners, wherever they are in their intervals, lie in the surface that is named.
pub fn check(
    triangles: &[Triangle],
    surfaces: &[(Pose, &Shape)],
    certificate: &Certificate,
) -> Result<(), Flaw> {
    if certificate.covers.len() != triangles.len() {
        let (covers, triangles) = (certificate.covers.len(), triangles.len());
        return Err(Flaw::Count { covers, triangles });
    }
    let containers: Vec<Container> =
        surfaces.iter().map(|(pose, shape)| Container::new(pose, shape)).collect();
    for (triangle, (corners, cover)) in triangles.iter().zip(&certificate.covers).enumerate() {
        let mut open = vec![(corners.map(|corner| exact_point(&corner)), cover)];
        while let Some((corners, cover)) = open.pop() {
            match cover {
                Cover::Inside(surface) => {
                    let container = containers.get(*surface as usize);
                    let holds = |c: &Container| corners.iter().all(|corner| c.contains(corner));
                    if !container.is_some_and(holds) {
                        return Err(Flaw::Outside { triangle, surface: *surface });
                    }
                }
                Cover::Cut { edge, share, parts } => {
                    if *edge > 2 || !(*share >= 0.0 && *share <= 1.0) {
                        return Err(Flaw::BadCut { triangle, edge: *edge, share: *share });
                    }
                    let [from, to, _] = cut_order(usize::from(*edge));
                    let middle = between(&corners[from], &corners[to], *share);
                    let [first, second] = halves(&corners, usize::from(*edge), &middle);
                    open.push((first, &parts[0]));
                    open.push((second, &parts[1]));
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_balls(apart: f64) -> Vec<(Pose, Shape)> {
        let ball = |x: f64| (Pose::translation(x, 0.0, 0.0), Shape::sphere(1.0).unwrap());
        vec![ball(-0.5 * apart), ball(0.5 * apart)]
    }

    fn placed(surfaces: &[(Pose, Shape)]) -> Vec<(Pose, &Shape)> {
        surfaces.iter().map(|(pose, shape)| (*pose, shape)).collect()
    }

    fn long_triangle() -> Triangle {
        [Vec3::new(-1.2, 0.0, 0.0), Vec3::new(1.2, 0.1, 0.0), Vec3::new(1.2, -0.1, 0.0)]
    }

    #[test]
    fn a_triangle_across_two_surfaces_is_cut_and_proven() {
        let balls = two_balls(1.0);
        let certificate = prove(&[long_triangle()], &placed(&balls), &[]).unwrap();
        assert!(matches!(certificate.covers[0], Cover::Cut { .. }));
        assert_eq!(check(&[long_triangle()], &placed(&balls), &certificate), Ok(()));
        // The same certificate is worth nothing for balls that leave a gap.
        let apart = two_balls(2.05);
        assert!(check(&[long_triangle()], &placed(&apart), &certificate).is_err());
        let uncovered = prove(&[long_triangle()], &placed(&apart), &[]).unwrap_err();
        assert_eq!(uncovered[0].triangle, 0);
        assert!(uncovered[0].point.x.abs() < 0.1, "{uncovered:?}");
    }

    #[test]
    fn broken_certificates_are_found() {
        let balls = two_balls(1.0);
        let surfaces = placed(&balls);
        let triangles = [long_triangle()];
        let whole =
            |cover: Cover| check(&triangles, &surfaces, &Certificate { covers: vec![cover] });
        assert_eq!(whole(Cover::Inside(0)), Err(Flaw::Outside { triangle: 0, surface: 0 }));
        assert_eq!(whole(Cover::Inside(7)), Err(Flaw::Outside { triangle: 0, surface: 7 }));
        let cut = |edge: u8, share: f64| {
            let parts = Box::new([Cover::Inside(0), Cover::Inside(1)]);
            whole(Cover::Cut { edge, share, parts })
        };
        assert_eq!(cut(3, 0.5), Err(Flaw::BadCut { triangle: 0, edge: 3, share: 0.5 }));
        assert_eq!(cut(0, 1.5), Err(Flaw::BadCut { triangle: 0, edge: 0, share: 1.5 }));
        assert!(cut(0, 0.5).is_err(), "one cut does not separate the two ends");
        let none = check(&triangles, &surfaces, &Certificate::default());
        assert_eq!(none, Err(Flaw::Count { covers: 0, triangles: 1 }));
    }
}
