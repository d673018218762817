//! The common normal on the contact space by nonlinear least squares: CFC-CN-LS [Ruan 2022, §V-A2].
//!
//! ```text
//! minimize over ψ = (η, ω)    ½|r(ψ)|²,    r = m(ψ) × (p − x_Σ(m(ψ)))                      [Ruan 2022, eq. 16]
//! ```
//!
//! r also vanishes where the centre is farthest from the contact space, and |r| has minima that are not zeros: both are
//! answers of this method.

use crate::contact_space::ContactSpace;
use crate::dogleg::Linearization;
use nalgebra::{Matrix3x2, Vector2};

/// r and ∂r/∂ψ_k = ∂m × (p − x) − m × ∂x.
pub(super) fn linearize(space: &ContactSpace, psi: &Vector2<f64>) -> Option<Linearization<3, 2>> {
    let jet = space.jet_at_angles((*psi).into())?;
    let column = |k: usize| {
        jet.gradient_rates[k].cross(&jet.gap) - jet.gradient.cross(&jet.position_rates[k])
    };
    let jacobian = Matrix3x2::from_columns(&[column(0), column(1)]);
    Some(Linearization { residual: jet.gradient.cross(&jet.gap), jacobian })
}
