//! Live runs: publishes the joint states of a movement and measures when the proximities of the node arrive.

use super::diagnostics::Diagnostics;
use super::failure::Failure;
use super::measure::Stopped;
use super::movement::Movement;
use super::results::Row;
use super::robots::Robot;
use super::statistics::Summary;
use crate::cdr;
use crate::command_line::joint_state::{joint_state, stamp, system_stamp};
use crate::command_line::program::Program;
use crate::command_line::progress::Progress;
use crate::interfaces::builtin_interfaces::msg::Time;
use crate::interfaces::msg::ProximityArray;
use crate::interfaces::rosgraph_msgs::msg::Clock;
use crate::robot::RobotState;
use crate::scene::{NearestRequest, Workspace};
use crate::transport::{Publisher, Qos, Transport};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How the movement is played.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Play {
    /// States per second; the times of the movement when not given.
    pub rate: Option<f64>,
    /// Repeat until interrupted.
    pub repeat: bool,
    /// Publish `/clock` and stamp with simulated time.
    pub sim_time: bool,
}

/// How long to wait for the first answer of the node.
const FIRST_ANSWER: Duration = Duration::from_secs(5);
/// Period at which the first state is published until then.
const AGAIN: Duration = Duration::from_millis(100);
/// How long to wait for the last answers: ten usual periods of the node.
const LAST_ANSWERS: Duration = Duration::from_millis(300);
/// Longest sleep between two checks for an interrupt.
const LOOK: Duration = Duration::from_millis(50);
/// Largest difference from the distance of the same state in this process, in metres: the width of a proof.
const SAME: f64 = 1e-9;
/// Limit of states that wait for an answer, in case the node never answers.
const MOST_WAITING: usize = 10_000;

/// A state that was published.
#[derive(Debug, Clone)]
struct Sent {
    at: Instant,
    /// Identifies the answer: proximities carry the stamp of their joint state.
    stamp: Time,
    /// The least distance in this state, found in this process.
    nearest: f64,
}

/// Published states and the answers to them.
#[derive(Debug, Default)]
struct Answers {
    /// Oldest first.
    waiting: VecDeque<Sent>,
    nanos: Vec<u64>,
    wrong: usize,
    worst: f64,
}

impl Answers {
    fn send(&mut self, stamp: Time, nearest: f64) {
        if self.waiting.len() == MOST_WAITING {
            self.waiting.pop_front();
        }
        self.waiting.push_back(Sent { at: Instant::now(), stamp, nearest });
    }

    /// Records the answer for the state of this stamp, with its least distance. The node answers its newest state at its own
    /// rate, so earlier states are no longer expected. Repeated answers and answers to other publishers are ignored.
    fn on_answer(&mut self, stamp: &Time, found: Option<f64>, now: Instant) {
        let Some(place) = self.waiting.iter().position(|sent| sent.stamp == *stamp) else { return };
        let Some(sent) = self.waiting.drain(..=place).next_back() else { return };
        self.nanos.push(now.saturating_duration_since(sent.at).as_nanos() as u64);
        match found {
            Some(distance) => {
                let error = (distance - sent.nearest).abs();
                self.worst = self.worst.max(error);
                self.wrong += usize::from(error > SAME || error.is_nan());
            }
            // No pair within the distance that the node reports.
            None => self.wrong += usize::from(sent.nearest <= 0.0),
        }
    }

    fn row(&self) -> Row {
        let missing = "no proximities arrived";
        let mut row = Row::missing("live", "joint state to proximities", missing, None);
        if let Some(summary) = Summary::of_nanos(&self.nanos) {
            (row.micros, row.missing) = (Some(summary), None);
            (row.wrong_decisions, row.worst_error) = (self.wrong, Some(self.worst));
        }
        row
    }
}

fn lock(answers: &Mutex<Answers>) -> MutexGuard<'_, Answers> {
    answers.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Results of a live run.
pub(crate) struct Played {
    /// How long after a joint state the proximities of that state arrived.
    pub row: Row,
    /// Joint states that were published.
    pub published: usize,
    /// The time it took.
    pub seconds: f64,
}

impl Played {
    /// Summary: number and rate of published states, and how many were answered. A node skips states that are older than
    /// its newest one.
    pub fn words(&self) -> String {
        let Self { row, published, seconds } = self;
        let rate = *published as f64 / seconds.max(1e-9);
        let answered = row.micros.map_or(0, |micros| micros.count);
        format!("{published} joint states in {seconds:.2} s ({rate:.1} Hz), {answered} answered")
    }
}

/// The topics of a movement that is played.
struct Topics {
    joints: Box<dyn Publisher>,
    clock: Option<Box<dyn Publisher>>,
}

impl Topics {
    fn publish(&self, state: &RobotState, now: Time) -> Result<(), Failure> {
        let other = |e: &dyn std::error::Error| Failure::Other(e.to_string());
        if let Some(clock) = &self.clock {
            let bytes = cdr::encode(&Clock { clock: now.clone() });
            clock.publish(&bytes).map_err(|e| other(&e))?;
        }
        self.joints.publish(&cdr::encode(&joint_state(state, now))).map_err(|e| other(&e))
    }
}

