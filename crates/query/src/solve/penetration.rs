//! The depth of two overlapping bodies: the highest of several local maxima of f.

use crate::solve::climb_ends::{ClimbEnd, Ends};
use crate::solve::common_normal::{Ascent, Goal, Outcome, ascend, ascend_from, ascend_two};
use crate::solve::gjk::{Proximity, gjk};
use crate::solve::ridge::{RidgeTop, climb_ridge};
use crate::solve::sampled_starts::sampled_starts;
use crate::solve::separation::{
    NoLanes, Separation, SeparationFunction, SeparationJet, TwoDirections,
};
use crate::solve::starts::{Seen, Start};
use crate::solve::tuning::depth::{
    AT_KNOWN_SHARP_MAXIMUM, NEARLY_STATIONARY, PROXIMAL_ROUNDS, RIDGE_MISMATCH, SAME, SAME_RIDGE,
    WORTH_FOLLOWING,
};
use smooth_scene_geometry::math::{Mat3, Vec3};
use smooth_scene_geometry::simd::Simd;

/// A local maximum of f ≤ 0, in the frame of A.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Depth {
    /// f(n) ≤ 0: minus the distance B has to move along n to be free.
    pub value: f64,
    pub normal: Vec3,
    pub point_a: Vec3,
    pub point_b: Vec3,
}

/// What the search for the depth found.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deepest {
    pub best: Depth,
    /// The normal of the next best maximum, or that of the best again.
    pub runner_up: Vec3,
    pub evaluations: u32,
}

impl Deepest {
    /// The depth along one direction.
    #[inline(always)]
    pub fn at(jet: &SeparationJet, evaluations: u32) -> Self {
        let SeparationJet { normal, at, .. } = *jet;
        let best = Depth { value: at.value, normal, point_a: at.point_a, point_b: at.point_b };
        Self { best, runner_up: normal, evaluations }
    }

    /// Only a direction is known.
    #[inline(always)]
    pub fn unknown(normal: &Vec3) -> Self {
        let best = Depth {
            value: f64::NEG_INFINITY,
            normal: *normal,
            point_a: Vec3::zeros(),
            point_b: Vec3::zeros(),
        };
        Self { best, runner_up: *normal, evaluations: 0 }
    }

    /// Without a second maximum, the best seed away from the first becomes the runner-up: a shoulder now, it may be a maximum
    /// after a motion.
    #[inline(always)]
    pub fn or_shoulder<'a>(self, starts: impl IntoIterator<Item = &'a Vec3>) -> Self {
        let normal = self.best.normal;
        if self.runner_up != normal {
            return self;
        }
        let shoulder = starts.into_iter().find(|start| start.dot(&normal) < SAME);
        Self { runner_up: shoulder.copied().unwrap_or(normal), ..self }
    }
}

/// The best of several local maxima. `ends` holds the ends of earlier climbs; `rotation_ab` turns axes of B into the frame of A.
#[inline(always)]
pub(crate) fn deepest(
    pair: &impl SeparationFunction,
    ends: &mut Ends,
    rotation_ab: &Mat3,
    size: f64,
) -> Deepest {
    // Extreme bodies may leave the range of single precision; then no peak is found.
    let peaks = pair.lanes().map(|lanes| lanes.peaks(rotation_ab, size));
    let starts = match peaks {
        Some(peaks) if !peaks.as_slice().is_empty() => peaks,
        _ => sampled_starts(pair, ends, rotation_ab),
    };
    ends.evaluations += starts.evaluations;
    // A single climb needs no comparison and goes all the way at once.
    let alone = starts.as_slice().len() == 1 && ends.is_empty();
    let stationary = if alone { Goal::top(size).stationary } else { NEARLY_STATIONARY };
    let mut goal = Goal { stationary, ..Goal::top(size) };
    if starts.seen.is_some() {
        goal.at_known = AT_KNOWN_SHARP_MAXIMUM;
    }
    climb_in_twos(pair, starts.as_slice(), &goal, ends);
    if let Some(seen) = &starts.seen {
        return_to_seen(pair, seen, ends);
    }
    deepest_of(pair, ends, size).or_shoulder(starts.normals())
}

