//! Cloth against closed forms: free fall, a pendulum, the catenary, friction on an incline, momentum and energy.

use crate::cloth::{body, square};
use smooth_scene_dynamics::{Cloth, ClothOptions, ClothSheet};
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Pose, Vec3, rotation_from_vector};

const G: f64 = 9.80665;
const FRAME: f64 = 1.0 / 60.0;

fn without_losses() -> ClothOptions {
    ClothOptions { damping: 0.0, ..ClothOptions::default() }
}

fn chain(rows: usize, length: f64, turn: Vec3) -> ClothSheet {
    let pose = Pose::from_parts(Vec3::zeros().into(), rotation_from_vector(&turn));
    ClothSheet { rows, columns: 1, size: [length, 1.0], pose }
}

/// z = −g t²/2, and for substeps of length h exactly −g t(t + h)/2.
#[test]
fn a_free_cloth_falls_as_everything_does() {
    for substeps in [1, 10, 100] {
        let options = ClothOptions { substeps, ..without_losses() };
        let mut cloth = Cloth::new(square(5, 1.0, 0.0), options, &[]).unwrap();
        (0..60).for_each(|_| cloth.step(FRAME).unwrap());
        let h = FRAME / f64::from(substeps);
        let fallen = -cloth.positions().map(|point| point.z).sum::<f64>() / 25.0;
        // A coordinate of 5 m is rounded in each of n substeps, and divided by h becomes a velocity.
        let rounding = 5.0 * f64::EPSILON * 60.0 * f64::from(substeps) / h;
        assert!((fallen - 0.5 * G * (1.0 + h)).abs() < rounding.max(1e-12), "{fallen}");
        assert!((fallen / (0.5 * G) - 1.0).abs() < 1.01 * h, "{fallen}");
    }
}

/// Half a swing from 60° to the other side, seconds: T/2 = π √(l/g) / agm(1, cos(θ/2)).
#[test]
fn a_vertex_on_an_edge_swings_as_a_pendulum() {
    let (length, angle) = (0.8, 60f64.to_radians());
    let (mut a, mut b) = (1.0f64, (0.5 * angle).cos());
    for _ in 0..30 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    let expected = std::f64::consts::PI * (length / G).sqrt() / a;
    let half_swing = |substeps: u32| {
        // The chain is along x; turned about y it hangs at the angle from the vertical.
        let turn = Vec3::new(0.0, std::f64::consts::FRAC_PI_2 - angle, 0.0);
        let options = ClothOptions { substeps, ..without_losses() };
        let mut cloth = Cloth::new(chain(2, length, turn), options, &[]).unwrap();
        cloth.pin(0, 0).unwrap();
        let pivot = cloth.position(0, 0);
        let mut before = cloth.position(1, 0);
        // The lowest point is passed after a quarter.
        for frame in 1..600 {
            cloth.step(1e-3).unwrap();
            let now = cloth.position(1, 0);
            if now.x < pivot.x {
                let share = (before.x - pivot.x) / (before.x - now.x);
                return 2.0 * 1e-3 * (f64::from(frame - 1) + share);
            }
            before = now;
        }
        panic!("it does not swing");
    };
    let errors = [2, 4, 8].map(|substeps| half_swing(substeps) / expected - 1.0);
    println!("half a swing: {expected:.6} s, relative errors {errors:?}");
    assert!(errors[2].abs() < 2e-4, "{errors:?}");
    // Of first order in the substep.
    for pair in errors.windows(2) {
        assert!((pair[0] / pair[1] - 2.0).abs() < 0.3, "{errors:?}");
    }
}

/// A chain of 100 edges and 2 m, its ends 1 m apart: y = a cosh(x/a) with 2a sinh(1/2a) = 2.
#[test]
fn a_hanging_chain_is_a_catenary() {
    let (rows, length, span) = (101, 2.0, 1.0);
    let options = ClothOptions { damping: 3.0, bend_compliance: 1e6, ..ClothOptions::default() };
    let mut cloth = Cloth::new(chain(rows, length, Vec3::zeros()), options, &[]).unwrap();
    for frame in 0..900 {
        let half = 0.5 * (length - (length - span) * f64::from(frame).min(120.0) / 120.0);
        cloth.drag(0, 0, &Vec3::new(-half, 0.0, 0.0)).unwrap();
        cloth.drag(rows - 1, 0, &Vec3::new(half, 0.0, 0.0)).unwrap();
        cloth.step(FRAME).unwrap();
    }
    let (mut low, mut high) = (0.01, 10.0);
    for _ in 0..100 {
        let a = 0.5 * (low + high);
        if 2.0 * a * (0.5 * span / a).sinh() > length { low = a } else { high = a }
    }
    let a = 0.5 * (low + high);
    let sag = a * (0.5 * span / a).cosh() - a;
    let height = |x: f64| a * (x / a).cosh() - a - sag;
    let worst = cloth.positions().map(|p| (p.z - height(p.x)).abs()).fold(0.0, f64::max);
    let found = -cloth.positions().map(|p| p.z).fold(0.0, f64::min);
    println!(
        "sag {found:.5} m, of the catenary {sag:.5} m; farthest from it vertically {worst:.5} m; strain {:.1e}",
        cloth.largest_strain()
    );
    assert!((found - sag).abs() < 1e-3 * length, "{found} {sag}");
    assert!(worst < 5e-3 * length, "{worst}");
    assert!(cloth.largest_strain() < 1e-3, "{}", cloth.largest_strain());
}

