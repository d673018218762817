//! Newton's method on the normal: the common normal of two smooth bodies in two unknowns.
//!
//! At the maximum of f the tangential part g of q − p vanishes: both bodies share the normal [Römer 2016]. One step is
//!
//! ```text
//! (W_A + W_B + f·I) δ = g,    n ← normalize(n + δ)
//! ```
//!
//! Where the matrix is not positive definite (overlap, far from a maximum) its eigenvalues are replaced by their
//! absolute values, so that δ is always an ascent direction, and a line search makes every step go up. When f > 0 the
//! maximum is unique and the method converges to it; when f < 0 it converges to a local maximum.

use crate::solve::newton_step::{NewtonStep, newton_step};
use crate::solve::separation::{Bend, SeparationFunction, SeparationJet, TwoDirections};
pub(crate) use crate::solve::tuning::newton::{
    ALTERNATIVE, APPROXIMATE_ERROR, AT_KNOWN_MAXIMUM, BACKTRACK, CLOSE, EIGENVALUE_FLOOR,
    FACE_WIDTH, FIRST_STEP, LARGEST_GAIN, LAST_GAIN, MAX_BACKTRACKS, MAX_EVALUATIONS, MAX_STEP,
    NO_GAIN, ON_FACE, SADDLE, SADDLE_STEP, SHORT, SHORT_OF_CLEARANCE, STATIONARY, SUFFICIENT_GAIN,
    WIDE_FACE,
};
use smooth_scene_geometry::math::Vec3;
use smooth_scene_geometry::simd::{F64x1, Simd};

/// Rounding error of f in multiples of the size: differences below it carry no information.
pub(crate) const NOISE: f64 = 4e-15;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Apart, and the duality gap is within the tolerance.
    GapClosed,
    /// Proven farther apart than the limit, or nearer than the near end.
    Decided,
    /// f ≤ 0 at a stationary point.
    Stationary,
    /// No further progress: the surface is flat or pinched here.
    Stalled,
    /// On the way to a maximum that was known before.
    Known,
    /// On the way to a maximum that is lower than the one to beat.
    Lower,
}

/// The end of a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ascent {
    pub jet: SeparationJet,
    pub outcome: Outcome,
    pub evaluations: u32,
}

/// |q − p| − f for the support points at one direction: the proven error of f as a distance when f > 0.
#[inline(always)]
pub(crate) fn duality_gap(value: f64, tangential: [f64; 2]) -> f64 {
    let square = tangential[0] * tangential[0] + tangential[1] * tangential[1];
    // |q − p| − f = g²/(|q − p| + f), free of cancellation.
    square / ((value * value + square).sqrt() + value)
}

/// Absolute tolerances of a run, in metres.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Goal<'a> {
    /// Duality gap that ends a run with f > 0.
    pub gap: f64,
    /// Length that the other tolerances are relative to.
    pub size: f64,
    /// Tangential gradient, in multiples of the size, at which a run with f ≤ 0 ends.
    pub stationary: f64,
    /// A run that proves the bodies farther apart than this, or nearer than `near`, ends at once.
    pub limit: f64,
    pub near: f64,
    /// Maxima already found, with their values: a run that is about to end at one of them, or lower, ends at once.
    pub known: &'a [(Vec3, f64)],
    /// Cosine of the angle to one of them within which a run is taken to end there.
    pub at_known: f64,
}

impl Goal<'_> {
    /// Climb until rounding ends it.
    pub fn top(size: f64) -> Self {
        Self {
            gap: 0.0,
            size,
            stationary: STATIONARY,
            limit: f64::INFINITY,
            near: 0.0,
            known: &[],
            at_known: AT_KNOWN_MAXIMUM,
        }
    }
}

/// One run: the best direction so far and the step to try next.
#[derive(Debug, Clone, Copy)]
struct Climb {
    jet: SeparationJet,
    /// Tangential gradient and its square.
    tangential: [f64; 2],
    square: f64,
    /// Newton step and the gain it promises per unit of length.
    delta: [f64; 2],
    slope: f64,
    /// Fraction of the step to try.
    fraction: f64,
    backtracks: u32,
    /// How far the last rejected step led down.
    fall: f64,
    /// Whether the last step gained what it promised.
    predicted: bool,
    /// The square of the tangential gradient before it.
    last_square: f64,
    evaluations: u32,
    outcome: Option<Outcome>,
}

