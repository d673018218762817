//! Many pairs on one thread whose superquadrics are prepared: eight at a time in single precision, then four at a time in
//! double precision, which proves what was found.

use crate::api::batch::PairQuestion;
use crate::api::distance::{ConvexPair, Wanted};
use crate::api::options::QueryOptions;
use crate::api::result::{SignedDistance, SolveStatus, WarmStart, Within};
use crate::solve::newton_x4::Form;
use crate::superquadric::proof_x4::{self, Look, ProofGoal, ProofX4};
use crate::superquadric::starts_x8::{self, Kind, PosedSolid, StartsX8};
use smooth_scene_geometry::math::Vec3;
use smooth_scene_geometry::simd::{F64x4, F64x4x2, Kernel, Level, Simd};

/// Evaluations in double precision before a pair is left open. The second proves what the first nearly did, of the rest few.
const MOST_LOOKS: u32 = 4;
/// Pairs that wait for a look at most: fewer than fill the lanes, and those that come together.
const MOST_WAITING: usize = proof_x4::LANES - 1 + starts_x8::LANES;

/// Many pairs to ask about, by number.
pub trait SolidPairs {
    /// The bodies, where both are prepared. Must be the same for each call with an index, and those of `question`.
    fn solids(&self, index: usize) -> Option<[PosedSolid<'_>; 2]>;
    /// Distance beyond which the pair is of no interest.
    fn threshold(&self, index: usize) -> f64;
    /// What an earlier query on it found.
    fn warm(&self, index: usize) -> WarmStart;
    /// The whole question.
    fn question(&self, index: usize) -> PairQuestion<'_>;
}

/// Buffers for many pairs of one thread.
#[derive(Debug, Clone)]
pub struct SolidBatch {
    tables: Box<[[Table; 2]; 3]>,
}

/// Pairs of bodies of one kind.
#[derive(Debug, Clone)]
struct Table {
    starts: StartsX8,
    proof: ProofX4,
    /// The numbers of those that are seated, and how many.
    seated: [usize; starts_x8::LANES],
    seated_count: usize,
    /// Those that are to be looked at, and how many.
    waiting: [Waiting; MOST_WAITING],
    waiting_count: usize,
}

/// A pair with a direction that is to be looked along.
#[derive(Debug, Clone, Copy)]
struct Waiting {
    index: usize,
    goal: ProofGoal,
    normal_a: Vec3,
    slopes: [f64; 2],
    looks: u32,
}

impl Waiting {
    /// No pair.
    const NONE: Self = Self {
        index: usize::MAX,
        goal: ProofGoal { gap: 0.0, limit: 0.0, size: 0.0 },
        normal_a: Vec3::new(0.0, 0.0, 1.0),
        slopes: [0.0; 2],
        looks: 0,
    };
}

impl Default for SolidBatch {
    fn default() -> Self {
        Self::new()
    }
}

impl SolidBatch {
    /// Empty buffers.
    pub fn new() -> Self {
        let forms = [Form::Straight, Form::EvenlyTapered, Form::Tapered];
        Self {
            tables: Box::new(forms.map(|form| [false, true].map(|flat| Table::new(form, flat)))),
        }
    }

