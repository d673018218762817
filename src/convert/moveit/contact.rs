//! Contacts as MoveIt reports them.

use crate::convert::header;
use crate::convert::pose::{point_message, vector_message};
use crate::interfaces::moveit_msgs::msg::ContactInformation;
use crate::scene::{BodyId, PairDistance, PlanningScene};

/// A pair in contact: the point midway between the deepest points, the normal from the first body to the second.
pub fn contact_message(scene: &PlanningScene, contact: &PairDistance) -> ContactInformation {
    let found = &contact.distance;
    let model = scene.model();
    let kind = |body| match body {
        BodyId::Link(_) => ContactInformation::ROBOT_LINK,
        BodyId::Attached(_) => ContactInformation::ROBOT_ATTACHED,
        BodyId::Object(_) => ContactInformation::WORLD_OBJECT,
    };
    ContactInformation {
        header: header(&model.link(model.root()).name),
        position: point_message(&(0.5 * (found.witness_a_w + found.witness_b_w))),
        normal: vector_message(&found.normal_ab_w),
        depth: (-found.distance).max(0.0),
        contact_body_1: scene.body_name(contact.body_a).to_string(),
        body_type_1: kind(contact.body_a),
        contact_body_2: scene.body_name(contact.body_b).to_string(),
        body_type_2: kind(contact.body_b),
    }
}
