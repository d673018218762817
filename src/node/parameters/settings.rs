//! The values of all parameters in one struct, which the rest of the node reads.

use std::path::PathBuf;
use std::time::Duration;

use crate::convert::Limits;
use crate::markers::MarkerSwitches;
use crate::query::{DepthMode, QueryOptions};
use crate::robot::{LoadOptions, MeshPolicy, Sidecar};

/// Every setting of the node. Each field is a parameter; the [table](super::PARAMETERS) says what it means and what it
/// may be.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)] // The fields are described in the table.
pub struct Settings {
    pub robot_description: String,
    pub robot_description_semantic: String,
    pub robot_description_scs: String,
    pub description_folder: String,
    pub package_path: Vec<String>,
    pub mesh_policy: String,
    pub use_sim_time: bool,
    pub lifecycle: bool,
    pub service_introspection: String,
    pub max_state_age: f64,
    pub proximity_distance: f64,
    pub close_distance: f64,
    pub max_proximities: usize,
    pub default_padding: f64,
    pub default_self_padding: f64,
    pub publish_rate: f64,
    pub scene_publish_rate: f64,
    pub markers: MarkerSwitches,
    pub planning_levels: bool,
    pub certify: bool,
    pub gap_tolerance: f64,
    pub depth_tolerance: f64,
    pub depth_budget: usize,
    pub view: ViewSettings,
    pub tf: TfSettings,
    pub limits: Limits,
    pub worker_threads: usize,
    pub queue_length: usize,
    pub queue_bytes: usize,
}

/// The browser view.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)] // As above.
pub struct ViewSettings {
    pub enabled: bool,
    pub address: String,
    pub port: usize,
    pub editing: bool,
}

/// Frames of others.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)] // As above.
pub struct TfSettings {
    pub enabled: bool,
    pub cache_time: f64,
    pub timeout: f64,
}

impl Default for TfSettings {
    fn default() -> Self {
        Self { enabled: true, cache_time: 10.0, timeout: 0.1 }
    }
}

impl TfSettings {
    /// How long moving frames are kept, in nanoseconds.
    pub fn cache_ns(&self) -> i64 {
        (self.cache_time * 1e9) as i64
    }

    /// How long a request waits for a transform.
    pub fn timeout(&self) -> Duration {
        Duration::from_secs_f64(self.timeout)
    }
}

impl Default for ViewSettings {
    fn default() -> Self {
        Self { enabled: false, address: "127.0.0.1".into(), port: 8460, editing: true }
    }
}

impl Default for Settings {
    fn default() -> Self {
        let query = QueryOptions::default();
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Self {
            robot_description: String::new(),
            robot_description_semantic: String::new(),
            robot_description_scs: String::new(),
            description_folder: String::new(),
            package_path: Vec::new(),
            mesh_policy: "require".into(),
            use_sim_time: false,
            lifecycle: false,
            service_introspection: "disabled".into(),
            max_state_age: 1.0,
            proximity_distance: 0.05,
            close_distance: 0.01,
            max_proximities: 1_000,
            default_padding: 0.0,
            default_self_padding: 0.0,
            publish_rate: 30.0,
            scene_publish_rate: 4.0,
            markers: MarkerSwitches::default(),
            planning_levels: false,
            certify: false,
            gap_tolerance: query.gap_tolerance,
            depth_tolerance: query.depth_tolerance,
            depth_budget: query.depth_budget as usize,
            view: ViewSettings::default(),
            tf: TfSettings::default(),
            limits: Limits::default(),
            // One for long questions and one for short ones at least.
            worker_threads: cores.max(2),
            queue_length: 1_000,
            queue_bytes: 256 << 20,
        }
    }
}

impl Settings {
    /// Tolerances of queries.
    pub fn query(&self) -> QueryOptions {
        QueryOptions {
            gap_tolerance: self.gap_tolerance,
            depth_mode: if self.certify { DepthMode::Certified } else { DepthMode::Fast },
            depth_tolerance: self.depth_tolerance,
            depth_budget: u32::try_from(self.depth_budget)
                .expect("the range of query.depth_budget"),
        }
    }

    /// How old a joint position may be, in nanoseconds.
    pub fn max_state_age_ns(&self) -> i64 {
        if self.max_state_age == 0.0 { i64::MAX } else { (self.max_state_age * 1e9) as i64 }
    }

    /// How to read robot descriptions; `sidecar` is the text that goes with them.
    pub fn load_options(&self, sidecar: Option<&str>) -> LoadOptions {
        let label = "robot_description_scs".to_string();
        LoadOptions {
            package_paths: self.package_path.iter().map(PathBuf::from).collect(),
            folder: (!self.description_folder.is_empty())
                .then(|| PathBuf::from(&self.description_folder)),
            sidecar: sidecar.map(|text| Sidecar::Text { label, text: text.into() }),
            meshes: match self.mesh_policy.as_str() {
                "leave_out" => MeshPolicy::LeaveOutUnusable,
                "skip" => MeshPolicy::Skip,
                "require" => MeshPolicy::Require,
                other => unreachable!("the table does not permit mesh_policy `{other}`"),
            },
            ..LoadOptions::default()
        }
    }

    /// The least time between two publications.
    pub fn publish_period(&self) -> Duration {
        Duration::from_secs_f64(1.0 / self.publish_rate)
    }

    /// The least time between two publications of the whole scene.
    pub fn scene_publish_period(&self) -> Duration {
        Duration::from_secs_f64(1.0 / self.scene_publish_rate)
    }
}
