//! The options of `plan` and its subcommands.

use super::super::load_scene::SceneArguments;
use super::super::robot_args::ReadingArguments;
use crate::plan::PlanOptions;
use clap::{Args, Subcommand, ValueEnum};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

const PLAN_DETAILS: &str = r#"States (--from, --to): every joint at zero or at the limit nearest to it, then what is given, as one of
  name=value,name=value,…   joints by name
  0.1,-0.5,…                one number for each joint of the group, in the order of the robot
  NAME or GROUP/NAME        a named state of the SRDF
  FILE                      a map, name: value, in YAML or JSON
The goal begins with the start: joints that it does not name stay where they are. For --to-pose a free state is searched
for from the start and from 100 random states.

Without --group every joint moves that can be planned for; floating joints stay where they are.

The path is printed when every edge of it is proven free in continuous time, the robot with itself included. A path that
is not proven is never printed. The same seed gives the same path.

--json prints one object, SI units:
  solved, proven   true, or false with reason
  seed             of this path; with --all-cores, of the thread that was first
  group, joints    what moves; group is null without --group
  path             waypoints, one list of numbers each, in the order of joints; straight in joint space between them
  length           rad and m counted alike
  clearance        no two bodies come closer, m; margins are subtracted
  segments         of each edge: clearance, nearest (the two bodies with the smallest proven clearance), pairs, parts
  near_ends        bodies closer than twice --clearance at an end: which, bodies, distance, kept (m)
  times            s, when it is at each waypoint or nearest to one that it goes around; with --acceleration, as are:
  duration, duration_with_stops   s, of the motion, and of one that stops at every waypoint
  curves           in the place of corners: waypoint, before and after (the shares of the two edges that they replace),
                   clearance
  points           time_from_start, positions, velocities: a trajectory; cubic polynomials between its points are the
                   motion, on curves to within a millionth of a radian or metre
  statistics       iterations, states, proofs, refuted
  first_length     length of the first connection, before it was made shorter; null where the straight way is free
  plan_us, proof_us  microseconds of the search with shortening, and of the proofs; null when --all-cores finds no path
  search_us, shorten_us  the two parts of plan_us
  improvements     with --improve, of each path: us (since the beginning), length
Without a path those from joints to near_ends and from times on are missing, path is null; bad input gives one object with error.

With --seeds: runs (a list of such objects) and summary:
  problems, solved, proven   how many were asked and answered
  search_us, shorten_us, plan_us, proof_us, total_us, iterations, first_length, length   of the paths, as above: each with mean,
                   std, min, p25, median, p75, p95, max; null without a path
  length_median, clearance_least
  states, proofs, refuted    sums of the runs with a path

Exit code: 0 proven, also after Ctrl-C during --improve once there is a path; 1 no path (start or goal in collision, or no
connection within the budget); 2 bad command line or bad input; 130 interrupted."#;

/// The options of `plan`: a question, or the subcommand.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_long_help = PLAN_DETAILS,
    after_help = "`--help` describes states, JSON output and exit codes."
)]
pub(crate) struct PlanArguments {
    #[command(subcommand)]
    pub task: Option<PlanTask>,

    #[command(flatten)]
    pub question: Option<QuestionArguments>,
}

/// The subcommands of `plan`.
#[derive(Debug, Subcommand)]
pub(crate) enum PlanTask {
    /// Solve all problems of a MotionBenchMaker folder and print a summary
    Benchmark(BenchmarkArguments),
    /// Plan for a snake, one and two Pandas and a cloud of points, with many seeds, and print times
    Experiments(ExperimentsArguments),
    /// Check a certificate that `plan --certificate` wrote, without the planner and without distance queries
    Verify(VerifyArguments),
}

const VERIFY_DETAILS: &str = r#"Robot, world, --margin, --surfaces and --levels have to be those that were planned with.

--json prints one object:
  verified         true, or false with reason
  clearance        no two bodies come closer, m; margins are subtracted; null where no two bodies could touch
  joints, path     names of all numbers of a state, and the waypoints that the certificate is about

