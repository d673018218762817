//! Energies over time as a picture.

use crate::command_line::sweep::svg::{Drawing, INK, Mark};
use crate::dynamics::Energy;

/// Energies at one time, J.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EnergyAt {
    pub time: f64,
    pub energy: Energy,
    /// In contacts and springs.
    pub stored: f64,
}

impl EnergyAt {
    fn total(&self) -> f64 {
        self.energy.total() + self.stored
    }
}

const SIZE: [f64; 2] = [760.0, 420.0];
const LEFT: f64 = 80.0;
const RIGHT: f64 = 740.0;
const TOP: f64 = 60.0;
const BOTTOM: f64 = 370.0;

/// The curves: name, colour of Okabe and Ito, value. The potential is counted from its lowest value.
type Curve = (&'static str, &'static str, fn(&EnergyAt, f64) -> f64);
const CURVES: [Curve; 4] = [
    ("kinetic", "#0072b2", |at, _| at.energy.kinetic),
    ("potential", "#d55e00", |at, lowest| at.energy.potential - lowest),
    ("in contacts and springs", "#009e73", |at, _| at.stored),
    ("total", "#333333", |at, lowest| at.total() - lowest),
];

/// The picture as SVG text. Potential energy is counted from its lowest value.
pub(crate) fn svg(title: &str, energies: &[EnergyAt]) -> String {
    let lowest = energies.iter().map(|at| at.energy.potential).fold(f64::INFINITY, f64::min);
    let values = energies.iter().flat_map(|at| CURVES.map(|(_, _, value)| value(at, lowest)));
    let [low, high] = values.fold([0f64, 0f64], |[low, high], x| [low.min(x), high.max(x)]);
    let end = energies.last().map_or(1.0, |at| at.time);
    let (step_y, step_x) = (nice_step(high - low), nice_step(end));
    let [low, high] = [(low / step_y).floor() * step_y, (high / step_y).ceil().max(1.0) * step_y];
    let x = |time: f64| LEFT + (RIGHT - LEFT) * time / end;
    let y = |value: f64| BOTTOM - (BOTTOM - TOP) * (value - low) / (high - low);

    let mut drawing = Drawing::new(SIZE[0], SIZE[1], title);
    for k in 0..=((high - low) / step_y).round() as u32 {
        let value = low + f64::from(k) * step_y;
        drawing.line([LEFT, y(value)], [RIGHT, y(value)], INK, 1.0, 0.15);
        drawing.words(LEFT - 8.0, y(value) + 4.0, &label(value, step_y), "end", 12);
    }
    for k in 0..=(end / step_x + 1e-9).floor() as u32 {
        let time = f64::from(k) * step_x;
        drawing.line([x(time), TOP], [x(time), BOTTOM], INK, 1.0, 0.15);
        drawing.words(x(time), BOTTOM + 18.0, &label(time, step_x), "middle", 12);
    }
    for (name, colour, value) in CURVES {
        let points: Vec<[f64; 2]> =
            energies.iter().map(|at| [x(at.time), y(value(at, lowest))]).collect();
        let mark = if name == "total" { Mark::None } else { Mark::Line };
        drawing.curve(&points, colour, mark);
    }
    let mut at = LEFT;
    for (name, colour, _) in CURVES {
        drawing.line([at, 44.0], [at + 22.0, 44.0], colour, 3.0, 1.0);
        drawing.words(at + 28.0, 48.0, name, "start", 12);
        at += 50.0 + 7.5 * name.len() as f64;
    }
    drawing.words(0.5 * (LEFT + RIGHT), SIZE[1] - 12.0, "time, s", "middle", 12);
    drawing.upright(22.0, 0.5 * (TOP + BOTTOM), "energy, J");
    drawing.finish()
}

/// 1, 2 or 5 times a power of ten that cuts a range into four to ten.
fn nice_step(range: f64) -> f64 {
    let range = if range > 0.0 { range } else { 1.0 };
    let power = 10f64.powi((range / 5.0).log10().floor() as i32);
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    let fits = steps.into_iter().find(|step| range / step <= 7.0);
    fits.expect("ten times the power is at least a fifth of the range")
}

/// A number with as many digits as the step needs.
fn label(value: f64, step: f64) -> String {
    let digits = (-step.log10().floor()).max(0.0) as usize;
    if digits > 4 || step >= 1e5 { format!("{value:.0e}") } else { format!("{value:.digits$}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_cut_a_range_into_a_few() {
        for range in [0.3, 1.0, 7.2, 49.0, 1e-3, 12345.0] {
            let parts = range / nice_step(range);
            assert!((2.0..=7.0).contains(&parts), "{range}: {parts}");
        }
    }

    #[test]
    fn every_energy_has_a_curve() {
        let at = |time: f64| EnergyAt {
            time,
            energy: Energy { kinetic: time, potential: -time },
            stored: 0.0,
        };
        let text = svg("energies", &[at(0.0), at(0.5), at(1.0)]);
        assert_eq!(text.matches("<polyline").count(), CURVES.len());
    }
}
