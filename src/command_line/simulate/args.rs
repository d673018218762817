//! The options of `simulate`.

use crate::command_line::load_scene::{SceneArguments, StateArguments};
use crate::dynamics::{ContactLaw, Integrator, Material};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

const DETAILS: &str = r#"What moves: the joints of the robot, and every object of the world that is not a half-space, not named by --fixed and not attached
to a link. Everything begins at rest: the robot as in `smooth_scene check` (--state, --joints), objects at their poses. Pairs that the SRDF
allows to touch do not. Nothing is random: the same files and options give the same numbers.

Contacts are compliant: forces of Hertz's theory from the curvatures, damped, with regularised friction. With --contacts complementarity
they are rigid: impulses of projected Gauss–Seidel in steps of --step, with Newton's restitution and exact Coulomb friction, and joints
stop at their limits. That is the choice for stacks and piles. The largest residual of the steps is printed.

Surfaces that overlap at the start by more than a tenth of the smaller one are refused, by name: they would be thrown apart.

Masses: links as their <inertial> says; links without one, and all objects, weigh what their surfaces filled with --density weigh. Attached
objects weigh nothing.

--record writes a rosbag2 folder with /joint_states, /tf (links and objects), /robot_description and /scene_node/markers.
--plot writes the energies over time as SVG. --json prints one object: seconds, steps, residual and sweeps (of rigid contacts, else 0), energy (kinetic, potential, stored; at the start and the
end, J), contacts (time, bodies, speed of each that began), positions (of joints, by name), objects (pose of each).

Ctrl-C ends the run between two steps; what was written is valid up to there.

Exit code: 0 done, 1 the simulation could not go on (the time reached and why are printed, and what was recorded is kept),
2 bad command line or bad input, 130 interrupted."#;

/// The options of `simulate`.
#[derive(Debug, Args)]
#[command(after_long_help = DETAILS, after_help = "`--help` describes what moves, masses and output.")]
pub(crate) struct SimulateArguments {
    #[command(flatten)]
    pub scene: SceneArguments,

    /// How long to simulate
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = positive)]
    pub seconds: f64,

    #[command(flatten)]
    pub begin: StateArguments,

    /// Object of the world that stands still; may be given several times
    #[arg(long = "fixed", value_name = "ID")]
    pub fixed: Vec<String>,

    /// Hold the robot where it begins, with springs of this frequency (Hz) that also carry its weight
    #[arg(long, value_name = "HZ", allow_negative_numbers = true, value_parser = positive)]
    pub hold: Option<f64>,

    /// Acceleration of gravity in the world, m/s²; 0,0,0 for none
    #[arg(long, value_name = "X,Y,Z", default_value = "0,0,-9.80665", allow_hyphen_values = true, value_parser = vector)]
    pub gravity: [f64; 3],

    /// Density of objects and of links without a mass, kg/m³
    #[arg(long, value_name = "KG", allow_negative_numbers = true, default_value_t = 1000.0, value_parser = positive)]
    pub density: f64,

    /// Coefficient of friction
    #[arg(long, value_name = "MU", allow_negative_numbers = true, default_value_t = Material::default().friction)]
    pub friction: f64,

    /// Coefficient of restitution, 0 to 1
    #[arg(long, value_name = "E", allow_negative_numbers = true, default_value_t = Material::default().restitution)]
    pub restitution: f64,

    /// Young's modulus, Pa
    #[arg(long, value_name = "PA", allow_negative_numbers = true, default_value_t = Material::default().young)]
    pub young: f64,

    /// How contacts lose energy
    #[arg(long, value_name = "LAW", value_enum, default_value_t = Law::LankaraniNikravesh)]
    pub law: Law,

    /// What bodies do that touch
    #[arg(long, value_name = "KIND", value_enum, default_value_t = Contacts::Compliant)]
    pub contacts: Contacts,

    /// Tolerance of the error-controlled steps of compliant contacts, relative [default: 1e-6]
    #[arg(long, value_name = "TOL", allow_negative_numbers = true, value_parser = positive)]
    pub tolerance: Option<f64>,

    /// Steps of this length (s) instead: semi-implicit, or those of rigid contacts [default there: 0.001]
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = positive, conflicts_with = "tolerance")]
    pub step: Option<f64>,

    /// Begin even with surfaces deep in each other
    #[arg(long)]
    pub allow_overlaps: bool,

    /// States per second in the recording and in the plot
    #[arg(long, value_name = "HZ", allow_negative_numbers = true, default_value_t = 100.0, value_parser = positive)]
    pub rate: f64,

    /// Folder to record to; it must not exist
    #[arg(long, value_name = "DIR")]
    pub record: Option<PathBuf>,

    /// File for the plot of energies, SVG
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,

    /// Replace the plot if it is there
    #[arg(long, requires = "plot")]
    pub force: bool,

    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
}

/// What bodies do that touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Contacts {
    /// They push each other apart like springs with dampers
    Compliant,
    /// They do not give way at all
    Complementarity,
}

/// How contacts lose energy.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Law {
    /// Damping 3(1 − e)/2v
    HuntCrossley,
    /// Damping 3(1 − e²)/4v
    LankaraniNikravesh,
}

/// Relative tolerance of compliant contacts.
const TOLERANCE: f64 = 1e-6;
/// Steps of rigid contacts, s.
const RIGID_STEP: f64 = 1e-3;

impl SimulateArguments {
    /// `None` when a tolerance is given for rigid contacts, whose steps have none.
    pub fn integrator(&self) -> Option<Integrator> {
        match (self.contacts, self.step, self.tolerance) {
            (Contacts::Complementarity, _, Some(_)) => None,
            (Contacts::Complementarity, step, None) => {
                Some(Integrator::Complementarity(step.unwrap_or(RIGID_STEP)))
            }
            (Contacts::Compliant, Some(step), _) => Some(Integrator::SemiImplicit(step)),
            (Contacts::Compliant, None, tolerance) => {
                Some(Integrator::Adaptive(tolerance.unwrap_or(TOLERANCE)))
            }
        }
    }

    pub fn material(&self) -> Material {
        let law = match self.law {
            Law::HuntCrossley => ContactLaw::HuntCrossley,
            Law::LankaraniNikravesh => ContactLaw::LankaraniNikravesh,
        };
        let (young, restitution, friction) = (self.young, self.restitution, self.friction);
        Material { young, restitution, friction, law, ..Material::default() }
    }
}

/// A number above zero.
fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        // No run ends that is longer or finer than this.
        Ok(value) if value > 0.0 && value <= 1e9 => Ok(value),
        _ => Err("must be a number above 0, at most 1e9".to_owned()),
    }
}

/// Three numbers.
fn vector(text: &str) -> Result<[f64; 3], String> {
    let numbers: Vec<f64> = text.split(',').filter_map(|part| part.trim().parse().ok()).collect();
    match <[f64; 3]>::try_from(numbers) {
        Ok(all) if text.split(',').count() == 3 && all.iter().all(|x| x.abs() <= 1e4) => Ok(all),
        _ => Err("must be three numbers in [-1e4, 1e4], as 0,0,-9.81".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_is_three_numbers_and_nothing_else() {
        assert_eq!(vector("0, 1,-2.5"), Ok([0.0, 1.0, -2.5]));
        for bad in ["", "0,0", "0,0,0,0", "0,x,0", "0,nan,0", "0,inf,0", "0,,0,0"] {
            assert!(vector(bad).is_err(), "{bad}");
        }
    }
}
