//! Ellipsoids fall, tumble and meet as in MuJoCo: masses, motion before the contact, and the instant of the first contact.
//! What happens in a contact depends on its softness, and MuJoCo's contacts are constraints with one of their own. What does not depend
//! on it is compared after the contact, too: momentum and the path of the centre of mass of bodies that meet in free flight. Behind
//! the feature `external-tests`.

use std::io::Write;

use serde_json::{Value, json};
use smooth_scene_dynamics::{Integrator, Material, Simulation, SystemBuilder};
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_test_support::families::Rng;
use smooth_scene_test_support::random::seed;
use smooth_scene_test_support::robots_venv::start_script;

/// Step of MuJoCo's Runge–Kutta integrator of order four, s.
const STEP: f64 = 1e-4;
const GRAVITY: f64 = 9.80665;
/// When bodies that meet are compared as a whole, s: before and after their contact.
const TIMES: [f64; 7] = [0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4];

struct Body {
    radii: [f64; 3],
    pose: Pose,
    velocity_w: Vec3,
    spin_w: Vec3,
}

fn ours(bodies: &[Body], gravity: f64, has_floor: bool) -> Simulation {
    let builder = SystemBuilder::new(Material::default()).unwrap();
    let mut builder = builder.gravity(Vec3::new(0.0, 0.0, -gravity));
    if has_floor {
        let floor = Shape::half_space([0.0, 0.0, 1.0], 0.0).unwrap();
        builder.add_fixed("floor", Pose::identity(), floor);
    }
    for (k, body) in bodies.iter().enumerate() {
        let shape = Shape::ellipsoid(body.radii).unwrap();
        let name = format!("body{k}");
        builder.add_body(&name, shape, 800.0, &body.pose, body.velocity_w, body.spin_w).unwrap();
    }
    let (system, state) = builder.build();
    Simulation::new(system, state, Integrator::Adaptive(1e-12)).unwrap()
}

