//! Forward and inverse dynamics of a robot with every kind of joint, against each other and against finite differences.

use std::sync::Arc;

use nalgebra::DVector;
use smooth_scene_dynamics::{
    DynamicModel, DynamicsError, Force, MissingMass, NO_FORCES, forward_dynamics, inverse_dynamics,
    mass_matrix, robot_energy,
};
use smooth_scene_geometry::math::Vec3;
use smooth_scene_robot::{LoadOptions, StateSampler, load_urdf, parse_urdf, physics};
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
