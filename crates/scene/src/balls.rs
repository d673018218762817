//! Balls that together contain a convex surface, and balls inside it.
//!
//! *Containing:* the body is cut into slabs across its longest axis. A support plane n·x ≤ h(n) that leans towards that
//! axis bounds the part of the body in a slab z₀ ≤ z ≤ z₁: along the part u of n across the axis it reaches at most
//!
//! ```text
//! (h(n) − n_z z) / |u|,    at z₀ or z₁, whichever is more
//! ```
//!
//! The least of these over some lean angles, for eight directions across the axis, is an octagon that contains the part seen along
//! the axis, and the ball around the prism over it contains the part.
//!
//! *Inside:* a point whose depth in the body is at least r is the centre of a ball of radius r inside it. For a convex mesh the
//! depth is the least distance from its planes, otherwise that of a certified query, whose bounds are proven.

use std::f64::consts::FRAC_PI_4;
use std::sync::OnceLock;

use smooth_scene_geometry::math::{Pose, Vec3, hypot, sin_cos};
use smooth_scene_geometry::{ConvexSurface, Shape, Sphere};
use smooth_scene_query::{PairQuery, QueryOptions};

/// The most balls around, and the most inside.
pub(crate) const MAX_BALLS: usize = 12;
/// Half the height of a slab, as a share of the radius of the body across the axis: a ball is then at most 6 % larger
/// than that.
const SLAB: f64 = 0.35;
/// Lean angles of the support planes, rad.
const LEANS: [f64; 7] = [-1.1, -0.7, -0.35, 0.0, 0.35, 0.7, 1.1];
/// Directions across the axis.
const SIDES: usize = 8;
/// Rounding of support values and of the arithmetic here, relative to the size of the body.
const ROUNDING: f64 = 1e-12;
/// Width of the bound on a depth, relative, at which the search for it ends: a per cent of a radius does not matter.
const DEPTH_TOLERANCE: f64 = 0.01;

/// A ball in the frame of a shape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Ball {
    pub center: Vec3,
    pub radius: f64,
}

/// The balls of one shape.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Balls {
    /// One ball around the whole.
    pub bounding: Ball,
    /// Balls whose union contains the body.
    pub around: Vec<Ball>,
    inside: OnceLock<Vec<Option<Ball>>>,
}

impl Balls {
    /// The balls of a convex shape, or none for a body without bounds.
    pub fn new(shape: &Shape) -> Option<Self> {
        let aabb = shape.local_aabb();
        let (middle, half) = (aabb.center(), aabb.half_extents());
        if !half.iter().all(|x| x.is_finite()) {
            return None;
        }
        let planes = LeaningPlanes::new(shape, half.imax());
        let (low, high) = (middle - half, middle + half);
        let axis = planes.axis;
        let whole = planes.ball(low[axis], high[axis]);
        let across = (whole.radius * whole.radius - half[axis] * half[axis]).max(0.0).sqrt();
        // Of a single point this is 0 / 0: `max` takes the one then.
        let slabs = (half[axis] / (SLAB * across)).ceil().max(1.0).min(MAX_BALLS as f64);
        let edge = |k: usize| low[axis] + (high[axis] - low[axis]) * (k as f64 / slabs);
        let allowance = ROUNDING * (middle.amax() + half.amax());
        let around: Vec<Ball> = (0..slabs as usize)
            .map(|k| {
                let ball = planes.ball(edge(k), edge(k + 1));
                Ball { radius: ball.radius + allowance, ..ball }
            })
            .collect();
        let sphere = shape.bounding_sphere();
        let bounding = Ball { center: sphere.center, radius: sphere.radius + allowance };
        Some(Self { bounding, around, inside: OnceLock::new() })
    }

    /// Balls inside `shape`, which is that of [`new`](Self::new): for each ball around one with the same centre, where one
    /// fits. Found when they are first asked for: for a smooth surface each takes a certified query.
    pub fn inside(&self, shape: &Shape) -> &[Option<Ball>] {
        self.inside
            .get_or_init(|| self.around.iter().map(|ball| inside(shape, &ball.center)).collect())
    }
}

/// Support planes around an axis of the shape's frame.
struct LeaningPlanes {
    axis: usize,
    /// By side and lean angle: sine and cosine of the angle, support value.
    values: [[[f64; 3]; LEANS.len()]; SIDES],
}

impl LeaningPlanes {
    fn new(shape: &Shape, axis: usize) -> Self {
        let value = |side: usize, lean: f64| {
            let across = side_direction(axis, side);
            let (sin, cos) = sin_cos(lean);
            let mut dir = across * cos;
            dir[axis] = sin;
            [sin, cos, shape.support(&dir).value]
        };
        let values = std::array::from_fn(|side| LEANS.map(|lean| value(side, lean)));
        Self { axis, values }
    }

    /// A ball around the part between two heights.
    fn ball(&self, low: f64, high: f64) -> Ball {
        let reach = |side: usize| {
            let bounds = self.values[side].iter().map(|&[sin, cos, value]| {
                let at = |height: f64| (value - sin * height) / cos;
                at(low).max(at(high))
            });
            bounds.fold(f64::INFINITY, f64::min)
        };
        let reaches: [f64; SIDES] = std::array::from_fn(reach);
        let [u, v] = [(self.axis + 1) % 3, (self.axis + 2) % 3];
        let mut center = Vec3::zeros();
        center[u] = 0.5 * (reaches[0] - reaches[4]);
        center[v] = 0.5 * (reaches[2] - reaches[6]);
        // Distances of the sides from the middle; a corner is where two neighbours meet:
        // |corner|² = (a² + b² − 2ab cos 45°) / sin² 45°. Where the middle is beyond a side, the corner is no nearer.
        let gap = |side: usize| reaches[side] - side_direction(self.axis, side).dot(&center);
        let (sin, cos) = sin_cos(FRAC_PI_4);
        let corner = |side: usize| {
            let (a, b) = (gap(side), gap((side + 1) % SIDES));
            (a * a + b * b - 2.0 * a * b * cos).max(0.0).sqrt() / sin
        };
        let across = (0..SIDES).map(corner).fold(0.0, f64::max);
        center[self.axis] = 0.5 * (low + high);
        Ball { center, radius: hypot(across, 0.5 * (high - low)) }
    }
}

