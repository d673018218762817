//! Contacts against closed forms: restitution, Hertz's depth, friction on an incline, rolling, a rattleback, momentum and
//! energy.

use smooth_scene_dynamics::{
    ContactLaw, FreeBody, Integrator, JointSprings, Material, Moments, STANDARD_GRAVITY,
    Simulation, SystemBuilder, hertz_stiffness,
};
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Pose, Vec3, rotation_from_vector};

const G: f64 = 9.80665;
const NEVER: &dyn Fn() -> bool = &|| false;

fn builder(material: Material) -> SystemBuilder {
    SystemBuilder::new(material).unwrap()
}

fn floor() -> Shape {
    Shape::half_space([0.0, 0.0, 1.0], 0.0).unwrap()
}

fn started(builder: SystemBuilder, integrator: Integrator) -> Simulation {
    let (system, state) = builder.build();
    Simulation::new(system, state, integrator).unwrap()
}

/// A ball that hits a floor without gravity leaves with the speed e'v, where the energy that F = kδ^(3/2)(1 + cδ̇) takes gives
/// c v(1 + e') = ln((1 + cv)/(1 − c e' v)), whatever stiffness and mass are.
#[test]
fn a_ball_bounces_as_the_contact_law_says() {
    for law in [ContactLaw::HuntCrossley, ContactLaw::LankaraniNikravesh] {
        for (restitution, speed) in [(0.3, 1.0), (0.7, 2.0), (0.95, 0.5), (1.0, 1.0)] {
            let material = Material { restitution, law, ..Material::default() };
            let mut builder = builder(material).gravity(Vec3::zeros());
            builder.add_fixed("floor", Pose::identity(), floor());
            let ball = Shape::sphere(0.05).unwrap();
            let pose = Pose::translation(0.0, 0.0, 0.06);
            let down = Vec3::new(0.0, 0.0, -speed);
            builder.add_body("ball", ball, 1000.0, &pose, down, Vec3::zeros()).unwrap();
            let mut simulation = started(builder, Integrator::Adaptive(1e-11));
            simulation.advance_to(0.1, NEVER).unwrap();
            let begun = simulation.begun();
            assert_eq!(begun.len(), 1);
            assert!((begun[0].time - 0.01 / speed).abs() < 1e-9, "{:?}", begun[0]);

            let found = simulation.state().bodies[0].velocity_w.z / speed;
            let c = law.damping(restitution, speed) * speed;
            let expected = if c == 0.0 {
                1.0
            } else {
                let (mut low, mut high) = (0.0, 1.0f64.min(1.0 / c));
                for _ in 0..200 {
                    let e = 0.5 * (low + high);
                    let excess = c * (1.0 + e) - ((1.0 + c) / (1.0 - c * e)).ln();
                    if excess > 0.0 { low = e } else { high = e }
                }
                0.5 * (low + high)
            };
            println!(
                "{law:?} e {restitution} v {speed}: leaves with {found:.9}, expected {expected:.9}"
            );
            assert!((found - expected).abs() < 1e-7, "{found} {expected}");
        }
    }
}

#[test]
fn a_resting_ball_sinks_in_as_deep_as_hertz_says() {
    let material = Material { restitution: 0.1, ..Material::default() };
    let mut builder = builder(material);
    builder.add_fixed("floor", Pose::identity(), floor());
    let (radius, density) = (0.05, 1000.0);
    let ball = Shape::sphere(radius).unwrap();
    let pose = Pose::translation(0.0, 0.0, radius + 1e-4);
    builder.add_body("ball", ball, density, &pose, Vec3::zeros(), Vec3::zeros()).unwrap();
    let mut simulation = started(builder, Integrator::Adaptive(1e-9));
    simulation.advance_to(3.0, NEVER).unwrap();
    let stiffness = hertz_stiffness([1.0 / radius; 2], material.contact_modulus());
    let mass = simulation.system().bodies()[0].mass;
    let expected = (mass * G / stiffness).powf(2.0 / 3.0);
    let found = radius - simulation.state().bodies[0].center_w.z;
    assert!((found / expected - 1.0).abs() < 1e-3, "{found:e} {expected:e}");
    let force: f64 = simulation.contacts().unwrap().iter().map(|c| c.force_w.z.abs()).sum();
    assert!((force / (mass * G) - 1.0).abs() < 2e-3, "{force}");
}

