// Raw bytes → shapes and poses.

use nalgebra::{Quaternion, UnitQuaternion};
use smooth_scene_geometry::math::{Mat3, Pose, Vec3};
use smooth_scene_geometry::{Shape, ShapeError};

/// The bytes of a case, zeros after their end. Zero stands for the plainest choice everywhere, so that a case becomes
/// simpler as its bytes become zeros.
pub struct Bytes<'a> {
    pub data: &'a [u8],
}

impl Bytes<'_> {
    pub fn next(&mut self) -> u8 {
        let Some((&first, rest)) = self.data.split_first() else { return 0 };
        self.data = rest;
        first
    }

    fn take<const N: usize>(&mut self) -> [u8; N] {
        std::array::from_fn(|_| self.next())
    }

    /// A fraction of 1 with 16 bits.
    pub fn fraction(&mut self) -> f64 {
        f64::from(u16::from_le_bytes(self.take())) / 65536.0
    }

    /// Any `f64` at all, once in a while.
    fn wild(&mut self) -> f64 {
        const SPECIAL: [f64; 16] = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::MIN_POSITIVE,
            5e-324,
            f64::MAX,
            1e-9,
            1e9,
            9.999e-10,
            1.0 - f64::EPSILON,
            1.0 + f64::EPSILON,
            2.0 - 4.0 * f64::EPSILON,
        ];
        match self.next() % 2 {
            0 => SPECIAL[usize::from(self.next() % 16)],
            _ => f64::from_bits(u64::from_le_bytes(self.take())),
        }
    }

    fn length(&mut self) -> f64 {
        match self.next() % 32 {
            0 => 1.0,
            1 => self.wild(),
            2..=4 => 10f64.powf(18.0 * self.fraction() - 9.0),
            5..=7 => [1.0, 0.5, 2.0, 1e-9, 1e9, 1e-3, 1e3, 0.01][usize::from(self.next() % 8)],
            _ => 10f64.powf(2.0 * self.fraction() - 2.0),
        }
    }

    fn exponent(&mut self) -> f64 {
        match self.next() % 32 {
            0 => 1.0,
            1 => self.wild(),
            2..=3 => 10f64.powf(-12.0 * self.fraction()),
            4..=6 => 2.0 - 10f64.powf(-12.0 * self.fraction()),
            7..=12 => [1.0, 0.5, 1.5, 0.1, 1.9, 0.01, 1.99, 1e-3][usize::from(self.next() % 8)],
            _ => 2.0 * self.fraction(),
        }
    }

    fn taper(&mut self) -> f64 {
        match self.next() % 16 {
            0 => 0.0,
            1 => self.wild(),
            2 => 1.0 - 10f64.powf(-12.0 * self.fraction()),
            _ => 2.0 * self.fraction() - 1.0,
        }
    }

    fn coordinate(&mut self) -> f64 {
        match self.next() % 32 {
            0 => 0.0,
            1 => self.wild().clamp(-1e6, 1e6),
            2..=3 => (2.0 * self.fraction() - 1.0) * 10f64.powf(18.0 * self.fraction() - 9.0),
            4..=12 => [0.0, 1.0, -1.0, 0.5][usize::from(self.next() % 4)],
            _ => 2.0 * self.fraction() - 1.0,
        }
    }
}

/// A shape of any kind.
pub fn shape(bytes: &mut Bytes) -> Result<Shape, ShapeError> {
    match bytes.next() % 32 {
        kind @ 0..=22 => simple(kind, bytes),
        23 | 24 => simple(bytes.next() % 23, bytes)?.padded(bytes.length()),
        25 | 26 => simple(bytes.next() % 23, bytes)?.mapped(&matrix(bytes)),
        27 | 28 => {
            let parts = 1 + bytes.next() % 3;
            let mut part = || {
                let kind = bytes.next() % 23;
                Ok((pose(bytes), simple(kind, bytes)?))
            };
            Shape::compound((0..parts).map(|_| part()).collect::<Result<_, ShapeError>>()?)
        }
        29 => {
            let normal = [bytes.coordinate(), bytes.coordinate(), 1.0 + bytes.coordinate()];
            Shape::half_space(normal, bytes.coordinate())
        }
        _ => simple(6, bytes),
    }
}

/// A shape that is bounded and not made of others.
fn simple(kind: u8, bytes: &mut Bytes) -> Result<Shape, ShapeError> {
    if kind >= 20 {
        return mesh(bytes);
    }
    let radii = [bytes.length(), bytes.length(), bytes.length()];
    match kind {
        0 => Shape::sphere(radii[0]),
        1 => Shape::ellipsoid(radii),
        2..=5 => Shape::superellipsoid(radii, bytes.exponent(), bytes.exponent()),
        6..=9 => {
            let (xy, z) = (bytes.exponent(), bytes.exponent());
            Shape::superovoid(radii, xy, z, [bytes.taper(), bytes.taper()])
        }
        10 | 11 => {
            let [x, y, z] = radii;
            Shape::poly_ellipsoid([x, bytes.length(), y, bytes.length(), z, bytes.length()])
        }
        12 | 13 => Shape::cuboid(radii),
        14 | 15 => Shape::cylinder(radii[0], radii[1]),
        16 | 17 => Shape::capsule(radii[0], radii[1]),
        _ => Shape::cone(radii[0], radii[1]),
    }
}

/// The hull of 4 to 11 points: a box corner, then anything.
fn mesh(bytes: &mut Bytes) -> Result<Shape, ShapeError> {
    let size = bytes.length();
    let mut points = vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
    for _ in 0..bytes.next() % 8 {
        points.push(Vec3::from_fn(|_, _| bytes.coordinate()));
    }
    points.iter_mut().for_each(|point| *point *= size);
    Shape::convex_mesh(&points)
}

/// A matrix with entries around 1; the identity plus anything.
fn matrix(bytes: &mut Bytes) -> Mat3 {
    let diagonal = Vec3::new(bytes.length(), bytes.length(), bytes.length());
    let mut matrix = Mat3::from_diagonal(&diagonal);
    for _ in 0..bytes.next() % 4 {
        let entry = usize::from(bytes.next() % 9);
        matrix[entry] += bytes.coordinate();
    }
    matrix
}

/// A finite pose. Poses are not validated by the library, so a NaN in one is not a case.
pub fn pose(bytes: &mut Bytes) -> Pose {
    let finite = |x: f64| if x.is_finite() { x } else { 0.0 };
    let xyz = Vec3::from_fn(|_, _| finite(bytes.coordinate()));
    let rotation = match bytes.next() % 4 {
        0 => UnitQuaternion::identity(),
        1 => UnitQuaternion::from_axis_angle(&Vec3::y_axis(), std::f64::consts::FRAC_PI_2),
        _ => {
            let [x, y, z] = [bytes.fraction(), bytes.fraction(), bytes.fraction()];
            UnitQuaternion::new_normalize(Quaternion::new(1.0, 4.0 * x - 2.0, y, z))
        }
    };
    Pose::from_parts(xyz.into(), rotation)
}