Exit code: 0 verified, 1 not, 2 bad command line or bad input."#;

/// The options of `plan verify`.
#[derive(Debug, Args)]
#[command(after_long_help = VERIFY_DETAILS, after_help = "`--help` describes JSON output and exit codes.")]
pub(crate) struct VerifyArguments {
    /// The certificate
    #[arg(value_name = "CERTIFICATE")]
    pub certificate: PathBuf,

    #[command(flatten)]
    pub scene: SceneArguments,

    /// Distance that had to be kept between all bodies that may not touch, m
    #[arg(long, value_name = "METRES", default_value_t = 0.0, allow_negative_numbers = true)]
    pub margin: f64,

    /// The path was planned with two models of the robot
    #[arg(long, requires = "sidecar")]
    pub levels: bool,

    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
}

const EXPERIMENTS_DETAILS: &str = r#"--json prints one object with the field experiments, a list:
  experiment       its name
  surfaces, objects  convex surfaces of the robot, and objects around it
  problems, solved, proven   seeds that were planned with, and paths
  the other fields of the summary of `plan --seeds`, which `plan --help` describes
  free_in_the_real_scene   where the planner knows only a cloud: paths that are free in the scene of which it was taken, by looks at
                   200 states of each edge
or experiment and reason where nothing was planned. Of --published problems a start or goal in collision is such a reason and no
fault: some are not what their robot allows.

Exit code: 0 every seed has a path, and those before a cloud are free in the real scene, too; 1 otherwise; 2 bad command line or bad
input; 130 interrupted."#;

/// The options of `plan experiments`.
#[derive(Debug, Args)]
#[command(after_long_help = EXPERIMENTS_DETAILS, after_help = "`--help` describes JSON output and exit codes.")]
pub(crate) struct ExperimentsArguments {
    /// Plan each problem with so many seeds
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub seeds: u64,

    /// States to check for a seed before giving up; a proof of an edge counts as 200
    #[arg(long, value_name = "STATES", default_value_t = PlanOptions::default().max_states)]
    pub budget: u64,

    /// Plan for so many seeds at a time [default: one on each core]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,

    /// Only experiments whose names contain this; that there are none is an error
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,

    /// Instead of our own scenes the problems that the authors of the paper published: a clone of ChirikjianLab/cfc_collision_ros
    #[arg(long, value_name = "DIR")]
    pub published: Option<PathBuf>,

    /// Print one JSON object instead of a table
    #[arg(long)]
    pub json: bool,
}

/// One question for a planner. It was asked if `--from` is there: clap leaves the options of a group empty that has
/// flattened ones.
#[derive(Debug, Args)]
#[group(args = ["from"])]
pub(crate) struct QuestionArguments {
    #[command(flatten)]
    pub scene: SceneArguments,

    /// Where to start
    #[arg(long, value_name = "STATE", allow_hyphen_values = true)]
    pub from: String,

