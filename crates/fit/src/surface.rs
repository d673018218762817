//! A fitted surface with numbers as they stand in a file, made to contain points.

use nalgebra::UnitQuaternion;

use crate::candidate::{Candidate, unit_volume};
use crate::kind::SurfaceKind;
use smooth_scene_geometry::math::{Pose, Vec3, atan2, hypot, rotation_from_euler_angles, sin_cos};
use smooth_scene_geometry::{Shape, ShapeError};

/// Digits of lengths that are written, below the leading digit of the size of the surface.
const DIGITS: i32 = 5;
/// Step of the angles that are written, rad.
const ANGLE_STEP: f64 = 1e-6;
/// Step of exponents and tapers that are written.
const SHAPE_STEP: f64 = 1e-3;
/// Share by which radii exceed what the points need: far more than the rounding of the test for containment, of the
/// coordinates of a mesh in single precision (6e-8), and of a pose that is written and read again.
const MARGIN: f64 = 2e-7;

/// A surface in the frame of a link.
#[derive(Debug, Clone, PartialEq)]
pub struct FittedSurface {
    /// Position of its frame, m.
    pub xyz: [f64; 3],
    /// Angles of its frame about the fixed x, y and z axes, rad.
    pub rpy: [f64; 3],
    /// The surface.
    pub shape: Shape,
}

impl FittedSurface {
    /// A shape in a pose as it is written in files.
    pub fn at(pose: &Pose, shape: Shape) -> Self {
        // Adding zero makes −0 and 0 the same.
        let rpy = roll_pitch_yaw(&pose.rotation).map(|angle| angle + 0.0);
        Self { xyz: pose.translation.vector.into(), rpy, shape }
    }

    /// The pose of the surface in the frame of the link: the same bits as a reader of the file gets.
    pub fn pose(&self) -> Pose {
        let [roll, pitch, yaw] = self.rpy;
        let rotation = rotation_from_euler_angles(roll, pitch, yaw);
        Pose::from_parts(Vec3::from(self.xyz).into(), rotation)
    }

    /// Its volume, m³.
    pub fn volume(&self) -> f64 {
        use std::f64::consts::PI;
        match &self.shape {
            Shape::Sphere(s) => 4.0 / 3.0 * PI * s.radius() * s.radius() * s.radius(),
            Shape::Capsule(s) => {
                let r = s.radius();
                PI * r * r * (2.0 * s.half_length() + 4.0 / 3.0 * r)
            }
            Shape::Ellipsoid(s) => 4.0 / 3.0 * PI * s.radii().iter().product::<f64>(),
            Shape::Superellipsoid(s) => {
                let unit = unit_volume(s.exponent_xy(), s.exponent_z(), 0.0);
                unit * s.radii().iter().product::<f64>()
            }
            Shape::Superovoid(s) => {
                let unit = unit_volume(s.exponent_xy(), s.exponent_z(), s.taper()[0]);
                unit * s.radii().iter().product::<f64>()
            }
            other => unreachable!("no {} is ever fitted", other.kind()),
        }
    }
}

/// The smallest surface of the candidate's pose, exponents and taper around the points, which are moved by `placed`
/// together with it; numbers rounded as they are written, radii upwards. At least one point.
pub(crate) fn enclose(
    candidate: &Candidate,
    points: &[Vec3],
    placed: &Pose,
) -> Result<FittedSurface, ShapeError> {
    let center = placed.rotation * candidate.center + placed.translation.vector;
    let farthest = points.iter().map(|p| (p - candidate.center).norm()).fold(0.0, f64::max);
    let step = length_step(farthest);
    let xyz = center.map(|x| rounded(x, step));
    let rpy = match candidate.kind {
        SurfaceKind::Sphere => [0.0; 3],
        _ => roll_pitch_yaw(&(placed.rotation * candidate.rotation))
            .map(|angle| rounded(angle, ANGLE_STEP)),
    };
    let [roll, pitch, yaw] = rpy;
    let turn = rotation_from_euler_angles(roll, pitch, yaw).inverse();
    // Thinner than this is a plate or a wire, for which a surface of no thickness would be needed.
    let least = (1e-3 * farthest).max(10.0 * step);
    let local: Vec<Vec3> = points
        .iter()
        .map(|p| turn * (placed.rotation * p + placed.translation.vector - xyz))
        .collect();
    let up = |length: f64| rounded_up(length.max(least) * (1.0 + MARGIN), step);
    let shape = match candidate.kind {
        SurfaceKind::Sphere => Shape::sphere(up(local.iter().map(Vec3::norm).fold(0.0, f64::max)))?,
        SurfaceKind::Capsule => {
            let half = rounded(candidate.half_length, step).max(step);
            let radius = |p: &Vec3| hypot(hypot(p.x, p.y), (p.z.abs() - half).max(0.0));
            Shape::capsule(up(local.iter().map(radius).fold(0.0, f64::max)), half)?
        }
        _ => superovoid(candidate, &local, up)?,
    };
    Ok(FittedSurface { xyz: xyz.into(), rpy, shape })
}

