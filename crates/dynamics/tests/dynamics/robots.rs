//! Forward and inverse dynamics of a robot with every kind of joint, against each other and against finite differences.

use std::sync::Arc;

use nalgebra::DVector;
use smooth_scene_dynamics::{
    DynamicModel, DynamicsError, Force, Integrator, JointSprings, Material, MissingMass, NO_FORCES,
    Simulation, SystemBuilder, forward_dynamics, inverse_dynamics, mass_matrix, robot_energy,
};
use smooth_scene_geometry::math::Vec3;
use smooth_scene_robot::{LoadOptions, RobotState, StateSampler, load_urdf, parse_urdf, physics};
use smooth_scene_scene::PlanningScene;
use smooth_scene_test_support::families::Rng;
use smooth_scene_test_support::random::seed;
use smooth_scene_test_support::repository_file;

fn every_joint() -> DynamicModel {
    let path = repository_file("crates/dynamics/tests/dynamics/every_joint.urdf");
    let robot = load_urdf(path, &LoadOptions::default()).unwrap();
    let physics = physics(&robot.document).unwrap();
    DynamicModel::new(Arc::new(robot.model), &physics, MissingMass::Massless).unwrap()
}

/// Without the followers, so that the articulated-body algorithm is used.
fn without_followers() -> DynamicModel {
    let path = repository_file("crates/dynamics/tests/dynamics/every_joint.urdf");
    let text = std::fs::read_to_string(path).unwrap();
    let text: String = text
        .split("<mimic")
        .enumerate()
        .map(|(k, part)| match k {
            0 => part.to_string(),
            _ => part.split_once("/>").unwrap().1.to_string(),
        })
        .collect();
    let robot = parse_urdf(&text, "every_joint.urdf", &LoadOptions::default()).unwrap();
    let physics = physics(&robot.document).unwrap();
    DynamicModel::new(Arc::new(robot.model), &physics, MissingMass::Massless).unwrap()
}

#[test]
fn forward_dynamics_undoes_inverse_dynamics() {
    for model in [every_joint(), without_followers()] {
        let robot = model.robot().clone();
        let mut states = StateSampler::new(&robot, seed(1));
        let mut rng = Rng::new(seed(2));
        let n = robot.velocity_count();
        for _ in 0..50 {
            let q = states.draw();
            let v: Vec<f64> = (0..n).map(|_| rng.uniform(-3.0, 3.0)).collect();
            let a: Vec<f64> = (0..n).map(|_| rng.uniform(-10.0, 10.0)).collect();
            let external: Vec<Force> = (0..robot.links().len())
                .map(|_| Force { moment: rng.direction(), force: rng.direction() * 5.0 })
                .collect();
            let tau = inverse_dynamics(&model, &q, &v, &a, &external).unwrap();
            let back = forward_dynamics(&model, &q, &v, &tau, &external).unwrap();
            let worst = a.iter().zip(&back).fold(0f64, |w, (x, y)| w.max((x - y).abs()));
            assert!(worst < 1e-9, "{worst:e}");

            // M a = τ(a) − τ(0), and the energy is ½ vᵀMv.
            let zero = vec![0.0; n];
            let rest = inverse_dynamics(&model, &q, &v, &zero, &external).unwrap();
            let matrix = mass_matrix(&model, &q).unwrap();
            let product = &matrix * DVector::from_vec(a.clone());
            for k in 0..n {
                assert!((product[k] - (tau[k] - rest[k])).abs() < 1e-9);
            }
            let speeds = DVector::from_vec(v.clone());
            let kinetic = 0.5 * speeds.dot(&(&matrix * &speeds));
            assert!((robot_energy(&model, &q, &v).unwrap().kinetic - kinetic).abs() < 1e-9);
        }
    }
}

#[test]
fn a_falling_robot_falls_with_gravity() {
    let model = without_followers();
    let n = model.robot().velocity_count();
    let mut q = vec![0.0; model.robot().position_count()];
    q[6] = 1.0;
    let zero = vec![0.0; n];
    let a = forward_dynamics(&model, &q, &zero, &zero, NO_FORCES).unwrap();
    // Everything falls alike: the base with g in its own frame, no other joint moves.
    let fall = model.robot().joints()[0].origin.rotation.inverse_transform_vector(&model.gravity);
    assert!((Vec3::new(a[0], a[1], a[2]) - fall).norm() < 1e-12);
    assert!(a[3..].iter().all(|x| x.abs() < 1e-11), "{a:?}");
}

#[test]
fn a_joint_that_moves_nothing_is_named() {
    let text = r#"<robot name="r"><link name="a"/><link name="b"/><link name="c"/>
        <joint name="first" type="continuous"><parent link="a"/><child link="b"/></joint>
        <joint name="second" type="continuous"><parent link="b"/><child link="c"/></joint></robot>"#;
    let robot = parse_urdf(text, "r.urdf", &LoadOptions::default()).unwrap();
    let model =
        DynamicModel::new(Arc::new(robot.model), &Default::default(), MissingMass::Massless)
            .unwrap();
    let error = forward_dynamics(&model, &[0.0; 2], &[0.0; 2], &[0.0; 2], NO_FORCES).unwrap_err();
    assert!(
        matches!(&error, DynamicsError::NoInertia { joint, .. } if joint == "second"),
        "{error}"
    );
    let error = forward_dynamics(&model, &[0.0; 2], &[0.0], &[0.0; 2], NO_FORCES).unwrap_err();
    assert_eq!(error.to_string(), "velocities: 1 numbers given, 2 expected");
    let error = inverse_dynamics(&model, &[0.0; 2], &[0.0; 2], &[0.0, f64::NAN], NO_FORCES);
    assert_eq!(error.unwrap_err().to_string(), "accelerations[1] is NaN, must be finite");
}

