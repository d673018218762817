//! The text that is written.

use super::args::FitArguments;
use super::failure::FitFailure;
use super::input::{Input, load_options};
use crate::fit::{FittedSurface, sidecar_text};
use crate::robot::{DocumentEdit, LinkSurface, LoadedRobot, Sidecar, parse_urdf};

/// The text that is written, and with a URDF as input the robot that a reader makes of it.
pub(super) fn output_text(
    input: &Input,
    arguments: &FitArguments,
    is_urdf: bool,
    all: &[(String, Vec<FittedSurface>)],
) -> Result<(String, Option<LoadedRobot>), FitFailure> {
    let version = env!("CARGO_PKG_VERSION");
    let name = arguments.input.file_name().map(|name| name.to_string_lossy().into_owned());
    let name = name.expect("a file that was read has a name");
    let comment = format!(
        "Surfaces that contain the meshes of {name}, every triangle proven.\n\
         smooth_scene {version}, fit --seed {}",
        arguments.seed
    );
    let links = all.iter().map(|(link, surfaces)| (link.as_str(), surfaces.as_slice()));
    let sidecar = sidecar_text(&comment, links);
    let Some(urdf) = &input.urdf else { return Ok((sidecar, None)) };
    let label = arguments.input.display().to_string();
    if !is_urdf {
        let mut options = load_options(arguments);
        let label_of_sidecar = arguments.output.display().to_string();
        options.sidecar = Some(Sidecar::Text { label: label_of_sidecar, text: sidecar.clone() });
        let robot = parse_urdf(urdf, &label, &options)?;
        return Ok((sidecar, Some(robot)));
    }
    let options = load_options(arguments);
    let document = parse_urdf(urdf, &label, &options)?.document;
    let edits: Vec<DocumentEdit> = all
        .iter()
        .map(|(link, surfaces)| DocumentEdit::Collisions {
            link: link.clone(),
            collisions: surfaces.iter().enumerate().map(|(k, s)| collision(link, k, s)).collect(),
        })
        .collect();
    let text = document.write(&edits)?;
    let robot = parse_urdf(&text, &arguments.output.display().to_string(), &options)?;
    Ok((text, Some(robot)))
}

fn collision(link: &str, number: usize, surface: &FittedSurface) -> LinkSurface {
    LinkSurface {
        name: Some(format!("{link}_fit_{number}")),
        pose_in_link: surface.pose(),
        shape: surface.shape.clone(),
    }
}
