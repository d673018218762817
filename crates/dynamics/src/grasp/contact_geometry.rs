//! How the surfaces of a contact curve, and how the contact moves over them when the hand moves.
//!
//! The contact is midway between the witnesses q_o on the object and q_h on the hand, its normal runs into the object. When the surface of
//! the hand moves, normal and witnesses move as `smooth_scene_query::second_order` says, from the radii of curvature of both surfaces.
//! Padding g grows a surface along the normal n from object to hand: the witness is q + g n, the radius grows with it, and
//!
//! ```text
//! p = (q_o + g_o n + q_h − g_h n)/2,    dp = (dq_o + dq_h + (g_o − g_h) dn)/2
//! ```

use nalgebra::Matrix3x6;
use smooth_scene_geometry::ConvexSurface;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_query::{PrincipalCurvatures, SignedDistance, second_order};
use smooth_scene_robot::LinkId;
use smooth_scene_scene::{BodyId, PairDistance, PlanningScene, Workspace};

/// The surfaces at a contact.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactGeometry {
    /// Curvatures of the hand there.
    pub hand: PrincipalCurvatures,
    /// Curvatures of the object there.
    pub object: PrincipalCurvatures,
    /// How the contact moves; `None` where that is not determined, such as between faces.
    pub motion: Option<ContactMotion>,
}

/// How a contact moves with the surface of the hand: columns 0–2 for a translation of the surface, 3–5 for a rotation vector about
/// `origin_w`, world frame.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactMotion {
    /// Of the contact's point.
    pub point: Matrix3x6<f64>,
    /// Of its normal into the object.
    pub normal: Matrix3x6<f64>,
    /// The link that the surface moves with.
    pub link: LinkId,
    /// Where the surface has its origin, world frame.
    pub origin_w: Vec3,
}

/// The surfaces of a contact that was found with this workspace between a hand and an object of the world.
///
/// # Panics
///
/// If the contact is not of this snapshot, or nothing was asked with this workspace.
pub fn contact_geometry(
    scene: &PlanningScene,
    ws: &Workspace,
    pair: &PairDistance,
    object: BodyId,
) -> ContactGeometry {
    let from_object = pair.body_a == object;
    let (hand, hand_part, object_part) = match from_object {
        true => (pair.body_b, pair.part_b, pair.part_a),
        false => (pair.body_a, pair.part_a, pair.part_b),
    };
    let found = if from_object { pair.distance } else { pair.distance.swapped() };
    let (object_shape, object_pose) = scene.surface(ws, object, object_part);
    let (hand_shape, hand_pose) = scene.surface(ws, hand, hand_part);
    // The witnesses of the surfaces without what they were grown by.
    let n = found.normal_ab_w;
    let growth_a = n.dot(&(found.witness_a_w - support_w(&object_shape, &object_pose, &n)));
    let growth_b = -n.dot(&(found.witness_b_w - support_w(&hand_shape, &hand_pose, &-n)));
    let bare = SignedDistance {
        distance: found.distance + growth_a + growth_b,
        witness_a_w: found.witness_a_w - n * growth_a,
        witness_b_w: found.witness_b_w + n * growth_b,
        ..found
    };
    let second = second_order(&object_shape, &object_pose, &hand_shape, &hand_pose, &bare);
    let link = match hand {
        BodyId::Link(link) => Some(link),
        BodyId::Attached(place) => scene.attached().nth(place as usize).map(|held| held.link),
        BodyId::Object(_) => None,
    };
    let motion = second.derivatives.zip(link).map(|(d, link)| ContactMotion {
        point: (d.witness_a + d.witness_b + d.normal * (growth_a - growth_b)) * 0.5,
        normal: -d.normal,
        link,
        origin_w: hand_pose.translation.vector,
    });
    ContactGeometry { hand: second.curvatures_b, object: second.curvatures_a, motion }
}

fn support_w(shape: &impl ConvexSurface, pose: &Pose, normal_w: &Vec3) -> Vec3 {
    let local = shape.support(&pose.rotation.inverse_transform_vector(normal_w)).point;
    pose.rotation * local + pose.translation.vector
}
