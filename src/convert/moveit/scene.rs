//! The scene as MoveIt describes it.

use super::matrix::matrix_message;
use super::object::{attached_collision_object, collision_object};
use crate::convert::Refusal;
use crate::convert::header;
use crate::convert::pose::{transform_message, vector_message};
use crate::interfaces::geometry_msgs::msg::{Quaternion, Transform};
use crate::interfaces::moveit_msgs::msg::{
    CollisionObject, LinkPadding, LinkScale, PlanningScene as SceneMessage,
    PlanningSceneComponents, RobotState,
};
use crate::interfaces::sensor_msgs::msg::JointState;
use crate::math::{Pose, Vec3};
use crate::robot::{Coupling, JointKind, RobotModel};
use crate::scene::PlanningScene;

/// The parts of a scene that are asked for; zero asks for all. `known` is the current state as far as it is known, by
/// variable. Refused when the matrix has more than `max_bytes` values.
pub fn scene_message(
    scene: &PlanningScene,
    known: &JointState,
    components: u32,
    max_bytes: usize,
) -> Result<SceneMessage, Refusal> {
    type Part = PlanningSceneComponents;
    let wants = |part: u32| components == 0 || components & part != 0;
    let model = scene.model();
    let root = model.link(model.root()).name.as_str();
    let mut message = SceneMessage::default();
    if wants(Part::SCENE_SETTINGS) {
        message.name = "smooth_scene".into();
        message.robot_model_name = model.name().to_string();
    }
    if wants(Part::ROBOT_STATE) {
        message.robot_state = robot_state(model, known);
    }
    if wants(Part::ROBOT_STATE_ATTACHED_OBJECTS) {
        let attached = scene.attached().map(|object| attached_collision_object(scene, object));
        message.robot_state.attached_collision_objects = attached.collect();
    }
    if wants(Part::WORLD_OBJECT_NAMES | Part::WORLD_OBJECT_GEOMETRY) {
        let mut objects: Vec<_> = scene.world().iter().map(|(_, object)| object).collect();
        objects.sort_unstable_by_key(|object| object.name());
        let geometry = wants(Part::WORLD_OBJECT_GEOMETRY);
        let object = |object: &crate::scene::SceneObject| {
            if geometry {
                return collision_object(object, root);
            }
            let id = object.name().to_string();
            CollisionObject { header: header(root), id, ..CollisionObject::default() }
        };
        message.world.collision_objects = objects.into_iter().map(object).collect();
    }
    if wants(Part::TRANSFORMS) {
        message.fixed_frame_transforms = vec![transform_message(root, root, &Pose::identity())];
    }
    if wants(Part::ALLOWED_COLLISION_MATRIX) {
        message.allowed_collision_matrix = matrix_message(scene, max_bytes)?;
    }
    if wants(Part::LINK_PADDING_AND_SCALING) {
        for link in model.links().iter().filter(|link| !link.collisions.is_empty()) {
            let (size, link_name) = (scene.sizes().link(&link.name), link.name.clone());
            let padding = LinkPadding { link_name: link_name.clone(), padding: size.padding };
            message.link_padding.push(padding);
            message.link_scale.push(LinkScale { link_name, scale: size.scale });
        }
    }
    Ok(message)
}

/// The joints that are known: those of one number with the ones that follow them, the others as transforms.
fn robot_state(model: &RobotModel, known: &JointState) -> RobotState {
    let root = model.link(model.root()).name.as_str();
    let mut state = RobotState::default();
    state.joint_state.header = header(root);
    state.multi_dof_joint_state.header = header(root);
    let of = |variable: &String| {
        let place = known.name.iter().position(|name| name == variable)?;
        known.position.get(place).copied()
    };
    for (id, joint) in model.joint_ids().zip(model.joints()) {
        let first = model.first_position(id);
        let names = &model.variable_names()[first..];
        let count = match joint.coupling {
            Coupling::Independent { .. } => joint.kind.position_count(),
            Coupling::Mimic { .. } => 1,
        };
        let numbers: Option<Vec<f64>> = names.iter().take(count).map(of).collect();
        let Some(numbers) = numbers else { continue };
        let position = match (joint.coupling, numbers.as_slice()) {
            (Coupling::Mimic { multiplier, offset, .. }, &[leader]) => multiplier * leader + offset,
            (_, &[own]) => own,
            (_, numbers) => {
                // A fixed joint has no numbers and is not part of a state.
                if let Some(transform) = transform(joint.kind, numbers) {
                    state.multi_dof_joint_state.joint_names.push(joint.name.clone());
                    state.multi_dof_joint_state.transforms.push(transform);
                }
                continue;
            }
        };
        state.joint_state.name.push(joint.name.clone());
        state.joint_state.position.push(position);
    }
    state
}

fn transform(kind: JointKind, numbers: &[f64]) -> Option<Transform> {
    let (at, [x, y, z, w]) = match (kind, numbers) {
        (JointKind::Planar, &[x, y, angle]) => {
            let (sin, cos) = (0.5 * angle).sin_cos();
            (Vec3::new(x, y, 0.0), [0.0, 0.0, sin, cos])
        }
        (JointKind::Floating, &[x, y, z, i, j, k, w]) => (Vec3::new(x, y, z), [i, j, k, w]),
        (_, []) => return None,
        (kind, numbers) => unreachable!("a {kind:?} joint does not have {} numbers", numbers.len()),
    };
    Some(Transform { translation: vector_message(&at), rotation: Quaternion { x, y, z, w } })
}
