//! Steps of fixed length with rigid contacts: impulses at the end of the step, of a complementarity problem in the velocities
//! [Moreau 1988, Anitescu 1997].
//!
//! 1. Velocities without contacts after the step: gravity, joint forces; dampers and springs of joints implicit.
//! 2. Impulses, begun with those of the step before at the same points: see [`solve`].
//! 3. Positions with the velocities after the impulses.
//! 4. What overlaps all the same, through curvature, rotation or from the start, is moved apart by velocities that are
//!    forgotten afterwards: the same problem without friction, in which a fifth of each overlap has to open. Momentum and energy
//!    of motion do not change by it.

use crate::complementarity::rows::Velocities;
use crate::complementarity::solve::{Constraint, Impulse, Solved, solve};
use crate::error::DynamicsError;
use crate::forward::accelerations;
use crate::inverse::State;
use crate::mass_matrix::factored;
use crate::simulation::forces::{ContactForce, Forces, Memory};
use crate::simulation::rigid_contacts::{RigidContact, RowMaker};
use crate::simulation::semi_implicit::{move_bodies, move_joints, turned};
use crate::simulation::state::SystemState;
use crate::simulation::system::System;
use crate::spatial::Force;
use smooth_scene_geometry::math::Vec3;

/// Change of velocity at which the impulses are good enough, m/s or rad/s.
const TOLERANCE: f64 = 1e-8;
/// Most sweeps over all constraints in a step.
const MOST_SWEEPS: u32 = 2000;
/// The same for moving overlaps apart, which goes on in the next step.
const MOST_SWEEPS_APART: u32 = 50;
/// Share of an overlap that opens in a step.
const OPENED: f64 = 0.2;
/// Overlaps below this are left, m.
const SLOP: f64 = 1e-6;
/// Contact points nearer than this between two steps are the same, in multiples of the smaller bounding radius.
const SAME: f64 = 0.1;

/// What a step did.
pub(crate) struct RigidStep {
    pub forces: Forces,
    pub solved: Solved,
    /// The pair at which the residual is, if it is at a contact.
    pub worst_pair: Option<usize>,
}

/// Goes one step further. Nothing is changed when the residual is above `give_up`.
pub(crate) fn step(
    system: &System,
    state: &mut SystemState,
    length: f64,
    give_up: f64,
    memory: &mut Memory,
) -> Result<RigidStep, DynamicsError> {
    let placed = system.place(state)?;
    let contacts = system.rigid_contacts(&placed, length, memory);
    // 1. Without contacts.
    let mut free = free_velocities(system, state, length);
    let mut robot = None;
    if let Some(model) = &system.robot {
        let springs = system.held_joints(state, memory, length)?;
        let at = State::new(model, &state.positions, &state.velocities)?;
        let (v, tau) = (&state.velocities, &springs.forces);
        let found = accelerations(model, &at, v, tau, &[], &springs.added)?;
        free.robot = v.iter().zip(&found).map(|(v, a)| v + length * a).collect();
        robot = Some((factored(model, &at, &springs.added)?, at));
    }
    // 2. Impulses.
    let robot = robot.as_ref().map(|(mass, at)| (at, mass));
    let rows = RowMaker { system, state, placed: &placed, robot };
    let mut constraints: Vec<Constraint> =
        contacts.iter().map(|contact| rows.contact(contact, &free, length)).collect();
    let mut gaps: Vec<Option<f64>> = contacts.iter().map(|contact| Some(contact.gap)).collect();
    let mut impulses = begun_with(system, &contacts, &memory.saved, length);
    let mut keys = Vec::new();
    for joint in rows.joints(&free, length) {
        let saved = memory.saved_joints.iter().find(|(key, _)| *key == joint.key);
        impulses.push([saved.map_or(0.0, |(_, force)| force * length), 0.0, 0.0]);
        constraints.push(joint.constraint);
        gaps.push(joint.gap);
        keys.push(joint.key);
    }
    let mut v = free;
    constraints.iter().zip(&impulses).for_each(|(c, impulse)| c.apply(impulse, &mut v));
    let solved = solve(&constraints, &mut impulses, &mut v, TOLERANCE, MOST_SWEEPS);
    let forces = report(system, state, &contacts, &impulses, length);
    let worst_pair = contacts.get(solved.worst).map(|contact| contact.pair);
    if !solved.is_within(give_up) {
        return Ok(RigidStep { forces, solved, worst_pair });
    }
    // 3. and 4. Positions.
    let apart = apart(&constraints, &gaps, &v, length);
    move_bodies(system, state, &forces.bodies, length);
    if let Some(model) = &system.robot {
        state.velocities.copy_from_slice(&v.robot);
        move_joints(model.robot(), &mut state.positions, &v.robot, length);
    }
    if let Some(apart) = apart {
        shift(system, state, &apart, length);
    }
    memory.saved.clone_from(&forces.contacts);
    let of_joints = impulses[contacts.len()..].iter().map(|impulse| impulse[0] / length);
    memory.saved_joints = keys.into_iter().zip(of_joints).collect();
    Ok(RigidStep { forces, solved, worst_pair })
}