    /// [`PairQuery::within`](crate::PairQuery::within) of the questions with the numbers from 0 to `count`: `visit` gets the
    /// number of each and its answer, in an order that depends on the questions alone, or nothing for pairs that are left open:
    /// those that are not prepared, that overlap or overlapped in the earlier answer, and such that are too flat for a few
    /// evaluations. [`for_each_distance_within`](crate::for_each_distance_within) answers these.
    ///
    /// The answers agree with those of [`PairQuery::within`](crate::PairQuery::within) to the tolerance. An answer
    /// depends neither on the other pairs nor on earlier calls: the bits of a pair are the same in any company.
    pub fn for_each_distance(
        &mut self,
        count: usize,
        pairs: &impl SolidPairs,
        options: &QueryOptions,
        mut visit: impl FnMut(usize, Option<Within>),
    ) {
        // A panic of `pairs` or `visit` may have left pairs behind.
        for table in self.tables.as_flattened_mut() {
            (table.seated_count, table.waiting_count) = (0, 0);
        }
        for index in 0..count {
            let warm = pairs.warm(index);
            // Two known normals: the bodies overlapped.
            let solids = if warm.count > 1 { None } else { pairs.solids(index) };
            let Some(solids) = solids else {
                visit(index, None);
                continue;
            };
            let is_flat = solids.iter().any(|body| body.solid.is_flat);
            let table = &mut self.tables[form(&solids) as usize][usize::from(is_flat)];
            table.seat(index, &warm, &solids);
            if table.seated_count == starts_x8::LANES {
                table.find_starts(pairs, options, &mut visit);
                table.prove(proof_x4::LANES, pairs, options, &mut visit);
            }
        }
        for table in self.tables.as_flattened_mut() {
            table.find_starts(pairs, options, &mut visit);
            table.prove(1, pairs, options, &mut visit);
        }
    }
}

/// The bodies of a pair that was seated.
#[inline]
fn bodies(pairs: &impl SolidPairs, index: usize) -> [PosedSolid<'_>; 2] {
    pairs.solids(index).expect("only prepared pairs are seated")
}

/// The direction of an earlier answer about bodies apart.
#[inline]
fn known_normal(warm: &WarmStart) -> Option<&Vec3> {
    (warm.count == 1).then_some(&warm.normals_a[0])
}

/// How the lanes see a pair.
#[inline]
fn form(solids: &[PosedSolid; 2]) -> Form {
    let [a, b] = solids.map(|body| body.solid);
    if a.is_exactly_straight() && b.is_exactly_straight() {
        Form::Straight
    } else if [a, b].iter().all(|solid| solid.is_evenly_tapered() && solid.is_convex) {
        Form::EvenlyTapered
    } else {
        Form::Tapered
    }
}

impl Table {
    fn new(form: Form, is_flat: bool) -> Self {
        Self {
            starts: StartsX8::new(Kind { is_straight: form == Form::Straight, is_flat }),
            proof: ProofX4::new(form),
            seated: [0; starts_x8::LANES],
            seated_count: 0,
            waiting: [Waiting::NONE; MOST_WAITING],
            waiting_count: 0,
        }
    }

    #[inline]
    fn seat(&mut self, index: usize, warm: &WarmStart, [a, b]: &[PosedSolid; 2]) {
        self.starts.seat(self.seated_count, [a, b], known_normal(warm));
        self.seated[self.seated_count] = index;
        self.seated_count += 1;
    }

    /// Directions for the pairs that are seated.
    fn find_starts(
        &mut self,
        pairs: &impl SolidPairs,
        options: &QueryOptions,
        visit: &mut impl FnMut(usize, Option<Within>),
    ) {
        if self.seated_count == 0 {
            return;
        }
        let starts = self.starts.find();
        for (&index, start) in self.seated[..self.seated_count].iter().zip(starts) {
            let [a, b] = bodies(pairs, index);
            let centres = (b.origin_w - a.origin_w).norm();
            // Of bodies that are nowhere nothing is known.
            let Some(start) = start.filter(|_| centres.is_finite()) else {
                visit(index, None);
                continue;
            };
            let size = a.solid.longest.max(b.solid.longest).max(centres);
            let gap = options.gap_tolerance * size;
            self.waiting[self.waiting_count] = Waiting {
                index,
                goal: ProofGoal { gap, limit: pairs.threshold(index), size },
                normal_a: Vec3::from(start.normal.map(f64::from)),
                slopes: start.slopes.map(f64::from),
                looks: 0,
            };
            self.waiting_count += 1;
        }
        self.seated_count = 0;
    }

