//! How time goes on: steps, contact instants, and what is recorded of them.

use crate::complementarity::solve::Solved;
use crate::contact::find::distance_within;
use crate::energy::Energy;
use crate::error::DynamicsError;
use crate::simulation::adaptive::try_step;
use crate::simulation::drive::{JointDrive, PlacedDrive};
use crate::simulation::failure::SimulationError;
use crate::simulation::forces::{ContactForce, Memory};
use crate::simulation::rigid_step;
use crate::simulation::semi_implicit;
use crate::simulation::state::SystemState;
use crate::simulation::system::System;
use smooth_scene_query::{MotionGoal, MotionOptions, RigidMotion, time_of_impact};

/// How time is cut into steps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Integrator {
    /// Semi-implicit steps of this length, s.
    SemiImplicit(f64),
    /// Steps of order five whose error stays below this tolerance, in each number relative to one plus its size. Every contact
    /// begins at the end of a step.
    Adaptive(f64),
    /// Steps of this length, s, with rigid contacts: a complementarity problem with Coulomb friction, solved by projected
    /// Gauss–Seidel. Restitution is Newton's, joints stop at their limits, dry friction of joints holds. Stiffness, contact law and
    /// creep speed do not count.
    Complementarity(f64),
}

/// How well the complementarity problems were solved.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SolverRecord {
    /// Largest residual of any step, m/s or rad/s.
    pub residual: f64,
    /// Sweeps over all constraints, of all steps together.
    pub sweeps: u64,
}

/// Residual above which a step counts as not solved, m/s or rad/s.
const GIVE_UP: f64 = 1e-2;

/// Longest step of the adaptive integrator, s.
const LONGEST: f64 = 0.02;
/// Shortest step of the adaptive integrator, s. A system that needs a shorter one is given up.
const SHORTEST: f64 = 1e-12;
/// How deep a contact may lie at the end of the step that ends at its instant, in multiples of the distance that could be covered.
const INSTANT: f64 = 1e-9;

/// A contact that began.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactBegin {
    /// When, s.
    pub time: f64,
    /// Which pair of the system.
    pub pair: usize,
    /// Closing speed, m/s.
    pub speed: f64,
}

/// A system at a time.
#[derive(Debug, Clone)]
pub struct Simulation {
    system: System,
    state: SystemState,
    time: f64,
    integrator: Integrator,
    memory: Memory,
    next_step: f64,
    begun: Vec<ContactBegin>,
    steps: u64,
    solver: SolverRecord,
}

impl Simulation {
    /// A system at time zero.
    pub fn new(
        system: System,
        state: SystemState,
        integrator: Integrator,
    ) -> Result<Self, SimulationError> {
        let (what, value) = match integrator {
            Integrator::SemiImplicit(step) | Integrator::Complementarity(step) => ("step", step),
            Integrator::Adaptive(tolerance) => ("tolerance", tolerance),
        };
        // Written so that NaN is refused too.
        if !(value > 0.0 && value.is_finite()) {
            return Err(SimulationError::BadStep { what, value });
        }
        let memory = Memory::new(&system, &state).map_err(|source| at(0.0, source))?;
        let (begun, steps) = (Vec::new(), 0);
        let (time, next_step, solver) = (0.0, 1e-4, SolverRecord::default());
        Ok(Self { system, state, time, integrator, memory, next_step, begun, steps, solver })
    }

    /// The system.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// The state now.
    pub fn state(&self) -> &SystemState {
        &self.state
    }

    /// The state now, for what happens from outside between two steps.
    pub(crate) fn state_mut(&mut self) -> &mut SystemState {
        &mut self.state
    }

    /// The time, s.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Contacts that began, in the order of time.
    pub fn begun(&self) -> &[ContactBegin] {
        &self.begun
    }

    /// Steps so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Drives a joint of the robot from now on; a drive that it has is replaced.
    pub fn drive(&mut self, joint: &str, drive: JointDrive) -> Result<(), DynamicsError> {
        let reason = "there is no robot";
        let missing = || DynamicsError::Drive { joint: joint.to_string(), reason };
        let robot = self.system.robot.as_ref().ok_or_else(missing)?.robot();
        let placed = PlacedDrive::new(robot, joint, drive)?;
        let drives = &mut self.memory.drives;
        match drives.iter_mut().find(|old| old.velocity == placed.velocity) {
            Some(old) => *old = placed,
            None => drives.push(placed),
        }
        Ok(())
    }

    /// How well complementarity problems were solved so far; zeros of other integrators.
    pub fn solver_record(&self) -> SolverRecord {
        self.solver
    }

    /// The contact forces now; of rigid contacts those of the last step.
    pub fn contacts(&mut self) -> Result<Vec<ContactForce>, SimulationError> {
        if let Integrator::Complementarity(_) = self.integrator {
            return Ok(self.memory.saved.clone());
        }
        let placed = self.system.place(&self.state).map_err(|source| at(self.time, source))?;
        Ok(self.system.contact_forces(&self.state, &placed, &mut self.memory).contacts)
    }

