//! The options of `fit`.

use super::cloud_args::CloudArguments;
use crate::fit::SurfaceKind;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

const DETAILS: &str = r#"INPUT is a URDF, whose links with meshes get surfaces, or one mesh (STL, OBJ, COLLADA, PLY),
or a point cloud (PLY without faces, PCD, XYZ).
OUT is a sidecar (.yaml), or with a URDF as input a URDF in which the surfaces replace the collisions (.urdf); boxes,
cylinders and spheres of fitted links stay. Visual meshes and everything else stay as they are.

Every triangle of every mesh is proven to lie inside the surfaces of its link, and the proof is checked again on the file
that is written, as a reader sees it. Nothing is written when it fails.

A link that cannot be fitted keeps the hull of its mesh, and the reason is reported. With `hull` among the --kinds it does so too
where its hull has at most 32 corners and is tighter than surfaces.

Without --surfaces and --tolerance the robot gets three surfaces for each link with meshes, where they gain most.
The same input, options and seed give the same file.

--json prints one object, SI units: links (name, surfaces, kinds, triangles, covered, mean_outward, max_outward,
  volume_over_mesh (null when the mesh is not closed), volume_over_hull, seconds, hull (why the link keeps the hull of its
  mesh, or null)) and total (the same for all).
  The outward distance is that of points of the outer surface of the link's surfaces from the mesh: mean by area.
--report writes report.md, report.json and a picture of each link (LINK.svg), and samples 10 000 random states for pairs of
  links that touch because of the surfaces only.
Links of pairs that touch because of the surfaces only in 1 % of 10 000 random states or more are fitted again, up to four times:
  they count four times when the surfaces are shared out, and their surfaces are kept clear of points where they met. The result
  with fewest such states is kept. --let-touch leaves this out.
Surfaces go first to links that move far: the base of an arm meets no obstacles.

Of a cloud OUT is a world file (.yaml): the table, if the largest plane has a fifth of the points, as a mesh, and the
superquadric closest to each group of other points that is 2 cm or more apart from the rest. A group that none resembles gets
its hull, and the report says why. With --robot, points inside the robot or within --robot-margin of it are removed first.
--kinds (sphere, ellipsoid, superellipsoid, superovoid), --seed, --force, --json, --report and --package-path apply; --json
prints points, not_finite, of_robot, thinned, scattered (points in groups too small for an object), table and objects (name, kind,
points, explained, mean_distance, reason (why it is a hull, or null)). --report writes that as report.json, and a picture, cloud.svg.

Exit code: 0 written, 2 bad command line or bad input, 130 interrupted."#;

/// The options of `fit`.
#[derive(Debug, Args)]
#[command(after_long_help = DETAILS, after_help = "`--help` describes input, output and report.")]
pub(crate) struct FitArguments {
    /// URDF, mesh or point cloud
    #[arg(value_name = "INPUT")]
    pub input: PathBuf,

    /// Sidecar (.yaml) or URDF (.urdf) to write; of a cloud a world file (.yaml)
    #[arg(long, short, visible_alias = "world", value_name = "OUT")]
    pub output: PathBuf,

    /// Replace the output file if it is there
    #[arg(long)]
    pub force: bool,

    /// Most surfaces of all links together
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=4096))]
    pub surfaces: Option<u64>,

    /// Mean outward distance that is good enough for a link, in metres
    #[arg(long, value_name = "METRES", value_parser = tolerance, allow_negative_numbers = true)]
    pub tolerance: Option<f64>,

    /// What surfaces are to their input; that of meshes and that of clouds, which is also the default, is the only one there is
    #[arg(long, value_name = "MODE", value_enum)]
    pub mode: Option<Mode>,

    /// Kinds of surfaces that may be used
    #[arg(long, value_name = "KIND,…", value_delimiter = ',', value_parser = kind)]
    pub kinds: Vec<SurfaceKind>,

    /// Links to fit; all with meshes when not given
    #[arg(long, value_name = "LINK,…", value_delimiter = ',')]
    pub links: Vec<String>,

    /// Which meshes of the URDF
    #[arg(long, value_name = "SOURCE", value_enum, default_value_t = Source::Collision)]
    pub from: Source,

    /// Do not fit links again that touch because of the surfaces only
    #[arg(long)]
    pub let_touch: bool,

    /// Start of the random sequences
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,

    /// Folder for the report
    #[arg(long, value_name = "DIR")]
    pub report: Option<PathBuf>,

    /// Print one JSON object instead of a table
    #[arg(long)]
    pub json: bool,

    /// Folder that is a ROS package or contains some, for `package://` meshes; may be given several times
    #[arg(long = "package-path", value_name = "DIR")]
    pub package_paths: Vec<PathBuf>,

    #[command(flatten)]
    pub cloud: CloudArguments,
}

/// What surfaces are to what they are fitted to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    /// They contain all of it, proven: meshes
    Enclosing,
    /// They are as near to its points as possible: clouds
    Closest,
}

/// Which meshes of a URDF.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Source {
    /// Those of `<collision>`
    Collision,
    /// Those of `<visual>`
    Visual,
}

fn tolerance(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value.is_finite() => Ok(value),
        _ => Err("must be a length in metres above 0".to_owned()),
    }
}

fn kind(text: &str) -> Result<SurfaceKind, String> {
    SurfaceKind::by_name(text).ok_or_else(|| {
        let names = SurfaceKind::ALL.map(SurfaceKind::name);
        format!("must be one of: {}", names.join(", "))
    })
}