fn superovoid(
    candidate: &Candidate,
    local: &[Vec3],
    up: impl Fn(f64) -> f64,
) -> Result<Shape, ShapeError> {
    let (exponent_xy, exponent_z, taper) = match candidate.kind {
        SurfaceKind::Ellipsoid => (1.0, 1.0, 0.0),
        _ => (
            rounded(candidate.exponent_xy, SHAPE_STEP),
            rounded(candidate.exponent_z, SHAPE_STEP),
            // Towards zero: a smaller taper is convex too.
            (candidate.taper / SHAPE_STEP).trunc() * SHAPE_STEP,
        ),
    };
    let taper = rounded(taper, SHAPE_STEP);
    let highest = local.iter().map(|p| p.z.abs()).fold(0.0, f64::max);
    let a3 = up(highest * (1.0 + candidate.slack));
    let ratio = libm::exp(candidate.log_ratio);
    let k = local
        .iter()
        .map(|p| section_quotient(p, a3, ratio, exponent_xy, exponent_z, taper))
        .fold(0.0, f64::max);
    let radii = [up(k * ratio), up(k / ratio), a3];
    match candidate.kind {
        SurfaceKind::Ellipsoid => Shape::ellipsoid(radii),
        _ if taper == 0.0 => Shape::superellipsoid(radii, exponent_xy, exponent_z),
        _ => Shape::superovoid(radii, exponent_xy, exponent_z, [taper; 2])?.strict(),
    }
}

/// N_xy(x/r, y·r)/((1 + Tw)·ρ(w)) with w = z/a₃; see [`crate::candidate`].
fn section_quotient(
    p: &Vec3,
    a3: f64,
    ratio: f64,
    exponent_xy: f64,
    exponent_z: f64,
    taper: f64,
) -> f64 {
    let w = p.z / a3;
    let (u, v) = (p.x.abs() / ratio, p.y.abs() * ratio);
    let (high, low) = (u.max(v), u.min(v));
    if high <= 0.0 {
        return 0.0;
    }
    let norm = high * libm::pow(1.0 + libm::pow(low / high, 2.0 / exponent_xy), 0.5 * exponent_xy);
    let power = libm::pow(w.abs(), 2.0 / exponent_z);
    let rho = libm::exp(libm::log1p(-power) * (0.5 * exponent_z));
    norm / ((1.0 + taper * w) * rho)
}

/// The step of lengths of a body of this size: a power of ten.
fn length_step(size: f64) -> f64 {
    let leading = libm::floor(libm::log10(size.clamp(1e-3, 1e5))) as i32;
    libm::pow(10.0, f64::from(leading - DIGITS))
}

/// The nearest multiple of a power of ten, as its decimal form reads.
fn rounded(value: f64, step: f64) -> f64 {
    as_written((value / step).round(), step)
}

fn rounded_up(value: f64, step: f64) -> f64 {
    as_written((value / step).ceil(), step)
}

/// A whole number times a power of ten below one, correctly rounded: one division of two exact numbers.
fn as_written(count: f64, step: f64) -> f64 {
    let value = if step < 1.0 { count / (1.0 / step).round() } else { count * step.round() };
    value + 0.0
}

/// Angles about the fixed x, y and z axes. The yaw is found first and undone before the other two are: near a pitch of
/// ±90°, where yaw and roll are each uncertain, their errors then cancel.
fn roll_pitch_yaw(rotation: &UnitQuaternion<f64>) -> [f64; 3] {
    let r = rotation.to_rotation_matrix();
    let yaw = atan2(r[(1, 0)], r[(0, 0)]);
    let (sin, cos) = sin_cos(yaw);
    let pitch = atan2(-r[(2, 0)], cos * r[(0, 0)] + sin * r[(1, 0)]);
    let roll = atan2(sin * r[(0, 2)] - cos * r[(1, 2)], cos * r[(1, 1)] - sin * r[(0, 1)]);
    [roll, pitch, yaw]
}
