//! Times for a path that was found: the motion around its corners, checked again, and as JSON.

use super::failure::PlanFailure;
use super::timed::{Question, checker};
use crate::plan::{
    BlendedPath, JointSpace, MotionLimits, Plan, PlanOptions, Stop, TimedPath, blend_corners,
    verify_blended,
};
use serde_json::{Value, json};

/// How fast, and how far from the corners.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MotionSettings {
    /// Of every joint, rad/s² or m/s².
    pub acceleration: f64,
    /// Largest distance of a curve from its corner; zero stops at every waypoint.
    pub blend: f64,
}

/// A motion along a path.
pub(crate) struct Motion {
    path: BlendedPath,
    timed: TimedPath,
    /// How long it would take with a stop at every waypoint, s.
    with_stops: f64,
}

impl Motion {
    /// The fastest motion within the limits, around the corners where that is proven free.
    pub fn new(
        question: &Question,
        plan: &Plan,
        options: &PlanOptions,
        settings: MotionSettings,
        stop: Stop,
    ) -> Result<Self, PlanFailure> {
        let space = JointSpace::new(question.scene, question.group, question.from)?;
        let limits = MotionLimits::of_space(&space, settings.acceleration)?;
        let mut checker = checker(question, options)?;
        let (constraints, blend) = (&options.constraints, settings.blend);
        let path = blend_corners(&space, plan, constraints, blend, checker.as_mut(), stop)?;
        let checked = verify_blended(&question.scenes(), &path, &plan.certificate);
        checked.expect("curves are returned with certificates that prove them");
        let timed = TimedPath::blended(&space, &path, &limits)?;
        let stops = BlendedPath::with_stops(plan.waypoints.clone());
        let with_stops = TimedPath::blended(&space, &stops, &limits)?.duration();
        Ok(Self { path, timed, with_stops })
    }

    /// When the robot is where.
    #[cfg(feature = "bags")]
    pub fn timed(&self) -> &TimedPath {
        &self.timed
    }

    /// Adds what is printed about it to an answer.
    pub fn add_to(&self, answer: &mut Value) {
        let clearance = |value: f64| value.is_finite().then_some(value);
        let curves = self.path.blends.iter().map(|blend| {
            json!({
                "waypoint": blend.waypoint,
                "before": blend.before,
                "after": blend.after,
                "clearance": clearance(blend.certificate.clearance()),
            })
        });
        let points = self.timed.switches().into_iter().map(|time| {
            let state = self.timed.at(time);
            json!({
                "time_from_start": time,
                "positions": state.positions,
                "velocities": state.velocities,
            })
        });
        answer["times"] = self.timed.passes().into();
        answer["duration"] = self.timed.duration().into();
        answer["duration_with_stops"] = self.with_stops.into();
        answer["curves"] = curves.collect();
        answer["points"] = points.collect();
    }

    /// One line about it for people.
    pub fn text(&self) -> String {
        let corners = self.path.waypoints.len().saturating_sub(2);
        format!(
            "takes {:.3} s around {} of {corners} corners without a stop, {:.3} s with a stop at each\n",
            self.timed.duration(),
            self.path.blends.len(),
            self.with_stops,
        )
    }
}
