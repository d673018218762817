//! The robots that are replayed: the bundled hands in their three representations, or a robot of the user.

use super::description::Description;
use super::failure::Failure;
use crate::command_line::load_robot::scene_of;
use crate::robot::srdf::Srdf;
use crate::robot::{LoadOptions, RobotModel, Sidecar, load_urdf, parse_urdf};
use crate::scene::PlanningScene;
use std::path::Path;
use std::sync::Arc;

/// The movement that is replayed when no other is given.
pub(crate) const GRASP: &str = include_str!("../../../config/two_hand_grasp.yaml");
/// Its name in messages.
pub(crate) const GRASP_FILE: &str = "config/two_hand_grasp.yaml";
const SRDF: &str = include_str!("../../../urdf/icub_arms_hands.srdf");

/// A robot and what its surfaces are called in the tables.
#[derive(Debug, Clone)]
pub(crate) struct Robot {
    /// `superellipsoids`, `superovoids`, `mixed`, or the name of the file.
    pub representation: String,
    pub scene: Arc<PlanningScene>,
    /// The text of the URDF.
    pub urdf: String,
    /// The text of the SRDF.
    pub srdf: Option<String>,
    /// The text of the surfaces beside the URDF; empty when there are none.
    pub surfaces: String,
    /// Whether it is one of the bundled hands.
    pub bundled: bool,
}

impl Robot {
    pub fn model(&self) -> &Arc<RobotModel> {
        self.scene.model()
    }
}

/// The hands with arms as superellipsoids, superovoids and mixed.
pub(crate) fn bundled() -> Result<Vec<Robot>, Failure> {
    let files = [
        ("superellipsoids", include_str!("../../../urdf/icub_arms_hands_superellipsoid.urdf")),
        ("superovoids", include_str!("../../../urdf/icub_arms_hands_superovoid.urdf")),
        ("mixed", include_str!("../../../urdf/icub_arms_hands_mixed.urdf")),
    ];
    let robot = |(name, urdf): (&str, &str)| {
        let (urdf, srdf, surfaces) = (urdf.into(), Some(SRDF.into()), String::new());
        let robot = of_texts(&Description { urdf, srdf, surfaces }, name)?;
        Ok(Robot { representation: name.into(), bundled: true, ..robot })
    };
    files.into_iter().map(robot).collect()
}

/// A robot of the user, with its SRDF if there is one.
pub(crate) fn load(urdf: &Path, srdf: Option<&Path>) -> Result<Robot, Failure> {
    let name = urdf.display().to_string();
    let refused = |reason: String| Failure::Robot(name.clone(), reason);
    // These errors name the file themselves.
    let named = |reason: String| Failure::Other(reason);
    let model = load_urdf(urdf, &LoadOptions::default()).map_err(|e| named(e.to_string()))?.model;
    let semantic = srdf.map(Srdf::load).transpose().map_err(|e| named(e.to_string()))?;
    let scene = scene_of(model, semantic.as_ref()).map_err(|e| refused(e.to_string()))?;
    let scene = scene.snapshot();
    let text = |path: &Path| std::fs::read_to_string(path).map_err(|e| refused(e.to_string()));
    let (urdf, srdf, surfaces) = (text(urdf)?, srdf.map(text).transpose()?, String::new());
    Ok(Robot { representation: name.clone(), scene, urdf, srdf, surfaces, bundled: false })
}

/// A robot from the descriptions of a recording or of a node; the bundled robot if they are the same.
pub(crate) fn described(texts: &Description, bundled: Vec<Robot>) -> Result<Robot, Failure> {
    let is_same = |robot: &Robot| {
        let srdf = robot.srdf.as_deref().unwrap_or_default();
        texts.surfaces.is_empty()
            && robot.urdf == texts.urdf
            && texts.srdf.as_ref().is_none_or(|text| text == srdf)
    };
    match bundled.into_iter().find(is_same) {
        Some(known) => Ok(known),
        None => of_texts(texts, "robot_description"),
    }
}

/// Errors refer to the URDF by `name`.
fn of_texts(texts: &Description, name: &str) -> Result<Robot, Failure> {
    let refused = |reason: String| Failure::Robot(name.into(), reason);
    let Description { urdf, srdf, surfaces } = texts;
    let (label, text) = ("robot_description_scs".to_string(), surfaces.clone());
    let sidecar = (!surfaces.is_empty()).then_some(Sidecar::Text { label, text });
    let options = LoadOptions { sidecar, ..LoadOptions::default() };
    let model = parse_urdf(urdf, name, &options).map_err(|e| refused(e.to_string()))?.model;
    let srdf = srdf.as_ref().filter(|text| !text.is_empty());
    let semantic = srdf.map(|text| Srdf::parse(text, "robot_description_semantic"));
    let semantic = semantic.transpose().map_err(|e| refused(e.to_string()))?;
    let scene = scene_of(model, semantic.as_ref()).map_err(|e| refused(e.to_string()))?;
    let scene = scene.snapshot();
    Ok(Robot {
        representation: scene.model().name().to_string(),
        scene,
        urdf: urdf.clone(),
        srdf: srdf.cloned(),
        surfaces: surfaces.clone(),
        bundled: false,
    })
}
