//! A scene of both hands and an egg: closing fingers, distances, and what a grasp is worth.

use std::error::Error;
use std::sync::Arc;

use smooth_scene_dynamics::{GraspQuality, grasp_quality, object_options, scene_contacts};
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::Pose;
use smooth_scene_robot::srdf::Srdf;
use smooth_scene_robot::{LoadOptions, RobotState, load_urdf};
use smooth_scene_scene::{
    Between, BodyId, BodySet, CheckRequest, NearestRequest, PlanningScene, SceneObject, Workspace,
    WorldChange,
};
use smooth_scene_test_support::repository_file;

/// Surfaces this near count as touching, m.
const MARGIN: f64 = 1e-3;
const FRICTION: f64 = 0.5;
/// How far a finger closes between two looks, and at most, rad.
const STEP: f64 = 0.02;
const CLOSED: f64 = 1.4;

/// What a finger does that closes without touching the egg.
#[derive(Clone, Copy, PartialEq)]
pub enum Missed {
    StaysClosed,
    Opens,
}

pub struct Hands {
    pub scene: PlanningScene,
    pub egg: BodyId,
    ws: Workspace,
}

impl Hands {
    pub fn new() -> Result<Self, Box<dyn Error>> {
        let robot =
            load_urdf(repository_file("urdf/icub_hands_mixed.urdf"), &LoadOptions::default())?;
        let srdf = Srdf::load(repository_file("urdf/icub_hands.srdf"))?;
        let (semantics, _) = srdf.resolve(&robot.model)?;
        let mut scene = PlanningScene::new(Arc::new(robot.model), Some(semantics))?;
        let egg = Shape::superovoid([0.022, 0.022, 0.03], 1.0, 1.0, [0.2, 0.2])?;
        scene.apply(WorldChange::Add(SceneObject::simple("egg", Pose::identity(), egg)?))?;
        let egg = scene.body("egg").expect("it was just added");
        Ok(Self { scene, ws: Workspace::cold(), egg })
    }

    pub fn distance(
        &mut self,
        state: &RobotState,
        names: &[String],
    ) -> Result<f64, Box<dyn Error>> {
        let a = self.scene.body_set(names)?;
        let between = Between { a, b: Some(BodySet::of([self.egg])) };
        let check = CheckRequest { between, ..CheckRequest::default() };
        let request = NearestRequest { check, max_results: 1, ..NearestRequest::default() };
        let mut near = Vec::new();
        self.scene.nearest(state.positions(), &request, &mut self.ws, &mut near)?;
        Ok(near.first().map_or(f64::INFINITY, |pair| pair.distance.distance))
    }

    /// Closes the fingers of a side until each touches the egg or is closed.
    pub fn close(
        &mut self,
        state: &mut RobotState,
        side: &str,
        missed: Missed,
    ) -> Result<(), Box<dyn Error>> {
        for finger in ["thumb", "index", "middle", "ring", "little"] {
            let names = [format!("{side}_{finger}")];
            let joints = [1, 2, 3].map(|k| format!("{side}_{finger}_flex_{k}"));
            let open = state.clone();
            let mut angle = 0.0;
            while angle < CLOSED && self.distance(state, &names)? > 0.5 * MARGIN {
                angle += STEP;
                let before = state.clone();
                for joint in &joints {
                    let id = state.model().joint_id(joint).expect("a joint of the hand");
                    let upper = state.model().joint(id).limits.upper;
                    state.set_joint(joint, &[angle.min(upper)])?;
                }
                // Not deeper than the margin.
                if self.distance(state, &names)? < -MARGIN {
                    *state = before;
                    break;
                }
            }
            if missed == Missed::Opens && self.distance(state, &names)? > MARGIN {
                *state = open;
            }
        }
        Ok(())
    }

    pub fn judge(
        &mut self,
        state: &RobotState,
        hands: &[&str],
    ) -> Result<(usize, GraspQuality), Box<dyn Error>> {
        let hand = self.scene.body_set(hands)?.expect("at least one name");
        let positions = state.positions();
        let found = scene_contacts(
            &self.scene,
            positions,
            &hand,
            self.egg,
            MARGIN,
            FRICTION,
            &mut self.ws,
        )?;
        let object = self.scene.world().by_name("egg").expect("it is in the world");
        let options = object_options(object, 8)?;
        Ok((found.contacts.len(), grasp_quality(&found.contacts, &options)?))
    }

    pub fn touches_itself(&mut self, state: &RobotState) -> Result<bool, Box<dyn Error>> {
        let request = CheckRequest { world: false, ..CheckRequest::default() };
        Ok(self.scene.in_collision(state.positions(), &request, &mut self.ws)?)
    }
}
