//! The current state of the robot, merged from partial joint states.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::clock::from_message;
use crate::convert::Refusal;
use crate::convert::joints::{Columns, check_joint_state, list};
use crate::interfaces::sensor_msgs::msg::JointState;
use crate::robot::{RobotModel, Variable};
use crate::scene::PlanningScene;

/// Names that are kept at most. The largest robots have some hundreds.
const MAX_NAMES: usize = 16_384;
/// A clock that is this much behind what was heard last has jumped back. Threads that race differ by less.
const JUMP_NS: i64 = 1_000_000_000;

/// What is known of every joint, by name: its position and when it was heard of, in nanoseconds of the node's clock.
/// Names are kept whether the robot has them or not, so that a description may come after the joint states.
///
/// Joints that follow others are computed: what is published about them is not used, since a gripper that is off by a
/// hair must not silence the whole robot. Planar and floating joints are known by the names of their numbers,
/// `joint/x` or `joint/trans_x`.
#[derive(Debug, Default)]
pub struct JointMonitor {
    heard: Mutex<Heard>,
}

#[derive(Debug, Default)]
struct Heard {
    positions: HashMap<String, (f64, i64)>,
    /// When something was heard last.
    latest: i64,
    /// The time the last message gives for itself; none when it gives none.
    stamp: Option<i64>,
    /// Names that the robot does not have, which were reported already.
    reported: HashSet<String>,
}

impl Heard {
    fn current(
        &self,
        model: &RobotModel,
        columns: &Columns,
        now: i64,
        max_age: i64,
    ) -> Result<Vec<f64>, Refusal> {
        let mut given = vec![false; model.position_count()];
        columns.places().for_each(|place| given[place] = true);
        let mut positions = vec![0.0; model.position_count()];
        let (mut missing, mut stale) = (Vec::new(), Vec::new());
        let mut oldest = 0;
        for (place, name) in model.variable_names().iter().enumerate() {
            if given[place] {
                continue;
            }
            match self.positions.get(name) {
                Some(&(position, time)) if is_fresh(time, now, max_age) => {
                    positions[place] = position;
                }
                Some(&(_, time)) => {
                    stale.push(name.as_str());
                    oldest = oldest.max(now.abs_diff(time));
                }
                None => missing.push(name.as_str()),
            }
        }
        if missing.is_empty() && stale.is_empty() {
            return Ok(positions);
        }
        let mut reasons = Vec::new();
        if !missing.is_empty() {
            let names = list(missing.into_iter());
            reasons.push(format!("no joint state has been received for {names}"));
        }
        if !stale.is_empty() {
            let [age, limit] =
                [oldest as f64, max_age as f64].map(|nanoseconds| nanoseconds * 1e-9);
            let names = list(stale.into_iter());
            reasons.push(format!("{names} not heard for up to {age:.3} s, at most {limit:.3} s"));
        }
        Err(Refusal::no_state(reasons.join("; ")))
    }
}

impl JointMonitor {
    fn heard(&self) -> MutexGuard<'_, Heard> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes over what a message says, all of it or nothing. A message without positions says nothing: some publishers
    /// send velocities only.
    ///
    /// When the clock has jumped back everything heard before is forgotten.
    pub fn update(&self, message: &JointState, now: i64) -> Result<(), Refusal> {
        if message.position.is_empty() {
            return Ok(());
        }
        check_joint_state(message)?;
        let mut names = HashSet::with_capacity(message.name.len());
        if let Some(twice) = message.name.iter().find(|name| !names.insert(name.as_str())) {
            return Err(Refusal::bad_request(format!("joint `{twice}` is named twice")));
        }
        let mut heard = self.heard();
        if now < heard.latest.saturating_sub(JUMP_NS) {
            heard.positions.clear();
            heard.latest = now;
        }
        let new = names.iter().filter(|&&name| !heard.positions.contains_key(name)).count();
        if heard.positions.len() + new > MAX_NAMES {
            let reason = format!("more than {MAX_NAMES} joint names were heard, must be fewer");
            return Err(Refusal::bad_request(reason));
        }
        heard.latest = heard.latest.max(now);
        heard.stamp = Some(from_message(&message.header.stamp)).filter(|&stamp| stamp != 0);
        for (name, &position) in message.name.iter().zip(&message.position) {
            match heard.positions.get_mut(name) {
                Some(known) => *known = (position, now),
                None => {
                    heard.positions.insert(name.clone(), (position, now));
                }
            }
        }
        Ok(())
    }

