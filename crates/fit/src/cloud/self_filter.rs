//! Points on the robot.

use rayon::prelude::*;

use super::error::CloudError;
use crate::measure::Placed;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_geometry::{ConvexSurface, Shape};

/// Points farther than the padding from every surface of the robot. `stop` is asked every 10 000 points.
pub(super) fn without_robot(
    points: &[Vec3],
    robot: &Placed<'_>,
    padding: f64,
    stop: &(dyn Fn() -> Result<(), CloudError> + Sync),
) -> Result<Vec<Vec3>, CloudError> {
    let grown: Vec<(Pose, Shape, f64)> = robot
        .iter()
        .map(|(pose, shape)| {
            let padded = shape.padded(padding);
            let padded = padded.map_err(|error| CloudError::Robot { reason: error.to_string() })?;
            let radius = padded.bounding_radius();
            Ok((*pose, padded, radius))
        })
        .collect::<Result<_, CloudError>>()?;
    let is_robot = |point: &Vec3| {
        grown.iter().any(|(pose, shape, radius)| {
            let offset = point - pose.translation.vector;
            offset.norm_squared() <= radius * radius
                && shape.inside_outside(&pose.rotation.inverse_transform_vector(&offset)) <= 0.0
        })
    };
    // In chunks, so that the order stays and all cores work.
    let kept = |chunk: &[Vec3]| {
        stop()?;
        Ok(chunk.iter().copied().filter(|p| !is_robot(p)).collect::<Vec<_>>())
    };
    Ok(points.par_chunks(10_000).map(kept).collect::<Result<Vec<_>, CloudError>>()?.concat())
}
