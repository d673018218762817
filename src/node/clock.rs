//! The time: of the system, or of the topic `/clock` when `use_sim_time` is set.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::interfaces::builtin_interfaces::msg::Time;
use crate::interfaces::rosgraph_msgs;

/// The clock of a node. Times are nanoseconds since the epoch; simulated time is 0 until the first message.
#[derive(Debug, Default)]
pub struct Clock {
    simulated: AtomicBool,
    /// The last time of `/clock`.
    received: AtomicI64,
}

/// What a new time means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Time advanced or stayed the same.
    Forward,
    /// Time went back: everything received before belongs to another time.
    Back {
        /// By how much, in nanoseconds.
        by: i64,
    },
}

impl Clock {
    /// The time now, in nanoseconds.
    pub fn now(&self) -> i64 {
        if self.is_simulated() { self.received.load(Ordering::Acquire) } else { system_time() }
    }

    /// Whether the time is that of `/clock`.
    pub fn is_simulated(&self) -> bool {
        self.simulated.load(Ordering::Acquire)
    }

    /// Switches between system time and simulated time; whether that was a change.
    pub fn set_simulated(&self, simulated: bool) -> bool {
        self.simulated.swap(simulated, Ordering::AcqRel) != simulated
    }

    /// Takes a message of `/clock`.
    pub fn on_message(&self, message: &rosgraph_msgs::msg::Clock) -> Step {
        let time = from_message(&message.clock);
        let before = self.received.swap(time, Ordering::AcqRel);
        if time < before { Step::Back { by: before - time } } else { Step::Forward }
    }
}

fn system_time() -> i64 {
    let nanoseconds =
        |time: Duration| i64::try_from(time.as_nanos()).expect("before the year 2262");
    match SystemTime::now().duration_since(UNIX_EPOCH) {
        Ok(since) => nanoseconds(since),
        Err(before) => -nanoseconds(before.duration()),
    }
}

/// A time as message; the nearest one if it is beyond the 32 bits of its seconds, which end in 2038.
pub fn to_message(nanoseconds: i64) -> Time {
    let (sec, nanosec) =
        (nanoseconds.div_euclid(1_000_000_000), nanoseconds.rem_euclid(1_000_000_000));
    Time { sec: sec.clamp(i32::MIN.into(), i32::MAX.into()) as i32, nanosec: nanosec as u32 }
}

/// The time of a message, in nanoseconds.
pub fn from_message(time: &Time) -> i64 {
    i64::from(time.sec) * 1_000_000_000 + i64::from(time.nanosec)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(sec: i32) -> rosgraph_msgs::msg::Clock {
        rosgraph_msgs::msg::Clock { clock: Time { sec, nanosec: 5 } }
    }

    #[test]
    fn simulated_time_is_that_of_the_topic_and_a_jump_back_is_noticed() {
        let clock = Clock::default();
        assert!(clock.now() > 1_600_000_000_000_000_000);
        assert!(clock.set_simulated(true));
        assert!(!clock.set_simulated(true));
        assert_eq!(clock.now(), 0);
        assert_eq!(clock.on_message(&at(10)), Step::Forward);
        assert_eq!(clock.now(), 10_000_000_005);
        assert_eq!(clock.on_message(&at(10)), Step::Forward);
        assert_eq!(clock.on_message(&at(3)), Step::Back { by: 7_000_000_000 });
        assert_eq!(clock.now(), 3_000_000_005);
    }

    #[test]
    fn times_survive_the_way_to_a_message_and_back() {
        for time in [0, 1, -1, 1_763_329_000_123_456_789, -2_500_000_000] {
            assert_eq!(from_message(&to_message(time)), time);
        }
        assert_eq!(to_message(-1), Time { sec: -1, nanosec: 999_999_999 });
    }
}
