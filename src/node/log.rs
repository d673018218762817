//! Log messages for `/rosout`, and a throttle for those that repeat.

use std::collections::VecDeque;
use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

use super::clock::{Clock, to_message};
use super::threads::Turn;
use super::topics::TopicPublisher;
use crate::bell::{Bell, Woken};
use crate::interfaces::rcl_interfaces::msg::Log;
use crate::transport::TransportError;
use crate::transport::ros_args::{LogLevel, RosArgs, Switch};

/// The library and its programs.
const CRATES: [&str; 3] = ["smooth_scene", "scene_node", "joint_sweep"];
/// Messages that may wait to be published; beyond it the oldest are dropped.
const MAX_WAITING: usize = 1000;
/// Longest message, in bytes.
const MAX_BYTES: usize = 10_000;
/// How long a thread waits at most before it checks again.
const LONG: Duration = Duration::from_secs(3600);

/// Takes the messages of this crate from `tracing` and keeps them for `/rosout`. Clones are the same.
///
/// It only queues them: a transport that logs while it publishes does not call itself.
#[derive(Debug, Clone, Default)]
pub struct Rosout(Arc<Waiting>);

#[derive(Debug, Default)]
struct Waiting {
    messages: Mutex<VecDeque<Log>>,
    added: Bell,
}

impl Rosout {
    /// Starts the log of a process with a node called `node`, unless the ROS arguments say otherwise, as they want it: on
    /// the terminal, and for `/rosout`. Of other crates warnings go to the terminal; `--log-level CRATE:=debug` shows
    /// more of one.
    pub fn start(node: &str, arguments: &RosArgs) -> Result<Option<Rosout>, TransportError> {
        let name = arguments.names(node)?.fully_qualified();
        let level = filter_of(arguments.level_of(&logger_name(&name)));
        let others = LevelFilter::WARN.min(level);
        let named = arguments.logger_levels.iter();
        let named = named.map(|(name, level)| (name.replace('.', "::"), filter_of(*level)));
        let filter = Targets::new().with_default(others).with_targets(named);
        let filter = CRATES.iter().fold(filter, |all, name| all.with_target(*name, level));
        let terminal = (arguments.log_to_terminal == Switch::On).then(|| {
            let colours = std::io::stderr().is_terminal();
            tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_ansi(colours)
        });
        let rosout = (arguments.log_to_rosout == Switch::On).then(Rosout::default);
        let installed = tracing_subscriber::registry()
            .with(terminal.with_filter(filter))
            .with(rosout.clone().with_filter(level))
            .try_init();
        if let Err(error) = installed {
            // A process that has a log already keeps it.
            tracing::debug!("nothing is logged to /rosout: {error}");
            return Ok(None);
        }
        Ok(rosout)
    }

    /// One turn of the thread that publishes.
    pub(super) fn turn(
        &self,
        seen: &mut u64,
        node_name: &str,
        clock: &Clock,
        publisher: &TopicPublisher<Log>,
    ) -> Turn {
        let woken = self.0.added.wait(*seen, LONG);
        match woken {
            Woken::Rung(rings) => *seen = rings,
            Woken::TimedOut | Woken::Closed => {}
        }
        let messages = std::mem::take(&mut *lock(&self.0.messages));
        for message in messages {
            let message = Log { name: node_name.into(), stamp: to_message(clock.now()), ..message };
            if let Err(error) = publisher.publish(&message) {
                // Not through `tracing`, which would bring the same message here again.
                eprintln!("/rosout: not published: {error}");
            }
        }
        if woken == Woken::Closed { Turn::Last } else { Turn::Again }
    }

    /// Ends the thread that publishes, after what waits.
    pub(super) fn close(&self) {
        self.0.added.close();
    }
}

