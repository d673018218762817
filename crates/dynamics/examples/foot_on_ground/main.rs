//! The force between a foot and the ground over one stance: rises when the heel strikes, dips while the body passes over the foot,
//! and rises again before the toes leave. Prints a table; with a path as argument, writes the curves as SVG.
//!
//! `cargo run --release -p smooth_scene_dynamics --example foot_on_ground -- docs/foot_on_ground.svg`

mod gait;
#[path = "../plot/mod.rs"]
mod plot;

use gait::{BODY_MASS, Sample, simulate};
use plot::{Curve, Panel};
use std::error::Error;

/// A named number of a sample and its colour.
type Quantity = (&'static str, &'static str, fn(&Sample) -> Option<f64>);

fn main() -> Result<(), Box<dyn Error>> {
    let samples = simulate()?;
    let weight = BODY_MASS * 9.80665;
    println!(
        "time/s  normal/N  weights  heel/N  toes/N  forward/N  pressure/mm  pitch/deg  heel, toes in/mm"
    );
    for s in samples.iter().step_by(40) {
        let pressure = s.pressure.map_or("-".to_string(), |x| format!("{:.0}", 1e3 * x));
        println!(
            "{:6.3}  {:8.1}  {:7.2}  {:6.1}  {:6.1}  {:9.1}  {pressure:>11}  {:9.1}  {:5.1}, {:4.1}",
            s.time,
            s.normal(),
            s.normal() / weight,
            s.heel,
            s.toes,
            s.forward,
            s.pitch.to_degrees(),
            1e3 * s.heel_depth,
            1e3 * s.toes_depth
        );
    }
    if let Some(path) = std::env::args().nth(1) {
        std::fs::write(path, picture(&samples))?;
    }
    Ok(())
}

fn picture(samples: &[Sample]) -> String {
    let curves = |quantities: &[Quantity]| -> Vec<Curve> {
        let curve = |(name, colour, value): &Quantity| Curve {
            name,
            colour,
            points: samples.iter().filter_map(|s| Some([s.time, value(s)?])).collect(),
        };
        quantities.iter().map(curve).collect()
    };
    let force: [Quantity; 4] = [
        ("normal", "#333333", |s| Some(s.normal())),
        ("heel", "#0072b2", |s| Some(s.heel)),
        ("toes", "#d55e00", |s| Some(s.toes)),
        ("forwards", "#009e73", |s| Some(s.forward)),
    ];
    let place: [Quantity; 1] = [("centre of pressure", "#0072b2", |s| s.pressure.map(|x| 1e3 * x))];
    let pitch: [Quantity; 1] = [("angle of the foot", "#d55e00", |s| Some(s.pitch.to_degrees()))];
    plot::svg(
        "One stance: force of the ground on a foot of two smooth surfaces",
        "time, s",
        &[
            Panel { label: "force, N", curves: curves(&force) },
            Panel { label: "before the ankle, mm", curves: curves(&place) },
            Panel { label: "toes up, degrees", curves: curves(&pitch) },
        ],
    )
}
