//! The force at one point of a contact.

use crate::contact::material::Material;
use smooth_scene_geometry::math::Vec3;

/// Least closing speed that the contact law divides by, m/s. A contact that begins at rest is damped as if it had begun with it.
const LEAST_SPEED: f64 = 1e-2;

/// One point of a contact of A and B that overlap, world frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Touch {
    pub point_w: Vec3,
    /// From A to B.
    pub normal_ab_w: Vec3,
    pub depth: f64,
    /// k of F = k δ^(3/2).
    pub stiffness: f64,
}

/// The force on B at a point of a contact, world frame, and the elastic energy that the contact holds.
///
/// Normal: k δ^(3/2) (1 + c δ̇), never pulling. Friction: μ times that, against the sliding velocity w of B on A, as
/// −μF w/√(w² + v_s²).
pub(crate) fn on_b(
    touch: &Touch,
    velocity_ab_w: &Vec3,
    impact_speed: f64,
    material: &Material,
) -> Vec3 {
    let rate = -touch.normal_ab_w.dot(velocity_ab_w);
    let damping = material.law.damping(material.restitution, impact_speed.max(LEAST_SPEED));
    let elastic = touch.stiffness * touch.depth * touch.depth.sqrt();
    let normal = (elastic * (1.0 + damping * rate)).max(0.0);
    let sliding = velocity_ab_w + touch.normal_ab_w * rate;
    let speed = (sliding.norm_squared() + material.creep_speed * material.creep_speed).sqrt();
    touch.normal_ab_w * normal - sliding * (material.friction * normal / speed)
}

/// What the contact gives back when the bodies part: ∫ k δ^(3/2) dδ, J.
pub(crate) fn elastic_energy(touch: &Touch) -> f64 {
    0.4 * touch.stiffness * touch.depth * touch.depth * touch.depth.sqrt()
}
