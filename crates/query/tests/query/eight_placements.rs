//! What is certain of two superquadrics in eight placements, in single precision, is what the exact query says: also where the
//! placements are wrong by as much as the margins allow for.

use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_geometry::simd::{F32x8, Kernel, Level, Simd};
use smooth_scene_geometry::testing::uniform_numbers;
use smooth_scene_geometry::{Shape, xyz};
use smooth_scene_query::{
    Certain, PairMargins, QueryOptions, SuperquadricX8, certain_x8, distance,
};

struct Ask<'a> {
    solids: [&'a SuperquadricX8; 2],
    margins: PairMargins,
    poses: [Pose; 8],
}

impl Kernel for Ask<'_> {
    type Output = Certain;

    #[inline(always)]
    fn run<S: Simd>(self) -> Certain {
        let turns = self.poses.map(|pose| pose.rotation.to_rotation_matrix().into_inner());
        let rotation = xyz!(|i| xyz!(|k| F32x8(turns.map(|m| m[(i, k)] as f32)).into()));
        let offset =
            xyz!(|i| F32x8(self.poses.map(|pose| pose.translation.vector[i] as f32)).into());
        certain_x8::<S>(self.solids, &self.margins, &rotation, &offset, 0xff)
    }
}

fn shapes() -> Vec<Shape> {
    vec![
        Shape::superellipsoid([0.02, 0.007, 0.0075], 0.9, 0.7).unwrap(),
        Shape::superellipsoid([0.02, 0.03, 0.01], 0.1, 0.15).unwrap(),
        Shape::superellipsoid([0.01, 0.02, 0.015], 1.8, 1.6).unwrap(),
        Shape::superovoid([0.007, 0.0075, 0.016], 1.0, 0.8, [-0.1, -0.1]).unwrap(),
        Shape::superovoid([0.03, 0.02, 0.012], 0.6, 0.5, [0.3, -0.2]).unwrap(),
        // Not convex: it stands for its hull.
        Shape::superovoid([0.01, 0.02, 0.02], 0.4, 0.2, [0.8, 0.7]).unwrap(),
        Shape::ellipsoid([0.01, 0.02, 0.03]).unwrap(),
    ]
}

/// How many answers were certain contacts, certainly apart, and neither.
#[derive(Debug, Default)]
struct Count {
    touching: u32,
    apart: u32,
    open: u32,
}

/// Compares with the exact query about bodies whose places differ by `error` from those that were asked about.
fn compare(error: f64, seed: u64) -> Count {
    let (shapes, mut uniform) = (shapes(), uniform_numbers(seed));
    let mut count = Count::default();
    for round in 0..1000 {
        let (a, b) = (&shapes[round % 7], &shapes[(round / 7) % 7]);
        let mut vector =
            |size: f64| Vec3::new(uniform() - 0.5, uniform() - 0.5, uniform() - 0.5) * (2.0 * size);
        let poses = [(); 8].map(|()| Pose::new(vector(0.04), vector(3.0)));
        let moved = poses.map(|pose| Pose::from(vector(1.0).normalize() * (0.999 * error)) * pose);
        let solids = [a, b].map(|shape| SuperquadricX8::new(shape).unwrap());
        let solids = [&solids[0], &solids[1]];
        let growth = [0.0, 1e-3][round % 2];
        // Single precision has an error of its own.
        let margins = PairMargins::new(solids, growth, error + 1e-7);
        let found = Level::detect().run(Ask { solids, margins, poses });
        assert_eq!(found, Level::portable().run(Ask { solids, margins, poses }));
        for (lane, pose) in moved.iter().enumerate() {
            let exact = distance(a, &Pose::identity(), b, pose, &QueryOptions::default());
            if found.touching >> lane & 1 == 1 {
                assert!(exact.lower < 0.0, "{a:?} {b:?} {pose:?}: {exact:?}");
                assert_eq!(found.apart >> lane & 1, 0);
                count.touching += 1;
            } else if found.apart >> lane & 1 == 1 {
                assert!(exact.lower > growth, "{a:?} {b:?} {pose:?}: {exact:?}");
                count.apart += 1;
            } else {
                count.open += 1;
            }
        }
    }
    println!("error {error} m: {count:?}");
    count
}

#[test]
fn what_is_certain_is_what_the_exact_query_says_and_most_is() {
    let Count { touching, apart, open } = compare(0.0, 5);
    assert!(touching > 1500 && apart > 1500 && open < 2000, "{touching} {apart} {open}");
}

#[test]
fn what_is_certain_stays_true_when_bodies_move_by_the_error() {
    // A millimetre is a seventh of the thinnest body: few contacts are certain then.
    for (error, seed, least) in [(2e-4, 6, 1500), (1e-3, 7, 300)] {
        let Count { touching, apart, .. } = compare(error, seed);
        assert!(touching > least && apart > least, "{touching} {apart}");
    }
}

#[test]
fn only_superquadrics_are_prepared() {
    assert!(SuperquadricX8::new(&Shape::cuboid([0.1; 3]).unwrap()).is_none());
    assert!(SuperquadricX8::new(&Shape::sphere(0.1).unwrap()).is_none());
}
