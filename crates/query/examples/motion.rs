//! The first contact of two moving bodies: `cargo run -p smooth_scene_query --example motion`.

use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_geometry::{Shape, ShapeError};
use smooth_scene_query::{Fixed, MotionOptions, RigidMotion, time_of_impact};

fn main() -> Result<(), ShapeError> {
    let bar = Shape::superellipsoid([0.3, 0.02, 0.02], 0.2, 0.2)?;
    let ball = Shape::sphere(0.05)?;
    let at_rest = Fixed { pose: Pose::identity() };

    // The ball flies 2 m along y, past the bar's end or through it, and t goes from 0 to 1.
    for x in [0.2, 0.4] {
        let start = Pose::translation(x, -1.0, 0.0);
        let flight = RigidMotion::translation(&start, Vec3::new(0.0, 2.0, 0.0));
        let found = time_of_impact(&bar, &at_rest, &ball, &flight, &MotionOptions::default());
        match found.time {
            Some(time) => println!("x = {x}: contact at t = {time:.6}"),
            None => println!("x = {x}: free, nearest {:.6} m", found.distance.distance),
        }
        println!("  proven free until t = {:.6}", found.free_until);
    }
    Ok(())
}
