//! V-Clip beside GJK: whether they agree, and how many steps V-Clip takes from the last features and from none.
//!
//! `cargo run --release -p smooth_scene_baselines --example v_clip [PAIRS]`

use nalgebra::{Translation3, UnitQuaternion};
use smooth_scene_baselines::{Features, Polyhedron, Solver, v_clip};
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_query::{QueryOptions, distance};

/// SplitMix64.
struct Random(u64);

impl Random {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        low + (high - low) * (z >> 11) as f64 / (1u64 << 53) as f64
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::from_fn(|_, _| self.between(-1.0, 1.0))
    }

    fn pose(&mut self, distance: f64) -> Pose {
        let rotation = UnitQuaternion::from_scaled_axis(3.0 * self.vector());
        Pose::from_parts(Translation3::from(distance * self.vector().normalize()), rotation)
    }

    /// A box, the hull of points on a sphere, or the hull of points in a cube.
    fn shape(&mut self) -> Shape {
        let points = self.between(4.0, 60.0) as usize;
        match self.between(0.0, 3.0) as usize {
            0 => Shape::cuboid([0.0; 3].map(|_| self.between(0.2, 1.0))),
            1 => Shape::convex_mesh(&self.on_sphere(points)),
            _ => Shape::convex_mesh(&(0..points).map(|_| self.vector()).collect::<Vec<_>>()),
        }
        .expect("random points span a volume")
    }

    fn on_sphere(&mut self, points: usize) -> Vec<Vec3> {
        (0..points).map(|_| self.vector().normalize()).collect()
    }
}

fn main() {
    let argument = std::env::args().nth(1);
    let pairs: u32 =
        argument.map_or(100_000, |text| text.parse().expect("the argument is a number of pairs"));
    agreement(pairs);
    steps();
}

/// Random pairs from a cold start, against GJK with EPA and against our own proven bounds.
fn agreement(pairs: u32) {
    let mut random = Random(1998);
    let (mut apart, mut disagree, mut stuck, mut outside, mut worst) = (0, 0, 0, 0, 0f64);
    for _ in 0..pairs {
        let (a, b) = (random.shape(), random.shape());
        let pose_a = random.pose(3.0);
        let reach = random.between(0.2, 3.0);
        let pose_b = pose_a * random.pose(reach);
        let ask = |solver: Solver| {
            solver.solve(&a, &pose_a, &b, &pose_b).expect("both handle boxes and hulls")
        };
        let (clip, gjk) = (ask(Solver::VClip), ask(Solver::GjkEpa));
        let proven = distance(&a, &pose_a, &b, &pose_b, &QueryOptions::default());
        stuck += u32::from(!clip.converged);
        if clip.distance < 0.0 || gjk.distance < 0.0 {
            disagree += u32::from(clip.distance.signum() != gjk.distance.signum());
            outside += u32::from(proven.lower > 0.0);
            continue;
        }
        apart += 1;
        worst = worst.max((clip.distance - gjk.distance).abs());
        // Up to what rounding leaves of metres.
        let inside = proven.lower - 1e-12 <= clip.distance && clip.distance <= proven.upper + 1e-12;
        outside += u32::from(!inside);
    }
    println!("{pairs} pairs of boxes and hulls of 4 to 60 points, {apart} apart");
    println!("  V-Clip did not converge                     {stuck}");
    println!("  another side of contact than GJK            {disagree}");
    println!("  outside the proven bounds of our query      {outside}");
    println!("  largest difference from GJK, apart          {worst:.1e} m");
    assert_eq!((disagree, stuck, outside), (0, 0, 0));
}

/// Two hulls of points on a sphere, 0.5 m apart, one of which turns by a milliradian a query.
fn steps() {
    println!("\nsteps a query, mean of 2000 (worst)");
    println!("  vertices   from the last features   cold");
    let mut random = Random(7);
    for points in [10, 30, 100, 300, 1000, 3000, 10_000] {
        let [a, b] = [0, 1].map(|_| {
            let shape = Shape::convex_mesh(&random.on_sphere(points)).expect("a volume");
            Polyhedron::of(&shape).expect("a hull with volume")
        });
        let axis = random.vector().normalize();
        let turn = UnitQuaternion::from_scaled_axis(0.001 * axis);
        let (pose_a, mut pose_b) = (Pose::identity(), random.pose(2.5));
        let mut features = Features::default();
        v_clip(&a, &pose_a, &b, &pose_b, &mut features);
        let mut counts = [(0, 0), (0, 0)];
        for _ in 0..2000 {
            pose_b.append_rotation_mut(&turn);
            let warm = v_clip(&a, &pose_a, &b, &pose_b, &mut features);
            let cold = v_clip(&a, &pose_a, &b, &pose_b, &mut Features::default());
            assert!(warm.converged && cold.converged);
            for ((sum, most), answer) in counts.iter_mut().zip([warm, cold]) {
                *sum += answer.iterations;
                *most = answer.iterations.max(*most);
            }
        }
        let [warm, cold] =
            counts.map(|(sum, most)| format!("{:.2} ({most})", f64::from(sum) / 2000.0));
        println!("  {points:8}   {warm:>22}   {cold}");
    }
}
