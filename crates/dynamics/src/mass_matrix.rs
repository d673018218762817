//! The mass matrix of a robot: the composite-rigid-body algorithm [Featherstone 2008, ch. 6].

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

use crate::error::DynamicsError;
use crate::inverse::{State, joint_forces};
use crate::model::DynamicModel;
use crate::spatial::{Force, SpatialInertia};
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_robot::{Coupling, Joint};

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

/// Share of its diagonal below which a pivot is rounding.
const NO_INERTIA: f64 = 1e-14;

/// The factors of M + diag(added). Refused, by the name of a joint: what moves nothing that has inertia.
pub(crate) fn factored(
    model: &DynamicModel,
    state: &State,
    added: &[f64],
) -> Result<Cholesky<f64, Dyn>, DynamicsError> {
    let mut matrix = of_state(model, state);
    for (k, value) in added.iter().enumerate() {
        matrix[(k, k)] += value;
    }
    let diagonal = matrix.diagonal();
    let is_sound = |(pivot, diagonal): (&f64, &f64)| pivot * pivot > NO_INERTIA * diagonal;
    Cholesky::new(matrix.clone())
        .filter(|factors| factors.l_dirty().diagonal().iter().zip(&diagonal).all(is_sound))
        .ok_or_else(|| singular(model, matrix))
}

/// The first joint from the tips inwards whose pivot is rounding.
fn singular(model: &DynamicModel, mut matrix: DMatrix<f64>) -> DynamicsError {
    let diagonal = matrix.diagonal();
    for k in (0..matrix.nrows()).rev() {
        let pivot = matrix[(k, k)];
        if pivot.is_nan() || pivot <= NO_INERTIA * diagonal[k] {
            let moves = |joint: &&Joint| match joint.coupling {
                Coupling::Independent { velocity, .. } => {
                    (velocity..velocity + joint.kind.velocity_count()).contains(&k)
                }
                Coupling::Mimic { .. } => false,
            };
            let joint = model.robot().joints().iter().find(moves);
            return match joint {
                Some(joint) => DynamicsError::NoInertia { joint: joint.name.clone(), value: pivot },
                None => DynamicsError::SingularMass,
            };
        }
        for i in 0..k {
            let factor = matrix[(i, k)] / pivot;
            for j in 0..k {
                matrix[(i, j)] -= factor * matrix[(k, j)];
            }
        }
    }
    DynamicsError::SingularMass
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
    let found = factored(model, state, added)?.solve(&right);
    if found.iter().any(|x| !x.is_finite()) {
        return Err(DynamicsError::SingularMass);
    }
    Ok(found.as_slice().to_vec())
}