/// The corners of a box.
fn corners(half: [f64; 3]) -> Vec<Vec3> {
    let sign = |k: usize, i: usize| if k >> i & 1 == 0 { -1.0 } else { 1.0 };
    (0..8).map(|k| Vec3::from([0, 1, 2].map(|i| sign(k, i) * half[i]))).collect()
}

/// A ball sinks as deep into the face of a mesh, of a box and of a cylinder as into a plane: a face is not curved.
#[test]
fn a_ball_on_a_face_sinks_in_as_on_a_plane() {
    let half = [0.2, 0.3, 0.1];
    let faces = [
        Shape::convex_mesh(&corners(half)).unwrap(),
        Shape::cuboid(half).unwrap(),
        Shape::cylinder(0.3, 0.1).unwrap(),
    ];
    let material = Material { restitution: 0.1, ..Material::default() };
    for face in faces {
        let mut builder = builder(material);
        builder.add_fixed("face", Pose::translation(0.0, 0.0, -0.1), face);
        let radius = 0.05;
        let ball = Shape::sphere(radius).unwrap();
        let pose = Pose::translation(0.03, 0.02, radius - 1e-4);
        builder.add_body("ball", ball, 1000.0, &pose, Vec3::zeros(), Vec3::zeros()).unwrap();
        let mut simulation = started(builder, Integrator::SemiImplicit(1e-4));
        simulation.advance_to(1.0, NEVER).unwrap();
        let mass = simulation.system().bodies()[0].mass;
        let expected = hertz_depth([1.0 / radius; 2], mass, &material);
        let found = radius - simulation.state().bodies[0].center_w.z;
        assert!((found / expected - 1.0).abs() < 1e-3, "{found:e} {expected:e}");
    }
}

/// A box-shaped mesh rests on a plane, on a box and on a mesh with four corners that carry a quarter of its weight each.
#[test]
fn a_mesh_rests_on_its_four_corners() {
    let ground = [0.3, 0.3, 0.1];
    let below = [
        Shape::half_space([0.0, 0.0, 1.0], 0.1).unwrap(),
        Shape::cuboid(ground).unwrap(),
        Shape::convex_mesh(&corners(ground)).unwrap(),
    ];
    let material = Material { restitution: 0.1, ..Material::default() };
    for ground in below {
        let mut builder = builder(material);
        builder.add_fixed("ground", Pose::translation(0.0, 0.0, -0.1), ground);
        let mesh = Shape::convex_mesh(&corners([0.1, 0.08, 0.05])).unwrap();
        let pose = Pose::new(Vec3::new(0.01, 0.02, 0.05), Vec3::new(0.0, 0.0, 0.4));
        builder.add_body("mesh", mesh, 1000.0, &pose, Vec3::zeros(), Vec3::zeros()).unwrap();
        let mut simulation = started(builder, Integrator::SemiImplicit(1e-4));
        simulation.advance_to(1.0, NEVER).unwrap();
        let quarter = 0.25 * simulation.system().bodies()[0].mass * G;
        let contacts = simulation.contacts().unwrap();
        assert_eq!(contacts.len(), 4);
        for contact in contacts {
            let force = contact.force_w.z.abs();
            assert!((force / quarter - 1.0).abs() < 1e-2, "{force} {quarter}");
        }
        let turned = simulation.state().bodies[0].rotation.angle_to(&pose.rotation);
        assert!(turned < 1e-4, "{turned:e}");
    }
}

