//! Live: publishes the joint states of a movement at a rate, and listens to what the node makes of them.

use crate::diagnostics::Diagnostics;
use crate::failure::Failure;
use crate::joint_state::{joint_state, stamp, system_stamp};
use crate::measure::Stopped;
use crate::results::Row;
use crate::robots::Robot;
use crate::source::Movement;
use crate::statistics::Summary;
use smooth_scene::robot::RobotState;
use smooth_scene::ros::cdr;
use smooth_scene::ros::interfaces::builtin_interfaces::msg::Time;
use smooth_scene::ros::interfaces::msg::ProximityArray;
use smooth_scene::ros::interfaces::rosgraph_msgs::msg::Clock;
use smooth_scene::ros::transport::{Publisher, Qos, Transport};
use smooth_scene::scene::{NearestRequest, Workspace};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How the movement is played.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Play {
    /// States per second; the times of the movement when not given.
    pub rate: Option<f64>,
    /// Again and again until stopped.
    pub repeat: bool,
    /// Publish `/clock` and stamp with simulated time, which starts at one second.
    pub sim_time: bool,
}

/// How long the node may take to hear the first state and answer.
const FIRST_ANSWER: Duration = Duration::from_secs(5);
/// How often the first state is said until then.
const AGAIN: Duration = Duration::from_millis(100);
/// How long the node may take for the last answers: ten of its usual periods.
const LAST_ANSWERS: Duration = Duration::from_millis(300);
/// Longest sleep between two looks at Ctrl-C.
const LOOK: Duration = Duration::from_millis(50);
/// What a distance may differ from the one of the same state in this process, in metres: that of a proof.
const SAME: f64 = 1e-9;
/// States that wait for an answer, at most; a node that is silent does not fill the memory.
const MOST_WAITING: usize = 10_000;

/// A state that was published.
#[derive(Debug, Clone, Copy)]
struct Sent {
    at: Instant,
    /// The least distance in this state, found in this process.
    nearest: f64,
}

/// What was published and what came of it.
#[derive(Debug, Default)]
struct Heard {
    /// Oldest first.
    waiting: VecDeque<Sent>,
    /// The state that was answered last: the node may say the same again.
    answered: Option<Sent>,
    nanos: Vec<u64>,
    wrong: usize,
}

impl Heard {
    fn send(&mut self, nearest: f64) {
        if self.waiting.len() == MOST_WAITING {
            self.waiting.pop_front();
        }
        self.waiting.push_back(Sent { at: Instant::now(), nearest });
    }

    /// Forgets what was said until now, but for the state that was answered last.
    fn begin(&mut self) {
        *self = Self { answered: self.answered, ..Self::default() };
    }

    /// Finds the state that an answer is about by its least distance, the newest that fits: the node looks at the newest
    /// state it has, at a rate of its own, and stamps with the time of its look.
    fn hear(&mut self, found: Option<f64>, now: Instant) {
        let fits = |sent: &Sent| match found {
            Some(distance) => (distance - sent.nearest).abs() <= SAME,
            // Nothing is as near as the node looks.
            None => sent.nearest > 0.0,
        };
        if let Some(place) = self.waiting.iter().rposition(fits) {
            let sent = self.waiting[place];
            self.nanos.push(now.saturating_duration_since(sent.at).as_nanos() as u64);
            self.waiting.drain(..=place);
            self.answered = Some(sent);
        } else if !self.answered.as_ref().is_some_and(fits) {
            self.wrong += 1;
        }
    }

    fn row(&self) -> Row {
        let missing = "no proximities arrived";
        let mut row = Row::missing("live", "joint state to proximities", missing, None);
        if let Some(summary) = Summary::of_nanos(&self.nanos) {
            (row.micros, row.missing) = (Some(summary), None);
            row.wrong_decisions = self.wrong;
        }
        row
    }
}

fn lock(heard: &Mutex<Heard>) -> MutexGuard<'_, Heard> {
    heard.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What came of a movement that was played.
pub(crate) struct Played {
    /// How long after a joint state the proximities of that state arrived.
    pub row: Row,
    /// Joint states that were published.
    pub published: usize,
    /// The time it took.
    pub seconds: f64,
}

impl Played {
    /// In words: how much was said, how fast, and how much of it was answered. A node answers the newest state at its own
    /// rate and leaves the others out, which is its right.
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
    let heard = Arc::new(Mutex::new(Heard::default()));
    let listener = heard.clone();
    let on_message = Box::new(move |bytes: &[u8]| {
        let now = Instant::now();
        let Ok(array) = cdr::decode::<ProximityArray>(bytes) else { return };
        if array.status == ProximityArray::NOT_COMPUTED {
            return;
        }
        lock(&listener).hear(array.proximities.first().map(|pair| pair.distance), now);
    });
    let topic = format!("{node}/proximities");
    transport
        .subscribe(&topic, "smooth_scene/msg/ProximityArray", Qos::best_effort(100), on_message)
        .map_err(|e| other(&e))?;
    let topics = Topics { joints, clock };
    let nearest = nearest_of(robot, &movement.states, stopped)?;

    // Until both have found each other the first state is said again and again; then counting begins.
    let begun = Instant::now();
    let first = movement.states.first().zip(nearest.first());
    while let Some((state, nearest)) = first {
        if stopped() || begun.elapsed() > FIRST_ANSWER || !lock(&heard).nanos.is_empty() {
            break;
        }
        lock(&heard).send(*nearest);
        topics.publish(state, if play.sim_time { sim_stamp(0.0) } else { system_stamp() })?;
        std::thread::sleep(AGAIN);
    }
    lock(&heard).begin();

    let start = Instant::now();
    let mut published = 0;
    let mut base = 0.0;
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
            lock(&heard).send(*nearest);
            topics.publish(state, now)?;
            published += 1;
            diagnostics.now_and_then(|| vec![lock(&heard).row()])?;
        }
        if !play.repeat {
            break;
        }
        base = start.elapsed().as_secs_f64() + 0.01;
    }
    let seconds = start.elapsed().as_secs_f64();
    std::thread::sleep(LAST_ANSWERS);
    let row = lock(&heard).row();
    diagnostics.publish(std::slice::from_ref(&row))?;
    Ok(Played { row, published, seconds })
}

/// The least distance of each state, as a node without a past finds it.
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

/// Simulated time, which is never zero: zero means "not yet".
fn sim_stamp(seconds: f64) -> Time {
    stamp(1_000_000_000 + (seconds * 1e9).round() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_belongs_to_the_newest_state_that_it_fits() {
        let mut heard = Heard::default();
        [0.3, 0.2, 0.2, -0.1].into_iter().for_each(|nearest| heard.send(nearest));
        let now = Instant::now();
        heard.hear(Some(0.2), now);
        assert_eq!((heard.nanos.len(), heard.waiting.len(), heard.wrong), (1, 1, 0));
        // The same said again is no news; a distance of no state is wrong.
        heard.hear(Some(0.2), now);
        heard.hear(Some(0.25), now);
        assert_eq!((heard.nanos.len(), heard.wrong), (1, 1));
        // Nothing near is no answer about a contact.
        heard.hear(Some(-0.1), now);
        heard.send(-0.2);
        heard.hear(None, now);
        assert_eq!((heard.nanos.len(), heard.waiting.len(), heard.wrong), (2, 1, 2));
        let row = heard.row();
        assert_eq!((row.wrong_decisions, row.micros.unwrap().count), (2, 2));
    }
}
