//! What the two validity services of MoveIt have in common: the state, the group, the contacts, the constraints.

use std::collections::BTreeSet;

use super::check_states::deepest_first;
use crate::convert::Refusal;
use crate::convert::joints::joint_state_of;
use crate::convert::moveit::contact::contact_message;
use crate::interfaces::moveit_msgs::msg::{
    ConstraintEvalResult, Constraints, ContactInformation, RobotState,
};
use crate::interfaces::sensor_msgs::msg::JointState;
use crate::node::Context;
use crate::node::constraints::ConstraintSet;
use crate::node::topics::attach_for_question;
use crate::robot::Coupling;
use crate::scene::{Between, BodyId, BodySet, CheckRequest, PairLevel, PlanningScene};

/// A question about states, looked up and checked.
pub(super) struct Question {
    /// The scene, with what the state of the request carries.
    pub scene: PlanningScene,
    /// The joints of the request.
    pub joints: JointState,
    check: CheckRequest,
    constraints: ConstraintSet,
}

/// What is to be said about one state.
#[derive(Debug, Default)]
pub(super) struct Verdict {
    pub valid: bool,
    pub contacts: Vec<ContactInformation>,
    pub constraints: Vec<ConstraintEvalResult>,
}

impl Question {
    pub fn new(
        context: &Context<'_>,
        scene: PlanningScene,
        state: &RobotState,
        group: &str,
        constraints: &Constraints,
    ) -> Result<Self, Refusal> {
        let (scene, joints) = asked_scene(context, scene, state)?;
        let constraints =
            ConstraintSet::new(&scene, constraints, context.transforms, context.limits);
        let constraints = constraints.map_err(|why| why.within("constraints"))?;
        let between = Between { a: moved_by(&scene, group)?, b: None };
        let check = CheckRequest { between, query: *context.query, ..CheckRequest::default() };
        Ok(Self { scene, joints, check, constraints })
    }

    /// Decides one state.
    pub fn decide(&self, context: &mut Context<'_>, positions: &[f64]) -> Result<Verdict, Refusal> {
        let (scene, workspace) = (&self.scene, &mut *context.workspace);
        let mut found = Vec::new();
        scene.contacts(positions, &self.check, PairLevel::Bodies, workspace, &mut found)?;
        let results = self.constraints.decide(scene, positions, workspace.link_poses())?;
        let valid = found.is_empty() && results.iter().all(|each| each.result);
        deepest_first(&mut found);
        found.truncate(context.limits.results);
        let contacts = found.iter().map(|pair| contact_message(scene, pair)).collect();
        Ok(Verdict { valid, contacts, constraints: results })
    }
}

/// The scene with what a state of a request carries, and the joints of that state.
pub(super) fn asked_scene(
    context: &Context<'_>,
    mut scene: PlanningScene,
    state: &RobotState,
) -> Result<(PlanningScene, JointState), Refusal> {
    let joints = joint_state_of(scene.model(), &state.joint_state, &state.multi_dof_joint_state)?;
    if !state.attached_collision_objects.is_empty() {
        let poses = context.link_poses(&scene, &joints);
        attach_for_question(&mut scene, state, context.frames(&poses), context.limits)?;
    }
    Ok((scene, joints))
}

/// The links that the joints of a group move, and what they carry; everything if no group is named. As in MoveIt this is
/// more than the links of the group: an arm moves its gripper, too.
fn moved_by(scene: &PlanningScene, group: &str) -> Result<Option<BodySet>, Refusal> {
    if group.is_empty() {
        return Ok(None);
    }
    let Some(group) = scene.semantics().group(group) else {
        return Err(Refusal::bad_request(format!("group_name: there is no group `{group}`")));
    };
    let model = scene.model();
    let mut moved: BTreeSet<_> = group.links.iter().copied().collect();
    // Parents come before children.
    for (id, joint) in model.joint_ids().zip(model.joints()) {
        let follows = match joint.coupling {
            Coupling::Mimic { leader, .. } => group.joints.contains(&leader),
            Coupling::Independent { .. } => false,
        };
        if follows || group.joints.contains(&id) || moved.contains(&joint.parent) {
            moved.insert(joint.child);
        }
    }
    let links = moved.iter().map(|&link| BodyId::Link(link));
    let carried = (0u32..).zip(scene.attached()).filter(|(_, object)| moved.contains(&object.link));
    let bodies = links.chain(carried.map(|(place, _)| BodyId::Attached(place)));
    Ok(Some(BodySet::of(bodies)))
}
