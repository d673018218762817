//! Where the numbers of a point and of a way stand.
//!
//! A point of a space has the positions of its joints, a way what leads from one point to another: the difference of two numbers,
//! and for the quaternion of a floating joint a rotation vector, seen from the parent. So the way of a floating joint has six
//! numbers and its point seven.

use nalgebra::{Quaternion, UnitQuaternion};
use smooth_scene_geometry::math::{Vec3, rotation_from_vector, rotation_vector};
use smooth_scene_robot::shorter_way;

/// The places of numbers in points and ways.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Layout {
    singles: Vec<Single>,
    /// First place of each quaternion x y z w in a point, and of its rotation vector in a way.
    rotations: Vec<[usize; 2]>,
    /// Numbers of a point, and of a way.
    counts: [usize; 2],
    /// Whether a way is the plain difference of two points: nothing wraps, and nothing turns.
    is_plain: bool,
}

impl Default for Layout {
    fn default() -> Self {
        let (singles, rotations) = (Vec::new(), Vec::new());
        Self { singles, rotations, counts: [0; 2], is_plain: true }
    }
}

/// A number that is the same in points and ways.
#[derive(Debug, Clone, PartialEq)]
struct Single {
    point: usize,
    way: usize,
    /// Whether it is an angle without limits.
    wraps: bool,
}

impl Layout {
    /// Adds a number.
    pub fn add_single(&mut self, wraps: bool) {
        let [point, way] = self.counts;
        self.is_plain &= !wraps;
        self.singles.push(Single { point, way, wraps });
        self.counts = [point + 1, way + 1];
    }

    /// Adds a quaternion.
    pub fn add_rotation(&mut self) {
        self.is_plain = false;
        self.rotations.push(self.counts);
        self.counts = [self.counts[0] + 4, self.counts[1] + 3];
    }

    /// How many numbers a way has.
    pub fn freedoms(&self) -> usize {
        self.counts[1]
    }

    pub fn has_rotations(&self) -> bool {
        !self.rotations.is_empty()
    }

    /// The largest angle of a rotation on a way.
    pub fn largest_rotation(&self, way: &[f64]) -> f64 {
        let angle = |place: usize| Vec3::from_column_slice(&way[place..place + 3]).norm();
        self.rotations.iter().map(|[_, place]| angle(*place)).fold(0.0, f64::max)
    }

    /// How fast each number of a point changes where a way has these rates: of a quaternion q̇ = ½ ω q.
    pub fn number_rates(&self, point: &[f64], rates: &[f64]) -> Vec<f64> {
        let mut changes = vec![0.0; self.counts[0]];
        for single in &self.singles {
            changes[single.point] = rates[single.way];
        }
        for [first, place] in &self.rotations {
            let omega = Quaternion::from_imag(Vec3::from_column_slice(&rates[*place..place + 3]));
            let change = omega * rotation(&point[*first..]).into_inner() * 0.5;
            changes[*first..first + 4].copy_from_slice(change.coords.as_slice());
        }
        changes
    }

    /// What leads from one point to another; angles that wrap go the shorter way.
    pub fn way(&self, from: &[f64], to: &[f64], out: &mut Vec<f64>) {
        out.clear();
        out.resize(self.freedoms(), 0.0);
        for Single { point, way, wraps } in &self.singles {
            let change = to[*point] - from[*point];
            out[*way] = if *wraps { shorter_way(change) } else { change };
        }
        for [point, way] in &self.rotations {
            let turn = turn(&from[*point..], &to[*point..]);
            out[*way..way + 3].copy_from_slice(turn.as_slice());
        }
    }

    /// The point after a share of a way.
    pub fn at(&self, from: &[f64], way: &[f64], share: f64) -> Vec<f64> {
        let mut point = from.to_vec();
        for single in &self.singles {
            point[single.point] += share * way[single.way];
        }
        for [first, place] in &self.rotations {
            let vector = Vec3::from_column_slice(&way[*place..place + 3]);
            let turned = rotation_from_vector(&(vector * share)) * rotation(&from[*first..]);
            point[*first..first + 4].copy_from_slice(turned.coords.as_slice());
        }
        point
    }

    /// The same way with the numbers of floating joints, which are seen from their child at a point, seen from the parent.
    pub fn turn_to_parent(&self, point: &[f64], way: &mut [f64]) {
        for [first, place] in &self.rotations {
            let at = rotation(&point[*first..]);
            // A shift stands before each rotation.
            for numbers in [place - 3..*place, *place..place + 3] {
                let turned = at * Vec3::from_column_slice(&way[numbers.clone()]);
                way[numbers].copy_from_slice(turned.as_slice());
            }
        }
    }

    /// Square of the distance of two points: of rotations that of the angle.
    #[inline]
    pub fn distance_squared(&self, a: &[f64], b: &[f64]) -> f64 {
        let mut sum = 0.0;
        if self.is_plain {
            for (a, b) in a.iter().zip(b) {
                sum += (b - a) * (b - a);
            }
            return sum;
        }
        for Single { point, wraps, .. } in &self.singles {
            let change = b[*point] - a[*point];
            let change = if *wraps { shorter_way(change) } else { change };
            sum += change * change;
        }
        for [point, _] in &self.rotations {
            sum += turn(&a[*point..], &b[*point..]).norm_squared();
        }
        sum
    }

    /// Whether no angle that wraps, and no rotation, changes by more than this on a way.
    pub fn turns_at_most(&self, way: &[f64], angle: f64) -> bool {
        let mut singles = self.singles.iter().filter(|single| single.wraps);
        let turn = |first: usize| Vec3::from_column_slice(&way[first..first + 3]).norm();
        singles.all(|single| way[single.way].abs() <= angle)
            && self.rotations.iter().all(|[_, first]| turn(*first) <= angle)
    }

    /// The next point of a path after `last`, with angles that do not jump by whole turns.
    pub fn unwrapped(&self, last: &[f64], way: &[f64], next: &[f64]) -> Vec<f64> {
        let mut point = next.to_vec();
        for single in self.singles.iter().filter(|single| single.wraps) {
            point[single.point] = last[single.point] + way[single.way];
        }
        point
    }

    /// Whether the way between two points is the plain difference of the numbers that wrap, and turns by at most this.
    pub fn is_direct(&self, from: &[f64], to: &[f64], angle: f64) -> bool {
        let mut singles = self.singles.iter().filter(|single| single.wraps);
        let turn = |first: usize| turn(&from[first..], &to[first..]).norm();
        singles.all(|single| (to[single.point] - from[single.point]).abs() <= angle)
            && self.rotations.iter().all(|[first, _]| turn(*first) <= angle)
    }
}

/// The rotation of a quaternion x y z w.
pub(crate) fn rotation(numbers: &[f64]) -> UnitQuaternion<f64> {
    let [x, y, z, w] = [0, 1, 2, 3].map(|k| numbers[k]);
    UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z))
}

/// The rotation vector that leads from one quaternion to another, the shorter way round.
pub(crate) fn turn(from: &[f64], to: &[f64]) -> Vec3 {
    rotation_vector(&rotation(from).rotation_to(&rotation(to)))
}
