//! The robot that stands in a cloud.

use crate::command_line::check::joint_values::{apply_joints, apply_states};
use crate::command_line::fit::cloud_args::CloudArguments;
use crate::command_line::fit::failure::FitFailure;
use crate::command_line::load_robot::{Note, load_with_srdf};
use crate::command_line::robot_args::{Meshes, ReadingArguments};
use crate::geometry::Shape;
use crate::math::Pose;
use crate::robot::{LinkPoses, RobotModel, RobotState};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A robot in one state.
pub(super) struct PlacedRobot {
    model: Arc<RobotModel>,
    poses: LinkPoses,
    pub notes: Vec<Note>,
}

impl PlacedRobot {
    /// The robot of `--robot` in the state of `--state` and `--joints`.
    pub fn load(
        urdf: &Path,
        arguments: &CloudArguments,
        package_paths: &[PathBuf],
    ) -> Result<Self, FitFailure> {
        let reading = ReadingArguments {
            package_paths: package_paths.to_vec(),
            sidecar: arguments.robot_surfaces.clone(),
            strict: false,
            meshes: Meshes::Require,
        };
        let robot = load_with_srdf(urdf, &reading, arguments.srdf.as_deref())?;
        let mut state = RobotState::new(Arc::clone(&robot.model));
        if let Some(semantics) = &robot.semantics {
            apply_states("--state", &mut state, semantics, &arguments.named_states)?;
        }
        apply_joints("--joints", &mut state, &arguments.joints)?;
        let poses = state.link_poses()?;
        Ok(Self { model: robot.model, poses, notes: robot.notes })
    }

    /// Where a link is in the root.
    pub fn pose(&self, link: &str) -> Result<Pose, FitFailure> {
        let id = self.model.link_id(link);
        let id = id.ok_or_else(|| FitFailure::NoSuchFrame { link: link.into() })?;
        Ok(self.poses[id])
    }

    /// All its surfaces, in the root.
    pub fn surfaces(&self) -> Vec<(Pose, &Shape)> {
        let of_link = |id| {
            let surfaces = self.model.link(id).collisions.iter();
            surfaces.map(move |surface| (self.poses[id] * surface.pose_in_link, &surface.shape))
        };
        self.model.link_ids().flat_map(of_link).collect()
    }
}
