//! Systems made of their parts, or of a planning scene.

use std::collections::BTreeSet;

use crate::contact::material::{Material, MaterialError};
use crate::error::DynamicsError;
use crate::mass::{MassError, Moments};
use crate::model::{DynamicModel, STANDARD_GRAVITY};
use crate::simulation::state::{BodyState, SystemState};
use crate::simulation::system::{FreeBody, JointSprings, Owner, Surface, System};
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_robot::{JointKind, LinkId, LinkPoses, RobotModel, RobotState};
use smooth_scene_scene::{PlanningScene, SceneObject};

/// Puts a system together.
#[derive(Debug, Clone)]
pub struct SystemBuilder {
    system: System,
    state: SystemState,
    /// Pairs of names that may not touch are all; these may, and are not looked at.
    allowed: BTreeSet<[String; 2]>,
}

impl SystemBuilder {
    /// Nothing, under standard gravity.
    pub fn new(material: Material) -> Result<Self, MaterialError> {
        let system = System {
            robot: None,
            bodies: Vec::new(),
            surfaces: Vec::new(),
            pairs: Vec::new(),
            gravity: STANDARD_GRAVITY,
            material: material.checked()?,
            springs: JointSprings::default(),
        };
        Ok(Self { system, state: SystemState::default(), allowed: BTreeSet::new() })
    }

    /// Another gravity, m/s².
    #[must_use]
    pub fn gravity(mut self, gravity: Vec3) -> Self {
        self.system.gravity = gravity;
        self
    }

    /// How joints answer at their limits, and whether they are held.
    #[must_use]
    pub fn springs(mut self, springs: JointSprings) -> Self {
        self.system.springs = springs;
        self
    }

    /// Adds something that stands still.
    pub fn add_fixed(&mut self, name: &str, pose: Pose, shape: Shape) {
        self.add_surfaces(Owner::World, name, [(pose, shape)]);
    }

    /// Adds a body made of one shape at its origin, filled with matter of a density (kg/m³), and returns its place.
    pub fn add_body(
        &mut self,
        name: &str,
        shape: Shape,
        density: f64,
        pose: &Pose,
        velocity_w: Vec3,
        angular_w: Vec3,
    ) -> Result<usize, DynamicsError> {
        let parts = vec![(Pose::identity(), shape)];
        let body = free_body(name, &parts, density)?;
        let state = body.state(pose, velocity_w, angular_w);
        Ok(self.add(body, state, parts))
    }

    /// Adds an object of a scene as a free body at rest, filled with matter of a density.
    pub fn add_object(
        &mut self,
        object: &SceneObject,
        density: f64,
    ) -> Result<usize, DynamicsError> {
        let parts = parts_of(object);
        let body = free_body(object.name(), &parts, density)?;
        let state = body.state(object.pose(), Vec3::zeros(), Vec3::zeros());
        Ok(self.add(body, state, parts))
    }

    /// Adds a body of an inertia that was measured elsewhere, with surfaces in its frame.
    pub fn add(&mut self, body: FreeBody, state: BodyState, parts: Vec<(Pose, Shape)>) -> usize {
        let place = self.system.bodies.len();
        self.add_surfaces(Owner::Body(place), &body.name.clone(), parts);
        self.system.bodies.push(body);
        self.state.bodies.push(state);
        place
    }

    /// Adds the objects of a scene's world: half-spaces and those for which `is_fixed` stand still, others are free bodies.
    pub fn add_world(
        &mut self,
        scene: &PlanningScene,
        density: f64,
        is_fixed: impl Fn(&str) -> bool,
    ) -> Result<(), DynamicsError> {
        let mut objects: Vec<&SceneObject> =
            scene.world().iter().map(|(_, object)| object).collect();
        objects.sort_by(|a, b| a.name().cmp(b.name()));
        for object in objects {
            let parts = parts_of(object);
            let is_plane = parts.iter().any(|(_, shape)| matches!(shape, Shape::HalfSpace(_)));
            if is_plane || is_fixed(object.name()) {
                let posed = parts.into_iter().map(|(local, shape)| (object.pose() * local, shape));
                self.add_surfaces(Owner::World, object.name(), posed);
            } else {
                self.add_object(object, density)?;
            }
        }
        Ok(())
    }

