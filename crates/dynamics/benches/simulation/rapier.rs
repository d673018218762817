//! The scenes with Rapier, as its documentation sets worlds up; sleeping is off, so that every step is a step.

use crate::scenes::{DENSITY, FRICTION, Form, LINK, START, Scene};
use rapier3d_f64::prelude::*;
use smooth_scene_geometry::{Shape, tessellate_with_vertex_count};
use std::error::Error;

/// One round; the height of the highest body at its end.
pub fn round(scene: &Scene) -> Result<f64, Box<dyn Error>> {
    let gravity = Vector::new(0.0, 0.0, -9.80665);
    let mut world = PhysicsWorld { gravity, ..PhysicsWorld::default() };
    world.integration_parameters.dt = scene.step;
    if scene.links > 0 {
        add_arm(scene.links, &mut world)?;
    } else {
        let floor = ColliderBuilder::cuboid(50.0, 50.0, 0.5).friction(FRICTION);
        world.insert_collider(floor.translation(Vector::new(0.0, 0.0, -0.5)), None);
    }
    for body in &scene.bodies {
        let collider = match body.form {
            Form::Box([x, y, z]) => ColliderBuilder::cuboid(x, y, z),
            Form::Ellipsoid(radii) => {
                let mesh = tessellate_with_vertex_count(&Shape::ellipsoid(radii)?, 162);
                let points: Vec<Vector> =
                    mesh.vertices.iter().map(|v| Vector::new(v.x, v.y, v.z)).collect();
                ColliderBuilder::convex_hull(&points).ok_or("no hull")?
            }
        };
        let (p, q) = (body.position, body.rotation);
        let rotation = Rotation::from_xyzw(q.i, q.j, q.k, q.w);
        let pose = Pose::from_parts(Vector::new(p.x, p.y, p.z), rotation);
        let moving = RigidBodyBuilder::dynamic().pose(pose).can_sleep(false);
        world.insert(moving, collider.density(DENSITY).friction(FRICTION));
    }
    for _ in 0..scene.steps {
        world.step();
    }
    Ok(world.bodies.iter().map(|(_, body)| body.translation().z).fold(0.0, f64::max))
}

fn add_arm(links: usize, world: &mut PhysicsWorld) -> Result<(), Box<dyn Error>> {
    let [length, half, mass] = LINK;
    let across = mass / 12.0 * (length * length + 4.0 * half * half);
    let inertia = Vector::new(across, across, mass / 1.5 * half * half);
    let mut last = world.insert_body(RigidBodyBuilder::fixed());
    // Hanging straight; the first joint is turned at the start.
    let (sin, cos) = START.sin_cos();
    for k in 1..=links {
        let along = (k - 1) as f64 * length;
        let place = Vector::new(-sin * along, 0.0, -cos * along);
        let turn = Rotation::from_rotation_y(START);
        let middle = Vector::new(0.0, 0.0, -0.5 * length);
        let link = RigidBodyBuilder::dynamic()
            .pose(Pose::from_parts(place, turn))
            .can_sleep(false)
            .additional_mass_properties(MassProperties::new(middle, mass, inertia));
        let link = world.insert_body(link);
        let axis = if k % 2 == 1 { Vector::Y } else { Vector::X };
        let anchor = if k == 1 { Vector::ZERO } else { Vector::new(0.0, 0.0, -length) };
        let joint =
            RevoluteJointBuilder::new(axis).local_anchor1(anchor).local_anchor2(Vector::ZERO);
        world.multibody_joints.insert(last, link, joint, true).ok_or("no joint")?;
        last = link;
    }
    Ok(())
}
