//! Programs on other people's DDS, driven line by line; `peers/peer.hpp` says how. They are compiled when first needed.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Mutex;

use smooth_scene::cdr;
use smooth_scene::interfaces::Message;

use smooth_scene_test_support::{hex, robots_venv};

/// Whose DDS it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Vendor {
    /// Eclipse Cyclone DDS, the C library of Debian.
    Cyclone,
    /// Eclipse Cyclone DDS, newer, with the Python package of PyPI.
    CyclonePython,
    /// eProsima Fast DDS, of Debian.
    FastDds,
    /// Our own layer, asking as Fast DDS does.
    OursLikeFastDds,
    /// Our own layer, asking as Cyclone does.
    OursLikeCyclone,
}

/// All that are not ours.
pub const VENDORS: [Vendor; 3] = [Vendor::Cyclone, Vendor::FastDds, Vendor::CyclonePython];

/// How long answers may take before they count as lost, ms. Machines that test are slow machines.
pub const PATIENCE: u64 = 20_000;

/// The network with this address, found by multicast.
fn cyclone_settings(address: &str) -> String {
    format!(
        "<CycloneDDS><Domain><General><Interfaces>\
         <NetworkInterface address=\"{address}\" multicast=\"true\"/></Interfaces><AllowMulticast>true</AllowMulticast>\
         </General><Discovery><ParticipantIndex>auto</ParticipantIndex><MaxAutoParticipantIndex>119</MaxAutoParticipantIndex>\
         </Discovery></Domain></CycloneDDS>"
    )
}

/// A running peer. Dropping it kills it, as crashes do.
pub struct Peer {
    vendor: Vendor,
    process: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    clients: usize,
    publishers: usize,
    subscribers: usize,
}

/// A client, publisher or subscriber of a peer.
#[derive(Debug, Clone, Copy)]
pub struct Handle(usize);

impl Peer {
    /// On this machine.
    pub fn start(vendor: Vendor, domain: u16) -> Self {
        let mut command = Self::command(vendor, domain, "127.0.0.1");
        command.env("ROS_LOCALHOST_ONLY", "1");
        Self::run(vendor, command)
    }

    /// What starts a peer on the network with this address.
    pub fn command(vendor: Vendor, domain: u16, address: &str) -> Command {
        let mut command = program(vendor);
        command
            .env("ROS_DOMAIN_ID", domain.to_string())
            .env("CYCLONEDDS_URI", cyclone_settings(address))
            .env("PEER_ADDRESS", address);
        command
    }

    /// Starts a peer.
    pub fn run(vendor: Vendor, mut command: Command) -> Self {
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let input = process.stdin.take();
        let output = BufReader::new(process.stdout.take().unwrap());
        Self { vendor, process, input, output, clients: 0, publishers: 0, subscribers: 0 }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    fn hear(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        if !line.ends_with('\n') {
            panic!(
                "the peer on {:?} is gone: {:?}, it said `{line}`",
                self.vendor,
                self.process.wait()
            );
        }
        line.trim_end().to_string()
    }

    fn expect_ok(&mut self, line: &str) {
        self.say(line);
        let answer = self.hear();
        assert_eq!(answer, "ok", "{}", line.chars().take(100).collect::<String>());
    }

    /// A client of a service by name and type, once the server is there.
    pub fn client(&mut self, name: &str, type_name: &str) -> Handle {
        self.expect_ok(&format!("client {name} {type_name} {}", 3 * PATIENCE));
        self.clients += 1;
        Handle(self.clients - 1)
    }

    /// Asks with bytes; nothing when there is no answer in time.
    pub fn call_bytes(&mut self, client: Handle, request: &[u8], ms: u64) -> Option<Vec<u8>> {
        self.say(&format!("call {} {ms} {}", client.0, hex::encode(request)));
        let answer = self.hear();
        answer.strip_prefix("reply ").map(hex::decode)
    }

    /// Asks.
    pub fn call<Q: Message, A: Message>(&mut self, client: Handle, request: &Q) -> A {
        let answer = self.call_bytes(client, &cdr::encode(request), PATIENCE);
        let answer = answer.unwrap_or_else(|| panic!("no answer in time to {:?}", self.vendor));
        cdr::decode(&answer).unwrap()
    }

    /// Asks a service for the first time.
    pub fn ask<Q: Message, A: Message>(&mut self, name: &str, type_name: &str, request: &Q) -> A {
        let client = self.client(name, type_name);
        self.call(client, request)
    }

    /// Asks and does not wait for the answer.
    pub fn send(&mut self, client: Handle, request: &[u8]) {
        self.expect_ok(&format!("send {} {}", client.0, hex::encode(request)));
    }

    /// Lets the peer ask everything in a file without us in between; `finish_calls` waits for it.
    pub fn start_calls(&mut self, client: Handle, requests: &Path, answers: &Path) {
        let (requests, answers) = (requests.display(), answers.display());
        self.say(&format!("calls {} {PATIENCE} {requests} {answers}", client.0));
    }

    /// Lets the peer ask everything in a file at once; `finish_calls` waits for it.
    #[allow(dead_code, reason = "the benchmark has no need")]
    pub fn start_burst(&mut self, client: Handle, requests: &Path, answers: &Path) {
        let (requests, answers) = (requests.display(), answers.display());
        self.say(&format!("burst {} {PATIENCE} {requests} {answers}", client.0));
    }

    /// `done`, or how many were not answered.
    pub fn finish_calls(&mut self) -> String {
        self.hear()
    }

    /// A publisher, once somebody listens.
    pub fn advertise(&mut self, topic: &str, type_name: &str, qos: &str) -> Handle {
        self.expect_ok(&format!("advertise {topic} {type_name} {qos}"));
        self.publishers += 1;
        self.expect_ok(&format!("matched {} {PATIENCE}", self.publishers - 1));
        Handle(self.publishers - 1)
    }

    /// Publishes.
    pub fn publish<M: Message>(&mut self, publisher: Handle, message: &M) {
        self.publish_bytes(publisher, &cdr::encode(message));
    }

    /// Publishes bytes.
    pub fn publish_bytes(&mut self, publisher: Handle, bytes: &[u8]) {
        self.expect_ok(&format!("publish {} {}", publisher.0, hex::encode(bytes)));
    }

    /// A subscriber.
    pub fn subscribe(&mut self, topic: &str, type_name: &str, qos: &str) -> Handle {
        self.expect_ok(&format!("subscribe {topic} {type_name} {qos}"));
        self.subscribers += 1;
        Handle(self.subscribers - 1)
    }

    /// The next messages: as many as asked for unless time runs out.
    pub fn take<M: Message>(&mut self, subscriber: Handle, n: usize, ms: u64) -> Vec<M> {
        self.say(&format!("take {} {n} {ms}", subscriber.0));
        let mut messages = Vec::new();
        loop {
            let line = self.hear();
            match line.strip_prefix("message ") {
                Some(text) => messages.push(cdr::decode(&hex::decode(text)).unwrap()),
                None => break,
            }
        }
        messages
    }
}

/// An endpoint of another participant, as the peer's discovery has it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(dead_code, reason = "the benchmark has no need")]
pub struct Endpoint {
    pub topic: String,
    pub type_name: String,
    pub user_data: String,
}

impl Peer {
    /// The endpoints that were discovered since the last time.
    #[allow(dead_code, reason = "the benchmark has no need")]
    pub fn endpoints(&mut self) -> Vec<Endpoint> {
        self.say("endpoints");
        let mut endpoints = Vec::new();
        loop {
            let line = self.hear();
            match line.split(' ').collect::<Vec<_>>()[..] {
                ["endpoint", topic, type_name, user_data] => endpoints.push(Endpoint {
                    topic: topic.to_owned(),
                    type_name: type_name.to_owned(),
                    user_data: user_data.to_owned(),
                }),
                _ => break,
            }
        }
        endpoints
    }

