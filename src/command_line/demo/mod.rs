//! `smooth_scene demo`: the bundled hands, a recorded robot or anybody's, its movement in a loop, and the page that shows it.

mod bag;
mod bundled;
mod failure;
mod geometry;
mod node;
mod own_robot;
mod summary;

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::interrupt;
use super::print::print;
use crate::robot::RobotState;
use crate::scene::WorldFile;
use crate::transport::ros_args::RosArgs;
use crate::view::{ViewHost, ViewOptions, ViewServer};
use clap::Args;

use super::reach::Reach;
use crate::transport::memory::MemoryBus;
use bundled::Bundle;
use failure::DemoFailure;
use node::{DemoNode, JointStatePublisher};
use own_robot::RobotFiles;

/// The options of `demo`.
#[derive(Debug, Args)]
pub(crate) struct DemoArguments {
    /// Play the joint states of this recording instead of the grasp: a folder of rosbag2, an MCAP or an SQLite3 file
    ///
    /// The robot is the one that the recording describes (topic `robot_description`, with `robot_description_semantic` if
    /// there is one), else the bundled iCub hands, with or without arms. Between messages joints move on straight lines.
    #[arg(long, value_name = "PATH")]
    pub bag: Option<PathBuf>,

    #[command(flatten)]
    pub robot: RobotFiles,

    /// Start with an empty scene in which a robot is drawn in the page
    #[arg(long, conflicts_with_all = ["bag", "urdf", "once", "no_view"])]
    pub sketch: bool,

    /// Objects in the world and on the robot: a world file, or a scene of MoveIt as YAML
    #[arg(long, value_name = "FILE")]
    pub world: Option<PathBuf>,

    /// Replay the movement once without the page, print what was found, and exit
    #[arg(long)]
    pub once: bool,

    /// Port of the page; 0 takes a free one
    #[arg(long, value_name = "PORT", default_value_t = DEFAULT_PORT)]
    pub port: u16,

    /// Address of the page; anything but loopback lets others on the network view and edit
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub address: IpAddr,

    /// States a second
    #[arg(long, value_name = "HZ", default_value_t = 60.0, allow_negative_numbers = true, value_parser = rate)]
    pub rate: f64,

    /// Keep to this process: no joint states, topics or services on ROS 2
    #[arg(long)]
    pub no_ros: bool,

    /// Do not serve the page
    #[arg(long, visible_alias = "no-browser")]
    pub no_view: bool,

    /// Viewers cannot edit
    #[arg(long)]
    pub read_only: bool,
}

/// Not a usual port of development servers.
const DEFAULT_PORT: u16 = 8460;

impl Default for DemoArguments {
    fn default() -> Self {
        Self {
            bag: None,
            robot: RobotFiles::default(),
            sketch: false,
            world: None,
            once: false,
            port: DEFAULT_PORT,
            address: IpAddr::from([127, 0, 0, 1]),
            rate: 60.0,
            no_ros: false,
            no_view: false,
            read_only: false,
        }
    }
}

fn rate(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if (1.0..=1000.0).contains(&value) => Ok(value),
        _ => Err("must be a number from 1 to 1000".to_owned()),
    }
}

/// Runs until the movement is over, or until Ctrl-C.
pub(crate) fn run(arguments: &DemoArguments, ros: &RosArgs) -> Result<(), DemoFailure> {
    let mut bundle = match (&arguments.bag, &arguments.robot.urdf) {
        (Some(path), _) => bag::load(path)?,
        (None, Some(urdf)) => Bundle::new(own_robot::load(urdf, &arguments.robot)?, None),
        (None, None) if arguments.sketch => Bundle::empty()?,
        (None, None) => Bundle::load()?,
    };
    let world = arguments.world.as_ref().map(WorldFile::load).transpose()?;
    if let Some(world) = &world {
        // Objects that do not fit the robot are refused before anything is started.
        world.add_to(&mut bundle.described.scene)?;
        for note in world.notes() {
            eprintln!("{note}");
        }
    }
    if arguments.once {
        let movement = bundle.movement.as_ref();
        let movement = movement.expect("--once is refused with --urdf, and the other robots move");
        return print(&summary::replay(&bundle, movement)?).map_err(DemoFailure::Output);
    }
    let interrupted = interrupt::watch().map_err(DemoFailure::Signals)?;
    let reach = match arguments.no_ros {
        true => Reach::Process(MemoryBus::new()),
        false => Reach::Ros,
    };
    let node = DemoNode::start(&reach, &bundle.described, ros)?;
    if let Some(world) = &world {
        node.add_world(world)?;
    }
    let joint_states = node.joint_states()?;
    if arguments.no_view {
        let does = if bundle.movement.is_some() { "moves" } else { "rests" };
        let title = title(arguments, &bundle);
        let line = format!("{title} {does} on the topic joint_states (Ctrl-C ends)\n");
        print(&line).map_err(DemoFailure::Output)?;
        return play(&bundle, &joint_states, arguments.rate, &interrupted);
    }
    let title = title(arguments, &bundle);
    let view = serve(arguments, bundle, &node, joint_states)?;
    let place = if arguments.sketch { "#draw" } else { "" };
    let line = format!("{title}: {}{place}  (Ctrl-C ends)\n", view.url());
    print(&line).map_err(DemoFailure::Output)?;
    while !interrupted.load(Ordering::Relaxed) {
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

/// Title of what is shown.
fn title(arguments: &DemoArguments, bundle: &Bundle) -> String {
    if arguments.sketch {
        return "A robot to be drawn".into();
    }
    let file = arguments.bag.as_ref().or(arguments.robot.urdf.as_ref());
    let Some(path) = file else { return "The grasp of the two hands".into() };
    format!("`{}` of {}", bundle.described.scene.model().name(), path.display())
}

/// Repeats the movement without the page.
fn play(
    bundle: &Bundle,
    joint_states: &JointStatePublisher,
    rate: f64,
    interrupted: &AtomicBool,
) -> Result<(), DemoFailure> {
    let start = Instant::now();
    let model = bundle.described.scene.model();
    let rest = RobotState::new(Arc::clone(model));
    while !interrupted.load(Ordering::Relaxed) {
        let state = match &bundle.movement {
            Some(movement) => {
                let [first, last] = movement.time_range();
                let time = first + start.elapsed().as_secs_f64() % (last - first).max(1e-3);
                movement.state_at(model, time)?
            }
            None => rest.clone(),
        };
        joint_states.publish(&state);
        std::thread::sleep(Duration::from_secs_f64(1.0 / rate));
    }
    Ok(())
}

fn serve(
    arguments: &DemoArguments,
    bundle: Bundle,
    node: &DemoNode,
    joint_states: JointStatePublisher,
) -> Result<ViewServer, DemoFailure> {
    let close_distance = bundle.close_distance();
    let geometry = geometry::geometry(&bundle.described);
    let host = ViewHost {
        geometry,
        describe: Some(node.node.describe()),
        movement: bundle.movement,
        described: Some(node.node.described()),
        on_positions: Some(Box::new(move |state| joint_states.publish(state))),
        between: bundle.between,
        ..ViewHost::new(Arc::clone(node.node.store()))
    };
    let options = ViewOptions {
        address: SocketAddr::new(arguments.address, arguments.port),
        editing: !arguments.read_only,
        rate: arguments.rate,
        close_distance,
        ..ViewOptions::default()
    };
    Ok(ViewServer::start(host, options)?)
}
