//! One height of a superovoid: its cross-section, and its point of the profile.

use crate::dual_norm::NormJet;

/// The cross-section at one height, seen along one direction: N(w) with its derivatives by w.
pub(super) struct Section {
    /// Tapered semi-axes times |n₁|, |n₂|.
    pub u: [f64; 2],
    pub jet: NormJet,
    /// dN/dw.
    pub slope: f64,
    /// κ·m² of the norm's Hessian, m = max(u).
    pub kappa: f64,
    /// (u₂u₁' − u₁u₂')/m: how the section turns as w changes.
    pub turn: f64,
    pub m: f64,
}

/// A point of the profile curve |ρ|^p + |w|^p = 1 whose normal has slope σ = (w/ρ)^(p−1).
#[derive(Clone, Copy)]
pub(super) struct Profile {
    pub sigma: f64,
    pub rho: f64,
    pub w: f64,
    /// dw/dσ, infinite where the profile is flat (σ = 0, ε_z < 1).
    pub dw: f64,
    /// σ·dw/dσ, finite everywhere.
    pub sigma_dw: f64,
}
