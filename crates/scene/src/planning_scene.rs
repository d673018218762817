//! The scene: a robot, what it carries, what is around it, and what may touch.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::acm::AllowedCollisionMatrix;
use crate::attached::AttachedObject;
use crate::error::SceneError;
use crate::object::SceneObject;
use crate::robot_shapes::RobotShapes;
use crate::sizes::Sizes;
use crate::world::{ObjectId, World};
use smooth_scene_robot::srdf::Semantics;
use smooth_scene_robot::{LinkId, LinkSurface, RobotModel};

/// A robot and its surroundings. A copy is a snapshot: it is cheap, shares everything, and never changes when the
/// original does. All changes go through [`apply`](PlanningScene::apply), all questions are answered for given joint
/// positions; poses are in the frame of the robot's root link.
#[derive(Debug, Clone)]
pub struct PlanningScene {
    model: Arc<RobotModel>,
    semantics: Arc<Semantics>,
    pub(crate) acm: Arc<AllowedCollisionMatrix>,
    pub(crate) sizes: Arc<Sizes>,
    pub(crate) attached: Arc<BTreeMap<Box<str>, AttachedObject>>,
    pub(crate) world: Arc<World>,
    /// Everything above but the world, prepared for queries.
    pub(crate) robot: Arc<RobotShapes>,
}

impl PlanningScene {
    /// The robot alone. Without an SRDF adjacent links may touch, and there are no groups.
    pub fn new(model: Arc<RobotModel>, semantics: Option<Semantics>) -> Result<Self, SceneError> {
        let acm = match &semantics {
            Some(semantics) => AllowedCollisionMatrix::from_semantics(&model, semantics),
            None => AllowedCollisionMatrix::adjacent(&model),
        };
        let (sizes, attached) = (Sizes::default(), BTreeMap::new());
        let robot = RobotShapes::new(&model, &acm, &sizes, &attached)?;
        Ok(Self {
            model,
            semantics: Arc::new(semantics.unwrap_or_default()),
            acm: Arc::new(acm),
            sizes: Arc::new(sizes),
            attached: Arc::new(attached),
            world: Arc::default(),
            robot: Arc::new(robot),
        })
    }

    /// The scene as it is now, for queries that run while the next one is built.
    pub fn snapshot(&self) -> Arc<PlanningScene> {
        Arc::new(self.clone())
    }

    /// The robot.
    pub fn model(&self) -> &Arc<RobotModel> {
        &self.model
    }

    /// Groups and named states.
    pub fn semantics(&self) -> &Semantics {
        &self.semantics
    }

    /// Which pairs may touch.
    pub fn acm(&self) -> &AllowedCollisionMatrix {
        &self.acm
    }

    /// Paddings, scales and margins.
    pub fn sizes(&self) -> &Sizes {
        &self.sizes
    }

    /// The objects around the robot.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The objects the robot carries, by name.
    pub fn attached(&self) -> impl ExactSizeIterator<Item = &AttachedObject> {
        self.attached.values()
    }

    /// The attached object of this name.
    pub fn attached_object(&self, name: &str) -> Option<&AttachedObject> {
        self.attached.get(name)
    }

    pub(crate) fn attached_at(&self, place: u32) -> &AttachedObject {
        let attached = self.attached.values().nth(place as usize);
        attached.expect("a body of an attached object is used with the snapshot it belongs to")
    }

    pub(crate) fn object_at(&self, id: ObjectId) -> &SceneObject {
        self.world.get(id).expect("an object is used with the snapshot it belongs to")
    }

    /// How many convex surfaces links and attached objects have together, and how many pairs of them are looked at.
    pub fn robot_size(&self) -> (usize, usize) {
        (self.robot.shapes.len(), self.robot.pairs.len())
    }

    /// Puts other surfaces on a link and returns those it had; the robot has to be prepared again.
    pub(crate) fn replace_collisions(
        &mut self,
        link: LinkId,
        collisions: Vec<LinkSurface>,
    ) -> Vec<LinkSurface> {
        Arc::make_mut(&mut self.model).replace_collisions(link, collisions)
    }

    /// Whether the robot, what it carries and what is added to its size are those of another scene, unchanged.
    pub(crate) fn has_robot_of(&self, other: &PlanningScene) -> bool {
        Arc::ptr_eq(&self.model, &other.model)
            && Arc::ptr_eq(&self.acm, &other.acm)
            && Arc::ptr_eq(&self.sizes, &other.sizes)
            && Arc::ptr_eq(&self.attached, &other.attached)
    }

    /// Prepares the robot for queries again.
    pub(crate) fn prepare_robot(&mut self) -> Result<(), SceneError> {
        let mut robot = RobotShapes::new(&self.model, &self.acm, &self.sizes, &self.attached)?;
        robot.keep_findings_of(&self.robot);
        self.robot = Arc::new(robot);
        Ok(())
    }
}

/// The same contents; slots of the world do not count.
impl PartialEq for PlanningScene {
    fn eq(&self, other: &PlanningScene) -> bool {
        self.model == other.model
            && self.semantics == other.semantics
            && self.acm == other.acm
            && self.sizes == other.sizes
            && self.attached == other.attached
            && self.world == other.world
    }
}
