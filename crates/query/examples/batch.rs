//! Many pairs over all cores: `cargo run --release -p smooth_scene_query --example batch`.

use smooth_scene_geometry::math::Pose;
use smooth_scene_geometry::{Shape, ShapeError};
use smooth_scene_query::{PosedPair, QueryOptions, distance_batch};

fn main() -> Result<(), ShapeError> {
    let pillar = Shape::superellipsoid([0.1, 0.1, 1.0], 0.3, 0.3)?;
    let drone = Shape::superovoid([0.2, 0.2, 0.1], 1.0, 0.7, [0.3, 0.3])?;
    let here = Pose::identity();
    let poses: Vec<Pose> = (0..1000)
        .map(|k| f64::from(k) / 1000.0)
        .map(|t| Pose::translation(2.0 * t, 0.3 * (20.0 * t).sin(), t))
        .collect();

    let pair = |pose_b| PosedPair { a: &pillar, pose_a: &here, b: &drone, pose_b };
    let pairs: Vec<PosedPair> = poses.iter().map(pair).collect();
    let found = distance_batch(&pairs, &QueryOptions::default());

    let contacts = found.iter().filter(|found| found.lower <= 0.0).count();
    let nearest = found.iter().map(|found| found.distance).fold(f64::INFINITY, f64::min);
    println!("{} pairs, {contacts} in contact, the deepest by {:.6} m", found.len(), -nearest);
    Ok(())
}
