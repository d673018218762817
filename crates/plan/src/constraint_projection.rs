//! Moves a state into the constraints on a path: damped least squares, one constraint after the other, as for the pose of a link.

use std::f64::consts::{FRAC_PI_2, PI};

use crate::path_constraint::{Known, PathConstraints, ROUNDING, distance_at_most};
use crate::sight::{Off, turn_towards};
use crate::space::JointSpace;
use nalgebra::{Matrix3, Matrix3xX, Point3};
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Pose, Vec3, rotation_from_vector, rotation_vector};
use smooth_scene_query::{QueryOptions, point_distance};
use smooth_scene_robot::{JointId, LinkId, LinkPoses, for_each_jacobian_column};
use smooth_scene_scene::SceneError;

/// Steps of a projection.
const MAX_STEPS: u32 = 40;
/// Projections go this share into the tolerances, so that edges have room.
const INWARD: f64 = 0.5;
/// How far into a region a projection goes, m.
const INWARD_METRES: f64 = 2e-3;
/// Added to the damping of a projection, so that its matrix stays regular.
const LEAST_DAMPING: f64 = 1e-6;

impl PathConstraints {
    /// Moves a point of the space until all constraints hold with some room; false where that does not succeed.
    pub fn project(&self, space: &JointSpace, point: &mut [f64]) -> Result<bool, SceneError> {
        let model = space.model();
        let mut poses = LinkPoses::new();
        for _ in 0..MAX_STEPS {
            let mut is_met = true;
            for known in &self.all {
                poses.update(model, &space.positions(point))?;
                is_met &= !known.step(space, &poses, point);
            }
            if is_met {
                return self.hold_at(model, &space.positions(point));
            }
        }
        Ok(false)
    }
}

impl Known {
    /// Moves a point of the space towards the constraint; whether there was anything to do.
    fn step(&self, space: &JointSpace, poses: &LinkPoses, point: &mut [f64]) -> bool {
        match self {
            Known::Joint { place, factor, range, .. } => {
                let off = self.off(&space.positions(point));
                let wanted = off.clamp(range[0], range[1]);
                let coordinate = space.coordinates().iter().position(|c| c.place == *place);
                let (true, Some(k)) = (wanted != off && *factor != 0.0, coordinate) else {
                    return false;
                };
                point[k] = space.clamped(k, point[k] + (wanted - off) / factor);
                true
            }
            Known::Position { link, offset, regions, .. } => {
                let point_w = (poses[*link] * Point3::from(*offset)).coords;
                let nearest = regions
                    .iter()
                    .map(|(pose, shape)| {
                        point_distance(shape, pose, &point_w, &QueryOptions::default())
                    })
                    .min_by(|x, y| x.distance.total_cmp(&y.distance))
                    .expect("a position constraint has a region");
                let is_inside = |(pose, shape): &(Pose, Shape)| {
                    distance_at_most(shape, pose, &point_w) <= -ROUNDING
                };
                if regions.iter().any(is_inside) {
                    return false;
                }
                let wanted = nearest.normal_w * -(nearest.distance + INWARD_METRES);
                descend(space, poses, *link, &point_w, Task::Shift(wanted), point);
                true
            }
            Known::Orientation { link, wanted, tolerance, angles, .. } => {
                let at = poses[*link].rotation;
                let off = wanted.inverse() * at;
                if angles.within(&off, tolerance, ROUNDING) {
                    return false;
                }
                let inside = angles.clamped(&off, &tolerance.map(inward));
                let turn = rotation_vector(&(wanted * inside * at.inverse()));
                descend(space, poses, *link, &Vec3::zeros(), Task::Turn(turn), point);
                true
            }
            Known::Sight { links, chains, sight } => {
                let at = sight.at(&poses[links[0]], &poses[links[1]]);
                let Some(off) = sight.off(&at, ROUNDING, ROUNDING) else { return false };
                let way = at.target_w - at.eye_w;
                let (wanted, most) = match off {
                    Off::View => (at.facing_w, sight.view),
                    Off::Range => (way, sight.range),
                };
                let most = most.expect("an angle that is off is bounded");
                let turn = turn_towards(&at.axis_w, &wanted, inward(most.min(FRAC_PI_2)));
                let is_moved = |chain: &Vec<JointId>| {
                    let mut joints = space.coordinates().iter().map(|c| c.joint);
                    joints.any(|joint| chain.contains(&joint))
                };
                // The sensor turns if it can, and otherwise the target turns or goes where it is seen.
                let (link, task) = match off {
                    _ if is_moved(&chains[0]) => (links[0], Task::Turn(turn)),
                    Off::View => (links[1], Task::Turn(-turn)),
                    Off::Range => {
                        let seen = rotation_from_vector(&-turn) * way;
                        (links[1], Task::Shift(seen - way))
                    }
                };
                descend(space, poses, link, &at.target_w, task, point);
                true
            }
        }
    }
}

/// A bound well inside a tolerance; none where the angle is free.
fn inward(tolerance: f64) -> f64 {
    if tolerance >= PI { PI } else { INWARD * tolerance }
}

/// What a projection asks of a link.
enum Task {
    Shift(Vec3),
    Turn(Vec3),
}

/// One step of damped least squares, as for the pose of a link.
fn descend(
    space: &JointSpace,
    poses: &LinkPoses,
    link: LinkId,
    at_w: &Vec3,
    task: Task,
    point: &mut [f64],
) {
    let mut columns = Matrix3xX::zeros(space.freedoms());
    let error = match &task {
        Task::Shift(vector) | Task::Turn(vector) => *vector,
    };
    for_each_jacobian_column(space.model(), poses, link, at_w, |place, column| {
        let Some(k) = space.freedom_of_velocity(place) else { return };
        let part = match task {
            Task::Shift(_) => column.linear_w,
            Task::Turn(_) => column.angular_w,
        };
        (0..3).for_each(|row| columns[(row, k)] += part[row]);
    });
    let damping = 0.5 * error.norm_squared() + LEAST_DAMPING;
    let square: Matrix3<f64> = &columns * columns.transpose() + Matrix3::identity() * damping;
    // Positive definite by construction; of a matrix that overflowed no step is taken, and the projection fails.
    let Some(factors) = square.cholesky() else { return };
    let step = columns.transpose() * factors.solve(&error);
    point.copy_from_slice(&space.stepped(point, step.as_slice()));
}
