//! World files: the objects around a robot and those it carries, as YAML.
//!
//! ```yaml
//! - id: table
//!   pose: {xyz: [0.6, 0, 0.4], rpy: [0, 0, 0.3]}   # in the frame of the robot's root link
//!   shapes:
//!     - {type: box, size: [1.2, 0.8, 0.04]}
//!     - {type: cylinder, radius: 0.03, length: 0.4, pose: {xyz: [0.5, 0.3, -0.22]}}
//! - id: cup
//!   shape: {type: superellipsoid, radii: [0.04, 0.04, 0.06], exponent_xy: 1, exponent_z: 0.3}
//!   link: hand                                     # carried by this link; the pose is that in the link
//!   touch_links: [finger_1, finger_2]
//!   pose: {xyz: [0, 0, 0.1]}
//! ```
//!
//! Shapes and poses are those of [`smooth_scene_robot::values`]. MoveIt's scenes as YAML, as MotionBenchMaker and
//! robowflex write them and `ros2 topic echo` prints them, are read too.

mod error;
mod moveit;
mod own;
mod write;

use std::path::Path;

use smooth_scene_robot::values::{Refusal, Value, WHOLE_FILE, load_yaml, read_yaml};
use smooth_scene_robot::{LinkId, RobotModel};

use crate::{
    AttachedObject, PlanningScene, RobotChange, SceneChange, SceneError, SceneObject, WorldChange,
};
pub use error::WorldFileError;

/// Largest file, in bytes.
const MAX_BYTES: u64 = 64 << 20;
/// A common name for the frame of the root.
const WORLD: &str = "world";

/// The contents of a world file.
#[derive(Debug, Clone, PartialEq)]
pub struct WorldFile {
    /// Its name in messages.
    label: String,
    objects: Vec<WorldObject>,
    notes: Vec<String>,
}

/// An object of a world file.
#[derive(Debug, Clone, PartialEq)]
pub struct WorldObject {
    /// The object. Its pose is that in the root of the robot, or in the link it is attached to.
    pub object: SceneObject,
    /// Where it is.
    pub place: ObjectPlace,
}

/// Where an object of a world file is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ObjectPlace {
    /// In the world. MoveIt's files may name the frame: the root link, `world`, or nothing.
    World {
        /// Name of the frame, or empty.
        frame: String,
    },
    /// Fixed to a link.
    Link {
        /// Name of the link.
        link: String,
        /// Names of other links it may touch.
        touch_links: Vec<String>,
    },
}

