//! Which accelerations do these joint forces make? The articulated-body algorithm [Featherstone 2008, ch. 7].
//!
//! Inwards, each link hands its parent the inertia and the force that remain when its joint gives way:
//!
//! ```text
//! U = Iᴬ S,   D = Sᵀ U,   u = τ − Sᵀ pᴬ
//! Iᵃ = Iᴬ − U D⁻¹ Uᵀ,     pᵃ = pᴬ + Iᵃ c + U D⁻¹ u          with c = Ṡq̇ + v × Sq̇
//! ```
//!
//! Outwards the accelerations follow: a' = X a_parent + c, q̈ = D⁻¹(u − Uᵀ a'), a = a' + S q̈. The cost grows linearly with the
//! joints. Where joints follow others, one number moves several of them and the mass matrix is solved instead.

use nalgebra::{Matrix6, Vector6};

use crate::error::DynamicsError;
use crate::inverse::{State, check, check_external, root_acceleration};
use crate::joint_axes::JointAxes;
use crate::mass_matrix;
use crate::model::DynamicModel;
use crate::spatial::{Force, Motion, motion_matrix};

/// Inertia along a joint, relative to the largest moment or mass behind it, below which it is rounding.
const NO_INERTIA: f64 = 1e-14;

/// What a joint leaves behind on the way inwards.
struct Inwards {
    /// U, one column for each degree of freedom.
    columns: [Vector6<f64>; 6],
    /// Lower triangle of the Cholesky factor of D.
    factor: [[f64; 6]; 6],
    u: [f64; 6],
    bias: Motion,
}

/// The accelerations of the joints under these joint forces; arguments as in [`inverse_dynamics`](crate::inverse_dynamics).
///
/// Refused: a joint that moves nothing that has inertia.
pub fn forward_dynamics(
    model: &DynamicModel,
    positions: &[f64],
    velocities: &[f64],
    forces: &[f64],
    external: &[Force],
) -> Result<Vec<f64>, DynamicsError> {
    let state = State::new(model, positions, velocities)?;
    check("joint forces", forces, model.robot().velocity_count())?;
    check_external(model, external)?;
    accelerations(model, &state, velocities, forces, external, &[])
}

/// Solves (M + diag(added)) q̈ = τ − bias; `added` is empty or has a number for each velocity.
pub(crate) fn accelerations(
    model: &DynamicModel,
    state: &State,
    velocities: &[f64],
    forces: &[f64],
    external: &[Force],
    added: &[f64],
) -> Result<Vec<f64>, DynamicsError> {
    if model.has_mimics() {
        return mass_matrix::accelerations(model, state, velocities, forces, external, added);
    }
    let robot = model.robot();
    let mut inertias: Vec<Matrix6<f64>> =
        model.inertias().iter().map(|inertia| inertia.to_matrix()).collect();
    let links = 0..robot.links().len();
    let mut remaining: Vec<Vector6<f64>> =
        links.map(|link| state.force(model, link, &Motion::ZERO, external).to_vector()).collect();

    let mut inwards = Vec::with_capacity(robot.joints().len());
    for (place, joint) in robot.joints().iter().enumerate().rev() {
        let axes = &state.axes[place];
        let child = joint.child.index();
        let bias = state.bias(place, velocities);
        let (inertia, force) = (inertias[child], remaining[child]);
        let step = Inwards::new(axes, &inertia, &force, forces, added, bias)
            .map_err(|value| DynamicsError::NoInertia { joint: joint.name.clone(), value })?;
        let (left, handed) = step.hand_on(axes.count, &inertia, &force);
        let x = motion_matrix(&axes.pose);
        inertias[joint.parent.index()] += x.tr_mul(&left) * x;
        remaining[joint.parent.index()] += x.tr_mul(&handed);
        inwards.push(step);
    }
    inwards.reverse();

    let mut motions = vec![root_acceleration(model); robot.links().len()];
    let mut found = vec![0.0; robot.velocity_count()];
    for (place, joint) in robot.joints().iter().enumerate() {
        let (axes, step) = (&state.axes[place], &inwards[place]);
        let carried = motions[joint.parent.index()].into_child(&axes.pose) + step.bias;
        let given = carried.to_vector();
        let mut right = step.u;
        for (value, column) in right.iter_mut().zip(&step.columns[..axes.count]) {
            *value -= column.dot(&given);
        }
        step.solve(axes.count, &mut right);
        let mut motion = carried;
        for (k, column) in axes.columns().iter().enumerate() {
            found[axes.place + k] = right[k];
            motion = motion + *column * right[k];
        }
        motions[joint.child.index()] = motion;
    }
    Ok(found)
}

impl Inwards {
    fn new(
        axes: &JointAxes,
        inertia: &Matrix6<f64>,
        force: &Vector6<f64>,
        forces: &[f64],
        added: &[f64],
        bias: Motion,
    ) -> Result<Self, f64> {
        let mut columns = [Vector6::zeros(); 6];
        let mut u = [0.0; 6];
        let mut factor = [[0.0; 6]; 6];
        for (k, column) in axes.columns().iter().enumerate() {
            let s = column.to_vector();
            columns[k] = inertia * s;
            u[k] = forces[axes.place + k] - s.dot(force);
        }
        let scale = inertia.diagonal().amax();
        for (k, own) in axes.columns().iter().enumerate() {
            let own = own.to_vector();
            for l in 0..=k {
                let mut value = own.dot(&columns[l]);
                if l == k && !added.is_empty() {
                    value += added[axes.place + k];
                }
                for (a, b) in factor[k][..l].iter().zip(&factor[l][..l]) {
                    value -= a * b;
                }
                if l < k {
                    factor[k][l] = value / factor[l][l];
                } else if value > NO_INERTIA * scale && value.is_finite() {
                    factor[k][k] = value.sqrt();
                } else {
                    return Err(value);
                }
            }
        }
        Ok(Self { columns, factor, u, bias })
    }

    /// Solves D x = right in place.
    fn solve(&self, count: usize, right: &mut [f64; 6]) {
        for k in 0..count {
            for l in 0..k {
                right[k] -= self.factor[k][l] * right[l];
            }
            right[k] /= self.factor[k][k];
        }
        for k in (0..count).rev() {
            for l in k + 1..count {
                right[k] -= self.factor[l][k] * right[l];
            }
            right[k] /= self.factor[k][k];
        }
    }

    /// The inertia Iᵃ and the force pᵃ that the parent feels, in the frame of the child.
    fn hand_on(
        &self,
        count: usize,
        inertia: &Matrix6<f64>,
        force: &Vector6<f64>,
    ) -> (Matrix6<f64>, Vector6<f64>) {
        let mut left = *inertia;
        let mut handed = *force;
        // Columns of U L⁻ᵀ: with them U D⁻¹ Uᵀ is a sum of squares.
        let mut scaled = [Vector6::zeros(); 6];
        for k in 0..count {
            let mut column = self.columns[k];
            for (before, weight) in scaled[..k].iter().zip(&self.factor[k]) {
                column -= before * *weight;
            }
            scaled[k] = column / self.factor[k][k];
            left -= scaled[k] * scaled[k].transpose();
        }
        let mut weights = self.u;
        self.solve(count, &mut weights);
        for (column, weight) in self.columns[..count].iter().zip(weights) {
            handed += column * weight;
        }
        handed += left * self.bias.to_vector();
        (left, handed)
    }
}

/// The external forces on no link.
pub const NO_FORCES: &[Force] = &[];
