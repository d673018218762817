//! Rigid contacts by complementarity: stacks stand, blocks stick and slide as Coulomb says, balls bounce as Newton says, limits
//! stop joints, momentum is kept.

use std::sync::Arc;

use smooth_scene_dynamics::{
    BodyState, DynamicModel, Integrator, Material, MissingMass, Simulation, SimulationError,
    SystemBuilder,
};
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Pose, Vec3, rotation_from_vector};
use smooth_scene_robot::{LoadOptions, RobotState, parse_urdf, physics};
use smooth_scene_scene::PlanningScene;

const G: f64 = 9.80665;
const STEP: f64 = 2e-3;
const NEVER: &dyn Fn() -> bool = &|| false;

fn builder(friction: f64, restitution: f64) -> SystemBuilder {
    SystemBuilder::new(Material { friction, restitution, ..Material::default() }).unwrap()
}

fn with_floor(friction: f64, restitution: f64) -> SystemBuilder {
    let mut builder = builder(friction, restitution);
    let floor = Shape::half_space([0.0, 0.0, 1.0], 0.0).unwrap();
    builder.add_fixed("floor", Pose::identity(), floor);
    builder
}

fn started(builder: SystemBuilder) -> Simulation {
    let (system, state) = builder.build();
    Simulation::new(system, state, Integrator::Complementarity(STEP)).unwrap()
}

fn add(builder: &mut SystemBuilder, name: &str, shape: Shape, pose: &Pose, velocity: Vec3) {
    builder.add_body(name, shape, 1000.0, pose, velocity, Vec3::zeros()).unwrap();
}

/// Runs and says how far the bodies have moved and turned at most.
fn drift(simulation: &mut Simulation, seconds: f64) -> [f64; 2] {
    let before: Vec<BodyState> = simulation.state().bodies.clone();
    simulation.advance_to(seconds, NEVER).unwrap();
    let both = before.iter().zip(&simulation.state().bodies);
    both.fold([0f64; 2], |[moved, turned], (a, b)| {
        [moved.max((a.center_w - b.center_w).norm()), turned.max(a.rotation.angle_to(&b.rotation))]
    })
}

fn print_solver(what: &str, simulation: &Simulation) {
    let record = simulation.solver_record();
    println!(
        "{what}: {:.1} sweeps per step, residual {:.1e} m/s",
        record.sweeps as f64 / simulation.steps() as f64,
        record.residual
    );
}

/// Ten boxes on each other, each turned against the one below, and the weight of all on the floor.
#[test]
fn a_tower_of_boxes_stands() {
    let mut builder = with_floor(0.5, 0.0);
    let half = [0.1, 0.08, 0.05];
    for k in 0..10 {
        let pose = Pose::new(
            Vec3::new(0.0, 0.0, 0.05 + 0.1 * k as f64),
            Vec3::new(0.0, 0.0, 0.3 * k as f64),
        );
        add(&mut builder, &format!("box{k}"), Shape::cuboid(half).unwrap(), &pose, Vec3::zeros());
    }
    let mut simulation = started(builder);
    let [moved, turned] = drift(&mut simulation, 2.0);
    print_solver(&format!("tower: moved {moved:.1e} m, turned {turned:.1e}"), &simulation);
    // Each of the ten contacts may stay overlapped by 1e-6 m.
    assert!(moved < 1e-5 && turned < 1e-5, "{moved:e} {turned:e}");
    let weight: f64 = simulation.system().bodies().iter().map(|body| body.mass * G).sum();
    let contacts = simulation.contacts().unwrap();
    let on_floor =
        contacts.iter().filter(|c| simulation.system().pair_names(c.pair).contains(&"floor"));
    let carried: f64 = on_floor.map(|c| c.force_w.z.abs()).sum();
    assert!((carried / weight - 1.0).abs() < 1e-6, "{carried} {weight}");
}

/// Flat ellipsoids on each other stand when the upper one's centre is lower than r₁r₂/(r₁ + r₂) above the contact, here a²/2c.
#[test]
fn flat_ellipsoids_on_each_other_stand() {
    let mut builder = with_floor(0.8, 0.0);
    let radii = [0.12, 0.12, 0.03];
    for k in 0..3 {
        let pose = Pose::translation(0.0, 0.0, 0.03 + 0.06 * k as f64);
        add(
            &mut builder,
            &format!("egg{k}"),
            Shape::ellipsoid(radii).unwrap(),
            &pose,
            Vec3::zeros(),
        );
    }
    let mut simulation = started(builder);
    let [moved, turned] = drift(&mut simulation, 2.0);
    print_solver(&format!("ellipsoids: moved {moved:.1e} m, turned {turned:.1e}"), &simulation);
    assert!(moved < 1e-6 && turned < 1e-4, "{moved:e} {turned:e}");
}