impl WorldFile {
    /// Reads a file.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, WorldFileError> {
        let label = path.as_ref().display().to_string();
        let value = load_yaml(path.as_ref(), MAX_BYTES);
        Self::from_value(value, label)
    }

    /// Reads a text. `label` is its name in messages.
    pub fn parse(text: &str, label: &str) -> Result<Self, WorldFileError> {
        let value = match text.len() as u64 > MAX_BYTES {
            true => Err(Refusal::new(WHOLE_FILE, format!("larger than {MAX_BYTES} bytes"))),
            false => read_yaml(text),
        };
        Self::from_value(value, label.into())
    }

    fn from_value(value: Result<Value, Refusal>, label: String) -> Result<Self, WorldFileError> {
        let refused = |refusal| WorldFileError::Refused { file: label.clone(), refusal };
        let value = value.map_err(refused)?;
        let (objects, notes) = match &value {
            Value::List(_) => (own::objects(&value).map_err(refused)?, Vec::new()),
            Value::Map(_) => moveit::objects(&value).map_err(refused)?,
            other => {
                let reason =
                    format!("is {}, must be a list of objects or a scene of MoveIt", other.kind());
                return Err(refused(Refusal::new(WHOLE_FILE, reason)));
            }
        };
        let mut names = std::collections::HashSet::new();
        if let Some(twice) = objects.iter().find(|object| !names.insert(object.object.name())) {
            let reason = format!("object `{}` appears twice", twice.object.name());
            return Err(refused(Refusal::new(WHOLE_FILE, reason)));
        }
        Ok(Self { label, objects, notes })
    }

    /// The world and the attached objects of a scene, sorted by name.
    pub fn of_scene(scene: &PlanningScene) -> Self {
        let world = scene.world().iter().map(|(_, object)| WorldObject {
            object: object.clone(),
            place: ObjectPlace::World { frame: String::new() },
        });
        let attached = scene.attached().map(|attached| attached_object(scene.model(), attached));
        let mut objects: Vec<WorldObject> = world.chain(attached).collect();
        objects.sort_by(|a, b| a.object.name().cmp(b.object.name()));
        Self { label: "scene".into(), objects, notes: Vec::new() }
    }

    /// These objects, which have different names.
    pub fn of_objects(objects: Vec<WorldObject>) -> Self {
        Self { label: "objects".into(), objects, notes: Vec::new() }
    }

    /// The objects, in the order of the file.
    pub fn objects(&self) -> &[WorldObject] {
        &self.objects
    }

    /// What the file says and was not used, one sentence each.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Adds the objects to a scene: all of them, or none when one is refused. Returns the change that takes them away.
    pub fn add_to(&self, scene: &mut PlanningScene) -> Result<SceneChange, WorldFileError> {
        self.apply_after(Vec::new(), scene)
    }

    /// Puts the objects in the place of the scene's world and attached objects. Returns the change that takes it back.
    pub fn replace_in(&self, scene: &mut PlanningScene) -> Result<SceneChange, WorldFileError> {
        let detach = scene
            .attached()
            .map(|attached| RobotChange::Detach { name: attached.object.name().into() }.into());
        self.apply_after(detach.chain([WorldChange::RemoveAll.into()]).collect(), scene)
    }

    /// The changes that add the objects to a scene of this robot.
    pub fn changes(&self, model: &RobotModel) -> Result<Vec<SceneChange>, WorldFileError> {
        self.objects.iter().map(|object| self.change(object, model)).collect()
    }

    fn apply_after(
        &self,
        mut changes: Vec<SceneChange>,
        scene: &mut PlanningScene,
    ) -> Result<SceneChange, WorldFileError> {
        let before = changes.len();
        changes.extend(self.changes(scene.model())?);
        scene.apply(SceneChange::Several(changes)).map_err(|error| {
            let file = self.label.clone();
            match error {
                SceneError::InSeveral { place, source, .. } if place > before => {
                    let name = self.objects[place - 1 - before].object.name().into();
                    WorldFileError::Object { file, name, source }
                }
                source => WorldFileError::Scene { file, source: Box::new(source) },
            }
        })
    }

    fn change(
        &self,
        WorldObject { object, place }: &WorldObject,
        model: &RobotModel,
    ) -> Result<SceneChange, WorldFileError> {
        match place {
            ObjectPlace::World { frame } => {
                let root = model.link(model.root()).name.as_str();
                let is_world = frame == WORLD && model.link_id(WORLD).is_none();
                if frame.is_empty() || frame == root || is_world {
                    return Ok(WorldChange::Add(object.clone()).into());
                }
                let reason = format!(
                    "is in the frame `{frame}`, must be in `{root}`, the root of the robot"
                );
                let refusal = Refusal::new(&format!("object `{}`", object.name()), reason);
                Err(WorldFileError::Refused { file: self.label.clone(), refusal })
            }
            ObjectPlace::Link { link, touch_links } => Ok(RobotChange::Attach {
                object: object.clone(),
                link: link.clone(),
                touch_links: touch_links.clone(),
            }
            .into()),
        }
    }
}

fn attached_object(model: &RobotModel, attached: &AttachedObject) -> WorldObject {
    let name = |link: LinkId| model.link(link).name.clone();
    let others = attached.touch_links.iter().filter(|link| **link != attached.link);
    let place = ObjectPlace::Link {
        link: name(attached.link),
        touch_links: others.map(|link| name(*link)).collect(),
    };
    WorldObject { object: attached.object.clone(), place }
}
