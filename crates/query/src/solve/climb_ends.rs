//! The ends of several climbs on one pair, for comparison.

use crate::solve::common_normal::{Ascent, Outcome};
use crate::solve::separation::SeparationJet;
use crate::solve::starts::MOST_CLIMBS;
use smooth_scene_geometry::math::Vec3;

/// Ends of the climbs from all starts, of two before them, and of one from a direction that was seen.
const MOST_ENDS: usize = MOST_CLIMBS + 3;

/// The end of a climb.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClimbEnd {
    pub outcome: Outcome,
    /// Value and derivatives of f there.
    pub jet: SeparationJet,
}

impl ClimbEnd {
    #[inline(always)]
    pub fn normal(&self) -> &Vec3 {
        &self.jet.normal
    }

    /// f there.
    #[inline(always)]
    pub fn value(&self) -> f64 {
        self.jet.at.value
    }
}

/// The ends of several climbs, and the evaluations they took.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ends {
    /// The first `len` are present. `Option`, because an empty slot is cheap to make.
    all: [Option<ClimbEnd>; MOST_ENDS],
    len: usize,
    pub evaluations: u32,
}

/// Maxima with their values.
pub(crate) struct Maxima {
    all: [(Vec3, f64); MOST_ENDS],
    len: usize,
}

impl Maxima {
    #[inline(always)]
    pub fn as_slice(&self) -> &[(Vec3, f64)] {
        &self.all[..self.len]
    }
}

impl Ends {
    /// No ends yet, after this many evaluations.
    #[inline(always)]
    pub fn none(evaluations: u32) -> Self {
        Self { all: [None; MOST_ENDS], len: 0, evaluations }
    }

    #[inline(always)]
    pub fn of<const N: usize>(ascents: [&Ascent; N]) -> Self {
        let mut ends = Self::none(0);
        for ascent in ascents {
            ends.add_ascent(ascent);
        }
        ends
    }

    /// Adds an end. Ends beyond [`MOST_ENDS`] only count their evaluations.
    #[inline(always)]
    pub fn add_ascent(&mut self, ascent: &Ascent) {
        if let Some(free) = self.all.get_mut(self.len) {
            let Ascent { jet, outcome, .. } = *ascent;
            *free = Some(ClimbEnd { outcome, jet });
            self.len += 1;
        }
        self.evaluations += ascent.evaluations;
    }

    #[inline(always)]
    pub fn iter(&self) -> impl Iterator<Item = &ClimbEnd> + Clone {
        self.all[..self.len].iter().flatten()
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The ends that are maxima.
    #[inline(always)]
    pub fn maxima(&self) -> Maxima {
        let mut maxima = Maxima { all: [(Vec3::zeros(), 0.0); MOST_ENDS], len: 0 };
        for end in self.iter().filter(|end| end.outcome == Outcome::Stationary) {
            maxima.all[maxima.len] = (*end.normal(), end.value());
            maxima.len += 1;
        }
        maxima
    }
}
