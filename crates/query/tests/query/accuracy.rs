//! The promises of the accuracy table, and the yardstick it is measured with.

use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_geometry::{ConvexSurface, Shape};
use smooth_scene_query::QueryOptions;
use smooth_scene_test_support::accuracy_table::{PAIRS, PROMISED_GAP, SEEDS, check_every, measure};
use smooth_scene_test_support::families::{Rng, any_kind, superquadric};
use smooth_scene_test_support::random::seed;
use smooth_scene_test_support::slow_search::{slow_signed_distance, spiral, support_value};

/// The slow search of a pair posed with offset and scaled rotation axis.
fn slow(a: &Shape, b: &Shape, offset: Vec3, turn: Vec3) -> f64 {
    let pose_a = Pose::new(Vec3::new(0.3, -0.2, 0.1), Vec3::new(0.4, 0.9, -0.3));
    slow_signed_distance(a, &pose_a, b, &(pose_a * Pose::new(offset, turn))).value
}

#[test]
fn slow_search_finds_distance_and_depth_of_spheres() {
    let (a, b) = (Shape::sphere(0.7).unwrap(), Shape::sphere(0.4).unwrap());
    for length in [0.05, 0.3, 1.1, 1.5, 40.0] {
        let offset = Vec3::new(0.48, 0.6, -0.64) * length;
        let found = slow(&a, &b, offset, Vec3::new(0.2, 0.1, 0.5));
        assert!((found - (length - 1.1)).abs() <= 1e-13 * (1.0 + length), "{length} {found}");
    }
}

#[test]
fn slow_search_finds_the_axis_of_least_overlap_of_parallel_boxes() {
    let (a, b) = (Shape::cuboid([1.0, 2.0, 3.0]).unwrap(), Shape::cuboid([0.5; 3]).unwrap());
    for (offset, expected) in [
        (Vec3::new(1.9, 0.3, 0.4), 0.4),
        (Vec3::new(1.2, 0.3, 0.4), -0.3),
        (Vec3::new(0.1, 2.3, 0.4), -0.2),
        (Vec3::new(1.8, 2.9, 0.4), 0.5),
        (Vec3::new(-2.5, 3.5, -5.5), 6f64.sqrt()),
    ] {
        let found = slow(&a, &b, offset, Vec3::zeros());
        assert!((found - expected).abs() <= 1e-7, "{offset} {found} {expected}");
    }
}

