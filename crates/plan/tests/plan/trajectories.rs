//! Times along a path.

use crate::scenes::{plane_arm, seven_joints};
use smooth_scene_plan::{JointSpace, MotionLimits, PlanError, TimedPath};
use smooth_scene_robot::StateSampler;
use smooth_scene_test_support::random::seed;

#[test]
fn limits_hold_everywhere_and_one_of_them_is_reached() {
    let scene = seven_joints();
    let space = JointSpace::new(&scene, Some("arm"), &[0.0; 8]).unwrap();
    let mut sampler = StateSampler::new(scene.model(), seed(31));
    for _ in 0..20 {
        let path: Vec<Vec<f64>> = (0..4).map(|_| space.point(&sampler.draw())).collect();
        let accelerations: Vec<f64> = (0..7).map(|_| 0.5 + 10.0 * sampler.uniform()).collect();
        let velocities: Vec<f64> = (0..7).map(|_| 0.1 + 3.0 * sampler.uniform()).collect();
        let limits = MotionLimits::new(velocities.clone(), accelerations.clone()).unwrap();
        let timed = TimedPath::new(&space, &path, &limits).unwrap();
        let stops = timed.passes().to_vec();
        assert_eq!(stops.len(), path.len());
        for (stop, waypoint) in stops.iter().zip(&path) {
            let state = timed.at(*stop);
            let apart = state.positions.iter().zip(waypoint).map(|(a, b)| (a - b).abs());
            assert!(apart.fold(0.0, f64::max) < 1e-12);
            assert!(state.velocities.iter().all(|v| v.abs() < 1e-9));
        }
        let count = 3000;
        let step = timed.duration() / f64::from(count);
        let mut before = timed.at(0.0);
        for leg in stops.windows(2) {
            let mut busiest = 0.0f64;
            for k in 0..=count {
                let time = leg[0] + (leg[1] - leg[0]) * f64::from(k) / f64::from(count);
                let state = timed.at(time);
                for j in 0..7 {
                    let speed = state.velocities[j].abs() / velocities[j];
                    let push = state.accelerations[j].abs() / accelerations[j];
                    assert!(speed <= 1.0 + 1e-12 && push <= 1.0 + 1e-12, "{speed} {push}");
                    busiest = busiest.max(speed).max(push);
                }
            }
            assert!(busiest > 1.0 - 1e-9, "it could be faster: {busiest}");
        }
        // Positions follow from velocities: the trapezoidal rule, exact but at switches.
        for k in 1..=count {
            let state = timed.at(step * f64::from(k));
            for (j, acceleration) in accelerations.iter().enumerate() {
                let travelled = 0.5 * step * (before.velocities[j] + state.velocities[j]);
                let error = (state.positions[j] - before.positions[j] - travelled).abs();
                assert!(error <= acceleration * step * step, "{error}");
            }
            before = state;
        }
    }
}

#[test]
fn one_joint_takes_the_time_of_the_textbook() {
    let scene = plane_arm(1, "revolute");
    let space = JointSpace::new(&scene, None, &[0.0]).unwrap();
    let duration = |velocity: f64, acceleration: f64| {
        let limits = MotionLimits::new(vec![velocity], vec![acceleration]).unwrap();
        TimedPath::new(&space, &[[0.0], [2.0]], &limits).unwrap().duration()
    };
    // Triangle: 2 √(d / a). Trapezoid: d / v + v / a.
    assert!((duration(10.0, 2.0) - 2.0).abs() < 1e-12);
    assert!((duration(f64::INFINITY, 2.0) - 2.0).abs() < 1e-12);
    assert!((duration(1.0, 2.0) - 2.5).abs() < 1e-12);
    // The limit of the description is 2 rad/s.
    let limits = MotionLimits::of_space(&space, 4.0).unwrap();
    let timed = TimedPath::new(&space, &[[0.0], [2.0], [2.0], [0.0]], &limits).unwrap();
    assert!((timed.duration() - 3.0).abs() < 1e-12);
    assert_eq!(timed.at(-1.0).positions, [0.0]);
    assert_eq!(timed.at(9.0).positions, [0.0]);
    assert!((timed.at(1.5).positions[0] - 2.0).abs() < 1e-12);
    let still = TimedPath::new(&space, &[[0.5]], &limits).unwrap();
    assert_eq!((still.duration(), still.at(3.0).positions[0]), (0.0, 0.5));
}

#[test]
fn bad_limits_are_refused() {
    for (velocity, acceleration) in [(0.0, 1.0), (f64::NAN, 1.0), (1.0, 0.0), (1.0, f64::INFINITY)]
    {
        let refused = MotionLimits::new(vec![velocity], vec![acceleration]);
        assert!(matches!(refused, Err(PlanError::BadOption { .. })), "{refused:?}");
    }
    assert!(MotionLimits::new(vec![1.0; 2], vec![1.0]).is_err());
}
