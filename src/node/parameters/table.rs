//! Every parameter, once: name, kind, range, whether it may change, and what it means. Its default is that of its
//! [`Settings`] field.

use std::ops::RangeInclusive;

use super::settings::Settings;

/// Whether a parameter may be set while the node runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// It may, and takes effect at once.
    AnyTime,
    /// Only at start.
    AtStart,
}

/// The field of [`Settings`] a parameter sets, and what it may be set to.
#[derive(Debug, Clone)]
pub enum Field {
    /// A switch.
    Switch(fn(&mut Settings) -> &mut bool),
    /// A number of things.
    Count(fn(&mut Settings) -> &mut usize, RangeInclusive<i64>),
    /// A quantity.
    Number(fn(&mut Settings) -> &mut f64, RangeInclusive<f64>),
    /// Any text.
    Text(fn(&mut Settings) -> &mut String),
    /// One of these words.
    Choice(fn(&mut Settings) -> &mut String, &'static [&'static str]),
    /// Several texts.
    Texts(fn(&mut Settings) -> &mut Vec<String>),
}

/// One parameter.
#[derive(Debug, Clone)]
pub struct Declaration {
    /// Its name.
    pub name: &'static str,
    /// Where it is kept and what it may be.
    pub field: Field,
    /// Whether it may change.
    pub change: Change,
    /// What it means.
    pub description: &'static str,
}

const fn at_any_time(name: &'static str, field: Field, description: &'static str) -> Declaration {
    Declaration { name, field, change: Change::AnyTime, description }
}

const fn at_start(name: &'static str, field: Field, description: &'static str) -> Declaration {
    Declaration { name, field, change: Change::AtStart, description }
}

use Field::{Choice, Count, Number, Switch, Text, Texts};

/// Lengths of the node's own thresholds, m.
const LENGTH: RangeInclusive<f64> = 0.0..=1e3;
/// Rates, Hz: from once in a hundred seconds to as often as joint states come.
const RATE: RangeInclusive<f64> = 0.01..=1e3;
/// Objects, states and so on: beyond it memory is the limit.
const MANY: RangeInclusive<i64> = 1..=100_000_000;

