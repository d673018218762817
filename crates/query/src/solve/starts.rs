//! Seeds of the depth search: directions from which f is climbed.

use crate::solve::climb_ends::{Ends, MOST_CLIMBS};
use crate::solve::separation::SeparationFunction;
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

/// A direction to climb from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Start {
    pub normal: Vec3,
    /// Approximate profile slopes of A and B at that direction, if known.
    pub slopes: Option<[f64; 2]>,
}

/// Directions to climb from, followed by others that may become useful after a motion.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Starts {
    all: [Start; MOST_CLIMBS],
    len: usize,
    /// Number of directions to climb from.
    climbed: usize,
    /// Evaluations that finding them took.
    pub evaluations: u32,
}

impl Starts {
    pub fn new(evaluations: u32) -> Self {
        let nowhere = Start { normal: Vec3::zeros(), slopes: None };
        Self { all: [nowhere; MOST_CLIMBS], len: 0, climbed: 0, evaluations }
    }

    /// Adds a direction to climb from. Dropped when the list is full.
    pub fn add(&mut self, start: Start) {
        self.add_other(start);
        self.climbed = self.len;
    }

    /// Adds a direction that is kept but not climbed from.
    pub fn add_other(&mut self, start: Start) {
        if let Some(free) = self.all.get_mut(self.len) {
            *free = start;
            self.len += 1;
        }
    }

    /// The directions to climb from.
    pub fn as_slice(&self) -> &[Start] {
        &self.all[..self.climbed]
    }

    /// All directions.
    pub fn normals(&self) -> impl Iterator<Item = &Vec3> + Clone {
        self.all[..self.len].iter().map(|start| &start.normal)
    }
}

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
    while starts.climbed < MAX_RUNS {
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
