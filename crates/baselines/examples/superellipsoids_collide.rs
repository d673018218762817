//! Several rigid superellipsoids move and collide, as in U. J. Römer's "Collision detection for rigid superellipsoids using the
//! normal parameterization", and his two algorithms are asked for every near pair on the way, beside ours. Prints how often each
//! finds the distance, with how many iterations; with a path as argument, writes energies and iterations over time as SVG.
//!
//! `cargo run --release -p smooth_scene_baselines --example superellipsoids_collide -- docs/superellipsoids_collide.svg`

#[path = "../../dynamics/examples/plot/mod.rs"]
mod plot;

use plot::{Curve, Panel};
use smooth_scene_baselines::Solver;
use smooth_scene_dynamics::{Integrator, Material, Simulation, SystemBuilder};
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_geometry::{Aabb, ConvexSurface, Shape};
use smooth_scene_query::PairQuery;
use std::error::Error;

/// Half of the edge of the box whose six walls hold the bodies, m.
const BOX: f64 = 0.5;
/// Time and time between two looks, s.
const END: f64 = 2.0;
const LOOK: f64 = 2e-3;
/// Distances that differ by less are the same, in multiples of the smaller bounding radius.
const SAME: f64 = 1e-6;

/// Semi-axes and Römer's exponents δ, ε; Barr's are 2/δ and 2/ε.
const BODIES: [([f64; 3], f64, f64); 6] = [
    ([0.14, 0.10, 0.08], 2.0, 2.0),
    ([0.10, 0.10, 0.12], 3.0, 3.0),
    ([0.16, 0.07, 0.07], 2.5, 4.0),
    ([0.09, 0.12, 0.10], 4.0, 2.5),
    ([0.08, 0.08, 0.15], 2.2, 1.6),
    ([0.11, 0.09, 0.06], 5.0, 5.0),
];

/// What one algorithm did over the whole motion.
#[derive(Debug, Default, Clone)]
struct Record {
    asked: u32,
    stopped: u32,
    right: u32,
    iterations: u32,
    /// Mean iterations at each look.
    history: Vec<[f64; 2]>,
}

fn start() -> Result<(Vec<Shape>, Simulation), Box<dyn Error>> {
    // Nothing is lost: neither by damping nor by friction.
    let material = Material { restitution: 1.0, friction: 0.0, young: 1e7, ..Material::default() };
    let mut builder = SystemBuilder::new(material)?.gravity(Vec3::zeros());
    for (k, axis) in [Vec3::x(), Vec3::y(), Vec3::z()].into_iter().enumerate() {
        for sign in [1.0, -1.0] {
            let inwards: [f64; 3] = (axis * -sign).into();
            let wall = Shape::half_space(inwards, -BOX)?;
            builder.add_fixed(&format!("wall{k}{sign}"), Pose::identity(), wall);
        }
    }
    let mut shapes = Vec::new();
    for (k, (radii, delta, epsilon)) in BODIES.into_iter().enumerate() {
        let shape = Shape::superellipsoid(radii, 2.0 / delta, 2.0 / epsilon)?;
        let sign = |bit: usize| if k >> bit & 1 == 0 { -1.0 } else { 1.0 };
        let at = Vec3::new(0.25 * sign(0), 0.25 * sign(1), 0.25 * sign(2));
        let turn = Vec3::new(0.4 * k as f64, 0.9 - 0.3 * k as f64, 0.2);
        let velocity = -at * 3.0 + Vec3::new(0.1, -0.15, 0.2) * (k as f64 - 2.5);
        let spin = Vec3::new(2.0 - k as f64, 1.5, 0.5 * k as f64);
        builder.add_body(
            &format!("body{k}"),
            shape.clone(),
            1000.0,
            &Pose::new(at, turn),
            velocity,
            spin,
        )?;
        shapes.push(shape);
    }
    let (system, state) = builder.build();
    Ok((shapes, Simulation::new(system, state, Integrator::Adaptive(1e-8))?))
}

