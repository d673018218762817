//! What a depth camera sees of a table with five objects: a cloud to try `smooth_scene fit` on.
//!
//! `table_cloud FILE.xyz [SEED]`. The camera has 320 × 240 pixels, 60° wide, and stands 1.2 m from the middle of the table. Every
//! pixel whose ray meets something gives a point, moved along the ray by normal noise of 1 mm at 1 m that grows with the square of
//! the distance, as for structured light; a hundredth of them are anywhere on their ray. So objects are seen from one side,
//! hide each other, and hide the table. Coordinates are those of the table, z up, in metres.

use std::io::Write;

use smooth_scene_geometry::math::{Pose, Vec3, rotation_from_vector};
use smooth_scene_geometry::{ConvexSurface, Shape, ShapeError, tessellate};
use smooth_scene_test_support::families::Rng;

const WIDTH: u32 = 320;
const HEIGHT: u32 = 240;
/// Tangent of half the angle of view.
const HALF_WIDTH: f64 = 0.577;
const NOISE: f64 = 0.001;
const STRAY: u64 = 100;

/// A body in the world as triangles, and a ball around it.
struct Body {
    triangles: Vec<[Vec3; 3]>,
    center: Vec3,
    radius: f64,
}

impl Body {
    fn new(x: f64, y: f64, z: f64, turn: f64, shape: &Shape) -> Self {
        let rotation = rotation_from_vector(&(Vec3::z() * turn));
        let pose = Pose::from_parts(Vec3::new(x, y, z).into(), rotation);
        let mesh = tessellate(shape, 5e-4 * shape.bounding_radius());
        let corner = |k: u32| pose.rotation * mesh.vertices[k as usize] + pose.translation.vector;
        let triangles = mesh.triangles.iter().map(|triangle| triangle.map(corner)).collect();
        Self { triangles, center: pose.translation.vector, radius: shape.bounding_radius() }
    }

    /// How far along the ray the body begins.
    fn hit(&self, from: &Vec3, along: &Vec3) -> Option<f64> {
        let offset = self.center - from;
        let beside = offset - along * offset.dot(along);
        if beside.norm() > self.radius {
            return None;
        }
        let hits = self.triangles.iter().filter_map(|triangle| hit(triangle, from, along));
        hits.min_by(f64::total_cmp)
    }
}

/// Where a ray meets a triangle (Möller and Trumbore 1997).
fn hit([a, b, c]: &[Vec3; 3], from: &Vec3, along: &Vec3) -> Option<f64> {
    let (u, v) = (b - a, c - a);
    let cross = along.cross(&v);
    let volume = u.dot(&cross);
    let offset = from - a;
    let first = offset.dot(&cross) / volume;
    let other = offset.cross(&u);
    let second = along.dot(&other) / volume;
    let is_hit = first >= 0.0 && second >= 0.0 && first + second <= 1.0;
    is_hit.then(|| v.dot(&other) / volume)
}

fn bodies() -> Result<Vec<Body>, ShapeError> {
    Ok(vec![
        Body::new(0.0, 0.0, -0.004, 0.0, &Shape::cuboid([0.45, 0.35, 0.004])?),
        Body::new(-0.18, 0.12, 0.09, 0.4, &Shape::superellipsoid([0.05, 0.035, 0.09], 0.2, 0.2)?),
        Body::new(0.16, 0.14, 0.06, 0.0, &Shape::superellipsoid([0.035, 0.035, 0.06], 1.0, 0.2)?),
        Body::new(0.02, -0.02, 0.045, 0.0, &Shape::sphere(0.045)?),
        Body::new(-0.2, -0.15, 0.03, 0.9, &Shape::ellipsoid([0.06, 0.035, 0.03])?),
        Body::new(0.22, -0.14, 0.035, 0.2, &Shape::superellipsoid([0.07, 0.05, 0.035], 0.4, 0.8)?),
    ])
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: table_cloud FILE.xyz [SEED]")?;
    let mut random = Rng::new(arguments.next().map_or(Ok(1), |seed| seed.parse())?);
    let bodies = bodies()?;
    let eye = Vec3::new(0.75, -0.6, 0.75);
    let ahead = -eye.normalize();
    let right = ahead.cross(&Vec3::z()).normalize();
    let down = ahead.cross(&right);
    let mut file = std::io::BufWriter::new(std::fs::File::create(path)?);
    for row in 0..HEIGHT {
        for column in 0..WIDTH {
            let x = HALF_WIDTH * (2.0 * (f64::from(column) + 0.5) / f64::from(WIDTH) - 1.0);
            let tall = f64::from(HEIGHT) / f64::from(WIDTH);
            let y = HALF_WIDTH * tall * (2.0 * (f64::from(row) + 0.5) / f64::from(HEIGHT) - 1.0);
            let along = (ahead + right * x + down * y).normalize();
            let hits = bodies.iter().filter_map(|body| body.hit(&eye, &along));
            let Some(far) = hits.min_by(f64::total_cmp) else { continue };
            let seen = match random.one_in(STRAY) {
                true => random.uniform(0.5, 1.0) * far,
                false => far + random.normal() * NOISE * far * far,
            };
            let point = eye + along * seen;
            writeln!(file, "{:.5} {:.5} {:.5}", point.x, point.y, point.z)?;
        }
    }
    file.flush()?;
    Ok(())
}
