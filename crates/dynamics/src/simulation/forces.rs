//! The forces on a system in one state: contacts, gravity, springs of joints.

use crate::contact::find::{Touch, distance_within, touches};
use crate::contact::force::{elastic_energy, on_b};
use crate::energy::{Energy, robot_energy};
use crate::error::DynamicsError;
use crate::inverse::{State, joint_forces};
use crate::mass_matrix::mass_matrix;
use crate::simulation::state::SystemState;
use crate::simulation::system::{Owner, Surface, System};
use crate::spatial::Force;
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_query::WarmStart;
use smooth_scene_robot::{
    Coupling, JointKind, LinkPoses, Twist, forward_kinematics, link_velocities,
};

/// A force between two bodies at one point, for reports.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactForce {
    /// Which pair of the system.
    pub pair: usize,
    /// The point, world frame.
    pub point_w: Vec3,
    /// Unit normal from the first body to the second.
    pub normal_w: Vec3,
    /// How deep, m.
    pub depth: f64,
    /// Force on the second body, N.
    pub force_w: Vec3,
}

/// Positions and velocities of everything in the world.
pub(crate) struct Placed {
    poses: Vec<Pose>,
    twists: Vec<Twist>,
    links: LinkPoses,
}

/// What is remembered between steps.
#[derive(Debug, Clone)]
pub(crate) struct Memory {
    pub warm: Vec<WarmStart>,
    /// Closing speed with which each pair began to touch; `None` while it is apart.
    pub impact: Vec<Option<f64>>,
    /// Inertia that each velocity of the robot moves by itself, at the start.
    pub own_inertia: Vec<f64>,
    /// Where a held robot is held.
    pub held: Vec<f64>,
}

impl Memory {
    pub(crate) fn new(system: &System, state: &SystemState) -> Result<Self, DynamicsError> {
        let own_inertia = match &system.robot {
            Some(model) => mass_matrix(model, &state.positions)?.diagonal().as_slice().to_vec(),
            None => Vec::new(),
        };
        Ok(Self {
            warm: vec![WarmStart::default(); system.pairs.len()],
            impact: vec![None; system.pairs.len()],
            own_inertia,
            held: state.positions.clone(),
        })
    }
}

/// All forces in one state.
#[derive(Debug, Default)]
pub(crate) struct Forces {
    /// On links, about their origins, world axes.
    pub links: Vec<Force>,
    /// On bodies, about their centres of mass, world axes; without gravity.
    pub bodies: Vec<Force>,
    pub contacts: Vec<ContactForce>,
    /// Closing speed of each pair that touches, the largest of its points.
    pub closing: Vec<(usize, f64)>,
    pub elastic: f64,
}

impl System {
    pub(crate) fn place(&self, state: &SystemState) -> Result<Placed, DynamicsError> {
        let (links, link_twists) = match &self.robot {
            Some(model) => {
                let poses = forward_kinematics(model.robot(), &state.positions)?;
                let twists = link_velocities(model.robot(), &poses, &state.velocities)?;
                (poses, twists)
            }
            None => (LinkPoses::new(), Vec::new()),
        };
        let (mut poses, mut twists) = (Vec::new(), Vec::new());
        for surface in &self.surfaces {
            let (owner, twist) = match surface.owner {
                Owner::World => (Pose::identity(), Twist::ZERO),
                Owner::Link(id) => (links[id], link_twists[id.index()]),
                Owner::Body(place) => {
                    let (body, at) = (&self.bodies[place], &state.bodies[place]);
                    let angular_w = body.angular_velocity(at);
                    let pose = body.pose(at);
                    // Of the origin of the body's frame.
                    let arm = pose.translation.vector - at.center_w;
                    (pose, Twist { linear_w: at.velocity_w + angular_w.cross(&arm), angular_w })
                }
            };
            poses.push(owner * surface.pose);
            // Twists stay those of the owner's frame.
            twists.push(Twist {
                linear_w: twist.linear_w - twist.angular_w.cross(&owner.translation.vector),
                ..twist
            });
        }
        Ok(Placed { poses, twists, links })
    }

