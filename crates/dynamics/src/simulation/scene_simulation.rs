//! A planning scene that moves: its robot and its objects, pushed from outside, and back to the start when asked.

use std::sync::Arc;

use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_robot::{RobotState, UrdfPhysics};
use smooth_scene_scene::PlanningScene;

use crate::contact::material::{Material, MaterialError};
use crate::energy::Energy;
use crate::error::DynamicsError;
use crate::model::{DynamicModel, MissingMass};
use crate::simulation::build::SystemBuilder;
use crate::simulation::failure::SimulationError;
use crate::simulation::run::{Integrator, Simulation};
use crate::simulation::system::{JointSprings, Owner};

/// How a scene is simulated.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneSimulationOptions {
    /// Density of objects and of links without a mass, kg/m³.
    pub density: f64,
    /// What everything is made of.
    pub material: Material,
    /// Holds the robot where it begins with springs of this frequency, Hz; `None` lets it fall.
    pub hold: Option<f64>,
    /// How time is cut into steps.
    pub integrator: Integrator,
    /// Objects of the world that stand still.
    pub fixed: Vec<String>,
}

impl Default for SceneSimulationOptions {
    /// Water-heavy rubber, a robot that is held at 5 Hz, steps of bounded error.
    fn default() -> Self {
        Self {
            density: 1000.0,
            material: Material::default(),
            hold: Some(5.0),
            integrator: Integrator::Adaptive(1e-4),
            fixed: Vec::new(),
        }
    }
}