    /// Where to go
    #[arg(
        long,
        value_name = "STATE",
        allow_hyphen_values = true,
        required_unless_present = "to_pose"
    )]
    pub to: Option<String>,

    /// Where a link has to go instead: its name, then its pose in the frame of the robot's root
    #[arg(long, value_name = "LINK:x,y,z,qx,qy,qz,qw", conflicts_with = "to")]
    pub to_pose: Option<String>,

    /// Group of the SRDF that moves
    #[arg(long, value_name = "NAME", requires = "srdf")]
    pub group: Option<String>,

    #[command(flatten)]
    pub settings: SettingArguments,

    /// Largest acceleration of every joint, rad/s² or m/s²; with it the path has times, within the velocity limits of the
    /// robot description
    #[arg(long, value_name = "A", allow_negative_numbers = true, value_parser = above_zero)]
    pub acceleration: Option<f64>,

    /// With --acceleration, how far the motion may be from a corner that it goes around without a stop, rad and m counted
    /// alike; 0 stops at every waypoint. A curve that is not proven free is made smaller
    #[arg(long, value_name = "DISTANCE", default_value_t = 0.1, allow_negative_numbers = true, value_parser = zero_or_more)]
    pub blend: f64,

    /// Plan with so many seeds, from --seed on, and print statistics
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub seeds: u64,

    /// Plan on all cores, each with a seed of its own from --seed on, and take the first proven path. Which is first depends on
    /// the machine: the answer names its seed, and --seed with it gives the same path
    #[arg(long, conflicts_with = "seeds")]
    pub all_cores: bool,

    /// After the first path go on to shorter ones for so long, or until --budget is spent or Ctrl-C; each is proven, and its
    /// length is printed. The time counts from the first path
    #[arg(long, value_name = "SECONDS", conflicts_with_all = ["seeds", "all_cores"], value_parser = seconds)]
    pub improve: Option<Duration>,

    /// Also write the JSON object to this file
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Record the motion as a rosbag2 folder, which must not exist: /joint_states, /tf, /robot_description and
    /// /scene_node/markers. Without --acceleration joints accelerate by 1 rad/s² or m/s²
    #[arg(long, value_name = "DIR", conflicts_with = "seeds")]
    pub record: Option<PathBuf>,

    /// Moments of a recording in a second
    #[arg(long, value_name = "HZ", default_value_t = 50.0, requires = "record", value_parser = rate)]
    pub rate: f64,

    /// Write a picture of the path, SVG: the robot at its start, on the way and at its goal, and the way of its last link
    #[arg(long, value_name = "FILE", conflicts_with = "seeds")]
    pub picture: Option<PathBuf>,

    /// Write the certificate of the path to this file, JSON: what proves each of its edges free. `plan verify` checks it again
    #[arg(long, value_name = "FILE", conflicts_with = "seeds")]
    pub certificate: Option<PathBuf>,

    /// Replace output, picture and certificate if they are there
    #[arg(long)]
    pub force: bool,

    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
}

/// Seconds above zero.
fn seconds(text: &str) -> Result<Duration, String> {
    let number = text.parse::<f64>().map_err(|error| error.to_string())?;
    let given = Duration::try_from_secs_f64(number).map_err(|error| error.to_string())?;
    if given.is_zero() { Err("must be above 0".into()) } else { Ok(given) }
}

/// A rate of at most a thousand in a second.
fn rate(text: &str) -> Result<f64, String> {
    let is_rate = |number: f64| number > 0.0 && number <= 1000.0;
    number_that(is_rate, "above 0, at most 1000", text)
}

fn above_zero(text: &str) -> Result<f64, String> {
    number_that(|number| number > 0.0 && number.is_finite(), "above 0 and finite", text)
}

fn zero_or_more(text: &str) -> Result<f64, String> {
    number_that(|number| number >= 0.0 && number.is_finite(), "0 or more and finite", text)
}

/// A number in a range, which is described for whoever gives another one.
fn number_that(is_allowed: fn(f64) -> bool, range: &str, text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().map_err(|error| error.to_string())?;
    if is_allowed(number) { Ok(number) } else { Err(format!("must be {range}")) }
}

/// How to plan.
#[derive(Debug, Args)]
pub(crate) struct SettingArguments {
    /// Start of the random sequence
    #[arg(long, value_name = "N", default_value_t = PlanOptions::default().seed)]
    pub seed: u64,

    /// States to check before giving up; a proof of an edge counts as 200
    #[arg(long, value_name = "STATES", default_value_t = PlanOptions::default().max_states)]
    pub budget: u64,

    /// Distance that has to be kept between all bodies that may not touch, m; a start or goal that does not is refused
    #[arg(long, value_name = "METRES", default_value_t = 0.0, allow_negative_numbers = true)]
    pub margin: f64,

