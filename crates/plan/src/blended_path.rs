//! Paths around whose corners the robot goes without a stop.
//!
//! At each corner C of a path the last part of the segment before it and the first part of the one after it, both of length d,
//! are replaced by the parabola with the same ends and directions (Kunz and Stilman [Kunz 2012] take an arc of a circle).
//! With the unit directions e₁ and e₂ of the segments it is in the middle, where it is farthest from the corner, away from it by
//!
//! ```text
//! |(A − 2C + B) / 4| = d |e₂ − e₁| / 4
//! ```
//!
//! A parabola whose points are not proven free, or not to satisfy the constraints on the path, is made half as large; when
//! that does not help, the corner stays, and the robot stops there.

use crate::certificate::SegmentCertificate;
use crate::checker::MotionChecker;
use crate::edge_proof::{EdgeProof, Stop};
use crate::error::PlanError;
use crate::joint_curve::JointCurve;
use crate::path_constraint::{PathConstraint, PathConstraints};
use crate::planner::Plan;
use crate::space::JointSpace;

/// How often a curve is made half as large before the corner stays.
const MAX_HALVINGS: u32 = 6;

/// A curve in the place of a corner.
#[derive(Debug, Clone, PartialEq)]
pub struct Blend {
    /// Which waypoint is the corner.
    pub waypoint: usize,
    /// Share of the segment before the corner that it replaces.
    pub before: f64,
    /// Share of the segment after it.
    pub after: f64,
    /// The proof that the curve is free.
    pub certificate: SegmentCertificate,
}

/// A path of straight segments, some of whose corners are replaced by curves.
#[derive(Debug, Clone, PartialEq)]
pub struct BlendedPath {
    /// Positions of the whole robot.
    pub waypoints: Vec<Vec<f64>>,
    /// The curves, in the order of the path. At all other waypoints the robot has to stop.
    pub blends: Vec<Blend>,
}

impl BlendedPath {
    /// A path with a stop at every waypoint.
    pub fn with_stops(waypoints: Vec<Vec<f64>>) -> Self {
        Self { waypoints, blends: Vec::new() }
    }

    /// No two bodies come closer than this on any of the curves.
    pub fn clearance(&self) -> f64 {
        let clearances = self.blends.iter().map(|blend| blend.certificate.clearance());
        clearances.fold(f64::INFINITY, f64::min)
    }

    /// The first of the curves that does not go around a corner of the path, or overlaps the one before it.
    pub(crate) fn misplaced(&self) -> Option<usize> {
        let fits = |share: f64| share > 0.0 && share <= 1.0;
        // The last curve, and how much it takes of the segment after it.
        let (mut last, mut taken) = (0, 0.0);
        for (number, Blend { waypoint, before, after, certificate }) in
            self.blends.iter().enumerate()
        {
            let SegmentCertificate { from, corner, to, .. } = certificate;
            let is_there =
                self.states_at(*waypoint, [*before, *after]).is_some_and(|[begin, middle, end]| {
                    begin == *from && Some(&middle) == corner.as_ref() && end == *to
                });
            let left = if *waypoint == last + 1 { 1.0 - taken } else { 1.0 };
            let is_next = *waypoint > last && fits(*before) && fits(*after) && *before <= left;
            if !is_there || !is_next {
                return Some(number);
            }
            (last, taken) = (*waypoint, *after);
        }
        None
    }

    /// Where the curve at a waypoint begins, its corner and where it ends, when it replaces these shares of the segments
    /// before and after; none for a waypoint that is not a corner.
    pub(crate) fn states_at(&self, waypoint: usize, shares: [f64; 2]) -> Option<[Vec<f64>; 3]> {
        let before = self.waypoints.get(waypoint.checked_sub(1)?)?;
        let (corner, after) = (self.waypoints.get(waypoint)?, self.waypoints.get(waypoint + 1)?);
        let towards = |other: &[f64], share: f64| {
            corner.iter().zip(other).map(|(c, o)| c + share * (o - c)).collect()
        };
        Some([towards(before, shares[0]), corner.clone(), towards(after, shares[1])])
    }
}

/// Replaces the corners of a proven path by curves that are proven free, too, and to satisfy the constraints. No curve is
/// farther from its corner than `deviation`, in the distance of [`JointSpace`]; zero leaves all corners.
pub fn blend_corners(
    space: &JointSpace,
    plan: &Plan,
    constraints: &[PathConstraint],
    deviation: f64,
    checker: &mut dyn MotionChecker,
    stop: Stop,
) -> Result<BlendedPath, PlanError> {
    if !deviation.is_finite() || deviation < 0.0 {
        let (field, value, range) = ("blend", deviation, "0 or more and finite");
        return Err(PlanError::BadOption { field, value, range });
    }
    let mut path = BlendedPath::with_stops(plan.waypoints.clone());
    let constraints = PathConstraints::new(space.model(), constraints)?;
    for waypoint in 1..path.waypoints.len().saturating_sub(1) {
        let mut shares = largest_shares(space, &path.waypoints, waypoint, deviation);
        for _ in 0..=MAX_HALVINGS {
            if shares.contains(&0.0) {
                break;
            }
            let states =
                path.states_at(waypoint, shares).expect("there are waypoints on both sides");
            if let Some(certificate) = proven(space, &constraints, &states, checker, stop)? {
                let [before, after] = shares;
                path.blends.push(Blend { waypoint, before, after, certificate });
                break;
            }
            shares = shares.map(|share| 0.5 * share);
        }
    }
    Ok(path)
}

/// The shares of the segments before and after a waypoint that a curve may replace: at most half of each, so that the next
/// curve has room.
fn largest_shares(
    space: &JointSpace,
    waypoints: &[Vec<f64>],
    waypoint: usize,
    deviation: f64,
) -> [f64; 2] {
    let [before, corner, after] = [0, 1, 2].map(|k| space.point(&waypoints[waypoint - 1 + k]));
    let lengths = [space.distance(&before, &corner), space.distance(&corner, &after)];
    if lengths.contains(&0.0) {
        return [0.0; 2];
    }
    let mut ways = [Vec::new(), Vec::new()];
    space.way(&before, &corner, &mut ways[0]);
    space.way(&corner, &after, &mut ways[1]);
    // |e₂ − e₁|
    let turns = ways[0].iter().zip(&ways[1]).map(|(a, b)| b / lengths[1] - a / lengths[0]);
    let turn = turns.map(|x| x * x).sum::<f64>().sqrt();
    let half = 0.5 * lengths[0].min(lengths[1]);
    let length = if turn > 0.0 { half.min(4.0 * deviation / turn) } else { half };
    lengths.map(|whole| length / whole)
}

/// The certificate of a curve, if it can be proven to be free and to satisfy the constraints.
fn proven(
    space: &JointSpace,
    constraints: &PathConstraints,
    [from, corner, to]: &[Vec<f64>; 3],
    checker: &mut dyn MotionChecker,
    stop: Stop,
) -> Result<Option<SegmentCertificate>, PlanError> {
    let Some(curve) = JointCurve::around(space.model(), from, corner, to) else { return Ok(None) };
    if !constraints.hold_on(&curve)? {
        return Ok(None);
    }
    match checker.prove_blend([from, corner, to], stop)? {
        EdgeProof::Proven(certificate) => Ok(Some(certificate)),
        EdgeProof::Refuted => Ok(None),
        EdgeProof::Cancelled => Err(PlanError::Cancelled),
    }
}