impl Climb {
    #[inline(always)]
    fn new(jet: SeparationJet, goal: &Goal) -> Self {
        let mut climb = Self {
            jet,
            tangential: [0.0; 2],
            square: 0.0,
            delta: [0.0; 2],
            slope: 0.0,
            fraction: 1.0,
            backtracks: 0,
            fall: 0.0,
            predicted: false,
            last_square: f64::INFINITY,
            evaluations: 1,
            outcome: None,
        };
        climb.advance(jet, goal);
        climb
    }

    /// Makes `jet` the current direction, decides whether the run is over, and plans the next step.
    #[inline(always)]
    fn advance(&mut self, jet: SeparationJet, goal: &Goal) {
        let g = jet.tangential();
        let value = jet.at.value;
        self.jet = jet;
        self.tangential = g;
        self.square = g[0] * g[0] + g[1] * g[1];
        // An approximate jet never ends a run.
        let is_exact = !jet.is_approximate;
        let is_decided =
            || value > goal.limit || self.square + value * value < goal.near * goal.near;
        if is_exact && value > 0.0 && duality_gap(value, g) <= goal.gap {
            self.outcome = Some(Outcome::GapClosed);
        } else if is_exact && is_decided() {
            self.outcome = Some(Outcome::Decided);
        } else if is_exact && value <= 0.0 && self.square <= (goal.stationary * goal.size).powi(2) {
            // A saddle, as symmetric poses have them, is left along the direction in which f bends upwards.
            if let Some(way_up) = upward_bend(&jet, goal.size) {
                self.delta = way_up;
                self.slope = 0.0;
                self.fraction = 1.0;
                self.backtracks = 0;
                return;
            }
            self.outcome = Some(Outcome::Stationary);
        }
        self.delta = step_from(&jet, g, goal.size);
        self.slope = self.delta[0] * g[0] + self.delta[1] * g[1];
        self.fraction = 1.0;
        self.backtracks = 0;
        if is_exact
            && value <= 0.0
            && let Some(top) = self.landed(goal)
        {
            self.jet = top;
            self.outcome = Some(Outcome::Stationary);
        }
        if self.outcome.is_none() && !goal.known.is_empty() {
            self.outcome = self.compared(goal);
        }
    }

    /// The top, if nothing needs to be evaluated there.
    #[inline(always)]
    fn landed(&self, goal: &Goal) -> Option<SeparationJet> {
        if self.lands(goal) {
            Some(self.jet.after_short_step(self.delta))
        } else if self.is_on_face(LAST_GAIN, FACE_WIDTH, goal) {
            Some(self.jet.with_matched_points(self.delta))
        } else {
            None
        }
    }

    /// Whether the planned step leads to the maximum but for rounding: near a maximum the gradient left by a step shrinks with
    /// the square of its length.
    #[inline(always)]
    fn lands(&self, goal: &Goal) -> bool {
        let shrunk = self.square / self.last_square;
        let left = self.square * shrunk * shrunk;
        let short = SHORT.min(SHORT_OF_CLEARANCE * self.jet.clearance);
        self.step_square() <= short * short
            && left <= (0.1 * STATIONARY * goal.size).powi(2)
            && self.is_close()
    }

    /// Whether a face is so flat that the normal has no digits left for the point on it: f is at its height, and the points
    /// match after a move along the face. `gain` and `width` limit what is given up and the move, in multiples of the size.
    #[inline(always)]
    fn is_on_face(&self, gain: f64, width: f64, goal: &Goal) -> bool {
        self.step_square() <= ON_FACE * ON_FACE
            && self.slope <= gain * goal.size
            && self.square <= (width * goal.size).powi(2)
            && self.bends_down()
    }

    /// Ends a run that is on its way to a maximum that is known, or about to end at a lower one.
    #[inline(always)]
    fn compared(&self, goal: &Goal) -> Option<Outcome> {
        let value = self.jet.at.value;
        if goal
            .known
            .iter()
            .any(|(n, top)| n.dot(&self.jet.normal) > goal.at_known && value <= *top)
        {
            return Some(Outcome::Known);
        }
        let beat = goal.known.iter().fold(f64::NEG_INFINITY, |high, known| high.max(known.1));
        let is_lower = value + LARGEST_GAIN * self.slope < beat && self.is_close();
        is_lower.then_some(Outcome::Lower)
    }

