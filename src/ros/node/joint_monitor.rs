//! The current state of the robot, merged from partial joint states.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use super::refusal::Refusal;
use crate::ros::interfaces::sensor_msgs::msg::JointState;
use crate::scene::PlanningScene;

/// What is known of every joint, by name: its position and when it was heard of, in nanoseconds of the node's clock.
/// Names are kept whether the robot has them or not, so that a description may come after the joint states.
#[derive(Debug, Default)]
pub struct JointMonitor {
    heard: Mutex<HashMap<String, (f64, i64)>>,
}

impl JointMonitor {
    /// Takes over what a message says, all of it or nothing.
    pub fn update(&self, message: &JointState, now: i64) -> Result<(), Refusal> {
        check_joint_state(message)?;
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        for (name, &position) in message.name.iter().zip(&message.position) {
            match heard.get_mut(name) {
                Some(known) => *known = (position, now),
                None => {
                    heard.insert(name.clone(), (position, now));
                }
            }
        }
        Ok(())
    }

    /// Positions of all variables of the robot: those in `given` as they are there, all others as last heard, not more
    /// than `max_age` nanoseconds ago.
    pub fn positions(
        &self,
        scene: &PlanningScene,
        given: &JointState,
        now: i64,
        max_age: i64,
    ) -> Result<Vec<f64>, Refusal> {
        let _ = (scene, given, now, max_age);
        Err(Refusal::no_state("not built yet"))
    }
}

/// Refuses a joint state with names and positions of different number, repeated names or numbers that are none.
pub fn check_joint_state(message: &JointState) -> Result<(), Refusal> {
    let (names, positions) = (message.name.len(), message.position.len());
    if names != positions {
        let reason = format!("joint_state has {names} names and {positions} positions");
        return Err(Refusal::bad_request(reason));
    }
    for (name, position) in message.name.iter().zip(&message.position) {
        if !position.is_finite() {
            let reason = format!("position of joint `{name}` is {position}, must be finite");
            return Err(Refusal::bad_request(reason));
        }
    }
    Ok(())
}