    /// Forgets everything, as after a jump of the clock that was seen elsewhere.
    pub fn forget(&self) {
        let mut heard = self.heard();
        heard.positions.clear();
        heard.latest = 0;
        heard.stamp = None;
    }

    /// Positions of all variables of the robot as last heard, and the time of this state: what the last message gives for
    /// itself, for which others have the transforms.
    pub fn stamped(
        &self,
        model: &RobotModel,
        now: i64,
        max_age: i64,
    ) -> Result<(Vec<f64>, Option<i64>), Refusal> {
        let heard = self.heard();
        let positions = heard.current(model, &Columns::default(), now, max_age)?;
        Ok((positions, heard.stamp))
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
        check_joint_state(given)?;
        let columns = Columns::new(scene.model(), &given.name)?;
        let mut positions = self.current(scene.model(), &columns, now, max_age)?;
        columns.put(scene.model(), &given.position, &mut positions)?;
        Ok(positions)
    }

    /// Positions as last heard, not more than `max_age` nanoseconds ago; zero for the variables that the columns of a
    /// request say something about.
    pub fn current(
        &self,
        model: &RobotModel,
        columns: &Columns,
        now: i64,
        max_age: i64,
    ) -> Result<Vec<f64>, Refusal> {
        self.heard().current(model, columns, now, max_age)
    }

    /// The current state as far as it is known, in the order of the robot's variables.
    pub fn known(&self, model: &RobotModel, now: i64, max_age: i64) -> JointState {
        let heard = self.heard();
        let mut state = JointState::default();
        for name in model.variable_names() {
            if let Some(&(position, time)) = heard.positions.get(name)
                && is_fresh(time, now, max_age)
            {
                state.name.push(name.clone());
                state.position.push(position);
            }
        }
        state
    }

    /// How long the joint of the robot that was not heard of for the longest time was not heard of, in nanoseconds; `None`
    /// when nothing was heard of one of them.
    pub fn age(&self, model: &RobotModel, now: i64) -> Option<i64> {
        let heard = self.heard();
        let ages = model.variable_names().iter().map(|name| {
            heard.positions.get(name).map(|&(_, time)| now.saturating_sub(time).max(0))
        });
        ages.collect::<Option<Vec<i64>>>()?.into_iter().max()
    }

    /// Names that were heard and that the robot does not have, in order; each is returned once.
    pub fn take_unknown(&self, model: &RobotModel) -> Vec<String> {
        let mut guard = self.heard();
        let Heard { positions, reported, .. } = &mut *guard;
        let new = |name: &&String| !is_known(model, name) && !reported.contains(*name);
        let mut unknown: Vec<String> = positions.keys().filter(new).cloned().collect();
        unknown.sort_unstable();
        reported.extend(unknown.iter().cloned());
        if reported.len() > MAX_NAMES {
            reported.retain(|name| positions.contains_key(name));
        }
        unknown
    }

    /// How many names were heard that the robot does not have.
    pub fn unknown_count(&self, model: &RobotModel) -> usize {
        self.heard().positions.keys().filter(|name| !is_known(model, name)).count()
    }
}

fn is_fresh(time: i64, now: i64, max_age: i64) -> bool {
    // A thread that took the time a moment before a joint state came sees that one in its future.
    now.abs_diff(time) <= max_age.max(0) as u64
}

fn is_known(model: &RobotModel, name: &str) -> bool {
    // A fixed joint is known, too; there is nothing to know about its position.
    matches!(model.variable(name), Ok(Variable::Own(_) | Variable::Follows(_)))
        || model.joint_id(name).is_some()
}
