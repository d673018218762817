//! Seeds of the depth search for any two shapes: the best of the directions of two cubes.

use crate::solve::climb_ends::Ends;
use crate::solve::separation::SeparationFunction;
use crate::solve::starts::{Start, Starts};
use crate::solve::tuning::seeds::{MAX_RUNS, SAME};
use smooth_scene_geometry::math::{Mat3, Vec3};

/// Face, edge and corner directions of a cube, one of each antipodal pair, not normalised.
const CUBE_DIRECTIONS: [[f64; 3]; 13] = [
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [1.0, 1.0, 0.0],
    [1.0, -1.0, 0.0],
    [1.0, 0.0, 1.0],
    [1.0, 0.0, -1.0],
    [0.0, 1.0, 1.0],
    [0.0, 1.0, -1.0],
    [1.0, 1.0, 1.0],
    [1.0, 1.0, -1.0],
    [1.0, -1.0, 1.0],
    [-1.0, 1.0, 1.0],
];
/// Axes that are sampled, in both senses: those of the cube in the frames of A and of B.
const AXES: usize = 2 * CUBE_DIRECTIONS.len();

/// The best sampled directions, none close to another or to the end of an earlier climb.
pub(crate) fn sampled_starts(
    pair: &impl SeparationFunction,
    before: &Ends,
    rotation_ab: &Mat3,
) -> Starts {
    let mut samples = Samples::new();
    for direction in CUBE_DIRECTIONS {
        let axis = Vec3::from(direction).normalize();
        for axis in [axis, rotation_ab * axis] {
            samples.add(pair.at(&axis).value, axis);
            samples.add(pair.at(&-axis).value, -axis);
        }
    }
    let mut starts = Starts::new(samples.len as u32);
    while starts.as_slice().len() < MAX_RUNS {
        let Some(normal) = samples.take_highest(before, &starts) else { break };
        starts.add(Start { normal, slopes: None });
    }
    starts
}

/// Directions with their value of f.
struct Samples {
    values: [f64; 2 * AXES],
    normals: [Vec3; 2 * AXES],
    len: usize,
}

impl Samples {
    fn new() -> Self {
        Self { values: [0.0; 2 * AXES], normals: [Vec3::zeros(); 2 * AXES], len: 0 }
    }

    fn add(&mut self, value: f64, normal: Vec3) {
        self.values[self.len] = value;
        self.normals[self.len] = normal;
        self.len += 1;
    }

    /// Removes and returns the highest sample that is not close to a known direction. Skipped samples are removed too.
    fn take_highest(&mut self, before: &Ends, starts: &Starts) -> Option<Vec3> {
        while self.len > 0 {
            let top = (1..self.len)
                .fold(0, |top, k| if self.values[k] > self.values[top] { k } else { top });
            let normal = self.normals[top];
            self.len -= 1;
            self.values[top] = self.values[self.len];
            self.normals[top] = self.normals[self.len];
            let mut known = before.iter().map(|end| end.normal()).chain(starts.normals());
            if known.all(|known| known.dot(&normal) < SAME) {
                return Some(normal);
            }
        }
        None
    }
}
