//! The options of `query`, and the checks that need more than one of them.

use super::clock::{Clock, Timing};
#[cfg(feature = "baselines")]
use super::settings::PreTest;
use super::settings::{Settings, SolverChoice, Start};
use crate::query::{DepthMode, QueryOptions};
use crate::robot::values::shapes_help;
use clap::Args;
use std::path::PathBuf;

/// Describes the input and the output; `{shapes}` stands for the table of shapes.
const QUERY_DETAILS: &str = r#"Input line:
  {"id":"7",
   "a":{"shape":{"type":"superovoid","radii":[1,2,3],"exponent_xy":0.8,"exponent_z":1.2,"taper":[0.1,-0.2]},
        "pose":{"xyz":[0,0,0],"quat":[0,0,0,1]}},
   "b":{"shape":{"type":"sphere","radius":0.5},"pose":{"xyz":[0,0,5]}}}

  id    string or number, echoed; the line number when missing
  pose  xyz in metres, quat as x y z w (normalised for you) or rpy in radians; zero or identity when missing
  to    optional second pose of a body: the question is then continuous, from `pose` at t = 0 to `to` at t = 1
  map_to  optional linear map of the shape at t = 1, as three rows: the body is deformed from the identity to it

Shapes (metres). Every shape also takes
  scale [x,y,z]   or map [[..],[..],[..]], rows of a matrix        linear map of the shape in its frame
  padding         grown by so much on all sides, after the map
  strict          true refuses non-convex surfaces
{shapes}
All are convex, or stand for their hull. Superhyperboloids and supertoroids are not convex: there is no query for them.

Output line:
  id, distance, lower, upper, point_a, point_b, normal, status, iterations, micros
  distance > 0 apart, < 0 minus the penetration depth; lower <= true value <= upper
  normal    unit, from a to b
  micros    time of all that was asked for, without reading and writing; see --repeat, --time, --warm
  status    certified, depth_unproven (a smaller depth may exist; see --certify), budget_exhausted
  of_hull   true when a shape is not convex and its convex hull was used
  of a continuous question: time (first contact, or null), closest_time, free_until (proven), motion_lower (bound over
            the whole motion, or up to the contact); the fields above are those of closest_time
  --gradient   gradient_a, gradient_b: translation, then rotation vector about the body's origin, world frame
  --curvature  curvatures_a, curvatures_b: two each, in 1/m, the smaller first; null is infinite (edge or vertex)
or, for a line that cannot be answered: id, error

Exit code: 0 every line answered, 1 some line had an error, 2 bad command line or unreadable file, 130 interrupted
(Ctrl-C; every line that was written is whole)."#;

fn query_details() -> String {
    QUERY_DETAILS.replace("{shapes}", &shapes_help()) + &solvers_help()
}

/// The solvers of `--solver` with their sources.
#[cfg(feature = "baselines")]
fn solvers_help() -> String {
    let mut text = "\n\nSolvers:\n  smooth                         ours: proven bounds".to_string();
    for solver in crate::baselines::Solver::ALL {
        text += &format!("\n  {:<30} {}", solver.name(), solver.source());
    }
    text
}

/// Without the feature there is one.
#[cfg(not(feature = "baselines"))]
fn solvers_help() -> String {
    String::new()
}

/// The options of `query`.
#[derive(Debug, Args)]
#[command(after_long_help = query_details(), after_help = "`--help` describes the input and the output.")]
pub(crate) struct QueryArguments {
    /// File with one JSON object per line, or `-` for standard input
    pub file: PathBuf,

    /// Answer each line N times, for its time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: u32,

    /// Which time of --repeat to report
    #[arg(long, value_name = "WHICH", value_enum, default_value_t = Timing::Mean)]
    pub time: Timing,

    /// Answer each line once before the clock starts, and begin every timed run at that answer, as a program does that asks
    /// about the same pair again and again
    #[arg(long)]
    pub warm: bool,

    /// `smooth`, or a solver from the literature in a build with `--features baselines`
    #[arg(long, value_name = "NAME", default_value = "smooth")]
    pub solver: String,

    /// Ask bounding spheres and boxes on fifteen axes first (Portal et al., section 2). A pair that they separate is answered
    /// by `"overlapping":false`, without the solver
    #[cfg(feature = "baselines")]
    #[arg(long)]
    pub pre_test: bool,

    /// Prove the penetration depth of overlapping pairs from both sides
    #[arg(long)]
    pub certify: bool,