/// Plays the movement.
pub(crate) fn play(
    program: Program,
    transport: &dyn Transport,
    node: &str,
    robot: &Robot,
    movement: &Movement,
    play: &Play,
    stopped: Stopped,
) -> Result<Played, Failure> {
    let other = |e: &dyn std::error::Error| Failure::Other(e.to_string());
    let advertise = |name: &str, kind: &str, qos| -> Result<Box<dyn Publisher>, Failure> {
        transport.advertise(name, kind, qos).map_err(|e| other(&e))
    };
    let joints = advertise("joint_states", "sensor_msgs/msg/JointState", Qos::reliable(10))?;
    let clock = match play.sim_time {
        true => Some(advertise("/clock", "rosgraph_msgs/msg/Clock", Qos::best_effort(1))?),
        false => None,
    };
    let mut diagnostics = Diagnostics::new(transport)?;
    let answers = Arc::new(Mutex::new(Answers::default()));
    let listener = answers.clone();
    let on_message = Box::new(move |bytes: &[u8]| {
        let now = Instant::now();
        let Ok(array) = cdr::decode::<ProximityArray>(bytes) else {
            lock(&listener).wrong += 1;
            return;
        };
        if array.status == ProximityArray::NOT_COMPUTED {
            return;
        }
        let nearest = array.proximities.first().map(|pair| pair.distance);
        lock(&listener).on_answer(&array.header.stamp, nearest, now);
    });
    let topic = format!("{node}/proximities");
    transport
        .subscribe(&topic, "smooth_scene/msg/ProximityArray", Qos::best_effort(100), on_message)
        .map_err(|e| other(&e))?;
    let topics = Topics { joints, clock };
    let nearest = nearest_of(robot, &movement.states, stopped)?;

    // Publish the first state until the node answers; then start to count.
    let begun = Instant::now();
    let first = movement.states.first().zip(nearest.first());
    while let Some((state, nearest)) = first {
        if stopped() || begun.elapsed() > FIRST_ANSWER || !lock(&answers).nanos.is_empty() {
            break;
        }
        let now = if play.sim_time { stamp(BEFORE) } else { system_stamp() };
        lock(&answers).send(now.clone(), *nearest);
        topics.publish(state, now)?;
        std::thread::sleep(AGAIN);
    }
    if !stopped() && lock(&answers).nanos.is_empty() {
        let (topic, seconds) = (transport.resolve(&topic).unwrap_or(topic), FIRST_ANSWER.as_secs());
        program.note(format_args!("nothing on {topic} after {seconds} s: published all the same"));
    }
    *lock(&answers) = Answers::default();

    let start = Instant::now();
    let mut published = 0;
    let mut base = 0.0;
    let mut progress = Progress::new(Some(movement.states.len() as u64));
    'playing: loop {
        let steps = movement.states.iter().zip(&movement.times).zip(&nearest);
        for (place, ((state, time), nearest)) in steps.enumerate() {
            let seconds = base + play.rate.map_or(*time, |rate| place as f64 / rate);
            loop {
                if stopped() {
                    break 'playing;
                }
                let left = seconds - start.elapsed().as_secs_f64();
                if left <= 0.0 {
                    break;
                }
                std::thread::sleep(Duration::from_secs_f64(left).min(LOOK));
            }
            let now = if play.sim_time { sim_stamp(seconds) } else { system_stamp() };
            progress.update(published as u64, "published");
            lock(&answers).send(now.clone(), *nearest);
            topics.publish(state, now)?;
            published += 1;
            diagnostics.now_and_then(|| vec![lock(&answers).row()])?;
        }
        if !play.repeat {
            break;
        }
        base = start.elapsed().as_secs_f64() + 0.01;
    }
    drop(progress);
    let seconds = start.elapsed().as_secs_f64();
    std::thread::sleep(LAST_ANSWERS);
    let row = lock(&answers).row();
    diagnostics.publish(std::slice::from_ref(&row))?;
    Ok(Played { row, published, seconds })
}

/// The least distance of each state, from a cold start as in the node.
fn nearest_of(robot: &Robot, states: &[RobotState], stopped: Stopped) -> Result<Vec<f64>, Failure> {
    let request =
        NearestRequest { max_distance: f64::INFINITY, max_results: 1, ..NearestRequest::default() };
    let (mut ws, mut near) = (Workspace::cold(), Vec::new());
    let mut all = Vec::new();
    for state in states.iter().take_while(|_| !stopped()) {
        robot
            .scene
            .nearest(state.positions(), &request, &mut ws, &mut near)
            .map_err(|e| Failure::State(e.to_string()))?;
        all.push(near.first().map_or(f64::INFINITY, |pair| pair.distance.distance));
    }
    Ok(all)
}

/// Simulated time at which the movement begins, ns.
const BEGIN: i64 = 1_100_000_000;
/// Simulated time of the first state; not zero, which means "no time yet".
const BEFORE: i64 = 1_000_000_000;

fn sim_stamp(seconds: f64) -> Time {
    stamp(BEGIN + (seconds * 1e9).round() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_belongs_to_the_state_whose_stamp_it_has() {
        let mut answers = Answers::default();
        for (at, nearest) in [(1, 0.3), (2, 0.2), (3, 0.2), (4, -0.1)] {
            answers.send(stamp(at), nearest);
        }
        let now = Instant::now();
        answers.on_answer(&stamp(2), Some(0.2), now);
        assert_eq!((answers.nanos.len(), answers.waiting.len(), answers.wrong), (1, 2, 0));
        // Repeated answers and answers to other publishers are ignored.
        answers.on_answer(&stamp(2), Some(0.2), now);
        answers.on_answer(&stamp(77), Some(0.7), now);
        assert_eq!((answers.nanos.len(), answers.waiting.len(), answers.wrong), (1, 2, 0));
        // The distance of another state is wrong, also when it is right for one before.
        answers.on_answer(&stamp(3), Some(0.3), now);
        assert_eq!((answers.nanos.len(), answers.wrong), (2, 1));
        // Nothing near is no answer about a contact.
        answers.on_answer(&stamp(4), None, now);
        let row = answers.row();
        assert_eq!((row.wrong_decisions, row.micros.unwrap().count), (2, 3));
        assert!((row.worst_error.unwrap() - 0.1).abs() < 1e-12);
    }
}