/// A block on a slope of μ = 0.5 under the friction angle creeps with the speed v_s tan α/√(μ² − tan² α) at most; above it
/// slides with g(sin α − μ cos α).
#[test]
fn a_block_sticks_below_the_friction_angle_and_slides_above_it() {
    let material = Material { friction: 0.5, restitution: 0.2, ..Material::default() };
    for degrees in [15.0f64, 25.0, 28.0, 35.0] {
        let angle = degrees.to_radians();
        let slope = Shape::half_space([angle.sin(), 0.0, angle.cos()], 0.0).unwrap();
        let mut builder = builder(material);
        builder.add_fixed("slope", Pose::identity(), slope);
        let half = [0.1, 0.08, 0.03];
        let rotation = rotation_from_vector(&Vec3::new(0.0, angle, 0.0));
        let pose = Pose::from_parts((rotation * Vec3::new(0.0, 0.0, half[2])).into(), rotation);
        let block = Shape::cuboid(half).unwrap();
        builder.add_body("block", block, 500.0, &pose, Vec3::zeros(), Vec3::zeros()).unwrap();
        let mut simulation = started(builder, Integrator::SemiImplicit(5e-5));
        let along = rotation * Vec3::x();
        let mut speed = |time| {
            simulation.advance_to(time, NEVER).unwrap();
            simulation.state().bodies[0].velocity_w.dot(&along)
        };
        let (first, second) = (speed(0.6), speed(0.8));
        let (tan, mu) = (angle.tan(), material.friction);
        if tan < mu {
            let expected = material.creep_speed * tan / (mu * mu - tan * tan).sqrt();
            println!("{degrees}°: creeps with {second:.3e} m/s, expected {expected:.3e}");
            assert!((second / expected - 1.0).abs() < 0.02, "{second} {expected}");
        } else {
            let expected = G * (angle.sin() - mu * angle.cos());
            let found = (second - first) / 0.2;
            println!("{degrees}°: slides with {found:.4} m/s², expected {expected:.4}");
            assert!((found / expected - 1.0).abs() < 0.01, "{found} {expected}");
        }
    }
}

/// How deep a weight sinks in.
fn hertz_depth(curvatures: [f64; 2], mass: f64, material: &Material) -> f64 {
    (mass * G / hertz_stiffness(curvatures, material.contact_modulus())).powf(2.0 / 3.0)
}

/// A solid ball that slides begins to roll after 2v/(7μg), with 5/7 of its speed. The force acts half the depth δ above the
/// lowest point, so that the arm is d = r − δ/2, and with s = d²/(0.4 r²) the ball rolls with s/(1 + s) of its speed, d
/// instead of r.
#[test]
fn a_sliding_ball_begins_to_roll_with_five_sevenths_of_its_speed() {
    let material =
        Material { friction: 0.3, restitution: 0.2, creep_speed: 1e-4, ..Material::default() };
    let mut builder = builder(material);
    builder.add_fixed("floor", Pose::identity(), floor());
    let radius = 0.05;
    let start = 1.0;
    let ball = Shape::sphere(radius).unwrap();
    let mass = 1000.0 * Moments::of(&ball).unwrap().volume;
    let depth = hertz_depth([1.0 / radius; 2], mass, &material);
    let pose = Pose::translation(0.0, 0.0, radius - depth);
    builder.add_body("ball", ball, 1000.0, &pose, Vec3::x() * start, Vec3::zeros()).unwrap();
    let mut simulation = started(builder, Integrator::SemiImplicit(2e-5));
    let rolls_after = 2.0 * start / (7.0 * material.friction * G);
    simulation.advance_to(0.9 * rolls_after, NEVER).unwrap();
    let sliding = simulation.state().bodies[0].velocity_w.x;
    let expected = start - material.friction * G * 0.9 * rolls_after;
    assert!((sliding - expected).abs() < 1e-4, "{sliding} {expected}");
    simulation.advance_to(1.2 * rolls_after, NEVER).unwrap();
    let state = simulation.state().bodies[0];
    let arm = radius - 0.5 * depth;
    let share = arm * arm / (0.4 * radius * radius);
    let expected = share / (1.0 + share);
    println!("rolls with {:.5} of its speed, expected {expected:.5}", state.velocity_w.x / start);
    assert!((state.velocity_w.x / start - expected).abs() < 1e-4, "{state:?}");
    let slip =
        state.velocity_w.x - simulation.system().bodies()[0].angular_velocity(&state).y * arm;
    assert!(slip.abs() < 1e-4, "{slip}");
}

