//! Energies, momentum and lengths of a cloth.

use crate::cloth::sheet::Cloth;
use crate::energy::Energy;
use smooth_scene_geometry::math::Vec3;

impl Cloth {
    /// Kinetic energy, and potential energy in the field of gravity counted from the origin of the world, J.
    pub fn energy(&self) -> Energy {
        let (mut kinetic, mut potential) = (0.0, 0.0);
        for vertex in 0..self.points.len() {
            let mass = self.masses[vertex];
            kinetic += 0.5 * mass * self.velocities.get(vertex).norm_squared();
            potential -= mass * self.options.gravity.dot(&self.points.get(vertex));
        }
        Energy { kinetic, potential }
    }

    /// Linear momentum, and angular momentum about the origin of the world.
    pub fn momentum(&self) -> [Vec3; 2] {
        let mut sum = [Vec3::zeros(); 2];
        for vertex in 0..self.points.len() {
            let linear = self.velocities.get(vertex) * self.masses[vertex];
            sum[0] += linear;
            sum[1] += self.points.get(vertex).cross(&linear);
        }
        sum
    }

    /// Energy in diagonals and folds, J: C²/(2α) of each, as far as their compliance is above zero.
    pub fn elastic_energy(&self) -> f64 {
        let [along, across] = self.sheet.edges();
        let (rows, columns) = (self.sheet.rows, self.sheet.columns);
        let excess = |[i, j]: [usize; 2], [k, l]: [usize; 2], rest: f64| {
            (self.position(k, l) - self.position(i, j)).norm() - rest
        };
        let (mut sheared, mut folded) = (0.0, 0.0);
        let diagonal = (along * along + across * across).sqrt();
        for (i, j) in (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))) {
            if i > 0 && j > 0 {
                sheared += excess([i - 1, j - 1], [i, j], diagonal).powi(2);
                sheared += excess([i - 1, j], [i, j - 1], diagonal).powi(2);
            }
            if i > 1 {
                folded += excess([i - 2, j], [i, j], 2.0 * along).min(0.0).powi(2);
            }
            if j > 1 {
                folded += excess([i, j - 2], [i, j], 2.0 * across).min(0.0).powi(2);
            }
        }
        let of =
            |sum: f64, compliance: f64| if compliance > 0.0 { 0.5 * sum / compliance } else { 0.0 };
        of(sheared, self.options.shear_compliance) + of(folded, self.options.bend_compliance)
    }

    /// The largest relative change of an edge's length.
    pub fn largest_strain(&self) -> f64 {
        let [along, across] = self.sheet.edges();
        let mut largest = 0.0f64;
        for row in 0..self.sheet.rows {
            for column in 0..self.sheet.columns {
                let here = self.position(row, column);
                let mut look = |row: usize, column: usize, edge: f64| {
                    let length = (self.position(row, column) - here).norm();
                    largest = largest.max((length / edge - 1.0).abs());
                };
                if row > 0 {
                    look(row - 1, column, along);
                }
                if column > 0 {
                    look(row, column - 1, across);
                }
            }
        }
        largest
    }
}
