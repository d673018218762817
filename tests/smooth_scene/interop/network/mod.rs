//! Two machines in network namespaces of their own, joined by a cable that loses, delays and reorders.
//!
//! Needs root and `ip` of iproute2. Where namespaces cannot be made, tests fail and say so.

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::Deserialize;

use smooth_scene_test_support::robots_venv;

/// A machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Machine {
    /// The one with the node.
    Robot,
    /// The one with the clients.
    Desk,
}

impl Machine {
    /// Its address at first.
    pub fn address(self) -> &'static str {
        match self {
            Self::Robot => "10.77.0.1",
            Self::Desk => "10.77.0.2",
        }
    }
}

/// What happens to frames on the way.
#[derive(Debug, Clone, Copy)]
pub struct Weather {
    /// Part of the frames that is lost.
    pub loss: f64,
    /// Delay in each direction, s.
    pub delay: f64,
    /// Part of the frames that is delayed half as long again, so that later ones overtake it.
    pub reordered: f64,
    pub seed: u64,
}

/// What the cable has seen.
#[derive(Debug, Deserialize)]
pub struct Seen {
    pub frames: u64,
    pub lost: u64,
    pub reordered: u64,
    /// The largest frame, bytes.
    pub largest: usize,
    /// IP fragments by sender: datagrams that were too large for the network.
    pub fragments: std::collections::BTreeMap<String, u64>,
}

/// The two machines and the cable. Dropping them removes everything.
pub struct TwoMachines {
    prefix: String,
    cable: Option<(Child, BufReader<ChildStdout>)>,
}

impl TwoMachines {
    pub fn new(weather: Weather) -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let prefix = format!("scene{}x{number}", std::process::id());
        let mut machines = Self { prefix, cable: None };
        let names = ["robot", "desk", "cable"].map(|name| machines.namespace(name));
        for name in &names {
            ip(&["netns", "add", name]);
        }
        for (machine, end) in [(Machine::Robot, "left"), (Machine::Desk, "right")] {
            let name = machines.of(machine);
            ip(&[
                "link", "add", "eth0", "netns", &name, "type", "veth", "peer", "name", end,
                "netns", &names[2],
            ]);
            machines.address(machine, "add", machine.address());
            ip(&["-n", &name, "link", "set", "eth0", "mtu", "1500", "up"]);
            ip(&["-n", &name, "link", "set", "lo", "up"]);
            ip(&["-n", &names[2], "link", "set", end, "mtu", "1500", "up"]);
        }
        let mut cable = Command::new("ip")
            .args(["netns", "exec", &names[2]])
            .arg(robots_venv::program("python"))
            .arg(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/tests/smooth_scene/interop/network/cable.py"
            ))
            .args(["left", "right"])
            .args([weather.loss, weather.delay, weather.reordered].map(|part| part.to_string()))
            .arg(weather.seed.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(cable.stdout.take().unwrap());
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        assert_eq!(line, "ready\n", "the cable does not start");
        machines.cable = Some((cable, output));
        machines
    }

    fn namespace(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    fn of(&self, machine: Machine) -> String {
        self.namespace(match machine {
            Machine::Robot => "robot",
            Machine::Desk => "desk",
        })
    }

    /// The same command on a machine.
    pub fn on(&self, machine: Machine, command: &Command) -> Command {
        let mut on = Command::new("ip");
        on.args(["netns", "exec", &self.of(machine)]);
        on.arg(command.get_program()).args(command.get_args());
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => on.env(name, value),
                None => on.env_remove(name),
            };
        }
        on
    }

    /// Pulls the cable out of the robot, or plugs it in.
    pub fn set_cable(&self, state: CableState) {
        let state = match state {
            CableState::Pulled => "down",
            CableState::Plugged => "up",
        };
        ip(&["-n", &self.namespace("cable"), "link", "set", "left", state]);
    }

    fn address(&self, machine: Machine, act: &str, address: &str) {
        let address = format!("{address}/24");
        ip(&["-n", &self.of(machine), "address", act, &address, "dev", "eth0"]);
    }

    /// Gives a machine another address than the one it has had so far.
    pub fn change_address(&self, machine: Machine, to: &str) {
        self.address(machine, "delete", machine.address());
        self.address(machine, "add", to);
    }

    /// What the cable has seen.
    pub fn finish(mut self) -> Seen {
        let (mut cable, mut output) = self.cable.take().expect("it is taken once");
        drop(cable.stdin.take());
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        assert!(cable.wait().unwrap().success());
        serde_json::from_str(&line).unwrap()
    }
}

/// Where the cable is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CableState {
    Pulled,
    Plugged,
}

impl Drop for TwoMachines {
    fn drop(&mut self) {
        if let Some((mut cable, _)) = self.cable.take() {
            // It has ended when the test failed because of it.
            let _ = cable.kill();
            let _ = cable.wait();
        }
        for name in ["robot", "desk", "cable"] {
            // Missing if making it is what failed.
            let _ = Command::new("ip").args(["netns", "delete", &self.namespace(name)]).output();
        }
    }
}

fn ip(arguments: &[&str]) {
    let output = Command::new("ip").args(arguments).output();
    let output = output.expect("`ip` is missing: run tests/robots/install.sh");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "network namespaces cannot be used here: run the test as root, on a kernel with namespaces and veth. \
         `ip {}` says: {error}",
        arguments.join(" ")
    );
}