/// Unit direction across an axis.
fn side_direction(axis: usize, side: usize) -> Vec3 {
    let (sin, cos) = sin_cos(FRAC_PI_4 * side as f64);
    let mut dir = Vec3::zeros();
    (dir[(axis + 1) % 3], dir[(axis + 2) % 3]) = (cos, sin);
    dir
}

/// The ball around a point that is proven to fit, if one does.
fn inside(shape: &Shape, center: &Vec3) -> Option<Ball> {
    let reach = shape.bounding_radius();
    let depth = match shape {
        Shape::ConvexMesh(mesh) => {
            let depths = mesh.planes().iter().map(|(normal, offset)| offset - normal.dot(center));
            // A hull without volume may list planes that do not bound it on all sides.
            if mesh.is_flat() { 0.0 } else { depths.fold(f64::INFINITY, f64::min) }
        }
        _ => queried_depth(shape, center, reach)?,
    };
    let radius = depth * (1.0 - ROUNDING) - ROUNDING * reach;
    (radius > 0.0).then_some(Ball { center: *center, radius })
}

/// A lower bound on the depth of a point; negative outside.
fn queried_depth(shape: &Shape, center: &Vec3, reach: f64) -> Option<f64> {
    // A probe has to have a size; its radius is taken off the depth.
    let probe_radius = 1e-3 * reach;
    // A body so small that a probe inside it is not allowed has no balls inside.
    let probe = Shape::Sphere(Sphere::new(probe_radius).ok()?);
    let options = QueryOptions { depth_tolerance: DEPTH_TOLERANCE, ..QueryOptions::certified() };
    let pose = Pose::translation(center.x, center.y, center.z);
    let identity = Pose::identity();
    let query = PairQuery::new(&probe, &pose, shape, &identity);
    Some(-query.options(&options).distance().upper - probe_radius)
}

#[cfg(test)]
mod tests {
    use super::*;
    use smooth_scene_geometry::math::unit_or;

    fn shapes() -> Vec<Shape> {
        let points: Vec<Vec3> = (0..60)
            .map(|k| {
                let k = f64::from(k);
                Vec3::new(0.1 * (1.3 * k).sin(), 0.2 * (2.1 * k).cos(), 0.02 * k * (0.7 * k).sin())
            })
            .collect();
        vec![
            Shape::cuboid([0.3, 0.1, 0.05]).unwrap(),
            Shape::cylinder(0.1, 0.4).unwrap(),
            Shape::cylinder(0.4, 0.02).unwrap(),
            Shape::superellipsoid([0.2, 0.1, 0.3], 0.3, 0.2).unwrap(),
            Shape::superovoid([0.05, 0.06, 0.3], 0.8, 0.5, [0.4, -0.3]).unwrap(),
            Shape::convex_mesh(&points).unwrap(),
            Shape::sphere(0.3).unwrap(),
        ]
    }

    /// Points of the surface: support points of many directions, and points between them, which are in the body.
    fn points(shape: &Shape) -> Vec<Vec3> {
        let direction = |k: i32| {
            let k = f64::from(k);
            let dir = Vec3::new((1.7 * k).sin(), (2.3 * k + 0.4).cos(), (0.9 * k + 1.0).sin());
            shape.support(&unit_or(&dir, &Vec3::x())).point
        };
        let ends: Vec<Vec3> = (0..3000).map(direction).collect();
        let middles = ends.windows(2).map(|pair| 0.5 * (pair[0] + pair[1]));
        middles.chain(ends.iter().copied()).collect()
    }

    #[test]
    fn every_point_of_a_body_is_in_a_ball_around_it() {
        for shape in shapes() {
            let balls = Balls::new(&shape).unwrap();
            for point in points(&shape) {
                let holds =
                    |ball: &Ball| (point - ball.center).norm() <= ball.radius * (1.0 + 1e-12);
                assert!(balls.around.iter().any(holds), "{shape:?}: {point:?}");
                assert!(holds(&balls.bounding), "{shape:?}: {point:?}");
            }
        }
    }

    #[test]
    fn balls_inside_do_not_reach_beyond_any_support_plane() {
        for shape in shapes() {
            let balls = Balls::new(&shape).unwrap();
            let inside: Vec<Ball> = balls.inside(&shape).iter().flatten().copied().collect();
            assert!(!inside.is_empty(), "{shape:?}");
            for k in 0..3000 {
                let k = f64::from(k);
                let dir = Vec3::new((1.1 * k).sin(), (1.9 * k).cos(), (0.3 * k + 0.2).sin());
                let dir = unit_or(&dir, &Vec3::x());
                let reach = shape.support(&dir).value;
                for ball in &inside {
                    assert!(dir.dot(&ball.center) + ball.radius <= reach, "{shape:?}: {ball:?}");
                }
            }
        }
    }

    #[test]
    fn a_body_without_bounds_has_no_balls() {
        assert_eq!(Balls::new(&Shape::half_space([0.0, 0.0, 1.0], 0.0).unwrap()), None);
    }
}
