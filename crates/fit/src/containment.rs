//! Whether a point is certainly inside a surface: interval arithmetic, so that rounding cannot decide.

use crate::interval::Interval;
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Pose, Vec3};

/// A point of which each coordinate is known up to an interval.
pub(crate) type Point = [Interval; 3];

/// The point with exactly these coordinates.
pub(crate) fn exact_point(point: &Vec3) -> Point {
    [point.x, point.y, point.z].map(Interval::exactly)
}

/// a + t·(b − a) for an exact share t.
pub(crate) fn between(a: &Point, b: &Point, t: f64) -> Point {
    let t = Interval::exactly(t);
    [0, 1, 2].map(|k| a[k] + t * (b[k] - a[k]))
}

/// A surface in its pose, ready to be asked.
#[derive(Debug)]
pub(crate) struct Container<'s> {
    shape: &'s Shape,
    center: Point,
    /// Rows of the rotation into the frame of the surface.
    turn: [Point; 3],
}

impl<'s> Container<'s> {
    /// The rotation is that of the normalised quaternion, whatever its computed length is.
    pub fn new(pose: &Pose, shape: &'s Shape) -> Self {
        let q = pose.rotation.quaternion();
        let [i, j, k, w] = [q.i, q.j, q.k, q.w].map(Interval::exactly);
        let norm = i.square() + j.square() + k.square() + w.square();
        let two = Interval::exactly(2.0);
        let diagonal = |a: Interval, b: Interval, c: Interval, d: Interval| {
            (a.square() + b.square() - c.square() - d.square()).over(norm)
        };
        let mixed =
            |a: Interval, b: Interval, c: Interval| ((two * (a * b)) + (two * (c * w))).over(norm);
        // The transpose of the rotation matrix of the quaternion, row by row.
        let turn = [
            [diagonal(w, i, j, k), mixed(i, j, k), mixed(i, k, -j)],
            [mixed(i, j, -k), diagonal(w, j, i, k), mixed(j, k, i)],
            [mixed(i, k, j), mixed(j, k, -i), diagonal(w, k, i, j)],
        ];
        Self { shape, center: exact_point(&pose.translation.vector), turn }
    }

    /// Whether the point certainly lies in the surface. `false` means that it does not or that rounding leaves it open; of
    /// kinds that are never fitted, and of surfaces that are not convex, it is always `false`.
    pub fn contains(&self, point: &Point) -> bool {
        let from = [0, 1, 2].map(|k| point[k] - self.center[k]);
        let local = [0, 1, 2].map(|row| {
            let [a, b, c] = self.turn[row];
            a * from[0] + b * from[1] + c * from[2]
        });
        let [x, y, z] = local.map(Interval::abs);
        match self.shape {
            Shape::Sphere(s) => {
                (x.square() + y.square() + z.square()).high <= square_below(s.radius())
            }
            Shape::Capsule(s) => {
                let beyond = (z - Interval::exactly(s.half_length())).at_least_zero();
                (x.square() + y.square() + beyond.square()).high <= square_below(s.radius())
            }
            Shape::Ellipsoid(s) => {
                let [a, b, c] = s.radii().map(Interval::exactly);
                (x.over(a).square() + y.over(b).square() + z.over(c).square()).high <= 1.0
            }
            Shape::Superellipsoid(s) => {
                let radii = s.radii().map(Interval::exactly);
                let scaled = [x.over(radii[0]), y.over(radii[1]), z.over(radii[2])];
                is_below_one(scaled, s.exponent_xy(), s.exponent_z())
            }
            Shape::Superovoid(s) if s.is_convex() => {
                let radii = s.radii().map(Interval::exactly);
                let w = local[2].over(radii[2]);
                let grown = |axis: usize| {
                    let taper = Interval::exactly(s.taper()[axis]);
                    radii[axis] * (Interval::exactly(1.0) + taper * w)
                };
                let scaled = [x.over(grown(0)), y.over(grown(1)), w.abs()];
                is_below_one(scaled, s.exponent_xy(), s.exponent_z())
            }
            _ => false,
        }
    }
}

/// A lower bound on the square of a positive number.
fn square_below(value: f64) -> f64 {
    (value * value).next_down()
}

/// Whether (x^(2/ε_xy) + y^(2/ε_xy))^(ε_xy/ε_z) + z^(2/ε_z) ≤ 1 for certain; x, y and z are not negative.
fn is_below_one([x, y, z]: [Interval; 3], exponent_xy: f64, exponent_z: f64) -> bool {
    let two = Interval::exactly(2.0);
    let (xy, along) = (Interval::exactly(exponent_xy), Interval::exactly(exponent_z));
    let inner = (x.power_below(two.over(xy)) + y.power_below(two.over(xy))).next_up();
    let section = Interval::exactly(inner).power_below(xy.over(along));
    (section + z.power_below(two.over(along))).next_up() <= 1.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use smooth_scene_geometry::ConvexSurface;
    use smooth_scene_geometry::math::rotation_from_euler_angles;

    #[test]
    fn agrees_with_the_inside_outside_functions_away_from_the_surface() {
        let shapes = [
            Shape::sphere(0.7).unwrap(),
            Shape::capsule(0.3, 0.5).unwrap(),
            Shape::ellipsoid([0.5, 0.8, 1.1]).unwrap(),
            Shape::superellipsoid([0.5, 0.8, 1.1], 0.3, 0.6).unwrap(),
            Shape::superovoid([0.5, 0.8, 1.1], 0.8, 0.5, [0.4, 0.4]).unwrap(),
        ];
        let pose = Pose::from_parts(
            Vec3::new(0.1, -0.2, 0.3).into(),
            rotation_from_euler_angles(0.4, -1.1, 2.5),
        );
        let mut random = Random::new(11);
        for shape in &shapes {
            let container = Container::new(&pose, shape);
            let mut inside = 0;
            for _ in 0..2000 {
                let local = Vec3::from([(); 3].map(|()| 2.4 * random.uniform() - 1.2));
                let value = shape.inside_outside(&local);
                let point = pose.rotation * local + pose.translation.vector;
                let found = container.contains(&exact_point(&point));
                // Rounding of this test moves points by 1e-15; values change by less than 1e-9 then.
                if value.abs() > 1e-9 {
                    assert_eq!(found, value < 0.0, "{shape:?} {local:?} {value}");
                }
                inside += usize::from(found);
            }
            assert!(inside > 30 && inside < 1500, "{inside}");
        }
    }

    #[test]
    fn points_on_the_surface_and_dented_bodies_are_not_claimed() {
        let ball = Shape::sphere(1.0).unwrap();
        let container = Container::new(&Pose::identity(), &ball);
        assert!(!container.contains(&exact_point(&Vec3::x())));
        assert!(container.contains(&exact_point(&(Vec3::x() * (1.0 - 1e-14)))));
        let dented = Shape::superovoid([1.0; 3], 1.0, 0.5, [0.5, -0.5]).unwrap();
        let container = Container::new(&Pose::identity(), &dented);
        assert!(!container.contains(&exact_point(&Vec3::zeros())));
    }
}
