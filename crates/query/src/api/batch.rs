//! Many pairs on one thread, four at a time where they are superquadrics.

use crate::api::distance::{ConvexPair, PosedPair, Wanted, within};
use crate::api::options::QueryOptions;
use crate::api::pair_query::PairQuery;
use crate::api::result::{WarmStart, Within};
use crate::solve::common_normal::Goal;
use crate::solve::core_shape::CoreShape;
use crate::solve::newton_x4::{Form, FourClimbs, Reached};
use crate::solve::solver::{CoreAnswer, apart_at, first_goal, first_start};
use crate::superquadric::bodies::Parameters;
use crate::superquadric::pair::parameters;
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::simd::{Kernel, Level, Simd};

/// Pairs that are climbed side by side.
const LANES: usize = 4;

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

/// A question on a lane.
struct Seated<'a> {
    index: usize,
    threshold: f64,
    asked: ConvexPair<'a>,
    goal: Goal<'static>,
}

/// Four climbs and whose they are.
struct Table<'a> {
    climbs: FourClimbs,
    seats: [Option<Seated<'a>>; LANES],
}

/// [`PairQuery::within`] of many pairs, one after the other: `visit` gets the number of each question and its answer, in an
/// order that depends on the questions alone.
///
/// Superquadrics that were apart last time, or about which nothing is known, are answered four at a time: one evaluation
/// of their support functions takes little longer than that of one pair. The answers agree with those of
/// [`PairQuery::within`] to the tolerance, not to the last bit, and do not depend on the other questions.
pub fn for_each_distance_within<'a>(
    questions: impl IntoIterator<Item = PairQuestion<'a>>,
    options: &QueryOptions,
    mut visit: impl FnMut(usize, Within),
) {
    let mut tables = [Form::Straight, Form::EvenlyTapered, Form::Tapered].map(Table::new);
    for (index, question) in questions.into_iter().enumerate() {
        let Some((form, lanes)) = shares_lanes(&question) else {
            visit(index, alone(&question, options));
            continue;
        };
        let table = &mut tables[form as usize];
        let lane = table.free_seat(options, &mut visit);
        table.seat(lane, index, &question, &lanes, options);
    }
    for table in &mut tables {
        while table.seats.iter().any(Option::is_some) {
            table.advance(options, &mut visit);
        }
    }
}

fn alone(question: &PairQuestion, options: &QueryOptions) -> Within {
    let PosedPair { a, pose_a, b, pose_b } = question.pair;
    let query = PairQuery::new(a, pose_a, b, pose_b).options(options);
    query.warm_start(&question.warm).within(question.threshold)
}

/// How the lanes see a pair that they can take: two superquadrics that are not both plain ellipsoids.
fn shares_lanes(question: &PairQuestion) -> Option<(Form, [Parameters; 2])> {
    let PosedPair { a, b, .. } = question.pair;
    if !question.pair.is_finite() {
        return None;
    }
    // Two known normals: they overlapped, and both are climbed from.
    if question.warm.count > 1 || matches!((a, b), (Shape::Ellipsoid(_), Shape::Ellipsoid(_))) {
        return None;
    }
    let lanes = [parameters(a)?, parameters(b)?];
    let taper = lanes.map(|p| p.taper);
    let form = if taper == [[0.0; 2]; 2] {
        Form::Straight
    } else if taper.iter().all(|t| t[0] == t[1]) && a.is_convex() && b.is_convex() {
        Form::EvenlyTapered
    } else {
        Form::Tapered
    };
    Some((form, lanes))
}

impl<'a> Table<'a> {
    fn new(form: Form) -> Self {
        Self { climbs: FourClimbs::new(form), seats: [None, None, None, None] }
    }

    /// A lane that nobody is on, after as many rounds as it takes.
    fn free_seat(
        &mut self,
        options: &QueryOptions,
        visit: &mut impl FnMut(usize, Within),
    ) -> usize {
        loop {
            if let Some(lane) = self.seats.iter().position(Option::is_none) {
                return lane;
            }
            self.advance(options, visit);
        }
    }

