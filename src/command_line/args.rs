//! The subcommands of `smooth_scene`.

use super::call::args::CallArguments;
use super::check::args::CheckArguments;
use super::cloth::args::ClothArguments;
use super::demo::DemoArguments;
use super::fit::args::FitArguments;
use super::grasp::args::GraspArguments;
use super::node::NodeArguments;
use super::plan::args::PlanArguments;
use super::query::args::QueryArguments;
use super::simulate::args::SimulateArguments;
use super::srdf_args::SrdfArguments;
use super::sweep::args::SweepArguments;
use clap::{Args, Subcommand};

const EXAMPLES: &str = "\
Examples:
  smooth_scene                                                  the demo, in the browser
  smooth_scene check robot.urdf --srdf robot.srdf --world world.yaml --joints elbow=0.5
  smooth_scene query pairs.jsonl --certify
  smooth_scene node --urdf robot.urdf --srdf robot.srdf         the ROS 2 node
  smooth_scene call get_distance '{max_results: 3}'             asks it
Every command has a `--help` with its formats and exit codes.";

/// Distances, contacts and penetration depths between smooth convex surfaces, with proven error bounds.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SmoothSceneArguments {
    #[command(subcommand)]
    pub task: Option<Task>,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Show two iCub hands that move and touch, live in the browser (the default command)
    Demo(DemoArguments),
    /// Run the planning scene as a ROS 2 node; the same as `scene_node`
    Node(NodeArguments),
    /// Replay a movement, time every query and check every answer; the same as `joint_sweep`
    Sweep(SweepArguments),
    /// Answer one pair of posed shapes per line: JSON Lines in, JSON Lines out
    Query(QueryArguments),
    /// Load a robot and its world, print what they consist of, and whether one state or many are free of collisions
    Check(CheckArguments),
    /// Make smooth surfaces that provably contain the meshes of a robot
    Fit(FitArguments),
    /// Plan a motion from one state to another that is proven free, or say why there is none
    Plan(Box<PlanArguments>),
    /// Judge how well a hand holds an object: force closure, epsilon, weakest direction
    Grasp(Box<GraspArguments>),
    /// Simulate a robot and the objects of its world under gravity, with contacts
    Simulate(Box<SimulateArguments>),
    /// Let a cloth fall over the objects of a world, a robot or a terrain
    Cloth(Box<ClothArguments>),
    /// Call a service of a running node over ROS 2, once or line by line, without a ROS installation
    Call(CallArguments),
    /// Propose an SRDF: pairs of links that need not be checked, found by sampling
    Srdf(SrdfArguments),
}

impl Default for Task {
    fn default() -> Self {
        Self::Demo(DemoArguments::default())
    }
}