/// Climbs from every start, two at a time, to compare the maxima they lead to: each end goes to `ends`, and maxima there
/// stop the climbs that are about to end at one of them, or lower.
#[inline(always)]
fn climb_in_twos(pair: &impl SeparationFunction, starts: &[Start], goal: &Goal, ends: &mut Ends) {
    for starts in starts.chunks(2) {
        let known = ends.maxima();
        let goal = Goal { known: known.as_slice(), ..*goal };
        match starts {
            [one, other] => {
                prepare(pair, [one, other]);
                let climbs = ascend_two(pair, [&one.normal, &other.normal], &goal);
                ends.add_ascent(&climbs[0]);
                ends.add_ascent(&climbs[1]);
            }
            [start] => {
                prepare(pair, [start, start]);
                ends.add_ascent(&ascend(pair, &start.normal, &goal));
            }
            _ => unreachable!("chunks of two have one or two elements"),
        }
    }
}

/// Where all climbs ended lower than a direction that was looked at, they led past a sharp maximum next to it. The direction
/// counts as a climb that stalled, so that it is climbed from as on a ridge, which never leads down.
#[inline(always)]
fn return_to_seen(pair: &impl SeparationFunction, seen: &Seen, ends: &mut Ends) {
    if ends.iter().all(|end| end.value() < seen.value) {
        let jet = pair.jet(&seen.normal);
        ends.add_ascent(&Ascent { jet, outcome: Outcome::Stalled, evaluations: 1 });
    }
}

#[inline(always)]
fn prepare(pair: &impl SeparationFunction, starts: [&Start; 2]) {
    if let Some(lanes) = pair.lanes() {
        lanes.prepare(starts);
    }
}

/// Whether the pair is a surrogate, whose ridges need not be followed.
#[inline(always)]
fn is_surrogate(pair: &impl SeparationFunction) -> bool {
    pair.lanes().is_some_and(TwoDirections::is_surrogate)
}

/// The best of several finished runs. One that stalled on a ridge is followed along it.
pub(crate) fn deepest_of<P: SeparationFunction>(pair: &P, ends: &Ends, size: f64) -> Deepest {
    P::Set::call(
        #[inline(always)]
        || best_end(pair, ends, size),
    )
}

#[inline(always)]
fn best_end(pair: &impl SeparationFunction, ends: &Ends, size: f64) -> Deepest {
    let mut evaluations = ends.evaluations;
    let highest = ends.iter().fold(f64::NEG_INFINITY, |high, end| high.max(end.value()));
    let mut best: Option<(f64, Candidate)> = None;
    let mut second: Option<(f64, Vec3)> = None;
    for (k, end) in ends.iter().enumerate() {
        // A closed gap is a maximum, too: of bodies that touch within rounding f may come out above zero.
        let candidate = if matches!(end.outcome, Outcome::Stationary | Outcome::GapClosed) {
            Candidate::Smooth(*end)
        } else if end.outcome == Outcome::Stalled
            && end.value() >= highest - WORTH_FOLLOWING * size
            && !is_below_another(ends, k, end)
        {
            if is_surrogate(pair) {
                Candidate::Smooth(*end)
            } else {
                let top = climb_ridge(pair, &end.jet, &Goal::top(size));
                evaluations += top.evaluations;
                Candidate::OnRidge(top)
            }
        } else {
            continue;
        };
        let (value, normal) = candidate.value_and_normal();
        if best.as_ref().is_none_or(|(high, _)| value > *high) {
            if let Some((value, old)) = &best {
                let (_, old) = old.value_and_normal();
                if old.dot(&normal) < SAME {
                    second = Some((*value, old));
                }
            }
            best = Some((value, candidate));
        } else if let Some((_, top)) = &best
            && top.value_and_normal().1.dot(&normal) < SAME
            && second.is_none_or(|(high, _)| value > high)
        {
            second = Some((value, normal));
        }
    }
    // A climb that ended lower is not the answer now, but may be after a motion.
    if let Some((_, top)) = &best {
        let (_, normal) = top.value_and_normal();
        let is_open = |end: &&ClimbEnd| matches!(end.outcome, Outcome::Lower | Outcome::Stalled);
        for end in ends.iter().filter(is_open) {
            let higher = second.is_none_or(|(high, _)| end.value() > high);
            if higher && end.normal().dot(&normal) < SAME {
                second = Some((end.value(), *end.normal()));
            }
        }
    }
    let best = match best {
        Some((_, Candidate::Smooth(end))) => polished(pair, &end, size, &mut evaluations),
        Some((_, Candidate::OnRidge(top))) => match_witnesses(pair, &top, size, &mut evaluations),
        // Only for an empty list of runs.
        None => Deepest::unknown(&Vec3::z()).best,
    };
    Deepest { best, runner_up: second.map_or(best.normal, |(_, normal)| normal), evaluations }
}