    /// Looks at the pairs that are waiting until fewer than so many are.
    fn prove(
        &mut self,
        least: usize,
        pairs: &impl SolidPairs,
        options: &QueryOptions,
        visit: &mut impl FnMut(usize, Option<Within>),
    ) {
        while self.waiting_count >= least {
            let first = self.waiting_count.saturating_sub(proof_x4::LANES);
            let taken = self.waiting[first..self.waiting_count].iter();
            for (lane, Waiting { index, goal, normal_a, slopes, .. }) in taken.enumerate() {
                let [a, b] = bodies(pairs, *index);
                self.proof.seat(lane, [&a, &b], normal_a, *slopes, goal);
            }
            let look = self.proof.look();
            let mut kept = first;
            for lane in 0..self.waiting_count - first {
                let mut pair = self.waiting[first + lane];
                pair.looks += 1;
                let has = |lanes: u32| lanes >> lane & 1 == 1;
                if has(look.found) {
                    let is_convex =
                        bodies(pairs, pair.index).iter().all(|body| body.solid.is_convex);
                    let is_proven = is_convex
                        || Level::detect().run(HullProof {
                            asked: &pairs.question(pair.index),
                            look: &look,
                            lane,
                            options,
                        });
                    let found = || answer(&look, lane, &pair, !is_convex);
                    visit(pair.index, is_proven.then(found));
                } else if has(look.promising) && pair.looks < MOST_LOOKS {
                    pair.normal_a = vector(&look.next_a, lane);
                    pair.slopes = [look.slopes.0.0[lane], look.slopes.1.0[lane]];
                    self.waiting[kept] = pair;
                    kept += 1;
                } else {
                    visit(pair.index, None);
                }
            }
            self.waiting_count = kept;
        }
    }
}

/// Whether what the lanes found is the support of the hulls, too, where a body is not convex.
struct HullProof<'q, 'a> {
    asked: &'q PairQuestion<'a>,
    look: &'q Look,
    lane: usize,
    options: &'q QueryOptions,
}

impl Kernel for HullProof<'_, '_> {
    type Output = bool;

    #[inline(always)]
    fn run<S: Simd>(self) -> bool {
        let Self { asked, look, lane, options } = self;
        let wanted = Wanted { limit: asked.threshold, depth: Some(options.depth_mode) };
        let convex = ConvexPair::new(&asked.pair, &wanted);
        let Some(pair) = convex.superquadrics::<S>() else { return false };
        let of_both = |lanes: &F64x4x2<F64x4>| [lanes.0.0[lane], lanes.1.0[lane]];
        pair.proves(of_both(&look.reach), of_both(&look.height), &vector(&look.next_a, lane))
    }
}

#[inline]
fn vector(lanes: &[F64x4; 3], lane: usize) -> Vec3 {
    Vec3::new(lanes[0].0[lane], lanes[1].0[lane], lanes[2].0[lane])
}

/// The answer about a pair whose distance was found.
#[inline]
fn answer(look: &Look, lane: usize, pair: &Waiting, of_hull: bool) -> Within {
    let lower = look.lower.0[lane];
    let normal_ab_w = vector(&look.normal_w, lane);
    let warm = WarmStart { normals_a: [vector(&look.next_a, lane); 2], count: 1 };
    if lower > pair.goal.limit {
        return Within::Farther { lower, normal_ab_w, warm };
    }
    Within::Near(SignedDistance {
        distance: lower,
        lower,
        upper: look.upper.0[lane],
        witness_a_w: vector(&look.point_a_w, lane),
        witness_b_w: vector(&look.point_b_w, lane),
        normal_ab_w,
        status: SolveStatus::Certified,
        iterations: pair.looks,
        of_hull,
        warm,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::distance::PosedPair;
    use crate::{PairQuery, SuperquadricX8};
    use smooth_scene_geometry::math::{Mat3, Pose};
    use smooth_scene_geometry::{ConvexSurface, Shape};

    /// Deterministic numbers in [0, 1).
    fn uniform(state: &mut u64) -> f64 {
        *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*state >> 11) as f64 / (1u64 << 53) as f64
    }

    struct Body {
        shape: Shape,
        pose: Pose,
        solid: Option<SuperquadricX8>,
        rotation: Mat3,
    }

    impl Body {
        fn new(shape: Shape, pose: Pose) -> Self {
            let rotation = pose.rotation.to_rotation_matrix().into_inner();
            let solid = SuperquadricX8::new(&shape);
            Self { shape, pose, solid, rotation }
        }

        fn posed(&self) -> Option<PosedSolid<'_>> {
            let origin_w = &self.pose.translation.vector;
            Some(PosedSolid { solid: self.solid.as_ref()?, rotation: &self.rotation, origin_w })
        }
    }

    struct Pairs {
        bodies: Vec<Body>,
        pairs: Vec<([usize; 2], WarmStart)>,
        threshold: f64,
    }

    impl SolidPairs for Pairs {
        fn solids(&self, index: usize) -> Option<[PosedSolid<'_>; 2]> {
            let [a, b] = self.pairs[index].0;
            Some([self.bodies[a].posed()?, self.bodies[b].posed()?])
        }

        fn threshold(&self, _: usize) -> f64 {
            self.threshold
        }

        fn warm(&self, index: usize) -> WarmStart {
            self.pairs[index].1
        }

        fn question(&self, index: usize) -> PairQuestion<'_> {
            let ([a, b], warm) = self.pairs[index];
            let [a, b] = [&self.bodies[a], &self.bodies[b]];
            let pair = PosedPair { a: &a.shape, pose_a: &a.pose, b: &b.shape, pose_b: &b.pose };
            PairQuestion { pair, threshold: self.threshold, warm }
        }
    }

