//! The files in which peers find questions and leave answers, and the movement that goes on meanwhile.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use smooth_scene::cdr;
use smooth_scene::interfaces::Message;
use smooth_scene::interfaces::srv::GetDistanceResponse;

use super::grasp::Grasp;
use super::peer::{Peer, Vendor};

/// Requests, in the form peers read.
pub fn write_requests<'a, Q: Message>(requests: impl IntoIterator<Item = &'a Q>) -> PathBuf {
    let mut bytes = Vec::new();
    for request in requests {
        let request = cdr::encode(request);
        bytes.extend((request.len() as u32).to_le_bytes());
        bytes.extend(request);
    }
    let path = scratch("questions");
    std::fs::write(&path, bytes).unwrap();
    path
}

/// Questions about these states of the grasp.
pub fn write_questions(grasp: &Grasp, states: impl Iterator<Item = usize>) -> PathBuf {
    let questions: Vec<_> = states.map(|state| grasp.question(state)).collect();
    write_requests(&questions)
}

/// Microseconds and answers, as peers write them; an answer is missing where none came.
pub fn read_any<A: Message>(path: &Path) -> Vec<(f64, Option<A>)> {
    let bytes = std::fs::read(path).unwrap();
    let mut rest = &bytes[..];
    let mut answers = Vec::new();
    while !rest.is_empty() {
        let micros = f64::from_le_bytes(rest[..8].try_into().unwrap());
        let length = u32::from_le_bytes(rest[8..12].try_into().unwrap()) as usize;
        let (answer, after) = rest[12..].split_at(length);
        answers.push((micros, (length > 0).then(|| cdr::decode(answer).unwrap())));
        rest = after;
    }
    answers
}

/// Answers about the grasp.
pub fn read_answers(path: &Path) -> Vec<(f64, Option<GetDistanceResponse>)> {
    read_any(path)
}

/// A file name nobody else uses.
pub fn scratch(what: &str) -> PathBuf {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    std::env::temp_dir().join(format!("smooth_scene-{what}-{}-{number}", std::process::id()))
}

/// Tells a stream to stop when it goes out of scope, so that a test that fails does not wait for it forever.
pub struct Stop<'a>(pub &'a AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Publishes the grasp over and over, 200 times a second, until told to stop.
pub fn stream(domain: u16, grasp: &Grasp, stop: &AtomicBool) {
    let mut robot = Peer::start(Vendor::Cyclone, domain);
    let joints = robot.advertise("/joint_states", "sensor_msgs/msg/JointState", "best_effort");
    for state in grasp.states.iter().cycle() {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        robot.publish(joints, state);
        std::thread::sleep(Duration::from_millis(5));
    }
}