/// An ellipsoid on its flattest side rocks with ω² = g(ρ − c)/(k² + c²), ρ = a²/c the radius of curvature below, k² = (a² + c²)/5.
#[test]
fn an_ellipsoid_rocks_with_the_period_of_its_curvature() {
    let material = Material {
        friction: 1.0,
        restitution: 0.3,
        creep_speed: 1e-5,
        young: 1e8,
        ..Material::default()
    };
    let (a, b, c) = (0.08, 0.06, 0.05);
    let mut builder = builder(material);
    builder.add_fixed("floor", Pose::identity(), floor());
    let tilt = 0.02f64;
    let rotation = rotation_from_vector(&Vec3::new(0.0, tilt, 0.0));
    let reach = ((a * tilt.sin()).powi(2) + (c * tilt.cos()).powi(2)).sqrt();
    let body = Shape::ellipsoid([a, b, c]).unwrap();
    let mass = 2000.0 * Moments::of(&body).unwrap().volume;
    let depth = hertz_depth([c / (a * a), c / (b * b)], mass, &material);
    let pose = Pose::from_parts(Vec3::new(0.0, 0.0, reach - depth).into(), rotation);
    builder.add_body("stone", body, 2000.0, &pose, Vec3::zeros(), Vec3::zeros()).unwrap();
    let mut simulation = started(builder, Integrator::SemiImplicit(2e-6));
    let omega = (G * (a * a / c - c) / ((a * a + c * c) / 5.0 + c * c)).sqrt();
    // The first return of the angular velocity to zero is half a period.
    let mut turning = None;
    let mut last = 0.0;
    for k in 1..=1000 {
        let time = k as f64 * 1e-3;
        simulation.advance_to(time, NEVER).unwrap();
        let speed =
            simulation.system().bodies()[0].angular_velocity(&simulation.state().bodies[0]).y;
        if last < 0.0 && speed >= 0.0 {
            turning = Some(time - 1e-3 * speed / (speed - last));
            break;
        }
        last = speed;
    }
    let found = turning.expect("it rocks back");
    let expected = std::f64::consts::PI / omega;
    println!("half a period {found:.4} s, expected {expected:.4} s");
    assert!((found / expected - 1.0).abs() < 0.01, "{found} {expected}");
}

/// Whether an ellipsoid whose axes of inertia are turned by an angle against those of its curvature turns back within two seconds.
fn turns_back(skew: f64, spin: f64) -> bool {
    let radii = [0.10, 0.02, 0.015];
    let shape = Shape::ellipsoid(radii).unwrap();
    let material = Material { friction: 1.0, restitution: 1.0, ..Material::default() };
    let mut inertia = Moments::of(&shape).unwrap().filled(1000.0).unwrap();
    let turn = rotation_from_vector(&Vec3::new(0.0, 0.0, skew)).to_rotation_matrix().into_inner();
    inertia.inertia = turn * inertia.inertia * turn.transpose();
    let mut builder = builder(material);
    builder.add_fixed("floor", Pose::identity(), floor());
    let body = FreeBody::new("celt", &inertia).unwrap();
    let tilt = rotation_from_vector(&Vec3::new(0.01, 0.005, 0.0));
    let pose = Pose::from_parts(Vec3::new(0.0, 0.0, radii[2] - 1e-5).into(), tilt);
    let state = body.state(&pose, Vec3::zeros(), Vec3::new(0.0, 0.0, spin));
    builder.add(body, state, vec![(Pose::identity(), shape)]);
    let mut simulation = started(builder, Integrator::SemiImplicit(2e-5));
    (1..=40).any(|tick| {
        simulation.advance_to(f64::from(tick) * 0.05, NEVER).unwrap();
        let at = simulation.state().bodies[0];
        let now = simulation.system().bodies()[0].angular_velocity(&at).z;
        now * spin < -0.05 * spin * spin
    })
}

/// A rattleback: spun one way it turns back, spun the other way it does not. Its mirror image does the opposite.
#[test]
fn a_rattleback_turns_back_one_way_only() {
    let found = [0.15, -0.15].map(|skew| [3.0, -3.0].map(|spin| turns_back(skew, spin)));
    println!("turned back: {found:?}");
    assert_eq!(found, [[false, true], [true, false]]);
}

