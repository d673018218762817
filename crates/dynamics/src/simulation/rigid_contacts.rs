//! The constraints of a system in one state: contacts that are near, joints at their limits, dry friction of joints.

use crate::complementarity::rows::{BodyPart, Row, Velocities};
use crate::complementarity::solve::Constraint;
use crate::contact::find::{distance_within, touches};
use crate::contact::manifold::ManifoldPoint;
use crate::inverse::State;
use crate::simulation::forces::{Memory, Placed};
use crate::simulation::state::SystemState;
use crate::simulation::system::{Owner, System};
use crate::spatial::Force;
use nalgebra::{Cholesky, DVector, Dyn};
use smooth_scene_geometry::math::{Vec3, tangent_basis};
use smooth_scene_robot::{Coupling, JointKind, LinkId};

/// Closing speed below which nothing bounces, m/s.
const LEAST_BOUNCE: f64 = 1e-2;
/// How much faster than now a joint may become within a step, rad/s or m/s: limits that it could reach are looked at.
const SURPRISE: f64 = 1.0;

/// One point at which bodies may touch within a step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RigidContact {
    pub pair: usize,
    pub ends: [usize; 2],
    pub point_w: Vec3,
    /// From the first body to the second.
    pub normal_w: Vec3,
    pub tangents_w: [Vec3; 2],
    /// Distance; negative for an overlap.
    pub gap: f64,
    /// Closing speed now, m/s.
    pub closing: f64,
}

/// A limit or the dry friction of a joint.
pub(crate) struct JointConstraint {
    pub constraint: Constraint,
    /// To the limit.
    pub gap: Option<f64>,
    /// The place of the velocity, and which constraint on it: 0 friction, 1 lower, 2 upper limit.
    pub key: (usize, u8),
}

impl System {
    /// Points of all pairs that could touch within a time at twice their present speeds.
    pub(crate) fn rigid_contacts(
        &self,
        placed: &Placed,
        time: f64,
        memory: &mut Memory,
    ) -> Vec<RigidContact> {
        // Gravity alone starts what rests.
        let fall = 0.5 * self.gravity.norm() * time * time;
        let reach = |ends: [usize; 2]| 2.0 * (time * self.closing_bound(placed, ends) + fall);
        let near: Vec<_> = self.near(placed, reach).collect();
        let mut found = Vec::new();
        let mut points: Vec<ManifoldPoint> = Vec::new();
        for (pair, ends) in near {
            let [a, b] = ends.map(|k| (&self.surfaces[k].shape, &placed.poses[k]));
            let reach = reach(ends);
            let warm = &mut memory.warm[pair];
            let Some(distance) = distance_within(a, b, reach, warm) else { continue };
            touches(a, b, &distance, reach, &mut points);
            let normal_w = distance.normal_ab_w;
            let (u, v) = tangent_basis(&normal_w);
            found.extend(points.iter().map(|&ManifoldPoint { point_w, depth }| {
                let [first, second] = ends.map(|k| placed.twists[k].at(&point_w));
                let closing = normal_w.dot(&(first - second));
                let tangents_w = [u, v];
                RigidContact { pair, ends, point_w, normal_w, tangents_w, gap: -depth, closing }
            }));
        }
        found
    }
}

/// What rows are made from.
pub(crate) struct RowMaker<'a> {
    pub system: &'a System,
    pub state: &'a SystemState,
    pub placed: &'a Placed,
    /// The robot and its mass matrix.
    pub robot: Option<(&'a State, &'a Cholesky<f64, Dyn>)>,
}

