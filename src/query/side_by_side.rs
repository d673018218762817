//! Many pairs on one thread, two at a time on the lanes of one where they are of the same kind.

use super::options::QueryOptions;
use super::result::{WarmStart, Within};
use super::signed_distance::{ConvexPair, PosedPair, Wanted, distance_within, within};
use super::solver::climb_two;
use crate::geometry::Shape;

/// One of many pairs to ask about.
#[derive(Debug, Clone, Copy)]
pub struct PairQuestion<'a> {
    /// The pair.
    pub pair: PosedPair<'a>,
    /// Distance beyond which it is of no interest.
    pub threshold: f64,
    /// What an earlier query on it found.
    pub warm: WarmStart,
}

/// A question that waits for another of its kind.
struct Waiting<'a> {
    index: usize,
    question: PairQuestion<'a>,
    asked: ConvexPair<'a>,
}

/// [`distance_within`] of many pairs, one after the other: `visit` gets the number of each question and its answer, in an
/// order that depends on the questions alone.
///
/// Superellipsoids and evenly tapered superovoids that were apart last time, or about which nothing is known, are
/// answered two at a time: their support functions share an evaluation. That takes half the time, and the answers
/// agree with those of [`distance_within`] to the tolerance, not to the last bit.
pub fn for_each_distance_within<'a>(
    questions: impl IntoIterator<Item = PairQuestion<'a>>,
    options: &QueryOptions,
    mut visit: impl FnMut(usize, Within),
) {
    // One seat for straight bodies and one for tapered ones.
    let mut seats: [Option<Waiting<'a>>; 2] = [None, None];
    for (index, question) in questions.into_iter().enumerate() {
        let Some((seat, waiting)) = seated(index, &question, options) else {
            visit(index, alone(&question, options));
            continue;
        };
        match seats[seat].take() {
            None => seats[seat] = Some(waiting),
            Some(earlier) => answer_two(&earlier, &waiting, options, &mut visit),
        }
    }
    for waiting in seats.into_iter().flatten() {
        visit(waiting.index, alone(&waiting.question, options));
    }
}

fn alone(question: &PairQuestion, options: &QueryOptions) -> Within {
    let PosedPair { a, pose_a, b, pose_b } = question.pair;
    distance_within(a, pose_a, b, pose_b, question.threshold, options, &question.warm)
}

/// The seat of a question that can share lanes, and the question made ready.
fn seated<'a>(
    index: usize,
    question: &PairQuestion<'a>,
    options: &QueryOptions,
) -> Option<(usize, Waiting<'a>)> {
    let tapered = [question.pair.a, question.pair.b].map(is_tapered);
    let [Some(a), Some(b)] = tapered else { return None };
    // Two known normals: they overlapped, and both are climbed from.
    if question.warm.count > 1 {
        return None;
    }
    let wanted = Wanted { limit: question.threshold, depth: Some(options.depth_mode) };
    let asked = ConvexPair::new(&question.pair, &wanted);
    Some((usize::from(a || b), Waiting { index, question: *question, asked }))
}

/// Whether a superquadric is tapered; nothing for a shape that does not share lanes.
fn is_tapered(shape: &Shape) -> Option<bool> {
    match shape {
        Shape::Superellipsoid(_) => Some(false),
        Shape::Superovoid(s) if s.is_convex() && s.taper()[0] == s.taper()[1] => {
            Some(s.taper()[0] != 0.0)
        }
        _ => None,
    }
}

fn answer_two(
    one: &Waiting,
    other: &Waiting,
    options: &QueryOptions,
    visit: &mut impl FnMut(usize, Within),
) {
    let both = [one, other];
    let lanes = one.asked.superquadrics().zip(other.asked.superquadrics());
    let Some(lanes) = lanes.and_then(|(one, other)| one.beside(&other)) else {
        both.iter().for_each(|waiting| visit(waiting.index, alone(&waiting.question, options)));
        return;
    };
    let climbed = climb_two(
        &lanes,
        both.map(|waiting| &waiting.asked.problem),
        both.map(|waiting| &waiting.asked.question),
        options,
        both.map(|waiting| &waiting.question.warm),
    );
    for (waiting, climbed) in both.iter().zip(climbed) {
        let core = climbed.unwrap_or_else(|end| waiting.asked.solve(options, &end));
        visit(waiting.index, within(waiting.asked.answer(&core), waiting.question.threshold));
    }
}
