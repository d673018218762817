//! What a cloth is made of, where it begins, and how its steps are made.

use crate::cloth::error::ClothError;
use crate::model::STANDARD_GRAVITY;
use smooth_scene_geometry::math::{Pose, Vec3};

/// Most vertices along one side.
const MAX_SIDE: usize = 1000;
/// Most substeps of a step.
const MAX_SUBSTEPS: u32 = 1000;

/// A rectangle of vertices, flat and at rest: rows along x, columns along y of its own frame, around its origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClothSheet {
    /// Vertices along x, two or more.
    pub rows: usize,
    /// Vertices along y; with one the cloth is a chain.
    pub columns: usize,
    /// Lengths along x and y, m. The second one of a chain is not used.
    pub size: [f64; 2],
    /// Where its middle is, and how it is turned.
    pub pose: Pose,
}

/// What of the cloth is kept out of bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ClothContacts {
    /// The vertices only, as in the thesis: a body smaller than a mesh may pass between them.
    Vertices,
    /// Triangles and edges too, where a body is curved enough to come between vertices.
    #[default]
    Triangles,
}

/// Material, surroundings and steps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClothOptions {
    /// Mass of the whole cloth, kg.
    pub mass: f64,
    /// How much an edge gives, m/N. Zero: it keeps its length.
    pub stretch_compliance: f64,
    /// How much a diagonal gives, m/N.
    pub shear_compliance: f64,
    /// How much the distance of every second vertex gives when the cloth folds, m/N.
    pub bend_compliance: f64,
    /// Coefficient of friction against bodies.
    pub friction: f64,
    /// How far vertices stay from surfaces, m.
    pub thickness: f64,
    /// How fast velocities decay, as in air, 1/s.
    pub damping: f64,
    /// Acceleration of gravity, world frame, m/s².
    pub gravity: Vec3,
    /// Parts that a step is cut into.
    pub substeps: u32,
    /// What is kept out of bodies.
    pub contacts: ClothContacts,
}

impl Default for ClothOptions {
    /// A square metre of cotton.
    fn default() -> Self {
        Self {
            mass: 0.2,
            stretch_compliance: 0.0,
            shear_compliance: 1e-2,
            bend_compliance: 10.0,
            friction: 0.4,
            thickness: 0.002,
            damping: 0.5,
            gravity: STANDARD_GRAVITY,
            substeps: 10,
            contacts: ClothContacts::default(),
        }
    }
}

fn refused<T>(field: &'static str, value: f64, range: &'static str) -> Result<T, ClothError> {
    Err(ClothError::OutOfRange { field, value, range })
}

/// Written so that NaN is refused too.
fn positive(field: &'static str, value: f64) -> Result<(), ClothError> {
    if value > 0.0 && value <= 1e6 { Ok(()) } else { refused(field, value, "above 0, at most 1e6") }
}

fn not_negative(field: &'static str, value: f64) -> Result<(), ClothError> {
    if (0.0..=1e6).contains(&value) { Ok(()) } else { refused(field, value, "in [0, 1e6]") }
}

impl ClothSheet {
    /// The sheet, if there is such a cloth.
    pub fn checked(self) -> Result<Self, ClothError> {
        if !(2..=MAX_SIDE).contains(&self.rows) {
            return refused("rows", self.rows as f64, "2 to 1000");
        }
        if !(1..=MAX_SIDE).contains(&self.columns) {
            return refused("columns", self.columns as f64, "1 to 1000");
        }
        positive("size[0]", self.size[0])?;
        if self.columns > 1 {
            positive("size[1]", self.size[1])?;
        }
        for value in self.pose.translation.vector.iter() {
            if value.is_nan() || value.abs() > 1e6 {
                return refused("position", *value, "in [-1e6, 1e6]");
            }
        }
        let norm = self.pose.rotation.norm();
        if norm.is_nan() || (norm - 1.0).abs() > 1e-6 {
            return refused("norm of the quaternion", norm, "1");
        }
        Ok(self)
    }

    /// Lengths of an edge along x and along y, m; a chain has none along y.
    pub fn edges(&self) -> [f64; 2] {
        let along = |length: f64, count: usize| length / (count.max(2) - 1) as f64;
        let across = if self.columns > 1 { along(self.size[1], self.columns) } else { 0.0 };
        [along(self.size[0], self.rows), across]
    }

    /// Where a vertex begins, world frame.
    pub(crate) fn place(&self, row: usize, column: usize) -> Vec3 {
        let [dx, dy] = self.edges();
        let middle = |k: usize, count: usize| k as f64 - 0.5 * (count - 1) as f64;
        let local = Vec3::new(dx * middle(row, self.rows), dy * middle(column, self.columns), 0.0);
        self.pose.rotation * local + self.pose.translation.vector
    }

    /// The share of the mass that a vertex has: that of the area nearest to it.
    pub(crate) fn share(&self, row: usize, column: usize) -> f64 {
        let part = |k: usize, count: usize| match count {
            1 => 1.0,
            _ if k == 0 || k == count - 1 => 0.5 / (count - 1) as f64,
            _ => 1.0 / (count - 1) as f64,
        };
        part(row, self.rows) * part(column, self.columns)
    }
}

impl ClothOptions {
    /// The options, if their numbers make sense.
    pub fn checked(self) -> Result<Self, ClothError> {
        positive("mass", self.mass)?;
        not_negative("stretch_compliance", self.stretch_compliance)?;
        not_negative("shear_compliance", self.shear_compliance)?;
        not_negative("bend_compliance", self.bend_compliance)?;
        not_negative("friction", self.friction)?;
        // Below this the rounding of coordinates could put a vertex on the wrong side.
        if !(1e-6..=1.0).contains(&self.thickness) {
            return refused("thickness", self.thickness, "in [1e-6, 1]");
        }
        not_negative("damping", self.damping)?;
        for value in self.gravity.iter() {
            if value.is_nan() || value.abs() > 1e4 {
                return refused("gravity", *value, "in [-1e4, 1e4]");
            }
        }
        if !(1..=MAX_SUBSTEPS).contains(&self.substeps) {
            return refused("substeps", f64::from(self.substeps), "1 to 1000");
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_the_mass_add_up_to_one() {
        for (rows, columns) in [(2, 1), (7, 1), (2, 2), (5, 9)] {
            let sheet = ClothSheet { rows, columns, size: [1.0, 2.0], pose: Pose::identity() };
            let all = (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j)));
            let sum: f64 = all.map(|(i, j)| sheet.share(i, j)).sum();
            assert!((sum - 1.0).abs() < 1e-14, "{rows} {columns} {sum}");
        }
    }

    #[test]
    fn a_sheet_is_around_its_origin_and_as_large_as_asked_for() {
        let sheet = ClothSheet { rows: 3, columns: 5, size: [1.0, 2.0], pose: Pose::identity() };
        assert_eq!(sheet.place(1, 2), Vec3::zeros());
        assert_eq!(sheet.place(2, 4) - sheet.place(0, 0), Vec3::new(1.0, 2.0, 0.0));
        assert_eq!(sheet.edges(), [0.5, 0.5]);
    }
}
