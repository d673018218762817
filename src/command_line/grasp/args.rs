//! The options of `grasp`.

use crate::command_line::load_scene::{SceneArguments, StateArguments};
use clap::Args;
use std::path::PathBuf;

const DETAILS: &str = r#"Contacts: where a surface of the hand is within --margin of the object, each pair of convex surfaces once, in the states of --states or in the one that
--state and --joints give. Each contact pushes within its friction cone, here a pyramid of --edges edges inside it. Forces are in multiples of the
normal forces together, moments about the object's centre of volume are divided by the object's reach from there.

Printed for each state, best first: contacts, force closure (decided by a certificate: a strictly positive combination of wrenches that is zero, or a wrench
that nothing resists), Ferrari and Canny's epsilon (the largest wrench that is resisted whatever its direction), the volume of the wrench space, the weakest
direction (force x y z, scaled moment x y z).

States are judged over all cores. Of equal ones the first comes first.

--gradient adds how epsilon changes with each joint: the largest slopes of each state below the table, per rad or m, and with --json epsilon_gradient
and volume_gradient, one number per joint of `joints`. Where several facets of the wrench space are equally near, epsilon_gradient has a row for each:
along a direction epsilon changes by the least of them. null: a contact between faces or edges has no derivative, or epsilon is 0. Contacts stay the
same ones: where a surface comes within the margin, epsilon jumps.

--json prints one object a line: state (from 1), line (of the file), contacts (link, point, normal, distance, and of hand and object the two principal
curvatures, 1/m, null where infinite), closed, weights or separating, epsilon, epsilon_lower, volume, weakest.

Exit code: 0 some state has force closure, 1 none has, 2 bad command line or bad input, 130 interrupted."#;

/// The options of `grasp`.
#[derive(Debug, Args)]
#[command(after_long_help = DETAILS, after_help = "`--help` describes contacts and output.", mut_arg("world", |world| world.required(true)))]
pub(crate) struct GraspArguments {
    #[command(flatten)]
    pub scene: SceneArguments,

    /// Group, link or attached object that grasps; may be given several times
    #[arg(long, value_name = "GROUP", required = true)]
    pub hand: Vec<String>,

    /// Object of the world that is grasped
    #[arg(long, value_name = "ID")]
    pub object: String,

    /// States as comma-separated values, or `-` for standard input: the first line names joints, every other line is a state
    #[arg(long, value_name = "FILE")]
    pub states: Option<PathBuf>,

    #[command(flatten)]
    pub state: StateArguments,

    /// Surfaces this near count as touching, m
    #[arg(long, value_name = "M", default_value_t = 1e-3, allow_negative_numbers = true)]
    pub margin: f64,

    /// Coefficient of friction
    #[arg(long, value_name = "MU", default_value_t = 0.5, allow_negative_numbers = true)]
    pub friction: f64,

    /// Edges of the pyramid inside a friction cone
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(3..=64))]
    pub edges: u32,

    /// Print only the best N
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub top: Option<u64>,

    /// Also print how epsilon changes with the joints
    #[arg(long)]
    pub gradient: bool,

    /// Print one JSON object a line instead of a table
    #[arg(long)]
    pub json: bool,
}
