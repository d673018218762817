//! Rows of a constraint: which velocity a constraint limits, and what an impulse along it changes.
//!
//! All velocities together are v = (robot, bodies), M their mass matrix. A row J picks one number w = J v, for a contact the
//! velocity of B on A along one direction; an impulse λ along it changes v by M⁻¹Jᵀ λ, and w by D λ, D = J M⁻¹ Jᵀ. Of a body
//! both have six numbers, of the robot one for each of its velocities.

use smooth_scene_geometry::math::Vec3;

/// Velocities of everything that moves. Of a body: of its centre of mass, and angular, world frame.
#[derive(Debug, Clone, Default)]
pub(crate) struct Velocities {
    pub robot: Vec<f64>,
    pub bodies: Vec<[Vec3; 2]>,
}

impl Velocities {
    /// As many, all zero.
    pub(crate) fn at_rest(&self) -> Self {
        Self {
            robot: vec![0.0; self.robot.len()],
            bodies: vec![[Vec3::zeros(); 2]; self.bodies.len()],
        }
    }
}

/// What a row has of one free body.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BodyPart {
    pub body: usize,
    /// J: factors of the velocity and of the angular velocity.
    pub row: [Vec3; 2],
    /// M⁻¹Jᵀ.
    pub response: [Vec3; 2],
}

/// One row.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub bodies: [Option<BodyPart>; 2],
    /// J and M⁻¹Jᵀ of the robot; empty where it has no part.
    pub robot: Vec<[f64; 2]>,
    /// D; zero where no impulse changes anything.
    pub diagonal: f64,
}

impl Row {
    pub(crate) fn new(bodies: [Option<BodyPart>; 2], robot: Vec<[f64; 2]>) -> Self {
        let mut row = Self { bodies, robot, diagonal: 0.0 };
        row.diagonal = row.coupling(&row);
        row
    }

    /// J M⁻¹ Kᵀ with the row K of the same two sides.
    pub(crate) fn coupling(&self, other: &Row) -> f64 {
        let robot: f64 = self.robot.iter().zip(&other.robot).map(|([j, _], [_, m])| j * m).sum();
        let both = self.bodies.iter().zip(&other.bodies);
        let bodies = both.filter_map(|(a, b)| Some((a.as_ref()?, b.as_ref()?)));
        bodies.fold(robot, |sum, (a, b)| {
            sum + a.row[0].dot(&b.response[0]) + a.row[1].dot(&b.response[1])
        })
    }

    /// w = J v.
    pub(crate) fn velocity(&self, v: &Velocities) -> f64 {
        let mut w: f64 = self.robot.iter().zip(&v.robot).map(|([j, _], x)| j * x).sum();
        for part in self.bodies.iter().flatten() {
            let [linear, angular] = &v.bodies[part.body];
            w += part.row[0].dot(linear) + part.row[1].dot(angular);
        }
        w
    }

    /// v += M⁻¹Jᵀ λ.
    pub(crate) fn apply(&self, impulse: f64, v: &mut Velocities) {
        for ([_, m], x) in self.robot.iter().zip(&mut v.robot) {
            *x += m * impulse;
        }
        for part in self.bodies.iter().flatten() {
            let [linear, angular] = &mut v.bodies[part.body];
            *linear += part.response[0] * impulse;
            *angular += part.response[1] * impulse;
        }
    }
}