/// Whether another run ended close by and higher, so that this one leads to the same ridge.
#[inline(always)]
fn is_below_another(ends: &Ends, k: usize, this: &ClimbEnd) -> bool {
    ends.iter().enumerate().any(|(other, end)| {
        let higher = end.value() > this.value() || (end.value() == this.value() && other < k);
        higher && end.normal().dot(this.normal()) > SAME_RIDGE
    })
}

/// A local maximum where f is smooth, or on a ridge.
enum Candidate {
    Smooth(ClimbEnd),
    OnRidge(RidgeTop),
}

impl Candidate {
    #[inline(always)]
    fn value_and_normal(&self) -> (f64, Vec3) {
        match self {
            Candidate::Smooth(end) => (end.value(), *end.normal()),
            Candidate::OnRidge(top) => (top.value, top.normal),
        }
    }
}

/// Carries a nearly stationary run on to the maximum, which may turn out to be on a ridge.
#[inline(always)]
fn polished(
    pair: &impl SeparationFunction,
    end: &ClimbEnd,
    size: f64,
    evaluations: &mut u32,
) -> Depth {
    if is_surrogate(pair) && end.outcome == Outcome::Stalled {
        return Deepest::at(&end.jet, 0).best;
    }
    let ascent = ascend_from(pair, &end.jet, &Goal::top(size));
    *evaluations += ascent.evaluations - 1;
    let [x, y] = ascent.jet.tangential();
    if is_surrogate(pair) || x * x + y * y <= (RIDGE_MISMATCH * size).powi(2) {
        return Deepest::at(&ascent.jet, 0).best;
    }
    let top = climb_ridge(pair, &ascent.jet, &Goal::top(size));
    *evaluations += top.evaluations;
    match_witnesses(pair, &top, size, evaluations)
}

/// Turns the top of a ridge into a local maximum with matching witnesses, whatever the surfaces look like.
///
/// Moving B by t along the current normal m, far enough to set the bodies apart, changes f(n) to f(n) + t·m·n, whose
/// maximiser is unique and found by GJK. It satisfies f(n) ≥ f(m) + t(1 − m·n), so repeating this climbs f (a proximal
/// point iteration), and at its fixed point the witnesses of the moved bodies are those of the overlap.
fn match_witnesses(
    pair: &impl SeparationFunction,
    top: &RidgeTop,
    size: f64,
    evaluations: &mut u32,
) -> Depth {
    let RidgeTop { value, normal, point_a, point_b, mismatch, .. } = *top;
    let mut depth = Depth { value, normal, point_a, point_b };
    if mismatch <= RIDGE_MISMATCH * size {
        return depth;
    }
    for round in 0..PROXIMAL_ROUNDS {
        let shift = depth.normal * (1e-6 * size - 1.5 * depth.value.min(0.0));
        let moved = Shifted { pair, shift };
        let (proximity, spent) =
            gjk(&moved, moved.jet(&depth.normal), &Goal { gap: 1e-12 * size, ..Goal::top(size) });
        *evaluations += spent + 1;
        let Proximity::Apart { normal, point_a, point_b, .. } = proximity else { break };
        let reached = pair.at(&normal);
        *evaluations += 1;
        if reached.value < depth.value && round > 0 {
            break;
        }
        let gained = reached.value - depth.value;
        depth = Depth { value: reached.value, normal, point_a, point_b: point_b - shift };
        if gained.abs() <= 1e-12 * size {
            break;
        }
    }
    depth
}

/// A pair with B moved.
struct Shifted<'a, P> {
    pair: &'a P,
    shift: Vec3,
}

impl<P: SeparationFunction> Shifted<'_, P> {
    fn moved(&self, normal: &Vec3, at: Separation) -> Separation {
        Separation {
            value: at.value + normal.dot(&self.shift),
            point_a: at.point_a,
            point_b: at.point_b + self.shift,
        }
    }
}

impl<P: SeparationFunction> SeparationFunction for Shifted<'_, P> {
    type Set = P::Set;
    type Lanes = NoLanes;

    fn lanes(&self) -> Option<&NoLanes> {
        None
    }

    fn proves_its_values(&self) -> bool {
        self.pair.proves_its_values()
    }

    fn at(&self, normal: &Vec3) -> Separation {
        self.moved(normal, self.pair.at(normal))
    }

    fn jet(&self, normal: &Vec3) -> SeparationJet {
        let jet = self.pair.jet(normal);
        SeparationJet { at: self.moved(normal, jet.at), ..jet }
    }

    fn inside_both(&self, _point: &Vec3) -> f64 {
        f64::INFINITY
    }
}
