//! What bodies are made of, and how contacts answer.

/// How a contact loses energy.
///
/// Both laws are F = k δ^(3/2) (1 + c δ̇), not below zero, with k from Hertz's theory, δ the depth, δ̇ its rate and v the
/// closing speed when the contact began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ContactLaw {
    /// c = 3(1 − e)/(2v) [Hunt 1975].
    HuntCrossley,
    /// c = 3(1 − e²)/(4v) [Lankarani 1990]. The two laws agree for e close to one.
    #[default]
    LankaraniNikravesh,
}

impl ContactLaw {
    /// The factor c for a coefficient of restitution and a closing speed, s/m.
    pub fn damping(self, restitution: f64, speed: f64) -> f64 {
        match self {
            ContactLaw::HuntCrossley => 1.5 * (1.0 - restitution) / speed,
            ContactLaw::LankaraniNikravesh => 0.75 * (1.0 - restitution * restitution) / speed,
        }
    }
}

/// Stiffness, bounce and friction, the same for all bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Material {
    /// Young's modulus, Pa.
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
    /// Coefficient of restitution e of the contact law, 0 to 1.
    pub restitution: f64,
    /// Coefficient of friction μ.
    pub friction: f64,
    /// Sliding speed v_s of regularised friction, m/s: the friction is μF·v/√(v² + v_s²). What should stick creeps, by less
    /// than this speed until nearly the whole friction is used up.
    pub creep_speed: f64,
    /// How a contact loses energy.
    pub law: ContactLaw,
}

impl Default for Material {
    /// Firm rubber.
    fn default() -> Self {
        Self {
            young: 1e7,
            poisson: 0.4,
            restitution: 0.5,
            friction: 0.5,
            creep_speed: 1e-3,
            law: ContactLaw::default(),
        }
    }
}

/// A material that no matter has.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("material: {field} is {value}, must be {range}")]
pub struct MaterialError {
    field: &'static str,
    value: f64,
    range: &'static str,
}

impl Material {
    /// The material, if its numbers make sense.
    pub fn checked(self) -> Result<Self, MaterialError> {
        let positive = |x: f64| x > 0.0 && x.is_finite();
        let refused = |field, value, range| Err(MaterialError { field, value, range });
        // Written so that NaN is refused too.
        if !positive(self.young) {
            return refused("young", self.young, "positive and finite");
        }
        if !(self.poisson > -1.0 && self.poisson <= 0.5) {
            return refused("poisson", self.poisson, "above -1 and at most 0.5");
        }
        if !(0.0..=1.0).contains(&self.restitution) {
            return refused("restitution", self.restitution, "0 to 1");
        }
        if !(self.friction >= 0.0 && self.friction.is_finite()) {
            return refused("friction", self.friction, "zero or more and finite");
        }
        if !positive(self.creep_speed) {
            return refused("creep_speed", self.creep_speed, "positive and finite");
        }
        Ok(self)
    }

    /// Hertz's modulus E* of two bodies of this material: 1/E* = 2(1 − ν²)/E.
    pub fn contact_modulus(&self) -> f64 {
        self.young / (2.0 * (1.0 - self.poisson * self.poisson))
    }
}