#[test]
fn slow_search_finds_closed_forms_of_round_and_pointed_bodies() {
    let ball = Shape::sphere(0.25).unwrap();
    let quarter = Vec3::new(0.0, std::f64::consts::FRAC_PI_2, 0.0);
    let cylinder = Shape::cylinder(0.5, 1.0).unwrap();
    // Rim: (1.3 − 0.5, 1.6 − 1) = (0.8, 0.6).
    let found = slow(&cylinder, &ball, Vec3::new(1.3, 0.0, 1.6), quarter);
    assert!((found - 0.75).abs() <= 1e-7, "{found}");
    let cone = Shape::cone(1.0, 1.0).unwrap();
    // From the flank 2x + z = 1, |(2, 1)| = √5.
    let found = slow(&cone, &ball, Vec3::new(2.0, 0.0, 1.0), quarter);
    assert!((found - (4.0 / 5f64.sqrt() - 0.25)).abs() <= 1e-7, "{found}");
    let found = slow(&cone, &ball, Vec3::new(0.0, 0.0, 1.5), quarter);
    assert!((found - 0.25).abs() <= 1e-7, "{found}");
    let capsule = Shape::capsule(0.5, 1.0).unwrap();
    let found = slow(&capsule, &capsule, Vec3::new(0.0, 1.4, 0.0), quarter);
    assert!((found - 0.4).abs() <= 1e-7, "{found}");
    let poly = Shape::poly_ellipsoid([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
    let found = slow(&poly, &ball, Vec3::new(-2.5, 0.0, 0.0), quarter);
    assert!((found - 0.25).abs() <= 1e-7, "{found}");
    let padded = Shape::cuboid([1.0; 3]).unwrap().padded(0.5).unwrap();
    let found = slow(&padded, &ball, Vec3::new(2.0, 2.0, 0.0), quarter);
    assert!((found - (2f64.sqrt() - 0.75)).abs() <= 1e-7, "{found}");
}

/// A point of a superovoid's surface at two angles, as Barr defines it.
fn barr(radii: [f64; 3], [xy, z]: [f64; 2], taper: [f64; 2], eta: f64, omega: f64) -> Vec3 {
    let power = |x: f64, exponent: f64| x.signum() * x.abs().powf(exponent);
    let (height, scale) = (power(eta.sin(), z), power(eta.cos(), z));
    Vec3::new(
        radii[0] * (1.0 + taper[0] * height) * scale * power(omega.cos(), xy),
        radii[1] * (1.0 + taper[1] * height) * scale * power(omega.sin(), xy),
        radii[2] * height,
    )
}

/// The support values of the slow search come from cross-sections; here they are held against the surface itself.
#[test]
fn slow_support_is_the_farthest_point_of_the_trigonometric_surface() {
    let seed = seed(11);
    let mut rng = Rng::new(seed);
    for k in 0..30 {
        let radii = rng.radii(0.3, 2.0);
        let exponents = [rng.uniform(0.3, 1.8), rng.uniform(0.3, 1.8)];
        let taper = [rng.uniform(-0.9, 0.9), rng.uniform(-0.9, 0.9)];
        let taper = if k % 3 == 0 { [0.0; 2] } else { taper };
        let shape = if k % 3 == 0 {
            Shape::superellipsoid(radii, exponents[0], exponents[1]).unwrap()
        } else {
            Shape::superovoid(radii, exponents[0], exponents[1], taper).unwrap()
        };
        let n = rng.direction();
        let at = |angles: [f64; 2]| barr(radii, exponents, taper, angles[0], angles[1]).dot(&n);
        let (mut best, mut angles) = (f64::NEG_INFINITY, [0.0; 2]);
        for i in 0..=400 {
            for j in 0..800 {
                let candidate = [
                    (f64::from(i) / 400.0 - 0.5) * std::f64::consts::PI,
                    f64::from(j) / 400.0 * std::f64::consts::PI,
                ];
                if at(candidate) > best {
                    (best, angles) = (at(candidate), candidate);
                }
            }
        }
        let mut step = 0.01;
        while step > 1e-12 {
            let moves = [[step, 0.0], [-step, 0.0], [0.0, step], [0.0, -step]];
            let tried = moves.map(|m| [angles[0] + m[0], angles[1] + m[1]]);
            match tried.into_iter().find(|candidate| at(*candidate) > best) {
                Some(better) => (best, angles) = (at(better), better),
                None => step *= 0.5,
            }
        }
        let found = support_value(&shape, &n);
        assert!((found - best).abs() <= 1e-9, "seed {seed} {k}: {found} {best} {shape:?} {n}");
    }
}

/// What every query rests on, shape by shape: the library's support value against the one of the slow search.
#[test]
fn support_values_of_the_library_are_those_of_the_slow_search() {
    let seed = seed(5);
    let mut rng = Rng::new(seed);
    let (mut count, mut worst, mut example) = (0, 0f64, String::new());
    for k in 0..400 {
        let shape = match k % 4 {
            0 => superquadric(&mut rng, [0.5, 2.0], [0.02, 1.98], 0.0),
            1 | 2 => superquadric(&mut rng, [0.5, 2.0], [0.02, 1.98], 0.9),
            _ => any_kind(&mut rng, [0.5, 2.0]),
        };
        let tilted = rng.rotation();
        for n in spiral(60).map(|n| tilted * n) {
            let (found, slow) = (shape.support(&n).value, support_value(&shape, &n));
            let error = (found - slow).abs() / shape.bounding_radius();
            if error > 1e-12 {
                count += 1;
                if error > worst {
                    worst = error;
                    example = format!("{found} is not {slow}: {shape:?} along {n:?}");
                }
            }
        }
    }
    assert_eq!(count, 0, "seed {seed}: of 24000, worst {worst:.1e}, {example}");
}

/// A row of the published table, what is not the same in all of them: pairs apart, fast depths that are not the least
/// one, and the largest error of such a depth in multiples of the size.
struct Published {
    apart: usize,
    fast_wrong: usize,
    worst_fast_error: f64,
}

/// Asserts every column of the published table, measured again on the same pairs.
fn check(family: &str, published: &Published) {
    let row = measure(family, PAIRS, SEEDS);
    println!("{}", row.markdown());
    let broken = row.broken.iter().take(3).cloned().collect::<Vec<_>>().join("\n");
    assert_eq!(row.pairs, PAIRS * SEEDS.count());
    assert_eq!((row.apart + row.overlapping, row.panics), (row.pairs, 0), "{broken}");
    // Which pairs that touch within rounding count as apart depends on the last bit.
    let slack = if family == "touching" { row.pairs / 100 } else { 3 };
    assert!(row.apart.abs_diff(published.apart) <= slack, "{} apart", row.apart);
    assert!(row.worst_gap <= PROMISED_GAP, "worst gap {:.1e}\n{broken}", row.worst_gap);
    assert_eq!(row.undecided, 0, "{broken}");
    let (wrong, error) = (row.fast_wrong, row.worst_fast_error);
    assert!(wrong <= published.fast_wrong, "{wrong} of {}", row.overlapping);
    assert!(error <= published.worst_fast_error, "worst fast error {error:.1e}");
    let tolerance = 1.01 * QueryOptions::certified().depth_tolerance;
    assert!(row.certified_gap <= tolerance, "certified gap {:.2e}", row.certified_gap);
    assert_eq!(row.certified_open, 0, "{broken}");
    assert_eq!((row.unreal, row.inside), (0, row.checked), "{broken}");
    assert_eq!(row.checked, row.pairs / check_every(family));
}

/// A test for each family, so that they run in parallel and fail by name.
macro_rules! families {
    ($($name:ident: $family:literal, $apart:literal, $wrong:literal, $error:literal;)*) => {$(
        #[test]
        fn $name() {
            check($family, &Published { apart: $apart, fast_wrong: $wrong, worst_fast_error: $error });
        }
    )*};
}

// Pairs apart, wrong fast depths, and the worst fast error, as published. Without a wrong depth the error is rounding,
// which may be as large as what counts as another depth.
families! {
    mild_pairs_keep_the_promise: "mild", 2647, 0, 1e-9;
    wide_pairs_keep_the_promise: "wide", 2715, 0, 1e-9;
    boxy_pairs_keep_the_promise: "boxy", 2446, 1, 3.6e-3;
    pinched_pairs_keep_the_promise: "pinched", 3217, 0, 1e-9;
    needle_and_plate_pairs_keep_the_promise: "needle-plate", 3128, 0, 1e-9;
    deep_pairs_keep_the_promise: "deep", 4, 0, 1e-9;
    touching_pairs_keep_the_promise: "touching", 3608, 0, 1e-9;
    aligned_pairs_keep_the_promise: "aligned", 3185, 0, 1e-9;
    concentric_pairs_keep_the_promise: "concentric", 0, 4, 5.5e-3;
    pairs_of_mixed_scale_keep_the_promise: "mixed-scale", 2446, 0, 1e-9;
    tapered_pairs_keep_the_promise: "tapered", 2991, 2, 2.9e-2;
    ellipsoids_keep_the_promise: "ellipsoids", 2601, 0, 1e-9;
    pairs_of_mixed_kinds_keep_the_promise: "mixed-kinds", 3253, 20, 5.1e-2;
}
