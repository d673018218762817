//! The forces on a system in one state: contacts, gravity, springs of joints.

use crate::contact::find::{distance_within, stiffness, touches};
use crate::contact::force::{Touch, elastic_energy, on_b};
use crate::contact::manifold::ManifoldPoint;
use crate::energy::{Energy, robot_energy};
use crate::error::DynamicsError;
use crate::mass_matrix::mass_matrix;
use crate::simulation::drive::PlacedDrive;
use crate::simulation::state::SystemState;
use crate::simulation::system::{Owner, System};
use crate::spatial::Force;
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_query::WarmStart;
use smooth_scene_robot::{LinkPoses, Twist, forward_kinematics, link_velocities};

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
    pub poses: Vec<Pose>,
    pub twists: Vec<Twist>,
    pub links: LinkPoses,
    /// Middles of the balls around the surfaces, world frame.
    centers: Vec<Vec3>,
    /// How fast a point of each surface moves at most, m/s.
    speeds: Vec<f64>,
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
    /// Joints that are driven, one drive for each.
    pub drives: Vec<PlacedDrive>,
    /// Rigid contacts of the last step.
    pub saved: Vec<ContactForce>,
    /// Forces of the last step on joints at limits and with dry friction: the velocity, which of the two, the force.
    pub saved_joints: Vec<((usize, u8), f64)>,
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
            drives: Vec::new(),
            saved: Vec::new(),
            saved_joints: Vec::new(),
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
        let count = self.surfaces.len();
        let (mut poses, mut twists) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let (mut centers, mut speeds) = (Vec::with_capacity(count), Vec::with_capacity(count));
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
            let pose = owner * surface.pose;
            // Of the point of the owner that is at the origin of the world.
            let twist = Twist {
                linear_w: twist.linear_w - twist.angular_w.cross(&owner.translation.vector),
                ..twist
            };
            let center_w = pose.rotation * surface.center + pose.translation.vector;
            centers.push(center_w);
            speeds.push(match surface.owner {
                Owner::World => 0.0,
                _ => twist.at(&center_w).norm() + twist.angular_w.norm() * surface.radius,
            });
            poses.push(pose);
            twists.push(twist);
        }
        Ok(Placed { poses, twists, links, centers, speeds })
    }

    /// Pairs whose bounding balls are within a distance of each other.
    pub(crate) fn near<'a>(
        &'a self,
        placed: &'a Placed,
        reach: impl Fn([usize; 2]) -> f64 + 'a,
    ) -> impl Iterator<Item = (usize, [usize; 2])> + 'a {
        self.pairs.iter().enumerate().filter_map(move |(pair, ends)| {
            let [i, j] = ends.map(|end| end as usize);
            let (a, b) = (&self.surfaces[i], &self.surfaces[j]);
            let [center_a, center_b] = [&placed.centers[i], &placed.centers[j]];
            let is_near = match &b.shape {
                Shape::HalfSpace(plane) => {
                    let normal_w = placed.poses[j].rotation * plane.normal();
                    let offset = plane.offset() + normal_w.dot(&placed.poses[j].translation.vector);
                    normal_w.dot(center_a) - offset - a.radius <= reach([i, j])
                }
                _ => {
                    let limit = a.radius + b.radius + reach([i, j]);
                    (center_a - center_b).norm_squared() <= limit * limit
                }
            };
            is_near.then_some((pair, [i, j]))
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
            .near(placed, |ends| time * self.closing_bound(placed, ends))
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
    pub(crate) fn closing_bound(&self, placed: &Placed, [i, j]: [usize; 2]) -> f64 {
        placed.speeds[i] + placed.speeds[j]
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
        let near: Vec<_> = self.near(placed, |_| 0.0).collect();
        let mut points: Vec<ManifoldPoint> = Vec::new();
        for (pair, [i, j]) in near {
            let a = (&self.surfaces[i].shape, &placed.poses[i]);
            let b = (&self.surfaces[j].shape, &placed.poses[j]);
            let Some(found) = distance_within(a, b, 0.0, &mut memory.warm[pair]) else { continue };
            touches(a, b, &found, 0.0, &mut points);
            points.retain(|point| point.depth > 0.0);
            if points.is_empty() {
                continue;
            }
            let normal_ab_w = found.normal_ab_w;
            let stiffness = stiffness(a, b, &normal_ab_w, modulus);
            let relative = |point: &Vec3| placed.twists[j].at(point) - placed.twists[i].at(point);
            let closing = |point: &ManifoldPoint| -normal_ab_w.dot(&relative(&point.point_w));
            let fastest = points.iter().map(closing).fold(0f64, f64::max);
            forces.closing.push((pair, fastest));
            // A contact that begins within the step has no speed on record yet.
            let impact = memory.impact[pair].unwrap_or(fastest);
            for ManifoldPoint { point_w, depth } in points.drain(..) {
                let touch = &Touch { point_w, normal_ab_w, depth, stiffness };
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
        if let Owner::Link(id) = self.surfaces[surface].owner {
            let arm = point_w - placed.links[id].translation.vector;
            forces.links[id.index()] += Force::at(&arm, force_w);
        }
        self.add_to_body(state, surface, point_w, force_w, forces);
    }

    /// Adds a force at a point of a surface, if it is one of a free body.
    pub(crate) fn add_to_body(
        &self,
        state: &SystemState,
        surface: usize,
        point_w: &Vec3,
        force_w: Vec3,
        forces: &mut Forces,
    ) {
        if let Owner::Body(place) = self.surfaces[surface].owner {
            let arm = point_w - state.bodies[place].center_w;
            forces.bodies[place] += Force::at(&arm, force_w);
        }
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
