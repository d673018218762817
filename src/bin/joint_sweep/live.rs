//! Live: publishes the joint states of a movement at a rate, and listens to what the node makes of them.

use crate::failure::Failure;
use crate::joint_state::{joint_state, stamp};
use crate::results::Row;
use crate::source::Movement;
use crate::statistics::Summary;
use smooth_scene::ros::cdr;
use smooth_scene::ros::interfaces::builtin_interfaces::msg::Time;
use smooth_scene::ros::interfaces::diagnostic_msgs::msg::{
    DiagnosticArray, DiagnosticStatus, KeyValue,
};
use smooth_scene::ros::interfaces::msg::ProximityArray;
use smooth_scene::ros::interfaces::rosgraph_msgs::msg::Clock;
use smooth_scene::ros::interfaces::std_msgs::msg::Header;
use smooth_scene::ros::transport::{Publisher, Qos, Transport};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

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

/// How long the node may take for the last answers.
const LAST_ANSWERS: Duration = Duration::from_millis(500);

/// When each stamp was sent, and how long its answer took.
#[derive(Debug, Default)]
struct Heard {
    sent: HashMap<(i32, u32), Instant>,
    nanos: Vec<u64>,
}

/// Plays the movement; the row says how long after a joint state the node's proximities arrived.
pub(crate) fn play(
    transport: &dyn Transport,
    node: &str,
    movement: &Movement,
    play: &Play,
    stopped: &dyn Fn() -> bool,
) -> Result<Row, Failure> {
    let other = |e: &dyn std::error::Error| Failure::Other(e.to_string());
    let advertise = |name: &str, kind: &str, qos| -> Result<Box<dyn Publisher>, Failure> {
        transport.advertise(name, kind, qos).map_err(|e| other(&e))
    };
    let joints = advertise("joint_states", "sensor_msgs/msg/JointState", Qos::reliable(10))?;
    let clock = match play.sim_time {
        true => Some(advertise("/clock", "rosgraph_msgs/msg/Clock", Qos::best_effort(1))?),
        false => None,
    };
    let heard = Arc::new(Mutex::new(Heard::default()));
    let listener = heard.clone();
    let on_message = Box::new(move |bytes: &[u8]| {
        let Ok(array) = cdr::decode::<ProximityArray>(bytes) else { return };
        let mut heard = listener.lock().unwrap_or_else(PoisonError::into_inner);
        let stamp = (array.header.stamp.sec, array.header.stamp.nanosec);
        if let Some(sent) = heard.sent.remove(&stamp) {
            heard.nanos.push(sent.elapsed().as_nanos() as u64);
        }
    });
    let topic = format!("{node}/proximities");
    transport
        .subscribe(&topic, "smooth_scene/msg/ProximityArray", Qos::best_effort(100), on_message)
        .map_err(|e| other(&e))?;

    let start = Instant::now();
    let mut published = 0;
    let mut base = 0.0;
    'playing: loop {
        for (place, (state, time)) in movement.states.iter().zip(&movement.times).enumerate() {
            let seconds = base + play.rate.map_or(*time, |rate| place as f64 / rate);
            while start.elapsed().as_secs_f64() < seconds {
                if stopped() {
                    break 'playing;
                }
                let left = seconds - start.elapsed().as_secs_f64();
                std::thread::sleep(Duration::from_secs_f64(left.clamp(0.0, 0.05)));
            }
            if stopped() {
                break 'playing;
            }
            let now = if play.sim_time { sim_stamp(seconds) } else { system_stamp() };
            if let Some(clock) = &clock {
                let bytes = cdr::encode(&Clock { clock: now.clone() });
                clock.publish(&bytes).map_err(|e| other(&e))?;
            }
            let key = (now.sec, now.nanosec);
            heard.lock().unwrap_or_else(PoisonError::into_inner).sent.insert(key, Instant::now());
            let bytes = cdr::encode(&joint_state(state, now));
            joints.publish(&bytes).map_err(|e| other(&e))?;
            published += 1;
        }
        if !play.repeat {
            break;
        }
        base = start.elapsed().as_secs_f64() + 0.01;
    }
    std::thread::sleep(LAST_ANSWERS);
    let heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
    let mut row =
        Row::missing("live", "joint state to proximities", "no proximities arrived", None);
    if let Some(summary) = Summary::of_nanos(&heard.nanos) {
        (row.micros, row.missing) = (Some(summary), None);
        // A node that answers the newest state only leaves the others out: that is its right, and it is counted.
        row.unconverged = published - heard.nanos.len().min(published);
    }
    Ok(row)
}

/// Simulated time, which is never zero: zero means "not yet".
fn sim_stamp(seconds: f64) -> Time {
    stamp(1_000_000_000 + (seconds * 1e9).round() as i64)
}

fn system_stamp() -> Time {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    stamp(now.as_nanos() as i64)
}

/// Publishes the rows as diagnostics, one status each.
pub(crate) fn publish_statistics(transport: &dyn Transport, rows: &[Row]) -> Result<(), Failure> {
    let other = |e: &dyn std::error::Error| Failure::Other(e.to_string());
    let publisher = transport
        .advertise("/diagnostics", "diagnostic_msgs/msg/DiagnosticArray", Qos::reliable(10))
        .map_err(|e| other(&e))?;
    let header = Header { stamp: system_stamp(), ..Header::default() };
    let status = rows.iter().map(|row| status(&transport.node_name(), row)).collect();
    publisher.publish(&cdr::encode(&DiagnosticArray { header, status })).map_err(|e| other(&e))
}

fn status(node: &str, row: &Row) -> DiagnosticStatus {
    let mut values = Vec::new();
    let mut say = |key: &str, value: String| values.push(KeyValue { key: key.into(), value });
    if let Some(t) = row.micros {
        say("queries", t.count.to_string());
        let times = [("mean", t.mean), ("sigma", t.sigma), ("median", t.median), ("p99", t.p99)];
        times
            .into_iter()
            .for_each(|(name, value)| say(&format!("{name} µs"), format!("{value:.3}")));
        say("wrong", row.wrong_decisions.to_string());
        say("unconverged", row.unconverged.to_string());
    }
    let message = match (&row.missing, row.wrong_decisions) {
        (Some(why), _) => why.clone(),
        (None, 0) => "every answer is right".into(),
        (None, wrong) => format!("{wrong} wrong answers"),
    };
    let level = if message == "every answer is right" { 0 } else { 1 };
    let name = format!("{}: {}, {}", node.trim_start_matches('/'), row.representation, row.method);
    DiagnosticStatus { level, name, message, hardware_id: String::new(), values }
}
