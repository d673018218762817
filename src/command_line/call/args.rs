//! The command line of `call`.

use clap::Args;
use std::time::Duration;

const DETAILS: &str = r#"SERVICE is a short name (`--list` shows them) or a whole one such as /left/scene_node/get_distance.
REQUEST is YAML, as `ros2 service call` takes it; fields that are left out have their defaults:

  smooth_scene call get_distance '{max_distance: 0.05, max_results: 3}'
  smooth_scene call check_states '{joint_names: [elbow], positions: [0.1, 0.2]}' --json
  smooth_scene call apply_scene '{changes: [{operation: REMOVE, object: {id: cup}}]}'
  smooth_scene call get_scene --ros-args -r __ns:=/left

Numbers of enumerations have names (OK, ADD, BOX, …) in answers, and may be given by name in requests; flags are joined by |.

Without REQUEST, requests are read from standard input, one a line, and every answer is one line of JSON, written before the
next line is read. A line that cannot be sent or answered gives {"error": …}, and the session goes on. (When standard input
is a terminal, one empty request is sent.)

Options of ROS follow --ros-args: the namespace (-r __ns:=/left), remapping rules. ROS_DOMAIN_ID chooses the domain,
RMW_IMPLEMENTATION how requests are sent (default rmw_fastrtps_cpp; scene_node answers both).

Exit code: 0 answered, 1 refused or not computed (of a session: at least one line), 2 bad input or no answer,
130 interrupted (Ctrl-C in a session)."#;

/// The options of `call`.
#[derive(Debug, Args)]
#[command(after_long_help = DETAILS, after_help = "`--help` shows examples.")]
pub(crate) struct CallArguments {
    /// The service to call
    pub service: Option<String>,

    /// The request in YAML; many of them on standard input when it is left out
    pub request: Option<String>,

    /// Name the services instead
    #[arg(long)]
    pub list: bool,

    /// Print the response as one line of JSON
    #[arg(long)]
    pub json: bool,

    /// How long to wait for the service and its answer, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "10", allow_negative_numbers = true, value_parser = seconds)]
    pub timeout: Duration,

    /// Name of the node, for services that belong to it
    #[arg(long, value_name = "NAME", default_value = "scene_node")]
    pub node: String,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.0..=86_400.0).contains(seconds));
    seconds
        .map(Duration::from_secs_f64)
        .ok_or_else(|| "must be a number from 0 to 86400".to_owned())
}