    #[arg(long, value_name = "RATIO", value_parser = ratio, help = with_default(
        "Relative width of the bounds at which a distance counts as found",
        Scientific(QueryOptions::default().gap_tolerance),
    ))]
    pub gap_tolerance: Option<f64>,

    #[arg(long, value_name = "RATIO", requires = "certify", value_parser = ratio, help = with_default(
        "Relative width of the bounds at which a certified depth counts as found",
        Scientific(QueryOptions::default().depth_tolerance),
    ))]
    pub depth_tolerance: Option<f64>,

    #[arg(long, value_name = "COUNT", requires = "certify", help = with_default(
        "Directions a certified depth may visit before it returns the bounds reached",
        QueryOptions::default().depth_budget,
    ))]
    pub depth_budget: Option<u32>,

    /// Pairs solved at the same time; the order of the output stays that of the input
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,

    /// Add the derivative of the distance by each pose: translation, then rotation vector, world frame
    #[arg(long)]
    pub gradient: bool,

    /// Add the principal curvatures at both points
    #[arg(long)]
    pub curvature: bool,
}

/// A number shown as 1e-10 rather than 0.0000000001.
struct Scientific(f64);

impl std::fmt::Display for Scientific {
    fn fmt(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(formatter, "{:e}", self.0)
    }
}

/// A description that ends with the default of the library.
fn with_default(description: &str, default: impl std::fmt::Display) -> String {
    format!("{description} [default: {default}]")
}

/// A relative tolerance: above zero, at most one.
fn ratio(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value <= 1.0 => Ok(value),
        _ => Err("must be a number above 0 and at most 1".to_owned()),
    }
}

/// Why a combination of options is refused.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ArgumentError {
    #[cfg(feature = "baselines")]
    #[error("unknown solver `{name}`, this build has: {known}")]
    UnknownSolver { name: String, known: String },
    #[cfg(not(feature = "baselines"))]
    #[error(
        "unknown solver `{name}`, this build has: smooth. The solvers of the literature need a build with \
         `cargo build --release --features baselines`"
    )]
    UnknownSolver { name: String },
    #[cfg(feature = "baselines")]
    #[error("--{option} has no meaning for the solver `{solver}`: only `smooth` has it")]
    NotForBaselines { option: &'static str, solver: &'static str },
    #[cfg(feature = "baselines")]
    #[error(
        "--warm has no meaning for the solver `{solver}`: its source does not start from the last answer"
    )]
    NoWarmStart { solver: &'static str },
    #[cfg(feature = "baselines")]
    #[error("--pre-test is for the solvers of the literature: `smooth` has bounds of its own")]
    PreTestOfOurs,
}

impl QueryArguments {
    /// How every line is answered.
    pub fn settings(&self) -> Result<Settings, ArgumentError> {
        Ok(Settings {
            solver: self.solver()?,
            options: self.options(),
            clock: Clock { repeat: self.repeat, timing: self.time },
            start: if self.warm { Start::Warm } else { Start::Cold },
            #[cfg(feature = "baselines")]
            pre_test: if self.pre_test { PreTest::Boxes } else { PreTest::None },
            gradient: self.gradient,
            curvature: self.curvature,
        })
    }

    /// Tolerances and limits of the library.
    fn options(&self) -> QueryOptions {
        let defaults = QueryOptions::default();
        QueryOptions {
            gap_tolerance: self.gap_tolerance.unwrap_or(defaults.gap_tolerance),
            depth_mode: if self.certify { DepthMode::Certified } else { DepthMode::Fast },
            depth_tolerance: self.depth_tolerance.unwrap_or(defaults.depth_tolerance),
            depth_budget: self.depth_budget.unwrap_or(defaults.depth_budget),
        }
    }

    /// The solver that was named.
    #[cfg(feature = "baselines")]
    fn solver(&self) -> Result<SolverChoice, ArgumentError> {
        use crate::baselines::Solver;
        if self.solver == "smooth" {
            if self.pre_test {
                return Err(ArgumentError::PreTestOfOurs);
            }
            return Ok(SolverChoice::Smooth);
        }
        let Some(solver) = Solver::by_name(&self.solver) else {
            let names: Vec<_> = Solver::ALL.into_iter().map(Solver::name).collect();
            let known = format!("smooth, {}", names.join(", "));
            return Err(ArgumentError::UnknownSolver { name: self.solver.clone(), known });
        };
        for (asked, option) in
            [(self.certify, "certify"), (self.gradient, "gradient"), (self.curvature, "curvature")]
        {
            if asked {
                return Err(ArgumentError::NotForBaselines { option, solver: solver.name() });
            }
        }
        if self.warm && !solver.uses_previous() {
            return Err(ArgumentError::NoWarmStart { solver: solver.name() });
        }
        Ok(SolverChoice::Baseline(solver))
    }

    /// The solver that was named.
    #[cfg(not(feature = "baselines"))]
    fn solver(&self) -> Result<SolverChoice, ArgumentError> {
        match self.solver.as_str() {
            "smooth" => Ok(SolverChoice::Smooth),
            name => Err(ArgumentError::UnknownSolver { name: name.to_owned() }),
        }
    }
}