/// Why a scene cannot be simulated.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SceneSimulationError {
    /// A number that makes no sense.
    #[error("{what} is {value}, must be positive and finite")]
    NotPositive {
        /// Which number.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// An object that is not there.
    #[error("the world has no object `{0}`")]
    NoSuchObject(String),
    /// A body that cannot be pushed.
    #[error("`{0}` is no link and no object that moves")]
    NoSuchBody(String),
    /// No joints and no free objects.
    #[error("nothing moves: the robot has no joints, and the world no free objects")]
    NothingMoves,
    /// A material that no matter has.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// Masses or a state that cannot be.
    #[error(transparent)]
    Dynamics(#[from] DynamicsError),
    /// Steps that cannot be made.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
}

/// A force that lasts.
#[derive(Debug, Clone, PartialEq)]
pub struct Push {
    /// Link or object.
    pub body: String,
    /// Where it acts, in the frame of the body: it moves with it.
    pub point_b: Vec3,
    /// Force, N, world frame.
    pub force_w: Vec3,
    /// How long it lasts, s of simulated time.
    pub seconds: f64,
}

/// A push that acts.
#[derive(Debug, Clone)]
struct Acting {
    owner: Owner,
    push: Push,
    until: f64,
}

/// A force is given as impulses this far apart, s.
const SLICE: f64 = 1e-3;

/// A scene in motion.
#[derive(Debug, Clone)]
pub struct SceneSimulation {
    start: Simulation,
    now: Simulation,
    pushes: Vec<Acting>,
}

impl SceneSimulation {
    /// The robot of a scene at rest in a state, and the objects of its world at rest where they are: half-spaces and fixed ones stand still.
    pub fn new(
        scene: &PlanningScene,
        physics: &UrdfPhysics,
        state: &RobotState,
        options: &SceneSimulationOptions,
    ) -> Result<Self, SceneSimulationError> {
        let hold = options.hold.unwrap_or(1.0);
        for (what, value) in [("density", options.density), ("hold", hold)] {
            // Written so that NaN is refused too.
            if !(value > 0.0 && value.is_finite()) {
                return Err(SceneSimulationError::NotPositive { what, value });
            }
        }
        if let Some(name) = options.fixed.iter().find(|name| scene.world().find(name).is_none()) {
            return Err(SceneSimulationError::NoSuchObject(name.clone()));
        }
        let missing = MissingMass::FromSurfaces(options.density);
        let dynamic = DynamicModel::new(Arc::clone(scene.model()), physics, missing)?;
        let springs = JointSprings { hold_frequency: options.hold, ..JointSprings::default() };
        let mut builder = SystemBuilder::new(options.material)?.springs(springs);
        let is_fixed = |name: &str| options.fixed.iter().any(|fixed| fixed == name);
        builder.add_world(scene, options.density, is_fixed)?;
        builder.add_robot(scene, dynamic, state)?;
        let (system, state) = builder.build();
        if state.bodies.is_empty() && state.velocities.is_empty() {
            return Err(SceneSimulationError::NothingMoves);
        }
        let mut start = Simulation::new(system, state, options.integrator)?;
        // A joint without inertia is told now rather than at the first step.
        start.clone().advance_to(1e-9, &|| false)?;
        start.energy()?;
        Ok(Self { now: start.clone(), start, pushes: Vec::new() })
    }

    /// The simulation.
    pub fn simulation(&self) -> &Simulation {
        &self.now
    }

    /// Kinetic and potential energy, and what contacts and springs of joints hold, J.
    pub fn energy(&mut self) -> Result<(Energy, f64), SimulationError> {
        self.now.energy()
    }

    /// The free objects and where they are.
    pub fn object_poses(&self) -> impl Iterator<Item = (&str, Pose)> {
        let (system, state) = (self.now.system(), self.now.state());
        system
            .bodies()
            .iter()
            .zip(&state.bodies)
            .map(|(body, at)| (body.name.as_str(), body.pose(at)))
    }

    /// Goes on to a time unless `stop` says so between two steps; pushes act on the way.
    pub fn advance_to(&mut self, end: f64, stop: &dyn Fn() -> bool) -> Result<(), SimulationError> {
        // What is left below the resolution of the clock is not a step.
        while end - self.now.time() > 1e-12 * end.abs().max(1.0) && !stop() {
            let now = self.now.time();
            self.pushes.retain(|push| push.until > now);
            let next = if self.pushes.is_empty() { end } else { end.min(now + SLICE) };
            for push in &self.pushes {
                let failed = |source| SimulationError::Dynamics { time: now, source };
                let pose = self.now.owner_pose(push.owner).map_err(failed)?;
                let point_w = pose.rotation * push.push.point_b + pose.translation.vector;
                let impulse = push.push.force_w * (next.min(push.until) - now);
                self.now.apply_impulse(push.owner, &point_w, &impulse).map_err(failed)?;
            }
            self.now.advance_to(next, stop)?;
        }
        Ok(())
    }

    /// Back to the start.
    pub fn reset(&mut self) {
        self.now = self.start.clone();
        self.pushes.clear();
    }

    /// Lets a force act from now on, in place of one that acts on the same body.
    pub fn push(&mut self, push: Push) -> Result<(), SceneSimulationError> {
        let owner = self.owner(&push.body)?;
        if !(push.seconds > 0.0 && push.seconds.is_finite()) {
            let (what, value) = ("duration of the push", push.seconds);
            return Err(SceneSimulationError::NotPositive { what, value });
        }
        self.pushes.retain(|acting| acting.owner != owner);
        let until = self.now.time() + push.seconds;
        self.pushes.push(Acting { owner, push, until });
        Ok(())
    }

    /// Gives an impulse (N·s, world frame) at a point in the frame of the body.
    pub fn kick(
        &mut self,
        body: &str,
        point_b: &Vec3,
        impulse_w: &Vec3,
    ) -> Result<(), SceneSimulationError> {
        let owner = self.owner(body)?;
        let pose = self.now.owner_pose(owner)?;
        let point_w = pose.rotation * point_b + pose.translation.vector;
        Ok(self.now.apply_impulse(owner, &point_w, impulse_w)?)
    }

    /// Whether a body of this name can be pushed.
    pub fn owner(&self, body: &str) -> Result<Owner, SceneSimulationError> {
        let system = self.now.system();
        if let Some(place) = system.bodies().iter().position(|free| free.name == body) {
            return Ok(Owner::Body(place));
        }
        let link = system.robot().and_then(|model| model.robot().link_id(body));
        link.map(Owner::Link).ok_or_else(|| SceneSimulationError::NoSuchBody(body.to_owned()))
    }
}
