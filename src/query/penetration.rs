//! The depth of two overlapping bodies: the highest of several local maxima of f.

use super::common_normal::{Ascent, Goal, Outcome, ascend_from, ascend_two};
use super::gjk::{Proximity, gjk};
use super::ridge::{RidgeTop, climb_ridge};
use super::separation::{AXES, Samples, Separation, SeparationFunction, SeparationJet};
use crate::math::{Mat3, Vec3};

/// Face, edge and corner directions of a cube, one of each antipodal pair, not normalised.
const CUBE_DIRECTIONS: [[f64; 3]; 13] = [
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [1.0, 1.0, 0.0],
    [1.0, -1.0, 0.0],
    [1.0, 0.0, 1.0],
    [1.0, 0.0, -1.0],
    [0.0, 1.0, 1.0],
    [0.0, 1.0, -1.0],
    [1.0, 1.0, 1.0],
    [1.0, 1.0, -1.0],
    [1.0, -1.0, 1.0],
    [-1.0, 1.0, 1.0],
];
/// Runs from sampled directions at most, besides the one that proved the overlap; even, since they run in twos.
const RUNS: usize = 6;
/// Cosine of the angle within which two starts, or two maxima, count as the same.
const SAME: f64 = 0.9;
/// Cosine of the angle within which two stalled runs are taken to be on the same ridge.
const SAME_RIDGE: f64 = 0.98;
/// A stalled run this close to the best value, in multiples of the size, is followed further up its ridge.
const WORTH_FOLLOWING: f64 = 0.02;
/// Tangential gradient, in multiples of the size, at which a run is good enough to compare its value: the value is then
/// exact to the square of this. Only the best run is carried on.
const ROUGHLY_STATIONARY: f64 = 1e-5;
/// Mismatch of the witnesses, in multiples of the size, at which a maximum on a ridge counts as found.
const RIDGE_MISMATCH: f64 = 1e-9;
/// Rounds of the proximal iteration for bodies with flat or sharp spots.
const PROXIMAL_ROUNDS: u32 = 40;

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

/// The best of several local maxima. `first` is a stationary or stalled run; `rotation_ab` turns the axes of B into the
/// frame of A.
pub(crate) fn deepest(
    pair: &impl SeparationFunction,
    first: &Ascent,
    rotation_ab: &Mat3,
    rolling_radius: f64,
    size: f64,
) -> Deepest {
    // A maximum no deeper than the ball that rolls inside both bodies is the only one.
    if first.outcome == Outcome::Stationary && -first.jet.at.value <= rolling_radius {
        return deepest_of(pair, &[*first], size);
    }
    let mut samples = Samples::new();
    pair.survey(&sample_axes(rotation_ab), &mut samples);
    let surveyed = samples.len() as u32;
    let mut ascents = [*first; RUNS + 1];
    let mut starts = [first.jet.normal; RUNS + 1];
    let mut known = [(first.jet.normal, first.jet.at.value); RUNS + 1];
    let mut known_count = usize::from(first.outcome == Outcome::Stationary);
    let mut count = 1;
    while count < RUNS {
        let Some(one) = samples.take_highest(&starts[..count], SAME) else { break };
        starts[count] = one;
        // With no second start left the first is run twice, on lanes that would be idle.
        let other = samples.take_highest(&starts[..=count], SAME).unwrap_or(one);
        starts[count + 1] = other;
        let goal = Goal {
            stationary: ROUGHLY_STATIONARY,
            known: &known[..known_count],
            ..Goal::top(size)
        };
        for ascent in ascend_two(pair, [&one, &other], &goal) {
            if ascent.outcome == Outcome::Stationary {
                known[known_count] = (ascent.jet.normal, ascent.jet.at.value);
                known_count += 1;
            }
            ascents[count] = ascent;
            count += 1;
        }
    }
    let found = deepest_of(pair, &ascents[..count], size);
    Deepest { evaluations: found.evaluations + surveyed, ..found }
}

