//! The options of the sweep.

use clap::{Args, Subcommand};
use std::path::PathBuf;

/// Replays a movement, times every query about intersecting pairs and checks every answer.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, after_help = AFTER)]
pub(crate) struct SweepArguments {
    #[command(subcommand)]
    pub task: Option<Task>,
    #[command(flatten)]
    pub replay: ReplayArguments,
}

const AFTER: &str = "\
ROS arguments follow --ros-args: -r __node:=NAME, -r __ns:=/NAMESPACE, -r FROM:=TO.
Exit code: 0 done, also when --live was ended by Ctrl-C; 1 `compare` found something worse; 2 bad command line or input, or
no node answers; 130 interrupted: what was measured until then is printed.";

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Measure everything: the tables and figures of the papers, with all peers that were run.
    Tables(TablesArguments),
    /// Write the pairs as meshes, for the programs in benches/peers.
    Export {
        /// Folder for the files of pairs.
        folder: PathBuf,
        /// Random pairs of each kind.
        #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
        random: u32,
    },
    /// Compare two results.json: what became slower or less accurate, beyond the noise. Exit code 1 if something did, 2 for runs on
    /// different machines or of different movements, which do not compare.
    Compare {
        /// The earlier run.
        before: PathBuf,
        /// The later run.
        after: PathBuf,
    },
    /// Print the pairs of the grasp for which our answer or Parry's disagrees with the proven bounds, as JSON Lines.
    Disagreements,
    /// Answer a fixed set of pairs once, without timing: to count instructions under valgrind.
    FixedSet {
        /// Which query.
        #[arg(value_enum)]
        question: Question,
    },
}

/// The questions whose instructions are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Question {
    /// None: only the cost of loading the pairs.
    Nothing,
    YesNo,
    Depth,
    Warm,
    Certified,
}

#[derive(Debug, Args)]
pub(crate) struct TablesArguments {
    /// Folder for benchmarks.md and benchmarks/ (CSV, SVG, PNG, results.json).
    #[arg(long)]
    pub out: Option<PathBuf>,
    /// Folder with the answers of the mesh libraries.
    #[arg(long)]
    pub peers: Option<PathBuf>,
    /// How often each query is repeated; the shortest time counts.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub sweeps: u32,
    /// Random pairs of each kind.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub random: u32,
}

#[derive(Debug, Args)]
pub(crate) struct ReplayArguments {
    /// A robot instead of the bundled hands; all its pairs that may not touch are measured.
    #[arg(long, value_name = "URDF")]
    pub robot: Option<PathBuf>,
    /// Its SRDF.
    #[arg(long, requires = "robot")]
    pub srdf: Option<PathBuf>,
    /// A movement instead of the bundled one: a JointTrajectory in YAML, as `ros2 topic echo` prints it, or a recording of
    /// rosbag2 (folder or file, MCAP or SQLite3). A robot description in the recording is used.
    #[arg(long, value_name = "PATH")]
    pub from: Option<PathBuf>,
    /// The topic of joint states in the recording; otherwise all whose names end in joint_states.
    #[arg(long, requires = "from")]
    pub topic: Option<String>,
    /// Sample the movement at this many steps; otherwise a recording is replayed message by message.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub steps: Option<u32>,
    /// Write the movement as a recording of rosbag2 to this new folder, and measure nothing.
    #[arg(long, value_name = "DIR")]
    pub record: Option<PathBuf>,
    /// Measure the services of a scene node, as a planner sees them (with the bundled hands: the mixed ones). The node is
    /// started in this process, without a network, unless `--node` names a running one. Statistics go to /diagnostics.
    #[arg(long, group = "through_node", conflicts_with_all = ["live", "record"])]
    pub service: bool,
    /// Publish the joint states of the movement over ROS 2, and time how long the proximities of a scene node take to
    /// arrive. The node is started in this process unless `--node` names a running one. Statistics go to /diagnostics once a
    /// second.
    #[arg(long, group = "through_node", conflicts_with = "record")]
    pub live: bool,
    /// A running scene node, reached over ROS 2: /left/scene_node, or scene_node in the namespace of this program.
    /// Its robot is read from its parameters, unless --robot names one.
    #[arg(long, value_name = "NAME", requires = "through_node")]
    pub node: Option<String>,
    /// Joint states per second; otherwise at the times of the movement.
    #[arg(long, value_name = "HZ", requires = "live", allow_negative_numbers = true, value_parser = rate)]
    pub rate: Option<f64>,
    /// Repeat until Ctrl-C.
    #[arg(long = "loop", requires = "live")]
    pub repeat: bool,
    /// Publish simulated time on /clock and stamp with it.
    #[arg(long, requires = "live")]
    pub sim_time: bool,
    /// Save tables, figures and results.json in this folder.
    #[arg(long, value_name = "DIR", conflicts_with = "record")]
    pub out: Option<PathBuf>,
    /// How often each query in this process is repeated; the shortest time counts.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000), conflicts_with_all = ["service", "live", "record"])]
    pub sweeps: u32,
}

fn rate(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(rate) if (0.001..=100_000.0).contains(&rate) => Ok(rate),
        _ => Err("must be 0.001 to 100000".into()),
    }
}