/// Under the friction angle nothing moves; above it a = g(sin α − μ cos α). The same for a box and a box-shaped mesh.
#[test]
fn a_block_sticks_exactly_and_slides_as_coulomb_says() {
    let half = [0.1, 0.08, 0.03];
    let corners: Vec<Vec3> = (0..8)
        .map(|k| Vec3::from([0, 1, 2].map(|i| half[i] * if k >> i & 1 == 0 { -1.0 } else { 1.0 })))
        .collect();
    let blocks = [Shape::cuboid(half).unwrap(), Shape::convex_mesh(&corners).unwrap()];
    for block in blocks {
        for degrees in [10.0f64, 26.0, 27.0, 40.0] {
            let angle = degrees.to_radians();
            let slope = Shape::half_space([angle.sin(), 0.0, angle.cos()], 0.0).unwrap();
            let mut builder = builder(0.5, 0.0);
            builder.add_fixed("slope", Pose::identity(), slope);
            let rotation = rotation_from_vector(&Vec3::new(0.0, angle, 0.0));
            let pose = Pose::from_parts((rotation * Vec3::new(0.0, 0.0, half[2])).into(), rotation);
            add(&mut builder, "block", block.clone(), &pose, Vec3::zeros());
            let mut simulation = started(builder);
            let [moved, turned] = drift(&mut simulation, 0.5);
            let speed = simulation.state().bodies[0].velocity_w.dot(&(rotation * Vec3::x()));
            let expected = (0.5 * G * (angle.sin() - 0.5 * angle.cos())).max(0.0);
            println!(
                "{degrees}°: {speed:.9} m/s after 0.5 s, expected {expected:.9}; moved {moved:.1e} m"
            );
            assert!((speed - expected).abs() < 1e-6, "{speed} {expected}");
            assert!(turned < 1e-6, "{turned:e}");
            if expected == 0.0 {
                assert!(moved < 1e-7, "{moved:e}");
            }
        }
    }
}

/// A ball leaves a floor with e times its speed; two balls exchange what Newton's restitution says.
#[test]
fn balls_bounce_with_newtons_restitution() {
    for restitution in [0.0, 0.4, 1.0] {
        let mut bouncing = with_floor(0.3, restitution).gravity(Vec3::zeros());
        let down = Vec3::new(0.0, 0.0, -1.7);
        let ball = || Shape::sphere(0.05).unwrap();
        add(&mut bouncing, "ball", ball(), &Pose::translation(0.0, 0.0, 0.1), down);
        let mut simulation = started(bouncing);
        simulation.advance_to(0.2, NEVER).unwrap();
        let speed = simulation.state().bodies[0].velocity_w.z;
        assert!((speed - 1.7 * restitution).abs() < 1e-7, "{restitution}: {speed}");
        let lowest = simulation.state().bodies[0].center_w.z;
        assert!(lowest > 0.05 - 1e-9, "{lowest}");
        assert_eq!(simulation.begun().len(), 1);
        assert!((simulation.begun()[0].time - 0.05 / 1.7).abs() <= STEP);

        let mut meeting = builder(0.3, restitution).gravity(Vec3::zeros());
        let small = Shape::sphere(0.025).unwrap();
        add(&mut meeting, "big", ball(), &Pose::identity(), Vec3::x());
        add(&mut meeting, "small", small, &Pose::translation(0.2, 0.0, 0.0), -Vec3::x());
        let mut simulation = started(meeting);
        simulation.advance_to(0.2, NEVER).unwrap();
        // Masses 8 : 1.
        let common = 7.0 / 9.0;
        let expected = [common - restitution * 2.0 / 9.0, common + restitution * 16.0 / 9.0];
        for (body, expected) in simulation.state().bodies.iter().zip(expected) {
            assert!((body.velocity_w.x - expected).abs() < 1e-7, "{restitution}: {body:?}");
        }
    }
}

#[test]
fn momentum_of_colliding_bodies_is_kept_to_rounding() {
    let mut builder = builder(0.5, 0.5).gravity(Vec3::zeros());
    let shapes = [
        Shape::ellipsoid([0.1, 0.06, 0.04]).unwrap(),
        Shape::superellipsoid([0.07, 0.05, 0.06], 0.7, 0.8).unwrap(),
        Shape::cuboid([0.05, 0.06, 0.07]).unwrap(),
    ];
    for (k, shape) in shapes.into_iter().enumerate() {
        let at = Vec3::new(0.25 * k as f64 - 0.25, 0.01 * k as f64, 0.02);
        let pose = Pose::new(at, Vec3::new(0.3, 0.2 * k as f64, -0.4));
        let velocity = Vec3::new(0.6 - 0.6 * k as f64, 0.0, 0.0);
        let spin = Vec3::new(1.0, -2.0, 3.0);
        builder.add_body(&format!("b{k}"), shape, 900.0, &pose, velocity, spin).unwrap();
    }
    let mut simulation = started(builder);
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
    for (before, after) in before.iter().zip(momenta(&simulation)) {
        println!("rigid contacts: momentum changed by {:.1e}", (after - before).norm());
        assert!((after - before).norm() < 1e-13, "{before:?} {after:?}");
    }
}

