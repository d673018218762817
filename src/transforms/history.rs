//! The transforms of one frame to its parent over time.

use std::collections::VecDeque;

use nalgebra::{Quaternion, UnitQuaternion};

use crate::math::Pose;

/// Samples that are kept at most: more than ten seconds at a kilohertz.
const MAX_SAMPLES: usize = 16_384;

/// Where a frame is in its parent: always the same, or as published over time.
#[derive(Debug, Clone)]
pub(super) enum History {
    /// Published on `/tf_static`.
    Static(Pose),
    /// Published on `/tf`, in the order of their times, which differ.
    Moving(VecDeque<(i64, Pose)>),
}

/// Why a moving frame has no pose at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OutOfRange {
    /// The oldest sample is newer.
    Before { oldest: i64 },
    /// The newest sample is older.
    After { newest: i64 },
}

impl History {
    /// A moving frame with one sample.
    pub fn moving(time: i64, pose: Pose) -> Self {
        History::Moving(VecDeque::from([(time, pose)]))
    }

    /// Adds a sample of a moving frame, and drops samples that are more than `keep` nanoseconds older than the newest. Of
    /// two samples for the same time the first one stays. Samples may arrive in any order.
    pub fn insert(&mut self, time: i64, pose: Pose, keep: i64) {
        let History::Moving(samples) = self else {
            *self = Self::moving(time, pose);
            return;
        };
        let place = samples.partition_point(|&(known, _)| known < time);
        if samples.get(place).is_none_or(|&(known, _)| known != time) {
            samples.insert(place, (time, pose));
        }
        let &(newest, _) = samples.back().expect("a moving frame has samples");
        while samples.len() > MAX_SAMPLES
            || samples.front().is_some_and(|&(oldest, _)| oldest < newest.saturating_sub(keep))
        {
            samples.pop_front();
        }
    }

    /// The time of the newest sample; none for a frame that does not move.
    pub fn newest(&self) -> Option<i64> {
        match self {
            History::Static(_) => None,
            History::Moving(samples) => samples.back().map(|&(time, _)| time),
        }
    }

    /// The pose at this time: between samples the position is linear in time and the rotation turns evenly about one axis.
    pub fn at(&self, time: i64) -> Result<Pose, OutOfRange> {
        let samples = match self {
            History::Static(pose) => return Ok(*pose),
            History::Moving(samples) => samples,
        };
        let place = samples.partition_point(|&(known, _)| known < time);
        match (place.checked_sub(1).map(|before| samples[before]), samples.get(place)) {
            (_, Some(&(known, pose))) if known == time => Ok(pose),
            (Some((before, a)), Some(&(after, b))) => {
                let part = (time - before) as f64 / (after - before) as f64;
                Ok(interpolate(&a, &b, part))
            }
            (None, Some(&(oldest, _))) => Err(OutOfRange::Before { oldest }),
            (Some((newest, _)), None) => Err(OutOfRange::After { newest }),
            (None, None) => unreachable!("a moving frame has samples"),
        }
    }
}

/// The pose this part of the way from `a` to `b`, 0 to 1.
fn interpolate(a: &Pose, b: &Pose, part: f64) -> Pose {
    let position = a.translation.vector.lerp(&b.translation.vector, part);
    Pose::from_parts(position.into(), slerp(&a.rotation, &b.rotation, part))
}

/// Spherical linear interpolation the shorter way round [Shoemake 1985].
///
/// ```text
/// q(t) = (sin((1 - t) θ) a + sin(t θ) b) / sin θ        θ the angle between a and ±b as vectors, at most π/2
/// ```
///
/// θ comes from its tangent, which is accurate at small angles too; below 1e-8 the sines are their arguments to rounding.
///
/// [Shoemake 1985] K. Shoemake, "Animating Rotation with Quaternion Curves", SIGGRAPH.
fn slerp(a: &UnitQuaternion<f64>, b: &UnitQuaternion<f64>, part: f64) -> UnitQuaternion<f64> {
    let (a, b) = (a.coords, b.coords);
    let b = if a.dot(&b) < 0.0 { -b } else { b };
    let angle = 2.0 * libm::atan2((a - b).norm(), (a + b).norm());
    let (of_a, of_b) = if angle < 1e-8 {
        (1.0 - part, part)
    } else {
        let sine = libm::sin(angle);
        (libm::sin((1.0 - part) * angle) / sine, libm::sin(part * angle) / sine)
    };
    UnitQuaternion::from_quaternion(Quaternion::from_vector(of_a * a + of_b * b))
}