/// Sticks below the angle of friction, and slides with g (sin α − μ cos α) above it.
#[test]
fn a_cloth_on_an_incline_sticks_or_slides_as_coulomb_says() {
    let friction = 0.5f64;
    for degrees in [15.0f64, 25.0, 28.0, 35.0, 60.0] {
        let angle = degrees.to_radians();
        let normal = Vec3::new(angle.sin(), 0.0, angle.cos());
        let incline =
            body("incline", Shape::half_space(normal.into(), 0.0).unwrap(), Pose::identity());
        let options = ClothOptions { friction, ..without_losses() };
        let turn = rotation_from_vector(&Vec3::new(0.0, angle, 0.0));
        let above = normal * (options.thickness * (1.0 + 1e-9));
        let sheet =
            ClothSheet { pose: Pose::from_parts(above.into(), turn), ..square(5, 0.2, 0.0) };
        let mut cloth = Cloth::new(sheet, options, &[incline]).unwrap();
        let before = cloth.position(2, 2);
        (0..60).for_each(|_| cloth.step(FRAME).unwrap());
        let slid = (cloth.position(2, 2) - before).dot(&Vec3::new(angle.cos(), 0.0, -angle.sin()));
        let acceleration = (G * (angle.sin() - friction * angle.cos())).max(0.0);
        // As in free fall, t(t + h)/2 for t²/2.
        let expected = 0.5 * acceleration * (1.0 + FRAME / 10.0);
        println!("{degrees}°: slid {slid:.6} m, expected {expected:.6} m");
        assert!((slid - expected).abs() < 1e-5, "{degrees}: {slid} {expected}");
    }
}

/// Forces inside the cloth move nothing on the whole. Turning loses a share that is of first order in the substep.
#[test]
fn momentum_is_kept() {
    let lost = [10, 40].map(|substeps| {
        let options = ClothOptions { gravity: Vec3::zeros(), substeps, ..without_losses() };
        let mut cloth = Cloth::new(square(11, 1.0, 0.0), options, &[]).unwrap();
        let spin = Vec3::new(1.0, 0.0, 3.0);
        cloth.set_velocity(|point| spin.cross(point) + Vec3::new(0.3, 0.2, -0.1)).unwrap();
        let [linear, angular] = cloth.momentum();
        (0..60).for_each(|_| cloth.step(FRAME).unwrap());
        let [linear_after, angular_after] = cloth.momentum();
        // A coordinate of 1 m is rounded in each substep, and divided by its length becomes a velocity; the cloth has 0.2 kg.
        let count = 60.0 * f64::from(substeps);
        let rounding = 0.2 * f64::EPSILON * count * count;
        let change = (linear_after - linear).norm();
        assert!(change < rounding, "{change} of {}, rounding {rounding}", linear.norm());
        (angular_after - angular).norm() / angular.norm()
    });
    println!("angular momentum lost in a second: {lost:?}");
    assert!(lost[1] < 0.4 * lost[0] && lost[1] < 0.05, "{lost:?}");
}

/// Of a cloth that swings from two corners. From one frame to the next it may rise by a hundredth of m g l, where
/// projections store what others released.
#[test]
fn energy_of_a_swinging_cloth_stays_below_that_of_the_start() {
    let mut cloth = Cloth::new(square(21, 1.0, 0.0), without_losses(), &[]).unwrap();
    [[0, 0], [0, 20]].iter().for_each(|&[row, column]| cloth.pin(row, column).unwrap());
    let total = |cloth: &Cloth| cloth.energy().total() + cloth.elastic_energy();
    let mut energies = vec![total(&cloth)];
    for _ in 0..120 {
        cloth.step(FRAME).unwrap();
        energies.push(total(&cloth));
    }
    // Of the weight of the cloth lifted by its size.
    let unit = 0.2 * G;
    let above = energies.iter().map(|now| now - energies[0]).fold(0.0, f64::max) / unit;
    let lost = (energies[0] - energies[120]) / unit;
    println!("energy in m g l: lost {lost:.4} in 2 s, above the first {above:.1e}");
    assert!(lost > 0.0 && above < 1e-3, "{lost} {above}");
}

/// However many vertices it has, a hanging cloth is as long as it was.
#[test]
fn a_cloth_that_hangs_from_an_edge_keeps_its_length() {
    for rows in [11, 51, 101] {
        let pose = Pose::from_parts(
            Vec3::zeros().into(),
            rotation_from_vector(&Vec3::new(0.0, std::f64::consts::FRAC_PI_2, 0.0)),
        );
        let sheet = ClothSheet { rows, columns: 5, size: [1.0, 0.1], pose };
        let mut cloth = Cloth::new(sheet, ClothOptions::default(), &[]).unwrap();
        (0..5).for_each(|column| cloth.pin(0, column).unwrap());
        (0..60).for_each(|_| cloth.step(FRAME).unwrap());
        let strain = cloth.largest_strain();
        println!("{rows} rows: strain {strain:.2e}");
        assert!(strain < 1e-3, "{rows}: {strain}");
    }
}
