//! What must hold for every pair of shapes: symmetries, sign conventions, proven bounds, and agreement of the queries.
//!
//! A case is a seed; a failure prints it and the pair it makes. Tolerances are in multiples of the size of the pair
//! and follow from the options: an answer apart is known to [`GAP`], a certified depth to [`DEPTH`].

use nalgebra::Translation3;
use proptest::prelude::*;
use smooth_scene_geometry::math::{Mat3, Pose, Vec3};
use smooth_scene_geometry::{ConvexSurface, Shape};
use smooth_scene_query::{
    Collision, PairQuery, PosedPair as PairRef, QueryOptions, SignedDistance, SolveStatus,
    WarmStart, Within, distance, distance_batch,
};
use smooth_scene_test_support::families::{
    FAMILIES, PosedPair, Rng, align, any_kind, family_pair, pose, superquadric,
};
use smooth_scene_test_support::random::properties;
use smooth_scene_test_support::slow_search;
use smooth_scene_test_support::slow_search::{separation_along, slow_signed_distance};

/// Widest promised bound on a distance: ten times the default gap tolerance.
const GAP: f64 = 1e-9;
/// Widest promised bound on a certified depth, the default depth tolerance and one percent.
const DEPTH: f64 = 1.01e-6;
/// How well the witnesses of a depth are known: the square root of the depth tolerance, because the depth is stationary
/// in them.
const WITNESS: f64 = 1e-3;
/// Rounding of an evaluation, some thousand operations of the last bit.
const ROUNDING: f64 = 1e-12;
/// Directions a query without proof may visit, and what a proof may add to its budget to finish its last climb.
const MAX_ITERATIONS: u32 = 20_000;

/// A family of the accuracy table or any two kinds, at any scale, anywhere, one in four with parallel axes.
fn random_pair(seed: u64) -> PosedPair {
    let rng = &mut Rng::new(seed);
    if rng.one_in(2) {
        let family = FAMILIES[(rng.next_u64() % FAMILIES.len() as u64) as usize];
        return family_pair(family, rng);
    }
    let scale = rng.log_uniform(1e-6, 3e2);
    let size = [scale, 3.0 * scale];
    let any = |rng: &mut Rng| match rng.next_u64() % 3 {
        0 => superquadric(rng, size, [0.02, 1.98], 0.0),
        1 => superquadric(rng, size, [0.02, 1.98], 0.9),
        _ => any_kind(rng, size),
    };
    let (a, b) = (any(rng), any(rng));
    let mut pair = pose(rng, a, b, [0.0, 1.3]);
    if rng.one_in(4) {
        align(rng, &mut pair);
    }
    if rng.one_in(3) {
        let far = rng.direction() * rng.log_uniform(1.0, 1e4);
        pair.pose_a.translation.vector += far;
        pair.pose_b.translation.vector += far;
    }
    pair
}

fn query(pair: &PosedPair, options: &QueryOptions) -> SignedDistance {
    distance(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b, options)
}

fn fast() -> QueryOptions {
    QueryOptions::default()
}

/// Certified, with a budget that keeps a flat landscape from taking the whole test's time.
fn certified() -> QueryOptions {
    QueryOptions { depth_budget: 4000, ..QueryOptions::certified() }
}

/// Rounding of the world coordinates themselves: half a bit of the farthest one.
fn coordinate_rounding(pair: &PosedPair) -> f64 {
    let farthest = |pose: &Pose| pose.translation.vector.amax();
    4.0 * f64::EPSILON * farthest(&pair.pose_a).max(farthest(&pair.pose_b))
}

/// How far two truthful answers to the same question may lie apart: their bounds have to overlap.
fn bounds_overlap(one: &SignedDistance, other: &SignedDistance, slack: f64) -> bool {
    one.lower <= other.upper + slack && other.lower <= one.upper + slack
}

fn swapped(pair: &PosedPair) -> PosedPair {
    PosedPair { a: pair.b.clone(), pose_a: pair.pose_b, b: pair.a.clone(), pose_b: pair.pose_a }
}

fn moved(pair: &PosedPair, motion: &Pose) -> PosedPair {
    PosedPair { pose_a: motion * pair.pose_a, pose_b: motion * pair.pose_b, ..pair.clone() }
}

