//! The executable `scene_node` in a domain of its own, on this machine only.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use smooth_scene_test_support::dds_domain::own_domain;

/// A running node. Dropping it kills it.
pub struct Node {
    process: Child,
    pub domain: u16,
    log: Arc<Mutex<Vec<String>>>,
}

/// A file of the repository.
pub fn file(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path)
}

impl Node {
    /// The two hands, standing still where nobody told them anything yet.
    pub fn hands() -> Self {
        Self::hands_in(own_domain())
    }

    /// As `hands`, in a domain that is there.
    pub fn hands_in(domain: u16) -> Self {
        let mut command = Self::hands_command(domain);
        command.env("ROS_LOCALHOST_ONLY", "1");
        Self::run(domain, command)
    }

    /// What starts the node with the two hands, on all networks.
    pub fn hands_command(domain: u16) -> Command {
        let (urdf, srdf) = (file("urdf/icub_hands_mixed.urdf"), file("urdf/icub_hands.srdf"));
        let mut command = Self::command(domain);
        command.arg("--urdf").arg(urdf).arg("--srdf").arg(srdf);
        command
    }

    fn command(domain: u16) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_scene_node"));
        command
            .env("ROS_DOMAIN_ID", domain.to_string())
            .env_remove("ROS_LOCALHOST_ONLY")
            .env_remove("RMW_IMPLEMENTATION");
        command
    }

    /// With these arguments; ready when this returns.
    pub fn start(domain: u16, arguments: &[&str]) -> Self {
        let mut command = Self::command(domain);
        command.args(arguments).env("ROS_LOCALHOST_ONLY", "1");
        Self::run(domain, command)
    }

    /// With this command; ready when this returns.
    pub fn run(domain: u16, mut command: Command) -> Self {
        let mut process = command.stderr(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(process.stderr.take().unwrap()).lines();
        let log = Arc::new(Mutex::new(Vec::new()));
        let written = Arc::clone(&log);
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                written.lock().unwrap().push(line);
            }
        });
        let mut node = Self { process, domain, log };
        let begin = Instant::now();
        while !node.has_logged("ready") {
            let gone = node.process.try_wait().unwrap();
            assert!(gone.is_none(), "the node ended: {:?}", node.log.lock().unwrap());
            assert!(begin.elapsed() < Duration::from_secs(30), "{:?}", node.log.lock().unwrap());
            std::thread::sleep(Duration::from_millis(5));
        }
        node
    }

    /// Whether a line of its log contains this.
    pub fn has_logged(&self, text: &str) -> bool {
        self.log.lock().unwrap().iter().any(|line| line.contains(text))
    }

    /// Whether it still runs.
    pub fn is_alive(&mut self) -> bool {
        self.process.try_wait().unwrap().is_none()
    }

    /// Sends a signal, such as `STOP`.
    pub fn signal(&self, signal: &str) {
        let id = self.process.id().to_string();
        assert!(Command::new("kill").args(["-s", signal, &id]).status().unwrap().success());
    }

    /// Sends a signal (`INT`, `TERM`) and waits; how it ended and how long that took.
    pub fn end(&mut self, signal: &str) -> (ExitStatus, Duration) {
        let begin = Instant::now();
        self.signal(signal);
        loop {
            if let Some(status) = self.process.try_wait().unwrap() {
                return (status, begin.elapsed());
            }
            assert!(begin.elapsed() < Duration::from_secs(20), "does not end on {signal}");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Memory in use, MiB.
    pub fn memory(&self) -> f64 {
        self.status("VmRSS:")
    }

    /// The most memory that was ever in use, MiB.
    #[allow(dead_code, reason = "the benchmark has no need")]
    pub fn most_memory(&self) -> f64 {
        self.status("VmHWM:")
    }

    fn status(&self, field: &str) -> f64 {
        let path = format!("/proc/{}/status", self.process.id());
        let status = std::fs::read_to_string(path).unwrap();
        let line = status.lines().find(|line| line.starts_with(field)).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<f64>().unwrap() / 1024.0
    }

    /// Time on processors so far, s.
    #[allow(dead_code, reason = "the benchmark asks for it")]
    pub fn processor_time(&self) -> f64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.process.id())).unwrap();
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
        // User and system time, in the hundredths of a second that Linux counts in.
        (fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap()) / 100.0
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        if std::thread::panicking() {
            let log = self.log.lock().unwrap();
            let last = log.iter().rev().take(20).rev().cloned().collect::<Vec<_>>();
            eprintln!("the node said last:\n{}", last.join("\n"));
        }
    }
}