    /// Compares the gain of a full step with the prediction of the quadratic model, half the slope, and checks that the gradient shrank.
    #[inline(always)]
    fn compare_with_model(&mut self, trial: &SeparationJet, fraction: f64) {
        let gain = trial.at.value - self.jet.at.value;
        let [x, y] = trial.tangential();
        self.predicted = fraction == 1.0
            && (gain - 0.5 * self.slope).abs() < 0.25 * self.slope
            && x * x + y * y < 0.25 * self.square;
        self.last_square = self.square;
    }

    /// Whether f has behaved like its quadratic model so far.
    #[inline(always)]
    fn is_as_predicted(&self) -> bool {
        self.evaluations == 1 || self.predicted
    }

    /// Whether the height of the maximum can be predicted: it is near, f is concave here, and the last step gained what was
    /// predicted. On a ridge, where f bends more than its smooth pieces, steps gain less.
    #[inline(always)]
    fn is_close(&self) -> bool {
        self.predicted && self.step_square() < CLOSE * CLOSE && self.bends_down()
    }

    /// The square of the length of the planned step.
    #[inline(always)]
    fn step_square(&self) -> f64 {
        self.delta[0] * self.delta[0] + self.delta[1] * self.delta[1]
    }

    /// Whether f bends down in all directions.
    #[inline(always)]
    fn bends_down(&self) -> bool {
        let f = self.jet.at.value;
        let [a, b, c] = [self.jet.radii[0] + f, self.jet.radii[1], self.jet.radii[2] + f];
        a > 0.0 && a * c - b * b > 0.0
    }

    /// The direction at a fraction of the planned step.
    #[inline(always)]
    fn trial(&self, fraction: f64) -> Vec3 {
        let step = [self.delta[0] * fraction, self.delta[1] * fraction];
        (self.jet.normal + self.jet.tangent(step)).normalize()
    }

    /// The direction at the end of a bent step, where the last step was not as expected: first as if one body alone were flat,
    /// then as if both were, then shorter.
    #[inline(always)]
    fn bent(&self, lanes: &impl TwoDirections) -> Option<Vec3> {
        let (bend, fraction) = match self.backtracks {
            _ if self.is_as_predicted() => return None,
            0 => (Bend::OfTheFlatter, 1.0),
            1 => (Bend::OfBoth, 1.0),
            _ => (Bend::OfBoth, self.fraction),
        };
        let delta = [fraction * self.delta[0], fraction * self.delta[1]];
        lanes.bent_step(&self.jet, delta, bend)
    }

    /// Whether a trial at `fraction` of the step is good enough.
    #[inline(always)]
    fn accepts(&self, trial: &SeparationJet, fraction: f64, goal: &Goal) -> bool {
        let gain = trial.at.value - self.jet.at.value;
        if gain >= SUFFICIENT_GAIN * fraction * self.slope {
            return true;
        }
        // Within rounding of the top f says nothing any more; the gradient still does.
        let [tx, ty] = trial.tangential();
        gain.abs() <= NOISE * goal.size && tx * tx + ty * ty < 0.25 * self.square
    }

    /// Takes the result of a trial at the current fraction.
    #[inline(always)]
    fn receive(&mut self, trial: &SeparationJet, goal: &Goal) {
        self.evaluations += 1;
        if self.accepts(trial, self.fraction, goal) {
            self.compare_with_model(trial, self.fraction);
            self.advance(*trial, goal);
        } else {
            self.fraction *= BACKTRACK;
            self.backtracks += 1;
            self.fall = self.jet.at.value - trial.at.value;
            self.end_on_face(goal);
        }
        self.give_up_if_spent();
    }