/// The best of several finished runs, followed up its ridge where it stalled on one.
pub(crate) fn deepest_of(pair: &impl SeparationFunction, ascents: &[Ascent], size: f64) -> Deepest {
    let highest = ascents.iter().fold(f64::NEG_INFINITY, |high, a| high.max(a.jet.at.value));
    let mut evaluations: u32 = ascents.iter().map(|a| a.evaluations).sum();
    let mut best: Option<(f64, Candidate)> = None;
    let mut second: Option<(f64, Vec3)> = None;
    for (k, ascent) in ascents.iter().enumerate() {
        let at = ascent.jet.at;
        let candidate = if ascent.outcome == Outcome::Stationary {
            Candidate::Smooth(ascent.jet)
        } else if ascent.outcome == Outcome::Stalled
            && at.value >= highest - WORTH_FOLLOWING * size
            && !is_below_another(ascents, k)
        {
            let top = climb_ridge(pair, &ascent.jet, &Goal::top(size));
            evaluations += top.evaluations;
            Candidate::OnRidge(top)
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
    // Climbs that were ended below the best one are not it, but the next query may find them ahead.
    if let Some((_, top)) = &best {
        let (_, normal) = top.value_and_normal();
        for ascent in ascents.iter().filter(|ascent| ascent.outcome == Outcome::Lower) {
            let jet = &ascent.jet;
            let higher = second.is_none_or(|(high, _)| jet.at.value > high);
            if higher && jet.normal.dot(&normal) < SAME {
                second = Some((jet.at.value, jet.normal));
            }
        }
    }
    let best = match best {
        Some((_, Candidate::Smooth(jet))) => match polish(pair, jet, size, &mut evaluations) {
            Candidate::Smooth(SeparationJet { normal, at, .. }) => {
                Depth { value: at.value, normal, point_a: at.point_a, point_b: at.point_b }
            }
            Candidate::OnRidge(top) => match_witnesses(pair, &top, size, &mut evaluations),
        },
        Some((_, Candidate::OnRidge(top))) => match_witnesses(pair, &top, size, &mut evaluations),
        // Only for an empty list of runs.
        None => Depth {
            value: f64::NEG_INFINITY,
            normal: Vec3::z(),
            point_a: Vec3::zeros(),
            point_b: Vec3::zeros(),
        },
    };
    Deepest { best, runner_up: second.map_or(best.normal, |(_, normal)| normal), evaluations }
}

/// Whether another run ended close by and higher, so that this one leads to the same ridge.
fn is_below_another(ascents: &[Ascent], k: usize) -> bool {
    let jet = &ascents[k].jet;
    ascents.iter().enumerate().any(|(other, ascent)| {
        let higher = ascent.jet.at.value > jet.at.value
            || (ascent.jet.at.value == jet.at.value && other < k);
        higher && ascent.jet.normal.dot(&jet.normal) > SAME_RIDGE
    })
}

/// A local maximum where f is smooth, or on a ridge.
enum Candidate {
    Smooth(SeparationJet),
    OnRidge(RidgeTop),
}

impl Candidate {
    fn value_and_normal(&self) -> (f64, Vec3) {
        match self {
            Candidate::Smooth(jet) => (jet.at.value, jet.normal),
            Candidate::OnRidge(top) => (top.value, top.normal),
        }
    }
}

fn sample_axes(rotation_ab: &Mat3) -> [Vec3; AXES] {
    let mut axes = [Vec3::zeros(); AXES];
    for (k, direction) in CUBE_DIRECTIONS.iter().enumerate() {
        axes[2 * k] = Vec3::from(*direction).normalize();
        axes[2 * k + 1] = rotation_ab * axes[2 * k];
    }
    axes
}

/// Carries a run that ended roughly on to the top, which may turn out to be on a ridge after all.
fn polish(
    pair: &impl SeparationFunction,
    jet: SeparationJet,
    size: f64,
    evaluations: &mut u32,
) -> Candidate {
    let ascent = ascend_from(pair, jet, &Goal::top(size));
    *evaluations += ascent.evaluations - 1;
    let [x, y] = ascent.jet.tangential();
    if x.hypot(y) <= RIDGE_MISMATCH * size {
        return Candidate::Smooth(ascent.jet);
    }
    let top = climb_ridge(pair, &ascent.jet, &Goal::top(size));
    *evaluations += top.evaluations;
    Candidate::OnRidge(top)
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
        if gained <= 1e-12 * size {
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
