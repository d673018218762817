//! The scene without the state of the robot: sent when it changes.

use serde::Serialize;

use super::wire::{PoseData, ShapeData, ShapeMenuItem, TriangleData, drawn_instead, shape_menu};
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::Pose;
use smooth_scene_robot::{Coupling, JointId, JointKind, RobotModel};
use smooth_scene_scene::{PlanningScene, SceneObject, Snapshot};

/// Limit of objects that are drawn, for the sake of the browser.
const MAX_OBJECTS: usize = 2_000;

/// The scene for a page.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename = "scene")]
pub(super) struct Picture<'a> {
    revision: u64,
    robot_number: u64,
    robot: &'a str,
    links: Vec<LinkData<'a>>,
    joints: Vec<JointData<'a>>,
    objects: Vec<ObjectData<'a>>,
    hidden_objects: usize,
    groups: Vec<&'a str>,
    /// The kinds of shapes that can be chosen.
    shapes: Vec<ShapeMenuItem>,
    #[serde(flatten)]
    stage: StageData,
}

/// State of the view.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct StageData {
    pub editing: bool,
    pub can_export: bool,
    pub can_follow: bool,
    /// First and last moment of the movement.
    pub movement: Option<[f64; 2]>,
    /// Whether the movement is a plan of this page.
    pub has_plan: bool,
    pub undo: usize,
    pub redo: usize,
    /// Whether the bodies of the robot's links can be read.
    pub has_geometry: bool,
    pub close_distance: f64,
}

#[derive(Debug, Serialize)]
struct LinkData<'a> {
    name: &'a str,
    parent: Option<usize>,
    surfaces: Vec<SurfaceData>,
}

#[derive(Debug, Serialize)]
pub(super) struct SurfaceData {
    pose: PoseData,
    shape: ShapeData,
    #[serde(skip_serializing_if = "Option::is_none")]
    hull: Option<TriangleData>,
}

impl SurfaceData {
    pub fn new(pose: &Pose, shape: &Shape) -> Self {
        Self { pose: pose.into(), shape: shape.into(), hull: drawn_instead(shape) }
    }
}

/// One joint variable; planar and floating joints have several.
#[derive(Debug, Serialize)]
struct JointData<'a> {
    name: &'a str,
    /// Its place among the positions of a frame; of its leader's if it mimics.
    place: usize,
    kind: &'static str,
    lower: f64,
    upper: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    mimic: Option<MimicData<'a>>,
}

#[derive(Debug, Serialize)]
struct MimicData<'a> {
    leader: &'a str,
    multiplier: f64,
    offset: f64,
}

#[derive(Debug, Serialize)]
struct ObjectData<'a> {
    name: &'a str,
    /// The link that carries it.
    #[serde(skip_serializing_if = "Option::is_none")]
    link: Option<&'a str>,
    pose: PoseData,
    surfaces: Vec<SurfaceData>,
}

impl<'a> Picture<'a> {
    pub fn new(snapshot: &'a Snapshot, stage: StageData) -> Self {
        let scene = &snapshot.scene;
        let model: &RobotModel = scene.model();
        let carried =
            scene.attached().map(|a| object(&a.object, Some(model.link(a.link).name.as_str())));
        let free = scene.world().iter().map(|(_, each)| object(each, None));
        Self {
            revision: snapshot.revision,
            robot_number: snapshot.robot,
            robot: model.name(),
            links: links(model),
            joints: joints(model),
            objects: carried.chain(free).take(MAX_OBJECTS).collect(),
            hidden_objects: (scene.attached().len() + scene.world().len())
                .saturating_sub(MAX_OBJECTS),
            groups: groups(scene),
            shapes: shape_menu(),
            stage,
        }
    }
}

fn groups(scene: &PlanningScene) -> Vec<&str> {
    scene.semantics().groups.iter().map(|group| group.name.as_str()).collect()
}

fn object<'a>(object: &'a SceneObject, link: Option<&'a str>) -> ObjectData<'a> {
    let surfaces = object.shapes().map(|(pose, shape)| SurfaceData::new(&pose, shape)).collect();
    ObjectData { name: object.name(), link, pose: object.pose().into(), surfaces }
}

fn links(model: &RobotModel) -> Vec<LinkData<'_>> {
    let one = |id| {
        let link = model.link(id);
        let each = link.collisions.iter();
        LinkData {
            name: &link.name,
            parent: model.parent_link(id).map(|parent| parent.index()),
            surfaces: each.map(|c| SurfaceData::new(&c.pose_in_link, &c.shape)).collect(),
        }
    };
    model.link_ids().map(one).collect()
}

fn joints(model: &RobotModel) -> Vec<JointData<'_>> {
    let mut all = Vec::new();
    for id in model.joint_ids() {
        let joint = model.joint(id);
        let first = model.first_position(id);
        match joint.coupling {
            Coupling::Mimic { leader, multiplier, offset } => {
                let [lower, upper] = slider_range(model, id, 0);
                let leader = model.joint(leader).name.as_str();
                let mimic = Some(MimicData { leader, multiplier, offset });
                let (name, kind) = (joint.name.as_str(), joint.kind.name());
                all.push(JointData { name, place: first, kind, lower, upper, mimic });
            }
            Coupling::Independent { .. } => {
                // The rotation of a floating joint has no sliders.
                let count = joint.kind.position_count().min(3);
                all.extend((0..count).map(|k| {
                    let [lower, upper] = slider_range(model, id, k);
                    let name = model.variable_names()[first + k].as_str();
                    let (place, kind) = (first + k, joint.kind.name());
                    JointData { name, place, kind, lower, upper, mimic: None }
                }));
            }
        }
    }
    all
}

/// Range of a slider: the limits of the joint, or a useful range if it has none.
pub(super) fn slider_range(model: &RobotModel, id: JointId, variable: usize) -> [f64; 2] {
    let joint = model.joint(id);
    let turns = joint.kind == JointKind::Continuous
        || (joint.kind == JointKind::Planar && variable == 2)
        || joint.kind == JointKind::Revolute;
    let reach = if turns { std::f64::consts::PI } else { 1.0 };
    match joint.kind {
        JointKind::Revolute | JointKind::Prismatic => {
            let within = |limit: f64, or: f64| if limit.is_finite() { limit } else { or };
            [within(joint.limits.lower, -reach), within(joint.limits.upper, reach)]
        }
        _ => [-reach, reach],
    }
}