impl RowMaker<'_> {
    /// The velocity of the second surface on the first at a point, along a direction.
    fn relative(&self, ends: [usize; 2], point_w: &Vec3, dir_w: &Vec3) -> Row {
        let owners = ends.map(|k| self.system.surfaces[k].owner);
        let mut bodies = [None; 2];
        let mut robot = Vec::new();
        for (side, owner) in owners.into_iter().enumerate() {
            let along_w = if side == 0 { -dir_w } else { *dir_w };
            match owner {
                Owner::World => {}
                Owner::Body(body) => bodies[side] = Some(self.body_part(body, point_w, along_w)),
                Owner::Link(link) => {
                    robot.resize(self.state.velocities.len(), 0.0);
                    self.add_link(link, point_w, &along_w, &mut robot);
                }
            }
        }
        Row::new(bodies, self.with_response(robot))
    }

    /// J = (d, r × d), r the arm from the centre of mass.
    fn body_part(&self, body: usize, point_w: &Vec3, along_w: Vec3) -> BodyPart {
        let (inertia, at) = (&self.system.bodies[body], &self.state.bodies[body]);
        let moment_w = (point_w - at.center_w).cross(&along_w);
        let local = at.rotation.inverse_transform_vector(&moment_w);
        let spin_w = at.rotation * (inertia.inverse_inertia * local);
        let response = [along_w / inertia.mass, spin_w];
        BodyPart { body, row: [along_w, moment_w], response }
    }

    /// Adds the J of a point of a link: the joint forces of a unit force at it.
    fn add_link(&self, link: LinkId, point_w: &Vec3, along_w: &Vec3, row: &mut [f64]) {
        let (Some(model), Some((at, _))) = (&self.system.robot, self.robot) else { return };
        let robot = model.robot();
        let pose = &self.placed.links[link];
        let mut force = Force::at(
            &pose.inverse_transform_point(&(*point_w).into()).coords,
            pose.rotation.inverse_transform_vector(along_w),
        );
        let mut above = robot.link(link).parent_joint;
        while let Some(id) = above {
            let axes = &at.axes[id.index()];
            axes.add_projection(&force, row);
            force = force.into_parent(&axes.pose);
            above = robot.link(robot.joint(id).parent).parent_joint;
        }
    }

    /// J and M⁻¹Jᵀ.
    fn with_response(&self, row: Vec<f64>) -> Vec<[f64; 2]> {
        let Some((_, mass)) = self.robot else { return Vec::new() };
        if row.iter().all(|x| *x == 0.0) {
            return Vec::new();
        }
        let response = mass.solve(&DVector::from_column_slice(&row));
        row.into_iter().zip(response.iter()).map(|(j, m)| [j, *m]).collect()
    }

    /// A contact. With the gap γ, the closing speed c before and the step h, its normal velocity shall be at least
    ///
    /// ```text
    /// e c      where it would close within the step, faster than a crawl       (Newton's restitution)
    /// −γ/h     else while it is open: it closes at the end of the step at the earliest
    /// 0        else
    /// ```
    ///
    /// so what bounces does so less than a step early, and nothing overlaps because of it.
    pub(crate) fn contact(&self, c: &RigidContact, free: &Velocities, length: f64) -> Constraint {
        let normal = self.relative(c.ends, &c.point_w, &c.normal_w);
        let tangents = Box::new(c.tangents_w.map(|t| self.relative(c.ends, &c.point_w, &t)));
        let material = &self.system.material;
        let closes = c.gap + length * normal.velocity(free) < 0.0;
        let least = if closes && c.closing > LEAST_BOUNCE && material.restitution > 0.0 {
            material.restitution * c.closing
        } else {
            -c.gap.max(0.0) / length
        };
        Constraint::Contact { normal, tangents, least, friction: material.friction }
    }

    /// Joints that could reach a limit within a step, and dry friction of joints.
    pub(crate) fn joints(&self, free: &Velocities, length: f64) -> Vec<JointConstraint> {
        let Some(model) = &self.system.robot else { return Vec::new() };
        let count = self.state.velocities.len();
        let unit = |place: usize, sign: f64| {
            let mut row = vec![0.0; count];
            row[place] = sign;
            Row::new([None; 2], self.with_response(row))
        };
        let mut found = Vec::new();
        for (joint, dynamics) in model.robot().joints().iter().zip(model.joint_dynamics()) {
            let Coupling::Independent { position, velocity } = joint.coupling else { continue };
            if dynamics.friction > 0.0 {
                let bound = dynamics.friction * length;
                let places = velocity..velocity + joint.kind.velocity_count();
                found.extend(places.map(|k| JointConstraint {
                    constraint: Constraint::Friction { row: unit(k, 1.0), bound },
                    gap: None,
                    key: (k, 0),
                }));
            }
            if !matches!(joint.kind, JointKind::Revolute | JointKind::Prismatic) {
                continue;
            }
            let (q, limits) = (self.state.positions[position], &joint.limits);
            for (side, sign, gap) in [(1, 1.0, q - limits.lower), (2, -1.0, limits.upper - q)] {
                if gap < length * (2.0 * free.robot[velocity].abs() + SURPRISE) {
                    let least = -gap.max(0.0) / length;
                    let row = unit(velocity, sign);
                    let constraint = Constraint::Limit { row, least };
                    let key = (velocity, side);
                    found.push(JointConstraint { constraint, gap: Some(gap), key });
                }
            }
        }
        found
    }
}