/// Contact forces are equal and opposite at one point: neither momentum changes beyond rounding.
#[test]
fn momentum_of_colliding_bodies_is_kept_to_rounding() {
    let mut builder = builder(Material::default()).gravity(Vec3::zeros());
    let shapes = [
        Shape::ellipsoid([0.1, 0.06, 0.04]).unwrap(),
        Shape::superellipsoid([0.07, 0.05, 0.06], 0.7, 0.8).unwrap(),
        Shape::superovoid([0.05, 0.05, 0.08], 1.0, 1.0, [0.2, 0.2]).unwrap(),
    ];
    for (k, shape) in shapes.into_iter().enumerate() {
        let at = Vec3::new(0.25 * k as f64 - 0.25, 0.01 * k as f64, 0.02);
        let pose = Pose::new(at, Vec3::new(0.3, 0.2 * k as f64, -0.4));
        let velocity = Vec3::new(0.6 - 0.6 * k as f64, 0.0, 0.0);
        builder
            .add_body(&format!("b{k}"), shape, 900.0, &pose, velocity, Vec3::new(1.0, -2.0, 3.0))
            .unwrap();
    }
    let mut simulation = started(builder, Integrator::SemiImplicit(1e-4));
    let momenta = |simulation: &Simulation| {
        let bodies = simulation.system().bodies().iter().zip(&simulation.state().bodies);
        bodies.fold([Vec3::zeros(); 2], |[p, l], (body, at)| {
            let linear = at.velocity_w * body.mass;
            [p + linear, l + at.center_w.cross(&linear) + at.momentum_w]
        })
    };
    let before = momenta(&simulation);
    simulation.advance_to(1.0, NEVER).unwrap();
    assert!(simulation.begun().len() >= 2, "{:?}", simulation.begun());
    let after = momenta(&simulation);
    for (before, after) in before.iter().zip(after) {
        println!("changed by {:.1e}", (after - before).norm());
        assert!((after - before).norm() < 1e-13, "{before:?} {after:?}");
    }
}

/// Without damping and friction nothing is lost: drift of the adaptive steps over two seconds of bouncing and tumbling.
#[test]
fn energy_is_kept_where_nothing_takes_it() {
    let material = Material { restitution: 1.0, friction: 0.0, ..Material::default() };
    let mut builder = builder(material);
    builder.add_fixed("floor", Pose::identity(), floor());
    let pose = Pose::translation(0.0, 0.0, 0.25);
    let ball = Shape::sphere(0.05).unwrap();
    builder.add_body("ball", ball, 1000.0, &pose, Vec3::zeros(), Vec3::new(1.0, 5.0, 2.0)).unwrap();
    let mut simulation = started(builder, Integrator::Adaptive(1e-10));
    let (before, held) = simulation.energy().unwrap();
    simulation.advance_to(2.0, NEVER).unwrap();
    let (after, held_after) = simulation.energy().unwrap();
    let drift = (after.total() + held_after - before.total() - held) / before.total();
    println!("{} contacts, energy drift {drift:.1e}", simulation.begun().len());
    assert!(simulation.begun().len() >= 4);
    assert!(drift.abs() < 1e-6, "{drift:e}");
}

#[test]
fn bad_numbers_are_refused() {
    let error = SystemBuilder::new(Material { friction: -0.1, ..Material::default() }).unwrap_err();
    assert_eq!(error.to_string(), "material: friction is -0.1, must be zero or more and finite");
    let (system, state) = builder(Material::default()).springs(JointSprings::default()).build();
    let error = Simulation::new(system, state, Integrator::Adaptive(f64::NAN)).unwrap_err();
    assert_eq!(error.to_string(), "tolerance is NaN, must be positive and finite");
    let mut builder = builder(Material::default());
    let error =
        builder.add_body("f", floor(), 1.0, &Pose::identity(), Vec3::zeros(), Vec3::zeros());
    assert_eq!(error.unwrap_err().to_string(), "object `f`: a half_space has no finite volume");
    assert_eq!(STANDARD_GRAVITY.z, -G);
}