    /// Kinetic and potential energy, and what contacts and springs of joints hold, J.
    pub fn energy(&mut self) -> Result<(Energy, f64), SimulationError> {
        let now = self.time;
        let failed = |source| at(now, source);
        let stored = match self.integrator {
            Integrator::Complementarity(_) => {
                self.system.held_joints(&self.state, &self.memory, 0.0).map_err(failed)?.energy
            }
            _ => {
                let placed = self.system.place(&self.state).map_err(failed)?;
                let contacts = self.system.contact_forces(&self.state, &placed, &mut self.memory);
                let springs = self.system.joint_springs(&self.state, &self.memory, 0.0);
                contacts.elastic + springs.map_err(failed)?.energy
            }
        };
        self.system.energy(&self.state, stored).map_err(failed)
    }

    /// Goes on to a time, which the last step ends at exactly; with `stop` true, ends between two steps.
    pub fn advance_to(&mut self, end: f64, stop: &dyn Fn() -> bool) -> Result<(), SimulationError> {
        // What is left below the resolution of the clock is not a step.
        while end - self.time > 1e-13 * end.abs().max(1.0) && !stop() {
            let left = end - self.time;
            let done = match self.integrator {
                Integrator::SemiImplicit(step) => self.fixed_step(step.min(left))?,
                Integrator::Adaptive(tolerance) => self.adaptive_step(left, tolerance)?,
                Integrator::Complementarity(step) => self.rigid_step(step.min(left))?,
            };
            self.time = if done >= left { end } else { self.time + done };
            self.steps += 1;
            if !self.state.to_vector().iter().all(|x| x.is_finite()) {
                return Err(SimulationError::NotFinite { time: self.time });
            }
        }
        Ok(())
    }

    fn fixed_step(&mut self, length: f64) -> Result<f64, SimulationError> {
        let forces = semi_implicit::step(&self.system, &mut self.state, length, &mut self.memory)
            .map_err(|source| at(self.time, source))?;
        self.remember(&forces.closing);
        Ok(length)
    }

    fn rigid_step(&mut self, length: f64) -> Result<f64, SimulationError> {
        let (system, time) = (&self.system, self.time);
        let done = rigid_step::step(system, &mut self.state, length, GIVE_UP, &mut self.memory)
            .map_err(|source| at(time, source))?;
        let Solved { sweeps, residual, .. } = done.solved;
        if !done.solved.is_within(GIVE_UP) {
            let place = match done.worst_pair.map(|pair| system.pair_names(pair)) {
                Some([a, b]) => format!("the contact of `{a}` and `{b}`"),
                None => "a joint".to_string(),
            };
            return Err(SimulationError::NotSolved { time, sweeps, residual, place });
        }
        self.solver.residual = self.solver.residual.max(residual);
        self.solver.sweeps += u64::from(sweeps);
        self.remember(&done.forces.closing);
        Ok(length)
    }

    /// Which pairs touch now: the closing speed of those that are new is kept.
    fn remember(&mut self, closing: &[(usize, f64)]) {
        let mut touching = closing.iter().peekable();
        for (pair, impact) in self.memory.impact.iter_mut().enumerate() {
            match touching.next_if(|(touched, _)| *touched == pair) {
                None => *impact = None,
                Some((_, speed)) if impact.is_none() => {
                    *impact = Some(*speed);
                    self.begun.push(ContactBegin { time: self.time, pair, speed: *speed });
                }
                Some(_) => {}
            }
        }
    }

    /// One step of at most `left`, which ends where the first new contact begins.
    fn adaptive_step(&mut self, left: f64, tolerance: f64) -> Result<f64, SimulationError> {
        let now = self.time;
        let failed = |source| at(now, source);
        let (mut length, is_cut) = match self.next_step.min(LONGEST) {
            step if step < left => (step, false),
            _ => (left, true),
        };
        // 1. A step whose error is tolerated.
        let mut tried = loop {
            let tried = try_step(&self.system, &self.state, length, tolerance, &mut self.memory)
                .map_err(failed)?;
            if tried.error <= 1.0 {
                break tried;
            }
            if length <= SHORTEST {
                let (time, step, error) = (self.time, length, tried.error);
                let contact = self.deepest_contact()?;
                return Err(SimulationError::StepTooShort { time, step, error, contact });
            }
            length *= (0.9 * tried.error.powf(-0.2)).clamp(0.1, 0.9);
        };
        let growth = (0.9 * tried.error.max(1e-10).powf(-0.2)).clamp(0.2, 5.0);
        // A step cut short by the end says little about the next.
        self.next_step = if is_cut { self.next_step.max(length * growth) } else { length * growth };
        // 2. If a contact begins in it, a shorter one that ends there.
        if let Some(instant) = self.first_contact(&tried.state, length, tolerance)? {
            length = instant;
            tried = try_step(&self.system, &self.state, length, tolerance, &mut self.memory)
                .map_err(failed)?;
        }
        self.state = tried.state;
        // 3. Contacts now.
        let placed = self.system.place(&self.state).map_err(failed)?;
        let closing = self.system.contact_forces(&self.state, &placed, &mut self.memory).closing;
        let before = self.time;
        self.time += length;
        self.remember(&closing);
        self.time = before;
        Ok(length)
    }

