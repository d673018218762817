//! Derivatives of a distance, for optimisers: `cargo run -p smooth_scene_query --example gradients`.

use smooth_scene_geometry::math::Pose;
use smooth_scene_geometry::{Shape, ShapeError};
use smooth_scene_query::{PairQuery, distance_gradient, second_order};

fn main() -> Result<(), ShapeError> {
    let a = Shape::superellipsoid([0.1, 0.2, 0.3], 0.7, 1.2)?;
    let b = Shape::ellipsoid([0.1, 0.15, 0.2])?;
    let (pose_a, pose_b) = (Pose::identity(), Pose::translation(0.4, 0.1, 0.05));
    let found = PairQuery::new(&a, &pose_a, &b, &pose_b).distance();

    // Six numbers for each body: translation, then rotation vector about its origin, world frame.
    let [_, gradient_b] = distance_gradient(&pose_a, &pose_b, &found);
    println!("distance {:.9} m, gradient by the pose of B {gradient_b:?}", found.distance);

    // Compare the first number with a finite difference.
    let step = 1e-6;
    let moved = Pose::translation(0.4 + step, 0.1, 0.05);
    let further = PairQuery::new(&a, &pose_a, &b, &moved).distance();
    let difference = (further.distance - found.distance) / step;
    println!("finite difference along x: {difference:.6}");
    assert!((difference - gradient_b[0]).abs() < 1e-4);

    let more = second_order(&a, &pose_a, &b, &pose_b, &found);
    println!("principal curvatures of A, 1/m: {:?}", more.curvatures_a);
    Ok(())
}
