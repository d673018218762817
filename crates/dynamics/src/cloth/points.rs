//! Coordinates of all vertices, one array for each axis, row after row.

use smooth_scene_geometry::math::Vec3;

/// Positions or velocities, world frame.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Points {
    pub x: Vec<f64>,
    pub y: Vec<f64>,
    pub z: Vec<f64>,
}

impl Points {
    pub fn zeros(count: usize) -> Self {
        Self { x: vec![0.0; count], y: vec![0.0; count], z: vec![0.0; count] }
    }

    pub fn len(&self) -> usize {
        self.x.len()
    }

    #[inline]
    pub fn get(&self, k: usize) -> Vec3 {
        Vec3::new(self.x[k], self.y[k], self.z[k])
    }

    #[inline]
    pub fn set(&mut self, k: usize, point: &Vec3) {
        [self.x[k], self.y[k], self.z[k]] = (*point).into();
    }

    pub fn axes(&self) -> [&[f64]; 3] {
        [&self.x, &self.y, &self.z]
    }

    pub fn axes_mut(&mut self) -> [&mut [f64]; 3] {
        [&mut self.x, &mut self.y, &mut self.z]
    }

    pub fn copy_from(&mut self, other: &Points) {
        for (to, from) in self.axes_mut().into_iter().zip(other.axes()) {
            to.copy_from_slice(from);
        }
    }

    /// Writes the points of a grid of so many columns with rows and columns exchanged.
    pub fn turn_into(&self, columns: usize, turned: &mut Points) {
        for (to, from) in turned.axes_mut().into_iter().zip(self.axes()) {
            turn(from, columns, to);
        }
    }
}

/// Exchanges rows and columns.
pub(crate) fn turn(from: &[f64], columns: usize, to: &mut [f64]) {
    let rows = from.len() / columns;
    for (i, row) in from.chunks_exact(columns).enumerate() {
        for (j, value) in row.iter().enumerate() {
            to[j * rows + i] = *value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turning_twice_gives_the_points_back() {
        let mut points = Points::zeros(6);
        for k in 0..6 {
            points.set(k, &Vec3::new(k as f64, 10.0 + k as f64, 20.0 + k as f64));
        }
        let (mut turned, mut back) = (Points::zeros(6), Points::zeros(6));
        points.turn_into(3, &mut turned);
        assert_eq!(turned.x, [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
        turned.turn_into(2, &mut back);
        assert_eq!(back, points);
    }
}
