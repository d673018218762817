//! The depth of two overlapping bodies: the highest of several local maxima of f.

use super::common_normal::{Ascent, Outcome, ascend};
use super::gjk::{Proximity, gjk};
use super::separation::{Separation, SeparationFunction, SeparationJet};
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
/// Directions ranked before the runs start: both signs of the cube directions in the frames of A and of B.
const SAMPLES: usize = 4 * CUBE_DIRECTIONS.len();
/// Runs from the best-ranked directions, besides the one that proved the overlap.
const RUNS: usize = 4;
/// Cosine of the angle within which two starts would only find the same maximum.
const SAME_START: f64 = 0.94;
/// Rounds of the proximal iteration for bodies with flat or sharp spots.
const PROXIMAL_ROUNDS: u32 = 12;

/// A local maximum of f ≤ 0, in the frame of A.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Depth {
    /// f(n) ≤ 0: minus the distance B has to move along n to be free.
    pub value: f64,
    pub normal: Vec3,
    pub point_a: Vec3,
    pub point_b: Vec3,
}

/// The best of several local maxima, and the number of evaluations spent. `first` is a stationary or stalled run;
/// `rotation_ab` turns the axes of B into the frame of A.
pub(crate) fn deepest(
    pair: &impl SeparationFunction,
    first: &Ascent,
    rotation_ab: &Mat3,
    size: f64,
) -> (Depth, u32) {
    let mut evaluations = 0;
    let mut best = refine(pair, first, size, &mut evaluations);
    let directions = sample_directions(rotation_ab);
    let mut values = [0.0; SAMPLES];
    pair.rank(&directions, &mut values);
    evaluations += SAMPLES as u32;
    let mut starts = [best.normal; RUNS + 1];
    for run in 1..=RUNS {
        let mut top: Option<usize> = None;
        for (index, direction) in directions.iter().enumerate() {
            let fresh = starts[..run].iter().all(|start| start.dot(direction) < SAME_START);
            if fresh && top.is_none_or(|top| values[index] > values[top]) {
                top = Some(index);
            }
        }
        let Some(top) = top else { break };
        starts[run] = directions[top];
        let ascent = ascend(pair, &directions[top], 0.0, size);
        evaluations += ascent.evaluations;
        let depth = refine(pair, &ascent, size, &mut evaluations);
        if depth.value > best.value {
            best = depth;
        }
    }
    (best, evaluations)
}

fn sample_directions(rotation_ab: &Mat3) -> [Vec3; SAMPLES] {
    let mut directions = [Vec3::zeros(); SAMPLES];
    for (k, direction) in CUBE_DIRECTIONS.iter().enumerate() {
        let in_a = Vec3::from(*direction).normalize();
        let in_b = rotation_ab * in_a;
        directions[4 * k] = in_a;
        directions[4 * k + 1] = -in_a;
        directions[4 * k + 2] = in_b;
        directions[4 * k + 3] = -in_b;
    }
    directions
}

/// Turns the end of a Newton run into a local maximum with matching witnesses, whatever the surfaces look like.
///
/// Moving B by t along the current normal m, far enough to set the bodies apart, changes f(n) to f(n) + t·m·n, whose
/// maximiser is unique and found by GJK. It satisfies f(n) ≥ f(m) + t(1 − m·n), so repeating this climbs f (a proximal
/// point iteration), and at its fixed point the witnesses of the moved bodies are those of the overlap.
fn refine(
    pair: &impl SeparationFunction,
    ascent: &Ascent,
    size: f64,
    evaluations: &mut u32,
) -> Depth {
    let mut at = ascent.jet.at;
    let mut normal = ascent.jet.normal;
    if ascent.outcome == Outcome::Stationary {
        return Depth { value: at.value, normal, point_a: at.point_a, point_b: at.point_b };
    }
    let mut depth = Depth { value: at.value, normal, point_a: at.point_a, point_b: at.point_b };
    for _ in 0..PROXIMAL_ROUNDS {
        let shift = normal * (0.05 * size - at.value.min(0.0));
        let moved = Shifted { pair, shift };
        let (proximity, spent) = gjk(&moved, moved.jet(&normal), 1e-14 * size, size);
        *evaluations += spent + 1;
        let Proximity::Apart { normal: next, point_a, point_b, .. } = proximity else { break };
        let reached = pair.at(&next);
        *evaluations += 1;
        if reached.value < depth.value {
            break;
        }
        let gained = reached.value - depth.value;
        depth = Depth { value: reached.value, normal: next, point_a, point_b: point_b - shift };
        (normal, at) = (next, reached);
        if gained <= 1e-13 * size {
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
