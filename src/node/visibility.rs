//! Visibility constraints of MoveIt: the angles at which a sensor looks at a target.
//!
//! The cone between sensor and target is not looked at: a `target_radius`, which asks for it to be empty, is refused.

use crate::convert::Refusal;
use crate::convert::frames::{Anchor, carrying_link};
use crate::convert::pose::pose;
use crate::interfaces::geometry_msgs::msg::PoseStamped;
use crate::interfaces::moveit_msgs::msg::{ConstraintEvalResult, VisibilityConstraint};
use crate::math::{Pose, Vec3, atan2};
use crate::plan::Sight;
use crate::robot::LinkPoses;
use crate::scene::PlanningScene;
use nalgebra::Point3;

/// A constraint whose frames were looked up.
#[derive(Debug)]
pub(super) struct Visibility {
    sensor: Placed,
    target: Placed,
    axis: Vec3,
    view: Option<f64>,
    range: Option<f64>,
}

/// A pose in a frame of the scene.
#[derive(Debug)]
struct Placed {
    frame: Anchor,
    pose: Pose,
}

impl Visibility {
    /// Looks the frames up with `frame_of`.
    pub fn new(
        message: &VisibilityConstraint,
        frame_of: &dyn Fn(&PoseStamped) -> Result<Anchor, Refusal>,
    ) -> Result<Self, Refusal> {
        if message.target_radius != 0.0 {
            let reason = format!(
                "target_radius is {}, must be 0: that nothing is between sensor and target is not decided",
                message.target_radius
            );
            return Err(Refusal::bad_request(reason));
        }
        let axis = match message.sensor_view_direction {
            0 => Vec3::z(),
            1 => Vec3::y(),
            2 => Vec3::x(),
            other => {
                let reason = format!("sensor_view_direction is {other}, must be 0, 1 or 2");
                return Err(Refusal::bad_request(reason));
            }
        };
        let angle = |field: &str, value: f64| match value {
            0.0 => Ok(None),
            value if value > 0.0 && value.is_finite() => Ok(Some(value)),
            value => Err(Refusal::bad_request(format!("{field} is {value}, must be 0 or more"))),
        };
        let placed = |field: &'static str, stamped: &PoseStamped| {
            let frame = frame_of(stamped).map_err(|why| why.within(field))?;
            Ok::<_, Refusal>(Placed {
                frame,
                pose: pose(&stamped.pose, &|| format!("{field}.pose"))?,
            })
        };
        Ok(Self {
            sensor: placed("sensor_pose", &message.sensor_pose)?,
            target: placed("target_pose", &message.target_pose)?,
            axis,
            view: angle("max_view_angle", message.max_view_angle)?,
            range: angle("max_range_angle", message.max_range_angle)?,
        })
    }

    /// The same for a planner, with sensor and target on the links that carry them. `at` says where frames are in one state.
    pub fn for_path(
        &self,
        scene: &PlanningScene,
        poses: &LinkPoses,
        at: &dyn Fn(&Anchor) -> Result<Pose, Refusal>,
    ) -> Result<Sight, Refusal> {
        let on_link = |placed: &Placed| {
            let carrier = carrying_link(scene, &placed.frame.frame);
            let link = carrier.unwrap_or_else(|| scene.model().root());
            let pose = poses[link].inverse() * at(&placed.frame)? * placed.pose;
            Ok::<_, Refusal>((scene.model().link(link).name.clone(), pose))
        };
        let (sensor_link, sensor) = on_link(&self.sensor)?;
        let (target_link, target) = on_link(&self.target)?;
        Ok(Sight {
            sensor_link,
            eye: sensor.translation.vector,
            axis: sensor.rotation * self.axis,
            target_link,
            target: target.translation.vector,
            normal: target.rotation * Vec3::z(),
            view: self.view,
            range: self.range,
        })
    }

    /// Whether it is met, and how far the larger of both angles is from its limit, rad; as in MoveIt nothing is seen beyond a right
    /// angle.
    pub fn decide(
        &self,
        weight: f64,
        at: &dyn Fn(&Anchor) -> Result<Pose, Refusal>,
    ) -> Result<ConstraintEvalResult, Refusal> {
        let [sensor, target] = [&self.sensor, &self.target];
        let (sensor, target) = (at(&sensor.frame)? * sensor.pose, at(&target.frame)? * target.pose);
        let axis_w = sensor.rotation * self.axis;
        let way = target * Point3::origin() - sensor * Point3::origin();
        let angle = |other: &Vec3| atan2(axis_w.cross(other).norm(), axis_w.dot(other));
        let angles =
            [(angle(&-(target.rotation * Vec3::z())), self.view), (angle(&way), self.range)];
        let excess = |(angle, most): (f64, Option<f64>)| {
            most.map_or(0.0, |most| (angle - most.min(std::f64::consts::FRAC_PI_2)).max(0.0))
        };
        let worst = angles.into_iter().map(excess).fold(0.0, f64::max);
        Ok(ConstraintEvalResult { result: worst == 0.0, distance: weight * worst })
    }
}