    /// Pairs whose bounding balls are within a distance of each other.
    fn near<'a>(
        &'a self,
        placed: &'a Placed,
        reach: impl Fn(&Surface, &Surface, [usize; 2]) -> f64 + 'a,
    ) -> impl Iterator<Item = (usize, [usize; 2])> + 'a {
        self.pairs.iter().enumerate().filter_map(move |(pair, ends)| {
            let [i, j] = ends.map(|end| end as usize);
            let (a, b) = (&self.surfaces[i], &self.surfaces[j]);
            let center_a = placed.poses[i].rotation * a.center + placed.poses[i].translation.vector;
            let gap = match &b.shape {
                Shape::HalfSpace(plane) => {
                    let normal_w = placed.poses[j].rotation * plane.normal();
                    let offset = plane.offset() + normal_w.dot(&placed.poses[j].translation.vector);
                    normal_w.dot(&center_a) - offset - a.radius
                }
                _ => {
                    let center_b =
                        placed.poses[j].rotation * b.center + placed.poses[j].translation.vector;
                    (center_a - center_b).norm() - a.radius - b.radius
                }
            };
            (gap <= reach(a, b, [i, j])).then_some((pair, [i, j]))
        })
    }

    /// Signed distance of each pair that is nearer than it can move in a time, infinite for others.
    pub(crate) fn distances(
        &self,
        placed: &Placed,
        time: f64,
        memory: &mut Memory,
    ) -> Vec<(usize, f64, f64)> {
        let near: Vec<_> = self
            .near(placed, |_, _, ends| time * self.closing_bound(placed, ends))
            .map(|(pair, ends)| (pair, ends, self.closing_bound(placed, ends)))
            .collect();
        let mut found = Vec::new();
        for (pair, [i, j], bound) in near {
            let a = (&self.surfaces[i].shape, &placed.poses[i]);
            let b = (&self.surfaces[j].shape, &placed.poses[j]);
            if let Some(d) = distance_within(a, b, time * bound, &mut memory.warm[pair]) {
                found.push((pair, d.distance, bound));
            }
        }
        found
    }

    /// How fast two surfaces can approach each other at most, m/s, at their present velocities.
    fn closing_bound(&self, placed: &Placed, [i, j]: [usize; 2]) -> f64 {
        let speed = |k: usize| {
            let (surface, twist) = (&self.surfaces[k], &placed.twists[k]);
            if surface.owner == Owner::World {
                return 0.0;
            }
            let pose = &placed.poses[k];
            let center_w = pose.rotation * surface.center + pose.translation.vector;
            twist.at(&center_w).norm() + twist.angular_w.norm() * surface.radius
        };
        speed(i) + speed(j)
    }

    /// The poses of the two surfaces of a pair.
    pub(crate) fn pair_poses<'a>(&self, placed: &'a Placed, pair: usize) -> [(&Shape, &'a Pose); 2]
    where
        Self: 'a,
    {
        self.pairs[pair].map(|k| (&self.surfaces[k as usize].shape, &placed.poses[k as usize]))
    }

    /// All contact forces in a state.
    pub(crate) fn contact_forces(
        &self,
        state: &SystemState,
        placed: &Placed,
        memory: &mut Memory,
    ) -> Forces {
        let links = self.robot.as_ref().map_or(0, |model| model.robot().links().len());
        let mut forces = Forces {
            links: vec![Force::ZERO; links],
            bodies: vec![Force::ZERO; self.bodies.len()],
            ..Forces::default()
        };
        let modulus = self.material.contact_modulus();
        let near: Vec<_> = self.near(placed, |_, _, _| 0.0).collect();
        let mut points: Vec<Touch> = Vec::new();
        for (pair, [i, j]) in near {
            let a = (&self.surfaces[i].shape, &placed.poses[i]);
            let b = (&self.surfaces[j].shape, &placed.poses[j]);
            let Some(found) = distance_within(a, b, 0.0, &mut memory.warm[pair]) else { continue };
            touches(a, b, &found, modulus, &mut points);
            let relative = |point: &Vec3| placed.twists[j].at(point) - placed.twists[i].at(point);
            let closing = |touch: &Touch| -touch.normal_ab_w.dot(&relative(&touch.point_w));
            let fastest = points.iter().map(closing).fold(0f64, f64::max);
            if !points.is_empty() {
                forces.closing.push((pair, fastest));
            }
            // A contact that begins within the step has no speed on record yet.
            let impact = memory.impact[pair].unwrap_or(fastest);
            for touch in &points {
                let force_w = on_b(touch, &relative(&touch.point_w), impact, &self.material);
                self.add_at(state, placed, i, &touch.point_w, -force_w, &mut forces);
                self.add_at(state, placed, j, &touch.point_w, force_w, &mut forces);
                forces.elastic += elastic_energy(touch);
                forces.contacts.push(ContactForce {
                    pair,
                    point_w: touch.point_w,
                    normal_w: touch.normal_ab_w,
                    depth: touch.depth,
                    force_w,
                });
            }
        }
        forces
    }

    fn add_at(
        &self,
        state: &SystemState,
        placed: &Placed,
        surface: usize,
        point_w: &Vec3,
        force_w: Vec3,
        forces: &mut Forces,
    ) {
        match self.surfaces[surface].owner {
            Owner::World => {}
            Owner::Link(id) => {
                let arm = point_w - placed.links[id].translation.vector;
                forces.links[id.index()] += Force::at(&arm, force_w);
            }
            Owner::Body(place) => {
                let arm = point_w - state.bodies[place].center_w;
                forces.bodies[place] += Force::at(&arm, force_w);
            }
        }
    }

    /// Forces of dampers, limits and holding springs on the joints, and with `step` what an implicit step adds to the
    /// mass matrix: with b the dampers and k the springs, h b + h² k.
    pub(crate) fn joint_springs(
        &self,
        state: &SystemState,
        memory: &Memory,
        step: f64,
    ) -> Result<JointForces, DynamicsError> {
        let Some(model) = &self.robot else { return Ok(JointForces::default()) };
        let robot = model.robot();
        let count = robot.velocity_count();
        let mut found =
            JointForces { forces: vec![0.0; count], added: vec![0.0; count], energy: 0.0 };
        if self.springs.hold_frequency.is_some() {
            let still = vec![0.0; count];
            let at_rest = State::new(model, &state.positions, &still)?;
            found.forces = joint_forces(model, &at_rest, &still, &still, &[]);
        }
        for (joint, dynamics) in robot.joints().iter().zip(model.joint_dynamics()) {
            let Coupling::Independent { position, velocity } = joint.coupling else { continue };
            for k in velocity..velocity + joint.kind.velocity_count() {
                found.damp(k, dynamics.damping, state.velocities[k], step);
                found.forces[k] -= friction(dynamics.friction, state.velocities[k]);
            }
            if !matches!(
                joint.kind,
                JointKind::Revolute | JointKind::Prismatic | JointKind::Continuous
            ) {
                continue;
            }
            let (q, v, own) = (
                state.positions[position],
                state.velocities[velocity],
                memory.own_inertia[velocity],
            );
            let limits = &joint.limits;
            let excess =
                if q > limits.upper { q - limits.upper } else { (q - limits.lower).min(0.0) };
            if excess != 0.0 {
                found.spring(velocity, own, self.springs.limit_frequency, excess, v, step);
            }
            if let Some(frequency) = self.springs.hold_frequency {
                found.spring(velocity, own, frequency, q - memory.held[position], v, step);
            }
        }
        Ok(found)
    }

    /// Energy of everything; what contacts and springs hold is the third number.
    pub(crate) fn energy(
        &self,
        state: &SystemState,
        elastic: f64,
    ) -> Result<(Energy, f64), DynamicsError> {
        let mut energy = match &self.robot {
            Some(model) => robot_energy(model, &state.positions, &state.velocities)?,
            None => Energy { kinetic: 0.0, potential: 0.0 },
        };
        for (body, at) in self.bodies.iter().zip(&state.bodies) {
            energy.kinetic += body.kinetic_energy(at);
            energy.potential -= body.mass * self.gravity.dot(&at.center_w);
        }
        Ok((energy, elastic))
    }
}

/// Speed below which dry friction of a joint is less than full, rad/s or m/s.
const JOINT_CREEP: f64 = 1e-2;

fn friction(limit: f64, speed: f64) -> f64 {
    limit * speed / (speed * speed + JOINT_CREEP * JOINT_CREEP).sqrt()
}

/// See [`System::joint_springs`].
#[derive(Debug, Default)]
pub(crate) struct JointForces {
    pub forces: Vec<f64>,
    pub added: Vec<f64>,
    pub energy: f64,
}

impl JointForces {
    fn damp(&mut self, place: usize, damping: f64, speed: f64, step: f64) {
        self.forces[place] -= damping * speed;
        self.added[place] += step * damping;
    }

    /// A critically damped spring of this frequency on an inertia.
    fn spring(
        &mut self,
        place: usize,
        inertia: f64,
        hertz: f64,
        excess: f64,
        speed: f64,
        step: f64,
    ) {
        let omega = std::f64::consts::TAU * hertz;
        let stiffness = inertia * omega * omega;
        self.damp(place, 2.0 * inertia * omega, speed, step);
        self.forces[place] -= stiffness * (excess + step * speed);
        self.added[place] += step * step * stiffness;
        self.energy += 0.5 * stiffness * excess * excess;
    }
}
