//! Three angles that measure a rotation, and how far they can change when the rotation does.
//!
//! A rotation vector φ of length θ changes by at most δ (θ′/2) / sin(θ′/2) when the rotation changes by δ, with θ′ = θ + δ: the
//! norm of the inverse of its Jacobian, which grows with θ. Of the angles about x, y and z that turn along, the second changes by
//! at most δ, and the others by at most δ / cos(|y| + δ).

use std::f64::consts::{FRAC_PI_2, PI};

use nalgebra::UnitQuaternion;
use smooth_scene_geometry::math::{Vec3, rotation_from_vector, rotation_vector};

/// Which three numbers measure a rotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrientationAngles {
    /// Turns about x, then y, then z, each about the axis that the turns before it have moved.
    Xyz,
    /// The rotation vector.
    RotationVector,
}

impl OrientationAngles {
    fn of(self, off: &UnitQuaternion<f64>) -> Vec3 {
        match self {
            OrientationAngles::RotationVector => rotation_vector(off),
            OrientationAngles::Xyz => {
                let turned = off.to_rotation_matrix();
                let r = turned.matrix();
                let y = r[(0, 2)].clamp(-1.0, 1.0).asin();
                Vec3::new((-r[(1, 2)]).atan2(r[(2, 2)]), y, (-r[(0, 1)]).atan2(r[(0, 0)]))
            }
        }
    }

    /// Whether a rotation, and every other one that is at most so many radians from it, keeps the tolerance.
    pub(crate) fn within(self, off: &UnitQuaternion<f64>, tolerance: &Vec3, radians: f64) -> bool {
        let angles = self.of(off).abs();
        let changes = match self {
            OrientationAngles::RotationVector => {
                let half = 0.5 * (angles.norm() + radians).min(PI);
                let factor = if half > 0.0 { half / half.sin() } else { 1.0 };
                Vec3::repeat(radians * factor)
            }
            OrientationAngles::Xyz => {
                let farthest = angles.y + radians;
                // Next to the pole the other two may be anything.
                let others =
                    if farthest < FRAC_PI_2 { radians / farthest.cos() } else { f64::INFINITY };
                Vec3::new(others, radians, others)
            }
        };
        (0..3).all(|k| tolerance[k] >= PI || angles[k] + changes[k] <= tolerance[k])
    }

    /// A rotation near this one with angles in these bounds; from half a turn on an angle is free.
    pub(crate) fn clamped(self, off: &UnitQuaternion<f64>, bounds: &Vec3) -> UnitQuaternion<f64> {
        let angles = self.of(off);
        let inside = Vec3::from_fn(|k, _| angles[k].clamp(-bounds[k], bounds[k]));
        match self {
            OrientationAngles::RotationVector => rotation_from_vector(&inside),
            OrientationAngles::Xyz => {
                let turn = |axis: Vec3, angle: f64| rotation_from_vector(&(axis * angle));
                turn(Vec3::x(), inside.x) * turn(Vec3::y(), inside.y) * turn(Vec3::z(), inside.z)
            }
        }
    }
}
