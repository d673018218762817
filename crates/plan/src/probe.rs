//! The questions of a planner about points and edges of its space, counted against its budget.

use crate::certificate::SegmentCertificate;
use crate::checker::{MotionChecker, Phase};
use crate::edge_proof::{EdgeProof, Stop};
use crate::error::{Endpoint, PlanError};
use crate::joint_curve::JointCurve;
use crate::options::PlanOptions;
use crate::path_constraint::PathConstraints;
use crate::space::{JointSpace, PreparedWay};
use crate::statistics::PlanStatistics;

/// States checked between two looks at the stop flag.
const BLOCK: usize = 8;
/// What a proof costs of the budget, in states.
const STATES_OF_A_PROOF: u64 = 200;

/// A checker, the space it is asked about, and what was asked so far.
pub(crate) struct Probe<'a> {
    pub space: &'a JointSpace,
    pub options: &'a PlanOptions,
    pub statistics: PlanStatistics,
    checker: &'a mut dyn MotionChecker,
    stop: Stop<'a>,
    constraints: PathConstraints,
    states: Vec<f64>,
    way: Vec<f64>,
    prepared: PreparedWay,
    /// What was proven and is not part of an answer yet, so that nothing is proven twice.
    proven: Vec<SegmentCertificate>,
}

impl<'a> Probe<'a> {
    pub fn new(
        space: &'a JointSpace,
        options: &'a PlanOptions,
        checker: &'a mut dyn MotionChecker,
        stop: Stop<'a>,
    ) -> Result<Self, PlanError> {
        let statistics = PlanStatistics::default();
        let constraints = PathConstraints::new(space.model(), &options.constraints)?;
        let (states, way, proven) = (Vec::new(), Vec::new(), Vec::new());
        let prepared = PreparedWay::default();
        Ok(Self {
            space,
            options,
            statistics,
            checker,
            stop,
            constraints,
            states,
            way,
            prepared,
            proven,
        })
    }

    /// What has to hold along the path.
    pub fn constraints(&self) -> &PathConstraints {
        &self.constraints
    }

    /// Refuses a start or goal that does not satisfy the constraints on the path.
    pub fn check_constraints(&self, start: &[f64], goal: &[f64]) -> Result<(), PlanError> {
        let model = self.space.model();
        self.constraints.check_end(model, Endpoint::Start, start)?;
        self.constraints.check_end(model, Endpoint::Goal, goal)
    }

    pub fn checker(&self) -> &dyn MotionChecker {
        self.checker
    }

    /// Whether no state looked at between two points, the end included and the start not, is in collision. Not a proof; that
    /// the constraints on the path hold is one.
    ///
    /// The end comes first, then the middle, then the quarters and so on: a collision is found early.
    pub fn looks_free(&mut self, from: &[f64], to: &[f64]) -> Result<bool, PlanError> {
        let mut way = std::mem::take(&mut self.way);
        self.space.way(from, to, &mut way);
        let found = self.way_looks_free(from, &way);
        let is_free = match found {
            Ok(true) if !self.constraints.is_empty() => {
                let to = self.space.at(from, &way, 1.0);
                self.constraints_hold(from, &to)
            }
            found => found,
        };
        self.way = way;
        is_free
    }

    fn way_looks_free(&mut self, from: &[f64], way: &[f64]) -> Result<bool, PlanError> {
        if !self.space.is_unambiguous(way) {
            return Ok(false);
        }
        let length = way.iter().map(|x| x * x).sum::<f64>().sqrt();
        let count = (length / self.options.step).ceil().max(1.0) as u64;
        let mut block = 0;
        self.space.prepare_way(from, way, &mut self.prepared);
        self.states.clear();
        for place in spread(count) {
            let t = if place == count { 1.0 } else { place as f64 / count as f64 };
            self.space.push_positions(from, way, &self.prepared, t, &mut self.states);
            block += 1;
            if block == BLOCK {
                if self.any_collision()? {
                    return Ok(false);
                }
                block = 0;
            }
        }
        Ok(block == 0 || !self.any_collision()?)
    }

