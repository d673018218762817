//! The options of `check`.

use crate::command_line::load_scene::{SceneArguments, StateArguments};
use clap::Args;
use std::path::PathBuf;

const CHECK_DETAILS: &str = r#"State: every joint at zero or at the limit nearest to it; then the states of --state in order; then --joints.
  Names are those of joints; planar joints have NAME/x, NAME/y, NAME/theta, floating ones NAME/trans_x … NAME/rot_w.
  A file of --joints is a map, name: value, in YAML or JSON. Angles in radians, lengths in metres.

--states FILE: joints that the file does not name have the positions of that state. Blank lines and lines that begin with # are
  skipped. A bad line is an error for the whole file; nothing is checked then. Each line of the output has the number of
  the state from 1, free or collision, and the nearest pair or the deepest contact.

Without --srdf adjacent links may touch, and every other pair of links is looked at.
With it, its disable_collisions, enable_collisions and disable_default_collisions say which pairs are looked at, and
its virtual joint is part of the robot.

{maps}--json prints one object, SI units, null for what is infinite:
  robot           name, file, links, joints (kind, parent, child, limits, mimic), variables, surfaces (count by kind),
                  dented (superovoids that answer for their convex hull), surface_pairs (pairs that are looked at)
  warnings        file, line, column, message
  groups, states  of the SRDF
  allowed         by_reason (count), pairs (a, b, reason), defaults (links that may touch everything)
  state           positions (by name), limit_breaches (joint, position, lower, upper, excess)
  in_collision    true or false
  contacts        every pair in contact, by name
  nearest         the nearest pairs that are apart, nearest first
    each with body_a, body_b, part_a, part_b (which of their convex surfaces), distance, lower, upper, point_a, point_b,
    normal, status, of_hull; as in `smooth_scene query`
  maps            of --map: name, file, spacing, nodes, node_error (largest error of a distance at a node)
  map_clearances  every surface that is not proven free of a map, then the nearest others: body, part, map, verdict (free,
                  touching, not proven free), lower, upper (proven bounds of the least signed distance of its points,
                  inner ones included), point (the nearest one that was found)
--json --states prints one object a line: state (from 1), line (of the file), in_collision, contacts, nearest,
  map_clearances, limit_breaches
or, when the input is bad, one object with the field error.

Exit code: 0 free, 1 in collision (with --states: any state), 2 bad command line or bad input, 130 interrupted
(Ctrl-C; every line that was written is whole)."#;

/// How maps are answered for, in a build that has them.
#[cfg(feature = "baselines")]
const MAP_DETAILS: &str = r#"--map FILE: the mesh is read into a grid of signed distances; each surface of the robot, inner points included, has proven bounds
  of its clearance from the mesh, with the padding and scale of the scene. In collision is what is not proven free: a finer
  --map-spacing leaves less open. --max-distance and --nearest hold for maps too; self-collision and --world are checked as ever.

"#;

#[cfg(not(feature = "baselines"))]
const MAP_DETAILS: &str = "";

fn check_details() -> String {
    CHECK_DETAILS.replace("{maps}", MAP_DETAILS)
}

/// The options of `check`.
#[derive(Debug, Args)]
#[command(after_long_help = check_details(), after_help = "`--help` describes the state and the JSON output.")]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    pub scene: SceneArguments,

    /// Closed mesh (STL, OBJ, COLLADA, PLY; metres) that the robot must not touch, of any form: its signed distance map is the obstacle;
    /// may be given several times
    #[cfg(feature = "baselines")]
    #[arg(long = "map", value_name = "FILE")]
    pub maps: Vec<PathBuf>,

    /// Where a map is, in the frame of the robot's root: x,y,z or x,y,z,roll,pitch,yaw; as often as --map [default: 0,0,0]
    #[cfg(feature = "baselines")]
    #[arg(long = "map-pose", value_name = "POSE", requires = "maps", value_parser = pose, allow_hyphen_values = true)]
    pub map_poses: Vec<[f64; 6]>,

    /// Distance of two nodes of a map [default: a 64th of the longest side of the mesh]
    #[cfg(feature = "baselines")]
    #[arg(long, value_name = "METRES", requires = "maps", value_parser = length, allow_negative_numbers = true)]
    pub map_spacing: Option<f64>,

    /// Link or carried object that may touch the maps, as a base that stands on one; may be given several times
    #[cfg(feature = "baselines")]
    #[arg(long = "map-touch", value_name = "NAME", requires = "maps")]
    pub map_touch: Vec<String>,

    /// Check every state of this file of comma-separated values, or `-` for standard input, instead of one state: the first
    /// line names joints, every other line is a state; print one line for each
    #[arg(long, value_name = "FILE")]
    pub states: Option<PathBuf>,

    #[command(flatten)]
    pub state: StateArguments,

    /// Leave out pairs farther apart
    #[arg(long, value_name = "METRES", value_parser = length, allow_negative_numbers = true)]
    pub max_distance: Option<f64>,

    /// How many of the nearest pairs that are apart to list [default: 10, with --states 1]
    #[arg(long, value_name = "COUNT")]
    pub nearest: Option<usize>,

    /// Prove the penetration depth of contacts from both sides
    #[arg(long)]
    pub certify: bool,

    /// Print one JSON object instead of tables; with --states one for each state
    #[arg(long)]
    pub json: bool,
}

/// A pose as three or six numbers: a position in metres, and roll, pitch and yaw in radians.
#[cfg(feature = "baselines")]
fn pose(text: &str) -> Result<[f64; 6], String> {
    let bad = || "must be x,y,z or x,y,z,roll,pitch,yaw: metres and radians within 1e6".to_owned();
    let number = |word: &str| word.trim().parse::<f64>().ok().filter(|x| x.abs() <= 1e6);
    let numbers: Option<Vec<f64>> = text.split(',').map(number).collect();
    let mut numbers = numbers.ok_or_else(bad)?;
    if numbers.len() == 3 {
        numbers.resize(6, 0.0);
    }
    numbers.try_into().map_err(|_| bad())
}

/// A length: not negative, finite.
fn length(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value >= 0.0 && value.is_finite() => Ok(value),
        _ => Err("must be a length in metres, 0 or more".to_owned()),
    }
}