/// All lengths times `scale`, or nothing when a length leaves the permitted range.
fn scaled(pair: &PosedPair, scale: f64) -> Option<PosedPair> {
    let map = Mat3::identity() * scale;
    let place = |pose: &Pose| {
        Pose::from_parts(Translation3::from(pose.translation.vector * scale), pose.rotation)
    };
    Some(PosedPair {
        a: pair.a.mapped(&map).ok()?,
        pose_a: place(&pair.pose_a),
        b: pair.b.mapped(&map).ok()?,
        pose_b: place(&pair.pose_b),
    })
}

/// The same pair with B displaced.
fn shifted(pair: &PosedPair, by: Vec3) -> PosedPair {
    let mut pair = pair.clone();
    pair.pose_b.translation.vector += by;
    pair
}

/// The query on a pair with [`fast`] options.
fn asked(pair: &PosedPair) -> PairQuery<'_> {
    PairQuery::new(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b).options(&fast())
}

fn hit(pair: &PosedPair) -> Collision {
    asked(pair).collides()
}

fn numbers(found: &SignedDistance) -> Vec<f64> {
    let vectors = [found.witness_a_w, found.witness_b_w, found.normal_ab_w];
    let coordinates = vectors.iter().flat_map(|v| [v.x, v.y, v.z]);
    [found.distance, found.lower, found.upper].into_iter().chain(coordinates).collect()
}

fn bits(found: &SignedDistance) -> Vec<u64> {
    let status = [u64::from(found.iterations), found.status as u64, u64::from(found.of_hull)];
    numbers(found).into_iter().map(f64::to_bits).chain(status).collect()
}

/// How far a world point is above the highest (negative: below all) of the supporting planes along these directions of
/// the shape's frame.
fn height_above(shape: &Shape, pose: &Pose, point_w: &Vec3, dirs: &[Vec3]) -> f64 {
    let local = pose.rotation.inverse() * (point_w - pose.translation.vector);
    dirs.iter()
        .map(|n| n.dot(&local) - slow_search::support_value(shape, n))
        .fold(f64::NEG_INFINITY, f64::max)
}

macro_rules! claim {
    ($holds:expr, $pair:expr, $($shown:expr),*) => {
        prop_assert!($holds, "{} {:?}\n{:?}", stringify!($holds), ($(&$shown,)*), $pair)
    };
}

fn config(cases: u32) -> ProptestConfig {
    // A smaller seed is not a simpler pair: shrinking would only hide the one that failed.
    ProptestConfig { max_shrink_iters: 0, ..properties(cases, 20) }
}