fn main() -> Result<(), Box<dyn Error>> {
    let solvers = [Solver::NormalNewton, Solver::NormalFixedPoint];
    let (shapes, mut simulation) = start()?;
    let mut records = vec![Record::default(); solvers.len()];
    let mut energies = Vec::new();
    for look in 0..=(END / LOOK).round() as u32 {
        let time = f64::from(look) * LOOK;
        simulation.advance_to(time, &|| false)?;
        let (energy, stored) = simulation.energy()?;
        energies.push([time, energy.kinetic, stored]);
        let poses: Vec<Pose> = simulation
            .system()
            .bodies()
            .iter()
            .zip(&simulation.state().bodies)
            .map(|(body, at)| body.pose(at))
            .collect();
        ask(&solvers, &shapes, &poses, time, &mut records);
    }
    let drift = {
        let total = |at: &[f64; 3]| at[1] + at[2];
        let first = energies[0];
        energies.iter().map(|at| (total(at) / total(&first) - 1.0).abs()).fold(0f64, f64::max)
    };
    println!(
        "{} collisions in {END} s; energy off by at most {drift:.1e} of it",
        simulation.begun().len()
    );
    println!(
        "{:28} {:>6} {:>8} {:>8} {:>11}",
        "algorithm", "asked", "stopped", "right", "iterations"
    );
    for (solver, record) in solvers.iter().zip(&records) {
        let share = |count: u32| 100.0 * f64::from(count) / f64::from(record.asked);
        println!(
            "{:28} {:>6} {:>6.2} % {:>6.2} % {:>11.2}",
            solver.name(),
            record.asked,
            share(record.stopped),
            share(record.right),
            f64::from(record.iterations) / f64::from(record.asked)
        );
    }
    if let Some(path) = std::env::args().nth(1) {
        std::fs::write(path, picture(&energies, &records))?;
    }
    Ok(())
}

/// The bounding box from the support function (the source's generating potential), in the directions of the axes.
fn box_of(shape: &Shape, pose: &Pose) -> Aabb {
    let reach = |axis: Vec3| shape.support(&pose.rotation.inverse_transform_vector(&axis)).value;
    let at = pose.translation.vector;
    let high = Vec3::new(reach(Vec3::x()), reach(Vec3::y()), reach(Vec3::z()));
    let low = Vec3::new(reach(-Vec3::x()), reach(-Vec3::y()), reach(-Vec3::z()));
    Aabb { min: at - low, max: at + high }
}

/// Asks every algorithm for all pairs whose bounding boxes overlap, as the source does.
fn ask(solvers: &[Solver], shapes: &[Shape], poses: &[Pose], time: f64, records: &mut [Record]) {
    let mut sums = vec![[0u32; 2]; solvers.len()];
    for i in 0..shapes.len() {
        for j in i + 1..shapes.len() {
            let boxes = [i, j].map(|k| box_of(&shapes[k], &poses[k]));
            if !boxes[0].overlaps(&boxes[1]) {
                continue;
            }
            let (a, b) = ((&shapes[i], &poses[i]), (&shapes[j], &poses[j]));
            let ours = PairQuery::new(a.0, a.1, b.0, b.1).distance();
            let size = a.0.bounding_radius().min(b.0.bounding_radius());
            for ((solver, record), sum) in solvers.iter().zip(&mut *records).zip(&mut sums) {
                let answer = solver.solve(a.0, a.1, b.0, b.1).expect("superellipsoids are smooth");
                record.asked += 1;
                record.stopped += u32::from(answer.converged);
                let is_right = (answer.distance - ours.distance).abs() < SAME * size;
                record.right += u32::from(answer.converged && is_right);
                record.iterations += answer.iterations;
                *sum = [sum[0] + 1, sum[1] + answer.iterations];
            }
        }
    }
    for (record, [asked, iterations]) in records.iter_mut().zip(sums) {
        if asked > 0 {
            record.history.push([time, f64::from(iterations) / f64::from(asked)]);
        }
    }
}

fn picture(energies: &[[f64; 3]], records: &[Record]) -> String {
    let curve = |name, colour, points| Curve { name, colour, points };
    let of = |k: usize| energies.iter().map(|at| [at[0], at[k]]).collect();
    let total = energies.iter().map(|at| [at[0], at[1] + at[2]]).collect();
    let names = [("algorithm I (Newton)", "#0072b2"), ("algorithm II (fixed point)", "#d55e00")];
    let iterations = names.into_iter().zip(records);
    plot::svg(
        "Six rigid superellipsoids collide in a box",
        "time, s",
        &[
            Panel {
                label: "energy, J",
                curves: vec![
                    curve("kinetic", "#0072b2", of(1)),
                    curve("in contacts", "#009e73", of(2)),
                    curve("total", "#333333", total),
                ],
            },
            Panel {
                label: "mean iterations",
                curves: iterations
                    .map(|((name, colour), r)| curve(name, colour, r.history.clone()))
                    .collect(),
            },
        ],
    )
}
