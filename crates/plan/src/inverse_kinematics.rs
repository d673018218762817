//! A state in which a link has a given pose.
//!
//! Damped least squares: with the error e (translation, then rotation vector) and the Jacobian J of the joints that may
//! move,
//!
//! ```text
//! Δq = Jᵀ (J Jᵀ + λ I)⁻¹ e,    λ = ½ |e|² + 10⁻⁹
//! ```
//!
//! clamped to the limits after each step. The damping that shrinks with the error is that of [Sugihara 2011]. It converges
//! to a minimum of |e|, which need not be zero: other starts are drawn at random. It stops when translation and rotation
//! are within 10⁻⁸ m and rad, or after 200 steps; then the next start is tried.

use crate::checker::MotionChecker;
use crate::edge_proof::Stop;
use crate::error::PlanError;
use crate::space::JointSpace;
use nalgebra::{Matrix6, Matrix6xX, Vector6};
use smooth_scene_geometry::math::{Pose, rotation_vector};
use smooth_scene_robot::{LinkId, LinkPoses, StateSampler, for_each_jacobian_column};
use smooth_scene_scene::{PlanningScene, SceneError};

/// Largest error of an answer, m and rad.
const TOLERANCE: f64 = 1e-8;
/// Steps from one start.
const MAX_STEPS: u32 = 200;
/// Added to the damping, so that the matrix stays regular.
const LEAST_DAMPING: f64 = 1e-9;

/// A pose that a link shall have.
#[derive(Debug, Clone, PartialEq)]
pub struct PoseGoal {
    /// Name of the link.
    pub link: String,
    /// Its pose in the frame of the robot's root.
    pub pose: Pose,
    /// How many random starts are tried after the present state.
    pub starts: u32,
    /// Start of the random sequence.
    pub seed: u64,
}

/// A state of the whole robot, free of contacts, in which the link has the pose. Joints outside the group stay as in
/// `base`, which is also the first start: of several solutions one near it is preferred.
pub fn state_for_pose(
    scene: &PlanningScene,
    group: Option<&str>,
    base: &[f64],
    goal: &PoseGoal,
    checker: &mut dyn MotionChecker,
    stop: Stop,
) -> Result<Vec<f64>, PlanError> {
    let space = JointSpace::new(scene, group, base)?;
    let model = space.model().clone();
    let unknown = || SceneError::UnknownLink { name: goal.link.clone() };
    let link = model.link_id(&goal.link).ok_or_else(unknown)?;
    let mut sampler = StateSampler::new(&model, goal.seed);
    let mut least = (f64::INFINITY, f64::INFINITY);
    let mut touching = None;
    for start in 0..=goal.starts {
        if stop() {
            return Err(PlanError::Cancelled);
        }
        let mut point = match start {
            0 => space.point(base),
            _ => space.point(&sampler.draw()),
        };
        let error = descend(&space, link, &goal.pose, &mut point)?;
        if error.0 > TOLERANCE || error.1 > TOLERANCE {
            if error.0 + error.1 < least.0 + least.1 {
                least = error;
            }
            continue;
        }
        let positions = space.positions(&point);
        match checker.collision(&positions)? {
            None => return Ok(positions),
            Some(pair) => touching = touching.or(Some(pair)),
        }
    }
    let (link, starts) = (goal.link.clone(), goal.starts);
    Err(match touching {
        Some((a, b)) => {
            let [body_a, body_b] = [a, b].map(|body| scene.body_name(body).to_owned());
            PlanError::PoseInCollision { link, body_a, body_b }
        }
        None => PlanError::PoseOutOfReach { link, starts, distance: least.0, angle: least.1 },
    })
}

/// The state near `base` in which a link is nearest to a pose, as far as one descent finds it. Joints outside the group
/// stay; contacts are not looked at. For a hand that drags the link.
pub fn state_towards_pose(
    scene: &PlanningScene,
    group: Option<&str>,
    base: &[f64],
    link: &str,
    pose: &Pose,
) -> Result<Vec<f64>, PlanError> {
    let space = JointSpace::new(scene, group, base)?;
    let unknown = || SceneError::UnknownLink { name: link.to_owned() };
    let link = space.model().link_id(link).ok_or_else(unknown)?;
    let mut point = space.point(base);
    descend(&space, link, pose, &mut point)?;
    Ok(space.positions(&point))
}

/// Moves a point of the space towards the pose; returns what is left, m and rad.
fn descend(
    space: &JointSpace,
    link: LinkId,
    goal: &Pose,
    point: &mut [f64],
) -> Result<(f64, f64), PlanError> {
    let model = space.model();
    let mut poses = LinkPoses::new();
    let mut columns = Matrix6xX::zeros(space.freedoms());
    let mut left = (f64::INFINITY, f64::INFINITY);
    for _ in 0..MAX_STEPS {
        poses.update(model, &space.positions(point)).map_err(SceneError::from)?;
        let pose = &poses[link];
        let shift = goal.translation.vector - pose.translation.vector;
        let turn = rotation_vector(&(goal.rotation * pose.rotation.inverse()));
        left = (shift.norm(), turn.norm());
        if left.0 <= TOLERANCE && left.1 <= TOLERANCE {
            break;
        }
        let error = Vector6::new(shift.x, shift.y, shift.z, turn.x, turn.y, turn.z);
        columns.fill(0.0);
        for_each_jacobian_column(model, &poses, link, &pose.translation.vector, |place, column| {
            let Some(k) = space.freedom_of_velocity(place) else { return };
            let (linear, angular) = (column.linear_w, column.angular_w);
            let all = [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z];
            (0..6).for_each(|row| columns[(row, k)] += all[row]);
        });
        let damping = 0.5 * error.norm_squared() + LEAST_DAMPING;
        let square = &columns * columns.transpose() + Matrix6::identity() * damping;
        let solved = square.cholesky().map(|factors| factors.solve(&error));
        // Positive definite by construction; a matrix that overflowed leaves the start unsolved.
        let Some(solved) = solved else { break };
        let step = columns.transpose() * solved;
        point.copy_from_slice(&space.stepped(point, step.as_slice()));
    }
    Ok(left)
}
