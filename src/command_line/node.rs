//! `smooth_scene node` and `scene_node`: the scene node, until a signal ends it.

use std::convert::Infallible;
use std::path::{Path, PathBuf};

use crate::node::parameters::PARAMETERS;
use crate::node::services::{ServiceVisitor, for_each_service};
use crate::node::topics::{Direction, TOPICS};
use crate::node::{Endpoint, Rosout, SceneNode, Service};
use crate::transport::connect;
use crate::transport::ros_args::RosArgs;
use clap::Args;
use tokio::signal::unix::{SignalKind, signal};

/// Name of the node unless the ROS arguments give another.
const NODE: &str = "scene_node";

type Failure = Box<dyn std::error::Error>;

const ROS_ARGUMENTS: &str = "\
ROS arguments follow --ros-args: -r FROM:=TO, -r __node:=NAME, -r __ns:=/NAMESPACE, -p NAME:=VALUE, --params-file FILE,
--log-level LEVEL.";

/// A planning scene of smooth surfaces as a ROS 2 node
#[derive(Debug, Args)]
#[command(after_help = format!("{ROS_ARGUMENTS} `--help` lists topics, services and parameters."), after_long_help = long_help())]
pub(crate) struct NodeArguments {
    /// Robot description, as the parameter robot_description
    #[arg(long, value_name = "FILE")]
    urdf: Option<PathBuf>,
    /// Groups and pairs that may touch, as the parameter robot_description_semantic
    #[arg(long, value_name = "FILE")]
    srdf: Option<PathBuf>,
    /// Surfaces that replace collisions, as the parameter robot_description_scs
    #[arg(long = "surfaces", alias = "sidecar", value_name = "FILE")]
    sidecar: Option<PathBuf>,
}

fn long_help() -> String {
    let mut text = format!("{ROS_ARGUMENTS}\n");
    for (heading, direction) in
        [("Listens to", Direction::Subscribed), ("Publishes", Direction::Published)]
    {
        text.push_str(&format!("\n{heading}:\n"));
        for topic in TOPICS.iter().filter(|topic| topic.direction == direction) {
            text.push_str(&format!("  {:<28} {}\n", topic.name, topic.help));
        }
    }
    text.push_str("\nServes, besides the services of parameters:\n");
    let Ok(()) = for_each_service(&mut ServiceLines(&mut text));
    text.push_str("\nParameters:\n");
    for parameter in PARAMETERS {
        let range = parameter.range_in_words();
        let range = if range.is_empty() { range } else { format!(" ({range})") };
        text.push_str(&format!("  {}{range}\n      {}\n", parameter.name, parameter.description));
    }
    text
}

/// A line for each service.
struct ServiceLines<'a>(&'a mut String);

impl ServiceVisitor for ServiceLines<'_> {
    type Error = Infallible;

    fn visit<S: Service>(&mut self, endpoint: &'static Endpoint, _: S) -> Result<(), Infallible> {
        self.0.push_str(&format!("  {:<28} {}\n", endpoint.name, endpoint.help));
        Ok(())
    }
}

/// Runs the node.
pub(crate) fn run(arguments: &NodeArguments, mut ros: RosArgs) -> Result<(), Failure> {
    for (name, file) in [
        ("robot_description", &arguments.urdf),
        ("robot_description_semantic", &arguments.srdf),
        ("robot_description_scs", &arguments.sidecar),
    ] {
        if let Some(file) = file {
            ros.default_text(name, read(file)?);
        }
    }
    if let Some(folder) = arguments.urdf.as_deref().and_then(Path::parent) {
        let folder = std::path::absolute(Path::new(".").join(folder))?;
        ros.default_text("description_folder", folder.display().to_string());
    }
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

fn read(file: &Path) -> Result<String, Failure> {
    let text = std::fs::read_to_string(file);
    Ok(text.map_err(|error| format!("{}: {error}", file.display()))?)
}
