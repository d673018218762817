//! Steps per second of the same scenes here, in Rapier and in MuJoCo, one thread each, as a Markdown table.
//!
//! `benches/peers/simulation.sh` builds and runs it; the first argument is a Python that has MuJoCo, the second how long each
//! engine runs each scene at least, s.

mod ours;
mod rapier;
mod scenes;

use scenes::Scene;
use serde_json::{Value, json};
use std::error::Error;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Instant;

/// What an engine did with a scene.
#[derive(Debug, Clone)]
struct Run {
    engine: &'static str,
    /// Steps per second of wall time.
    rate: f64,
    /// Height of the highest body at the end, m: whether a pile still stands.
    highest: f64,
}

/// Steps through a whole scene again and again until the time is used up; the state at the end of the first round counts.
fn measure(
    engine: &'static str,
    scene: &Scene,
    seconds: f64,
    mut round: impl FnMut() -> Result<f64, Box<dyn Error>>,
) -> Result<Run, Box<dyn Error>> {
    let begin = Instant::now();
    let (mut rounds, mut highest) = (0, 0.0);
    while rounds == 0 || begin.elapsed().as_secs_f64() < seconds {
        let found = round()?;
        if rounds == 0 {
            highest = found;
        }
        rounds += 1;
    }
    let steps = f64::from(rounds) * f64::from(scene.steps);
    Ok(Run { engine, rate: steps / begin.elapsed().as_secs_f64(), highest })
}

/// MuJoCo's answers for all scenes; none, with a line that says so, without a Python that has it.
fn mujoco(
    python: Option<&str>,
    scenes: &[Scene],
    seconds: f64,
) -> Result<Vec<Run>, Box<dyn Error>> {
    let Some(python) = python else {
        eprintln!("MuJoCo is left out: no Python was given");
        return Ok(Vec::new());
    };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../benches/peers/simulation.py");
    let mut child =
        Command::new(python).arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let described: Vec<Value> = scenes.iter().map(Scene::describe).collect();
    let request = json!({"seconds": seconds, "scenes": described});
    writeln!(child.stdin.take().ok_or("no standard input")?, "{request}")?;
    let output = child.wait_with_output()?;
    if !output.status.success() {
        return Err("MuJoCo failed".into());
    }
    let answers: Vec<[f64; 2]> = serde_json::from_slice(&output.stdout)?;
    Ok(answers.into_iter().map(|[rate, highest]| Run { engine: "MuJoCo", rate, highest }).collect())
}

fn main() -> Result<(), Box<dyn Error>> {
    // Cargo adds `--bench`.
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let seconds = words.get(1).map_or(Ok(3.0), |word| word.parse())?;
    let scenes = scenes::all();
    let mujoco = mujoco(words.first().map(String::as_str), &scenes, seconds)?;
    println!("| scene | step, s | engine | steps/s | relative | highest at the end, m |");
    println!("|---|---|---|---|---|---|");
    for (k, scene) in scenes.iter().enumerate() {
        let mut runs = vec![
            measure("smooth_scene, rigid", scene, seconds, || ours::round(scene, true))?,
            measure("smooth_scene, compliant", scene, seconds, || ours::round(scene, false))?,
            measure("Rapier", scene, seconds, || rapier::round(scene))?,
        ];
        runs.extend(mujoco.get(k).cloned());
        for run in &runs {
            let Run { engine, rate, highest } = run;
            let relative = rate / runs[0].rate;
            println!(
                "| {} | {} | {engine} | {rate:.0} | {relative:.2} | {highest:.3} |",
                scene.name, scene.step
            );
        }
    }
    Ok(())
}
