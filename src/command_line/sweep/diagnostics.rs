//! The statistics of a run on `/diagnostics`: once a second while it goes on, and at its end.

use super::failure::Failure;
use super::results::Row;
use crate::cdr;
use crate::command_line::joint_state::system_stamp;
use crate::interfaces::diagnostic_msgs::msg::{DiagnosticArray, DiagnosticStatus, KeyValue};
use crate::interfaces::std_msgs::msg::Header;
use crate::transport::{Publisher, Qos, Transport};
use std::time::{Duration, Instant};

/// Least time between two messages while a run goes on: that of other nodes.
const PERIOD: Duration = Duration::from_secs(1);
const OK: u8 = 0;
const WARN: u8 = 1;

/// Publishes rows, one status each.
pub(crate) struct Diagnostics {
    publisher: Box<dyn Publisher>,
    node: String,
    last: Instant,
}

impl Diagnostics {
    /// Advertises the topic at once: who listens has found it when the first statistics come.
    pub fn new(transport: &dyn Transport) -> Result<Self, Failure> {
        let publisher = transport
            .advertise("/diagnostics", "diagnostic_msgs/msg/DiagnosticArray", Qos::reliable(10))
            .map_err(|e| Failure::Other(e.to_string()))?;
        let node = transport.node_name().trim_start_matches('/').to_string();
        Ok(Self { publisher, node, last: Instant::now() })
    }

    /// Publishes if the last time is a second ago. The rows are made only then.
    pub fn now_and_then(&mut self, rows: impl FnOnce() -> Vec<Row>) -> Result<(), Failure> {
        if self.last.elapsed() < PERIOD {
            return Ok(());
        }
        self.last = Instant::now();
        self.publish(&rows())
    }

    /// Publishes.
    pub fn publish(&self, rows: &[Row]) -> Result<(), Failure> {
        let header = Header { stamp: system_stamp(), ..Header::default() };
        let status = rows.iter().map(|row| status(&self.node, row)).collect();
        let bytes = cdr::encode(&DiagnosticArray { header, status });
        self.publisher.publish(&bytes).map_err(|e| Failure::Other(e.to_string()))
    }
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
        say("unanswered", row.unconverged.to_string());
    }
    let (level, message) = match (&row.missing, row.wrong_decisions) {
        (Some(why), _) => (WARN, why.clone()),
        (None, 0) => (OK, "every answer is right".into()),
        (None, wrong) => (WARN, format!("{wrong} wrong answers")),
    };
    let name = format!("{node}: {}, {}", row.representation, row.method);
    DiagnosticStatus { level, name, message, hardware_id: String::new(), values }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command_line::sweep::statistics::Summary;

    #[test]
    fn a_row_with_wrong_answers_is_a_warning() {
        let missing = Row::missing("live", "m", "nothing arrived", None);
        assert_eq!(status("n", &missing).level, WARN);
        assert_eq!(status("n", &missing).message, "nothing arrived");
        let micros = Summary::of_nanos(&[1500]);
        let mut row = Row { micros, missing: None, ..missing };
        let right = status("left/n", &row);
        assert_eq!((right.level, right.name.as_str()), (OK, "left/n: live, m"));
        assert!(right.values.iter().any(|v| v.key == "mean µs" && v.value == "1.500"));
        row.wrong_decisions = 2;
        assert_eq!(status("n", &row).level, WARN);
    }
}