    /// Asks about the collected states and forgets them.
    fn any_collision(&mut self) -> Result<bool, PlanError> {
        let width = self.space.model().position_count();
        self.spend((self.states.len() / width) as u64)?;
        let found = self.checker.any_collision(&self.states, width)?;
        self.states.clear();
        Ok(found)
    }

    /// Tells the checker about a new edge of a tree.
    pub fn tell_edge(&mut self, from: &[f64], to: &[f64]) {
        if self.checker.watches() {
            self.checker.grew(&self.space.positions(from), &self.space.positions(to));
        }
    }

    /// Tells the checker what is done from now on.
    pub fn enter(&mut self, phase: Phase) {
        self.checker.entered(phase);
    }

    /// Whether the constraints are proven to hold between two points that do not wrap.
    fn constraints_hold(&self, from: &[f64], to: &[f64]) -> Result<bool, PlanError> {
        if self.constraints.is_empty() {
            return Ok(true);
        }
        let [from, to] = [from, to].map(|point| self.space.positions(point));
        Ok(self.constraints.hold_on(&JointCurve::straight(self.space.model(), &from, &to))?)
    }

    /// Whether a point is free and satisfies the constraints.
    pub fn is_free(&mut self, point: &[f64]) -> Result<bool, PlanError> {
        if !self.constraints.hold_at(self.space.model(), &self.space.positions(point))? {
            return Ok(false);
        }
        self.states.clear();
        self.states.extend_from_slice(&self.space.positions(point));
        Ok(!self.any_collision()?)
    }

    /// Whether a certificate is that of the straight motion between two points.
    pub fn is_about(&self, certificate: &SegmentCertificate, from: &[f64], to: &[f64]) -> bool {
        certificate.from == self.space.positions(from) && certificate.to == self.space.positions(to)
    }

    /// Counts states against the budget, and looks at the stop flag.
    pub fn spend(&mut self, states: u64) -> Result<(), PlanError> {
        if (self.stop)() {
            return Err(PlanError::Cancelled);
        }
        self.statistics.states += states;
        let PlanStatistics { states, proofs, refuted, .. } = self.statistics;
        if states + proofs * STATES_OF_A_PROOF > self.options.max_states {
            return Err(PlanError::NoConnection { states, proofs, refuted });
        }
        Ok(())
    }

    /// Takes in what was proven and may be asked for again.
    pub fn remember(&mut self, certificates: impl IntoIterator<Item = SegmentCertificate>) {
        self.proven.extend(certificates);
    }

    /// Proves the straight motion between two points. Both are used as they are: points of a path do not wrap. A proof that was
    /// remembered is handed out and forgotten.
    pub fn prove(&mut self, from: &[f64], to: &[f64]) -> Result<EdgeProof, PlanError> {
        self.spend(0)?;
        if !self.constraints_hold(from, to)? {
            return Ok(EdgeProof::Refuted);
        }
        let (from, to) = (self.space.positions(from), self.space.positions(to));
        let known = self.proven.iter().position(|known| known.from == from && known.to == to);
        if let Some(place) = known {
            return Ok(EdgeProof::Proven(self.proven.swap_remove(place)));
        }
        let proof = self.checker.prove(&from, &to, self.stop)?;
        self.statistics.proofs += 1;
        match &proof {
            EdgeProof::Proven(_) => {}
            EdgeProof::Refuted => self.statistics.refuted += 1,
            EdgeProof::Cancelled => return Err(PlanError::Cancelled),
        }
        Ok(proof)
    }
}

/// The numbers 1 to `count`, the last one first, then spread ever more densely: the van der Corput sequence.
fn spread(count: u64) -> impl Iterator<Item = u64> {
    let bits = 64 - count.leading_zeros();
    let reversed = move |k: u64| k.reverse_bits() >> (64 - bits);
    std::iter::once(count).chain((1..1 << bits).map(reversed).filter(move |&k| k > 0 && k < count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_comes_once_the_last_first_and_the_middle_next() {
        for count in 1..200 {
            let mut all: Vec<u64> = spread(count).collect();
            assert_eq!(all[0], count);
            if count == 128 {
                assert_eq!(all[1], 128 - 64);
            }
            all.sort_unstable();
            assert_eq!(all, (1..=count).collect::<Vec<_>>());
        }
    }
}
