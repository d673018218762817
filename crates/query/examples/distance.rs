//! The distance of two bodies with its proof: `cargo run -p smooth_scene_query --example distance`.

use smooth_scene_geometry::math::Pose;
use smooth_scene_geometry::{Shape, ShapeError};
use smooth_scene_query::{PairQuery, QueryOptions};

fn main() -> Result<(), ShapeError> {
    let finger = Shape::superovoid([0.0071, 0.0069, 0.0128], 1.0, 0.8, [-0.1, -0.1])?;
    let egg = Shape::ellipsoid([0.022, 0.022, 0.03])?;
    let here = Pose::identity();

    let apart = Pose::translation(0.03, 0.0, 0.005);
    let found = PairQuery::new(&finger, &here, &egg, &apart).distance();
    println!("apart by {:.6} m along {:?}", found.distance, found.normal_ab_w.as_slice());
    println!("proven: {:.12} ≤ distance ≤ {:.12}", found.lower, found.upper);

    // Overlapping bodies have a negative distance. Certified, the depth is proven from both sides.
    let overlapping = Pose::translation(0.02, 0.0, 0.005);
    let query = PairQuery::new(&finger, &here, &egg, &overlapping);
    let found = query.options(&QueryOptions::certified()).distance();
    println!("overlapping by {:.6} m, {:?}", -found.distance, found.status);

    // Yes or no is the fastest question.
    assert!(query.collides().is_contact());
    Ok(())
}