/// Overlaps from the start open without a jump: no energy comes from them.
#[test]
fn an_overlap_opens_without_energy() {
    let mut builder = with_floor(0.5, 0.5);
    let cube = Shape::cuboid([0.1; 3]).unwrap();
    add(&mut builder, "cube", cube, &Pose::translation(0.0, 0.0, 0.08), Vec3::zeros());
    let mut simulation = started(builder);
    for k in 1..=50 {
        simulation.advance_to(f64::from(k) * 0.01, NEVER).unwrap();
        assert!(simulation.state().bodies[0].velocity_w.norm() < 1e-6);
    }
    let height = simulation.state().bodies[0].center_w.z;
    assert!((height - 0.1).abs() < 2e-6, "{height}");
}

fn robot(text: &str, scene: impl Fn(&mut SystemBuilder)) -> Simulation {
    let robot = parse_urdf(text, "r.urdf", &LoadOptions::default()).unwrap();
    let model = Arc::new(robot.model);
    let physics = physics(&robot.document).unwrap();
    let dynamic = DynamicModel::new(model.clone(), &physics, MissingMass::Massless).unwrap();
    let planning = PlanningScene::new(model.clone(), None).unwrap();
    let mut builder = builder(0.5, 0.0);
    scene(&mut builder);
    builder.add_robot(&planning, dynamic, &RobotState::new(model)).unwrap();
    started(builder)
}

const ARM: &str = r#"<robot name="arm"><link name="base"/>
  <link name="upper"><inertial><origin xyz="0.25 0 0"/><mass value="2"/>
    <inertia ixx="0.01" iyy="0.05" izz="0.05" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="lower"><inertial><origin xyz="0.25 0 0"/><mass value="1"/>
    <inertia ixx="0.01" iyy="0.03" izz="0.03" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0.5 0 0"/><geometry><sphere radius="0.05"/></geometry></collision></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0 0 0.3"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="0.2" effort="1" velocity="9"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="0.5 0 0"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" effort="1" velocity="9"/>ELBOW</joint></robot>"#;

/// An arm falls to the limit of its shoulder and its tip on the floor; at rest the joint forces of weight and contacts balance:
/// about the elbow the tip carries the lower arm.
#[test]
fn an_arm_falls_to_its_limit_and_on_the_floor() {
    let mut simulation = robot(&ARM.replace("ELBOW", r#"<dynamics damping="0.5"/>"#), |builder| {
        let floor = Shape::half_space([0.0, 0.0, 1.0], 0.0).unwrap();
        builder.add_fixed("floor", Pose::identity(), floor);
    });
    simulation.advance_to(4.0, NEVER).unwrap();
    print_solver("arm", &simulation);
    let state = simulation.state().clone();
    let (shoulder, elbow) = (state.positions[0], state.positions[1]);
    assert!((shoulder - 0.2).abs() < 1e-6, "{shoulder}");
    assert!(state.velocities.iter().all(|v| v.abs() < 1e-6), "{state:?}");
    let tip = 0.3 - 0.5 * shoulder.sin() - 0.5 * (shoulder + elbow).sin();
    assert!((tip - 0.05).abs() < 1e-5, "{tip}");
    // Moments about the elbow: the weight at 0.25, the floor's force at the lowest point of the ball; friction may hold too.
    let contacts = simulation.contacts().unwrap();
    assert_eq!(contacts.len(), 1);
    let mut force = contacts[0].force_w;
    if simulation.system().pair_names(contacts[0].pair)[0] != "floor" {
        force = -force;
    }
    let angle = shoulder + elbow;
    let point =
        contacts[0].point_w - Vec3::new(0.5 * shoulder.cos(), 0.0, 0.3 - 0.5 * shoulder.sin());
    let moment = point.z * force.x - point.x * force.z + 0.25 * angle.cos() * G;
    assert!(moment.abs() < 1e-5, "{moment} {force:?}");
}

/// A joint with enough dry friction holds its link up without any creep.
#[test]
fn dry_friction_of_a_joint_holds() {
    let dry = ARM.replace("ELBOW", r#"<dynamics friction="3"/>"#);
    let mut simulation = robot(&dry.replace(r#"upper="0.2""#, r#"upper="0""#), |_| {});
    simulation.advance_to(1.0, NEVER).unwrap();
    // 1 kg · g · 0.25 m is less than 3 Nm.
    assert!(
        simulation.state().positions.iter().all(|q| q.abs() < 1e-9),
        "{:?}",
        simulation.state()
    );
}

/// A joint without inertia is refused by name also where the mass matrix is factored.
#[test]
fn a_joint_without_inertia_is_named() {
    let text = r#"<robot name="r"><link name="a"/><link name="b"/><link name="c"/>
        <joint name="first" type="continuous"><parent link="a"/><child link="b"/></joint>
        <joint name="second" type="continuous"><parent link="b"/><child link="c"/></joint></robot>"#;
    let mut simulation = robot(text, |_| {});
    let error = simulation.advance_to(1.0, NEVER).unwrap_err();
    assert!(matches!(error, SimulationError::Dynamics { .. }));
    assert!(error.to_string().contains("stopped at 0 s: joint `second`"), "{error}");
}