    fn deepest_contact(&mut self) -> Result<String, SimulationError> {
        let contacts = self.contacts()?;
        let deepest = contacts.iter().max_by(|a, b| a.depth.total_cmp(&b.depth));
        Ok(match deepest {
            None => "nothing touches".to_string(),
            Some(contact) => {
                let [a, b] = self.system.pair_names(contact.pair);
                format!("the deepest contact, of `{a}` and `{b}`, is {:.3e} m deep", contact.depth)
            }
        })
    }

    /// When in a step that ends in `after` the first pair that was apart touches: the end of a shorter step at which it lies just
    /// inside. Pairs that are apart at both ends are looked at by the continuous query.
    fn first_contact(
        &mut self,
        after: &SystemState,
        length: f64,
        tolerance: f64,
    ) -> Result<Option<f64>, SimulationError> {
        let now = self.time;
        let failed = |source| at(now, source);
        let before = self.system.place(&self.state).map_err(failed)?;
        let ended = self.system.place(after).map_err(failed)?;
        // Velocities change within a step; twice the larger of both ends bounds what a tolerated step can hide.
        let mut near = self.system.distances(&before, 2.0 * length, &mut self.memory);
        let later = self.system.distances(&ended, 2.0 * length, &mut self.memory);
        for found in later {
            if !near.iter().any(|(pair, ..)| *pair == found.0) {
                near.push((found.0, f64::INFINITY, found.2));
            }
        }
        let mut first: Option<f64> = None;
        for (pair, gap, bound) in near {
            if self.memory.impact[pair].is_some() || gap <= 0.0 {
                continue;
            }
            let limit = first.unwrap_or(length);
            if let Some(found) = self.instant(pair, after, limit, length, bound, tolerance)? {
                first = Some(first.map_or(found, |time| time.min(found)));
            }
        }
        Ok(first.filter(|time| *time < length))
    }

    /// When a pair begins to touch within `limit`.
    fn instant(
        &mut self,
        pair: usize,
        after: &SystemState,
        limit: f64,
        length: f64,
        bound: f64,
        tolerance: f64,
    ) -> Result<Option<f64>, SimulationError> {
        let now = self.time;
        let failed = |source| at(now, source);
        let ended = self.system.place(after).map_err(failed)?;
        let end = self.pair_distance(pair, &ended);
        let mut upper = length;
        if end > 0.0 {
            let before = self.system.place(&self.state).map_err(failed)?;
            let [a, b] = self.system.pair_poses(&before, pair);
            let [a1, b1] = self.system.pair_poses(&ended, pair);
            let options = MotionOptions { goal: MotionGoal::FirstContact, ..Default::default() };
            let motions = [RigidMotion::between(a.1, a1.1), RigidMotion::between(b.1, b1.1)];
            let found = time_of_impact(a.0, &motions[0], b.0, &motions[1], &options);
            let Some(time) = found.time else { return Ok(None) };
            upper = (found.closest_time.max(time) * length).min(length);
        }
        let aim = INSTANT * bound.max(1e-3) * length;
        let (mut low, mut high) = (0.0, upper);
        let mut state = self.system_at(high, tolerance)?;
        if self.pair_distance(pair, &self.system.place(&state).map_err(failed)?) > 0.0 {
            // The straight motion of the query touched, the true one does not.
            return Ok(None);
        }
        // Bisection: halving until the pair lies less than the aim inside, or the interval is as short as a step may be.
        while high - low > SHORTEST {
            let middle = 0.5 * (low + high);
            state = self.system_at(middle, tolerance)?;
            let distance = self.pair_distance(pair, &self.system.place(&state).map_err(failed)?);
            if distance > 0.0 {
                low = middle;
            } else {
                high = middle;
                if -distance < aim {
                    break;
                }
            }
        }
        Ok((high <= limit).then_some(high))
    }

    fn system_at(&mut self, length: f64, tolerance: f64) -> Result<SystemState, SimulationError> {
        let time = self.time;
        try_step(&self.system, &self.state, length, tolerance, &mut self.memory)
            .map(|tried| tried.state)
            .map_err(|source| at(time, source))
    }

    fn pair_distance(&mut self, pair: usize, placed: &crate::simulation::forces::Placed) -> f64 {
        let [a, b] = self.system.pair_poses(placed, pair);
        distance_within(a, b, f64::INFINITY, &mut self.memory.warm[pair])
            .expect("every distance is below infinity")
            .distance
    }
}

fn at(time: f64, source: DynamicsError) -> SimulationError {
    SimulationError::Dynamics { time, source }
}
