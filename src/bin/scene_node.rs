//! The scene node: parse arguments, choose a transport, run until a signal.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use smooth_scene::node::parameters::PARAMETERS;
use smooth_scene::node::{Rosout, SceneNode};
use smooth_scene::transport::connect;
use smooth_scene::transport::ros_args::RosArgs;
use tokio::signal::unix::{SignalKind, signal};

/// Its name unless the arguments say otherwise.
const NODE: &str = "scene_node";

type Failure = Box<dyn std::error::Error>;

const INTERFACE: &str = "\
Listens to joint_states; robot_description, robot_description_semantic, robot_description_scs (latched; a parameter of
the same name comes first); planning_scene, collision_object, attached_collision_object; /clock with use_sim_time.
Publishes ~/proximities, ~/markers, monitored_planning_scene, /diagnostics, /rosout, /parameter_events.
Serves ~/get_distance, ~/check_states, ~/check_motion, ~/apply_scene, ~/get_scene; check_state_validity,
check_multi_state_validity, apply_planning_scene, get_planning_scene as MoveIt; the parameter services.
ROS arguments follow --ros-args: -r FROM:=TO, -r __node:=NAME, -r __ns:=/NAMESPACE, -p NAME:=VALUE, --params-file FILE,
--log-level LEVEL.";

/// A planning scene of smooth surfaces as a ROS 2 node
#[derive(Debug, Parser)]
#[command(version, after_help = INTERFACE, after_long_help = long_help())]
struct Arguments {
    /// Robot description, as the parameter robot_description
    #[arg(long, value_name = "FILE")]
    urdf: Option<PathBuf>,
    /// Groups and pairs that may touch, as the parameter robot_description_semantic
    #[arg(long, value_name = "FILE")]
    srdf: Option<PathBuf>,
    /// Surfaces that replace collisions, as the parameter robot_description_scs
    #[arg(long, value_name = "FILE")]
    sidecar: Option<PathBuf>,
}

fn long_help() -> String {
    let mut text = format!("{INTERFACE}\n\nParameters:\n");
    for parameter in PARAMETERS {
        let range = parameter.range_in_words();
        let range = if range.is_empty() { range } else { format!(" ({range})") };
        text.push_str(&format!("  {}{range}\n      {}\n", parameter.name, parameter.description));
    }
    text
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("scene_node: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), Failure> {
    let (_, rest) = RosArgs::take_from(std::env::args().skip(1))?;
    let arguments = Arguments::parse_from(["scene_node".to_owned()].into_iter().chain(rest));
    // Files come first, so that what stands after --ros-args wins.
    let mut words = vec!["--ros-args".to_owned()];
    for (name, file) in [
        ("robot_description", &arguments.urdf),
        ("robot_description_semantic", &arguments.srdf),
        ("robot_description_scs", &arguments.sidecar),
    ] {
        if let Some(file) = file {
            words.extend(["-p".to_owned(), format!("{name}:={}", quoted_text(file)?)]);
        }
    }
    if let Some(folder) = arguments.urdf.as_deref().and_then(Path::parent) {
        let folder = std::path::absolute(Path::new(".").join(folder))?;
        let folder = serde_json::to_string(&folder.display().to_string())?;
        words.extend(["-p".to_owned(), format!("description_folder:={folder}")]);
    }
    let (ros, _) =
        RosArgs::take_from(words.into_iter().chain(["--".into()]).chain(std::env::args().skip(1)))?;
    let rosout = Rosout::start(NODE, &ros)?;
    // Signals are caught before anything is started, so that none is missed.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    runtime.block_on(async {
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        let node = SceneNode::start(connect(NODE, &ros)?, rosout)?;
        tracing::info!("ready");
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        node.shutdown();
        Ok(())
    })
}

/// A text file as a string of YAML.
fn quoted_text(file: &Path) -> Result<String, Failure> {
    let text =
        std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(serde_json::to_string(&text)?)
}
