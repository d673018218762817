//! Axis-aligned boxes.

use crate::math::{Pose, Vec3};

/// A box along the axes of some frame, `min ≤ max` in every component.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aabb {
    /// Smallest coordinates.
    pub min: Vec3,
    /// Largest coordinates.
    pub max: Vec3,
}

impl Aabb {
    /// The middle of the box; along an axis without bounds the finite end, or zero when both ends are infinite, so that
    /// the box of a half-space has a centre too.
    pub fn center(&self) -> Vec3 {
        self.min.zip_map(&self.max, |min, max| match (min.is_finite(), max.is_finite()) {
            (true, true) => 0.5 * (min + max),
            (true, false) => min,
            (false, true) => max,
            (false, false) => 0.0,
        })
    }

    /// Half the edge lengths.
    pub fn half_extents(&self) -> Vec3 {
        0.5 * (self.max - self.min)
    }

    /// The smallest box that contains both.
    pub fn merged(&self, other: &Aabb) -> Aabb {
        Aabb { min: self.min.inf(&other.min), max: self.max.sup(&other.max) }
    }

    /// The box grown by `margin` on every side.
    pub fn inflated(&self, margin: f64) -> Aabb {
        let m = Vec3::repeat(margin);
        Aabb { min: self.min - m, max: self.max + m }
    }

    /// Whether the boxes share a point; touching counts.
    pub fn overlaps(&self, other: &Aabb) -> bool {
        (0..3).all(|i| self.min[i] <= other.max[i] && other.min[i] <= self.max[i])
    }

    /// Distance between the boxes, zero when they overlap: a lower bound on the distance of what they contain.
    pub fn distance(&self, other: &Aabb) -> f64 {
        let gap = (other.min - self.max).sup(&(self.min - other.max)).sup(&Vec3::zeros());
        gap.norm()
    }

    /// Whether `point` lies in the box or on its boundary.
    pub fn contains(&self, point: &Vec3) -> bool {
        (0..3).all(|i| self.min[i] <= point[i] && point[i] <= self.max[i])
    }
}

/// A box along the axes of a body, posed in the world: a box that turns with the body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Obb {
    /// Pose of the middle of the box.
    pub pose: Pose,
    /// Half the edge lengths along the axes of `pose`.
    pub half_extents: Vec3,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_of_diagonal_boxes_is_the_corner_distance() {
        let a = Aabb { min: Vec3::zeros(), max: Vec3::repeat(1.0) };
        let b = Aabb { min: Vec3::new(4.0, 5.0, 0.5), max: Vec3::repeat(9.0) };
        assert_eq!(a.distance(&b), 5.0);
        assert!(!a.overlaps(&b) && a.inflated(4.0).overlaps(&b));
    }
}
