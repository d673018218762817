//! Poses of the few links of a state that are asked about exactly.

use smooth_scene_geometry::math::Pose;
use smooth_scene_robot::{LinkId, RobotModel, child_pose};

/// Poses of links in the world, found when they are asked for: the same bits as those of
/// [`LinkPoses`](smooth_scene_robot::LinkPoses).
#[derive(Debug, Default)]
pub(super) struct NeededPoses {
    poses: Vec<Option<Pose>>,
}

impl NeededPoses {
    /// Forgets all poses: another state follows.
    pub fn begin(&mut self, model: &RobotModel) {
        self.poses.clear();
        self.poses.resize(model.links().len(), None);
    }

    /// The pose of a link, in the state of all calls since [`begin`](Self::begin).
    pub fn of(&mut self, link: LinkId, model: &RobotModel, positions: &[f64]) -> Pose {
        if let Some(pose) = self.poses[link.index()] {
            return pose;
        }
        let pose = match model.link(link).parent_joint {
            None => Pose::identity(),
            Some(joint) => {
                let joint = model.joint(joint);
                let parent = self.of(joint.parent, model, positions);
                child_pose(joint, model, &parent, positions)
            }
        };
        self.poses[link.index()] = Some(pose);
        pose
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smooth_scene_robot::{LoadOptions, forward_kinematics, parse_urdf};

    #[test]
    fn poses_are_those_of_all_links() {
        let mut urdf = r#"<robot name="tree"><link name="l0"/>"#.to_owned();
        for k in 1..6 {
            urdf += &format!(
                r#"<link name="l{k}"/><joint name="j{k}" type="revolute"><parent link="l{}"/><child link="l{k}"/>
                <origin xyz="0.1 0.2 {k}" rpy="0.3 {k} 0.2"/><axis xyz="0 0.6 0.8"/>
                <limit lower="-2" upper="2" effort="1" velocity="1"/></joint>"#,
                k / 2
            );
        }
        urdf += "</robot>";
        let model = parse_urdf(&urdf, "tree.urdf", &LoadOptions::default()).unwrap().model;
        let mut needed = NeededPoses::default();
        for state in [[0.1, -0.4, 1.0, 0.7, -1.3], [1.1, 0.4, -1.0, 0.2, 0.3]] {
            let all = forward_kinematics(&model, &state).unwrap();
            needed.begin(&model);
            for link in model.link_ids().collect::<Vec<_>>().into_iter().rev() {
                assert_eq!(needed.of(link, &model, &state), all[link]);
            }
        }
    }
}