/// All parameters, in order of name.
pub static PARAMETERS: &[Declaration] = &[
    at_any_time(
        "close_distance",
        Number(|s| &mut s.close_distance, LENGTH),
        "m; links nearer than this to something they may not touch are shown in orange",
    ),
    at_any_time(
        "default_padding",
        Number(|s| &mut s.default_padding, LENGTH),
        "m; added to every link towards objects of the world, unless a client has set its padding",
    ),
    at_any_time(
        "default_self_padding",
        Number(|s| &mut s.default_self_padding, LENGTH),
        "m; added to every link towards the rest of the robot, unless a client has set its padding",
    ),
    at_any_time(
        "description_folder",
        Text(|s| &mut s.description_folder),
        "what relative mesh names of the description are relative to; when empty, the folder the node was started in",
    ),
    at_start(
        "lifecycle",
        Switch(|s| &mut s.lifecycle),
        "start as a managed node: unconfigured, until ros2 lifecycle set or a launch file configures and activates it",
    ),
    at_any_time(
        "limits.cloud_points",
        Count(|s| &mut s.limits.cloud_points, MANY),
        "points of one cloud",
    ),
    at_any_time(
        "limits.mesh_vertices",
        Count(|s| &mut s.limits.mesh_vertices, MANY),
        "vertices of one mesh in a request",
    ),
    at_any_time(
        "limits.message_bytes",
        Count(|s| &mut s.limits.message_bytes, 1024..=1 << 31),
        "bytes of one request or message",
    ),
    at_any_time(
        "limits.objects",
        Count(|s| &mut s.limits.objects, MANY),
        "objects of the world and attached ones together",
    ),
    at_any_time(
        "limits.results",
        Count(|s| &mut s.limits.results, MANY),
        "pairs or contacts in one response",
    ),
    at_any_time("limits.states", Count(|s| &mut s.limits.states, MANY), "states of one request"),
    at_any_time(
        "limits.surfaces_per_object",
        Count(|s| &mut s.limits.surfaces_per_object, 1..=100_000),
        "surfaces of one object",
    ),
    at_any_time(
        "limits.waypoints",
        Count(|s| &mut s.limits.waypoints, MANY),
        "waypoints of one motion",
    ),
    at_any_time("markers.contacts", Switch(|s| &mut s.markers.contacts), "show contacts in red"),
    at_any_time(
        "markers.distances",
        Switch(|s| &mut s.markers.distances),
        "show lines between the nearest points of near pairs",
    ),
    at_any_time("markers.labels", Switch(|s| &mut s.markers.labels), "show distances as text"),
    at_any_time("markers.normals", Switch(|s| &mut s.markers.normals), "show contact normals"),
    at_any_time(
        "markers.surfaces",
        Switch(|s| &mut s.markers.surfaces),
        "show the surfaces of links and objects",
    ),
    at_any_time(
        "max_proximities",
        Count(|s| &mut s.max_proximities, 1..=1_000_000),
        "pairs in one message of ~/proximities, the nearest ones",
    ),
    at_any_time(
        "max_state_age",
        Number(|s| &mut s.max_state_age, 0.0..=1e6),
        "s; a joint not heard of for longer is stale, and questions that need it are refused; 0 for no limit",
    ),
    at_any_time(
        "mesh_policy",
        Choice(|s| &mut s.mesh_policy, &["require", "leave_out", "skip"]),
        "what to do about mesh files of the next description: an unusable one is an error (require), is left out with \
         a warning (leave_out), or none is opened (skip)",
    ),
    at_any_time(
        "package_path",
        Texts(|s| &mut s.package_path),
        "folders that are packages or contain some, for package:// meshes of the next description; they come before \
         ROS_PACKAGE_PATH and AMENT_PREFIX_PATH",
    ),
    at_any_time(
        "planning.levels",
        Switch(|s| &mut s.planning_levels),
        "plan with two models where robot_description_scs gives surfaces: these, and the collisions of the URDF; what \
         either proves free is free",
    ),
    at_any_time(
        "proximity_distance",
        Number(|s| &mut s.proximity_distance, LENGTH),
        "m; pairs nearer than this are published and shown",
    ),
    at_any_time(
        "publish_rate",
        Number(|s| &mut s.publish_rate, RATE),
        "Hz; how often proximities and markers are published at most, while the state changes",
    ),
    at_any_time(
        "query.certify",
        Switch(|s| &mut s.certify),
        "prove every penetration depth from both sides, also where the request does not ask for it",
    ),
    at_any_time(
        "query.depth_budget",
        Count(|s| &mut s.depth_budget, 1..=100_000_000),
        "directions that the proof of a depth may visit",
    ),
    at_any_time(
        "query.depth_tolerance",
        Number(|s| &mut s.depth_tolerance, 1e-12..=1.0),
        "relative width of the bounds at which the proof of a depth ends",
    ),
    at_any_time(
        "query.gap_tolerance",
        Number(|s| &mut s.gap_tolerance, 1e-15..=1e-2),
        "relative width of the bounds at which a distance counts as found",
    ),
    at_start(
        "queue_bytes",
        Count(|s| &mut s.queue_bytes, 1024..=1 << 40),
        "bytes of requests that may wait; beyond it requests are refused as overloaded",
    ),
    at_start(
        "queue_length",
        Count(|s| &mut s.queue_length, 1..=1_000_000),
        "requests that may wait; beyond it requests are refused as overloaded",
    ),
    at_any_time(
        "robot_description",
        Text(|s| &mut s.robot_description),
        "URDF of the robot; when empty it comes from the topic robot_description",
    ),
    at_any_time(
        "robot_description_scs",
        Text(|s| &mut s.robot_description_scs),
        "YAML with surfaces that replace the collisions of the links it names; when empty it comes from the topic \
         robot_description_scs, if anybody publishes it",
    ),
    at_any_time(
        "robot_description_semantic",
        Text(|s| &mut s.robot_description_semantic),
        "SRDF of the robot; when empty it comes from the topic robot_description_semantic, if anybody publishes it",
    ),
    at_any_time(
        "scene_publish_rate",
        Number(|s| &mut s.scene_publish_rate, RATE),
        "Hz; how often monitored_planning_scene is published at most, while the scene or the state changes",
    ),
    at_start(
        "service_introspection",
        Choice(|s| &mut s.service_introspection, &["disabled", "metadata", "contents"]),
        "what is published about every request and response on SERVICE/_service_event",
    ),
    at_any_time(
        "tf.cache_time",
        Number(|s| &mut s.tf.cache_time, 0.1..=3600.0),
        "s; how long transforms of /tf are kept",
    ),
    at_start(
        "tf.enabled",
        Switch(|s| &mut s.tf.enabled),
        "listen to /tf and /tf_static, for frames of requests that the scene does not know",
    ),
    at_any_time(
        "tf.timeout",
        Number(|s| &mut s.tf.timeout, 0.0..=10.0),
        "s; how long a request or message waits for a transform before it is refused",
    ),
    at_any_time(
        "use_sim_time",
        Switch(|s| &mut s.use_sim_time),
        "take the time from the topic /clock",
    ),
    at_start(
        "view.address",
        Text(|s| &mut s.view.address),
        "address the browser view listens on; anything but loopback lets others on the network look, and edit",
    ),
    at_start(
        "view.editing",
        Switch(|s| &mut s.view.editing),
        "whether viewers may change surfaces and objects",
    ),
    at_start("view.enabled", Switch(|s| &mut s.view.enabled), "show the scene in the browser"),
    at_start(
        "view.port",
        Count(|s| &mut s.view.port, 0..=65_535),
        "port of the browser view; 0 takes a free one",
    ),
    at_start(
        "worker_threads",
        Count(|s| &mut s.worker_threads, 2..=256),
        "threads that answer requests; one of them is kept free of long ones",
    ),
];

/// The parameter of this name.
pub fn find(name: &str) -> Option<&'static Declaration> {
    let place = PARAMETERS.binary_search_by(|declaration| declaration.name.cmp(name)).ok()?;
    PARAMETERS.get(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order_and_every_one_is_found() {
        assert!(PARAMETERS.windows(2).all(|pair| pair[0].name < pair[1].name));
        for declaration in PARAMETERS {
            assert_eq!(find(declaration.name).map(|found| found.name), Some(declaration.name));
        }
    }

    #[test]
    fn defaults_are_within_their_ranges() {
        let mut settings = Settings::default();
        for declaration in PARAMETERS {
            let within = match &declaration.field {
                Count(field, range) => range.contains(&(*field(&mut settings) as i64)),
                Number(field, range) => range.contains(field(&mut settings)),
                Choice(field, words) => words.contains(&field(&mut settings).as_str()),
                Switch(_) | Text(_) | Texts(_) => true,
            };
            assert!(within, "{}", declaration.name);
        }
    }
}
