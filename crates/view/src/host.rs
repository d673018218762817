//! What a view looks at, and how it may be used.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use smooth_scene_robot::{GeometrySource, LinkGeometry, LoadedRobot, RobotState, Trajectory};
use smooth_scene_scene::{PlanningScene, SceneStore};

/// Where the robot is now, or why that is not known.
pub type LivePositions = Arc<dyn Fn(&PlanningScene) -> Result<Vec<f64>, String> + Send + Sync>;
/// Is told each state that a movement or a viewer puts the robot into.
pub type OnPositions = Box<dyn FnMut(&RobotState) + Send>;
/// The robot as it was read from its URDF, for writing it back.
pub type Described = Arc<dyn Fn() -> Option<Arc<LoadedRobot>> + Send + Sync>;

/// Makes the robot of a URDF and an SRDF the robot of the scene, or says why not.
pub type Describe = Box<dyn Fn(&str, &str) -> Result<(), String> + Send + Sync>;

/// Reads the bodies that the robot's description gives to one link, or to all links, with the triangles of their meshes; or
/// says why they cannot be read.
pub type Geometry =
    Arc<dyn Fn(GeometrySource, Option<&str>) -> Result<Vec<LinkGeometry>, String> + Send + Sync>;

/// What a view looks at.
pub struct ViewHost {
    /// The scene.
    pub store: Arc<SceneStore>,
    /// The robot, when it moves by itself.
    pub live: Option<LivePositions>,
    /// A movement to play.
    pub movement: Option<Trajectory>,
    /// The robot's URDF, when it came from one.
    pub described: Option<Described>,
    /// The bodies of the robot's links: visual ones are drawn behind its surfaces. Called when a viewer asks for them.
    pub geometry: Option<Geometry>,
    /// Puts a robot that was drawn in the page in the place of the one in the scene, when that is not the scene's alone:
    /// `described` and `geometry` are then those of the drawn robot.
    pub describe: Option<Describe>,
    /// Called with each state that is shown.
    pub on_positions: Option<OnPositions>,
    /// Which pairs the table of a new viewer lists: names of links, objects or groups, empty for all.
    pub between: [Vec<String>; 2],
}

impl ViewHost {
    /// A view of this scene, with the robot at rest.
    pub fn new(store: Arc<SceneStore>) -> Self {
        let between = [Vec::new(), Vec::new()];
        Self {
            store,
            live: None,
            movement: None,
            described: None,
            geometry: None,
            describe: None,
            on_positions: None,
            between,
        }
    }
}

impl std::fmt::Debug for ViewHost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ViewHost").field("between", &self.between).finish_non_exhaustive()
    }
}

/// How a view may be used.
#[derive(Debug, Clone, PartialEq)]
pub struct ViewOptions {
    /// Where to listen. Port 0 takes a free one.
    pub address: SocketAddr,
    /// Names of this machine under which the page may be opened, beside `localhost` and addresses: a foreign
    /// host name that resolves to this machine is refused.
    pub host_names: Vec<String>,
    /// Whether viewers may change the scene.
    pub editing: bool,
    /// Frames per second.
    pub rate: f64,
    /// Bodies nearer than this are close, m.
    pub close_distance: f64,
    /// How many pairs a table lists.
    pub listed_pairs: usize,
    /// Largest number of viewers.
    pub max_viewers: usize,
    /// Largest message of a viewer, in bytes.
    pub max_message_bytes: usize,
    /// A viewer that accepts no data for so long is disconnected.
    pub stall_time: Duration,
    /// Whether the movement plays from the start.
    pub playing: bool,
    /// Whether pages of other servers on this machine, such as notebooks, may show the view in a frame.
    pub in_frames: bool,
}

impl Default for ViewOptions {
    /// Loopback only, on a free port; editing allowed; 60 frames a second.
    fn default() -> Self {
        Self {
            address: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            host_names: Vec::new(),
            editing: true,
            rate: 60.0,
            close_distance: 0.01,
            listed_pairs: 12,
            max_viewers: 16,
            max_message_bytes: 64 << 10,
            stall_time: Duration::from_secs(5),
            playing: true,
            in_frames: false,
        }
    }
}