    fn seat(
        &mut self,
        lane: usize,
        index: usize,
        question: &PairQuestion<'a>,
        [a, b]: &[Parameters; 2],
        options: &QueryOptions,
    ) {
        let threshold = question.threshold;
        let wanted = Wanted { limit: threshold, depth: Some(options.depth_mode) };
        let asked = ConvexPair::new(&question.pair, &wanted);
        let goal = first_goal(&asked.problem, &asked.question, options);
        let start = first_start(&asked.problem, &question.warm).normal;
        let (rotation_ab, offset) = (&asked.problem.rotation_ab, &asked.problem.offset);
        self.climbs.seat(lane, [a, b], rotation_ab, offset, &goal, &start);
        self.seats[lane] = Some(Seated { index, threshold, asked, goal });
    }

    /// One round, after which the lanes whose climb ended are free.
    fn advance(&mut self, options: &QueryOptions, visit: &mut impl FnMut(usize, Within)) {
        let ended = self.climbs.advance();
        let any = ended.found | ended.open;
        if any == 0 {
            return;
        }
        for lane in (0..LANES).filter(|lane| any >> lane & 1 == 1) {
            let Some(seated) = self.seats[lane].take() else { continue };
            let reached = self.climbs.reached(lane);
            let found = ended.found >> lane & 1 == 1;
            let core = Level::detect().run(Finish { seated: &seated, reached, found, options });
            visit(seated.index, within(seated.asked.answer(&core), seated.threshold));
        }
    }
}

/// The answer to a question whose climb ended.
struct Finish<'q, 'a> {
    seated: &'q Seated<'a>,
    reached: Reached,
    /// Whether the climb found the distance, as far as the lanes see it.
    found: bool,
    options: &'q QueryOptions,
}

impl Kernel for Finish<'_, '_> {
    type Output = CoreAnswer;

    #[inline(always)]
    fn run<S: Simd>(self) -> CoreAnswer {
        let Self { seated, reached, found, options } = self;
        if found && seated.is_proven_at::<S>(&reached) {
            apart_at(&reached.at, &reached.normal, reached.evaluations, &seated.goal)
        } else {
            seated.carry_on::<S>(&reached, options)
        }
    }
}

