//! The robots that are replayed: the bundled hands in their three representations, or one of the user's.

use crate::failure::Failure;
use smooth_scene::robot::srdf::Srdf;
use smooth_scene::robot::{LoadOptions, RobotModel, Sidecar, load_urdf, parse_urdf};
use smooth_scene::scene::PlanningScene;
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
    files.into_iter().map(|(name, text)| robot(name, text, SRDF, true)).collect()
}

fn robot(representation: &str, urdf: &str, text: &str, bundled: bool) -> Result<Robot, Failure> {
    let refused = |e: &dyn std::error::Error| Failure::Robot(representation.into(), e.to_string());
    let loaded =
        parse_urdf(urdf, representation, &LoadOptions::default()).map_err(|e| refused(&e))?;
    let srdf = Srdf::parse(text, representation).map_err(|e| refused(&e))?;
    let model = srdf.with_virtual_joint(&loaded.model).map_err(|e| refused(&e))?;
    let (semantics, _) = srdf.resolve(&model).map_err(|e| refused(&e))?;
    let scene = PlanningScene::new(Arc::new(model), Some(semantics)).map_err(|e| refused(&e))?;
    let (representation, urdf) = (representation.into(), urdf.into());
    Ok(Robot { representation, scene: scene.snapshot(), urdf, srdf: Some(text.into()), bundled })
}

/// A robot of the user's, with its SRDF if there is one.
pub(crate) fn load(urdf: &Path, srdf: Option<&Path>) -> Result<Robot, Failure> {
    let name = urdf.display().to_string();
    let refused = |e: &dyn std::error::Error| Failure::Robot(name.clone(), e.to_string());
    let mut model = load_urdf(urdf, &LoadOptions::default()).map_err(|e| refused(&e))?.model;
    let mut semantics = None;
    if let Some(path) = srdf {
        let srdf = Srdf::load(path).map_err(|e| refused(&e))?;
        model = srdf.with_virtual_joint(&model).map_err(|e| refused(&e))?;
        semantics = Some(srdf.resolve(&model).map_err(|e| refused(&e))?.0);
    }
    let scene = PlanningScene::new(Arc::new(model), semantics).map_err(|e| refused(&e))?;
    let text = |path: &Path| std::fs::read_to_string(path).map_err(|e| refused(&e));
    let (urdf, srdf) = (text(urdf)?, srdf.map(text).transpose()?);
    Ok(Robot { representation: name.clone(), scene: scene.snapshot(), urdf, srdf, bundled: false })
}

/// A robot whose description came in a recording.
pub(crate) fn described(urdf: &str) -> Result<Robot, Failure> {
    of_texts(urdf, "", "")
}

/// A robot whose descriptions came as texts: URDF, SRDF and surfaces, the last two empty when there are none.
pub(crate) fn of_texts(urdf: &str, srdf: &str, surfaces: &str) -> Result<Robot, Failure> {
    let name = "robot_description";
    let refused = |e: &dyn std::error::Error| Failure::Robot(name.into(), e.to_string());
    let (label, text) = ("robot_description_scs".to_string(), surfaces.to_string());
    let sidecar = (!surfaces.is_empty()).then_some(Sidecar::Text { label, text });
    let options = LoadOptions { sidecar, ..LoadOptions::default() };
    let mut model = parse_urdf(urdf, name, &options).map_err(|e| refused(&e))?.model;
    let mut semantics = None;
    if !srdf.is_empty() {
        let srdf = Srdf::parse(srdf, "robot_description_semantic").map_err(|e| refused(&e))?;
        model = srdf.with_virtual_joint(&model).map_err(|e| refused(&e))?;
        semantics = Some(srdf.resolve(&model).map_err(|e| refused(&e))?.0);
    }
    let scene = PlanningScene::new(Arc::new(model), semantics).map_err(|e| refused(&e))?;
    Ok(Robot {
        representation: scene.model().name().to_string(),
        scene: scene.snapshot(),
        urdf: urdf.into(),
        srdf: (!srdf.is_empty()).then(|| srdf.into()),
        bundled: false,
    })
}
