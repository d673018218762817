//! How the quality of a grasp changes with the joints of the hand.
//!
//! By the chain rule from joints to the surfaces of the hand (their Jacobian), from these to the contacts (curvatures of both surfaces) and
//! from the contacts to ε and the volume. The contacts stay the same ones: a surface that comes within the margin is a new contact, and ε
//! jumps there.

use smooth_scene_robot::{Twist, for_each_jacobian_column};
use smooth_scene_scene::{PlanningScene, Workspace};

use crate::grasp::contact_geometry::{ContactGeometry, ContactMotion};
use crate::grasp::slopes::{ContactSlope, GraspSlopes};

/// Derivatives of the quality of a grasp with respect to the robot's velocities.
#[derive(Debug, Clone, PartialEq)]
pub struct GraspGradient {
    /// Of ε, per velocity of the robot; several rows where several facets of the hull are nearest. Empty where ε is zero or nothing but
    /// rounding holds it.
    pub epsilon: Vec<Vec<f64>>,
    /// Of the volume, per velocity of the robot; empty where the wrenches have no hull.
    pub volume: Vec<f64>,
}

impl GraspGradient {
    /// The change of ε per unit of motion along a direction: of several facets the one that falls most. `None` without a gradient.
    pub fn epsilon_along(&self, velocities: &[f64]) -> Option<f64> {
        let along = |row: &Vec<f64>| row.iter().zip(velocities).map(|(g, v)| g * v).sum::<f64>();
        self.epsilon.iter().map(along).min_by(f64::total_cmp)
    }
}

/// The gradient at the state that the workspace was last asked about; `None` if the motion of a contact that counts is not determined.
pub(crate) fn joint_gradient(
    scene: &PlanningScene,
    ws: &Workspace,
    geometry: &[ContactGeometry],
    slopes: &GraspSlopes,
) -> Option<GraspGradient> {
    let motions: Option<Vec<&ContactMotion>> =
        geometry.iter().map(|contact| contact.motion.as_ref()).collect();
    let motions = motions?;
    let row = |slopes: &Vec<ContactSlope>| {
        let mut row = vec![0.0; scene.model().velocity_count()];
        for (motion, slope) in motions.iter().zip(slopes) {
            add_contact(scene, ws, motion, slope, &mut row);
        }
        row
    };
    let volume = if slopes.volume.is_empty() { Vec::new() } else { row(&slopes.volume) };
    Some(GraspGradient { epsilon: slopes.epsilon.iter().map(row).collect(), volume })
}

/// Adds what one contact contributes.
fn add_contact(
    scene: &PlanningScene,
    ws: &Workspace,
    motion: &ContactMotion,
    slope: &ContactSlope,
    row: &mut [f64],
) {
    let of_surface = motion.point.tr_mul(&slope.point) + motion.normal.tr_mul(&slope.normal);
    let linear = of_surface.fixed_rows::<3>(0);
    let angular = of_surface.fixed_rows::<3>(3);
    let add = |place: usize, column: Twist| {
        row[place] += linear.dot(&column.linear_w) + angular.dot(&column.angular_w);
    };
    for_each_jacobian_column(scene.model(), ws.link_poses(), motion.link, &motion.origin_w, add);
}
