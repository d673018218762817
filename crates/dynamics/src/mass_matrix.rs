//! The mass matrix of a robot: the composite-rigid-body algorithm [Featherstone 2008, ch. 6].

use nalgebra::{Cholesky, DMatrix, DVector};

use crate::error::DynamicsError;
use crate::inverse::{State, joint_forces};
use crate::model::DynamicModel;
use crate::spatial::{Force, SpatialInertia};
use smooth_scene_geometry::math::{Pose, Vec3};

/// The symmetric matrix M of the kinetic energy ½ q̇ᵀ M q̇, in the order of the velocities. Joints that follow others count in
/// the row and column of their leader.
pub fn mass_matrix(model: &DynamicModel, positions: &[f64]) -> Result<DMatrix<f64>, DynamicsError> {
    let at_rest = vec![0.0; model.robot().velocity_count()];
    let state = State::new(model, positions, &at_rest)?;
    Ok(of_state(model, &state))
}

fn of_state(model: &DynamicModel, state: &State) -> DMatrix<f64> {
    let robot = model.robot();
    let mut composite: Vec<SpatialInertia> = model.inertias().to_vec();
    let count = robot.velocity_count();
    let mut matrix = DMatrix::zeros(count, count);
    for (place, joint) in robot.joints().iter().enumerate().rev() {
        let axes = &state.axes[place];
        for (k, column) in axes.columns().iter().enumerate() {
            let row = axes.place + k;
            let mut force: Force = composite[joint.child.index()].times(column);
            for (l, other) in axes.columns().iter().enumerate() {
                matrix[(row, axes.place + l)] += other.dot(&force);
            }
            // Joints above share what this one moves; each such pair counts in both orders.
            let mut pose = axes.pose;
            let mut above = robot.link(joint.parent).parent_joint;
            while let Some(id) = above {
                force = force.into_parent(&pose);
                let upper = &state.axes[id.index()];
                for (l, other) in upper.columns().iter().enumerate() {
                    let value = other.dot(&force);
                    matrix[(row, upper.place + l)] += value;
                    matrix[(upper.place + l, row)] += value;
                }
                pose = upper.pose;
                above = robot.link(robot.joint(id).parent).parent_joint;
            }
        }
        let carried = in_parent(&composite[joint.child.index()], &axes.pose);
        let parent = &mut composite[joint.parent.index()];
        *parent = SpatialInertia {
            mass: parent.mass + carried.mass,
            first_moment: parent.first_moment + carried.first_moment,
            inertia: parent.inertia + carried.inertia,
        };
    }
    matrix
}

/// An inertia in the frame of a child as the parent sees it.
fn in_parent(inertia: &SpatialInertia, pose: &Pose) -> SpatialInertia {
    let rotation = pose.rotation.to_rotation_matrix().into_inner();
    let p: Vec3 = pose.translation.vector;
    let h = rotation * inertia.first_moment;
    let turned = rotation * inertia.inertia * rotation.transpose();
    let (px, hx) = (p.cross_matrix(), h.cross_matrix());
    SpatialInertia {
        mass: inertia.mass,
        first_moment: h + p * inertia.mass,
        inertia: turned - px * hx - hx * px - px * px * inertia.mass,
    }
}

/// Accelerations by M q̈ = τ − bias: for robots whose joints follow others, where one number moves several joints.
pub(crate) fn accelerations(
    model: &DynamicModel,
    state: &State,
    velocities: &[f64],
    forces: &[f64],
    external: &[Force],
    added: &[f64],
) -> Result<Vec<f64>, DynamicsError> {
    let zero = vec![0.0; velocities.len()];
    let bias = joint_forces(model, state, velocities, &zero, external);
    let right = DVector::from_column_slice(forces) - DVector::from_vec(bias);
    let mut matrix = of_state(model, state);
    for (k, value) in added.iter().enumerate() {
        matrix[(k, k)] += value;
    }
    let factors = Cholesky::new(matrix).ok_or(DynamicsError::SingularMass)?;
    let found = factors.solve(&right);
    if found.iter().any(|x| !x.is_finite()) {
        return Err(DynamicsError::SingularMass);
    }
    Ok(found.as_slice().to_vec())
}