    impl Pairs {
        fn alone(&self, index: usize, options: &QueryOptions) -> Within {
            let PairQuestion { pair, threshold, .. } = self.question(index);
            let PosedPair { a, pose_a, b, pose_b } = pair;
            PairQuery::new(a, pose_a, b, pose_b).options(options).within(threshold)
        }

        fn answers(&self, options: &QueryOptions) -> Vec<Option<Within>> {
            self.answers_with(&mut SolidBatch::new(), options)
        }

        fn answers_with(
            &self,
            batch: &mut SolidBatch,
            options: &QueryOptions,
        ) -> Vec<Option<Within>> {
            let mut answers = vec![None; self.pairs.len()];
            let mut visited = 0;
            batch.for_each_distance(self.pairs.len(), self, options, |index, answer| {
                answers[index] = answer;
                visited += 1;
            });
            assert_eq!(visited, self.pairs.len());
            answers
        }
    }

    impl Pairs {
        fn assert_even_bodies_are_open(&self) {
            let answers = self.answers(&QueryOptions::default());
            for ((pair, warm), answer) in self.pairs.iter().zip(answers) {
                let is_nowhere = pair.iter().any(|body| body % 2 == 0);
                assert!(!is_nowhere || answer.is_none(), "{pair:?} {warm:?} {answer:?}");
            }
        }
    }

    /// Bodies of every kind, some dented, some nearly boxes, far from the origin of the world; every third pair is warm.
    fn pairs() -> Pairs {
        let mut state = 11;
        let mut u = move || uniform(&mut state);
        let bodies = (0..80).map(|k| {
            let (radii, xy, z) = ([0.5 + u(), 0.5 + u(), 0.5 + u()], 0.15 + u(), 0.15 + u());
            let shape = match k % 6 {
                0 => Shape::superellipsoid(radii, xy, z),
                1 => Shape::superellipsoid(radii, 0.2, 0.2),
                2 => Shape::ellipsoid(radii),
                3 => Shape::superovoid(radii, xy, 0.8, [0.2 * u(); 2]),
                4 => Shape::superovoid(radii, xy, z, [0.9 * u(), -0.9 * u()]),
                _ => Shape::cuboid(radii),
            };
            let at = Vec3::new(100.0 + 6.0 * u(), 6.0 * u(), 6.0 * u());
            Body::new(shape.unwrap(), Pose::new(at, Vec3::new(3.0 * u(), 3.0 * u(), 3.0 * u())))
        });
        let mut all = Pairs { bodies: bodies.collect(), pairs: Vec::new(), threshold: 2.0 };
        for b in 0..all.bodies.len() {
            for a in 0..b {
                all.pairs.push(([a, b], WarmStart::default()));
                let last = all.pairs.len() - 1;
                if last.is_multiple_of(3) {
                    all.pairs[last].1 = match all.alone(last, &QueryOptions::default()) {
                        Within::Farther { warm, .. } => warm,
                        Within::Near(found) => found.warm,
                    };
                }
            }
        }
        all
    }