fn free_velocities(system: &System, state: &SystemState, length: f64) -> Velocities {
    let both = system.bodies.iter().zip(&state.bodies);
    let bodies =
        both.map(|(body, at)| [at.velocity_w + system.gravity * length, body.angular_velocity(at)]);
    Velocities { robot: Vec::new(), bodies: bodies.collect() }
}

/// The impulses of the step before at the nearest points of the same pairs.
fn begun_with(
    system: &System,
    contacts: &[RigidContact],
    saved: &[ContactForce],
    length: f64,
) -> Vec<Impulse> {
    let mut left = saved.to_vec();
    let mut first = 0;
    let mut begin = |contact: &RigidContact| {
        // Both are in the order of the pairs.
        while left.get(first).is_some_and(|s| s.pair < contact.pair) {
            first += 1;
        }
        let size = contact.ends.map(|k| system.surfaces[k].radius);
        let limit = SAME * size[0].min(size[1]);
        let same_pair = left[first..].iter().take_while(|s| s.pair == contact.pair);
        let distances = same_pair.map(|s| (s.point_w - contact.point_w).norm());
        let nearest = distances.enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
        let Some((k, _)) = nearest.filter(|(_, distance)| *distance <= limit) else {
            return [0.0; 3];
        };
        let impulse_w = left[first + k].force_w * length;
        // Each is used once.
        left[first + k].point_w = Vec3::repeat(f64::INFINITY);
        let [u, v] = &contact.tangents_w;
        [contact.normal_w.dot(&impulse_w).max(0.0), u.dot(&impulse_w), v.dot(&impulse_w)]
    };
    contacts.iter().map(&mut begin).collect()
}

/// The impulses as forces over the step.
fn report(
    system: &System,
    state: &SystemState,
    contacts: &[RigidContact],
    impulses: &[Impulse],
    length: f64,
) -> Forces {
    let mut forces = Forces { bodies: vec![Force::ZERO; system.bodies.len()], ..Forces::default() };
    for (c, impulse) in contacts.iter().zip(impulses) {
        let [u, v] = &c.tangents_w;
        let impulse_w = c.normal_w * impulse[0] + u * impulse[1] + v * impulse[2];
        let force_w = impulse_w / length;
        for (end, force_w) in [(c.ends[0], -force_w), (c.ends[1], force_w)] {
            system.add_to_body(state, end, &c.point_w, force_w, &mut forces);
        }
        if impulse[0] > 0.0 || c.gap <= SLOP {
            let (pair, point_w, normal_w) = (c.pair, c.point_w, c.normal_w);
            forces.contacts.push(ContactForce { pair, point_w, normal_w, depth: -c.gap, force_w });
            match forces.closing.last_mut() {
                Some((last, speed)) if *last == c.pair => *speed = speed.max(c.closing),
                _ => forces.closing.push((c.pair, c.closing.max(0.0))),
            }
        }
    }
    forces
}

/// Velocities that open overlaps by their share within the step; `None` without overlaps.
fn apart(
    constraints: &[Constraint],
    gaps: &[Option<f64>],
    v: &Velocities,
    length: f64,
) -> Option<Velocities> {
    if gaps.iter().flatten().all(|gap| *gap >= -SLOP) {
        return None;
    }
    let wanted = constraints.iter().zip(gaps).filter_map(|(constraint, gap)| {
        let row = constraint.first().clone();
        let opened = if (*gap)? < -SLOP { OPENED * -(*gap)? } else { -(*gap)?.max(0.0) };
        let least = opened / length - row.velocity(v);
        Some(Constraint::Limit { row, least })
    });
    let wanted: Vec<Constraint> = wanted.collect();
    let mut apart = v.at_rest();
    let mut impulses = vec![[0.0; 3]; wanted.len()];
    solve(&wanted, &mut impulses, &mut apart, TOLERANCE, MOST_SWEEPS_APART);
    Some(apart)
}

/// Moves positions only.
fn shift(system: &System, state: &mut SystemState, by: &Velocities, length: f64) {
    for (at, [linear, angular]) in state.bodies.iter_mut().zip(&by.bodies) {
        at.center_w += linear * length;
        at.rotation = turned(&at.rotation, &(angular * length));
    }
    if let Some(model) = &system.robot {
        move_joints(model.robot(), &mut state.positions, &by.robot, length);
    }
}
