//! What falls: superellipsoids and superovoids, rounder at first and more angular and tapered with each level.

use std::sync::Arc;

use crate::error::ViewError;
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Pose, Vec3, rotation_from_vector};
use smooth_scene_robot::StateSampler;
use smooth_scene_scene::SceneObject;

/// Radii as shares of the hand's reach, and how unequal they may be.
const SIZE: f64 = 0.11;
const SPREAD: f64 = 0.35;
/// Levels until shapes are as different as they get.
const LAST_LEVEL: f64 = 6.0;

/// A falling body.
#[derive(Debug, Clone)]
pub(crate) struct Body {
    pub name: String,
    pub shape: Arc<Shape>,
    pub pose: Pose,
    /// Whether it is to be caught.
    pub wanted: bool,
    /// Axis times speed of its turn, rad/s.
    spin: Vec3,
}

impl Body {
    /// A new one at this place.
    pub fn random(
        number: u64,
        at: Vec3,
        reach: f64,
        level: u32,
        wanted: bool,
        random: &mut StateSampler,
    ) -> Result<Self, ViewError> {
        let mut between = |least: f64, most: f64| least + (most - least) * random.uniform();
        let oddity = (f64::from(level) / LAST_LEVEL).min(1.0);
        let radii = [0; 3].map(|_| reach * SIZE * between(1.0 - SPREAD, 1.0 + SPREAD));
        let exponents = [0; 2].map(|_| between(1.0 - 0.8 * oddity, 1.0 + 0.3 * oddity));
        let taper = [0; 2].map(|_| 0.4 * oddity * between(-1.0, 1.0));
        let is_ovoid = between(0.0, 1.0) < 0.5;
        let shape = match is_ovoid {
            true => Shape::superovoid(radii, exponents[0], exponents[1], taper)?,
            false => Shape::superellipsoid(radii, exponents[0], exponents[1])?,
        };
        let turn = Vec3::from([0; 3].map(|_| between(-1.5, 1.5)));
        let spin = Vec3::from([0; 3].map(|_| between(-1.5, 1.5)));
        let pose = Pose::from_parts(at.into(), rotation_from_vector(&turn));
        Ok(Self { name: format!("falling_{number}"), shape: Arc::new(shape), pose, wanted, spin })
    }

    /// Falls for a while.
    pub fn fall(&mut self, speed: f64, seconds: f64) {
        self.pose.translation.vector.z -= speed * seconds;
        self.pose.rotation = rotation_from_vector(&(self.spin * seconds)) * self.pose.rotation;
        self.pose.rotation.renormalize();
    }

    /// As an object of a scene.
    pub fn object(&self) -> Result<SceneObject, ViewError> {
        Ok(SceneObject::simple(&self.name, self.pose, Shape::clone(&self.shape))?)
    }
}
