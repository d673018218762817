//! How a sensor looks at a target: the angles of MoveIt's visibility constraints.
//!
//! The view angle is between the axis of the sensor and the reversed normal of the target, the range angle between that axis and
//! the direction from the sensor to the target. When both links turn by at most ω in all, the first changes by at most ω. When
//! besides the distance D between both points changes by a vector of at most m, the direction turns by at most arcsin(m / D):
//! the second changes by at most the sum. Beyond a right angle the sensor sees nothing.

use std::f64::consts::FRAC_PI_2;

use nalgebra::Point3;
use smooth_scene_geometry::math::{Pose, Vec3, atan2, unit_or};

/// A sensor that has to see a target.
#[derive(Debug, Clone, PartialEq)]
pub struct Sight {
    /// The link that carries the sensor.
    pub sensor_link: String,
    /// Where the sensor is, in the frame of that link.
    pub eye: Vec3,
    /// Unit direction in which it looks, in the frame of that link.
    pub axis: Vec3,
    /// The link that carries the target.
    pub target_link: String,
    /// Where the target is, in the frame of that link.
    pub target: Vec3,
    /// Unit normal of the side of the target that is to be seen, in the frame of that link.
    pub normal: Vec3,
    /// Largest view angle, rad; free without one.
    pub view: Option<f64>,
    /// Largest range angle, rad; free without one.
    pub range: Option<f64>,
}

/// A sight at one moment, in the world.
pub(crate) struct SightAtMoment {
    pub axis_w: Vec3,
    /// The reversed normal of the target.
    pub facing_w: Vec3,
    pub eye_w: Vec3,
    pub target_w: Vec3,
}

/// One of the two angles that is larger than it may be.
pub(crate) enum Off {
    View,
    Range,
}

impl Sight {
    /// Where everything is when the links have these poses.
    pub(crate) fn at(&self, sensor: &Pose, target: &Pose) -> SightAtMoment {
        SightAtMoment {
            axis_w: sensor.rotation * self.axis,
            facing_w: -(target.rotation * self.normal),
            eye_w: (sensor * Point3::from(self.eye)).coords,
            target_w: (target * Point3::from(self.target)).coords,
        }
    }

    /// The angle that is too large, now or in any state in which the links have turned by at most `radians` in all and the points
    /// have moved against each other by at most `metres`.
    pub(crate) fn off(&self, at: &SightAtMoment, metres: f64, radians: f64) -> Option<Off> {
        let is_within = |angle: f64, most: f64| angle <= most.min(FRAC_PI_2);
        if let Some(most) = self.view
            && !is_within(angle(&at.axis_w, &at.facing_w) + radians, most)
        {
            return Some(Off::View);
        }
        let way = at.target_w - at.eye_w;
        let share = metres / way.norm();
        if let Some(most) = self.range {
            // Of a target at the eye there is no direction.
            let turn = atan2(share, (1.0 - share * share).max(0.0).sqrt());
            let is_seen = share < 1.0 && is_within(angle(&at.axis_w, &way) + radians + turn, most);
            if !is_seen {
                return Some(Off::Range);
            }
        }
        None
    }
}

/// The angle between two directions.
fn angle(a: &Vec3, b: &Vec3) -> f64 {
    atan2(a.cross(b).norm(), a.dot(b))
}

/// The rotation vector that turns a direction towards another one, until only `left` of the angle between them is left.
pub(crate) fn turn_towards(from: &Vec3, to: &Vec3, left: f64) -> Vec3 {
    let around =
        unit_or(&from.cross(to), &unit_or(&from.cross(&Vec3::new(0.6, 0.0, 0.8)), &Vec3::y()));
    around * (angle(from, to) - left).max(0.0)
}