    #[test]
    fn answers_are_those_of_single_queries_and_prove_themselves() {
        let (pairs, options) = (pairs(), QueryOptions::default());
        let (mut near, mut far, mut open) = (0, 0, 0);
        for (index, answer) in pairs.answers(&options).into_iter().enumerate() {
            let expected = pairs.alone(index, &options);
            let Some(answer) = answer else {
                open += usize::from(
                    pairs.solids(index).is_some()
                        && !matches!(expected, Within::Near(found) if found.distance <= 0.0),
                );
                continue;
            };
            let PosedPair { a, pose_a, b, pose_b } = pairs.question(index).pair;
            let offset_w = pose_b.translation.vector - pose_a.translation.vector;
            let size = a.bounding_radius().max(b.bounding_radius()).max(offset_w.norm());
            // The bound by the support functions alone.
            let along = |n: &Vec3| {
                let reach = |shape: &Shape, pose: &Pose, n: Vec3| {
                    shape.support(&pose.rotation.inverse_transform_vector(&n)).value
                };
                n.dot(&offset_w) - reach(a, pose_a, *n) - reach(b, pose_b, -n)
            };
            match (answer, expected) {
                (Within::Farther { lower, normal_ab_w, .. }, Within::Farther { .. }) => {
                    assert!(lower > pairs.threshold);
                    assert!(lower <= along(&normal_ab_w) + 1e-12 * size);
                    far += 1;
                }
                (Within::Near(found), Within::Near(expected)) => {
                    let error = (found.distance - expected.distance).abs();
                    assert!(error <= options.gap_tolerance * size, "{found:?} {expected:?}");
                    assert!((found.lower - along(&found.normal_ab_w)).abs() <= 1e-12 * size);
                    let between = found.witness_b_w - found.witness_a_w;
                    // Coordinates of 100 m are rounded to 1.4e-14 m.
                    assert!((found.upper - between.norm()).abs() <= 1e-12 * size, "{found:?}");
                    assert!((found.normal_ab_w.norm() - 1.0).abs() <= 1e-14);
                    assert_eq!(found.of_hull, expected.of_hull);
                    near += 1;
                }
                (found, expected) => panic!("{found:?} is not {expected:?}"),
            }
        }
        println!("{near} near, {far} far, {open} apart left open");
        assert!(near > 500 && far > 500 && open < (near + far) / 5, "{near} {far} {open}");
    }

    /// Few pairs leave lanes spare, on which earlier ones stand.
    #[test]
    fn answers_do_not_depend_on_earlier_calls() {
        let (mut few, options) = (pairs(), QueryOptions::default());
        let all = few.pairs.clone();
        let mut used = SolidBatch::new();
        for (begin, chunk) in all.chunks(5).enumerate() {
            few.pairs = all[all.len() - 1 - begin..].to_vec();
            few.answers_with(&mut used, &options);
            few.pairs = chunk.to_vec();
            let expected = few.answers(&options);
            // Two numbers that are written alike have the same bits, but for the sign of NaN.
            let found = few.answers_with(&mut used, &options);
            assert_eq!(format!("{found:?}"), format!("{expected:?}"));
        }
    }

    #[test]
    fn a_panic_leaves_no_pair_behind() {
        let (mut pairs, options) = (pairs(), QueryOptions::default());
        let mut batch = SolidBatch::new();
        let count = pairs.pairs.len();
        let broken = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            batch.for_each_distance(count, &pairs, &options, |_, answer| {
                assert!(answer.is_none(), "the first answer");
            });
        }));
        assert!(broken.is_err());
        pairs.pairs.truncate(3);
        let found = pairs.answers_with(&mut batch, &options);
        assert_eq!(format!("{found:?}"), format!("{:?}", pairs.answers(&options)));
    }

    #[test]
    fn bodies_that_are_nowhere_are_left_open() {
        for bad in [f64::NAN, f64::INFINITY] {
            let mut pairs = pairs();
            for body in pairs.bodies.iter_mut().step_by(2) {
                body.pose.translation.vector.x = bad;
            }
            pairs.assert_even_bodies_are_open();
        }
    }

    /// Support functions take the larger of a component that is no number and a tiny one.
    #[test]
    fn bodies_that_are_turned_nowhere_are_left_open() {
        for bad in [f64::NAN, f64::INFINITY] {
            for entry in 0..9 {
                let mut pairs = pairs();
                for body in pairs.bodies.iter_mut().step_by(2) {
                    body.rotation[entry] = bad;
                }
                pairs.assert_even_bodies_are_open();
            }
        }
    }
}