proptest! {
    #![proptest_config(config(1500))]

    #[test]
    fn answers_are_finite_ordered_and_bounded_in_work(seed in any::<u64>()) {
        let pair = random_pair(seed);
        for options in [fast(), certified()] {
            let found = query(&pair, &options);
            claim!(numbers(&found).iter().all(|x| x.is_finite()), pair, found);
            claim!(found.lower <= found.distance && found.distance <= found.upper, pair, found);
            claim!((found.normal_ab_w.norm() - 1.0).abs() <= ROUNDING, pair, found);
            claim!(found.iterations <= MAX_ITERATIONS, pair, found);
            if found.lower > 0.0 {
                claim!(found.upper - found.lower <= GAP * pair.size(), pair, found);
                claim!(found.status == SolveStatus::Certified, pair, found);
            }
        }
    }

    #[test]
    fn the_same_question_gets_the_same_bits(seed in any::<u64>()) {
        let pair = random_pair(seed);
        for options in [fast(), certified()] {
            claim!(bits(&query(&pair, &options)) == bits(&query(&pair, &options)), pair, options);
        }
    }

    /// Apart the answers agree within their gaps and so do the normals, up to the angle a gap leaves open: f falls
    /// from its maximum d by at least d(1 − cos α), so α ≤ √(2·gap/d).
    #[test]
    fn exchanging_the_bodies_turns_the_answer_around(seed in any::<u64>()) {
        let pair = random_pair(seed);
        let (one, other) = (query(&pair, &certified()), query(&swapped(&pair), &certified()).swapped());
        let slack = ROUNDING * pair.size();
        claim!(bounds_overlap(&one, &other, slack), pair, one, other);
        if one.lower > 0.0 && other.lower > 0.0 {
            let gap = (one.upper - one.lower).max(other.upper - other.lower) + slack;
            claim!((one.distance - other.distance).abs() <= gap, pair, one, other);
            let angle = 2.0 * (2.0 * gap / one.lower).sqrt();
            claim!((one.normal_ab_w - other.normal_ab_w).norm() <= angle, pair, one, other);
        }
    }

    #[test]
    fn moving_both_bodies_together_changes_nothing(seed in any::<u64>()) {
        let pair = random_pair(seed);
        let rng = &mut Rng::new(seed ^ 1);
        let motion = Pose::from_parts(
            Translation3::from(rng.direction() * pair.size() * rng.uniform(0.0, 10.0)),
            rng.rotation(),
        );
        let there = moved(&pair, &motion);
        let (one, other) = (query(&pair, &certified()), query(&there, &certified()));
        let slack = ROUNDING * pair.size() + coordinate_rounding(&there) + coordinate_rounding(&pair);
        claim!(bounds_overlap(&one, &other, slack), pair, one, other);
        if one.lower > 0.0 && other.lower > 0.0 {
            let gap = (one.upper - one.lower).max(other.upper - other.lower) + slack;
            claim!((one.distance - other.distance).abs() <= gap, pair, one, other);
            let turned = motion.rotation * one.normal_ab_w;
            let angle = 2.0 * (2.0 * gap / one.lower).sqrt();
            claim!((turned - other.normal_ab_w).norm() <= angle, pair, one, other);
        }
    }

    #[test]
    fn scaling_all_lengths_scales_the_answer(seed in any::<u64>(), power in -1.5..1.5f64) {
        let pair = random_pair(seed);
        let scale = 10f64.powf(power);
        let larger = scaled(&pair, scale);
        prop_assume!(larger.is_some());
        let (one, other) = (query(&pair, &certified()), query(&larger.unwrap(), &certified()));
        let slack = scale * (ROUNDING * pair.size() + coordinate_rounding(&pair));
        claim!(one.lower * scale <= other.upper + slack, pair, scale, one, other);
        claim!(other.lower <= one.upper * scale + slack, pair, scale, one, other);
        if one.lower > 0.0 {
            let off = (other.distance - scale * one.distance).abs();
            claim!(off <= scale * GAP * pair.size() + slack, pair, scale, one, other);
        }
    }

    /// The points are in the bodies and reach the two planes that the normal supports them with. Apart, w = b − a has
    /// n·w ≥ lower and |w| ≤ upper, so |w − d·n|² ≤ upper² − lower² up to the gap. Rounded bodies are answered by their
    /// cores, which are farther apart by the radii, at most the bounding ones. Overlapping, the value is stationary
    /// in the points, which are known to [`WITNESS`].
    #[test]
    fn witnesses_are_on_their_surfaces_and_differ_by_distance_times_normal(seed in any::<u64>()) {
        let pair = random_pair(seed);
        let (found, size) = (query(&pair, &fast()), pair.size());
        let rounding = ROUNDING * size + coordinate_rounding(&pair);
        let dirs: Vec<Vec3> = slow_search::spiral(60).collect();
        let normal = found.normal_ab_w;
        for (shape, pose, witness, outward) in [
            (&pair.a, &pair.pose_a, found.witness_a_w, normal),
            (&pair.b, &pair.pose_b, found.witness_b_w, -normal),
        ] {
            let out = height_above(shape, pose, &witness, &dirs);
            claim!(out <= rounding, pair, found, out);
            let outward = pose.rotation.inverse() * outward;
            let below = -height_above(shape, pose, &witness, &[outward]);
            let decided = found.lower > 0.0 || found.status == SolveStatus::DepthUnproven;
            claim!(!decided || below <= GAP * size + rounding, pair, found, below);
        }
        let linked = (found.witness_b_w - found.witness_a_w - normal * found.distance).norm();
        let gap = found.upper - found.lower + rounding;
        let core = found.upper.abs() + pair.a.bounding_radius() + pair.b.bounding_radius();
        let allowed = if found.status == SolveStatus::DepthUnproven {
            WITNESS * size + rounding
        } else {
            (2.0 * gap * core).sqrt() + gap
        };
        claim!(linked <= allowed, pair, found, linked, allowed);
    }

    /// By a hair more than the distance along the normal there is contact, by a hair less there is none.
    #[test]
    fn shifting_by_the_distance_brings_the_bodies_to_touch(seed in any::<u64>()) {
        let pair = random_pair(seed);
        // A normal is known to the root of the gap, and a needle's edge is sharper than that is by default.
        let found = query(&pair, &QueryOptions { gap_tolerance: 1e-15, ..fast() });
        let hair = 4.0 * GAP * pair.size() + coordinate_rounding(&pair);
        let shift = |by: f64| shifted(&pair, found.normal_ab_w * by);
        let nearly = hit(&shift(hair - found.distance));
        claim!(!nearly.is_contact(), pair, found, nearly);
        if found.lower > 0.0 {
            let over = hit(&shift(-hair - found.distance));
            claim!(over.is_contact(), pair, found, over);
        }
    }

    /// Overlapping by the certified depth: any shorter shift, in any direction, leaves them in contact.
    #[test]
    fn no_shorter_shift_than_the_proven_depth_separates(seed in any::<u64>()) {
        let pair = random_pair(seed);
        let (quick, proven) = (query(&pair, &fast()), query(&pair, &certified()));
        let slack = ROUNDING * pair.size();
        // Apart, both are within the gap of the truth, and either may be closer to it.
        claim!(bounds_overlap(&quick, &proven, slack), pair, quick, proven);
        if proven.upper < 0.0 {
            claim!(quick.distance <= proven.distance + slack, pair, quick, proven);
            if proven.status == SolveStatus::Certified {
                claim!(proven.upper - proven.lower <= DEPTH * pair.size(), pair, proven);
            }
            let rng = &mut Rng::new(seed ^ 2);
            let short = -proven.upper * 0.999 - slack - coordinate_rounding(&pair);
            for direction in [proven.normal_ab_w, rng.direction(), rng.direction()] {
                let still = hit(&shifted(&pair, direction * short.max(0.0)));
                claim!(still.is_contact(), pair, proven, still, direction);
            }
        }
    }

    #[test]
    fn warm_answers_are_as_good_as_cold_ones(seed in any::<u64>()) {
        let pair = random_pair(seed);
        let (rng, size) = (&mut Rng::new(seed ^ 3), pair.size());
        let from = |pair: &PosedPair, warm: &WarmStart| {
            asked(pair).warm_start(warm).distance()
        };
        let cold = query(&pair, &fast());
        let again = from(&pair, &cold.warm);
        let slack = ROUNDING * size;
        claim!(bounds_overlap(&cold, &again, slack), pair, cold, again);
        // Overlapping, the climb may go on where the fast search ended short of a top.
        claim!(again.distance >= cold.distance - GAP * size, pair, cold, again);
        if cold.lower > 0.0 {
            claim!((cold.distance - again.distance).abs() <= GAP * size, pair, cold, again);
        }
        let near = shifted(&pair, rng.direction() * (0.01 * size));
        let (fresh, followed) = (query(&near, &fast()), from(&near, &cold.warm));
        claim!(bounds_overlap(&fresh, &followed, slack), near, cold, fresh, followed);
        if fresh.lower > 0.0 {
            claim!(followed.upper - followed.lower <= GAP * size, near, fresh, followed);
            claim!((fresh.distance - followed.distance).abs() <= GAP * size, near, fresh, followed);
        }
    }

    #[test]
    fn yes_no_and_threshold_queries_agree_with_the_distance(seed in any::<u64>(), share in 0.0..2.0f64) {
        let pair = random_pair(seed);
        let found = query(&pair, &fast());
        let slack = ROUNDING * pair.size();
        match hit(&pair) {
            Collision::Apart { lower, normal_ab_w, .. } => {
                claim!(lower > 0.0 && lower <= found.upper + slack, pair, found, lower);
                let along = separation_along(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b, &normal_ab_w);
                claim!(lower <= along + slack, pair, found, lower, along);
            }
            Collision::Overlapping { .. } => claim!(found.lower <= slack, pair, found),
            Collision::Touching { lower, upper, .. } => {
                claim!(upper - lower <= GAP * pair.size(), pair, found, lower, upper);
                claim!(found.lower <= upper + slack && lower <= found.upper + slack, pair, found, lower, upper);
            }
        }
        let threshold = share * found.distance.abs();
        match asked(&pair).within(threshold) {
            Within::Farther { lower, normal_ab_w, .. } => {
                claim!(lower > threshold && lower <= found.upper + slack, pair, found, lower, threshold);
                let along = separation_along(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b, &normal_ab_w);
                claim!(lower <= along + slack, pair, found, lower, along);
            }
            Within::Near(near) => {
                claim!(found.lower <= threshold + GAP * pair.size(), pair, found, near, threshold);
                claim!(bounds_overlap(&found, &near, slack), pair, found, near, threshold);
                claim!((found.distance - near.distance).abs() <= GAP * pair.size(), pair, found, near);
            }
        }
    }

    /// Growing a body by r takes r off the distance, apart or overlapping, and off both bounds.
    #[test]
    fn padding_is_taken_off_the_distance(seed in any::<u64>(), share in 0.01..0.5f64) {
        let pair = random_pair(seed);
        let found = query(&pair, &certified());
        let radius = share * pair.a.bounding_radius();
        let padded = PosedPair { a: pair.a.padded(radius).unwrap(), ..pair.clone() };
        let grown = query(&padded, &certified());
        let slack = ROUNDING * pair.size();
        claim!(grown.lower + radius <= found.upper + slack, pair, radius, found, grown);
        claim!(found.lower <= grown.upper + radius + slack, pair, radius, found, grown);
        if found.lower > 0.0 {
            let off = (grown.distance + radius - found.distance).abs();
            claim!(off <= GAP * pair.size(), pair, radius, found, grown);
        }
    }

    /// R·K with the identity as pose is K with R as rotation.
    #[test]
    fn a_shape_mapped_by_a_rotation_is_the_turned_shape(seed in any::<u64>()) {
        let pair = random_pair(seed);
        let turn = pair.pose_a.rotation.to_rotation_matrix().into_inner();
        let mapped = PosedPair {
            a: pair.a.mapped(&turn).unwrap(),
            pose_a: Pose::from_parts(pair.pose_a.translation, nalgebra::UnitQuaternion::identity()),
            ..pair.clone()
        };
        let (one, other) = (query(&pair, &certified()), query(&mapped, &certified()));
        let slack = ROUNDING * pair.size();
        claim!(bounds_overlap(&one, &other, slack), pair, one, other);
        if one.lower > 0.0 {
            claim!((one.distance - other.distance).abs() <= GAP * pair.size(), pair, one, other);
        }
    }

    #[test]
    fn a_compound_is_as_near_as_its_nearest_part(seed in any::<u64>()) {
        let (one, other) = (random_pair(seed), random_pair(seed.wrapping_add(1)));
        let rng = &mut Rng::new(seed ^ 4);
        let reach = one.a.bounding_radius() + other.a.bounding_radius();
        let local = Pose::from_parts(Translation3::from(rng.direction() * reach), rng.rotation());
        let parts = [(Pose::identity(), one.a.clone()), (local, other.a.clone())];
        let union = Shape::compound(parts.to_vec()).unwrap();
        let pair = PosedPair { a: union, ..one.clone() };
        let found = query(&pair, &certified());
        let of_parts = parts.map(|(local, a)| {
            query(&PosedPair { a, pose_a: one.pose_a * local, ..one.clone() }, &certified())
        });
        let (lower, upper) =
            (of_parts[0].lower.min(of_parts[1].lower), of_parts[0].upper.min(of_parts[1].upper));
        let slack = ROUNDING * pair.size() + coordinate_rounding(&pair);
        claim!(found.lower <= upper + slack && lower <= found.upper + slack, pair, found, of_parts);
        let swapped = query(&swapped(&pair), &certified());
        claim!(bounds_overlap(&found, &swapped, slack), pair, found, swapped);
    }
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn the_slow_search_is_between_the_bounds(seed in any::<u64>()) {
        let pair = random_pair(seed);
        let slow = slow_signed_distance(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b);
        let slack = ROUNDING * pair.size();
        for options in [fast(), certified()] {
            let found = query(&pair, &options);
            let normal = found.normal_ab_w;
            let along = separation_along(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b, &normal);
            // The lower bound is a separation that exists; no separation exceeds the upper bound.
            claim!(found.lower <= along.max(slow.value) + slack, pair, found, slow, along);
            claim!(slow.value <= found.upper + slack, pair, found, slow);
        }
    }
}

#[test]
fn batches_have_the_bits_of_single_queries_on_any_number_of_threads() {
    let pairs: Vec<PosedPair> = (0..500).map(random_pair).collect();
    let refs: Vec<PairRef> = pairs
        .iter()
        .map(|p| PairRef { a: &p.a, pose_a: &p.pose_a, b: &p.b, pose_b: &p.pose_b })
        .collect();
    let single: Vec<Vec<u64>> = pairs.iter().map(|pair| bits(&query(pair, &fast()))).collect();
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let batch = pool.install(|| distance_batch(&refs, &fast()));
        for (k, found) in batch.iter().enumerate() {
            assert_eq!(bits(found), single[k], "pair {k} with {threads} threads: {:?}", pairs[k]);
        }
    }
}
