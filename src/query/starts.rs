//! Where the climbs for a depth start.

use super::climb_ends::{Ends, MOST_CLIMBS};
use super::separation::SeparationFunction;
use crate::math::{Mat3, Vec3};

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
/// Runs from sampled directions at most; even, since they run in twos.
const RUNS: usize = 6;
/// Cosine of the angle within which two starts count as the same.
const SAME: f64 = 0.9;

/// Directions to climb from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Starts {
    normals: [Vec3; MOST_CLIMBS],
    len: usize,
    /// What it took to find them.
    pub evaluations: u32,
}

impl Starts {
    pub fn new(evaluations: u32) -> Self {
        Self { normals: [Vec3::zeros(); MOST_CLIMBS], len: 0, evaluations }
    }

    /// Adds a start; beyond the most that are climbed it is dropped.
    pub fn add(&mut self, normal: Vec3) {
        if let Some(free) = self.normals.get_mut(self.len) {
            *free = normal;
            self.len += 1;
        }
    }

    pub fn as_slice(&self) -> &[Vec3] {
        &self.normals[..self.len]
    }
}

/// The highest of many sampled directions that are not close to each other, nor to where climbs ended before.
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
    while starts.len < RUNS {
        let Some(start) = samples.take_highest(before, starts.as_slice()) else { break };
        starts.add(start);
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

    /// The highest sample left that is not close to what is known; it is taken off the list, and so are the ones
    /// passed over.
    fn take_highest(&mut self, before: &Ends, starts: &[Vec3]) -> Option<Vec3> {
        while self.len > 0 {
            let top = (1..self.len)
                .fold(0, |top, k| if self.values[k] > self.values[top] { k } else { top });
            let normal = self.normals[top];
            self.len -= 1;
            self.values[top] = self.values[self.len];
            self.normals[top] = self.normals[self.len];
            let mut known = before.as_slice().iter().map(|end| &end.normal).chain(starts);
            if known.all(|known| known.dot(&normal) < SAME) {
                return Some(normal);
            }
        }
        None
    }
}
