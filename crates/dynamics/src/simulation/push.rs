//! Pushes from outside: an impulse on a body changes its velocity at once.
//!
//! A free body of mass m gains J/m and the angular momentum r × J, with r the arm from its centre of mass. A link passes the impulse on to
//! all joints of its robot: with the Jacobian A of the point and the mass matrix M,
//!
//! ```text
//! M Δv = Aᵀ J
//! ```

use nalgebra::{Cholesky, DVector};
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_robot::{for_each_jacobian_column, forward_kinematics};

use crate::error::DynamicsError;
use crate::mass_matrix::mass_matrix;
use crate::simulation::run::Simulation;
use crate::simulation::system::Owner;

impl Simulation {
    /// Where the frame of a link or a free body is now, world frame; the world's is where it is.
    pub fn owner_pose(&self, owner: Owner) -> Result<Pose, DynamicsError> {
        let (system, state) = (self.system(), self.state());
        match (owner, system.robot()) {
            (Owner::Body(place), _) => Ok(system.bodies()[place].pose(&state.bodies[place])),
            (Owner::Link(id), Some(model)) => {
                Ok(forward_kinematics(model.robot(), &state.positions)?[id])
            }
            (Owner::Link(_), None) | (Owner::World, _) => Ok(Pose::identity()),
        }
    }

    /// Gives an impulse (N·s) to a link or a free body at a point, both in the world frame. What does not move is not moved.
    pub fn apply_impulse(
        &mut self,
        owner: Owner,
        point_w: &Vec3,
        impulse_w: &Vec3,
    ) -> Result<(), DynamicsError> {
        match owner {
            Owner::World => Ok(()),
            Owner::Body(place) => {
                let mass = self.system().bodies()[place].mass;
                let body = &mut self.state_mut().bodies[place];
                body.velocity_w += impulse_w / mass;
                body.momentum_w += (point_w - body.center_w).cross(impulse_w);
                Ok(())
            }
            Owner::Link(id) => {
                let Some(model) = self.system().robot() else { return Ok(()) };
                let positions = &self.state().positions;
                let poses = forward_kinematics(model.robot(), positions)?;
                let mut right = DVector::zeros(model.robot().velocity_count());
                for_each_jacobian_column(model.robot(), &poses, id, point_w, |place, column| {
                    right[place] += column.linear_w.dot(impulse_w);
                });
                let factors = Cholesky::new(mass_matrix(model, positions)?);
                let change = factors.ok_or(DynamicsError::SingularMass)?.solve(&right);
                if change.iter().any(|x| !x.is_finite()) {
                    return Err(DynamicsError::SingularMass);
                }
                let velocities = &mut self.state_mut().velocities;
                velocities.iter_mut().zip(change.iter()).for_each(|(v, dv)| *v += dv);
                Ok(())
            }
        }
    }
}
