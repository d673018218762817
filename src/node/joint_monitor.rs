//! The current state of the robot, merged from partial joint states.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::clock::from_message;
use crate::convert::Refusal;
use crate::convert::joints::{Columns, check_joint_state, list};
use crate::interfaces::sensor_msgs::msg::JointState;
use crate::robot::{RobotModel, Variable};

/// Names that are kept at most. The largest robots have some hundreds.
const MAX_NAMES: usize = 16_384;
/// A clock that is this far behind the last message has jumped back. Threads that race differ by less.
const JUMP_NS: i64 = 1_000_000_000;

/// The last position of every joint, by name, and when it was received, in nanoseconds of the node's clock.
/// Names are kept whether the robot has them or not, so that a description may come after the joint states.
///
/// Mimic joints are computed. Published values of them are not used, since a small error of one must not make the whole
/// state unusable. Planar and floating joints are known by the names of their numbers,
/// `joint/x` or `joint/trans_x`.
#[derive(Debug, Default)]
pub struct JointMonitor {
    received: Mutex<Received>,
}

#[derive(Debug, Default)]
struct Received {
    positions: HashMap<String, (f64, i64)>,
    /// When the last message was received.
    latest: i64,
    /// The time the last message gives for itself; none when it gives none.
    stamp: Option<i64>,
    /// Names that the robot does not have, which were reported already.
    reported: HashSet<String>,
}

impl Received {
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
            reasons
                .push(format!("{names} not received for up to {age:.3} s, at most {limit:.3} s"));
        }
        Err(Refusal::no_state(reasons.join("; ")))
    }
}

impl JointMonitor {
    fn received(&self) -> MutexGuard<'_, Received> {
        self.received.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes over what a message says, all of it or nothing. A message without positions says nothing: some publishers
    /// send velocities only.
    ///
    /// After a jump of the clock back, everything received before is forgotten.
    pub fn update(&self, message: &JointState, now: i64) -> Result<(), Refusal> {
        if message.position.is_empty() {
            return Ok(());
        }
        check_joint_state(message)?;
        let mut names = HashSet::with_capacity(message.name.len());
        if let Some(twice) = message.name.iter().find(|name| !names.insert(name.as_str())) {
            return Err(Refusal::bad_request(format!("joint `{twice}` is named twice")));
        }
        let mut received = self.received();
        if now < received.latest.saturating_sub(JUMP_NS) {
            received.positions.clear();
            received.latest = now;
        }
        let new = names.iter().filter(|&&name| !received.positions.contains_key(name)).count();
        if received.positions.len() + new > MAX_NAMES {
            let reason = format!("more than {MAX_NAMES} joint names were received, must be fewer");
            return Err(Refusal::bad_request(reason));
        }
        received.latest = received.latest.max(now);
        received.stamp = Some(from_message(&message.header.stamp)).filter(|&stamp| stamp != 0);
        for (name, &position) in message.name.iter().zip(&message.position) {
            match received.positions.get_mut(name) {
                Some(known) => *known = (position, now),
                None => {
                    received.positions.insert(name.clone(), (position, now));
                }
            }
        }
        Ok(())
    }

    /// Forgets everything, as after a jump of the clock that was seen elsewhere.
    pub fn forget(&self) {
        let mut received = self.received();
        received.positions.clear();
        received.latest = 0;
        received.stamp = None;
    }

    /// Positions of all variables of the robot as last received, and the time of this state: what the last message gives for
    /// itself, for which others have the transforms.
    pub fn stamped(
        &self,
        model: &RobotModel,
        now: i64,
        max_age: i64,
    ) -> Result<(Vec<f64>, Option<i64>), Refusal> {
        let received = self.received();
        let positions = received.current(model, &Columns::default(), now, max_age)?;
        Ok((positions, received.stamp))
    }

    /// Positions of all variables of the robot: those in `given` as they are there, all others as last received, not more
    /// than `max_age` nanoseconds ago.
    pub fn positions(
        &self,
        model: &RobotModel,
        given: &JointState,
        now: i64,
        max_age: i64,
    ) -> Result<Vec<f64>, Refusal> {
        check_joint_state(given)?;
        let columns = Columns::new(model, &given.name)?;
        let mut positions = self.current(model, &columns, now, max_age)?;
        columns.put(model, &given.position, &mut positions)?;
        Ok(positions)
    }

    /// Positions as last received, not more than `max_age` nanoseconds ago; zero for the variables that the columns of a
    /// request say something about.
    pub fn current(
        &self,
        model: &RobotModel,
        columns: &Columns,
        now: i64,
        max_age: i64,
    ) -> Result<Vec<f64>, Refusal> {
        self.received().current(model, columns, now, max_age)
    }

    /// The current state as far as it is known, in the order of the robot's variables.
    pub fn known(&self, model: &RobotModel, now: i64, max_age: i64) -> JointState {
        let received = self.received();
        let mut state = JointState::default();
        for name in model.variable_names() {
            if let Some(&(position, time)) = received.positions.get(name)
                && is_fresh(time, now, max_age)
            {
                state.name.push(name.clone());
                state.position.push(position);
            }
        }
        state
    }

    /// Age of the oldest position among the joints of the robot, in nanoseconds; `None` when one of them has never been
    /// received.
    pub fn age(&self, model: &RobotModel, now: i64) -> Option<i64> {
        let received = self.received();
        let ages = model.variable_names().iter().map(|name| {
            received.positions.get(name).map(|&(_, time)| now.saturating_sub(time).max(0))
        });
        ages.collect::<Option<Vec<i64>>>()?.into_iter().max()
    }

    /// Names that were received and that the robot does not have, in order; each is returned once.
    pub fn take_unknown(&self, model: &RobotModel) -> Vec<String> {
        let mut guard = self.received();
        let Received { positions, reported, .. } = &mut *guard;
        let new = |name: &&String| !is_known(model, name) && !reported.contains(*name);
        let mut unknown: Vec<String> = positions.keys().filter(new).cloned().collect();
        unknown.sort_unstable();
        reported.extend(unknown.iter().cloned());
        if reported.len() > MAX_NAMES {
            reported.retain(|name| positions.contains_key(name));
        }
        unknown
    }

    /// How many names were received that the robot does not have.
    pub fn unknown_count(&self, model: &RobotModel) -> usize {
        self.received().positions.keys().filter(|name| !is_known(model, name)).count()
    }
}

fn is_fresh(time: i64, now: i64, max_age: i64) -> bool {
    // A thread that read the clock just before a joint state arrived sees that state in its future.
    now.abs_diff(time) <= max_age.max(0) as u64
}

fn is_known(model: &RobotModel, name: &str) -> bool {
    // A fixed joint is known, too; there is nothing to know about its position.
    matches!(model.variable(name), Ok(Variable::Own(_) | Variable::Follows(_)))
        || model.joint_id(name).is_some()
}
