//! `smooth_scene plan verify`: whether a certificate proves its path free in a scene.

use super::args::VerifyArguments;
use super::certificate;
use super::failure::PlanFailure;
use super::question::{load_scene, without_surfaces};
use crate::command_line::print::print;
use crate::command_line::program::{NO_PATH, Program};
use crate::plan::{CertificateError, verify_levels};
use serde_json::json;
use std::process::ExitCode;

/// Verifies, prints, and returns the exit code.
pub(crate) fn run(program: Program, arguments: &VerifyArguments) -> Result<ExitCode, PlanFailure> {
    let certificate = certificate::read(&arguments.certificate)?;
    let reading = &arguments.scene.robot.reading;
    let load = |reading: &_| load_scene(program, &arguments.scene, reading, arguments.margin);
    let mut scenes = vec![load(reading)?.scene];
    if arguments.levels {
        scenes.push(load(&without_surfaces(reading))?.scene);
    }
    let waypoints = certificate::waypoints(&certificate);
    let scenes: Vec<_> = scenes.iter().collect();
    let (answer, text, code) = match verify_levels(&scenes, &waypoints, &certificate) {
        Ok(clearance) => {
            let names = scenes[0].model().variable_names();
            let clearance = clearance.is_finite().then_some(clearance);
            let answer = json!({"verified": true, "clearance": clearance, "joints": names, "path": waypoints});
            let apart = clearance.map_or_else(
                || "no two bodies could touch".to_owned(),
                |clearance| format!("no two bodies closer than {:.3} mm", 1e3 * clearance),
            );
            let text = format!("verified: {} edges, {apart}\n", certificate.segments.len());
            (answer, text, ExitCode::SUCCESS)
        }
        Err(CertificateError::Scene(error)) => return Err(error.into()),
        Err(error) => {
            let answer = json!({"verified": false, "reason": error.to_string()});
            (answer, format!("not verified: {error}\n"), ExitCode::from(NO_PATH))
        }
    };
    let text = if arguments.json { format!("{answer}\n") } else { text };
    print(&text).map_err(PlanFailure::Output)?;
    Ok(code)
}
