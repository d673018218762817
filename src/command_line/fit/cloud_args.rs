//! The options of `fit` that are about clouds.

use crate::fit::cloud::SceneOptions;
use clap::Args;
use std::path::PathBuf;

/// How objects are found in a cloud, and which robot stands in it.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Point clouds")]
pub(crate) struct CloudArguments {
    /// Robot whose own points are removed from the cloud
    #[arg(long, value_name = "URDF")]
    pub robot: Option<PathBuf>,

    /// YAML file with surfaces that replace the collisions of the links it names
    #[arg(long, value_name = "FILE", requires = "robot")]
    pub robot_surfaces: Option<PathBuf>,

    /// Named states of the robot
    #[arg(long, value_name = "FILE", requires = "robot")]
    pub srdf: Option<PathBuf>,

    /// Named state of the SRDF, as NAME or GROUP/NAME; may be given several times
    #[arg(long = "state", value_name = "NAME", requires = "srdf")]
    pub named_states: Vec<String>,

    /// Joint positions as name=value,name=value,… or a YAML or JSON file; may be given several times
    #[arg(long, value_name = "JOINTS", requires = "robot")]
    pub joints: Vec<String>,

    /// Link in whose frame the cloud is; the objects are written in the frame of the robot's root [default: the root]
    #[arg(long, value_name = "LINK", requires = "robot")]
    pub frame: Option<String>,

    /// Points within this distance of the robot's surfaces are its own [default: 0.02]
    #[arg(long, value_name = "METRES", requires = "robot", allow_negative_numbers = true)]
    pub robot_margin: Option<f64>,

    /// Groups of points at least this far apart are different objects [default: 0.02]
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    pub gap: Option<f64>,

    /// Least number of points of an object [default: 20]
    #[arg(long, value_name = "N")]
    pub min_points: Option<usize>,

    /// Share of the points that the largest plane must have to be a table, above 1 for no table [default: 0.2]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    pub table_share: Option<f64>,
}

impl CloudArguments {
    /// The first of these options that was given.
    pub fn first_given(&self) -> Option<&'static str> {
        // The other options need --robot.
        let given = [
            ("--robot", self.robot.is_some()),
            ("--gap", self.gap.is_some()),
            ("--min-points", self.min_points.is_some()),
            ("--table-share", self.table_share.is_some()),
        ];
        given.into_iter().find_map(|(name, is_given)| is_given.then_some(name))
    }

    /// The options of the library.
    pub fn scene_options(&self) -> SceneOptions {
        let defaults = SceneOptions::default();
        SceneOptions {
            gap: self.gap.unwrap_or(defaults.gap),
            min_points: self.min_points.unwrap_or(defaults.min_points),
            table_share: self.table_share.unwrap_or(defaults.table_share),
            robot_padding: self.robot_margin.unwrap_or(defaults.robot_padding),
            ..defaults
        }
    }
}