    /// Distance that the path keeps beyond the margin, m, so that other programs call it free too; bodies that are closer
    /// at the start or the goal keep half of their distance there
    #[arg(long, value_name = "METRES", default_value_t = PlanOptions::default().clearance, allow_negative_numbers = true)]
    pub clearance: f64,

    /// Cut the corners of the path so many times after it was shortened: some per cent shorter each time, with twice as many edges
    /// to be proven
    #[arg(long, value_name = "N", default_value_t = PlanOptions::default().corner_rounds, value_parser = clap::value_parser!(u32).range(0..=8))]
    pub corner_rounds: u32,

    /// Plan with two models of the robot: the surfaces of --surfaces and the collisions of the URDF itself. Both have to
    /// contain the robot; what either proves free is free
    #[arg(long, requires = "sidecar")]
    pub levels: bool,
}

impl SettingArguments {
    pub fn options(&self) -> PlanOptions {
        PlanOptions {
            seed: self.seed,
            max_states: self.budget,
            clearance: self.clearance,
            corner_rounds: self.corner_rounds,
            ..PlanOptions::default()
        }
    }
}

const BENCHMARK_DETAILS: &str = r#"A problem is a pair of files sceneNNNN.yaml and requestNNNN.yaml, in DIR or a folder below it. The robot is the one *.urdf
and the one *.srdf in DIR, unless --urdf and --srdf name others. Times are those of one thread on this machine.

--json prints one object a line for each problem, then one with the field summary. --paths writes the lines of the problems
to a file:
  problem, index       name of the folder and number of the files
  scene                the file of the scene, from DIR on
  the fields of an answer of `plan`, which `plan --help` describes
The summary has the fields of that of `plan --seeds`, and
  start_or_goal_in_collision   how many problems
  by_problem           such a summary for each name of a folder
  meshes               the check against the robot's meshes: paths, states, colliding, deepest (m), step (rad or m), by, and
                       collisions: problem, index, bodies, depth (m); or not_checked with the reason

Where Python has Pinocchio, Coal and PyYAML, every path is checked against the robot's meshes, in steps of 0.01 rad, by a
program that shares nothing with the planner. It refuses robots with joints that the problems do not move, or that turn without limits,
and scenes with meshes: then the summary is printed all the same, and the exit code is 2.

Exit code: 0 all solved, 1 some not or a path collides with the meshes, 2 bad command line or bad input, or the meshes could not be
checked, 130 interrupted."#;

/// The options of `plan benchmark`.
#[derive(Debug, Args)]
#[command(after_long_help = BENCHMARK_DETAILS, after_help = "`--help` describes folder and output.")]
pub(crate) struct BenchmarkArguments {
    /// Folder with the problems
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,

    /// Robot description
    #[arg(long, value_name = "FILE")]
    pub urdf: Option<PathBuf>,

    /// Groups and pairs that may touch
    #[arg(long, value_name = "FILE")]
    pub srdf: Option<PathBuf>,

    #[command(flatten)]
    pub reading: ReadingArguments,

    #[command(flatten)]
    pub settings: SettingArguments,

    /// Only every N-th problem
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub every: u64,

    /// Write one JSON object a line for each problem to this file
    #[arg(long, value_name = "FILE")]
    pub paths: Option<PathBuf>,

    /// Replace the file of --paths if it is there
    #[arg(long)]
    pub force: bool,

    /// When to check the paths against the robot's meshes with Coal
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = CheckMeshes::Installed)]
    pub check_meshes: CheckMeshes,

    /// Python with Pinocchio, Coal and PyYAML [default: of ROBOTS_VENV, VIRTUAL_ENV, target/robots-venv or PATH]
    #[arg(long, value_name = "PROGRAM")]
    pub python: Option<PathBuf>,

    /// Print JSON Lines instead of text
    #[arg(long)]
    pub json: bool,
}

/// When to check paths against the meshes of a robot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckMeshes {
    /// Where Python has Pinocchio and Coal; otherwise say so
    Installed,
    /// Without them it is an error
    Always,
    /// Not at all
    Never,
}
