//! Models of a robot compared with its meshes and with each other: Markdown.
//!
//! ```text
//! cargo run --release --example fit_figures -- panda.urdf panda.yaml [--also MODEL]… [--coacd] [--srdf panda.srdf] [--share DIR]
//!     [--states 100000] [--blame]
//! ```
//!
//! MODEL is a sidecar (`.yaml`), another URDF of the robot whose collisions are spheres (VAMP, foam: `*_spherized.urdf`), or a robot file of
//! cuRobo (`.yml`); `--coacd` runs CoACD on the meshes. The convex hulls of the meshes are always compared.
//!
//! The first table compares shapes with meshes: how much of the meshes' area the model covers, how far its outer surface is from
//! them, and its volume over that of the hulls. The second judges random states in a world of 20 random boxes and balls. A state
//! is *missed* if the model calls it free although the meshes touch, and *refused* if the model calls it in collision although
//! they do not; `--blame` lists the links that refuse. Times are those of `PlanningScene::in_collision`, of a `BatchChecker` that is
//! asked about one state at a time, and of one that is given all of them; the three have to agree. Coal and Pinocchio run in the environment of `tests/robots/install.sh`, in the same run and on one core, like ours;
//! so does CoACD.

mod coal;
mod models;
mod shapes;
mod states;

use models::Model;
use smooth_scene_test_support::robots_venv::share;
use std::error::Error;
use std::path::PathBuf;

/// Start of the random sequences.
const SEED: u64 = 7;

struct Options {
    urdf: PathBuf,
    sidecar: PathBuf,
    also: Vec<PathBuf>,
    with_coacd: bool,
    srdf: Option<PathBuf>,
    share: PathBuf,
    states: usize,
    with_blame: bool,
}

fn options() -> Result<Options, Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let usage = "usage: fit_figures URDF SIDECAR [--also MODEL]… [--coacd] [--srdf FILE] [--share DIR] [--states N] [--blame]";
    let urdf = words.next().ok_or(usage)?.into();
    let sidecar = words.next().ok_or(usage)?.into();
    let mut options = Options {
        urdf,
        sidecar,
        also: Vec::new(),
        with_coacd: false,
        srdf: None,
        share: share(),
        states: 100_000,
        with_blame: false,
    };
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(usage);
        match word.as_str() {
            "--also" => options.also.push(value()?.into()),
            "--coacd" => options.with_coacd = true,
            "--blame" => options.with_blame = true,
            "--srdf" => options.srdf = Some(value()?.into()),
            "--share" => options.share = value()?.into(),
            "--states" => options.states = value()?.parse()?,
            _ => return Err(usage.into()),
        }
    }
    Ok(options)
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = options()?;
    let meshes = shapes::meshes(&options)?;
    let mut models =
        vec![Model::hulls(&options)?, Model::read("fitted surfaces", &options.sidecar, &options)?];
    for path in &options.also {
        models.push(Model::read(&path.display().to_string(), path, &options)?);
    }
    if options.with_coacd {
        models.push(Model::coacd(&meshes)?);
    }
    println!("| model | shapes | covered | mean outward mm | largest mm | volume / hull | s |");
    println!("|---|---:|---:|---:|---:|---:|---:|");
    models.iter().for_each(|model| println!("{}", shapes::row(model, &meshes)));
    if options.states > 0 {
        states::judge(&options, &models)?;
    }
    Ok(())
}