    /// Ends the peer as a program ends that says goodbye.
    #[allow(dead_code, reason = "the benchmark has no need")]
    pub fn leave(mut self) {
        self.input = None;
        let _ = self.process.wait();
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The program of a peer.
fn program(vendor: Vendor) -> Command {
    match vendor {
        Vendor::Cyclone => Command::new(compiled("cyclone", &["-lddsc"])),
        Vendor::FastDds => Command::new(compiled("fastdds", &["-lfastrtps", "-lfastcdr"])),
        Vendor::OursLikeFastDds => ours("rmw_fastrtps_cpp"),
        Vendor::OursLikeCyclone => ours("rmw_cyclonedds_cpp"),
        Vendor::CyclonePython => {
            let mut python = Command::new(robots_venv::program("python"));
            python.arg(sources().join("cyclone.py"));
            python
        }
    }
}

fn ours(middleware: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dds_peer"));
    command.env("RMW_IMPLEMENTATION", middleware).env_remove("ROS_LOCALHOST_ONLY");
    command
}

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/smooth_scene/interop/peers")
}

/// A library to be loaded before all others into a program whose wall clock is to be moved; see its source.
#[allow(dead_code, reason = "the benchmark has no need")]
pub fn wall_clock_library() -> PathBuf {
    compiled("wall_clock", &["-shared", "-fPIC"])
}

/// Where a program or library is; compiled if it is older than its source.
fn compiled(source: &str, options: &[&str]) -> PathBuf {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let sources = sources();
    let executable = std::env::current_exe().unwrap();
    let folder = executable.ancestors().nth(3).unwrap().join("interop-peers");
    std::fs::create_dir_all(&folder).unwrap();
    let program = folder.join(source);
    let source = sources.join(format!("{source}.cpp"));
    let age = |path: &Path| path.metadata().and_then(|meta| meta.modified()).ok();
    let newest = age(&source).max(age(&sources.join("peer.hpp")));
    if age(&program) < newest {
        // Under another name first: somebody else may be running the old one.
        let made = folder.join(format!("{}.new", std::process::id()));
        let compiler = Command::new("g++")
            .args(["-std=c++17", "-O2", "-Wall", "-o"])
            .args([&made, &source])
            .args(options)
            .output()
            .expect("g++ is missing: run tests/robots/install.sh");
        let errors = String::from_utf8_lossy(&compiler.stderr);
        assert!(
            compiler.status.success(),
            "run tests/robots/install.sh if headers are missing:\n{errors}"
        );
        std::fs::rename(&made, &program).unwrap();
    }
    program
}
