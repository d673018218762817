//! Why a simulation stops.

use crate::error::DynamicsError;

/// Why a simulation cannot go on.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SimulationError {
    /// Forces could not be computed.
    #[error("stopped at {time} s: {source}")]
    Dynamics {
        /// The time that was reached, s.
        time: f64,
        /// What went wrong.
        source: DynamicsError,
    },
    /// The forces are too stiff for the tolerance.
    #[error(
        "stopped at {time} s: a step of {step:e} s still has {error:.3e} times the tolerated error; {contact}; the contacts or joints are too stiff (a smaller Young's modulus, a larger tolerance, or the semi-implicit integrator)"
    )]
    StepTooShort {
        /// The time that was reached, s.
        time: f64,
        /// The step that was tried, s.
        step: f64,
        /// Its error in multiples of the tolerance.
        error: f64,
        /// The deepest contact.
        contact: String,
    },
    /// No impulses were found that keep the bodies apart.
    #[error(
        "stopped at {time} s: the complementarity problem is not solved: after {sweeps} sweeps velocities are still wrong by {residual:e} m/s or rad/s, most at {place} (a shorter step, less friction, or compliant contacts)"
    )]
    NotSolved {
        /// The time that was reached, s.
        time: f64,
        /// Sweeps over all constraints.
        sweeps: u32,
        /// What is left, m/s or rad/s.
        residual: f64,
        /// The contact or joint where it is largest.
        place: String,
    },
    /// Numbers grew beyond all bounds.
    #[error(
        "stopped at {time} s: the state is not finite any more; the step is too long for these forces"
    )]
    NotFinite {
        /// The time that was reached, s.
        time: f64,
    },
    /// A step that is no length of time.
    #[error("{what} is {value}, must be positive and finite")]
    BadStep {
        /// Step or tolerance.
        what: &'static str,
        /// Its value.
        value: f64,
    },
}
