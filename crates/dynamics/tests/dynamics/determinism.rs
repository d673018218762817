//! The same system gives the same bits twice and in any thread. Nothing in a simulation runs in parallel.

use smooth_scene_dynamics::{Integrator, Material, Simulation, SystemBuilder, SystemState};
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_test_support::families::Rng;
use smooth_scene_test_support::random::seed;

/// A pile of random bodies of all kinds that falls on a floor.
fn pile(seed: u64, integrator: Integrator, bodies: u32) -> Simulation {
    let mut rng = Rng::new(seed);
    let mut builder = SystemBuilder::new(Material::default()).unwrap();
    builder.add_fixed("floor", Pose::identity(), Shape::half_space([0.0, 0.0, 1.0], 0.0).unwrap());
    for k in 0..bodies {
        let [a, b, c] = [0; 3].map(|_| rng.uniform(0.04, 0.08));
        let shape = match k % 4 {
            0 => Shape::ellipsoid([a, b, c]).unwrap(),
            1 => Shape::superellipsoid([a, b, c], 0.7, 0.9).unwrap(),
            2 => Shape::cuboid([a, b, c]).unwrap(),
            _ => Shape::cylinder(a, b).unwrap(),
        };
        let at =
            Vec3::new(0.05 * f64::from(k % 2), 0.03 * f64::from(k % 3), 0.1 + 0.13 * f64::from(k));
        let pose = Pose::from_parts(at.into(), rng.rotation());
        builder
            .add_body(&format!("b{k}"), shape, 900.0, &pose, Vec3::zeros(), rng.direction())
            .unwrap();
    }
    let (system, state) = builder.build();
    Simulation::new(system, state, integrator).unwrap()
}

fn run(seed: u64, integrator: Integrator, bodies: u32, seconds: f64) -> SystemState {
    let mut simulation = pile(seed, integrator, bodies);
    simulation.advance_to(seconds, &|| false).unwrap();
    assert!(!simulation.begun().is_empty());
    simulation.state().clone()
}

#[test]
fn the_same_system_gives_the_same_bits() {
    let seed = seed(77);
    for (integrator, bodies, seconds) in [
        (Integrator::SemiImplicit(5e-4), 8, 0.4),
        (Integrator::Complementarity(2e-3), 8, 0.4),
        // Each new contact ends a step.
        (Integrator::Adaptive(1e-3), 2, 0.12),
    ] {
        let first = run(seed, integrator, bodies, seconds);
        assert_eq!(first, run(seed, integrator, bodies, seconds));
        let elsewhere = std::thread::spawn(move || run(seed, integrator, bodies, seconds));
        assert_eq!(first, elsewhere.join().unwrap());
    }
}