impl<S: Subscriber> Layer<S> for Rosout {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let metadata = event.metadata();
        if !CRATES.iter().any(|name| metadata.target().starts_with(name)) {
            return;
        }
        let level = match *metadata.level() {
            Level::ERROR => Log::ERROR,
            Level::WARN => Log::WARN,
            Level::INFO => Log::INFO,
            // Debug and trace.
            _ => Log::DEBUG,
        };
        let mut text = Text::default();
        event.record(&mut text);
        let message = Log {
            level,
            msg: text.0,
            file: metadata.file().unwrap_or_default().into(),
            function: metadata.target().into(),
            line: metadata.line().unwrap_or_default(),
            ..Log::default()
        };
        let mut messages = lock(&self.0.messages);
        if messages.len() >= MAX_WAITING {
            messages.pop_front();
        }
        messages.push_back(message);
        drop(messages);
        self.0.added.ring();
    }
}

/// The name of a node's logger.
pub(super) fn logger_name(node: &str) -> String {
    node.trim_start_matches('/').replace('/', ".")
}

fn filter_of(level: LogLevel) -> LevelFilter {
    match level {
        LogLevel::Debug => LevelFilter::DEBUG,
        LogLevel::Unset | LogLevel::Info => LevelFilter::INFO,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Error | LogLevel::Fatal => LevelFilter::ERROR,
    }
}

/// The message of an event, and its other fields after it.
#[derive(Default)]
struct Text(String);

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        let written = match field.name() {
            "message" => write!(self.0, "{value:?}"),
            name => write!(self.0, " {name}={value:?}"),
        };
        written.expect("a string takes all that is written");
        if self.0.len() > MAX_BYTES {
            let end = (0..=MAX_BYTES).rev().find(|&at| self.0.is_char_boundary(at));
            self.0.truncate(end.expect("0 is a boundary"));
        }
    }
}

/// Lets one message through per second, and counts the others.
#[derive(Debug, Default)]
pub(super) struct Throttle(Mutex<(Option<Instant>, u64)>);

impl Throttle {
    const PERIOD: Duration = Duration::from_secs(1);

    /// Whether to log now; then with the text to add about what was left out.
    pub fn admit(&self) -> Option<String> {
        let mut state = lock(&self.0);
        let now = Instant::now();
        if state.0.is_some_and(|last| now.duration_since(last) < Self::PERIOD) {
            state.1 += 1;
            return None;
        }
        let left_out = std::mem::take(&mut state.1);
        state.0 = Some(now);
        Some(if left_out == 0 { String::new() } else { format!(" (and {left_out} more like it)") })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_this_crate_are_kept_with_their_level_and_place() {
        let rosout = Rosout::default();
        let subscriber = tracing_subscriber::registry().with(rosout.clone());
        tracing::subscriber::with_default(subscriber, || {
            tracing::warn!(joint = "elbow", "no news of {}", 3);
            tracing::warn!(target: "elsewhere", "not ours");
        });
        let kept = lock(&rosout.0.messages).clone();
        assert_eq!(kept.len(), 1);
        assert_eq!(
            (kept[0].level, kept[0].msg.as_str()),
            (Log::WARN, "no news of 3 joint=\"elbow\"")
        );
        assert!(kept[0].file.ends_with("log.rs") && kept[0].line > 0);
    }

    #[test]
    fn a_flood_keeps_the_last_messages_and_long_ones_are_cut() {
        let rosout = Rosout::default();
        let subscriber = tracing_subscriber::registry().with(rosout.clone());
        tracing::subscriber::with_default(subscriber, || {
            (0..MAX_WAITING + 5).for_each(|k| tracing::info!("{k}"));
            tracing::info!("{}", "ä".repeat(MAX_BYTES));
        });
        let kept = lock(&rosout.0.messages).clone();
        assert_eq!(kept.len(), MAX_WAITING);
        assert_eq!(kept[0].msg, "6");
        assert_eq!(kept[MAX_WAITING - 1].msg.len(), MAX_BYTES);
    }

    #[test]
    fn a_throttle_speaks_once_in_a_second_and_says_what_was_left_out() {
        let throttle = Throttle::default();
        assert_eq!(throttle.admit(), Some(String::new()));
        assert_eq!(throttle.admit(), None);
        assert_eq!(throttle.admit(), None);
        lock(&throttle.0).0 = Instant::now().checked_sub(Throttle::PERIOD);
        assert_eq!(throttle.admit(), Some(" (and 2 more like it)".into()));
    }
}