fn mujoco(bodies: &[Body], gravity: f64, has_floor: bool, probe: f64, until: f64) -> Value {
    let body = |b: &Body| {
        let q = b.pose.rotation;
        let spin = q.inverse_transform_vector(&b.spin_w);
        json!({"radii": b.radii, "density": 800.0, "position": b.pose.translation.vector.as_slice(),
            "quaternion": [q.w, q.i, q.j, q.k], "velocity": b.velocity_w.as_slice(), "spin": spin.as_slice()})
    };
    let bodies: Vec<Value> = bodies.iter().map(body).collect();
    let request = json!({"gravity": gravity, "floor": has_floor, "step": STEP, "until": until, "probe": probe,
        "times": TIMES, "bodies": bodies});
    let mut child = start_script("mujoco_ellipsoids.py", &[]);
    writeln!(child.stdin.take().unwrap(), "{request}").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Largest differences of masses and inertias, and of the states at `probe`.
fn compare(simulation: &mut Simulation, theirs: &Value, probe: f64) -> [f64; 2] {
    simulation.advance_to(probe, &|| false).unwrap();
    let (mut mass, mut state) = (0f64, 0f64);
    let number = |value: &Value| value.as_f64().unwrap();
    for (k, body) in simulation.system().bodies().iter().enumerate() {
        mass = mass.max((number(&theirs["mass"][k]) / body.mass - 1.0).abs());
        let mut moments: Vec<f64> = body.inertia.symmetric_eigenvalues().iter().copied().collect();
        moments.sort_by(f64::total_cmp);
        for (j, moment) in moments.iter().enumerate() {
            mass = mass.max((number(&theirs["inertia"][k][j]) / moment - 1.0).abs());
        }
        let at = &simulation.state().bodies[k];
        let n: Vec<f64> = theirs["states"][k].as_array().unwrap().iter().map(number).collect();
        state = state.max((at.center_w - Vec3::new(n[0], n[1], n[2])).amax());
        let q = nalgebra::Quaternion::new(n[3], n[4], n[5], n[6]);
        let q = nalgebra::UnitQuaternion::new_normalize(q);
        state = state.max(at.rotation.angle_to(&q));
        state = state.max((at.velocity_w - Vec3::new(n[7], n[8], n[9])).amax());
        let spin_w = q * Vec3::new(n[10], n[11], n[12]);
        state = state.max((body.angular_velocity(at) - spin_w).amax());
    }
    [mass, state]
}

/// The centre of mass of all bodies, their linear momentum, and their angular momentum about the centre of mass; world frame.
fn total(simulation: &Simulation) -> [Vec3; 3] {
    let bodies = simulation.system().bodies().iter().zip(&simulation.state().bodies);
    let mass: f64 = bodies.clone().map(|(body, _)| body.mass).sum();
    let center = bodies.clone().map(|(body, at)| body.mass * at.center_w).sum::<Vec3>() / mass;
    let momentum: Vec3 = bodies.clone().map(|(body, at)| body.mass * at.velocity_w).sum();
    let spin = bodies.map(|(body, at)| {
        (at.center_w - center).cross(&(body.mass * at.velocity_w)) + at.momentum_w
    });
    [center, momentum, spin.sum()]
}

/// Moves bodies that meet to the last of the times. Returns the largest differences of the path of the centre of mass, m, and of the
/// momenta in shares of what the bodies have together when their directions do not count.
fn compare_totals(simulation: &mut Simulation, theirs: &Value) -> [f64; 3] {
    let before = simulation.state().clone();
    let bodies = simulation.system().bodies().iter().zip(&before.bodies);
    let linear: f64 = bodies.map(|(body, at)| body.mass * at.velocity_w.norm()).sum();
    let angular: f64 = before.bodies.iter().map(|at| at.momentum_w.norm()).sum();
    let mut worst = [0f64; 3];
    assert_eq!(theirs["totals"].as_array().unwrap().len(), TIMES.len());
    for (time, theirs) in TIMES.iter().zip(theirs["totals"].as_array().unwrap()) {
        simulation.advance_to(*time, &|| false).unwrap();
        let n: Vec<f64> = theirs.as_array().unwrap().iter().map(|n| n.as_f64().unwrap()).collect();
        for (k, ours) in total(simulation).iter().enumerate() {
            let difference = (ours - Vec3::from_column_slice(&n[3 * k..3 * k + 3])).norm();
            worst[k] = worst[k].max(difference / [1.0, linear, angular][k]);
        }
    }
    for (before, after) in before.bodies.iter().zip(&simulation.state().bodies) {
        let change = (after.velocity_w - before.velocity_w).norm();
        assert!(change > 0.5, "the contact changed a velocity by {change} m/s only");
    }
    worst
}

fn random_body(rng: &mut Rng, at: Vec3) -> Body {
    let radii = [0; 3].map(|_| rng.uniform(0.04, 0.12));
    let pose = Pose::from_parts(at.into(), rng.rotation());
    Body { radii, pose, velocity_w: rng.direction() * 0.3, spin_w: rng.direction() * 6.0 }
}

#[test]
fn ellipsoids_fall_and_meet_when_mujoco_says() {
    let mut rng = Rng::new(seed(21));
    let mut worst = [0f64; 3];
    let mut worst_total = [0f64; 3];
    for case in 0..6 {
        let falls = case % 2 == 0;
        let (bodies, gravity, probe, until) = if falls {
            (vec![random_body(&mut rng, Vec3::new(0.0, 0.0, 0.5))], GRAVITY, 0.15, 0.6)
        } else {
            let mut pair = [-0.3, 0.3].map(|x| random_body(&mut rng, Vec3::new(x, 0.0, 0.0)));
            for body in &mut pair {
                body.velocity_w = Vec3::new(-2.0 * body.pose.translation.x.signum(), 0.0, 0.0);
            }
            (pair.into(), 0.0, 0.08, 0.4)
        };
        let theirs = mujoco(&bodies, gravity, falls, probe, until);
        let mut simulation = ours(&bodies, gravity, falls);
        let [mass, state] = compare(&mut simulation, &theirs, probe);
        if !falls {
            let totals @ [path, linear, angular] = compare_totals(&mut simulation, &theirs);
            println!(
                "case {case}: centre of mass off by {path:.1e} m, momentum {linear:.1e}, {angular:.1e}"
            );
            for (worst, one) in worst_total.iter_mut().zip(totals) {
                *worst = worst.max(one);
            }
        }
        simulation.advance_to(until, &|| false).unwrap();
        let ours = simulation.begun().first().map(|begun| begun.time);
        let theirs = theirs["first"].as_f64();
        let instant = match (ours, theirs) {
            // MuJoCo sees a contact at the end of the step in which it begins.
            (Some(ours), Some(theirs)) => (ours - (theirs - 0.5 * STEP)).abs(),
            (None, None) => panic!("case {case}: no contact; choose other bodies"),
            other => panic!("case {case}: {other:?}"),
        };
        println!(
            "case {case}: mass {mass:.1e}, state {state:.1e}, contact at {ours:?} s, off by {instant:.1e} s"
        );
        worst = [worst[0].max(mass), worst[1].max(state), worst[2].max(instant)];
    }
    println!("worst: mass {:.1e}, state {:.1e}, instant {:.1e} s", worst[0], worst[1], worst[2]);
    let [path, linear, angular] = worst_total;
    println!("worst: centre of mass {path:.1e} m, momentum {linear:.1e}, {angular:.1e}");
    assert!(path < 1e-10 && linear < 1e-13 && angular < 1e-6, "{worst_total:?}");
    // MuJoCo's order of four leaves 1e-9; its convex collisions find contacts to 1e-6 m, which 2 m/s cover in less than a step.
    assert!(worst[0] < 1e-12 && worst[1] < 1e-7 && worst[2] <= 0.51 * STEP, "{worst:?}");
}
