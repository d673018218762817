//! Where several climbs of one pair ended, to be compared.

use super::common_normal::{Ascent, Outcome};
use super::separation::SeparationJet;
use crate::math::Vec3;

/// Most climbs that are compared.
pub(crate) const MOST_CLIMBS: usize = 8;

/// The end of a climb.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClimbEnd {
    pub normal: Vec3,
    pub value: f64,
    pub outcome: Outcome,
    /// What is known there.
    pub jet: SeparationJet,
}

/// The ends of several climbs, and what they cost.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ends {
    all: [ClimbEnd; MOST_CLIMBS],
    len: usize,
    pub evaluations: u32,
}

/// Maxima with their values.
pub(crate) struct Maxima {
    all: [(Vec3, f64); MOST_CLIMBS],
    len: usize,
}

impl Maxima {
    pub fn as_slice(&self) -> &[(Vec3, f64)] {
        &self.all[..self.len]
    }
}

impl Ends {
    /// None yet, after so many evaluations.
    pub fn none(evaluations: u32) -> Self {
        let nowhere = ClimbEnd {
            normal: Vec3::zeros(),
            value: f64::NEG_INFINITY,
            outcome: Outcome::Stalled,
            jet: SeparationJet::default(),
        };
        Self { all: [nowhere; MOST_CLIMBS], len: 0, evaluations }
    }

    pub fn of<const N: usize>(ascents: [&Ascent; N]) -> Self {
        let mut ends = Self::none(0);
        ascents.into_iter().for_each(|ascent| ends.add_ascent(ascent));
        ends
    }

    /// Adds an end; beyond the most that are compared it is dropped.
    pub fn add(&mut self, end: ClimbEnd) {
        if let Some(free) = self.all.get_mut(self.len) {
            *free = end;
            self.len += 1;
        }
    }

    pub fn add_ascent(&mut self, ascent: &Ascent) {
        self.add(ascent.into());
        self.evaluations += ascent.evaluations;
    }

    pub fn as_slice(&self) -> &[ClimbEnd] {
        &self.all[..self.len]
    }

    /// The ends that are maxima.
    pub fn maxima(&self) -> Maxima {
        let mut maxima = Maxima { all: [(Vec3::zeros(), 0.0); MOST_CLIMBS], len: 0 };
        for end in self.as_slice().iter().filter(|end| end.outcome == Outcome::Stationary) {
            maxima.all[maxima.len] = (end.normal, end.value);
            maxima.len += 1;
        }
        maxima
    }
}

impl From<&Ascent> for ClimbEnd {
    fn from(ascent: &Ascent) -> Self {
        let Ascent { jet, outcome, .. } = *ascent;
        Self { normal: jet.normal, value: jet.at.value, outcome, jet }
    }
}