#[test]
fn links_without_mass_are_weighed_by_their_surfaces() {
    let text = r#"<robot name="r"><link name="a"><collision><origin xyz="0 0 1"/><geometry><sphere radius="0.1"/></geometry>
        </collision></link></robot>"#;
    let robot = parse_urdf(text, "r.urdf", &LoadOptions::default()).unwrap();
    let missing = MissingMass::FromSurfaces(1000.0);
    let model = DynamicModel::new(Arc::new(robot.model), &Default::default(), missing).unwrap();
    let mass = 4.0 / 3.0 * std::f64::consts::PI * 1e-3 * 1000.0;
    let inertia = model.inertias()[0];
    assert!((inertia.mass - mass).abs() < 1e-12);
    assert!((inertia.inertia[(0, 0)] - mass * (0.4 * 0.01 + 1.0)).abs() < 1e-12);
}

/// Two links that swing; the second stops at `upper`.
fn double_pendulum(
    upper: f64,
    damping: f64,
    springs: JointSprings,
    start: [f64; 2],
    integrator: Integrator,
) -> Simulation {
    let link = |name: &str| {
        format!(
            r#"<link name="{name}"><inertial><origin xyz="0 0 -0.3"/><mass value="1.5"/>
            <inertia ixx="0.04" iyy="0.04" izz="0.002" ixy="0" ixz="0" iyz="0"/></inertial></link>"#
        )
    };
    let text = format!(
        r#"<robot name="r"><link name="base"/>{}{}
        <joint name="hip" type="continuous"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
            <dynamics damping="{damping}"/></joint>
        <joint name="knee" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="0 0 -0.6"/>
            <axis xyz="0 1 0"/><limit lower="-9" upper="{upper}" effort="9" velocity="9"/><dynamics damping="{damping}"/></joint>
        </robot>"#,
        link("upper"),
        link("lower")
    );
    let robot = parse_urdf(&text, "r.urdf", &LoadOptions::default()).unwrap();
    let physics = physics(&robot.document).unwrap();
    let model = Arc::new(robot.model);
    let scene = PlanningScene::new(model.clone(), None).unwrap();
    let dynamic = DynamicModel::new(model.clone(), &physics, MissingMass::Massless).unwrap();
    let state = RobotState::at(model, start.to_vec()).unwrap();
    let mut builder = SystemBuilder::new(Material::default()).unwrap().springs(springs);
    builder.add_robot(&scene, dynamic, &state).unwrap();
    let (system, state) = builder.build();
    Simulation::new(system, state, integrator).unwrap()
}

#[test]
fn a_double_pendulum_keeps_its_energy() {
    let springs = JointSprings::default();
    let mut simulation =
        double_pendulum(1e3, 0.0, springs, [2.0, -3.0], Integrator::Adaptive(1e-10));
    let before = simulation.energy().unwrap().0.total();
    simulation.advance_to(5.0, &|| false).unwrap();
    let after = simulation.energy().unwrap().0.total();
    println!(
        "{} steps, energy {before} J, drift {:.1e}",
        simulation.steps(),
        (after - before) / before
    );
    assert!(((after - before) / before).abs() < 1e-7);
}

#[test]
fn limits_stop_joints_and_dampers_bring_them_to_rest() {
    for integrator in [Integrator::SemiImplicit(1e-3), Integrator::Adaptive(1e-6)] {
        let springs = JointSprings::default();
        let mut simulation = double_pendulum(0.5, 3.0, springs, [1.0, 0.4], integrator);
        let mut highest = 0f64;
        for tick in 1..=200 {
            simulation.advance_to(f64::from(tick) * 0.1, &|| false).unwrap();
            highest = highest.max(simulation.state().positions[1]);
        }
        assert!(highest < 0.52, "{highest}");
        let state = simulation.state();
        assert!(
            state.positions.iter().chain(&state.velocities).all(|x| x.abs() < 1e-3),
            "{state:?}"
        );
    }
}

#[test]
fn a_robot_that_is_held_stays_where_it_is() {
    let springs = JointSprings { hold_frequency: Some(5.0), ..JointSprings::default() };
    let mut simulation =
        double_pendulum(0.5, 0.0, springs, [0.7, -0.4], Integrator::SemiImplicit(1e-3));
    simulation.advance_to(2.0, &|| false).unwrap();
    let moved = [0.7, -0.4].iter().zip(&simulation.state().positions);
    assert!(moved.into_iter().all(|(a, b)| (a - b).abs() < 1e-9), "{:?}", simulation.state());
}