    /// Ends a run on a flat face where a step did not lead up although it promised to. Shorter ones would not either: what they
    /// change is lost in the rounding of the normal.
    #[inline(always)]
    fn end_on_face(&mut self, goal: &Goal) {
        let overlaps = !self.jet.is_approximate && self.jet.at.value <= 0.0;
        if overlaps && self.is_on_face(NO_GAIN, WIDE_FACE, goal) {
            self.jet = self.jet.with_matched_points(self.delta);
            self.outcome = Some(Outcome::Stationary);
        }
    }

    /// Takes the results of two trials, at the current fraction and at a longer or shorter one.
    #[inline(always)]
    fn receive_two(&mut self, trials: &[SeparationJet; 2], other: f64, goal: &Goal) {
        let [full, alternative] = trials;
        let noise = NOISE * goal.size;
        if alternative.at.value > full.at.value + noise && self.accepts(alternative, other, goal) {
            self.evaluations += 1;
            self.compare_with_model(alternative, other);
            self.advance(*alternative, goal);
            self.give_up_if_spent();
        } else {
            self.receive(full, goal);
        }
    }

    #[inline(always)]
    fn give_up_if_spent(&mut self) {
        let spent = self.evaluations >= MAX_EVALUATIONS || self.backtracks > MAX_BACKTRACKS;
        if spent && self.outcome.is_none() {
            self.outcome = Some(Outcome::Stalled);
        }
    }

    /// Evaluates an approximate jet exactly when a step from it leads down a little: its value may have been too high.
    #[inline(always)]
    fn make_exact(&mut self, pair: &impl SeparationFunction, goal: &Goal) {
        let fell_a_little = self.backtracks > 0 && self.fall < APPROXIMATE_ERROR * goal.size;
        if self.jet.is_approximate && (fell_a_little || self.outcome == Some(Outcome::Stalled)) {
            self.outcome = None;
            self.advance(pair.jet(&self.jet.normal), goal);
            self.evaluations += 1;
            self.give_up_if_spent();
        }
    }

    #[inline(always)]
    fn ascent(&self, outcome: Outcome) -> Ascent {
        Ascent { jet: self.jet, outcome, evaluations: self.evaluations }
    }
}

/// Climbs f from `start`. Where the evaluator has lanes to spare, each step is tried at two lengths.
#[inline(always)]
pub(crate) fn ascend(pair: &impl SeparationFunction, start: &Vec3, goal: &Goal) -> Ascent {
    let jet = match pair.lanes().filter(|lanes| lanes.has_spare_lanes()) {
        Some(lanes) => {
            let [jet, _] = lanes.jets_after(FIRST_STEP, [start, start]);
            jet
        }
        None => pair.jet(start),
    };
    ascend_from(pair, &jet, goal)
}

/// Continues from where another run ended.
#[inline(always)]
pub(crate) fn ascend_from<P: SeparationFunction>(
    pair: &P,
    jet: &SeparationJet,
    goal: &Goal,
) -> Ascent {
    climb_on(pair, Climb::new(*jet, goal), goal)
}

#[inline(always)]
fn climb_on<P: SeparationFunction>(pair: &P, mut climb: Climb, goal: &Goal) -> Ascent {
    match climb.outcome {
        Some(outcome) => climb.ascent(outcome),
        None => P::Set::call(
            #[inline(always)]
            || climb_to_the_end(pair, &mut climb, goal),
        ),
    }
}

/// Steps until the run is over.
#[inline(always)]
fn climb_to_the_end(pair: &impl SeparationFunction, climb: &mut Climb, goal: &Goal) -> Ascent {
    let lanes = pair.lanes().filter(|lanes| lanes.has_spare_lanes());
    loop {
        let first = climb.trial(climb.fraction);
        if let Some(lanes) = lanes {
            let shorter = climb.fraction * ALTERNATIVE;
            let (other, fraction) = match climb.bent(lanes) {
                Some(bent) => (bent, climb.fraction),
                None => (climb.trial(shorter), shorter),
            };
            let trials = lanes.jets_after(climb.step_square().sqrt(), [&first, &other]);
            climb.receive_two(&trials, fraction, goal);
        } else {
            climb.receive(&pair.jet(&first), goal);
        }
        climb.make_exact(pair, goal);
        if let Some(outcome) = climb.outcome {
            return climb.ascent(outcome);
        }
    }
}

