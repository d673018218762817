//! A second model of the robot, for planning: its surfaces and its own collisions both contain it, so whatever either of the two
//! proves free is free.

use std::sync::{Arc, Mutex, PoisonError};

use crate::scene::{PlanningScene, SceneError};

/// The robot as it was described, with each of its models.
#[derive(Debug)]
struct TwoModels {
    /// With the surfaces that the node answers with.
    surfaces: PlanningScene,
    /// With the collisions of the URDF.
    collisions: PlanningScene,
}

/// The second model of the present robot, if there is one.
#[derive(Debug, Default)]
pub struct SecondModel {
    models: Mutex<Option<Arc<TwoModels>>>,
}

impl SecondModel {
    /// Takes both models of a new robot, as it was described.
    pub fn set(&self, surfaces: PlanningScene, collisions: PlanningScene) {
        self.replace(Some(Arc::new(TwoModels { surfaces, collisions })));
    }

    /// There is only one model.
    pub fn clear(&self) {
        self.replace(None);
    }

    /// A scene of the robot with its second model in the same surroundings. None without one, and when the scene is of another
    /// robot than the present one.
    pub fn in_place_of(&self, scene: &PlanningScene) -> Result<Option<PlanningScene>, SceneError> {
        let models = self.models.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let of_scene =
            |models: &Arc<TwoModels>| Arc::ptr_eq(models.surfaces.model(), scene.model());
        let models = models.filter(of_scene);
        models.map(|both| both.collisions.clone().in_place_of(scene, &both.surfaces)).transpose()
    }

    fn replace(&self, models: Option<Arc<TwoModels>>) {
        *self.models.lock().unwrap_or_else(PoisonError::into_inner) = models;
    }
}