impl Seated<'_> {
    /// Whether what the lanes found is the support of the hulls, too, where a body is not convex.
    #[inline(always)]
    fn is_proven_at<S: Simd>(&self, reached: &Reached) -> bool {
        let problem = &self.asked.problem;
        let is_convex = |core: &CoreShape| match core {
            CoreShape::Surface(shape) => shape.is_convex(),
            CoreShape::Point | CoreShape::Segment(_) => true,
        };
        if problem.cores.iter().all(is_convex) {
            return true;
        }
        let Some(pair) = self.asked.superquadrics::<S>() else { return false };
        let z = [reached.at.point_a.z, pair.point_in_b(&reached.at.point_b).z];
        pair.proves(reached.reach, z, &reached.normal)
    }

    /// The rest of the way of a query, from where the climb ended. A climb that got stuck apart goes on with GJK: on flat
    /// faces more steps of the same kind do not help.
    #[inline(always)]
    fn carry_on<S: Simd>(&self, reached: &Reached, options: &QueryOptions) -> CoreAnswer {
        if reached.at.value > 0.0 {
            return self.asked.solve_after_stalled::<S>(options, &reached.normal);
        }
        let warm = WarmStart { normals_a: [reached.normal; 2], count: 1 };
        self.asked.solve::<S>(options, &warm)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SignedDistance;
    use crate::distance;
    use nalgebra::{Translation3, UnitQuaternion};
    use smooth_scene_geometry::ConvexSurface;
    use smooth_scene_geometry::math::{Pose, Vec3};

    /// Deterministic numbers in [0, 1).
    fn uniform(state: &mut u64) -> f64 {
        *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*state >> 11) as f64 / (1u64 << 53) as f64
    }

    /// The length that tolerances are multiples of.
    fn pair_size(pair: &PosedPair, found: &SignedDistance) -> f64 {
        let radius = |shape: &Shape| shape.bounding_sphere().radius;
        radius(pair.a).max(radius(pair.b)).max(found.distance)
    }

    /// n·(q − p) with the support points p of A along n and q of B along −n.
    fn separation(pair: &PosedPair, n: &Vec3) -> f64 {
        let point = |shape: &Shape, pose: &Pose, n: Vec3| {
            pose * nalgebra::Point3::from(
                shape.support(&pose.rotation.inverse_transform_vector(&n)).point,
            )
        };
        n.dot(&(point(pair.b, pair.pose_b, -n) - point(pair.a, pair.pose_a, *n)))
    }

    #[test]
    fn four_at_a_time_and_one_by_one_agree() {
        let mut state = 5;
        let mut u = move || uniform(&mut state);
        let bodies: Vec<(Shape, Pose)> = (0..60)
            .map(|k| {
                let (radii, xy, z) = ([0.5 + u(), 0.5 + u(), 0.5 + u()], 0.4 + u(), 0.4 + u());
                let shape = match k % 4 {
                    0 | 1 => Shape::superellipsoid(radii, xy, z),
                    2 => Shape::superovoid(radii, xy, 0.8, [0.2 * u(); 2]),
                    _ => Shape::superovoid(radii, xy, z, [0.4 * u(), -0.4 * u()]),
                };
                let pose = Pose::from_parts(
                    Translation3::new(6.0 * u(), 6.0 * u(), 6.0 * u()),
                    UnitQuaternion::from_euler_angles(6.0 * u(), 6.0 * u(), 6.0 * u()),
                );
                (shape.unwrap(), pose)
            })
            .collect();
        let options = QueryOptions::default();
        let mut questions = Vec::new();
        for (k, (a, pose_a)) in bodies.iter().enumerate() {
            for (b, pose_b) in &bodies[..k] {
                let warm = match k % 3 {
                    0 => distance(a, pose_a, b, pose_b, &options).warm,
                    _ => WarmStart::default(),
                };
                let pair = PosedPair { a, pose_a, b, pose_b };
                questions.push(PairQuestion { pair, threshold: 1.0, warm });
            }
        }
        let mut answers = vec![None; questions.len()];
        for_each_distance_within(questions.iter().copied(), &options, |index, answer| {
            assert!(answers[index].replace(answer).is_none(), "{index} answered twice");
        });
        let (mut shared, mut overlapping, mut other_maxima) = (0, 0, 0);
        for (question, answer) in questions.iter().zip(answers) {
            match (answer.unwrap(), alone(question, &options)) {
                (Within::Farther { lower, .. }, Within::Farther { .. }) => assert!(lower > 1.0),
                (Within::Near(found), Within::Near(expected)) => {
                    let PosedPair { a, pose_a, b, pose_b } = question.pair;
                    let size = pair_size(&question.pair, &found);
                    let error = (found.distance - expected.distance).abs();
                    shared += usize::from(found.distance != expected.distance);
                    if expected.distance > 0.0 {
                        assert!(error <= options.gap_tolerance * size, "{found:?} {expected:?}");
                        continue;
                    }
                    // Both searched the depth, and may have ended at different local maxima of the separation. Each is
                    // the separation along its normal, so none is above the proven depth.
                    let along = separation(&question.pair, &found.normal_ab_w);
                    assert!((found.distance - along).abs() <= 1e-10 * size, "{found:?} {along}");
                    if error > 1e-10 * size {
                        other_maxima += 1;
                        let certified = distance(a, pose_a, b, pose_b, &QueryOptions::certified());
                        assert!(found.distance <= certified.upper, "{found:?} {certified:?}");
                        assert_ne!(found.normal_ab_w, expected.normal_ab_w, "{found:?}");
                    }
                    overlapping += 1;
                }
                (found, expected) => panic!("{found:?} is not {expected:?}"),
            }
        }
        assert!(shared > 0, "no pair took the shared lanes");
        println!("{other_maxima} of {overlapping} depths at another maximum");
        assert!(overlapping > 100 && other_maxima * 20 <= overlapping);
    }
}
