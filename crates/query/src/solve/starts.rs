//! Seeds of the depth search: directions from which f is climbed.

use smooth_scene_geometry::math::Vec3;

/// Climbs compared at most.
pub(crate) const MOST_CLIMBS: usize = 8;

/// A direction to climb from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Start {
    pub normal: Vec3,
    /// Approximate profile slopes of A and B at that direction, if known.
    pub slopes: Option<[f64; 2]>,
}

/// The highest direction that was looked at, and a number that f exceeds there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seen {
    pub normal: Vec3,
    pub value: f64,
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
    /// The highest direction that was looked at, where climbs may pass the maximum next to it; none for smooth bodies.
    pub seen: Option<Seen>,
}

impl Starts {
    pub fn new(evaluations: u32) -> Self {
        let nowhere = Start { normal: Vec3::zeros(), slopes: None };
        Self { all: [nowhere; MOST_CLIMBS], len: 0, climbed: 0, evaluations, seen: None }
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
