//! The options of `cloth`.

use crate::dynamics::ClothOptions;
use clap::Args;
use std::path::PathBuf;

const DETAILS: &str = r#"The cloth begins flat and at rest, --height above the ground, its middle above the origin, rows along x and columns along y. Bodies are
the surfaces of the world's objects, of --urdf in its first state, and of --terrain; they stand still. Nothing is random: the same
files and options give the same numbers.

--record writes a folder of OBJ files: bodies.obj, and cloth_00000.obj and so on, one for each frame, with all vertices of the
cloth row after row and two triangles for each cell. Blender, ParaView and MeshLab read them.

--json prints one object: seconds, vertices, bodies, energy (kinetic, potential, J), strain (largest change of an edge, relative),
lowest and highest (z of vertices, m), clearance (least signed distance of a vertex from a surface, m, found by the distance
query), held_back (vertices and triangles that had to wait for a place in front of all bodies), positions (of the vertices).

Ctrl-C ends the run between two frames; what was written is whole.

Exit code: 0 done, 2 bad command line or bad input, 130 interrupted."#;

/// The options of `cloth`.
#[derive(Debug, Args)]
#[command(after_long_help = DETAILS, after_help = "`--help` describes bodies and output.")]
pub(crate) struct ClothArguments {
    /// Objects under the cloth: a world file, or a scene of MoveIt as YAML
    #[arg(long, value_name = "FILE")]
    pub world: Option<PathBuf>,

    /// A robot under the cloth
    #[arg(long, value_name = "FILE")]
    pub urdf: Option<PathBuf>,

    /// A floor with N × N superellipsoids, as in figure 6.1 of the thesis
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=50))]
    pub terrain: Option<u32>,

    /// Side of the cloth, m
    #[arg(long, value_name = "M", default_value_t = 1.0, allow_negative_numbers = true)]
    pub size: f64,

    /// Vertices along a side
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub vertices: usize,

    /// Where the cloth begins, z in m [default: a centimetre above the highest body]
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    pub height: Option<f64>,

    /// Vertex that is held where it begins, as ROW,COLUMN from 0; may be given several times
    #[arg(long = "pin", value_name = "ROW,COLUMN", value_parser = place)]
    pub pins: Vec<[usize; 2]>,

    /// How long to simulate
    #[arg(long, value_name = "S", value_parser = positive, default_value_t = 3.0, allow_negative_numbers = true)]
    pub seconds: f64,

    /// Frames per second
    #[arg(long, value_name = "HZ", value_parser = rate, default_value_t = 60.0, allow_negative_numbers = true)]
    pub rate: f64,

    /// Parts that a frame is cut into
    #[arg(long, value_name = "N", default_value_t = ClothOptions::default().substeps)]
    pub substeps: u32,

    /// Mass of the cloth, kg
    #[arg(long, value_name = "KG", default_value_t = ClothOptions::default().mass, allow_negative_numbers = true)]
    pub mass: f64,

    /// Coefficient of friction
    #[arg(long, value_name = "MU", default_value_t = ClothOptions::default().friction, allow_negative_numbers = true)]
    pub friction: f64,

    /// How far vertices stay from surfaces, m
    #[arg(long, value_name = "M", default_value_t = ClothOptions::default().thickness, allow_negative_numbers = true)]
    pub thickness: f64,

    /// Folder for the frames; it must not exist
    #[arg(long, value_name = "DIR")]
    pub record: Option<PathBuf>,

    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
}

/// A number above zero.
fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value <= 1e5 => Ok(value),
        _ => Err("must be a number above 0, at most 1e5".to_owned()),
    }
}

/// A rate whose period is a step that the cloth takes.
fn rate(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if (1.0..=1e4).contains(&value) => Ok(value),
        _ => Err("must be a number in [1, 1e4]".to_owned()),
    }
}

/// ROW,COLUMN.
fn place(text: &str) -> Result<[usize; 2], String> {
    let parsed = text
        .split_once(',')
        .and_then(|(row, column)| Some([row.trim().parse().ok()?, column.trim().parse().ok()?]));
    parsed.ok_or_else(|| "must be two whole numbers, as 0,49".to_owned())
}
