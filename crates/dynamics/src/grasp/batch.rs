//! Many grasps of one object: states of the robot, poses of the object, judged over all cores.

use rayon::prelude::*;
use smooth_scene_geometry::math::Pose;
use smooth_scene_scene::{
    BodyId, BodySet, ObjectId, PlanningScene, SceneError, Workspace, WorldChange,
};

use crate::grasp::contact_geometry::{ContactGeometry, contact_geometry};
use crate::grasp::gradient::{GraspGradient, joint_gradient};
use crate::grasp::quality::{GraspQuality, grasp_quality, grasp_slopes};
use crate::grasp::scene_contacts::{SceneContacts, object_options, scene_contacts};
use crate::grasp::wrenches::{GraspError, GraspOptions};
use crate::mass::MassError;

/// What grasps, what is grasped, and how contacts are found and judged.
#[derive(Debug, Clone, PartialEq)]
pub struct GraspQuestion {
    /// Links and attached objects of the hand.
    pub hand: BodySet,
    /// The object of the world.
    pub object: ObjectId,
    /// Surfaces this near count as touching, m.
    pub margin: f64,
    /// Coefficient of friction.
    pub friction: f64,
    /// Edges of the pyramid inside a friction cone.
    pub edges: u32,
    /// What is wanted beside the quality.
    pub detail: GraspDetail,
}

/// What is wanted beside the quality of a grasp.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum GraspDetail {
    /// Contacts only.
    Contacts,
    /// The curvatures at the contacts too.
    Curvatures,
    /// Curvatures and derivatives in the joints.
    Gradient,
}

/// One grasp to judge.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GraspPose<'a> {
    /// Positions of the robot.
    pub positions: &'a [f64],
    /// Where the object is, world frame; `None`: where the scene has it.
    pub object_w: Option<Pose>,
}

/// A grasp and how good it is.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedGrasp {
    /// The contacts.
    pub contacts: SceneContacts,
    /// How moments are measured.
    pub options: GraspOptions,
    /// How good it is.
    pub quality: GraspQuality,
    /// The surfaces at each contact; empty if they were not asked for.
    pub geometry: Vec<ContactGeometry>,
    /// Derivatives in the joints, if they were asked for and exist.
    pub gradient: Option<GraspGradient>,
}

/// Why a grasp was not judged.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum JudgeError {
    /// The scene could not answer.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// The object has no volume to take moments about.
    #[error(transparent)]
    Mass(#[from] MassError),
    /// The contacts make no wrenches.
    #[error(transparent)]
    Grasp(#[from] GraspError),
}

/// Grasps that one thread takes at a time: about a millisecond each.
const BLOCK: usize = 4;

/// Judges grasps over all cores, each from scratch: the answers are in order, and the same bits for any number of threads. Of several errors
/// the one of the first grasp is returned, with its place.
pub fn judge_grasps(
    scene: &PlanningScene,
    question: &GraspQuestion,
    poses: &[GraspPose<'_>],
) -> Result<Vec<JudgedGrasp>, (usize, JudgeError)> {
    let judged: Vec<Result<JudgedGrasp, JudgeError>> = poses
        .par_iter()
        .with_min_len(BLOCK)
        .map_init(
            || (Workspace::cold(), scene.clone()),
            |(ws, scene), pose| {
                if let Some(pose) = pose.object_w {
                    let object = scene.world().get(question.object);
                    let name = object.expect("the question names an object of the scene").name();
                    scene.apply(WorldChange::Move { name: name.to_owned(), pose })?;
                }
                judge_grasp(scene, question, pose.positions, ws)
            },
        )
        .collect();
    judged.into_iter().enumerate().map(|(place, one)| one.map_err(|e| (place, e))).collect()
}

/// Judges one grasp where the scene has the object.
///
/// # Panics
///
/// If the object of the question is not of this scene.
pub fn judge_grasp(
    scene: &PlanningScene,
    question: &GraspQuestion,
    positions: &[f64],
    ws: &mut Workspace,
) -> Result<JudgedGrasp, JudgeError> {
    let id = BodyId::Object(question.object);
    let object = scene.world().get(question.object);
    let object = object.expect("the question names an object of the scene");
    let options = object_options(object, question.edges)?;
    let GraspQuestion { hand, margin, friction, detail, .. } = question;
    let contacts = scene_contacts(scene, positions, hand, id, *margin, *friction, ws)?;
    let mut geometry = Vec::new();
    if *detail >= GraspDetail::Curvatures {
        geometry.extend(contacts.pairs.iter().map(|pair| contact_geometry(scene, ws, pair, id)));
    }
    let (quality, gradient) = if *detail == GraspDetail::Gradient {
        let (quality, slopes) = grasp_slopes(&contacts.contacts, &options)?;
        (quality, joint_gradient(scene, ws, &geometry, &slopes))
    } else {
        (grasp_quality(&contacts.contacts, &options)?, None)
    };
    Ok(JudgedGrasp { contacts, options, quality, geometry, gradient })
}