    /// Adds the robot of a scene at rest in a state, with what it carries as part of its links' surfaces, but not of their mass.
    /// Pairs that the scene allows to touch do not.
    pub fn add_robot(
        &mut self,
        scene: &PlanningScene,
        dynamic: DynamicModel,
        state: &RobotState,
    ) -> Result<(), DynamicsError> {
        let model = scene.model();
        let poses = state.link_poses()?;
        for id in model.link_ids() {
            let link = model.link(id);
            let parts = link.collisions.iter().map(|s| (s.pose_in_link, s.shape.clone()));
            self.add_link_surfaces(model, &poses, id, &link.name, parts);
        }
        for attached in scene.attached() {
            let object = &attached.object;
            let parts = parts_of(object);
            let posed = parts.into_iter().map(|(local, shape)| (object.pose() * local, shape));
            self.add_link_surfaces(model, &poses, attached.link, object.name(), posed);
        }
        let names: BTreeSet<String> = self.system.surfaces.iter().map(|s| s.name.clone()).collect();
        for a in &names {
            for b in names.range(a.clone()..) {
                if scene.acm().decide(a, b).allowed {
                    self.allowed.insert([a.clone(), b.clone()]);
                }
            }
        }
        self.system.gravity = dynamic.gravity;
        self.state.positions = state.positions().to_vec();
        self.state.velocities = vec![0.0; model.velocity_count()];
        self.system.robot = Some(dynamic);
        Ok(())
    }

    /// Links that no joint moves belong to the world.
    fn add_link_surfaces(
        &mut self,
        model: &RobotModel,
        poses: &LinkPoses,
        link: LinkId,
        name: &str,
        parts: impl IntoIterator<Item = (Pose, Shape)>,
    ) {
        let above = model.joints_up_to(link, model.root());
        if above.iter().any(|joint| model.joint(*joint).kind != JointKind::Fixed) {
            return self.add_surfaces(Owner::Link(link), name, parts);
        }
        let posed = parts.into_iter().map(|(local, shape)| (poses[link] * local, shape));
        self.add_surfaces(Owner::World, name, posed.collect::<Vec<_>>());
    }

    fn add_surfaces(
        &mut self,
        owner: Owner,
        name: &str,
        parts: impl IntoIterator<Item = (Pose, Shape)>,
    ) {
        for (pose, shape) in parts {
            let whole = Surface::new(owner, pose, shape, name);
            match &whole.shape {
                Shape::Compound(compound) => {
                    let parts: Vec<(Pose, Shape)> = compound.parts().to_vec();
                    let posed = parts.into_iter().map(|(local, part)| (pose * local, part));
                    self.add_surfaces(owner, name, posed.collect::<Vec<_>>());
                }
                _ => self.system.surfaces.push(whole),
            }
        }
    }

    /// The system and its first state.
    pub fn build(mut self) -> (System, SystemState) {
        let surfaces = &self.system.surfaces;
        let mut pairs = Vec::new();
        for (i, a) in (0u32..).zip(surfaces) {
            for (j, b) in (0u32..).zip(surfaces).skip(i as usize + 1) {
                let mut names = [a.name.clone(), b.name.clone()];
                names.sort();
                if a.owner == b.owner || self.allowed.contains(&names) {
                    continue;
                }
                let is_plane = matches!(a.shape, Shape::HalfSpace(_));
                pairs.push(if is_plane { [j, i] } else { [i, j] });
            }
        }
        self.system.pairs = pairs;
        (self.system, self.state)
    }
}

fn parts_of(object: &SceneObject) -> Vec<(Pose, Shape)> {
    let mut parts = Vec::new();
    object.for_each_part(|pose, shape| parts.push((*pose, shape.clone())));
    parts
}

fn free_body(name: &str, parts: &[(Pose, Shape)], density: f64) -> Result<FreeBody, DynamicsError> {
    let failed = |source| DynamicsError::ObjectMass { object: name.into(), source };
    let mut sum: Option<Moments> = None;
    for (pose, shape) in parts {
        let moments = Moments::of(shape).map_err(failed)?.posed(pose);
        sum = Some(sum.map_or(moments, |sum| sum.plus(&moments)));
    }
    let sum = sum.ok_or_else(|| failed(MassError::Flat { kind: "object without shapes" }))?;
    let inertia = sum.filled(density).map_err(failed)?;
    FreeBody::new(name, &inertia).ok_or_else(|| failed(MassError::Flat { kind: "body" }))
}
