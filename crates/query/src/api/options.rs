//! What a query may be asked to do, and every default with its unit and reason.

/// How much to find out about the depth of two bodies that overlap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DepthMode {
    /// The deepest of several Newton runs. The depth is proven from above only: a smaller one may exist.
    Fast,
    /// The global depth with proven bounds on both sides, by branch and bound over directions.
    Certified,
}

/// Tolerances and limits of a query: input only, never changed by it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QueryOptions {
    /// Relative duality gap at which a distance counts as found: `upper − lower ≤ gap_tolerance × size`, where size is
    /// the larger of the two bounding radii and the distance. 1e-10 leaves a factor ten to the 1e-9 we promise.
    pub gap_tolerance: f64,
    /// What to find out about overlapping bodies.
    pub depth_mode: DepthMode,
    /// Relative width of the proven bound on the depth at which the certified mode stops.
    pub depth_tolerance: f64,
    /// Directions the certified mode may visit before it returns the bound it has reached. 20 000 cost some
    /// milliseconds; isolated minima need a few hundred.
    pub depth_budget: u32,
}

impl QueryOptions {
    /// The defaults with the certified depth mode.
    pub fn certified() -> Self {
        Self { depth_mode: DepthMode::Certified, ..Self::default() }
    }
}

impl Default for QueryOptions {
    fn default() -> Self {
        Self {
            gap_tolerance: 1e-10,
            depth_mode: DepthMode::Fast,
            depth_tolerance: 1e-6,
            depth_budget: 20_000,
        }
    }
}