/// Two runs at once, each on its own lanes.
pub(crate) fn ascend_two<P: SeparationFunction>(
    pair: &P,
    starts: [&Vec3; 2],
    goal: &Goal,
) -> [Ascent; 2] {
    P::Set::call(
        #[inline(always)]
        || climb_two(pair, starts, goal),
    )
}

/// [`TwoDirections::jets_after`], or exact jets one by one.
#[inline(always)]
fn jets_after(
    pair: &impl SeparationFunction,
    step: f64,
    normals: [&Vec3; 2],
) -> [SeparationJet; 2] {
    match pair.lanes() {
        Some(lanes) => lanes.jets_after(step, normals),
        None => [pair.jet(normals[0]), pair.jet(normals[1])],
    }
}

#[inline(always)]
fn climb_two(pair: &impl SeparationFunction, starts: [&Vec3; 2], goal: &Goal) -> [Ascent; 2] {
    let [one, other] = jets_after(pair, FIRST_STEP, starts);
    let (mut one, mut other) = (Climb::new(one, goal), Climb::new(other, goal));
    loop {
        match (one.outcome, other.outcome) {
            (Some(a), Some(b)) => return [one.ascent(a), other.ascent(b)],
            (Some(a), None) => {
                let ended = one.ascent(a);
                return [ended, climb_after_other(pair, other, &ended, goal)];
            }
            (None, Some(b)) => {
                let ended = other.ascent(b);
                return [climb_after_other(pair, one, &ended, goal), ended];
            }
            (None, None) if !(one.is_as_predicted() && other.is_as_predicted()) => {
                let first = climb_on(pair, one, goal);
                let second = climb_after_other(pair, other, &first, goal);
                return [first, second];
            }
            (None, None) => {
                let trials = [one.trial(one.fraction), other.trial(other.fraction)];
                let step = one.step_square().min(other.step_square()).sqrt();
                let [a, b] = jets_after(pair, step, [&trials[0], &trials[1]]);
                one.receive(&a, goal);
                one.make_exact(pair, goal);
                other.receive(&b, goal);
                other.make_exact(pair, goal);
            }
        }
    }
}

/// Continues one of two runs after the other ended. A maximum that the other found counts as known.
#[inline(always)]
fn climb_after_other<P: SeparationFunction>(
    pair: &P,
    climb: Climb,
    ended: &Ascent,
    goal: &Goal,
) -> Ascent {
    let found = [(ended.jet.normal, ended.jet.at.value)];
    let is_new = ended.outcome == Outcome::Stationary && goal.known.is_empty();
    let known = if is_new { &found } else { goal.known };
    climb_on(pair, climb, &Goal { known, ..*goal })
}

/// The Newton step in the basis of the jet.
#[inline(always)]
pub(crate) fn step_from(jet: &SeparationJet, [x, y]: [f64; 2], size: f64) -> [f64; 2] {
    let [xx, xy, yy] = jet.radii;
    let NewtonStep { delta, .. } = newton_step(
        [F64x1(xx), F64x1(xy), F64x1(yy)],
        F64x1(jet.at.value),
        [F64x1(x), F64x1(y)],
        F64x1(EIGENVALUE_FLOOR * size),
        F64x1(MAX_STEP),
    );
    [delta[0].0, delta[1].0]
}

/// A step along the eigenvector of W_A + W_B + f·I with a negative eigenvalue, if there is one.
fn upward_bend(jet: &SeparationJet, size: f64) -> Option<[f64; 2]> {
    let f = jet.at.value;
    let [a, b, c] = [jet.radii[0] + f, jet.radii[1], jet.radii[2] + f];
    let (mean, half) = (0.5 * (a + c), 0.5 * (a - c));
    let spread = (half * half + b * b).sqrt();
    if mean - spread >= -SADDLE * size {
        return None;
    }
    // (M − λ_large I) projects onto the other eigenvector; its longer column is that vector.
    let columns = [[half - spread, b], [b, -half - spread]];
    let [x, y] = if half < 0.0 { columns[0] } else { columns[1] };
    let length = (x * x + y * y).sqrt();
    if length > 0.0 {
        Some([x / length * SADDLE_STEP, y / length * SADDLE_STEP])
    } else {
        Some([SADDLE_STEP, 0.0])
    }
}
